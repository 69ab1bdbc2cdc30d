//! Values.
//!
//! There are two notions of being the same. `Eq`, `Hash` and `Ord` are identity: whoever has identical values behaves identically, so
//! the order of a set's elements counts, since `foreach` shows it. `same` is what P's `==` says: sets are the same whatever the
//! order, references to one machine are the same whatever may be sent through them.
//!
//! Values are shared and copied when they are changed. They are no deeper than `MOST_DEPTH` and no larger than `MOST_WEIGHT`, whatever
//! a program does, so that recursion over them is bounded.

mod change;
mod items;
mod show;
mod table;
#[cfg(test)]
mod tests;

use std::hash::Hasher;
use std::sync::Arc;

use rustc_hash::FxHasher;

pub use change::{Change, PathStep};
pub use items::{Items, Named};
pub use show::{Shown, as_p_prints};
pub use table::Table;

use crate::identity::MachineId;
use crate::program::{AbstractionId, EnumId, EventId, EventSetId, InterfaceId};

/// How deep values can be nested.
pub const MOST_DEPTH: u32 = 1_000;
/// How many parts a value can have, counting those that are shared as often as they occur, and each byte of a text.
pub const MOST_WEIGHT: u64 = 20_000_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    /// An element of an enum by its number, which is all that P knows of it in a run.
    Enum(EnumId, i64),
    /// The bits of a number.
    Float(u64),
    String(Arc<String>),
    /// Without what it carries, which belongs to messages.
    Event(EventId),
    Machine(Arc<Reference>),
    Tuple(Arc<Items>),
    Named(Arc<Named>),
    Seq(Arc<Items>),
    Set(Arc<Table>),
    Map(Arc<Table>),
    /// Some number, of which is known only what it is not: one that the abstraction keeps apart.
    Some(AbstractionId),
}

/// A reference to a machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    pub id: MachineId,
    /// What it was created as.
    pub interface: InterfaceId,
    /// What may be sent through this reference.
    pub permissions: EventSetId,
}

impl Value {
    pub fn float(number: f64) -> Self {
        Self::Float(number.to_bits())
    }

    pub fn string(text: impl Into<String>) -> Self {
        Self::String(Arc::new(text.into()))
    }

    pub fn tuple(elements: Vec<Self>) -> Self {
        Self::Tuple(Arc::new(Items::new(elements)))
    }

    pub fn seq(elements: Vec<Self>) -> Self {
        Self::Seq(Arc::new(Items::new(elements)))
    }

    pub fn empty_set() -> Self {
        Self::Set(Arc::default())
    }

    pub fn empty_map() -> Self {
        Self::Map(Arc::default())
    }

    /// The number of an integer or an element of an enum.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Int(number) | Self::Enum(_, number) => Some(*number),
            _ => None,
        }
    }

    pub fn depth(&self) -> u32 {
        match self {
            Self::Tuple(items) | Self::Seq(items) => items.depth(),
            Self::Named(named) => named.items.depth(),
            Self::Set(table) | Self::Map(table) => table.depth(),
            _ => 0,
        }
    }

    /// How many parts it has, as `MOST_WEIGHT` counts them.
    pub fn weight(&self) -> u64 {
        match self {
            Self::Tuple(items) | Self::Seq(items) => items.weight(),
            Self::Named(named) => named.items.weight(),
            Self::Set(table) | Self::Map(table) => table.weight(),
            Self::String(text) => 1 + text.len() as u64,
            _ => 1,
        }
    }

    /// Whether it is larger than values may be.
    pub fn is_too_large(&self) -> bool {
        self.depth() > MOST_DEPTH || self.weight() > MOST_WEIGHT
    }

    /// P's `==`. That parts are shared says nothing: a float that is no number is not the same as itself, and identical values must behave
    /// identically whether they share something or not.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a) | Self::Enum(_, a), Self::Int(b) | Self::Enum(_, b)) => a == b,
            (Self::Float(a), Self::Float(b)) => f64::from_bits(*a) == f64::from_bits(*b),
            (Self::Machine(a), Self::Machine(b)) => a.id == b.id,
            (Self::Tuple(a), Self::Tuple(b)) | (Self::Seq(a), Self::Seq(b)) => a.same(b),
            (Self::Named(a), Self::Named(b)) => a.names == b.names && a.items.same(&b.items),
            (Self::Set(a), Self::Set(b)) | (Self::Map(a), Self::Map(b)) => a.same(b),
            (a, b) => a == b,
        }
    }

    /// A hash that is equal for values that are the `same`.
    pub(crate) fn same_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        match self {
            Self::Null => hasher.write_u8(0),
            Self::Bool(value) => hasher.write_u8(1 + u8::from(*value)),
            Self::Int(number) | Self::Enum(_, number) => hasher.write_i64(*number),
            Self::Float(bits) => {
                let number = f64::from_bits(*bits);
                let is_plain = number != 0.0 && !number.is_nan();
                hasher.write_u64(if is_plain { *bits } else { u64::from(number == 0.0) });
            }
            Self::String(text) => hasher.write(text.as_bytes()),
            Self::Event(event) => hasher.write_u32(event.0),
            Self::Machine(machine) => machine.id.path().iter().for_each(|before| hasher.write_u32(*before)),
            Self::Tuple(items) | Self::Seq(items) => items.iter().for_each(|item| hasher.write_u64(item.same_hash())),
            Self::Named(named) => named.items.iter().for_each(|item| hasher.write_u64(item.same_hash())),
            Self::Set(table) | Self::Map(table) => hasher.write_u64(table.same_hash()),
            Self::Some(abstraction) => hasher.write_u32(abstraction.0),
        }
        hasher.finish()
    }
}
