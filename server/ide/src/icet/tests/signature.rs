//! What is filled into parentheses.

use expect_test::{Expect, expect};

use super::at_cursor;
use crate::icet::signature_help;

/// The label with the active part in brackets.
fn check(source: &str, expected: &Expect) {
    let declarations =
        "// Comes first.\nmessage M(a: int, b: (x: int, y: int), c: map[int, bool]);\nmessage N;\nenum E { F(E2), G }\n";
    let (parse, offset) = at_cursor(&format!("{declarations}{source}"));
    let shown = signature_help(&parse, offset).map_or_else(
        || "none".to_owned(),
        |help| {
            let mut label = help.label.clone();
            if let Some(active) = help.active {
                let range = help.parameters[active].clone();
                label = format!("{}[{}]{}", &label[..range.start], &label[range.clone()], &label[range.end..]);
            }
            format!("{label} {:?}", help.documentation)
        },
    );
    expected.assert_eq(&shown);
}

#[test]
fn messages_and_elements_show_what_they_carry() {
    check("process p { send M($0", &expect![[r#"M([a: int], b: (x: int, y: int), c: map[int, bool]) Some("Comes first.")"#]]);
    check(
        "process p { send M(1, (2, 3), $0) to p; }",
        &expect![[r#"M(a: int, b: (x: int, y: int), [c: map[int, bool]]) Some("Comes first.")"#]],
    );
    check(
        "process p { send M(1, (2, $0",
        &expect![[r#"M(a: int, [b: (x: int, y: int)], c: map[int, bool]) Some("Comes first.")"#]],
    );
    check(
        "process p { send M(m[1, 2], {1, 2}, 3, $0",
        &expect![[r#"M(a: int, b: (x: int, y: int), c: map[int, bool]) Some("Comes first.")"#]],
    );
    check(
        "process p { recv { case M(a$0) from p: {} } }",
        &expect![[r#"M([a: int], b: (x: int, y: int), c: map[int, bool]) Some("Comes first.")"#]],
    );
    check("process p { send M(F($0), 1) to p; }", &expect!["F([E2]) None"]);
    check(
        "process p { send M(F(1), $01) to p; }",
        &expect![[r#"M(a: int, [b: (x: int, y: int)], c: map[int, bool]) Some("Comes first.")"#]],
    );
    check("process p { send N($0", &expect!["N() None"]);
    check("assume card($0", &expect![[r#"card([set]) Some("The number of elements of a set.")"#]]);
}

#[test]
fn nothing_elsewhere() {
    check("process p { send M(1)$0 to p; }", &expect!["none"]);
    check("process p { x = ($0", &expect!["none"]);
    check("message P($0", &expect!["none"]);
    check("assume x($0)", &expect!["none"]);
    check("process p { send M( // $0", &expect!["none"]);
}
