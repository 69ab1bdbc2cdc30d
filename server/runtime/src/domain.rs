//! What the step function needs of values, so that it can run on more than plain ones.
//!
//! A domain computes; it has no say in control. Where control depends on a value, the step function asks (`truth`, `event`, `addressee`).
//! A domain whose values stand for many at once can have several answers; it then says `Stop::Split` and knows the cases, and whoever drives
//! it (`run_lifted`) runs each of them on, and lets them meet again. Choices are asked of the domain too, one explicit question each; there is no
//! hidden source of chance.

use crate::code::{Binary, Conversion, Op, Piece, Unary};
use crate::failure::{Failure, Fault, Limit};
use crate::identity::MachineId;
use crate::local::Local;
use crate::program::{AbstractionId, EventId, EventSetId, FieldId, InterfaceId, NamesId, TypeId};
use crate::run::Effect;
use crate::value::{Change, PathStep, Value};

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Fault(Fault),
    Limit(Limit),
    /// A choice has to be made first.
    Choice(Choice),
    /// What follows is not the same for everything that the values stand for; the domain knows the cases.
    Split,
    /// The domain has no such operation.
    Unsupported(String),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A question: one of so many possibilities, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice {
    pub options: u32,
    /// `$$`: asked again and again, every answer comes.
    pub is_fair: bool,
}

/// Who an event is sent to, through which reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressee {
    pub id: MachineId,
    pub interface: InterfaceId,
    pub permissions: EventSetId,
}

pub trait Domain {
    type Value: Clone + Eq + std::hash::Hash + std::fmt::Debug;

    fn constant(&mut self, value: &Value) -> Self::Value;
    /// A constant where it lies, if plain values are values of this domain.
    fn as_it_is(_value: &Value) -> Option<&Self::Value> {
        None
    }
    /// Makes `null` of a value that nobody needs any more.
    fn forget(&mut self, value: &mut Self::Value) {
        *value = self.constant(&Value::Null);
    }
    fn truth(&mut self, value: &Self::Value) -> Result<bool, Stop>;
    fn unary(&mut self, op: Unary, operand: &Self::Value) -> Result<Self::Value, Stop>;
    fn binary(&mut self, op: Binary, left: &Self::Value, right: &Self::Value) -> Result<Self::Value, Stop>;
    fn tuple(&mut self, elements: Vec<Self::Value>) -> Result<Self::Value, Stop>;
    fn named(&mut self, names: NamesId, elements: Vec<Self::Value>) -> Result<Self::Value, Stop>;
    fn element(&mut self, tuple: &Self::Value, index: u32) -> Result<Self::Value, Stop>;
    fn field(&mut self, tuple: &Self::Value, field: FieldId) -> Result<Self::Value, Stop>;
    fn index(&mut self, collection: &Self::Value, index: &Self::Value) -> Result<Self::Value, Stop>;
    fn contains(&mut self, item: &Self::Value, collection: &Self::Value) -> Result<Self::Value, Stop>;
    fn size(&mut self, collection: &Self::Value) -> Result<Self::Value, Stop>;
    fn keys(&mut self, map: &Self::Value) -> Result<Self::Value, Stop>;
    fn values(&mut self, map: &Self::Value) -> Result<Self::Value, Stop>;
    /// What `foreach` goes through.
    fn elements(&mut self, collection: &Self::Value) -> Result<Self::Value, Stop>;
    fn cast(&mut self, value: &Self::Value, ty: TypeId) -> Result<Self::Value, Stop>;
    fn convert(&mut self, value: &Self::Value, into: Conversion) -> Result<Self::Value, Stop>;
    fn format(&mut self, pieces: &[Piece], values: &[Self::Value]) -> Result<Self::Value, Stop>;
    fn change(&mut self, root: &mut Self::Value, path: &[PathStep<Self::Value>], change: Change<Self::Value>)
    -> Result<(), Stop>;
    /// Runs an instruction in a shorter way than by the methods above, if the domain knows one; otherwise `false`, and nothing is done.
    #[inline(always)]
    fn run_quickly(&mut self, _op: &Op, _slots: &mut [Self::Value], _fields: &mut [Self::Value]) -> bool {
        false
    }
    /// What `truth` gives, if it is at hand.
    #[inline(always)]
    fn quick_truth(_value: &Self::Value) -> Option<bool> {
        None
    }
    /// `$`, `$$`, `choose()` and `choose(among)`.
    fn choose(&mut self, among: Option<&Self::Value>, is_fair: bool) -> Result<Self::Value, Stop>;
    /// `choose(among)` where it does not matter which of many numbers it is.
    fn choose_some(&mut self, among: Option<&Self::Value>) -> Result<Self::Value, Stop> {
        self.choose(among, false)
    }
    /// The value with some numbers not told apart.
    fn abstracted(&mut self, _value: &Self::Value, _abstraction: AbstractionId) -> Result<Self::Value, Stop> {
        Err(Stop::Unsupported("an abstraction of sets of values".to_owned()))
    }
    fn reference(&mut self, id: MachineId, interface: InterfaceId, permissions: EventSetId) -> Self::Value;
    /// The machine a reference leads to; `None` for `null`.
    fn addressee(&mut self, value: &Self::Value) -> Result<Option<Addressee>, Stop>;
    /// The event a value is; `None` for `null`.
    fn event(&mut self, value: &Self::Value) -> Result<Option<EventId>, Stop>;
    /// What a parameter of this type holds when it is given `value`.
    fn bind(&mut self, event: &str, value: &Self::Value, ty: TypeId) -> Result<Self::Value, Stop>;
    /// Whether the run shall be given up.
    fn is_over(&mut self) -> bool {
        false
    }
    /// Whether somebody looks on.
    fn is_watched(&self) -> bool {
        false
    }
    /// Shown the machine before each instruction if somebody looks on, and what it has done to others so far.
    fn watch(&mut self, _local: &Local<Self::Value>, _effects: &[Effect<Self::Value>]) {}
    /// Whether several cases are under way, so that a run shall rest where they may meet.
    fn has_cases(&self) -> bool {
        false
    }
    /// How many parts a value has.
    fn weight(&self, value: &Self::Value) -> u64;
    /// Whether it matters what is printed.
    fn hears_prints(&self) -> bool {
        true
    }
    /// What has gone wrong since the last call, for some of what the values stand for; the run goes on for the rest.
    fn new_faults(&mut self) -> Vec<Fault> {
        Vec::new()
    }
    /// Told of these faults again, in the same order and with all that is known about them.
    fn failed(&mut self, _failure: Failure) {}
    /// As P prints it.
    fn text(&mut self, value: &Self::Value) -> Result<String, Stop>;
}
