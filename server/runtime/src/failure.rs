//! What can go wrong in a run, with P's meaning and in our words.

use std::fmt;

use smol_str::SmolStr;

use crate::program::{Place, Program};
use crate::value::{Shown, Value};

/// A bug: the run cannot go on from here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    pub fault: Fault,
    /// Who failed: a machine of the run (`Server(1.2)`) or a spec (`Safety`); empty if it was nobody in particular.
    pub who: String,
    /// The state it was in; empty if it was in none.
    pub state: SmolStr,
    pub place: Option<Place>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    AssertionFailed {
        message: Option<String>,
    },
    UnhandledEvent {
        event: SmolStr,
    },
    DivisionByZero,
    DivisionOverflow,
    IndexOutOfRange {
        index: i64,
        length: usize,
    },
    InsertOutOfRange {
        index: i64,
        length: usize,
    },
    KeyMissing {
        key: String,
    },
    KeyExists {
        key: String,
    },
    NullKey,
    /// A collection or tuple was needed and there is `null`.
    NullValue,
    NoElement {
        index: u32,
        count: usize,
    },
    NoField {
        field: SmolStr,
    },
    WrongKind {
        value: String,
        wanted: String,
    },
    /// A function or handler was given a value its parameter cannot hold.
    WrongPayload {
        event: SmolStr,
        value: String,
        wanted: String,
    },
    MissingPermissions {
        machine: String,
        events: Vec<SmolStr>,
    },
    NullTarget {
        event: SmolStr,
    },
    NullEvent {
        verb: &'static str,
    },
    NotInSends {
        event: SmolStr,
    },
    NotPermitted {
        event: SmolStr,
        target: String,
    },
    NotCreatable {
        name: SmolStr,
    },
    ChooseNegative {
        count: i64,
    },
    ChooseTooMany {
        count: u64,
    },
    ChooseEmpty {
        collection: &'static str,
    },
    NoStartState,
    /// A handler came back to where it was, with everything as it was, and does so for ever.
    NeverEnds,
    /// Nobody can do anything, and these wait for events.
    Deadlock {
        waiting: Vec<String>,
    },
    HotAtEnd,
    /// The run can go on for ever without the state cooling down.
    HotForever,
    /// Hot for so many steps.
    HotForLong {
        steps: u64,
    },
}

impl Fault {
    pub(crate) fn wrong_kind(program: &Program, value: &Value, wanted: &str) -> Self {
        Self::WrongKind { value: Shown(program, value).to_string(), wanted: wanted.to_owned() }
    }

    /// The code of findings about it; `explain` says what it means.
    pub fn code(&self) -> &'static str {
        match self {
            Self::AssertionFailed { .. } => "LS3001",
            Self::UnhandledEvent { .. } => "LS3002",
            Self::Deadlock { .. } => "LS3003",
            Self::HotAtEnd | Self::HotForever | Self::HotForLong { .. } => "LS3004",
            Self::DivisionByZero
            | Self::DivisionOverflow
            | Self::IndexOutOfRange { .. }
            | Self::InsertOutOfRange { .. }
            | Self::KeyMissing { .. }
            | Self::KeyExists { .. }
            | Self::NullKey
            | Self::NullValue
            | Self::NoElement { .. }
            | Self::NoField { .. }
            | Self::WrongKind { .. }
            | Self::ChooseNegative { .. }
            | Self::ChooseTooMany { .. }
            | Self::ChooseEmpty { .. } => "LS3005",
            Self::WrongPayload { .. } | Self::MissingPermissions { .. } => "LS3006",
            Self::NullTarget { .. }
            | Self::NullEvent { .. }
            | Self::NotInSends { .. }
            | Self::NotPermitted { .. }
            | Self::NotCreatable { .. } => "LS3007",
            Self::NoStartState => "LS3008",
            Self::NeverEnds => "LS3009",
        }
    }

    /// A short name for reports and tests.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::AssertionFailed { .. } => "assertion",
            Self::UnhandledEvent { .. } => "unhandled event",
            Self::DivisionByZero | Self::DivisionOverflow => "division",
            Self::IndexOutOfRange { .. } | Self::InsertOutOfRange { .. } => "index",
            Self::KeyMissing { .. } | Self::KeyExists { .. } | Self::NullKey => "key",
            Self::NullValue => "null",
            Self::NoElement { .. } | Self::NoField { .. } => "element",
            Self::WrongKind { .. } => "cast",
            Self::WrongPayload { .. } => "payload",
            Self::MissingPermissions { .. } => "conversion",
            Self::NullTarget { .. } | Self::NullEvent { .. } => "null event or target",
            Self::NotInSends { .. } | Self::NotPermitted { .. } | Self::NotCreatable { .. } => "not permitted",
            Self::ChooseNegative { .. } | Self::ChooseTooMany { .. } | Self::ChooseEmpty { .. } => "choose",
            Self::NoStartState => "start state",
            Self::NeverEnds => "endless",
            Self::Deadlock { .. } => "deadlock",
            Self::HotAtEnd | Self::HotForever | Self::HotForLong { .. } => "liveness",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AssertionFailed { message: None } => f.write_str("this assertion does not hold"),
            Self::AssertionFailed { message: Some(message) } => write!(f, "this assertion does not hold: {message}"),
            Self::UnhandledEvent { event } => {
                write!(f, "`{event}` arrives, and the state neither handles, defers nor ignores it")
            }
            Self::DivisionByZero => f.write_str("this divides by zero"),
            Self::DivisionOverflow => f.write_str("the smallest number there is cannot be divided by -1"),
            Self::IndexOutOfRange { index, length: 0 } => write!(f, "there is no element {index}: the collection is empty"),
            Self::IndexOutOfRange { index, length } => {
                write!(f, "there is no element {index}: the elements are 0 to {}", length - 1)
            }
            Self::InsertOutOfRange { index, length: 0 } => {
                write!(f, "nothing can be inserted at {index}: the sequence is empty, and only 0 is possible")
            }
            Self::InsertOutOfRange { index, length } => {
                write!(f, "nothing can be inserted at {index}: possible are 0 to {length}")
            }
            Self::KeyMissing { key } => write!(f, "the map has no key {key}"),
            Self::KeyExists { key } => write!(f, "the map has the key {key} already: change its value with `m[key] = value`"),
            Self::NullKey => f.write_str("`null` cannot be a key of a map or an element of a set"),
            Self::NullValue => f.write_str("this is `null`, and a value is needed"),
            Self::NoElement { index, count } => write!(f, "there is no element {index} in a tuple of {count}"),
            Self::NoField { field } => write!(f, "the tuple has no field `{field}`"),
            Self::WrongKind { value, wanted } => write!(f, "{value} is not {wanted}"),
            Self::WrongPayload { event, value, wanted } if event == "null" => {
                write!(f, "the entry of the state takes {wanted}, and is given {value}")
            }
            Self::WrongPayload { event, value, wanted } => {
                write!(f, "`{event}` carries {value}, and its handler takes {wanted}")
            }
            Self::MissingPermissions { machine, events } => {
                write!(f, "{machine} cannot be sent {}, which the type asks for", listed(events))
            }
            Self::NullTarget { event } => write!(f, "`{event}` is sent to `null`"),
            Self::NullEvent { verb } => write!(f, "`null` is {verb} as an event"),
            Self::NotInSends { event } => write!(f, "`{event}` is not among the events this machine declares with `sends`"),
            Self::NotPermitted { event, target } => {
                write!(f, "`{event}` is not among the events {target} declares with `receives`")
            }
            Self::NotCreatable { name } => write!(f, "this machine cannot create `{name}` in this test"),
            Self::ChooseNegative { count } => write!(f, "`choose` needs a number that is not negative, and this is {count}"),
            Self::ChooseTooMany { count } => write!(f, "`choose` chooses among at most 10000 values, and here are {count}"),
            Self::ChooseEmpty { collection } => write!(f, "nothing can be chosen from an empty {collection}"),
            Self::NoStartState => f.write_str("this spec has no start state"),
            Self::NeverEnds => {
                f.write_str("this never ends: it comes back to the same place again and again, with everything as it was")
            }
            Self::Deadlock { waiting } => {
                write!(f, "deadlock: {} for events that nobody can send any more", waits(waiting))
            }
            Self::HotAtEnd => f.write_str("the run ends in a hot state: what must happen did not"),
            Self::HotForever => {
                f.write_str("the run can repeat itself for ever without leaving the hot state: what must happen never does")
            }
            Self::HotForLong { steps } => {
                write!(f, "the state has been hot for {steps} steps: what must happen seems never to")
            }
        }
    }
}

fn listed(names: &[SmolStr]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn waits(machines: &[String]) -> String {
    let verb = if machines.len() == 1 { "waits" } else { "wait" };
    format!("{} {verb}", machines.join(", "))
}

/// Why a run stopped without a result: a bound of ours was hit. Says nothing about the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Instructions in one run.
    Instructions(u64),
    /// Calls within calls.
    Frames(usize),
    /// The depth or size of a value.
    ValueSize,
    /// What one run prints, in bytes.
    Printed(u64),
    /// The parts of what one run sends and announces.
    Sent(u64),
    /// How many values one value can stand for, where values stand for many.
    Alternatives(usize),
    /// Choices that one run makes one after the other, where all answers are followed at once.
    Choices(usize),
    /// Nobody waits for the end any more.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instructions(count) => write!(f, "a handler ran for {count} instructions without an end in sight"),
            Self::Frames(count) => write!(f, "functions called each other {count} levels deep"),
            Self::ValueSize => f.write_str("a value became too large or too deeply nested"),
            Self::Interrupted => f.write_str("a handler was interrupted"),
            Self::Choices(count) => write!(f, "a handler made {count} choices one after the other"),
            Self::Alternatives(count) => write!(f, "a value has more than {count} possibilities"),
            Self::Sent(parts) => write!(f, "a handler sent and announced values of more than {parts} parts together"),
            Self::Printed(bytes) => write!(f, "a handler printed more than {} MB", bytes >> 20),
        }
    }
}

/// Something that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unsupported {
    /// In words: what it is.
    pub what: String,
    pub place: Place,
}
