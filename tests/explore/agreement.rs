use std::fs;
use std::path::Path;

use lockstep_explore::{Budgets, Bugs, Engine, Keeping, Liveness, Options, Order, Outcome, Reduction, Report, Stats};
use lockstep_program::Purpose;
use lockstep_runtime::naive::Explored;
use lockstep_runtime::{Delivery, Failure, Limits, Program, Settings, naive};
use lockstep_tests::{Taste, p_program, p_projects};

use crate::{count, first_seed, lowered, program, search};

/// How much was compared.
#[derive(Debug, Default)]
struct Compared {
    programs: u32,
    complete: u32,
    with_bugs: u32,
    reduced: u32,
    /// In which steps were left out that another order shows.
    ordered: u32,
}

#[test]
fn programs_written_for_the_tests() {
    let mut compared = Compared::default();
    for project in p_projects().into_iter().filter(|project| project.purpose == Purpose::Checking) {
        for program in lowered(project.files) {
            compare(&program, &project.name, 2_000, &mut compared);
        }
    }
    assert!(compared.programs >= 20, "only {} programs", compared.programs);
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
                compare(&program, block, 20_000, &mut compared);
            }
        }
    }
    assert!(compared.complete >= 60, "only {} were looked at completely", compared.complete);
    assert!(compared.with_bugs >= 20, "only {} have bugs", compared.with_bugs);
}

#[test]
fn random_programs() {
    let mut compared = Compared::default();
    for seed in 0..count(160) {
        let taste = Taste { has_specs: seed % 2 == 0, has_null: seed % 3 == 0, ..Taste::default() };
        compare_random(first_seed() + seed, taste, &mut compared);
    }
    assert!(compared.complete >= 100, "only {} were looked at completely", compared.complete);
    assert!(compared.with_bugs >= 50, "only {} have bugs", compared.with_bugs);
    assert!(compared.reduced >= 50, "the reduction did something in {} only", compared.reduced);
    assert!(compared.ordered >= 50, "one order was enough in {} only", compared.ordered);
}

/// In a circle a move could be put off for ever.
#[test]
fn random_programs_without_an_end() {
    let mut compared = Compared::default();
    for seed in 0..count(120) {
        let taste = Taste {
            has_specs: seed % 2 == 0,
            has_null: seed % 5 == 0,
            is_endless: true,
            is_harmless: seed % 3 == 0,
            is_rich: false,
        };
        compare_random(first_seed() + 1_000_000 + seed, taste, &mut compared);
    }
    assert!(compared.complete >= 70, "only {} were looked at completely", compared.complete);
    assert!(compared.with_bugs >= 30, "only {} have bugs", compared.with_bugs);
    assert!(compared.reduced >= 30, "the reduction did something in {} only", compared.reduced);
    assert!(compared.ordered >= 30, "one order was enough in {} only", compared.ordered);
}

/// Machines are compared and remembered.
#[test]
fn random_programs_about_machines() {
    let mut compared = Compared::default();
    for seed in 0..count(60) {
        let (has_specs, has_null) = (seed % 2 == 0, seed % 5 == 0);
        let taste = Taste { has_specs, has_null, is_endless: seed % 3 == 0, is_harmless: seed % 4 == 0, is_rich: true };
        compare_random(first_seed() + 2_000_000 + seed, taste, &mut compared);
    }
    assert!(compared.complete >= 30, "only {} were looked at completely", compared.complete);
    assert!(compared.with_bugs >= 10, "only {} have bugs", compared.with_bugs);
    assert!(compared.reduced >= 10, "the reduction did something in {} only", compared.reduced);
    assert!(compared.ordered >= 10, "one order was enough in {} only", compared.ordered);
}

/// Not a number is not equal to itself, and a sequence with it in it is not equal to itself either, however it has come about: states that are
/// the same must go on in the same way.
#[test]
fn it_does_not_matter_how_values_have_come_about() {
    for (one, other) in [("t += (0, f);", "t = s;"), ("t = s;", "t += (0, f);")] {
        for (ty, value) in [("seq[float]", "s += (0, f);"), ("(float, int)", "s = (f, 1);"), ("map[int, float]", "s += (0, f);")]
        {
            let one = if ty.starts_with('(') { one.replace("t += (0, f)", "t = (f, 1)") } else { one.to_owned() };
            let other = if ty.starts_with('(') { other.replace("t += (0, f)", "t = (f, 1)") } else { other.to_owned() };
            let text = format!(
                "event go;
machine Main {{ var s: {ty}; var t: {ty};
  start state S {{ entry {{ var f: float; f = f / f; {value} if ($) {{ {one} }} else {{ {other} }} send this, go; }}
    on go do {{ assert s == t; }} }} }}
test tc [main=Main]: {{ Main }};"
            );
            for engine in [Engine::Explicit, Engine::Symbolic] {
                let found = search(&program(&text), &Options { engine, ..Options::default() });
                assert!(matches!(found.outcome, Outcome::Bug(_)), "{engine:?}: {:?}\n{text}", found.outcome);
            }
        }
    }
}

fn compare_random(seed: u64, taste: Taste, compared: &mut Compared) {
    let text = p_program(seed, taste);
    compare(&program(&text), &format!("seed {seed}\n{text}"), 1_500, compared);
}

fn compare(program: &Program, name: &str, most: usize, compared: &mut Compared) {
    compared.programs += 1;
    let mut of_inbox = Vec::new();
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let limits = Limits { instructions: 200_000, frames: 1_000 };
        let settings = Settings { delivery, limits, most_hot_steps: None };
        let plain = naive::explore(program, &settings, most);
        if !plain.is_complete {
            gives_up(program, settings, most, name);
            continue;
        }
        compared.complete += 1;
        let options =
            Options { settings, reduction: Reduction::NONE, liveness: Liveness::AtEnd, bugs: Bugs::All, ..Options::default() };
        let found = search(program, &options);
        forgets_nothing(program, &settings, &plain, name);
        let context = format!("{name}\n{delivery:?}");
        assert_eq!(found.stats.states, plain.configurations as u64, "{context}");
        // A step in which a spec fails before a choice is one step there and one for each answer here.
        if plain.failures.is_empty() {
            assert_eq!(found.stats.transitions, plain.steps as u64, "{context}");
        }
        let ends = found.stats.ends;
        assert_eq!(ends.normal + ends.with_deferred + ends.blocked, plain.terminal as u64, "{context}");
        let expected = sorted(plain.failures.iter().map(|(failure, _)| failure.clone()));
        assert_eq!(failures(&found), expected, "{context}");
        compared.with_bugs += u32::from(!expected.is_empty());
        // Whatever an inbox allows happens on a network too.
        assert!(of_inbox.iter().all(|failure| expected.contains(failure)), "{context}: {of_inbox:#?} {expected:#?}");
        of_inbox = if delivery == Delivery::Inbox { expected } else { Vec::new() };
        varied(program, &options, &found, &context);
        compared.reduced += u32::from(reduced(program, &options, Reduction::PARTIAL_ORDER, &found, &context));
        reduced(program, &options, Reduction::ORDER, &found, &context);
        compared.ordered += u32::from(ordered(program, &options, &found, &context));
    }
}

/// What is in slots that nobody reads any more makes no difference, but for the number of configurations.
fn forgets_nothing(program: &Program, settings: &Settings, plain: &Explored, name: &str) {
    let mut remembering = program.clone();
    for block in remembering.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        block.dead = Box::default();
        block.instrs.iter_mut().for_each(|instr| instr.dead = Box::default());
    }
    let all = naive::explore(&remembering, settings, plain.configurations * 4);
    if all.is_complete {
        let failures = |explored: &Explored| sorted(explored.failures.iter().map(|(failure, _)| failure.clone()));
        assert_eq!(failures(&all), failures(plain), "{name}");
        assert!(all.configurations >= plain.configurations && all.terminal >= plain.terminal, "{name}");
    }
}

/// The same search in other ways.
fn varied(program: &Program, options: &Options, found: &Report, context: &str) {
    let others = [
        Options { threads: 2, ..options.clone() },
        Options { keeping: Keeping::Fingerprints, ..options.clone() },
        Options { order: Order::DepthFirst, ..options.clone() },
        Options { order: Order::DepthFirst, keeping: Keeping::Fingerprints, ..options.clone() },
    ];
    for other in others {
        let again = search(program, &other);
        assert_eq!(again.stats.states, found.stats.states, "{context} {other:?}");
        assert_eq!(again.stats.transitions, found.stats.transitions, "{context} {other:?}");
        assert_eq!(again.stats.ends, found.stats.ends, "{context} {other:?}");
        assert_eq!(failures(&again), failures(found), "{context} {other:?}");
    }
}

/// The same search in one order of steps that do not touch each other: all states, and each no later than before.
fn ordered(program: &Program, options: &Options, found: &Report, context: &str) -> bool {
    let options = Options { reduction: Reduction::MONOTONIC, ..options.clone() };
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        // Really deep: who was asleep is woken only in states that are reached again later.
        let again = search(program, &Options { order, breadth: 1, ..options.clone() });
        assert_eq!(again.stats.states, found.stats.states, "{context} {order:?}");
        assert_eq!(again.stats.ends, found.stats.ends, "{context} {order:?}");
        assert_eq!(failures(&again), failures(found), "{context} {order:?}");
        assert!(order == Order::DepthFirst || again.stats.depth == found.stats.depth, "{context}");
        assert!(again.stats.transitions <= found.stats.transitions, "{context} {order:?}");
    }
    let [one, two] = [1, 2].map(|threads| search(program, &Options { bugs: Bugs::First, threads, ..options.clone() }));
    assert_eq!(timeless(&one), timeless(&two), "{context}");
    search(program, &options).stats.asleep > 0
}

/// The same search with a reduction. Gives whether it left something out.
fn reduced(program: &Program, options: &Options, reduction: Reduction, found: &Report, context: &str) -> bool {
    let context = &format!("{context}\n{reduction}");
    let options = Options { reduction, ..options.clone() };
    let fewer = search(program, &options);
    assert!(fewer.stats.states <= found.stats.states, "{context}");
    assert_eq!(fewer.stats.ends, found.stats.ends, "{context}");
    assert_eq!(failures(&fewer), failures(found), "{context}");
    for breadth in [1, 64] {
        let deep = search(program, &Options { order: Order::DepthFirst, breadth, ..options.clone() });
        assert_eq!(deep.stats.ends, found.stats.ends, "{context} {breadth}");
        assert_eq!(failures(&deep), failures(found), "{context} {breadth}");
    }
    let first = search(program, &Options { bugs: Bugs::First, ..options.clone() });
    let twice = search(program, &Options { bugs: Bugs::First, threads: 2, ..options });
    assert_eq!(timeless(&first), timeless(&twice), "{context}");
    assert_eq!(first.bugs.is_empty(), found.bugs.is_empty(), "{context}");
    assert!(first.bugs.iter().all(|bug| failures(found).contains(&bug.failure)), "{context}");
    fewer.stats.states < found.stats.states
}

/// A search of which the plain one does not see the end.
fn gives_up(program: &Program, settings: Settings, most: usize, name: &str) {
    let budgets = Budgets { states: Some(most as u64 / 4), ..Budgets::default() };
    let options = Options { settings, budgets, ..Options::default() };
    let (first, twice) = (search(program, &options), search(program, &Options { threads: 2, ..options.clone() }));
    assert_eq!(timeless(&first), timeless(&twice), "{name}");
}

/// A report without what depends on the clock and on who found what first.
fn timeless(report: &Report) -> Report {
    Report { stats: Stats { seconds: 0.0, memory: 0, ..report.stats.clone() }, ..report.clone() }
}

fn failures(report: &Report) -> Vec<Failure> {
    sorted(report.bugs.iter().map(|bug| bug.failure.clone()))
}

fn sorted(failures: impl Iterator<Item = Failure>) -> Vec<Failure> {
    let mut failures: Vec<Failure> = failures.collect();
    failures.sort_by_key(|failure| format!("{failure:?}"));
    failures
}
