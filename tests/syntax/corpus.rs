//! The grammars' corpus: each text gives the tree written below it, or has an error if it is marked `:error`.
//!
//! Reads the files as `tree-sitter test` does, so that grammar authors can use either.

mod grammar_files;

use grammar_files::grammar_files;
use lockstep_syntax::{Language, OutlineNode, Parse, outline};

#[test]
fn p() {
    check(Language::P);
}

#[test]
fn icet() {
    check(Language::Icet);
}

/// Runs all cases and lists every failure.
fn check(language: Language) {
    let mut failures = Vec::new();
    for (file, text) in grammar_files(language, "corpus") {
        let cases = cases(&file, &text);
        assert!(!cases.is_empty(), "{file} has no tests");
        for case in cases {
            if let Err(reason) = run(language, &case) {
                failures.push(format!("{file}: {}\n{reason}", case.title));
            }
        }
    }
    assert!(failures.is_empty(), "{} failed\n\n{}", failures.len(), failures.join("\n\n"));
}

struct Case {
    title: String,
    has_error: bool,
    source: String,
    expected: String,
}

fn run(language: Language, case: &Case) -> Result<(), String> {
    let parse = Parse::new(language, case.source.as_str());
    if case.has_error {
        return match (parse.is_well_formed(), parse.errors().is_empty()) {
            (true, _) => Err("parses, but should have an error".to_owned()),
            (false, true) => Err("has an error in the tree, but none is reported".to_owned()),
            (false, false) => Ok(()),
        };
    }
    let fields = if case.expected.contains(": (") { Fields::Shown } else { Fields::Hidden };
    let expected = lines_of_expected(&case.expected)?;
    let found = lines_of_tree(&parse, fields);
    if expected == found { Ok(()) } else { Err(diff(&expected, &found)) }
}

// ---- Reading a file -----------------------------------------------------------------------------------------------------

/// A header of two `===` lines with the title and attributes between them, the text, a `---` line, the tree.
fn cases(file: &str, text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let rules: Vec<usize> = (0..lines.len()).filter(|&at| is_rule(lines[at], '=')).collect();
    assert!(rules.len().is_multiple_of(2), "{file}: a header is not closed");
    assert!(
        lines[..rules.first().copied().unwrap_or(0)].iter().all(|line| line.trim().is_empty()),
        "{file}: text before a header"
    );
    let headers: Vec<&[usize]> = rules.chunks(2).collect();
    let ends = headers.iter().skip(1).map(|header| header[0]).chain([lines.len()]);
    headers
        .iter()
        .zip(ends)
        .map(|(header, end)| case(file, &lines[header[0] + 1..header[1]], &lines[header[1] + 1..end]))
        .collect()
}

fn case(file: &str, header: &[&str], body: &[&str]) -> Case {
    let (attributes, title): (Vec<&str>, Vec<&str>) = header.iter().partition(|line| line.starts_with(':'));
    let title = title.join(" ");
    assert!(attributes.iter().all(|attribute| *attribute == ":error"), "{file}: {title}: unknown attribute in {attributes:?}");
    let divider = body.iter().rposition(|line| is_rule(line, '-'));
    let divider = divider.unwrap_or_else(|| panic!("{file}: {title}: there is no line of `---`"));
    let is_comment = |line: &&&str| line.trim_start().starts_with(';');
    let expected: Vec<&str> = body[divider + 1..].iter().filter(|line| !is_comment(line)).copied().collect();
    Case { title, has_error: !attributes.is_empty(), source: body[..divider].join("\n"), expected: expected.join("\n") }
}

fn is_rule(line: &str, character: char) -> bool {
    let line = line.trim_end();
    line.len() >= 3 && line.chars().all(|found| found == character)
}

// ---- Trees as lines: one node each, indented by depth -------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq)]
enum Fields {
    Shown,
    Hidden,
}

/// The s-expression cut before each node, which takes white space out of the comparison.
fn lines_of_expected(expected: &str) -> Result<Vec<String>, String> {
    let mut lines: Vec<String> = Vec::new();
    let (mut depth, mut field) = (0_usize, String::new());
    for word in spaced(expected).split_whitespace() {
        match word {
            "(" => {
                lines.push(format!("{}{}", "  ".repeat(depth), std::mem::take(&mut field)));
                depth += 1;
            }
            ")" => depth = depth.checked_sub(1).ok_or("the expected tree closes more than it opens")?,
            _ if word.ends_with(':') => field = format!("{word} "),
            _ => {
                let line = lines.last_mut().ok_or("the expected tree does not begin with a parenthesis")?;
                let is_first = line.is_empty() || line.ends_with(' ');
                line.push_str(if is_first { "" } else { " " });
                line.push_str(word);
            }
        }
    }
    if depth == 0 { Ok(lines) } else { Err("the expected tree is not closed".to_owned()) }
}

/// Every parenthesis as a word of its own, but for those in quotes.
fn spaced(expected: &str) -> String {
    let mut spaced = String::new();
    let mut is_quoted = false;
    for character in expected.chars() {
        is_quoted ^= character == '"';
        match character {
            '(' | ')' if !is_quoted => spaced.extend([' ', character, ' ']),
            _ => spaced.push(character),
        }
    }
    spaced
}

/// Named nodes and missing tokens, as the tree-sitter command line prints them.
fn lines_of_tree(parse: &Parse, fields: Fields) -> Vec<String> {
    let mut lines = Vec::new();
    // The depths, in the whole tree, of the printed nodes around the current one.
    let mut around: Vec<usize> = Vec::new();
    for node in outline(parse) {
        if !node.is_named && !node.is_missing {
            continue;
        }
        while around.last().is_some_and(|depth| *depth >= node.depth) {
            around.pop();
        }
        let field = node.field.filter(|_| fields == Fields::Shown).map_or(String::new(), |field| format!("{field}: "));
        lines.push(format!("{}{field}{}", "  ".repeat(around.len()), label(parse, &node)));
        around.push(node.depth);
    }
    lines
}

fn label(parse: &Parse, node: &OutlineNode<'_>) -> String {
    if node.is_missing && node.is_named {
        format!("MISSING {}", node.kind)
    } else if node.is_missing {
        format!("MISSING \"{}\"", node.kind)
    } else if node.is_error && node.is_leaf && !node.range.is_empty() {
        format!("UNEXPECTED {:?}", parse.text().slice(node.range).chars().next().unwrap_or_default())
    } else {
        node.kind.to_owned()
    }
}

/// The lines that differ, with a few around them that do not.
fn diff(expected: &[String], found: &[String]) -> String {
    const AROUND: usize = 3;
    let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let (old, new) = (&expected[same..], &found[same..]);
    let same_after = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, after) = old.split_at(old.len() - same_after);
    let new = &new[..new.len() - same_after];
    let marked = |mark: char, lines: &[String]| lines.iter().map(|line| format!("{mark} {line}\n")).collect::<String>();
    let before = &expected[same.saturating_sub(AROUND)..same];
    let after = &after[..after.len().min(AROUND)];
    ["(- expected, + found)\n".to_owned(), marked(' ', before), marked('-', old), marked('+', new), marked(' ', after)].concat()
}

#[test]
fn trees_are_compared_without_white_space() {
    let expected = "(source_file (enum_declaration\n  name: (identifier) (MISSING \"(\"))\n)";
    let lines = ["source_file", "  enum_declaration", "    name: identifier", "    MISSING \"(\""];
    assert_eq!(lines_of_expected(expected).unwrap(), lines);
    assert!(lines_of_expected("(source_file").is_err());
    assert!(lines_of_expected("(source_file))").is_err());
}

#[test]
fn missing_tokens_and_errors_are_shown() {
    let parse = Parse::new(Language::P, "event e");
    assert_eq!(
        lines_of_tree(&parse, Fields::Shown),
        ["source_file", "  event_declaration", "    name: identifier", "    MISSING \";\""]
    );
    let parse = Parse::new(Language::P, "event e; @");
    assert_eq!(
        lines_of_tree(&parse, Fields::Hidden),
        ["source_file", "  event_declaration", "    identifier", "  ERROR", "    UNEXPECTED '@'"]
    );
}
