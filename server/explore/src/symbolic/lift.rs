//! One run of a machine for many states at once.
//!
//! The run goes on in one case at a time. Where it splits there are more of them, and of these the one that is first in its code goes on,
//! up to a place where others may come to; those that are at the same point with the same skeleton become one again. So a handler is run
//! once for all of its branches together, and not once for each way through it.

use std::cmp::Ordering;

use lockstep_runtime::{
    Effect, End, Input, Lifted, Limit, Limits, Local, MachineId, Pauses, Program, Run, Suspended, Unsupported, go_on_lifted,
    run_lifted,
};

use super::guard::Guard;
use super::summaries::Summaries;
use super::value::Summary;

/// The most cases of one run.
const MOST_CASES: usize = 10_000;

/// What became of a run, case by case. What went wrong, and what was chosen, the domain knows.
#[derive(Default)]
pub(crate) struct Lift {
    /// Where it came to an end: the machine then.
    pub(crate) done: Vec<(Guard, Local<Summary>)>,
    /// What it did to others, in order for each state.
    pub(crate) effects: Vec<(Guard, Effect<Summary>)>,
    /// Why it has no end in some case.
    pub(crate) limit: Option<Limit>,
    pub(crate) unsupported: Option<Unsupported>,
}

/// Who is run, and how.
pub(crate) struct Runner<'a> {
    pub(crate) program: &'a Program,
    pub(crate) limits: &'a Limits,
    pub(crate) pauses: Pauses,
    /// `None` for a monitor.
    pub(crate) id: Option<&'a MachineId>,
}

impl Runner<'_> {
    pub(crate) fn run(&self, local: Local<Summary>, input: Input<Summary>, domain: &mut Summaries<'_>) -> Lift {
        let mut lift = Lift::default();
        let mut open: Vec<(Guard, Suspended<Summary>)> = Vec::new();
        let mut cases = 0;
        domain.has_others = false;
        let mut lifted = run_lifted(self.program, self.limits, self.pauses, self.id, local, input, domain);
        loop {
            match lifted {
                Lifted::Over(run) => over(&mut lift, run, domain),
                Lifted::Splits(mut at) => {
                    list_effects(&mut lift, &domain.case, at.take_effects());
                    let parts = std::mem::take(&mut domain.split);
                    cases += parts.len();
                    open.extend(parts.into_iter().map(|part| (part, (*at).clone())));
                }
                Lifted::Rests(mut at) => {
                    list_effects(&mut lift, &domain.case, at.take_effects());
                    rest(&mut open, domain, *at);
                }
            }
            if cases > MOST_CASES && !open.is_empty() {
                lift.limit = Some(Limit::Alternatives(MOST_CASES));
                return lift;
            }
            let Some(first) = (0..open.len()).min_by(|a, b| earlier(open[*a].1.local(), open[*b].1.local())) else {
                return lift;
            };
            let (case, at) = open.swap_remove(first);
            domain.case = case;
            domain.has_others = !open.is_empty();
            lifted = go_on_lifted(self.program, self.limits, self.pauses, self.id, at, domain);
        }
    }
}

fn over(lift: &mut Lift, run: Run<Summary>, domain: &mut Summaries<'_>) {
    list_effects(lift, &domain.case, run.effects);
    match run.end {
        End::Done => {
            let skeleton = run.local.map(&mut |_, _| ());
            let met = lift.done.iter().position(|(_, known)| known.map(&mut |_, _| ()) == skeleton);
            match met {
                Some(position) => {
                    let (case, known) = lift.done.swap_remove(position);
                    let (case, local) = meet(domain, (&case, &known), (&domain.case.clone(), &run.local));
                    lift.done.push((case, local));
                }
                None => lift.done.push((domain.case.clone(), run.local)),
            }
        }
        End::Failed(failure) => domain.failures.push((domain.case.clone(), *failure)),
        End::Limited(limit) => lift.limit = lift.limit.or(Some(limit)),
        End::Unsupported(what) => lift.unsupported = lift.unsupported.take().or(Some(what)),
        End::NeedsChoice(_) => lift.limit = lift.limit.or(Some(Limit::Interrupted)),
    }
}

fn list_effects(lift: &mut Lift, case: &Guard, effects: Vec<Effect<Summary>>) {
    lift.effects.extend(effects.into_iter().map(|effect| (case.clone(), effect)));
}

/// Puts a case beside the others, or together with one that is at the same point.
fn rest(open: &mut Vec<(Guard, Suspended<Summary>)>, domain: &mut Summaries<'_>, at: Suspended<Summary>) {
    let skeleton = at.local().map(&mut |_, _| ());
    let met = open.iter().position(|(_, other)| {
        earlier(other.local(), at.local()) == Ordering::Equal && other.local().map(&mut |_, _| ()) == skeleton
    });
    let case = domain.case.clone();
    match met {
        Some(position) => {
            let (other_case, other) = open.swap_remove(position);
            let (case, local) = meet(domain, (&case, at.local()), (&other_case, other.local()));
            open.push((case, at.merged(&other, local)));
        }
        None => open.push((case, at)),
    }
}

/// Two cases as one.
fn meet(domain: &mut Summaries<'_>, one: (&Guard, &Local<Summary>), other: (&Guard, &Local<Summary>)) -> (Guard, Local<Summary>) {
    let both = domain.space.guards.or(one.0, other.0);
    domain.case = both.clone();
    let local = one.1.zip(other.1, &mut |a, b| domain.merged(one.0, a, other.0, b));
    (both, local)
}

/// Which of two cases is first in its code: who is deeper in calls that both are in, then who is in an earlier block. Who has left all
/// functions waits for the others.
fn earlier(a: &Local<Summary>, b: &Local<Summary>) -> Ordering {
    for (a, b) in a.frames.iter().zip(&b.frames) {
        let order = (a.function, a.block, a.instr).cmp(&(b.function, b.block, b.instr));
        if order != Ordering::Equal {
            return order;
        }
    }
    b.frames.len().cmp(&a.frames.len())
}
