//! The advice that findings in bodies give. What is found at all is tested by the programs of `tests/programs/p/codes`.

use expect_test::{Expect, expect};
use lockstep_syntax::{Language, Parse};

use crate::tests::checked;
use crate::{Database, Member, Project, ProjectFile, Purpose, SourceFile};

/// Checks each statement in a machine of its own, and shows what is said about it.
#[allow(clippy::needless_pass_by_value)]
fn check(statements: &[&str], expected: Expect) {
    let db = Database::default();
    let mut shown = String::new();
    for statement in statements {
        let text = format!("{PRELUDE}machine Own {{\n{VARIABLES}start state S {{ entry {{\n{statement}\n}} }} }}\n");
        let file = SourceFile::open(&db, "own.p", Parse::new(Language::P, text.as_str()));
        let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
        shown += &format!("{statement}\n");
        for found in checked(&db, ProjectFile::new(&db, project, file, false)) {
            shown += &format!("  {}: {}\n", found.code, found.message);
            shown += &found.help.map_or(String::new(), |help| format!("  help: {help}\n"));
        }
    }
    expected.assert_eq(&shown);
}

const PRELUDE: &str = "enum tE { A } event e; event eInt: int; machine Peer receives e; { start state S { } }\n";
const VARIABLES: &str = "var i: int; var f: float; var s: string; var a: any; var c: tE; var m: machine; var p: Peer; var o: Own;
var pair: (x: int, y: int); var q: seq[int]; var t: set[int]; var k: map[int, int]; fun Nothing() { }\n";

#[test]
fn what_to_do_with_a_value_that_does_not_fit() {
    check(
        &[
            "i = f;",
            "f = i;",
            "i = c;",
            "s = i;",
            "i = a;",
            "p = m;",
            "p = null;",
            "p = o;",
            "pair = (y = 1, x = 2);",
            "i = Nothing();",
        ],
        expect![[r#"
            i = f;
              LS0305: a value of type `float` cannot be stored in a place of type `int`
              help: `to int` converts it
            f = i;
              LS0305: a value of type `int` cannot be stored in a place of type `float`
              help: `to float` converts it
            i = c;
              LS0305: a value of type `tE` cannot be stored in a place of type `int`
              help: `to int` converts it
            s = i;
              LS0305: a value of type `int` cannot be stored in a place of type `string`
              help: `format("{0}", ...)` makes a text of any value
            i = a;
              LS0305: a value of type `any` cannot be stored in a place of type `int`
              help: if it is of that type when the program runs, write `as int`
            p = m;
              LS0305: a value of type `machine` cannot be stored in a place of type `Peer`
              help: if it is such a machine when the program runs, write `as Peer`
            p = null;
              LS0305: a value of type `null` cannot be stored in a place of type `Peer`
              help: write `default(Peer)`
            p = o;
              LS0305: a value of type `Own` cannot be stored in a place of type `Peer`
              help: the two do not receive the same events
            pair = (y = 1, x = 2);
              LS0305: a value of type `(y: int, x: int)` cannot be stored in a place of type `(x: int, y: int)`
              help: the fields must be in the same order
            i = Nothing();
              LS0305: `Nothing` returns nothing that could be stored
        "#]],
    );
    check(
        &["send m, eInt, f;", "send m, e, 1, 2;", "return i;"],
        expect![[r#"
        send m, eInt, f;
          LS0317: `eInt` takes a value of type `int`, and this is of type `float`
          help: `to int` converts it
        send m, e, 1, 2;
          LS0318: `e` takes no value
        return i;
          LS0304: nothing can be returned here: no type of a result is declared
    "#]],
    );
}

#[test]
fn what_to_do_with_operands() {
    check(
        &["f = f * 2;", "s = s + i;", "i = a + 1;", "i = i + c;", "i = i + null;"],
        expect![[r#"
        f = f * 2;
          LS0321: this takes two numbers of one type or two strings, and these are of the types `float` and `int`
          help: convert one of them with `to float` or `to int`
        s = s + i;
          LS0321: this takes two numbers of one type or two strings, and these are of the types `string` and `int`
          help: `format("{0}", ...)` makes a text of any value
        i = a + 1;
          LS0321: this takes two numbers of one type or two strings, and these are of the types `any` and `int`
          help: say with `as` which type a value of type `any` has
        i = i + c;
          LS0321: this takes two numbers of one type or two strings, and these are of the types `int` and `tE`
          help: `to int` gives the number of an enum element
        i = i + null;
          LS0321: this takes two numbers of one type or two strings, and these are of the types `int` and `null`
    "#]],
    );
    check(
        &["a = c == 0;", "a = i == null;", "a = i == f;", "a = pair == (y = 1, x = 2);"],
        expect![[r#"
        a = c == 0;
          LS0322: values of the types `tE` and `int` cannot be compared
          help: compare with an element of the enum, or convert it with `to int`
        a = i == null;
          LS0322: values of the types `int` and `null` cannot be compared
          help: a value of type `int` is never `null`; it begins as `default(int)`
        a = i == f;
          LS0322: values of the types `int` and `float` cannot be compared
          help: convert one of them with `to float` or `to int`
        a = pair == (y = 1, x = 2);
          LS0322: values of the types `(x: int, y: int)` and `(y: int, x: int)` cannot be compared
          help: the fields must be in the same order
    "#]],
    );
    check(
        &["i = f as int;", "i = a to int;", "s = i to string;", "c = i to tE;", "m = p to machine;"],
        expect![[r#"
        i = f as int;
          LS0322: a value of type `float` can never be of type `int`
          help: `to int` converts it
        i = a to int;
          LS0322: a value of type `any` cannot be converted to `int`
          help: `as int` says that a value of type `any` is of this type
        s = i to string;
          LS0323: `to` converts to `int`, `float` or the type of a machine, not to `string`
          help: `format("{0}", ...)` makes a text of any value
        c = i to tE;
          LS0323: `to` converts to `int`, `float` or the type of a machine, not to `tE`
        m = p to machine;
          LS0323: `to` converts to `int`, `float` or the type of a machine, not to `machine`
    "#]],
    );
}

#[test]
fn what_to_do_with_collections() {
    check(
        &["q += (1);", "t += (0, 1);", "k += (1);", "i += (1);", "foreach (i in k) { }", "q -= (s);"],
        expect![[r#"
        q += (1);
          LS0306: `+= (value)` adds to a set, and this is of type `seq[int]`
          help: `s += (sizeof(s), value)` appends to a sequence
        t += (0, 1);
          LS0306: `+= (key, value)` adds to a sequence or a map, and this is of type `set[int]`
          help: `s += (value)` adds to a set
        k += (1);
          LS0306: `+= (value)` adds to a set, and this is of type `map[int, int]`
          help: `m += (key, value)` adds to a map
        i += (1);
          LS0306: `+= (value)` adds to a set, and this is of type `int`
          help: write `x = x + ...`
        foreach (i in k) { }
          LS0308: `foreach` goes through a sequence or a set, and this is of type `map[int, int]`
          help: go through `keys(...)` or `values(...)` of the map
        q -= (s);
          LS0307: what is removed from a sequence is the index of an element, which must be of type `int`, and this is of type `string`
    "#]],
    );
}

#[test]
fn machines_are_no_values() {
    check(
        &["m = Peer;", "i = m.i;", "Nothing(Nothing);", "m = this.o;"],
        expect![[r#"
            m = Peer;
              LS0110: there is no variable, enum element or event `Peer` here
              help: `Peer` is a machine: `new Peer(...)` creates one
            i = m.i;
              LS0311: only named tuples have fields, and this is of type `machine`
              help: a machine's variables are its own: others learn of them by events
            Nothing(Nothing);
              LS0318: `Nothing` takes no arguments
              LS0110: there is no variable, enum element or event `Nothing` here
              help: `Nothing` is a function: `Nothing(...)` calls it
            m = this.o;
              LS0311: only named tuples have fields, and this is of type `Own`
              help: a variable of this machine is written `o`, without `this`
        "#]],
    );
}
