//! All behaviours of a test.

use std::time::Instant;

use lockstep_base::verdict::Verdict;
use lockstep_explore::{
    Covered, Engine, Keeping, Observer, Options, Outcome as Ended, Report, Stats, Why, asks_for_endless_runs, explore,
};
use lockstep_runtime::Program;
use lockstep_trace::Found;

use crate::judged::{Effort, Judged, Keeping as Kept, Way, whose_step};
use crate::words::{grouped, number};
use crate::{Test, Texts};

/// How a search is made, and what becomes of what it finds.
#[derive(Clone, Debug)]
pub struct Exploring {
    pub options: Options,
    /// How many steps may be made to make a trace short.
    pub minimizing: u64,
    /// The paths the program was read from, for traces.
    pub paths: Vec<String>,
    /// Whether the random schedules before the search count by themselves if time is over: for a look in passing.
    pub counts_schedules: bool,
}

/// Searches all behaviours of a test; also gives the figures of the search. If comments say which values need not be told apart, first with these
/// taken together: that there is no bug then is a proof for all of them. A bug then is none yet, since what was taken together may not happen
/// together; what is said is what is found without.
pub fn explore_test(test: &Test, texts: Texts<'_>, exploring: &Exploring, observer: &mut Observer<'_>) -> (Judged, Stats) {
    let begun = Instant::now();
    let mut not_proved = None;
    if let Some(program) = &test.abstracted {
        match abstractly(test, program, exploring, observer) {
            Ok(proved) => return proved,
            Err(why) => not_proved = Some(why),
        }
    }
    let mut options = exploring.options.clone();
    options.budgets.time = options.budgets.time.map(|time| time.saturating_sub(begun.elapsed()));
    let mut found = explore(&test.program, &options, observer);
    // What is said is the budget that somebody gave, and not what was left of it.
    if let (Ended::Unknown { why: Why::Time(left), .. }, Some(time)) = (&mut found.outcome, exploring.options.budgets.time) {
        *left = time;
    }
    let mut judged = Judged { picked: found.stats.picked.clone(), ..judged(test, texts, exploring, &found) };
    judged.effort.schedules = u32::try_from(found.stats.schedules).unwrap_or(u32::MAX);
    let has_only_sets = exploring.options.engine == Engine::Symbolic && judged.picked.is_none();
    if has_only_sets && judged.outcome.verdict == Verdict::Unknown {
        judged.picked = Some("sets of states, as it was asked for; `--engine auto` also tries single states".to_owned());
    }
    if let (Some(why), Verdict::Unknown | Verdict::Exhausted) = (not_proved, judged.outcome.verdict) {
        judged.outcome.why = format!("{}; not proved with values taken together: {why}", judged.outcome.why);
    }
    (judged, found.stats)
}

/// All behaviours with values taken together: a proof, or why there is none.
fn abstractly(
    test: &Test,
    program: &Program,
    exploring: &Exploring,
    observer: &mut Observer<'_>,
) -> Result<(Judged, Stats), String> {
    if asks_for_endless_runs(program) {
        return Err("that says nothing about runs without an end, about which a spec with hot states asks".to_owned());
    }
    let mut options = Options { engine: Engine::Explicit, keeping: Keeping::Exact, probe: 0, ..exploring.options.clone() };
    options.budgets.time = options.budgets.time.map(|time| time / 2);
    let found = explore(program, &options, observer);
    match &found.outcome {
        // What takes nothing together is the search of all behaviours once more, and *proved* would promise too much.
        Ended::Exhausted(_) if found.stats.together.is_empty() => Err("there was nothing to take together".to_owned()),
        Ended::Exhausted(all) => {
            let proved = Judged::proved(test, program, &options.settings, &found.stats, all);
            let is_picked = exploring.options.engine != Engine::Explicit;
            let picked = is_picked.then(|| "single states, for only they take values together".to_owned());
            Ok((Judged { picked, ..proved }, found.stats))
        }
        Ended::Bug(bug) => Err(format!("something fails ({}), which may not be real", bug.failure.fault)),
        Ended::Unknown { why, .. } => Err(why.to_string()),
        Ended::Unsupported(what) => Err(format!("there is {}", what.what)),
    }
}

fn judged(test: &Test, texts: Texts<'_>, exploring: &Exploring, found: &Report) -> Judged {
    let settings = &exploring.options.settings;
    let effort = Effort { steps: found.stats.transitions, ..Effort::default() };
    match &found.outcome {
        Ended::Exhausted(all) => Judged::exhausted(test, settings, &found.stats, all),
        Ended::Unsupported(what) => Judged::unsupported(test, effort, what),
        Ended::Unknown { why, covered } => {
            let stopped = found.stopped.as_ref().filter(|_| matches!(why, Why::Run(_) | Why::Answers(_)));
            let whose = whose_step(test, stopped.map(|trace| (settings, trace)));
            let known = match &found.safe {
                Some(safe) => format!(
                    "nothing fails in any behaviour ({}), and open is only whether a spec can stay hot for ever",
                    number(safe.states, "state")
                ),
                None => seen(covered, found.stats.symbolic.is_some()),
            };
            let is_spent = matches!(why, Why::States(_) | Why::Transitions(_) | Why::Time(_) | Why::Memory(_));
            if exploring.counts_schedules && is_spent && found.stats.schedules > 0 {
                let why = format!("{} at random, no bug; all behaviours take longer", number(found.stats.schedules, "schedule"));
                return Judged::some_schedules(test, effort, found.stats.schedules, why);
            }
            if why.has_seen_a_bug() {
                return Judged::given_up(test, effort, why.to_string(), None);
            }
            Judged::given_up(test, effort, format!("{why}{whose}; {known}"), found.hints.clone())
        }
        Ended::Bug(bug) => {
            let is_by_chance = found.stats.states == 0 && found.stats.schedules > 0;
            let by = match (is_by_chance, found.stats.symbolic) {
                (true, _) => "random schedules before the search of all behaviours",
                (false, Some(_)) => "a search of all behaviours as sets of states",
                (false, None) => "a search of all behaviours",
            };
            let schedule = is_by_chance.then_some(found.stats.schedules);
            let origin = Found { by: by.to_owned(), seed: None, schedule, decisions: bug.trace.decisions.len() };
            let way = Way { trace: &bug.trace, repeats_from: bug.repeats_from, found: origin };
            let keeping = Kept { texts, minimizing: exploring.minimizing, paths: &exploring.paths };
            Judged::refuted(test, settings, way, effort, &keeping)
        }
    }
}

fn seen(covered: &Covered, is_in_sets: bool) -> String {
    let sets = if is_in_sets { " as sets" } else { "" };
    let depth = covered.depth.filter(|depth| *depth > 0);
    let depth = depth.map(|depth| format!(", all of those up to {} from the beginning", number(depth.into(), "step")));
    match covered.states {
        0 | 1 => "no bug was met".to_owned(),
        states => format!("{} states were looked at{sets}{}, no bug in them", grouped(states), depth.unwrap_or_default()),
    }
}
