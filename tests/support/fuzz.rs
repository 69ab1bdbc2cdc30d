//! What must hold for every text, however broken: the fuzz targets. Each panics with the reason if it does not hold.

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_program::{Database, Purpose, file_diagnostics, project_files};
use lockstep_syntax::{Language, Parse, outline};

use crate::p_project_for;

/// Parsing gives a tree over the whole text, and errors inside it exactly if the text is not what the grammar says.
pub fn parses(language: Language, text: &str) {
    let parse = Parse::new(language, text);
    let end = TextSize::of(text);
    for error in parse.errors() {
        assert!(error.range.end() <= end, "{error:?} lies outside the text");
        assert!(text.is_char_boundary(error.range.start().into()), "{error:?} starts inside a character");
        assert!(text.is_char_boundary(error.range.end().into()), "{error:?} ends inside a character");
    }
    assert!(parse.is_well_formed() || !parse.errors().is_empty(), "broken, but no error is reported");
    let mut covered = TextSize::new(0);
    for node in outline(&parse) {
        assert!(node.range.end() <= end, "{node:?} lies outside the text");
        if node.is_leaf {
            assert!(node.range.start() >= covered, "{node:?} overlaps the node before");
            let gap = &text[TextRange::new(covered, node.range.start())];
            assert!(!parse.is_well_formed() || is_blank(gap), "{gap:?} is in no node");
            covered = node.range.end();
        }
    }
    if let Some(file) = parse.p() {
        for item in &file.items {
            assert!(item.start + item.value.len <= end, "an item lies outside the text");
        }
    }
    if let Some(file) = parse.icet() {
        for item in &file.items {
            assert!(item.start <= end, "an item lies outside the text");
        }
    }
}

/// After any edits, made one or some at a time, the parse is what parsing the new text from scratch gives.
pub fn edits_like_fresh(language: Language, text: &str, batches: &[Vec<Edit>]) {
    let mut parse = Parse::new(language, text);
    for edit in batches {
        parse = parse.edit(edit);
        let text = parse.text().to_string();
        let fresh = Parse::new(language, text.as_str());
        let (edited, scratch) = (outline(&parse), outline(&fresh));
        let difference = edited.iter().zip(&scratch).find(|(edited, scratch)| edited != scratch);
        assert!(difference.is_none() && edited.len() == scratch.len(), "the trees differ after {edit:?}: {difference:?}");
        assert!(parse.p() == fresh.p(), "the typed trees differ after {edit:?}");
        assert!(parse.icet() == fresh.icet(), "the typed trees differ after {edit:?}");
        assert_eq!(parse.errors(), fresh.errors(), "the errors differ after {edit:?}");
    }
}

/// After any edits of any of its files, a project's database says what a fresh one says. Each edit has the number of its file.
pub fn checks_like_fresh(purpose: Purpose, texts: &[String], steps: &[Vec<(usize, Edit)>]) {
    let named = |texts: &[String]| -> Vec<(String, String)> {
        texts.iter().enumerate().map(|(number, text)| (format!("{number}.p"), text.clone())).collect()
    };
    let mut db = Database::default();
    let (project, files) = p_project_for(&db, purpose, named(texts));
    for step in steps {
        for (file, edit) in step {
            let edited = files[*file].parse(&db).edit(std::slice::from_ref(edit));
            files[*file].update(&mut db, edited);
        }
        // From time to time an editor closes a file.
        if step.len() == 1 {
            files[step[0].0].expect_no_edits(&mut db);
        }
        let current: Vec<String> = files.iter().map(|file| file.parse(&db).text().to_string()).collect();
        let fresh = Database::default();
        let (fresh_project, _) = p_project_for(&fresh, purpose, named(&current));
        for (file, fresh_file) in project_files(&db, project).zip(project_files(&fresh, fresh_project)) {
            let (edited, scratch) = (file_diagnostics(&db, file), file_diagnostics(&fresh, fresh_file));
            let name = file.file(&db).path(&db);
            assert!(
                edited == scratch,
                "after {step:?} in {name}: the edited database says {edited:#?}, a fresh one {scratch:#?}"
            );
            let end = file.file(&db).parse(&db).text().len();
            assert!(
                edited.iter().all(|found| found.range.end() <= end),
                "a finding of {name} lies outside the text: {edited:#?}"
            );
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|character| matches!(character, ' ' | '\t' | '\r' | '\n' | '\x0c' | '\u{feff}'))
}
