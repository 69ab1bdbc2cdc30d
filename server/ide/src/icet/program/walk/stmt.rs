//! Statements.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::icet::ast::{Block, Claim, Condition, ExprId, NameId, Reception, SetLoop, Source, Stmt, StmtId};

use super::super::{NameKind, Role, Ty};
use super::Walk;

impl Walk<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt(*stmt));
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let item = self.item;
        match &item.nodes[id] {
            Stmt::Assign { target, value } => {
                let ty = self.pattern(*target);
                self.expr(*value, ty);
            }
            Stmt::Send { message, args, target } => {
                let found = self.name(*message, Role::Send);
                self.args(found, args);
                self.expr(*target, Ty::Unknown);
            }
            Stmt::Receive { reception, timeout } => {
                self.reception(reception);
                timeout.iter().for_each(|block| self.block(block));
            }
            Stmt::Pick { target, set } => {
                self.written_place(*target);
                self.expr(*set, Ty::Unknown);
            }
            Stmt::Havoc { target } => _ = self.written_place(*target),
            Stmt::Assume { condition } | Stmt::Assert { condition, .. } => _ = self.expr(*condition, Ty::Unknown),
            Stmt::Invariant(claim) => self.claim(*claim),
            Stmt::Missing | Stmt::Break | Stmt::Skip | Stmt::Fail { .. } => {}
            control => self.control(control, item.spans[id].end() + self.start),
        }
    }

    /// Statements with blocks; `end` is where the statement ends.
    fn control(&mut self, stmt: &Stmt, end: TextSize) {
        match stmt {
            Stmt::Select { cases, timeout } => {
                for case in cases {
                    self.reception(&case.reception);
                    self.block(&case.body);
                }
                timeout.iter().for_each(|block| self.block(block));
            }
            Stmt::If { condition, then, otherwise } => {
                self.condition(*condition);
                self.block(then);
                self.block(otherwise);
            }
            Stmt::Match { value, cases, default } => {
                self.expr(*value, Ty::Unknown);
                for case in cases {
                    self.name(case.element, Role::Case);
                    case.patterns.iter().for_each(|pattern| _ = self.pattern(*pattern));
                    self.block(&case.body);
                }
                default.iter().for_each(|block| self.block(block));
            }
            Stmt::Choose { branches } => branches.iter().for_each(|block| self.block(block)),
            Stmt::While { condition, invariants, body } => {
                self.condition(*condition);
                self.loop_body(invariants, body);
            }
            Stmt::For(set_loop) | Stmt::Foreach(set_loop) => {
                let SetLoop { member, done, invariants, body } = set_loop;
                let mark = self.mark();
                let ty = self.member(member.variable, member.set, end);
                if let Some(done) = done {
                    let set = self.item.spans[member.set] + self.start;
                    self.local(*done, NameKind::DoneSet, self.from(*done, end), ty, Some(set));
                }
                self.loop_body(invariants, body);
                self.leave(mark);
            }
            Stmt::Parallel { member, body } => {
                let mark = self.mark();
                self.member(member.variable, member.set, end);
                self.block(body);
                self.leave(mark);
            }
            Stmt::Repeat { count, index, invariants, body } => {
                self.counted(Some(*count), *index, end, invariants, body);
            }
            Stmt::Rounds { count, index, invariants, body } => self.counted(*count, Some(*index), end, invariants, body),
            Stmt::Atomic(body) => self.block(body),
            _ => {}
        }
    }

    /// The head of a loop over a set, whose type is given. The variable is known behind it.
    fn member(&mut self, variable: Option<NameId>, set: ExprId, end: TextSize) -> Ty {
        let ty = self.expr(set, Ty::Unknown);
        if let Some(variable) = variable {
            let set = self.item.spans[set] + self.start;
            let scope = TextRange::new(set.end(), end.max(set.end()));
            self.local(variable, NameKind::Member, scope, self.program.element(ty), Some(set));
        }
        ty
    }

    fn counted(&mut self, count: Option<ExprId>, index: Option<NameId>, end: TextSize, invariants: &[Claim], body: &Block) {
        let mark = self.mark();
        count.iter().for_each(|count| _ = self.expr(*count, Ty::Unknown));
        if let Some(index) = index {
            let count = count.map(|count| self.item.spans[count] + self.start);
            self.local(index, NameKind::Index, self.from(index, end), Ty::Unknown, count);
        }
        self.loop_body(invariants, body);
        self.leave(mark);
    }

    fn loop_body(&mut self, invariants: &[Claim], body: &Block) {
        invariants.iter().for_each(|claim| self.claim(*claim));
        self.block(body);
    }

    fn condition(&mut self, condition: Condition) {
        if let Condition::Holds(condition) = condition {
            self.expr(condition, Ty::Unknown);
        }
    }

    fn reception(&mut self, reception: &Reception) {
        self.name(reception.message, Role::Receive);
        reception.patterns.iter().for_each(|pattern| _ = self.pattern(*pattern));
        reception.sender.iter().for_each(|sender| _ = self.name(*sender, Role::Write));
        if let Source::From(source) = reception.source {
            self.expr(source, Ty::Unknown);
        }
    }

    /// From a name to `end`.
    fn from(&self, name: NameId, end: TextSize) -> TextRange {
        let place = self.place(name);
        TextRange::new(place.start(), end.max(place.end()))
    }
}
