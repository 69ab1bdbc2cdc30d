//! Findings and places as JSON. The names and meanings of the fields are a promise to other tools; `--help` documents them.

use lockstep_base::{Diagnostic, Encoding, Severity, Text, TextRange, TextSize};
use serde::Serialize;

use crate::inputs::Failure;
use crate::source::Source;

/// Grows when a field changes its meaning or goes, not when one is added.
pub(crate) const VERSION: u32 = 1;

/// All that `check` has to say.
#[derive(Serialize)]
pub(crate) struct Report<'r> {
    pub(crate) version: u32,
    pub(crate) files: usize,
    pub(crate) diagnostics: Vec<Finding<'r>>,
    pub(crate) failures: &'r [Failure],
}

#[derive(Serialize)]
pub(crate) struct Finding<'r> {
    code: &'static str,
    severity: Severity,
    message: &'r str,
    help: Option<&'r str>,
    path: &'r str,
    range: Range,
    related: Vec<Related<'r>>,
}

#[derive(Serialize)]
struct Related<'r> {
    message: &'r str,
    path: &'r str,
    range: Range,
}

/// The end is the place after the last character.
#[derive(Serialize)]
pub(crate) struct Range {
    start: Place,
    end: Place,
}

#[derive(Serialize)]
struct Place {
    /// From 1.
    line: u32,
    /// From 1, in Unicode scalar values.
    column: u32,
    /// From 0, in bytes of the file.
    offset: u32,
}

/// Turns ranges of one text into places.
pub(crate) struct Places {
    text: Text,
    bom: u32,
}

impl Places {
    pub(crate) fn new(source: &Source) -> Self {
        Self { text: Text::from(source.text.as_str()), bom: source.bom }
    }

    pub(crate) fn range(&self, range: TextRange) -> Range {
        Range { start: self.place(range.start()), end: self.place(range.end()) }
    }

    fn place(&self, at: TextSize) -> Place {
        let position = self.text.position(at, Encoding::Utf32);
        Place { line: position.line + 1, column: position.column + 1, offset: u32::from(at).saturating_add(self.bom) }
    }
}

pub(crate) fn finding<'r>(source: &'r Source, places: &Places, diagnostic: &'r Diagnostic) -> Finding<'r> {
    let path = source.name.as_str();
    Finding {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
        path,
        range: places.range(diagnostic.range),
        related: diagnostic
            .related
            .iter()
            .map(|related| Related { message: &related.message, path, range: places.range(related.range) })
            .collect(),
    }
}
