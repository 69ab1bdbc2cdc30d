//! The test programs are without static errors, except those that are meant to have some.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_program::{Database, ParsedFile, Project, ProjectFile, Purpose, SourceFile, file_diagnostics};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Program, programs};

/// Forms that P's compiler rejects later, older names, and what is for the verifier.
const EXCEPTIONS: [&str; 3] = ["p/corners", "p/older_names", "p/verified_"];

#[test]
fn the_programs_are_accepted() {
    let mut projects: BTreeMap<String, Vec<Program>> = BTreeMap::new();
    for program in programs().into_iter().filter(|program| program.language == Language::P) {
        // A folder below `p` is one project, a file in it another.
        let parts: Vec<&str> = program.name.split('/').collect();
        projects.entry(parts[..2].join("/")).or_default().push(program);
    }
    projects.retain(|name, _| !EXCEPTIONS.iter().any(|exception| name.starts_with(exception)));
    assert!(projects.len() > 10, "the programs were not found");
    for (name, programs) in projects {
        assert_eq!(errors(&programs), Vec::<String>::new(), "{name}");
    }
}

fn errors(programs: &[Program]) -> Vec<String> {
    let db = Database::default();
    let parse = |program: &Program| ParsedFile(Arc::new(Parse::new(Language::P, program.text.as_str())));
    let files: Vec<SourceFile> =
        programs.iter().map(|program| SourceFile::new(&db, program.name.clone(), parse(program))).collect();
    let project = Project::new(&db, "test".to_owned(), files.clone(), Purpose::Checking);
    let mut errors = Vec::new();
    for file in files {
        let text = file.parse(&db).0.text();
        for error in file_diagnostics(&db, ProjectFile::new(&db, project, file)) {
            let line = text.line_of(error.range.start()) + 1;
            errors.push(format!("{}:{line} {} {}", file.path(&db), error.code, error.message));
        }
    }
    errors
}
