//! Random IceT programs, for tests that compare what is claimed of a program with what it does.
//!
//! A program is a function of the random numbers: the same seed gives the same text. Its sets are small in number and its values come
//! from small domains, so that all runs with a few members can be looked at. Every program is without static errors.

mod conversations;
mod dialog;
mod late;
mod mutated;
mod pairwise;
mod relays;
mod rounds;
mod servers;
mod sketch;
mod structured;
mod traps;

use crate::Random;

/// What structured programs are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    Dialog,
    Ping,
    TellAll,
    Gather,
    Sessions,
    Multicast,
    Crossing,
    Committed,
    AllToAll,
    ForwardThroughOne,
    ForwardThroughAll,
    Introduce,
    Probe,
    Stealing,
    RepeatTogether,
    Note,
    Decision,
    Call,
    CallPicked,
    Repeated,
    OncePerMember,
    /// Processes and sets go through rounds together.
    Rounds,
    /// The same without end.
    EndlessRounds,
    /// A message that may never come is not waited for for ever.
    Late,
    /// The members of a set ask servers for ever.
    EndlessTurns,
    /// The pid of a guest goes through a gate to a helper, which answers.
    Relay,
    /// Sets tell each other without answers.
    Broadcasts,
    /// One process takes two conversations in the other order.
    Disorder,
    /// A send is moved before a receive.
    Hasten,
    /// Something is done in the middle of a conversation.
    Aside,
    /// Something goes wrong in some states of a process.
    Trap,
}

impl Template {
    const CONVERSATIONS: [Self; 21] = [
        Self::Dialog,
        Self::Ping,
        Self::TellAll,
        Self::Gather,
        Self::Sessions,
        Self::Multicast,
        Self::Crossing,
        Self::Committed,
        Self::AllToAll,
        Self::ForwardThroughOne,
        Self::ForwardThroughAll,
        Self::Introduce,
        Self::Probe,
        Self::Stealing,
        Self::RepeatTogether,
        Self::Note,
        Self::Decision,
        Self::Call,
        Self::CallPicked,
        Self::Repeated,
        Self::OncePerMember,
    ];

    /// What only extended programs are made of.
    const EXTENSIONS: [Self; 6] =
        [Self::Rounds, Self::EndlessRounds, Self::Late, Self::EndlessTurns, Self::Relay, Self::Broadcasts];

    pub fn all() -> impl Iterator<Item = Self> {
        let changes = [Self::Disorder, Self::Hasten, Self::Aside, Self::Trap];
        Self::CONVERSATIONS.into_iter().chain(Self::EXTENSIONS).chain(changes)
    }

    /// Whether a program with it may have no end of states.
    pub fn is_endless(self) -> bool {
        matches!(self, Self::EndlessRounds | Self::EndlessTurns | Self::Relay)
    }

    fn contains_others(self) -> bool {
        matches!(self, Self::Repeated | Self::OncePerMember)
    }

    /// How many processes of their own and how many sets take part.
    fn needs(self) -> (usize, usize) {
        match self {
            Self::Dialog | Self::RepeatTogether => (2, 0),
            Self::ForwardThroughOne => (3, 0),
            Self::Relay => (0, 0),
            Self::Ping
            | Self::TellAll
            | Self::Gather
            | Self::Sessions
            | Self::Probe
            | Self::Stealing
            | Self::Decision
            | Self::Late => (1, 1),
            Self::ForwardThroughAll | Self::Introduce | Self::Note => (2, 1),
            Self::Multicast | Self::Crossing | Self::Committed | Self::Broadcasts => (0, 2),
            Self::AllToAll | Self::OncePerMember | Self::EndlessTurns => (0, 1),
            Self::Rounds
            | Self::EndlessRounds
            | Self::Call
            | Self::CallPicked
            | Self::Repeated
            | Self::Disorder
            | Self::Hasten
            | Self::Aside
            | Self::Trap => (1, 0),
        }
    }
}

/// A program as people write them, with up to `size` conversations. Most of them do what they should.
pub fn structured(random: &mut Random, size: usize) -> String {
    structured_of(random, size).0
}

/// Like `structured`, with the templates that the program is made of.
pub fn structured_of(random: &mut Random, size: usize) -> (String, Vec<Template>) {
    structured::structured(random, size)
}

/// A structured program with rounds, messages that may never come, members that act for ever, relays, and broadcasts.
pub fn extended(random: &mut Random, size: usize) -> String {
    extended_of(random, size).0
}

/// Like `extended`, with the templates that the program is made of.
pub fn extended_of(random: &mut Random, size: usize) -> (String, Vec<Template>) {
    structured::extended(random, size)
}

/// A program of the stratified pairwise fragment with up to `size` parts: no run of it blocks, fails, or leaves a message behind, and
/// it can be sequentialized.
pub fn pairwise(random: &mut Random, size: usize) -> String {
    pairwise::pairwise(random, size)
}

/// A program with one random fault, which is no static error. The program itself if it has errors or nothing that could be broken.
/// Unlike its program, a mutant may have no end of states, which grow with the messages that nobody receives.
pub fn mutated(random: &mut Random, text: &str) -> String {
    mutated::mutated(random, text)
}
