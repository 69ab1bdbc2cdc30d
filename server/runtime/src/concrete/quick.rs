//! The short way for what plain values mostly do: numbers are added and compared, parts of values are looked up.
//!
//! Does only what cannot go wrong and asks nothing, just as the long way through the domain would do it; where it does not know, nothing is done,
//! and the instruction goes that way. Every arm writes its result itself: one that could come from several places is copied byte by byte.

use crate::code::{Binary, Op, Operand, Root, Slot, Unary};
use crate::program::Program;
use crate::value::Value;

/// A copy of a value, put into a place. Most are numbers, which need not be asked who shares them.
macro_rules! give {
    ($value:expr, $put:expr) => {
        match $value {
            Value::Int(number) => {
                let number = *number;
                $put(Value::Int(number))
            }
            Value::Bool(truth) => {
                let truth = *truth;
                $put(Value::Bool(truth))
            }
            other => {
                let other = other.clone();
                $put(other)
            }
        }
    };
}

/// Runs an instruction that gives a value or sets a variable; nothing if that takes more than is known here.
#[inline(always)]
pub(super) fn run(program: &Program, op: &Op, slots: &mut [Value], fields: &mut [Value]) -> Option<()> {
    match op {
        Op::Binary { to, op, left, right } => match (see(program, slots, fields, *left)?, see(program, slots, fields, *right)?) {
            (Value::Int(left), Value::Int(right)) => {
                let (left, right) = (*left, *right);
                match arithmetic(*op, left, right) {
                    Some(number) => put(slots, *to, Value::Int(number)),
                    None => put(slots, *to, Value::Bool(comparison(*op, left, right)?)),
                }
            }
            (Value::Enum(_, left), Value::Enum(_, right)) => {
                let truth = comparison(*op, *left, *right)?;
                put(slots, *to, Value::Bool(truth))
            }
            _ => None,
        },
        Op::Copy { to, from } => give!(see(program, slots, fields, *from)?, |value| put(slots, *to, value)),
        Op::Store { target, from } if target.path.is_empty() => match target.root {
            Root::Slot(to) => give!(see(program, slots, fields, *from)?, |value| put(slots, to, value)),
            Root::Field(to) => give!(see(program, slots, fields, *from)?, |value| put(fields, Slot(to), value)),
        },
        Op::Index { to, collection, index } => {
            match (see(program, slots, fields, *collection)?, see(program, slots, fields, *index)?) {
                (Value::Seq(items), Value::Int(index)) => {
                    give!(items.get(usize::try_from(*index).ok()?)?, |value| put(slots, *to, value))
                }
                _ => None,
            }
        }
        Op::Field { to, tuple, field } => match see(program, slots, fields, *tuple)? {
            Value::Named(named) => {
                let place = program.field_place(named.names, *field)?;
                give!(named.items.get(place)?, |value| put(slots, *to, value))
            }
            _ => None,
        },
        Op::Element { to, tuple, index } => match see(program, slots, fields, *tuple)? {
            Value::Tuple(items) => give!(items.get(*index as usize)?, |value| put(slots, *to, value)),
            _ => None,
        },
        Op::Size { to, collection } => match see(program, slots, fields, *collection)? {
            Value::Seq(items) => {
                let size = i64::try_from(items.len()).ok()?;
                put(slots, *to, Value::Int(size))
            }
            _ => None,
        },
        Op::Unary { to, op: Unary::Not, operand } => match see(program, slots, fields, *operand)? {
            Value::Bool(truth) => {
                let truth = !*truth;
                put(slots, *to, Value::Bool(truth))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What can be done with any two numbers, which have 64 bits and wrap around.
#[inline]
pub(super) fn on_ints(op: Binary, a: i64, b: i64) -> Option<Value> {
    arithmetic(op, a, b).map(Value::Int).or_else(|| comparison(op, a, b).map(Value::Bool))
}

#[inline(always)]
fn arithmetic(op: Binary, a: i64, b: i64) -> Option<i64> {
    match op {
        Binary::Add => Some(a.wrapping_add(b)),
        Binary::Sub => Some(a.wrapping_sub(b)),
        Binary::Mul => Some(a.wrapping_mul(b)),
        _ => None,
    }
}

#[inline(always)]
fn comparison(op: Binary, a: i64, b: i64) -> Option<bool> {
    match op {
        Binary::Lt => Some(a < b),
        Binary::Le => Some(a <= b),
        Binary::Gt => Some(a > b),
        Binary::Ge => Some(a >= b),
        Binary::Eq => Some(a == b),
        Binary::Ne => Some(a != b),
        _ => None,
    }
}

#[inline(always)]
fn see<'a>(program: &'a Program, slots: &'a [Value], fields: &'a [Value], operand: Operand) -> Option<&'a Value> {
    match operand {
        Operand::Slot(slot) => slots.get(slot.0 as usize),
        Operand::Field(field) => fields.get(field as usize),
        Operand::Const(id) => program.constants.get(id.index()),
    }
}

#[inline(always)]
fn put(places: &mut [Value], to: Slot, value: Value) -> Option<()> {
    *places.get_mut(to.0 as usize)? = value;
    Some(())
}
