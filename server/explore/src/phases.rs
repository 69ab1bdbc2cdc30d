//! What searching all behaviours consists of: a few random schedules, because many bugs are wide open; all behaviours with reductions; and, if
//! somebody wants to know about runs without an end, all behaviours again without, because which runs are fair cannot be told from a part.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Instant;

use lockstep_runtime::{Outcome as Ended, Program, Sampling, Settings, Strategy, sample_watched};

use crate::counterexample;
use crate::growth;
use crate::liveness;
use crate::options::{Budgets, Engine, Liveness, Options, Reduction};
use crate::report::{Bug, Outcome, Report, Stats, Why};
use crate::search::{Observer, search};
use crate::symbolic;
use crate::tables::Tables;

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
    if !asks_lassos || options.reduction == Reduction::NONE {
        return search(program, options, observer);
    }
    let first = search(program, &Options { liveness: Liveness::AtEnd, ..options.clone() }, observer);
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
    let mut report = symbolic::search(program, options, observer);
    let asks_lassos = options.liveness == Liveness::Lassos && liveness::is_asked(program);
    let Outcome::Exhausted(all_runs) = report.outcome else {
        // What grows explains a spent budget here, too. Who tries sets first asks again.
        let is_spent = |why: &Why| !matches!(why, Why::Run(_) | Why::Nodes(_)) && !why.has_seen_a_bug();
        if matches!(&report.outcome, Outcome::Unknown { why, .. } if is_spent(why)) {
            report.hints = Some(growth::hints(program, &options.settings, &Tables::default()));
        }
        return report;
    };
    if !asks_lassos {
        return report;
    }
    let mut rest = options.clone();
    rest.budgets.time = options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut report = search(program, &rest, observer);
    if let Outcome::Unknown { .. } = report.outcome {
        report.safe = Some(all_runs);
    }
    picked(report, "sets of states, then single states for runs without an end, about which a spec asks".to_owned())
}

/// How far single states are gone through before sets of them are tried, in steps; again and again, and farther each time.
const STAGES: [u64; 4] = [10_000, 50_000, 250_000, 1_250_000];
/// What may be spent on sets then, in nodes of guards, for each step that was made, and for each run of a handler: where most steps need a run of their own,
/// sets, which make one run for many, deserve several times as long as single states took. And what in any case. Counted and not timed, as above.
const NODES_OF_STEP: u64 = 12;
const NODES_OF_RUN: u64 = 2_000;
const LEAST_NODES: u64 = 1_000_000;
/// The share of steps in which something is chosen, in percent, below which sets are not tried: what remains is the order in which machines
/// move, and that makes sets large.
const FEW_CHOICES: u64 = 5;

/// Single states and sets of them in turns, if much is chosen; otherwise single states, because then nothing is faster. The report says which
/// it was, and why.
fn as_it_fits(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let left = || options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut why = "single states, for sets of them did not pay".to_owned();
    let (mut farthest, mut suspicion): (Option<Report>, Option<Report>) = (None, None);
    for transitions in STAGES {
        if options.budgets.transitions.is_some_and(|most| most <= transitions) {
            break;
        }
        let few = Budgets { transitions: Some(transitions), time: left(), ..options.budgets };
        let first = in_phases(program, &Options { budgets: few, ..options.clone() }, observer);
        match first.outcome {
            Outcome::Unknown { why: Why::Transitions(_), .. } => {}
            // A budget of the user's is spent, or there is something that sets would not change.
            Outcome::Unknown { .. } => return farther(first, farthest),
            Outcome::Unsupported(_) => return first,
            Outcome::Bug(_) => return picked(first, "single states, for they soon showed a bug".to_owned()),
            Outcome::Exhausted(_) => return picked(first, "single states, for they are few".to_owned()),
        }
        let share = first.stats.chosen * 100 / first.stats.transitions.max(1);
        let much = format!("in {share} % of the first {} steps something is chosen", first.stats.transitions);
        if share < FEW_CHOICES {
            why = format!("single states, for only {much}");
            farthest = Some(first);
            break;
        }
        let nodes = LEAST_NODES.max(NODES_OF_STEP * first.stats.transitions + NODES_OF_RUN * first.stats.runs);
        let some = Budgets { guard_nodes: Some(nodes), time: left().map(|time| time / 3), ..options.budgets };
        let sets = with_sets(program, &Options { budgets: some, ..options.clone() }, observer);
        match sets.outcome {
            Outcome::Exhausted(_) | Outcome::Bug(_) => {
                let rest = if sets.stats.symbolic.is_some() { "" } else { "; runs without an end among single states" };
                return picked(sets, format!("sets of states, for {much}{rest}"));
            }
            Outcome::Unknown { why: Why::Cancelled, .. } => return farther(sets, Some(first)),
            Outcome::Unknown { why: ref seen, .. } if seen.has_seen_a_bug() => suspicion = Some(sets),
            Outcome::Unknown { .. } | Outcome::Unsupported(_) => {}
        }
        farthest = Some(first);
        if suspicion.is_some() {
            break;
        }
    }
    let rest = Budgets { time: left(), ..options.budgets };
    let last = in_phases(program, &Options { budgets: rest, ..options.clone() }, observer);
    match (suspicion, &last.outcome) {
        // That nothing was met would not be true.
        (Some(sets), Outcome::Unknown { .. }) => sets,
        _ => picked(farther(last, farthest), why),
    }
}

/// Of a turn that was given up and the turn of single states before it, what says more, with the reason of the last.
fn farther(last: Report, before: Option<Report>) -> Report {
    let Outcome::Unknown { why, covered } = &last.outcome else { return last };
    match before {
        Some(Report { outcome: Outcome::Unknown { covered: known, .. }, stats, .. })
            if last.stats.symbolic.is_some() || known.states > covered.states =>
        {
            Report { outcome: Outcome::Unknown { why: why.clone(), covered: known }, stats, ..last }
        }
        _ => last,
    }
}

fn picked(mut report: Report, why: String) -> Report {
    report.stats.picked = Some(why);
    report
}

/// A bug that random schedules show, and how many schedules were run.
fn at_random(program: &Program, options: &Options, observer: &mut Observer<'_>) -> (Option<Report>, u64) {
    if options.probe == 0 {
        return (None, 0);
    }
    let sampling = Sampling { seed: 1, schedules: options.probe, most_steps: STEPS, strategy: Strategy::Mixed };
    let settings = Settings { most_hot_steps: None, ..options.settings };
    let deadline = options.budgets.time.and_then(|time| Instant::now().checked_add(time));
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
