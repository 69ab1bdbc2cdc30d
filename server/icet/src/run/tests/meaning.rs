//! The reference's "Meaning", construct by construct: all ends of small programs, and what goes wrong in them.

use expect_test::{Expect, expect};

use crate::check::tests::check_text;
use crate::program::Program;
use crate::run::domain::Domains;
use crate::run::instance::{Instance, instance};
use crate::run::random::{random_run, transcript};
use crate::run::render::Names;
use crate::run::search::{Bounds, Limit, Limits, Mode, Outcome, explore, explore_within};
use crate::run::trace::{render_trace, replay};

/// Runs a program with sets of two members each, both ways, and compares what was found.
fn check(text: &str, expected: Expect) {
    let program = program(text);
    let instance = with_sizes(&program, 2);
    let reduced = explore(&program, &instance, Mode::Reduced, &Limits::default());
    let naive = explore(&program, &instance, Mode::Naive, &Limits::default());
    assert_eq!(told(&program, &instance, &naive), told(&program, &instance, &reduced), "naive and reduced");
    expected.assert_eq(&told(&program, &instance, &reduced));
}

fn program(text: &str) -> Program {
    let checked = check_text(text);
    checked.program.unwrap_or_else(|| panic!("{:#?}", checked.diagnostics))
}

fn with_sizes(program: &Program, size: u32) -> Instance {
    instance(program, &vec![size; program.sets.len()], &[], &Domains::of(program)).unwrap()
}

/// Without traces, and sorted, so that both searches tell the same.
fn told(program: &Program, instance: &Instance, outcome: &Outcome) -> String {
    let names = Names { program, instance };
    let mut lines = Vec::new();
    for end in &outcome.finals {
        let mut parts = Vec::new();
        for pid in instance.pids() {
            let vars = instance.actor(pid).process.map(|process| &program.process(process).code.vars[..]).unwrap_or_default();
            let vars = vars.iter().filter(|var| !var.is_ghost);
            let values = vars.zip(&end[pid.index()]).map(|(var, value)| format!("{}={}", var.name, names.value(value)));
            parts.extend(values.map(|value| format!("{}.{value}", names.pid(pid))));
        }
        lines.push(format!("end {}", parts.join(" ")).trim_end().to_owned());
    }
    for deadlock in &outcome.deadlocks {
        let waiting = deadlock.waiting.iter().map(|(pid, _)| names.pid(*pid)).collect::<Vec<_>>();
        lines.push(format!("deadlock of {}", waiting.join(", ")));
    }
    for orphan in &outcome.orphans {
        let channels = orphan.channels.iter();
        let channels = channels.map(|at| format!("{} to {}", program.message(at.message).name, names.pid(at.to)));
        lines.push(format!("orphan {}", channels.collect::<Vec<_>>().join(", ")));
    }
    for failed in &outcome.failures {
        let who = failed.who.as_ref().map_or_else(|| "the end".to_owned(), |who| names.who(who));
        lines.push(format!("{who}: {}", names.failure(&failed.failure)));
    }
    lines.extend(outcome.limits.iter().map(|limit| format!("limit {limit:?}")));
    lines.sort();
    lines.dedup();
    lines.into_iter().map(|line| line + "\n").collect()
}

#[test]
fn messages_of_one_type_keep_their_order_and_of_two_do_not() {
    check(
        "message M(n: int); message N;
         process a { send M(1) to b; send M(2) to b; send N to b; }
         process b { var x, y: int; recv N from a; recv M(x) from a; recv M(y) from any; }",
        expect![[r#"
            end b.x=1 b.y=2
        "#]],
    );
}

#[test]
fn members_come_in_any_order() {
    check(
        "set S; message M(c: S);
         process a { var first, second: S; recv M(first) from S; recv M(second) from S; }
         process c in S { send M(c) to a; }",
        expect![[r#"
            end a.first=c[0] a.second=c[1]
            end a.first=c[1] a.second=c[0]
        "#]],
    );
}

#[test]
fn foreach_serves_whoever_has_written() {
    check(
        "set S; message M(c: S);
         process a { var last: S; foreach c in S { recv M(last) from c; } }
         process c in S { send M(c) to a; }",
        expect![[r#"
            end a.last=c[0]
            end a.last=c[1]
        "#]],
    );
}

#[test]
fn two_servers_that_commit_with_for_block_each_other_and_with_foreach_do_not() {
    let text = |loop_word: &str| {
        format!(
            "set S; set C; message Write; message Receipt;
             process c in C {{ for s in S {{ send Write to s; recv Receipt from s; }} }}
             process s in S {{ {loop_word} c in C {{ recv Write from c; send Receipt to c; }} }}"
        )
    };
    check(
        &text("for"),
        expect![[r#"
        deadlock of c[0], c[1], s[0], s[1]
        end
    "#]],
    );
    check(
        &text("foreach"),
        expect![[r#"
        end
    "#]],
    );
}

#[test]
fn a_message_that_was_given_up_is_thrown_away_when_it_comes() {
    check(
        "message M(n: int);
         process a { send M(1) to b; send M(2) to b; }
         process b { var x: int; var gave_up: bool; recv M(x) from a timeout { gave_up = true; } recv M(x) from a; }",
        expect![[r#"
            end b.x=2 b.gave_up=false
            end b.x=2 b.gave_up=true
        "#]],
    );
}

#[test]
fn one_of_the_messages_of_a_choice_is_given_up() {
    check(
        "message M; message N;
         process a { send M to b; send N to b; }
         process b { var x: int; recv { case M from a: { x = 1; } case N from a: { x = 2; } timeout: { x = 3; } } }",
        expect![[r#"
            end b.x=1
            end b.x=2
            end b.x=3
            orphan M to b
            orphan N to b
        "#]],
    );
}

#[test]
fn messages_belong_to_their_round() {
    check(
        "message M(n: int);
         process a { rounds 2 as r { send M(r) to b; } }
         process b {
           var seen: map[int, int];
           rounds 2 as r { seen[r] = 7; recv M(seen[r]) from a timeout { skip; } }
         }",
        expect![[r#"
            end b.seen=[0: 7, 1: 1, others: 0]
            end b.seen=[0: 7, 1: 7, others: 0]
            end b.seen=[1: 1, others: 0]
            end b.seen=[1: 7, others: 0]
        "#]],
    );
}

#[test]
fn idle_processes_end_a_run_and_others_that_wait_do_not() {
    check(
        "message M; process a { while (true) { recv M from any; } }",
        expect![[r#"
        end
    "#]],
    );
    check(
        "message M; process a { while (true) { send M to b; recv M from b; } } process b { recv M from a; }",
        expect![[r#"
        deadlock of a
    "#]],
    );
}

#[test]
fn a_process_that_runs_for_ever_does_not_hide_what_others_do() {
    check(
        "process a { while (true) { skip; } } process b { fail \"reached\"; }",
        expect![[r#"
        b: `fail` is reached: reached
    "#]],
    );
}

#[test]
fn what_fails() {
    check(
        "process a { var x, y: int; x = 1 / y; } process b { var x, y: int; x = 1 % y; }",
        expect![[r#"
        a: a division by zero
        b: a division by zero
    "#]],
    );
    check(
        "message M; process a { var p: pid; send M to p; } process b { var p: pid; recv M from p; }",
        expect![[r#"
        a: a process is used before one was stored: the variable holds nobody
        b: a process is used before one was stored: the variable holds nobody
    "#]],
    );
    check(
        "set S; process a { var p: S; pick p in S - S; }",
        expect![[r#"
        a: there is nothing to pick: the set is empty
    "#]],
    );
    check(
        "process a { var x: int; x = 1; assert x == 2, \"why\"; }",
        expect![[r#"
        a: the assertion is false: why
    "#]],
    );
    check(
        "process a { var x: int; if (*) { x = 1; } } ensures zero: a.x == 0;",
        expect![[r#"
        end a.x=0
        end a.x=1
        the end: `ensures zero` does not hold
    "#]],
    );
}

#[test]
fn a_false_assume_ends_a_run_that_does_not_count() {
    check(
        "process a { var x: bool; havoc x; assume x; } process b { var y: bool; }",
        expect![[r#"
        end a.x=true b.y=false
    "#]],
    );
}

#[test]
fn havoc_takes_every_value_nobody_included() {
    check(
        "set S; enum E { A, B(yes: bool) } process a { var e: E; havoc e; } process c in S { }",
        expect![[r#"
        end a.e=A
        end a.e=B(false)
        end a.e=B(true)
    "#]],
    );
    check(
        "set S; process a { var p: S; havoc p; } process c in S { }",
        expect![[r#"
        end a.p=c[0]
        end a.p=c[1]
        end a.p=nobody
    "#]],
    );
}

#[test]
fn numbers_that_are_too_large_are_no_result() {
    let program = program("process a { var x: int = 2; repeat 10 { x = x * x; } }");
    let outcome = explore(&program, &with_sizes(&program, 0), Mode::Reduced, &Limits::default());
    assert!(matches!(outcome.limits[..], [Limit::Trouble(Some(_), crate::run::eval::Trouble::TooLarge)]), "{:?}", outcome.limits);
    assert!(outcome.finals.is_empty() && outcome.failures.is_empty() && outcome.deadlocks.is_empty());
}

#[test]
fn division_rounds_towards_zero() {
    check(
        "process a { var q, r: int; q = -7 / 2; r = -7 % 2; }",
        expect![[r#"
        end a.q=-3 a.r=-1
    "#]],
    );
}

#[test]
fn members_in_parallel_take_turns_and_atomic_blocks_do_not() {
    let text = |body: &str| {
        format!(
            "set S; process a {{ var x: int; }} process c in S {{ var mine: int; }}
             sequential {{ parallel c in S {{ {body} }} }}"
        )
    };
    check(
        &text("c.mine = a.x; a.x = c.mine + 1;"),
        expect![[r#"
        end a.x=1 c[0].mine=0 c[1].mine=0
        end a.x=2 c[0].mine=0 c[1].mine=1
        end a.x=2 c[0].mine=1 c[1].mine=0
    "#]],
    );
    check(
        &text("atomic { c.mine = a.x; a.x = c.mine + 1; }"),
        expect![[r#"
        end a.x=2 c[0].mine=0 c[1].mine=1
        end a.x=2 c[0].mine=1 c[1].mine=0
    "#]],
    );
}

#[test]
fn the_sequential_block_runs_before_the_processes() {
    check(
        "process a { var x: int; x = x * 2; } sequential { a.x = 5; }",
        expect![[r#"
        end a.x=10
    "#]],
    );
}

#[test]
fn invariants_hold_between_the_steps_of_the_sequential_block() {
    let text = |body: &str| format!("process a {{ var x, y: int; }} sequential {{ {body} }} invariant same: a.x == a.y;");
    check(
        &text("a.x = 1; a.y = 1;"),
        expect![[r#"
        sequential: `invariant same` does not hold
    "#]],
    );
    check(
        &text("atomic { a.x = 1; a.y = 1; }"),
        expect![[r#"
        end a.x=1 a.y=1
    "#]],
    );
}

#[test]
fn a_trace_is_told_in_words_and_replays() {
    let program = program(
        "set S; message Ping(who: pid); message Pong;
         process b { var who: pid; recv Ping(who) from S; send Pong to who; recv Ping(who) from S; }
         process c in S { send Ping(c) to b; recv Pong from b; }",
    );
    let instance = with_sizes(&program, 2);
    let outcome = explore(&program, &instance, Mode::Reduced, &Limits::default());
    let trace = &outcome.deadlocks[0].trace;
    let lines = render_trace(&program, &instance, trace).into_iter().map(|line| line.text + "\n").collect::<String>();
    expect![[r#"
        c[0] sends Ping(c[0]) to b
        c[1] sends Ping(c[1]) to b
        b receives Ping(c[0]) from c[0]
        b sends Pong to c[0]
        b receives Ping(c[1]) from c[1]
        c[0] receives Pong from b
    "#]]
    .assert_eq(&lines);
    assert!(replay(&program, &instance, trace).is_ok());
    let mut wrong = trace.clone();
    wrong.remove(0);
    assert!(replay(&program, &instance, &wrong).is_err());
}

#[test]
fn a_seed_is_a_run() {
    let program = program(
        "set S; message M(n: int);
         process a { var x: int; for _ in S { recv M(x) from any; } }
         process c in S { var n: int; havoc n; assume n > 0; send M(n) to a; }",
    );
    let instance = with_sizes(&program, 2);
    let told = |seed| {
        let (lines, end) = transcript(&program, &instance, &random_run(&program, &instance, seed, 100));
        lines.into_iter().map(|line| line.text + "\n").collect::<String>() + &end
    };
    expect![[r#"
        c[0] chooses 1 for n
        c[1] chooses 2 for n
        c[1] sends M(2) to a
        c[0] sends M(1) to a
        a receives M(1) from c[0]
        a receives M(2) from c[1]
        the run ends"#]]
    .assert_eq(&told(2));
    assert_eq!(told(2), told(2));
    assert!((0..20).any(|seed| told(seed) != told(2)));
}

#[test]
fn limits_are_told() {
    let program = program("message M; process a { while (true) { send M to b; } } process b { }");
    let limits = Limits { states: 50, ..Limits::default() };
    let outcome = explore(&program, &with_sizes(&program, 0), Mode::Naive, &limits);
    assert_eq!(outcome.limits, [Limit::States(50)]);
    let limits = Limits { cancel: Some(std::sync::Arc::new(true.into())), ..Limits::default() };
    let outcome = explore(&program, &with_sizes(&program, 0), Mode::Reduced, &limits);
    assert_eq!(outcome.limits, [Limit::Cancelled]);
    let within = |bounds| explore_within(&program, &with_sizes(&program, 0), Mode::Reduced, &Limits::default(), bounds);
    let outcome = within(Bounds { messages: 5, ..Bounds::default() });
    assert_eq!((outcome.limits, outcome.states), (vec![Limit::Messages(5)], 12));
    let outcome = within(Bounds { work: 1_000, ..Bounds::default() });
    assert_eq!(outcome.limits, [Limit::Work(1_000)]);
    assert!(outcome.states < 200, "large states count for more than one: {}", outcome.states);
}

#[test]
fn deep_programs_run() {
    let depth = 2000;
    let mut text = "process a { var x: int; x = ".to_owned();
    text.push_str(&"(1 + ".repeat(depth));
    text.push('0');
    text.push_str(&")".repeat(depth));
    text.push_str("; ");
    text.push_str(&"if (x > 0) { ".repeat(depth));
    text.push_str("x = 1;");
    text.push_str(&"}".repeat(depth));
    text.push('}');
    let program = program(&text);
    let outcome = explore(&program, &with_sizes(&program, 0), Mode::Reduced, &Limits::default());
    assert_eq!(outcome.finals.len(), 1);
}
