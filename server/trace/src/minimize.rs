//! Makes a trace short: fewer decisions, fewer changes from one machine to another, plainer choices, and the same bug in the same place.
//!
//! Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002) with a twist: a candidate is a list
//! of wishes. What cannot happen any more when its turn comes is passed over, and what really happened is the new trace. So every
//! trace that is kept has been run.
//!
//! The work is bounded by a number of steps, not by the clock: the same trace gives the same result everywhere.

use lockstep_runtime::{
    Choice, Choices, Configuration, Decision, Ending, Failure, Fault, MachineId, Program, ReplayEnd, Settings, Step, Trace,
    replay,
};

/// What became of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
    pub trace: Trace,
    /// Of the short trace; the values in its message can be other ones.
    pub failure: Failure,
    /// Whether everything was tried; otherwise there was not enough `work`.
    pub is_complete: bool,
}

/// Makes a trace short. `work` is how many steps may be made for it. `None` if the trace does not show a bug in the first place.
pub fn minimize(program: &Program, settings: &Settings, trace: &Trace, work: u64) -> Option<Minimized> {
    let ReplayEnd::Failed(failure) = replay(program, settings, trace).end else { return None };
    let mut search = Search { program, settings, goal: *failure, best: trace.clone(), left: work };
    // Each pass can make room for the others.
    loop {
        let before = search.best.clone();
        search.without_machines();
        search.without_chunks();
        search.with_plain_answers();
        search.with_fewer_switches();
        if search.best == before || search.left == 0 {
            break;
        }
    }
    let ReplayEnd::Failed(failure) = replay(program, settings, &search.best).end else { return None };
    Some(Minimized { trace: search.best, failure: *failure, is_complete: search.left > 0 })
}

/// Whether two failures are the same bug: the same thing is wrong in the same place. Which of several equal machines it happens to,
/// and with which values, makes no difference.
pub fn is_same_bug(a: &Failure, b: &Failure) -> bool {
    let type_of = |who: &str| who.split('(').next().map(str::to_owned);
    let is_same_fault = match (&a.fault, &b.fault) {
        (Fault::UnhandledEvent { event: a }, Fault::UnhandledEvent { event: b }) => a == b,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    is_same_fault && a.place == b.place && a.state == b.state && type_of(&a.who) == type_of(&b.who)
}

struct Search<'a> {
    program: &'a Program,
    settings: &'a Settings,
    goal: Failure,
    best: Trace,
    /// How many steps may still be made.
    left: u64,
}

impl Search<'_> {
    /// Leaves out all that one machine does, for each.
    fn without_machines(&mut self) {
        let mut machines: Vec<MachineId> = self.best.decisions.iter().map(|decision| decision.step.machine.clone()).collect();
        machines.sort();
        machines.dedup();
        for machine in machines.into_iter().rev() {
            let is_other = |decision: &&Decision| decision.step.machine != machine;
            let wishes = self.best.decisions.iter().filter(is_other).cloned().collect();
            self.attempt(wishes);
        }
    }

    /// Leaves out stretches of the trace, long ones first.
    fn without_chunks(&mut self) {
        let mut size = self.best.decisions.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < self.best.decisions.len() {
                let end = (at + size).min(self.best.decisions.len());
                let wishes = [&self.best.decisions[..at], &self.best.decisions[end..]].concat();
                if !self.attempt(wishes) {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    /// Takes the first possibility wherever that will do, or the second, which for `$` is all there are.
    fn with_plain_answers(&mut self) {
        let mut at = 0;
        while at < self.best.decisions.len() {
            let mut answer = 0;
            while self.best.decisions.get(at).is_some_and(|decision| answer < decision.answers.len()) {
                for other in [0, 1] {
                    let mut wishes = self.best.decisions.clone();
                    let Some(given) = wishes.get_mut(at).and_then(|decision| decision.answers.get_mut(answer)) else { break };
                    if *given != other {
                        *given = other;
                        self.attempt(wishes);
                    }
                }
                answer += 1;
            }
            at += 1;
        }
    }

    /// Lets a machine go on at once where it was interrupted.
    fn with_fewer_switches(&mut self) {
        let mut at = 0;
        while at + 1 < self.best.decisions.len() {
            let decisions = &self.best.decisions;
            let is_own = |decision: &Decision| decision.step.machine == decisions[at].step.machine;
            let later = decisions.iter().skip(at + 2).position(is_own).map(|later| at + 2 + later);
            if let Some(later) = later.filter(|_| !is_own(&decisions[at + 1])) {
                let end = decisions
                    .iter()
                    .skip(later)
                    .position(|decision| !is_own(decision))
                    .map_or(decisions.len(), |end| later + end);
                let parts = [&decisions[..=at], &decisions[later..end], &decisions[at + 1..later], &decisions[end..]];
                self.attempt(parts.concat());
            }
            at += 1;
        }
    }

    /// Keeps what comes of these wishes if it is better and shows the bug.
    fn attempt(&mut self, wishes: Vec<Decision>) -> bool {
        let Some(trace) = self.run(&wishes) else { return false };
        // The interpreter of traces has the last word.
        let shows_it = || match replay(self.program, self.settings, &trace).end {
            ReplayEnd::Failed(failure) => is_same_bug(&failure, &self.goal),
            _ => false,
        };
        let is_better = cost(&trace) < cost(&self.best) && shows_it();
        if is_better {
            self.best = trace;
        }
        is_better
    }

    /// Does what can be done of the wishes, in order, up to a failure. When they have run out, whoever can act does: what must not
    /// happen at the end of a run needs an end.
    fn run(&mut self, wishes: &[Decision]) -> Option<Trace> {
        let mut configuration = Configuration::initial(self.program, self.settings).ok()?;
        let mut trace = Trace::default();
        let mut wishes = wishes.iter();
        let longest = self.best.decisions.len();
        while trace.decisions.len() < longest && self.left > 0 {
            let enabled = configuration.enabled(self.program, self.settings);
            let wish = wishes.by_ref().find(|wish| enabled.contains(&wish.step));
            let (step, answers): (&Step, &[u32]) = match wish {
                Some(wish) => (&wish.step, &wish.answers),
                None if matches!(self.goal.fault, Fault::Deadlock { .. } | Fault::HotAtEnd) => match enabled.first() {
                    Some(step) => (step, &[]),
                    None => break,
                },
                None => break,
            };
            self.left -= 1;
            let mut wished = Wished { wishes: answers, given: Vec::new() };
            let (_, result) = configuration.apply(self.program, self.settings, step, &mut wished);
            trace.decisions.push(Decision { step: step.clone(), answers: wished.given });
            match result {
                Ok(()) => {}
                Err(Ending::Failed(_)) => return Some(trace),
                Err(_) => return None,
            }
        }
        Some(trace)
    }
}

/// What is better is smaller: decisions, then changes from one machine to another, then choices that are not the first possibility.
fn cost(trace: &Trace) -> (usize, usize, u64) {
    let switches = trace.decisions.windows(2).filter(|pair| pair[0].step.machine != pair[1].step.machine).count();
    let answers = trace.decisions.iter().flat_map(|decision| &decision.answers).map(|answer| u64::from(*answer)).sum();
    (trace.decisions.len(), switches, answers)
}

/// Gives wished answers where they are possible, and otherwise the first possibility.
struct Wished<'a> {
    wishes: &'a [u32],
    given: Vec<u32>,
}

impl Choices for Wished<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let wish = self.wishes.get(self.given.len()).copied().filter(|wish| *wish < choice.options);
        let answer = wish.unwrap_or(0);
        self.given.push(answer);
        Some(answer)
    }
}
