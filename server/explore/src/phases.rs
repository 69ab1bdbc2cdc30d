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
use crate::search::{Beside, Observer, SoFar, search, search_beside};
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
        Engine::Explicit => in_phases(program, &options, observer, None),
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

/// Single states. Somebody else has turns in the first phase.
fn in_phases(program: &Program, options: &Options, observer: &mut Observer<'_>, beside: Option<&mut Beside<'_>>) -> Report {
    let begun = Instant::now();
    let asks_lassos = options.liveness == Liveness::Lassos && liveness::is_asked(program);
    if !asks_lassos || options.reduction == Reduction::NONE {
        return search_beside(program, options, observer, beside);
    }
    let first = search_beside(program, &Options { liveness: Liveness::AtEnd, ..options.clone() }, observer, beside);
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

/// How much is done among single states before sets of them are tried for the first time, in steps; and how much more, each time, before they are
/// tried again; and how often they are.
const FIRST_TRY: u64 = 8_000;
const FARTHER: u64 = 4;
const TRIES: u32 = 6;
/// What single states cost, in nodes of guards: a step, and a run of a handler. Counted and not timed, as above.
const NODES_OF_STEP: u64 = 20;
const NODES_OF_RUN: u64 = 250;
/// Sets go on as long as the states that they have seen have cost no more than so many times what as many single states cost. At first they may
/// be dearer, by so many nodes, or by a part of what was done among single states.
const DEARER: u64 = 4;
const AT_FIRST: u64 = 1_000_000;
const PART: u64 = 4;
/// The share of steps in which something is chosen, in percent, below which sets are not tried: what remains is the order in which machines
/// move, and that makes sets large.
const FEW_CHOICES: u64 = 5;

/// Single states and sets of them in turns, if much is chosen; otherwise single states, because then nothing is faster. Single states go on
/// where they stopped, sets begin again with more time. The report says which it was, and why.
fn as_it_fits(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    let begun = Instant::now();
    let left = || options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let (mut found, mut suspicion): (Option<Report>, Option<Report>) = (None, None);
    let (mut tries, mut why) = (0, None);
    let mut try_sets = |so_far: &SoFar, observer: &mut Observer<'_>| {
        let share = so_far.chosen * 100 / so_far.transitions.max(1);
        let much = format!("in {share} % of the first {} steps something is chosen", so_far.transitions);
        if share < FEW_CHOICES {
            why = Some(format!("single states, for only {much}"));
            return Some(u64::MAX);
        }
        why = Some("single states, for sets of them did not pay".to_owned());
        let cost = NODES_OF_STEP * so_far.transitions + NODES_OF_RUN * so_far.runs;
        let budgets = Budgets {
            guard_nodes: Some(AT_FIRST.max(cost / PART)),
            guard_nodes_of_state: DEARER * cost / so_far.states.max(1),
            time: left().map(|time| time / 4 * 3),
            memory: options.budgets.memory.map(|memory| memory.saturating_sub(so_far.memory)),
            ..options.budgets
        };
        let sets = with_sets(program, &Options { budgets, ..options.clone() }, observer);
        tries += 1;
        match sets.outcome {
            Outcome::Exhausted(_) | Outcome::Bug(_) => {
                let rest = if sets.stats.symbolic.is_some() { "" } else { "; runs without an end among single states" };
                found = Some(picked(sets, format!("sets of states, for {much}{rest}")));
                return None;
            }
            Outcome::Unknown { why: ref seen, .. } if seen.has_seen_a_bug() => {
                suspicion = Some(sets);
                return Some(u64::MAX);
            }
            Outcome::Unknown { .. } | Outcome::Unsupported(_) => {}
        }
        Some(if tries < TRIES { so_far.work().saturating_mul(FARTHER) } else { u64::MAX })
    };
    let single = in_phases(program, options, observer, Some(&mut Beside { after: FIRST_TRY, turn: &mut try_sets }));
    if let Some(found) = found {
        return found;
    }
    match (suspicion, &single.outcome) {
        // That nothing was met would not be true; and if nothing is there, one of the two is wrong.
        (Some(sets), Outcome::Unknown { .. } | Outcome::Exhausted(_)) => sets,
        (_, Outcome::Unsupported(_)) => single,
        (_, outcome) => {
            let why = why.unwrap_or_else(|| match outcome {
                Outcome::Bug(_) => "single states, for they soon showed a bug".to_owned(),
                Outcome::Exhausted(_) => "single states, for they are few".to_owned(),
                _ => "single states, for sets of them had no turn yet".to_owned(),
            });
            picked(single, why)
        }
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
