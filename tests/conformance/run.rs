//! Runs: P's tests under `Correct` show no bug, those under `DynamicError` show one of the right kind, and the tutorials do what P's
//! own continuous integration expects of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lockstep_program::{Database, Project, TestCase, project_tests};
use lockstep_runtime::{Options, Outcome, Program, ReplayEnd, Sampling, Settings, Specs, Strategy, lower, naive, replay, sample};
use lockstep_tests::p_project;

use crate::check::{OLD_MODELS, p_files, portfolio, tests, tutorials};
use crate::faults;

/// How many configurations the naive search looks at.
const CONFIGURATIONS: usize = 20_000;

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut scores: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut disagreements, mut explained) = (Vec::new(), Vec::new());
    let mut add = |group: String, name: &str, result: Result<String, String>| {
        let score = scores.entry(group).or_default();
        score.1 += 1;
        match result {
            Ok(what) => {
                score.0 += 1;
                if std::env::var_os("CONFORMANCE_VERBOSE").is_some() {
                    println!("{name}: {what}");
                }
            }
            Err(reason) => match faults::explanation(name, &reason) {
                Some(explanation) => explained.push(format!("{name}: {reason}\n    {explanation}")),
                None => disagreements.push(format!("{name}: {reason}")),
            },
        }
    };
    for folder in tests(&repository.join("Tst/RegressionTests")) {
        let name = below(repository, &folder);
        if name.contains("/StaticError/") {
            continue;
        }
        let group = name.split('/').skip(2).take(2).collect::<Vec<_>>().join("/");
        add(group, &name, regression(&name, &p_files(&folder)));
    }
    for (files, folder) in portfolio(&repository.join("Tst/PortfolioTests")) {
        let name = below(repository, &folder);
        if !OLD_MODELS.iter().any(|model| name.ends_with(model)) {
            add("PortfolioTests".to_owned(), &name, expected_right(&files, Specs::Attached, &REGRESSION));
        }
    }
    for (files, folder) in tutorials(&repository.join("Tutorial")) {
        let name = below(repository, &folder);
        for (case, result) in tutorial(&files) {
            add("Tutorial".to_owned(), &format!("{name} {case}"), result);
        }
    }
    println!("{:<44} {:>14}", "folder", "agreed/total");
    let mut all = (0, 0);
    for (group, (agreed, total)) in &scores {
        println!("{group:<44} {:>14}", format!("{agreed}/{total}"));
        all = (all.0 + agreed, all.1 + total);
    }
    println!("{:<44} {:>14}", "all", format!("{}/{}", all.0, all.1));
    println!("\nDifferences with a reason: {}", explained.len());
    explained.iter().for_each(|difference| println!("{difference}"));
    println!("\nDifferences without: {}", disagreements.len());
    disagreements.iter().for_each(|disagreement| println!("{disagreement}"));
    if disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn below(repository: &Path, folder: &Path) -> String {
    folder.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/")
}

/// One of P's regression tests.
fn regression(name: &str, files: &[PathBuf]) -> Result<String, String> {
    // The specs of these are attached by nobody but P's other checker.
    let (specs, length) = match name.contains("/Liveness/") {
        true => (Specs::All, LIVENESS),
        false => (Specs::Attached, REGRESSION),
    };
    match name.contains("/Correct/") {
        true => expected_right(files, specs, &length),
        false => expected_wrong(name, files, specs, &length),
    }
}

/// The programs of all tests of these files.
fn programs(files: &[PathBuf], specs: Specs) -> Result<Vec<Program>, String> {
    let db = Database::default();
    let (project, cases) = cases(&db, files);
    let lowered = cases
        .iter()
        .map(|case| lower(&db, project, case, &Options { specs, ..Options::default() }).map_err(|reason| reason.to_string()));
    match lowered.collect::<Result<Vec<Program>, String>>()? {
        programs if programs.is_empty() => Err("nothing can be run".to_owned()),
        programs => Ok(programs),
    }
}

fn cases<'db>(db: &'db Database, files: &[PathBuf]) -> (Project, &'db [TestCase<'db>]) {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let texts = files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap_or_default()));
    let (project, _) = p_project(db, texts);
    (project, project_tests(db, project))
}

fn expected_right(files: &[PathBuf], specs: Specs, length: &Length) -> Result<String, String> {
    let mut configurations = 0;
    for program in programs(files, specs)? {
        match random(&program, 100, length) {
            Outcome::NoBug => {}
            outcome => return Err(format!("{} has no bug, Lockstep finds one: {}", program.name, words(&outcome))),
        }
        let explored = naive::explore(&program, &Settings::default(), CONFIGURATIONS);
        if let Some((failure, _)) = explored.failures.first() {
            return Err(format!("{} has no bug, the search of all runs finds: {} {}", program.name, failure.who, failure.fault));
        }
        configurations += explored.configurations;
    }
    Ok(format!("right, {configurations} configurations"))
}

fn expected_wrong(name: &str, files: &[PathBuf], specs: Specs, length: &Length) -> Result<String, String> {
    let programs = programs(files, specs)?;
    let mut reasons = Vec::new();
    for program in &programs {
        let outcome = random(program, 1_000, length);
        let Outcome::Failed(failure, trace) = &outcome else {
            reasons.push(words(&outcome));
            continue;
        };
        let again = replay(program, &length.settings(), trace).end;
        if again != ReplayEnd::Failed(failure.clone()) {
            return Err(format!("the trace of the bug does not replay: {again:?}"));
        }
        let (found, wanted) = (failure.fault.kind(), faults::expected(name.rsplit('/').next().unwrap_or_default()));
        if found != wanted {
            return Err(format!("the bug is `{wanted}`, Lockstep finds `{found}`: {}", failure.fault));
        }
        return Ok(format!("{found}: {} {}", failure.who, failure.fault));
    }
    Err(format!("a bug is expected: {}", reasons.join("; ")))
}

/// How long schedules are, and how long a spec may be hot in them.
struct Length {
    most_steps: u64,
    most_hot_steps: u64,
}

/// As P's own runner does it.
const REGRESSION: Length = Length { most_steps: 1_000, most_hot_steps: 1_000 };
/// Long enough for specs that are hot again and again.
const LIVENESS: Length = Length { most_steps: 10_000, most_hot_steps: 2_000 };
/// As P's command line does it if it is told nothing else.
const COMMAND_LINE: Length = Length { most_steps: 100_000, most_hot_steps: 50_000 };

impl Length {
    fn settings(&self) -> Settings {
        Settings { most_hot_steps: Some(self.most_hot_steps), ..Settings::default() }
    }
}

fn random(program: &Program, schedules: u32, length: &Length) -> Outcome {
    let sampling = Sampling { seed: 1, schedules, most_steps: length.most_steps, strategy: Strategy::Random };
    sample(program, &length.settings(), &sampling).outcome
}

fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::NoBug => "no bug in random schedules".to_owned(),
        Outcome::Failed(failure, trace) => {
            format!("{} in `{}`: {} ({} steps)", failure.who, failure.state, failure.fault, trace.decisions.len())
        }
        Outcome::Limited(limit, _) => limit.to_string(),
        Outcome::Unsupported(what) => format!("cannot be run: {}", what.what),
    }
}

/// The tests of the tutorials that have a bug.
const BUGGY: [&str; 3] = ["tcAbstractServer", "tcMultipleClientsNoFailure", "tcMultipleClientsWithFailure"];

/// Every test of a tutorial, with what became of it.
fn tutorial(files: &[PathBuf]) -> Vec<(String, Result<String, String>)> {
    let db = Database::default();
    let (project, cases) = cases(&db, files);
    let mut results = Vec::new();
    for case in cases {
        let result = lower(&db, project, case, &Options::default()).map_err(|reason| reason.to_string()).and_then(|program| {
            let is_buggy = BUGGY.contains(&case.name.as_str());
            let outcome = random(&program, if is_buggy { 5_000 } else { 30 }, &COMMAND_LINE);
            match (is_buggy, &outcome) {
                (false, Outcome::NoBug) | (true, Outcome::Failed(..)) => Ok(words(&outcome)),
                _ => Err(words(&outcome)),
            }
        });
        results.push((case.name.clone(), result));
    }
    results
}
