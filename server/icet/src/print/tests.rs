//! What is printed is the same program.

use crate::check::tests::{check_text, programs};
use crate::program::{Program, StmtKind};
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
    let program = check_text(text).program.unwrap();
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
