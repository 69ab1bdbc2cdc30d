//! What can be done to the text at a place: fixes of findings, and changes of the code.

use std::collections::HashMap;

use lockstep_base::{Diagnostic, Edit, Text, TextRange};
use lockstep_ide::p::{Action, ActionKind, actions};
use lockstep_workspace::{Adoption, adoptions, file_key, read_disk};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use crate::convert;
use crate::snapshot::{FileView, Snapshot};

/// What kinds there are.
pub(crate) const KINDS: [CodeActionKind; 5] = [
    CodeActionKind::QUICKFIX,
    CodeActionKind::REFACTOR_EXTRACT,
    CodeActionKind::REFACTOR_INLINE,
    CodeActionKind::REFACTOR_REWRITE,
    CodeActionKind::SOURCE,
];

pub(crate) fn code_action(snapshot: &Snapshot, params: &CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let within = convert::text_range(file.parse.text(), params.range, snapshot.encoding);
    let mut found = match file.program {
        Some(_) => of_program(snapshot, &file, within),
        None => of_icet(snapshot, &file, within),
    };
    found.extend(of_runs(snapshot, &file, within));
    found.extend(of_project(snapshot, &file));
    found.sort_by_key(|action| action.kind != Some(CodeActionKind::QUICKFIX));
    let is_wanted = |action: &CodeAction| match (&params.context.only, &action.kind) {
        (Some(only), Some(kind)) => only.iter().any(|wanted| is_of_kind(kind, wanted)),
        _ => true,
    };
    found.retain(is_wanted);
    let mut known: Vec<(String, Option<WorkspaceEdit>)> = Vec::new();
    found.retain(|action| {
        let own = (action.title.clone(), action.edit.clone());
        let is_new = !known.contains(&own);
        known.push(own);
        is_new
    });
    let mut all: CodeActionResponse = found.into_iter().map(CodeActionOrCommand::CodeAction).collect();
    all.extend(super::commands::actions(snapshot, &file, params));
    Ok(Some(all))
}

/// Whether a kind is `wanted` or a part of it: `refactor.inline` of `refactor`.
pub(super) fn is_of_kind(kind: &CodeActionKind, wanted: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(wanted.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || wanted.as_str().is_empty())
}

fn of_program(snapshot: &Snapshot, file: &FileView<'_>, within: TextRange) -> Vec<CodeAction> {
    let Some(program) = file.program else { return Vec::new() };
    let findings = snapshot.workspace.file_findings(&snapshot.db, file.index, &snapshot.settings.shown());
    let offered = actions(&snapshot.db, program, within, &findings);
    offered.into_iter().filter_map(|action| code_action_of(snapshot, file, &findings, action)).collect()
}

#[allow(clippy::mutable_key_type)]
fn code_action_of(snapshot: &Snapshot, file: &FileView<'_>, findings: &[Diagnostic], action: Action) -> Option<CodeAction> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (input, edit) in action.edits {
        let index = snapshot.index_of_input(input)?;
        let text = snapshot.workspace.file(index)?.parse.text();
        changes.entry(snapshot.uri(index)?).or_default().push(text_edit(snapshot, text, edit));
    }
    let kind = match action.kind {
        ActionKind::Fix | ActionKind::Suppress => CodeActionKind::QUICKFIX,
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
    };
    let finding = action.finding.and_then(|index| findings.get(index));
    Some(CodeAction {
        is_preferred: action.is_preferred.then_some(true),
        ..literal(snapshot, file, action.title, kind, finding, changes)
    })
}

#[allow(clippy::mutable_key_type)]
fn of_icet(snapshot: &Snapshot, file: &FileView<'_>, within: TextRange) -> Vec<CodeAction> {
    let findings = snapshot.workspace.file_findings(&snapshot.db, file.index, &snapshot.settings.shown());
    let here = findings.iter().filter(|finding| finding.range.intersect(within).is_some());
    let fixed = here.filter_map(|finding| {
        let fix = finding.fix.as_ref()?;
        let edits = fix.edits.iter().map(|edit| text_edit(snapshot, file.parse.text(), edit.clone())).collect();
        let changes = HashMap::from([(file.uri.clone(), edits)]);
        let action = literal(snapshot, file, fix.title.clone(), CodeActionKind::QUICKFIX, Some(finding), changes);
        Some(CodeAction { is_preferred: Some(true), ..action })
    });
    fixed.collect()
}

/// What helps against what was found by running tests.
#[allow(clippy::mutable_key_type)]
fn of_runs(snapshot: &Snapshot, file: &FileView<'_>, within: TextRange) -> Vec<CodeAction> {
    let name = &snapshot.workspace.layout().files[file.index].name;
    let found = snapshot.run_fixes(name, |finding| finding.range.intersect(within).is_some()).into_iter();
    let action = |(finding, index, fix): (Diagnostic, usize, lockstep_ide::p::StateFix)| {
        let text = snapshot.workspace.file(index)?.parse.text();
        let changes = HashMap::from([(snapshot.uri(index)?, vec![text_edit(snapshot, text, fix.edit)])]);
        Some(literal(snapshot, file, fix.title, CodeActionKind::QUICKFIX, Some(&finding), changes))
    };
    found.filter_map(action).collect()
}

/// A file that is part of no project can be made part of one that lies beside it.
#[allow(clippy::mutable_key_type)]
fn of_project(snapshot: &Snapshot, file: &FileView<'_>) -> Vec<CodeAction> {
    let documents = &snapshot.documents;
    let read = |path: &std::path::Path| match documents.get(&file_key(path)) {
        Some(document) => Ok(document.text().to_string().into_bytes()),
        None => read_disk(path),
    };
    let found = adoptions(snapshot.workspace.layout(), file.index, &read).into_iter();
    let action = |adoption: Adoption| {
        let uri = match snapshot.documents.get(&file_key(&adoption.manifest)) {
            Some(document) => document.uri.clone(),
            None => convert::uri(&adoption.manifest)?,
        };
        let edit = text_edit(snapshot, &Text::from(adoption.text.as_str()), adoption.edit);
        let changes = HashMap::from([(uri, vec![edit])]);
        Some(literal(snapshot, file, adoption.title, CodeActionKind::SOURCE, None, changes))
    };
    found.filter_map(action).collect()
}

fn text_edit(snapshot: &Snapshot, text: &Text, edit: Edit) -> TextEdit {
    TextEdit { range: convert::range(text, edit.range, snapshot.encoding), new_text: edit.insert }
}

#[allow(clippy::mutable_key_type)]
fn literal(
    snapshot: &Snapshot,
    file: &FileView<'_>,
    title: String,
    kind: CodeActionKind,
    finding: Option<&Diagnostic>,
    changes: HashMap<Uri, Vec<TextEdit>>,
) -> CodeAction {
    let other = |name: &str| snapshot.named(name);
    let shown = |finding| convert::diagnostic(finding, (&file.uri, file.parse.text()), &other, snapshot.encoding);
    CodeAction {
        title,
        kind: Some(kind),
        diagnostics: finding.map(|finding| vec![shown(finding)]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    }
}
