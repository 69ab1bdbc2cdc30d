//! Which queries run, and what the set of mentioned names has. What names stand for is tested with the features built on it.

use lockstep_base::{Edit, TextRange, TextSize};

use crate::tests::{Log, project};
use crate::{ProjectFile, Purpose, body_occurrences, codes, decl_occurrences, decls, mentioned_names};

const TEXT: &str = "event e;\nmachine A {\n  var x: int;\n  start state S { entry { x = 1; } on e do { x = 2; } }\n}\n\
                    machine B { start state S { entry { send new A(), e; } } }\n";

/// Resolves every name, replaces `from` by `to`, and does it again.
fn after_edit(purpose: Purpose, text: &str, from: &str, to: &str) -> Log {
    let mut log = Log::new();
    let (project, files) = project(&log.db, purpose, &[text]);
    files[0].expect_edits(&mut log.db);
    let resolve_all = |log: &Log| {
        let file = ProjectFile::new(&log.db, project, files[0], false);
        mentioned_names(&log.db, files[0]);
        for decl in decls(&log.db, file) {
            decl_occurrences(&log.db, *decl);
            for code in codes(&log.db, *decl) {
                body_occurrences(&log.db, *code);
            }
        }
    };
    resolve_all(&log);
    log.forget();
    let at = TextSize::try_from(text.find(from).expect("the text is there")).expect("a small text");
    let parse = files[0].parse(&log.db).edit(&[Edit { range: TextRange::at(at, TextSize::of(from)), insert: to.to_owned() }]);
    files[0].update(&mut log.db, parse);
    resolve_all(&log);
    log
}

#[test]
fn typing_in_a_body_resolves_that_body_alone() {
    for purpose in [Purpose::Checking, Purpose::Verifying] {
        let log = after_edit(purpose, TEXT, "x = 1", "x = 13");
        assert_eq!((log.count("body_occurrences"), log.count("decl_occurrences")), (1, 0));
    }
}

#[test]
fn a_comment_resolves_nothing() {
    let log = after_edit(Purpose::Checking, TEXT, "event e;", "// what\nevent e;");
    assert_eq!((log.count("body_occurrences"), log.count("decl_occurrences")), (0, 0));
}

#[test]
fn types_matter_in_proofs_only() {
    let text = format!("{TEXT}invariant i: forall (a: A) :: a.x > 0;\n");
    let log = after_edit(Purpose::Verifying, &text, "var x: int", "var x: bool");
    assert!(log.count("named_by_type") > 0);
    let log = after_edit(Purpose::Checking, TEXT, "var x: int", "var x: bool");
    assert_eq!(log.count("check_body"), 0);
}

#[test]
fn all_names_of_a_file_are_mentioned() {
    let log = Log::new();
    let (_, files) = project(&log.db, Purpose::Checking, &[TEXT]);
    let mut names: Vec<&str> = mentioned_names(&log.db, files[0]).iter().map(smol_str::SmolStr::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "B", "S", "e", "x"]);
}
