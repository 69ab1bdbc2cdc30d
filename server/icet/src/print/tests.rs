//! What is printed is the same program.

use super::Home;
use crate::check::tests::{check_text, programs};
use crate::program::{Condition, Program, StmtKind};
use lockstep_base::TextRange;

/// The program without its ranges.
fn placeless(mut program: Program) -> Program {
    let nowhere = TextRange::default();
    program.sets.iter_mut().for_each(|set| set.range = nowhere);
    program.messages.iter_mut().for_each(|message| message.range = nowhere);
    program.consts.iter_mut().for_each(|constant| constant.range = nowhere);
    program.processes.iter_mut().for_each(|process| process.range = nowhere);
    let claims = program.assumes.iter_mut().chain(&mut program.invariants).chain(&mut program.ensures);
    claims.for_each(|claim| claim.range = nowhere);
    for stmt in &mut program.stmts {
        stmt.range = nowhere;
        match &mut stmt.kind {
            StmtKind::Receive { cases, .. } => cases.iter_mut().for_each(|case| case.range = nowhere),
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                set_loop.invariants.iter_mut().for_each(|claim| claim.range = nowhere);
            }
            StmtKind::While { invariants, .. } | StmtKind::Repeat { invariants, .. } | StmtKind::Rounds { invariants, .. } => {
                invariants.iter_mut().for_each(|claim| claim.range = nowhere);
            }
            StmtKind::Invariant(claim) => claim.range = nowhere,
            _ => {}
        }
    }
    program
}

/// Checks that a program is read again from what is printed of it.
fn round_trip(name: &str, text: &str) {
    let checked = check_text(text);
    let Some(program) = checked.program else { panic!("{name}: {:#?}", checked.diagnostics) };
    let printed = super::print(&program);
    let checked = check_text(&printed);
    let Some(again) = checked.program else { panic!("{name}: {:#?}\n{printed}", checked.diagnostics) };
    assert!(placeless(again) == placeless(program), "{name}:\n{printed}");
}

#[test]
fn printed_programs_are_read_again() {
    for (name, text) in programs() {
        round_trip(&name, &text);
    }
}

#[test]
fn all_constructs_are_read_again() {
    round_trip(
        "all",
        r#"
        sequential { var s: int; for n in Nodes { n.x = s; } parallel n in Nodes { atomic { n.x = a.r.f; } } match (a.e) { case C(s): { skip; } default: { skip; } } }
        set Nodes; set Few subset Nodes; type V; type Pair = (int, V); enum E { A, B, C(int), } message M(x: int, (E, bool)); message N;
        const k: map[Nodes, set[Pair]]; const v: V; const b: bool = (1 + 2) * 3 - (4 - 5) == -(6 % 7) && !(true || false) ==> (false ==> true);
        ghost var g, h: set[int] = set (i: int) :: i > 0;
        assume forall (n: Nodes, m: Nodes) :: (exists (q: Few) :: q == n) && n == m;
        process n in Nodes { var x: int; }
        process a {
          var e: E = C(1); var r: (f: int, g: (int, int)); var t: (int, (E, bool)); var p: pid; var m: map[int, (l: int, s: set[pid])];
          recv M(r.f, (e, _)) from p in (Nodes - {p}); send M(-1, (B, true)) to p; recv N from {p} ; recv { case N from p: { skip; } timeout: { } }
          recv N from any; recv N from p timeout { r.g.0 = r.g.1; } recv { case N from p: { } case M(_, _) from p: { skip; } }
          (r, _) = ((g = (1, 2), f = 3), 4); m[r.f].l = (l = 1, s = {}).l; m[1].s = {a} + Few; t = ((1, (A, true)), 2).0;
          if (*) { } else if (true) { skip; } else { if (*) { fail; } skip; }
          match (e) { case A: { } case C(_): { } case B: { } } choose { } or { havoc r.f; } or { pick p in m[1].s; }
          while (true) invariant one: here(a) && finished(a); { break; } while (*) { skip; }
          for _ in Nodes done D invariant D == {}; { assert card(D) > 0, "a \"quoted\" \\ word"; }
          foreach q in Nodes + Few done D { atomic { recv N from q; } } repeat 3 { skip; } repeat k2 as i invariant i >= 0; { assume i > 0; }
          rounds as i { invariant label: i == 0 <==> (true <==> false); } fail "why";
        }
        const k2: int; invariant named: a.r.g.0 == 1; invariant !(a.e == A); ensures forall (n: Nodes) :: n.x in (set (i: int) :: i > 0);
        "#,
    );
}

#[test]
fn examples_are_read_again() {
    for (code, text) in crate::explain::explanations() {
        let (_, right) = text.split_once("## Right\n").unwrap();
        for program in right.split("```icet\n").skip(1) {
            round_trip(code, program.split("```").next().unwrap());
        }
    }
}

#[test]
fn pieces() {
    let text = "set S; message M(int); enum E { A, B(int) } const k: int;
        process s in S { var x: int; var e: E; for t in S done D { send M(x + 1) to t; } recv M(x) from S; recv { case M(x) from s: { skip; } timeout: { } }
          match (e) { case A: { skip; } default: { } } if (x > k) { x = 1; } while (*) { skip; } repeat k as i { skip; } rounds as r { skip; } }";
    let program = check_text(text).program.unwrap();
    let process = crate::program::ProcessId(0);
    let heads: Vec<String> = program.process(process).code.body.iter().map(|id| super::stmt_head(&program, *id)).collect();
    let expected = [
        "for t in S done D",
        "recv M(x) from S",
        "recv M(x) from s",
        "match (e)",
        "if (x > k)",
        "while (*)",
        "repeat k as i",
        "rounds as r",
    ];
    assert_eq!(heads, expected);
    let StmtKind::If { condition: Condition::Holds(condition), then, .. } =
        &program.stmt(program.process(process).code.body[4]).kind
    else {
        panic!()
    };
    assert_eq!(super::expr(&program, Home::Process(process), condition), "x > k");
    assert_eq!(super::block(&program, Some(process), then), "x = 1;\n");
    assert_eq!(super::stmt(&program, program.process(process).code.body[5]), "while (*) {\n  skip;\n}\n");
}

#[test]
fn locals_that_would_hide_each_other_are_renamed() {
    let text = "set S; process s in S { } sequential { for a in S { for b in S { assert a == b; } } }";
    let mut program = check_text(text).program.unwrap();
    // As a rewriter may leave them.
    let code = program.sequential.as_mut().unwrap();
    code.locals[0].name = "S".into();
    code.locals[1].name = "S".into();
    let printed = super::print(&program);
    assert!(printed.contains("for S_2 in S {\n    for S_3 in S {\n      assert S_2 == S_3;"), "{printed}");
    assert!(check_text(&printed).program.is_some());
}
