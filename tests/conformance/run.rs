//! Runs: P's tests under `Correct` show no bug, those under `DynamicError` show one of the right kind, and the tutorials do what P's
//! own continuous integration expects of them.
//!
//! Every program is run with random schedules and searched. What P's repository says nothing about is run too: it must not crash, a bug
//! must replay and the two ways must not contradict each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lockstep_program::{Database, Project, TestCase, project_tests};
use lockstep_runtime::{Options, Program, Specs, lower};
use lockstep_tests::p_project;

use crate::check::{OLD_MODELS, p_files, portfolio, tests, tutorials};
use crate::judge::{Effort, Judgement, judge, told};
use crate::{faults, figures, tutorial};

/// As P's own runner does it. The search is small: what takes long belongs into a benchmark.
const REGRESSION: Effort = Effort { schedules: 1_000, most_steps: 1_000, most_hot_steps: 1_000, states: 20_000 };
/// Long enough for specs that are hot again and again.
const LIVENESS: Effort = Effort { schedules: 100, most_steps: 10_000, most_hot_steps: 2_000, states: 20_000 };
/// No bug is expected, and P's runner looks long enough for bugs.
const CORRECT: Effort = Effort { schedules: 100, ..REGRESSION };

pub(crate) fn run(repository: &Path) -> ExitCode {
    let mut book = Book::default();
    for folder in tests(&repository.join("Tst/RegressionTests")) {
        let name = below(repository, &folder);
        if !name.contains("/StaticError/") {
            book.add(group(&name), &name, regression(&name, &p_files(&folder)));
        }
    }
    for (files, folder) in tutorials(&repository.join("Tutorial")) {
        let name = below(repository, &folder);
        with_cases(&files, |case, program| match (tutorial::expected(&case.name), program) {
            (Some(expected), Ok(program)) => book.add(name.clone(), &case.name, tutorial::compare(&program, &files, &expected)),
            (Some(_), Err(reason)) => book.add(name.clone(), &case.name, Err(reason)),
            (None, program) => book.look(&format!("{name} {}", case.name), program, &tutorial::UNSTATED),
        });
    }
    for (files, folder) in portfolio(&repository.join("Tst/PortfolioTests")) {
        let name = below(repository, &folder);
        if !OLD_MODELS.iter().any(|model| name.ends_with(model)) {
            with_cases(&files, |case, program| book.look(&format!("{name} {}", case.name), program, &CORRECT));
        }
    }
    book.print();
    figures::print(repository);
    if book.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What was found, group by group.
#[derive(Default)]
struct Book {
    scores: BTreeMap<String, (u32, u32)>,
    explained: Vec<String>,
    disagreements: Vec<String>,
    /// What P's repository says nothing about.
    unstated: Vec<String>,
}

impl Book {
    fn add(&mut self, group: String, name: &str, result: Result<String, String>) {
        let score = self.scores.entry(group).or_default();
        score.1 += 1;
        match result {
            Ok(what) => {
                score.0 += 1;
                if std::env::var_os("CONFORMANCE_VERBOSE").is_some() {
                    println!("{name}: {what}");
                }
            }
            Err(reason) => match faults::explanation(name, &reason) {
                Some(explanation) => self.explained.push(format!("{name}: {reason}\n    {explanation}")),
                None => self.disagreements.push(format!("{name}: {reason}")),
            },
        }
    }

    /// Runs something that P's repository says nothing about.
    fn look(&mut self, name: &str, program: Result<Program, String>, effort: &Effort) {
        match program.and_then(|program| judge(&program, effort)) {
            Ok(judgement) => {
                let found = verdict(&judgement);
                let why = faults::explanation(name, &found).map(|why| format!("\n    {why}")).unwrap_or_default();
                self.unstated.push(format!("{name}: {found}{why}"));
            }
            Err(reason) => match faults::explanation(name, &reason) {
                Some(why) => self.unstated.push(format!("{name}: {reason}\n    {why}")),
                None => self.disagreements.push(format!("{name}: {reason}")),
            },
        }
    }

    fn print(&self) {
        println!("{:<44} {:>14}", "folder", "agreed/total");
        let mut all = (0, 0);
        for (group, (agreed, total)) in &self.scores {
            println!("{group:<44} {:>14}", format!("{agreed}/{total}"));
            all = (all.0 + agreed, all.1 + total);
        }
        println!("{:<44} {:>14}", "all", format!("{}/{}", all.0, all.1));
        println!("\nDifferences with a reason: {}", self.explained.len());
        self.explained.iter().for_each(|difference| println!("{difference}"));
        println!("\nDifferences without: {}", self.disagreements.len());
        self.disagreements.iter().for_each(|disagreement| println!("{disagreement}"));
        println!("\nWhat P's repository says nothing about: {}", self.unstated.len());
        self.unstated.iter().for_each(|found| println!("{found}"));
    }
}

pub(crate) fn below(repository: &Path, folder: &Path) -> String {
    folder.strip_prefix(repository).expect("found below it").to_string_lossy().replace('\\', "/")
}

/// Which regression tests are counted together.
pub(crate) fn group(name: &str) -> String {
    name.split('/').skip(2).take(2).collect::<Vec<_>>().join("/")
}

/// One of P's regression tests.
fn regression(name: &str, files: &[PathBuf]) -> Result<String, String> {
    let programs = programs(name, files)?;
    match (name.contains("/Correct/"), is_about_liveness(name)) {
        (true, true) => expected_right(&programs, &LIVENESS),
        (true, false) => expected_right(&programs, &CORRECT),
        (false, true) => expected_wrong(name, &programs, &LIVENESS),
        (false, false) => expected_wrong(name, &programs, &REGRESSION),
    }
}

fn is_about_liveness(name: &str) -> bool {
    name.contains("/Liveness/")
}

/// The programs of all tests of a regression test.
pub(crate) fn programs(name: &str, files: &[PathBuf]) -> Result<Vec<Program>, String> {
    // The specs of these are attached by nobody but P's other checker.
    let specs = if is_about_liveness(name) { Specs::All } else { Specs::Attached };
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

/// Each test of these files, made runnable.
pub(crate) fn with_cases(files: &[PathBuf], mut visit: impl FnMut(&TestCase<'_>, Result<Program, String>)) {
    let db = Database::default();
    let (project, cases) = cases(&db, files);
    for case in cases {
        visit(case, lower(&db, project, case, &Options::default()).map_err(|reason| reason.to_string()));
    }
}

fn cases<'db>(db: &'db Database, files: &[PathBuf]) -> (Project, &'db [TestCase<'db>]) {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let texts = files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap_or_default()));
    let (project, _) = p_project(db, texts);
    (project, project_tests(db, project))
}

fn expected_right(programs: &[Program], effort: &Effort) -> Result<String, String> {
    let mut found = Vec::new();
    for program in programs {
        let judgement = judge(program, effort)?;
        if let Some((by, failure)) = judgement.bugs.first() {
            return Err(format!("no bug is expected, {by} of {} show one: {}", program.name, told(failure)));
        }
        found.push(verdict(&judgement));
    }
    Ok(found.join("; "))
}

fn expected_wrong(name: &str, programs: &[Program], effort: &Effort) -> Result<String, String> {
    let wanted = faults::expected(name.rsplit('/').next().unwrap_or_default());
    let mut reasons = Vec::new();
    for program in programs {
        let judgement = judge(program, effort)?;
        if let Some((by, failure)) = judgement.bugs.iter().find(|(_, failure)| !wanted.contains(&failure.fault.kind())) {
            let (wanted, found) = (wanted.join("` or `"), failure.fault.kind());
            return Err(format!("the bug is `{wanted}`, {by} find `{found}`: {}", told(failure)));
        }
        if !judgement.bugs.is_empty() {
            return Ok(verdict(&judgement));
        }
        reasons.push(verdict(&judgement));
    }
    Err(format!("a bug is expected: {}", reasons.join("; ")))
}

/// What was found, in words.
fn verdict(judgement: &Judgement) -> String {
    if judgement.bugs.is_empty() {
        return match (&judgement.unknown, judgement.is_exhausted) {
            (_, true) => "no bug in any behaviour".to_owned(),
            (Some(why), false) => format!("no bug found; {why}"),
            (None, false) => "no bug found".to_owned(),
        };
    }
    let mut told: Vec<String> =
        judgement.bugs.iter().map(|(by, failure)| format!("{} ({by}): {}", failure.fault.kind(), told(failure))).collect();
    told.dedup();
    told.join("; ")
}
