//! P tests on the command line: running them, and what is done with the traces of their bugs.
//!
//! `select` finds the tests that are meant and makes them runnable; `run` and `explore` let `lockstep-judge` sample their schedules or search
//! all of their behaviours; `result` keeps the traces of bugs, and `report` writes what is known in the end in each format.

pub(crate) mod args;
mod debug;
mod explore;
mod progress;
mod replay;
mod report;
mod result;
mod run;
mod select;
mod trace;

pub(crate) use debug::run as debug;
pub(crate) use explore::run as explore;
pub(crate) use replay::run as replay;
pub(crate) use run::run;
pub(crate) use trace::run as trace;
