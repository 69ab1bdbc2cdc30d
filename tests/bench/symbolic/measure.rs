//! One search in a process of its own, so that its memory can be told and its time be ended.

use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lockstep_explore::{Budgets, Engine, Observer, Options, Outcome, explore};
use lockstep_program::{Database, project_tests};
use lockstep_runtime::{Delivery, Program, Settings, lower};
use lockstep_tests::{p_project, p_projects};

/// Bytes that a search may count for its states.
const MOST_MEMORY: u64 = 2 << 30;
/// Seconds that a process gets to notice that its time is over.
const GRACE: u64 = 10;

/// What one search of one test costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) is_complete: bool,
    pub(crate) states: u64,
    /// Of CPU time.
    pub(crate) seconds: f64,
    /// The most that the process has had, with the program itself, which takes about 10 million.
    pub(crate) bytes: u64,
    /// Runs of handlers, and how many they would be for each skeleton alone; only of sets of states.
    pub(crate) runs: u64,
    pub(crate) apart: u64,
    /// Whether sets of states have come to the end.
    pub(crate) is_by_sets: bool,
    /// Whether numbers were taken together as the model says.
    pub(crate) is_abstract: bool,
}

/// Searches a test in a process of its own. `None` if it had to be ended, or has failed.
pub(crate) fn search(test: &str, engine: &str, seconds: u64) -> Option<Measured> {
    let own = std::env::current_exe().ok()?;
    let mut child = Command::new(own)
        .args(["--search", test, engine, &seconds.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if begun.elapsed() > Duration::from_secs(seconds + GRACE) {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().ok()?;
    let printed = String::from_utf8(output.stdout).ok()?;
    let words: Vec<f64> = printed.split_whitespace().map(|word| word.parse().unwrap_or_default()).collect();
    let &[is_complete, states, seconds, bytes, runs, apart, is_by_sets, is_abstract] = &words[..] else { return None };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let count = |number: f64| number as u64;
    Some(Measured {
        is_complete: is_complete > 0.0,
        states: count(states),
        seconds,
        bytes: count(bytes),
        runs: count(runs),
        apart: count(apart),
        is_by_sets: is_by_sets > 0.0,
        is_abstract: is_abstract > 0.0,
    })
}

/// What the process does: searches and prints the figures.
pub(crate) fn answer(test: &str, engine: &str, seconds: u64) {
    let wanted = match engine {
        "explicit" => Engine::Explicit,
        "symbolic" => Engine::Symbolic,
        _ => Engine::Auto,
    };
    let program = lowered(test, wanted == Engine::Auto).unwrap_or_else(|| panic!("there is no test `{test}`"));
    let is_abstract = !program.abstractions.is_empty();
    // As `lockstep explore` does it: sets of states know no such numbers.
    let engine = if is_abstract { Engine::Explicit } else { wanted };
    let budgets = Budgets { time: Some(Duration::from_secs(seconds)), memory: Some(MOST_MEMORY), ..Budgets::default() };
    let settings = Settings { delivery: Delivery::Network, ..Settings::default() };
    let options = Options { settings, engine, budgets, ..Options::default() };
    let before = cpu_seconds();
    let found = explore(&program, &options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} });
    let seconds = cpu_seconds() - before;
    let is_complete = match &found.outcome {
        Outcome::Exhausted(_) => 1,
        Outcome::Unknown { .. } => 0,
        other => panic!("{}: {other:?}", program.name),
    };
    let is_by_sets = found.stats.symbolic.is_some();
    let symbolic = found.stats.symbolic.unwrap_or_default();
    let states = found.stats.states;
    let [is_by_sets, is_abstract] = [is_by_sets, is_abstract].map(u8::from);
    println!("{is_complete} {states} {seconds} {} {} {} {is_by_sets} {is_abstract}", peak(), symbolic.runs, symbolic.runs_apart);
}

/// The first test whose name begins like this, smallest first.
pub(crate) fn program(test: &str) -> Option<Program> {
    lowered(test, false)
}

fn lowered(test: &str, is_abstract: bool) -> Option<Program> {
    p_projects().into_iter().filter(|project| project.name.starts_with("models/")).find_map(|project| {
        let db = Database::default();
        let (opened, _) = p_project(&db, project.files);
        let case = project_tests(&db, opened).iter().find(|case| is_called(&case.name, test))?;
        lower(&db, opened, case, &lockstep_runtime::Options { is_abstract, ..lockstep_runtime::Options::default() }).ok()
    })
}

/// Whether a test has this name, or this and more parameters.
fn is_called(name: &str, wanted: &str) -> bool {
    let rest = name.strip_prefix(wanted.trim_end_matches("__"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("__"))
}

/// The most memory that this process has had; 0 where the system does not tell.
fn peak() -> u64 {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default();
    kilobytes * 1024
}

/// CPU time of this thread so far; wall time where the system does not tell.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()));
    match nanoseconds {
        Some(nanoseconds) => nanoseconds as f64 / 1e9,
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
    }
}
