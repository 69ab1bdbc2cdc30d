//! Programs that are right, and one for each way of being wrong.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use lockstep_base::Severity;
use lockstep_syntax::{Language, Parse};

use super::{Checked, check, check_parse};

pub(crate) fn check_text(text: &str) -> Checked {
    check_parse(&Parse::new(Language::Icet, text))
}

/// The programs in `tests/programs/icet`, with their file names, in order.
pub(crate) fn programs() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/icet");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "icet"));
    files.sort();
    assert!(files.len() >= 37);
    files.iter().map(|file| (file.file_name().unwrap().to_string_lossy().into(), fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_programs_have_no_errors() {
    for (name, text) in programs() {
        let checked = check_text(&text);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(checked.program.is_some(), "{name}");
    }
}

/// Findings with what they point at, one on a line.
fn findings(text: &str) -> String {
    let at = |range: lockstep_base::TextRange| text[range].split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = String::new();
    for found in check_text(text).diagnostics {
        lines += &format!("{} `{}`: {}", found.code, at(found.range), found.message);
        found.help.iter().for_each(|help| lines += &format!(" [{help}]"));
        found.related.iter().for_each(|other| lines += &format!(" <`{}`: {}>", at(other.range), other.message));
        found.fix.iter().for_each(|fix| lines += &format!(" fix: {}", fix.title));
        lines += "\n";
    }
    lines
}

fn check_findings(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

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
fn types_of_operators() {
    check_findings(
        r#"
set S; type V; enum E { A, B } const u: V; const v: V; const n: int;
assume n + true > 0; assume n && true; assume !n; assume -true == 1; assume A < B; assume u == v && u < v;
assume n in S; assume S in S; assume n in n; assume S subset n; assume S + {1} == S; assume S * n == S; assume n == true;
assume {1, true} == {}; assume A + B == 1;
process s in S { }
"#,
        expect![[r#"
            LS2005 `true`: this has to be `int` or a set, and it is `bool`
            LS2005 `n`: this has to be `bool`, and it is `int`
            LS2005 `n`: this has to be `bool`, and it is `int`
            LS2005 `true`: this has to be `int`, and it is `bool`
            LS2005 `A`: this has to be `int`, and it is `E`
            LS2005 `B`: this has to be `int`, and it is `E`
            LS2005 `u`: this has to be `int`, and it is `V`
            LS2005 `v`: this has to be `int`, and it is `V`
            LS2005 `S`: this is `set[S]` and can have no `int`
            LS2005 `S`: this is `set[S]` and can have no `set[S]`
            LS2005 `n`: only a set has members, and this is `int`
            LS2005 `n`: `subset` compares two sets, and this is `int`
            LS2005 `{1}`: this is `set[int]`, and the other side is `set[S]`
            LS2005 `n`: this is `int`, and the other side is `set[S]`
            LS2005 `true`: this is `bool`, and the other side is `int`
            LS2005 `true`: this has to be `int`, and it is `bool`
            LS2005 `A`: this has to be `int` or a set, and it is `E`
        "#]],
    );
}

#[test]
fn types_of_values() {
    check_findings(
        r#"
set S; set R subset S; set Q; process s in S { } process q in Q { }
message M(int, S);
process a { var x: int = true; var y: S = a; var z: R; var w: S; var p: pid; var m: map[S, int]; var t: (int, bool); var r: (f: int, g: int);
  x = p; z = w; w = z; p = w; w = p; m[a] = 1; m[w] = true; x = t.0; x = t.1; x = t.2; x = r.f; x = r.h; x = r.0; x = x.f; x = x[1];
  r = (g = 1, f = 2); r = (f = 1); r = (f = 1, h = 2); t = (1, true); t = (1, 2); t = (1, true, 2); send M(true, w) to p; recv M(t, z) from p; recv M(x, w) from p;
  if (x) { skip; } while (p) { skip; } assert x; assume w == z && w == p; assert w == a; x = card(x); pick w in Q; pick p in S; }
invariant forall (q: Q, s: S) :: q == s; invariant here(1);
"#,
        expect![[r#"
            LS2005 `true`: this has to be `int`, and it is `bool`
            LS2005 `a`: this has to be `S`, and it is `a`
            LS2005 `p`: this has to be `int`, and it is `pid`
            LS2005 `w`: this has to be `R`, and it is `S` [it can be more than that: declare what it is stored in as `S`]
            LS2005 `p`: this has to be `S`, and it is `pid` [it can be more than that: declare what it is stored in as `pid`]
            LS2005 `a`: this has to be `S`, and it is `a`
            LS2005 `true`: this has to be `int`, and it is `bool`
            LS2005 `t.1`: this has to be `int`, and it is `bool`
            LS2005 `2`: `(int, bool)` has no part 2 [its parts are `.0` to `.1`]
            LS2005 `h`: `(f: int, g: int)` has no field `h`
            LS2005 `0`: `(f: int, g: int)` has no numbered parts
            LS2005 `f`: `int` has no fields
            LS2005 `x`: only a map can be asked for the value of a key, and this is `int`
            LS2005 `(f = 1)`: this has to be `(f: int, g: int)`, and it is `(f: int)`
            LS2005 `(f = 1, h = 2)`: this has to be `(f: int, g: int)`, and it is `(f: int, h: int)`
            LS2005 `(1, 2)`: this has to be `(int, bool)`, and it is `(int, int)`
            LS2005 `(1, true, 2)`: this has to be `(int, bool)`, and it is `(int, bool, int)`
            LS2005 `true`: this has to be `int`, and it is `bool`
            LS2005 `t`: a value `int` cannot be stored in a variable `(int, bool)`
            LS2005 `z`: a value `S` cannot be stored in a variable `R`
            LS2005 `x`: this has to be `bool`, and it is `int`
            LS2005 `p`: this has to be `bool`, and it is `pid`
            LS2005 `x`: this has to be `bool`, and it is `int`
            LS2005 `a`: this is `a`, and the other side is `S`
            LS2005 `x`: `card` takes a set, and this is `int`
            LS2005 `Q`: the set has members `Q`, and the variable is `S`
            LS2005 `s`: this is `S`, and the other side is `Q`
            LS2005 `1`: `here` takes a process, and this is `int`
        "#]],
    );
}

#[test]
fn types_that_are_right() {
    check_findings(
        r#"
set S; set R subset S; set T subset S; process s in S { var x: int; } process a { var y: int; var r: (f: int, g: set[S]);
  r = (g = {}, f = 1); assert (g = S, f = 1) == r; assert r in {(f = 1, g = {})}; assert (g = {}, f = 2) in {r}; y = -1 - -2 * 3;
  assert {} == S && {a} + S == {} && R subset T && (R * T) subset S && S - R == S; assert forall (r1: R) :: r1 in T && r1 == r1; }
const m: map[S, set[pid]];
invariant forall (s: S) :: s.x == 0 && a in m[s] && s in m[s]; ensures a.r.f == 1;
"#,
        expect![""],
    );
}

#[test]
fn numbers_of_values() {
    check_findings(
        r#"
message M(int, bool); message N; enum E { A, B(int) }
process a { var e: E; var x: int; send M(1) to a; send M to a; send N(1) to a; recv M(x) from a; recv N(x) from a; e = A(1); e = B; e = B(1, 2);
  match (e) { case A(x): { skip; } case B: { skip; } } (x, _) = (1, 2, 3); x = card({}, {}); (x, x) = x; }
"#,
        expect![[r#"
            LS2006 `M`: `M` takes 2 values, and it is given 1 <`M`: `M` is declared here>
            LS2006 `M`: `M` takes 2 values, and it is given 0 <`M`: `M` is declared here>
            LS2006 `N`: `N` takes no values, and it is given 1 <`N`: `N` is declared here>
            LS2006 `M`: `M` takes 2 patterns, and it is given 1 <`M`: `M` is declared here>
            LS2006 `N`: `N` takes no patterns, and it is given 1 <`N`: `N` is declared here>
            LS2006 `A`: `A` takes no values, and it is given 1 <`A`: `A` is declared here>
            LS2006 `B`: `B` takes 1 value, and it is given 0 <`B`: `B` is declared here>
            LS2006 `B`: `B` takes 1 value, and it is given 2 <`B`: `B` is declared here>
            LS2006 `A`: `A` takes no patterns, and it is given 1 <`A`: `A` is declared here>
            LS2006 `B`: `B` takes 1 pattern, and it is given 0 <`B`: `B` is declared here>
            LS2006 `(1, 2, 3)`: this pattern has 2 parts, and the value `(int, int, int)` has 3 [write `_` for parts that are not needed]
            LS2006 `card`: `card` takes 1 value, and it is given 2
            LS2005 `x`: a value `int` cannot be taken apart like this
        "#]],
    );
}

#[test]
fn targets_and_sources() {
    check_findings(
        r#"
set S; message M; process s in S { var who: S; var r: R; var p: pid; var n: int;
  send M to S; send M to 1; send M to p; recv M from n; recv M from {1}; recv M from who in any; recv M from r in S; recv M from r in R; recv M from p in any;
  recv M from who in p; recv M from s in S; recv M from (S - {s}); }
set R subset S;
"#,
        expect![[r#"
            LS2007 `S`: a message is sent to a process, and this is `set[S]` [send to each of its members: `for x in ... { send ... to x; }`]
            LS2007 `1`: a message is sent to a process, and this is `int`
            LS2008 `n`: messages come from a process or a set of processes, and this is `int` [write `any` to receive from everybody]
            LS2008 `{1}`: messages come from a process or a set of processes, and this is `set[int]` [write `any` to receive from everybody]
            LS2008 `who`: `who` is `S` and cannot name every sender, which can be any `pid` [declare `who` as `pid`, or receive from fewer processes] <`who`: `who` is declared here>
            LS2008 `r`: `r` is `R` and cannot name every sender, which can be any `S` [declare `r` as `S`, or receive from fewer processes] <`r`: `r` is declared here>
            LS2008 `who`: `who` is `S` and cannot name every sender, which can be any `pid` [declare `who` as `pid`, or receive from fewer processes] <`who`: `who` is declared here>
            LS2012 `s`: `s` is the process itself and cannot be assigned to [only variables change: declare one with `var`] <`s`: `s` is declared here>
        "#]],
    );
}

#[test]
fn cases() {
    check_findings(
        r#"
set S; set T; enum E { A, B(int) } enum F { C } message M; message N;
process t in T { }
process s in S { var e: E; var n: int; var p, q: S; var t1: T;
  match (n) { case A: { skip; } } match (e) { case A: { skip; } case C: { skip; } } match (e) { case A: { skip; } case A: { skip; } default: { skip; } }
  match (e) { case A: { skip; } } match (e) { case A: { skip; } case B(n): { skip; } }
  recv { case M from p: { skip; } case M from q: { skip; } case N from q: { skip; } case M from t1: { skip; } }
  recv { case M from p: { skip; } case M from (S - {p}): { skip; } }
  recv { case M from S: { skip; } case M from any: { skip; } } send M to s; send N to s; }
"#,
        expect![[r#"
            LS2009 `n`: `match` takes a value of an enum, and this is `int` [use `if`]
            LS2009 `C`: `C` is an element of `F`, and the value is `E`
            LS2009 `A`: `A` has a case already [join the two cases] <`A`: the first case is here>
            LS2009 `match`: this `match` has no case for `B` [add the cases, or a `default: { }` for all others]
            LS2009 `q`: another case can take the same `M` [join the two cases, or receive from processes that are different for sure] <`p`: the other case is here>
            LS2009 `M`: another case can take the same `M` [join the two cases, or receive from processes that are different for sure] <`S`: the other case is here>
        "#]],
    );
}

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
fn ghosts() {
    check_findings(
        r#"
set S; message M(int); ghost var shared: int; var oops, ooops: int;
process s in S { ghost var g: int; ghost var h: S; var n: int; var m: map[int, int]; ghost var gm: map[int, int];
  n = g; g = n; g = shared; shared = g; if (g == 1) { skip; } send M(g) to s; send M(1) to h; recv M(n) from h; recv M(g) from s; repeat g { skip; }
  m[g] = 1; gm[g] = g; assert g == 1; assume g == 1; for t in S done D { n = card(D); g = card(D); } for t in {h} { skip; } (n, g) = (1, 2); (n, g) = (g, g); (_, g) = (g, g);
  pick n in {g}; pick g in {g}; havoc g; while (g == 1) { skip; } }
process b { var n: int = shared; ghost var g: int = shared; }
"#,
        expect![[r#"
            LS2015 `oops`: `oops` is outside of every process and not `ghost` [processes share nothing but ghost variables: move it into a process, or write `ghost var`] fix: make it a ghost variable
            LS2014 `g`: a value for a variable that is not ghost cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: a condition cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: what a message carries cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `h`: the receiver of a message cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `h`: the source of a receive cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: a count cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: which part of a variable changes cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `D`: a value for a variable that is not ghost cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `h`: the set of a loop cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: a value for a variable that is not ghost cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: a value for a variable that is not ghost cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `g`: a condition cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
            LS2014 `shared`: a value for a variable that is not ghost cannot depend on what is ghost [ghost variables and done-sets are for claims and for other ghost variables]
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
fn what_is_too_large() {
    check_findings(
        r#"
const a: int = 170141183460469231731687303715884105727; const b: int = 170141183460469231731687303715884105728;
type T1 = (int, int); type T2 = (T1, T1, T1, T1, T1, T1, T1, T1, T1, T1); type T3 = (T2, T2, T2, T2, T2, T2, T2, T2, T2, T2); type T4 = (T3, T3, T3, T3, T3, T3, T3, T3); type T5 = (T4, T4);
"#,
        expect![[r#"
            LS2024 `170141183460469231731687303715884105728`: this number is too large [the largest number that can be written is 170141183460469231731687303715884105727]
            LS2024 `(T3, T3, T3, T3, T3, T3, T3, T3)`: this type has more than 1000 parts, counting parts of parts [make it smaller]
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
fn holes_are_silent() {
    for text in ["process a { send ; }", "const k: int = ;", "enum E { }", "process { }", "type T = (int;", "set S subset ;"] {
        let checked = check_text(text);
        assert_eq!(checked.diagnostics, [], "{text}");
        assert_eq!(checked.program, None, "{text}");
    }
    let nameless = Parse::new(Language::Icet, "process { }");
    assert_eq!(check(nameless.icet().unwrap()).program, None);
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

#[test]
fn what_is_unused_is_marked() {
    let is_unused = |text: &str| check_text(text).diagnostics.iter().map(|found| found.is_unused).collect::<Vec<_>>();
    assert_eq!(is_unused("message M;"), [true]);
    assert_eq!(is_unused("message M; process a { send M to a; }"), [false]);
    assert_eq!(is_unused("process a { while (true) { skip; } skip; }"), [true]);
}

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// The words and signs of a text, with what is between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |char: char| char.is_alphanumeric() || char == '_';
        let length = if is_word(first) { rest.find(|char| !is_word(char)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, following) = rest.split_at(length);
        tokens.push(token);
        rest = following;
    }
    tokens
}

#[test]
fn changed_programs_do_no_harm() {
    let mut numbers = Numbers(1);
    for (name, text) in programs() {
        let tokens = tokens(&text);
        for _ in 0..40 {
            let mut changed = tokens.clone();
            match numbers.below(3) {
                0 => _ = changed.remove(numbers.below(tokens.len())),
                1 => changed.swap(numbers.below(tokens.len()), numbers.below(tokens.len())),
                _ => changed[numbers.below(tokens.len())] = tokens[numbers.below(tokens.len())],
            }
            let changed = changed.concat();
            let checked = check_text(&changed);
            let has_errors = checked.diagnostics.iter().any(|found| found.severity == Severity::Error);
            assert!(!has_errors || checked.program.is_none(), "{name}: {changed}");
            if let Some(program) = checked.program {
                assert!(check_text(&crate::print::print(&program)).program.is_some(), "{name}: {changed}");
            }
        }
    }
}

#[test]
fn deep_nesting() {
    const DEPTH: usize = 4_900;
    let deep = |open: &str, inner: &str, close: &str| open.repeat(DEPTH) + inner + &close.repeat(DEPTH);
    let programs = [
        format!("process a {{ {} }}", deep("if (*) { ", "skip;", " }")),
        format!("process a {{ if (*) {{ skip; }} {} }}", deep("else if (*) { skip; } ", "", "")),
        format!("process a {{ {} }}", deep("while (*) { ", "break;", " }")),
        format!("const k: int = {};", deep("(", "1", ")")),
        format!("const k: int = 1{};", deep(" + 1", "", "")),
        format!("const k: int = {};", deep("- ", "1", "")),
        format!("const k: bool = {};", deep("!", "true", "")),
    ];
    for text in programs {
        let Some(program) = check_text(&text).program else {
            panic!("{:.40}: {:?}", text, Parse::new(Language::Icet, text.as_str()).errors())
        };
        let printed = crate::print::print(&program);
        assert!(check_text(&printed).program.is_some());
    }
    let wrong = [
        (format!("const k: {};", deep("set[", "int", "]")), super::codes::TOO_LARGE),
        (format!("const k: int = {};", deep("{", "1", "}")), super::codes::TOO_LARGE),
        (format!("process a {{ {} = 1; }}", deep("(", "x", ", _)")), super::codes::NAME),
        (format!("const k: int = {};", deep("m[", "1", "]")), super::codes::NAME),
    ];
    for (text, code) in wrong {
        let checked = check_text(&text);
        assert!(checked.program.is_none());
        assert!(checked.diagnostics.iter().any(|found| found.code == code), "{code}");
    }
}

#[test]
fn many_declarations() {
    let mut text = String::from("set S0; enum E0 { A0 } type T0 = int; const k0: int; process p0 { var x: int; }\n");
    for at in 1..2_000 {
        let before = at - 1;
        text += &format!(
            "set S{at}; enum E{at} {{ A{at}(E{before}) }} type T{at} = T{before}; const k{at}: T{at} = k{before} + 1;
             process p{at} {{ var x: int; send M{at}(x) to p{before}; recv M{at}(x) from any; invariant p{before}.x == x; }}
             message M{at}(T{at}); process q{at} in S{at} {{ }}\n"
        );
    }
    let program = check_text(&text).program.unwrap();
    assert_eq!((program.processes.len(), program.stmts.len()), (3_999, 5_997));
    // The same with every name misspelt: each is reported, and only some are compared with all others.
    let unknown = check_text(&text.replace("x: int", "y: int")).diagnostics;
    assert!(unknown.len() >= 5_997);
}
