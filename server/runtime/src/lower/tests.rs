use crate::code::{Op, Terminator};
use crate::lower::{Options, Stub};
use crate::naive;
use crate::program::Program;
use crate::testing::{entry, program, program_with};
use crate::{Outcome, Sampling, Settings, sample};

/// The main machine's only handler.
fn code(program: &Program) -> &crate::code::Function {
    let machine = program.interface(program.main).machine;
    let entry = program.machine(machine).states[0].entry.expect("it has an entry");
    program.function(entry)
}

fn successors(end: &Terminator) -> Vec<u32> {
    match end {
        Terminator::Jump(block) => vec![block.0],
        Terminator::Branch { then, otherwise, .. } => vec![then.0, otherwise.0],
        Terminator::Receive(cases) => cases.iter().map(|case| case.block.0).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn only_loops_lead_backwards() {
    let program = entry("var i: int; while (i < 3) { if ($) { i = i + 1; } else { break; } } assert i > 0 || $;");
    let mut backwards = 0;
    for (number, block) in (0_u32..).zip(&code(&program).blocks) {
        backwards += successors(&block.end).iter().filter(|next| **next <= number).count();
    }
    assert_eq!(backwards, 1, "one way back, from the end of the loop to its condition");
}

#[test]
fn what_is_never_reached_is_left_out() {
    let program = entry("return; assert false;");
    assert_eq!(code(&program).blocks.len(), 1);
}

#[test]
fn white_space_and_comments_do_not_change_the_fingerprint() {
    let before =
        program("event E; machine Main { var x: int; start state S { entry { x = x + 1; send this, E; } on E do { } } }");
    let after = program(
        "// A comment.\nevent E;\nmachine Main {\n  var x: int;\n  start state S {\n    entry { x = x + 1; /* more */ send this, E; }\n    on E do { }\n  }\n}\n",
    );
    let other = program("event E; machine Main { var x: int; start state S { entry { x = x + 2; send this, E; } on E do { } } }");
    assert_ne!(before, after, "places differ");
    assert_eq!(before.fingerprint(), after.fingerprint());
    assert_ne!(before.fingerprint(), other.fingerprint());
}

#[test]
fn what_the_test_cannot_reach_is_not_part_of_it() {
    let text = |unused: &str| {
        format!(
            "machine Main {{ start state S {{ entry {{ }} }} }} fun unused() {{ {unused} }} test one [main = Main]: {{ Main }};"
        )
    };
    assert_eq!(program(&text("assert true;")).fingerprint(), program(&text("assert false;")).fingerprint());
}

#[test]
fn what_nobody_reads_any_more_does_not_tell_machines_apart() {
    // Whatever is chosen, `old` is not read after the first message, so the runs meet again.
    let with = |rest: &str| {
        let text = format!(
            "event E; machine Main {{ start state S {{ ignore E; entry {{ var old: int; old = choose(5); assert old < 5; send this, E; {rest} }} }} }}"
        );
        naive::explore(&program(&text), &Settings::default(), 1_000).configurations
    };
    assert_eq!(with("send this, E;"), 4);
    assert_eq!(with("assert old < 5;"), 7, "five while it is needed");
}

#[test]
fn a_value_is_computed_right_into_its_variable() {
    let program = entry("var a: int; var b: int; a = b + 1;");
    let instrs = &code(&program).blocks[0].instrs;
    assert!(matches!(instrs[..], [crate::code::Instr { op: Op::Binary { .. }, .. }]), "{instrs:?}");
}

#[test]
fn places_lead_to_the_text() {
    let text = "machine Main { start state S { entry { assert 1 == 2; } } }";
    let Outcome::Failed(failure, _) = sample(&program(text), &Settings::default(), &Sampling::default()).outcome else {
        panic!("the assertion does not hold");
    };
    let range = failure.place.expect("it has a place").range;
    assert_eq!(&text[usize::from(range.start())..usize::from(range.end())], "assert 1 == 2;");
}

#[test]
fn arguments_are_read_in_their_order() {
    let program = program(
        "machine Main { var x: int; start state S { entry { check(x, change()); } }
           fun change(): int { x = 5; return x; }
           fun check(before: int, after: int) { assert before == 0 && after == 5; } }",
    );
    assert_eq!(naive::explore(&program, &Settings::default(), 10).failures, []);
}

#[test]
fn a_stub_stands_for_a_function_in_another_language() {
    let text = "fun Now(): int; fun Seven(): int { return 7; }
        machine Main { start state S { entry { var n: int; n = Now(); assert n != 7; assert n < 2; } } }";
    let failing = |stub: Stub| {
        let options = Options { foreign: vec![("Now".into(), stub)], ..Options::default() };
        let found = naive::explore(&program_with(text, &options), &Settings::default(), 10);
        (found.failures.len(), found.configurations)
    };
    assert_eq!(failing(Stub::Function("Seven".into())), (1, 1));
    assert_eq!(failing(Stub::AnyValue), (1, 2), "0 and 1 are fine, 2 is not");
}
