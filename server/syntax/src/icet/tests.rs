//! What lowering makes of whole, broken and edited programs.

mod dump;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use expect_test::{Expect, expect};
use lockstep_base::{Edit, TextRange, TextSize};

use super::ast::*;
use crate::{Language, Parse, codes};

fn check(program: &str, expected: Expect) {
    expected.assert_eq(&dump::file(parse(program).icet().unwrap()));
}

/// Like `check`, with `body` as the code of a process `p`.
fn check_body(body: &str, expected: Expect) {
    check(&format!("process p {{ {body} }}"), expected);
}

fn parse(program: &str) -> Parse {
    Parse::new(Language::Icet, program)
}

// ---- Whole programs ----

#[test]
fn declarations() {
    check(
        "type Value; type Pair = (int, Value);
         enum Move { Draw, Fold(points: int, bool), }
         message Ping; message Pong(node: Nodes, map[pid, set[int]]);
         set Nodes; set Few subset Nodes;
         const k: int; const start: (round: int, ok: bool) = (round = 0, ok = true);
         ghost var seen, lost: set[Nodes] = {};
         assume card(Nodes) > 0; invariant k >= 0; ensures safe: false;
         process a { } process b in Nodes { var x: int = 1; ghost var y: bool; skip; }
         sequential { var z: int; b.x = z; }",
        expect![[r#"
            type Value
            type Pair = (Int, Value)
            enum Move {Draw, Fold(points: Int, Bool)}
            message Ping
            message Pong(node: Nodes, map[Pid, set[Int]])
            set Nodes
            set Few subset Nodes
            const k: Int
            const start: (round: Int, ok: Bool) = (record round = 0, ok = true)
            ghost var seen, lost: set[Nodes] = {}
            assume (Gt card(Nodes) 0)
            invariant (Ge k 0)
            ensures safe: false
            process a
            process b in Nodes
              var x: Int = 1
              ghost var y: Bool
              skip
            sequential
              var z: Int
              (field b x) = z
        "#]],
    );
}

#[test]
fn messages() {
    check_body(
        "send Ping to a; send Pong(x, 1) to who[0];
         recv Ping from a; recv Pong(x, _) from any; recv Pong(r.f, (m[i], t.0)) from who in Nodes; recv Ping from {a, b};
         recv Ping from (Nodes - {a}) timeout { lost = true; }
         recv { case Ping from a: { skip; } case Pong(x) from who in any: { } timeout: { fail; } }",
        expect![[r#"
            process p
              send Ping to a
              send Pong(x, 1) to (index who 0)
              recv Ping from a
              recv Pong(x, _) from any
              recv Pong((field r f), ((index m i), (element t 0))) from who in Nodes
              recv Ping from {a, b}
              recv Ping from (paren (Sub Nodes {a}))
              timeout
                lost = true
              recv one
              case Ping from a
                skip
              case Pong(x) from who in any
              timeout
                fail
        "#]],
    );
}

#[test]
fn branches() {
    check_body(
        r#"if (a) { skip; } if (*) { } else { skip; } if (a) { } else if (b) { skip; } else { fail "no"; }
         match (m) { case Draw: { } case Fold(x, _): { skip; } default: { fail; } }
         choose { skip; } or { } or { fail; }"#,
        expect![[r#"
            process p
              if a
                skip
              if *
              else
                skip
              if a
              else
                if b
                  skip
                else
                  fail "no"
              match m
              case Draw
              case Fold(x, _)
                skip
              default
                fail
              choose
              or
                skip
              or
              or
                fail
        "#]],
    );
}

#[test]
fn loops() {
    check_body(
        "while (true) { break; } while (*) invariant ok: a; invariant b; { skip; }
         for c in Nodes { skip; } for _ in {a, b} done D invariant card(D) > 0; { }
         foreach c in Nodes done D { recv Ping from c; } parallel c in Nodes { skip; }
         repeat k { } repeat 2 * k as i invariant i < k; { skip; } rounds as r { } rounds k as r { skip; }",
        expect![[r#"
            process p
              while true
                break
              while *
              invariant ok: a
              invariant b
                skip
              for c in Nodes
                skip
              for _ in {a, b} done D
              invariant (Gt card(D) 0)
              foreach c in Nodes done D
                recv Ping from c
              parallel c in Nodes
                skip
              repeat k
              repeat (Mul 2 k) as i
              invariant (Lt i k)
                skip
              rounds for ever as r
              rounds k as r
                skip
        "#]],
    );
}

#[test]
fn other_statements() {
    check_body(
        r#"x = 1; (x, (_, a.y)) = e; _ = e; pick a.x in S; havoc m[k]; assume a; assert b; assert c, "why";
         invariant here(p); invariant name: finished(p); atomic { skip; } fail "never";"#,
        expect![[r#"
            process p
              x = 1
              (x, (_, (field a y))) = e
              _ = e
              pick (field a x) in S
              havoc (index m k)
              assume a
              assert b
              assert c "why"
              invariant here(p)
              invariant name: finished(p)
              atomic
                skip
              fail "never"
        "#]],
    );
}

#[test]
fn expressions() {
    check(
        "assume a ==> b || !c && -x + 2 * y <= z <==> false; assume (a, b).0 == (f = a, g = {}).f; assume m[k][i].f != (1);
         assume a in S && S subset R; assume forall (x: pid, y: S) :: exists (z: int) :: z == 0;
         assume set (x: S) :: x in R == {Fold(1, a), b};",
        expect![[r#"
            assume (Iff (Implies a (Or b (And (Not c) (Le (Add (Minus x) (Mul 2 y)) z)))) false)
            assume (Eq (element (tuple a, b) 0) (field (record f = a, g = {}) f))
            assume (Ne (field (index (index m k) i) f) (paren 1))
            assume (And (In a S) (Subset S R))
            assume (Forall x: Pid, y: S (Exists z: Int (Eq z 0)))
            assume (set x: S (Eq (In x R) {Fold(1, a), b}))
        "#]],
    );
}

// ---- Broken programs ----

#[test]
fn holes_in_declarations() {
    check(
        "set ; const k: = 1; type T = ; message M(int, ); enum { A } process in S { }",
        expect![[r#"
        const k: ? = 1
        type T
        message M(Int)
        enum S {?}
    "#]],
    );
    check(
        "const k: ; set S;",
        expect![[r#"
        const k: ?
        set S
    "#]],
    );
    check(
        "process { skip; } process b in { skip; }",
        expect![[r#"
        process ?
        process b
          skip
    "#]],
    );
    check(
        "ensures safe: ; invariant ;",
        expect![[r#"
        ensures safe: ?
        invariant ?
    "#]],
    );
}

#[test]
fn holes_in_code() {
    check_body(
        "x = ; send M to ; y = 1;",
        expect![[r#"
        process p
          x = ?
          send M to ?
          y = 1
    "#]],
    );
    check_body(
        "recv M( from a; recv M from ; y = 1;",
        expect![[r#"
        process p
          recv M from a
          recv M from ?
          y = 1
    "#]],
    );
    check_body(
        "if () { } while (a) for in S { } y = 1;",
        expect![[r#"
        process p
          if ?
          while a
          y = 1
    "#]],
    );
    check_body(
        "x = a + ; y = b. ; pick x in ; y = 1;",
        expect![[r#"
        process p
          x = (Add a ?)
          y = (field b ?)
          pick x in ?
          y = 1
    "#]],
    );
    check_body(
        "for c in { skip; } y = 1;",
        expect![[r#"
        process p
    "#]],
    );
    check_body(
        "var x: ; y = 1;",
        expect![[r#"
        process p
          var x: y = 1
    "#]],
    );
}

#[test]
fn unclosed_code_keeps_what_it_has() {
    check(
        "set S; process a in S { var x: int; x = 1; if (x == 1) { send M to b;
         ensures safe: true; message M; process b { skip; }",
        expect![[r#"
            set S
            process a in S
              var x: Int
              x = 1
              if (Eq x 1)
                send M to b
                skip
        "#]],
    );
    check(
        "set S; process a in S { var x: int; x = 1; process b { skip; } process c { skip; }",
        expect![[r#"
        set S
        process a in S
          var x: Int
          x = 1
        process b
          skip
        process c
          skip
    "#]],
    );
    check(
        "process a { x = 1; ensures safe: true; message M;",
        expect![[r#"
        process a
          x = 1
        ensures safe: true
        message M
    "#]],
    );
    check(
        "sequential { var x: int; x = 1; while (x",
        expect![[r#"
        sequential
          var x: Int
          x = 1
    "#]],
    );
    check(
        "process",
        expect![[r#"
        process ?
    "#]],
    );
}

#[test]
fn nesting_beyond_the_limit_is_one_error() {
    for (open, close) in [("(", ")"), ("!", ""), ("{", "}")] {
        let parse = parse(&format!("assume {}x{}; set S;", open.repeat(100_000), close.repeat(100_000)));
        let found: Vec<_> = parse.errors().iter().map(|error| error.code).collect();
        assert_eq!(found, [codes::TOO_DEEP]);
        assert_eq!(parse.icet().unwrap().items.len(), 2);
    }
}

// ---- Edits ----

#[test]
fn an_edit_in_one_process_keeps_the_others() {
    let text = "set S;\nprocess a { send M to b; }\nprocess b { recv M from a; }\nprocess c in S { skip; }\nmessage M;\n";
    let before = parse(text);
    for (needle, edited) in [("send M", 1), ("recv M", 2), ("process c", 3), ("message M", 4)] {
        let at = TextSize::try_from(text.find(needle).unwrap() + needle.len()).unwrap();
        let after = before.edit(&[Edit { range: TextRange::empty(at), insert: "x".into() }]);
        let items = before.icet().unwrap().items.iter().zip(&after.icet().unwrap().items);
        let kept: Vec<_> = items.map(|(old, new)| Arc::ptr_eq(&old.value, &new.value)).collect();
        let expected: Vec<_> = (0..5).map(|item| item != edited).collect();
        assert_eq!(kept, expected, "after `{needle}`");
        assert_eq!(after.icet(), Parse::new(Language::Icet, after.text().clone()).icet());
    }
}

#[test]
fn white_space_changes_spans_only() {
    let (before, after) = (parse("process a { send M(x) to b; }"), parse("process a {\n  send M( x ) to b; // now\n}"));
    let (before, after) = (&before.icet().unwrap().items[0].value, &after.icet().unwrap().items[0].value);
    assert_eq!((&before.decl, &before.nodes), (&after.decl, &after.nodes));
    assert_ne!(before.spans, after.spans);
}

// ---- The programs of the project ----

#[test]
fn programs_have_no_holes_and_right_places() {
    let mut paths = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/icet")];
    let mut count = 0;
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let parse = parse(&text);
        assert_eq!(parse.errors(), [], "{}", path.display());
        for item in &parse.icet().unwrap().items {
            let own_text = &text[TextRange::at(item.start, item.value.len)];
            check_item(&item.value, own_text);
        }
        count += 1;
    }
    assert!(count > 30);
}

fn check_item(item: &Item, text: &str) {
    let Nodes { names, types, patterns, exprs, stmts } = &item.nodes;
    for (id, name) in names.iter() {
        assert!(!name.is_missing(), "{text}");
        assert_eq!(&text[item.spans[id]], name.as_str());
    }
    assert!(types.values().all(|ty| *ty != Type::Missing), "{text}");
    assert!(patterns.values().all(|pattern| *pattern != Pattern::Missing), "{text}");
    assert!(exprs.values().all(|expr| *expr != Expr::Missing), "{text}");
    for (id, stmt) in stmts.iter() {
        let own_text = &text[item.spans[id]];
        assert!(own_text.starts_with(first_word(stmt)) && own_text.ends_with([';', '}']), "{stmt:?} at {own_text}");
    }
}

fn first_word(stmt: &Stmt) -> &'static str {
    match stmt {
        Stmt::Missing => panic!("a hole"),
        Stmt::Assign { .. } => "",
        Stmt::Send { .. } => "send ",
        Stmt::Receive { .. } | Stmt::Select { .. } => "recv ",
        Stmt::If { .. } => "if ",
        Stmt::Match { .. } => "match ",
        Stmt::Choose { .. } => "choose ",
        Stmt::While { .. } => "while ",
        Stmt::For(_) => "for ",
        Stmt::Foreach(_) => "foreach ",
        Stmt::Parallel { .. } => "parallel ",
        Stmt::Repeat { .. } => "repeat ",
        Stmt::Rounds { .. } => "rounds ",
        Stmt::Break => "break;",
        Stmt::Pick { .. } => "pick ",
        Stmt::Havoc { .. } => "havoc ",
        Stmt::Assume { .. } => "assume ",
        Stmt::Assert { .. } => "assert ",
        Stmt::Invariant(_) => "invariant ",
        Stmt::Atomic(_) => "atomic ",
        Stmt::Skip => "skip;",
        Stmt::Fail { .. } => "fail",
    }
}
