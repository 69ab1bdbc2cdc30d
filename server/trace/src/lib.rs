//! A run of a P test that went wrong, from the list of its decisions to what people see of it.
//!
//! - [`minimize`] makes the list short: fewer decisions, fewer changes between machines, and still the same bug.
//! - [`tell`] runs it again and writes down what happened: a [`Story`], plain data without numbers of the lowered program.
//! - [`TraceFile`] is what is kept: the decisions, with which [`replay`](lockstep_runtime::replay) gets there again, the story, and a
//!   fingerprint, so that nobody takes it for a run of another program.
//! - [`text`], [`svg`] and [`html`] show a story.
//!
//! Nothing here has a meaning of P of its own: every run is one of `lockstep_runtime`.

mod chart;
mod file;
mod html;
mod minimize;
mod story;
mod tell;
#[cfg(test)]
mod tests;
mod text;

pub use chart::svg;
pub use file::{BadTrace, Found, Original, ReadTrace, SCHEMA, TraceFile, VERSION};
pub use html::html;
pub use minimize::{Minimized, is_same_bug, minimize};
pub use story::{Actor, Bug, Change, Fate, Located, Message, Moment, StateChange, Story, What};
pub use tell::tell;
pub use text::{moment_words, text};
