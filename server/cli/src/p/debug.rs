//! `lockstep dap`: finds a trace and its program for the debugger, which is `lockstep_dap`.
//!
//! A trace knows the paths its program was read from, as they were given then. An editor starts the debugger anywhere, so paths that are
//! not from the root on are looked for beside the trace and above it too. The fingerprint says whether it is the right program.

use std::io::{self, BufReader};
use std::path::{Component, Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep_base::Severity;
use lockstep_dap::{Launch, Loaded, Source};
use lockstep_trace::TraceFile;
use lockstep_workspace::name;

use super::replay::read_trace;
use super::select::{Selected, Selection, Wanted, select};
use super::trace::as_found;
use crate::Outcome;
use crate::human::count;

/// How many folders above a trace its program is looked for: it is kept in `target/lockstep` of the project.
const MOST_ABOVE: usize = 4;

/// Ends well if the client said goodbye before it left.
pub(crate) fn run() -> anyhow::Result<Outcome> {
    let mut input = BufReader::new(io::stdin());
    let mut output = io::stdout().lock();
    let load = &mut |launch: &Launch| load(launch).map_err(|why| format!("{why:#}"));
    let was_goodbye = lockstep_dap::serve(&mut input, &mut output, load)?;
    Ok(if was_goodbye { Outcome::Clean } else { Outcome::Findings })
}

fn load(launch: &Launch) -> anyhow::Result<Loaded> {
    let path = Path::new(&launch.trace);
    let mut file = read_trace(path)?;
    if launch.all {
        file = as_found(&file, &launch.trace)?;
    }
    let mut problem = None;
    for paths in candidates(&file, path, launch.project.as_deref()) {
        match select(&paths, &Wanted::Named(vec![file.test.clone()])) {
            Ok(Selection::Runnable(selected)) => match loaded(&file, selected) {
                Some(loaded) => return Ok(loaded),
                // This is it, unless another place is better; but folders further up only have more in them.
                None => {
                    problem = Some(changed(&file, &paths));
                    break;
                }
            },
            Ok(Selection::Errors(report, _)) => {
                let errors = count(report.found_of(Severity::Error), "error");
                problem = problem.or(Some(anyhow!("the program of the trace has {errors} now: `lockstep check` shows them")));
            }
            Err(why) => problem = problem.or(Some(why)),
        }
    }
    match problem {
        Some(problem) => Err(problem),
        None => {
            let given = launch.project.clone().or(file.paths.first().cloned()).unwrap_or_default();
            bail!("the program of the trace is not at `{given}`: say where it is with `project` when launching the debugger")
        }
    }
}

fn changed(file: &TraceFile, paths: &[PathBuf]) -> anyhow::Error {
    let paths: Vec<String> = paths.iter().map(|path| name(path)).collect();
    anyhow!(
        "the program has changed since the trace was made: `lockstep run {} {}` looks for the bug again",
        paths.join(" "),
        file.test
    )
}

/// Where the program can be. Only what exists.
fn candidates(file: &TraceFile, trace: &Path, project: Option<&str>) -> Vec<Vec<PathBuf>> {
    if let Some(project) = project {
        let project = PathBuf::from(project);
        return if project.exists() { vec![vec![project]] } else { Vec::new() };
    }
    let known: Vec<&Path> = file.paths.iter().map(Path::new).collect();
    let beside = std::path::absolute(trace).unwrap_or_else(|_| trace.to_owned());
    let above = beside.ancestors().skip(1).take(MOST_ABOVE).map(Path::to_owned);
    let folders: Vec<PathBuf> = above.chain(std::env::current_dir().ok()).collect();
    let mut found: Vec<Vec<PathBuf>> = Vec::new();
    for folder in folders {
        let paths: Vec<PathBuf> = known.iter().map(|path| plain(&folder.join(path))).collect();
        if !paths.is_empty() && paths.iter().all(|path| path.exists()) && !found.contains(&paths) {
            found.push(paths);
        }
    }
    found
}

/// Without `.` in it, and without `..` where the file system knows what that means.
fn plain(path: &Path) -> PathBuf {
    let path: PathBuf = path.components().collect();
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    if goes_up { path.canonicalize().unwrap_or(path) } else { path }
}

/// The test that the trace is of, with its texts; `None` if it is not as it was.
fn loaded(file: &TraceFile, selected: Selected) -> Option<Loaded> {
    let Selected { tests, report, .. } = selected;
    let program = tests.into_iter().map(|test| test.program).find(|program| file.is_of(program))?;
    let source = |path: &String| {
        let text = report.sources.get(path).map(|source| source.text.clone()).unwrap_or_default();
        let whole = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        Source { path: plain(&whole).to_string_lossy().into_owned(), text }
    };
    let sources = program.files.iter().map(source).collect();
    Some(Loaded { file: file.clone(), program, sources })
}
