//! What searching all behaviours consists of: a few random schedules, because many bugs are wide open; all behaviours with reductions; and, if
//! somebody wants to know about runs without an end, all behaviours again without, because which runs are fair cannot be told from a part.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lockstep_runtime::{Outcome as Ended, Program, Sampling, Settings, Strategy, sample_watched};

use crate::counterexample;
use crate::liveness;
use crate::options::{Budgets, Bugs, Engine, Liveness, Options, Order, Reduction};
use crate::report::{Bug, Outcome, Report, Stats, Why};
use crate::search::{Observer, search, search_for_sisters};
use crate::symbolic;
use crate::symmetry;

/// Steps of one random schedule.
const STEPS: u64 = 2_000;
/// How much is done in all of them together: steps, machines that are looked at for each, and instructions. Counted and not timed, so
/// that the result is the same on any day.
const WORK: u64 = 6_000_000;

/// Searches all behaviours of a test.
pub fn explore(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let mut options = options.clone();
    options.settings.most_hot_steps = None;
    let (found, schedules) = at_random(program, &options, observer);
    let time = options.budgets.time;
    options.budgets.time = time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut report = found.unwrap_or_else(|| match options.engine {
        Engine::Explicit => in_phases(program, &options, observer),
        Engine::Symbolic => with_sets(program, &options, observer),
        Engine::Auto => as_it_fits(program, &options, observer),
    });
    if let (Outcome::Unknown { why: Why::Time(left), .. }, Some(time)) = (&mut report.outcome, time) {
        *left = time;
    }
    report.stats.schedules = schedules;
    report.stats.seconds = begun.elapsed().as_secs_f64();
    report
}

fn in_phases(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let asks_lassos = options.liveness == Liveness::Lassos && liveness::is_asked(program);
    if !asks_lassos || options.reduction == Reduction::None {
        return search_as_it_pays(program, options, observer);
    }
    let first = search_as_it_pays(program, &Options { liveness: Liveness::AtEnd, ..options.clone() }, observer);
    let Outcome::Exhausted(all_runs) = first.outcome else { return first };
    let mut rest = options.clone();
    rest.budgets.time = options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut report = search(program, &rest, observer);
    if let Outcome::Unknown { .. } = report.outcome {
        report.safe = Some(all_runs);
    }
    report
}

/// Sets of states; runs without an end are looked for among single states.
fn with_sets(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let report = symbolic::search(program, options, observer);
    let asks_lassos = options.liveness == Liveness::Lassos && liveness::is_asked(program);
    let Outcome::Exhausted(all_runs) = report.outcome else { return report };
    if !asks_lassos {
        return report;
    }
    let mut rest = options.clone();
    rest.budgets.time = options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut report = search(program, &rest, observer);
    if let Outcome::Unknown { .. } = report.outcome {
        report.safe = Some(all_runs);
    }
    report
}

/// States that are looked at one by one before sets of them are tried.
const FEW_STATES: u64 = 200_000;
/// What is spent on sets before single states are gone on with. Counted and not timed, as above.
const FEW_OPERATIONS: u64 = 3_000_000;

/// Single states as long as they are few, because then nothing is faster; then sets of states, and single states to the end if these do
/// not get there soon.
fn as_it_fits(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let left = || options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    if options.budgets.states.is_some_and(|most| most <= FEW_STATES) {
        return in_phases(program, options, observer);
    }
    let few = Budgets { states: Some(FEW_STATES), ..options.budgets };
    let first = in_phases(program, &Options { budgets: few, ..options.clone() }, observer);
    if !matches!(first.outcome, Outcome::Unknown { why: Why::States(_), .. }) {
        return first;
    }
    let some = Budgets { guard_operations: Some(FEW_OPERATIONS), time: left(), ..options.budgets };
    let sets = with_sets(program, &Options { budgets: some, ..options.clone() }, observer);
    let is_open = matches!(
        sets.outcome,
        Outcome::Unknown { why: Why::Operations(_) | Why::Guards(_) | Why::Run(_), .. } | Outcome::Unsupported(_)
    );
    if !is_open {
        return sets;
    }
    let rest = Budgets { time: left(), ..options.budgets };
    in_phases(program, &Options { budgets: rest, ..options.clone() }, observer)
}

/// States that are looked at to find out whether symmetry pays.
const TRIAL: u64 = 2_000;

/// Comparing states up to names costs more than it saves where machines keep their names or differ anyway. So the beginning is searched both
/// ways, and symmetry is used if it comes further with as many states. Counted and not timed, as above.
fn search_as_it_pays(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let is_short = options.budgets.states.is_some_and(|most| most <= TRIAL) || options.order == Order::DepthFirst;
    if is_short || options.reduction != Reduction::All || !symmetry::is_of_use(program) {
        return search(program, options, observer);
    }
    let left = || options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut depths = Vec::new();
    for reduction in [Reduction::All, Reduction::PartialOrder] {
        let budgets = Budgets { states: Some(TRIAL), time: left(), ..options.budgets };
        let (mut trial, has_sisters) = search_for_sisters(program, &Options { reduction, budgets, ..options.clone() }, observer);
        if !is_a_beginning(&trial, options.bugs) {
            return trial;
        }
        if let Some(time) = options.budgets.time.filter(|time| begun.elapsed() >= *time) {
            // Its own budget is not what the search ends for.
            if let Outcome::Unknown { why, .. } = &mut trial.outcome {
                *why = Why::Time(time);
            }
            return trial;
        }
        depths.push(trial.stats.depth);
        if !has_sisters {
            // Nothing was compared, which costs nothing, and machines that are created later may be alike.
            break;
        }
    }
    let mut rest = options.clone();
    rest.budgets.time = left();
    if let [with, without] = depths[..]
        && with <= without
    {
        rest.reduction = Reduction::PartialOrder;
    }
    search(program, &rest, observer)
}

/// Whether a search that may look at `TRIAL` states could find out more with more of them.
fn is_a_beginning(trial: &Report, bugs: Bugs) -> bool {
    match &trial.outcome {
        Outcome::Unknown { why, .. } => matches!(why, Why::States(_)),
        // These are said first, also if the budget is spent. Behind what cannot be run there may be a bug elsewhere.
        Outcome::Unsupported(_) => trial.stats.states >= TRIAL,
        Outcome::Bug(_) => bugs == Bugs::All && trial.stats.states >= TRIAL,
        Outcome::Exhausted(_) => false,
    }
}

/// A bug that random schedules show, and how many schedules were run.
fn at_random(program: &Program, options: &Options, observer: &mut Observer<'_>) -> (Option<Report>, u64) {
    if options.probe == 0 {
        return (None, 0);
    }
    let sampling = Sampling { seed: 1, schedules: options.probe, most_steps: STEPS, strategy: Strategy::Mixed };
    let settings = Settings { most_hot_steps: None, ..options.settings };
    let deadline = options.budgets.time.map(|time| Instant::now() + time);
    let work = Cell::new(0);
    let is_over = || {
        // Asked after some steps, and in the middle of one after many instructions.
        work.set(work.get() + 2_000);
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late || observer.cancel.load(Ordering::Relaxed) || work.get() > WORK
    };
    let sampled = sample_watched(program, &settings, &sampling, &mut |_| !is_over(), &mut |_, configuration| {
        work.set(work.get() + 8 + configuration.machines.len() as u64);
    });
    let schedules = u64::from(sampled.schedules);
    let Ended::Failed(failure, trace) = sampled.outcome else { return (None, schedules) };
    let Some(failure) = counterexample::shown(program, &settings, &trace, &failure) else { return (None, schedules) };
    let bug = Bug { failure, trace, repeats_from: None };
    let stats = Stats { transitions: sampled.steps, reduction: options.reduction, ..Stats::default() };
    let outcome = Outcome::Bug(Box::new(bug.clone()));
    (Some(Report { outcome, bugs: vec![bug], left_behind: None, stopped: None, hints: None, safe: None, stats }), schedules)
}
