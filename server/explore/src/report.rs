//! What a search found, as plain data.

use std::fmt;
use std::time::Duration;

use lockstep_runtime::{AbstractionId, Failure, Limit, Trace, Unsupported};
use serde::Serialize;

use crate::hints::Hints;
use crate::options::{Keeping, Reduction};

#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub outcome: Outcome,
    /// All bugs that were found, the one of the outcome first.
    pub bugs: Vec<Bug>,
    /// A shortest way to a situation in which nobody can go on and somebody has deferred events. P takes that for a normal end.
    pub left_behind: Option<Trace>,
    /// A way to a step that was given up because a run of a machine became too long or too large.
    pub stopped: Option<Trace>,
    /// Why it may not have come to an end, if it was given up because a budget was spent.
    pub hints: Option<Hints>,
    /// If only runs without an end are open: no other run goes wrong, and this is how many states say so.
    pub safe: Option<Exhausted>,
    pub stats: Stats,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There is nothing else, and nothing is wrong.
    Exhausted(Exhausted),
    Bug(Box<Bug>),
    Unknown {
        why: Why,
        covered: Covered,
    },
    /// Something that happens in a run of this test cannot be run.
    Unsupported(Unsupported),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exhausted {
    pub states: u64,
    pub transitions: u64,
    /// Steps to what is farthest away.
    pub depth: u32,
    pub certainty: Certainty,
}

/// How sure it is that different states were told apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Certainty {
    Exact,
    /// The chance that some state was left out.
    Omission(f64),
}

impl Certainty {
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn of(keeping: Keeping, states: u64) -> Self {
        match keeping {
            Keeping::Exact => Self::Exact,
            // Pairs of states, each equal by chance once in 2^128.
            Keeping::Fingerprints => Self::Omission((states as f64).powi(2) / 2_f64.powi(129)),
        }
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Omission(chance) => write!(f, "the chance that a state was left out is {chance:.1e}"),
        }
    }
}

/// A bug, with a run that shows it; the plain interpreter has run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bug {
    pub failure: Failure,
    pub trace: Trace,
    /// For a run that never ends: from this decision on to the last it repeats itself.
    pub repeats_from: Option<usize>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    States(u64),
    Transitions(u64),
    Time(Duration),
    Memory(u64),
    /// Too many different answers to the choices of one step, or too many choices in it.
    Answers(u64),
    Cancelled,
    /// A guard of the symbolic search became too large.
    Guards(u64),
    /// Operations on guards.
    Nodes(u64),
    /// A run of a machine was given up.
    Run(Limit),
    /// A mistake of ours: a bug was found that the plain interpreter does not show.
    NotReplayed(Box<Failure>),
    /// Something goes wrong, but the search was given up before it had a run that shows it.
    NotTraced(Box<Failure>, Box<Why>),
}

impl Why {
    /// Whether something was met that goes wrong, or seems to.
    pub fn has_seen_a_bug(&self) -> bool {
        matches!(self, Self::NotReplayed(_) | Self::NotTraced(..))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(count) => write!(f, "the budget of {count} states is spent"),
            Self::Transitions(count) => write!(f, "the budget of {count} steps is spent"),
            Self::Time(time) => match time.as_secs_f64() {
                1.0 => write!(f, "the budget of 1 second is spent"),
                seconds => write!(f, "the budget of {seconds} seconds is spent"),
            },
            Self::Memory(bytes) => write!(f, "the budget of {} MB of memory is spent", bytes >> 20),
            Self::Answers(count) => {
                write!(f, "the choices of one step have too many answers (more than {count}, or 1000 one after the other)")
            }
            Self::Guards(nodes) => write!(f, "a set of states became too large for the budget of memory ({nodes} nodes)"),
            Self::Nodes(count) => write!(f, "the budget of {count} nodes of sets of states is spent"),
            Self::Cancelled => f.write_str("interrupted"),
            Self::Run(limit) => limit.fmt(f),
            Self::NotTraced(failure, why) => {
                write!(
                    f,
                    "something seems to go wrong ({}), but it was given up to look for a run that shows it: {why}",
                    failure.fault
                )
            }
            Self::NotReplayed(failure) => {
                write!(f, "a mistake of Lockstep: it found a bug that a second look does not confirm ({})", failure.fault)
            }
        }
    }
}

/// What was looked at before a search was given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    pub states: u64,
    pub transitions: u64,
    /// Every run of at most so many steps was looked at, or one with the same steps in another order. `None` if that cannot be said, as where
    /// machines were put off.
    pub depth: Option<u32>,
}

/// Figures about a search. Without `seconds` and `memory` they are the same however many threads there are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub ends: Ends,
    /// Most states that waited to be looked at.
    pub frontier: u64,
    /// States in which not all steps were made.
    pub reduced: u64,
    /// Steps that were not made because another order of the same steps was.
    pub asleep: u64,
    /// Steps in which something was chosen.
    pub chosen: u64,
    /// What was really used.
    pub reduction: Reduction,
    /// Machines that come into being, in all runs together.
    pub machines: u64,
    /// Different machines with their queues, and different machines without.
    pub components: u64,
    pub locals: u64,
    /// Runs of handlers; all others were known.
    pub runs: u64,
    /// Random schedules before anything else. If there are no states, one of them showed the bug.
    pub schedules: u64,
    /// Bytes, by our own count.
    pub memory: u64,
    pub seconds: f64,
    /// If sets of states were searched instead of single ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
    /// Which abstractions took values together.
    #[serde(skip)]
    pub together: Vec<AbstractionId>,
    /// If it was left open which engine searches, or the one that was asked for did not do all: which one it was, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picked: Option<String>,
}

/// Figures about a symbolic search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Symbolic {
    /// Runs of handlers, each for a group of states.
    pub runs: u64,
    /// How many these would be if each of the machine's skeletons (its queue, and what it is about to do) had a run of its own.
    pub runs_apart: u64,
    /// Operations on guards, and nodes they went through, which is what they cost.
    pub operations: u64,
    pub gone_through: u64,
    /// Nodes of the largest guard there was.
    pub largest: u64,
    /// Variables that states are written in.
    pub variables: u64,
    /// Nodes of the set of all states.
    pub nodes: u64,
}

/// How runs end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ends {
    /// Nothing is left to do.
    pub normal: u64,
    /// Nobody can go on, and somebody has deferred events.
    pub with_deferred: u64,
    /// Somebody waits in a `receive`.
    pub blocked: u64,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Progress {
    pub states: u64,
    pub transitions: u64,
    pub states_per_second: f64,
    pub frontier: u64,
    pub depth: u32,
    pub memory: u64,
    /// Nodes of the guard that stands for all states, if they are searched as sets.
    pub nodes: Option<u64>,
}
