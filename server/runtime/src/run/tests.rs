use crate::configuration::{Configuration, Settings};
use crate::domain::Choice;
use crate::failure::Limit;
use crate::identity::MachineId;
use crate::local::{Control, Local};
use crate::program::Program;
use crate::run::{Effect, End, Input, Limits, Pauses, Run, Script, all_runs, run_handler};
use crate::testing::{entry, program};
use crate::value::Value;
use crate::{Concrete, naive};

/// The first run of the main machine.
fn start(program: &Program, pauses: Pauses, answers: &[u32]) -> Run {
    let local = Local::created(program, program.main, Value::Null);
    let mut script = Script::new(answers);
    let mut domain = Concrete::new(program, &mut script);
    run_handler(program, &Limits::default(), pauses, &MachineId::main(), local, Input::Go, &mut domain)
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
    let program = program("event E; machine Main { start state S { entry { raise E; } on E goto S; } }");
    assert!(matches!(start(&program, Pauses::AtSends, &[]).end, End::Limited(Limit::Instructions(_))));
}

#[test]
fn what_happens_next_can_be_kept_apart_from_the_system() {
    let program = program(SENDER);
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
