//! One program for each reason why a program is not sequentializable. None of them has a run that goes wrong, so none is called a bug.

use expect_test::{Expect, expect};
use lockstep_base::Severity;
use lockstep_base::verdict::Verdict;

use super::{analysed, told};
use crate::analysis::{Budget, ReasonKind, analyse};
use crate::check::tests::check_text;

fn check(text: &str, kind: ReasonKind, expected: Expect) {
    let analysis = analysed(text);
    let expected_verdict = if kind == ReasonKind::Unsupported { Verdict::Unsupported } else { Verdict::Unknown };
    assert_eq!((analysis.reason, analysis.verdict), (Some(kind), expected_verdict), "{}", analysis.summary);
    assert!(analysis.bug.is_none() && analysis.summary.starts_with("not sequentializable: "), "{}", analysis.summary);
    assert!(analysis.findings.iter().all(|finding| finding.severity == Severity::Info && finding.help.is_some()));
    expected.assert_eq(&told(text));
}

#[test]
fn an_asymmetric_race() {
    check(
        "message Done; message Other;
         process a { recv Done from any; recv Done from any; recv Other from p; }
         process p { send Done to a; send Other to a; }
         process q { send Done to a; }
         process r { recv Done from s; }
         process s { send Done to r; }",
        ReasonKind::Race,
        expect![[r#"
            info LS2205 `recv Done from any;`: not sequentializable: asymmetric race: another message could be received here first, which made no difference in all that was tried
                at `send Done to a;`: this message could be received first
                at `send Done to a;`: this message could be received first
                help: receive from one process by name, or give the messages different types
        "#]],
    );
}

#[test]
fn an_orphan_send() {
    check(
        "message M;
         process a { repeat 2 { send M to b; } }
         process b { recv M from a; recv M from a; }",
        ReasonKind::OrphanSend,
        expect![[r#"
            info LS2205 `send M to b;`: not sequentializable: possible orphan send: `M` is not received in the turn it is sent in
                at `repeat 2 { `: `a` has come to here
                at `recv M from a;`: `b` waits for `M` from `a` here
                help: receive it in the same turn of the loop, on every way through it
        "#]],
    );
}

/// The same as a bug, once a run has shown it, is in `a_circle_of_waits`.
#[test]
fn a_deadlock_with_its_circle() {
    let program = check_text(
        "message M; message N; message O;
         process a { skip; recv M from b; send N to c; }
         process b { skip; recv O from any; send M to a; }
         process c { skip; recv N from a; send O to b; }
         process d { if (false) { send O to b; } }",
    );
    let analysis = analyse(&program.program.unwrap(), &Budget { states: 1, ..Budget::default() });
    assert_eq!((analysis.reason, analysis.verdict), (Some(ReasonKind::Deadlock), Verdict::Unknown));
    expect!["not sequentializable: possible deadlock: `a` waits for `M` from `b`, which waits for `O` from anybody; `c` waits for `N` from `a`; the search for bugs was given up (more than 1 states)"].assert_eq(&analysis.summary);
    let related: Vec<&str> = analysis.findings[0].related.iter().map(|related| &*related.message).collect();
    expect![[r#"
        `b` waits for `O` from anybody here
        `c` waits for `N` from `a` here"#]]
    .assert_eq(&related.join("\n"));
}

#[test]
fn two_partners_in_one_iteration() {
    check(
        "message M; message N;
         process a { repeat 2 { send M to b; recv N from b; send M to c; recv N from c; } }
         process b { recv M from a; send N to a; recv M from a; send N to a; }
         process c { recv M from a; send N to a; recv M from a; send N to a; }",
        ReasonKind::TwoPartners,
        expect![[r#"
            info LS2205 `recv M from a;`: not sequentializable: two partners in one iteration: `b` does not come back to where it was
                at `repeat 2 { `: `a` has come to here
                at `recv M from a;`: `b` waits for `M` from `a` here
                at `recv M from a;`: `c` waits for `M` from `a` here
                help: let every turn of the loop deal with one partner, from its first message to its last
        "#]],
    );
}

/// Who does not come back need not have met two others.
#[test]
fn one_partner_that_does_not_come_back() {
    check(
        "message M; message N;
         process a { repeat 2 { send M to b; recv N from b; } }
         process b { recv M from a; send N to a; recv M from a; send N to a; }",
        ReasonKind::NotDecided,
        expect![[r#"
            info LS2205 `recv M from a;`: not sequentializable: not decided: `b` does not come back to where it was
                at `repeat 2 { `: `a` has come to here
                at `recv M from a;`: `b` waits for `M` from `a` here
                help: let everybody end a turn of the loop where it began it, on every way; `lockstep sequentialize` shows how far it goes
        "#]],
    );
}

/// The rules may fail at one process or the other here, but a turn has one partner only.
#[test]
fn a_turn_with_one_member_that_may_not_answer() {
    let analysis = analysed(
        "set Stores; message Put; message Kept;
         process w { for s in Stores { send Put to s; recv Kept from s timeout { skip; } } }
         process s in Stores { recv Put from w; if (*) { send Kept to w; } }",
    );
    assert_eq!(analysis.verdict, Verdict::Unknown, "{}", analysis.summary);
    assert!(!analysis.summary.contains("two partners"), "{}", analysis.summary);
}

/// It is the member that waits, although the loop of the other is what the rules were tried on.
#[test]
fn the_one_who_waits_is_named() {
    let text = "set Nodes; message Beat;
         process m { rounds as r { for n in Nodes { if (*) { send Beat to n; } } } }
         process n in Nodes { rounds as r { recv Beat from m; } }";
    let analysis = analyse(&check_text(text).program.unwrap(), &Budget { states: 1, ..Budget::default() });
    assert_eq!(analysis.reason, Some(ReasonKind::Deadlock), "{}", analysis.summary);
    assert!(analysis.summary.contains("nobody is found who sends what `n` waits for"), "{}", analysis.summary);
}

/// The set that a receive names leaves the others out, so theirs are no messages that could be received there first.
#[test]
fn a_message_that_a_source_leaves_out() {
    check(
        "set Left; set Right; message Ask; message Grant; message Done;
         process s {
            var p: Left; var q: Right;
            for _ in Left { recv Ask from p in Left; send Grant to p; recv Done from p; }
            for _ in Right { recv Ask from q in Right; send Grant to q; recv Done from q; }
         }
         process l in Left { send Ask to s; recv Grant from s; send Done to s; }
         process r in Right { send Ask to s; recv Grant from s; send Done to s; }",
        ReasonKind::NotDecided,
        expect![[r#"
            info LS2205 `recv Ask from p in Left;`: not sequentializable: not decided: `Ask` from `r` can be under way, too, and the rules do not tell it from what is received here
                at `send Ask to s;`: this message is not received there
                at `for _ in Left { `: `s` has come to here
                at `recv Grant from s;`: `l` waits for `Grant` from `s` here
                at `recv Grant from s;`: `r` waits for `Grant` from `s` here
                help: give the messages of different senders different types
        "#]],
    );
}

#[test]
fn a_loop_carried_exit() {
    check(
        "message M(int);
         process a { var x: int; while (x < 2) { send M(x) to b; havoc x; } send M(7) to b; }
         process b { var y: int; while (y != 7) { recv M(y) from a; } }",
        ReasonKind::LoopExit,
        expect![[r#"
            info LS2205 `while (x < 2) { `: not sequentializable: loop-carried exit: how often this loop runs is decided inside of it
                at `while (y != 7) { `: loop-carried exit: how often this loop runs is decided inside of it
                at `recv M(y) from a;`: `b` waits for `M` from `a` here
                help: say how often with `repeat` or `for`, the same for those who take part
        "#]],
    );
}

#[test]
fn an_unsupported_construct() {
    check(
        "set Nodes; message M;
         process a { var some: set[Nodes]; for n in some { send M to n; } }
         process n in Nodes { while (true) { recv M from a; } }",
        ReasonKind::Unsupported,
        expect![[r#"
            info LS2205 `for n in some { `: not sequentializable: unsupported construct: a loop over a computed set
                at `while (true) { `: `n` has come to here
                help: `lockstep run --all` tries all runs of a given size
        "#]],
    );
}

#[test]
fn not_decided() {
    check(
        "message M;
         process a { var who: pid; if (*) { who = b; } else { who = c; } send M to who; }
         process b { while (true) { recv M from a; } }
         process c { while (true) { recv M from a; } }",
        ReasonKind::NotDecided,
        expect![[r#"
            info LS2205 `send M to who;`: not sequentializable: not decided: it is not known who is meant here
                at `while (true) { `: `b` has come to here
                at `while (true) { `: `c` has come to here
                help: name the process, or use the variable of a loop or a pid that was received
        "#]],
    );
}

/// Only some who send such a message are meant: those whose messages can come here.
#[test]
fn sends_to_others_have_no_part_in_a_race() {
    let text = "
        message M;
        process a { recv M from any; recv M from any; }
        process p { send M to a; }
        process q { send M to a; send M to r; }
        process r { recv M from q; }";
    let lines: Vec<String> = told(text).lines().filter(|line| line.contains("at `send")).map(str::to_owned).collect();
    assert_eq!(lines.len(), 2, "{}", told(text));
}

#[test]
fn a_source_that_is_computed() {
    check(
        "message M;
         process a { recv M from {p, q}; recv M from {p, q}; }
         process p { send M to a; }
         process q { send M to a; }",
        ReasonKind::NotDecided,
        expect![[r#"
            info LS2205 `recv M from {p, q};`: not sequentializable: not decided: it is not known who is in this set
                help: receive from one process, from a declared set, or from `any`
        "#]],
    );
}
