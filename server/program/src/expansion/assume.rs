//! Computes assumptions about the parameters of tests.
//!
//! P's compiler does this with C#'s `int`: 32 bits, wrapping around without a word, both sides of `&&` and `||` always. The tests that
//! are kept must be the same, so it is done the same way here. What makes P's compiler stop, a division by zero, is an error.

use lockstep_syntax::p::ast::{BinaryOp, Expr, ExprId, Nodes, UnaryOp};
use smol_str::SmolStr;

use super::ParamValue;
use crate::problem::{Code, Problem};

/// An assumption in the order of computation, so that nesting costs no stack. `true` is 1.
pub(super) struct Assumption {
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    Constant(i32),
    Param(usize),
    Negate,
    Not,
    Binary(BinaryOp, ExprId),
}

impl Assumption {
    /// Of an expression that has been checked.
    pub(super) fn new(nodes: &Nodes, expr: ExprId, params: &[(SmolStr, Vec<ParamValue>)]) -> Self {
        let mut steps = Vec::new();
        // What is pushed last is computed last; turned around at the end.
        let mut open = vec![expr];
        while let Some(id) = open.pop() {
            match &nodes[id] {
                Expr::Paren(inner) => open.push(*inner),
                Expr::Bool(value) => steps.push(Step::Constant(i32::from(*value))),
                Expr::Int(digits) => steps.push(Step::Constant(digits.parse().unwrap_or_default())),
                Expr::Name(name) => {
                    let param = params.iter().position(|(param, _)| *param == nodes[*name].0);
                    steps.push(param.map_or(Step::Constant(0), Step::Param));
                }
                Expr::Unary { op, operand } => {
                    steps.push(if *op == UnaryOp::Minus { Step::Negate } else { Step::Not });
                    open.push(*operand);
                }
                Expr::Binary { op, left, right } => {
                    steps.push(Step::Binary(*op, id));
                    open.extend([*left, *right]);
                }
                // The check lets nothing else through.
                _ => steps.push(Step::Constant(0)),
            }
        }
        steps.reverse();
        Self { steps }
    }

    pub(super) fn len(&self) -> u64 {
        self.steps.len() as u64
    }

    /// Whether it holds for a combination of values.
    pub(super) fn holds<'db>(
        &self,
        params: &[(SmolStr, Vec<ParamValue>)],
        digits: impl Iterator<Item = usize>,
    ) -> Result<bool, Box<Problem<'db>>> {
        let values: Vec<ParamValue> = params.iter().zip(digits).map(|((_, values), digit)| values[digit]).collect();
        let mut stack: Vec<i32> = Vec::with_capacity(16);
        for step in &self.steps {
            let value = match *step {
                Step::Constant(value) => value,
                Step::Param(param) => match values[param] {
                    ParamValue::Bool(value) => i32::from(value),
                    ParamValue::Int(value) => i32::try_from(value).unwrap_or_default(),
                },
                Step::Negate => stack.pop().unwrap_or_default().wrapping_neg(),
                Step::Not => i32::from(stack.pop().unwrap_or_default() == 0),
                Step::Binary(op, id) => {
                    let (right, left) = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
                    match binary(op, left, right) {
                        Some(value) => value,
                        None => return Err(Box::new(failure(id, right, params, &values))),
                    }
                }
            };
            stack.push(value);
        }
        Ok(stack.pop() == Some(1))
    }
}

/// `None` for a division that C# refuses.
fn binary(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Sub => left.wrapping_sub(right),
        BinaryOp::Mul => left.wrapping_mul(right),
        BinaryOp::Div => left.checked_div(right)?,
        BinaryOp::Mod => left.checked_rem(right)?,
        BinaryOp::Eq => i32::from(left == right),
        BinaryOp::Ne => i32::from(left != right),
        BinaryOp::Lt => i32::from(left < right),
        BinaryOp::Le => i32::from(left <= right),
        BinaryOp::Gt => i32::from(left > right),
        BinaryOp::Ge => i32::from(left >= right),
        BinaryOp::And => i32::from(left != 0 && right != 0),
        BinaryOp::Or => i32::from(left != 0 || right != 0),
        BinaryOp::In | BinaryOp::Implies | BinaryOp::Iff => 0,
    })
}

fn failure<'db>(id: ExprId, divisor: i32, params: &[(SmolStr, Vec<ParamValue>)], values: &[ParamValue]) -> Problem<'db> {
    let what = if divisor == 0 { "this divides by zero" } else { "the result of this division is too large" };
    let shown = params.iter().zip(values).take(6).map(|((name, _), value)| match value {
        ParamValue::Bool(value) => format!("{name} = {value}"),
        ParamValue::Int(value) => format!("{name} = {value}"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let message = if shown.is_empty() { what.to_owned() } else { format!("{what} with {shown}") };
    Problem::new(Code::AssumeFails, id, message).with_help("both sides of `&&` and `||` are always computed")
}
