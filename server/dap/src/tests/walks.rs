//! Walks through runs of many programs: a point is the same wherever one comes from, and the runs are those of the interpreter.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_runtime::{
    Choice, Choices, Configuration, Decision, Delivery, Options, Program, Script, Settings, Specs, Trace, lower,
};
use lockstep_syntax::{Language, Parse};
use lockstep_trace::{What, tell};

use crate::recording::{Kind, Situation};
use crate::session::{Cursor, Reason, Session};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/p")
}

/// A program of the tests: a file, or all files below a folder.
fn program(name: &str) -> Program {
    let mut files = Vec::new();
    let mut open = vec![folder().join(name)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the folder can be read");
            open.extend(entries.map(|entry| entry.expect("it is there").path()));
        } else if path.extension().is_some_and(|ending| ending == "p") {
            files.push(path);
        }
    }
    files.sort();
    let db = Database::default();
    let member = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("the file can be read");
        Member::from(SourceFile::open(&db, path.to_string_lossy(), Parse::new(Language::P, &*text)))
    };
    let project = Project::open(&db, "test", files.iter().map(member).collect(), Purpose::Checking);
    let case = &project_tests(&db, project)[0];
    lower(&db, project, case, &Options { specs: Specs::default(), ..Options::default() }).expect("the program has no errors")
}

/// Numbers that look random, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % count
    }
}

struct Answers<'a>(&'a mut Random, Vec<u32>);

impl Choices for Answers<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let answer = u32::try_from(self.0.below(choice.options as usize)).ok()?;
        self.1.push(answer);
        Some(answer)
    }
}

/// A run of so many steps at most.
fn run(program: &Program, settings: &Settings, random: &mut Random, steps: usize) -> Trace {
    let mut configuration = Configuration::initial(program, settings).expect("no spec fails at once");
    let mut trace = Trace::default();
    for _ in 0..steps {
        let enabled = configuration.enabled(program, settings);
        if enabled.is_empty() {
            break;
        }
        let step = enabled[random.below(enabled.len())].clone();
        let mut answers = Answers(random, Vec::new());
        let (_, result) = configuration.apply(program, settings, &step, &mut answers);
        trace.decisions.push(Decision { step, answers: answers.1 });
        result.expect("these programs have no bugs");
    }
    trace
}

fn walk(program: &Program, settings: &Settings, seed: u64) {
    let mut random = Random(seed);
    let trace = run(program, settings, &mut random, 120);
    let (story, _) = tell(program, settings, &trace, None, &|_| None);
    let mut session = Session::new(program.clone(), *settings, trace.clone(), story, None);
    let mut seen: Vec<(Cursor, Kind, Situation)> = Vec::new();
    let look = |session: &Session| (session.at(), session.point().kind, session.situation().clone());
    seen.push(look(&session));
    while session.step_in().reason == Reason::Step {
        seen.push(look(&session));
    }
    seen.push(look(&session));
    is_what_the_interpreter_does(program, settings, &trace, &seen);
    // All the way back.
    for expected in seen.iter().rev().skip(1) {
        session.step_back();
        assert_eq!(look(&session), *expected);
    }
    assert_eq!(session.at(), Cursor::default());
    // Here and there: so many steps forward and the same back lead to the same situation.
    for _ in 0..20 {
        let (from, count) = (random.below(seen.len()), random.below(40));
        session.go_to(seen[from].0);
        let mut forward = 0;
        while forward < count && !session.is_at_end() {
            session.step_in();
            forward += 1;
        }
        (0..forward).for_each(|_| drop(session.step_back()));
        assert_eq!(look(&session), seen[from]);
    }
    for step in 1..=session.story().moments.len() {
        session.go_to_step(step).expect("there is such a step");
        let is_print = matches!(session.story().moments[step - 1].what, What::Print { .. });
        assert!(session.step() == step || is_print && session.step() < step, "step {step} is {}", session.step());
    }
}

fn is_what_the_interpreter_does(program: &Program, settings: &Settings, trace: &Trace, seen: &[(Cursor, Kind, Situation)]) {
    let mut configuration = Configuration::initial(program, settings).expect("no spec fails at once");
    let mut starts = seen.iter().filter(|(cursor, _, _)| cursor.index == 0).map(|(_, _, situation)| &situation.system);
    for decision in &trace.decisions {
        assert_eq!(starts.next(), Some(&configuration));
        let mut script = Script::new(&decision.answers);
        configuration.apply(program, settings, &decision.step, &mut script).1.expect("it went well before");
    }
    assert_eq!(starts.next(), Some(&configuration));
    assert_eq!(starts.next(), None);
}

#[test]
fn forward_and_back_are_the_same() {
    let names = [
        "lease",
        "two_phase_commit.p",
        "dining_philosophers.p",
        "failure_detector.p",
        "sliding_window.p",
        "publish_subscribe.p",
        "elevator.p",
        "ring_election.p",
    ];
    for name in names {
        let program = program(name);
        for (delivery, seed) in [(Delivery::Inbox, 1), (Delivery::Inbox, 2), (Delivery::Network, 3)] {
            walk(&program, &Settings { delivery, ..Settings::default() }, seed);
        }
    }
}
