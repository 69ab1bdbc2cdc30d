//! Findings and places as JSON. The names and meanings of the fields are a promise to other tools; `--help` documents them.

use std::io::{self, Write};

use lockstep_base::verdict::{Scope, Verdict};
use lockstep_base::{Diagnostic, Encoding, Severity, Text, TextRange, TextSize};
use lockstep_workspace::{Failure, Source};
use serde::Serialize;

use crate::output::Output;
use crate::report::{Project, Report, Sources};
use crate::sequentialize::{JsonBug, json_bug};

/// Grows when a field changes its meaning or goes, not when one is added.
pub(crate) const VERSION: u32 = 1;

/// All that `check` has to say.
#[derive(Serialize)]
struct Whole<'r> {
    version: u32,
    files: usize,
    projects: &'r [Project],
    icet: Vec<Icet<'r>>,
    diagnostics: Vec<Finding<'r>>,
    failures: &'r [Failure],
}

/// What is known of an IceT program.
#[derive(Serialize)]
struct Icet<'r> {
    path: &'r str,
    verdict: Verdict,
    scope: Option<Scope>,
    summary: &'r str,
    bug: Option<JsonBug<'r>>,
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
    fix: Option<Fix<'r>>,
}

#[derive(Serialize)]
struct Related<'r> {
    message: &'r str,
    path: &'r str,
    range: Range,
}

#[derive(Serialize)]
struct Fix<'r> {
    title: &'r str,
    edits: Vec<Edit<'r>>,
}

#[derive(Serialize)]
struct Edit<'r> {
    range: Range,
    text: &'r str,
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
        Self { text: source.text.clone(), bom: source.bom }
    }

    pub(crate) fn range(&self, range: TextRange) -> Range {
        Range { start: self.place(range.start()), end: self.place(range.end()) }
    }

    fn place(&self, at: TextSize) -> Place {
        let position = self.text.position(at, Encoding::Utf32);
        Place { line: position.line + 1, column: position.column + 1, offset: u32::from(at).saturating_add(self.bom) }
    }
}

pub(crate) fn write(output: &mut Output, report: &Report) -> io::Result<()> {
    let diagnostics = report.diagnostics().map(|(source, diagnostic)| finding(source, &report.sources, diagnostic)).collect();
    let (projects, failures) = (report.projects.as_slice(), report.failures.as_slice());
    let icet = report.icet.iter().map(|analysed| Icet {
        path: &analysed.source.name,
        verdict: analysed.verdict,
        scope: analysed.scope,
        summary: &analysed.summary,
        bug: analysed.bug.as_ref().map(|bug| json_bug(&analysed.source, bug)),
    });
    let icet = icet.collect();
    let whole = Whole { version: VERSION, files: report.files(), projects, icet, diagnostics, failures };
    serde_json::to_writer(&mut *output, &whole)?;
    writeln!(output)
}

/// `sources` has the other files that the finding points into.
pub(crate) fn finding<'r>(source: &'r Source, sources: &'r Sources, diagnostic: &'r Diagnostic) -> Finding<'r> {
    let places = Places::new(source);
    let related = diagnostic.related.iter().filter_map(|related| {
        let source = related.path.as_ref().map_or(Some(source), |path| sources.get(path))?;
        Some(Related { message: &related.message, path: &source.name, range: Places::new(source).range(related.range) })
    });
    let edit = |edit: &'r lockstep_base::Edit| Edit { range: places.range(edit.range), text: &edit.insert };
    Finding {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
        path: &source.name,
        range: places.range(diagnostic.range),
        related: related.collect(),
        fix: diagnostic.fix.as_ref().map(|fix| Fix { title: &fix.title, edits: fix.edits.iter().map(edit).collect() }),
    }
}
