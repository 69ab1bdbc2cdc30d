//! `lockstep replay`: a trace, run again on the program as it is now.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep_judge::replay_test;
use lockstep_trace::{TraceFile, text};
use lockstep_workspace::{name, read_disk, why_unreadable};

use super::args::ReplayArgs;
use super::report;
use super::result::TestResult;
use super::select::{Selected, Selection, Wanted, select};
use crate::Outcome;
use crate::args::Format;
use crate::output::{Terminal, write_all};

pub(crate) fn run(args: &ReplayArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let file = read_trace(&args.trace)?;
    let selected = match select_for(&file, &args.project)? {
        Selection::Runnable(selected) => selected,
        Selection::Errors(errors, note) => return report::write_errors(&errors, note.as_deref(), args.format, terminal),
    };
    let Some(test) = selected.tests.first() else { bail!("there is no test `{}` any more", file.test) };
    if !file.is_of(&test.program) {
        terminal.note(CHANGED);
    }
    let replayed = replay_test(test, &|name| selected.report.sources.text(name), file);
    if matches!(args.format, Format::Human) {
        write_all(terminal.stdout(), |output| writeln!(output, "{}", text(&replayed.file.story)))?;
    }
    if replayed.is_damaged() {
        bail!("`{}` is damaged: its program does not do what it says", name(&args.trace));
    }
    let result = TestResult::with_trace(test, replayed.judged, name(&args.trace));
    report::write(vec![result], selected.report, 0, args.format, terminal)
}

const CHANGED: &str = "the program has changed since the trace was made";

/// Reads a trace file.
pub(super) fn read_trace(path: &Path) -> anyhow::Result<TraceFile> {
    let shown = name(path);
    let bytes = read_disk(path).map_err(|error| anyhow!(why_unreadable(&shown, &error)))?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("cannot read `{shown}`: it is not UTF-8"))?;
    let mut file = TraceFile::from_json(&text).map_err(|why| anyhow!("cannot read `{shown}`: {why}"))?;
    // A trace names its program by the way from where it lies.
    let folder = path.parent().unwrap_or(Path::new(""));
    file.paths = file.paths.iter().map(|program| name(&joined(folder, Path::new(program)))).collect();
    Ok(file)
}

/// A path from a folder on, without going down and up again where that can be seen.
fn joined(folder: &Path, path: &Path) -> PathBuf {
    let mut whole = folder.to_path_buf();
    for part in path.components() {
        let is_down = matches!(whole.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if is_down => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    if whole.as_os_str().is_empty() { PathBuf::from(".") } else { whole }
}

/// The program of a trace, where it was or where the user says it is.
pub(super) fn select_for(file: &TraceFile, project: &[PathBuf]) -> anyhow::Result<Selection> {
    let paths: Vec<PathBuf> = if project.is_empty() { file.paths.iter().map(PathBuf::from).collect() } else { project.to_vec() };
    if let Some(missing) = paths.iter().find(|path| !path.exists()) {
        bail!("the program of the trace is not at `{}` any more: say where it is with --project PATH", name(missing));
    }
    select(&paths, &Wanted::Named(vec![file.test.clone()]))
}

/// Says whether the program has changed since, as far as that can be found out.
pub(super) fn staleness(file: &TraceFile) -> Option<String> {
    match select_for(file, &[]) {
        Ok(Selection::Runnable(Selected { tests, .. })) if tests.iter().any(|test| file.is_of(&test.program)) => None,
        Ok(Selection::Runnable(_)) => Some(CHANGED.to_owned()),
        Ok(Selection::Errors(..)) => Some("the program of the trace has errors now: `lockstep check` shows them".to_owned()),
        Err(why) => Some(format!("it cannot be told whether the program has changed since: {why}")),
    }
}
