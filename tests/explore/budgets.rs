//! Searches that are given up say why, and what they have seen.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lockstep_explore::{Budgets, Certainty, Engine, Keeping, Observer, Options, Outcome, Reduction, Why, explore};
use lockstep_runtime::{Delivery, Limit, Limits, Settings};

use crate::{program, search};

/// Counts for ever.
const ENDLESS: &str = "event tick;
machine Main { var n: int; start state S { entry { send this, tick; } on tick do { n = n + 1; send this, tick; } } }
test tc [main=Main]: { Main };";

#[test]
fn budgets_end_a_search_and_are_named() {
    let endless = program(ENDLESS);
    let budgets = [
        (Budgets { states: Some(100), ..Budgets::default() }, Why::States(100)),
        (Budgets { transitions: Some(100), ..Budgets::default() }, Why::Transitions(100)),
        (Budgets { memory: Some(1 << 20), ..Budgets::default() }, Why::Memory(1 << 20)),
        (Budgets { time: Some(Duration::from_millis(50)), ..Budgets::default() }, Why::Time(Duration::from_millis(50))),
    ];
    for (budgets, expected) in budgets {
        let Outcome::Unknown { why, covered } =
            search(&endless, &Options { budgets, reduction: Reduction::NONE, ..Options::default() }).outcome
        else {
            panic!("it cannot end otherwise");
        };
        assert_eq!(why, expected);
        assert!(covered.states >= 100 || matches!(why, Why::Time(_)), "{covered:?}");
        assert!(covered.depth.is_some_and(|depth| u64::from(depth) <= covered.states), "{covered:?}");
    }
}

#[test]
fn a_depth_is_named_only_if_everything_up_to_it_was_seen() {
    // The reduction lets the busy machine go first, and the other is three steps from failing all the time.
    let text = "machine Main { start state S { entry { new Busy(); new Wrong(); } } }
machine Busy { start state S { entry { while (true) { new Idle(); } } } }
machine Idle { start state S { } }
machine Wrong { start state S { entry { send this, halt; assert false; } } }
test tc [main=Main]: { Main, Busy, Idle, Wrong };";
    let budgets = Budgets { states: Some(2), ..Budgets::default() };
    let report = search(&program(text), &Options { budgets, ..Options::default() });
    let Outcome::Unknown { covered, .. } = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(report.stats.reduced > 0, "{:?}", report.stats);
    assert_eq!(covered.depth, None);
}

#[test]
fn no_depth_is_named_behind_a_run_that_was_given_up() {
    let text = "event tick;
machine Main { var n: int; start state S { entry { if ($) { while (true) { } } send this, tick; }
  on tick do { if (n < 20) { n = n + 1; send this, tick; } } } }
test tc [main=Main]: { Main };";
    let settings = Settings { limits: Limits { instructions: 1_000, frames: 10 }, ..Settings::default() };
    let report = search(&program(text), &Options { settings, ..Options::default() });
    let Outcome::Unknown { why: Why::Run(_), covered } = report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(covered.depth, None);
}

#[test]
fn a_search_can_be_cancelled() {
    let cancel = AtomicBool::new(false);
    let mut calls = 0;
    let mut progress = |_: &_| {
        calls += 1;
        cancel.store(true, Ordering::Relaxed);
    };
    let report = explore(&program(ENDLESS), &Options::default(), &mut Observer { cancel: &cancel, progress: &mut progress });
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Cancelled, .. }), "{:?}", report.outcome);
    assert_eq!(calls, 1);
}

#[test]
fn machines_that_create_machines_for_ever() {
    let text = "machine Main { start state S { entry { new Main(); } } } test tc [main=Main]: { Main };";
    let budgets = Budgets { states: Some(200), ..Budgets::default() };
    let report = search(&program(text), &Options { budgets, ..Options::default() });
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::States(200), .. }), "{:?}", report.outcome);
}

#[test]
fn a_handler_without_an_end_in_sight() {
    let text =
        "machine Main { var n: int; start state S { entry { while (true) { n = n + 1; } } } } test tc [main=Main]: { Main };";
    let settings = Settings { limits: Limits { instructions: 1_000, frames: 10 }, ..Settings::default() };
    let report = search(&program(text), &Options { settings, ..Options::default() });
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Run(_), .. }), "{:?}", report.outcome);
}

#[test]
fn a_step_with_very_many_answers() {
    let text = "machine Main { var x: int; start state S { entry { x = choose(10000) + choose(10000); } } } test tc [main=Main]: { Main };";
    let budgets = Budgets { answers: 20_000, ..Budgets::default() };
    let report = search(&program(text), &Options { budgets, ..Options::default() });
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Answers(20_000), .. }), "{:?}", report.outcome);
}

#[test]
fn a_handler_that_chooses_for_ever() {
    let text = "machine Main { start state S { entry { while ($) { } } } } test tc [main=Main]: { Main };";
    let report = search(&program(text), &Options::default());
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Answers(_), .. }), "{:?}", report.outcome);
}

#[test]
fn fingerprints_name_the_chance_of_a_mistake() {
    let text = "machine Main { var x: int; start state S { entry { x = choose(100); } } } test tc [main=Main]: { Main };";
    let report = search(&program(text), &Options { keeping: Keeping::Fingerprints, ..Options::default() });
    let Outcome::Exhausted(exhausted) = report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(exhausted.states, 101);
    let Certainty::Omission(chance) = exhausted.certainty else { panic!("{:?}", exhausted.certainty) };
    assert!(chance > 0.0 && chance < 1e-30, "{chance}");
}

#[test]
fn ends_are_told_apart() {
    let main = |other: &str| {
        format!(
            "event a; event b; machine Main {{ start state S {{ entry {{ var o: machine; o = new Other(); send o, a; }} }} }}
machine Other {{ start state S {{ {other} }} }} test tc [main=Main]: {{ Main, Other }};"
        )
    };
    let normal = search(&program(&main("on a do { }")), &Options::default());
    assert_eq!((normal.stats.ends.normal, normal.left_behind), (1, None));
    let deferred = search(&program(&main("defer a;")), &Options::default());
    assert_eq!(deferred.stats.ends.with_deferred, 1);
    assert!(deferred.left_behind.is_some(), "there is a way to it");
    let blocked = search(&program(&main("on a do { receive { case b: { } } }")), &Options::default());
    let Outcome::Bug(bug) = blocked.outcome else { panic!("{:?}", blocked.outcome) };
    assert_eq!(bug.failure.fault.kind(), "deadlock");
}

#[test]
fn a_budget_of_states_is_kept_where_one_state_leads_to_thousands() {
    let text =
        "event e; machine Main { var a: int; var b: int; var c: int; start state S { entry { a = choose(100); send this, e; }
  on e do { b = c; c = choose(4000); send this, e; } } } test tc [main=Main]: { Main };";
    let budgets = Budgets { states: Some(10_000), ..Budgets::default() };
    for threads in [1, 2] {
        let report = search(&program(text), &Options { budgets, threads, ..Options::default() });
        assert!(matches!(report.outcome, Outcome::Unknown { why: Why::States(10_000), .. }), "{:?}", report.outcome);
        // 32 states are looked at before anybody knows how many states they lead to.
        assert!(report.stats.states <= 10_000 + 32 * 4_000, "{} states", report.stats.states);
    }
}

#[test]
fn a_budget_of_memory_is_kept_within_one_step() {
    let text = "machine Main { var s: seq[int]; start state S { entry { s += (0, choose(1000)); s += (0, choose(1000)); } } } test tc [main=Main]: { Main };";
    let budgets = Budgets { memory: Some(4 << 20), ..Budgets::default() };
    let report = search(&program(text), &Options { budgets, ..Options::default() });
    assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Memory(_), .. }), "{:?}", report.outcome);
    assert!(report.stats.memory < 16 << 20, "{} bytes", report.stats.memory);
}

/// What a run sends is put into queues when it is over. One that goes on sending would need more and more memory until then.
#[test]
fn a_run_that_sends_without_an_end_is_given_up() {
    let alone = "{ Main }";
    let seen = "assert Seen in { Main, Other }";
    for (first, what, module, delivery) in [
        ("0", "send this, e, s;", alone, Delivery::Inbox),
        ("choose(3)", "send this, e, s;", alone, Delivery::Inbox),
        ("0", "new Other(); send this, e, s;", "{ Main, Other }", Delivery::Network),
        ("0", "announce e, s;", seen, Delivery::Inbox),
    ] {
        let text = format!(
            "event e: seq[int];
machine Main {{ var s: seq[int]; start state S {{ ignore e; entry {{ s += (0, {first}); while (true) {{ s += (0, sizeof(s)); {what} }} }} }} }}
machine Other {{ start state S {{ }} }}
spec Seen observes e {{ start state S {{ ignore e; }} }}
test tc [main=Main]: {module};"
        );
        for engine in [Engine::Explicit, Engine::Symbolic] {
            let settings = Settings { delivery, ..Settings::default() };
            let report = search(&program(&text), &Options { settings, engine, ..Options::default() });
            let Outcome::Unknown { why: Why::Run(limit), .. } = &report.outcome else {
                panic!("{what} {engine:?}: {:?}", report.outcome)
            };
            assert!(matches!(limit, Limit::Sent(_)), "{what} {engine:?}: {limit}");
        }
    }
}

/// How much that is depends on the values, and not on what they happen to share: a search and a replay must say the same.
#[test]
fn large_values_can_be_sent_often() {
    let text = "event e: seq[int]; event go;
machine Main { var a: seq[int]; var b: seq[int]; start state S { ignore e;
  entry { var n: int; while (n < 1000) { a += (n, n); b += (n, n); n = n + 1; } send this, go; }
  on go do { var n: int; while (n < 2000) { print \"x\"; send this, e, a; send this, e, b; n = n + 1; } assert false, \"reached\"; } } }
test tc [main=Main]: { Main };";
    for engine in [Engine::Explicit, Engine::Symbolic] {
        let report = search(&program(text), &Options { engine, ..Options::default() });
        assert!(matches!(report.outcome, Outcome::Bug(_)), "{engine:?}: {:?}", report.outcome);
    }
}

#[test]
fn a_step_that_is_given_up_can_be_found() {
    let text =
        "event e; machine Main { var n: int; start state S { entry { send this, e; } on e do { while (true) { n = n + 1; } } } }
test tc [main=Main]: { Main };";
    let settings = Settings { limits: Limits { instructions: 1_000, frames: 10 }, ..Settings::default() };
    let program = program(text);
    let report = search(&program, &Options { settings, ..Options::default() });
    let stopped = report.stopped.expect("a way to it");
    let (who, state) = lockstep_runtime::last_mover(&program, &settings, &stopped).expect("somebody made it");
    assert_eq!((who.as_str(), state.as_str(), report.hints), ("Main(1)", "S", None));
}

/// Code in another language cannot be run, and what lies behind it is not known.
#[test]
fn what_cannot_be_run_is_not_passed_over() {
    let text = "fun outside(): int;
machine Main { start state S { entry { var x: int; new Other(); if ($) { x = outside(); assert x == 0; } } } }
machine Other { start state S { } }
test tc [main=Main]: { Main, Other };";
    let program = program(text);
    for reduction in [Reduction::NONE, Reduction::ALL] {
        let report = search(&program, &Options { reduction, ..Options::default() });
        assert!(matches!(report.outcome, Outcome::Unsupported(_)), "{:?}", report.outcome);
    }
}

/// Steps of the only machine are forgotten, and made again for a trace: also if there is no more memory then.
#[test]
fn a_bug_that_spends_the_budget_is_shown() {
    let text = "event e; event f;
machine Main {
  var x: int; var y: int; var s: seq[int];
  start state Init { entry { send this, e; } on e goto A; }
  state A { entry { x = choose(20); send this, f; } on f goto B; }
  state B { entry { var i: int; if (x == 17) { assert false; } y = choose(20);
    while (i < 50) { s += (0, i + y * 100 + x * 10000); i = i + 1; } } }
}
test tc [main=Main]: { Main };";
    let program = program(text);
    let mut found = [0, 0];
    for memory in (20_000..1_500_000).step_by(20_000) {
        let budgets = Budgets { memory: Some(memory), ..Budgets::default() };
        let report = search(&program, &Options { budgets, reduction: Reduction::NONE, ..Options::default() });
        match report.outcome {
            Outcome::Bug(_) => found[0] += 1,
            Outcome::Unknown { why, .. } => {
                assert!(!why.has_seen_a_bug(), "{memory} bytes: {why}");
                found[1] += 1;
            }
            other => panic!("{memory} bytes: {other:?}"),
        }
    }
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}
