//! Types of P and which values may be stored where.
//!
//! Aliases are resolved away. Types are known by name, as in P itself; `Error` is the type of whatever has been reported already
//! and is compatible with everything, so that one mistake is reported once.
//!
//! Unlike here, P resolves aliases on the left side of an assignment only. So it refuses to store a value whose type is an alias of an
//! enum in a place of that enum, or an alias of a machine in a place of type `machine`.

use std::fmt::{self, Write};
use std::sync::Arc;

use smol_str::SmolStr;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Error,
    Any,
    Bool,
    Int,
    Float,
    String,
    /// The type of `null`, and what a function without a result returns.
    Null,
    Event,
    Machine,
    Data,
    Enum(SmolStr),
    Foreign(SmolStr),
    /// A reference to a machine that takes these events: the name of a machine, interface or event set as a type.
    Reference(SmolStr, Events),
    Seq(Arc<Ty>),
    Set(Arc<Ty>),
    Map(Arc<Ty>, Arc<Ty>),
    Tuple(Arc<[Ty]>),
    NamedTuple(Arc<[(SmolStr, Ty)]>),
}

/// A set of events by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Events {
    /// All that are declared, and `halt`.
    All,
    /// Sorted, without repetition.
    Only(Arc<[SmolStr]>),
}

impl Events {
    pub fn only(names: impl IntoIterator<Item = SmolStr>) -> Self {
        let mut names: Vec<SmolStr> = names.into_iter().collect();
        names.sort();
        names.dedup();
        Self::Only(names.into())
    }

    pub fn contains(&self, event: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.binary_search_by(|name| name.as_str().cmp(event)).is_ok(),
        }
    }

    pub fn is_subset(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::All) => true,
            (Self::All, Self::Only(_)) => false,
            (Self::Only(names), other) => names.iter().all(|name| other.contains(name)),
        }
    }
}

impl Ty {
    /// Whether a value of type `value` may be stored in a place of this type.
    pub fn accepts(&self, value: &Self) -> bool {
        // Values can be nested more deeply than declared types can.
        crate::stack::level(|| self.accepts_here(value))
    }

    fn accepts_here(&self, value: &Self) -> bool {
        match (self, value) {
            (Self::Error, _) | (_, Self::Error) | (Self::Any, _) => true,
            (Self::Event, Self::Event | Self::Null) => true,
            (Self::Machine, Self::Machine | Self::Null | Self::Reference(..)) => true,
            (Self::Data, value) => value.carries_no_machine(),
            (Self::Reference(_, mine), Self::Reference(_, theirs)) => mine == theirs,
            (Self::Seq(mine), Self::Seq(theirs)) | (Self::Set(mine), Self::Set(theirs)) => mine.accepts(theirs),
            (Self::Map(key, element), Self::Map(their_key, their_element)) => {
                key.accepts(their_key) && element.accepts(their_element)
            }
            (Self::Tuple(mine), Self::Tuple(theirs)) => {
                mine.len() == theirs.len() && mine.iter().zip(theirs.iter()).all(|(mine, theirs)| mine.accepts(theirs))
            }
            (Self::NamedTuple(mine), Self::NamedTuple(theirs)) => {
                let same = |((name, mine), (their_name, theirs)): (&(SmolStr, Self), &(SmolStr, Self))| {
                    name == their_name && mine.accepts(theirs)
                };
                mine.len() == theirs.len() && mine.iter().zip(theirs.iter()).all(same)
            }
            (mine, theirs) => mine == theirs,
        }
    }

    /// Whether values of either type may be stored as the other.
    pub fn is_same(&self, other: &Self) -> bool {
        self.accepts(other) && other.accepts(self)
    }

    /// Whether a value may be compared with, or cast to, a value of the other type.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.accepts(other) || other.accepts(self)
    }

    /// Whether variables of this type are `null` at first.
    pub(crate) fn begins_as_null(&self) -> bool {
        match self {
            Self::Error | Self::Any | Self::Null | Self::Event | Self::Machine | Self::Data => true,
            Self::Foreign(_) | Self::Reference(..) => true,
            Self::Bool | Self::Int | Self::Float | Self::String | Self::Enum(_) => false,
            Self::Seq(_) | Self::Set(_) | Self::Map(..) | Self::Tuple(_) | Self::NamedTuple(_) => false,
        }
    }

    /// Whether no value of this type can hold a reference to a machine.
    fn carries_no_machine(&self) -> bool {
        crate::stack::level(|| self.carries_no_machine_here())
    }

    fn carries_no_machine_here(&self) -> bool {
        match self {
            Self::Any | Self::Machine | Self::Foreign(_) => false,
            Self::Reference(_, Events::Only(events)) => events.is_empty(),
            Self::Reference(_, Events::All) => false,
            Self::Seq(element) | Self::Set(element) => element.carries_no_machine(),
            Self::Map(key, value) => key.carries_no_machine() && value.carries_no_machine(),
            Self::Tuple(elements) => elements.iter().all(Self::carries_no_machine),
            Self::NamedTuple(fields) => fields.iter().all(|(_, ty)| ty.carries_no_machine()),
            _ => true,
        }
    }
}

/// How much of a type is shown in a message.
const SHOWN: usize = 120;

/// As it is written in P; the end of a long one is left out.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = Shown { text: String::new() };
        // Writing ends early with an error when there is enough.
        if self.write(&mut shown).is_err() {
            shown.text.push('…');
        }
        f.write_str(&shown.text)
    }
}

struct Shown {
    text: String,
}

impl fmt::Write for Shown {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() > SHOWN {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

impl Ty {
    fn write(&self, f: &mut Shown) -> fmt::Result {
        match self {
            Self::Error => f.write_str("?"),
            Self::Any => f.write_str("any"),
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Float => f.write_str("float"),
            Self::String => f.write_str("string"),
            Self::Null => f.write_str("null"),
            Self::Event => f.write_str("event"),
            Self::Machine => f.write_str("machine"),
            Self::Data => f.write_str("data"),
            Self::Enum(name) | Self::Foreign(name) | Self::Reference(name, _) => f.write_str(name),
            Self::Seq(element) => {
                f.write_str("seq[")?;
                element.write(f)?;
                f.write_str("]")
            }
            Self::Set(element) => {
                f.write_str("set[")?;
                element.write(f)?;
                f.write_str("]")
            }
            Self::Map(key, value) => {
                f.write_str("map[")?;
                key.write(f)?;
                f.write_str(", ")?;
                value.write(f)?;
                f.write_str("]")
            }
            Self::Tuple(elements) => {
                f.write_str("(")?;
                for (index, element) in elements.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    element.write(f)?;
                }
                f.write_str(")")
            }
            Self::NamedTuple(fields) => {
                f.write_str("(")?;
                for (index, (name, ty)) in fields.iter().enumerate() {
                    write!(f, "{}{name}: ", if index > 0 { ", " } else { "" })?;
                    ty.write(f)?;
                }
                f.write_str(")")
            }
        }
    }
}
