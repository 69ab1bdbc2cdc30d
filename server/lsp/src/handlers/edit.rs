//! What helps with writing: completion, signatures, renaming.

use std::collections::HashMap;

use lockstep_base::TextRange;
use lockstep_ide::{CannotRename, Completion, icet, p};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::convert_out::completion_kind;
use super::project_file::open_project;
use super::{At, refused};
use crate::convert;
use crate::snapshot::Snapshot;

pub(crate) fn completion(snapshot: &Snapshot, params: &CompletionParams) -> Result<Option<CompletionResponse>> {
    let TextDocumentPositionParams { text_document, position } = &params.text_document_position;
    if let Some(project) = open_project(snapshot, &text_document.uri) {
        let found = project.completions(project.offset(snapshot, *position));
        let replace = convert::range(project.text, found.replace, snapshot.encoding);
        let items = found.items.into_iter().map(|item| with_snippets_if(snapshot.expands_snippets, item)).collect();
        return Ok(Some(completion_list(items, replace, false)));
    }
    // These are typed in project files; in programs they are operators.
    let typed = params.context.as_ref().and_then(|context| context.trigger_character.as_deref());
    if typed.is_some_and(|typed| PROJECT_TRIGGERS.contains(&typed)) {
        return Ok(None);
    }
    let Some(at) = At::new(snapshot, &params.text_document_position) else { return Ok(None) };
    let found = match at.p() {
        Some(file) => p::completions(&snapshot.db, file, at.offset),
        None => icet::completions(at.file.parse, at.offset),
    };
    let replace = at.range(snapshot, found.replace);
    let typed = TextRange::new(found.replace.start(), at.offset.clamp(found.replace.start(), found.replace.end()));
    let (items, is_incomplete) = likeliest(found.items, &at.file.parse.text().slice(typed));
    let items = items.into_iter().map(|item| with_snippets_if(snapshot.expands_snippets, item)).collect();
    Ok(Some(completion_list(items, replace, is_incomplete)))
}

/// What asks for completion in project files only.
pub(crate) const PROJECT_TRIGGERS: [&str; 2] = ["<", "/"];

fn completion_list(items: Vec<Completion>, replace: Range, is_incomplete: bool) -> CompletionResponse {
    let items = items.into_iter().map(|item| CompletionItem {
        kind: Some(completion_kind(item.kind)),
        sort_text: Some(format!("{}{}", item.rank, item.label)),
        insert_text_format: Some(if item.is_snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: replace, new_text: item.insert })),
        label: item.label,
        detail: item.detail,
        ..CompletionItem::default()
    });
    CompletionResponse::List(CompletionList { is_incomplete, items: items.collect() })
}

/// The item as a client takes it that may know no snippets.
fn with_snippets_if(expands_snippets: bool, item: Completion) -> Completion {
    if expands_snippets || !item.is_snippet {
        return item;
    }
    Completion { insert: super::snippet::plain(&item.insert), is_snippet: false, ..item }
}

/// More are of no use to anyone, and take longer to send than to find.
const MOST: usize = 500;

/// Of many, those that begin with what is typed, then those that contain its letters in order, up to the most that are sent; and
/// whether some were left out. The client asks again then when more is typed.
fn likeliest(mut items: Vec<Completion>, typed: &str) -> (Vec<Completion>, bool) {
    if items.len() <= MOST {
        return (items, false);
    }
    let typed = typed.to_lowercase();
    items.retain(|item| contains_in_order(&item.label, &typed));
    items.sort_by_cached_key(|item| !item.label.to_lowercase().starts_with(&typed));
    items.truncate(MOST);
    (items, true)
}

fn contains_in_order(label: &str, letters: &str) -> bool {
    let mut label = label.chars().flat_map(char::to_lowercase);
    letters.chars().all(|letter| label.any(|other| other == letter))
}

pub(crate) fn signature_help(snapshot: &Snapshot, params: &SignatureHelpParams) -> Result<Option<SignatureHelp>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let found = match at.p() {
        Some(file) => p::signature_help(&snapshot.db, file, at.offset),
        None => icet::signature_help(at.file.parse, at.offset),
    };
    let Some(help) = found else { return Ok(None) };
    // The protocol counts in UTF-16 here, whatever was agreed on for documents.
    let utf16 = |at: usize| u32::try_from(help.label[..at].encode_utf16().count()).unwrap_or(u32::MAX);
    let parameters = help.parameters.iter().map(|range| ParameterInformation {
        label: ParameterLabel::LabelOffsets([utf16(range.start), utf16(range.end)]),
        documentation: None,
    });
    let active = help.active.and_then(|active| u32::try_from(active).ok());
    let signature = SignatureInformation {
        parameters: Some(parameters.collect()),
        documentation: help
            .documentation
            .map(|text| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text })),
        active_parameter: active,
        label: help.label,
    };
    Ok(Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: active }))
}

pub(crate) fn prepare_rename(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
    let Some(at) = At::new(snapshot, params) else { return Ok(None) };
    let found = match at.p() {
        Some(file) => p::prepare_rename(&snapshot.db, file, at.offset),
        None => {
            icet::prepare_rename(at.file.parse, at.offset).map(|range| (range, at.file.parse.text().slice(range).into_owned()))
        }
    };
    let (range, placeholder) = found.map_err(|CannotRename(why)| refused(why))?;
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range: at.range(snapshot, range), placeholder }))
}

#[allow(clippy::mutable_key_type)]
pub(crate) fn rename(snapshot: &Snapshot, params: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some(at) = At::new(snapshot, &params.text_document_position) else { return Ok(None) };
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    match at.p() {
        Some(file) => {
            let places = p::rename(&snapshot.db, file, at.offset, &params.new_name).map_err(|CannotRename(why)| refused(why))?;
            for place in places {
                let Some(location) = super::navigate::location(snapshot, place) else { continue };
                let edit = TextEdit { range: location.range, new_text: params.new_name.clone() };
                changes.entry(location.uri).or_default().push(edit);
            }
        }
        None => {
            let ranges = icet::rename(at.file.parse, at.offset, &params.new_name).map_err(|CannotRename(why)| refused(why))?;
            let edit = |range: TextRange| TextEdit { range: at.range(snapshot, range), new_text: params.new_name.clone() };
            changes.insert(at.file.uri.clone(), ranges.into_iter().map(edit).collect());
        }
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}
