//! Names: declared, known where they are used, and standing for what can be done with them.

use expect_test::expect;

use super::{check_findings, check_text};

#[test]
fn unknown_names() {
    check_findings(
        r#"
process a { var count: int; cuont = 1; count = limit; send Ping to a; recv Pong from b; }
process c in Nowhere { }
set S subset T;
const k: Typ;
invariant count > 0;
"#,
        expect![[r#"
            LS2001 `cuont`: `cuont` is not declared [did you mean `count`?] fix: replace it by `count`
            LS2001 `limit`: `limit` is not declared
            LS2001 `Ping`: `Ping` is not declared, and this has to be a message
            LS2001 `Pong`: `Pong` is not declared, and this has to be a message
            LS2001 `b`: `b` is not declared
            LS2001 `Nowhere`: `Nowhere` is not declared, and this has to be a set
            LS2001 `T`: `T` is not declared, and this has to be a set
            LS2001 `Typ`: `Typ` is not declared, and this has to be a type
            LS2001 `count`: `count` is not declared [the variable of a process is written `a.count`] <`count`: this `count` is a variable of a process>
        "#]],
    );
}

#[test]
fn names_of_the_wrong_kind() {
    check_findings(
        r#"
message M; const k: int; set S; type T;
process s in S { var x: k; var y: int; send k to s; y = M; y = T; recv S from s; y = k(1); }
process t in T { }
set R subset k;
"#,
        expect![[r#"
            LS2001 `k`: `k` is a constant, and this has to be a type <`k`: `k` is declared here>
            LS2001 `k`: `k` is a constant, and this has to be a message <`k`: `k` is declared here>
            LS2001 `M`: `M` is a message, and this has to be a value <`M`: `M` is declared here>
            LS2001 `T`: `T` is a type, and this has to be a value <`T`: `T` is declared here>
            LS2001 `S`: `S` is a set of processes, and this has to be a message <`S`: `S` is declared here>
            LS2001 `k`: `k` is a constant, and this has to be an element of an enum <`k`: `k` is declared here>
            LS2001 `T`: `T` is a type, and this has to be a set <`T`: `T` is declared here>
            LS2001 `k`: `k` is a constant, and this has to be a set <`k`: `k` is declared here>
        "#]],
    );
}

#[test]
fn names_declared_twice() {
    check_findings(
        r#"
enum E { A, B, A } message B; const x: int; ghost var x: int; process x { var a, a: int; }
invariant forall (p: int, p: bool) :: true;
const r: (f: int, f: bool);
process y { var n: (f: int, g: int) = (f = 1, f = 2, g = 3); }
"#,
        expect![[r#"
            LS2001 `A`: `A` is declared twice [rename one of them] <`A`: first declared here>
            LS2001 `B`: `B` is declared twice [rename one of them] <`B`: first declared here>
            LS2001 `x`: `x` is declared twice [rename one of them] <`x`: first declared here>
            LS2001 `x`: `x` is declared twice [rename one of them] <`x`: first declared here>
            LS2001 `a`: `a` is declared twice [rename one of them] <`a`: first declared here>
            LS2001 `p`: `p` is declared twice [rename one of them] <`p`: first declared here>
            LS2001 `f`: `f` is declared twice [rename one of them] <`f`: first declared here>
            LS2001 `f`: `f` has two values <`f`: the first value is here>
        "#]],
    );
}

#[test]
fn initial_values_use_earlier_variables() {
    check_findings(
        r#"process a { var x: int = y; var y: int = x; }"#,
        expect![[r#"
        LS2001 `y`: `y` is declared only further down <`y`: `y` is declared here>
    "#]],
    );
}

#[test]
fn hiding() {
    check_findings(
        r#"
set S; const k: int;
process k2 in S { var k: int; for k2 in S { for i in S done i { skip; } repeat 2 as k { skip; } }
  assert forall (S: int) :: true; repeat 1 as here { skip; } }
process a { var x: int; for s in S { for s in S { skip; } } repeat 1 as x { skip; } }
"#,
        expect![[r#"
            LS2002 `k`: `k` hides another `k` [give it a name that is not in use here] <`k`: `k` is declared here>
            LS2002 `k2`: `k2` hides another `k2` [give it a name that is not in use here] <`k2`: `k2` is declared here>
            LS2001 `i`: `i` is declared twice [rename one of them] <`i`: first declared here>
            LS2002 `k`: `k` hides another `k` [give it a name that is not in use here] <`k`: `k` is declared here>
            LS2002 `S`: `S` hides another `S` [give it a name that is not in use here] <`S`: `S` is declared here>
            LS2002 `here`: `here` is the name of a function [choose another name]
            LS2002 `s`: `s` hides another `s` [give it a name that is not in use here] <`s`: `s` is declared here>
            LS2002 `x`: `x` hides another `x` [give it a name that is not in use here] <`x`: `x` is declared here>
        "#]],
    );
}

#[test]
fn what_hides_nothing() {
    check_findings(
        r#"
set S; process s in S { var x: int; for t in S { skip; } for t in S { skip; } }
process a { var x: int; for s in S done D invariant forall (s: S) :: s in D ==> s.x == 0; { skip; } }
invariant forall (s: S, x: int) :: s.x == x ==> true;
"#,
        expect![[""]],
    );
}

#[test]
fn processes_and_sets() {
    check_findings(
        r#"
set S; set R subset S; set A subset B; set B subset A; set C subset C;
process s in S { } process t in S { } process r in R { }
sequential { } sequential { }
"#,
        expect![[r#"
            LS2003 `A`: `B` is a subset of itself [leave out one `subset`]
            LS2003 `C`: `C` is a subset of itself [leave out one `subset`]
            LS2003 `S`: `S` has a second process [all members of a set run the same code: declare another set, or join the two] <`s`: the first process is declared here>
            LS2003 `R`: `R` is a subset, and its members run the code of `S` [write one `process ... in S` that asks `... in R`] <`R`: declared as a subset here>
            LS2003 `sequential`: the program has a second `sequential` block [put all statements into one block] <`sequential`: the first block is here>
        "#]],
    );
}

#[test]
fn things_that_contain_themselves() {
    check_findings(
        r#"
type A = (B, int); type B = set[A]; type C = C;
enum E { X(F), Y } enum F { Z(map[int, E]) } type G = (int, H); enum H { K(G) }
const a: int = b; const b: int = a; const c: int = c + 1; const d: int = a;
"#,
        expect![[r#"
            LS2004 `A`: `A` contains itself [values are finite: refer to other values by a number, and keep them in a map]
            LS2004 `C`: `C` contains itself [values are finite: refer to other values by a number, and keep them in a map]
            LS2004 `E`: `E` contains itself [values are finite: refer to other values by a number, and keep them in a map]
            LS2004 `H`: `H` contains itself [values are finite: refer to other values by a number, and keep them in a map]
            LS2004 `a`: the value of `a` depends on itself [leave the value out to make it a parameter]
            LS2004 `c`: the value of `c` depends on itself [leave the value out to make it a parameter]
        "#]],
    );
}

#[test]
fn variables_of_processes() {
    check_findings(
        r#"
set S; set T; process s in S { var x: int; s.x = 1; x = s.x; a.y = 1; x = a.y; assert a.y == 1; invariant a.y == 1 && s.x == x; assume a.y == 0; }
process a { var y: int; a.y = 1; while (true) invariant a.z == 1; { skip; } }
invariant forall (p: pid, t: T) :: p.x == 1 && t.x == 1; ghost var g: int = a.y; invariant a.yy == 1;
"#,
        expect![[r#"
            LS2102 `T`: no process is declared for `T` [declare what its members do: `process c in T { }`]
            LS2013 `y`: `y` is a variable of another process [processes share nothing: send its value in a message, or say it in an `invariant`] <`y`: `y` is declared here>
            LS2013 `y`: `y` is a variable of another process [processes share nothing: send its value in a message, or say it in an `invariant`] <`y`: `y` is declared here>
            LS2013 `y`: `y` is a variable of another process [processes share nothing: send its value in a message, or say it in an `invariant`] <`y`: `y` is declared here>
            LS2013 `y`: `y` is a variable of another process [processes share nothing: send its value in a message, or say it in an `invariant`] <`y`: `y` is declared here>
            LS2011 `z`: the process `a` has no variable `z` <`a`: the process is declared here>
            LS2011 `x`: it is not known whose variable `x` is: the process can be any [give the process a narrower type than `pid`: the name of a set or of a process]
            LS2011 `x`: no process is declared for `T` [declare one: `process c in T { }`]
            LS2013 `y`: `y` is a variable of another process [processes share nothing: send its value in a message, or say it in an `invariant`] <`y`: `y` is declared here>
            LS2011 `yy`: the process `a` has no variable `yy` <`a`: the process is declared here>
        "#]],
    );
}

#[test]
fn what_is_no_variable() {
    check_findings(
        r#"
set S; const k: map[int, int]; enum E { A }
process s in S { var m: map[int, int]; k[1] = 1; S = {}; s = s; A = A; for t in S done D { t = s; D = {}; } repeat 2 as i { i = 1; m[i] = i; } havoc a; pick k in {m}; (a, _) = (a, 1); }
process a { }
"#,
        expect![[r#"
            LS2012 `k`: `k` is a constant and cannot be assigned to [only variables change: declare one with `var`] <`k`: `k` is declared here>
            LS2012 `S`: `S` is a set of processes and cannot be assigned to [only variables change: declare one with `var`] <`S`: `S` is declared here>
            LS2012 `s`: `s` is the process itself and cannot be assigned to [only variables change: declare one with `var`] <`s`: `s` is declared here>
            LS2012 `A`: `A` is an element of an enum and cannot be assigned to [only variables change: declare one with `var`] <`A`: `A` is declared here>
            LS2012 `t`: `t` is the variable of a loop and cannot be assigned to [only variables change: declare one with `var`] <`t`: `t` is declared here>
            LS2012 `D`: `D` is the set of members that are done and cannot be assigned to [only variables change: declare one with `var`] <`D`: `D` is declared here>
            LS2012 `i`: `i` is the index of a loop and cannot be assigned to [only variables change: declare one with `var`] <`i`: `i` is declared here>
            LS2012 `a`: `a` is a process and cannot be assigned to [only variables change: declare one with `var`] <`a`: `a` is declared here>
            LS2012 `k`: `k` is a constant and cannot be assigned to [only variables change: declare one with `var`] <`k`: `k` is declared here>
            LS2012 `a`: `a` is a process and cannot be assigned to [only variables change: declare one with `var`] <`a`: `a` is declared here>
        "#]],
    );
}

#[test]
fn fixed_values() {
    check_findings(
        r#"
set S; process s in S { var x: int; assert here(s); } process a { var y: int; invariant here(a) && finished(a); }
const k: int = card(S); const l: int = a.y; const p: pid = a; ghost var g: int; assume g == 1; assume finished(a); assume forall (s: S) :: s.x == k; assume k > 0;
ensures finished(a); invariant finished(a);
"#,
        expect![[r#"
            LS2017 `here`: `here` is known in invariants only [write an `invariant`, or keep track of it in a ghost variable]
            LS2016 `a`: a process cannot be mentioned here [values of constants, and `assume` outside of processes, speak of sets and constants only]
            LS2016 `a`: a process cannot be mentioned here [values of constants, and `assume` outside of processes, speak of sets and constants only]
            LS2016 `g`: a variable cannot be mentioned here [values of constants, and `assume` outside of processes, speak of sets and constants only]
            LS2017 `finished`: `finished` is known in invariants only [write an `invariant`, or keep track of it in a ghost variable]
            LS2016 `a`: a process cannot be mentioned here [values of constants, and `assume` outside of processes, speak of sets and constants only]
            LS2016 `x`: a variable cannot be mentioned here [values of constants, and `assume` outside of processes, speak of sets and constants only]
            LS2017 `finished`: `finished` is known in invariants only [write an `invariant`, or keep track of it in a ghost variable]
        "#]],
    );
}

#[test]
fn names_are_replaced_and_ghosts_made() {
    let fixed = |text: &str| {
        let mut text = text.to_string();
        let found = check_text(&text).diagnostics;
        let fix = found[0].fix.as_ref().unwrap();
        for edit in fix.edits.iter().rev() {
            text.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.insert);
        }
        text
    };
    assert_eq!(fixed("process a { var count: int; cuont = 1; }"), "process a { var count: int; count = 1; }");
    assert_eq!(fixed("set Nodes; process n in Node { }"), "set Nodes; process n in Nodes { }");
    assert_eq!(
        fixed("process a { var total: int; } invariant a.totl == 0;"),
        "process a { var total: int; } invariant a.total == 0;"
    );
    assert_eq!(
        fixed("const r: (first: int, b: int); assume r.frist == 1;"),
        "const r: (first: int, b: int); assume r.first == 1;"
    );
    assert_eq!(fixed(" var x: int;"), " ghost var x: int;");
}
