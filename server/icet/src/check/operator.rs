//! Operators with two operands.

use lockstep_syntax::icet::ast::{self, BinaryOp, ExprId};

use super::expr::Typed;
use super::{Checker, More, codes};
use crate::program::{Expr, Type};
use crate::types::{comparable, fits, is_unknown, join, overlapping, unknown};

impl Checker<'_> {
    pub(super) fn binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId, hint: Option<&Type>) -> Typed {
        use BinaryOp::*;
        self.warn_of_chain(id, op, left);
        let (left, right, ty) = match op {
            And | Or | Implies | Iff => (self.value(left, &Type::Bool), self.value(right, &Type::Bool), Type::Bool),
            Lt | Gt | Le | Ge => (self.value(left, &Type::Int), self.value(right, &Type::Int), Type::Bool),
            Div | Mod => (self.value(left, &Type::Int), self.value(right, &Type::Int), Type::Int),
            Mul | Add | Sub => self.numbers_or_sets(op, left, right, hint),
            In => self.member(left, right),
            Subset => self.subset(left, right),
            Eq | Ne => self.equality(left, right),
        };
        let ghost = left.ghost.or(right.ghost);
        Typed { expr: Expr::Binary(op, Box::new(left.expr), Box::new(right.expr)), ty, ghost }
    }

    fn warn_of_chain(&mut self, id: ExprId, op: BinaryOp, left: ExprId) {
        let is_chain = op == BinaryOp::Implies && is_implication(&self.item.nodes[left]);
        // Said once, for the longest chain.
        let is_inner = self.around.chain == Some(id);
        self.around.chain = is_chain.then_some(left);
        if is_chain && !is_inner {
            self.warning(codes::IMPLICATIONS, self.range(id), "`a ==> b ==> c` means `(a ==> b) ==> c` here")
                .help("write the parentheses that you mean");
        }
    }

    fn numbers_or_sets(&mut self, op: BinaryOp, left: ExprId, right: ExprId, hint: Option<&Type>) -> (Typed, Typed, Type) {
        let (left_id, right_id) = (left, right);
        let (left, right) = self.pair(left, right, hint);
        let sets = &self.program.sets;
        let ty = match (&left.ty, &right.ty) {
            (Type::Set(_), Type::Set(_)) if op == BinaryOp::Add => join(sets, &left.ty, &right.ty),
            (Type::Set(_), Type::Set(_)) if !overlapping(sets, &left.ty, &right.ty) => None,
            (Type::Set(_), Type::Set(_)) => {
                let is_right = op == BinaryOp::Mul && fits(sets, &right.ty, &left.ty) && !fits(sets, &left.ty, &right.ty);
                Some(if is_right { right.ty.clone() } else { left.ty.clone() })
            }
            (Type::Set(_), other) | (other, Type::Set(_)) if is_unknown(other) => Some(unknown()),
            (Type::Set(_), _) | (_, Type::Set(_)) => None,
            _ => {
                let wrong = [(left_id, &left.ty), (right_id, &right.ty)].into_iter().find(|(_, ty)| !fits(sets, ty, &Type::Int));
                if let Some((id, ty)) = wrong {
                    let message = format!("this has to be `int` or a set, and it is {}", self.describe(ty));
                    self.error(codes::TYPE, self.range(id), message);
                    return (left, right, unknown());
                }
                Some(Type::Int)
            }
        };
        let ty = ty.unwrap_or_else(|| {
            self.mismatch(right_id, &left, &right);
            unknown()
        });
        (left, right, ty)
    }

    fn mismatch(&mut self, right_id: ExprId, left: &Typed, right: &Typed) {
        let (left, right) = (self.describe(&left.ty), self.describe(&right.ty));
        let message = format!("this is {right}, and the other side is {left}");
        self.error(codes::TYPE, self.range(right_id), message);
    }

    /// `x in S`
    fn member(&mut self, value: ExprId, set: ExprId) -> (Typed, Typed, Type) {
        let set_id = set;
        // The set says more about its elements than an element that is written out.
        let is_late = self.is_literal(value);
        let (value, set) = if is_late {
            let set = self.expr(set, None);
            let hint = element(&set.ty);
            (self.expr(value, hint.as_ref()), set)
        } else {
            let value = self.expr(value, None);
            let hint = Type::Set(Box::new(value.ty.clone()));
            (value, self.expr(set, Some(&hint)))
        };
        match &set.ty {
            Type::Set(element) if overlapping(&self.program.sets, &value.ty, element) => {}
            ty if is_unknown(ty) => {}
            Type::Set(_) => {
                let message = format!("this is {} and can have no {}", self.describe(&set.ty), self.describe(&value.ty));
                self.error(codes::TYPE, self.range(set_id), message);
            }
            ty => {
                let message = format!("only a set has members, and this is {}", self.describe(ty));
                self.error(codes::TYPE, self.range(set_id), message);
            }
        }
        (value, set, Type::Bool)
    }

    fn subset(&mut self, left: ExprId, right: ExprId) -> (Typed, Typed, Type) {
        let any = Type::Set(Box::new(unknown()));
        let ids = [left, right];
        let (left, right) = self.pair(left, right, None);
        let mut is_right = true;
        for (id, operand) in ids.into_iter().zip([&left, &right]) {
            if !fits(&self.program.sets, &operand.ty, &any) {
                let message = format!("`subset` compares two sets, and this is {}", self.describe(&operand.ty));
                self.error(codes::TYPE, self.range(id), message);
                is_right = false;
            }
        }
        if is_right && !overlapping(&self.program.sets, &left.ty, &right.ty) {
            self.mismatch(ids[1], &left, &right);
        }
        (left, right, Type::Bool)
    }

    fn equality(&mut self, left: ExprId, right: ExprId) -> (Typed, Typed, Type) {
        let right_id = right;
        let (left, right) = self.pair(left, right, None);
        if !comparable(&self.program.sets, &left.ty, &right.ty) {
            self.mismatch(right_id, &left, &right);
        }
        (left, right, Type::Bool)
    }

    /// Two operands of the same kind: what one of them says about its type helps to read the other.
    fn pair(&mut self, left: ExprId, right: ExprId, hint: Option<&Type>) -> (Typed, Typed) {
        if self.is_literal(left) && !self.is_literal(right) {
            let right = self.expr(right, hint);
            let left = self.expr(left, Some(&right.ty));
            (left, right)
        } else {
            let left = self.expr(left, hint);
            let right = self.expr(right, Some(&left.ty));
            (left, right)
        }
    }

    /// Whether it is a value written out, of which the order of fields may not be known.
    fn is_literal(&self, mut id: ExprId) -> bool {
        while let ast::Expr::Paren(inner) = &self.item.nodes[id] {
            id = *inner;
        }
        matches!(self.item.nodes[id], ast::Expr::Tuple(_) | ast::Expr::Record(_) | ast::Expr::Set(_))
    }
}

fn is_implication(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Binary { op: BinaryOp::Implies, .. })
}

fn element(set: &Type) -> Option<Type> {
    match set {
        Type::Set(element) => Some((**element).clone()),
        _ => None,
    }
}
