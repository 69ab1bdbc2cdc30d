//! What commands need of a snapshot: the tests that a word means, pages to be opened, and actions that lead to commands.

use std::path::PathBuf;

use lockstep_ide::p::{self, TestAction};
use lockstep_program::project_tests;
use serde_json::json;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, NumberOrString};

use super::action::is_of_kind;
use super::runs::found_trace;
use super::{ExplainParams, Prepared, RunParams, TraceParams, explain, prepare, refused};
use crate::commands::{CANCEL, EXPLAIN, EXPLORE, RUN, SHOW_TRACE};
use crate::convert;
use crate::snapshot::{FileView, Snapshot};

/// A file to be opened.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: PathBuf,
}

/// As `prepare`, of a test that may be meant by its name.
pub(crate) fn prepare_named(snapshot: &Snapshot, params: &RunParams) -> Result<Vec<Prepared>> {
    prepare(snapshot, &RunParams { item: item_of(snapshot, &params.item)?, mode: params.mode })
}

/// The run that goes wrong, as text.
pub(crate) fn trace_page(snapshot: &Snapshot, params: &TraceParams) -> Result<Page> {
    let params = TraceParams { item: item_of(snapshot, &params.item)? };
    let Some((_, name, _, file)) = found_trace(snapshot, &params)? else {
        return Err(refused("no run that goes wrong is known: run or explore the test first".to_owned()));
    };
    page(snapshot, &format!("{name}.txt"), &lockstep_trace::text(&file.story))
}

/// What a code means.
pub(crate) fn explain_page(snapshot: &Snapshot, params: &ExplainParams) -> Result<Page> {
    let explained = explain(snapshot, params)?;
    page(snapshot, &format!("{}.md", params.code.to_ascii_uppercase()), &explained.markdown)
}

fn page(snapshot: &Snapshot, name: &str, text: &str) -> Result<Page> {
    let path = snapshot.ledger.page(name, text).map_err(|error| refused(format!("the page cannot be written: {error}")))?;
    Ok(Page { path })
}

/// The item that a person means by a word: itself, or the name of a test or of one of its cases.
fn item_of(snapshot: &Snapshot, word: &str) -> Result<String> {
    if !snapshot.tests_of(word).is_empty() {
        return Ok(word.to_owned());
    }
    let db = &snapshot.db;
    let mut items: Vec<String> = Vec::new();
    for program in snapshot.workspace.programs() {
        for case in project_tests(db, program.project) {
            let name = [case.name.as_str(), case.decl.name(db)].into_iter().find(|name| *name == word);
            items.extend(name.map(|name| p::test_item(db, case.decl.file(db), name)));
        }
    }
    items.dedup();
    match items.as_slice() {
        [] => Err(refused(format!("there is no test `{word}`"))),
        [one] => Ok(one.clone()),
        several => Err(refused(format!("several tests are called `{word}`: {}", several.join(", ")))),
    }
}

/// For editors without lenses: what the lenses of tests do and what codes mean, where the cursor is.
pub(super) fn actions(snapshot: &Snapshot, file: &FileView<'_>, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    if snapshot.has_own_commands {
        return Vec::new();
    }
    let only = params.context.only.as_deref();
    let is_wanted = |kind: &CodeActionKind| only.is_none_or(|only| only.iter().any(|wanted| is_of_kind(kind, wanted)));
    let mut actions = Vec::new();
    if is_wanted(&CodeActionKind::SOURCE) {
        actions.extend(test_commands(snapshot, file, params));
    }
    if is_wanted(&CodeActionKind::QUICKFIX) {
        actions.extend(explanations(params));
    }
    actions
}

fn test_commands(snapshot: &Snapshot, file: &FileView<'_>, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let Some(program) = file.program else { return Vec::new() };
    let within = convert::text_range(file.parse.text(), params.range, snapshot.encoding);
    let lenses = p::lenses(&snapshot.db, program, &|item, case| snapshot.test_outcome(item, case));
    let mut actions = Vec::new();
    for lens in lenses.into_iter().filter(|lens| lens.range.intersect(within).is_some()) {
        let Some((action, item)) = lens.action else { continue };
        let Some(command) = command_of(action) else { continue };
        let name = file.parse.text().slice(lens.range).into_owned();
        let title = format!("{} ({name})", lens.title);
        let command =
            Command { title: title.clone(), command: command.to_owned(), arguments: Some(vec![json!({ "item": item })]) };
        let kind = Some(CodeActionKind::SOURCE);
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title,
            kind,
            command: Some(command),
            ..CodeAction::default()
        }));
    }
    actions
}

/// The command that does something with a test, if the server can.
pub(super) fn command_of(action: TestAction) -> Option<&'static str> {
    match action {
        TestAction::Run => Some(RUN),
        TestAction::Explore => Some(EXPLORE),
        TestAction::Cancel => Some(CANCEL),
        TestAction::ShowTrace => Some(SHOW_TRACE),
        TestAction::DebugTrace => None,
    }
}

/// What the codes of the findings mean that the client asks about.
fn explanations(params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let own = params.context.diagnostics.iter().filter(|finding| finding.source.as_deref() == Some("lockstep"));
    let mut actions: Vec<(String, CodeAction)> = Vec::new();
    for finding in own {
        let Some(NumberOrString::String(code)) = &finding.code else { continue };
        if actions.iter().any(|(known, _)| known == code) {
            continue;
        }
        let title = format!("Explain {code}");
        let command =
            Command { title: title.clone(), command: EXPLAIN.to_owned(), arguments: Some(vec![json!({ "code": code })]) };
        let action = CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![finding.clone()]),
            command: Some(command),
            ..CodeAction::default()
        };
        actions.push((code.clone(), action));
    }
    actions.into_iter().map(|(_, action)| CodeActionOrCommand::CodeAction(action)).collect()
}
