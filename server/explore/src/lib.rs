//! All behaviours of a P test.
//!
//! `explore` goes through every situation that a test can get into, breadth first, until one goes wrong, none is left or a budget is
//! spent, and says which. It has no semantics of its own: machines are run by `lockstep-runtime`, and a bug is reported only if
//! the plain interpreter shows it too.
//!
//! What makes it fast is that most situations consist of parts that were seen before. A machine with its queue is a *component*, kept
//! once and known by a number (`tables.rs`); what it can do next is found out once (`steps.rs`), so that a step of the whole system
//! is a matter of replacing a few numbers (`worker.rs`).

mod counterexample;
mod footprint;
mod frontier;
mod growth;
mod hash;
mod hints;
mod index;
mod liveness;
mod options;
mod phases;
mod reached;
mod reduction;
mod report;
mod rows;
mod search;
mod sleep;
mod steps;
mod store;
mod symbolic;
mod symmetry;
mod tables;
mod trial;
mod values;
mod worker;

pub use hints::{Growing, Grows, Hints, Widest};
pub use liveness::is_asked as asks_for_endless_runs;
pub use options::{Budgets, Bugs, Engine, Keeping, Liveness, Options, Order, Reduction};
pub use phases::explore;
pub use report::{Bug, Certainty, Covered, Ends, Exhausted, Outcome, Progress, Report, Stats, Symbolic, Why};
pub use search::Observer;
pub use symbolic::recorded;
