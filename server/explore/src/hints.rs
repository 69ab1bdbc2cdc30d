//! What can be said about a search that was given up, as plain data.

use std::fmt;

use serde::Serialize;

/// Why a search may not have come to an end. All of it was seen; none of it says that there is no end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hints {
    /// What became more and more in long runs: machines, then queues, collections, texts and numbers, of each kind the largest first.
    pub growing: Vec<Growing>,
    /// The step with most outcomes, if they are many.
    pub widest: Option<Widest>,
    /// Different machines with their queues: all states are combinations of these.
    pub components: u64,
}

/// Something that became more and more in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Growing {
    pub what: Grows,
    /// A machine, or a variable as in `Client.requests`.
    pub name: String,
    /// How many there were at most; the largest number, without its sign.
    pub most: u64,
    /// In a run of so many steps.
    pub steps: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Grows {
    /// How many machines there are.
    Machines,
    /// How many messages wait for a machine.
    Queue,
    /// How many elements a variable has.
    Elements,
    /// How many characters a text has.
    Characters,
    /// How large a number is.
    Number,
}

/// A step with many outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Widest {
    pub machine: String,
    pub state: String,
    pub outcomes: u64,
    /// How many answers the choices in it have.
    pub choices: Vec<u32>,
}

impl fmt::Display for Growing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, most, steps } = self;
        match what {
            Grows::Machines => write!(f, "the number of machines `{name}`: {most}")?,
            Grows::Queue => write!(f, "the queue of `{name}`: {most} messages")?,
            Grows::Elements => write!(f, "`{name}`: {most} elements")?,
            Grows::Characters => write!(f, "`{name}`: {most} characters")?,
            Grows::Number => write!(f, "`{name}`: a number of up to {most}")?,
        }
        write!(f, " in a run of {steps} steps")
    }
}

impl fmt::Display for Widest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, state, outcomes, choices } = self;
        write!(f, "a step of `{machine}` in `{state}` has at least {outcomes} outcomes")?;
        match &choices[..] {
            [] => Ok(()),
            [one] => write!(f, ": a choice among {one}"),
            many => {
                let told: Vec<String> = many.iter().take(6).map(u32::to_string).collect();
                write!(f, ": choices among {}{}", told.join(", "), if many.len() > 6 { ", ..." } else { "" })
            }
        }
    }
}
