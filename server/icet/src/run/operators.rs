//! What the operators compute, and which integers a state knows.

use std::collections::BTreeSet;

use crate::program::BinaryOp;
use crate::run::eval::Trouble;
use crate::run::instance::Instance;
use crate::run::state::State;
use crate::run::value::Value;

/// All operators that evaluate both sides.
pub(super) fn binary(op: BinaryOp, left: Value, right: Value) -> Result<Value, Trouble> {
    match op {
        BinaryOp::Eq => return Ok(Value::Bool(left == right)),
        BinaryOp::Ne => return Ok(Value::Bool(left != right)),
        _ => {}
    }
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => ints(op, left, right),
        (Value::Bool(left), Value::Bool(right)) if op == BinaryOp::Iff => Ok(Value::Bool(left == right)),
        (element, Value::Set(set)) if op == BinaryOp::In => Ok(Value::Bool(set.binary_search(&element).is_ok())),
        (Value::Set(left), Value::Set(right)) => sets(op, &left, &right),
        _ => Err(Trouble::IllTyped),
    }
}

fn ints(op: BinaryOp, left: i128, right: i128) -> Result<Value, Trouble> {
    let number = match op {
        BinaryOp::Lt => return Ok(Value::Bool(left < right)),
        BinaryOp::Gt => return Ok(Value::Bool(left > right)),
        BinaryOp::Le => return Ok(Value::Bool(left <= right)),
        BinaryOp::Ge => return Ok(Value::Bool(left >= right)),
        BinaryOp::Div | BinaryOp::Mod if right == 0 => return Err(Trouble::DivisionByZero),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Mod => left.checked_rem(right),
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        _ => return Err(Trouble::IllTyped),
    };
    number.map(Value::Int).ok_or(Trouble::TooLarge)
}

fn sets(op: BinaryOp, left: &[Value], right: &[Value]) -> Result<Value, Trouble> {
    let is_right = |element: &&Value| right.binary_search(element).is_ok();
    Ok(match op {
        BinaryOp::Add => Value::set([left, right].concat()),
        BinaryOp::Sub => Value::Set(left.iter().filter(|element| !is_right(element)).cloned().collect()),
        BinaryOp::Mul => Value::Set(left.iter().filter(is_right).cloned().collect()),
        BinaryOp::Subset => Value::Bool(left.iter().all(|element| is_right(&element))),
        _ => return Err(Trouble::IllTyped),
    })
}

/// How many integers of a state quantifiers look at, so that they stay quick on states that hold many.
const MOST_INTS: usize = 64;

/// The integers that occur in the variables and constants, and their neighbours.
pub(super) fn ints_of(state: Option<&State>, vars: &[Value], instance: &Instance) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    let actors = state.iter().flat_map(|state| state.actors.iter().flat_map(|actor| &actor.vars));
    let mut todo = vars.iter().chain(&instance.consts).chain(actors).collect::<Vec<_>>();
    while let Some(value) = todo.pop() {
        match value {
            Value::Int(int) if found.len() < MOST_INTS => found.extend([int.saturating_sub(1), *int, int.saturating_add(1)]),
            Value::Element { args: parts, .. } | Value::Set(parts) | Value::Tuple(parts) => todo.extend(parts.iter()),
            Value::Map(map) => {
                todo.push(map.default());
                todo.extend(map.exceptions().iter().flat_map(|(key, value)| [key, value]));
            }
            _ => {}
        }
    }
    found
}
