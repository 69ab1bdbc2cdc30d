//! Plain values as a domain.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::code::{Binary, Conversion, Piece, Unary};
use crate::domain::{Addressee, Choice, Domain, Stop};
use crate::failure::{Fault, Limit};
use crate::identity::MachineId;
use crate::local::Local;
use crate::program::{EventId, EventSetId, InterfaceId, NamesId, Program, Type, TypeId};
use crate::run::{Choices, Effect};
use crate::value::{Change, Items, Named, PathStep, Reference, Shown, Value, as_p_prints};

/// The most possibilities that `choose` takes.
const MOST_CHOICES: usize = 10_000;

/// Computes with plain values and asks `choices` where P leaves it open.
pub struct Concrete<'a, W = Unwatched> {
    program: &'a Program,
    choices: &'a mut dyn Choices,
    watcher: W,
}

/// Who looks on while a machine runs, such as a debugger. It changes nothing.
pub trait Watcher {
    /// The machine before an instruction, and what it has done to others so far in this run.
    fn watch(&mut self, local: &Local, effects: &[Effect]);
}

/// Nobody: it costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn watch(&mut self, _: &Local, _: &[Effect]) {}
}

impl<'a> Concrete<'a> {
    pub fn new(program: &'a Program, choices: &'a mut dyn Choices) -> Self {
        Self { program, choices, watcher: Unwatched }
    }
}

impl<'a, W: Watcher> Concrete<'a, W> {
    /// The same, and somebody looks on.
    pub fn watched(program: &'a Program, choices: &'a mut dyn Choices, watcher: W) -> Self {
        Self { program, choices, watcher }
    }

    fn wrong(&self, value: &Value, wanted: &str) -> Stop {
        match value {
            Value::Null => Fault::NullValue.into(),
            _ => Fault::wrong_kind(self.program, value, wanted).into(),
        }
    }

    /// One of the possibilities, as `choices` says.
    fn pick(&mut self, among: Option<&Value>, is_fair: bool) -> Result<Value, Stop> {
        match among {
            None => Ok(Value::Bool(self.ask(2, is_fair)? == 1)),
            Some(Value::Int(count)) => {
                let count = usize::try_from(*count).map_err(|_| Fault::ChooseNegative { count: *count })?;
                // There is one possibility below zero: zero.
                let answer = self.ask_among(count.max(1), "range", is_fair)?;
                Ok(Value::Int(i64::try_from(answer).unwrap_or_default()))
            }
            Some(Value::Seq(items)) => {
                let answer = self.ask_among(items.len(), "sequence", is_fair)?;
                Ok(items.get(answer).cloned().unwrap_or(Value::Null))
            }
            Some(Value::Set(table)) => {
                let answer = self.ask_among(table.len(), "set", is_fair)?;
                Ok(table.nth_key(answer).cloned().unwrap_or(Value::Null))
            }
            Some(Value::Map(table)) => {
                let answer = self.ask_among(table.len(), "map", is_fair)?;
                Ok(table.nth_key(answer).cloned().unwrap_or(Value::Null))
            }
            Some(other) => Err(self.wrong(other, "a number or a collection")),
        }
    }

    fn ask(&mut self, options: usize, is_fair: bool) -> Result<usize, Stop> {
        let choice = Choice { options: u32::try_from(options).unwrap_or(u32::MAX), is_fair };
        self.choices.choose(choice).map(|answer| answer as usize).ok_or(Stop::Choice(choice))
    }

    fn ask_among(&mut self, count: usize, collection: &'static str, is_fair: bool) -> Result<usize, Stop> {
        match count {
            0 => Err(Fault::ChooseEmpty { collection }.into()),
            _ if count > MOST_CHOICES => Err(Fault::ChooseTooMany { count: count as u64 }.into()),
            _ => self.ask(count, is_fair),
        }
    }

    fn sized(value: Value) -> Result<Value, Stop> {
        if value.is_too_large() { Err(Stop::Limit(Limit::ValueSize)) } else { Ok(value) }
    }

    /// The value as one of this type; `None` if it is none. Only the outermost kind counts, as in P.
    fn as_type(&self, value: &Value, ty: TypeId) -> Option<Value> {
        let fits = match (self.program.ty(ty), value) {
            (Type::Int, Value::Int(_) | Value::Enum(..)) => return value.number().map(Value::Int),
            (Type::Enum(id), Value::Int(_) | Value::Enum(..)) => return value.number().map(|number| Value::Enum(*id, number)),
            (Type::Bool | Type::Int | Type::Float | Type::String | Type::Enum(_), Value::Null) => false,
            (_, Value::Null) => true,
            (Type::Any | Type::Foreign(_) | Type::Null, _) => true,
            (Type::Bool, value) => matches!(value, Value::Bool(_)),
            (Type::Float, value) => matches!(value, Value::Float(_)),
            (Type::String, value) => matches!(value, Value::String(_)),
            (Type::Event, value) => matches!(value, Value::Event(_)),
            (Type::Machine, value) => matches!(value, Value::Machine(_)),
            (Type::Seq(_), value) => matches!(value, Value::Seq(_)),
            (Type::Set(_), value) => matches!(value, Value::Set(_)),
            (Type::Map(..), value) => matches!(value, Value::Map(_)),
            (Type::Tuple(_), value) => matches!(value, Value::Tuple(_)),
            (Type::Named(..), value) => matches!(value, Value::Named(_)),
            (Type::Int | Type::Enum(_), _) => false,
        };
        fits.then(|| value.clone())
    }

    fn type_name(&self, ty: TypeId) -> String {
        let name = match self.program.ty(ty) {
            Type::Any => "any value",
            Type::Null => "nothing",
            Type::Bool => "a `bool`",
            Type::Int => "an `int`",
            Type::Float => "a `float`",
            Type::String => "a `string`",
            Type::Event => "an event",
            Type::Machine => "a machine",
            Type::Enum(id) => return format!("an element of `{}`", self.program.enums[id.index()].name),
            Type::Foreign(name) => return format!("a `{name}`"),
            Type::Seq(_) => "a sequence",
            Type::Set(_) => "a set",
            Type::Map(..) => "a map",
            Type::Tuple(_) => "a tuple",
            Type::Named(..) => "a tuple with named fields",
        };
        name.to_owned()
    }
}

impl<W: Watcher> Domain for Concrete<'_, W> {
    type Value = Value;

    fn watch(&mut self, local: &Local, effects: &[Effect]) {
        self.watcher.watch(local, effects);
    }

    fn is_over(&mut self) -> bool {
        self.choices.is_over()
    }

    fn constant(&mut self, value: &Value) -> Value {
        value.clone()
    }

    fn truth(&mut self, value: &Value) -> Result<bool, Stop> {
        match value {
            Value::Bool(value) => Ok(*value),
            other => Err(self.wrong(other, "`true` or `false`")),
        }
    }

    fn unary(&mut self, op: Unary, operand: &Value) -> Result<Value, Stop> {
        match (op, operand) {
            (Unary::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (Unary::Minus, Value::Int(number) | Value::Enum(_, number)) => Ok(Value::Int(number.wrapping_neg())),
            (Unary::Minus, Value::Float(bits)) => Ok(Value::float(-f64::from_bits(*bits))),
            (_, other) => Err(self.wrong(other, "a number")),
        }
    }

    fn binary(&mut self, op: Binary, left: &Value, right: &Value) -> Result<Value, Stop> {
        match (op, left, right) {
            (Binary::Eq, left, right) => Ok(Value::Bool(left.same(right))),
            (Binary::Ne, left, right) => Ok(Value::Bool(!left.same(right))),
            (op, Value::Int(a) | Value::Enum(_, a), Value::Int(b) | Value::Enum(_, b)) => {
                on_ints(op, *a, *b).map_err(Stop::Fault)
            }
            (op, Value::Float(a), Value::Float(b)) => Ok(on_floats(op, f64::from_bits(*a), f64::from_bits(*b))),
            (Binary::Add, Value::String(a), Value::String(b)) => Self::sized(Value::string(format!("{a}{b}"))),
            (Binary::Lt, Value::String(a), Value::String(b)) => Ok(Value::Bool(a < b)),
            (Binary::Le, Value::String(a), Value::String(b)) => Ok(Value::Bool(a <= b)),
            (Binary::Gt, Value::String(a), Value::String(b)) => Ok(Value::Bool(a > b)),
            (Binary::Ge, Value::String(a), Value::String(b)) => Ok(Value::Bool(a >= b)),
            (_, left @ (Value::Int(_) | Value::Float(_) | Value::String(_)), right) => {
                Err(self.wrong(right, if matches!(left, Value::String(_)) { "a string" } else { "such a number" }))
            }
            (_, left, _) => Err(self.wrong(left, "a number")),
        }
    }

    fn tuple(&mut self, elements: Vec<Value>) -> Result<Value, Stop> {
        Self::sized(Value::tuple(elements))
    }

    fn named(&mut self, names: NamesId, elements: Vec<Value>) -> Result<Value, Stop> {
        Self::sized(Value::Named(Arc::new(Named { names, items: Items::new(elements) })))
    }

    fn element(&mut self, tuple: &Value, index: u32) -> Result<Value, Stop> {
        match tuple {
            Value::Tuple(items) => {
                let found = items.get(index as usize).cloned();
                found.ok_or_else(|| Fault::NoElement { index, count: items.len() }.into())
            }
            other => Err(self.wrong(other, "a tuple")),
        }
    }

    fn field(&mut self, tuple: &Value, field: &SmolStr) -> Result<Value, Stop> {
        match tuple {
            Value::Named(named) => {
                let names = &self.program.field_names[named.names.index()];
                let found = names.iter().position(|name| name == field).and_then(|index| named.items.get(index));
                found.cloned().ok_or_else(|| Fault::NoField { field: field.clone() }.into())
            }
            other => Err(self.wrong(other, "a tuple with named fields")),
        }
    }

    fn index(&mut self, collection: &Value, index: &Value) -> Result<Value, Stop> {
        match (collection, index) {
            (Value::Map(_), Value::Null) => Err(Fault::NullKey.into()),
            (Value::Map(table), key) => {
                table.get(key).cloned().ok_or_else(|| Fault::KeyMissing { key: Shown(self.program, key).to_string() }.into())
            }
            (Value::Seq(items), Value::Int(index) | Value::Enum(_, index)) => {
                let found = usize::try_from(*index).ok().and_then(|index| items.get(index)).cloned();
                found.ok_or_else(|| Fault::IndexOutOfRange { index: *index, length: items.len() }.into())
            }
            (Value::Set(table), Value::Int(index) | Value::Enum(_, index)) => {
                let found = usize::try_from(*index).ok().and_then(|index| table.nth_key(index)).cloned();
                found.ok_or_else(|| Fault::IndexOutOfRange { index: *index, length: table.len() }.into())
            }
            (Value::Seq(_) | Value::Set(_), index) => Err(self.wrong(index, "an index")),
            (other, _) => Err(self.wrong(other, "a collection")),
        }
    }

    fn contains(&mut self, item: &Value, collection: &Value) -> Result<Value, Stop> {
        match (collection, item) {
            (Value::Map(_), Value::Null) => Err(Fault::NullKey.into()),
            (Value::Map(table) | Value::Set(table), item) => Ok(Value::Bool(table.contains(item))),
            (Value::Seq(items), item) => Ok(Value::Bool(items.iter().any(|element| element.same(item)))),
            (other, _) => Err(self.wrong(other, "a collection")),
        }
    }

    fn size(&mut self, collection: &Value) -> Result<Value, Stop> {
        let size = match collection {
            Value::Seq(items) => items.len(),
            Value::Set(table) | Value::Map(table) => table.len(),
            other => return Err(self.wrong(other, "a collection")),
        };
        Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX)))
    }

    fn keys(&mut self, map: &Value) -> Result<Value, Stop> {
        match map {
            Value::Map(table) => Ok(Value::seq(table.keys().cloned().collect())),
            other => Err(self.wrong(other, "a map")),
        }
    }

    fn values(&mut self, map: &Value) -> Result<Value, Stop> {
        match map {
            Value::Map(table) => Ok(Value::seq(table.values().cloned().collect())),
            other => Err(self.wrong(other, "a map")),
        }
    }

    fn elements(&mut self, collection: &Value) -> Result<Value, Stop> {
        match collection {
            Value::Seq(_) => Ok(collection.clone()),
            Value::Set(table) => Ok(Value::seq(table.keys().cloned().collect())),
            other => Err(self.wrong(other, "a sequence or a set")),
        }
    }

    fn cast(&mut self, value: &Value, ty: TypeId) -> Result<Value, Stop> {
        let wrong = || Fault::wrong_kind(self.program, value, &self.type_name(ty)).into();
        self.as_type(value, ty).ok_or_else(wrong)
    }

    fn convert(&mut self, value: &Value, into: Conversion) -> Result<Value, Stop> {
        match (into, value) {
            (Conversion::Int, Value::Int(number) | Value::Enum(_, number)) => Ok(Value::Int(*number)),
            // Towards zero.
            #[allow(clippy::cast_possible_truncation)]
            (Conversion::Int, Value::Float(bits)) => Ok(Value::Int(f64::from_bits(*bits) as i64)),
            #[allow(clippy::cast_precision_loss)]
            (Conversion::Float, Value::Int(number) | Value::Enum(_, number)) => Ok(Value::float(*number as f64)),
            (Conversion::Float, Value::Float(_)) => Ok(value.clone()),
            (Conversion::Reference(events), Value::Machine(machine)) => {
                let wanted = self.program.events_of(events);
                let given = self.program.events_of(machine.permissions);
                if wanted.is_subset(given) {
                    let reference = Reference { permissions: events, ..(**machine).clone() };
                    return Ok(Value::Machine(Arc::new(reference)));
                }
                let missing = wanted.iter().filter(|event| !given.contains(*event));
                let events = missing.map(|event| self.program.event(event).name.clone()).collect();
                Err(Fault::MissingPermissions { machine: Shown(self.program, value).to_string(), events }.into())
            }
            (Conversion::Reference(_), other) => Err(self.wrong(other, "a machine")),
            (_, other) => Err(self.wrong(other, "a number")),
        }
    }

    fn format(&mut self, pieces: &[Piece], values: &[Value]) -> Result<Value, Stop> {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Value(number) => {
                    if let Some(value) = values.get(*number as usize) {
                        text.push_str(&as_p_prints(self.program, value));
                    }
                }
            }
        }
        Self::sized(Value::string(text))
    }

    fn change(&mut self, root: &mut Value, path: &[PathStep<Value>], change: Change) -> Result<(), Stop> {
        root.change(self.program, path, change)?;
        if root.is_too_large() { Err(Stop::Limit(Limit::ValueSize)) } else { Ok(()) }
    }

    fn choose(&mut self, among: Option<&Value>, is_fair: bool) -> Result<Value, Stop> {
        let value = self.pick(among, is_fair)?;
        self.choices.chosen(&value);
        Ok(value)
    }

    fn reference(&mut self, id: MachineId, interface: InterfaceId, permissions: EventSetId) -> Value {
        Value::Machine(Arc::new(Reference { id, interface, permissions }))
    }

    fn addressee(&mut self, value: &Value) -> Result<Option<Addressee>, Stop> {
        match value {
            Value::Null => Ok(None),
            Value::Machine(machine) => {
                let Reference { id, interface, permissions } = (**machine).clone();
                Ok(Some(Addressee { id, interface, permissions }))
            }
            other => Err(self.wrong(other, "a machine")),
        }
    }

    fn event(&mut self, value: &Value) -> Result<Option<EventId>, Stop> {
        match value {
            Value::Null => Ok(None),
            Value::Event(event) => Ok(Some(*event)),
            other => Err(self.wrong(other, "an event")),
        }
    }

    fn bind(&mut self, event: &str, value: &Value, ty: TypeId) -> Result<Value, Stop> {
        self.as_type(value, ty).ok_or_else(|| {
            let value = Shown(self.program, value).to_string();
            Fault::WrongPayload { event: event.into(), value, wanted: self.type_name(ty) }.into()
        })
    }

    fn text(&mut self, value: &Value) -> Result<String, Stop> {
        Ok(as_p_prints(self.program, value))
    }
}

/// Numbers have 64 bits and wrap around. The remainder is computed of 32 bits, as P does.
fn on_ints(op: Binary, a: i64, b: i64) -> Result<Value, Fault> {
    #[allow(clippy::cast_possible_truncation)]
    let (narrow_a, narrow_b) = (a as i32, b as i32);
    Ok(match op {
        Binary::Add => Value::Int(a.wrapping_add(b)),
        Binary::Sub => Value::Int(a.wrapping_sub(b)),
        Binary::Mul => Value::Int(a.wrapping_mul(b)),
        Binary::Div if b == 0 => return Err(Fault::DivisionByZero),
        Binary::Div => Value::Int(a.checked_div(b).ok_or(Fault::DivisionOverflow)?),
        Binary::Mod if narrow_b == 0 => return Err(Fault::DivisionByZero),
        Binary::Mod => Value::Int(narrow_a.checked_rem(narrow_b).ok_or(Fault::DivisionOverflow)?.into()),
        Binary::Lt => Value::Bool(a < b),
        Binary::Le => Value::Bool(a <= b),
        Binary::Gt => Value::Bool(a > b),
        Binary::Ge => Value::Bool(a >= b),
        Binary::Eq => Value::Bool(a == b),
        Binary::Ne => Value::Bool(a != b),
    })
}

#[allow(clippy::float_cmp)]
fn on_floats(op: Binary, a: f64, b: f64) -> Value {
    match op {
        Binary::Add => Value::float(a + b),
        Binary::Sub => Value::float(a - b),
        Binary::Mul => Value::float(a * b),
        Binary::Div => Value::float(a / b),
        Binary::Mod => Value::float(a % b),
        Binary::Lt => Value::Bool(a < b),
        Binary::Le => Value::Bool(a <= b),
        Binary::Gt => Value::Bool(a > b),
        Binary::Ge => Value::Bool(a >= b),
        Binary::Eq => Value::Bool(a == b),
        Binary::Ne => Value::Bool(a != b),
    }
}
