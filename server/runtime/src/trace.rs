//! A run of a system, written down as what was decided in it. Everything else follows from that.

use smol_str::SmolStr;

use crate::configuration::{Configuration, Ending, Happened, Settings, Step};
use crate::failure::Failure;
use crate::heat::Heat;
use crate::program::Program;
use crate::run::Script;

/// One decision: what happens next, and the answers to the choices in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    pub step: Step,
    pub answers: Vec<u32>,
}

/// All decisions from the beginning on. A failure happens in the last, or because nothing can happen after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Trace {
    pub decisions: Vec<Decision>,
}

/// What running a trace again gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What each decision did.
    pub happened: Vec<Happened>,
    pub end: ReplayEnd,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// The bug, in the last decision or because nothing can happen any more.
    Failed(Box<Failure>),
    /// The trace was followed to its end and shows no bug.
    Fine,
    /// The program does not do what the trace says, from this decision on. It is not the program the trace is of.
    Diverged(usize),
    /// The run could not go on.
    Stopped(Box<Ending>),
}

/// Runs a trace again.
pub fn replay(program: &Program, settings: &Settings, trace: &Trace) -> Replay {
    let mut happened = Vec::new();
    let end = follow(program, settings, trace, &mut happened);
    Replay { happened, end }
}

/// Who makes the last step of a trace, and the state it is in before it.
pub fn last_mover(program: &Program, settings: &Settings, trace: &Trace) -> Option<(String, SmolStr)> {
    let (last, before) = trace.decisions.split_last()?;
    let mut configuration = Configuration::initial(program, settings).ok()?;
    for decision in before {
        configuration.apply(program, settings, &decision.step, &mut Script::new(&decision.answers)).1.ok()?;
    }
    let local = &configuration.machine(&last.step.machine)?.local;
    let name = &program.interface(local.interface?).name;
    Some((format!("{name}({})", last.step.machine), program.state(local.machine, local.state).name.clone()))
}

fn follow(program: &Program, settings: &Settings, trace: &Trace, happened: &mut Vec<Happened>) -> ReplayEnd {
    let mut configuration = match Configuration::initial(program, settings) {
        Ok(configuration) => configuration,
        Err(Ending::Failed(failure)) if trace.decisions.is_empty() => return ReplayEnd::Failed(failure),
        Err(ending) => return ReplayEnd::Stopped(Box::new(ending)),
    };
    let mut heat = Heat::new(program);
    for (number, decision) in trace.decisions.iter().enumerate() {
        let is_last = number + 1 == trace.decisions.len();
        if !configuration.enabled(program, settings).contains(&decision.step) {
            return ReplayEnd::Diverged(number);
        }
        let mut answers = Script::new(&decision.answers);
        let (what, result) = configuration.apply(program, settings, &decision.step, &mut answers);
        happened.push(what);
        match result {
            Ok(()) if answers.unused() == 0 => {}
            Err(Ending::Failed(failure)) if is_last => return ReplayEnd::Failed(failure),
            Ok(()) | Err(Ending::Failed(_) | Ending::NeedsChoice(_)) => return ReplayEnd::Diverged(number),
            Err(ending) => return ReplayEnd::Stopped(Box::new(ending)),
        }
        let decisions = 1 + decision.answers.len() as u64;
        let Some(what) = happened.last() else { continue };
        match heat.after_step(program, settings, &configuration, what, decisions) {
            Some(failure) if is_last => return ReplayEnd::Failed(Box::new(failure)),
            Some(_) => return ReplayEnd::Diverged(number),
            None => {}
        }
    }
    let is_stuck = configuration.enabled(program, settings).is_empty();
    match configuration.stuck(program).filter(|_| is_stuck) {
        Some(failure) => ReplayEnd::Failed(Box::new(failure)),
        None => ReplayEnd::Fine,
    }
}
