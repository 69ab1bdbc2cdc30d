//! What is known of a test in the end, with the trace of a bug in a file.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use lockstep_base::Diagnostic;
use lockstep_judge::{Judged, Test};
use lockstep_runtime::{Failure, Fault};
use lockstep_trace::{Story, TraceFile};
use lockstep_workspace::name;

/// Where traces go if nobody says otherwise.
const FOLDER: &str = "target/lockstep";

pub(super) struct TestResult {
    pub(super) judged: Judged,
    /// Where the trace of the bug is, if there is one.
    pub(super) trace: Option<String>,
    /// Where it could not be written, and why.
    pub(super) unkept: Option<(String, String)>,
    /// The finding in the text, with the path of its file.
    pub(super) finding: Option<(String, Diagnostic)>,
}

/// Where a trace is written.
pub(super) struct Keeping<'a> {
    pub(super) out: Option<&'a Path>,
    /// Whether `out` is a folder, because there can be several traces.
    pub(super) has_several: bool,
}

impl TestResult {
    /// Writes the trace of a bug down. If that cannot be done, there is still the bug.
    pub(super) fn kept(test: &Test, judged: Judged, keeping: &Keeping<'_>) -> Self {
        let Some(bug) = &judged.bug else { return Self { judged, trace: None, unkept: None, finding: None } };
        let path = path_of(&bug.file, keeping);
        match keep(&bug.file, &path) {
            Ok(()) => Self::with_trace(test, judged, name(&path)),
            Err(why) => {
                let finding = finding(test, &bug.failure, None);
                let unkept = Some((name(&path), format!("the trace of `{}` is lost: {why:#}", judged.test)));
                Self { judged, trace: None, unkept, finding }
            }
        }
    }

    /// A bug whose trace is in a file already.
    pub(super) fn with_trace(test: &Test, mut judged: Judged, path: String) -> Self {
        judged.outcome.trace = judged.bug.is_some().then(|| path.clone());
        let failure = judged.bug.as_ref().map(|bug| &bug.failure);
        let finding = failure.and_then(|failure| finding(test, failure, Some(&path)));
        Self { trace: judged.outcome.trace.clone(), unkept: None, finding, judged }
    }

    pub(super) fn story(&self) -> Option<&Story> {
        self.judged.bug.as_ref().map(|bug| &bug.file.story)
    }
}

fn finding(test: &Test, failure: &Failure, trace: Option<&str>) -> Option<(String, Diagnostic)> {
    let (program, place) = (&test.program, failure.place?);
    let file = program.files.get(place.file.index())?;
    let who = match (failure.who.as_str(), failure.state.as_str()) {
        ("", _) => String::new(),
        (who, "") => format!("`{who}`, "),
        (who, state) => format!("`{who}` in state `{state}`, "),
    };
    let shows = trace.map(|trace| format!(": `lockstep trace view {trace}` shows how it comes to that")).unwrap_or_default();
    let help = format!("{who}test `{}`{shows}", program.name);
    let (code, message) = (failure.fault.code(), failure.fault.to_string());
    let diagnostic = match failure.fault {
        // A guess is no error.
        Fault::HotForLong { .. } => Diagnostic::warning(code, place.range, message),
        _ => Diagnostic::error(code, place.range, message),
    };
    Some((file.clone(), diagnostic.with_help(help)))
}

/// Where a trace is written, as the user can give it to other commands.
fn path_of(file: &TraceFile, keeping: &Keeping<'_>) -> PathBuf {
    let own_name = format!("{}.trace.json", file.test.replace(['/', '\\', ':'], "_"));
    match keeping.out {
        Some(out) if !keeping.has_several && !out.is_dir() && !out.to_string_lossy().ends_with(['/', '\\']) => out.to_path_buf(),
        Some(folder) => folder.join(own_name),
        None => Path::new(FOLDER).join(own_name),
    }
}

/// Writes a trace. The program is named by its way from there, so that the trace is of use in any folder.
pub(super) fn keep(file: &TraceFile, path: &Path) -> anyhow::Result<()> {
    make_folder(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let paths = file.paths.iter().map(|program| name(&way(folder, Path::new(program)))).collect();
    write_file(path, &TraceFile { paths, ..file.clone() }.to_json())
}

/// How to get from a folder to a file, both of which are there; the whole path if they have nothing in common.
fn way(from: &Path, to: &Path) -> PathBuf {
    let (Ok(from), Ok(to)) = (from.canonicalize(), to.canonicalize()) else { return to.to_path_buf() };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if !from.components().take(shared).any(|part| matches!(part, Component::Normal(_))) {
        return to;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

fn make_folder(path: &Path) -> anyhow::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", name(folder))),
        None => Ok(()),
    }
}

/// Writes a file, with the folders it needs.
pub(super) fn write_file(path: &Path, content: &str) -> anyhow::Result<()> {
    make_folder(path)?;
    std::fs::write(path, content).with_context(|| format!("cannot write `{}`", name(path)))
}
