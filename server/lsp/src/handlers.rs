//! Requests: from the protocol to a feature and back. Nothing is computed here.

mod action;
mod calls;
mod commands;
mod convert_out;
mod diagram;
mod edit;
mod format;
mod hints;
mod look;
mod navigate;
mod project_file;
mod runs;
mod sequentialization;
mod snippet;

use lockstep_base::{Text, TextSize};
use lockstep_program::{ParamValue, ProjectFile};
use lockstep_syntax::Language;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{Position, Range, TextDocumentPositionParams, Uri};

use crate::convert;
use crate::drift::Drift;
use crate::snapshot::{FileView, Snapshot};

pub(crate) use action::{KINDS as ACTION_KINDS, code_action};
pub(crate) use calls::{incoming_calls, outgoing_calls, prepare_call_hierarchy};
pub(crate) use commands::{Page, explain_page, prepare_named, trace_page};
pub(crate) use diagram::{DiagramParams, DrawnDiagram, diagram};
pub(crate) use edit::{PROJECT_TRIGGERS, completion, prepare_rename, rename, signature_help};
pub(crate) use format::{formatting, on_type_formatting, range_formatting};
pub(crate) use hints::inlay_hint;
pub(crate) use look::{
    code_lens, diagnostic, document_symbol, folding_range, hover, selection_range, semantic_tokens_full, semantic_tokens_range,
};
pub(crate) use navigate::{
    document_highlight, goto_declaration, goto_definition, goto_implementation, goto_type_definition, references, symbol,
};
pub(crate) use project_file::{document_link, will_rename_files};

pub(crate) use runs::{
    CancelParams, CancelledRuns, Mode, Prepared, RunParams, ShownTrace, TraceParams, cancel_items, prepare, trace,
};
pub(crate) use sequentialization::{Sequentialization, SequentializationParams, sequentialization};

/// A place in a file, for a feature.
struct At<'s> {
    file: FileView<'s>,
    offset: TextSize,
    /// The text that was asked about, if it has changed since.
    earlier: Option<&'s (Text, Drift)>,
}

impl<'s> At<'s> {
    /// `None` if there is no such file, or what stood there has been replaced since.
    fn new(snapshot: &'s Snapshot, params: &TextDocumentPositionParams) -> Option<Self> {
        let file = snapshot.file(&params.text_document.uri)?;
        let text = file.parse.text();
        let earlier = snapshot.asked_about.as_ref();
        let offset = match earlier {
            None => convert::offset(text, params.position, snapshot.encoding),
            Some((asked, drift)) => drift.later(convert::offset(asked, params.position, snapshot.encoding))?,
        };
        Some(Self { file, offset, earlier })
    }

    /// The file in its project, if it is P.
    fn p(&self) -> Option<ProjectFile<'s>> {
        self.file.program
    }

    fn is_icet(&self) -> bool {
        self.file.parse.language() == Language::Icet
    }

    fn range(&self, snapshot: &Snapshot, range: lockstep_base::TextRange) -> Range {
        match self.earlier {
            None => convert::range(self.file.parse.text(), range, snapshot.encoding),
            Some((asked, drift)) => convert::range(asked, drift.earlier(range), snapshot.encoding),
        }
    }
}

fn refused(message: String) -> Error {
    Error { code: ErrorCode::InvalidRequest, message: message.into(), data: None }
}

/// The test cases of all projects.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tests {
    tests: Vec<TestCase>,
}

#[derive(Clone, Debug, Serialize)]
struct TestCase {
    /// By which `lockstep/verdicts` speaks of it.
    id: String,
    project: String,
    name: String,
    base: String,
    parameters: Vec<TestParameter>,
    main: String,
    uri: Uri,
    range: Range,
}

#[derive(Clone, Debug, Serialize)]
struct TestParameter {
    name: String,
    value: String,
}

pub(crate) fn tests(snapshot: &Snapshot) -> Result<Tests> {
    let db = &snapshot.db;
    let mut tests = Vec::new();
    for program in snapshot.workspace.programs() {
        for case in lockstep_program::project_tests(db, program.project) {
            let decl = case.decl;
            let Some(index) = snapshot.index_of_input(decl.file(db).file(db)) else { continue };
            let Some(file) = snapshot.file_at(index) else { continue };
            let name = lockstep_program::name_of(db, lockstep_program::Def { decl, part: None });
            let node = name.map_or(lockstep_program::Node::Whole, lockstep_program::Node::Name);
            let place = lockstep_program::Place { body: None, node };
            let Some(range) = lockstep_program::place_range(db, decl, place) else { continue };
            tests.push(TestCase {
                id: lockstep_ide::p::test_item(db, decl.file(db), &case.name),
                project: program.name.clone(),
                name: case.name.to_string(),
                base: decl.name(db).to_string(),
                parameters: case.params.iter().map(test_parameter).collect(),
                main: case.main.to_string(),
                range: convert::range(file.parse.text(), range, snapshot.encoding),
                uri: file.uri,
            });
        }
    }
    Ok(Tests { tests })
}

fn test_parameter((name, value): &(SmolStr, ParamValue)) -> TestParameter {
    let value = match value {
        ParamValue::Bool(value) => value.to_string(),
        ParamValue::Int(value) => value.to_string(),
    };
    TestParameter { name: name.to_string(), value }
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ExplainParams {
    pub(crate) code: String,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Explained {
    markdown: String,
}

pub(crate) fn explain(_: &Snapshot, params: &ExplainParams) -> Result<Explained> {
    let code = params.code.to_ascii_uppercase();
    let of_runs = || lockstep_runtime::explain::explain(&code);
    match lockstep_program::explanation(&code).or_else(|| lockstep_icet::explain::explain(&code)).or_else(of_runs) {
        Some(text) => {
            let fix = lockstep_ide::p::fixing(&code).and_then(|fixing| fixing.fix);
            let fix = fix.map_or(String::new(), |fix| format!("\n## Fix\n\nThe editor offers one that {fix}.\n"));
            Ok(Explained { markdown: format!("{text}{fix}") })
        }
        None => Err(refused(format!("there is no code `{}`", params.code))),
    }
}

/// How the server is doing.
pub(crate) fn stats(snapshot: &Snapshot, _: &()) -> Result<serde_json::Value> {
    let workspace = &snapshot.workspace;
    let projects: Vec<&str> = workspace.programs().iter().map(|program| program.name.as_str()).collect();
    Ok(serde_json::json!({
        "projects": projects,
        "files": workspace.layout().files.len(),
        "encoding": format!("{:?}", snapshot.encoding).to_lowercase(),
        "methods": snapshot.stats.summary(),
        "failures": workspace.failures().map(|failure| failure.message.clone()).collect::<Vec<_>>(),
        "lastPanic": crate::panics::last_panic(),
    }))
}

/// The first place of a document.
const START: Position = Position { line: 0, character: 0 };
