//! Values that machines know, each kept once.
//!
//! What a handler leaves as it is, the machine shares with what it was before; but two runs that come to equal values make each its own. Where
//! machines are kept by the thousand, the later takes that of the earlier, part by part: that saves memory, and equal machines are found to be
//! equal without looking into what they share.

use std::sync::Arc;

use lockstep_runtime::{Items, Named, Value};
use rustc_hash::FxHashSet;

use crate::tables::{BOXED, SHARED};

#[derive(Debug, Default)]
pub(crate) struct Values {
    known: FxHashSet<Value>,
    /// Where their contents are. Invariant: they stay there as long as they are known, so nothing else can be in such a place.
    places: FxHashSet<usize>,
}

impl Values {
    /// Makes a value the one that is known, if an equal one is, and likewise its parts. Gives about how many bytes are new.
    pub(crate) fn share(&mut self, value: &mut Value) -> u64 {
        let Some(place) = place_of(value) else { return 0 };
        if self.places.contains(&place) {
            return 0;
        }
        if let Some(known) = self.known.get(value) {
            *value = known.clone();
            return 0;
        }
        let mut bytes = self.share_parts(value);
        bytes += own_bytes(value);
        self.places.extend(place_of(value));
        self.known.insert(value.clone());
        bytes
    }

    /// The same for several.
    pub(crate) fn share_all(&mut self, values: &mut [Value]) -> u64 {
        values.iter_mut().map(|value| self.share(value)).sum()
    }

    fn share_parts(&mut self, value: &mut Value) -> u64 {
        match value {
            Value::Tuple(items) | Value::Seq(items) => {
                let mut bytes = 0;
                if let Some(shared) = self.shared_items(items, &mut bytes) {
                    *items = Arc::new(shared);
                }
                bytes
            }
            Value::Named(named) => {
                let mut bytes = 0;
                if let Some(items) = self.shared_items(&named.items, &mut bytes) {
                    *named = Arc::new(Named { names: named.names, items });
                }
                bytes
            }
            _ => 0,
        }
    }

    /// Items with known parts, if there are parts that can be shared.
    fn shared_items(&mut self, items: &Items, bytes: &mut u64) -> Option<Items> {
        if items.iter().all(|item| place_of(item).is_none()) {
            return None;
        }
        let mut parts = items.to_vec();
        *bytes = self.share_all(&mut parts);
        Some(Items::new(parts))
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
