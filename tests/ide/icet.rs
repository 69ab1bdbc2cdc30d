//! The editor features of IceT on every program, and on programs torn apart: every name has a meaning, nothing panics, and a rename
//! changes the name and nothing else.

use lockstep_base::{Edit, Text, TextRange, TextSize};
use lockstep_ide::icet::{self, Meaning, Name, Role, names};
use lockstep_syntax::{Language, Parse};
use lockstep_tests::{Program, Texts, programs, tokens};

#[test]
fn every_name_of_every_program_has_a_meaning() {
    for Program { name, text, .. } in icet_programs() {
        let parse = Parse::new(Language::Icet, text.as_str());
        let unknown: Vec<Name> = names(&parse).into_iter().filter(|found| found.meaning == Meaning::Unknown).collect();
        let shown: Vec<String> =
            unknown.iter().map(|found| format!("{} in line {}", at(&parse, found.range), line(&parse, found.range))).collect();
        assert!(shown.is_empty(), "{name}: {shown:?}");
    }
}

#[test]
fn every_word_that_is_no_keyword_is_a_name() {
    for Program { name, text, .. } in icet_programs() {
        let parse = Parse::new(Language::Icet, text.as_str());
        let names = names(&parse);
        for token in tokens(&text) {
            let word = &text[token.clone()];
            let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic()) && !Language::Icet.is_reserved(word);
            let is_name = names.iter().any(|found| found.range == range(&token));
            assert_eq!(is_word, is_name, "{name}: `{word}` at {token:?}");
        }
    }
}

#[test]
fn every_feature_at_every_token() {
    for Program { text, .. } in icet_programs() {
        let parse = Parse::new(Language::Icet, text.as_str());
        check_whole(&parse);
        for token in tokens(&text) {
            check_at(&parse, range(&token).start());
        }
    }
}

#[test]
fn every_feature_on_broken_programs() {
    let mut texts = Texts::new(7);
    for _ in 0..400 {
        let text = texts.text(Language::Icet);
        let parse = Parse::new(Language::Icet, text.as_str());
        check_whole(&parse);
        let tokens = tokens(&text);
        for _ in 0..20.min(tokens.len()) {
            let token = range(&tokens[texts.below(tokens.len())]);
            check_at(&parse, token.start());
            check_at(&parse, token.end());
        }
        check_at(&parse, parse.text().len());
        // Past the end and inside of characters, too: an editor may be ahead of us.
        check_at(&parse, parse.text().len() + TextSize::from(3));
        if let Some((wide, _)) = text.char_indices().find(|(_, character)| character.len_utf8() > 1) {
            check_at(&parse, size(wide + 1));
        }
    }
}

#[test]
fn a_fresh_name_and_back_is_the_same_program() {
    let mut renamed = 0;
    for Program { name: program, text, .. } in icet_programs() {
        let parse = Parse::new(Language::Icet, text.as_str());
        let before = names(&parse);
        for (index, declared) in before.iter().enumerate().filter(|(_, found)| found.role == Role::Declare) {
            let old = at(&parse, declared.range);
            let there = match icet::rename(&parse, declared.range.start(), "fresh_name") {
                Ok(places) => replaced(parse.text(), &places, "fresh_name"),
                Err(why) => panic!("{program}: {old}: {}", why.0),
            };
            let after = names(&there);
            assert_eq!(meanings(&before), meanings(&after), "{program}: {old} became another program");
            let places = icet::rename(&there, after[index].range.start(), &old).expect("the old name is free again");
            assert_eq!(replaced(there.text(), &places, &old).text().to_string(), text, "{program}: {old} and back");
            renamed += 1;
        }
    }
    assert!(renamed > 800, "only {renamed} declarations");
}

/// Renaming on programs whose words were exchanged: if it is done at all, no other name changes its meaning.
#[test]
fn a_rename_never_changes_what_another_name_means() {
    let mut texts = Texts::new(11);
    let (mut done, mut refused) = (0, 0);
    while done < 300 {
        let mut text = texts.program(Language::Icet);
        for _ in 0..texts.below(6) {
            let edit = texts.change_of_meaning(&text);
            text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.insert);
        }
        let parse = Parse::new(Language::Icet, text.as_str());
        let before = names(&parse);
        let (from, to) = (&before[texts.below(before.len())], &before[texts.below(before.len())]);
        let new_name = at(&parse, to.range);
        match icet::rename(&parse, from.range.start(), &new_name) {
            Ok(places) => {
                let after = names(&replaced(parse.text(), &places, &new_name));
                assert_eq!(meanings(&before), meanings(&after), "{} to {new_name} in\n{text}", at(&parse, from.range));
                done += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "names of a program are mostly taken: {refused}");
}

fn icet_programs() -> impl Iterator<Item = Program> {
    programs().into_iter().filter(|program| program.language == Language::Icet)
}

fn check_whole(parse: &Parse) {
    let names = names(parse);
    assert!(names.is_sorted_by(|a, b| a.range.end() <= b.range.start()), "names are in order and do not overlap");
    for name in &names {
        if let Meaning::Declared { range, .. } = name.meaning {
            let declared =
                names.binary_search_by_key(&range.start(), |found| found.range.start()).expect("a declaration is a name");
            assert_eq!((names[declared].range, names[declared].role), (range, Role::Declare));
            assert_eq!(at(parse, range), at(parse, name.range), "both places have the same name");
        }
    }
    icet::tokens(parse);
}

fn check_at(parse: &Parse, offset: TextSize) {
    let definition = icet::definition(parse, offset);
    let references = icet::references(parse, offset);
    assert_eq!(definition.is_some(), !references.is_empty());
    if let Some((here, declared)) = definition {
        let has = |wanted: TextRange| references.iter().any(|(range, _)| *range == wanted);
        assert!(has(here) && has(declared), "both ends are references");
        assert!(icet::hover(parse, offset).is_some_and(|hover| hover.range == here));
    }
    let completions = icet::completions(parse, offset);
    assert!(completions.replace.end() <= parse.text().len());
    icet::highlights(parse, offset);
    icet::signature_help(parse, offset);
    let prepared = icet::prepare_rename(parse, offset);
    assert_eq!(prepared.is_ok(), definition.is_some());
    // Refused or not: it comes to an end.
    _ = icet::rename(parse, offset, "fresh_name");
}

/// What each name means, by the number of the declaration's name; and its role.
fn meanings(names: &[Name]) -> Vec<(Option<usize>, Role)> {
    let number = |range: TextRange| names.iter().position(|found| found.range == range);
    let meaning = |found: &Name| match found.meaning {
        Meaning::Declared { range, .. } => number(range),
        Meaning::Builtin | Meaning::Unknown => None,
    };
    names.iter().map(|found| (meaning(found), found.role)).collect()
}

fn replaced(text: &Text, places: &[TextRange], name: &str) -> Parse {
    let mut text = text.clone();
    for range in places.iter().rev() {
        text.edit(&Edit { range: *range, insert: name.to_owned() });
    }
    Parse::new(Language::Icet, text)
}

fn at(parse: &Parse, range: TextRange) -> String {
    parse.text().slice(range).into_owned()
}

fn line(parse: &Parse, range: TextRange) -> u32 {
    parse.text().line_of(range.start()) + 1
}

fn range(token: &std::ops::Range<usize>) -> TextRange {
    TextRange::new(size(token.start), size(token.end))
}

fn size(at: usize) -> TextSize {
    TextSize::try_from(at).expect("a small text")
}
