//! Which tests are meant, made runnable.
//!
//! Errors of the project come first: a project that has any has nothing that can be run.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep_base::{Severity, Text};
use lockstep_judge::{Test, config};
use lockstep_program::{Database, Settings, TestCase, TestKind, project_errors, project_tests};
use lockstep_workspace::{Program as Files, Workspace, name};

use crate::check::load;
use crate::human::count;
use crate::report::{Report, Sources, Which};

/// Everything that was asked for.
pub(super) struct Selected {
    pub(super) tests: Vec<Test>,
    /// What was read, as it was given.
    pub(super) paths: Vec<String>,
    pub(super) report: Report,
}

/// What paths and names lead to.
pub(super) enum Selection {
    Runnable(Selected),
    /// There are errors, or files that cannot be read. They are in the report; beside it, how words were understood, if that may be why.
    Errors(Report, Option<String>),
}

/// Which tests are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The only one there is.
    Only,
    All,
    Named(Vec<String>),
}

/// Finds and lowers tests.
pub(super) fn select(paths: &[PathBuf], wanted: &Wanted) -> anyhow::Result<Selection> {
    let is_here = paths.is_empty();
    let paths = if is_here { vec![PathBuf::from(".")] } else { paths.to_vec() };
    let mut db = Database::default();
    let workspace = load(&mut db, None, &paths)?;
    let report = Report::new(&workspace, &db, &Settings::default(), Which::P).errors_only();
    if report.found_of(Severity::Error) > 0 || !report.failures.is_empty() {
        return Ok(Selection::Errors(report, is_here.then(|| taken_for_tests(wanted)).flatten()));
    }
    let asked: Vec<&Files> = asked_programs(&workspace).collect();
    if let Some((program, errors)) = asked.iter().find_map(|program| errors(&db, program)) {
        bail!("`{}` has {} in other files: `lockstep check` shows them", program.name, count(errors, "error"));
    }
    let mut tests = Vec::new();
    for (files, case) in chosen(&db, &asked, wanted)? {
        let options = config::options(&db, files.project, &workspace.layout().projects[files.layout].origin)?;
        let test = Test::of_project(&db, files.project, &case, &files.name, &options);
        tests.push(test.map_err(|why| anyhow!("`{}` cannot be run: {why}", case.name))?);
    }
    Ok(Selection::Runnable(Selected { tests, paths: paths.iter().map(|path| name(path)).collect(), report }))
}

/// The paths and the tests that the words of a command line mean.
pub(super) fn meant(words: &[PathBuf], wants_all: bool) -> anyhow::Result<(Vec<PathBuf>, Wanted)> {
    let (paths, names): (Vec<PathBuf>, Vec<PathBuf>) = words.iter().cloned().partition(|word| is_path(word));
    let names: Vec<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let wanted = match (wants_all, names.is_empty()) {
        (true, false) => bail!("--all runs every test, so no test can be named with it"),
        (true, true) => Wanted::All,
        (false, true) => Wanted::Only,
        (false, false) => Wanted::Named(names),
    };
    Ok((paths, wanted))
}

/// That words were taken for names of tests of the project here, where a path may have been meant.
fn taken_for_tests(wanted: &Wanted) -> Option<String> {
    let Wanted::Named(names) = wanted else { return None };
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    Some(format!("no file or folder is called {}, so tests of the project in this folder are meant", names.join(" or ")))
}

/// Whether a word on the command line is a path. What is none is the name of a test.
fn is_path(word: &Path) -> bool {
    let ending = word.extension().and_then(|ending| ending.to_str());
    word.exists() || word.components().count() > 1 || matches!(ending, Some("p" | "pproj" | "icet"))
}

impl Sources {
    /// The text of a file, by the name that places give it.
    pub(super) fn text(&self, name: &str) -> Option<Text> {
        self.get(name).map(|source| source.text.clone())
    }
}

fn errors<'w>(db: &Database, program: &'w Files) -> Option<(&'w Files, usize)> {
    match project_errors(db, program.project) {
        0 => None,
        errors => Some((program, errors)),
    }
}

/// The projects that the user asked for, in their order.
fn asked_programs(workspace: &Workspace) -> impl Iterator<Item = &Files> {
    let files = &workspace.layout().files;
    workspace.programs().iter().filter(|program| program.files.iter().any(|file| files[*file].is_asked))
}

type Case<'db, 'w> = (&'w Files, TestCase<'db>);

fn chosen<'db, 'w>(db: &'db Database, asked: &[&'w Files], wanted: &Wanted) -> anyhow::Result<Vec<Case<'db, 'w>>> {
    let all: Vec<Case<'db, 'w>> = asked.iter().flat_map(|files| cases(db, files)).collect();
    let listed = |all: &[Case<'_, '_>]| {
        let names: Vec<String> = all.iter().take(20).map(|(_, case)| format!("\n  {}", case.name)).collect();
        let more = all.len().saturating_sub(names.len());
        names.concat() + &if more > 0 { format!("\n  and {more} more: `lockstep tests` lists them") } else { String::new() }
    };
    if all.is_empty() {
        bail!(
            "there is no P test here: declare one, such as `test tcMain [main=Main]: {{ Main }};` (an IceT program is run by naming its file)"
        );
    }
    match wanted {
        Wanted::All => Ok(all),
        Wanted::Only if all.len() == 1 => Ok(all),
        Wanted::Only => bail!("there are {} tests: name the one to run, or say --all{}", all.len(), listed(&all)),
        Wanted::Named(names) => {
            for name in names {
                if !all.iter().any(|(_, case)| is_named(db, case, name)) {
                    bail!("there is no test `{name}`{}\nthe tests are{}", similar(&all, name), listed(&all));
                }
            }
            Ok(all.into_iter().filter(|(_, case)| names.iter().any(|name| is_named(db, case, name))).collect())
        }
    }
}

/// The tests of a project. One without any is run from its implementations or its machine `Main`, as P does.
fn cases<'db, 'w>(db: &'db Database, files: &'w Files) -> Vec<Case<'db, 'w>> {
    let cases = project_tests(db, files.project);
    let has_tests = cases.iter().any(|case| case.kind == TestKind::Test);
    cases.iter().filter(|case| !has_tests || case.kind == TestKind::Test).map(|case| (files, case.clone())).collect()
}

/// A case goes by its own name and by that of its declaration.
fn is_named(db: &Database, case: &TestCase<'_>, name: &str) -> bool {
    case.name == name || case.kind == TestKind::Test && case.decl.name(db) == name
}

/// The test that was probably meant: the only one that begins so, or else one that differs little.
fn similar(all: &[Case<'_, '_>], name: &str) -> String {
    let begins = |full: &str| full.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let mut beginning = all.iter().map(|(_, case)| &case.name).filter(|full| begins(full));
    if let (Some(only), None) = (beginning.next(), beginning.next()) {
        return format!(": did you mean `{only}`?");
    }
    let near = all.iter().map(|(_, case)| (strsim::osa_distance(&case.name, name), &case.name)).min();
    match near {
        Some((distance, near)) if distance <= name.len() / 3 + 1 => format!(": did you mean `{near}`?"),
        _ => String::new(),
    }
}
