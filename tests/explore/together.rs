//! Steps that are made together with the one before: nothing that happens on the way or at the end of such a chain is lost, and the runs
//! that lead there can be repeated.

use std::collections::BTreeSet;

use lockstep_explore::{Budgets, Bugs, Keeping, Liveness, Options, Order, Outcome, Reduction, Report, Stats};
use lockstep_runtime::{Delivery, Failure, Settings, naive};
use lockstep_tests::{Taste, p_program};

use crate::{count, first_seed, program, search};

/// `Chain` goes on alone for `length` steps, and then does `last`. Meanwhile `A` and `B` have something to do with each other.
fn chain(length: u32, last: &str) -> String {
    format!(
        "event rest; event go; event mine; event yours; event seen; event done; event peer: machine;
machine Main {{ start state S {{ entry {{ var x: machine; x = new X(); new A(x); new B(x); new Chain((n = {length}, x = x)); }} }} }}
machine Chain {{ start state S {{ entry (p: (n: int, x: machine)) {{
  if (p.n > 0) {{ new Chain((n = p.n - 1, x = p.x)); raise halt; }}
  {last} }} ignore rest; }} }}
machine A {{ start state S {{ entry (x: machine) {{ send x, mine; }} }} }}
machine B {{ start state S {{ entry (x: machine) {{ send x, yours; }} }} }}
machine X {{ var first: bool; start state S {{ ignore rest, go, done;
  on mine do {{ first = true; }} on yours do {{ assert first, \"yours\"; }} }} }}"
    )
}

fn tested(text: &str, spec: &str) -> String {
    let asserted = if spec.is_empty() { String::new() } else { "assert Watch in ".to_owned() };
    format!("{text}\n{spec}\ntest tc [main=Main]: {asserted}{{ Main, A, B, Chain, X }};")
}

const WATCH: &str = "spec Watch observes mine, seen { start state S { on mine goto T; on seen do { assert false, \"early\"; } }
  state T { ignore mine; on seen do { assert false, \"late\"; } } }";
const HOT: &str =
    "spec Watch observes mine, seen { start cold state S { on seen goto T; ignore mine; } hot state T { ignore mine, seen; } }";

#[test]
fn what_is_at_the_end_of_a_chain() {
    for length in [0, 1, 15, 16, 17, 33, 70] {
        fails(&tested(&chain(length, "assert false, \"the end\";"), ""));
        fails(&tested(&chain(length, "send p.x, yours;"), ""));
        fails(&tested(&chain(length, "announce seen;"), WATCH));
        fails(&tested(&chain(length, "announce seen;"), HOT));
        fails(&tested(&chain(length, "receive { case go: { } }"), ""));
        fails(&tested(&chain(length, "send this, rest; raise mine;"), ""));
    }
}

#[test]
fn choices_at_the_end_of_a_chain() {
    for length in [1, 17] {
        fails(&tested(&chain(length, "assert choose(1) == 1;"), ""));
        fails(&tested(&chain(length, "if ($) { assert $; } else { announce seen; }"), WATCH));
        fails(&tested(&chain(length, "announce seen; if ($) { send p.x, yours; }"), WATCH));
        fails(&tested(
            &chain(length, "if (choose(3) == 2) { new Chain((n = 2, x = null as machine)); } assert p.x != null as machine;"),
            "",
        ));
    }
}

#[test]
fn machines_that_go_on_among_themselves() {
    // Two that answer each other: one step is possible at any time. Somewhere on the way, and after it, something is wrong.
    for (turns, rest) in [(3, ""), (20, ""), (40, "n = 0;")] {
        let text = format!(
            "event ping: machine; event pong; event late;
machine Main {{ var n: int; var b: machine; start state S {{ defer late;
  entry {{ b = new B(); send this, late; send b, ping, this; }}
  on pong do {{ n = n + 1; if (n == {turns}) {{ {rest} goto T; }} send b, ping, this; }} }}
  state T {{ on late do {{ if ($) {{ goto U; }} send b, ping, this; }} on pong do {{ assert n != 5, \"five\"; n = (n + 1) % 50; send this, late; }} }}
  state U {{ entry {{ receive {{ case late: {{ }} }} }} ignore pong; }} }}
machine B {{ start state S {{ on ping do (m: machine) {{ send m, pong; }} }} }}
test tc [main=Main]: {{ Main, B }};"
        );
        fails(&text);
    }
}

#[test]
fn null_and_halt_on_the_way() {
    let text = "event m; event k;
machine Main { start state S { entry { var x: machine; x = new X(); new K(x); send x, m; } } }
machine K { start state S { entry (x: machine) { send x, k; send x, halt; } } }
machine X { var n: int; start state S { on null do { n = (n + 1) % 3; new W(n); if (n == 2) { goto T; } } on m do { assert n != 1, \"m\"; } ignore k; }
  state T { defer m; on k do { if (n == 2) { n = 5; } raise halt; } exit { assert n != 5, \"left\"; } } }
machine W { start state S { entry (n: int) { if (n > 1) { new W(n - 1); raise halt; } assert n == 1; } } }
test tc [main=Main]: { Main, K, X, W };";
    fails(text);
    fails(&text.replace("assert n != 1, \"m\";", "assert n == 1, \"m\";"));
}

#[test]
fn sisters_that_go_on_alone() {
    let text = |check: &str| {
        format!(
            "event hello: machine; event rest;
machine Main {{ var known: set[machine]; var first: machine; start state S {{ entry {{ var n: int; while (n < 2) {{ new Parent(this); n = n + 1; }} }}
  on hello do (who: machine) {{ {check} known += (who); if (sizeof(known) == 1) {{ first = who; }} }} }} }}
machine Parent {{ start state S {{ entry (boss: machine) {{ var c: machine; c = new Child(boss); new Child(c); send boss, hello, this; }} ignore hello; }} }}
machine Child {{ start state S {{ entry (boss: machine) {{ new Leaf((boss = boss, n = 1)); }} ignore hello; }} }}
machine Leaf {{ start state S {{ entry (p: (boss: machine, n: int)) {{
  if (p.n > 0) {{ new Leaf((boss = p.boss, n = p.n - 1)); raise halt; }} if (p.n == 0) {{ raise halt; }} }} }} }}
test tc [main=Main]: {{ Main, Parent, Child, Leaf }};"
        )
    };
    fails(&text("assert sizeof(known) < 1, \"the second\";"));
    fails(&text("if (sizeof(known) == 1) { assert who == first, \"not the first\"; }"));
}

/// Something fails, and whatever fails or ends does so in every way to search.
fn fails(text: &str) {
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let plain = naive::explore(&program(text), &Settings { delivery, ..Settings::default() }, 30_000);
        assert!(plain.is_complete && !plain.failures.is_empty(), "{delivery:?} {}\n{text}", plain.is_complete);
    }
    compare(text, 30_000);
}

/// Whatever fails or ends does so in every way to search. Gives whether there are so few configurations that it could be found out.
fn compare(text: &str, most: usize) -> bool {
    let program = program(text);
    let mut is_complete = false;
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let settings = Settings { delivery, ..Settings::default() };
        let plain = naive::explore(&program, &settings, most);
        if !plain.is_complete {
            continue;
        }
        is_complete = true;
        let expected: BTreeSet<String> = plain.failures.iter().map(|(failure, _)| nameless(failure)).collect();
        for reduction in [Reduction::NONE, Reduction::PARTIAL_ORDER, Reduction::ALL] {
            let mut ends = None;
            for (order, keeping) in [
                (Order::BreadthFirst, Keeping::Exact),
                (Order::BreadthFirst, Keeping::Fingerprints),
                (Order::DepthFirst, Keeping::Exact),
            ] {
                let liveness = Liveness::AtEnd;
                let options = Options { settings, order, keeping, reduction, bugs: Bugs::All, liveness, ..Options::default() };
                let report = search(&program, &options);
                let context = format!("{options:?}\n{text}");
                assert_eq!(failures(&report), expected, "{context}");
                assert_eq!(ends.get_or_insert(report.stats.ends), &report.stats.ends, "{context}");
                if reduction != Reduction::ALL {
                    let all = report.stats.ends;
                    assert_eq!(all.normal + all.with_deferred + all.blocked, plain.terminal as u64, "{context}");
                }
                let first = Options { bugs: Bugs::First, ..options };
                let (once, twice) = (search(&program, &first), search(&program, &Options { threads: 2, ..first.clone() }));
                assert!(failures(&once).is_subset(&expected) && once.bugs.is_empty() == expected.is_empty(), "{context}");
                assert_eq!(timeless(&once), timeless(&twice), "{context}");
            }
        }
    }
    is_complete
}

/// Random programs in which every machine begins with creating one that goes on alone for a while.
#[test]
fn random_programs_with_chains() {
    let mut complete = 0;
    for seed in 0..count(12) {
        let (has_specs, has_null) = (seed % 2 == 0, seed % 5 == 0);
        let taste = Taste { has_specs, has_null, is_endless: seed % 3 == 0, is_harmless: seed % 4 == 0, is_rich: seed % 7 == 0 };
        let last = ["", "announce eGo;", "if ($) { announce eGo; }", "receive { case eGo: { } }", "send this, eGo; goto T;"];
        let (length, last) = ([1, 2, 17][(seed % 3) as usize], last[(seed % 5) as usize]);
        let chain = format!(
            "machine Chain {{ start state S {{ entry (n: int) {{ if (n > 0) {{ new Chain(n - 1); raise halt; }} {last} }} defer eGo; }}
state T {{ entry {{ new Chain(0); raise halt; }} on null do {{ }} }} }}"
        );
        let chain = if last.contains("goto") { chain.replace("new Chain(0);", "receive { case eGo: { } }") } else { chain };
        let text = p_program(first_seed() + 7_000_000 + seed, taste)
            .replace("      left = ", &format!("      new Chain({length});\n      left = "))
            .replace("{ Main,", "{ Main, Chain,");
        complete += u32::from(compare(&format!("{text}\n{chain}"), 10_000));
    }
    assert!(complete >= 4, "only {complete} were looked at completely");
}

/// Choices and chains in thousands of states, so that threads have to share them: a spec sees the order of what the workers do.
fn wide(workers: u32, wrong: &str) -> String {
    format!(
        "event eDone: int; event eTick; fun outside(): int;
machine Main {{ var sum: int; var ended: int; start state S {{
  entry {{ var n: int; while (n < {workers}) {{ new Worker(this); n = n + 1; }} }}
  on eDone do (n: int) {{ sum = sum + n; ended = ended + 1; {wrong} }} }} }}
machine Worker {{ var boss: machine; var n: int; var m: int; start state S {{
  entry (b: machine) {{ boss = b; n = choose(3); new Leaf(2); send this, eTick; }}
  on eTick do {{ m = m + 1; new Leaf(n); if (m < 3) {{ send this, eTick; }} else {{ send boss, eDone, n; }} }} }} }}
machine Leaf {{ start state S {{ entry (n: int) {{ if (n > 0) {{ new Leaf(n - 1); raise halt; }} }} }} }}
spec Ticks observes eTick, eDone {{ start state S {{ ignore eTick, eDone; }} }}
test tc [main=Main]: assert Ticks in {{ Main, Worker, Leaf }};"
    )
}

#[test]
fn however_many_threads_there_are() {
    let program = program(&wide(3, "assert ended < 3 || sum != 4, \"four\"; assert ended < 2 || sum < 4, \"two\";"));
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let settings = Settings { delivery, ..Settings::default() };
        for reduction in [Reduction::PARTIAL_ORDER, Reduction::ALL] {
            for (order, bugs) in
                [(Order::BreadthFirst, Bugs::All), (Order::BreadthFirst, Bugs::First), (Order::DepthFirst, Bugs::All)]
            {
                let options = Options { settings, reduction, order, bugs, liveness: Liveness::AtEnd, ..Options::default() };
                let one = search(&program, &options);
                let three = search(&program, &Options { threads: 3, ..options.clone() });
                assert_eq!(timeless(&one), timeless(&three), "{options:?}");
            }
        }
    }
}

/// The beginning that is searched to find out whether symmetry pays may show a bug; there are more behind it.
#[test]
fn all_bugs_are_those_of_the_whole_search() {
    let program = program(&wide(3, "assert ended < 1 || sum != 2, \"one\"; assert ended < 3 || sum != 4, \"three\";"));
    let found = |reduction| {
        let options = Options { reduction, bugs: Bugs::All, liveness: Liveness::AtEnd, ..Options::default() };
        failures(&search(&program, &options))
    };
    assert_eq!(found(Reduction::PARTIAL_ORDER).len(), 2);
    assert_eq!(found(Reduction::ALL), found(Reduction::PARTIAL_ORDER));
}

/// What cannot be run is met at the beginning, and a bug far behind it.
#[test]
fn what_cannot_be_run_hides_no_bug() {
    let text = wide(4, "assert ended < 4 || sum != 4, \"four\";")
        .replace("m = m + 1;", "m = m + 1; if (m == 1 && n == 2) { n = outside(); }");
    let program = program(&text);
    for reduction in [Reduction::PARTIAL_ORDER, Reduction::ALL] {
        let report = search(&program, &Options { reduction, liveness: Liveness::AtEnd, ..Options::default() });
        assert!(matches!(report.outcome, Outcome::Bug(_)), "{reduction:?} {:?}", report.outcome);
        let budgets = Budgets { states: Some(1_900), ..Budgets::default() };
        let report = search(&program, &Options { reduction, budgets, liveness: Liveness::AtEnd, ..Options::default() });
        assert!(matches!(report.outcome, Outcome::Unsupported(_)), "{reduction:?} {:?}", report.outcome);
    }
}

/// Machines that are alike come after the beginning that is searched to find out whether symmetry pays.
#[test]
fn sisters_that_are_created_late() {
    let counter = |name: &str| {
        format!(
            "machine {name} {{ var n: int; var boss: machine; start state S {{ entry (b: machine) {{ boss = b; send this, eTick; }}
  on eTick do {{ n = n + 1; if (n < 50) {{ send this, eTick; }} else {{ send boss, eDone; }} }} }} }}"
        )
    };
    let text = format!(
        "event eTick; event eDone; event eHello: machine;
machine Main {{ var ended: int; start state S {{ entry {{ new Counter(this); new Other(this); }} ignore eHello;
  on eDone do {{ var n: int; ended = ended + 1; if (ended == 2) {{ while (n < 5) {{ new Worker(this); n = n + 1; }} }} }} }} }}
{} {}
machine Worker {{ var n: int; start state S {{ entry (b: machine) {{ send b, eHello, this; send this, eTick; }}
  on eTick do {{ n = n + 1; if (n < 4) {{ send this, eTick; }} }} }} }}
spec Ticks observes eTick, eDone, eHello {{ start state S {{ ignore eTick, eDone, eHello; }} }}
test tc [main=Main]: assert Ticks in {{ Main, Counter, Other, Worker }};",
        counter("Counter"),
        counter("Other")
    );
    let program = program(&text);
    let found = |reduction| search(&program, &Options { reduction, liveness: Liveness::AtEnd, ..Options::default() });
    let (with, without) = (found(Reduction::ALL), found(Reduction::PARTIAL_ORDER));
    assert!(with.stats.states * 2 < without.stats.states, "{} of {}", with.stats.states, without.stats.states);
    assert!(matches!((with.outcome, without.outcome), (Outcome::Exhausted(_), Outcome::Exhausted(_))));
}

fn timeless(report: &Report) -> Report {
    Report { stats: Stats { seconds: 0.0, memory: 0, ..report.stats.clone() }, ..report.clone() }
}

fn failures(report: &Report) -> BTreeSet<String> {
    report.bugs.iter().map(|bug| nameless(&bug.failure)).collect()
}

fn nameless(failure: &Failure) -> String {
    format!("{} in {} at {:?}", failure.fault.kind(), failure.state, failure.place)
}

/// Of the only machine there can be a handler is one run, and one with a spec is split at its sends. A spec that minds nothing finds the same.
#[test]
fn a_machine_that_is_always_alone() {
    let states = [
        "entry { send this, go; send this, rest; assert !$; } on go do { } on rest do { }",
        "ignore rest; entry { send this, rest; send this, go; goto T; } on go do { } } state T { on go do { } on rest do { assert false; }",
        "entry { send this, go; send this, rest; goto T; } exit { send this, seen; } } state T { defer rest; ignore seen; on go goto U; }
         state U { on rest do { assert false; }",
        "entry { send this, go; receive { case go: { send this, rest; } } } on rest do { raise halt; }",
        "entry { send this, go; receive { case rest: { } } }",
        "defer go; entry { send this, go; send this, rest; } on rest do { if ($) { goto T; } } } state T { on go do { send this, seen; }",
        "var n: int; start state S { entry { send this, go; } on null do { n = n + 1; assert n < 3; send this, rest; } ignore go; on rest do { }",
        "entry { send this, go; raise halt; } on go do { assert false; }",
    ];
    for state in states {
        let first = if state.starts_with("var") { "" } else { "start state S { " };
        let text = format!("event go; event rest; event seen; machine Main {{ {first}{state} }} }}");
        let spec = "spec Watch observes go { start state S { ignore go; } }";
        let alone = format!("{text} test tc [main=Main]: {{ Main }};");
        let watched = format!("{text} {spec} test tc [main=Main]: assert Watch in {{ Main }};");
        let [alone, watched] = [alone, watched].map(|text| program(&text));
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let settings = Settings { delivery, ..Settings::default() };
            let [alone, watched] = [&alone, &watched].map(|program| naive::explore(program, &settings, 10_000));
            let seen = |all: &naive::Explored| {
                let bugs: BTreeSet<String> = all.failures.iter().map(|(failure, _)| failure.fault.to_string()).collect();
                (bugs, all.terminal, all.is_complete)
            };
            assert_eq!(seen(&alone), seen(&watched), "{delivery:?}: {state}");
            assert!(alone.configurations <= watched.configurations, "{delivery:?}: {state}");
        }
    }
}
