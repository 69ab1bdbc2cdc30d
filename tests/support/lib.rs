//! What tests of several crates share: the programs under `tests/programs` and ways to break them.

mod mutants;
mod programs;
mod random;
mod report;

pub use mutants::{Mutant, Mutation, mutants};
pub use programs::{Program, programs};
pub use random::Random;
pub use report::{Report, Row};
