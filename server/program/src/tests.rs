//! Static errors in small, and which queries run after which edit.

use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use lockstep_base::{Diagnostic, Edit, Encoding, TextRange, TextSize};
use lockstep_syntax::{Language, Parse};

use crate::{
    Database, Member, ProblemCode, Project, ProjectFile, Purpose, Settings, SourceFile, file_diagnostics, file_diagnostics_with,
};

pub(crate) fn project(db: &Database, purpose: Purpose, texts: &[&str]) -> (Project, Vec<SourceFile>) {
    let parse = |text: &&str| Parse::new(Language::P, *text);
    let files: Vec<SourceFile> =
        texts.iter().enumerate().map(|(number, text)| SourceFile::open(db, format!("{number}.p"), parse(text))).collect();
    (Project::open(db, "test", files.iter().copied().map(Member::from).collect(), purpose), files)
}

/// What is found in a file, without the warnings of `lint`, which have tests of their own.
pub(crate) fn checked<'db>(db: &'db Database, file: ProjectFile<'db>) -> Vec<Diagnostic> {
    let is_lint = |code: &&ProblemCode| ("LS10".."LS138").contains(&code.number());
    file_diagnostics_with(
        db,
        file,
        &Settings { allowed: ProblemCode::ALL.iter().filter(is_lint).map(|code| code.number().to_owned()).collect() },
    )
}

/// Shows the errors of a file under their lines.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(Purpose::Checking, text, |_| String::new()));
}

/// What `check` shows, with what is to be `added` to each error.
pub(crate) fn shown(purpose: Purpose, text: &str, added: impl Fn(&Diagnostic) -> String) -> String {
    let db = Database::default();
    let (project, files) = project(&db, purpose, &[text]);
    let parse = files[0].parse(&db);
    let mut shown = String::new();
    for error in checked(&db, ProjectFile::new(&db, project, files[0], false)) {
        let start = parse.text().position(error.range.start(), Encoding::Utf32);
        let line = text.lines().nth(start.line as usize).unwrap_or("");
        let length = text[error.range].lines().next().unwrap_or("").chars().count().max(1);
        let (blank, caret) = (" ".repeat(start.column as usize), "^".repeat(length));
        shown += &format!("| {line}\n| {blank}{caret} {}: {}\n", error.code, error.message);
        shown += &added(&error);
    }
    shown
}

/// One statement in a function with some variables.
fn check_statement(statement: &str, expected: Expect) {
    check(
        &format!(
            "enum Colour {{ RED, GREEN }}\nevent eGo: int;\nevent eStop;\nmachine M {{\n  var m: machine; var n: int; var b: bool; \
             var s: seq[int]; var k: map[int, bool];\n  var t: (a: int, b: bool);\n  start state S {{ entry {{\n{statement}\n}} }}\n}}"
        ),
        expected,
    );
}

#[test]
fn a_correct_machine_has_no_errors() {
    check_statement("send m, eGo, n; s += (0, n); k[n] = b; t.a = sizeof(s); if (b && n in k) { raise eStop; }", expect![[""]]);
}

#[test]
fn values_of_the_wrong_type() {
    check_statement(
        "n = b;",
        expect![[r#"
        | n = b;
        |     ^ LS0305: a value of type `bool` cannot be stored in a place of type `int`
    "#]],
    );
    check_statement(
        "if (n) { }",
        expect![[r#"
        | if (n) { }
        |     ^ LS0302: a condition is of type `bool`, and this is of type `int`
    "#]],
    );
    check_statement(
        "s += (b, n);",
        expect![[r#"
            | s += (b, n);
            |       ^ LS0306: the index must be of type `int`, and this is of type `bool`
        "#]],
    );
    check_statement(
        "send n, eStop;",
        expect![[r#"
        | send n, eStop;
        |      ^ LS0309: an event is sent to a machine, and this is of type `int`
    "#]],
    );
    check_statement(
        "send m, eGo;",
        expect![[r#"
        | send m, eGo;
        |         ^^^ LS0317: `eGo` takes a value of type `int`, and none is given
    "#]],
    );
    check_statement(
        "send m, eStop, 1;",
        expect![[r#"
        | send m, eStop, 1;
        |                ^ LS0317: `eStop` takes no value
    "#]],
    );
    check_statement(
        "n = t.c;",
        expect![[r#"
        | n = t.c;
        |       ^ LS0325: `(a: int, b: bool)` has no field `c`
    "#]],
    );
    check_statement(
        "b = n == RED;",
        expect![[r#"
            | b = n == RED;
            |     ^^^^^^^^ LS0322: values of the types `int` and `Colour` cannot be compared
        "#]],
    );
    check_statement(
        "n = s[b] + 1;",
        expect![[r#"
            | n = s[b] + 1;
            |       ^ LS0313: the index must be of type `int`, and this is of type `bool`
        "#]],
    );
    check_statement(
        "print \"{0}\";",
        expect![[r#"
        | print "{0}";
        |       ^^^^^ LS0318: places for values such as `{0}` are filled by `format(...)` only
    "#]],
    );
}

#[test]
fn one_mistake_is_reported_once() {
    check_statement(
        "n = unknown + 1; b = unknown2 && b; send unknown3, eGo, unknown4;",
        expect![[r#"
        | n = unknown + 1; b = unknown2 && b; send unknown3, eGo, unknown4;
        |     ^^^^^^^ LS0110: there is no variable, enum element or event `unknown` here
        | n = unknown + 1; b = unknown2 && b; send unknown3, eGo, unknown4;
        |                      ^^^^^^^^ LS0110: there is no variable, enum element or event `unknown2` here
        | n = unknown + 1; b = unknown2 && b; send unknown3, eGo, unknown4;
        |                                          ^^^^^^^^ LS0110: there is no variable, enum element or event `unknown3` here
        | n = unknown + 1; b = unknown2 && b; send unknown3, eGo, unknown4;
        |                                                         ^^^^^^^^ LS0110: there is no variable, enum element or event `unknown4` here
    "#]],
    );
}

#[test]
fn unknown_names() {
    check(
        "event e: tNone;\nmachine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }",
        expect![[r#"
        | event e: tNone;
        |          ^^^^^ LS0105: there is no type `tNone`
        | machine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }
        |                                ^^^^^ LS0106: there is no event `eNone`
        | machine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }
        |                                         ^ LS0107: there is no function `f` in this machine
        | machine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }
        |                                                         ^ LS0108: there is no state `T` in this machine
        | machine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }
        |                                                            ^ LS0107: there is no function `g`
        | machine M { start state S { on eNone do f; entry { goto T; g(); new N(); } } }
        |                                                                     ^ LS0109: there is no machine or interface `N`
    "#]],
    );
}

#[test]
fn declarations_that_clash() {
    check(
        "event e;\nenum E { e }\ntype M;\nmachine M { var x: int; var x: bool; start state S { } start state S { } }",
        expect![[r#"
            | enum E { e }
            |          ^ LS0101: `e` is declared already, as an event
            | machine M { var x: int; var x: bool; start state S { } start state S { } }
            |         ^ LS0101: `M` is declared already, as a type
            | machine M { var x: int; var x: bool; start state S { } start state S { } }
            |                             ^ LS0101: `x` is declared twice
            | machine M { var x: int; var x: bool; start state S { } start state S { } }
            |                                                                    ^ LS0101: this machine has a state `S` already
            | machine M { var x: int; var x: bool; start state S { } start state S { } }
            |                                                                    ^ LS0115: this machine has a start state already
        "#]],
    );
}

#[test]
fn a_type_that_contains_itself() {
    check(
        "type a = seq[b];\ntype b = (x: a);\ntype c = map[int, int];",
        expect![[r#"
        | type a = seq[b];
        |      ^ LS0103: the type `a` contains itself
        | type b = (x: a);
        |      ^ LS0103: the type `b` contains itself
    "#]],
    );
}

#[test]
fn machines_that_refer_to_each_other_are_fine() {
    check(
        "machine A { var b: B; start state S { entry { b = new B(this); } } }\nmachine B { var a: A; start state S { entry (x: A) { a = x; } } }",
        expect![[""]],
    );
}

#[test]
fn states_and_handlers() {
    check(
        "event e: int;\nfun g() { }\nmachine M {\n  start state S {\n    on e do f;\n    on e goto T;\n    exit h;\n    entry g;\n  }\n  \
         state T { entry (b: bool) { } }\n  fun f(a: int, b: int) { }\n  fun h(x: int) { }\n}\nmachine N { state S { } }",
        expect![[r#"
            |     on e do f;
            |             ^ LS0202: a handler takes at most one value, and `f` takes 2
            |     on e goto T;
            |        ^ LS0112: this state says already what happens on `e`
            |     on e goto T;
            |        ^ LS0204: `e` carries a value of type `int`, and the entry of `T` takes one of type `bool`
            |     exit h;
            |          ^ LS0203: the function is called without a value on exit: it can have no parameter
            |     entry g;
            |           ^ LS0205: `g` is a global function: a handler must be a function of the machine
            | machine N { state S { } }
            |         ^ LS0201: the machine `N` has no start state
        "#]],
    );
}

#[test]
fn specs_only_watch() {
    check(
        "event e;\nfun pick(): bool { return $; }\nspec P observes e {\n  start state S {\n    on e do { send this, e; }\n    defer e;\n  }\n  \
         state T { on e do { if (pick()) { } } on null do { } }\n}",
        expect![[r#"
            |     on e do { send this, e; }
            |               ^^^^^^^^^^^^^ LS0330: a spec only watches: it cannot send events
            |     on e do { send this, e; }
            |                    ^^^^ LS0330: a spec only watches: it cannot refer to itself with `this`
            |     defer e;
            |     ^^^^^^^^ LS0117: a spec has no queue: it cannot defer events
            |     defer e;
            |           ^ LS0112: this state says already what happens on `e`
            |   state T { on e do { if (pick()) { } } on null do { } }
            |                           ^^^^^^ LS0402: a spec only watches: it cannot call `pick`, which makes a choice
            |   state T { on e do { if (pick()) { } } on null do { } }
            |                                            ^^^^ LS0116: a spec is never idle: it cannot handle `null`
        "#]],
    );
}

#[test]
fn leaving_a_state_cannot_be_interrupted() {
    check(
        "event e;\nmachine M {\n  start state S { exit { f(); } on e goto S with { goto S; } }\n  fun f() { g(); }\n  fun g() { f(); raise e; }\n}",
        expect![[r#"
            |   start state S { exit { f(); } on e goto S with { goto S; } }
            |                          ^^^^ LS0401: `f` raises an event, which is not possible while a state is left
            |   start state S { exit { f(); } on e goto S with { goto S; } }
            |                                                    ^^^^^^^ LS0401: this changes the state, which is not possible while a state is left
        "#]],
    );
}

#[test]
fn functions_return() {
    check(
        "fun f(b: bool): int { if (b) { return 1; } }\nfun g(): int { return true; }\nfun h() { return 1; }\nfun i(): int { while (true) { break; } assert false; }\nfun j() { break; }",
        expect![[r#"
            | fun f(b: bool): int { if (b) { return 1; } }
            |                     ^^^^^^^^^^^^^^^^^^^^^^^^ LS0335: not every path through this function returns a value of type `int`
            | fun g(): int { return true; }
            |                       ^^^^ LS0304: a value of type `int` must be returned, and this is of type `bool`
            | fun h() { return 1; }
            |                  ^ LS0304: nothing can be returned here: no type of a result is declared
            | fun j() { break; }
            |           ^^^^^^ LS0336: `break` stands outside of any loop
        "#]],
    );
}

#[test]
fn tests_and_their_parameters() {
    check(
        "param n: int; param b: bool;\ntest param (n in [1, 1], b in [1], c in [2]) (4 wise) t [main=M]: { M };\nmachine M { start state S { } }",
        expect![[r#"
            | test param (n in [1, 1], b in [1], c in [2]) (4 wise) t [main=M]: { M };
            |                      ^ LS0503: the value `1` is given twice
            | test param (n in [1, 1], b in [1], c in [2]) (4 wise) t [main=M]: { M };
            |                                ^ LS0502: `b` is of type `bool`, and this is of type `int`
            | test param (n in [1, 1], b in [1], c in [2]) (4 wise) t [main=M]: { M };
            |                                    ^ LS0501: there is no test parameter `c`: declare it with `param c: ...;`
            | test param (n in [1, 1], b in [1], c in [2]) (4 wise) t [main=M]: { M };
            |                                               ^ LS0504: a test of 3 parameters can combine 1 to 3 of them, not 4
        "#]],
    );
}

#[test]
fn errors_are_found_beside_syntax_errors() {
    check(
        "fun f() { x = 1 }\nfun g(): int { return true; }",
        expect![[r#"
        | fun f() { x = 1 }
        |           ^ LS0110: there is no variable `x` here
        | fun f() { x = 1 }
        |                ^ LS0001: expected `;` after `1`
        | fun g(): int { return true; }
        |                       ^^^^ LS0304: a value of type `int` must be returned, and this is of type `bool`
    "#]],
    );
}

#[test]
fn a_return_that_cannot_be_read_is_not_missing() {
    check(
        "fun f(): int { return 1 +; }\nfun g(): int { retrun 1; }",
        expect![[r#"
        | fun f(): int { return 1 +; }
        |                          ^ LS0001: expected an expression after `+`
        | fun g(): int { retrun 1; }
        |                      ^ LS0001: expected `=` after `retrun`
    "#]],
    );
}

#[test]
fn deep_nesting_is_followed_on_a_stack_that_grows() {
    let deep = 2_000;
    let text = format!("fun f(): int {{ {} return 1; {} }}", "if (true) { ".repeat(deep), "} else { return 2; }".repeat(deep));
    check(&text, expect![[""]]);
    check(&format!("fun g(): int {{ return {}1{}; }}", "(".repeat(deep), ")".repeat(deep)), expect![[""]]);
}

// ---- Which queries run ----

pub(crate) struct Log {
    pub(crate) db: Database,
    executed: Arc<Mutex<Vec<String>>>,
}

impl Log {
    pub(crate) fn new() -> Self {
        let executed: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = executed.clone();
        let db = Database::with_listener(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                log.lock().expect("no test panics here").push(format!("{database_key:?}"));
            }
        });
        Self { db, executed }
    }

    /// How often a query ran since the last call of `forget`.
    pub(crate) fn count(&self, query: &str) -> usize {
        let executed = self.executed.lock().expect("no test panics here");
        executed.iter().filter(|key| key.split('(').next().is_some_and(|name| name.ends_with(query))).count()
    }

    pub(crate) fn forget(&self) {
        self.executed.lock().expect("no test panics here").clear();
    }
}

const TEXT: &str = "event e;\nmachine A {\n  start state S { entry { x = 1; } on e do { x = 2; } exit { assert x > 0; } }\n  var x: int;\n}\n\
                    machine B { start state S { entry { send new A(), e; } } }\nfun f() { }\n";

fn after_edit(from: &str, to: &str) -> Log {
    after_edit_of(Purpose::Checking, TEXT, from, to)
}

/// Checks everything, replaces `from` by `to`, and checks again.
pub(crate) fn after_edit_of(purpose: Purpose, text: &str, from: &str, to: &str) -> Log {
    let mut log = Log::new();
    let (project, files) = project(&log.db, purpose, &[text]);
    files[0].expect_edits(&mut log.db);
    assert_eq!(file_diagnostics(&log.db, ProjectFile::new(&log.db, project, files[0], false)), []);
    log.forget();
    let at = TextSize::try_from(text.find(from).expect("the text is there")).expect("a small text");
    let parse = files[0].parse(&log.db).edit(&[Edit { range: TextRange::at(at, TextSize::of(from)), insert: to.to_owned() }]);
    files[0].update(&mut log.db, parse);
    let _ = file_diagnostics(&log.db, ProjectFile::new(&log.db, project, files[0], false));
    log
}

#[test]
fn typing_in_a_body_checks_that_body_alone() {
    let log = after_edit("x = 1", "x = 13");
    assert_eq!((log.count("check_body"), log.count("check_decl"), log.count("machine_info")), (1, 0, 0));
}

#[test]
fn a_comment_checks_nothing() {
    for (from, to) in [("event e;", "// what\nevent e;"), ("entry {", "entry /* why */ {"), ("x = 2;", "x  =  2 ; /* two */")] {
        let log = after_edit(from, to);
        assert_eq!((log.count("check_body"), log.count("check_decl"), log.count("machine_info")), (0, 0, 0), "{from}");
    }
}

/// How often the queries of warnings ran: about bodies, about declarations, about uses in files that nobody edits.
fn lints(log: &Log) -> [usize; 3] {
    ["lint_body", "lint_decl", "lint_settled_uses"].map(|query| log.count(query))
}

#[test]
fn warnings_are_looked_for_where_something_changed() {
    assert_eq!(lints(&after_edit("x = 1", "x = 13")), [1, 0, 0], "a number concerns its body only");
    assert_eq!(lints(&after_edit("event e;", "// what\nevent e;")), [0, 0, 0], "a comment concerns nobody");
    assert_eq!(lints(&after_edit("x = 1", "f()")), [1, 1, 0], "what a body mentions concerns its machine");
    assert_eq!(lints(&after_edit("fun f() { }", "fun f() { }\nevent eOther;")), [0, 1, 1], "only the new event itself");
    assert_eq!(lints(&after_edit("fun f() { }", "fun f() { print \"f\"; }")), [1, 0, 0]);
    let whole = "event e;\nevent g;\nfun f() { }\nmachine Main {\n  start state S { entry { f(); send this, e; } \
                 on e do { send this, g; } ignore g; }\n}\n";
    let log = after_edit_of(Purpose::Checking, whole, "do { send this, g; }", "do { }");
    assert_eq!(lints(&log), [1, 1, 0], "the machine; what the edited file says of uses is not kept");
}

#[test]
fn an_unrelated_event_checks_no_body() {
    let log = after_edit("fun f() { }", "fun f() { }\nevent eOther;");
    assert_eq!((log.count("check_body"), log.count("check_decl")), (0, 1), "only the new event itself is checked");
}
