//! The search against what cannot be wrong: the plain search of all configurations.
//!
//! Without a reduction both must find the same bugs in the same number of configurations; with one the same bugs and the same ends. It
//! must not matter how many threads there are, in which order states are looked at, or how they are remembered.

mod abstraction;
mod agreement;
mod budgets;
mod growth;
mod lassos;
mod liveness;
mod models;
mod monitors;
mod network;
mod phases;
mod reduction;
mod symbolic;
mod symmetry;
mod together;

use std::sync::atomic::AtomicBool;

use lockstep_explore::{Observer, Options, Report, explore};
use lockstep_program::{Database, project_errors, project_tests};
use lockstep_runtime::{self as runtime, Program, lower};
use lockstep_tests::{p_project, static_errors};

/// How many programs of each kind; twenty times as many in the long form.
fn count(short: u64) -> u64 {
    if std::env::var_os("LOCKSTEP_LONG_TESTS").is_some() { short * 20 } else { short }
}

/// Where the seeds of random programs start, to try others than every day.
fn first_seed() -> u64 {
    std::env::var("LOCKSTEP_FIRST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Searches without anybody watching.
fn search(program: &Program, options: &Options) -> Report {
    explore(program, options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} })
}

/// The first tests of a program that has no static errors; none otherwise.
fn lowered(files: Vec<(String, String)>) -> Vec<Program> {
    lowered_if(files, |number, _| number < 5)
}

/// The tests of a program that has no static errors, as far as they are wanted, by number and name; none otherwise.
fn lowered_if(files: Vec<(String, String)>, is_wanted: impl Fn(usize, &str) -> bool) -> Vec<Program> {
    let db = Database::default();
    let (project, _) = p_project(&db, files);
    if project_errors(&db, project) > 0 {
        return Vec::new();
    }
    let cases = project_tests(&db, project).iter().enumerate().filter(|(number, case)| is_wanted(*number, &case.name));
    cases.filter_map(|(_, case)| lower(&db, project, case, &runtime::Options::default()).ok()).collect()
}

fn program(text: &str) -> Program {
    let file = ("test.p".to_owned(), text.to_owned());
    let errors: Vec<String> =
        static_errors([file.clone()]).into_iter().map(|(_, line, error)| format!("line {line}: {}", error.message)).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    let programs = lowered(vec![file]);
    assert_eq!(programs.len(), 1, "one test is expected:\n{text}");
    programs.into_iter().next().expect("one")
}
