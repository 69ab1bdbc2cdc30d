//! What tests of several crates share: the programs under `tests/programs` and ways to break them.

mod error_quality;
mod format;
mod fuzz;
mod generated;
mod icet_certificates;
pub mod icet_generator;
pub mod icet_soundness;
mod mutants;
mod p_generator;
mod p_projects;
mod programs;
mod random;
mod random_text;
mod report;
mod static_check;

pub use error_quality::ErrorQuality;
pub use format::{Formatted, formats, inject_comments};
pub use fuzz::{checks_like_fresh, edits_like_fresh, parses};
pub use generated::generated_project;
pub use icet_certificates::mutate_steps;
pub use mutants::{Mutant, Mutation, mutants, tokens};
pub use p_generator::{Taste, p_live_program, p_program};
pub use p_projects::{PProject, p_projects};
pub use programs::{Program, faulty_icet_programs, faulty_p_programs, programs, programs_of_codes};
pub use random::Random;
pub use random_text::Texts;
pub use report::{Report, Row};
pub use static_check::{p_project, p_project_for, static_errors, static_errors_for, static_findings_for, test_names};
