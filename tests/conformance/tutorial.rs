//! What P's continuous integration expects of the tutorials: three tests fail, in ways that the text of the tutorials tells.

use std::fs;
use std::path::PathBuf;

use lockstep_runtime::{Failure, Outcome, Program, Strategy};

use crate::judge::{Effort, judge, sampled, told};

/// What is known of a test beforehand.
pub(crate) enum Expected {
    NoBug,
    /// A kind of bug (`Fault::kind`) of somebody, at a line of a file.
    Bug {
        kind: &'static str,
        who: &'static str,
        file: &'static str,
        line: u32,
    },
}

/// With steps as P's command line has them if it is told nothing else. P's scripts run 25,000 schedules.
const RUN: Effort = Effort { schedules: 30, most_steps: 100_000, most_hot_steps: 50_000, states: 20_000 };
/// Enough for all who look to find a bug.
const BUGGY: Effort = Effort { schedules: 5_000, ..RUN };
/// Tests that P's scripts pass over because of their names.
pub(crate) const UNSTATED: Effort = Effort { schedules: 5, ..RUN };

/// Tests whose names have an underscore are passed over by P's scripts: those with parameters and those of the failure detector.
pub(crate) fn expected(test: &str) -> Option<Expected> {
    match test {
        "tcAbstractServer" => {
            Some(Expected::Bug { kind: "assertion", who: "BankBalanceIsAlwaysCorrect", file: "BankBalanceCorrect.p", line: 76 })
        }
        "tcMultipleClientsNoFailure" => Some(Expected::Bug { kind: "assertion", who: "Client", file: "Client.p", line: 42 }),
        "tcMultipleClientsWithFailure" => Some(Expected::Bug { kind: "deadlock", who: "Client", file: "Client.p", line: 40 }),
        test if test.contains('_') => None,
        _ => Some(Expected::NoBug),
    }
}

/// `files` are where the program is from.
pub(crate) fn compare(program: &Program, files: &[PathBuf], expected: &Expected) -> Result<String, String> {
    let Expected::Bug { kind, who, file, line } = expected else {
        let judgement = judge(program, &RUN)?;
        return match judgement.bugs.first() {
            None if judgement.is_exhausted => Ok("no bug in any behaviour".to_owned()),
            None => Ok("no bug found".to_owned()),
            Some((by, failure)) => Err(format!("no bug is expected, {by} show one: {}", told(failure))),
        };
    };
    // The bug that is found first must be the one, whatever the seed.
    let mut found = Vec::new();
    for seed in 1..=10 {
        match sampled(program, seed, Strategy::Random, &BUGGY).outcome {
            Outcome::Failed(failure, _) => found.push(*failure),
            _ => return Err(format!("a bug is expected, and {} schedules of seed {seed} have none", BUGGY.schedules)),
        }
    }
    let wanted = format!("{file}:{line}");
    let at = |failure: &Failure| place(program, files, failure);
    let is_it = |failure: &Failure| {
        failure.fault.kind() == *kind && failure.who.starts_with(who) && at(failure).as_ref() == Some(&wanted)
    };
    match found.iter().find(|failure| !is_it(failure)) {
        None => Ok(format!("{kind} at {wanted}, found by 10 seeds: {}", told(&found[0]))),
        Some(other) => Err(format!("the bug is `{kind}` of {who} at {wanted}, found is {} ({:?})", told(other), at(other))),
    }
}

/// The file and the line of a failure.
fn place(program: &Program, files: &[PathBuf], failure: &Failure) -> Option<String> {
    let place = failure.place?;
    let name = program.files.get(place.file.index())?;
    let path = files.iter().find(|path| path.file_name().is_some_and(|last| last == name.as_str()))?;
    let text = fs::read_to_string(path).ok()?;
    let line = 1 + text.get(..place.range.start().into())?.matches('\n').count();
    Some(format!("{name}:{line}"))
}
