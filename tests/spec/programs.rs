//! Every P program written for the tests is run: nothing panics, seeds decide everything, and what is found can be replayed.

use lockstep_program::{Database, Purpose, project_errors, project_tests};
use lockstep_runtime::{
    Delivery, Limits, Options, Outcome, ReplayEnd, Sampling, Settings, Strategy, lower, naive, replay, sample,
};
use lockstep_tests::{p_project, p_projects};

#[test]
fn programs_run_and_their_bugs_replay() {
    let (mut run, mut broken) = (0, 0);
    for project in p_projects().into_iter().filter(|project| project.purpose == Purpose::Checking) {
        let (tests, failed) = run_tests(&project.name, project.files.clone());
        assert_eq!(failed, 0, "{} has a bug", project.name);
        run += tests;
        let forgetful = project.files.into_iter().map(|(name, text)| (name, without_care(&text))).collect();
        broken += run_tests(&project.name, forgetful).1;
    }
    assert!(run >= 20, "only {run} tests were run");
    assert!(broken >= 8, "only {broken} tests fail when events are neither deferred nor ignored");
}

/// The text without the lines that say which events can wait or do not matter.
fn without_care(text: &str) -> String {
    let cares = |line: &&str| line.trim_start().starts_with("defer ") || line.trim_start().starts_with("ignore ");
    text.lines().filter(|line| !cares(line)).fold(String::new(), |text, line| text + line + "\n")
}

/// How many tests of a project were run, and how many of them fail.
fn run_tests(name: &str, files: Vec<(String, String)>) -> (u32, u32) {
    let db = Database::default();
    let (project, _) = p_project(&db, files);
    if project_errors(&db, project) > 0 {
        return (0, 0);
    }
    let (mut run, mut failed) = (0, 0);
    for case in project_tests(&db, project).iter().take(5) {
        let program =
            lower(&db, project, case, &Options::default()).unwrap_or_else(|reason| panic!("{name} {}: {reason}", case.name));
        run += 1;
        let mut has_failed = false;
        for delivery in [Delivery::Inbox, Delivery::Network] {
            let limits = Limits { instructions: 200_000, frames: 1_000 };
            let settings = Settings { delivery, limits, most_hot_steps: None };
            let fails = sampled(&program, &settings, name);
            has_failed |= fails && delivery == Delivery::Inbox;
            for (failure, trace) in naive::explore(&program, &settings, 300).failures {
                assert_eq!(replay(&program, &settings, &trace).end, ReplayEnd::Failed(Box::new(failure)), "{name}");
            }
        }
        failed += u32::from(has_failed);
    }
    (run, failed)
}

/// Whether a random schedule fails.
fn sampled(program: &lockstep_runtime::Program, settings: &Settings, name: &str) -> bool {
    let mut has_failed = false;
    for strategy in [Strategy::Random, Strategy::Pct { changes: 3 }, Strategy::Sticky { leave_one_in: 5 }] {
        let sampling = Sampling { seed: 7, schedules: 10, most_steps: 500, strategy };
        let first = sample(program, settings, &sampling);
        assert_eq!(first, sample(program, settings, &sampling), "{name}");
        if let Outcome::Failed(failure, trace) = first.outcome {
            assert_eq!(replay(program, settings, &trace).end, ReplayEnd::Failed(failure), "{name}");
            has_failed = true;
        }
    }
    has_failed
}
