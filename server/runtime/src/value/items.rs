//! Values in a row: the elements of tuples and sequences.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::Value;
use crate::program::NamesId;

/// Elements, with how deep and large they are together.
#[derive(Clone, Debug, Default)]
pub struct Items {
    values: Vec<Value>,
    /// Never too small; too large after a deep element has been removed.
    depth: u32,
    weight: u64,
}

/// A tuple whose elements have names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Named {
    pub names: NamesId,
    pub items: Items,
}

impl Items {
    pub fn new(values: Vec<Value>) -> Self {
        let depth = 1 + values.iter().map(Value::depth).max().unwrap_or(0);
        let weight = values.iter().fold(1_u64, |sum, value| sum.saturating_add(value.weight()));
        Self { values, depth, weight }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth.max(1)
    }

    pub(crate) fn weight(&self) -> u64 {
        self.weight.max(1)
    }

    pub(crate) fn insert(&mut self, index: usize, value: Value) {
        self.depth = self.depth().max(1 + value.depth());
        self.weight = self.weight().saturating_add(value.weight());
        self.values.insert(index, value);
    }

    pub(crate) fn remove(&mut self, index: usize) {
        let removed = self.values.remove(index);
        self.weight = self.weight().saturating_sub(removed.weight());
    }

    /// Changes an element in place.
    pub(crate) fn update<T>(&mut self, index: usize, update: impl FnOnce(&mut Value) -> T) -> Option<T> {
        let value = self.values.get_mut(index)?;
        let before = value.weight();
        let result = update(value);
        self.weight = self.weight.max(1).saturating_sub(before).saturating_add(value.weight());
        self.depth = self.depth.max(1).max(1 + value.depth());
        Some(result)
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other.iter()).all(|(a, b)| a.same(b))
    }
}

impl Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.values
    }
}

impl PartialEq for Items {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for Items {}

impl Hash for Items {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl PartialOrd for Items {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Items {
    fn cmp(&self, other: &Self) -> Ordering {
        self.values.cmp(&other.values)
    }
}
