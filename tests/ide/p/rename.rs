//! A renamed program means the same: its names stand for the same things, and the checks say the same about it.

use lockstep_base::{Edit, TextRange};
use lockstep_ide::p::{FilePlace, definition, name_at, names_in, rename};
use lockstep_program::{Purpose, Role, SourceFile, file_diagnostics};
use lockstep_tests::{PProject, p_projects, programs_of_codes, tokens};

use crate::{Opened, size};

/// A name that no program uses.
const FRESH: &str = "fresh_name";

/// Another one.
const FRESH_AS_WELL: &str = "other_fresh_name";

/// Codes of programs in which fields are told apart by their names: that one is given twice, is missing, or is another one.
const ABOUT_FIELDS: [&str; 1] = ["LS0104"];

/// Codes of programs in which a name is declared twice or must differ from another, so that a new name mends them, or in which the message
/// says what a name is elsewhere.
const ABOUT_NAMES: [&str; 7] = ["LS0101", "LS0102", "LS0106", "LS0107", "LS0108", "LS0109", "LS0110"];

/// A program whose names are words of P, which is reported.
const OLDER_NAMES: &str = "p/older_names.p";

#[test]
fn every_declared_name_of_the_programs() {
    let count: usize = p_projects().iter().filter(|project| project.name != OLDER_NAMES).map(rename_all).sum();
    assert!(count > 700, "only {count} names");
}

#[test]
fn every_declared_name_of_programs_with_errors() {
    let programs = programs_of_codes().into_iter().filter(|(code, _)| !ABOUT_NAMES.contains(&code.as_str()));
    for (code, program) in programs {
        let purpose = if code.starts_with("LS07") { Purpose::Verifying } else { Purpose::Checking };
        rename_all(&PProject { name: code, purpose, files: vec![(program.name, program.text)] });
    }
}

/// Fields of tuples have no declaration: they are renamed from wherever they stand.
#[test]
fn every_field_of_the_programs() {
    let count: usize = p_projects().iter().filter(|project| project.name != OLDER_NAMES).map(rename_fields).sum();
    assert!(count > 80, "only {count} fields");
}

#[test]
fn every_field_of_programs_with_errors() {
    let programs = programs_of_codes().into_iter().filter(|(code, _)| !ABOUT_FIELDS.contains(&code.as_str()));
    for (code, program) in programs {
        let purpose = if code.starts_with("LS07") { Purpose::Verifying } else { Purpose::Checking };
        rename_fields(&PProject { name: code, purpose, files: vec![(program.name, program.text)] });
    }
}

/// Renames each field of a project that can be renamed there and back, linked ones once, and returns how many there are.
fn rename_fields(project: &PProject) -> usize {
    let mut opened = Opened::new(project);
    let before = Meaning::of(&opened);
    let (texts, all) = (all_texts(&opened), fields(&opened));
    let mut done: Vec<FilePlace> = Vec::new();
    let mut count = 0;
    for (number, (place, linked)) in all.iter().enumerate() {
        if done.contains(place) {
            continue;
        }
        done.extend(linked);
        count += 1;
        let context = format!("{}: {}", project.name, opened.shown(*place));
        let old = place.file.parse(&opened.db).text().slice(place.range).into_owned();
        replace(&mut opened, *place, FRESH);
        let after = Meaning::of(&opened);
        assert_eq!(after.names, before.names, "{context}");
        let in_words = |findings: &[String]| findings.iter().map(|found| with_word(found, &old, FRESH)).collect::<Vec<_>>();
        assert_eq!(in_words(&after.findings), in_words(&before.findings), "{context}");
        let renamed = fields(&opened);
        assert_eq!(renamed.len(), all.len(), "{context}");
        replace(&mut opened, renamed[number].0, &old);
        assert_eq!(all_texts(&opened), texts, "{context}");
    }
    count
}

/// All names that only types give a meaning and that can be renamed, in order, each with what is renamed with it.
fn fields(opened: &Opened) -> Vec<(FilePlace, Vec<FilePlace>)> {
    let db = &opened.db;
    let mut found = Vec::new();
    for file in opened.files() {
        let text = opened.text(file.file(db));
        for token in tokens(&text).into_iter().filter(|token| text[token.clone()].starts_with(char::is_alphabetic)) {
            let range = TextRange::new(size(token.start), size(token.end));
            if name_at(db, file, range.start()).is_some_and(|name| name.range == range) {
                continue;
            }
            if let Ok(linked) = rename(db, file, range.start(), FRESH_AS_WELL) {
                let place = FilePlace { file: file.file(db), range };
                if linked.contains(&place) {
                    found.push((place, linked));
                }
            }
        }
    }
    found
}

/// Renames each declared name of a project there and back, and returns how many there are.
fn rename_all(project: &PProject) -> usize {
    let mut opened = Opened::new(project);
    let before = Meaning::of(&opened);
    let declared = declared_names(&opened);
    for place in &declared {
        let context = format!("{}: {}", project.name, opened.shown(*place));
        let old = place.file.parse(&opened.db).text().slice(place.range).into_owned();
        let texts = all_texts(&opened);
        replace(&mut opened, *place, FRESH);
        let after = Meaning::of(&opened);
        assert_eq!(after.names, before.names, "{context}");
        let expected: Vec<String> = before.findings.iter().map(|finding| with_word(finding, &old, FRESH)).collect();
        let found: Vec<String> = after.findings.iter().map(|finding| with_word(finding, &old, FRESH)).collect();
        let differ = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!((differ, found.len()), (None, expected.len()), "{context}");
        // Names before the place may have become longer in its line.
        let renamed = declared_names(&opened);
        let number = declared.iter().position(|other| other == place).expect("it is one of them");
        replace(&mut opened, renamed[number], &old);
        assert_eq!(all_texts(&opened), texts, "{context}");
    }
    declared.len()
}

/// What a program means, with lines in the place of positions, so that a longer name makes no difference. Beside errors warnings do not
/// count: a name that may be misspelt elsewhere is not called unused.
struct Meaning {
    /// Every name by its number in its file, with the line it stands in, its role and where it is declared.
    names: Vec<String>,
    findings: Vec<String>,
}

impl Meaning {
    fn of(opened: &Opened) -> Self {
        let (db, is_correct) = (&opened.db, opened.is_correct());
        let (mut names, mut findings) = (Vec::new(), Vec::new());
        for file in opened.files() {
            let text = file.file(db).parse(db).text();
            let line = |range: TextRange| text.line_of(range.start()) + 1;
            for name in names_in(db, file) {
                let (_, declared) = definition(db, file, name.range.start()).expect("every name has a definition");
                let there = declared.file.parse(db).text().line_of(declared.range.start()) + 1;
                let path = declared.file.path(db);
                names.push(format!("{}:{} {:?} -> {path}:{there}", file.file(db).path(db), line(name.range), name.role));
            }
            for found in file_diagnostics(db, file).into_iter().filter(|found| is_correct || found.code < "LS1") {
                findings.push(format!("{}:{} {} {}", file.file(db).path(db), line(found.range), found.code, found.message));
            }
        }
        // Findings in one line are in the order of their places, which a longer name does not change.
        Self { names, findings }
    }
}

fn declared_names(opened: &Opened) -> Vec<FilePlace> {
    let db = &opened.db;
    let names = opened.files().into_iter().flat_map(|file| names_in(db, file).into_iter().map(move |name| (file, name)));
    let declared = names.filter(|(_, name)| name.role == Role::Declare);
    declared.map(|(file, name)| FilePlace { file: file.file(db), range: name.range }).collect()
}

fn all_texts(opened: &Opened) -> Vec<String> {
    opened.files.iter().map(|file| opened.text(*file)).collect()
}

/// Renames what is declared at a place, in all files.
fn replace(opened: &mut Opened, place: FilePlace, new: &str) {
    let here = opened.files().into_iter().find(|file| file.file(&opened.db) == place.file).expect("a file of the project");
    let places =
        rename(&opened.db, here, place.range.start(), new).unwrap_or_else(|why| panic!("{}: {}", opened.shown(place), why.0));
    let files: Vec<SourceFile> = opened.files.clone();
    for file in files {
        let mut edits: Vec<Edit> = places
            .iter()
            .filter(|place| place.file == file)
            .map(|place| Edit { range: place.range, insert: new.to_owned() })
            .collect();
        if edits.is_empty() {
            continue;
        }
        // Edits are applied one after the other: from the end, none moves another.
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start()));
        let parse = file.parse(&opened.db).edit(&edits);
        file.update(&mut opened.db, parse);
    }
}

/// A text with one word in the place of another. The names of expanded tests, such as `tc___n_1`, contain those of parameters.
fn with_word(text: &str, old: &str, new: &str) -> String {
    let mut edited = text.to_owned();
    for token in tokens(text).into_iter().rev() {
        let word = &text[token.clone()];
        if word == old {
            edited.replace_range(token, new);
        } else if word.contains("___") {
            let parts: Vec<&str> = word.split('_').map(|part| if part == old { new } else { part }).collect();
            edited.replace_range(token, &parts.join("_"));
        }
    }
    edited
}
