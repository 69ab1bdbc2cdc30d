//! Bugs of small programs as findings, as an editor would underline them.

use std::sync::atomic::AtomicBool;

use expect_test::{Expect, expect};
use lockstep_base::Text;
use lockstep_explore::{Observer, Options};
use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_runtime::{Options as Lowering, Place, Program, lower};
use lockstep_syntax::{Language, Parse};

use super::{Finding, findings};
use crate::{Exploring, MINIMIZING, Test, explore_test, places};

fn program(text: &str) -> Program {
    let db = Database::default();
    let file = SourceFile::open(&db, "test.p", Parse::new(Language::P, text));
    let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
    lower(&db, project, &project_tests(&db, project)[0], &Lowering::default()).expect("the program has no errors")
}

fn found(text: &str) -> (Program, Vec<Finding>) {
    let test = Test::plain("test".to_owned(), program(text));
    let texts = |_: &str| Some(Text::from(text));
    let exploring = Exploring { options: Options::default(), minimizing: MINIMIZING, paths: Vec::new(), counts_schedules: false };
    let mut observer = Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} };
    let (judged, _) = explore_test(&test, &texts, &exploring, &mut observer);
    let findings = findings(&test, &texts, judged.bug.as_ref().expect("there is a bug"));
    (test.program, findings)
}

fn shown(text: &str, places: &[Place], findings: &[Finding]) -> String {
    let at = |number: u32| {
        let range = places[number as usize].range;
        let line = 1 + text[..usize::from(range.start())].matches('\n').count();
        let first = text[usize::from(range.start())..usize::from(range.end())].lines().next().unwrap_or_default();
        format!("{line}: {first}")
    };
    let mut out = String::new();
    for finding in findings {
        out += &format!("{}\n    {} {}\n    {}\n", at(finding.place), finding.code, finding.message, finding.help);
        finding.notes.iter().for_each(|note| out += &format!("    - {} <- {}\n", at(note.place), note.message));
    }
    out
}

fn check(text: &str, expected: &Expect) {
    let (program, findings) = found(text);
    expected.assert_eq(&shown(text, &places(&program), &findings));
}

#[test]
fn an_assertion_with_its_values() {
    check(
        "event eAdd: (by: int);
machine Sum {
    var total: int;
    start state Adding {
        entry {
            send this, eAdd, (by = 3,);
        }
        on eAdd do (add: (by: int)) {
            var limit: int;
            limit = 2;
            total = total + add.by;
            assert total <= limit, format(\"total {0}\", total);
        }
    }
}
test tcSum [main=Sum]: { Sum };
",
        &expect![[r#"
            12: assert total <= limit, format("total {0}", total);
                LS3001 this assertion does not hold: total 3 (total = 3, limit = 2)
                `Sum(1)` in state `Adding`, test `tcSum`
                - 6: send this, eAdd, (by = 3,); <- `Sum(1)` sends `eAdd` here, which leads to it
        "#]],
    );
}

#[test]
fn a_spec_that_sees_too_much() {
    check(
        "event eDone;
spec Once observes eDone {
    var seen: bool;
    start state Watching {
        on eDone do {
            assert !seen;
            seen = true;
        }
    }
}
machine Worker {
    start state Working {
        entry {
            send this, eDone;
            send this, eDone;
        }
        ignore eDone;
    }
}
test tcOnce [main=Worker]: assert Once in { Worker };
",
        &expect![[r#"
            6: assert !seen;
                LS3001 this assertion does not hold (seen = true)
                `Once` in state `Watching`, test `tcOnce`
                - 15: send this, eDone; <- `Worker(1)` sends `eDone` here, which the spec sees
        "#]],
    );
}

#[test]
fn receives_that_wait_for_each_other() {
    check(
        "event eGo: machine;
event eLeft;
event eRight;
machine Left {
    start state S {
        entry {
            var right: machine;
            right = new Right();
            send right, eGo, this;
            receive {
                case eRight: { }
            }
            send right, eLeft;
        }
    }
}
machine Right {
    start state S {
        on eGo do (left: machine) {
            receive {
                case eLeft: { }
                case eGo: (other: machine) { }
            }
            send left, eRight;
        }
    }
}
test tcBoth [main=Left]: { Left, Right };
",
        &expect![[r#"
            10: receive {
                LS3003 deadlock: `Left(1)` waits for `eRight` here, and nobody can send that any more
                test `tcBoth`
                - 20: receive { <- `Right(1.1)` waits for `eLeft` or `eGo`
            20: receive {
                LS3003 deadlock: `Right(1.1)` waits for `eLeft` or `eGo` here, and nobody can send that any more
                test `tcBoth`
                - 10: receive { <- `Left(1)` waits for `eRight`
        "#]],
    );
}

#[test]
fn a_state_that_stays_hot() {
    check(
        "event ePing;
event eDone;
spec Ends observes ePing, eDone {
    start cold state Idle {
        on ePing goto Waiting;
    }
    hot state Waiting {
        on eDone goto Idle;
        ignore ePing;
    }
}
machine Pinger {
    start state S {
        entry {
            send this, ePing;
        }
        on ePing do {
            send this, ePing;
        }
    }
}
test tcHot [main=Pinger]: assert Ends in { Pinger };
",
        &expect![[r#"
            7: Waiting
                LS3004 the run can repeat itself for ever without leaving the hot state: what must happen never does
                `Ends` in state `Waiting`, test `tcHot`
                - 18: send this, ePing; <- `Pinger(1)` sends `ePing` again and again
        "#]],
    );
}

#[test]
fn an_event_that_nobody_wants() {
    check(
        "event eHello;
machine Host {
    start state Open {
        entry {
            send new Guest(), eHello;
        }
    }
}
machine Guest {
    start state Sleeping {
    }
}
test tcHello [main=Host]: { Host, Guest };
",
        &expect![[r#"
            10: Sleeping
                LS3002 `eHello` arrives, and state `Sleeping` neither handles, defers nor ignores it
                `Guest(1.1)` in state `Sleeping`, test `tcHello`
                - 5: send new Guest(), eHello; <- `Host(1)` sends it here
            5: send new Guest(), eHello;
                LS3002 `eHello` arrives at `Guest(1.1)` in state `Sleeping`, which neither handles, defers nor ignores it
                `Guest(1.1)` in state `Sleeping`, test `tcHello`
                - 10: Sleeping <- state `Sleeping` has no handler for it
        "#]],
    );
}

/// The same program elsewhere in its text: the same numbers lead to the same places.
#[test]
fn findings_move_with_their_text() {
    let text = "event eA;\nmachine M {\n    start state S {\n        entry { raise eA; }\n    }\n}\ntest tc [main=M]: { M };\n";
    let moved = text.replace("entry {", "// Why.\n        entry /* where */ {").replace("event eA", "\n\nevent eA");
    let (before, findings) = found(text);
    let after = program(&moved);
    assert_eq!(before.fingerprint(), after.fingerprint());
    let without_lines =
        |text: &str| text.lines().map(|line| line.split_once(": ").map_or(line, |(_, rest)| rest).to_owned()).collect::<Vec<_>>();
    let shown_before = shown(text, &places(&before), &findings);
    assert!(shown_before.starts_with("3: S\n"), "{shown_before}");
    let shown_after = shown(&moved, &places(&after), &findings);
    assert!(shown_after.starts_with("5: S\n"), "{shown_after}");
    assert_eq!(without_lines(&shown_before), without_lines(&shown_after));
}
