//! Plain values as a domain.

mod quick;

use std::sync::Arc;

use smol_str::SmolStr;

use crate::code::{Binary, Conversion, Op, Piece, Unary};
use crate::domain::{Addressee, Choice, Domain, Stop};
use crate::failure::{Fault, Limit};
use crate::identity::MachineId;
use crate::local::Local;
use crate::program::{AbstractionId, EventId, EventSetId, FieldId, InterfaceId, NamesId, Program, Type, TypeId};
use crate::run::{Choices, Effect};
use crate::value::{Change, Items, Named, PathStep, Reference, Shown, Value, as_p_prints};

/// The most possibilities that `choose` takes.
const MOST_CHOICES: usize = 10_000;
/// So many possibilities are tried one by one even where they need not be told apart.
const FEW_CHOICES: usize = 4;

/// Computes with plain values and asks `choices` where P leaves it open.
pub struct Concrete<'a, W = Unwatched> {
    program: &'a Program,
    choices: &'a mut dyn Choices,
    watcher: W,
}

/// Who looks on while a machine runs, such as a debugger. It changes nothing.
pub trait Watcher {
    /// Whether there is somebody.
    const IS_THERE: bool = true;

    /// The machine before an instruction, and what it has done to others so far in this run.
    fn watch(&mut self, local: &Local, effects: &[Effect]);
}

/// Nobody: it costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    const IS_THERE: bool = false;

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
            Some(Value::Some(_)) => Err(Stop::Unsupported("a choice among a number that is not known".to_owned())),
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
            // It is a number, whichever.
            (ty, Value::Some(_)) => matches!(ty, Type::Any | Type::Int | Type::Enum(_)),
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

/// Numbers that are not told apart. Everything that is not known for sure is asked, so whatever a program does with numbers is among
/// what it does with these.
impl<W: Watcher> Concrete<'_, W> {
    fn is_abstract(&self) -> bool {
        !self.program.abstractions.is_empty()
    }

    fn excludes(&self, some: AbstractionId, number: i64) -> bool {
        self.program.abstractions.get(some.index()).is_some_and(|abstraction| abstraction.values.contains(&number))
    }

    /// Whether two values are the same, if that is known.
    fn known_same(&self, a: &Value, b: &Value) -> Option<bool> {
        match (a, b) {
            (Value::Some(some), Value::Int(number) | Value::Enum(_, number))
            | (Value::Int(number) | Value::Enum(_, number), Value::Some(some)) => {
                if self.excludes(*some, *number) {
                    Some(false)
                } else {
                    None
                }
            }
            (Value::Some(_), Value::Null) | (Value::Null, Value::Some(_)) => Some(false),
            (Value::Some(_), _) | (_, Value::Some(_)) => None,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::Seq(a), Value::Seq(b)) => self.all_known_same(a, b),
            (Value::Named(a), Value::Named(b)) if a.names == b.names => self.all_known_same(&a.items, &b.items),
            (Value::Set(_) | Value::Map(_), Value::Set(_) | Value::Map(_)) if has_some(a) || has_some(b) => None,
            _ => Some(a.same(b)),
        }
    }

    fn all_known_same(&self, a: &Items, b: &Items) -> Option<bool> {
        if a.len() != b.len() {
            return Some(false);
        }
        let mut all = Some(true);
        for (a, b) in a.iter().zip(b.iter()) {
            match self.known_same(a, b) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    fn on_some(&mut self, op: Binary, left: &Value, right: &Value) -> Result<Value, Stop> {
        match op {
            Binary::Eq | Binary::Ne => {
                let same = match self.known_same(left, right) {
                    Some(same) => same,
                    None => self.ask(2, false)? == 1,
                };
                Ok(Value::Bool(same == (op == Binary::Eq)))
            }
            Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => Ok(Value::Bool(self.ask(2, false)? == 1)),
            // What is not known may be zero, or the number with the least and minus one.
            Binary::Div | Binary::Mod => {
                #[allow(clippy::cast_possible_truncation)]
                let is_harmless = right.number().is_some_and(|number| !matches!(number as i32, 0 | -1));
                if is_harmless || self.ask(2, false)? == 0 { Ok(ANYTHING) } else { Err(Fault::DivisionByZero.into()) }
            }
            Binary::Add | Binary::Sub | Binary::Mul => Ok(ANYTHING),
        }
    }

    fn sure_keys(&self, path: &[PathStep<Value>], change: &Change) -> Result<(), Stop> {
        for step in path {
            if let PathStep::Index(index) = step {
                self.sure_key(index)?;
            }
        }
        match change {
            Change::Insert(key, _) | Change::Remove(key) | Change::Add(key) => self.sure_key(key),
            Change::Set(_) => Ok(()),
        }
    }

    /// A key of which is not known whether it is another one.
    fn sure_key(&self, key: &Value) -> Result<(), Stop> {
        match self.is_abstract() && has_some(key) {
            true => Err(Stop::Unsupported("a key or an index whose values are not told apart".to_owned())),
            false => Ok(()),
        }
    }
}

/// Some number, of which nothing is known.
const ANYTHING: Value = Value::Some(AbstractionId(u32::MAX));
/// Places of one value in which something has to be chosen, at most.
const MOST_PLACES: u32 = 12;

fn has_some(value: &Value) -> bool {
    match value {
        Value::Some(_) => true,
        Value::Tuple(items) | Value::Seq(items) => items.iter().any(has_some),
        Value::Named(named) => named.items.iter().any(has_some),
        Value::Set(table) | Value::Map(table) => table.iter().any(|(key, value)| has_some(key) || has_some(value)),
        _ => false,
    }
}

/// Makes numbers that are not told apart the same. `answer` says what those are of which nothing is known, a digit for each.
struct Abstracting<'a> {
    program: &'a Program,
    id: AbstractionId,
    field: Option<&'a SmolStr>,
    values: &'a [i64],
    answer: usize,
    /// How many there were.
    open: u32,
    /// Whether something was taken together.
    takes: bool,
}

impl Abstracting<'_> {
    fn whole(&mut self, value: &Value) -> Value {
        if self.field.is_none() {
            return self.number(value);
        }
        match value {
            Value::Tuple(items) => Value::Tuple(Arc::new(self.items(items))),
            Value::Seq(items) => Value::Seq(Arc::new(self.items(items))),
            Value::Named(named) => {
                let names = &self.program.field_names[named.names.index()];
                let parts = names.iter().zip(named.items.iter());
                let parts = parts.map(|(name, part)| if Some(name) == self.field { self.number(part) } else { self.whole(part) });
                let items = Items::new(parts.collect());
                Value::Named(Arc::new(Named { names: named.names, items }))
            }
            Value::Map(table) => {
                let entries = table.iter().map(|(key, value)| (key.clone(), self.whole(value)));
                Value::Map(Arc::new(entries.collect()))
            }
            other => other.clone(),
        }
    }

    fn items(&mut self, items: &Items) -> Items {
        Items::new(items.iter().map(|item| self.whole(item)).collect())
    }

    fn number(&mut self, value: &Value) -> Value {
        match value {
            Value::Int(number) | Value::Enum(_, number) if !self.values.contains(number) => {
                self.takes = true;
                Value::Some(self.id)
            }
            Value::Some(some) if *some != self.id => {
                self.takes = true;
                self.open += 1;
                let base = self.values.len() + 1;
                let digit = self.answer % base;
                self.answer /= base;
                self.values.get(digit).map_or(Value::Some(self.id), |number| Value::Int(*number))
            }
            other => other.clone(),
        }
    }
}

impl<W: Watcher> Domain for Concrete<'_, W> {
    type Value = Value;

    fn choose_some(&mut self, among: Option<&Value>) -> Result<Value, Stop> {
        // Few are told apart as they are, and too many are a fault whichever is chosen.
        let is_many = |count: i64| usize::try_from(count).is_ok_and(|count| (FEW_CHOICES + 1..=MOST_CHOICES).contains(&count));
        match among {
            Some(Value::Int(count)) if is_many(*count) => Ok(ANYTHING),
            _ => self.choose(among, false),
        }
    }

    fn abstracted(&mut self, value: &Value, abstraction: AbstractionId) -> Result<Value, Stop> {
        let Some(kept) = self.program.abstractions.get(abstraction.index()) else { return Ok(value.clone()) };
        let (program, field, values) = (self.program, kept.field.as_ref(), kept.values.as_slice());
        let at = |answer| Abstracting { program, id: abstraction, field, values, answer, open: 0, takes: false };
        let mut first = at(0);
        let found = first.whole(value);
        if first.takes {
            self.choices.took_together(abstraction);
        }
        if first.open == 0 {
            return Ok(found);
        }
        let options = (values.len() + 1).checked_pow(first.open).filter(|_| first.open <= MOST_PLACES);
        let options = options.ok_or_else(|| Stop::Unsupported("a value with many numbers that are not told apart".to_owned()))?;
        let answer = self.ask_among(options, "range", false)?;
        Ok(at(answer).whole(value))
    }

    fn is_watched(&self) -> bool {
        W::IS_THERE
    }

    fn watch(&mut self, local: &Local, effects: &[Effect]) {
        self.watcher.watch(local, effects);
    }

    fn weight(&self, value: &Value) -> u64 {
        value.weight()
    }

    fn is_over(&mut self) -> bool {
        self.choices.is_over()
    }

    fn constant(&mut self, value: &Value) -> Value {
        value.clone()
    }

    fn as_it_is(value: &Value) -> Option<&Value> {
        Some(value)
    }

    fn forget(&mut self, value: &mut Value) {
        // Most are forgotten several times.
        if !matches!(value, Value::Null) {
            *value = Value::Null;
        }
    }

    #[inline]
    fn truth(&mut self, value: &Value) -> Result<bool, Stop> {
        match value {
            Value::Bool(value) => Ok(*value),
            other => Err(self.wrong(other, "`true` or `false`")),
        }
    }

    fn unary(&mut self, op: Unary, operand: &Value) -> Result<Value, Stop> {
        match (op, operand) {
            (Unary::Minus, Value::Some(_)) => Ok(ANYTHING),
            (Unary::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (Unary::Minus, Value::Int(number) | Value::Enum(_, number)) => Ok(Value::Int(number.wrapping_neg())),
            (Unary::Minus, Value::Float(bits)) => Ok(Value::float(-f64::from_bits(*bits))),
            (_, other) => Err(self.wrong(other, "a number")),
        }
    }

    fn binary(&mut self, op: Binary, left: &Value, right: &Value) -> Result<Value, Stop> {
        if self.is_abstract() && (has_some(left) || has_some(right)) {
            return self.on_some(op, left, right);
        }
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

    fn field(&mut self, tuple: &Value, field: FieldId) -> Result<Value, Stop> {
        match tuple {
            Value::Named(named) => {
                let found = self.program.field_place(named.names, field).and_then(|place| named.items.get(place));
                found.cloned().ok_or_else(|| Fault::NoField { field: self.program.field_name(field).clone() }.into())
            }
            other => Err(self.wrong(other, "a tuple with named fields")),
        }
    }

    fn index(&mut self, collection: &Value, index: &Value) -> Result<Value, Stop> {
        self.sure_key(index)?;
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
            (Value::Map(table) | Value::Set(table), item) => {
                self.sure_key(item)?;
                Ok(Value::Bool(table.contains(item)))
            }
            (Value::Seq(items), item) if self.is_abstract() => {
                let known: Vec<Option<bool>> = items.iter().map(|element| self.known_same(element, item)).collect();
                let is_there = match (known.contains(&Some(true)), known.contains(&None)) {
                    (true, _) => true,
                    (false, true) => self.ask(2, false)? == 1,
                    (false, false) => false,
                };
                Ok(Value::Bool(is_there))
            }
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
            (Conversion::Int, Value::Some(_)) => Ok(value.clone()),
            (_, Value::Some(_)) => Err(Stop::Unsupported("a conversion of a number whose values are not told apart".to_owned())),
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
        if self.is_abstract() && values.iter().any(has_some) {
            return Err(Stop::Unsupported("a text of a number whose values are not told apart".to_owned()));
        }
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
        if self.is_abstract() {
            self.sure_keys(path, &change)?;
        }
        root.change(self.program, path, change)?;
        if root.is_too_large() { Err(Stop::Limit(Limit::ValueSize)) } else { Ok(()) }
    }

    #[inline(always)]
    fn run_quickly(&mut self, op: &Op, slots: &mut [Value], fields: &mut [Value]) -> bool {
        // Of numbers that are not told apart more has to be asked.
        !self.is_abstract() && quick::run(self.program, op, slots, fields).is_some()
    }

    #[inline(always)]
    fn quick_truth(value: &Value) -> Option<bool> {
        if let Value::Bool(value) = value { Some(*value) } else { None }
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

fn on_ints(op: Binary, a: i64, b: i64) -> Result<Value, Fault> {
    match quick::on_ints(op, a, b) {
        Some(value) => Ok(value),
        None if op == Binary::Div => quotient(a, b),
        None => remainder(a, b),
    }
}

fn quotient(a: i64, b: i64) -> Result<Value, Fault> {
    match b {
        0 => Err(Fault::DivisionByZero),
        b => a.checked_div(b).map(Value::Int).ok_or(Fault::DivisionOverflow),
    }
}

/// Of 32 bits, as P computes it.
#[allow(clippy::cast_possible_truncation)]
fn remainder(a: i64, b: i64) -> Result<Value, Fault> {
    match b as i32 {
        0 => Err(Fault::DivisionByZero),
        b => (a as i32).checked_rem(b).map(|rest| Value::Int(rest.into())).ok_or(Fault::DivisionOverflow),
    }
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
