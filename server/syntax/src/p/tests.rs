//! What lowering makes of whole, broken and edited programs.

mod dump;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use expect_test::{Expect, expect};
use lockstep_base::{Edit, TextRange, TextSize};

use super::ast::*;
use crate::{Language, Parse, codes};

fn parse(program: &str) -> Parse {
    Parse::new(Language::P, program)
}

fn check(program: &str, expected: Expect) {
    expected.assert_eq(&dump::file(parse(program).p().unwrap()));
}

/// Like `check`, with `body` as the code of a function `f`.
fn check_body(body: &str, expected: Expect) {
    check(&format!("fun f() {{ {body} }}"), expected);
}

/// Like `check`, with an axiom for each line, which is an expression.
fn check_exprs(exprs: &str, expected: Expect) {
    let program: String = exprs.lines().map(|expr| format!("axiom {};\n", expr.trim())).collect();
    let dump = dump::file(parse(&program).p().unwrap());
    expected.assert_eq(&dump.replace("axiom ", ""));
}

// ---- Whole programs ----

#[test]
fn declarations() {
    check(
        "type tOpaque; type tPair = (int, tOpaque);
         event eA; event eB: seq[int];
         eventset es = { eA, halt };
         interface I() receives; interface J(tPair) receives eA, eB;
         param a, b: int;
         implementation i: M; implementation j [main=A]: (M);",
        expect![[r#"
            type tOpaque
            type tPair = (Int, tOpaque)
            event eA
            event eB: seq[Int]
            eventset es = [eA, Halt]
            interface I() receives []
            interface J(tPair) receives [eA, eB]
            param a, b: Int
            implementation i: M
            implementation j main A: (paren M)
        "#]],
    );
}

#[test]
fn enums() {
    check(
        "enum E { ONE, TWO } enum F { ZERO = 0, TEN = 10 }",
        expect![[r#"
        enum E {ONE, TWO}
        enum F {ZERO = 0, TEN = 10}
    "#]],
    );
}

#[test]
fn types() {
    check(
        "type a = (bool, int, float, string, event, machine, data, any);
         type b = (seq[int], set[tX], map[int, (x: int, y: seq[any])]);
         type c = (tX); type d = (x: tX);",
        expect![[r#"
            type a = (Bool, Int, Float, String, Event, Machine, Data, Any)
            type b = (seq[Int], set[tX], map[Int, (x: Int, y: seq[Any])])
            type c = (tX)
            type d = (x: tX)
        "#]],
    );
}

#[test]
fn machines() {
    check(
        "machine M receives eA; sends eB, halt; sends; receives eC; {
           var a, b: int;
           start hot state S {
             entry Setup;
             on eA, null do (x: int) { send this, eB; }
             on eA do Handle;
             on eB goto T;
             on eB goto T with { raise eA; }
             on eB, halt goto T with (x: int) { var y: int; y = x; }
             on eC goto T with Handle;
             defer eC, eD; ignore halt;
             exit { }
           }
           cold state T { entry (x: int) { } exit Leave; }
           hot state U { }
           fun Setup(x: int) : bool { return true; }
           fun Foreign();
           var c: bool;
         }
         spec P observes eA, halt { start state S { } }
         scenario C observes eB { start cold state S { } }
         machine N { }",
        expect![[r#"
            Machine M
              receives [eA, eC]
              sends [eB, Halt]
              var a, b: Int
              var c: Bool
              fun Setup(x: Int): Bool
                return true
              foreign fun Foreign()
              start Hot state S
                entry Setup
                on [eA, Null] do (x: Int)
                  send eB to This
                on [eA] do Handle
                on [eB] goto T
                on [eB] goto T with
                  raise eA
                on [eB, Halt] goto T with (x: Int)
                  var y: Int
                  y = x
                on [eC] goto T with Handle
                defer [eC, eD]
                ignore [Halt]
                exit
              Cold state T
                entry (x: Int)
                exit Leave
              Hot state U
            Spec P
              observes [eA, Halt]
              start state S
            Scenario C
              observes [eB]
              start Cold state S
            Machine N
        "#]],
    );
}

#[test]
fn functions() {
    check(
        "fun a() { }
         fun b(x: int, y: tY) : int { var z: int; var u, v: bool; return x; }
         fun c() : int;
         fun d(x: int) creates I;
         fun e() : machine creates I;
         fun g(x: int) return (r: int); requires x > 0; requires true; ensures r > x;
         fun h()",
        expect![[r#"
            fun a()
            fun b(x: Int, y: tY): Int
              var z: Int
              var u, v: Bool
              return x
            foreign fun c(): Int
            foreign fun d(x: Int) creates I
            foreign fun e(): Machine creates I
            foreign fun g(x: Int)
              return r: Int
              requires (Gt x 0)
              requires true
              ensures (Gt r x)
            foreign fun h()
        "#]],
    );
}

#[test]
fn simple_statements() {
    check_body(
        r#"assert a; assert a, "no"; assume b; assume b, format("x {0}", c);
           print "p"; return; return 1; break; continue; ;
           x = 1; x.f.0[i] = 2; s += (1); m += (k, v); s -= 1; m[i] -= (k);
           new M(); new M(1, x); g(); g(1, x);
           raise eA; raise eA, 1; raise eA, 1, 2; send t.m, eA; send t, eA, 1, x; announce eA; announce eA, 1;
           goto S; goto S, 1, 2;"#,
        expect![[r#"
            fun f()
              assert a
              assert a message "no"
              assume b
              assume b message (format "x {0}" (c))
              print "p"
              return
              return 1
              break
              continue
              empty
              x = 1
              (index (element (field x f) 0) i) = 2
              s += value 1
              m += key k value v
              s -= 1
              (index m i) -= (paren k)
              new M()
              new M(1, x)
              call g()
              call g(1, x)
              raise eA
              raise eA with (1)
              raise eA with (1, 2)
              send eA to (field t m)
              send eA to t with (1, x)
              announce eA
              announce eA with (1)
              goto S
              goto S with (1, 2)
        "#]],
    );
}

#[test]
fn control_statements() {
    check_body(
        "{ x = 1; { } }
         while (a) x = 1; while ($) { break; }
         foreach (x in keys(m)) g(x); foreach (x in s) invariant a; invariant b; { }
         if (a) { } if (a) x = 1; else x = 2; if (a) { } else if (b) { } else { ; }
         receive { case eA: { } case eB, halt, null: (x: int) { var y: int; y = x; } }",
        expect![[r#"
            fun f()
              block
                x = 1
                block
              while a
                x = 1
              while $
                block
                  break
              foreach x in (keys m)
                call g(x)
              foreach x in s
                invariant a
                invariant b
                block
              if a
                block
              if a
                x = 1
              else
                x = 2
              if a
                block
              else
                if b
                  block
                else
                  block
                    empty
              receive
                case [eA]
                case [eB, Halt, Null] (x: Int)
                  var y: Int
                  y = x
        "#]],
    );
}

#[test]
fn expressions() {
    check_exprs(
        r#"x
            12
            1.5
            true
            false
            "a \" b"
            null
            halt
            this
            $
            $$
            (x)
            (1,)
            (1, x)
            (a = 1,)
            (a = 1, b = x)
            x.f
            x.0
            x is eA
            e targets m
            inflight e
            sent e
            x[i]
            keys(m)
            values(m)
            sizeof(m)
            default(seq[int])
            new M()
            new M(1, x)
            f()
            f(1, x)
            choose()
            choose(s)
            format("{0} {1}", a, 1)
            format("")
            -x
            !x
            x as int
            x to (int, tX)
            forall (x: int, y: tY) :: p
            exists new (e: eA) :: p"#,
        expect![[r#"
            x
            12
            1.5
            true
            false
            "a \" b"
            Null
            Halt
            This
            $
            $$
            (paren x)
            (tuple 1)
            (tuple 1, x)
            (named a = 1)
            (named a = 1, b = x)
            (field x f)
            (element x 0)
            (is x eA)
            (targets e m)
            (inflight e)
            (sent e)
            (index x i)
            (keys m)
            (values m)
            (sizeof m)
            (default seq[Int])
            new M()
            new M(1, x)
            f()
            f(1, x)
            (choose)
            (choose s)
            (format "{0} {1}" (a, 1))
            (format "" ())
            (Minus x)
            (Not x)
            (as x Int)
            (to x (Int, tX))
            (Forall (x: Int, y: tY) p)
            (Exists new (e: eA) p)
        "#]],
    );
    let operators = ["*", "/", "%", "+", "-", "<", ">", "<=", ">=", "in", "==", "!=", "&&", "||", "==>", "<==>"];
    check_exprs(
        &operators.map(|operator| format!("a {operator} b")).join("\n"),
        expect![[r#"
        (Mul a b)
        (Div a b)
        (Mod a b)
        (Add a b)
        (Sub a b)
        (Lt a b)
        (Gt a b)
        (Le a b)
        (Ge a b)
        (In a b)
        (Eq a b)
        (Ne a b)
        (And a b)
        (Or a b)
        (Implies a b)
        (Iff a b)
    "#]],
    );
}

#[test]
fn operators_bind_as_the_table_says() {
    check_exprs(
        r#"-a.b
            a.b.0[c].d
            -a[0]
            sent e[0]
            inflight e.f is G
            e targets m.n
            a + b * c
            a - b - c
            a + b as int
            x == y as int
            !x in s
            a < b == c < d
            a || b && c ==> d <==> e
            a ==> b ==> c
            a && forall (x: int) :: b && c
            t to float / 10.0"#,
        expect![[r#"
            (Minus (field a b))
            (field (index (element (field a b) 0) c) d)
            (Minus (index a 0))
            (index (sent e) 0)
            (inflight (is (field e f) G))
            (targets e (field m n))
            (Add a (Mul b c))
            (Sub (Sub a b) c)
            (as (Add a b) Int)
            (Eq x (as y Int))
            (In (Not x) s)
            (Eq (Lt a b) (Lt c d))
            (Iff (Implies (Or a (And b c)) d) e)
            (Implies (Implies a b) c)
            (And a (Forall (x: Int) (And b c)))
            (Div (to t Float) 10.0)
        "#]],
    );
}

#[test]
fn a_float_is_two_integers_around_a_dot() {
    check_exprs(
        r#"1 . 5 + .5
            x.0.1
            1 /* one */ . /* two */ 5
            float( 15 , /**/ 1)"#,
        expect![[r#"
        (Add 1.5 .5)
        (element (element x 0) 1)
        1.5
        float(15,1)
    "#]],
    );
}

#[test]
fn proof_words_can_be_names() {
    check_exprs(
        r#"sent - 1
            exists(a, b)
            exists (a: int) :: a > 0"#,
        expect![[r#"
        (Sub sent 1)
        exists(a, b)
        (Exists (a: Int) (Gt a 0))
    "#]],
    );
}

#[test]
fn modules() {
    check(
        "module A = B; module A = (B); module A = { M, N -> I };
         module A = compose B, { M }, C; module A = union B, (union C, D);
         module A = hidee eA, halt in B; module A = hidei I, J in B; module A = assert P, Q in B;
         module A = rename M to N in B; module A = main M in assert P in B;",
        expect![[r#"
            module A = B
            module A = (paren B)
            module A = {M, N -> I}
            module A = (compose B, {M}, C)
            module A = (union B, (paren (union C, D)))
            module A = (hidee [eA, Halt] in B)
            module A = (hidei I, J in B)
            module A = (assert P, Q in B)
            module A = (rename from M to N in B)
            module A = (main M in (assert P in B))
        "#]],
    );
}

#[test]
fn tests() {
    check(
        "test t [main=M]: { M };
         test t [main=M]: A refines (B);
         test param (n in [1, -2, 3], b in [true, false]) t [main=M]: A;
         test param (n in [1]) assume n < b (2 wise) t [main=M]: A;
         test param (n in [1]) assume n < 2 && b pairwise t [main=M]: A;",
        expect![[r#"
            test t main M: {M}
            test t main M: A refines (paren B)
            test t main M: A
              param n in [1, (Minus 2), 3]
              param b in [true, false]
            test t main M: A
              param n in [1]
              assume (Lt n b)
              2 wise
            test t main M: A
              param n in [1]
              assume (And (Lt n 2) b)
              pairwise
        "#]],
    );
}

#[test]
fn proofs() {
    check(
        "pure p(x: int, m: machine): bool; pure q(): int = 1 + 2;
         invariant a: forall (e: eA) :: sent e ==> e targets this;
         init-condition x == 1; axiom p(1);
         Lemma l { invariant b: true; invariant c: false; } Theorem t { }
         Proof { prove a; prove *; prove default; }
         Proof named { prove a, b using l, t; prove l using * except a, b; prove default using a except l; }",
        expect![[r#"
            pure p(x: Int, m: Machine): Bool
            pure q(): Int = (Add 1 2)
            invariant a: (Forall (e: eA) (Implies (sent e) (targets e This)))
            init-condition (Eq x 1)
            axiom p(1)
            Lemma l
              invariant b: true
              invariant c: false
            Theorem t
            proof
              prove [a] using [] except
              prove all using [] except
              prove default using [] except
            proof named
              prove [a, b] using [l, t] except
              prove [l] using all except a, b
              prove default using [a] except l
        "#]],
    );
}

// ---- Places ----

#[test]
fn every_part_is_where_its_text_is() {
    let text = "enum E { A = 1, B = 2 }
        machine M { var a, b: int; start state S { entry { var v: int; receive { case eA, eB: (x: int) { } } }
        on eA do (x: int) { } on eB goto S with F; exit ; defer halt; } fun F(); }
        param p: int; module D = { M -> I, N }; test param (p in [1, 2]) t [main=M]: D;
        Lemma l { invariant i: true; } Proof { prove l; }";
    let parse = parse(text);
    let mut found = String::new();
    for_each_nodes(&parse, |nodes, spans, own_text| {
        for (id, _) in nodes.parts.iter() {
            found.push_str(&own_text[spans[id]]);
            found.push('\n');
        }
    });
    expect![[r#"
        A = 1
        B = 2
        var a, b: int;
        { var v: int; receive { case eA, eB: (x: int) { } } }
        entry { var v: int; receive { case eA, eB: (x: int) { } } }
        (x: int) { }
        on eA do (x: int) { }
        F
        on eB goto S with F;
        defer halt;
        start state S { entry { var v: int; receive { case eA, eB: (x: int) { } } }
                on eA do (x: int) { } on eB goto S with F; exit ; defer halt; }
        fun F();
        var v: int;
        case eA, eB: (x: int) { }
        param p: int;
        M -> I
        N
        p in [1, 2]
        invariant i: true;
        prove l;
    "#]]
    .assert_eq(&found);
}

#[test]
fn events_are_where_they_are_written() {
    let text = "eventset s = { eA, halt };";
    let parse = parse(text);
    let item = &parse.p().unwrap().items[0].value;
    let Decl::EventSet { events, .. } = &item.decl else { panic!("an event set was written") };
    let found: Vec<_> = events.iter().map(|event| (event.kind, &text[item.spans[event.name]])).collect();
    assert_eq!(found, [(EventKind::Declared, "eA"), (EventKind::Halt, "halt")]);
}

/// Calls `check` with the nodes of every item and body, their spans and the text these count in.
fn for_each_nodes(parse: &Parse, mut check: impl FnMut(&Nodes, &Spans, &str)) {
    let text = parse.text().to_string();
    for item in &parse.p().unwrap().items {
        check(&item.value.nodes, &item.value.spans, &text[TextRange::at(item.start, item.value.len)]);
        for body in &item.value.bodies {
            let range = TextRange::at(item.start + body.start, body.value.len);
            check(&body.value.nodes, &body.value.spans, &text[range]);
        }
    }
}

// ---- Broken programs ----

#[test]
fn what_is_missing_is_a_hole() {
    check(
        "type = int; event; event e: ; enum E { } eventset s = { };",
        expect![[r#"
        eventset s = [?]
    "#]],
    );
    check(
        "fun (x: int) { } fun f(x) { } fun g(x: ) { } var x: int;",
        expect![[r#"
        fun f()
        fun g(x: ?)
    "#]],
    );
    check(
        "machine { start state { entry on eA do ; on eB goto ; defer ; } }",
        expect![[r#"
        Machine ?
    "#]],
    );
    check(
        "machine M { var : int; var x; start state S { on do { } exit } fun () { } }",
        expect![[r#"
        Machine M
          start state S
            on [?] do
    "#]],
    );
    check(
        "module A = ; module = { M }; module A = { M -> }; module A = rename M to in B;",
        expect![[r#"
        module A = ?
        module A = {M}
    "#]],
    );
    check(
        "test t: A; test [main=M]: A; test t [main=]: ; implementation : A;",
        expect![[r#"
        test A main M: A
    "#]],
    );
    check(
        "invariant a: ; axiom ; Proof { prove ; } pure p(): ;",
        expect![[r#"
        invariant a: ?
        axiom ?
        proof
          prove [?] using [] except
        pure p(): ?
    "#]],
    );
    check_body(
        "send m, ; x = ; y = a + ; z = b. ; goto ; new (); raise ;",
        expect![[r#"
        fun f()
          send ? to m
          x = ?
          y = (Add a ?)
          z = (field b ?)
          empty
          empty
          empty
    "#]],
    );
    check_body(
        "if () { } while ( { } foreach (in s) { } x = 1;",
        expect![[r#"
        fun f()
          if ?
            block
          block
          empty
    "#]],
    );
    check_body(
        "receive { case : { } case eA: } x += (); assert , \"a\"; return;",
        expect![[r#"
        fun f()
          empty
          return
    "#]],
    );
    check_body(
        "x = default(); y = z as ; m = map[]; x = (a = , b = 1); x = new ();",
        expect![[r#"
        fun f()
          x = (default ?)
          y = (as z ?)
          empty
          x = (named a = ?, b = 1)
          empty
    "#]],
    );
}

#[test]
fn a_machine_whose_end_is_missing_keeps_what_it_has() {
    check(
        "machine M receives eA; {\n  var x: int;\n  start state S { entry { x = 1; } }\n  state T {\n",
        expect![[r#"
        Machine M
          receives [eA]
          var x: Int
          start state S
            entry
              x = 1
    "#]],
    );
    check(
        "spec P observes eA, eB { start state S { }",
        expect![[r#"
        Spec P
          observes [eA, eB]
          start state S
    "#]],
    );
    check(
        "machine",
        expect![[r#"
        Machine ?
    "#]],
    );
}

#[test]
fn long_chains_are_followed() {
    let sum = format!("axiom {};", ["1"; 4_000].join(" + "));
    let chain = format!("fun f() {{ {} {{ }} }}", "if (a) { } else ".repeat(4_000));
    for text in [sum, chain] {
        assert_eq!(parse(&text).errors(), []);
    }
}

#[test]
fn nesting_beyond_the_limit_is_one_error() {
    let nested = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(20_000), close.repeat(20_000));
    let exprs = [("(", ")"), ("!", ""), ("f(", ")"), ("-(x is e) + (", ")")];
    let exprs = exprs.map(|(open, close)| format!("axiom {}; event e;", nested(open, "x", close)));
    let stmts = [("{", "}"), ("while (a) ", ""), ("receive { case e: {", "} }"), ("if (a) { } else ", "")];
    let stmts = stmts.map(|(open, close)| format!("fun f() {{ {} }} event e;", nested(open, ";", close)));
    let types = format!("type t = {}; event e;", nested("seq[", "int", "]"));
    let modules = format!("module m = {}; event e;", nested("(", "n", ")"));
    for text in exprs.into_iter().chain(stmts).chain([types, modules]) {
        let parse = parse(&text);
        let found: Vec<_> = parse.errors().iter().map(|error| error.code).collect();
        assert_eq!(found, [codes::TOO_DEEP], "{}", &text[..40]);
        assert_eq!(parse.p().unwrap().items.len(), 2);
    }
}

// ---- Edits ----

#[test]
fn white_space_and_comments_change_only_places() {
    let before = parse("fun f() { x = 1.5; }");
    let after = parse("\n// twice\nfun f()\n{ /* once */ x = 1 . /* and */ 5 ; }");
    let item = |parse: &Parse| parse.p().unwrap().items[0].value.clone();
    let (before, after) = (item(&before), item(&after));
    assert_eq!(before.decl, after.decl);
    assert_eq!(before.nodes, after.nodes);
    assert_eq!(before.bodies[0].value.nodes, after.bodies[0].value.nodes);
    assert_ne!(before.bodies[0].value.spans, after.bodies[0].value.spans);
}

#[test]
fn an_edit_in_one_item_keeps_the_others() {
    let text = "event eA;\nfun f() { x = 1; }\nevent eB;\n";
    let before = parse(text);
    let at = TextSize::try_from(text.find('1').unwrap()).unwrap();
    let after = before.edit(&[Edit { range: TextRange::empty(at), insert: "2".into() }]);
    let items = before.p().unwrap().items.iter().zip(&after.p().unwrap().items);
    let kept: Vec<bool> = items.map(|(before, after)| Arc::ptr_eq(&before.value, &after.value)).collect();
    assert_eq!(kept, [true, false, true]);
}

// ---- The programs of the project ----

#[test]
fn programs_have_no_holes_and_right_places() {
    let mut paths = Vec::new();
    collect_programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/p"), &mut paths);
    assert!(paths.len() > 25, "{paths:?}");
    for path in paths {
        let parse = parse(&fs::read_to_string(&path).unwrap());
        assert_eq!(parse.errors(), [], "{}", path.display());
        for item in &parse.p().unwrap().items {
            check_handlers(&item.value);
        }
        for_each_nodes(&parse, check_nodes);
    }
}

/// The files of P in `folder` and below, but for those written in an older P.
fn collect_programs(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_older = path.file_name().unwrap().to_string_lossy().starts_with("older_names");
        if path.is_dir() {
            collect_programs(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "p") && !is_older {
            paths.push(path);
        }
    }
}

fn check_handlers(item: &Item) {
    let Decl::Machine(machine) = &item.decl else { return };
    for state_item in machine.states.iter().flat_map(|state| &state.items) {
        let handler = match &state_item.kind {
            StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => handler,
            StateItemKind::OnGoto { with: Some(handler), .. } => handler,
            _ => continue,
        };
        assert_ne!(handler.kind, HandlerKind::Missing, "{:?}", item.nodes[machine.name]);
    }
}

fn check_nodes(nodes: &Nodes, spans: &Spans, text: &str) {
    let Nodes { names, types, exprs, stmts, modules, parts } = nodes;
    for (id, name) in names.iter() {
        assert!(!name.is_missing(), "{text}");
        assert_eq!(&text[spans[id]], name.as_str());
    }
    assert!(types.values().all(|ty| *ty != Type::Missing), "{text}");
    assert!(exprs.values().all(|expr| *expr != Expr::Missing), "{text}");
    assert!(modules.values().all(|module| *module != Module::Missing), "{text}");
    assert!(parts.iter().all(|(id, _)| !spans[id].is_empty()), "{text}");
    for (id, stmt) in stmts.iter() {
        let own_text = &text[spans[id]];
        assert!(own_text.starts_with(first_word(stmt)) && own_text.ends_with([';', '}']), "{stmt:?} at {own_text}");
    }
}

fn first_word(stmt: &Stmt) -> &'static str {
    match stmt {
        Stmt::Missing => panic!("a hole"),
        Stmt::Compound(_) => "{",
        Stmt::Assert { .. } => "assert",
        Stmt::Assume { .. } => "assume",
        Stmt::Print { .. } => "print",
        Stmt::Return { .. } => "return",
        Stmt::Break => "break",
        Stmt::Continue => "continue",
        Stmt::Assign { .. } | Stmt::Insert { .. } | Stmt::Remove { .. } | Stmt::Call { .. } => "",
        Stmt::While { .. } => "while",
        Stmt::Foreach { .. } => "foreach",
        Stmt::If { .. } => "if",
        Stmt::New { .. } => "new ",
        Stmt::Raise { .. } => "raise ",
        Stmt::Send { .. } => "send ",
        Stmt::Announce { .. } => "announce ",
        Stmt::Goto { .. } => "goto ",
        Stmt::Receive { .. } => "receive",
        Stmt::Empty => ";",
    }
}
