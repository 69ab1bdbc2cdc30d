//! Work that can take long, in a process of its own.
//!
//! A *job* is the texts of one project and what to find out about its tests. The parent (`workers.rs`) keeps jobs in a queue, starts a
//! child (`lockstep worker`, `child.rs`) for each, writes the job as one line of JSON to its standard input and reads reports, one line
//! each, from its standard output (`job.rs`). A child has a cap on its memory, ends when its input closes, and is killed with all that
//! it started when it does not answer. Whatever becomes of a child, each task ends once: with a result, cancelled, or with the reason in
//! words. `ledger.rs` and `cache.rs` keep results by the fingerprint of the program they are about.
//!
//! Never decides what a result means: that is `lockstep-judge`. Never shows anything: that is for who started the work.

mod cache;
mod child;
mod job;
mod ledger;
mod limits;
mod process;
mod queue;
mod workers;

#[cfg(test)]
mod tests;

pub use cache::{Cache, Contents};
pub use child::serve;
pub use job::{Finished, Foreign, Job, Progress, Project, SourceText, Task, Work};
pub use ledger::{Known, Ledger};
pub use queue::Lane;
pub use workers::{End, Update, Workers};
