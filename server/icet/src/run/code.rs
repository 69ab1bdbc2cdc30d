//! The code of a process as a flat list of operations, so that a position in it is one number.
//!
//! A statement is one operation, a loop three: it is entered, has turns, and each turn jumps back. `atomic` has operations in
//! `sequential` only, because it changes nothing about how processes run.

use crate::program::{Block, Condition, Expr, MessageId, Program, StmtId, StmtKind};

pub(super) type Position = u32;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    /// A statement without blocks; the next operation follows.
    Do(StmtId),
    /// Where each case and the timeout go on. `is_idle`: who waits here is idle.
    Receive {
        stmt: StmtId,
        bodies: Vec<Position>,
        timeout: Option<Position>,
        in_rounds: bool,
        is_idle: bool,
    },
    Send {
        stmt: StmtId,
        in_rounds: bool,
    },
    /// `if` or `while`: the next operation follows if the condition holds.
    Branch {
        stmt: StmtId,
        otherwise: Position,
    },
    Match {
        stmt: StmtId,
        arms: Vec<Position>,
        default: Option<Position>,
    },
    Choose {
        stmt: StmtId,
        branches: Vec<Position>,
    },
    /// Computes what a loop runs over.
    Enter(StmtId),
    /// The head of a `for`, `foreach`, `repeat` or `rounds` that was entered. `first`: the receive that a `foreach` begins with.
    Turn {
        stmt: StmtId,
        exit: Position,
        first: Option<(StmtId, bool)>,
    },
    /// Starts a thread for each member and waits for them.
    Fork {
        stmt: StmtId,
        exit: Position,
    },
    /// The end of such a thread.
    Join,
    AtomicBegin(StmtId),
    AtomicEnd,
    Jump(Position),
    End,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FlatCode {
    pub(super) ops: Vec<Op>,
    /// For each position the messages that can still be sent from there on, one bit each.
    can_send: Vec<Vec<u64>>,
}

impl FlatCode {
    pub(super) fn of_process(program: &Program, body: &Block) -> Self {
        Self::new(program, body, Atomics::LeftOut)
    }

    pub(super) fn of_sequential(program: &Program, body: &Block) -> Self {
        Self::new(program, body, Atomics::Kept)
    }

    pub(super) fn op(&self, position: Position) -> &Op {
        &self.ops[position as usize]
    }

    pub(super) fn can_send(&self, position: Position, message: MessageId) -> bool {
        let (word, bit) = (message.index() / 64, message.index() % 64);
        self.can_send[position as usize][word] >> bit & 1 == 1
    }

    fn new(program: &Program, body: &Block, atomics: Atomics) -> Self {
        let mut writer = Writer { program, atomics, ops: Vec::new(), whiles: Vec::new(), in_rounds: false, open_atomics: 0 };
        writer.block(body);
        writer.ops.push(Op::End);
        mark_idle(program, &mut writer.ops);
        let can_send = can_send(program, &writer.ops);
        Self { ops: writer.ops, can_send }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Atomics {
    Kept,
    LeftOut,
}

struct Writer<'a> {
    program: &'a Program,
    atomics: Atomics,
    ops: Vec<Op>,
    whiles: Vec<OpenWhile>,
    in_rounds: bool,
    open_atomics: usize,
}

/// A `while` whose body is being written.
struct OpenWhile {
    /// The jumps that have to go behind it.
    breaks: Vec<usize>,
    open_atomics: usize,
}

impl Writer<'_> {
    fn here(&self) -> Position {
        self.ops.len() as Position
    }

    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn block(&mut self, block: &Block) {
        for stmt in block.iter() {
            crate::stack::level(|| self.stmt(*stmt));
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        let program = self.program;
        match &program.stmt(stmt).kind {
            StmtKind::Receive { .. } => self.receive(stmt),
            StmtKind::Send { .. } => drop(self.push(Op::Send { stmt, in_rounds: self.in_rounds })),
            StmtKind::If { then, otherwise, .. } => {
                let branch = self.push(Op::Branch { stmt, otherwise: 0 });
                self.block(then);
                let jump = self.push(Op::Jump(0));
                self.set_target(branch, self.here());
                self.block(otherwise);
                self.set_target(jump, self.here());
            }
            StmtKind::Match { arms, default, .. } => {
                let head = self.push(Op::Match { stmt, arms: Vec::new(), default: None });
                let blocks = arms.iter().map(|arm| &arm.body).chain(default).collect::<Vec<_>>();
                let mut starts = self.alternatives(&blocks);
                let default = default.as_ref().and_then(|_| starts.pop());
                self.ops[head] = Op::Match { stmt, arms: starts, default };
            }
            StmtKind::Choose { branches } => {
                let head = self.push(Op::Choose { stmt, branches: Vec::new() });
                let branches = self.alternatives(&branches.iter().collect::<Vec<_>>());
                self.ops[head] = Op::Choose { stmt, branches };
            }
            StmtKind::While { body, .. } => self.while_loop(stmt, body),
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => self.turns(stmt, &set_loop.body),
            StmtKind::Repeat { body, .. } => self.turns(stmt, body),
            StmtKind::Rounds { body, .. } => {
                self.in_rounds = true;
                self.turns(stmt, body);
                self.in_rounds = false;
            }
            StmtKind::Parallel { body, .. } => {
                let fork = self.push(Op::Fork { stmt, exit: 0 });
                self.block(body);
                self.push(Op::Join);
                self.set_target(fork, self.here());
            }
            StmtKind::Break => self.break_out(),
            StmtKind::Atomic(body) if self.atomics == Atomics::LeftOut => self.block(body),
            StmtKind::Atomic(body) => {
                self.push(Op::AtomicBegin(stmt));
                self.open_atomics += 1;
                self.block(body);
                self.open_atomics -= 1;
                self.push(Op::AtomicEnd);
            }
            // What invariants claim is about the sequentialized program; in a process they do nothing.
            StmtKind::Invariant(_) if self.atomics == Atomics::LeftOut => {}
            _ => drop(self.push(Op::Do(stmt))),
        }
    }

    fn receive(&mut self, stmt: StmtId) {
        let program = self.program;
        let StmtKind::Receive { cases, timeout } = &program.stmt(stmt).kind else { return };
        let in_rounds = self.in_rounds;
        let head = self.push(Op::Receive { stmt, bodies: Vec::new(), timeout: None, in_rounds, is_idle: false });
        let blocks = cases.iter().map(|case| &case.body).chain(timeout).collect::<Vec<_>>();
        let mut bodies = self.alternatives(&blocks);
        let timeout = timeout.as_ref().and_then(|_| bodies.pop());
        self.ops[head] = Op::Receive { stmt, bodies, timeout, in_rounds, is_idle: false };
    }

    /// Writes the blocks, each of which goes on behind the last one. Where each starts.
    fn alternatives(&mut self, blocks: &[&Block]) -> Vec<Position> {
        let mut starts = Vec::new();
        let mut jumps = Vec::new();
        for block in blocks {
            starts.push(self.here());
            self.block(block);
            jumps.push(self.push(Op::Jump(0)));
        }
        for jump in jumps {
            self.set_target(jump, self.here());
        }
        starts
    }

    fn while_loop(&mut self, stmt: StmtId, body: &Block) {
        let head = self.push(Op::Branch { stmt, otherwise: 0 });
        self.whiles.push(OpenWhile { breaks: Vec::new(), open_atomics: self.open_atomics });
        self.block(body);
        self.push(Op::Jump(head as Position));
        self.set_target(head, self.here());
        for jump in self.whiles.pop().map(|open| open.breaks).unwrap_or_default() {
            self.set_target(jump, self.here());
        }
    }

    fn break_out(&mut self) {
        let inside = self.whiles.last().map_or(0, |open| self.open_atomics - open.open_atomics);
        for _ in 0..inside {
            self.push(Op::AtomicEnd);
        }
        let jump = self.push(Op::Jump(0));
        if let Some(open) = self.whiles.last_mut() {
            open.breaks.push(jump);
        }
    }

    fn turns(&mut self, stmt: StmtId, body: &Block) {
        self.push(Op::Enter(stmt));
        let first = match &self.program.stmt(stmt).kind {
            StmtKind::Foreach(_) => first_receive(self.program, body).map(|first| (first, self.in_rounds)),
            _ => None,
        };
        let head = self.push(Op::Turn { stmt, exit: 0, first });
        self.block(body);
        self.push(Op::Jump(head as Position));
        let exit = self.here();
        self.ops[head] = Op::Turn { stmt, exit, first };
    }

    fn set_target(&mut self, at: usize, target: Position) {
        match &mut self.ops[at] {
            Op::Branch { otherwise, .. } => *otherwise = target,
            Op::Fork { exit, .. } => *exit = target,
            Op::Jump(to) => *to = target,
            _ => {}
        }
    }
}

/// The receive that a block begins with, possibly inside of `atomic`.
fn first_receive(program: &Program, block: &Block) -> Option<StmtId> {
    let mut first = *block.first()?;
    while let StmtKind::Atomic(inner) = &program.stmt(first).kind {
        first = *inner.first()?;
    }
    matches!(program.stmt(first).kind, StmtKind::Receive { .. }).then_some(first)
}

/// Marks the receives at which a process is idle: those that are the first thing in the body of a `while (true)` that another process
/// could notice. One that can give up never waits. Only statements without blocks that neither send nor receive may come before.
fn mark_idle(program: &Program, ops: &mut [Op]) {
    for head in 0..ops.len() {
        let Op::Branch { stmt, .. } = ops[head] else { continue };
        if !matches!(&program.stmt(stmt).kind, StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), .. }) {
            continue;
        }
        let quiet = ops[head + 1..].iter().take_while(|op| matches!(op, Op::Do(_))).count();
        if let Some(Op::Receive { is_idle, timeout: None, .. }) = ops.get_mut(head + 1 + quiet) {
            *is_idle = true;
        }
    }
}

/// Where an operation can go on.
fn targets(op: &Op, at: usize) -> Vec<Position> {
    let next = at as Position + 1;
    match op {
        Op::Receive { bodies, timeout, .. } => bodies.iter().chain(timeout).copied().collect(),
        Op::Match { arms, default, .. } => arms.iter().chain(default).copied().collect(),
        Op::Choose { branches, .. } => branches.clone(),
        Op::Branch { otherwise, .. } => vec![next, *otherwise],
        Op::Turn { exit, .. } | Op::Fork { exit, .. } => vec![next, *exit],
        Op::Jump(to) => vec![*to],
        Op::Join | Op::End => Vec::new(),
        Op::Do(_) | Op::Send { .. } | Op::Enter(_) | Op::AtomicBegin(_) | Op::AtomicEnd => vec![next],
    }
}

/// Least solution of: what an operation sends, and what can be sent where it goes on. Backwards, so that only loops need a second look;
/// each sweep adds a bit or is the last.
fn can_send(program: &Program, ops: &[Op]) -> Vec<Vec<u64>> {
    let words = program.messages.len().div_ceil(64);
    let mut sends = vec![vec![0u64; words]; ops.len()];
    for (at, op) in ops.iter().enumerate() {
        if let Op::Send { stmt, .. } = op
            && let StmtKind::Send { message, .. } = program.stmt(*stmt).kind
        {
            sends[at][message.index() / 64] |= 1 << (message.index() % 64);
        }
    }
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (at, op) in ops.iter().enumerate().rev() {
            for target in targets(op, at) {
                let after = sends[target as usize].clone();
                for (word, more) in sends[at].iter_mut().zip(after) {
                    is_changed |= more & !*word != 0;
                    *word |= more;
                }
            }
        }
    }
    sends
}
