//! Sets of states against single ones: the same verdict, and the same number of configurations.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use lockstep_explore::{Budgets, Engine, Liveness, Options, Outcome, Reduction, Why};
use lockstep_program::Purpose;
use lockstep_runtime::{Delivery, Limit, Limits, Program, Settings, naive};
use lockstep_tests::{Taste, p_program, p_projects};

use crate::symmetry::alike;
use crate::{count, first_seed, lowered, program, search};

/// Nodes of sets that one search may go through: some programs are too large for a test.
const WORK: u64 = 4_000_000;

/// How much was compared.
#[derive(Debug, Default)]
struct Compared {
    exhausted: u32,
    with_bugs: u32,
    given_up: u32,
    /// Of those that were exhausted, with fewer states than there are.
    reduced: u32,
    /// Of those, where machines did not move because others are the same.
    spared: u32,
}

#[test]
fn programs_written_for_the_tests() {
    let mut compared = Compared::default();
    for project in p_projects().into_iter().filter(|project| project.purpose == Purpose::Checking) {
        for program in lowered(project.files) {
            compare(&program, &project.name, 300, &mut compared);
        }
    }
    assert!(compared.exhausted >= 20, "{compared:?}");
}

#[test]
fn programs_of_the_rules() {
    let mut compared = Compared::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec");
    for entry in fs::read_dir(folder).expect("the folder of the rules") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it was listed");
        for block in text.split("```p\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            for program in lowered(vec![("rule.p".to_owned(), block.to_owned())]) {
                compare(&program, block, 5_000, &mut compared);
            }
        }
    }
    assert!(compared.exhausted >= 60, "{compared:?}");
    assert!(compared.with_bugs >= 20, "{compared:?}");
}

#[test]
fn random_programs() {
    let mut compared = Compared::default();
    for seed in 0..count(80) {
        let taste = Taste {
            has_specs: seed % 2 == 0,
            has_null: seed % 3 == 0,
            is_endless: seed % 5 > 2,
            is_harmless: seed % 4 == 0,
            is_rich: seed % 3 == 1,
        };
        let seed = first_seed() + 7_000_000 + seed;
        let text = p_program(seed, taste);
        compare(&program(&text), &format!("seed {seed}\n{text}"), 600, &mut compared);
    }
    assert!(compared.exhausted >= 20, "{compared:?}");
    assert!(compared.with_bugs >= 20, "{compared:?}");
    assert!(compared.reduced >= 5, "{compared:?}");
}

/// Programs in which machines are compared, remembered and told of each other, so that it matters who is who.
#[test]
fn random_programs_about_machines() {
    let mut compared = Compared::default();
    for seed in 0..count(60) {
        let taste = Taste { has_specs: seed % 3 == 0, is_harmless: seed % 3 == 1, is_rich: true, ..Taste::default() };
        let seed = first_seed() + 7_700_000 + seed;
        let text = alike(&p_program(seed, taste));
        compare(&program(&text), &format!("seed {seed}\n{text}"), 1_500, &mut compared);
    }
    assert!(compared.with_bugs >= 20, "{compared:?}");
    assert!(compared.spared >= 5, "{compared:?}");
}

/// Workers that are the same until they act: one order of them is enough, and whoever is the second to report is found.
#[test]
fn of_machines_that_are_the_same_one_moves() {
    let text = |workers: u32, check: &str| {
        format!(
            "event eReport: Worker;
machine Main {{
  var count: int;
  start state S {{
    entry {{ var i: int; while (i < {workers}) {{ new Worker(this); i = i + 1; }} }}
    on eReport do (worker: Worker) {{ count = count + 1; {check} }}
  }}
}}
machine Worker {{ start state S {{ entry (boss: Main) {{ send boss, eReport, this; }} }} }}
test tc [main=Main]: {{ Main, Worker }};"
        )
    };
    let searched = |text: &str, reduction, delivery| {
        let settings = Settings { delivery, ..Settings::default() };
        search(&program(text), &Options { settings, engine: Engine::Symbolic, reduction, ..Options::default() })
    };
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let all = searched(&text(5, ""), Reduction::NONE, delivery).stats;
        let some = searched(&text(5, ""), Reduction::SYMMETRY, delivery).stats;
        assert!(some.states * 2 < all.states && some.reduction.symmetry, "{} of {}", some.states, all.states);
        for last in 1..=5 {
            let found = searched(&text(5, &format!("assert count != {last};")), Reduction::ALL, delivery);
            assert!(matches!(found.outcome, Outcome::Bug(_)), "{:?}", found.outcome);
        }
    }
}

fn compare(program: &Program, name: &str, most: usize, compared: &mut Compared) {
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let limits = Limits { instructions: 200_000, frames: 1_000 };
        let settings = Settings { delivery, limits, most_hot_steps: None };
        let plain = naive::explore(program, &settings, most);
        // Whether filters agree with each other is not seen in large programs.
        let is_large = plain.configurations > 100;
        let reductions = [Reduction::NONE, Reduction::ALL, Reduction::PARTIAL_ORDER, Reduction::SYMMETRY];
        for reduction in reductions.into_iter().take(if is_large { 2 } else { 4 }) {
            let context = format!("{name}\n{delivery:?}, {reduction:?}");
            // Of a search that has no end the sets must not say that it has one.
            let budgets = Budgets { states: Some(4 * most as u64), guard_nodes: Some(WORK), ..Budgets::default() };
            let options = Options {
                settings,
                engine: Engine::Symbolic,
                reduction,
                liveness: Liveness::AtEnd,
                budgets,
                ..Options::default()
            };
            compare_with(program, &options, &plain, most, &context, compared);
        }
    }
}

fn compare_with(
    program: &Program,
    options: &Options,
    plain: &naive::Explored,
    most: usize,
    context: &str,
    compared: &mut Compared,
) {
    let found = search(program, options);
    match &found.outcome {
        Outcome::Exhausted(all) => {
            assert!(plain.failures.is_empty(), "{context}: {:#?}", plain.failures);
            let leaves_out = options.reduction != Reduction::NONE;
            if plain.is_complete {
                let is_right =
                    all.states == plain.configurations as u64 || leaves_out && all.states < plain.configurations as u64;
                assert!(is_right, "{context}: {} states of {}", all.states, plain.configurations);
                let ends = found.stats.ends;
                let (ends, all_ends) = (ends.normal + ends.with_deferred + ends.blocked, plain.terminal as u64);
                if found.stats.reduction.symmetry {
                    // One of those that differ in names is enough.
                    assert!(ends <= all_ends && (ends == 0) == (all_ends == 0), "{context}: {ends} ends of {all_ends}");
                    compared.spared += 1;
                } else {
                    // Every way to end is kept by a reduction.
                    assert_eq!(ends, all_ends, "{context}");
                }
                compared.exhausted += 1;
                compared.reduced += u32::from(all.states < plain.configurations as u64);
            } else {
                assert!(leaves_out || all.states > most as u64 || plain.limit.is_some(), "{context}: {} states", all.states);
            }
        }
        Outcome::Bug(bug) => {
            let is_known = plain.failures.iter().any(|(failure, _)| *failure == bug.failure);
            assert!(is_known || !plain.is_complete, "{context}: {:#?}", bug.failure);
            compared.with_bugs += 1;
        }
        Outcome::Unknown { why, .. } => {
            assert!(!plain.is_complete || matches!(why, Why::Nodes(_)), "{context}: {why}");
            compared.given_up += 1;
        }
        Outcome::Unsupported(what) => assert!(plain.unsupported.is_some(), "{context}: {what:?}"),
    }
}

/// With little memory sets are halved where they become too large, and a search may be given up, but nothing is lost.
#[test]
fn little_memory_loses_nothing() {
    let (mut exhausted, mut given_up) = (0, 0);
    for seed in 0..count(60) {
        let taste = Taste { is_harmless: true, has_specs: seed % 2 == 0, is_rich: seed % 3 == 0, ..Taste::default() };
        let seed = first_seed() + 7_900_000 + seed;
        let text = p_program(seed, taste);
        let program = program(&text);
        let plain = naive::explore(&program, &Settings::default(), 600);
        if !plain.is_complete || !plain.failures.is_empty() {
            continue;
        }
        for (memory, reduction) in [48_000, 100_000, 200_000, 400_000]
            .into_iter()
            .flat_map(|memory| [(memory, Reduction::NONE), (memory, Reduction::PARTIAL_ORDER)])
        {
            let budgets = Budgets { memory: Some(memory), ..Budgets::default() };
            let options =
                Options { engine: Engine::Symbolic, reduction, liveness: Liveness::AtEnd, budgets, ..Options::default() };
            let found = search(&program, &options);
            let context = format!("seed {seed}, {memory} bytes, {reduction:?}");
            match found.outcome {
                Outcome::Exhausted(all) => {
                    let is_right = match reduction {
                        Reduction::NONE => all.states == plain.configurations as u64,
                        _ => all.states <= plain.configurations as u64,
                    };
                    assert!(is_right, "{context}: {} states of {}\n{text}", all.states, plain.configurations);
                    let ends = found.stats.ends;
                    assert_eq!(ends.normal + ends.with_deferred + ends.blocked, plain.terminal as u64, "{context}\n{text}");
                    exhausted += 1;
                }
                Outcome::Unknown { why: Why::Memory(_) | Why::Guards(_), .. } => given_up += 1,
                other => panic!("{context}: {other:?}\n{text}"),
            }
        }
    }
    assert!(exhausted >= 5 && given_up >= 5, "{exhausted} exhausted, {given_up} given up");
}

/// Where something fails is a set of states, too, and can be too large to be looked at at once: here both the states and what fails are
/// small, and the two together are not.
fn a_bug_in_large_sets() -> Program {
    let each = |form: &str, numbers: [u32; 2]| {
        let each = (numbers[0]..numbers[1])
            .map(|number| form.replace("OTHER", &format!("x{}", number + 4)).replace("ONE", &format!("x{number}")));
        each.collect::<String>()
    };
    let text = format!(
        "event eNext;
        event eLast;
        machine Main {{
            {}
            var count: int;
            start state S {{
                entry {{ new Peer(); send this, eNext; }}
                on eNext do {{
                    count = count + 1;
                    {}
                    if (count < 4) {{ send this, eNext; }} else {{ {} {} send this, eLast; }}
                }}
                on eLast do {{ assert !(count == 4 {}); {} }}
            }}
        }}
        machine Peer {{ start state S {{ entry {{ }} }} }}
        test tc [main=Main]: {{ Main, Peer }};",
        each("var ONE: int; ", [0, 8]),
        each("ONE = count; ", [0, 8]),
        each("ONE = choose(4); OTHER = ONE; ", [0, 2]),
        each("ONE = choose(4); OTHER = choose(4); ", [2, 4]),
        each("&& ONE == OTHER ", [2, 4]),
        each("ONE = 0; ", [0, 8]),
    );
    program(&text)
}

#[test]
fn little_memory_hides_no_bug() {
    let program = a_bug_in_large_sets();
    for memory in [100_000, 130_000, 200_000, 800_000] {
        for reduction in [Reduction::NONE, Reduction::ALL] {
            let budgets = Budgets { memory: Some(memory), ..Budgets::default() };
            let options = Options { engine: Engine::Symbolic, reduction, budgets, ..Options::default() };
            let found = search(&program, &options).outcome;
            assert!(matches!(found, Outcome::Bug(_)), "{memory} bytes, {reduction:?}: {found:?}");
        }
    }
}

/// Time that is over in the middle of a step that has become too large: what there is of it is not taken for the whole.
#[test]
fn an_end_at_any_moment_is_no_verdict() {
    let program = a_bug_in_large_sets();
    let found = |memory: u64, time: Option<Duration>, reduction| {
        let budgets = Budgets { memory: Some(memory), time, ..Budgets::default() };
        search(&program, &Options { engine: Engine::Symbolic, reduction, budgets, ..Options::default() })
    };
    let most = found(u64::MAX, None, Reduction::NONE).stats.states;
    for memory in [60_000, 100_000, 1_000_000] {
        for reduction in [Reduction::NONE, Reduction::ALL] {
            let begun = Instant::now();
            found(memory, None, reduction);
            let whole = begun.elapsed();
            for part in 0..40 {
                let report = found(memory, Some(whole * part / 40), reduction);
                assert!(
                    matches!(report.outcome, Outcome::Bug(_) | Outcome::Unknown { .. }),
                    "{memory} bytes: {:?}",
                    report.outcome
                );
                assert!(report.stats.states <= most, "{memory} bytes: {} of {most} states", report.stats.states);
            }
        }
    }
}

/// What is too large for a single state is given up at once: that has no halves.
#[test]
fn a_single_state_is_not_halved() {
    let text = "machine Main {
            var count: int;
            var x: int;
            start state S { entry { while (count < 2000) { count = count + 1; if ($) { x = 1 - x; } } } }
        }
        test tc [main=Main]: { Main };";
    let budgets = Budgets { memory: Some(1 << 14), ..Budgets::default() };
    let found = search(&program(text), &Options { engine: Engine::Symbolic, budgets, ..Options::default() });
    assert!(matches!(found.outcome, Outcome::Unknown { why: Why::Guards(_), .. }), "{:?}", found.outcome);
    assert_eq!(found.stats.runs, 1);
}

/// Also in the middle of a step: one can take as long as a search.
#[test]
fn a_budget_of_nodes_is_kept() {
    let text = "machine Main {
            var count: int;
            var x: int;
            start state S { entry { while (count < 300) { count = count + 1; if ($) { x = 1 - x; } } assert x < 2; } }
        }
        test tc [main=Main]: { Main };";
    let operations = |guard_nodes| {
        let budgets = Budgets { guard_nodes, ..Budgets::default() };
        let found = search(&program(text), &Options { engine: Engine::Symbolic, budgets, ..Options::default() });
        (found.stats.symbolic.expect("sets of states").operations, found.outcome)
    };
    let (all, outcome) = operations(None);
    assert!(all > 1_000 && matches!(outcome, Outcome::Exhausted(_)), "{all}: {outcome:?}");
    let (some, outcome) = operations(Some(5_000));
    assert!(matches!(outcome, Outcome::Unknown { why: Why::Nodes(5_000), .. }), "{outcome:?}");
    assert!(some * 4 < all, "{some} of {all}");
}

/// Whoever goes by what states may cost allows more the more there are.
#[test]
fn a_budget_of_nodes_grows_with_the_states() {
    let text = "event eGo;
        machine Main {
            var a: int;
            var b: int;
            var left: int;
            start state S {
                entry { left = 6; send this, eGo; }
                on eGo do {
                    if ($) { a = choose(8); } else { b = choose(8); }
                    left = left - 1;
                    if (left > 0) { send this, eGo; }
                }
            }
        }
        test tc [main=Main]: { Main };";
    let with = |guard_nodes, guard_nodes_of_state| {
        let budgets = Budgets { guard_nodes, guard_nodes_of_state, ..Budgets::default() };
        let found = search(&program(text), &Options { engine: Engine::Symbolic, budgets, ..Options::default() });
        (found.stats.symbolic.expect("sets of states").gone_through, found.outcome)
    };
    let (all, whole) = with(None, 0);
    assert!(matches!(whole, Outcome::Exhausted(_)), "{whole:?}");
    let few = all / 4;
    let (spent, outcome) = with(Some(few), 0);
    assert!(matches!(outcome, Outcome::Unknown { why: Why::Nodes(bound), .. } if bound == few) && spent < all, "{outcome:?}");
    let (spent, outcome) = with(Some(few), 1);
    assert!(matches!(outcome, Outcome::Unknown { why: Why::Nodes(bound), .. } if bound > few) && spent < all, "{outcome:?}");
    assert_eq!(with(Some(few), all).1, whole);
}

/// What a machine knows does not matter as long as nothing is decided by it: choices that have nothing to do with each other are not multiplied.
#[test]
fn independent_choices_are_not_multiplied() {
    let choices = |count: u32| {
        let fields: String = (0..count).map(|number| format!("var x{number}: int; ")).collect();
        let chosen: String = (0..count).map(|number| format!("x{number} = choose(4); ")).collect();
        let text = format!(
            "machine Main {{ {fields} start state S {{ entry {{ {chosen} goto T; }} }} state T {{ entry {{ assert x0 < 4; }} }} }}
             test tc [main=Main]: {{ Main }};"
        );
        let options = Options { engine: Engine::Symbolic, ..Options::default() };
        let found = search(&program(&text), &options);
        let Outcome::Exhausted(all) = found.outcome else { panic!("{:?}", found.outcome) };
        (all.states, found.stats.symbolic.expect("sets of states").nodes)
    };
    let ((few, small), (many, large)) = (choices(3), choices(12));
    assert_eq!((few, many), (1 + 4_u64.pow(3), 1 + 4_u64.pow(12)));
    assert!(large < small * 8, "{small} nodes for {few} states, {large} for {many}");
}

/// A step can make more choices than there are variables for. Then it is given up: no answer is taken for another.
#[test]
fn no_choice_of_very_many_is_forgotten() {
    for (count, options) in [(2_001_usize, 4), (401, 1_024)] {
        let text = format!(
            "machine Main {{
                start state S {{
                    entry {{
                        var i: int;
                        var last: int;
                        while (i < {count}) {{ i = i + 1; last = choose({options}); }}
                        assert last == 0;
                    }}
                }}
            }}
            test tc [main=Main]: {{ Main }};"
        );
        let found = search(&program(&text), &Options { engine: Engine::Symbolic, ..Options::default() });
        let why = Why::Run(Limit::Choices(count - 1));
        assert!(matches!(&found.outcome, Outcome::Unknown { why: known, .. } if *known == why), "{:?}", found.outcome);
    }
}

/// A step in which a spec fails and then the machine itself, or another spec, is a bug of the first that fails.
#[test]
fn what_fails_first_is_the_bug() {
    let text = "event eX: int;
        event eY: int;
        spec First observes eX { start state S { on eX do (x: int) { assert x != 2, \"first\"; } } }
        spec Second observes eX, eY {
            start state S { on eX do (x: int) { assert x != 2, \"second\"; } on eY do (x: int) { assert x != 1, \"third\"; } }
        }
        machine Main {
            start state S {
                entry {
                    var x: int;
                    x = choose(LIMIT);
                    announce eX, x;
                    announce eY, x;
                    assert x != 1 && x != 2, \"own\";
                }
            }
        }
        test tc [main=Main]: assert First, Second in { Main };";
    for (limit, message) in [("2", "third"), ("3", "first")] {
        let program = program(&text.replace("LIMIT", limit));
        let plain = naive::explore(&program, &Settings::default(), 100);
        let found = search(&program, &Options { engine: Engine::Symbolic, ..Options::default() });
        let Outcome::Bug(bug) = found.outcome else { panic!("{:?}", found.outcome) };
        assert!(plain.failures.iter().any(|(failure, _)| *failure == bug.failure), "{:?}", bug.failure);
        assert!(format!("{:?}", bug.failure).contains(message), "{:?}", bug.failure);
    }
}

/// A bug that needs one combination of many choices is found with them, and its run is one that the plain interpreter confirms.
#[test]
fn a_bug_behind_choices_is_shown_with_its_answers() {
    let text = "event eGuess: (a: int, b: int);
        machine Main {
            start state S {
                entry {
                    var keeper: machine;
                    var tries: int;
                    keeper = new Keeper();
                    while (tries < 2) {
                        send keeper, eGuess, (a = choose(30), b = choose(30));
                        tries = tries + 1;
                    }
                }
            }
        }
        machine Keeper {
            var sum: int;
            start state Listening {
                on eGuess do (guess: (a: int, b: int)) {
                    if (guess.a == 17 && guess.b == 23) { sum = sum + 1; }
                    assert sum < 2, \"both guesses were right\";
                }
            }
        }
        test tc [main=Main]: { Main, Keeper };";
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let settings = Settings { delivery, ..Settings::default() };
        let options = Options { settings, engine: Engine::Symbolic, ..Options::default() };
        let found = search(&program(text), &options);
        let Outcome::Bug(bug) = found.outcome else { panic!("{:?}", found.outcome) };
        let answers: Vec<u32> = bug.trace.decisions.iter().flat_map(|decision| decision.answers.clone()).collect();
        assert_eq!(answers, [17, 23, 17, 23], "{delivery:?}");
    }
}

/// Sets of states and single states, one after the other: whoever comes to an end first.
#[test]
fn the_automatic_engine_says_the_same() {
    let text = p_program(first_seed() + 7_500_000, Taste::default());
    let program = program(&text);
    let explicit = search(&program, &Options::default());
    let auto = search(&program, &Options { engine: Engine::Auto, ..Options::default() });
    assert_eq!(std::mem::discriminant(&explicit.outcome), std::mem::discriminant(&auto.outcome), "{text}");
}
