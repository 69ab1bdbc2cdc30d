//! Changes that leave the meaning as it is, and what fixes make of the text.

use expect_test::{Expect, expect};
use lockstep_ide::p::actions;
use lockstep_program::{Purpose, file_diagnostics};

use super::{marked, project};
use crate::Opened;

/// The titles of all that is offered at the mark, and the text after the one whose title begins with `title`. It brings no finding.
fn check(text: &str, title: &str, expected: &Expect) {
    let (text, range) = marked(text);
    let opened = Opened::new(&project(Purpose::Checking, &text));
    let file = opened.files()[0];
    let offered = actions(&opened.db, file, range, &file_diagnostics(&opened.db, file));
    let mut shown: String = offered.iter().map(|action| format!("{}\n", action.title)).collect();
    let action = offered.iter().find(|action| action.title.starts_with(title));
    if let Some(action) = action {
        let after = opened.after(action, Purpose::Checking);
        shown += &format!("----\n{}", after.files[0].1);
        let (old, new) = (opened.counts(), Opened::new(&after).counts());
        let is_more = new.iter().any(|(code, count)| old.get(code).is_none_or(|before| before < count));
        assert!(!is_more, "{old:?} becomes {new:?}:\n{shown}");
    }
    expected.assert_eq(&shown);
}

const SERVER: &str = "\
event ePing: int;
event ePong;

machine Server {
    var total: int;

    start state Idle {
        on ePing do $0(n: int) {
            total = total + n;
            print format(\"{0}\", total);
        }
        on ePong goto Done;
    }

    state Done {
        ignore ePong;
    }
}
";

#[test]
fn a_block_becomes_a_function() {
    check(
        SERVER,
        "make it",
        &expect![[r#"
        make it a function `OnPing`
        ----
        event ePing: int;
        event ePong;

        machine Server {
            var total: int;

            start state Idle {
                on ePing do OnPing;
                on ePong goto Done;
            }

            state Done {
                ignore ePong;
            }

            fun OnPing(n: int) {
                total = total + n;
                print format("{0}", total);
            }
        }
    "#]],
    );
}

#[test]
fn a_function_comes_back() {
    let text = "\
event ePing: int;

machine Server {
    start state Idle {
        on ePing do $0Show;
    }

    fun Show(n: int) {
        print format(\"{0}\", n);
    }
}
";
    check(
        text,
        "put the code",
        &expect![[r#"
        put the code of `Show` here
        ----
        event ePing: int;

        machine Server {
            start state Idle {
                on ePing do (n: int) {
                    print format("{0}", n);
                }
            }
        }
    "#]],
    );
}

#[test]
fn a_function_that_others_call_stays() {
    let text = "\
event ePing: int;

machine Server {
    start state Idle {
        entry { Show(1); }
        on ePing do $0Show;
    }

    fun Show(n: int) { print format(\"{0}\", n); }
}
";
    check(
        text,
        "call",
        &expect![[r#"
        call `Show` in a block
        ----
        event ePing: int;

        machine Server {
            start state Idle {
                entry { Show(1); }
                on ePing do (n: int) { Show(n); }
            }

            fun Show(n: int) { print format("{0}", n); }
        }
    "#]],
    );
}

#[test]
fn a_state_says_more() {
    let text = SERVER.replace("$0", "").replace("state Done", "state $0Done");
    check(
        &text,
        "ignore",
        &expect![[r#"
        add a handler for `ePing` to state `Done`
        ignore `ePing` in state `Done`
        defer `ePing` in state `Done`
        ----
        event ePing: int;
        event ePong;

        machine Server {
            var total: int;

            start state Idle {
                on ePing do (n: int) {
                    total = total + n;
                    print format("{0}", total);
                }
                on ePong goto Done;
            }

            state Done {
                ignore ePong;
                ignore ePing;
            }
        }
    "#]],
    );
}

#[test]
fn statements_become_a_function() {
    let text = "\
fun sum(all: seq[int]): int {
    var i, total: int;
    var scale: int;
    scale = 2;
    $0foreach (i in all) {
        total = total + i * scale;
    }
    print \"done\";$0
    return total;
}
";
    check(
        text,
        "extract",
        &expect![[r#"
        extract function `extracted`
        ----
        fun sum(all: seq[int]): int {
            var total: int;
            var scale: int;
            scale = 2;
            total = extracted(all, total, scale);
            return total;
        }

        fun extracted(all: seq[int], total: int, scale: int): int {
            var i: int;
            foreach (i in all) {
                total = total + i * scale;
            }
            print "done";
            return total;
        }
    "#]],
    );
}

#[test]
fn statements_of_a_machine_become_a_function() {
    let text = "\
event ePing: int;

machine Server {
    var total: int;

    start state Idle {
        on ePing do (n: int) {
            $0total = total + n;
            print format(\"{0}\", total);$0
        }
    }
}
";
    check(
        text,
        "extract",
        &expect![[r#"
        extract function `Extracted`
        ----
        event ePing: int;

        machine Server {
            var total: int;

            start state Idle {
                on ePing do (n: int) {
                    Extracted(n);
                }
            }

            fun Extracted(n: int) {
                total = total + n;
                print format("{0}", total);
            }
        }
    "#]],
    );
}

#[test]
fn two_results_are_too_many() {
    let text = "\
fun f(n: int): int {
    var a, b: int;
    $0a = n;
    b = n + 1;$0
    return a + b;
}
";
    check(text, "extract", &expect![[""]]);
}

#[test]
fn a_return_stays_where_it_is() {
    check("fun f(n: int): int {\n    $0return n;$0\n}\n", "extract", &expect![[""]]);
}

#[test]
fn a_variable_gives_way_to_its_value() {
    let text = "\
fun f(n: int): int {
    var twice: int;
    $0twice = n + n;
    return twice * 3;
}
";
    check(
        text,
        "inline",
        &expect![[r#"
        inline variable `twice`
        ----
        fun f(n: int): int {
            return (n + n) * 3;
        }
    "#]],
    );
}

#[test]
fn a_value_that_changes_is_kept() {
    let text = "\
fun f(n: int): int {
    var before: int;
    $0before = n;
    n = n + 1;
    return before * n;
}
";
    check(text, "inline", &expect![[""]]);
}

#[test]
fn a_choice_is_made_once() {
    check("fun f(): int {\n    var a: int;\n    $0a = choose(3);\n    return a + a;\n}\n", "inline", &expect![[""]]);
}

#[test]
fn a_warning_is_switched_off() {
    check(
        "fun f(n: int): int {\n    var $0half: int;\n    return n;\n}\n",
        "switch",
        &expect![[r#"
        remove the variable
        switch LS1101 off in this line
        ----
        fun f(n: int): int {
            // lockstep: allow(LS1101) because it is meant like this
            var half: int;
            return n;
        }
    "#]],
    );
}

#[test]
fn an_event_is_created_behind_others() {
    let text = "\
event ePing;

machine Server {
    start state Idle {
        entry { send this, ePing; }
        on ePing do { send this, $0eNumber, 1; }
        ignore eNumber;
    }
}
";
    check(
        text,
        "create",
        &expect![[r#"
        create event `eNumber`
        ----
        event ePing;
        event eNumber: int;

        machine Server {
            start state Idle {
                entry { send this, ePing; }
                on ePing do { send this, eNumber, 1; }
                ignore eNumber;
            }
        }
    "#]],
    );
}

#[test]
fn nothing_in_broken_text() {
    let text = "\
event ePing;

machine Server {
    var $0unused: int;
    start state Idle {
        on ePing do {
            print \"a\"
        }
    }
}
";
    check(text, "remove", &expect![[""]]);
}
