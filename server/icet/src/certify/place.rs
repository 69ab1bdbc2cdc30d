//! Where an actor stands in its code.

use crate::program::{Block, Condition, Expr, Program, StmtId, StmtKind};
use crate::rewrite::Who;

#[derive(Clone, Debug, PartialEq)]
enum Frame {
    /// The next statement of a block. While the body of a loop is executed, that is the loop.
    Block(Block, usize),
    /// Above it: the body of a `while`.
    While,
    /// Above it: one turn of a loop over a set or a count; for a served loop, the member that is served.
    Turn(Option<Who>),
}

/// Never ends with a block that is through, unless above a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Position(Vec<Frame>);

impl Position {
    pub(super) fn start(body: &Block) -> Self {
        let mut position = Self(vec![Frame::Block(body.clone(), 0)]);
        position.settle();
        position
    }

    pub(super) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    /// The next statement; none at the end and when a turn is over.
    pub(super) fn next(&self) -> Option<StmtId> {
        match self.0.last() {
            Some(Frame::Block(block, at)) => block.get(*at).copied(),
            _ => None,
        }
    }

    /// Goes past the next statement.
    pub(super) fn advance(&mut self) {
        if let Some(Frame::Block(_, at)) = self.0.last_mut() {
            *at += 1;
        }
        self.settle();
    }

    /// Goes past the next statement by way of one of its blocks.
    pub(super) fn enter(&mut self, block: &Block) {
        if let Some(Frame::Block(_, at)) = self.0.last_mut() {
            *at += 1;
        }
        self.0.push(Frame::Block(block.clone(), 0));
        self.settle();
    }

    pub(super) fn enter_while(&mut self, body: &Block) {
        self.0.push(Frame::While);
        self.0.push(Frame::Block(body.clone(), 0));
        self.settle();
    }

    pub(super) fn enter_turn(&mut self, body: &Block, served: Option<Who>) {
        self.0.push(Frame::Turn(served));
        self.0.push(Frame::Block(body.clone(), 0));
        self.settle();
    }

    /// Leaves the innermost `while`; false if there is none inside of this turn.
    pub(super) fn leave_while(&mut self) -> bool {
        while let Some(frame) = self.0.pop() {
            match frame {
                Frame::While => {
                    self.advance();
                    return true;
                }
                Frame::Turn(_) => return false,
                Frame::Block(..) => {}
            }
        }
        false
    }

    /// Whether a turn that serves this member, or with `None` any driven turn, is over.
    pub(super) fn is_turn_over(&self, served: Option<Who>) -> bool {
        self.0.last() == Some(&Frame::Turn(served))
    }

    /// Goes past a loop whose turn is over.
    pub(super) fn leave_turn(&mut self) {
        if let Some(Frame::Turn(_)) = self.0.last() {
            self.0.pop();
            self.advance();
        }
    }

    /// The same position with every entry that needs no decision made.
    pub(super) fn inward(&self, program: &Program) -> Self {
        let mut position = self.clone();
        // Each round goes one block deeper.
        while let Some(stmt) = position.next() {
            match &program.stmt(stmt).kind {
                StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), body, .. } if !body.is_empty() => {
                    position.enter_while(body);
                }
                StmtKind::Atomic(body) if !body.is_empty() => position.enter(body),
                _ => break,
            }
        }
        position
    }

    /// Whether it is the first receive of a `while (true)`, and cannot give up.
    pub(super) fn is_idle(&self, program: &Program) -> bool {
        let inward = self.inward(program);
        if !inward.next().is_some_and(|stmt| matches!(program.stmt(stmt).kind, StmtKind::Receive { timeout: None, .. })) {
            return false;
        }
        let mut is_first = true;
        for (nth, frame) in inward.0.iter().enumerate().rev() {
            match frame {
                // Around an `atomic` that was entered, the block has gone on by one.
                Frame::Block(block, at) => {
                    let is_top = nth + 1 == inward.0.len();
                    let was_atomic = block.first().is_some_and(|stmt| matches!(program.stmt(*stmt).kind, StmtKind::Atomic(_)));
                    is_first &= if is_top { *at == 0 } else { *at == 1 && was_atomic };
                }
                Frame::While => {
                    let Some(Frame::Block(block, at)) = nth.checked_sub(1).and_then(|below| inward.0.get(below)) else {
                        return false;
                    };
                    let head = block.get(*at).map(|stmt| &program.stmt(*stmt).kind);
                    let is_endless = matches!(head, Some(StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), .. }));
                    return is_first && is_endless;
                }
                Frame::Turn(_) => return false,
            }
        }
        false
    }

    /// The loops it is in, innermost first, and the loop it stands before.
    pub(super) fn loops(&self, program: &Program) -> Vec<StmtId> {
        let mut loops = Vec::new();
        for (nth, frame) in self.0.iter().enumerate().rev() {
            let Frame::Block(block, at) = frame else { continue };
            let Some(&stmt) = block.get(*at) else { continue };
            let is_top = nth + 1 == self.0.len();
            let is_inside = matches!(self.0.get(nth + 1), Some(Frame::While | Frame::Turn(_)));
            let is_loop = matches!(
                program.stmt(stmt).kind,
                StmtKind::While { .. }
                    | StmtKind::For(_)
                    | StmtKind::Foreach(_)
                    | StmtKind::Repeat { .. }
                    | StmtKind::Rounds { .. }
            );
            if is_loop && (is_top || is_inside) {
                loops.push(stmt);
            }
        }
        loops
    }

    /// The blocks still to be executed with the next statement in each, innermost first. A loop that it is in comes again as a whole.
    pub(super) fn rest(&self) -> impl Iterator<Item = (&Block, usize)> {
        self.0.iter().rev().filter_map(|frame| match frame {
            Frame::Block(block, at) => Some((block, *at)),
            _ => None,
        })
    }

    /// The same, up to the end of a round: messages of another round are others.
    pub(super) fn rest_of_round(&self, program: &Program) -> Vec<(&Block, usize)> {
        let mut rest = Vec::new();
        let mut is_turn = false;
        for frame in self.0.iter().rev() {
            match frame {
                Frame::Block(block, at) => {
                    let is_rounds = |stmt: &StmtId| matches!(program.stmt(*stmt).kind, StmtKind::Rounds { .. });
                    if is_turn && block.get(*at).is_some_and(is_rounds) {
                        break;
                    }
                    rest.push((block, *at));
                    is_turn = false;
                }
                Frame::Turn(_) => is_turn = true,
                Frame::While => is_turn = false,
            }
        }
        rest
    }

    /// Nothing comes after it.
    pub(super) fn finish(&mut self) {
        self.0.clear();
    }

    fn settle(&mut self) {
        loop {
            match self.0.last() {
                Some(Frame::Block(block, at)) if *at >= block.len() => {
                    self.0.pop();
                }
                // The body of a `while` is through: it is at the loop's head again.
                Some(Frame::While) => {
                    self.0.pop();
                    return;
                }
                _ => return,
            }
        }
    }
}
