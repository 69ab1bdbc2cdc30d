//! Statements and patterns.

use super::*;

impl Lower<'_> {
    pub(super) fn block(&mut self, cursor: &mut TreeCursor<'_>) -> Block {
        self.each(Field::Statement, cursor, Self::stmt)
    }

    pub(super) fn missing_block(&mut self, node: Node<'_>) -> Block {
        let span = self.end_of(node);
        vec![self.nodes.add_stmt(&mut self.spans, Stmt::Missing, span)]
    }

    fn block_in(&mut self, field: Field, cursor: &mut TreeCursor<'_>) -> Block {
        let block = self.one(field, cursor, Self::block);
        block.unwrap_or_else(|| self.missing_block(cursor.node()))
    }

    /// The block in the field `body`, of a case or a loop.
    fn body_block(&mut self, cursor: &mut TreeCursor<'_>) -> Block {
        self.block_in(Field::Body, cursor)
    }

    pub(super) fn stmt(&mut self, cursor: &mut TreeCursor<'_>) -> StmtId {
        let node = cursor.node();
        let stmt = self.nested(node, |this| this.stmt_node(cursor)).unwrap_or(Stmt::Missing);
        let span = self.span(node);
        self.nodes.add_stmt(&mut self.spans, stmt, span)
    }

    fn stmt_node(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        match TABLE.kind(cursor.node()) {
            Kind::Assign => {
                Stmt::Assign { target: self.pattern_in(Field::Target, cursor), value: self.expr_in(Field::Value, cursor) }
            }
            Kind::Send => Stmt::Send {
                message: self.name_in(Field::Message, cursor),
                args: self.args(cursor),
                target: self.expr_in(Field::Target, cursor),
            },
            Kind::Receive => {
                Stmt::Receive { reception: self.reception(cursor), timeout: self.one(Field::Timeout, cursor, Self::block) }
            }
            Kind::Select => Stmt::Select {
                cases: self.each(Field::Case, cursor, Self::receive_case),
                timeout: self.one(Field::Timeout, cursor, Self::body_block),
            },
            Kind::Pick => Stmt::Pick { target: self.expr_in(Field::Target, cursor), set: self.expr_in(Field::Set, cursor) },
            Kind::Havoc => Stmt::Havoc { target: self.expr_in(Field::Target, cursor) },
            Kind::Assume => Stmt::Assume { condition: self.expr_in(Field::Condition, cursor) },
            Kind::Assert => Stmt::Assert { condition: self.expr_in(Field::Condition, cursor), message: self.message(cursor) },
            Kind::Invariant => Stmt::Invariant(self.claim(cursor)),
            Kind::Break => Stmt::Break,
            Kind::Skip => Stmt::Skip,
            Kind::Fail => Stmt::Fail { message: self.message(cursor) },
            _ => self.control(cursor),
        }
    }

    /// Statements that hold other statements.
    fn control(&mut self, cursor: &mut TreeCursor<'_>) -> Stmt {
        match TABLE.kind(cursor.node()) {
            Kind::If => Stmt::If {
                condition: self.condition(cursor),
                then: self.block_in(Field::Then, cursor),
                otherwise: self.one(Field::Else, cursor, Self::otherwise).unwrap_or_default(),
            },
            Kind::Match => Stmt::Match {
                value: self.expr_in(Field::Value, cursor),
                cases: self.each(Field::Case, cursor, Self::match_case),
                default: self.one(Field::Default, cursor, Self::body_block),
            },
            Kind::Choose => Stmt::Choose { branches: self.each(Field::Branch, cursor, Self::block) },
            Kind::While => Stmt::While {
                condition: self.condition(cursor),
                invariants: self.invariants(cursor),
                body: self.body_block(cursor),
            },
            Kind::For => Stmt::For(self.set_loop(cursor)),
            Kind::Foreach => Stmt::Foreach(self.set_loop(cursor)),
            Kind::Parallel => Stmt::Parallel { member: self.member(cursor), body: self.body_block(cursor) },
            Kind::Repeat => Stmt::Repeat {
                count: self.expr_in(Field::Count, cursor),
                index: self.one(Field::Index, cursor, Self::name),
                invariants: self.invariants(cursor),
                body: self.body_block(cursor),
            },
            Kind::Rounds => Stmt::Rounds {
                count: self.one(Field::Count, cursor, Self::expr),
                index: self.name_in(Field::Index, cursor),
                invariants: self.invariants(cursor),
                body: self.body_block(cursor),
            },
            Kind::Atomic => Stmt::Atomic(self.body_block(cursor)),
            _ => Stmt::Missing,
        }
    }

    fn reception(&mut self, cursor: &mut TreeCursor<'_>) -> Reception {
        Reception {
            message: self.name_in(Field::Message, cursor),
            patterns: self.patterns(cursor),
            sender: self.one(Field::Sender, cursor, Self::name),
            source: self.source(cursor),
        }
    }

    fn source(&mut self, cursor: &mut TreeCursor<'_>) -> Source {
        if self.is(Kind::Any, Field::Source, cursor) {
            return Source::Any;
        }
        Source::From(self.expr_in(Field::Source, cursor))
    }

    fn receive_case(&mut self, cursor: &mut TreeCursor<'_>) -> ReceiveCase {
        ReceiveCase { reception: self.reception(cursor), body: self.body_block(cursor) }
    }

    fn match_case(&mut self, cursor: &mut TreeCursor<'_>) -> MatchCase {
        MatchCase {
            element: self.name_in(Field::Element, cursor),
            patterns: self.patterns(cursor),
            body: self.body_block(cursor),
        }
    }

    fn condition(&mut self, cursor: &mut TreeCursor<'_>) -> Condition {
        if self.is(Kind::Nondet, Field::Condition, cursor) {
            return Condition::Nondet;
        }
        Condition::Holds(self.expr_in(Field::Condition, cursor))
    }

    /// A block, or another `if` in its place.
    fn otherwise(&mut self, cursor: &mut TreeCursor<'_>) -> Block {
        if TABLE.kind(cursor.node()) == Kind::Block { self.block(cursor) } else { vec![self.stmt(cursor)] }
    }

    fn set_loop(&mut self, cursor: &mut TreeCursor<'_>) -> SetLoop {
        SetLoop {
            member: self.member(cursor),
            done: self.one(Field::Done, cursor, Self::name),
            invariants: self.invariants(cursor),
            body: self.body_block(cursor),
        }
    }

    fn member(&mut self, cursor: &mut TreeCursor<'_>) -> Member {
        let is_unnamed = self.is(Kind::Wildcard, Field::Variable, cursor);
        let variable = if is_unnamed { None } else { Some(self.name_in(Field::Variable, cursor)) };
        Member { variable, set: self.expr_in(Field::Set, cursor) }
    }

    fn invariants(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<Claim> {
        self.each(Field::Invariant, cursor, Self::claim)
    }

    /// What an `assert` or `fail` says, as written.
    fn message(&mut self, cursor: &mut TreeCursor<'_>) -> Option<SmolStr> {
        self.one(Field::Message, cursor, |this, cursor| this.text_of(cursor.node()).into())
    }

    // ---- Patterns ----

    fn patterns(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<PatternId> {
        let patterns = self.one(Field::Patterns, cursor, |this, cursor| this.each(Field::Pattern, cursor, Self::pattern));
        patterns.unwrap_or_default()
    }

    fn pattern(&mut self, cursor: &mut TreeCursor<'_>) -> PatternId {
        let node = cursor.node();
        let pattern = self.nested(node, |this| this.pattern_node(cursor)).unwrap_or(Pattern::Missing);
        let span = self.span(node);
        self.nodes.add_pattern(&mut self.spans, pattern, span)
    }

    fn pattern_node(&mut self, cursor: &mut TreeCursor<'_>) -> Pattern {
        match TABLE.kind(cursor.node()) {
            _ if cursor.node().is_missing() => Pattern::Missing,
            Kind::Wildcard => Pattern::Wildcard,
            Kind::TuplePattern => Pattern::Tuple(self.each(Field::Element, cursor, Self::pattern)),
            _ => Pattern::Place(self.expr(cursor)),
        }
    }

    fn pattern_in(&mut self, field: Field, cursor: &mut TreeCursor<'_>) -> PatternId {
        let pattern = self.one(field, cursor, Self::pattern);
        let span = self.end_of(cursor.node());
        pattern.unwrap_or_else(|| self.nodes.add_pattern(&mut self.spans, Pattern::Missing, span))
    }
}
