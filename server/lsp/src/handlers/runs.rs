//! Running tests, and the traces of their bugs.

use std::path::PathBuf;
use std::sync::Arc;

use lockstep_base::verdict::{Check, Freshness, Outcome};
use lockstep_program::project_errors;
use lockstep_trace::{Story, TraceFile};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::Uri;

use super::refused;
use crate::convert;
use crate::runs::TestRef;
use crate::snapshot::Snapshot;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RunParams {
    pub(crate) item: String,
    pub(crate) mode: Mode,
}

/// What is done with a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Mode {
    /// Random schedules.
    Run,
    /// All behaviours.
    Explore,
}

/// A test that is about to be run.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) item: String,
    pub(crate) test: TestRef,
    pub(crate) mode: Mode,
    pub(crate) fingerprint: String,
    pub(crate) project: Arc<lockstep_worker::Project>,
}

/// How many cases can be started at once.
const MOST_CASES: usize = 500;

/// Everything that is needed to run a test as it is now.
pub(crate) fn prepare(snapshot: &Snapshot, params: &RunParams) -> Result<Vec<Prepared>> {
    let tests = snapshot.tests_of(&params.item);
    if tests.is_empty() {
        return Err(refused(format!("there is no test `{}`", params.item)));
    }
    if tests.len() > MOST_CASES {
        return Err(refused(format!("this test has {} cases: choose among them in the list of tests", tests.len())));
    }
    let mut prepared: Vec<Prepared> = Vec::new();
    for (item, test) in tests {
        match project_errors(&snapshot.db, test.project) {
            0 => {}
            1 => return Err(refused("1 error must be mended before this test can be run".to_owned())),
            errors => return Err(refused(format!("{errors} errors must be mended before this test can be run"))),
        }
        let project = match prepared.last().filter(|last| last.test.project == test.project) {
            Some(last) => last.project.clone(),
            None => Arc::new(snapshot.project_text(&test).map_err(refused)?),
        };
        let Some(fingerprint) = snapshot.fingerprint(test.project, &test.case) else {
            return Err(refused(format!("`{}` cannot be run", test.case)));
        };
        prepared.push(Prepared { item, test, mode: params.mode, fingerprint, project });
    }
    Ok(prepared)
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct CancelParams {
    #[serde(default)]
    pub(crate) item: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct CancelledRuns {
    pub(crate) cancelled: usize,
}

/// The items that one stands for.
pub(crate) fn cancel_items(snapshot: &Snapshot, params: &CancelParams) -> Result<Option<Vec<String>>> {
    let Some(item) = &params.item else { return Ok(None) };
    let cases = snapshot.tests_of(item).into_iter().map(|(item, _)| item);
    Ok(Some(cases.chain([item.clone()]).collect()))
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TraceParams {
    pub(crate) item: String,
}

/// A run that goes wrong.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ShownTrace {
    trace: String,
    path: String,
    /// Whether the program is another one now.
    stale: bool,
    file: serde_json::Value,
    sources: Vec<TraceSource>,
}

/// What a file of the trace is called there, and where it is.
#[derive(Clone, Debug, Serialize)]
struct TraceSource {
    name: String,
    uri: Uri,
}

pub(crate) fn trace(snapshot: &Snapshot, params: &TraceParams) -> Result<Option<ShownTrace>> {
    let Some((outcome, name, path, file)) = found_trace(snapshot, params)? else { return Ok(None) };
    let sources = sources(snapshot, &file);
    let errors = snapshot.tests_of(&params.item).first().map_or(0, |(_, test)| project_errors(&snapshot.db, test.project));
    let stale = outcome.freshness == Freshness::Stale || errors > 0;
    let json = serde_json::from_str(&file.to_json()).unwrap_or_default();
    Ok(Some(ShownTrace { trace: name, path: lockstep_workspace::name(&path), stale, file: json, sources }))
}

/// The run that refutes a test: what is known, the name and the place of its trace, and the trace.
pub(super) fn found_trace(snapshot: &Snapshot, params: &TraceParams) -> Result<Option<(Outcome, String, PathBuf, TraceFile)>> {
    let tests = snapshot.tests_of(&params.item);
    let outcomes = tests.iter().filter_map(|(item, test)| {
        let db = &snapshot.db;
        let case = lockstep_program::project_tests(db, test.project).iter().find(|case| case.name == test.case);
        snapshot.test_outcome(item, case)
    });
    // A test that has gone can still have one.
    let gone = tests.is_empty().then(|| snapshot.results.get(&params.item, Check::Exploration).cloned()).flatten();
    let gone = gone.map(|outcome| Outcome { freshness: Freshness::Stale, ..outcome });
    let Some((outcome, name)) = outcomes.chain(gone).find_map(|outcome| outcome.trace.clone().map(|trace| (outcome, trace)))
    else {
        return Ok(None);
    };
    let Some((path, file)) = snapshot.ledger.trace(&name) else {
        return Err(refused("the trace has gone: run the test again".to_owned()));
    };
    Ok(Some((outcome, name, path, file)))
}

fn sources(snapshot: &Snapshot, file: &TraceFile) -> Vec<TraceSource> {
    let stories = [Some(&file.story), file.original.as_ref().map(|original| &original.story)].into_iter().flatten();
    let mut names: Vec<&str> = stories.flat_map(Story::places).map(|place| place.path.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let uri = |name: &str| snapshot.named(name).map(|(uri, _)| uri).or_else(|| convert::uri(name.as_ref()));
    names.into_iter().filter_map(|name| Some(TraceSource { name: name.to_owned(), uri: uri(name)? })).collect()
}
