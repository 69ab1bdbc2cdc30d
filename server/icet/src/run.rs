//! Runs of IceT programs: the language's reference, executed. What is proved or rewritten elsewhere is compared with this.
//!
//! A program is a family. [`instance`] picks members of it: sizes of sets, values of constants. [`explore`] goes through all runs of an
//! instance; [`random_run`] makes one; [`replay`] follows a trace, and [`render_trace`] tells it.
//!
//! | module | |
//! |---|---|
//! | `value`, `domain` | values in one form each; which of them stand for "any" |
//! | `instance` | sizes, members, constants |
//! | `eval`, `operators` | expressions |
//! | `code` | flat code: a position is a number |
//! | `state` | the state of a run, and what steps and traces are |
//! | `step`, `settle`, `control`, `messages` | single steps |
//! | `reduce`, `search` | all runs, and why not every order has to be tried |
//! | `trace`, `render`, `random` | traces, words, single runs |
//!
//! Where the reference leaves room, this is what is meant here:
//!
//! - A process is idle at a receive that is the first statement of a `while (true)`, or comes after statements that neither send, receive
//!   nor have blocks.
//! - Nobody is an element of no set: `{x}` is empty while `x` holds nobody. It is a key of maps like any other.
//! - The parts of a pattern are stored from left to right, and the sender of a message last.
//! - Of several messages that one `timeout` could mean, any one is thrown away. A message that several given up waits could mean settles
//!   the oldest one.
//! - Several `rounds` of a process, one after the other, are matched with those of other processes by their order.
//! - A process that fails stops; the others go on, so that all failures are found. Such runs have no end.
//! - Claims in the code of processes and the invariants of loops are not checked here: they are about the sequentialized program. The
//!   invariants of a program and `invariant` statements are, in its `sequential` block, and `ensures` wherever a run ends.

mod code;
mod control;
pub mod domain;
pub mod eval;
pub mod instance;
mod messages;
mod operators;
pub mod random;
mod reduce;
pub mod render;
pub mod search;
mod settle;
pub mod state;
pub mod step;
pub mod trace;
pub mod value;
mod walk;

pub use domain::Domains;
pub use instance::{Instance, Instances, instance, instances};
pub use random::{random_run, transcript};
pub use search::{Bounds, Limit, Limits, Mode, Outcome, explore, explore_within};
pub use state::{State, Trace};
pub use trace::{TraceLine, render_trace, replay};

#[cfg(test)]
mod tests;
