//! Types, numbers of values, cases, and what is ghost.

use expect_test::expect;

use super::check_findings;

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
