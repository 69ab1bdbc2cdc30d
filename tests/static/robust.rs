//! Absurd programs: a diagnostic in the right file, never a panic, a hang or an overflow. Each is checked, edited in a place on which
//! much depends, and checked again, since looking at everything again takes other ways through the database.

use std::fmt::Write;

use lockstep_base::{Diagnostic, Edit, TextRange, TextSize};
use lockstep_program::{Database, Project, file_diagnostics, project_files};
use lockstep_tests::p_project;

type Counts = Vec<(&'static str, usize)>;

/// The findings of each code in the first file, before and after `from` is replaced by `to`.
fn codes_around_edit(text: &str, (from, to): (&str, &str)) -> (Counts, Counts) {
    let mut db = Database::default();
    let (project, files) = p_project(&db, [("a.p".to_owned(), text.to_owned())]);
    let before = counted(&diagnostics(&db, project));
    let at = TextSize::try_from(text.find(from).expect("the text is there")).expect("a small text");
    let edit = Edit { range: TextRange::at(at, TextSize::of(from)), insert: to.to_owned() };
    let edited = files[0].parse(&db).edit(&[edit]);
    files[0].update(&mut db, edited);
    let after = counted(&diagnostics(&db, project));
    let fresh = Database::default();
    let (fresh_project, _) = p_project(&fresh, [("a.p".to_owned(), text.replacen(from, to, 1))]);
    assert!(diagnostics(&db, project) == diagnostics(&fresh, fresh_project), "an edited database says what a fresh one says");
    (before, after)
}

fn diagnostics(db: &Database, project: Project) -> Vec<Diagnostic> {
    project_files(db, project).flat_map(|file| file_diagnostics(db, file)).filter(|found| found.code < "LS1").collect()
}

fn counted(found: &[Diagnostic]) -> Counts {
    let mut counts = std::collections::BTreeMap::new();
    for diagnostic in found {
        *counts.entry(diagnostic.code).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

fn repeated(count: usize, mut line: impl FnMut(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        writeln!(text, "{}", line(number)).expect("strings take everything");
        text
    })
}

#[test]
fn long_chains_of_aliases() {
    let mut text = repeated(10_000, |number| format!("type t{number} = t{};", number + 1));
    text += "type t10000 = int;\nevent e: t0;\nfun f(): t0 { return 1; }\n";
    let (before, after) = codes_around_edit(&text, ("= int;", "= bool;"));
    assert_eq!((before, after), (vec![], vec![("LS0304", 1)]));
}

#[test]
fn circles_of_aliases() {
    let mut text = repeated(5_000, |number| format!("type t{number} = seq[t{}];", number + 1));
    text += "type t5000 = t0;\nevent e: t17;\n";
    let (before, after) = codes_around_edit(&text, ("t5000 = t0", "t5000 = int"));
    assert_eq!((before, after), (vec![("LS0103", 5_001)], vec![("LS0118", 1)]), "all are on the circle; then it is too deep");
}

#[test]
fn aliases_that_double_at_each_step() {
    let mut text = String::from("type t0 = (int, int);\ntype u0 = (int, int);\n");
    text +=
        &repeated(60, |number| format!("type t{0} = (t{number}, t{number});\ntype u{0} = (u{number}, u{number});", number + 1));
    text += "fun f(a: t60, b: u60, c: t10, d: u10) { assert a == b; assert c == d; }\n";
    let (before, _) = codes_around_edit(&text, ("t0 = (int, int)", "t0 = (int, bool)"));
    assert_eq!(before, [("LS0118", 2)]);
}

#[test]
fn deep_types() {
    for depth in [200, 1_000, 4_000, 20_000] {
        let (open, close) = ("seq[".repeat(depth), "]".repeat(depth));
        let text = format!("type t = {open}int{close};\nfun f(a: t, b: {open}int{close}) {{ assert a == b; }}\nfun g() {{ }}\n");
        let (before, after) = codes_around_edit(&text, ("fun g() { }", "fun g() { x = 1; }"));
        assert_eq!(before.is_empty(), depth == 200);
        assert_eq!(after.len(), before.len() + 1);
    }
}

#[test]
fn deep_values() {
    for (depth, expected) in [(200, [("LS0322", 1)]), (4_000, [("LS0118", 2)])] {
        let (open, close) = ("(".repeat(depth), ",)".repeat(depth));
        let text = format!("fun f() {{ assert {open}1{close} == {open}true{close}; }}\nfun g() {{ }}\n");
        let (before, _) = codes_around_edit(&text, ("fun g() { }", "fun g() { f(); }"));
        assert_eq!(before, expected);
    }
}

#[test]
fn long_chains_and_circles_of_calls() {
    let mut text = repeated(10_000, |number| format!("fun f{number}() {{ f{}(); }}", number + 1));
    text += "fun f10000() { }\nevent e;\nspec S observes e { start state A { on e do { f0(); } } }\n";
    let (before, after) = codes_around_edit(&text, ("fun f10000() { }", "fun f10000() { f0(); announce e; }"));
    assert_eq!((before, after), (vec![], vec![("LS0402", 1)]));
}

#[test]
fn ten_thousand_machines() {
    let mut text = repeated(10_000, |number| {
        format!(
            "machine M{number} {{ var next: M{}; start state S {{ entry {{ next = new M{0}(); }} }} }}",
            (number + 1) % 10_000
        )
    });
    text += "event e;\n";
    let (before, after) = codes_around_edit(&text, ("event e;", "event e: tNone;"));
    assert_eq!((before, after), (vec![], vec![("LS0105", 1)]));
}

#[test]
fn everything_twice() {
    let once = "event e;\ntype t = int;\nenum c { RED }\nmachine M { var x: int; start state S { entry { x = 1; } } fun f() { } }\n\
                spec P observes e { start state S { } }\nfun g() { }\nmodule m = { M };\ntest tc [main = M]: m;\n";
    let (before, _) = codes_around_edit(&once.repeat(400), ("event e;", "event e: int;"));
    assert_eq!(before, [("LS0101", 9 * 399)]);
}

#[test]
fn many_members() {
    let vars = repeated(5_000, |number| format!("  var x{number}: int;"));
    let states = repeated(5_000, |number| format!("  state S{number} {{ on e goto S{number}; }}"));
    let functions = repeated(5_000, |number| format!("  fun f{number}() {{ x{number} = {number}; }}"));
    let text = format!("event e;\nmachine M {{\n{vars}start state A {{ }}\n{states}{functions}}}\n");
    let (before, after) = codes_around_edit(&text, ("x17 = 17", "x17 = true"));
    assert_eq!((before, after), (vec![], vec![("LS0305", 1)]));
}

#[test]
fn deep_calls() {
    let (open, close) = ("new M(".repeat(1_000), ")".repeat(1_000));
    let text = format!(
        "machine M {{ start state S {{ entry (m: machine) {{ m = {open}m{close}; m = f({open}m{close}); }} }} }}\n\
                        fun f(m: machine): machine {{ return m; }}\n"
    );
    let (before, after) = codes_around_edit(&text, ("return m", "return 1"));
    assert_eq!((before, after), (vec![], vec![("LS0304", 1)]));
}
