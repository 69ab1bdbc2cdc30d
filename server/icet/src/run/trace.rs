//! Traces: made from choices, replayed with the plain step function, and told in words.

use lockstep_base::TextRange;

use crate::program::{Program, StmtKind};
use crate::run::instance::Instance;
use crate::run::render::{Names, step_words};
use crate::run::state::{Choice, State, Trace, TraceStep, Who};
use crate::run::step::Machine;

/// Follows a trace from the start of the instance. A step that cannot be taken as it is written is an error.
pub fn replay(program: &Program, instance: &Instance, trace: &[TraceStep]) -> Result<State, String> {
    let machine = Machine::new(program, instance);
    let mut state = machine.start().0;
    for (at, step) in trace.iter().enumerate() {
        state = replay_step(&machine, &state, step).ok_or_else(|| format!("step {} of the trace is not possible", at + 1))?;
    }
    Ok(state)
}

/// One step of a trace, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// The statement in the file.
    pub range: TextRange,
    pub text: String,
}

/// Tells a trace, a line for each step that says something: `c[1] sends Ping(a) to b`. A trace that does not fit the instance is told
/// as far as it does.
pub fn render_trace(program: &Program, instance: &Instance, trace: &[TraceStep]) -> Vec<TraceLine> {
    let machine = Machine::new(program, instance);
    let names = Names { program, instance };
    let mut state = machine.start().0;
    let mut lines = Vec::new();
    for step in trace {
        let Some(after) = replay_step(&machine, &state, step) else { break };
        if let Some(text) = step_words(names, &machine, &state, step) {
            lines.push(TraceLine { range: range_of(program, step), text });
        }
        state = after;
    }
    lines
}

/// The steps that these choices make from the start. Stops where one is not possible.
pub(super) fn of_choices(machine: &Machine<'_>, choices: &[(Who, Choice)]) -> Trace {
    let mut state = machine.start().0;
    let mut trace = Vec::new();
    for (who, choice) in choices {
        let successors = machine.successors(&state, who);
        let Some(found) = successors.into_iter().find(|successor| successor.choice == *choice) else { break };
        trace.push(TraceStep { who: who.clone(), stmt: found.stmt, choice: found.choice, effect: found.effect });
        state = found.state;
    }
    trace
}

fn replay_step(machine: &Machine<'_>, state: &State, step: &TraceStep) -> Option<State> {
    if !machine.movers(state).contains(&step.who) {
        return None;
    }
    let successors = machine.successors(state, &step.who);
    let is_it = |successor: &&crate::run::step::Successor| {
        (successor.stmt, &successor.choice, &successor.effect) == (step.stmt, &step.choice, &step.effect)
    };
    successors.iter().find(is_it).map(|found| found.state.clone())
}

/// The case that was taken, or the statement.
fn range_of(program: &Program, step: &TraceStep) -> TextRange {
    let stmt = program.stmt(step.stmt);
    match (&stmt.kind, &step.choice) {
        (StmtKind::Receive { cases, .. }, Choice::Take { case, .. }) => {
            cases.get(*case as usize).map_or(stmt.range, |case| case.range)
        }
        _ => stmt.range,
    }
}
