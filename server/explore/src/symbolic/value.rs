//! Values that stand for many at once.
//!
//! A `Summary` is what a value is under which guard. Alternatives with parts of the same kind and number are one alternative whose parts are
//! summaries again, so that parts that have nothing to do with each other are not multiplied. A value that is the same everywhere is kept
//! plain, whatever it consists of, and plain values are computed with as in any other run.
//!
//! Guards are not cut down to the case that a summary is used in: they are disjoint, and cover it. What was not changed in two cases can
//! then be recognised when they meet, and costs nothing.

use std::sync::Arc;

use lockstep_runtime::{Items, MOST_DEPTH, MOST_WEIGHT, Named, Table, Value};

use super::cells::{CellId, Kind};
use super::guard::Guard;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Summary {
    /// This one.
    Plain(Value),
    /// Parts, of which at least one is not plain.
    Row(Arc<Row>),
    /// What is in a cell of the state from which a step starts.
    Cell(CellId),
    /// Under each guard something else, which is plain, a row or what is in a cell, no two with the same head, in the order of heads.
    Many(Arc<Vec<(Guard, Summary)>>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    pub(crate) parts: Vec<Summary>,
    weight: u64,
    depth: u32,
}

/// What alternatives are told apart by.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Head {
    Value(Value),
    Row(Kind, usize),
    Cell(CellId),
}

impl Summary {
    pub(crate) fn plain(&self) -> Option<&Value> {
        match self {
            Self::Plain(value) => Some(value),
            _ => None,
        }
    }

    /// A value of these parts; plain if they are.
    pub(crate) fn row(kind: Kind, parts: Vec<Self>) -> Self {
        if parts.iter().all(|part| matches!(part, Self::Plain(_))) {
            let values = parts.into_iter().filter_map(|part| match part {
                Self::Plain(value) => Some(value),
                _ => None,
            });
            return Self::Plain(whole(kind, values.collect()));
        }
        let weight = parts.iter().fold(1_u64, |sum, part| sum.saturating_add(part.weight()));
        let depth = 1 + parts.iter().map(Self::depth).max().unwrap_or(0);
        Self::Row(Arc::new(Row { kind, parts, weight, depth }))
    }

    /// What an alternative is, apart from its parts. Alternatives of alternatives have none.
    pub(crate) fn head(&self) -> Option<Head> {
        match self {
            Self::Plain(value) => Some(match kind_of(value) {
                Some((kind, count)) => Head::Row(kind, count),
                None => Head::Value(value.clone()),
            }),
            Self::Row(row) => Some(Head::Row(row.kind, row.parts.len())),
            Self::Cell(cell) => Some(Head::Cell(*cell)),
            Self::Many(_) => None,
        }
    }

    /// The kind and the parts of a value that has some.
    pub(crate) fn parts(&self) -> Option<(Kind, Vec<Self>)> {
        match self {
            Self::Plain(value) => {
                let (kind, _) = kind_of(value)?;
                Some((kind, parts_of(value).into_iter().map(Self::Plain).collect()))
            }
            Self::Row(row) => Some((row.kind, row.parts.clone())),
            Self::Cell(_) | Self::Many(_) => None,
        }
    }

    /// How many parts it has, as far as that is known; of several alternatives, the largest.
    pub(crate) fn weight(&self) -> u64 {
        match self {
            Self::Plain(value) => value.weight(),
            Self::Row(row) => row.weight,
            Self::Cell(_) => 1,
            Self::Many(all) => all.iter().map(|(_, one)| one.weight()).max().unwrap_or(1),
        }
    }

    fn depth(&self) -> u32 {
        match self {
            Self::Plain(value) => value.depth(),
            Self::Row(row) => row.depth,
            Self::Cell(_) => 0,
            Self::Many(all) => all.iter().map(|(_, one)| one.depth()).max().unwrap_or(0),
        }
    }

    /// Whether it is larger than values may be, as far as it is known.
    pub(crate) fn is_too_large(&self) -> bool {
        match self {
            Self::Plain(value) => value.is_too_large(),
            Self::Row(_) | Self::Many(_) => self.weight() > MOST_WEIGHT || self.depth() > MOST_DEPTH,
            Self::Cell(_) => false,
        }
    }
}

/// The kind of a value with parts, and how many they are.
pub(crate) fn kind_of(value: &Value) -> Option<(Kind, usize)> {
    match value {
        Value::Tuple(items) => Some((Kind::Tuple, items.len())),
        Value::Named(named) => Some((Kind::Named(named.names), named.items.len())),
        Value::Seq(items) => Some((Kind::Seq, items.len())),
        Value::Set(table) => Some((Kind::Set, table.len())),
        Value::Map(table) => Some((Kind::Map, 2 * table.len())),
        _ => None,
    }
}

/// The parts of a value.
pub(crate) fn parts_of(value: &Value) -> Vec<Value> {
    match value {
        Value::Tuple(items) | Value::Seq(items) => items.to_vec(),
        Value::Named(named) => named.items.to_vec(),
        Value::Set(table) => table.keys().cloned().collect(),
        Value::Map(table) => table.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect(),
        _ => Vec::new(),
    }
}

/// The value of these parts.
pub(crate) fn whole(kind: Kind, parts: Vec<Value>) -> Value {
    match kind {
        Kind::Tuple => Value::tuple(parts),
        Kind::Named(names) => Value::Named(Arc::new(Named { names, items: Items::new(parts) })),
        Kind::Seq => Value::seq(parts),
        Kind::Set => Value::Set(Arc::new(parts.into_iter().map(|key| (key, Value::Null)).collect())),
        Kind::Map => {
            let mut parts = parts.into_iter();
            let pairs = std::iter::from_fn(|| Some((parts.next()?, parts.next()?)));
            Value::Map(Arc::new(pairs.collect::<Table>()))
        }
    }
}
