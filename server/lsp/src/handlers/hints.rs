//! Notes between the words of a document.

use lockstep_base::TextRange;
use lockstep_ide::p::{self, HintKind, WantedHints};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use crate::convert;
use crate::snapshot::Snapshot;

pub(crate) fn inlay_hint(snapshot: &Snapshot, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let Some(program) = file.program else { return Ok(None) };
    let settings = &snapshot.settings.inlay_hints;
    let wanted = WantedHints {
        payload_types: settings.payload_types,
        handlers: settings.handlers,
        // A lens says so above the declaration.
        handlers_at_events: !snapshot.settings.lens.enable,
        creates: settings.creates,
    };
    let text = file.parse.text();
    let within = convert::text_range(text, params.range, snapshot.encoding);
    let shown = p::hints(&snapshot.db, program, within, wanted).into_iter().map(|hint| InlayHint {
        position: convert::range(text, TextRange::empty(hint.offset), snapshot.encoding).start,
        label: InlayHintLabel::String(hint.label),
        kind: (hint.kind == HintKind::PayloadType).then_some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: hint.tooltip })),
        // A type stands beside its name like one that is written.
        padding_left: (hint.kind != HintKind::PayloadType).then_some(true),
        padding_right: None,
        data: None,
    });
    Ok(Some(shown.collect()))
}
