//! From names to places.

use lockstep_ide::p::FilePlace;
use lockstep_ide::{HighlightKind, icet, p};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::At;
use super::convert_out::symbol_kind;
use crate::convert;
use crate::snapshot::Snapshot;

/// A place in a file of a project.
pub(super) fn location(snapshot: &Snapshot, place: FilePlace) -> Option<Location> {
    let index = snapshot.index_of_input(place.file)?;
    let file = snapshot.file_at(index)?;
    Some(Location { range: convert::range(file.parse.text(), place.range, snapshot.encoding), uri: file.uri })
}

fn locations(snapshot: &Snapshot, places: Vec<FilePlace>) -> Option<Vec<Location>> {
    let found: Vec<Location> = places.into_iter().filter_map(|place| location(snapshot, place)).collect();
    (!found.is_empty()).then_some(found)
}

pub(crate) fn goto_definition(snapshot: &Snapshot, params: &GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    if at.is_icet() {
        let here = icet::definition(at.file.parse, at.offset).map(|(_, declared)| at.range(snapshot, declared));
        return Ok(here.map(|range| GotoDefinitionResponse::Scalar(Location { uri: at.file.uri.clone(), range })));
    }
    let places = at.p().map(|file| p::definitions(&snapshot.db, file, at.offset)).unwrap_or_default();
    Ok(locations(snapshot, places).map(|mut found| match found.len() {
        1 => GotoDefinitionResponse::Scalar(found.remove(0)),
        _ => GotoDefinitionResponse::Array(found),
    }))
}

pub(crate) fn goto_declaration(
    snapshot: &Snapshot,
    params: &request::GotoDeclarationParams,
) -> Result<Option<request::GotoDeclarationResponse>> {
    goto_definition(snapshot, params)
}

pub(crate) fn goto_type_definition(
    snapshot: &Snapshot,
    params: &request::GotoTypeDefinitionParams,
) -> Result<Option<request::GotoTypeDefinitionResponse>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let place = at.p().and_then(|file| p::type_definition(&snapshot.db, file, at.offset));
    Ok(place.and_then(|place| location(snapshot, place)).map(GotoDefinitionResponse::Scalar))
}

pub(crate) fn goto_implementation(
    snapshot: &Snapshot,
    params: &request::GotoImplementationParams,
) -> Result<Option<request::GotoImplementationResponse>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let places = at.p().map(|file| p::implementations(&snapshot.db, file, at.offset)).unwrap_or_default();
    Ok(locations(snapshot, places).map(GotoDefinitionResponse::Array))
}

pub(crate) fn references(snapshot: &Snapshot, params: &ReferenceParams) -> Result<Option<Vec<Location>>> {
    let Some(at) = At::new(snapshot, &params.text_document_position) else { return Ok(None) };
    let with_declaration = params.context.include_declaration;
    if at.is_icet() {
        let found = icet::references(at.file.parse, at.offset).into_iter();
        let wanted = found.filter(|(_, kind)| with_declaration || *kind != HighlightKind::Declaration);
        let places = wanted.map(|(range, _)| Location { uri: at.file.uri.clone(), range: at.range(snapshot, range) });
        return Ok(Some(places.collect()));
    }
    let places = at.p().map(|file| p::references(&snapshot.db, file, at.offset, with_declaration)).unwrap_or_default();
    Ok(locations(snapshot, places))
}

pub(crate) fn document_highlight(
    snapshot: &Snapshot,
    params: &DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let found: Vec<(lockstep_base::TextRange, HighlightKind)> = match at.p() {
        Some(file) => {
            let found = p::highlights(&snapshot.db, file, at.offset).into_iter();
            found.map(|highlight| (highlight.range, highlight.kind)).collect()
        }
        None => icet::references(at.file.parse, at.offset),
    };
    let shown = found.into_iter().map(|(range, kind)| DocumentHighlight {
        range: at.range(snapshot, range),
        kind: Some(match kind {
            HighlightKind::Declaration => DocumentHighlightKind::TEXT,
            HighlightKind::Read => DocumentHighlightKind::READ,
            HighlightKind::Write => DocumentHighlightKind::WRITE,
        }),
    });
    Ok(Some(shown.collect()))
}

pub(crate) fn symbol(snapshot: &Snapshot, params: &WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    for program in snapshot.workspace.programs() {
        for symbol in p::project_symbols(&snapshot.db, program.project, &params.query) {
            let Some(location) = location(snapshot, symbol.place) else { continue };
            found.push(WorkspaceSymbol {
                name: symbol.name,
                kind: symbol_kind(symbol.kind),
                tags: None,
                container_name: symbol.container,
                location: OneOf::Left(location),
                data: None,
            });
        }
    }
    // A file of two projects has its names once.
    let mut seen = std::collections::HashSet::new();
    found.retain(|symbol| match &symbol.location {
        OneOf::Left(location) => seen.insert((location.uri.clone(), location.range.start.line, location.range.start.character)),
        OneOf::Right(_) => true,
    });
    Ok(Some(WorkspaceSymbolResponse::Nested(found)))
}
