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
    // Whatever is chosen, `old` is not read after the first message, so the runs meet again. Others may act before a message is sent, if there
    // could be others.
    let with = |rest: &str| {
        let text = format!(
            "event E; machine Main {{ var more: bool; start state S {{ ignore E; entry {{ var old: int; old = choose(5); assert old < 5; send this, E; {rest}
  if (more) {{ new Main(); }} }} }} }}"
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

/// Each variable is read in one way only, and what it is read for comes behind a pause: one that was emptied too early is noticed.
#[test]
fn what_is_read_after_a_pause_is_kept() {
    let text = r#"event e; event number: int; event done; type t = (x: int, y: int);
machine Other { start state S { entry (given: int) { assert given == 21; } ignore number; } }
machine Main {
    start state S {
        ignore e;
        entry {
            var copied: int; var negative: int; var left: int; var right: int; var first: int; var second: int; var named: int;
            var pair: (int, int); var point: t; var row: seq[int]; var at: int; var item: int; var among: set[int]; var counted: seq[int];
            var walked: seq[int]; var keyed: map[int, int]; var valued: map[int, int]; var wide: any; var converted: int; var shown: int;
            var few: int; var given: int; var payload: int; var target: machine; var what: event; var carried: int; var announced: event;
            var whole: int; var part: seq[int]; var place: int; var into: seq[int]; var where_: int; var new_: int; var from_: set[int];
            var gone: int; var condition: bool; var element: int; var sum: int; var r: (int, int); var q: t; var text: string; var other: int;
            var lonely: seq[int]; var stored: map[int, int]; var dropped: set[int]; var outer: int; var inner: int; var step: int; var limit: int;
            copied = 1; negative = 2; left = 3; right = 4; first = 5; second = 6; named = 7; pair = (8, 9); point = (x = 10, y = 11);
            row += (0, 12); row += (1, 13); at = 1; item = 14; among += (14); counted += (0, 0); counted += (1, 0); walked += (0, 15);
            walked += (1, 16); keyed[17] = 0; valued[0] = 18; wide = 19; converted = 20; shown = 3; few = 1; given = 20; payload = 21;
            target = this; what = number; carried = 22; announced = e; whole = 23; part += (0, 0); part += (1, 24); place = 1; into += (0, 25);
            where_ = 1; new_ = 26; from_ += (27); from_ += (28); gone = 27; condition = true;
            send this, e;
            sum = copied; assert sum == 1;
            assert -negative == -2;
            assert left < 4; assert 3 < right;
            r = (first, second); assert r == (5, 6);
            q = (x = named, y = 0); assert q.x == 7;
            assert pair.1 == 9; assert point.y == 11;
            assert row[at] == 13;
            assert item in among;
            assert sizeof(counted) == 2;
            sum = 0; foreach (element in walked) { send this, e; sum = sum + element; } assert sum == 31;
            sum = keys(keyed)[0]; assert sum == 17; sum = values(valued)[0]; assert sum == 18;
            assert (wide as int) == 19; assert (converted to float) > 19.5;
            text = format("{0}", shown); assert text == "3";
            sum = choose(few); assert sum == 0;
            sum = Next(given); assert sum == 21;
            new Other(payload);
            send target, what, carried;
            announce announced;
            sum = whole; assert sum == 23;
            part[place] = part[place] + 1; send this, e; assert part[1] == 25;
            into += (where_, new_); send this, e; assert into[1] == 26;
            from_ -= (gone); send this, e; assert sizeof(from_) == 1;
            // What is only changed has to be there all the same.
            lonely += (0, 1); stored[0] = 1; dropped -= (1);
            // Behind the pause, `step` is read after the inner loop, the condition of the outer one and its beginning.
            step = 2; limit = 4;
            while (outer < limit) { outer = outer + step; inner = 0; while (inner < 2) { send this, e; inner = inner + 1; } }
            assert outer == 4;
            if (condition) { other = 30; } else { assert false; }
            send this, e;
            goto T, other;
        }
        on number do (n: int) { assert n == 22; }
    }
    state T { ignore e; entry (n: int) { var event_: event; assert n == 30; event_ = done; send this, e; raise event_; } on done goto U;
        on number do (n: int) { assert n == 22; } }
    state U { ignore e; on number do (n: int) { assert n == 22; } }
    fun Next(n: int): int { send this, e; return n + 1; }
}
test tc [main=Main]: { Main, Other };"#;
    let found = naive::explore(&program(text), &Settings::default(), 10_000);
    assert_eq!((found.failures, found.is_complete), (Vec::new(), true));
    assert_eq!(found.terminal, 1);
}
