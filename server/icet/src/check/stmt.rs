//! Statements, and what is around them.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::icet::ast::{self, ExprId, NameId, PatternId};
use smol_str::SmolStr;

use super::expr::Use;
use super::name::Global;
use super::{Checker, More, codes, next};
use crate::program::{Block, Condition, MessageId, ProcessId, Stmt, StmtId, StmtKind, Type};
use crate::stack;
use crate::types::fits;

/// What is around the statement or expression at hand.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) purpose: Use,
    pub(super) process: Option<ProcessId>,
    pub(super) is_sequential: bool,
    pub(super) loops: Vec<Loop>,
    /// The `atomic` around it.
    pub(super) atomic: Option<TextRange>,
    /// An implication on the left of another, which is part of a chain that was reported.
    pub(super) chain: Option<ExprId>,
    /// The last loop that never ends.
    pub(super) endless: Option<StmtId>,
}

pub(super) struct Loop {
    pub(super) kind: LoopKind,
    pub(super) range: TextRange,
    pub(super) has_break: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopKind {
    While,
    /// Goes over a set or counts.
    Over,
    Rounds,
}

impl Checker<'_> {
    pub(super) fn begin_code(&mut self, process: Option<ProcessId>) {
        self.around = Surroundings { process, is_sequential: process.is_none(), ..Surroundings::default() };
    }

    pub(super) fn block(&mut self, stmts: &[ast::StmtId]) -> Block {
        let mut block = Vec::new();
        let mut is_reported = false;
        for (at, id) in stmts.iter().enumerate() {
            let stmt = self.stmt(*id);
            block.push(stmt);
            let following = stmts.get(at + 1).zip(stmts.last());
            if let Some((first, last)) = following
                && self.around.endless == Some(stmt)
                && !is_reported
            {
                is_reported = true;
                let range = TextRange::new(self.range(*first).start(), self.range(*last).end());
                let length = if matches!(self.item.nodes[*id], ast::Stmt::While { .. }) { "while" } else { "rounds" }.len();
                let endless = self.word(self.program.stmt(stmt).range, length);
                let warning = self.warning(codes::UNREACHABLE, range, "this is never reached");
                warning.help("the loop before it has no end: write a `break`, or leave this out");
                warning.related(endless, "this loop goes on for ever");
                warning.is_unused = true;
            }
        }
        block.into()
    }

    fn stmt(&mut self, id: ast::StmtId) -> StmtId {
        // Numbered before what is inside of it, so that numbers follow the text.
        let stmt = StmtId(next(self.program.stmts.len()));
        let (range, process) = (self.range(id), self.around.process);
        self.program.stmts.push(Stmt { kind: StmtKind::Skip, range, process });
        let kind = stack::level(|| self.stmt_kind(id, stmt));
        self.program.stmts[stmt.index()].kind = kind;
        stmt
    }

    fn stmt_kind(&mut self, id: ast::StmtId, stmt: StmtId) -> StmtKind {
        let range = self.range(id);
        match &self.item.nodes[id] {
            ast::Stmt::Missing => self.missing_stmt(),
            ast::Stmt::Assign { target, value } => self.assign(*target, *value),
            ast::Stmt::Send { message, args, target } => self.send(range, *message, args, *target),
            ast::Stmt::Receive { reception, timeout } => self.receive(range, reception, timeout.as_ref()),
            ast::Stmt::Select { cases, timeout } => self.select(range, cases, timeout.as_ref()),
            ast::Stmt::If { condition, then, otherwise } => {
                let condition = self.branch_condition(*condition);
                StmtKind::If { condition, then: self.block(then), otherwise: self.block(otherwise) }
            }
            ast::Stmt::Match { value, cases, default } => self.match_stmt(range, *value, cases, default.as_ref()),
            ast::Stmt::Choose { branches } => {
                StmtKind::Choose { branches: branches.iter().map(|branch| self.block(branch)).collect() }
            }
            ast::Stmt::While { condition, invariants, body } => self.while_loop(stmt, *condition, invariants, body),
            ast::Stmt::For(set_loop) => self.for_loop(range, set_loop),
            ast::Stmt::Foreach(set_loop) => self.foreach_loop(range, set_loop),
            ast::Stmt::Parallel { member, body } => self.parallel(range, *member, body),
            ast::Stmt::Repeat { count, index, invariants, body } => self.repeat(range, *count, *index, invariants, body),
            ast::Stmt::Rounds { count, index, invariants, body } => self.rounds(stmt, *count, *index, invariants, body),
            ast::Stmt::Break => self.break_stmt(range),
            ast::Stmt::Pick { target, set } => self.pick(*target, *set),
            ast::Stmt::Havoc { target } => match self.place(*target) {
                Some(target) => StmtKind::Havoc { target: target.place },
                None => StmtKind::Skip,
            },
            ast::Stmt::Assume { condition } => StmtKind::Assume(self.condition(*condition)),
            ast::Stmt::Assert { condition, message } => {
                StmtKind::Assert { condition: self.condition(*condition), message: message.as_deref().map(unquoted) }
            }
            ast::Stmt::Invariant(claim) => StmtKind::Invariant(self.claim(*claim)),
            ast::Stmt::Atomic(body) => self.atomic(range, body),
            ast::Stmt::Skip => StmtKind::Skip,
            ast::Stmt::Fail { message } => StmtKind::Fail { message: message.as_deref().map(unquoted) },
        }
    }

    fn missing_stmt(&mut self) -> StmtKind {
        self.has_holes = true;
        StmtKind::Skip
    }

    fn assign(&mut self, target: PatternId, value: ExprId) -> StmtKind {
        let is_tuple = matches!(self.item.nodes[target], ast::Pattern::Tuple(_));
        let target = self.pattern(target);
        let typed = self.expr(value, Some(&target.ty));
        if is_tuple {
            self.check_stored(self.range(value), &target, &typed.ty);
        } else if !fits(&self.program.sets, &typed.ty, &target.ty) {
            self.wrong_type(self.range(value), &target.ty, &typed.ty);
        }
        if !target.is_ghost {
            self.no_ghost(&typed, "a value for a variable that is not ghost");
        }
        StmtKind::Assign { target: target.place, value: typed.expr }
    }

    fn send(&mut self, range: TextRange, message: NameId, args: &[ExprId], target: ExprId) -> StmtKind {
        self.not_in_sequential(range, "send");
        let found = self.message(message);
        let payload = found.map(|found| self.program.message(found).payload.clone());
        if let Some(payload) = &payload {
            self.check_count(message, "value", args.len(), payload.len());
        }
        if let Some(found) = found {
            self.note_sent(found, self.range(message));
        }
        let (args, ghost) = self.args(args, payload.as_deref().unwrap_or(&[]));
        if let Some(ghost) = ghost {
            let mut carried = super::expr::Typed::unknown();
            carried.ghost = Some(ghost);
            self.no_ghost(&carried, "what a message carries");
        }
        let target_range = self.range(target);
        let target = self.expr(target, None);
        self.no_ghost(&target, "the receiver of a message");
        if !fits(&self.program.sets, &target.ty, &Type::Pid(crate::program::Whose::Anybody)) {
            let message = format!("a message is sent to a process, and this is {}", self.describe(&target.ty));
            let is_set = matches!(target.ty, Type::Set(_));
            let error = self.error(codes::TARGET, target_range, message);
            if is_set {
                error.help("send to each of its members: `for x in ... { send ... to x; }`");
            }
        }
        match found {
            Some(message) => StmtKind::Send { message, args, target: target.expr },
            None => StmtKind::Skip,
        }
    }

    pub(super) fn message(&mut self, name: NameId) -> Option<MessageId> {
        match self.global(name, "a message", |global| matches!(global, Global::Message(_)))? {
            Global::Message(message) => Some(message),
            _ => None,
        }
    }

    pub(super) fn branch_condition(&mut self, condition: ast::Condition) -> Condition {
        match condition {
            ast::Condition::Nondet => Condition::Either,
            ast::Condition::Holds(condition) => Condition::Holds(self.run_condition(condition)),
        }
    }

    fn pick(&mut self, target: ExprId, set: ExprId) -> StmtKind {
        let target = self.place(target);
        let (set_id, set) = (set, self.expr(set, None));
        if target.as_ref().is_none_or(|target| !target.is_ghost) {
            self.no_ghost(&set, "a value for a variable that is not ghost");
        }
        let element = self.element_of(set_id, &set, "pick");
        let Some(target) = target else { return StmtKind::Skip };
        if !fits(&self.program.sets, &element, &target.ty) {
            let (found, wanted) = (self.describe(&element), self.describe(&target.ty));
            let message = format!("the set has members {found}, and the variable is {wanted}");
            self.error(codes::TYPE, self.range(set_id), message);
        }
        StmtKind::Pick { target: target.place, set: set.expr }
    }

    fn atomic(&mut self, range: TextRange, body: &ast::Block) -> StmtKind {
        let word = self.word(range, "atomic".len());
        if let Some(outer) = self.around.atomic {
            self.error(codes::ATOMIC, word, "this is inside of an `atomic` block already")
                .help("leave out the inner `atomic`")
                .related(outer, "the outer block");
        }
        let outer = self.around.atomic.replace(word);
        let body = self.block(body);
        self.around.atomic = outer;
        StmtKind::Atomic(body)
    }

    /// Reports what processes do in the sequential block.
    pub(super) fn not_in_sequential(&mut self, range: TextRange, word: &str) {
        if self.around.is_sequential {
            let range = self.word(range, word.len());
            self.error(codes::MISPLACED, range, format!("`{word}` cannot stand in `sequential`"))
                .help("the sequential block assigns to the variables of processes directly: `p.x = e;`");
        }
    }

    /// The first word of a statement.
    pub(super) fn word(&self, range: TextRange, length: usize) -> TextRange {
        let length = TextSize::try_from(length).unwrap_or_default();
        TextRange::at(range.start(), length.min(range.len()))
    }
}

/// What a string says: without its quotes, and without what protects characters in it.
fn unquoted(text: &str) -> SmolStr {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut said = String::new();
    let mut is_protected = false;
    for char in inner.chars() {
        if char == '\\' && !is_protected {
            is_protected = true;
        } else {
            is_protected = false;
            said.push(char);
        }
    }
    said.into()
}
