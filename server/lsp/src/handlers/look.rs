//! What a document looks like: outline, colours, folds, lenses, findings.

use lockstep_ide::{FoldKind, Symbol, Token, document_symbols, folds, icet, p, selection_ranges};
use lockstep_syntax::Language;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::commands::command_of;
use super::convert_out::symbol_kind;
use super::navigate::location;
use super::project_file::open_project;
use super::sequentialization::icet_lenses;
use super::{At, START};
use crate::convert;
use crate::publish::file_report;
use crate::snapshot::{FileView, Snapshot};

pub(crate) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Result<Option<Hover>> {
    let TextDocumentPositionParams { text_document, position } = &params.text_document_position_params;
    if let Some(project) = open_project(snapshot, &text_document.uri) {
        return Ok(project.hover(snapshot, *position));
    }
    let Some(at) = At::new(snapshot, &params.text_document_position_params) else { return Ok(None) };
    let found = match at.p() {
        Some(file) => p::hover(&snapshot.db, file, at.offset),
        None => icet_hover(snapshot, &at),
    };
    Ok(found.map(|hover| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: hover.markdown }),
        range: Some(at.range(snapshot, hover.range)),
    }))
}

fn icet_hover(snapshot: &Snapshot, at: &At<'_>) -> Option<lockstep_ide::Hover> {
    let view = snapshot.icet(at.file.index);
    match view.and_then(|view| Some((view.known()?, view.record()?))) {
        Some((known, record)) => icet::hover_of_known(at.file.parse, at.offset, known, &record.outcome),
        None => icet::hover(at.file.parse, at.offset),
    }
}

pub(crate) fn document_symbol(snapshot: &Snapshot, params: &DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let symbols = document_symbols(file.parse).into_iter().map(|symbol| outline(snapshot, &file, symbol)).collect();
    Ok(Some(DocumentSymbolResponse::Nested(symbols)))
}

fn outline(snapshot: &Snapshot, file: &FileView<'_>, symbol: Symbol) -> DocumentSymbol {
    let range = |range| convert::range(file.parse.text(), range, snapshot.encoding);
    #[allow(deprecated)]
    DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(symbol.range),
        selection_range: range(symbol.name_range),
        children: Some(symbol.children.into_iter().map(|child| outline(snapshot, file, child)).collect()),
    }
}

pub(crate) fn folding_range(snapshot: &Snapshot, params: &FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let shown = folds(file.parse).into_iter().map(|fold| {
        let range = convert::range(file.parse.text(), fold.range, snapshot.encoding);
        FoldingRange {
            start_line: range.start.line,
            start_character: Some(range.start.character),
            // The line of the closing brace stays.
            end_line: if fold.kind == FoldKind::Code {
                range.end.line.saturating_sub(1).max(range.start.line)
            } else {
                range.end.line
            },
            end_character: None,
            kind: (fold.kind == FoldKind::Comment).then_some(FoldingRangeKind::Comment),
            collapsed_text: None,
        }
    });
    Ok(Some(shown.collect()))
}

pub(crate) fn selection_range(snapshot: &Snapshot, params: &SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let text = file.parse.text();
    let grown = params.positions.iter().map(|position| {
        let offset = convert::offset(text, *position, snapshot.encoding);
        let mut outer = None;
        for range in nearest_and_widest(selection_ranges(file.parse, offset)).into_iter().rev() {
            outer = Some(Box::new(SelectionRange { range: convert::range(text, range, snapshot.encoding), parent: outer }));
        }
        outer.map_or(SelectionRange { range: Range { start: *position, end: *position }, parent: None }, |grown| *grown)
    });
    Ok(Some(grown.collect()))
}

/// Ranges lie in each other also in the protocol, and few readers of JSON stand more than some hundred levels. Nobody grows a
/// selection that often: those close to the cursor and the widest ones are kept.
fn nearest_and_widest(mut ranges: Vec<lockstep_base::TextRange>) -> Vec<lockstep_base::TextRange> {
    const NEAREST: usize = 48;
    const WIDEST: usize = 12;
    if let Some(between) = ranges.len().checked_sub(WIDEST).filter(|end| *end > NEAREST) {
        ranges.drain(NEAREST..between);
    }
    ranges
}

pub(crate) fn semantic_tokens_full(snapshot: &Snapshot, params: &SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    Ok(Some(SemanticTokensResult::Tokens(tokens(snapshot, &file, None))))
}

pub(crate) fn semantic_tokens_range(
    snapshot: &Snapshot,
    params: &SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    Ok(Some(SemanticTokensRangeResult::Tokens(tokens(snapshot, &file, Some(params.range)))))
}

fn tokens(snapshot: &Snapshot, file: &FileView<'_>, within: Option<Range>) -> SemanticTokens {
    let text = file.parse.text();
    let mut found = match (file.program, file.parse.language()) {
        (Some(program), _) => p::tokens(&snapshot.db, program),
        (None, Language::Icet) => icet::tokens(file.parse),
        (None, Language::P) => Vec::new(),
    };
    if let Some(within) = within.map(|within| convert::text_range(text, within, snapshot.encoding)) {
        found.retain(|token| token.range.intersect(within).is_some());
    }
    let mut last = START;
    let data = found.into_iter().map(|token: Token| {
        let range = convert::range(text, token.range, snapshot.encoding);
        let delta_line = range.start.line - last.line;
        let delta_start = range.start.character - if delta_line == 0 { last.character } else { 0 };
        last = range.start;
        SemanticToken {
            delta_line,
            delta_start,
            length: range.end.character - range.start.character,
            token_type: token.kind as u32,
            token_modifiers_bitset: u32::from(token.is_declaration)
                | (u32::from(token.is_constant) << 1)
                | (u32::from(token.is_write) << 2),
        }
    });
    SemanticTokens { result_id: None, data: data.collect() }
}

pub(crate) fn code_lens(snapshot: &Snapshot, params: &CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    let Some(file) = snapshot.file(&params.text_document.uri).filter(|_| snapshot.settings.lens.enable) else { return Ok(None) };
    let Some(program) = file.program else { return Ok(icet_lenses(snapshot, &file)) };
    let lenses = p::lenses(&snapshot.db, program, &|item, case| snapshot.test_outcome(item, case)).into_iter();
    let can_do = |lens: &p::Lens| {
        snapshot.has_own_commands || lens.action.as_ref().is_none_or(|(action, _)| command_of(*action).is_some())
    };
    let shown = lenses.filter(can_do).map(|lens| {
        let range = convert::range(file.parse.text(), lens.range, snapshot.encoding);
        if let Some((action, item)) = lens.action {
            let command = command_of(action).unwrap_or("lockstep.debugTrace");
            let arguments = Some(vec![serde_json::json!({ "item": item })]);
            let command = Command { title: lens.title, command: command.to_owned(), arguments };
            return CodeLens { range, command: Some(command), data: None };
        }
        // Editors show a lens without a command as plain text.
        let leads = snapshot.has_own_commands && !lens.places.is_empty();
        let command = if leads { "lockstep.showReferences" } else { "" };
        let places: Vec<Location> = lens.places.into_iter().filter_map(|place| location(snapshot, place)).collect();
        let arguments = [serde_json::to_value(&file.uri), serde_json::to_value(range.start), serde_json::to_value(places)];
        let command = Command {
            title: lens.title,
            command: command.to_owned(),
            arguments: Some(arguments.into_iter().flatten().collect()),
        };
        CodeLens { range, command: Some(command), data: None }
    });
    Ok(Some(shown.collect()))
}

pub(crate) fn diagnostic(snapshot: &Snapshot, params: &DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
    let report = snapshot.file(&params.text_document.uri).and_then(|file| file_report(snapshot, file.index));
    let (items, result_id) =
        report.map_or_else(Default::default, |report| (report.diagnostics, Some(report.fingerprint.to_string())));
    let report = match (&result_id, &params.previous_result_id) {
        (Some(result_id), Some(previous)) if result_id == previous => {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: result_id.clone() },
            })
        }
        _ => DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id, items },
        }),
    };
    Ok(DocumentDiagnosticReportResult::Report(report))
}
