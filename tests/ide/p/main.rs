//! Editor features on whole programs: everywhere, in broken texts too, and in agreement with each other and with the checks.

mod actions;
mod agreement;
mod everywhere;
mod rename;

use lockstep_base::{TextRange, TextSize};
use lockstep_ide::p::FilePlace;
use lockstep_program::{Database, Project, ProjectFile, SourceFile, file_diagnostics, project_files};
use lockstep_tests::{PProject, p_project_for};

/// A project in a database of its own.
struct Opened {
    db: Database,
    project: Project,
    files: Vec<SourceFile>,
}

impl Opened {
    fn new(project: &PProject) -> Self {
        let db = Database::default();
        let (project, files) = p_project_for(&db, project.purpose, project.files.iter().cloned());
        Self { db, project, files }
    }

    fn files(&self) -> Vec<ProjectFile<'_>> {
        project_files(&self.db, self.project).collect()
    }

    fn text(&self, file: SourceFile) -> String {
        file.parse(&self.db).text().to_string()
    }

    /// Whether the checks find no error.
    fn is_correct(&self) -> bool {
        self.files().into_iter().flat_map(|file| file_diagnostics(&self.db, file)).all(|found| found.code >= "LS1")
    }

    /// `file:line:column text`, for messages.
    fn shown(&self, place: FilePlace) -> String {
        let text = place.file.parse(&self.db).text();
        let at = text.position(place.range.start(), lockstep_base::Encoding::Utf8);
        format!("{}:{}:{} {}", place.file.path(&self.db), at.line + 1, at.column + 1, text.slice(place.range))
    }
}

fn size(at: usize) -> TextSize {
    TextSize::try_from(at).expect("a small text")
}

/// Whether a range lies in a text, between characters.
fn is_within(text: &str, range: TextRange) -> bool {
    text.get(usize::from(range.start())..usize::from(range.end())).is_some()
}
