//! Expressions whose value is known beforehand, or that P cannot run.

use lockstep_syntax::p::ast::{BinaryOp, Expr, ExprId, Type, UnaryOp};

use super::BodyLint;
use super::generated::{event_as_type, string_problem};
use super::tree::{is_fleeting, is_same_expr, strip};
use crate::problem::{Code, Problem};

impl BodyLint<'_, '_> {
    pub(super) fn expressions(&mut self) {
        let body = self.body;
        for (id, expr) in body.nodes.exprs.iter() {
            match expr {
                Expr::Binary { op, left, right } => self.binary(id, *op, *left, *right),
                Expr::Choose(Some(argument)) => self.choose(*argument),
                Expr::String(literal) if self.is_for_checking() => {
                    if let Some((code, message)) = string_problem(literal) {
                        self.report(code, id, message);
                    }
                }
                Expr::Float(text) if text.starts_with("float") => {
                    let problem = Problem::new(Code::FloatPair, id, "P's compiler crashes on numbers written with `float(...)`");
                    self.push(problem.with_help("write a number with a point, such as `1.5`"));
                }
                _ => {}
            }
        }
        if self.is_for_checking() {
            for (id, ty) in body.nodes.types.iter() {
                if let Type::Named(name) = ty
                    && let Some(message) = event_as_type(self.db, self.project, self.name(*name))
                {
                    self.report(Code::EventAsType, id, message);
                }
            }
        }
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) {
        let nodes = &self.body.nodes;
        let value = match op {
            BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge => "always holds",
            BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt => "never holds",
            BinaryOp::And | BinaryOp::Or => "says the same twice",
            BinaryOp::Div | BinaryOp::Mod => return self.divide(id, right),
            BinaryOp::Implies | BinaryOp::Iff if self.is_for_checking() => {
                let sign = if op == BinaryOp::Implies { "==>" } else { "<==>" };
                let problem =
                    Problem::new(Code::VerifierOnly, id, format!("`{sign}` is for the verifier: P's compiler crashes on it"));
                let help = if op == BinaryOp::Implies { "write `!a || b`" } else { "write `a == b`" };
                return self.push(problem.with_help(help));
            }
            _ => return,
        };
        if is_same_expr(nodes, left, right) && !is_fleeting(nodes, left) {
            self.report(Code::SelfComparison, id, format!("this {value}: both sides are the same"));
        }
    }

    fn divide(&mut self, id: ExprId, right: ExprId) {
        let nodes = &self.body.nodes;
        // Floats divided by zero give a value.
        if let Expr::Int(digits) = &nodes[strip(nodes, right)]
            && digits.bytes().all(|digit| digit == b'0')
        {
            self.report(Code::DivisionByZero, id, "this divides by zero: a run that comes here fails");
        }
    }

    fn choose(&mut self, argument: ExprId) {
        let nodes = &self.body.nodes;
        let message = match &nodes[strip(nodes, argument)] {
            Expr::Int(digits) if digits.bytes().all(|digit| digit == b'0') => {
                "there is nothing to choose: `choose(0)` is always 0"
            }
            Expr::Unary { op: UnaryOp::Minus, operand } if matches!(nodes[*operand], Expr::Int(_)) => {
                "a negative number of choices: a run that comes here fails"
            }
            Expr::Default(ty) if matches!(nodes[*ty], Type::Seq(_) | Type::Set(_) | Type::Map(..)) => {
                "there is nothing to choose from an empty collection: a run that comes here fails"
            }
            _ => return,
        };
        self.report(Code::ChooseNothing, argument, message);
    }
}
