//! Certificates made by hand, which the rewriter does not find: they were accepted once, and are wrong.

use super::resolved;
use crate::certify::certify;
use crate::rewrite::Step;

/// Why the steps are rejected.
fn rejected(text: &str, steps: &str) -> String {
    let steps: Vec<Step> = serde_json::from_str(steps).expect("steps");
    certify(&resolved(text), &steps).expect_err("a wrong certificate").reason
}

/// The pid is read after the loop, though what follows the `break` in its block would overwrite it.
#[test]
fn a_break_leads_past_what_overwrites() {
    let text = "
        set S;
        message Hey(S);
        message Fwd(S);
        message T;
        message Ans(int);
        process p { var w: S; for _ in S { recv Fwd(w) from q; send Ans(1) to w; } }
        process c in S {
          var x, y: int;
          send Hey(c) to q;
          recv Ans(x) from any;
          assert x == 1;
          recv Ans(y) from any;
        }
        process q { var who: S;
          for _ in S {
            recv Hey(who) from S;
            send Fwd(who) to p;
            while (true) {
              recv T from r;
              if (true) { break; }
              recv Hey(who) from S;
            }
            send Ans(2) to who;
          }
        }
        process r { for _ in S { send T to q; } }
    ";
    let steps = r#"[
        {"rule": "loop", "drivers": [{"one": 0}, {"one": 2}, {"one": 3}], "focus": {"focus": 0}, "steps": [
            {"rule": "send", "who": {"focus": 0}},
            {"rule": "receive", "who": {"one": 2}, "case": 0, "from": {"focus": 0}},
            {"rule": "send", "who": {"one": 2}},
            {"rule": "receive", "who": {"one": 0}, "case": 0, "from": {"one": 2}},
            {"rule": "send", "who": {"one": 0}},
            {"rule": "enter", "who": {"one": 2}},
            {"rule": "receive", "who": {"focus": 0}, "case": 0, "from": {"one": 0}},
            {"rule": "local", "who": {"focus": 0}},
            {"rule": "send", "who": {"one": 3}},
            {"rule": "receive", "who": {"one": 2}, "case": 0, "from": {"one": 3}},
            {"rule": "enter", "who": {"one": 2}},
            {"rule": "enter", "who": {"one": 2}},
            {"rule": "send", "who": {"one": 2}},
            {"rule": "receive", "who": {"focus": 0}, "case": 0, "from": {"one": 2}}
        ]}
    ]"#;
    assert_eq!(rejected(text, steps), "member 0 `c` could receive a message of `q` first");
}

/// A `foreach` over a set without members does not wait.
#[test]
fn an_empty_set_holds_nobody_up() {
    let text = "
        set S;
        message A(int); message Go; message M;
        process p { var x, y: int; recv A(x) from any; assert x == 1; for c in S { send Go to c; } recv A(y) from any; }
        process q { foreach c in S { recv M from c; } send A(2) to p; }
        process t { send A(1) to p; }
        process c in S { recv Go from p; send M to q; }
    ";
    let steps = r#"[
        {"rule": "send", "who": {"one": 2}},
        {"rule": "receive", "who": {"one": 0}, "case": 0, "from": {"one": 2}},
        {"rule": "local", "who": {"one": 0}},
        {"rule": "loop", "drivers": [{"one": 0}], "focus": {"focus": 0}, "steps": [
            {"rule": "send", "who": {"one": 0}},
            {"rule": "receive", "who": {"focus": 0}, "case": 0, "from": {"one": 0}}
        ]},
        {"rule": "loop", "drivers": [{"one": 1}], "focus": {"focus": 1}, "steps": [
            {"rule": "send", "who": {"focus": 1}},
            {"rule": "receive", "who": {"one": 1}, "case": 0, "from": {"focus": 1}}
        ]},
        {"rule": "send", "who": {"one": 1}},
        {"rule": "receive", "who": {"one": 0}, "case": 0, "from": {"one": 1}}
    ]"#;
    assert_eq!(rejected(text, steps), "`p` could receive a message of `q` first");
}

/// What was sent before does not answer what is asked now.
#[test]
fn an_old_message_is_no_answer() {
    let text = "
        set C; set N;
        message A; message W;
        process n in N { var last: C; for c in C { send W to c; } foreach c in C { recv A from c; last = c; } }
        process c in C { var fst: N; var some: bool; for n in N { if (!some) { fst = n; some = true; } send A to n; recv W from n; } }
    ";
    let steps = r#"[
        {"rule": "parallel", "set": 1, "focus": {"focus": 0}, "steps": [
            {"rule": "loop", "drivers": [{"focus": 0}], "focus": {"focus": 1}, "steps": [
                {"rule": "send", "who": {"focus": 0}}
            ]}
        ]},
        {"rule": "parallel", "set": 0, "focus": {"focus": 2}, "steps": [
            {"rule": "loop", "drivers": [{"focus": 2}], "focus": {"focus": 3}, "steps": [
                {"rule": "local", "who": {"focus": 2}},
                {"rule": "send", "who": {"focus": 2}},
                {"rule": "serve", "who": {"focus": 3}, "focus": {"focus": 2}},
                {"rule": "receive", "who": {"focus": 3}, "case": 0, "from": {"focus": 2}},
                {"rule": "local", "who": {"focus": 3}},
                {"rule": "receive", "who": {"focus": 2}, "case": 0, "from": {"focus": 3}}
            ]}
        ]}
    ]"#;
    assert_eq!(rejected(text, steps), "the member goes on before it is answered, and is served in another order than it asks");
}
