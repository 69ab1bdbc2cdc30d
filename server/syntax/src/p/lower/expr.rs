//! Expressions.

use smol_str::SmolStr;
use tree_sitter::{Node, TreeCursor};

use super::super::ast::*;
use super::super::kinds::{Field, Kind, TABLE};
use super::Lower;

impl Lower<'_> {
    pub(super) fn expr(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let expr = self.nested(node, |this| this.expr_node(cursor)).unwrap_or(Expr::Missing);
        let span = self.span(node);
        self.nodes.add_expr(&mut self.spans, expr, span)
    }

    pub(super) fn expr_or_missing(&mut self, expr: Option<ExprId>, node: Node<'_>) -> ExprId {
        let span = self.end_of(node);
        expr.unwrap_or_else(|| self.nodes.add_expr(&mut self.spans, Expr::Missing, span))
    }

    /// The expression in the field `body` or `condition`.
    pub(super) fn body_expr(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        let node = cursor.node();
        let mut found = None;
        self.children(cursor, |this, field, cursor| {
            if matches!(field, Field::Body | Field::Condition) {
                found = Some(this.expr(cursor));
            }
        });
        self.expr_or_missing(found, node)
    }

    pub(super) fn condition(&mut self, cursor: &mut TreeCursor<'_>) -> ExprId {
        self.body_expr(cursor)
    }

    pub(super) fn args(&mut self, cursor: &mut TreeCursor<'_>) -> Vec<ExprId> {
        let mut args = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == Field::Argument {
                args.push(this.expr(cursor));
            }
        });
        args
    }

    pub(super) fn name_and_args(&mut self, cursor: &mut TreeCursor<'_>) -> (NameId, Vec<ExprId>) {
        let node = cursor.node();
        let (mut name, mut args) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Function | Field::Interface => name = Some(this.name(cursor.node())),
            Field::Arguments => args = this.args(cursor),
            _ => {}
        });
        (self.name_or_missing(name, node), args)
    }

    pub(super) fn expr_node(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        match TABLE.kind(node) {
            Kind::Identifier if node.is_missing() => Expr::Missing,
            Kind::Identifier => Expr::Name(self.name(node)),
            Kind::Integer => Expr::Int(self.text_of(node).into()),
            Kind::Float => Expr::Float(self.tokens(cursor)),
            Kind::Boolean => Expr::Bool(self.text_of(node) == "true"),
            Kind::String => Expr::String(self.text_of(node).into()),
            Kind::Null => Expr::Null,
            Kind::Halt => Expr::Halt,
            Kind::This => Expr::This,
            Kind::Nondet => Expr::Nondet { fair: self.text_of(node) == "$$" },
            Kind::NegativeInteger => self.negative_integer(cursor),
            Kind::Tuple => Expr::Tuple(self.exprs_in(Field::Element, cursor)),
            Kind::NamedTuple => self.named_tuple(cursor),
            Kind::FieldAccess | Kind::ElementAccess | Kind::Is => self.suffixed(cursor),
            Kind::NewExpression => {
                let (interface, args) = self.name_and_args(cursor);
                Expr::New { interface, args }
            }
            Kind::CallExpression => {
                let (function, args) = self.name_and_args(cursor);
                Expr::Call { function, args }
            }
            Kind::Choose => Expr::Choose(self.exprs_in(Field::Argument, cursor).first().copied()),
            Kind::Format => self.format(cursor),
            Kind::DefaultValue | Kind::Cast => self.typed_expr(cursor),
            Kind::Quantifier => self.quantifier(cursor),
            kind => self.operator_expr(kind, cursor),
        }
    }

    /// The texts of the node's tokens, without what stands between them.
    fn tokens(&mut self, cursor: &mut TreeCursor<'_>) -> SmolStr {
        let mut tokens = String::new();
        self.children(cursor, |this, _, cursor| tokens.push_str(this.text_of(cursor.node())));
        tokens.into()
    }

    pub(super) fn exprs_in(&mut self, wanted: Field, cursor: &mut TreeCursor<'_>) -> Vec<ExprId> {
        let mut exprs = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field == wanted {
                exprs.push(this.expr(cursor));
            }
        });
        exprs
    }

    pub(super) fn negative_integer(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let mut operand = None;
        self.children(cursor, |this, _, cursor| {
            if cursor.node().is_named() {
                operand = Some(this.expr(cursor));
            }
        });
        Expr::Unary { op: UnaryOp::Minus, operand: self.expr_or_missing(operand, node) }
    }

    pub(super) fn named_tuple(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let mut fields = Vec::new();
        self.children(cursor, |this, field, cursor| {
            if field != Field::Field {
                return;
            }
            let node = cursor.node();
            let (mut name, mut value) = (None, None);
            this.children(cursor, |this, field, cursor| match field {
                Field::Name => name = Some(this.name(cursor.node())),
                Field::Value => value = Some(this.expr(cursor)),
                _ => {}
            });
            fields.push((this.name_or_missing(name, node), this.expr_or_missing(value, node)));
        });
        Expr::NamedTuple(fields)
    }

    pub(super) fn suffixed(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut value, mut name) = (None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Value => value = Some(this.expr(cursor)),
            Field::Index => name = Some(this.written(cursor.node())),
            Field::Field | Field::Kind => name = Some(this.name(cursor.node())),
            _ => {}
        });
        let value = self.expr_or_missing(value, node);
        let name = name.unwrap_or_else(|| self.missing_name(node.end_byte()));
        match TABLE.kind(node) {
            Kind::FieldAccess => Expr::Field { value, field: name },
            Kind::ElementAccess => Expr::Element { value, index: name },
            _ => Expr::Is { value, kind: name },
        }
    }

    pub(super) fn format(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut text, mut args) = (None, Vec::new());
        self.children(cursor, |this, field, cursor| match field {
            Field::Text => text = Some(this.expr(cursor)),
            Field::Argument => args.push(this.expr(cursor)),
            _ => {}
        });
        Expr::Format { text: self.expr_or_missing(text, node), args }
    }

    pub(super) fn typed_expr(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut value, mut operator, mut ty) = (None, "", None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Value => value = Some(this.expr(cursor)),
            Field::Operator => operator = cursor.node().kind(),
            Field::Type => ty = Some(this.ty(cursor)),
            _ => {}
        });
        let ty = self.type_or_missing(ty, node);
        if TABLE.kind(node) == Kind::DefaultValue {
            return Expr::Default(ty);
        }
        let value = self.expr_or_missing(value, node);
        if operator == "as" { Expr::As { value, ty } } else { Expr::To { value, ty } }
    }

    pub(super) fn quantifier(&mut self, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut kind, mut is_new, mut bound, mut body) = (Quantifier::Forall, false, Vec::new(), None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Quantifier if cursor.node().kind() == "exists" => kind = Quantifier::Exists,
            Field::Bound => bound.push(this.typed_name(cursor)),
            Field::Body => body = Some(this.expr(cursor)),
            _ if cursor.node().kind() == "new" => is_new = true,
            _ => {}
        });
        Expr::Quantifier { kind, is_new, bound, body: self.expr_or_missing(body, node) }
    }

    /// Expressions made of an operator and one or two expressions.
    pub(super) fn operator_expr(&mut self, kind: Kind, cursor: &mut TreeCursor<'_>) -> Expr {
        let node = cursor.node();
        let (mut operator, mut first, mut second) = ("", None, None);
        self.children(cursor, |this, field, cursor| match field {
            Field::Operator | Field::Function => operator = cursor.node().kind(),
            Field::Value | Field::Left | Field::Operand | Field::Message | Field::Argument => {
                first = Some(this.expr(cursor));
            }
            Field::Index | Field::Right | Field::Target => second = Some(this.expr(cursor)),
            _ => {}
        });
        let first = self.expr_or_missing(first, node);
        match (kind, operator) {
            (Kind::Parenthesized, _) => Expr::Paren(first),
            (Kind::Message, "sent") => Expr::Sent(first),
            (Kind::Message, _) => Expr::Inflight(first),
            (Kind::Builtin, "keys") => Expr::Keys(first),
            (Kind::Builtin, "values") => Expr::Values(first),
            (Kind::Builtin, _) => Expr::Sizeof(first),
            (Kind::Unary, "-") => Expr::Unary { op: UnaryOp::Minus, operand: first },
            (Kind::Unary, _) => Expr::Unary { op: UnaryOp::Not, operand: first },
            (Kind::Targets, _) => Expr::Targets { message: first, target: self.expr_or_missing(second, node) },
            (Kind::IndexAccess, _) => Expr::Index { value: first, index: self.expr_or_missing(second, node) },
            (Kind::Binary, operator) => match binary_op(operator) {
                Some(op) => Expr::Binary { op, left: first, right: self.expr_or_missing(second, node) },
                None => Expr::Missing,
            },
            _ => Expr::Missing,
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
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "&&" => BinaryOp::And,
        "||" => BinaryOp::Or,
        "==>" => BinaryOp::Implies,
        "<==>" => BinaryOp::Iff,
        _ => return None,
    })
}
