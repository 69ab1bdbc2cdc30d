//! One run with choices made by a seed: the same seed, the same run.

use crate::program::Program;
use crate::run::instance::Instance;
use crate::run::render::Names;
use crate::run::search::{FinalState, final_state};
use crate::run::state::{Effect, Failure, State, Status, Trace, TraceStep};
use crate::run::step::Machine;
use crate::run::trace::{TraceLine, render_trace};
use crate::run::value::Pid;

/// How a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With the number of messages that nobody received.
    Ended {
        finals: FinalState,
        orphans: usize,
    },
    /// These wait for messages that nobody will send.
    Deadlock(Vec<Pid>),
    Failed(Failure),
    /// An `assume` was false, or it could not be computed how the run goes on.
    CutShort,
    /// It may go on for ever.
    StillRunning,
}

#[derive(Clone, Debug)]
pub struct RandomRun {
    pub trace: Trace,
    pub end: RunEnd,
    pub state: State,
}

/// Takes at most `most_steps` steps, each chosen among all that are possible.
pub fn random_run(program: &Program, instance: &Instance, seed: u64, most_steps: usize) -> RandomRun {
    let machine = Machine::new(program, instance);
    let mut random = Random(seed);
    let mut state = machine.start().0;
    let mut trace = Trace::new();
    loop {
        let mut possible = Vec::new();
        for who in machine.movers(&state) {
            let successors = machine.successors(&state, &who);
            if !successors.is_empty() {
                possible.push((who, successors));
            }
        }
        // First who, then what: a process with many choices is not more eager than the others.
        let Some(who) = random.below(possible.len()) else {
            let end = end_of(&machine, &state);
            return RandomRun { trace, end, state };
        };
        if trace.len() >= most_steps {
            return RandomRun { trace, end: RunEnd::StillRunning, state };
        }
        let (who, mut successors) = possible.swap_remove(who);
        let what = random.below(successors.len()).unwrap_or(0);
        let step = successors.swap_remove(what);
        trace.push(TraceStep { who, stmt: step.stmt, choice: step.choice, effect: step.effect.clone() });
        state = step.state;
        match step.effect {
            Effect::Failed(failure) => return RandomRun { trace, end: RunEnd::Failed(failure), state },
            Effect::Withdrawn | Effect::CutOff(_) => return RandomRun { trace, end: RunEnd::CutShort, state },
            _ => {}
        }
    }
}

/// The run in words, a line for each step that says something, and how it ended.
pub fn transcript(program: &Program, instance: &Instance, run: &RandomRun) -> (Vec<TraceLine>, String) {
    let names = Names { program, instance };
    let end = match &run.end {
        RunEnd::Ended { orphans: 0, .. } => "the run ends".to_owned(),
        RunEnd::Ended { orphans: 1, .. } => "the run ends, and a message was never received".to_owned(),
        RunEnd::Ended { orphans, .. } => format!("the run ends, and {orphans} messages were never received"),
        RunEnd::Deadlock(waiting) => {
            let waiting = waiting.iter().map(|pid| names.pid(*pid)).collect::<Vec<_>>();
            format!("deadlock: {} for ever", wait_words(&waiting))
        }
        RunEnd::Failed(failure) => format!("the run fails: {}", names.failure(failure)),
        RunEnd::CutShort => "the run does not count".to_owned(),
        RunEnd::StillRunning => format!("stopped after {} steps: the run goes on", run.trace.len()),
    };
    (render_trace(program, instance, &run.trace), end)
}

fn wait_words(names: &[String]) -> String {
    match names {
        [one] => format!("{one} waits"),
        _ => format!("{} wait", names.join(", ")),
    }
}

fn end_of(machine: &Machine<'_>, state: &State) -> RunEnd {
    if state.actors.iter().any(|actor| actor.thread.status != Status::Runs) || state.sequential.is_some() {
        return RunEnd::CutShort;
    }
    let waits = |pid: &Pid| !state.actors[pid.index()].is_over && !machine.is_idle(state, *pid);
    let waiting = machine.instance.pids().filter(waits).collect::<Vec<_>>();
    if !waiting.is_empty() {
        return RunEnd::Deadlock(waiting);
    }
    let broken = (0..machine.program.ensures.len()).find(|at| machine.ensures(state, *at) == Ok(false));
    if let Some(at) = broken {
        return RunEnd::Failed(Failure::Ensures(at as u32));
    }
    let orphans = state.channels.iter().map(|(_, queue)| queue.len()).sum();
    RunEnd::Ended { finals: final_state(machine.program, machine.instance, state), orphans }
}

/// SplitMix64: small, and good enough to spread choices.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below this one; `None` below 0.
    pub(super) fn below(&mut self, bound: usize) -> Option<usize> {
        (bound > 0).then(|| (self.next() % bound as u64) as usize)
    }
}
