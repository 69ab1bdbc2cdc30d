//! Comments that switch warnings off: where they hold, and what is wrong with them.

use lockstep_base::{Diagnostic, Text};
use lockstep_syntax::{Language, Parse};
use smol_str::SmolStr;

use crate::tests::project;
use crate::{Database, Kept, ProblemCode, ProjectFile, Purpose, Settings, SourceFile, abstractions, file_diagnostics_with};

fn findings(text: &str, settings: &Settings) -> Vec<Diagnostic> {
    let db = Database::default();
    let (project, files) = project(&db, Purpose::Checking, &[text]);
    file_diagnostics_with(&db, ProjectFile::new(&db, project, files[0], false), settings)
}

fn codes(text: &str) -> Vec<&'static str> {
    findings(text, &Settings::default()).into_iter().map(|found| found.code).collect()
}

/// The text after the fix of its only finding.
fn fixed(text: &str) -> String {
    let found = findings(text, &Settings::default());
    let [Diagnostic { fix: Some(fix), .. }] = found.as_slice() else { panic!("one finding with a fix: {found:?}") };
    let mut text = Text::from(text);
    for edit in fix.edits.iter().rev() {
        text.edit(edit);
    }
    text.to_string()
}

const NONE: [&str; 0] = [];

#[test]
fn a_comment_holds_for_its_line_or_the_next() {
    assert_eq!(codes("fun f() { var x: int; }"), ["LS1101"]);
    assert_eq!(
        codes("fun f() { var x: int; } // lockstep: allow(LS1101) because"),
        ["LS1003"],
        "the warning is off all the same"
    );
    for reason in ["because it is a test", ": it is a test", "it is a test", "- a test"] {
        assert_eq!(codes(&format!("fun f() {{ var x: int; }} // lockstep: allow(LS1101) {reason}")), NONE, "{reason}");
    }
    assert_eq!(
        codes("fun f() {\n  // lockstep: allow(LS1101) because of the test\n  var x: int; var y: int;\n}"),
        NONE,
        "all of the line"
    );
    assert_eq!(
        codes("fun f() {\r\n  // lockstep: allow(LS1101) a reason\r\n  // that goes on\r\n  var x: int;\r\n}"),
        NONE,
        "with more lines"
    );
    assert_eq!(codes("fun f() {\n  // lockstep: allow(LS1101) a reason\n  print \"\";\n}"), ["LS1004"]);
    assert_eq!(
        codes("fun f() { // lockstep: allow(LS1101) a reason\n  var x: int;\n}"),
        ["LS1004", "LS1101"],
        "the line before is not enough"
    );
}

#[test]
fn several_codes_and_several_comments() {
    let text = "event e: int;\nmachine M { start state S { on e do (n: int) { var x: int; raise halt; print \"\"; } } }";
    assert_eq!(codes(text), ["LS1112", "LS1101", "LS1113"]);
    assert_eq!(codes(&format!("{text} // lockstep: allow(LS1112, LS1101 ,LS1113) it is a test")), NONE);
    let before = "// lockstep: allow(LS1112) one\n// lockstep: allow(LS1101) two\nmachine";
    assert_eq!(codes(&text.replace("machine", before)), ["LS1113"]);
}

#[test]
fn a_comment_for_the_whole_file() {
    let text = "fun f() {\n  var x: int;\n}\nfun g() { var y: int; }";
    assert_eq!(codes(text), ["LS1101", "LS1101"]);
    assert_eq!(codes(&format!("// Tests.\n// lockstep: allow-file(LS1101) it is a test\n{text}")), NONE);
    assert_eq!(codes(&format!("{text}\n// lockstep: allow-file(LS1101) it is a test")), ["LS1101", "LS1101", "LS1001"]);
    assert_eq!(codes("// lockstep: allow-file(LS1102) it is a test\nfun f() { }"), ["LS1004"]);
}

#[test]
fn only_comments_count() {
    for text in [
        "fun f() { print \"// lockstep: nonsense\"; }",
        "/* // lockstep: nonsense */",
        "fun f() { print \"\\\\\"; } // a lockstep: b",
    ] {
        assert_eq!(codes(text), NONE, "{text}");
    }
    assert_eq!(codes("fun f() { print \"\\\\\"; } // lockstep: nonsense"), ["LS1001"]);
    assert_eq!(codes("//// lockstep: nonsense"), ["LS1001"]);
}

#[test]
fn what_only_looks_like_such_a_comment() {
    assert_eq!(codes("fun f() { var x: int; } // Lockstep: allow(LS1101) why"), ["LS1101", "LS1001"]);
    assert_eq!(codes("fun f() { var x: int; } // LOCKSTEP: ALLOW(LS1101) why"), ["LS1101", "LS1001"]);
    assert_eq!(codes("fun f() { var x: int; } /* lockstep: allow(LS1101) why */"), ["LS1101", "LS1001"]);
    assert_eq!(codes("/* Lockstep: allow-file(LS1101) why */ fun f() { var x: int; }"), ["LS1001", "LS1101"]);
    assert_eq!(codes("/**\r\n * About f.\r\n * lockstep: allow(LS1101) why\r\n */"), ["LS1001"]);
    for sentence in
        ["// Lockstep: a tool", "/* lockstep: a tool */", "/* see lockstep: allow(LS1101) */", "// lockstep", "// lockstép:"]
    {
        assert_eq!(codes(sentence), NONE, "{sentence}");
    }
    let found = findings("/*\n * lockstep: allow(LS1101) why\n */", &Settings::default());
    assert_eq!((found[0].range, found[0].fix.is_none()), (lockstep_base::TextRange::new(6.into(), 33.into()), true));
    assert_eq!(fixed("// Lockstep: allow(LS1101) why"), "// lockstep: allow(LS1101) why");
}

#[test]
fn abstractions_are_read_and_not_taken_for_something_else() {
    let text = "event e: (key: int);\n// lockstep: abstract(key = 0 | -3, value) because of this\nmachine M { start state S { } } // lockstep: abstract(7)\n";
    let db = Database::default();
    let file = SourceFile::open(&db, "a.p", Parse::new(Language::P, text));
    let kept = |field: Option<&str>, values: &[i64]| Kept { field: field.map(SmolStr::new), values: values.to_vec() };
    let both = vec![kept(Some("key"), &[0, -3]), kept(Some("value"), &[])];
    // The second comment is about the same line.
    assert_eq!(abstractions(&db, file), [(2, both), (2, vec![kept(None, &[7])])]);
    for wrong in ["abstract", "abstract()", "abstract(key == 0)", "abstract(a b)", "abstract(0, )", "abstract(1 2)"] {
        let text = format!("// lockstep: {wrong}\nevent e;\n");
        let file = SourceFile::open(&db, "b.p", Parse::new(Language::P, text.as_str()));
        assert_eq!(abstractions(&db, file), [], "{wrong}");
        assert!(codes(&text).contains(&ProblemCode::SuppressionForm.number()), "{wrong}: {:?}", codes(&text));
    }
}

#[test]
fn abstractions_of_nothing_are_told() {
    let body = |comment: &str, statement: &str| {
        format!(
            "fun f(): int {{ var t: (key: int, who: (name: string, id: int)); var n: int; var s: seq[(key: int)]; var x: any;
  // lockstep: {comment} because of this
  {statement}
  print format(\"{{0}} {{1}}\", t.who.name, x);
  return n + t.key + sizeof(s); }}"
        )
    };
    let codes = |comment: &str, statement: &str| codes(&body(comment, statement));
    for (comment, statement) in [
        ("abstract(key = 0)", "t = (key = 1, who = (name = \"\", id = 2));"),
        ("abstract(id)", "t = (key = 1, who = (name = \"\", id = 2));"),
        ("abstract(key = 1)", "s = s;"),
        ("abstract(0)", "n = choose(9);"),
        ("abstract(0)", "t.key = choose(9);"),
        ("abstract(key)", "x = t;"),
    ] {
        assert!(!codes(comment, statement).contains(&"LS1005"), "{comment} {statement}");
    }
    for (comment, statement) in [
        ("abstract(kei = 0)", "t = (key = 1, who = (name = \"\", id = 2));"),
        ("abstract(name)", "t = (key = 1, who = (name = \"\", id = 2));"),
        ("abstract(0)", "t = (key = 1, who = (name = \"\", id = 2));"),
        ("abstract(key)", "n = choose(9);"),
        ("abstract(key)", "s += (0, (key = 7,));"),
        ("abstract(0)", "assert n == 0;"),
    ] {
        assert!(codes(comment, statement).contains(&"LS1005"), "{comment} {statement}");
    }
    let text = body("abstract(kei = 0, key = 1)", "t.key = 1; t = t;");
    let told = findings(&text, &Settings::default());
    let told: Vec<_> = told.iter().filter(|found| found.code == "LS1005").map(|found| found.message.as_str()).collect();
    assert_eq!(told, ["what is assigned has no number in a field `kei`"], "one of two assignments suffices for the other");
    let fixes = |comment: &str| {
        let told = findings(&body(comment, "t = (key = 1, who = (name = \"\", id = 2));"), &Settings::default());
        told.iter().filter(|found| found.code == "LS1005").map(|found| found.fix.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(fixes("abstract(kei = 0, key = 1)"), [false], "what else the comment says is of use");
    assert_eq!(fixes("abstract(kei = 0, other)"), [true, false], "it is removed once");
    assert!(!codes("abstract(kei)", "n = ;").contains(&"LS1005"), "an assignment may be what cannot be read");
}

#[test]
fn what_is_wrong_with_comments() {
    for malformed in ["", "allow", "allow LS1101", "allow(LS1101", "allow() why", "allow(LS1101,) why", "deny(LS1101) why"] {
        assert_eq!(codes(&format!("// lockstep: {malformed}")), ["LS1001"], "{malformed}");
    }
    for code in ["LS9999", "LS0101", "LS0001", "LS1004", "unused"] {
        assert_eq!(codes(&format!("// lockstep: allow({code}) why")), ["LS1002"], "{code}");
    }
    assert_eq!(codes("fun f(): int { return true; } // lockstep: allow(LS0304) why"), ["LS0304", "LS1002"], "errors stay");
    assert_eq!(codes("fun f() { print ; } // lockstep: allow(LS1101) why"), ["LS0001"], "a use may be what cannot be read");
}

#[test]
fn useless_comments_can_be_removed() {
    assert_eq!(fixed("fun f() {\n  // lockstep: allow(LS1101) why\n  print \"\";\n}"), "fun f() {\n  print \"\";\n}");
    assert_eq!(fixed("fun f() { } // lockstep: allow(LS1101) why\n"), "fun f() { }\n");
    assert_eq!(
        fixed("fun f() { var x: int; } // lockstep: allow(LS1102, LS1101) why"),
        "fun f() { var x: int; } // lockstep: allow(LS1101) why"
    );
}

#[test]
fn codes_can_be_switched_off_for_all() {
    let codes = |text: &str, code: ProblemCode| -> Vec<_> {
        let settings = Settings { allowed: vec![code.number().to_owned()] };
        findings(text, &settings).into_iter().map(|found| found.code).collect()
    };
    assert_eq!(codes("fun f() { var x: int; }", ProblemCode::UnusedVariable), NONE);
    assert_eq!(codes("fun f() { var x: int; }", ProblemCode::UnreadVariable), ["LS1101"]);
    let comment = "fun f() { var x: int; } // lockstep: allow(LS1101) why";
    assert_eq!(codes(comment, ProblemCode::UnusedVariable), NONE, "what is off anyway makes no comment useless");
    assert_eq!(codes("fun f(): int { return true; }", ProblemCode::ReturnType), ["LS0304"], "errors stay");
    assert_eq!(codes("// lockstep: nonsense", ProblemCode::SuppressionForm), NONE);
}
