//! What a P program does.
//!
//! A test case of a checked project becomes plain data (`lower`): a `Program`. `run_handler` runs one machine of it up to the next
//! point at which others may act; it is a function and touches nobody else. A `Configuration` is a system of such machines with their
//! queues; it says what can happen next and does it. All engines are built on these; there is no other meaning of a P program here.

mod code;
mod concrete;
mod configuration;
mod domain;
pub mod explain;
mod failure;
mod fingerprint;
mod heat;
mod identity;
mod lasso;
mod local;
mod lower;
pub mod naive;
mod program;
mod rename;
mod run;
mod scheduler;
mod spots;
#[cfg(test)]
mod testing;
mod trace;
mod value;

pub use code::{
    Access, Binary, Block, BlockId, Case, Conversion, Function, Instr, Op, Operand, Piece, Root, Slot, Target, Terminator, Unary,
};
pub use concrete::{Concrete, Unwatched, Watcher};
pub use configuration::{Action, Configuration, Delivery, Ending, Happened, Lane, Machine, Queue, Settings, Step};
pub use domain::{Addressee, Choice, Domain, Stop};
pub use failure::{Failure, Fault, Limit, Unsupported};
pub use fingerprint::{Fingerprint, StableHasher};
pub use identity::MachineId;
pub use lasso::hot_for_ever;
pub use local::{Control, Frame, Local, Message, Pending, Task};
pub use lower::{NotRunnable, Options, Specs, Stub, lower};
pub use program::{
    Abstraction, AbstractionId, ConstId, CreatedId, Enum, EnumId, Event, EventId, EventSet, EventSetId, FieldId, FileId,
    FunctionId, HALT, Interface, InterfaceId, MachineType, MachineTypeId, Monitor, MonitorId, NULL_EVENT, NamesId, Place,
    Program, Reaction, State, StateId, Temperature, Type, TypeId, Variable,
};
pub use rename::{are_created_alike, shows_names};
pub use run::{
    Choices, Effect, End, Input, Lifted, Limits, Pauses, Ran, Run, Script, Suspended, all_runs, go_on, go_on_lifted, run_handler,
    run_lifted, run_to_choice, start_monitor, tell_monitor,
};
pub use scheduler::{Outcome, Sampled, Sampling, Strategy, sample, sample_watched, sample_while};
pub use spots::Spot;
pub use trace::{Decision, Replay, ReplayEnd, Trace, last_mover, replay};
pub use value::{Change, Items, MOST_DEPTH, MOST_WEIGHT, Named, PathStep, Reference, Shown, Table, Value, as_p_prints};
