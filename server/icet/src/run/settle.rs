//! What follows from a step by itself: jumps, the end of a loop's turn, leaving a round, the end of an `atomic` block or of a thread.

use std::sync::Arc;

use crate::program::{LocalId, StmtId, StmtKind};
use crate::run::code::{Op, Position};
use crate::run::state::{Loop, Round, State, Thread, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value};

impl Machine<'_> {
    /// Brings a thread to the next operation that is a step. Every circle in the code has one (the head of its loop), so this ends.
    pub(super) fn settle(&self, state: &mut State, who: &Who) {
        let mut who = who.clone();
        loop {
            let Some(thread) = state.thread(&who) else { return };
            let position = thread.position;
            match *self.code(&who).op(position) {
                Op::Jump(to) => state.change_thread(&who, |thread| thread.position = to),
                Op::Turn { stmt, exit, .. } => {
                    if !self.end_turn(state, &who, stmt, exit) {
                        return;
                    }
                }
                Op::AtomicEnd => {
                    state.change_thread(&who, |thread| thread.position = position + 1);
                    if let Some(sequential) = &mut state.sequential {
                        Arc::make_mut(sequential).atomic = None;
                    }
                }
                Op::Join => match join(state, &who) {
                    Some(parent) => {
                        self.leave_fork(state, &parent);
                        who = parent;
                    }
                    None => return,
                },
                Op::End => {
                    match &who {
                        Who::Process(pid) => Arc::make_mut(&mut state.actors[pid.index()]).is_over = true,
                        Who::Sequential(_) => state.sequential = None,
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// At the head of a loop: ends the turn that was, and the loop if it was the last one. Whether the thread has left the loop.
    fn end_turn(&self, state: &mut State, who: &Who, stmt: StmtId, exit: Position) -> bool {
        let mut is_over = false;
        let mut round = None;
        match &self.program.stmt(stmt).kind {
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => state.change_thread(who, |thread| {
                let Some(Loop::Members { rest, current }) = thread.loops.last_mut() else { return };
                is_over = rest.is_empty();
                let ended = current.take();
                set_local(thread, set_loop.member, Value::Nobody);
                if let (Some(done), Some(member)) = (set_loop.done, ended) {
                    add_to_set(&mut thread.locals[done.index()], member);
                }
                if is_over {
                    set_local(thread, set_loop.done, Value::Nobody);
                }
            }),
            StmtKind::Repeat { index, .. } => state.change_thread(who, |thread| {
                is_over = turns_are_over(thread);
                set_local(thread, *index, Value::Nobody);
            }),
            StmtKind::Rounds { index, .. } => state.change_thread(who, |thread| {
                is_over = turns_are_over(thread);
                set_local(thread, Some(*index), Value::Nobody);
                if let Some(Loop::Turns { next, .. }) = thread.loops.last() {
                    round = Some(u64::try_from(*next).unwrap_or(u64::MAX));
                }
            }),
            _ => {}
        }
        if let (Some(next), Who::Process(pid)) = (round, who) {
            let number = state.actors[pid.index()].round.0;
            leave_round(state, *pid, if is_over { (number + 1, 0) } else { (number, next) });
        }
        if is_over {
            state.change_thread(who, |thread| {
                thread.loops.pop();
                thread.position = exit;
            });
        }
        is_over
    }

    /// Lets a thread go on whose members' threads have all ended.
    pub(super) fn leave_fork(&self, state: &mut State, parent: &Who) {
        let Some(thread) = state.thread(parent) else { return };
        if let Op::Fork { exit, .. } = *self.code(parent).op(thread.position) {
            state.change_thread(parent, |thread| thread.position = exit);
        }
    }
}

/// Ends the thread of a member. The thread that waited for it, if it was the last one.
fn join(state: &mut State, who: &Who) -> Option<Who> {
    let Who::Sequential(path) = who else { return None };
    let sequential = Arc::make_mut(state.sequential.as_mut()?);
    let at = sequential.find(path)?;
    sequential.threads.remove(at);
    let parent = sequential.find(&path[..path.len().checked_sub(1)?])?;
    let parent = &mut sequential.threads[parent];
    parent.waits_for -= 1;
    (parent.waits_for == 0).then(|| Who::Sequential(parent.path.clone()))
}

/// Messages of earlier rounds are thrown away, those that are there and those to come (`messages::send`).
fn leave_round(state: &mut State, pid: Pid, round: Round) {
    if state.actors[pid.index()].round == round {
        return;
    }
    Arc::make_mut(&mut state.actors[pid.index()]).round = round;
    let is_left = |to: Pid, of: Option<Round>| to == pid && of.is_some_and(|of| of < round);
    if state.channels.iter().any(|(channel, _)| is_left(channel.to, channel.round)) {
        Arc::make_mut(&mut state.channels).retain(|(channel, _)| !is_left(channel.to, channel.round));
    }
    if state.lost.iter().any(|lost| is_left(lost.to, lost.round)) {
        Arc::make_mut(&mut state.lost).retain(|lost| !is_left(lost.to, lost.round));
    }
}

fn turns_are_over(thread: &Thread) -> bool {
    matches!(thread.loops.last(), Some(Loop::Turns { next, count: Some(count) }) if next >= count)
}

pub(super) fn set_local(thread: &mut Thread, local: Option<LocalId>, value: Value) {
    if let Some(slot) = local.and_then(|local| thread.locals.get_mut(local.index())) {
        *slot = value;
    }
}

fn add_to_set(slot: &mut Value, element: Value) {
    if let Value::Set(elements) = slot {
        let mut elements = elements.to_vec();
        elements.push(element);
        *slot = Value::set(elements);
    }
}
