use crate::testing::{network, program};
use crate::{Outcome, ReplayEnd, Sampled, Sampling, Settings, Strategy, naive, replay, sample};

const RACE: &str = "event Report: int;
    machine Main {
      var first: int;
      start state S {
        entry { new Other((this, 1)); new Other((this, 2)); }
        on Report do (n: int) { if (first == 0) { first = n; } assert first != 2 || choose(4) != 3; }
      }
    }
    machine Other { start state S { entry (to_: (machine, int)) { send to_.0, Report, to_.1; } } }";

fn sampled(strategy: Strategy, seed: u64) -> Sampled {
    let sampling = Sampling { seed, schedules: 2_000, strategy, ..Sampling::default() };
    sample(&program(RACE), &Settings::default(), &sampling)
}

#[test]
fn every_strategy_finds_the_bug_and_its_trace_replays() {
    for strategy in [Strategy::Random, Strategy::Pct { changes: 2 }, Strategy::Sticky { leave_one_in: 4 }] {
        let Outcome::Failed(failure, trace) = sampled(strategy, 3).outcome else { panic!("{strategy:?} finds nothing") };
        let again = replay(&program(RACE), &Settings::default(), &trace);
        assert_eq!(again.end, ReplayEnd::Failed(failure));
        assert_eq!(again.happened.len(), trace.decisions.len());
    }
}

#[test]
fn the_same_seed_gives_the_same_runs() {
    assert_eq!(sampled(Strategy::Random, 5), sampled(Strategy::Random, 5));
    let different = (0..20).any(|seed| sampled(Strategy::Random, seed).outcome != sampled(Strategy::Random, 5).outcome);
    assert!(different, "seeds make no difference");
}

#[test]
fn a_trace_of_another_program_is_noticed() {
    let Outcome::Failed(_, trace) = sampled(Strategy::Random, 3).outcome else { panic!("there is a bug") };
    let other = program("machine Main { start state S { entry { } } }");
    assert!(matches!(replay(&other, &Settings::default(), &trace).end, ReplayEnd::Diverged(_)));
    let harmless = program(&RACE.replace("!= 3", "!= 4"));
    assert!(matches!(replay(&harmless, &Settings::default(), &trace).end, ReplayEnd::Fine));
}

#[test]
fn schedules_that_never_end_are_given_up() {
    let text = "event E; machine Main { start state S { entry { send this, E; } on E goto S; } }";
    let sampling = Sampling { schedules: 3, most_steps: 50, ..Sampling::default() };
    let found = sample(&program(text), &Settings::default(), &sampling);
    assert_eq!((found.outcome, found.schedules, found.given_up), (Outcome::NoBug, 3, 3));
}

#[test]
fn a_spec_that_stays_hot_is_a_bug_after_a_while() {
    let text = "event E; event Cool;
        spec Waits observes E, Cool {
          start hot state Hot { ignore E; on Cool goto Cold; }
          cold state Cold { ignore E, Cool; }
        }
        machine Main { start state S { entry { send this, E; } on E goto S; } }
        test one [main = Main]: assert Waits in { Main };";
    let settings = Settings { most_hot_steps: Some(30), ..Settings::default() };
    let Outcome::Failed(failure, trace) = sample(&program(text), &settings, &Sampling::default()).outcome else {
        panic!("it is hot for ever");
    };
    assert_eq!((failure.fault.kind(), failure.who.as_str(), failure.state.as_str()), ("liveness", "Waits", "Hot"));
    assert_eq!(replay(&program(text), &settings, &trace).end, ReplayEnd::Failed(failure));
    assert_eq!(sample(&program(text), &Settings::default(), &Sampling::default()).outcome, Outcome::NoBug);
}

/// What happens within a step counts: a spec that is cold between two announcements starts anew.
#[test]
fn a_spec_that_cools_down_within_a_step_is_not_hot_for_long() {
    let text = "event E; event Ask; event Answer;
        spec Answered observes Ask, Answer {
          start cold state Idle { on Ask goto Waiting; }
          hot state Waiting { on Answer goto Idle; }
        }
        machine Main { start state S { entry { announce Ask; send this, E; } on E do { announce Answer; announce Ask; send this, E; } } }
        test one [main = Main]: assert Answered in { Main };";
    let settings = Settings { most_hot_steps: Some(30), ..Settings::default() };
    let sampling = Sampling { schedules: 2, most_steps: 200, ..Sampling::default() };
    assert_eq!(sample(&program(text), &settings, &sampling).outcome, Outcome::NoBug);
    let silent = program(&text.replace("announce Answer; announce Ask;", ""));
    assert!(matches!(sample(&silent, &settings, &sampling).outcome, Outcome::Failed(..)));
}

/// What the network allows includes what P's own delivery allows, specs included.
#[test]
fn the_network_finds_every_bug_that_the_inbox_has() {
    let observed = "event A; event B; event C; event D;
        spec Order observes A, B, C {
          var seen: seq[int];
          start state S {
            on A do { seen += (sizeof(seen), 1); check(); }
            on B do { seen += (sizeof(seen), 2); check(); }
            on C do { seen += (sizeof(seen), 3); check(); }
          }
          fun check() { if (sizeof(seen) == 3) { assert !(seen[0] == 1 && seen[1] == 3), \"C between A and B\"; } }
        }
        machine Main { start state S { ignore D; entry { new Other(); announce A; send this, D; announce B; } } }
        machine Other { start state S { entry { announce C; } } }
        test one [main = Main]: assert Order in { Main, Other };";
    for text in [RACE, observed] {
        let program = program(text);
        let kinds = |settings: &Settings| {
            let mut found: Vec<String> =
                naive::explore(&program, settings, 10_000).failures.iter().map(|(failure, _)| format!("{failure:?}")).collect();
            found.sort();
            found
        };
        let inbox = kinds(&Settings::default());
        assert!(!inbox.is_empty());
        let on_network = kinds(&network());
        assert!(inbox.iter().all(|failure| on_network.contains(failure)), "{inbox:?} {on_network:?}");
    }
}
