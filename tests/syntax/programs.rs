//! The test programs are without errors, however their lines end.

use lockstep_syntax::{Language, Parse, codes, outline};
use lockstep_tests::{Program, programs, tokens};

/// Uses reserved words as names: the tree is whole, the names are reported.
const OLDER: &str = "p/older_names.p";

#[test]
fn every_program_parses() {
    let programs = programs();
    for language in [Language::P, Language::Icet] {
        let count = programs.iter().filter(|program| program.language == language && program.name != OLDER).count();
        assert!(count > 0, "there are no programs in {}", language.name());
    }
    for Program { name, language, text, .. } in programs.iter().filter(|program| program.name != OLDER) {
        let parse = Parse::new(*language, text.as_str());
        assert!(parse.is_well_formed(), "{name} has an error in its tree");
        let broken = outline(&parse).into_iter().find(|node| node.is_error || node.is_missing);
        assert_eq!(broken, None, "{name}");
        assert_eq!(parse.errors(), [], "{name}");
    }
}

#[test]
fn names_of_older_models_are_reported_one_by_one() {
    let programs = programs();
    let program = programs.iter().find(|program| program.name == OLDER).expect("the program exists");
    let parse = Parse::new(program.language, program.text.as_str());
    assert!(parse.is_well_formed());
    assert!(parse.errors().len() >= 10, "only {} names are reported", parse.errors().len());
    for error in parse.errors() {
        assert_eq!(error.code, codes::RESERVED_NAME, "{error:?}");
        let word = &program.text[error.range];
        assert!(lockstep_syntax::p::is_reserved_for_proofs(word), "`{word}` is not reserved");
        assert!(error.message.contains(&format!("`{word}`")), "{error:?} does not name `{word}`");
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for Program { name, language, text, .. } in &programs() {
        assert!(text.ends_with('\n') && !text.contains('\r') && !text.starts_with('\u{feff}'), "{name} is not written as usual");
        let usual = shape(*language, text);
        for (change, changed) in [
            ("CRLF", text.replace('\n', "\r\n")),
            ("a lone CR", text.replace('\n', "\r")),
            ("a byte order mark", format!("\u{feff}{text}")),
            ("no indentation", text.replace("\n    ", "\n").replace("\n  ", "\n").replace("\n\t", "\n")),
            ("no final line end", text.trim_end_matches('\n').to_owned()),
            ("all of it", format!("\u{feff}{}", text.trim_end_matches('\n').replace('\n', "\r\n"))),
        ] {
            assert!(shape(*language, &changed) == usual, "{name} is read differently with {change}");
        }
    }
}

#[test]
fn layout_changes_nothing() {
    for Program { name, language, text, .. } in &programs() {
        let words: Vec<&str> = tokens(text).into_iter().map(|range| &text[range]).collect();
        for per_line in 1..5 {
            let lines: Vec<String> = words.chunks(per_line).map(|line| line.join(" ")).collect();
            let parse = Parse::new(*language, lines.join("\n").as_str());
            assert!(parse.is_well_formed(), "{name} with {per_line} words on a line");
        }
    }
}

/// The tree without its positions, and how many errors there are.
fn shape(language: Language, text: &str) -> (Vec<Node>, usize) {
    let parse = Parse::new(language, text);
    let nodes = outline(&parse)
        .into_iter()
        .map(|node| Node {
            depth: node.depth,
            field: node.field.map(str::to_owned),
            kind: node.kind.to_owned(),
            is_broken: node.is_error || node.is_missing,
        })
        .collect();
    (nodes, parse.errors().len())
}

#[derive(PartialEq)]
struct Node {
    depth: usize,
    field: Option<String>,
    kind: String,
    is_broken: bool,
}
