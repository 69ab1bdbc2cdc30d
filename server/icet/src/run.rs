//! Runs of IceT programs: the ground truth that everything else is compared with.

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

#[cfg(test)]
mod tests;
