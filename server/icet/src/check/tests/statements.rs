//! Statements in their places, and what is worth a warning.

use expect_test::expect;

use super::{check_findings, check_text};

#[test]
fn loops() {
    check_findings(
        r#"
set S; process s in S { var n: int; for x in n { skip; } for x in {1, 2} { n = x; } pick n in n; repeat true { skip; } rounds S as r { skip; }
  for x in s { skip; } for x in {} { skip; } }
process b { foreach x in {1} { recv M from x; } foreach x in S { recv M from x; } } message M; process c { send M to b; }
"#,
        expect![[r#"
            LS2010 `n`: `for` takes a set, and this is `int` [use `repeat` to do something a number of times]
            LS2010 `n`: `pick` takes a set, and this is `int`
            LS2010 `true`: `repeat` takes a number, and this is `bool`
            LS2010 `S`: `rounds` takes a number, and this is `set[S]` [write `card(...)` for the number of its members, or use `for`]
            LS2010 `s`: `for` takes a set, and this is `S`
            LS2010 `{1}`: `foreach` goes over processes, and these are `int` [use `for`]
        "#]],
    );
}

#[test]
fn breaks() {
    check_findings(
        r#"process a { break; while (*) { if (*) { break; } repeat 2 { break; while (*) { atomic { break; } } } } rounds as r { break; } }"#,
        expect![[r#"
            LS2018 `break;`: there is no `while` to be left [leave the `break` out]
            LS2018 `break;`: only a `while` can be left with `break` [use an `if` for what is not to be done, or a `while` instead of this loop] <`repeat`: the innermost loop is not a `while`>
            LS2018 `break;`: only a `while` can be left with `break` [use an `if` for what is not to be done, or a `while` instead of this loop] <`rounds`: the innermost loop is not a `while`>
        "#]],
    );
}

#[test]
fn foreach_begins_with_receive() {
    check_findings(
        r#"
set S; message M; message N; process s in S { send M to a; send N to a; }
process a { foreach s in S { skip; } foreach s in S { } foreach s in S { recv M from S; } foreach s in S { atomic { recv M from s; } } foreach _ in S { recv M from any; }
  foreach s in S { recv { case M from s: { skip; } case N from s: { skip; } } } foreach s in S { recv { case M from s: { skip; } case N from any: { skip; } } } }
"#,
        expect![[r#"
            LS2019 `skip;`: the body of this `foreach` has to begin with a receive from `s` [a `foreach` takes members in the order of their messages; if that is not meant, use `for`] <`foreach`: the loop is here>
            LS2019 `foreach`: the body of this `foreach` has to begin with a receive from `s` [a `foreach` takes members in the order of their messages; if that is not meant, use `for`] <`foreach`: the loop is here>
            LS2019 `recv M from S;`: the body of this `foreach` has to begin with a receive from `s` [a `foreach` takes members in the order of their messages; if that is not meant, use `for`] <`foreach`: the loop is here>
            LS2019 `foreach`: this `foreach` has no variable to receive from [name the member: `foreach c in ... { recv ... from c; }`]
            LS2019 `recv { case M from s: { skip; } case N from any: { skip; } }`: the body of this `foreach` has to begin with a receive from `s` [a `foreach` takes members in the order of their messages; if that is not meant, use `for`] <`foreach`: the loop is here>
        "#]],
    );
}

#[test]
fn timeouts() {
    check_findings(
        r#"
set S; message M; message N; process s in S { var p, q: S; send M to s; send N to s; recv M from S timeout { skip; } recv M from any timeout { skip; } recv M from p timeout { skip; }
  recv { case M from p: { skip; } case N from q: { skip; } timeout: { skip; } } recv { case M from p: { skip; } case N from p: { skip; } timeout: { skip; } } }
"#,
        expect![[r#"
            LS2020 `S`: with a `timeout`, messages have to come from one process [go through the processes: `for c in ... { recv ... from c timeout { } }`]
            LS2020 `M`: with a `timeout`, messages have to come from one process [go through the processes: `for c in ... { recv ... from c timeout { } }`]
            LS2020 `q`: with a `timeout`, all cases have to be from the same process [write one receive for each process] <`p`: the first case is from this process>
        "#]],
    );
}

#[test]
fn rounds() {
    check_findings(
        r#"
message M; message N; process a { while (*) { rounds 1 as r { skip; } } rounds 2 as q { rounds 3 as r { skip; } send M to a; recv M from a; } send N to a; recv M from a; atomic { rounds 2 as r { recv N from a; } } }
"#,
        expect![[r#"
            LS2021 `rounds`: `rounds` cannot stand inside of a loop [take it out of the loop] <`while`: the loop is here>
            LS2021 `rounds`: `rounds` cannot stand inside of `rounds` [take it out of the loop] <`rounds`: the loop is here>
            LS2021 `N`: `N` is used inside of `rounds` and outside [a message of a round can be received in that round only: declare another message for one of the two] <`N`: used inside of `rounds` here>
            LS2021 `M`: `M` is used inside of `rounds` and outside [a message of a round can be received in that round only: declare another message for one of the two] <`M`: used inside of `rounds` here>
        "#]],
    );
}

#[test]
fn rounds_that_depend_on_each_other() {
    check_findings(
        r#"
set S; message M(int); process s in S { var sum, last, here1, part, max: int; var own, other: map[int, int]; ghost var gh: int; var pair: (int, int);
  rounds 3 as r { recv M(last) from s timeout { last = 0; } sum = sum + last; own[r] = own[r] + last; other[r] = other[r - 1]; if (*) { here1 = 1; } part = here1;
    choose { max = 1; } or { max = 2; } assert max > 0; pair.0 = pair.1; for t in S { max = max + 1; } send M(max) to s; } }
"#,
        expect![[r#"
            LS2105 `sum = sum + last;`: it is not decided whether a later round reads this value of `sum` [give `sum` a value in each round before it is read, or make it a map and use the round's own entry] <`sum = sum + last;`: it may be read here>
            LS2105 `other[r] = other[r - 1];`: it is not decided whether a later round reads this value of `other` [give `other` a value in each round before it is read, or make it a map and use the round's own entry] <`other[r] = other[r - 1];`: it may be read here>
            LS2105 `here1 = 1;`: it is not decided whether a later round reads this value of `here1` [give `here1` a value in each round before it is read, or make it a map and use the round's own entry] <`part = here1;`: it may be read here>
            LS2105 `pair.0 = pair.1;`: it is not decided whether a later round reads this value of `pair` [give `pair` a value in each round before it is read, or make it a map and use the round's own entry] <`pair.0 = pair.1;`: it may be read here>
        "#]],
    );
}

#[test]
fn independent_rounds() {
    check_findings(
        r#"
enum E { A, B(int) }
process b { var x, y, z, w: int; var e: E; var m: map[int, (f: int, g: int)];
  y = z; rounds 3 as r invariant x == 1; { havoc x; havoc e; match (e) { case B(w): { skip; } default: { w = 0; } } m[r].f = x + w; m[r].g = m[r].f + z;
    invariant y == 0; atomic { y = x; } assert y == x; for _ in {1} { y = y + 1; } } y = x; }
"#,
        expect![[""]],
    );
}

#[test]
fn places_of_statements() {
    check_findings(
        r#"
set S; message M; process s in S { var x: int; atomic { if (*) { atomic { skip; } } } parallel t in S { skip; } send M to s; recv M from s; }
sequential { send M to a; recv M from any; foreach s in S { skip; } rounds 2 as r { skip; } parallel s in S { s.x = 1; atomic { skip; } } } process a { }
"#,
        expect![[r#"
            LS2022 `atomic`: this is inside of an `atomic` block already [leave out the inner `atomic`] <`atomic`: the outer block>
            LS2023 `parallel`: `parallel` can stand in `sequential` only [processes run side by side anyway: declare a set and `process ... in` it]
            LS2023 `send`: `send` cannot stand in `sequential` [the sequential block assigns to the variables of processes directly: `p.x = e;`]
            LS2023 `recv`: `recv` cannot stand in `sequential` [the sequential block assigns to the variables of processes directly: `p.x = e;`]
            LS2023 `foreach`: `foreach` cannot stand in `sequential` [the sequential block assigns to the variables of processes directly: `p.x = e;`]
            LS2023 `rounds`: `rounds` cannot stand in `sequential` [the sequential block assigns to the variables of processes directly: `p.x = e;`]
        "#]],
    );
}

#[test]
fn warnings() {
    check_findings(
        r#"
set S; set R subset S; message A; message B; message C; process a { send A to a; recv B from a; while (true) { while (*) { break; } } skip; skip; }
process b { while (true) { if (*) { break; } } skip; rounds as r { skip; } skip; }
const x: bool; assume x ==> x ==> x ==> x; assume x ==> (x ==> x); assume (x ==> x) ==> x; assume x ==> (x ==> x ==> x);
"#,
        expect![[r#"
            LS2102 `S`: no process is declared for `S` [declare what its members do: `process c in S { }`]
            LS2101 `A`: `A` is sent, but never received [receive it, or leave it out]
            LS2101 `B`: `B` is received, but never sent [send it, or leave it out]
            LS2101 `C`: `C` is never used [leave it out]
            LS2103 `skip; skip;`: this is never reached [the loop before it has no end: write a `break`, or leave this out] <`while`: this loop goes on for ever>
            LS2103 `skip;`: this is never reached [the loop before it has no end: write a `break`, or leave this out] <`rounds`: this loop goes on for ever>
            LS2104 `x ==> x ==> x ==> x`: `a ==> b ==> c` means `(a ==> b) ==> c` here [write the parentheses that you mean]
            LS2104 `x ==> x ==> x`: `a ==> b ==> c` means `(a ==> b) ==> c` here [write the parentheses that you mean]
        "#]],
    );
}

#[test]
fn what_is_unused_is_marked() {
    let is_unused = |text: &str| check_text(text).diagnostics.iter().map(|found| found.is_unused).collect::<Vec<_>>();
    assert_eq!(is_unused("message M;"), [true]);
    assert_eq!(is_unused("message M; process a { send M to a; }"), [false]);
    assert_eq!(is_unused("process a { while (true) { skip; } skip; }"), [true]);
}
