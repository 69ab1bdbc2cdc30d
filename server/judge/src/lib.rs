//! From a test and an engine to a verdict.
//!
//! `sample_test`, `explore_test` and `replay_test` run an engine on one test and say what is known then: a verdict with its scope, the
//! trace of a bug, made short and told, and the findings in the text. The command line and the worker of the language server both come
//! here, so they say the same. Never writes a file and never prints: what is kept, and where, is decided by who asked.

pub mod config;
mod explore;
mod findings;
mod judged;
mod places;
mod replay;
mod sample;
mod values;
mod words;

use lockstep_base::Text;
use lockstep_program::{Db, Project, TestCase, abstractions, project_files};
use lockstep_runtime::{FileId, NotRunnable, Options, Place, Program, lower};
use lockstep_trace::Located;

pub use explore::{Exploring, explore_test};
pub use findings::{Finding, Note, findings};
pub use judged::{Bug, Effort, Judged, MINIMIZING};
pub use places::places;
pub use replay::{Replayed, replay_test};
pub use sample::{Sample, sample_test};
pub use words::{grouped, number};

/// Grows when an engine says something else about the same program: results that were kept of an older one do not count.
pub const ENGINE: u32 = 1;

/// A test that can be run.
pub struct Test {
    /// The name of its project.
    pub project: String,
    pub program: Program,
    /// The same with values taken together as comments in it say, if there are such.
    pub abstracted: Option<Program>,
}

impl Test {
    /// A test as it is written.
    pub fn plain(project: String, program: Program) -> Self {
        Self { project, program, abstracted: None }
    }

    /// A test of a project, with its abstraction.
    pub fn of_project(
        db: &dyn Db,
        project: Project,
        case: &TestCase<'_>,
        name: &str,
        options: &Options,
    ) -> Result<Self, NotRunnable> {
        let program = lower(db, project, case, options)?;
        let is_annotated = project_files(db, project).any(|file| !abstractions(db, file.file(db)).is_empty());
        let abstracted = match is_annotated {
            true => Some(lower(db, project, case, &Options { is_abstract: true, ..options.clone() })?),
            false => None,
        };
        let abstracted = abstracted.filter(|program| !program.abstractions.is_empty());
        Ok(Self { project: name.to_owned(), program, abstracted })
    }
}

/// The texts of a program, by the names of its files.
pub type Texts<'a> = &'a dyn Fn(&str) -> Option<Text>;

/// A place of a program in lines and columns.
pub fn located(program: &Program, texts: Texts<'_>, place: Place) -> Option<Located> {
    let FileId(file) = place.file;
    let path = program.files.get(file as usize)?;
    Some(Located::new(path, &texts(path)?, place.range))
}
