//! Between the protocol's types and ours.

use std::path::{Path, PathBuf};

use lockstep_base::{Diagnostic, Encoding, Position, Severity, Text, TextRange};
use lockstep_workspace::file_key;
use tower_lsp::ls_types::{self as lsp, Uri};

/// What the workspace knows a document by: the path of a file without links, or else the whole address.
pub(crate) fn key(uri: &Uri) -> PathBuf {
    match path(uri) {
        Some(path) => file_key(&path),
        None => PathBuf::from(uri.as_str()),
    }
}

/// The path of a `file:` address.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    (uri.scheme().as_str() == "file").then(|| uri.to_file_path().map(|path| path.into_owned())).flatten()
}

pub(crate) fn uri(path: &Path) -> Option<Uri> {
    Uri::from_file_path(path)
}

pub(crate) fn text_range(text: &Text, range: lsp::Range, encoding: Encoding) -> TextRange {
    let offset = |at: lsp::Position| text.offset(Position { line: at.line, column: at.character }, encoding);
    let (start, end) = (offset(range.start), offset(range.end));
    TextRange::new(start.min(end), end.max(start))
}

pub(crate) fn offset(text: &Text, at: lsp::Position, encoding: Encoding) -> lockstep_base::TextSize {
    text.offset(Position { line: at.line, column: at.character }, encoding)
}

pub(crate) fn range(text: &Text, range: TextRange, encoding: Encoding) -> lsp::Range {
    let position = |at| {
        let Position { line, column } = text.position(at, encoding);
        lsp::Position { line, character: column }
    };
    lsp::Range { start: position(range.start()), end: position(range.end()) }
}

/// A finding of a file with this text. `other` gives the address and text of another file by its name.
pub(crate) fn diagnostic(
    finding: &Diagnostic,
    (uri, text): (&Uri, &Text),
    other: &dyn Fn(&str) -> Option<(Uri, Text)>,
    encoding: Encoding,
) -> lsp::Diagnostic {
    let severity = match finding.severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Info => lsp::DiagnosticSeverity::INFORMATION,
    };
    let related = finding.related.iter().filter_map(|related| {
        let (uri, text) = match &related.path {
            None => (uri.clone(), text.clone()),
            Some(path) => other(path)?,
        };
        let location = lsp::Location { uri, range: range(&text, related.range, encoding) };
        Some(lsp::DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    lsp::Diagnostic {
        range: range(text, finding.range, encoding),
        severity: Some(severity),
        code: Some(lsp::NumberOrString::String(finding.code.to_owned())),
        code_description: None,
        source: Some("lockstep".to_owned()),
        message,
        related_information: Some(related.collect()),
        tags: finding.is_unused.then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}
