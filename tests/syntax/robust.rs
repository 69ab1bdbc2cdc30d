//! Absurd texts: each is parsed, and its errors are found, in a time that grows no faster than the text.
//!
//! There are no time limits. The sizes are such that quadratic time would be minutes.

use lockstep_base::Diagnostic;
use lockstep_syntax::{Language, Parse, codes, outline};
use lockstep_tests::parses;

const BOTH: [Language; 2] = [Language::P, Language::Icet];
const DEEP: usize = 100_000;
const MEGABYTE: usize = 1_000_000;

/// Tokens in a broken text of which the mistakes are still searched one by one; in longer ones only tree-sitter's error nodes
/// are reported (`MOST_TOKENS` in `lockstep-syntax`).
const SEARCHED: usize = 90_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Fine,
    /// What the grammar says, but nested too deep to be looked into.
    TooDeep,
    Broken,
}

fn check(language: Language, text: &str, verdict: Verdict) -> Vec<Diagnostic> {
    let shown: String = text.chars().take(60).collect();
    let what = format!("{}, {} bytes, {shown:?}", language.name(), text.len());
    let parse = Parse::new(language, text);
    let errors = parse.errors();
    let first = errors.first();
    assert_eq!(parse.is_well_formed(), verdict != Verdict::Broken, "{what}: {first:?}");
    let too_deep = errors.iter().filter(|error| error.code == codes::TOO_DEEP).count();
    match verdict {
        Verdict::Fine => assert_eq!(errors, [], "{what}"),
        Verdict::TooDeep => assert_eq!((too_deep, errors.len()), (1, 1), "{what}: {first:?}"),
        Verdict::Broken => assert!(errors.len() > too_deep && too_deep <= 1, "{what}: {first:?}"),
    }
    for error in errors {
        assert!(usize::from(error.range.end()) <= text.len(), "{what}: {error:?} lies outside the text");
    }
    errors.to_vec()
}

/// `opening` and `closing` as often as `DEEP` says around `inner`, all of it between `before` and `after`; and the same without
/// what closes, as often as can still be searched and as `DEEP` says.
fn nested(language: Language, (before, after): (&str, &str), (opening, closing): (&str, &str), inner: &str) {
    let closed = format!("{before}{}{inner}{}{after}", opening.repeat(DEEP), closing.repeat(DEEP));
    check(language, &closed, Verdict::TooDeep);
    if !closing.is_empty() {
        let searched = SEARCHED / token_count(opening);
        for count in [searched, DEEP] {
            check(language, &format!("{before}{}{inner}{after}", opening.repeat(count)), Verdict::Broken);
        }
    }
}

/// At most how many tokens `text` is.
fn token_count(text: &str) -> usize {
    let signs = text.chars().filter(char::is_ascii_punctuation).count();
    let words = text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).count();
    signs + words
}

#[test]
fn nested_parentheses() {
    nested(Language::P, ("axiom ", ";"), ("(", ")"), "1");
    nested(Language::P, ("module m = ", ";"), ("(", ")"), "a");
    nested(Language::P, ("fun f() { g(", "); }"), ("f(", ")"), "1");
    nested(Language::Icet, ("assume ", ";"), ("(", ")"), "1");
    nested(Language::Icet, ("process p { (x, y) = ", "; }"), ("{", "}"), "1");
    nested(Language::Icet, ("process p { ", " = 1; }"), ("(x, ", ")"), "y");
}

#[test]
fn nested_types() {
    nested(Language::P, ("type t = ", ";"), ("seq[", "]"), "int");
    nested(Language::P, ("type t = ", ";"), ("map[int, ", "]"), "int");
    nested(Language::P, ("type t = ", ";"), ("(a: ", ")"), "int");
    nested(Language::Icet, ("type t = ", ";"), ("set[", "]"), "int");
    nested(Language::Icet, ("type t = ", ";"), ("(int, ", ")"), "int");
}

#[test]
fn nested_blocks() {
    nested(Language::P, ("fun f() { ", " }"), ("{ ", "} "), "");
    nested(Language::P, ("fun f() { ", " }"), ("while (x) { ", "} "), "");
    nested(Language::Icet, ("process p { ", " }"), ("atomic { ", "} "), "");
    nested(Language::Icet, ("process p { ", " }"), ("while (x) { ", "} "), "");
}

#[test]
fn else_if_without_end() {
    nested(Language::P, ("fun f() { ", "; }"), ("if (x) ; else ", ""), "");
    nested(Language::P, ("fun f() { ", "; }"), ("if (x) ", ""), "");
    nested(Language::Icet, ("process p { ", " { } }"), ("if (x) { } else ", ""), "");
    for count in [SEARCHED / 10, DEEP] {
        check(Language::P, &format!("fun f() {{ {}", "if (x) ; else ".repeat(count)), Verdict::Broken);
        check(Language::Icet, &format!("process p {{ {}", "if (x) { } else ".repeat(count)), Verdict::Broken);
    }
}

#[test]
fn chains_of_operators() {
    for operator in ["+", "*", "&&", "==>"] {
        let terms = format!("1 {operator} ").repeat(DEEP);
        check(Language::P, &format!("axiom {terms}1;"), Verdict::TooDeep);
        check(Language::Icet, &format!("assume {terms}1;"), Verdict::TooDeep);
        for count in [SEARCHED / 2, DEEP] {
            let terms = format!("1 {operator} ").repeat(count);
            check(Language::P, &format!("axiom {terms};"), Verdict::Broken);
            check(Language::Icet, &format!("assume {terms};"), Verdict::Broken);
        }
    }
    for (before, repeated, after) in
        [("axiom ", "-", "1;"), ("axiom a", ".b", ";"), ("axiom a", "[0]", ";"), ("axiom ", "sent ", "e;")]
    {
        check(Language::P, &format!("{before}{}{after}", repeated.repeat(DEEP)), Verdict::TooDeep);
    }
    let quantifiers = "forall (x: int) :: ".repeat(DEEP);
    check(Language::P, &format!("axiom {quantifiers}x;"), Verdict::TooDeep);
    check(Language::Icet, &format!("assume {quantifiers}x;"), Verdict::TooDeep);
}

#[test]
fn ten_megabytes_of_code() {
    let machine = "machine M {\n  var x: int;\n  start state S {\n    entry { x = x + 1; }\n    on e goto S;\n  }\n}\n";
    check(Language::P, &machine.repeat(10 * MEGABYTE / machine.len()), Verdict::Fine);
    let process = "process p in S {\n  var x: int;\n  for q in S { send M(x) to q; }\n  recv M(x) from any;\n}\n";
    check(Language::Icet, &process.repeat(10 * MEGABYTE / process.len()), Verdict::Fine);
}

#[test]
fn ten_megabytes_of_comment() {
    let words = "word * / ".repeat(10 * MEGABYTE / 9);
    let lines = "words\n".repeat(10 * MEGABYTE / 6);
    for language in BOTH {
        check(language, &format!("// {words}"), Verdict::Fine);
        check(language, &format!("/* {words}*/"), Verdict::Fine);
        check(language, &format!("/* {lines}*/"), Verdict::Fine);
        // A tenth is enough: tree-sitter mends unclosed comments at less than a megabyte a second.
        for text in [&words[..MEGABYTE], &lines[..MEGABYTE]] {
            let errors = check(language, &format!("/* {text}"), Verdict::Broken);
            assert_eq!((errors.len(), errors[0].code), (1, codes::UNCLOSED_COMMENT), "{:?}", errors[0]);
        }
    }
}

#[test]
fn a_megabyte_of_string() {
    let words = "word \\\" ".repeat(MEGABYTE / 8);
    for (language, before, after) in [(Language::P, "fun f() { print ", "; }"), (Language::Icet, "process p { fail ", "; }")] {
        check(language, &format!("{before}\"{words}\"{after}"), Verdict::Fine);
        let errors = check(language, &format!("{before}\"{words}{after}"), Verdict::Broken);
        assert_eq!((errors.len(), errors[0].code), (1, codes::UNCLOSED_STRING), "{:?}", errors[0]);
    }
    let lines = "word\n".repeat(MEGABYTE / 5);
    check(Language::P, &format!("fun f() {{ print \"{lines}\"; }}"), Verdict::Fine);
    check(Language::P, &format!("fun f() {{ print \"{lines}; }}"), Verdict::Broken);
}

#[test]
fn one_token_again_and_again() {
    for language in BOTH {
        for token in
            ["{", "}", "(", ")", "[", "]", ";", "\"", "/*", "*/", "x ", "x\n", "1 ", "type ", "type;\n", "@", "\u{1f600}"]
        {
            let searched = SEARCHED / token_count(token).max(1);
            // In the longest, every token is one too many for the search.
            for count in [1, searched, DEEP + 1] {
                check(language, &token.repeat(count), Verdict::Broken);
            }
        }
    }
}

#[test]
fn many_separate_mistakes() {
    // Every other line is broken, and between them stand names that are reported for another reason.
    check(Language::P, &"type ;\n\nevent sent;\n\n".repeat(DEEP / 4), Verdict::Broken);
    check(Language::P, &"machine M {\n  start state S { entry { x = ; } }\n}\n\nevent e;\n".repeat(DEEP / 20), Verdict::Broken);
    check(Language::Icet, &"set ;\n\nset S;\n\n".repeat(DEEP / 4), Verdict::Broken);
    check(Language::Icet, &"process p {\n  x = ;\n}\n\nset S;\n".repeat(DEEP / 20), Verdict::Broken);
}

#[test]
fn nul_bytes() {
    for language in BOTH {
        check(language, &"\0".repeat(MEGABYTE), Verdict::Broken);
        for text in ["\0".to_owned(), "\0".repeat(SEARCHED), "type t;\0type u;".to_owned(), "type\0t;".to_owned()] {
            let errors = check(language, &text, Verdict::Broken);
            assert_eq!(errors[0].code, codes::CHARACTER, "{:?}", errors[0]);
        }
        // Wrong today: a comment may hold any character, but the patterns of generated parsers stop at NUL.
        check(language, "// a\0b\ntype t;", Verdict::Broken);
        check(language, "/* a\0b */ type t;", Verdict::Broken);
    }
    // The same for strings.
    check(Language::P, "fun f() { print \"a\0b\"; }", Verdict::Broken);
}

#[test]
fn lone_carriage_returns() {
    for language in BOTH {
        let text = "type t;\r// word\rtype u;\r".repeat(DEEP);
        check(language, &text, Verdict::Fine);
        let parse = Parse::new(language, text.as_str());
        let declarations = outline(&parse).iter().filter(|node| node.kind == "type_declaration").count();
        assert_eq!(declarations, 2 * DEEP, "a comment ends with its line");
    }
}

#[test]
fn one_character() {
    let blank = [' ', '\t', '\r', '\n', '\x0c', '\u{feff}'];
    let others = ['\u{2028}', '\u{feff}', '\u{fffd}', '\u{10ffff}', 'é', '😀'];
    for language in BOTH {
        check(language, "", Verdict::Fine);
        for character in ('\0'..='\u{ff}').chain(others) {
            let text = character.to_string();
            let verdict = if blank.contains(&character) { Verdict::Fine } else { Verdict::Broken };
            check(language, &text, verdict);
            parses(language, &text);
        }
    }
}
