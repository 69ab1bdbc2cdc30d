//! Texts as a P project in a database.

use lockstep_base::{Diagnostic, Severity};
use lockstep_program::{Database, Member, Project, Purpose, SourceFile, file_diagnostics, project_files, project_tests};
use lockstep_syntax::{Language, Parse};

/// A project of files given by name and text.
pub fn p_project(db: &Database, files: impl IntoIterator<Item = (String, String)>) -> (Project, Vec<SourceFile>) {
    p_project_for(db, Purpose::Checking, files)
}

/// A project made for `purpose`.
pub fn p_project_for(
    db: &Database,
    purpose: Purpose,
    files: impl IntoIterator<Item = (String, String)>,
) -> (Project, Vec<SourceFile>) {
    let parse = |text: String| Parse::new(Language::P, text.as_str());
    let files: Vec<SourceFile> = files.into_iter().map(|(name, text)| SourceFile::open(db, name, parse(text))).collect();
    let members = files.iter().copied().map(Member::from).collect();
    (Project::open(db, "test", members, purpose), files)
}

/// The errors in these files as one project, each with the name of its file and its line, counted from 1.
pub fn static_errors(files: impl IntoIterator<Item = (String, String)>) -> Vec<(String, u32, Diagnostic)> {
    static_errors_for(Purpose::Checking, files)
}

/// The same in a project made for `purpose`.
pub fn static_errors_for(purpose: Purpose, files: impl IntoIterator<Item = (String, String)>) -> Vec<(String, u32, Diagnostic)> {
    let mut found = static_findings_for(purpose, files);
    found.retain(|(_, _, finding)| finding.severity == Severity::Error);
    found
}

/// The same with the warnings.
pub fn static_findings_for(
    purpose: Purpose,
    files: impl IntoIterator<Item = (String, String)>,
) -> Vec<(String, u32, Diagnostic)> {
    let db = Database::default();
    let (project, _) = p_project_for(&db, purpose, files);
    let mut found = Vec::new();
    for file in project_files(&db, project) {
        let text = file.file(&db).parse(&db).text().clone();
        for error in file_diagnostics(&db, file) {
            found.push((file.file(&db).path(&db).clone(), text.line_of(error.range.start()) + 1, error));
        }
    }
    found
}

/// The names of all that can be run in these files as one project, in order.
pub fn test_names(files: impl IntoIterator<Item = (String, String)>) -> Vec<String> {
    let db = Database::default();
    let (project, _) = p_project(&db, files);
    project_tests(&db, project).iter().map(|case| case.name.clone()).collect()
}
