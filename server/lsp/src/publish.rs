//! Findings on their way to the client.

use std::hash::{BuildHasher, Hash};

use lockstep_base::Diagnostic;
use tower_lsp::ls_types::{self as lsp, Uri};

use crate::convert;
use crate::snapshot::Snapshot;

/// The most findings shown for one file; more would only slow the editor down.
const MOST: usize = 500;

/// The findings of one file, ready to be sent.
pub(crate) struct FileReport {
    pub(crate) uri: Uri,
    pub(crate) version: Option<i32>,
    pub(crate) diagnostics: Vec<lsp::Diagnostic>,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// Of what is sent, so that nothing is sent twice.
    pub(crate) fingerprint: u64,
}

pub(crate) fn file_report(snapshot: &Snapshot, index: usize) -> Option<FileReport> {
    let file = snapshot.file_at(index)?;
    let key = &snapshot.workspace.layout().files[index].key;
    let shown = snapshot.settings.shown();
    let mut findings = snapshot.workspace.file_findings(&snapshot.db, index, &shown);
    if let Some(icet) = snapshot.icet(index) {
        findings.extend(icet.findings().into_iter().filter(|finding| shown.shows(finding)));
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.code));
    }
    let in_runs = snapshot.run_findings(&snapshot.workspace.layout().files[index].name);
    if !in_runs.is_empty() {
        findings.extend(in_runs);
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.code));
    }
    Some(report(snapshot, file.uri, snapshot.version(key), file.parse.text(), &findings))
}

/// The findings of a project file.
pub(crate) fn report(
    snapshot: &Snapshot,
    uri: Uri,
    version: Option<i32>,
    text: &lockstep_base::Text,
    findings: &[Diagnostic],
) -> FileReport {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let other = |name: &str| snapshot.named(name);
    let diagnostics: Vec<lsp::Diagnostic> = findings
        .iter()
        .take(MOST)
        .map(|finding| convert::diagnostic(finding, (&uri, text), &other, snapshot.encoding))
        .chain((findings.len() > MOST).then(|| too_many(findings.len() - MOST)))
        .collect();
    FileReport {
        fingerprint: fingerprint_of(&diagnostics),
        errors: count(lockstep_base::Severity::Error),
        warnings: count(lockstep_base::Severity::Warning),
        uri,
        version,
        diagnostics,
    }
}

fn too_many(more: usize) -> lsp::Diagnostic {
    lsp::Diagnostic {
        severity: Some(lsp::DiagnosticSeverity::INFORMATION),
        source: Some("lockstep".to_owned()),
        message: format!("{more} more findings are not shown"),
        ..lsp::Diagnostic::default()
    }
}

/// Of anything that is sent.
pub(crate) fn fingerprint_of(sent: &impl serde::Serialize) -> u64 {
    let text = serde_json::to_string(sent).unwrap_or_default();
    let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
    text.hash(&mut hasher);
    std::hash::Hasher::finish(&hasher)
}
