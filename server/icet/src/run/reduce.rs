//! Which process may run on alone, without losing anything that the search reports.
//!
//! # The argument
//!
//! Call the next operation of a process p *ready* in a state s if, whatever the others do before p moves, p's possible steps stay the
//! same ones. If p is ready, the reduced search follows p's steps only. It follows a part of all runs, so what it finds is real. Why it
//! loses nothing:
//!
//! *(A) A ready step can be moved to the front.* Let w be steps of others from s and then a, a step of p that is possible after w. Since
//! p is ready, a is possible in s; and doing a before w leads to the same state. By the kinds of ready operations:
//!
//! - *Local* (assignments, branches, choices, heads of `for`, `repeat` and `while`, claims, failures, a false `assume`): a reads and
//!   writes what belongs to p alone. Statements that touch a shared ghost variable are never ready.
//! - *Send* to q: appending to a channel commutes with everything that others do. They can only take from its front; a receive or a
//!   `foreach` of q that chose something else can still choose it; if q gave up waiting for this message in w, then moved to the front
//!   the message is there when q gives up, and giving up throws away one that is there, q's choice which (the same one as before, or,
//!   if none was there, this one: all messages of one wait come from p). If q left the round in w, the message was thrown away on
//!   being sent, and is now thrown away on leaving.
//! - *Receive*, with or without cases and from however many: ready when for every case and every possible sender either a message is
//!   there, or that sender can never send such a message again (it has stopped, or no `send` of it can be reached in its code). Then
//!   the possible steps are to take the front of one of these channels, which others can only append to.
//! - *Receive with a timeout*: ready under the same condition. Giving up throws away the front of a channel, or, if no message is
//!   there and none can come, nothing ever. If a message can still come, the receive is not ready, and all orders are tried: both
//!   giving up before it comes and taking it.
//! - *Head of `foreach`*: ready when every member without a turn has written or never will; or any time if the body's receive has a
//!   timeout, because then every member can be chosen.
//! - *Leaving a round* is part of a local step. It throws away what is there from earlier rounds, and what is sent later for them is
//!   thrown away on being sent, so it commutes with sends to p.
//!
//! *(B) States in which nobody can move are found.* Let w lead from s to such a state. p can move in s and, being ready, until it does;
//! so w contains a step of p. By (A) the first one can come first, and the rest of w leads from there to the same state. Induction over
//! the length of w. Ends, deadlocks and orphans are such states: the same ones are found.
//!
//! *(C) Failures are found.* Let w lead from s to a step in which q fails. If w contains a step of p, as in (B). Otherwise p ≠ q and w is
//! still possible after any step of p, because p's step changes nothing that w needs (A). So the failure is not lost but put off; and it
//! is not put off for ever: the search goes depth first and follows p alone only if one of p's steps leads to a state that is not on
//! the search's own path (else it tries everyone), so that state is finished before s is. Induction over the length of w, then over
//! the order in which states are finished.
//!
//! A process that fails stops alone, the others go on, so (C) holds for the failures of all.
//!
//! The `sequential` block is not reduced: its threads share variables.

use crate::program::{Case, MessageId, StmtId, StmtKind};
use crate::run::code::Op;
use crate::run::state::{Channel, Loop, State, Status, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value};

/// The processes whose next operation is ready, in the order in which they should be tried: those that take messages first, those that
/// send last, so that channels stay short.
pub(super) fn ready(machine: &Machine<'_>, state: &State) -> Vec<Who> {
    if state.sequential.is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for pid in machine.instance.pids() {
        let who = Who::Process(pid);
        if let Some(urgency) = urgency(machine, state, pid, &who) {
            found.push((urgency, who));
        }
    }
    found.sort();
    found.into_iter().map(|(_, who)| who).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Takes,
    Local,
    Sends,
}

/// `None` if the process is not ready.
fn urgency(machine: &Machine<'_>, state: &State, pid: Pid, who: &Who) -> Option<Urgency> {
    let op = machine.op(state, who)?;
    if machine.stmt(state, who).is_some_and(|stmt| machine.touches_shared(stmt)) {
        return None;
    }
    match op {
        Op::Send { .. } => Some(Urgency::Sends),
        Op::Receive { stmt, in_rounds, .. } => {
            let StmtKind::Receive { cases, .. } = &machine.program.stmt(*stmt).kind else { return None };
            let is_ready = cases.iter().all(|case| case_is_ready(machine, state, pid, case, *in_rounds));
            (is_ready && !machine.successors(state, who).is_empty()).then_some(Urgency::Takes)
        }
        Op::Turn { first: Some(first), .. } => {
            let is_ready = foreach_is_ready(machine, state, pid, *first);
            (is_ready && !machine.successors(state, who).is_empty()).then_some(Urgency::Takes)
        }
        Op::Do(_) | Op::Branch { .. } | Op::Match { .. } | Op::Choose { .. } | Op::Enter(_) | Op::Turn { .. } => {
            Some(Urgency::Local)
        }
        Op::Fork { .. } | Op::Join | Op::AtomicBegin(_) | Op::AtomicEnd | Op::Jump(_) | Op::End => None,
    }
}

fn case_is_ready(machine: &Machine<'_>, state: &State, me: Pid, case: &Case, in_rounds: bool) -> bool {
    // A source that cannot be evaluated is a failure, which is local.
    let Ok(senders) = machine.senders(state, &Who::Process(me), case) else { return true };
    senders.into_iter().all(|from| is_decided(machine, state, me, from, case.message, in_rounds))
}

fn foreach_is_ready(machine: &Machine<'_>, state: &State, me: Pid, (first, in_rounds): (StmtId, bool)) -> bool {
    let StmtKind::Receive { cases, timeout } = &machine.program.stmt(first).kind else { return false };
    let thread = &state.actors[me.index()].thread;
    let Some(Loop::Members { rest, .. }) = thread.loops.last() else { return false };
    let round = in_rounds.then_some(state.actors[me.index()].round);
    timeout.is_some()
        || rest.iter().all(|member| {
            let Value::Pid(from) = *member else { return false };
            let is_there = |case: &Case| !state.queue(&Channel { from, to: me, message: case.message, round }).is_empty();
            cases.iter().any(is_there) || cases.iter().all(|case| is_decided(machine, state, me, from, case.message, in_rounds))
        })
}

/// Whether what others do cannot change if there is a message: it is there, or the sender will never send one.
fn is_decided(machine: &Machine<'_>, state: &State, me: Pid, from: Pid, message: MessageId, in_rounds: bool) -> bool {
    let round = in_rounds.then_some(state.actors[me.index()].round);
    let sender = &state.actors[from.index()].thread;
    from == me
        || sender.status != Status::Runs
        || !machine.code(&Who::Process(from)).can_send(sender.position, message)
        || !state.queue(&Channel { from, to: me, message, round }).is_empty()
}
