//! Programs with one fault of the kind people make: something forgotten, done twice, done too early, or said to the wrong one.
//!
//! Faults are made in the resolved program and written out again. One that makes a static error is thrown away, and another one is
//! tried: a mutant is as well formed as the program it comes from.

use lockstep_icet::check::check;
use lockstep_icet::print::print;
use lockstep_icet::program::{
    Block, Expr, LocalId, MessageId, Process, ProcessId, Program, SetId, Source, StmtId, StmtKind, Type, VarId,
};
use lockstep_syntax::{Language, Parse};

use crate::Random;

#[derive(Clone, Copy)]
enum Fault {
    Drop,
    Swap,
    Target,
    Source,
    Message,
    Hasten,
    Duplicate,
    LoopSet,
    Commit,
    Branch,
}

const FAULTS: [Fault; 10] = [
    Fault::Drop,
    Fault::Swap,
    Fault::Target,
    Fault::Source,
    Fault::Message,
    Fault::Hasten,
    Fault::Duplicate,
    Fault::LoopSet,
    Fault::Commit,
    Fault::Branch,
];

/// How many faults are tried before a program counts as one that cannot be broken.
const TRIES: usize = 200;

pub(super) fn mutated(random: &mut Random, text: &str) -> String {
    let Some(program) = resolved(text) else { return text.to_owned() };
    let original = print(&program);
    for _ in 0..TRIES {
        let mut broken = program.clone();
        let fault = FAULTS[random.below(FAULTS.len())];
        make(random, &mut broken, fault);
        let text = print(&broken);
        if text != original && resolved(&text).is_some() {
            return text;
        }
    }
    original
}

fn resolved(text: &str) -> Option<Program> {
    let parse = Parse::new(Language::Icet, text);
    if !parse.errors().is_empty() {
        return None;
    }
    check(parse.icet()?).program
}

/// Makes the fault somewhere, if there is a place for it.
fn make(random: &mut Random, program: &mut Program, fault: Fault) {
    match fault {
        Fault::Drop => change_block(random, program, |_, random, block| {
            block.remove(random.below(block.len()));
        }),
        Fault::Swap => change_block(random, program, |_, random, block| {
            let (first, second) = (random.below(block.len()), random.below(block.len()));
            block.swap(first, second);
        }),
        Fault::Hasten => change_block(random, program, |program, random, block| hasten(program, random, block)),
        Fault::Duplicate => change_block(random, program, duplicate),
        Fault::Target | Fault::Source | Fault::Message | Fault::LoopSet | Fault::Commit | Fault::Branch => {
            if let Some(at) = one_of(random, program.stmts.len()) {
                change_stmt(random, program, at, fault);
            }
        }
    }
}

fn one_of(random: &mut Random, count: usize) -> Option<usize> {
    (count > 0).then(|| random.below(count))
}

/// Lets `change` have the statements of some block that is not empty.
fn change_block(random: &mut Random, program: &mut Program, change: fn(&Program, &mut Random, &mut Vec<StmtId>)) {
    let processes = program.processes.len();
    let Some(at) = one_of(random, processes + program.stmts.len()) else { return };
    let blocks = match at.checked_sub(processes) {
        None => vec![program.processes[at].code.body.clone()],
        Some(stmt) => program.blocks(StmtId(number(stmt))).into_iter().cloned().collect(),
    };
    let Some(which) = one_of(random, blocks.len()) else { return };
    if blocks[which].is_empty() {
        return;
    }
    let mut stmts = blocks[which].to_vec();
    change(program, random, &mut stmts);
    match at.checked_sub(processes) {
        None => program.processes[at].code.body = stmts.into(),
        Some(stmt) => {
            if let Some(block) = blocks_mut(&mut program.stmts[stmt].kind).into_iter().nth(which) {
                *block = stmts.into();
            }
        }
    }
}

/// In the order of `Program::blocks`.
fn blocks_mut(kind: &mut StmtKind) -> Vec<&mut Block> {
    match kind {
        StmtKind::Receive { cases, timeout } => cases.iter_mut().map(|case| &mut case.body).chain(timeout).collect(),
        StmtKind::If { then, otherwise, .. } => vec![then, otherwise],
        StmtKind::Match { arms, default, .. } => arms.iter_mut().map(|arm| &mut arm.body).chain(default).collect(),
        StmtKind::Choose { branches } => branches.iter_mut().collect(),
        StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => vec![&mut set_loop.body],
        StmtKind::While { body, .. }
        | StmtKind::Parallel { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::Rounds { body, .. }
        | StmtKind::Atomic(body) => vec![body],
        _ => Vec::new(),
    }
}

/// Moves a send before a receive, which need not be next to it.
fn hasten(program: &Program, random: &mut Random, block: &mut [StmtId]) {
    let is = |at: usize, wanted: fn(&StmtKind) -> bool| wanted(&program.stmt(block[at]).kind);
    let is_send = |kind: &StmtKind| matches!(kind, StmtKind::Send { .. });
    let is_receive = |kind: &StmtKind| matches!(kind, StmtKind::Receive { .. });
    let mut moves = Vec::new();
    for receive in (0..block.len()).filter(|&at| is(at, is_receive)) {
        moves.extend((receive + 1..block.len()).filter(|&at| is(at, is_send)).map(|send| (receive, send)));
    }
    if let Some(which) = one_of(random, moves.len()) {
        let (receive, send) = moves[which];
        block[receive..=send].rotate_right(1);
    }
}

fn duplicate(program: &Program, random: &mut Random, block: &mut Vec<StmtId>) {
    let is_send = |at: &usize| matches!(program.stmt(block[*at]).kind, StmtKind::Send { .. });
    let sends: Vec<usize> = (0..block.len()).filter(is_send).collect();
    if let Some(which) = one_of(random, sends.len()) {
        block.insert(sends[which], block[sends[which]]);
    }
}

fn change_stmt(random: &mut Random, program: &mut Program, at: usize, fault: Fault) {
    let mut kind = program.stmts[at].kind.clone();
    match (fault, &mut kind) {
        (Fault::Target, StmtKind::Send { target, .. }) => {
            if let Some(other) = pid(random, program, StmtId(number(at))) {
                *target = other;
            }
        }
        (Fault::Source, StmtKind::Receive { cases, .. }) => {
            let which = random.below(cases.len());
            if let Some(other) = source(random, program, StmtId(number(at))) {
                cases[which].source = other;
            }
        }
        (Fault::Message, StmtKind::Send { message, .. }) => *message = alike(random, program, *message),
        (Fault::Message, StmtKind::Receive { cases, .. }) => {
            let which = random.below(cases.len());
            cases[which].message = alike(random, program, cases[which].message);
        }
        (Fault::LoopSet, StmtKind::For(set_loop) | StmtKind::Foreach(set_loop)) => {
            if let Some(set) = one_of(random, program.sets.len()) {
                set_loop.set = Expr::Set(SetId(number(set)));
            }
        }
        (Fault::Commit, StmtKind::Foreach(set_loop)) => kind = StmtKind::For(set_loop.clone()),
        (Fault::Branch, _) => drop_branch(random, &mut kind),
        _ => {}
    }
    program.stmts[at].kind = kind;
}

/// A message that carries the same.
fn alike(random: &mut Random, program: &Program, message: MessageId) -> MessageId {
    let payload = &program.message(message).payload;
    let all: Vec<usize> = (0..program.messages.len()).filter(|&at| program.messages[at].payload == *payload).collect();
    MessageId(number(all[random.below(all.len())]))
}

/// Some other way to name a process. What is not in scope where it is used is found out later.
fn pid(random: &mut Random, program: &Program, stmt: StmtId) -> Option<Expr> {
    let single = |process: &Process| process.set.is_none();
    let mut found: Vec<Expr> = (0..program.processes.len())
        .filter(|&at| single(&program.processes[at]))
        .map(|at| Expr::Process(ProcessId(number(at))))
        .collect();
    if let Some(process) = program.stmt(stmt).process {
        let code = &program.process(process).code;
        let is_pid = |ty: &Type| matches!(ty, Type::Pid(_));
        found.extend((0..code.vars.len()).filter(|&at| is_pid(&code.vars[at].ty)).map(|at| Expr::Own(VarId(number(at)))));
        let locals = 0..code.locals.len();
        found.extend(locals.filter(|&at| is_pid(&code.locals[at].ty)).map(|at| Expr::Local(LocalId(number(at)))));
    }
    one_of(random, found.len()).map(|which| found.swap_remove(which))
}

fn source(random: &mut Random, program: &Program, stmt: StmtId) -> Option<Source> {
    match random.below(3) {
        0 => Some(Source::Any),
        1 => one_of(random, program.sets.len()).map(|set| Source::Of(Expr::Set(SetId(number(set))))),
        _ => pid(random, program, stmt).map(Source::One),
    }
}

/// Takes a branch out, or what is in it where there has to be one.
fn drop_branch(random: &mut Random, kind: &mut StmtKind) {
    match kind {
        StmtKind::Receive { cases, .. } if cases.len() > 1 => {
            cases.remove(random.below(cases.len()));
        }
        StmtKind::Choose { branches } if branches.len() > 2 => {
            branches.remove(random.below(branches.len()));
        }
        StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose { .. } => {
            let blocks = blocks_mut(kind);
            if let Some(which) = one_of(random, blocks.len())
                && let Some(block) = blocks.into_iter().nth(which)
            {
                *block = Vec::new().into();
            }
        }
        _ => {}
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("a small program")
}
