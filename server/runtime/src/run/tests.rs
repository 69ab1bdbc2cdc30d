use crate::configuration::{Configuration, Settings};
use crate::domain::Choice;
use crate::failure::{Fault, Limit};
use crate::identity::MachineId;
use crate::local::{Control, Local};
use crate::program::Program;
use crate::run::{Effect, End, Input, Limits, Pauses, Run, Script, all_runs, run_handler};
use crate::testing::{entry, program};
use crate::value::Value;
use crate::{Concrete, Watcher, naive};

/// The first run of the main machine.
fn start(program: &Program, pauses: Pauses, answers: &[u32]) -> Run {
    let local = Local::created(program, program.main, Value::Null);
    let mut script = Script::new(answers);
    let mut domain = Concrete::new(program, &mut script);
    run_handler(program, &Limits::default(), pauses, &MachineId::main(), local, Input::Go, &mut domain)
}

/// The same as one run, within these bounds.
fn start_with(program: &Program, limits: &Limits) -> Run {
    let local = Local::created(program, program.main, Value::Null);
    let mut script = Script::new(&[]);
    let mut domain = Concrete::new(program, &mut script);
    run_handler(program, limits, Pauses::Never, &MachineId::main(), local, Input::Go, &mut domain)
}

const SENDER: &str =
    "event E: int; machine Main { start state S { entry { send this, E, 1; send this, E, 2; } on E do (n: int) { } } }";

#[test]
fn a_run_ends_before_each_send_and_does_it_next() {
    let program = program(SENDER);
    let first = start(&program, Pauses::AtSends, &[]);
    assert_eq!((first.end, first.effects), (End::Done, vec![]));
    assert!(matches!(first.local.control, Control::Paused(_)));
    let mut script = Script::new(&[]);
    let mut domain = Concrete::new(&program, &mut script);
    let main = MachineId::main();
    let second = run_handler(&program, &Limits::default(), Pauses::AtSends, &main, first.local, Input::Go, &mut domain);
    let [Effect::Send { target, message }] = &second.effects[..] else { panic!("one message was sent: {:?}", second.effects) };
    assert_eq!((target, &message.payload), (&main, &Value::Int(1)));
}

#[test]
fn without_pauses_a_handler_is_one_run() {
    let run = start(&program(SENDER), Pauses::Never, &[]);
    assert_eq!((run.effects.len(), &run.local.control), (2, &Control::Waiting));
}

#[test]
fn a_run_without_an_answer_asks_for_it() {
    let program = entry("var n: int; n = choose(3); assert $$;");
    assert_eq!(start(&program, Pauses::AtSends, &[]).end, End::NeedsChoice(Choice { options: 3, is_fair: false }));
    assert_eq!(start(&program, Pauses::AtSends, &[2]).end, End::NeedsChoice(Choice { options: 2, is_fair: true }));
    assert_eq!(start(&program, Pauses::AtSends, &[2, 1]).end, End::Done);
    assert!(matches!(start(&program, Pauses::AtSends, &[2, 0]).end, End::Failed(_)));
}

#[test]
fn all_runs_are_listed_in_the_order_of_their_answers() {
    let program = entry("if ($) { assert choose(2) == 0; }");
    let local = Local::created(&program, program.main, Value::Null);
    let runs = all_runs(&program, &Limits::default(), Pauses::AtSends, &MachineId::main(), &local, &Input::Go);
    let answers: Vec<Vec<u32>> = runs.into_iter().map(|(answers, _)| answers).collect();
    assert_eq!(answers, [vec![0], vec![1, 0], vec![1, 1]]);
}

#[test]
fn a_run_is_a_function() {
    let program = program(SENDER);
    assert_eq!(start(&program, Pauses::AtSends, &[]), start(&program, Pauses::AtSends, &[]));
}

#[test]
fn a_million_elements_are_no_problem() {
    let program = entry(
        "var s: seq[int]; var t: set[int]; var i: int;
         while (i < 1000000) { s += (i, i); t += (i); i = i + 1; }
         assert s[999999] == 999999 && 500000 in t;",
    );
    assert_eq!(start(&program, Pauses::AtSends, &[]).end, End::Done);
}

#[test]
fn values_that_grow_without_end_are_stopped() {
    let deep = entry("var s: seq[any]; while (true) { s += (0, s); }");
    assert_eq!(start(&deep, Pauses::AtSends, &[]).end, End::Limited(Limit::ValueSize));
    let wide = entry("var a: any; while (true) { a = (a, a); }");
    assert_eq!(start(&wide, Pauses::AtSends, &[]).end, End::Limited(Limit::ValueSize));
    let long = entry("var s: string; s = \"12345678\"; while (true) { s = s + s; }");
    assert_eq!(start(&long, Pauses::AtSends, &[]).end, End::Limited(Limit::ValueSize));
}

#[test]
fn raising_without_end_is_stopped() {
    let program = program("event E; machine Main { var n: int; start state S { entry { n = n + 1; raise E; } on E goto S; } }");
    assert!(matches!(start(&program, Pauses::AtSends, &[]).end, End::Limited(Limit::Instructions(_))));
}

#[test]
fn what_happens_next_can_be_kept_apart_from_the_system() {
    // There could be another machine, so a run ends before each send.
    let program = program(&SENDER.replace("(n: int) { }", "(n: int) { if (n > 2) { new Main(); } }"));
    let settings = Settings::default();
    let mut whole = Configuration::initial(&program, &settings).expect("it starts");
    let mut parts = whole.clone();
    while let Some(step) = whole.enabled(&program, &settings).first().cloned() {
        let (_, result) = whole.apply(&program, &settings, &step, &mut Script::new(&[]));
        assert_eq!(result, Ok(()));
        let (local, input) = parts.begin(&program, &step).expect("something is run");
        let mut script = Script::new(&[]);
        let mut domain = Concrete::new(&program, &mut script);
        let pauses = settings.pauses(&program);
        let run = run_handler(&program, &settings.limits, pauses, &step.machine, (*local).clone(), input, &mut domain);
        let result = parts.finish(&program, &settings, &step.machine, run, |_, _, _| unreachable!("there is no spec"));
        assert_eq!(result, Ok(()));
        assert_eq!(whole, parts);
    }
    assert_eq!(naive::explore(&program, &settings, 100).configurations, 6);
}

/// What becomes of a handler with this code: the failure's place in the text, if it is found never to end.
fn endless(code: &str) -> Option<String> {
    let program = program(code);
    let run = start(&program, Pauses::Never, &[1; 3_000]);
    let End::Failed(failure) = run.end else { return None };
    assert_eq!(failure.fault, Fault::NeverEnds);
    let range = failure.place.expect("it is somewhere").range;
    Some(code[range].to_owned())
}

/// A machine with this in the entry of its start state.
fn entry_text(code: &str) -> String {
    format!("machine Main {{ var n: int; start state S {{ entry {{ {code} }} }} }}")
}

#[test]
fn a_run_that_comes_back_with_everything_as_it_was_never_ends() {
    let found = |code: &str| endless(&entry_text(code));
    assert_eq!(found("n = 1; while (true) { }").as_deref(), Some("while (true) { }"));
    assert_eq!(found("while (true) { print \"again\"; }").as_deref(), Some("while (true) { print \"again\"; }"));
    // It comes back only every seventh time.
    assert!(found("while (true) { n = (n + 1) % 7; }").is_some());
    // Every thousandth time is too rare for few comparisons.
    assert_eq!(found("while (true) { n = (n + 1) % 1000; }"), None);
}

#[test]
fn a_run_that_changes_something_is_not_said_to_be_endless() {
    let found = |code: &str| endless(&entry_text(code));
    assert_eq!(found("while (n < 100000) { n = n + 1; }"), None);
    assert_eq!(found("while (true) { n = n + 1; }"), None);
    // Another answer could end it.
    assert_eq!(found("while ($) { }"), None);
}

#[test]
fn a_run_that_others_can_notice_is_not_said_to_be_endless() {
    let telling = "event e; machine Main { start state S { entry { while (true) { announce e; } } } }
spec Told observes e { var n: int; start state S { on e do { n = n + 1; assert n < 10; } } }
test tc [main=Main]: assert Told in { Main };";
    let run = start_with(&program(telling), &Limits { instructions: 50_000, frames: 10 });
    assert_eq!(run.end, End::Limited(Limit::Instructions(50_000)));
}

#[test]
fn raising_in_a_circle_never_ends() {
    let text =
        "event e; machine Main { start state S { entry { raise e; } on e goto T; } state T { entry { raise e; } on e goto S; } }";
    assert_eq!(endless(text).as_deref(), Some("{ raise e; }"));
}

#[test]
fn a_spec_can_be_endless_too() {
    let text = "event e; machine Main { start state S { entry { announce e; } } }
spec Loops observes e { start state S { on e do { while (true) { } } } }
test tc [main=Main]: assert Loops in { Main };";
    let explored = naive::explore(&program(text), &Settings::default(), 10);
    let [(failure, _)] = &explored.failures[..] else { panic!("{explored:?}") };
    assert_eq!((failure.who.as_str(), &failure.fault), ("Loops", &Fault::NeverEnds));
}

#[test]
fn who_looks_on_sees_every_instruction_and_changes_nothing() {
    struct Seen(Vec<(i64, usize)>);
    impl Watcher for &mut Seen {
        fn watch(&mut self, local: &Local, effects: &[Effect]) {
            let value = local.frames.last().and_then(|frame| frame.slots.first()).and_then(Value::number);
            self.0.push((value.unwrap_or(-1), effects.len()));
        }
    }
    let program = entry("var x: int; x = 1; print format(\"{0}\", x); x = x + 1;");
    let machine = Local::created(&program, program.main, Value::Null);
    let go = |watched: Option<&mut Seen>| {
        let (limits, id, mut script) = (Limits::default(), MachineId::main(), Script::new(&[]));
        match watched {
            Some(seen) => {
                let mut domain = Concrete::watched(&program, &mut script, seen);
                run_handler(&program, &limits, Pauses::AtSends, &id, machine.clone(), Input::Go, &mut domain)
            }
            None => {
                let mut domain = Concrete::new(&program, &mut script);
                run_handler(&program, &limits, Pauses::AtSends, &id, machine.clone(), Input::Go, &mut domain)
            }
        }
    };
    let mut seen = Seen(Vec::new());
    assert_eq!(go(Some(&mut seen)), go(None));
    assert_eq!(seen.0, [(0, 0), (1, 0), (1, 0), (1, 1), (2, 1)]);
}
