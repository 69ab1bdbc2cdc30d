//! Project files: links, completion, hover, and files that get another name.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lockstep_base::{Text, TextSize};
use lockstep_ide::p::project_file::{self, Disk, Found, Move};
use lockstep_ide::{Completions, Hover as FoundHover};
use lockstep_workspace::file_key;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

use crate::convert;
use crate::documents::Content;
use crate::snapshot::Snapshot;

/// A project file that the client has open.
pub(super) struct OpenProject<'s> {
    path: PathBuf,
    pub(super) text: &'s Text,
}

/// The document, if it is a project file.
pub(super) fn open_project<'s>(snapshot: &'s Snapshot, uri: &Uri) -> Option<OpenProject<'s>> {
    let path = snapshot.documents.key(uri);
    match &snapshot.documents.get(&path)?.content {
        Content::Manifest(text) => Some(OpenProject { path, text }),
        Content::Source(_) => None,
    }
}

impl OpenProject<'_> {
    pub(super) fn offset(&self, snapshot: &Snapshot, at: Position) -> TextSize {
        convert::offset(self.text, at, snapshot.encoding)
    }

    pub(super) fn completions(&self, offset: TextSize) -> Completions {
        project_file::completions(&self.path, &self.text.to_string(), offset, &RealDisk)
    }

    pub(super) fn hover(&self, snapshot: &Snapshot, at: Position) -> Option<Hover> {
        let roots: Vec<PathBuf> = projects(snapshot).into_iter().map(|project| project.path).collect();
        let offset = self.offset(snapshot, at);
        let FoundHover { range, markdown } = project_file::hover(&self.path, &self.text.to_string(), offset, &roots, &RealDisk)?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: markdown }),
            range: Some(convert::range(self.text, range, snapshot.encoding)),
        })
    }
}

pub(crate) fn document_link(snapshot: &Snapshot, params: &DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
    let Some(project) = open_project(snapshot, &params.text_document.uri) else { return Ok(None) };
    let roots: Vec<PathBuf> = projects(snapshot).into_iter().map(|project| project.path).collect();
    let links = project_file::links(&project.path, &project.text.to_string(), &roots, &RealDisk);
    let shown = links.into_iter().filter_map(|link| {
        let tooltip = match link.found {
            Found::File => None,
            Found::Folder => Some("Show the folder".to_owned()),
        };
        let range = convert::range(project.text, link.range, snapshot.encoding);
        Some(DocumentLink { range, target: Some(convert::uri(&link.target)?), tooltip, data: None })
    });
    Ok(Some(shown.collect()))
}

/// The changes of project files before files and folders are renamed.
#[allow(clippy::mutable_key_type)]
pub(crate) fn will_rename_files(snapshot: &Snapshot, params: &RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
    let path = |uri: &str| Some(file_key(&convert::path(&uri.parse().ok()?)?));
    let moves: Vec<Move> =
        params.files.iter().filter_map(|file| Some(Move { from: path(&file.old_uri)?, to: path(&file.new_uri)? })).collect();
    let projects = projects(snapshot);
    let files: Vec<(PathBuf, String)> = projects.iter().map(|project| (project.path.clone(), project.text.to_string())).collect();
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (number, edits) in project_file::follow_moves(&files, &moves, &RealDisk) {
        let Project { uri, text, .. } = &projects[number];
        let edit = |edit: lockstep_base::Edit| TextEdit {
            range: convert::range(text, edit.range, snapshot.encoding),
            new_text: edit.insert,
        };
        changes.insert(uri.clone(), edits.into_iter().map(edit).collect());
    }
    Ok((!changes.is_empty()).then(|| WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}

/// A project file of the workspace.
struct Project {
    path: PathBuf,
    uri: Uri,
    text: Text,
}

/// All project files, as the client has them if they are open.
fn projects(snapshot: &Snapshot) -> Vec<Project> {
    let manifests = snapshot.workspace.layout().manifests.iter();
    manifests
        .filter_map(|manifest| {
            let path = file_key(manifest.source.name.as_ref());
            let open = snapshot.documents.get(&path).map(|document| document.text().clone());
            let text = open.unwrap_or_else(|| manifest.source.text.clone());
            Some(Project { uri: snapshot.manifest_uri(manifest)?, path, text })
        })
        .collect()
}

struct RealDisk;

impl Disk for RealDisk {
    fn find(&self, path: &Path) -> Option<Found> {
        let found = std::fs::metadata(path).ok()?;
        Some(if found.is_dir() { Found::Folder } else { Found::File })
    }

    fn list(&self, folder: &Path) -> Vec<(String, Found)> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let entry = |entry: std::fs::DirEntry| {
            let found = self.find(&entry.path())?;
            Some((entry.file_name().into_string().ok()?, found))
        };
        entries.flatten().take(MOST_LISTED).filter_map(entry).collect()
    }
}

/// More than anybody reads, and few enough to ask the disk about each.
const MOST_LISTED: usize = 10_000;
