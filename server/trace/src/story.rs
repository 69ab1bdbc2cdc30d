//! What happened in a run, for people: plain data that stands on its own.
//!
//! Invariant: every number leads to something (`Story::is_whole`), also in a story that was read from a file.

use lockstep_base::{Encoding, Text, TextRange};
use serde::{Deserialize, Serialize};

/// A run from its beginning to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// Machines in the order of creation, and the specs that saw something.
    pub actors: Vec<Actor>,
    pub moments: Vec<Moment>,
    /// What was sent, in order.
    pub messages: Vec<Message>,
    /// For a run without an end: from this moment to the last it repeats itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repeats_from: Option<usize>,
    /// What the run ends in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bug: Option<Bug>,
}

/// A machine or a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Actor {
    /// `Server(1.2)`; the name alone for a spec.
    pub name: String,
    pub is_spec: bool,
}

/// Something that one actor does, up to the next thing it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Moment {
    /// Into `Story::actors`.
    pub actor: usize,
    /// Which decision of the trace it belongs to, from 0.
    pub decision: usize,
    pub what: What,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Located>,
    /// How the actor's state is another one afterwards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<StateChange>,
    /// How the actor's variables are different afterwards.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changes: Vec<Change>,
    /// What `$` and `choose` gave: the number of the possibility, from 1, and how many there were.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub choices: Vec<(u32, u32)>,
    /// The values that these stand for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub chosen: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum What {
    /// The entry of the start state is run.
    Start {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        payload: Option<String>,
    },
    /// Another machine comes into being.
    Create {
        actor: usize,
    },
    /// Into `Story::messages`.
    Send {
        message: usize,
    },
    /// It takes a message from its queue, to handle or to receive it.
    Take {
        message: usize,
    },
    /// It handles `null`, because there is nothing else to do.
    Null,
    /// A spec is told of an event by a machine.
    Observe {
        by: usize,
        event: String,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        payload: Option<String>,
    },
    Print {
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StateChange {
    pub from: String,
    /// `None` if the machine has halted.
    pub to: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    pub variable: String,
    pub before: String,
    pub after: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Message {
    pub event: String,
    /// `None` if it carries nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub payload: Option<String>,
    pub from: usize,
    pub to: usize,
    /// The moment of sending.
    pub sent: usize,
    pub fate: Fate,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum Fate {
    /// It was taken in this moment.
    Taken { moment: usize },
    /// It was dropped by a state that ignores it.
    Ignored,
    /// It was sent to a machine that had halted, or halted before taking it.
    Lost,
    /// It is still in the queue at the end.
    Waiting,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bug {
    /// Stable, such as `LS3001`.
    pub code: String,
    pub message: String,
    /// `Server(1.2)`, or a spec; empty if it is nobody in particular.
    pub who: String,
    /// The state it was in; empty if it was in none.
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Located>,
}

/// A place in a file. Lines and columns from 1, columns in Unicode scalar values; the end is the place after the last character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Located {
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Located {
    /// A range of the text of a file.
    pub fn new(path: &str, text: &Text, range: TextRange) -> Self {
        let at = |offset| text.position(offset, Encoding::Utf32);
        let (start, end) = (at(range.start()), at(range.end()));
        Self {
            path: path.to_owned(),
            line: start.line + 1,
            column: start.column + 1,
            end_line: end.line + 1,
            end_column: end.column + 1,
        }
    }
}

impl Story {
    /// The actor that failed.
    pub fn culprit(&self) -> Option<usize> {
        let bug = self.bug.as_ref()?;
        self.actors.iter().position(|actor| actor.name == bug.who)
    }

    /// Everything in the source that it speaks of.
    pub fn places(&self) -> impl Iterator<Item = &Located> {
        let moments = self.moments.iter().filter_map(|moment| moment.place.as_ref());
        moments.chain(self.bug.iter().filter_map(|bug| bug.place.as_ref()))
    }

    /// Whether all numbers lead to something.
    pub fn is_whole(&self) -> bool {
        let (actors, moments, messages) = (self.actors.len(), self.moments.len(), self.messages.len());
        let are_moments_right = self.moments.iter().all(|moment| {
            moment.actor < actors
                && match moment.what {
                    What::Create { actor } => actor < actors,
                    What::Send { message } | What::Take { message } => message < messages,
                    What::Observe { by, .. } => by < actors,
                    What::Start { .. } | What::Null | What::Print { .. } => true,
                }
        });
        let are_messages_right = self.messages.iter().all(|message| {
            let is_fate_right = match message.fate {
                Fate::Taken { moment } => moment < moments && message.sent < moment,
                Fate::Ignored | Fate::Lost | Fate::Waiting => true,
            };
            message.from < actors && message.to < actors && message.sent < moments && is_fate_right
        });
        are_moments_right && are_messages_right && self.repeats_from.is_none_or(|first| first < moments)
    }
}

impl std::fmt::Display for Located {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

impl Message {
    /// `eGrant(lease = 3)`.
    pub fn words(&self) -> String {
        with_payload(&self.event, self.payload.as_deref())
    }
}

/// An event with what it carries. Tuples have brackets already.
pub(crate) fn with_payload(event: &str, payload: Option<&str>) -> String {
    match payload {
        None => event.to_owned(),
        Some(payload) if payload.starts_with('(') => format!("{event}{payload}"),
        Some(payload) => format!("{event}({payload})"),
    }
}
