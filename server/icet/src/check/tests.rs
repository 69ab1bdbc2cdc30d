//! Programs that are right, and one for each way of being wrong.

mod names;
mod statements;
mod types;

use std::fs;
use std::path::PathBuf;

use expect_test::Expect;
use lockstep_base::Severity;
use lockstep_syntax::{Language, Parse};

use super::{Checked, check, check_parse};

pub(crate) fn check_text(text: &str) -> Checked {
    check_parse(&Parse::new(Language::Icet, text))
}

/// The programs in `tests/programs/icet`, with their file names, in order.
pub(crate) fn programs() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/icet");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "icet"));
    files.sort();
    assert!(files.len() >= 37);
    files.iter().map(|file| (file.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_programs_have_no_errors() {
    for (name, text) in programs() {
        let checked = check_text(&text);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(checked.program.is_some(), "{name}");
    }
}

/// Findings with what they point at, one on a line.
fn findings(text: &str) -> String {
    let at = |range: lockstep_base::TextRange| text[range].split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = String::new();
    for found in check_text(text).diagnostics {
        lines += &format!("{} `{}`: {}", found.code, at(found.range), found.message);
        found.help.iter().for_each(|help| lines += &format!(" [{help}]"));
        found.related.iter().for_each(|other| lines += &format!(" <`{}`: {}>", at(other.range), other.message));
        found.fix.iter().for_each(|fix| lines += &format!(" fix: {}", fix.title));
        lines += "\n";
    }
    lines
}

fn check_findings(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

#[test]
fn holes_are_silent() {
    for text in ["process a { send ; }", "const k: int = ;", "enum E { }", "process { }", "type T = (int;", "set S subset ;"] {
        let checked = check_text(text);
        assert_eq!(checked.diagnostics, [], "{text}");
        assert_eq!(checked.program, None, "{text}");
    }
    let nameless = Parse::new(Language::Icet, "process { }");
    assert_eq!(check(nameless.icet().unwrap()).program, None);
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// The words and signs of a text, with what is between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let length = if is_word(first) { rest.find(|char| !is_word(char)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, following) = rest.split_at(length);
        tokens.push(token);
        rest = following;
    }
    tokens
}

#[test]
fn changed_programs_do_no_harm() {
    let mut numbers = Numbers(1);
    for (name, text) in programs() {
        let tokens = tokens(&text);
        for _ in 0..40 {
            let mut changed = tokens.clone();
            match numbers.below(3) {
                0 => _ = changed.remove(numbers.below(tokens.len())),
                1 => changed.swap(numbers.below(tokens.len()), numbers.below(tokens.len())),
                _ => changed[numbers.below(tokens.len())] = tokens[numbers.below(tokens.len())],
            }
            let changed = changed.concat();
            let checked = check_text(&changed);
            let has_errors = checked.diagnostics.iter().any(|found| found.severity == Severity::Error);
            assert!(!has_errors || checked.program.is_none(), "{name}: {changed}");
            if let Some(program) = checked.program {
                assert!(check_text(&crate::print::print(&program)).program.is_some(), "{name}: {changed}");
            }
        }
    }
}

#[test]
fn deep_nesting() {
    const DEPTH: usize = 4_900;
    let deep = |open: &str, inner: &str, close: &str| open.repeat(DEPTH) + inner + &close.repeat(DEPTH);
    let programs = [
        format!("process a {{ {} }}", deep("if (*) { ", "skip;", " }")),
        format!("process a {{ if (*) {{ skip; }} {} }}", deep("else if (*) { skip; } ", "", "")),
        format!("process a {{ {} }}", deep("while (*) { ", "break;", " }")),
        format!("const k: int = {};", deep("(", "1", ")")),
        format!("const k: int = 1{};", deep(" + 1", "", "")),
        format!("const k: int = {};", deep("- ", "1", "")),
        format!("const k: bool = {};", deep("!", "true", "")),
        format!("const k: {}int{}; assume k == k;", "set[".repeat(990), "]".repeat(990)),
    ];
    for text in programs {
        let Some(program) = check_text(&text).program else {
            panic!("{:.40}: {:?}", text, Parse::new(Language::Icet, text.as_str()).errors())
        };
        let printed = crate::print::print(&program);
        assert!(check_text(&printed).program.is_some());
    }
    let wrong = [
        (format!("const k: {};", deep("set[", "int", "]")), super::codes::TOO_LARGE),
        (format!("const k: int = {};", deep("{", "1", "}")), super::codes::TOO_LARGE),
        (format!("process a {{ {} = 1; }}", deep("(", "x", ", _)")), super::codes::NAME),
        (format!("const k: int = {};", deep("m[", "1", "]")), super::codes::NAME),
    ];
    for (text, code) in wrong {
        let checked = check_text(&text);
        assert!(checked.program.is_none());
        assert!(checked.diagnostics.iter().any(|found| found.code == code), "{code}");
    }
}

#[test]
fn many_declarations() {
    let mut text = String::from("set S0; enum E0 { A0 } type T0 = int; const k0: int; process p0 { var x: int; }\n");
    for at in 1..2_000 {
        let before = at - 1;
        text += &format!(
            "set S{at}; enum E{at} {{ A{at}(E{before}) }} type T{at} = T{before}; const k{at}: T{at} = k{before} + 1;
             process p{at} {{ var x: int; send M{at}(x) to p{before}; recv M{at}(x) from any; invariant p{before}.x == x; }}
             message M{at}(T{at}); process q{at} in S{at} {{ }}\n"
        );
    }
    let program = check_text(&text).program.unwrap();
    assert_eq!((program.processes.len(), program.stmts.len()), (3_999, 5_997));
    // The same with every name misspelt: each is reported, and only some are compared with all others.
    let unknown = check_text(&text.replace("x: int", "y: int")).diagnostics;
    assert!(unknown.len() >= 5_997);
}
