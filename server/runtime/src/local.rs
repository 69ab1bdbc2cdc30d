//! One machine of a run, on its own: where it is in its code, and what its variables are.

use std::hash::Hash;

use crate::code::{BlockId, Slot};
use crate::identity::MachineId;
use crate::program::{EventId, FunctionId, InterfaceId, MachineTypeId, Program, StateId};
use crate::value::Value;

/// Everything a machine, or a monitor, knows and is about to do, without its queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Local<V = Value> {
    pub machine: MachineTypeId,
    /// What it was created as; `None` for a monitor.
    pub interface: Option<InterfaceId>,
    pub state: StateId,
    pub control: Control<V>,
    /// Empty before it is started and when it has halted.
    pub fields: Vec<V>,
    /// Functions that have not returned, the innermost last.
    pub frames: Vec<Frame<V>>,
    /// What follows when all of them have returned, the next last.
    pub agenda: Vec<Task<V>>,
    /// How many machines it has created.
    pub created: u32,
}

/// What a machine needs to go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Control<V = Value> {
    /// To be started, with this value.
    Created(V),
    /// To be scheduled, to do what it was about to do at a scheduling point.
    Paused(Pending<V>),
    /// An event it handles.
    Waiting,
    /// To be scheduled: it found no event and will handle `null`, even if one arrives now.
    NullTaken,
    /// One of the events of the `receive` at which its innermost function is.
    Receiving,
    /// Nothing any more.
    Halted,
}

/// What is done after a scheduling point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pending<V = Value> {
    /// The monitors know of it already.
    Send {
        target: MachineId,
        message: Message<V>,
    },
    Create {
        interface: InterfaceId,
        payload: V,
        to: Option<Slot>,
    },
}

/// An event on its way, with what it carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message<V = Value> {
    pub event: EventId,
    pub payload: V,
}

/// A function that has not returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame<V = Value> {
    pub function: FunctionId,
    pub block: BlockId,
    /// The next instruction of the block; its end if there is none.
    pub instr: u32,
    pub slots: Vec<V>,
    /// Where its caller wants the result.
    pub result: Option<Slot>,
}

/// What follows on a handler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Task<V = Value> {
    /// The code behind `with`.
    With(FunctionId, Message<V>),
    /// The state becomes this one, and its entry is run.
    Enter(StateId, Message<V>),
    /// The exit of the state has been run for an event that ends the machine.
    Halt,
    /// The same for an event that the state does not handle.
    Unhandled(EventId),
}

impl<V> Local<V> {
    /// A machine that has not been started.
    pub fn created(program: &Program, interface: InterfaceId, payload: V) -> Self {
        Self { interface: Some(interface), ..Self::of_type(program, program.interface(interface).machine, payload) }
    }

    /// A machine or monitor that has not been started.
    pub(crate) fn of_type(program: &Program, machine: MachineTypeId, payload: V) -> Self {
        Self {
            machine,
            interface: None,
            state: program.machine(machine).start.unwrap_or(StateId(0)),
            control: Control::Created(payload),
            fields: Vec::new(),
            frames: Vec::new(),
            agenda: Vec::new(),
            created: 0,
        }
    }

    pub fn is_halted(&self) -> bool {
        matches!(self.control, Control::Halted)
    }
}
