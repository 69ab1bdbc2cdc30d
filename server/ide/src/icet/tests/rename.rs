//! New names.

use expect_test::{Expect, expect};
use lockstep_base::Edit;
use lockstep_syntax::{Language, Parse};

use super::{PROGRAM, at_cursor, shown};
use crate::icet::{prepare_rename, rename};

/// The text after the rename, or why it cannot be done.
fn renamed(source: &str, new_name: &str) -> String {
    let (parse, offset) = at_cursor(source);
    match rename(&parse, offset, new_name) {
        Ok(ranges) => {
            let mut text = parse.text().clone();
            for range in ranges.iter().rev() {
                text.edit(&Edit { range: *range, insert: new_name.to_owned() });
            }
            text.to_string()
        }
        Err(why) => format!("cannot: {}", why.0),
    }
}

fn check(source: &str, new_name: &str, expected: &Expect) {
    expected.assert_eq(&renamed(source, new_name));
}

#[test]
fn every_place_gets_the_name() {
    let source = "message M(x: int);\nset S;\nprocess p { for s in S { send M$0(1) to s; } }\nprocess s in S { var x: int; recv M(x) from p; }\n";
    check(
        source,
        "Hello",
        &expect![[r#"
        message Hello(x: int);
        set S;
        process p { for s in S { send Hello(1) to s; } }
        process s in S { var x: int; recv Hello(x) from p; }
    "#]],
    );
    let local = source.replace("M$0", "M").replacen("for s", "for s$0", 1);
    check(
        &local,
        "t",
        &expect![[r#"
        message M(x: int);
        set S;
        process p { for t in S { send M(1) to t; } }
        process s in S { var x: int; recv M(x) from p; }
    "#]],
    );
    let process = source.replace("M$0", "M").replacen("process s", "process $0s", 1);
    check(
        &process,
        "t",
        &expect![[r#"
        message M(x: int);
        set S;
        process p { for s in S { send M(1) to s; } }
        process t in S { var x: int; recv M(x) from p; }
    "#]],
    );
    let variable = "process p { var x$0: int; x = 1; }\nsequential { p.x = 2; }\nensures p.x == 2;\n";
    check(
        variable,
        "y",
        &expect![[r#"
        process p { var y: int; y = 1; }
        sequential { p.y = 2; }
        ensures p.y == 2;
    "#]],
    );
    let field = "type R = (a: int, b: int);\nprocess p { var r: R = (a = 1, b = 2); r.a$0 = r.b; }\nensures p.r.a == 2;\n";
    check(
        field,
        "first",
        &expect![[r#"
        type R = (first: int, b: int);
        process p { var r: R = (first = 1, b = 2); r.first = r.b; }
        ensures p.r.first == 2;
    "#]],
    );
}

/// As the reference of the language lists them.
const RESERVED: &str = "any as assert assume atomic bool break case choose const default done else ensures enum exists fail false \
    for forall foreach from ghost havoc if in int invariant map match message or parallel pick pid process recv repeat rounds \
    send sequential set skip subset timeout to true type var while";

#[test]
fn only_names_are_given() {
    for word in RESERVED.split_whitespace() {
        check_refused("set S$0;", word);
    }
    for name in ["", "1x", "a b", "_", "send", "card", "here", "ä", "a-b"] {
        check_refused("set S$0;", name);
    }
    check("set S$0;", "_1", &expect!["set _1;"]);
    check("set S$0;", "S", &expect!["set S;"]);
    check("set S$0;", "send", &expect!["cannot: `send` is a word of IceT"]);
    check(
        "set S$0;",
        "1",
        &expect!["cannot: `1` is not a name: names are letters, digits and `_`, and do not begin with a digit"],
    );
}

fn check_refused(source: &str, name: &str) {
    assert!(renamed(source, name).starts_with("cannot: "), "{name:?}");
}

#[test]
fn a_name_that_is_known_somewhere_is_not_given() {
    let mark = |piece: &str| PROGRAM.replacen(&piece.replace("$0", ""), piece, 1);
    check(&mark("message A$0sk"), "Say", &expect!["cannot: `Say` is already the name of a message (line 9)"]);
    check(&mark("message A$0sk"), "n", &expect!["cannot: `n` is already the name of a loop's variable (line 20)"]);
    check(&mark("for n$0"), "i", &expect!["cannot: `i` is already the name of a loop's index (line 19)"]);
    check(&mark("for n$0"), "m", &expect!["cannot: `m` is already the name of a bound name (line 21)"]);
    check(&mark("for n$0"), "limit", &expect!["cannot: `limit` is already the name of a constant (line 10)"]);
    check(&mark("var a$0sked"), "who", &expect!["cannot: `who` is already the name of a variable (line 40)"]);
    check(&mark("f$0ree: int"), "used", &expect!["cannot: `used` is already the name of a field beside it"]);
    check(&mark("r$0ound: int"), "from_whom", &expect!["cannot: `from_whom` is already the name of a part beside it"]);
    // Names of another process are free, and so are names of fields and labels.
    let free =
        [("var a$0sked", "best"), ("for n$0", "node"), ("var a$0sked", "all"), ("k$0nown", "all"), ("message A$0sk", "free")];
    for (piece, name) in free {
        assert!(!renamed(&mark(piece), name).starts_with("cannot"), "{piece} to {name}: {}", renamed(&mark(piece), name));
    }
}

#[test]
fn what_is_not_understood_is_not_renamed() {
    check("process p { x$0 = 1; }", "y", &expect!["cannot: it is not known what `x` stands for"]);
    check("process p { skip$0; }", "y", &expect!["cannot: there is no name here that can be changed"]);
    check("assume c$0ard(S) > 0;", "y", &expect!["cannot: `card` is a word of IceT"]);
    check(
        "process p { var x$0: int; y = 1; }",
        "y",
        &expect!["cannot: `y` is used in line 1 without being declared, and would get a meaning"],
    );
    check(
        "process p { var x$0: int; var q: pid; }\nensures p.q.x == 1;",
        "y",
        &expect!["cannot: it is not known whether `x` in line 2 is the same"],
    );
    check(
        "const a: (f$0: int);\nconst b: (f: int);\n",
        "g",
        &expect!["cannot: another record type has a field `f` (line 2): they may have to agree"],
    );
    check("set S$0;\nprocess p { ) S ) }\n", "T", &expect!["cannot: the text is broken around `S` in line 2: mend it first"]);
    check("set S$0;\n/* open", "T", &expect!["cannot: a comment or a string does not end: mend it first"]);
}

#[test]
fn the_name_to_rename() {
    let (parse, offset) = at_cursor("set Nodes;\nprocess p in No$0des { }\n");
    assert_eq!(prepare_rename(&parse, offset).map(|range| shown(&parse, range)), Ok("2:14 Nodes".to_owned()));
    let parse = Parse::new(Language::P, "machine M { }");
    assert!(prepare_rename(&parse, 8.into()).is_err(), "not IceT");
}
