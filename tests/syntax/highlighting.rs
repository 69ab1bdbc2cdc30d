//! The assertions in the grammars' highlighting tests, which an editor's colours depend on.
//!
//! An assertion is a comment with an arrow and a name: `<-` means the column the comment starts in, `^^^` the columns above it,
//! in the nearest line above that holds no assertion and reaches that far; `!` before the name means anything but it. Stricter
//! than tree-sitter, which is content if one of several columns is as said.

mod grammar_files;

use grammar_files::grammar_files;
use lockstep_base::{Encoding, Position};
use lockstep_syntax::{Highlight, Language, Parse, highlight, outline};

#[test]
fn p() {
    check(Language::P);
}

#[test]
fn icet() {
    check(Language::Icet);
}

/// Runs all assertions and lists every failure.
fn check(language: Language) {
    let mut failures = Vec::new();
    for (file, text) in grammar_files(language, "highlight") {
        let parse = Parse::new(language, text.as_str());
        assert!(parse.is_well_formed(), "{file}: {:?}", parse.errors());
        let assertions = assertions(&parse);
        assert!(!assertions.is_empty(), "{file} asserts nothing");
        let highlights = highlight(language, &text);
        for assertion in &assertions {
            for column in assertion.columns() {
                let found = name_at(&parse, &highlights, Position { line: assertion.line, column });
                if (found == Some(assertion.name.as_str())) == assertion.is_negative {
                    let (line, not) = (assertion.line + 1, if assertion.is_negative { "anything but " } else { "" });
                    let found = found.unwrap_or("nothing");
                    failures.push(format!("{file}:{line}:{}: expected {not}{}, found {found}", column + 1, assertion.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
}

fn name_at(parse: &Parse, highlights: &[Highlight], position: Position) -> Option<&'static str> {
    let at = parse.text().offset(position, Encoding::Utf32);
    highlights.iter().find(|highlight| highlight.range.contains(at)).map(|highlight| highlight.name)
}

#[derive(Debug, PartialEq)]
struct Assertion {
    line: u32,
    column: u32,
    length: u32,
    is_negative: bool,
    name: String,
}

impl Assertion {
    fn columns(&self) -> std::ops::Range<u32> {
        self.column..self.column + self.length
    }
}

fn assertions(parse: &Parse) -> Vec<Assertion> {
    let comments = outline(parse).into_iter().filter(|node| node.kind == "comment");
    let mut assertions: Vec<Assertion> = comments
        .filter_map(|node| {
            let start = parse.text().position(node.range.start(), Encoding::Utf32);
            assertion(&parse.text().slice(node.range), start)
        })
        .collect();
    let lines_of_assertions: Vec<u32> = assertions.iter().map(|assertion| assertion.line).collect();
    let text = parse.text().to_string();
    let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
    for assertion in &mut assertions {
        while lines_of_assertions.contains(&assertion.line) || widths[assertion.line as usize] <= assertion.column as usize {
            let above = assertion.line.checked_sub(1);
            assertion.line = above.unwrap_or_else(|| panic!("{assertion:?} has no line above it"));
        }
    }
    assertions
}

/// What a comment that starts at `start` asserts, still at its own line.
fn assertion(comment: &str, start: Position) -> Option<Assertion> {
    let (offset, length, rest) = match (comment.find("<-"), comment.find('^')) {
        (Some(left), up) if up.is_none_or(|up| left < up) => (0, 1, &comment[left + 2..]),
        (_, Some(up)) => {
            let rest = comment[up..].trim_start_matches('^');
            (comment[..up].chars().count(), comment.len() - up - rest.len(), rest)
        }
        _ => return None,
    };
    let rest = rest.trim_start();
    let positive = rest.strip_prefix('!');
    let name = positive.unwrap_or(rest).split_whitespace().next()?;
    let size = |n: usize| u32::try_from(n).expect("a comment is short");
    Some(Assertion {
        line: start.line,
        column: start.column + size(offset),
        length: size(length),
        is_negative: positive.is_some(),
        name: name.to_owned(),
    })
}

#[test]
fn assertions_are_about_the_line_above() {
    let text = "event alpha;\n// <- keyword\n//    ^^^^^ !type\n\n  //  ^ constant";
    let found: Vec<_> = assertions(&Parse::new(Language::P, text))
        .into_iter()
        .map(|assertion| (assertion.line, assertion.columns(), assertion.is_negative, assertion.name))
        .collect();
    let expected = [(0, 0..1, false, "keyword"), (0, 6..11, true, "type"), (0, 6..7, false, "constant")];
    assert_eq!(found, expected.map(|(line, columns, is_negative, name)| (line, columns, is_negative, name.to_owned())));
}
