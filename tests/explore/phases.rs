//! Random schedules first, then everything with reductions, then everything without if runs that never end matter.

use lockstep_explore::{Budgets, Liveness, Options, Outcome, Reduction, Why};

use crate::{program, search};

/// Workers that count on their own, and a spec that is hot until one of them is done; which is wrong if `last` is small.
fn counting(last: u32) -> String {
    format!(
        "event eBegin; event eDone; event eTick;
machine Main {{ start state S {{ entry {{ announce eBegin; new Worker(); new Worker(); new Worker(); }} }} }}
machine Worker {{
  var n: int;
  start state S {{
    entry {{ send this, eTick; }}
    on eTick do {{ assert n < {last}; n = n + 1; if (n < 4) {{ send this, eTick; }} else {{ announce eDone; }} }}
  }}
}}
spec Done observes eBegin, eDone {{
  start cold state Idle {{ on eBegin goto Busy; ignore eDone; }}
  hot state Busy {{ on eDone goto Idle; }}
}}
test tc [main=Main]: assert Done in {{ Main, Worker }};"
    )
}

#[test]
fn random_schedules_show_what_is_wide_open() {
    let program = program(&counting(2));
    let options = Options { probe: 10, ..Options::default() };
    let found = search(&program, &options);
    let Outcome::Bug(bug) = &found.outcome else { panic!("{:?}", found.outcome) };
    assert_eq!(bug.failure.fault.kind(), "assertion");
    assert_eq!((found.stats.states, found.stats.schedules), (0, 1));
    assert_eq!(search(&program, &options).bugs, found.bugs, "the same again");
    let shortest = search(&program, &Options { reduction: Reduction::NONE, ..Options::default() });
    assert!(shortest.stats.states > 0 && shortest.bugs[0].trace.decisions.len() <= bug.trace.decisions.len());
}

#[test]
fn a_search_after_random_schedules_is_as_without() {
    let program = program(&counting(9));
    let (with, without) = (search(&program, &Options { probe: 10, ..Options::default() }), search(&program, &Options::default()));
    assert_eq!(with.stats.schedules, 10);
    assert_eq!(with.outcome, without.outcome);
    assert!(matches!(with.outcome, Outcome::Exhausted(_)), "{:?}", with.outcome);
}

#[test]
fn what_is_safe_is_said_even_if_liveness_is_open() {
    let program = program(&counting(9));
    let states = |liveness, reduction| search(&program, &Options { liveness, reduction, ..Options::default() }).stats.states;
    let (fewer, all) = (states(Liveness::AtEnd, Reduction::ALL), states(Liveness::Lassos, Reduction::NONE));
    assert!(fewer < all, "{fewer} of {all}");
    let budgets = Budgets { states: Some(fewer + 1), ..Budgets::default() };
    let found = search(&program, &Options { budgets, ..Options::default() });
    assert!(matches!(found.outcome, Outcome::Unknown { why: Why::States(_), .. }), "{:?}", found.outcome);
    assert_eq!(found.safe.map(|safe| safe.states), Some(fewer));
    let complete = search(&program, &Options::default());
    assert_eq!((complete.safe, complete.stats.states), (None, all));
}
