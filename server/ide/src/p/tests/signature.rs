//! What is taken by what is being written.

use expect_test::{Expect, expect};

use super::Fixture;
use crate::p::signature_help;

const DECLARATIONS: &str = "\
// What one asks for.
event eAsk: (who: machine, number: int);
event eTwo: (int, bool);
event eNumber: int;
event eNone;
machine Pair { start state S { entry (pair: (int, bool)) { } } }
machine Named { start state S { entry (pair: (low: int, high: int)) { } } }
machine Plain { start state S { } }
interface Face (int) receives;
// Adds.
fun add(a: int, b: seq[int]): int { return a; }
fun nothing() { }
";

/// The label with the active parameter in `<` and `>`, and the documentation.
fn check(source: &str, expected: &Expect) {
    let fixture = Fixture::new(&format!("{DECLARATIONS}{source}"));
    let Some(help) = signature_help(&fixture.db, fixture.here(), fixture.offset) else {
        return expected.assert_eq("nothing");
    };
    let mut label = help.label.clone();
    if let Some(active) = help.active {
        let range = &help.parameters[active];
        label.insert(range.end, '>');
        label.insert(range.start, '<');
    }
    let documentation = help.documentation.map_or_else(String::new, |text| format!(" // {text}"));
    expected.assert_eq(&format!("{label}{documentation}"));
}

fn check_code(code: &str, expected: &Expect) {
    check(
        &format!(
            "machine M {{\n  fun own(x: bool) {{ }}\n  start state S {{ entry {{ {code}\n  }} }}\n  state T {{ entry (t: (a: int, b: int)) {{ }} }}\n}}"
        ),
        expected,
    );
}

#[test]
fn calls() {
    check_code("add($0);", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
    check_code("add(1, $0", &expect!["add(a: int, <b: seq[int]>): int // Adds."]);
    check_code("add(1, 2, $0", &expect!["add(a: int, b: seq[int]): int // Adds."]);
    check_code("nothing($0", &expect!["nothing()"]);
    check_code("own($0", &expect!["own(<x: bool>)"]);
    check_code("add($0 1, x);", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
}

#[test]
fn nested_calls() {
    check_code("add(add(1, $0", &expect!["add(a: int, <b: seq[int]>): int // Adds."]);
    check_code("add(add(1, x), $0", &expect!["add(a: int, <b: seq[int]>): int // Adds."]);
    check_code("add((1 + $0", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
    check_code("add(x[$0", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
    check_code("add(sizeof(x$0", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
    check_code("if (b) add(1, $0", &expect!["add(a: int, <b: seq[int]>): int // Adds."]);
}

#[test]
fn what_new_takes() {
    check_code("new Pair($0", &expect!["new Pair((<int>, bool))"]);
    check_code("new Pair((1, $0", &expect!["new Pair((int, <bool>))"]);
    check_code("new Pair(1, $0", &expect!["new Pair((int, <bool>))"]);
    check_code("new Named((high = $0", &expect!["new Named((low: int, <high: int>))"]);
    check_code("new Plain($0", &expect!["new Plain()"]);
    check_code("new Face($0", &expect!["new Face(<int>)"]);
    check_code("x = new Pair($0", &expect!["new Pair((<int>, bool))"]);
}

#[test]
fn events() {
    check_code("send this, eAsk, $0", &expect!["send ..., eAsk, (who: machine, number: int) // What one asks for."]);
    check_code("send this, eAsk, ($0", &expect!["send ..., eAsk, (<who: machine>, number: int) // What one asks for."]);
    check_code(
        "send this, eAsk, (who = this, $0",
        &expect!["send ..., eAsk, (who: machine, <number: int>) // What one asks for."],
    );
    check_code("send this, eAsk, (number = $0", &expect!["send ..., eAsk, (who: machine, <number: int>) // What one asks for."]);
    check_code("send this, eAsk, (who = this, number = add($0", &expect!["add(<a: int>, b: seq[int]): int // Adds."]);
    check_code("send this, eTwo, (1, $0", &expect!["send ..., eTwo, (int, <bool>)"]);
    check_code("send this, eTwo, 1, $0", &expect!["send ..., eTwo, (int, <bool>)"]);
    check_code("send f(a, b), eNumber, $0", &expect!["send ..., eNumber, <int>"]);
    check_code("raise eNumber, $0", &expect!["raise eNumber, <int>"]);
    check_code("announce eNone, $0", &expect!["announce eNone, (no value)"]);
    check_code("if (true) { } else raise eNumber, $0", &expect!["raise eNumber, <int>"]);
}

#[test]
fn states() {
    check_code("goto T, $0", &expect!["goto T, (a: int, b: int)"]);
    check_code("goto T, (a = 1, b = $0);", &expect!["goto T, (a: int, <b: int>)"]);
    check_code("goto S, $0", &expect!["goto S, (no value)"]);
}

#[test]
fn nothing_elsewhere() {
    check_code("send this, $0", &expect!["nothing"]);
    check_code("add(1, x);$0", &expect!["nothing"]);
    check_code("unknown($0", &expect!["nothing"]);
    check_code("print \"add($0\";", &expect!["nothing"]);
    check_code("// add($0", &expect!["nothing"]);
    check_code("x = ($0", &expect!["nothing"]);
    check("fun other(a: int, $0", &expect!["nothing"]);
}
