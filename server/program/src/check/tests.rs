//! Names that were meant, and changes that mend.

use expect_test::{Expect, expect};

use crate::Purpose;
use crate::tests::shown;

/// Shows errors with their help, and what the fix makes of the text.
#[allow(clippy::needless_pass_by_value)]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(Purpose::Checking, text, |error| {
        let help = error.help.as_ref().map(|help| format!("|   help: {help}\n"));
        let fix = error.fix.as_ref().map(|fix| {
            let edits = fix.edits.iter().map(|edit| format!("`{}` by `{}`", &text[edit.range], edit.insert));
            format!("|   fix: {}: {}\n", fix.title, edits.collect::<Vec<_>>().join(", "))
        });
        help.into_iter().chain(fix).collect()
    }));
}

#[test]
fn similar_names() {
    check(
        "enum Colour { RED }\nevent eStart: tPoint;\ntype tPiont = (left: int, top: int);\ninterface IServer() receives eStart;\nparam limit: int;\nfun helper() { }\n\
         fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }\n\
         fun g() creates IServre;\n\
         machine M {\n  var count: int; var other: int;\n  start state Running {\n    on eStrat goto Stoped;\n    entry begn;\n    exit { goto Runing; }\n    \
         defer eStar;\n  }\n  state Stopped { entry { foreach (cuont in default(set[int])) { } receive { case eSart: { } } begni(limt); } }\n  fun begin() { }\n}\n\
         test param (limti in [1]) t [main=M]: { M };",
        expect![[r#"
            | event eStart: tPoint;
            |               ^^^^^^ LS0105: there is no type `tPoint`
            |   help: did you mean `tPiont`?
            |   fix: replace it by `tPiont`: `tPoint` by `tPiont`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                        ^^^^ LS0110: there is no variable `totl` here
            |   help: did you mean `total`?
            |   fix: replace it by `total`: `totl` by `total`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                               ^^^^^ LS0107: there is no function `helpr`
            |   help: did you mean `helper`?
            |   fix: replace it by `helper`: `helpr` by `helper`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                                                      ^^^^^ LS0325: `(left: int, top: int)` has no field `rihgt`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                                                                    ^^^^ LS0325: `(left: int, top: int)` has no field `lfet`
            |   help: did you mean `left`?
            |   fix: replace it by `left`: `lfet` by `left`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                                                                           ^^^ LS0110: there is no variable, enum element or event `RDE` here
            |   help: did you mean `RED`?
            |   fix: replace it by `RED`: `RDE` by `RED`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                                                                                    ^^^^^^ LS0109: there is no machine or interface `ISever`
            |   help: did you mean `IServer`?
            |   fix: replace it by `IServer`: `ISever` by `IServer`
            | fun f(total: int) { var point: tPiont; totl = helpr(); total = point.rihgt + point.lfet + RDE; new ISever(); new IServr(); }
            |                                                                                                                  ^^^^^^ LS0109: there is no machine or interface `IServr`
            |   help: did you mean `IServer`?
            |   fix: replace it by `IServer`: `IServr` by `IServer`
            | fun g() creates IServre;
            |                 ^^^^^^^ LS0109: there is no machine or interface `IServre`
            |   help: did you mean `IServer`?
            |   fix: replace it by `IServer`: `IServre` by `IServer`
            |     on eStrat goto Stoped;
            |        ^^^^^^ LS0106: there is no event `eStrat`
            |   help: did you mean `eStart`?
            |   fix: replace it by `eStart`: `eStrat` by `eStart`
            |     on eStrat goto Stoped;
            |                    ^^^^^^ LS0108: there is no state `Stoped` in this machine
            |   help: did you mean `Stopped`?
            |   fix: replace it by `Stopped`: `Stoped` by `Stopped`
            |     entry begn;
            |           ^^^^ LS0107: there is no function `begn` in this machine
            |   help: did you mean `begin`?
            |   fix: replace it by `begin`: `begn` by `begin`
            |     exit { goto Runing; }
            |            ^^^^^^^^^^^^ LS0401: this changes the state, which is not possible while a state is left
            |   help: do it in the `entry` of the next state, or in an `on ... do` handler
            |     exit { goto Runing; }
            |                 ^^^^^^ LS0108: there is no state `Runing` in this machine
            |   help: did you mean `Running`?
            |   fix: replace it by `Running`: `Runing` by `Running`
            |     defer eStar;
            |           ^^^^^ LS0106: there is no event `eStar`
            |   help: did you mean `eStart`?
            |   fix: replace it by `eStart`: `eStar` by `eStart`
            |   state Stopped { entry { foreach (cuont in default(set[int])) { } receive { case eSart: { } } begni(limt); } }
            |                                    ^^^^^ LS0110: there is no variable `cuont` here: declare it with `var cuont: ...;`
            |   help: did you mean `count`?
            |   fix: replace it by `count`: `cuont` by `count`
            |   state Stopped { entry { foreach (cuont in default(set[int])) { } receive { case eSart: { } } begni(limt); } }
            |                                                                                   ^^^^^ LS0106: there is no event `eSart`
            |   help: did you mean `eStart`?
            |   fix: replace it by `eStart`: `eSart` by `eStart`
            |   state Stopped { entry { foreach (cuont in default(set[int])) { } receive { case eSart: { } } begni(limt); } }
            |                                                                                                ^^^^^ LS0107: there is no function `begni`
            |   help: did you mean `begin`?
            |   fix: replace it by `begin`: `begni` by `begin`
            |   state Stopped { entry { foreach (cuont in default(set[int])) { } receive { case eSart: { } } begni(limt); } }
            |                                                                                                      ^^^^ LS0110: there is no variable, enum element or event `limt` here
            |   help: did you mean `limit`?
            |   fix: replace it by `limit`: `limt` by `limit`
            | test param (limti in [1]) t [main=M]: { M };
            |             ^^^^^ LS0501: there is no test parameter `limti`: declare it with `param limti: ...;`
            |   help: did you mean `limit`?
            |   fix: replace it by `limit`: `limti` by `limit`
        "#]],
    );
}

#[test]
fn names_that_are_not_similar() {
    check(
        "fun f() { x = y; goto Z; unrelated(); }\nevent e: tNothing;\ntype tSomething;",
        expect![[r#"
            | fun f() { x = y; goto Z; unrelated(); }
            |           ^ LS0110: there is no variable `x` here
            | fun f() { x = y; goto Z; unrelated(); }
            |               ^ LS0110: there is no variable, enum element or event `y` here
            | fun f() { x = y; goto Z; unrelated(); }
            |                       ^ LS0108: there is no state `Z` here: this function belongs to no machine
            | fun f() { x = y; goto Z; unrelated(); }
            |                          ^^^^^^^^^ LS0107: there is no function `unrelated`
            | event e: tNothing;
            |          ^^^^^^^^ LS0105: there is no type `tNothing`
            |   help: types, enums, machines, interfaces and event sets can be types
        "#]],
    );
}

#[test]
fn a_single_state_is_the_start_state() {
    check(
        "machine M { hot state S { } }\nmachine N { state S { } state T { } }\nmachine O { }",
        expect![[r#"
            | machine M { hot state S { } }
            |         ^ LS0201: the machine `M` has no start state
            |   help: to start in `S`, write `start` before it
            |   fix: start in `S`: `` by `start `
            | machine N { state S { } state T { } }
            |         ^ LS0201: the machine `N` has no start state
            |   help: write `start` before the state in which it begins
            | machine O { }
            |         ^ LS0201: the machine `O` has no start state
            |   help: write `start` before the state in which it begins
        "#]],
    );
}

#[test]
fn aliases_are_what_they_stand_for() {
    check(
        "enum Colour { RED }\ntype tColour = Colour;\ntype tMachine = M;\nmachine M { start state S { } }\n\
         fun f(c: Colour, d: tColour, m: machine, n: tMachine, o: M) { c = d; d = c; m = n; n = o; o = n; }",
        expect![[""]],
    );
}

#[test]
fn what_follows_from_one_mistake_of_a_machine_is_not_reported() {
    check(
        "machine A { state S { entry (n: int) { } } }\nmachine B { start state S { entry { new A(1); } } }",
        expect![[r#"
            | machine A { state S { entry (n: int) { } } }
            |         ^ LS0201: the machine `A` has no start state
            |   help: to start in `S`, write `start` before it
            |   fix: start in `S`: `` by `start `
        "#]],
    );
    check(
        "type tBig = (n: int);\nevent eBig: tBig;\nmachine A {\n  start state S {\n    on eBig do (big: int) { if (big.n > 0) { goto T, big.n; } }\n  }\n  state T { entry (n: int) { } }\n}",
        expect![[r#"
            |     on eBig do (big: int) { if (big.n > 0) { goto T, big.n; } }
            |        ^^^^ LS0204: `eBig` carries a value of type `(n: int)`, and the handler takes one of type `int`
            |   help: give the parameter the type of that value, or leave it out
        "#]],
    );
}

#[test]
fn equally_similar_names_are_both_told_and_none_is_put_in() {
    check(
        "event eSent;\nevent eSend;\nmachine M { start state S { ignore eSenx; } }",
        expect![[r#"
        | machine M { start state S { ignore eSenx; } }
        |                                    ^^^^^ LS0106: there is no event `eSenx`
        |   help: did you mean `eSend` or `eSent`?
    "#]],
    );
    // What is begun is meant.
    check(
        "event eReq;\nevent eResp;\nmachine M { start state S { ignore eRes; } }",
        expect![[r#"
        | machine M { start state S { ignore eRes; } }
        |                                    ^^^^ LS0106: there is no event `eRes`
        |   help: did you mean `eResp`?
        |   fix: replace it by `eResp`: `eRes` by `eResp`
    "#]],
    );
}
