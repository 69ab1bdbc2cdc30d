//! Runs of one machine: from an event, or from where it paused, to the next point at which others may act.
//!
//! A run is a function of the program, of what the machine knows, of what it is given and of the answers to its choices, so results
//! can be kept and used again. It does nothing to others but list what it does to them, in order (`Effect`).
//!
//! P lets others act just before a message is put into a queue (after monitors have been told) and just before a machine is created;
//! when a machine asks for the next event, also at `receive`; and between finding no event and handling `null`. Everything between is
//! one run.

mod answers;
mod endless;
mod machine;
mod step;
#[cfg(test)]
mod tests;

pub use answers::{Choices, Script, all_runs};
pub(crate) use machine::receive_cases;
pub use machine::{Suspended, start_monitor, tell_monitor};

use crate::domain::{Choice, Domain};
use crate::failure::{Failure, Limit, Unsupported};
use crate::identity::MachineId;
use crate::local::{Local, Message};
use crate::program::{InterfaceId, Program};
use crate::value::Value;

/// What a machine is given to go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input<V = Value> {
    /// Nothing: it is `Created` or `Paused`.
    Go,
    /// An event from its queue: it is `Waiting` or `Receiving`.
    Message(Message<V>),
    /// The event `null`: it is `NullTaken`, or `Waiting` where others cannot act in between.
    Null,
}

/// What a machine does to others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect<V = Value> {
    /// The monitors of the machine's interface that observe this event handle it, before anything that follows.
    Tell(Message<V>),
    /// The message is put at the end of a queue, unless that machine has halted.
    Send {
        target: MachineId,
        message: Message<V>,
    },
    Create {
        id: MachineId,
        interface: InterfaceId,
        payload: V,
    },
    /// `print`
    Print(String),
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run<V = Value> {
    /// The machine afterwards. If the run did not end well, as it was then.
    pub local: Local<V>,
    pub effects: Vec<Effect<V>>,
    pub end: End,
    /// Whether it came into a cold state, be it to leave it at once.
    pub has_cooled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// At a point where others may act; `Local::control` says at which.
    Done,
    Failed(Box<Failure>),
    /// There is no answer to this choice.
    NeedsChoice(Choice),
    Limited(Limit),
    Unsupported(Unsupported),
}

/// Where in a handler others may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pauses {
    /// Before each send and creation, as in P's own checker.
    AtSends,
    /// Nowhere: a handler is one run, up to a `receive`.
    Never,
}

/// Bounds of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    pub instructions: u64,
    pub frames: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instructions: 20_000_000, frames: 10_000 }
    }
}

/// Runs a machine. `id` is who it is.
pub fn run_handler<D: Domain>(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: &MachineId,
    local: Local<D::Value>,
    input: Input<D::Value>,
    domain: &mut D,
) -> Run<D::Value> {
    machine::Runner::new(program, limits, pauses, Some(id), local, domain).run(input)
}

/// A run that may have to wait for an answer.
#[derive(Clone, Debug)]
pub enum Ran<V = Value> {
    Over(Run<V>),
    /// There is no answer to this choice yet; `go_on` goes on from there.
    Asks(Choice, Box<Suspended<V>>),
}

/// Like `run_handler`, up to a choice to which the domain has no answer.
pub fn run_to_choice<D: Domain>(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: &MachineId,
    local: Local<D::Value>,
    input: Input<D::Value>,
    domain: &mut D,
) -> Ran<D::Value> {
    machine::Runner::new(program, limits, pauses, Some(id), local, domain).run_to_choice(input)
}

/// A run in a domain that has cases, as far as it goes without somebody who keeps them apart.
#[derive(Clone, Debug)]
pub enum Lifted<V = Value> {
    Over(Run<V>),
    /// The domain knows the cases; the run goes on in each of them.
    Splits(Box<Suspended<V>>),
    /// Other cases may come to the same point.
    Rests(Box<Suspended<V>>),
}

/// Runs a machine, or a monitor if there is no `id`, in a domain that has cases. `go_on_lifted` goes on.
pub fn run_lifted<D: Domain>(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: Option<&MachineId>,
    local: Local<D::Value>,
    input: Input<D::Value>,
    domain: &mut D,
) -> Lifted<D::Value> {
    machine::Runner::new(program, limits, pauses, id, local, domain).run_lifted(input)
}

pub fn go_on_lifted<D: Domain>(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: Option<&MachineId>,
    suspended: Suspended<D::Value>,
    domain: &mut D,
) -> Lifted<D::Value> {
    machine::Runner::go_on_lifted(program, limits, pauses, id, suspended, domain)
}

/// Goes on with a run. What comes is what `run_handler` would give with all answers, without doing again what was done before.
pub fn go_on<D: Domain>(
    program: &Program,
    limits: &Limits,
    pauses: Pauses,
    id: &MachineId,
    suspended: Suspended<D::Value>,
    domain: &mut D,
) -> Ran<D::Value> {
    machine::Runner::go_on(program, limits, pauses, id, suspended, domain)
}
