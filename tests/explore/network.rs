//! On a network a message can be late: only those of one machine to another keep their order.

use lockstep_explore::{Bugs, Engine, Liveness, Options, Outcome, Reduction, Why};
use lockstep_runtime::{Delivery, Limits, Settings, naive};

use crate::{program, search};

/// `A` tells `X` to move on through `B`, and sends it what `X` ignores before it has moved on.
fn overtaken(first: &str, second: &str) -> String {
    format!(
        "event pass; event on_; event late;
machine Main {{ start state S {{ entry {{ var x: machine; x = new X(); new A((b = new B(x), x = x)); }} }} }}
machine A {{ start state S {{ entry (known: (b: machine, x: machine)) {{ {first} {second} }} }} }}
machine B {{ var x: machine; start state S {{ entry (known: machine) {{ x = known; }} on pass do {{ send x, on_; }} }} }}
machine X {{ start state S {{ on on_ goto T; ignore late; }} state T {{ on late do {{ assert false, \"late\"; }} ignore on_; }} }}
test tc [main=Main]: {{ Main, A, B, X }};"
    )
}

const PASS: &str = "send known.b, pass;";
const LATE: &str = "send known.x, late;";

#[test]
fn what_is_ignored_now_can_arrive_later() {
    // Sent second, it is late with any delivery; sent first, only on a network.
    fails(&overtaken(PASS, LATE), &[Delivery::Inbox, Delivery::Network]);
    fails(&overtaken(LATE, PASS), &[Delivery::Network]);
}

/// A step that sends very many messages does not leave a queue behind for each of them, whether it comes to an end or not.
#[test]
fn a_flood_of_messages_takes_little_memory() {
    for (condition, is_right) in [("count < 3000", true), ("true", false)] {
        let text = format!(
            "event e: int; event last;
machine Main {{ start state S {{ entry {{
  var x: machine; var count: int;
  x = new X();
  while ({condition}) {{ count = count + 1; send x, e, count % 2; }}
  send x, last;
}} }} }}
machine X {{ var n: int; start state S {{ defer e; on last goto T; }} state T {{ defer e; }} }}
test tc [main=Main]: {{ Main, X }};"
        );
        let limits = Limits { instructions: 50_000, frames: 10 };
        let settings = Settings { delivery: Delivery::Network, limits, ..Settings::default() };
        for reduction in [Reduction::NONE, Reduction::ALL] {
            let report = search(&program(&text), &Options { settings, reduction, ..Options::default() });
            assert_eq!(matches!(report.outcome, Outcome::Exhausted(_)), is_right, "{:?}", report.outcome);
            assert!(report.stats.memory < 20 << 20, "{} bytes", report.stats.memory);
        }
        let sets = Options { settings, engine: Engine::Symbolic, ..Options::default() };
        if !is_right {
            let report = search(&program(&text), &sets);
            assert!(matches!(report.outcome, Outcome::Unknown { why: Why::Run(_), .. }), "{:?}", report.outcome);
        }
        if is_right {
            let plain = naive::explore(&program(&text), &settings, 100);
            let found = search(&program(&text), &Options { settings, reduction: Reduction::NONE, ..Options::default() });
            assert_eq!(
                (found.stats.states, found.stats.ends.with_deferred),
                (plain.configurations as u64, plain.terminal as u64)
            );
        }
    }
}

/// It fails with these deliveries and no others, whoever searches.
fn fails(text: &str, deliveries: &[Delivery]) {
    let program = program(text);
    for delivery in [Delivery::Inbox, Delivery::Network] {
        let settings = Settings { delivery, ..Settings::default() };
        let expected = deliveries.contains(&delivery);
        let plain = naive::explore(&program, &settings, 100_000);
        assert!(plain.is_complete);
        assert_eq!(!plain.failures.is_empty(), expected, "{delivery:?}\n{text}");
        for reduction in [Reduction::NONE, Reduction::PARTIAL_ORDER] {
            let options = Options { settings, reduction, bugs: Bugs::All, liveness: Liveness::AtEnd, ..Options::default() };
            let report = search(&program, &options);
            assert_eq!(matches!(report.outcome, Outcome::Bug(_)), expected, "{delivery:?} {reduction:?}\n{text}");
        }
    }
}
