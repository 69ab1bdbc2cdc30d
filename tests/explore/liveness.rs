//! Runs without an end: those that are fair and stay hot are bugs, and no others.

use lockstep_explore::{Liveness, Options, Outcome};
use lockstep_runtime::Fault;

use crate::{program, search};

const ANSWERED: &str = "spec Answered observes ask, answer { start cold state Idle { on ask goto Waiting; ignore answer; }
  hot state Waiting { on answer goto Idle; ignore ask; } }";

/// A test with one machine that has these handlers for `tick`, which it sends to itself.
fn ticking(handler: &str) -> String {
    format!(
        "event ask; event answer; event tick;
machine Main {{ start state S {{ entry {{ announce ask; send this, tick; }} on tick do {{ {handler} }} }} }}
{ANSWERED}
test tc [main=Main]: assert Answered in {{ Main }};"
    )
}

#[test]
fn a_run_that_repeats_itself_without_an_answer() {
    let bug = is_violated(&ticking("send this, tick;"));
    assert!(bug.1 > 0, "it repeats after a beginning");
}

#[test]
fn a_run_that_answers_each_time() {
    is_fine(&ticking("announce answer; announce ask; announce answer; send this, tick;"));
}

#[test]
fn a_spec_that_cools_down_within_a_step() {
    // It is hot at every point at which others can act, and yet everything is answered.
    is_fine(&ticking("announce answer; announce ask; send this, tick;"));
    // The same within one event of the spec.
    let text = ticking("announce answer; send this, tick;");
    is_fine(
        &text
            .replace("on answer goto Idle;", "on answer goto Done;")
            .replace("hot state Waiting", "cold state Done { entry { goto Waiting; } } hot state Waiting"),
    );
}

#[test]
fn a_plain_choice_can_be_answered_the_same_way_for_ever() {
    is_violated(&ticking("if ($) { announce answer; } else { send this, tick; }"));
}

#[test]
fn a_fair_choice_cannot() {
    is_fine(&ticking("if ($$) { announce answer; } else { send this, tick; }"));
}

#[test]
fn a_fair_choice_whose_answers_all_stay_hot() {
    is_violated(&ticking("if ($$) { send this, tick; } else { send this, tick; print \"again\"; }"));
}

#[test]
fn a_machine_that_can_answer_does_some_time() {
    let text = "event ask; event answer; event tick;
machine Main { start state S { entry { announce ask; new Other(); send this, tick; } on tick do { send this, tick; } } }
machine Other { start state S { entry { announce answer; } } }
spec Answered observes ask, answer { start cold state Idle { on ask goto Waiting; ignore answer; }
  hot state Waiting { on answer goto Idle; ignore ask; } }
test tc [main=Main]: assert Answered in { Main, Other };";
    is_fine(text);
}

#[test]
fn a_machine_that_waits_in_vain_does_not_help() {
    let text = "event ask; event answer; event tick; event never;
machine Main { start state S { entry { announce ask; new Other(); send this, tick; } on tick do { send this, tick; } } }
machine Other { start state S { on never do { announce answer; } } }
spec Answered observes ask, answer { start cold state Idle { on ask goto Waiting; ignore answer; }
  hot state Waiting { on answer goto Idle; ignore ask; } }
test tc [main=Main]: assert Answered in { Main, Other };";
    is_violated(text);
}

#[test]
fn neither_hot_nor_cold_is_no_relief() {
    let text = "event on_; event off; event tick;
machine Main { start state S { entry { send this, tick; } on tick do { announce on_; announce off; send this, tick; } } }
spec Warm observes on_, off { start cold state Cold { on on_ goto Hot; ignore off; }
  hot state Hot { on off goto Warm; ignore on_; } state Warm { on on_ goto Hot; ignore off; } }
test tc [main=Main]: assert Warm in { Main };";
    let program = program(text);
    let report = search(&program, &Options::default());
    // The spec is hot only between two announcements of one step, and nobody can look in between.
    assert!(matches!(report.outcome, Outcome::Exhausted(_)), "{:?}", report.outcome);
    let split = self::program(
        &text
            .replace("announce on_; announce off;", "announce on_; send this, tick; announce off;")
            .replace("on tick do {", "on tick do { if (busy) { busy = false; return; } busy = true;")
            .replace("machine Main {", "machine Main { var busy: bool;"),
    );
    let report = search(&split, &Options::default());
    assert!(matches!(&report.outcome, Outcome::Bug(bug) if bug.failure.fault == Fault::HotForever), "{:?}", report.outcome);
}

/// The failure is a run that stays hot for ever. Gives how long it is and from where on it repeats itself.
fn is_violated(text: &str) -> (usize, usize) {
    let program = program(text);
    let report = search(&program, &Options::default());
    let Outcome::Bug(bug) = report.outcome else { panic!("{:?}\n{text}", report.outcome) };
    assert_eq!(bug.failure.fault, Fault::HotForever, "{text}");
    let at_end = search(&program, &Options { liveness: Liveness::AtEnd, ..Options::default() });
    assert!(matches!(at_end.outcome, Outcome::Exhausted(_)), "{:?}\n{text}", at_end.outcome);
    (bug.trace.decisions.len(), bug.repeats_from.expect("it repeats itself"))
}

fn is_fine(text: &str) {
    let report = search(&program(text), &Options::default());
    assert!(matches!(report.outcome, Outcome::Exhausted(_)), "{:?}\n{text}", report.outcome);
}
