//! The state as it was at one moment, for one request or check.

use std::path::Path;
use std::sync::Arc;

use lockstep_base::verdict::Results;
use lockstep_base::{Encoding, Text};
use lockstep_program::{Database, ProjectFile};
use lockstep_syntax::Parse;
use lockstep_worker::Ledger;
use lockstep_workspace::{Checked, Workspace, file_key};
use tower_lsp::ls_types::Uri;

use crate::convert;
use crate::documents::Documents;
use crate::drift::Drift;
use crate::icet::Analyses;
use crate::runs::{Once, Runs};
use crate::settings::Settings;
use crate::stats::Stats;

/// Dropped in the order of the fields: when the state thread has waited for all databases to go, nobody holds the workspace.
#[derive(Clone)]
pub(crate) struct Snapshot {
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) documents: Documents,
    pub(crate) settings: Arc<Settings>,
    pub(crate) is_pulling: bool,
    /// Whether the client has commands for what lenses do.
    pub(crate) has_own_commands: bool,
    pub(crate) encoding: Encoding,
    /// Whether the client knows snippets.
    pub(crate) expands_snippets: bool,
    pub(crate) stats: Stats,
    /// What engines have found.
    pub(crate) results: Arc<Results>,
    pub(crate) analyses: Arc<Analyses>,
    /// Tests that something is known about, and what: by fingerprint, so also what was found out after this snapshot was made is right.
    pub(crate) runs: Arc<Runs>,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) once: Arc<Once>,
    /// The document that a request is about, as it was when the request came, and what has changed since.
    pub(crate) asked_about: Option<(Text, Drift)>,
    pub(crate) db: Database,
}

/// A file of the workspace as a request needs it.
pub(crate) struct FileView<'s> {
    pub(crate) uri: Uri,
    pub(crate) parse: &'s Arc<Parse>,
    /// The file in the first program it belongs to; `None` for IceT.
    pub(crate) program: Option<ProjectFile<'s>>,
    /// Index into the workspace's layout.
    pub(crate) index: usize,
}

impl Snapshot {
    pub(crate) fn file(&self, uri: &Uri) -> Option<FileView<'_>> {
        self.file_at(self.workspace.index(&self.documents.key(uri))?)
    }

    pub(crate) fn file_at(&self, index: usize) -> Option<FileView<'_>> {
        let loaded = self.workspace.file(index)?;
        let program = self.workspace.project_files(&self.db, index).next();
        Some(FileView { uri: self.uri(index)?, parse: &loaded.parse, program, index })
    }

    /// The address of a file of the layout: as the client wrote it, if it has the file open.
    pub(crate) fn uri(&self, index: usize) -> Option<Uri> {
        let file = self.workspace.layout().files.get(index)?;
        match self.documents.get(&file.key) {
            Some(document) => Some(document.uri.clone()),
            None => convert::uri(&file.key),
        }
    }

    /// The address of a project file, likewise.
    pub(crate) fn manifest_uri(&self, manifest: &Checked) -> Option<Uri> {
        let key = file_key(manifest.source.name.as_ref());
        match self.documents.get(&key) {
            Some(document) => Some(document.uri.clone()),
            None => convert::uri(&key),
        }
    }

    /// Address and text of a file by the name that findings give it.
    pub(crate) fn named(&self, name: &str) -> Option<(Uri, Text)> {
        let index = self.workspace.index_of_name(name)?;
        Some((self.uri(index)?, self.workspace.file(index)?.parse.text().clone()))
    }

    pub(crate) fn index_of_input(&self, file: lockstep_program::SourceFile) -> Option<usize> {
        self.workspace.index_of_input(file)
    }

    pub(crate) fn version(&self, key: &Path) -> Option<i32> {
        self.documents.get(key).map(|document| document.version)
    }
}
