//! Specs see the order of sends of different machines, so no reduction may decide about it.
//!
//! The published reductions for P deliver messages of one sender in the order in which they were sent. In these programs `Main` tells `C`
//! first and `B` second, so they never see that `B` can be faster.

use lockstep_explore::{Bugs, Options, Order, Outcome, Reduction};
use lockstep_runtime::{Delivery, Settings};

use crate::{program, search};

/// Two machines are told to send something; `order` is how the main machine tells them, `spec` what is wanted. `c` and `b` are the
/// machines, which know the main machine as `peer`.
fn two_machines(order: &str, c: &str, b: &str, spec: &str) -> String {
    let machines: String =
        ["D", "E"].iter().filter(|name| c.contains(&format!("machine {name} "))).map(|name| format!(", {name}")).collect();
    let specs = if spec.contains("spec Other") { "Order, Other" } else { "Order" };
    format!(
        "event first; event second; event next; event x; event y;
machine Main {{ var c: machine; var b: machine; start state S {{ entry {{
    c = new C(this); b = new B(this);
    {order}
  }} ignore x, y; }} }}
machine C {{ var peer: machine; var e: event; {c}
machine B {{ var peer: machine; var e: event; {b}
{spec}
test tc [main=Main]: assert {specs} in {{ Main, C, B{machines} }};"
    )
}

/// Ways to send `EVENT` to `peer` when `TOLD` arrives. Behind the first line other machines can follow.
const SHAPES: [(&str, &str); 7] = [
    ("sent", "start state S { entry (m: machine) { peer = m; } on TOLD do { send peer, EVENT; } } }"),
    ("announced", "start state S { entry (m: machine) { peer = m; } on TOLD do { announce EVENT; } } }"),
    ("in a variable", "start state S { entry (m: machine) { peer = m; e = EVENT; } on TOLD do { send peer, e; } } }"),
    (
        "in a function",
        "start state S { entry (m: machine) { peer = m; } on TOLD do { tell(); } } fun tell() { send peer, EVENT; } }",
    ),
    (
        "when it leaves",
        "start state S { entry (m: machine) { peer = m; } on TOLD goto T; exit { send peer, EVENT; } } state T { } }",
    ),
    (
        "by a machine that is there",
        "var d: machine; start state S { entry (m: machine) { d = new D(m); } on TOLD do { send d, next; } } }
machine D { var peer: machine; start state S { entry (m: machine) { peer = m; } on next do { send peer, EVENT; } } }",
    ),
    (
        "by machines that are created",
        "start state S { entry (m: machine) { peer = m; } on TOLD do { new D(peer); } } }
machine D { start state S { entry (m: machine) { new E(m); } } }
machine E { start state S { entry (m: machine) { send m, EVENT; } } }",
    ),
];

const PLAIN: &str = SHAPES[0].1;

fn told(shape: &str, by: &str, event: &str) -> String {
    shape.replace("TOLD", by).replace("EVENT", event)
}

const ORDERS: [&str; 2] = ["send c, first; send b, second;", "send b, second; send c, first;"];

const X_FIRST: &str = "spec Order observes x, y { start state None { on x goto Seen; on y do { assert false, \"y is first\"; } }
  state Seen { ignore x, y; } }";
const Y_FIRST: &str = "spec Order observes x, y { start state None { on y goto Seen; on x do { assert false, \"x is first\"; } }
  state Seen { ignore x, y; } }";

#[test]
fn neither_order_is_left_out() {
    for order in ORDERS {
        for spec in [X_FIRST, Y_FIRST] {
            for (_, shape) in SHAPES {
                is_refuted(&two_machines(order, &told(shape, "first", "x"), &told(PLAIN, "second", "y"), spec));
            }
        }
    }
}

#[test]
fn each_of_two_specs_sees_both_orders() {
    // Each spec sees what `Main` and one of the two tell.
    let spec = "spec Order observes x, next { start state S { on x goto T; on next do { assert false, \"next before x\"; } } state T { ignore x, next; } }
spec Other observes y, next { start state S { on y goto T; on next do { assert false, \"next before y\"; } } state T { ignore y, next; } }";
    for order in ORDERS {
        let order = format!("{order} send this, x; announce next;");
        let text = two_machines(&order, &told(PLAIN, "first", "x"), &told(PLAIN, "second", "y"), spec);
        is_refuted(&text);
        is_refuted(&text.replace("assert false, \"next before x\";", ""));
    }
}

#[test]
fn a_spec_that_does_not_mind() {
    let spec = "spec Order observes x, y { var n: int; start state S { on x do { n = n + 1; assert n < 3; } on y do { n = n + 1; assert n < 3; } } }";
    for order in ORDERS {
        for (name, shape) in SHAPES {
            let text = two_machines(order, &told(shape, "first", "x"), &told(PLAIN, "second", "y"), spec);
            each(&text, |outcome, how| assert!(matches!(outcome, Outcome::Exhausted(_)), "{name} {how}: {outcome:?}\n{text}"));
        }
    }
}

#[test]
fn the_sender_can_be_two_machines_away() {
    let text = "event go; event rest; event pass; event x; event y;
machine Main { start state S { entry { var a: machine; a = new A(); send a, go; send a, rest; announce y; } } }
machine A { start state S { ignore rest; on go do { var b: machine; b = new B(); send b, pass; } } }
machine B { start state S { on pass do { announce x; } } }
spec Order observes x, y { start state None { on y goto Seen; on x do { assert false, \"x is first\"; } }
  state Seen { ignore x, y; } }
test tc [main=Main]: assert Order in { Main, A, B };";
    is_refuted(text);
}

#[test]
fn a_machine_created_later_can_tell() {
    let text = "event rest; event x; event y;
machine Main { start state S { entry { var a: machine; a = new A(); send a, rest; announce y; } } }
machine A { start state S { ignore rest; entry { var b: machine; b = new B(); } } }
machine B { start state S { entry { announce x; } } }
spec Order observes x, y { start state None { on y goto Seen; on x do { assert false, \"x is first\"; } }
  state Seen { ignore x, y; } }
test tc [main=Main]: assert Order in { Main, A, B };";
    is_refuted(text);
}

/// The bug is found with both deliveries, with and without a reduction, in each order.
fn is_refuted(text: &str) {
    each(text, |outcome, how| {
        let Outcome::Bug(bug) = outcome else { panic!("{how}: {outcome:?}\n{text}") };
        assert_eq!(bug.failure.fault.kind(), "assertion", "{text}");
    });
}

fn each(text: &str, check: impl Fn(&Outcome, &str)) {
    let program = program(text);
    for delivery in [Delivery::Inbox, Delivery::Network] {
        for reduction in [Reduction::NONE, Reduction::PARTIAL_ORDER] {
            for order in [Order::BreadthFirst, Order::DepthFirst] {
                let settings = Settings { delivery, ..Settings::default() };
                let report = search(&program, &Options { settings, reduction, order, bugs: Bugs::All, ..Options::default() });
                check(&report.outcome, &format!("{reduction:?} {delivery:?} {order:?}"));
            }
        }
    }
}
