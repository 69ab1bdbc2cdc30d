//! A program for each rule of the reduction, one that fails only in an order that would be left out without the rule.

use lockstep_explore::{Bugs, Keeping, Liveness, Options, Order, Reduction};
use lockstep_runtime::{Delivery, Failure, Settings, naive};

use crate::{program, search};

/// Where `A` waits before it sends: it has something else to do first that nobody minds.
const BUSY: &str = "w = new W(); send w, rest;";

/// `A` and `B` both send to `X`, which wants to hear from `A` first. `known` is how `B` is told of `X`, `b` what it does.
fn race(known: &str, b: &str) -> String {
    format!(
        "event rest; event mine; event yours; event go; event seen; event peer: machine; event pair: (machine, int); event named: (who: machine);
event many: seq[machine]; event crowd: set[machine]; event keys_: map[machine, int]; event book: map[int, seq[machine]]; event any_: any;
machine Main {{ start state S {{ entry {{
  var x: machine; var b: machine; var s: set[machine]; var q: seq[machine]; var k: map[machine, int]; var m: map[int, seq[machine]];
  x = new X(); q += (0, x); s += (x); k[x] = 1; m[0] = q;
  new A(x); {known}
}} }} }}
machine W {{ start state S {{ ignore rest; }} }}
machine A {{ start state S {{ entry (x: machine) {{ var w: machine; {BUSY} send x, mine; }} }} }}
{b}
machine X {{ var first: bool; start state S {{ on mine do {{ first = true; }} on yours do {{ assert first, \"yours\"; }} }} }}"
    )
}

/// With a spec that sees `seen`, and does not mind.
fn observed(text: &str, machines: &str) -> String {
    format!(
        "{text}\nspec All observes seen {{ start state S {{ ignore seen; }} }}\ntest tc [main=Main]: assert All in {{ {machines} }};"
    )
}

fn plain(text: &str, machines: &str) -> String {
    format!("{text}\ntest tc [main=Main]: {{ {machines} }};")
}

#[test]
fn references_in_values() {
    let holders = [
        ("peer", "machine", "x", "v"),
        ("pair", "(machine, int)", "(x, 1)", "v.0"),
        ("named", "(who: machine)", "(who = x,)", "v.who"),
        ("many", "seq[machine]", "q", "v[0]"),
        ("crowd", "set[machine]", "s", "v[0]"),
        ("keys_", "map[machine, int]", "k", "keys(v)[0]"),
        ("book", "map[int, seq[machine]]", "m", "v[0][0]"),
        ("any_", "any", "(x, q)", "(v as (machine, seq[machine])).0"),
    ];
    for (event, ty, value, used) in holders {
        // In a variable of the machine, of a function, and in the queue.
        let b = format!(
            "machine B {{ var w: machine; var v: {ty}; start state S {{ entry (n: {ty}) {{ v = n; {BUSY} send {used}, yours; }} }} }}"
        );
        fails(&plain(&race(&format!("new B({value});"), &b), "Main, A, B, W, X"));
        let b = format!("machine B {{ var w: machine; start state S {{ entry (v: {ty}) {{ {BUSY} send {used}, yours; }} }} }}");
        fails(&plain(&race(&format!("new B({value});"), &b), "Main, A, B, W, X"));
        let b = format!(
            "machine B {{ var w: machine; start state S {{ entry {{ {BUSY} }} on {event} do (v: {ty}) {{ send {used}, yours; }} }} }}"
        );
        fails(&plain(&race(&format!("b = new B(); send b, {event}, {value};"), &b), "Main, A, B, W, X"));
    }
}

#[test]
fn references_on_their_way() {
    let c = "machine C { start state S { on peer do (v: machine) { send v, yours; } } }";
    // In a message that is about to be sent.
    let b = format!(
        "machine B {{ start state S {{ entry (v: machine) {{ var c: machine; c = new C(); send c, peer, v; }} }} }}\n{c}"
    );
    fails(&plain(&race("new B(x);", &b), "Main, A, B, C, W, X"));
    // In what a machine is created with; something is announced in the same step, so others can tell when it happens.
    let b = "machine B { start state S { entry (v: machine) { announce seen; new C(v); announce seen; } } }
machine C { start state S { entry (v: machine) { announce seen; send v, yours; } } }";
    fails(&observed(&race("new B(x);", b), "Main, A, B, C, W, X"));
    // In what is left to do after a transition: the entry of the next state.
    let b = format!(
        "machine B {{ var w: machine; start state S {{ on peer goto T with {{ {BUSY} }} }} state T {{ entry (v: machine) {{ send v, yours; }} }} }}"
    );
    fails(&plain(&race("b = new B(); send b, peer, x;", &b), "Main, A, B, W, X"));
    let b = format!(
        "machine B {{ var w: machine; start state S {{ exit {{ {BUSY} }} on peer goto T with (v: machine) {{ send v, yours; }} }} state T {{ }} }}"
    );
    fails(&plain(&race("b = new B(); send b, peer, x;", &b), "Main, A, B, W, X"));
    // In a function that waits for another one, and in one that receives.
    let b = format!(
        "machine B {{ var w: machine; start state S {{ entry (v: machine) {{ busy(); send v, yours; }} }} fun busy() {{ {BUSY} }} }}"
    );
    fails(&plain(&race("new B(x);", &b), "Main, A, B, W, X"));
    let b = "machine B { start state S { entry (v: machine) { receive { case go: { } } send v, yours; } } }
machine D { start state S { entry (b: machine) { var w: machine; w = new W(); send w, rest; send b, go; } } }";
    fails(&plain(&race("b = new B(x); new D(b);", b), "Main, A, B, D, W, X"));
}

#[test]
fn a_machine_that_tells_who_it_is() {
    // `X` has no reference to itself before it asks for one, and `A`, who has one, comes first.
    let text = format!(
        "event rest; event mine; event yours; event peer: machine;
machine Main {{ start state S {{ entry {{ var a: machine; a = new A(); send a, peer, new X(); }} }} }}
machine W {{ start state S {{ ignore rest; }} }}
machine A {{ start state S {{ on peer do (x: machine) {{ send x, mine; }} }} }}
machine C {{ start state S {{ on peer do (v: machine) {{ send v, yours; }} }} }}
machine X {{ var first: bool; start state S {{
  entry {{ var c: machine; var w: machine; c = new C(); {BUSY} send c, peer, this; }}
  on mine do {{ first = true; }} on yours do {{ assert first, \"yours\"; }} }} }}"
    );
    fails(&plain(&text, "Main, A, C, W, X"));
}

#[test]
fn a_machine_that_waits_can_be_woken() {
    let d = format!("machine D {{ var w: machine; start state S {{ entry (b: machine) {{ {BUSY} send b, go; }} }} }}");
    let b = format!(
        "machine B {{ start state S {{ entry (v: machine) {{ x = v; }} on go do {{ send x, yours; }} }} var x: machine; }}\n{d}"
    );
    fails(&plain(&race("b = new B(x); new D(b);", &b), "Main, A, B, D, W, X"));
    // What it defers does not count.
    let b = b.replace("entry (v: machine) { x = v; }", "entry (v: machine) { x = v; } defer rest;");
    fails(&plain(&race("b = new B(x); send b, rest; new D(b);", &b), "Main, A, B, D, W, X"));
}

#[test]
fn nothing_may_have_arrived() {
    let text = |null: &str, more: &str| {
        format!(
            "event m;
machine Main {{ start state S {{ entry {{ var x: machine; x = new X(); send x, m; }} }} }}
machine X {{ start state S {{ on m goto T; on null {null} }} state T {{ }} {more} }}
test tc [main=Main]: {{ Main, X }};"
        )
    };
    fails(&text("do { assert false, \"nothing\"; }", ""));
    fails(&text("goto U;", "state U { on m do { assert false, \"late\"; } }"));
    fails(&text("goto U;", "state U { defer m; }").replace("state T { }", "state T { entry { assert false, \"in time\"; } }"));
}

#[test]
fn a_machine_can_be_gone() {
    // The message is dropped if the machine has halted, and what is left to do depends on it.
    let text = "event m; event done;
machine Main { var x: machine; start state S { entry { x = new X(this); new Killer(x); send x, m; } on done do { assert false, \"done\"; } } }
machine Killer { start state S { entry (x: machine) { send x, halt; } } }
machine X { var boss: machine; start state S { entry (v: machine) { boss = v; } on m do { send boss, done; } } }
test tc [main=Main]: { Main, Killer, X };";
    fails(text);
    // It halts by itself, and its exit is run.
    let text = "event m; event done;
machine Main { var x: machine; start state S { entry { x = new X(this); send x, m; } on done do { assert false, \"done\"; } } }
machine X { var boss: machine; start state S { entry (v: machine) { boss = v; } on m do { raise halt; } exit { send boss, done; } } }
test tc [main=Main]: { Main, X };";
    fails(text);
}

#[test]
fn whoever_may_tell_a_spec() {
    // `Main` announces `y` while `A` is busy; `A` may announce `x`, in whatever way.
    let bodies = [
        "machine A { var w: machine; start state S { entry { BUSY announce x; } } }",
        "machine A { var w: machine; start state S { entry { BUSY send w, x; } } }",
        "machine A { var w: machine; var e: event; start state S { entry { e = x; BUSY announce e; } } }",
        "machine A { var w: machine; var e: event; start state S { entry { e = x; BUSY send w, e; } } }",
        "machine A { var w: machine; start state S { entry { BUSY tell(); } } fun tell() { announce x; } }",
        "machine A { var w: machine; start state S { entry { BUSY tell(); } } fun tell() { again(w); } } fun again(w: machine) { send w, x; }",
        "machine A { var w: machine; start state S { entry { BUSY goto T; } exit { announce x; } } state T { } }",
        "machine A { var w: machine; start state S { entry { BUSY goto T; } } state T { entry { announce x; } } }",
        "machine A { var w: machine; start state S { entry { send this, go; BUSY } on go do { announce x; } } }",
        "machine A { var w: machine; start state S { entry { send this, go; BUSY } on go goto T with { announce x; } } state T { } }",
        "machine A { var w: machine; start state S { entry { send this, go; BUSY receive { case go: { announce x; } } } } }",
        "machine A { var w: machine; start state S { entry { BUSY new B(); } } }
machine B { start state S { entry { new C(); } } } machine C { start state S { entry { new D(); } } } machine D { start state S { entry { announce x; } } }",
        "machine A { var w: machine; start state S { entry { BUSY new D(); } } }
machine D { start state S { entry { new C(); } } } machine C { start state S { entry { new B(); } } } machine B { start state S { entry { announce x; } } }",
        "machine A { var w: machine; start state S { entry { BUSY raise go; } on go do { announce x; } } }",
        "machine A { var w: machine; start state S { entry { BUSY } on null do { announce x; raise halt; } } }",
    ];
    for body in bodies {
        let body = body.replace("BUSY", BUSY);
        let created: String = ["B", "C", "D"]
            .map(|name| if body.contains(&format!("machine {name} ")) { format!(", {name}") } else { String::new() })
            .concat();
        let text = format!(
            "event rest; event go; event x; event y;
machine Main {{ start state S {{ ignore rest; entry {{ new A(); send this, rest; announce y; }} }} }}
machine W {{ start state S {{ ignore rest, x; }} }}
{body}
spec Order observes x, y {{ start state None {{ on y goto Seen; on x do {{ assert false, \"x is first\"; }} }} state Seen {{ ignore x, y; }} }}
test tc [main=Main]: assert Order in {{ Main, A, W{created} }};"
        );
        fails(&text);
    }
}

/// A machine goes round for ever and nobody minds, and the reduction would let it: the others must have their turn all the same.
#[test]
fn nothing_is_put_off_for_ever() {
    let late = "machine Late { start state S { entry { send this, tick; } on tick do { assert false, \"late\"; } } }";
    // Round in two states, by way of another machine, and with a choice of the ways round.
    let loops = [
        "machine Loop { start state S { entry { send this, tick; } on tick do { send this, tick; } } }",
        "machine Loop { start state S { entry { send this, tick; } on tick goto T; } state T { entry { send this, tick; } on tick goto S; } }",
        "machine Loop { var w: machine; start state S { entry { w = new W(this); send w, tick; } on tick do { send w, tick; } } }
machine W { var boss: machine; start state S { entry (m: machine) { boss = m; } on tick do { send boss, tick; } } }",
        "machine Loop { var x: int; start state S { entry { send this, tick; } on tick do { x = choose(3); send this, tick; } } }",
    ];
    for body in loops {
        let created = if body.contains("machine W") { ", W" } else { "" };
        let text = format!(
            "event tick;
machine Main {{ start state S {{ entry {{ new Loop(); new Late(); }} }} }}
{body}
{late}
test tc [main=Main]: {{ Main, Loop, Late{created} }};"
        );
        fails(&text);
    }
}

#[test]
fn more_machines_than_bits() {
    let text = "event rest; event ok; event x; event y;
machine Main { start state S { ignore rest; entry { var n: int;
  while (n < 70) { new Idle(this); receive { case ok: { } } n = n + 1; } new A(); send this, rest; announce y; } } }
machine Idle { start state S { entry (m: machine) { send m, ok; } } }
machine A { start state S { entry { announce x; } } }
spec Order observes x, y { start state None { on y goto Seen; on x do { assert false, \"x is first\"; } } state Seen { ignore x, y; } }
test tc [main=Main]: assert Order in { Main, Idle, A };";
    fails(text);
    fails(&text.replace("on y goto", "on x goto").replace("on x do", "on y do"));
}

/// Who is behind the last bit is sent something by two of those before it.
#[test]
fn messages_to_machines_behind_the_last_bit() {
    let text = "event x; event y; event ok; event peer: machine;
machine Main { start state S { entry { var a: machine; var b: machine; var n: int; a = new A(); b = new B();
  while (n < 70) { new Idle(this); receive { case ok: { } } n = n + 1; } Meet(a, b, new X()); } }
  fun Meet(a: machine, b: machine, x: machine) { send a, peer, x; send b, peer, x; } }
machine Idle { start state S { entry (m: machine) { send m, ok; } } }
machine A { start state S { on peer do (m: machine) { send m, x; } } }
machine B { start state S { on peer do (m: machine) { send m, y; } } }
machine X { var first: bool; start state S { on x do { first = true; } on y do { assert first, \"y is first\"; } } }
test tc [main=Main]: { Main, Idle, A, B, X };";
    fails(text);
    fails(&text.replace("on x do { first", "on y do { first").replace("on y do { assert", "on x do { assert"));
    // Whoever finds that nothing has arrived may be there, too.
    let null = text.replace(
        "machine X { var first: bool; start state S {",
        "machine X { var first: bool; start state S { on null goto T; }\n state T {",
    );
    fails(&null.replace("assert first", "assert !first").replace("on y do { first = true", "on y do { first = false"));
}

/// A machine comes into being while one behind it sleeps.
#[test]
fn whoever_sleeps_makes_room() {
    // `A` has moved before `Q` and sleeps when `P` creates `C`, which takes its place.
    let text = "event x; event y; event go;
machine Main { start state S { entry { var x: machine; var p: machine; x = new X(); p = new P(x); new A(x); new Q(p); } } }
machine X { var first: bool; start state S { on x do { first = true; } on y do { assert first, \"y is first\"; } } }
machine P { var x: machine; start state S { entry (v: machine) { x = v; } on go do { new C(x); } } }
machine A { start state S { entry (v: machine) { send v, x; } } }
machine Q { start state S { entry (v: machine) { send v, go; } } }
machine C { start state S { entry (v: machine) { send v, y; } } }
test tc [main=Main]: { Main, X, P, A, Q, C };";
    fails(text);
    // In the step in which `C` comes into being, `A` is sent something: it is woken, and not who will be where it was.
    let text = "event x; event y; event go; event peer: machine;
machine Main { start state S { entry { var a: machine; var p: machine; p = new P(); a = new A(); send p, peer, a; new Q(p); send a, x; } } }
machine P { var a: machine; start state S { on peer do (v: machine) { a = v; } on go do { new C(); send a, y; } } }
machine A { var first: bool; start state S { on x do { first = true; } on y do { assert first, \"y is first\"; } } }
machine Q { start state S { entry (v: machine) { send v, go; } } }
machine C { start state S { } }
test tc [main=Main]: { Main, P, A, Q, C };";
    fails(text);
}

#[test]
fn more_specs_than_bits() {
    let specs: String = (0..70)
        .map(|number| {
            // Nobody else sees `x` and `y`.
            if number != 67 {
                return format!("spec Order{number} observes other {{ start state S {{ ignore other; }} }}\n");
            }
            let wrong = "on x do { assert false, \"x is first\"; }";
            format!("spec Order{number} observes x, y {{ start state None {{ on y goto Seen; {wrong} }} state Seen {{ ignore x, y; }} }}\n")
        })
        .collect();
    let names: Vec<String> = (0..70).map(|number| format!("Order{number}")).collect();
    let text = format!(
        "event rest; event other; event x; event y;
machine Main {{ start state S {{ ignore rest; entry {{ new A(); send this, rest; announce y; }} }} }}
machine A {{ var w: machine; start state S {{ entry {{ {BUSY} announce x; }} }} }}
machine W {{ start state S {{ ignore rest; }} }}
{specs}
test tc [main=Main]: assert {} in {{ Main, A, W }};",
        names.join(", ")
    );
    fails(&text);
}

/// Something fails with the inbox, and whatever fails or ends does so with the reduction too, with each delivery.
fn fails(text: &str) {
    let program = program(text);
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let settings = Settings { delivery, ..Settings::default() };
        let plain = naive::explore(&program, &settings, 200_000);
        assert!(plain.is_complete, "{text}");
        assert!(!plain.failures.is_empty(), "{delivery:?}\n{text}");
        let mut expected: Vec<Failure> = plain.failures.iter().map(|(failure, _)| failure.clone()).collect();
        expected.sort_by_key(|failure| format!("{failure:?}"));
        for (reduction, order, keeping) in [
            (Reduction::NONE, Order::BreadthFirst, Keeping::Exact),
            (Reduction::PARTIAL_ORDER, Order::BreadthFirst, Keeping::Exact),
            (Reduction::PARTIAL_ORDER, Order::DepthFirst, Keeping::Fingerprints),
            (Reduction::MONOTONIC, Order::BreadthFirst, Keeping::Exact),
            (Reduction::MONOTONIC, Order::DepthFirst, Keeping::Fingerprints),
            (Reduction::ORDER, Order::BreadthFirst, Keeping::Fingerprints),
            (Reduction::ORDER, Order::DepthFirst, Keeping::Exact),
        ] {
            let liveness = Liveness::AtEnd;
            let options = Options { settings, order, keeping, reduction, bugs: Bugs::All, liveness, ..Options::default() };
            let report = search(&program, &options);
            let mut found: Vec<Failure> = report.bugs.iter().map(|bug| bug.failure.clone()).collect();
            found.sort_by_key(|failure| format!("{failure:?}"));
            assert_eq!(found, expected, "{delivery:?} {reduction:?} {order:?}\n{text}");
            let ends = report.stats.ends;
            assert_eq!(
                ends.normal + ends.with_deferred + ends.blocked,
                plain.terminal as u64,
                "{delivery:?} {reduction:?}\n{text}"
            );
        }
    }
}
