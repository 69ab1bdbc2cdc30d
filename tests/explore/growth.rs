//! What is said about searches that are given up: what became more and more, and nothing that did not.

use lockstep_explore::{Budgets, Grows, Hints, Options, Outcome, Reduction};

use crate::{program, search};

/// The hints about a search of this many states.
fn hints_of(text: &str, states: u64) -> Hints {
    let budgets = Budgets { states: Some(states), ..Budgets::default() };
    let program = program(text);
    // A reduction can make a search end that would not, and that is not what is asked here.
    let options = Options { budgets, reduction: Reduction::NONE, ..Options::default() };
    let report = search(&program, &options);
    assert!(matches!(report.outcome, Outcome::Unknown { .. }), "{:?}\n{text}", report.outcome);
    let hints = report.hints.expect("a budget was spent");
    let again = search(&program, &Options { threads: 2, ..options }).hints.expect("the same budget was spent");
    assert_eq!(hints, again, "it does not depend on the number of threads");
    hints
}

/// What grows, by kind and name.
fn growing(text: &str) -> Vec<(Grows, String)> {
    hints_of(text, 300).growing.into_iter().map(|growing| (growing.what, growing.name)).collect()
}

fn named(found: &[(Grows, &str)]) -> Vec<(Grows, String)> {
    found.iter().map(|(what, name)| (*what, (*name).to_owned())).collect()
}

#[test]
fn a_counter() {
    let text = "event e; machine Main { var n: int; var m: (down: int, up: int); start state S { entry { send this, e; }
  on e do { n = n + 1; m.down = m.down - 1; send this, e; } } } test tc [main=Main]: { Main };";
    assert_eq!(growing(text), named(&[(Grows::Number, "Main.m.down"), (Grows::Number, "Main.n")]));
}

#[test]
fn a_counter_that_a_choice_ends() {
    let text = "event e; machine Main { var n: int; start state S { entry { send this, e; }
  on e do { if ($) { n = n + 1; } if ($) { send this, e; } } } } test tc [main=Main]: { Main };";
    assert_eq!(growing(text), named(&[(Grows::Number, "Main.n")]));
}

#[test]
fn a_number_that_is_chosen_does_not_grow() {
    let text = "event e; machine Main { var n: int; start state S { entry { send this, e; }
  on e do { n = choose(1000); send this, e; } } } test tc [main=Main]: { Main };";
    assert_eq!(growing(text), named(&[]));
}

#[test]
fn a_queue_that_nobody_empties() {
    let text = "event e; event go; machine Main { var o: machine; start state S { entry { o = new Other(); send this, e; }
  on e do { send o, go; send this, e; } } }
machine Other { start state S { defer go; } } test tc [main=Main]: { Main, Other };";
    assert_eq!(growing(text), named(&[(Grows::Queue, "Other")]));
}

#[test]
fn a_queue_that_is_filled_faster_than_it_is_emptied() {
    let text = "event e; event go; machine Main { var o: machine; start state S { entry { o = new Other(); send this, e; }
  on e do { send o, go; send o, go; send this, e; } } }
machine Other { start state S { on go do { } } } test tc [main=Main]: { Main, Other };";
    assert_eq!(growing(text), named(&[(Grows::Queue, "Other")]));
}

#[test]
fn ever_more_machines() {
    let text = "event e; machine Main { start state S { entry { send this, e; } on e do { new Other(); send this, e; } } }
machine Other { start state S { } } test tc [main=Main]: { Main, Other };";
    assert_eq!(growing(text), named(&[(Grows::Machines, "Other")]));
}

#[test]
fn what_a_spec_remembers() {
    let text =
        "event e: int; machine Main { start state S { entry { send this, e, 0; } on e do (n: int) { send this, e, 1 - n; } } }
spec Remembers observes e { var all: seq[int]; start state S { on e do (n: int) { all += (sizeof(all), n); } } }
test tc [main=Main]: assert Remembers in { Main };";
    assert_eq!(growing(text), named(&[(Grows::Elements, "Remembers.all")]));
}

#[test]
fn a_text_and_what_is_in_a_collection() {
    let text = "event e; machine Main { var s: string; var last: map[int, int]; start state S { entry { send this, e; }
  on e do { s = s + \"x\"; last[0] = sizeof(keys(last)); if (!(1 in last)) last[1] = 0; last[1] = last[1] + 3; send this, e; } } }
test tc [main=Main]: { Main };";
    assert_eq!(growing(text), named(&[(Grows::Characters, "Main.s"), (Grows::Number, "Main.last[..]")]));
}

#[test]
fn a_circle_that_chance_leaves_soon() {
    // Every run has an end, but there is none that is the longest.
    let text = "event e; machine Main { var tries: int; var failed: set[int]; start state S { entry { send this, e; }
  on e do { tries = tries + 1; if (choose(8) > 0) { failed += (tries); send this, e; } } } } test tc [main=Main]: { Main };";
    assert_eq!(growing(text), named(&[(Grows::Elements, "Main.failed"), (Grows::Number, "Main.tries")]));
}

#[test]
fn many_combinations_are_no_growth() {
    let text = "event e: int; machine Main { var left: int; var sum: int; var seen: set[int];
  start state S { entry { left = 12; send this, e, 0; }
  on e do (n: int) { sum = sum + n; seen += (n); left = left - 1; if (left > 0) send this, e, choose(70); } } }
test tc [main=Main]: { Main };";
    let hints = hints_of(text, 300);
    assert_eq!(hints.growing, []);
    let widest = hints.widest.expect("a step with many outcomes");
    assert_eq!(
        (widest.machine.as_str(), widest.state.as_str(), widest.outcomes, &widest.choices[..]),
        ("Main", "S", 70, &[70][..])
    );
    assert_eq!(widest.to_string(), "a step of `Main` in `S` has at least 70 outcomes: a choice among 70");
}

#[test]
fn a_number_that_goes_round_is_no_growth() {
    let text = "event e; machine Main { var n: int; var m: int; start state S { entry { send this, e; }
  on e do { n = (n + 1) % 50; if (n == 0) m = (m + 1) % 50; send this, e; } } } test tc [main=Main]: { Main };";
    assert_eq!(hints_of(text, 300).growing.iter().filter(|growing| growing.name == "Main.n").count(), 0);
}

#[test]
fn nothing_is_said_about_searches_that_ended() {
    let right = "machine Main { start state S { } } test tc [main=Main]: { Main };";
    assert_eq!(search(&program(right), &Options::default()).hints, None);
    let wrong = "machine Main { start state S { entry { assert false; } } } test tc [main=Main]: { Main };";
    assert_eq!(search(&program(wrong), &Options::default()).hints, None);
}

#[test]
fn in_words() {
    let text = "event e; machine Main { var n: int; start state S { entry { send this, e; }
  on e do { n = n + 1; send this, e; } } } test tc [main=Main]: { Main };";
    let hints = hints_of(text, 300);
    let told: Vec<String> = hints.growing.iter().map(ToString::to_string).collect();
    // One step for each round: nobody could act between taking the event and sending the next.
    assert_eq!(told, ["`Main.n`: a number of up to 1999 in a run of 2000 steps"]);
}
