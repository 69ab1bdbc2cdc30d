//! Expressions.

use super::*;

impl Lower<'_> {
    pub(super) fn expr(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let expr = self.nested(node, |this| this.expr_node(cursor)).unwrap_or(Expr::Missing);
        let span = self.span(node);
        self.nodes.add_expr(&mut self.spans, expr, span)
    }

    pub(super) fn expr_in(&mut self, field: Field, cursor: &mut TreeCursor<'_>) -> ExprId {
        let expr = self.one(field, cursor, Self::expr);
        let span = self.end_of(cursor.node());
        expr.unwrap_or_else(|| self.nodes.add_expr(&mut self.spans, Expr::Missing, span))
    }

    pub(super) fn args(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<ExprId> {
        let args = self.one(Field::Arguments, cursor, |this, cursor| this.each(Field::Argument, cursor, Self::expr));
        args.unwrap_or_default()
    }

    fn expr_node(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        match TABLE.kind(node) {
            _ if node.is_missing() => Expr::Missing,
            Kind::Identifier => Expr::Name(self.name(cursor)),
            Kind::Integer => Expr::Int(self.text_of(node).into()),
            Kind::Boolean => Expr::Bool(self.text_of(node) == "true"),
            Kind::Parenthesized => Expr::Paren(self.expr_in(Field::Value, cursor)),
            Kind::Tuple => Expr::Tuple(self.each(Field::Element, cursor, Self::expr)),
            Kind::Record => Expr::Record(self.each(Field::Field, cursor, Self::named_value)),
            Kind::Set => Expr::Set(self.each(Field::Element, cursor, Self::expr)),
            Kind::FieldAccess => {
                Expr::Field { value: self.expr_in(Field::Value, cursor), field: self.name_in(Field::Field, cursor) }
            }
            Kind::ElementAccess => {
                Expr::Element { value: self.expr_in(Field::Value, cursor), index: self.name_in(Field::Index, cursor) }
            }
            Kind::IndexAccess => {
                Expr::Index { value: self.expr_in(Field::Value, cursor), index: self.expr_in(Field::Index, cursor) }
            }
            Kind::Call => Expr::Call { function: self.name_in(Field::Function, cursor), args: self.args(cursor) },
            Kind::Unary => {
                let op = if self.token(Field::Operator, cursor) == "-" { UnaryOp::Minus } else { UnaryOp::Not };
                Expr::Unary { op, operand: self.expr_in(Field::Operand, cursor) }
            }
            Kind::Binary => self.binary(cursor),
            Kind::Quantifier => {
                let is_exists = self.token(Field::Quantifier, cursor) == "exists";
                let kind = if is_exists { Quantifier::Exists } else { Quantifier::Forall };
                let bound = self.each(Field::Bound, cursor, Self::typed_name);
                Expr::Quantifier { kind, bound, body: self.expr_in(Field::Body, cursor) }
            }
            Kind::Comprehension => {
                Expr::Comprehension { bound: self.bound_name(cursor), body: self.expr_in(Field::Body, cursor) }
            }
            _ => Expr::Missing,
        }
    }

    fn named_value(&mut self, cursor: &mut TreeCursor<'_>) -> (NameId, ExprId) {
        (self.name_in(Field::Name, cursor), self.expr_in(Field::Value, cursor))
    }

    fn binary(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        match binary_op(self.token(Field::Operator, cursor)) {
            Some(op) => Expr::Binary { op, left: self.expr_in(Field::Left, cursor), right: self.expr_in(Field::Right, cursor) },
            None => Expr::Missing,
        }
    }

    fn bound_name(&mut self, cursor: &mut TreeCursor<'_>) -> TypedName {
        match self.one(Field::Bound, cursor, Self::typed_name) {
            Some(bound) => bound,
            // The node has no such fields of its own, so both are holes.
            None => self.typed_name(cursor),
        }
    }
}

fn binary_op(text: &str) -> Option<BinaryOp> {
    Some(match text {
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Mod,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "<" => BinaryOp::Lt,
        ">" => BinaryOp::Gt,
        "<=" => BinaryOp::Le,
        ">=" => BinaryOp::Ge,
        "in" => BinaryOp::In,
        "subset" => BinaryOp::Subset,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        "==>" => BinaryOp::Implies,
        "<==>" => BinaryOp::Iff,
        _ => return None,
    })
}
