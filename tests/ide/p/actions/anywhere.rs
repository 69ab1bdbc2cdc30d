//! Changes at every place of many texts, broken ones too: no panic, no edits that overlap, and never more syntax errors than before.

use std::collections::BTreeSet;

use lockstep_base::TextRange;
use lockstep_ide::p::{ActionKind, actions};
use lockstep_program::{ProjectFile, Purpose, file_diagnostics};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{PProject, Random, Texts, mutants, p_program, p_projects, programs, tokens};

use super::judge;
use crate::{Opened, size};

/// Whether all that is offered in a range can be done; how much that is.
fn check(opened: &Opened, file: ProjectFile<'_>, range: TextRange, purpose: Purpose) -> usize {
    let findings = file_diagnostics(&opened.db, file);
    let offered = actions(&opened.db, file, range, &findings);
    let errors = |project: &PProject| -> usize {
        project.files.iter().map(|(_, text)| Parse::new(Language::P, text.as_str()).errors().len()).sum()
    };
    for action in &offered {
        let after = opened.after(action, purpose);
        let before: usize = opened.files().iter().map(|file| file.file(&opened.db).parse(&opened.db).errors().len()).sum();
        assert!(errors(&after) <= before, "`{}` breaks the text:\n{}", action.title, after.files[0].1);
        let is_syntax = action.finding.is_some_and(|index| findings[index].code < "LS01" && findings[index].code != "LS0005");
        if is_syntax || action.kind == ActionKind::Suppress {
            continue;
        }
        for (input, edit) in &action.edits {
            let parse = input.parse(&opened.db);
            let items = &parse.p().expect("P").items;
            let around = items.iter().map(|item| TextRange::at(item.start, item.value.len));
            let broken = around.filter(|around| around.intersect(edit.range).is_some()).any(|around| {
                parse.errors().iter().any(|error| error.code != "LS0005" && around.intersect(error.range).is_some())
            });
            assert!(!broken, "`{}` changes what could not be read", action.title);
        }
    }
    offered.len()
}

#[test]
fn in_broken_texts() {
    for seed in 0..60 {
        let mut texts = Texts::new(seed);
        let files = vec![("a.p".to_owned(), texts.text(Language::P)), ("b.p".to_owned(), texts.text(Language::P))];
        let opened = Opened::new(&PProject { name: format!("seed {seed}"), purpose: Purpose::Checking, files });
        for file in opened.files() {
            let text = opened.text(file.file(&opened.db));
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for _ in 0..10 {
                let (one, other) = (places[texts.below(places.len())], places[texts.below(places.len())]);
                check(&opened, file, TextRange::empty(size(one)), Purpose::Checking);
                check(&opened, file, TextRange::new(size(one.min(other)), size(one.max(other))), Purpose::Checking);
            }
        }
    }
}

/// A program with one mistake in its syntax, at some places of it.
#[test]
fn in_mutants() {
    let mut random = Random::new(7);
    let mut offered = 0;
    for program in programs().iter().filter(|program| program.language == Language::P).take(40) {
        for mutant in mutants(program, 8, &mut random) {
            let files = vec![("a.p".to_owned(), mutant.text.clone())];
            let opened = Opened::new(&PProject { name: program.name.clone(), purpose: Purpose::Checking, files });
            let file = opened.files()[0];
            let places: Vec<usize> = tokens(&mutant.text).into_iter().map(|token| token.start).collect();
            for _ in 0..6 {
                let at = places[random.below(places.len())];
                offered += check(&opened, file, TextRange::empty(size(at)), Purpose::Checking);
            }
            for finding in file_diagnostics(&opened.db, file).iter().take(5) {
                offered += check(&opened, file, finding.range, Purpose::Checking);
            }
        }
    }
    assert!(offered > 200, "{offered} changes were tried");
}

/// Every fix of every finding in whole programs and in generated ones.
#[test]
fn in_programs_all_fixes_hold() {
    let mut projects = p_projects();
    for seed in 0..40 {
        let files = vec![("a.p".to_owned(), p_program(seed, lockstep_tests::Taste::default()))];
        projects.push(PProject { name: format!("generated {seed}"), purpose: Purpose::Checking, files });
    }
    let (mut wrongs, mut tried, mut codes) = (Vec::new(), 0, BTreeSet::new());
    for project in projects {
        let opened = Opened::new(&project);
        for (file, findings) in opened.findings() {
            for (index, finding) in findings.iter().enumerate().take(12) {
                for action in actions(&opened.db, file, finding.range, &findings) {
                    if action.finding == Some(index) {
                        tried += 1;
                        codes.insert(finding.code);
                        wrongs.extend(judge(&opened, &action, finding.code, project.purpose));
                    }
                }
            }
        }
    }
    assert!(wrongs.is_empty(), "{} of {tried}:\n{}", wrongs.len(), wrongs.join("\n"));
    assert!(tried > 100, "{tried} fixes of {codes:?} were tried");
}
