//! The hierarchy of calls.

use lockstep_base::TextRange;
use lockstep_ide::p::{self, Call, CallItem};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::At;
use super::convert_out::symbol_kind;
use super::navigate::location;
use crate::convert;
use crate::snapshot::Snapshot;

pub(crate) fn prepare_call_hierarchy(
    snapshot: &Snapshot,
    params: &CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let found = at.p().map(|file| p::prepare_calls(&snapshot.db, file, at.offset)).unwrap_or_default();
    let items: Vec<CallHierarchyItem> = found.into_iter().filter_map(|item| shown(snapshot, item)).collect();
    Ok((!items.is_empty()).then_some(items))
}

pub(crate) fn incoming_calls(
    snapshot: &Snapshot,
    params: &CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some(at) = At::new(snapshot, &place_of(&params.item)) else { return Ok(None) };
    let found = at.p().and_then(|file| p::incoming_calls(&snapshot.db, file, at.offset, &params.item.name));
    let calls = found.map(|found| {
        let call = |Call { item, ranges }| {
            let from = shown(snapshot, item)?;
            Some(CallHierarchyIncomingCall { from_ranges: ranges_in(snapshot, &from.uri, ranges), from })
        };
        found.into_iter().filter_map(call).collect()
    });
    Ok(calls)
}

pub(crate) fn outgoing_calls(
    snapshot: &Snapshot,
    params: &CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some(at) = At::new(snapshot, &place_of(&params.item)) else { return Ok(None) };
    let found = at.p().and_then(|file| p::outgoing_calls(&snapshot.db, file, at.offset, &params.item.name));
    let calls = found.map(|found| {
        let call = |Call { item, ranges }| {
            let from_ranges = ranges_in(snapshot, &params.item.uri, ranges);
            Some(CallHierarchyOutgoingCall { to: shown(snapshot, item)?, from_ranges })
        };
        found.into_iter().filter_map(call).collect()
    });
    Ok(calls)
}

/// Where something is that was shown before.
fn place_of(item: &CallHierarchyItem) -> TextDocumentPositionParams {
    TextDocumentPositionParams {
        text_document: TextDocumentIdentifier { uri: item.uri.clone() },
        position: item.selection_range.start,
    }
}

fn shown(snapshot: &Snapshot, item: CallItem) -> Option<CallHierarchyItem> {
    let Location { uri, range: selection_range } = location(snapshot, item.place)?;
    let range = ranges_in(snapshot, &uri, vec![item.range]).pop()?;
    let kind = symbol_kind(item.kind);
    Some(CallHierarchyItem { name: item.name, kind, tags: None, detail: item.detail, uri, range, selection_range, data: None })
}

fn ranges_in(snapshot: &Snapshot, uri: &Uri, ranges: Vec<TextRange>) -> Vec<Range> {
    let Some(file) = snapshot.file(uri) else { return Vec::new() };
    ranges.into_iter().map(|range| convert::range(file.parse.text(), range, snapshot.encoding)).collect()
}
