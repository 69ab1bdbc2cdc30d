//! Values that machines know, each kept once.
//!
//! What a handler leaves as it is, the machine shares with what it was before; but two runs that come to equal values make each its own. Where
//! machines are kept by the thousand, the later takes that of the earlier, part by part: that saves memory, and equal machines are found to be
//! equal without looking into what they share.

use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use lockstep_runtime::{Items, Named, Value};
use rustc_hash::FxHashSet;

use crate::tables::{BOXED, SHARED};

#[derive(Debug, Default)]
pub(crate) struct Values {
    known: FxHashSet<Shallow>,
    /// Where their contents are. Invariant: they stay there as long as they are known, so nothing else can be in such a place.
    places: FxHashSet<usize>,
}

/// A value whose parts are known, so that they are equal only if they are the same one. What is deeply nested is not gone into at every level.
#[derive(Debug)]
struct Shallow(Value);

impl Shallow {
    /// The parts that are known one by one; of other values nothing is.
    fn parts(&self) -> Option<&[Value]> {
        match &self.0 {
            Value::Tuple(items) | Value::Seq(items) => Some(items),
            Value::Named(named) => Some(&named.items),
            _ => None,
        }
    }
}

impl PartialEq for Shallow {
    fn eq(&self, other: &Self) -> bool {
        let names = |value: &Value| if let Value::Named(named) = value { Some(named.names) } else { None };
        let is_same = |(own, others): (&Value, &Value)| match place_of(own) {
            None => own == others,
            place => place == place_of(others),
        };
        match (self.parts(), other.parts()) {
            (Some(parts), Some(others)) => {
                discriminant(&self.0) == discriminant(&other.0)
                    && names(&self.0) == names(&other.0)
                    && parts.len() == others.len()
                    && parts.iter().zip(others).all(is_same)
            }
            (None, None) => self.0 == other.0,
            _ => false,
        }
    }
}

impl Eq for Shallow {}

impl Hash for Shallow {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Some(parts) = self.parts() else { return self.0.hash(state) };
        discriminant(&self.0).hash(state);
        state.write_usize(parts.len());
        for part in parts {
            match place_of(part) {
                Some(place) => state.write_usize(place),
                None => part.hash(state),
            }
        }
    }
}

impl Values {
    /// Makes a value the one that is known, if an equal one is, and likewise its parts. Gives about how many bytes are new.
    pub(crate) fn share(&mut self, value: &mut Value) -> u64 {
        if place_of(value).is_none_or(|place| self.places.contains(&place)) {
            return 0;
        }
        let mut bytes = 0;
        // Also if there is nothing to share in it: how deep it is must not depend on what was in it once.
        match value {
            Value::Tuple(items) | Value::Seq(items) => *items = Arc::new(self.shared_items(items, &mut bytes)),
            Value::Named(named) => {
                *named = Arc::new(Named { names: named.names, items: self.shared_items(&named.items, &mut bytes) });
            }
            _ => {}
        }
        let shallow = Shallow(value.clone());
        if let Some(Shallow(known)) = self.known.get(&shallow) {
            value.clone_from(known);
            return bytes;
        }
        self.known.insert(shallow);
        self.places.extend(place_of(value));
        bytes + own_bytes(value)
    }

    /// The same for several.
    pub(crate) fn share_all(&mut self, values: &mut [Value]) -> u64 {
        values.iter_mut().map(|value| self.share(value)).sum()
    }

    fn shared_items(&mut self, items: &Items, bytes: &mut u64) -> Items {
        let mut parts = items.to_vec();
        *bytes = self.share_all(&mut parts);
        Items::new(parts)
    }

    /// About how many bytes it takes to know them, beside their own.
    pub(crate) fn size(&self) -> usize {
        self.known.capacity() * (size_of::<Value>() + 1) + self.places.capacity() * (size_of::<usize>() + 1)
    }
}

/// Where the content of a value is, if it is shared at all.
fn place_of(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => Some(Arc::as_ptr(text).addr()),
        Value::Machine(machine) => Some(Arc::as_ptr(machine).addr()),
        Value::Tuple(items) | Value::Seq(items) => Some(Arc::as_ptr(items).addr()),
        Value::Named(named) => Some(Arc::as_ptr(named).addr()),
        Value::Set(table) | Value::Map(table) => Some(Arc::as_ptr(table).addr()),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Enum(..) | Value::Float(_) | Value::Event(_) | Value::Some(_) => {
            None
        }
    }
}

/// About how many bytes a value takes without its parts that can be shared.
fn own_bytes(value: &Value) -> u64 {
    let listed = |items: &Items| (size_of::<Items>() + items.len() * size_of::<Value>()) as u64 + BOXED;
    SHARED
        + match value {
            Value::Tuple(items) | Value::Seq(items) => listed(items),
            Value::Named(named) => BOXED + listed(&named.items),
            // Their parts are their own.
            Value::Set(_) | Value::Map(_) => value.weight() * 2 * size_of::<Value>() as u64,
            Value::String(text) => BOXED + text.len() as u64,
            _ => 2 * BOXED,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(numbers: [i64; 2]) -> Value {
        Value::seq(vec![Value::tuple(numbers.map(Value::Int).to_vec()), Value::string("a"), Value::Bool(true)])
    }

    #[test]
    fn equal_values_become_one() {
        let mut values = Values::default();
        let (mut one, mut other, mut third) = (nested([1, 2]), nested([1, 2]), nested([1, 3]));
        assert!(values.share(&mut one) > 0);
        assert_eq!(values.share(&mut other), 0);
        assert_eq!((place_of(&one), &one), (place_of(&other), &nested([1, 2])));
        assert!(values.share(&mut third) > 0);
        assert_eq!(third, nested([1, 3]));
        let (Value::Seq(one), Value::Seq(third)) = (&one, &third) else { panic!("they are sequences") };
        assert_eq!(place_of(&one[1]), place_of(&third[1]), "parts are shared, too");
        assert_ne!(place_of(&one[0]), place_of(&third[0]));
    }

    /// As deep as values can be, each a little larger than the one before.
    #[test]
    fn what_is_deeply_nested_is_gone_into_once() {
        let mut values = Values::default();
        let mut grown = Value::seq(Vec::new());
        let mut bytes = 0;
        for number in 0..900 {
            grown = Value::tuple(vec![grown, Value::Int(number)]);
            bytes += values.share(&mut grown);
        }
        assert_eq!((values.known.len(), values.places.len()), (901, 901));
        assert_eq!(bytes, values.known.iter().map(|Shallow(value)| own_bytes(value)).sum::<u64>());
        let mut again = (0..900).fold(Value::seq(Vec::new()), |all, number| Value::tuple(vec![all, Value::Int(number)]));
        assert_eq!((values.share(&mut again), place_of(&again)), (0, place_of(&grown)));
    }

    /// What is equal for P need not be the same: whoever goes through a set sees the order of its elements.
    #[test]
    fn only_what_is_identical_becomes_one() {
        let set = |numbers: [i64; 2]| {
            Value::Set(Arc::new(numbers.into_iter().map(|number| (Value::Int(number), Value::Null)).collect()))
        };
        let mut values = Values::default();
        let (mut one, mut other) = (set([1, 2]), set([2, 1]));
        values.share(&mut one);
        values.share(&mut other);
        assert!(one.same(&other) && one != other && other == set([2, 1]));
    }
}
