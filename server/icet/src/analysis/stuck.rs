//! Where everybody stands when the rules lead no further, and whom they wait for as far as the text says.
//!
//! Invariant: whom a receive may take messages from, and what a send may be received by, is never too small: what is not known from the
//! text may be anybody who sends such a message.

use std::collections::BTreeSet;

use super::claims::or_list;
use super::wait::{circle_by, spelled_by};
use crate::print;
use crate::program::{Block, Case, Expr, LocalId, MessageId, ProcessId, Program, Source, StmtId, StmtKind, Type, Whose};
use crate::rewrite::{Outcome, Who};

/// A process, or the members of a set, with code left.
pub(super) struct Stand {
    pub process: ProcessId,
    /// Its next statement.
    pub at: StmtId,
    /// If it waits.
    pub wait: Option<Awaited>,
}

pub(super) struct Awaited {
    /// `` `Pong` from `b` ``.
    pub words: String,
    from: Vec<ProcessId>,
}

/// In the order of the processes.
pub(super) fn stands(program: &Program, outcome: &Outcome) -> Vec<Stand> {
    let mut stands: Vec<Stand> = Vec::new();
    for (who, at) in &outcome.next {
        let process = match who {
            Who::One(process) => Some(*process),
            Who::Each(set) => program.code_of(*set),
            Who::Focus(_) => None,
        };
        if let Some(process) = process {
            stands.push(Stand { process, at: *at, wait: awaited(program, *at) });
        }
    }
    stands.sort_by_key(|stand| stand.process);
    stands
}

/// The circle in which these wait for each other: `` `a` waits for `Pong` from `b`, which waits for `Ping` from `a` ``.
pub(super) fn circle_words(program: &Program, stands: &[Stand]) -> Option<String> {
    let next = |at: usize| {
        let from = &stands[at].wait.as_ref()?.from;
        let waits = |process: &ProcessId| {
            stands.iter().position(|other| other.process == *process && other.wait.is_some()).filter(|other| *other != at)
        };
        from.iter().find_map(waits)
    };
    let circle = circle_by(stands.len(), next);
    let parts = circle.iter().filter_map(|at| {
        let wait = stands[*at].wait.as_ref()?;
        Some((program.process(stands[*at].process).name.to_string(), wait.words.clone(), wait.from.len() == 1))
    });
    (!circle.is_empty()).then(|| spelled_by(&parts.collect::<Vec<_>>()))
}

/// The sends whose messages a receive may take, in the order of the text.
pub(super) fn sends_to(program: &Program, receive: StmtId) -> Vec<StmtId> {
    let StmtKind::Receive { cases, .. } = &program.stmt(receive).kind else { return Vec::new() };
    let receiver = program.stmt(receive).process;
    let may_be_taken = |id: &StmtId| {
        let stmt = program.stmt(*id);
        let StmtKind::Send { message, target, .. } = &stmt.kind else { return false };
        let Some(sender) = stmt.process else { return false };
        let reaches = receiver.is_some_and(|receiver| meant(program, sender, target).is_none_or(|meant| meant == receiver));
        reaches && cases.iter().any(|case| case.message == *message && senders(program, receiver, case).contains(&sender))
    };
    (0..).map(StmtId).take(program.stmts.len()).filter(may_be_taken).collect()
}

/// The processes that every turn of a loop exchanges messages with, apart from the member whose turn it is. What depends on a branch
/// counts only if all branches do it.
pub(super) fn partners_of_a_turn(program: &Program, at: StmtId) -> BTreeSet<ProcessId> {
    let member = match &program.stmt(at).kind {
        StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => set_loop.member,
        StmtKind::While { .. } | StmtKind::Repeat { .. } | StmtKind::Rounds { .. } => None,
        _ => return BTreeSet::new(),
    };
    let body = program.blocks(at).into_iter().flat_map(|block| block.iter());
    body.flat_map(|stmt| partners(program, member, *stmt)).collect()
}

fn partners(program: &Program, member: Option<LocalId>, at: StmtId) -> BTreeSet<ProcessId> {
    let stmt = program.stmt(at);
    let of_pid = |pid: &Expr| {
        let is_member = matches!(pid, Expr::Local(local) if Some(*local) == member);
        stmt.process.filter(|_| !is_member).and_then(|home| meant(program, home, pid))
    };
    let of_case = |case: &Case| match &case.source {
        Source::One(pid) => of_pid(pid),
        Source::Of(Expr::Set(set)) => program.code_of(*set),
        Source::Of(_) | Source::Any => None,
    };
    let of_block = |block: &Block| -> BTreeSet<ProcessId> {
        crate::stack::level(|| block.iter().flat_map(|inner| partners(program, member, *inner)).collect())
    };
    let of_all = |ways: Vec<BTreeSet<ProcessId>>| ways.into_iter().reduce(|one, other| &one & &other).unwrap_or_default();
    match &stmt.kind {
        StmtKind::Send { target, .. } => of_pid(target).into_iter().collect(),
        StmtKind::Receive { cases, timeout } => {
            let ways = cases.iter().map(|case| of_block(&case.body).into_iter().chain(of_case(case)).collect());
            of_all(ways.chain(timeout.iter().map(of_block)).collect())
        }
        _ => of_all(program.blocks(at).into_iter().map(of_block).collect()),
    }
}

/// Who a pid that stands in the code of `home` belongs to, if the text says so.
fn meant(program: &Program, home: ProcessId, pid: &Expr) -> Option<ProcessId> {
    let code = &program.process(home).code;
    let ty = match pid {
        Expr::Process(process) => return Some(*process),
        Expr::Me => return Some(home),
        Expr::Local(local) => &code.locals.get(local.index())?.ty,
        Expr::Own(var) => &code.vars.get(var.index())?.ty,
        _ => return None,
    };
    match ty {
        Type::Pid(Whose::Process(process)) => Some(*process),
        Type::Pid(Whose::Member(set)) => program.code_of(*set),
        _ => None,
    }
}

/// Whose messages a case may take: of those who send such messages at all.
fn senders(program: &Program, receiver: Option<ProcessId>, case: &Case) -> Vec<ProcessId> {
    let of_pid = |pid: &Expr| receiver.and_then(|receiver| meant(program, receiver, pid));
    let named: Option<Vec<ProcessId>> = match &case.source {
        Source::One(pid) => of_pid(pid).map(|process| vec![process]),
        Source::Of(Expr::Set(set)) => program.code_of(*set).map(|process| vec![process]),
        Source::Of(Expr::SetOf(pids)) => pids.iter().map(of_pid).collect(),
        Source::Of(_) | Source::Any => None,
    };
    named.unwrap_or_else(|| who_send(program, case.message))
}

fn who_send(program: &Program, message: MessageId) -> Vec<ProcessId> {
    let sends =
        program.stmts.iter().filter(|stmt| matches!(&stmt.kind, StmtKind::Send { message: sent, .. } if *sent == message));
    let mut all: Vec<ProcessId> = sends.filter_map(|stmt| stmt.process).collect();
    all.sort();
    all.dedup();
    all
}

/// What somebody waits for whose next statement this is.
fn awaited(program: &Program, mut at: StmtId) -> Option<Awaited> {
    let cases = loop {
        at = match &program.stmt(at).kind {
            StmtKind::Receive { cases, .. } => break cases,
            StmtKind::Foreach(set_loop) => *set_loop.body.first()?,
            StmtKind::Atomic(block) => *block.first()?,
            _ => return None,
        };
    };
    let home = program.stmt(at).process;
    let mut from: Vec<ProcessId> = cases.iter().flat_map(|case| senders(program, home, case)).collect();
    from.sort();
    from.dedup();
    let mut words: Vec<String> = cases.iter().map(|case| case_words(program, home, case)).collect();
    words.dedup();
    Some(Awaited { words: or_list(&words), from })
}

fn case_words(program: &Program, home: Option<ProcessId>, case: &Case) -> String {
    let from = match &case.source {
        Source::Any => "anybody".to_owned(),
        Source::One(source) | Source::Of(source) => format!("`{}`", print::expr(program, print::Home::of(home), source)),
    };
    format!("`{}` from {from}", program.message(case.message).name)
}
