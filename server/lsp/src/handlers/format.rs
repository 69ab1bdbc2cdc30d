//! The layout of documents.

use lockstep_base::Edit;
use lockstep_format::{Indent, Options, format, format_on_type, format_range};
use lockstep_workspace::{format_options, read_disk};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use super::refused;
use crate::convert;
use crate::snapshot::{FileView, Snapshot};

pub(crate) fn formatting(snapshot: &Snapshot, params: &DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let options = options(&file)?;
    Ok(Some(text_edits(snapshot, &file, format(file.parse, &options, indent(&params.options)))))
}

pub(crate) fn range_formatting(snapshot: &Snapshot, params: &DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let Some(file) = snapshot.file(&params.text_document.uri) else { return Ok(None) };
    let options = options(&file)?;
    let range = convert::text_range(file.parse.text(), params.range, snapshot.encoding);
    Ok(Some(text_edits(snapshot, &file, format_range(file.parse, range, &options, indent(&params.options)))))
}

pub(crate) fn on_type_formatting(snapshot: &Snapshot, params: &DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let position = &params.text_document_position;
    let (Some(file), Some(typed)) = (snapshot.file(&position.text_document.uri), params.ch.chars().next()) else {
        return Ok(None);
    };
    // Nobody wants to hear of a broken `lockstep.toml` with every line.
    let Ok(options) = options(&file) else { return Ok(None) };
    let at = convert::offset(file.parse.text(), position.position, snapshot.encoding);
    Ok(Some(text_edits(snapshot, &file, format_on_type(file.parse, at, typed, &options, indent(&params.options)))))
}

/// What `lockstep.toml` says about a file that is on disk.
fn options(file: &FileView<'_>) -> Result<Options> {
    match convert::path(&file.uri) {
        Some(path) => format_options(&path, &read_disk).map_err(refused),
        None => Ok(Options::default()),
    }
}

/// What the editor indents with; it counts where neither `lockstep.toml` nor the lines of the document say anything.
fn indent(options: &FormattingOptions) -> Option<Indent> {
    if options.insert_spaces { Indent::spaces(options.tab_size) } else { Some(Indent::Tab) }
}

fn text_edits(snapshot: &Snapshot, file: &FileView<'_>, edits: Vec<Edit>) -> Vec<TextEdit> {
    let text = file.parse.text();
    let text_edit = |edit: Edit| TextEdit { range: convert::range(text, edit.range, snapshot.encoding), new_text: edit.insert };
    edits.into_iter().map(text_edit).collect()
}
