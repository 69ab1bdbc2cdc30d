//! Statements.

use tree_sitter::TreeCursor;

use super::super::ast::*;
use super::super::kinds::{Field, Kind, TABLE};
use super::Lower;

impl Lower<'_> {
    pub(super) fn block(&mut self, cursor: &mut TreeCursor<'_>) -> Block {
        let mut block = Block::default();
        self.children(cursor, |this, _, cursor| {
            if TABLE.kind(cursor.node()) == Kind::VariableDeclaration {
                block.vars.push(this.var(cursor));
            } else if cursor.node().is_named() && !cursor.node().is_error() {
                block.stmts.push(this.stmt(cursor));
            }
        });
        block
    }

    pub(super) fn stmt(&mut self, cursor: &mut TreeCursor<'_>) -> StmtId {
        let node = cursor.node();
        let stmt = self.nested(node, |this| this.stmt_node(cursor)).unwrap_or(Stmt::Missing);
        let span = self.span(node);
        self.nodes.add_stmt(&mut self.spans, stmt, span)
    }

    pub(super) fn stmt_node(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        match TABLE.kind(node) {
            Kind::Compound => Stmt::Compound(self.block(cursor).stmts),
            Kind::Break => Stmt::Break,
            Kind::Continue => Stmt::Continue,
            Kind::Empty => Stmt::Empty,
            Kind::Receive => self.receive(cursor),
            Kind::Goto => {
                let (mut target, mut payload) = (None, Vec::new());
                self.children(cursor, |this, field, cursor| match field {
                    Field::Target => target = Some(this.name(cursor.node())),
                    Field::Payload => payload.push(this.expr(cursor)),
                    _ => {}
                });
                Stmt::Goto { target: self.name_or_missing(target, node), payload }
            }
            Kind::NewStatement => {
                let (interface, args) = self.name_and_args(cursor);
                Stmt::New { interface, args }
            }
            Kind::CallStatement => {
                let (function, args) = self.name_and_args(cursor);
                Stmt::Call { function, args }
            }
            kind @ (Kind::While | Kind::Foreach | Kind::If) => self.control(kind, cursor),
            kind => self.simple_stmt(kind, cursor),
        }
    }

    pub(super) fn control(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        let (mut condition, mut variable, mut invariants) = (None, None, Vec::new());
        let (mut body, mut otherwise) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Condition | Field::Collection => condition = Some(this.expr(cursor)),
            Field::Variable => variable = Some(this.name(cursor.node())),
            Field::Invariant => invariants.push(this.condition(cursor)),
            Field::Body | Field::Then => body = Some(this.stmt(cursor)),
            Field::Else => otherwise = Some(this.stmt(cursor)),
            _ => {}
        });
        let condition = self.expr_or_missing(condition, node);
        let span = self.end_of(node);
        let body = body.unwrap_or_else(|| self.nodes.add_stmt(&mut self.spans, Stmt::Missing, span));
        match kind {
            Kind::While => Stmt::While { condition, body },
            Kind::If => Stmt::If { condition, then: body, otherwise },
            _ => {
                let variable = self.name_or_missing(variable, node);
                Stmt::Foreach { variable, collection: condition, invariants, body }
            }
        }
    }

    pub(super) fn simple_stmt(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Stmt {
        let node = cursor.node();
        let (mut first, mut second, mut key, mut payload) = (None, None, None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Condition | Field::Target => first = Some(this.expr(cursor)),
            Field::Message | Field::Value | Field::Event => second = Some(this.expr(cursor)),
            Field::Key => key = Some(this.expr(cursor)),
            Field::Payload => payload.push(this.expr(cursor)),
            _ => {}
        });
        match kind {
            Kind::Assert => Stmt::Assert { condition: self.expr_or_missing(first, node), message: second },
            Kind::Assume => Stmt::Assume { condition: self.expr_or_missing(first, node), message: second },
            Kind::Print => Stmt::Print { message: self.expr_or_missing(second, node) },
            Kind::Return => Stmt::Return { value: second },
            Kind::Raise => Stmt::Raise { event: self.expr_or_missing(second, node), payload },
            Kind::Announce => Stmt::Announce { event: self.expr_or_missing(second, node), payload },
            Kind::Assign | Kind::Insert | Kind::Remove | Kind::Send => {
                let target = self.expr_or_missing(first, node);
                let value = self.expr_or_missing(second, node);
                match kind {
                    Kind::Assign => Stmt::Assign { target, value },
                    Kind::Insert => Stmt::Insert { target, key, value },
                    Kind::Remove => Stmt::Remove { target, value },
                    _ => Stmt::Send { target, event: value, payload },
                }
            }
            _ => Stmt::Missing,
        }
    }

    pub(super) fn receive(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        let mut cases = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field != Field::Case {
                return;
            }
            let mut case = ReceiveCase { part: this.part(cursor.node()), events: vec![], param: None, block: Block::default() };
            this.children(cursor, |this, field, cursor| match field {
                Field::Event => case.events.push(this.event(cursor.node())),
                Field::Parameter => case.param = Some(this.typed_name(cursor)),
                Field::Body => case.block = this.block(cursor),
                _ => {}
            });
            cases.push(case);
        });
        Stmt::Receive { cases }
    }
}
