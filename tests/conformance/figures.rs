//! Figures about searches of P's tutorials that P's own checkers have published figures for.

use std::path::Path;
use std::time::Instant;

use lockstep_explore::{self as explore, Budgets, Options};
use lockstep_runtime::{Outcome, Program, Strategy};

use crate::check::tutorials;
use crate::judge::{Effort, explored, sampled};
use crate::run::with_cases;

/// As in the published comparison of P's strategies: 10 seeds with up to 3,000 schedules each.
const SEEDS: u64 = 10;
const EFFORT: Effort = Effort { schedules: 3_000, most_steps: 10_000, most_hot_steps: u64::MAX, states: 0 };
const STRATEGIES: [(&str, Strategy); 4] = [
    ("random", Strategy::Random),
    ("pct", Strategy::Pct { changes: 3 }),
    ("probabilistic", Strategy::Sticky { leave_one_in: 4 }),
    ("mixed", Strategy::Mixed),
];
/// As `lockstep explore` does it.
const PROBE: u32 = 500;
/// Enough to see that there is no end in sight.
const STATES: u64 = 300_000;

pub(crate) fn print(repository: &Path) {
    println!("\nFigures");
    for (files, _) in tutorials(&repository.join("Tutorial")) {
        with_cases(&files, |case, program| {
            let Ok(program) = program else { return };
            match case.name.as_str() {
                "tcMultipleClientsNoFailure" => schedules_to_the_bug(&program),
                "tcSingleClient" => ends(&program),
                _ => {}
            }
        });
    }
}

/// P's random search needs a median of 237 schedules here (90 to 1,161).
fn schedules_to_the_bug(program: &Program) {
    println!("schedules to the first bug of {} ({SEEDS} seeds; P's random search: median 237):", program.name);
    for (name, strategy) in STRATEGIES {
        let mut found = Vec::new();
        for seed in 1..=SEEDS {
            let begun = Instant::now();
            let sampled = sampled(program, seed, strategy, &EFFORT);
            if matches!(sampled.outcome, Outcome::Failed(..)) {
                found.push((sampled.schedules, begun.elapsed().as_millis()));
            }
        }
        found.sort_unstable();
        match (found.get(found.len() / 2), found.first(), found.last()) {
            (Some((median, time)), Some((least, _)), Some((most, _))) => {
                println!("  {name:<14} {} of {SEEDS}, median {median} ({least} to {most}), {time} ms", found.len());
            }
            _ => println!("  {name:<14} 0 of {SEEDS}"),
        }
    }
    let report = explored(program, &Options { probe: PROBE, ..Options::default() });
    let found = matches!(report.outcome, explore::Outcome::Bug(_));
    let (time, schedules) = (report.stats.seconds * 1e3, report.stats.schedules);
    println!("  lockstep explore: {} after {time:.0} ms, {schedules} schedules", if found { "bug" } else { "none" });
}

/// Whether all behaviours of a test can be searched; if not, what grows in it.
fn ends(program: &Program) {
    let budgets = Budgets { states: Some(STATES), ..Budgets::default() };
    let report = explored(program, &Options { budgets, ..Options::default() });
    match &report.outcome {
        explore::Outcome::Exhausted(all) => println!("{}: exhausted, {} states", program.name, all.states),
        explore::Outcome::Unknown { why, .. } => println!("{}: unknown: {why}", program.name),
        other => println!("{}: {other:?}", program.name),
    }
    for growing in report.hints.iter().flat_map(|hints| &hints.growing) {
        println!("  grows: {growing}");
    }
}
