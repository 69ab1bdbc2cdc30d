//! Engines: single states and sets of states say the same about the programs of P's repository.
//!
//! Every program is searched state by state with nothing left out, and as sets of states, with and without a partial-order reduction, under both
//! ways in which messages travel. Where both come to an end, they must say the same: a bug or none, and if none, the same number of
//! configurations (with a reduction, no more) and the same number of ends. What P expects of a program is the business of `run.rs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use lockstep_explore::{Budgets, Ends, Engine, Liveness, Options, Outcome, Reduction, Report, Why};
use lockstep_runtime::{Delivery, Limits, Program, Settings};

use crate::check::{OLD_MODELS, p_files, portfolio, tests, tutorials};
use crate::judge::{explored, told};
use crate::run::{below, group, programs, with_cases};

/// Enough for most of the regression tests; what takes long belongs into a benchmark.
const STATES: u64 = 20_000;
const GUARD_NODES: u64 = 10_000_000;
const MEMORY: u64 = 1 << 30;
/// Large sets make operations slow, and what has large sets here is given up anyway.
const MEMORY_OF_SETS: u64 = 8 << 20;
/// Answers to the choices of one step. Sets of states do not count them.
const ANSWERS: u64 = 20_000;
/// The same for both engines, so that neither gives up where the other goes on.
const LIMITS: Limits = Limits { instructions: 200_000, frames: 1_000 };

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut book = Book::default();
    for folder in tests(&repository.join("Tst/RegressionTests")) {
        let name = below(repository, &folder);
        if name.contains("/StaticError/") {
            continue;
        }
        match programs(&name, &p_files(&folder)) {
            Ok(programs) => programs.iter().for_each(|program| book.compare(&group(&name), &name, program)),
            Err(reason) => book.not_lowered.push(format!("{name}: {reason}")),
        }
    }
    let models = portfolio(&repository.join("Tst/PortfolioTests")).into_iter();
    let models = models.filter(|(_, folder)| !OLD_MODELS.iter().any(|model| below(repository, folder).ends_with(model)));
    for (files, folder) in tutorials(&repository.join("Tutorial")).into_iter().chain(models) {
        let name = below(repository, &folder);
        with_cases(&files, |case, program| match program {
            Ok(program) => book.compare(&name, &format!("{name} {}", case.name), &program),
            Err(reason) => book.not_lowered.push(format!("{name} {}: {reason}", case.name)),
        });
    }
    book.print();
    if book.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many comparisons there were, and how they ended.
#[derive(Clone, Copy, Default)]
struct Score {
    compared: u32,
    /// Both engines came to an end: with no bug, or with one.
    exhausted: u32,
    with_bugs: u32,
    given_up: u32,
}

#[derive(Default)]
struct Book {
    scores: BTreeMap<String, Score>,
    not_lowered: Vec<String>,
    disagreements: Vec<String>,
}

/// What a comparison came to.
enum Compared {
    Exhausted,
    WithBug,
    GivenUp(String),
}

impl Book {
    fn compare(&mut self, group: &str, name: &str, program: &Program) {
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let single = searched(program, delivery, Engine::Explicit, Reduction::NONE);
            for reduction in [Reduction::NONE, Reduction::PARTIAL_ORDER] {
                let sets = searched(program, delivery, Engine::Symbolic, reduction);
                let score = self.scores.entry(group.to_owned()).or_default();
                score.compared += 1;
                let what = format!("{name} {} ({delivery:?}, {reduction:?})", program.name);
                match agreed(&single, &sets, reduction) {
                    Ok(Compared::Exhausted) => score.exhausted += 1,
                    Ok(Compared::WithBug) => score.with_bugs += 1,
                    Ok(Compared::GivenUp(why)) => {
                        score.given_up += 1;
                        if std::env::var_os("CONFORMANCE_VERBOSE").is_some() {
                            println!("{what}: {why}");
                        }
                    }
                    Err(difference) => {
                        println!("{what}: {difference}");
                        self.disagreements.push(format!("{what}: {difference}"));
                    }
                }
            }
        }
    }

    fn print(&self) {
        println!("{:<52} {:>9} {:>9} {:>9} {:>9}", "folder", "compared", "no bug", "bug", "given up");
        let line = |name: &str, score: &Score| {
            let Score { compared, exhausted, with_bugs, given_up } = score;
            println!("{name:<52} {compared:>9} {exhausted:>9} {with_bugs:>9} {given_up:>9}");
        };
        let mut all = Score::default();
        for (group, score) in &self.scores {
            line(group, score);
            all.compared += score.compared;
            all.exhausted += score.exhausted;
            all.with_bugs += score.with_bugs;
            all.given_up += score.given_up;
        }
        line("all", &all);
        println!("\nNot runnable: {}", self.not_lowered.len());
        self.not_lowered.iter().for_each(|what| println!("{what}"));
        println!("\nDisagreements: {}", self.disagreements.len());
        self.disagreements.iter().for_each(|disagreement| println!("{disagreement}"));
    }
}

fn searched(program: &Program, delivery: Delivery, engine: Engine, reduction: Reduction) -> Report {
    let settings = Settings { delivery, limits: LIMITS, most_hot_steps: None };
    let budgets = match engine {
        Engine::Symbolic => Budgets { guard_nodes: Some(GUARD_NODES), memory: Some(MEMORY_OF_SETS), ..Budgets::default() },
        Engine::Explicit | Engine::Auto => {
            Budgets { states: Some(STATES), answers: ANSWERS, memory: Some(MEMORY), ..Budgets::default() }
        }
    };
    explored(program, &Options { settings, engine, reduction, liveness: Liveness::AtEnd, budgets, ..Options::default() })
}

/// Whether two searches say the same, as far as they have come.
fn agreed(single: &Report, sets: &Report, reduction: Reduction) -> Result<Compared, String> {
    for report in [single, sets] {
        if let Outcome::Unknown { why: why @ Why::NotReplayed(_), .. } = &report.outcome {
            return Err(why.to_string());
        }
    }
    let leaves_out = reduction != Reduction::NONE;
    match (&single.outcome, &sets.outcome) {
        (Outcome::Exhausted(all), Outcome::Exhausted(as_sets)) => {
            let is_right = as_sets.states == all.states || leaves_out && as_sets.states < all.states;
            let (ends, ends_as_sets) = (ends(single), ends(sets));
            match is_right && ends == ends_as_sets {
                true => Ok(Compared::Exhausted),
                false => Err(format!(
                    "{} states and {ends} ends one by one, {} and {ends_as_sets} as sets",
                    all.states, as_sets.states
                )),
            }
        }
        (Outcome::Bug(_), Outcome::Bug(_)) => Ok(Compared::WithBug),
        // Of a search that goes on beyond a budget the other must not say that it is small.
        (Outcome::Unknown { why: Why::States(most), .. }, Outcome::Exhausted(as_sets))
            if !leaves_out && as_sets.states < *most =>
        {
            Err(format!("more than {most} states one by one, {} as sets", as_sets.states))
        }
        (Outcome::Unknown { .. }, _) | (_, Outcome::Unknown { .. }) | (Outcome::Unsupported(_), Outcome::Unsupported(_)) => {
            Ok(Compared::GivenUp(format!("{} one by one, {} as sets", said(single), said(sets))))
        }
        _ => Err(format!("{} one by one, {} as sets", said(single), said(sets))),
    }
}

/// Ends of each kind.
fn ends(report: &Report) -> String {
    let Ends { normal, with_deferred, blocked } = report.stats.ends;
    format!("{normal} + {with_deferred} + {blocked}")
}

/// An outcome in words.
fn said(report: &Report) -> String {
    match &report.outcome {
        Outcome::Exhausted(all) => format!("no bug in {} states", all.states),
        Outcome::Bug(bug) => format!("a bug ({})", told(&bug.failure)),
        Outcome::Unknown { why, .. } => format!("nothing ({why})"),
        Outcome::Unsupported(what) => format!("that {} cannot be run", what.what),
    }
}
