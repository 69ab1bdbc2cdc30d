//! The typed tree of P, in small.

use expect_test::{Expect, expect};
use lockstep_base::{Edit, TextRange, TextSize};

use super::ast::*;
use crate::{Language, Parse};

fn parse(text: &str) -> Parse {
    Parse::new(Language::P, text)
}

/// An expression with every operator's extent in brackets.
fn shape(nodes: &Nodes, expr: ExprId) -> String {
    let show = |expr: &ExprId| shape(nodes, *expr);
    let name = |name: &NameId| nodes[*name].as_str().to_owned();
    match &nodes[expr] {
        Expr::Missing => "?".to_owned(),
        Expr::Name(id) => name(id),
        Expr::Int(text) | Expr::Float(text) | Expr::String(text) => text.to_string(),
        Expr::Paren(inner) => show(inner),
        Expr::Unary { op, operand } => format!("[{op:?} {}]", show(operand)),
        Expr::Binary { op, left, right } => format!("[{} {op:?} {}]", show(left), show(right)),
        Expr::Field { value, field } => format!("[{}.{}]", show(value), name(field)),
        Expr::Element { value, index } => format!("[{}.{}]", show(value), name(index)),
        Expr::Index { value, index } => format!("[{} at {}]", show(value), show(index)),
        Expr::Is { value, kind } => format!("[{} is {}]", show(value), name(kind)),
        Expr::Targets { message, target } => format!("[{} targets {}]", show(message), show(target)),
        Expr::Sent(message) => format!("[sent {}]", show(message)),
        Expr::Inflight(message) => format!("[inflight {}]", show(message)),
        Expr::As { value, .. } => format!("[{} as]", show(value)),
        Expr::To { value, .. } => format!("[{} to]", show(value)),
        Expr::Quantifier { kind, body, .. } => format!("[{kind:?} {}]", show(body)),
        Expr::Call { function, args } => format!("{}({})", name(function), args.iter().map(show).collect::<Vec<_>>().join(", ")),
        other => format!("{other:?}"),
    }
}

/// The shape of the expression that `text` is.
#[allow(clippy::needless_pass_by_value)]
fn check_shape(text: &str, expected: Expect) {
    let parse = parse(&format!("axiom {text};"));
    let item = &parse.p().unwrap().items[0].value;
    let Decl::Axiom { body } = item.decl else { panic!("an axiom was written") };
    expected.assert_eq(&shape(&item.nodes, body));
}

#[test]
fn operators_bind_as_the_table_says() {
    check_shape("-a.b", expect!["[Minus [a.b]]"]);
    check_shape("a.b.0[c].d", expect!["[[[[a.b].0] at c].d]"]);
    check_shape("-a[0]", expect!["[Minus [a at 0]]"]);
    check_shape("sent e[0]", expect!["[[sent e] at 0]"]);
    check_shape("inflight e.f is G", expect!["[inflight [[e.f] is G]]"]);
    check_shape("e targets m.n", expect!["[e targets [m.n]]"]);
    check_shape("a + b * c", expect!["[a Add [b Mul c]]"]);
    check_shape("a - b - c", expect!["[[a Sub b] Sub c]"]);
    check_shape("a + b as int", expect!["[[a Add b] as]"]);
    check_shape("x == y as int", expect!["[x Eq [y as]]"]);
    check_shape("!x in s", expect!["[[Not x] In s]"]);
    check_shape("a < b == c < d", expect!["[[a Lt b] Eq [c Lt d]]"]);
    check_shape("a || b && c ==> d <==> e", expect!["[[[a Or [b And c]] Implies d] Iff e]"]);
    check_shape("a ==> b ==> c", expect!["[[a Implies b] Implies c]"]);
    check_shape("a && forall (x: int) :: b && c", expect!["[a And [Forall [b And c]]]"]);
    check_shape("t to float / 10.0", expect!["[[t to] Div 10.0]"]);
}

#[test]
fn a_float_is_two_integers_around_a_dot() {
    check_shape("1 . 5 + .5", expect!["[1.5 Add .5]"]);
    check_shape("1 /* one */ . // two\n 5", expect!["1.5"]);
    check_shape("float( 15 , /**/ 1)", expect!["float(15,1)"]);
    check_shape("x.0.1", expect!["[[x.0].1]"]);
}

#[test]
fn proof_words_can_be_names() {
    check_shape("sent - 1", expect!["[sent Sub 1]"]);
    check_shape("exists(a, b)", expect!["exists(a, b)"]);
    check_shape("exists (a: int) :: a > 0", expect!["[Exists [a Gt 0]]"]);
}

#[test]
fn a_machine_and_what_it_is_made_of() {
    let text = "machine M receives eA; sends eB, halt; sends; {
        var a, b: int;
        start hot state S {
            entry Setup;
            on eA, null do (x: int) { send this, eB; }
            on eB goto T with { raise eA; }
            defer eC; ignore halt;
            exit { }
        }
        cold state T { }
        fun Setup(x: int) : bool { return true; }
        fun Foreign();
    }";
    let parse = parse(text);
    let item = &parse.p().unwrap().items[0].value;
    let Decl::Machine(machine) = &item.decl else { panic!("a machine was written") };
    let name = |id: NameId| item.nodes[id].as_str();
    assert_eq!(name(machine.name), "M");
    assert_eq!(machine.receives.as_ref().map(Vec::len), Some(1));
    assert_eq!(machine.sends.as_ref().map(Vec::len), Some(2), "clauses add up");
    assert_eq!(machine.vars[0].names.iter().map(|id| name(*id)).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(machine.functions.iter().map(|function| name(function.name)).collect::<Vec<_>>(), ["Setup", "Foreign"]);
    assert!(matches!(machine.functions[1].code, FunctionCode::Foreign { .. }));
    let [s, t] = &machine.states[..] else { panic!("two states were written") };
    assert_eq!((name(s.name), s.is_start, s.temperature), ("S", true, Some(Temperature::Hot)));
    assert_eq!((name(t.name), t.is_start, t.temperature), ("T", false, Some(Temperature::Cold)));
    assert_eq!(s.items.len(), 6);
}

#[test]
fn what_is_missing_is_a_hole() {
    let parse = parse("fun f() { send m, ; x = ; }");
    let item = &parse.p().unwrap().items[0].value;
    let body = &item.bodies[0].value;
    let holes = body.nodes.exprs.iter().filter(|(_, expr)| **expr == Expr::Missing).count();
    assert_eq!(holes, 2, "{:?}", body.nodes);
}

#[test]
fn a_machine_whose_end_is_missing_still_has_its_states() {
    let parse = parse("machine M {\n  var x: int;\n  start state S { entry { x = 1; } }\n  state T {\n");
    let item = &parse.p().unwrap().items[0].value;
    let Decl::Machine(machine) = &item.decl else { panic!("{:?}", item.decl) };
    assert_eq!(item.nodes[machine.name].as_str(), "M");
    assert_eq!((machine.vars.len(), machine.states.len()), (1, 1));
}

#[test]
fn white_space_and_comments_change_only_places() {
    let before = parse("fun f() { x = 1; }");
    let after = parse("\n// twice\nfun f()\n{ /* once */ x = 1 ; }");
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
    let kept: Vec<bool> = before
        .p()
        .unwrap()
        .items
        .iter()
        .zip(&after.p().unwrap().items)
        .map(|(before, after)| std::sync::Arc::ptr_eq(&before.value, &after.value))
        .collect();
    assert_eq!(kept, [true, false, true]);
}

#[test]
fn names_are_where_the_spans_say() {
    let text = "event eA;\nmachine Mäh { start state S { on eA do { foo(bar); } } }\nfun foo(x: tBar) { }";
    let text = text.replace("Mäh", "M /* ä */");
    let parse = parse(&text);
    let mut seen = Vec::new();
    for item in &parse.p().unwrap().items {
        let mut check = |nodes: &Nodes, spans: &Spans, start: TextSize| {
            for (id, name) in nodes.names.iter() {
                assert_eq!(parse.text().slice(spans[id] + start), name.as_str());
                seen.push(name.as_str().to_owned());
            }
        };
        check(&item.value.nodes, &item.value.spans, item.start);
        for body in &item.value.bodies {
            check(&body.value.nodes, &body.value.spans, item.start + body.start);
        }
    }
    seen.sort();
    assert_eq!(seen, ["M", "S", "bar", "eA", "eA", "foo", "foo", "tBar", "x"]);
}
