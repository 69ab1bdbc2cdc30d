//! Symbolic search: whole sets of states at once.
//!
//! After PSYM (OOPSLA 2023): machines run on *value summaries*, which say under which guard a value is what (`value.rs`, `summaries.rs`,
//! `operations.rs`), so a handler is run once for all states in which it is about to be run (`lift.rs`, `system.rs`). Unlike there, guards do
//! not remember the choices that led to a state: after each step a set of states is written down anew over variables for what is in the
//! cells of a state (`cells.rs`, `image.rs`), the same for the same set. So all that was seen is one more guard, across all depths, and a search
//! ends when nothing is added to it (`search.rs`).

mod cells;
mod filters;
mod guard;
mod image;
mod lift;
mod operations;
mod product;
mod recording;
mod search;
mod summaries;
mod system;
mod tables;
mod twins;
mod value;
mod witness;

pub use search::recorded;
pub(crate) use search::search;
