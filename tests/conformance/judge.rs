//! What Lockstep says about one program: random schedules and a search of all behaviours, which must not contradict each other.

use std::sync::atomic::AtomicBool;

use lockstep_explore::{self as explore, Budgets, Observer, explore as search};
use lockstep_runtime::{Failure, Outcome, Program, ReplayEnd, Sampled, Sampling, Settings, Strategy, Trace, replay, sample};

/// How much is run, and how long a spec may be hot in random schedules.
pub(crate) struct Effort {
    pub(crate) schedules: u32,
    pub(crate) most_steps: u64,
    pub(crate) most_hot_steps: u64,
    /// States that the search looks at.
    pub(crate) states: u64,
}

impl Effort {
    fn settings(&self) -> Settings {
        Settings { most_hot_steps: Some(self.most_hot_steps), ..Settings::default() }
    }
}

/// What was found out about a program.
pub(crate) struct Judgement {
    /// Bugs, each with who found it.
    pub(crate) bugs: Vec<(&'static str, Failure)>,
    /// Whether every behaviour was looked at, and there is no bug.
    pub(crate) is_exhausted: bool,
    /// Why there is no verdict, for people.
    pub(crate) unknown: Option<String>,
}

/// Looks at a program in both ways. An error is a mistake of ours.
pub(crate) fn judge(program: &Program, effort: &Effort) -> Result<Judgement, String> {
    let mut judgement = Judgement { bugs: Vec::new(), is_exhausted: false, unknown: None };
    match sampled(program, 1, Strategy::Random, effort).outcome {
        Outcome::NoBug => {}
        Outcome::Failed(failure, trace) => {
            shows(program, &effort.settings(), &trace, &failure)?;
            judgement.bugs.push(("random schedules", *failure));
        }
        Outcome::Limited(limit, _) => judgement.unknown = Some(limit.to_string()),
        Outcome::Unsupported(what) => judgement.unknown = Some(format!("cannot be run: {}", what.what)),
    }
    match searched(program, effort.states).outcome {
        explore::Outcome::Exhausted(_) => judgement.is_exhausted = true,
        explore::Outcome::Bug(bug) => judgement.bugs.push(("search", bug.failure)),
        explore::Outcome::Unknown { why: why @ explore::Why::NotReplayed(_), .. } => return Err(why.to_string()),
        explore::Outcome::Unknown { why, .. } => judgement.unknown = judgement.unknown.or(Some(why.to_string())),
        explore::Outcome::Unsupported(what) => judgement.unknown = Some(format!("cannot be run: {}", what.what)),
    }
    // That a spec was hot for long in a random schedule is a guess, and the search knows better.
    let is_guess = |failure: &Failure| matches!(failure.fault, lockstep_runtime::Fault::HotForLong { .. });
    match judgement.bugs.iter().find(|(_, failure)| !is_guess(failure)) {
        Some((_, failure)) if judgement.is_exhausted => Err(format!("the search misses a bug: {}", told(failure))),
        _ => Ok(judgement),
    }
}

pub(crate) fn sampled(program: &Program, seed: u64, strategy: Strategy, effort: &Effort) -> Sampled {
    let sampling = Sampling { seed, schedules: effort.schedules, most_steps: effort.most_steps, strategy };
    sample(program, &effort.settings(), &sampling)
}

fn searched(program: &Program, states: u64) -> explore::Report {
    let budgets = Budgets { states: Some(states), answers: states, ..Budgets::default() };
    explored(program, &explore::Options { budgets, ..explore::Options::default() })
}

/// Searches without anybody watching.
pub(crate) fn explored(program: &Program, options: &explore::Options) -> explore::Report {
    search(program, options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} })
}

fn shows(program: &Program, settings: &Settings, trace: &Trace, failure: &Failure) -> Result<(), String> {
    match replay(program, settings, trace).end {
        ReplayEnd::Failed(again) if *again == *failure => Ok(()),
        other => Err(format!("the trace of the bug does not replay: {other:?}")),
    }
}

/// A failure in words.
pub(crate) fn told(failure: &Failure) -> String {
    format!("{} in `{}`: {}", failure.who, failure.state, failure.fault)
}
