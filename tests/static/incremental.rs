//! After any edits the database says what a fresh one says.

use lockstep_base::Diagnostic;
use lockstep_program::{Database, Project, ProjectFile, SourceFile, file_diagnostics};
use lockstep_tests::{Texts, p_project, programs};

const STEPS: usize = 1_500;

#[test]
fn edits_give_what_a_fresh_database_gives() {
    let texts: Vec<String> = programs()
        .into_iter()
        .filter(|program| program.name.starts_with("p/lease/") || program.name == "p/barrier.p")
        .map(|program| program.text)
        .collect();
    let mut random = Texts::new(11);
    let mut db = Database::default();
    let (mut project, mut files) = set_up(&db, &texts);
    for step in 0..STEPS {
        // From time to time back to texts that mean something.
        if step % 40 == 0 {
            (project, files) = set_up(&db, &texts);
        }
        let file = files[random.below(files.len())];
        let parse = file.parse(&db);
        let edit = random.edit(&parse.text().to_string());
        let edited = parse.edit(&[edit]);
        file.update(&mut db, edited);
        if step % 3 != 0 {
            continue;
        }
        let current: Vec<String> = files.iter().map(|file| file.parse(&db).text().to_string()).collect();
        let fresh = Database::default();
        let (fresh_project, fresh_files) = set_up(&fresh, &current);
        for (file, fresh_file) in files.iter().zip(&fresh_files) {
            let expected = diagnostics(&fresh, fresh_project, *fresh_file);
            assert!(diagnostics(&db, project, *file) == expected, "step {step}: {} differs", file.path(&db));
        }
    }
}

fn set_up(db: &Database, texts: &[String]) -> (Project, Vec<SourceFile>) {
    p_project(db, texts.iter().enumerate().map(|(number, text)| (format!("{number}.p"), text.clone())))
}

fn diagnostics(db: &Database, project: Project, file: SourceFile) -> Vec<Diagnostic> {
    file_diagnostics(db, ProjectFile::new(db, project, file, false))
}
