//! Sets and maps: entries in the order in which they were added, found by hash.
//!
//! P's own order is that of .NET's hash tables, which is the same as long as nothing is removed. After a removal .NET puts the next
//! entry into the gap, and here it goes to the end.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::Value;

/// Up to this many entries are simply looked through.
const SMALL: usize = 12;

/// The entries of a map, or of a set with `null` for the values.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// With gaps where entries were removed; never more gaps than entries.
    entries: Vec<Option<(Value, Value)>>,
    count: usize,
    /// The numbers of the entries by the hash of their keys: of all of them, or of none while the table is small.
    index: FxHashMap<u64, Vec<u32>>,
    depth: u32,
    weight: u64,
}

impl Table {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter().flatten().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, value)| value)
    }

    pub fn contains(&self, key: &Value) -> bool {
        self.position(key).is_some()
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries[self.position(key)?].as_ref().map(|(_, value)| value)
    }

    /// The key with this number, in the order of addition.
    pub fn nth_key(&self, number: usize) -> Option<&Value> {
        if self.entries.len() == self.count {
            return self.entries.get(number)?.as_ref().map(|(key, _)| key);
        }
        self.keys().nth(number)
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth.max(1)
    }

    pub(crate) fn weight(&self) -> u64 {
        self.weight.max(1)
    }

    /// Adds an entry at the end. The key must not be there yet.
    pub(crate) fn add(&mut self, key: Value, value: Value) {
        self.depth = self.depth().max(1 + key.depth().max(value.depth()));
        self.weight = self.weight().saturating_add(key.weight()).saturating_add(value.weight());
        let number = self.entries.len();
        // A table that has shrunk keeps its index, and what is not in it is not found.
        if self.count >= SMALL || !self.index.is_empty() {
            if self.index.is_empty() {
                self.build_index();
            }
            self.index.entry(key.same_hash()).or_default().push(u32::try_from(number).unwrap_or(u32::MAX));
        }
        self.entries.push(Some((key, value)));
        self.count += 1;
    }

    pub(crate) fn remove(&mut self, key: &Value) {
        let Some(position) = self.position(key) else { return };
        let Some((key, value)) = self.entries[position].take() else { return };
        self.weight = self.weight().saturating_sub(key.weight()).saturating_sub(value.weight());
        self.count -= 1;
        if let Some(numbers) = self.index.get_mut(&key.same_hash()) {
            numbers.retain(|number| *number as usize != position);
        }
        if self.entries.len() > 2 * self.count {
            self.entries.retain(Option::is_some);
            self.index.clear();
            if self.count > SMALL {
                self.build_index();
            }
        }
    }

    /// Changes the value of a key in place; nothing if there is no such key.
    pub(crate) fn update<T>(&mut self, key: &Value, update: impl FnOnce(&mut Value) -> T) -> Option<T> {
        let position = self.position(key)?;
        let (_, value) = self.entries[position].as_mut()?;
        let before = value.weight();
        let result = update(value);
        let (after, depth) = (value.weight(), value.depth());
        self.weight = self.weight().saturating_sub(before).saturating_add(after);
        self.depth = self.depth().max(1 + depth);
        Some(result)
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().all(|(key, value)| other.get(key).is_some_and(|theirs| value.same(theirs)))
    }

    /// Does not depend on the order.
    pub(crate) fn same_hash(&self) -> u64 {
        let entries = self.iter().map(|(key, value)| key.same_hash().rotate_left(17) ^ value.same_hash());
        entries.fold(self.count as u64, u64::wrapping_add)
    }

    fn position(&self, key: &Value) -> Option<usize> {
        let is_it = |position: &usize| matches!(&self.entries[*position], Some((known, _)) if known.same(key));
        if self.index.is_empty() {
            return (0..self.entries.len()).find(is_it);
        }
        self.index.get(&key.same_hash())?.iter().map(|number| *number as usize).find(is_it)
    }

    fn build_index(&mut self) {
        for (number, entry) in (0_u32..).zip(&self.entries) {
            if let Some((key, _)) = entry {
                self.index.entry(key.same_hash()).or_default().push(number);
            }
        }
    }
}

/// The keys must be different.
impl FromIterator<(Value, Value)> for Table {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Self {
        let mut table = Self::default();
        entries.into_iter().for_each(|(key, value)| table.add(key, value));
        table
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.count);
        self.iter().for_each(|entry| entry.hash(state));
    }
}

impl PartialOrd for Table {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Table {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}
