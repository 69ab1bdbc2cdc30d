//! Documents that come, change and go, and the files behind them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use lockstep_base::Text;
use lockstep_syntax::Parse;
use lockstep_workspace::{Layout, Source, language_of, read_disk};
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, FileChangeType, FileEvent, Uri, WorkspaceFoldersChangeEvent,
};

use super::{Reason, SETTLE, State};
use crate::convert;
use crate::documents::{Content, Document, Documents};
use crate::event::Event;
use crate::panics::{End, contained};

impl State {
    pub(super) fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let key = self.documents.key(&item.uri);
        // Some editors forget what they were told of a file when they open it. One that asks itself must be told that it is none of it now.
        if !self.is_pulling {
            self.told.lock().unwrap_or_else(PoisonError::into_inner).remove(&item.uri);
        }
        let Some(document) = Document::new(item.uri, &item.language_id, item.version, &item.text) else { return };
        let content = document.content.clone();
        // Editors restore what was not saved.
        if !is_on_disk(&key, document.text()) {
            self.surveyor.edited(&key);
        }
        self.documents.insert(key.clone(), document);
        self.may_have_gone = true;
        match content {
            Content::Source(parse) if self.has_its_text(&key) => {
                let (workspace, db) = self.workspace_mut();
                workspace.expect_edits(db, &key);
                self.set_parse(&key, parse);
            }
            _ => self.look_at_disk(),
        }
    }

    /// Whether the workspace takes the text of this document as soon as it changes. It does not if the file is unknown, could not be
    /// read, or is only part of a project, which nobody has asked for until it is opened: then the disk is looked at first.
    pub(super) fn has_its_text(&self, key: &Path) -> bool {
        let index = self.workspace.index(key);
        index.is_some_and(|index| self.workspace.layout().files[index].is_asked && self.workspace.file(index).is_some())
    }

    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) {
        self.analyst.typed();
        let key = self.documents.key(&params.text_document.uri);
        let encoding = self.encoding;
        let Some(document) = self.documents.get_mut(&key) else {
            return self.teller.log(format!("a change of `{}`, which is not open", params.text_document.uri.as_str()));
        };
        document.change(params.text_document.version, params.content_changes, encoding);
        self.surveyor.edited(&key);
        match document.content.clone() {
            Content::Source(parse) => self.set_parse(&key, parse),
            Content::Manifest(_) => self.look_at_disk_soon(),
        }
    }

    pub(super) fn closed(&mut self, uri: &Uri) {
        let key = self.documents.key(uri);
        if self.documents.remove(&key).is_none() {
            return;
        }
        self.settle(&key);
        self.may_have_gone = true;
        let is_ours = self.folders.iter().any(|folder| key.starts_with(folder));
        if !is_ours || !self.read_again(&key) {
            self.look_at_disk();
        }
    }

    pub(super) fn files_changed(&mut self, changes: &[FileEvent]) {
        for change in changes {
            let Some(path) = convert::path(&change.uri) else { continue };
            let key = convert::key(&change.uri);
            // What is in an open document is known; whether there is a file behind it says where it belongs.
            if change.typ == FileChangeType::CHANGED && self.documents.get(&key).is_some() {
                continue;
            }
            let is_source = language_of(&path).is_some();
            let is_config = path.file_name().is_some_and(|name| name == lockstep_judge::config::FILE);
            if is_config {
                // What stands for functions in other languages may be something else now.
                self.change();
            }
            let is_manifest = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pproj"));
            let is_new_content = change.typ == FileChangeType::CHANGED && is_source;
            if is_new_content && self.read_again(&key) {
                continue;
            }
            // A folder may have gone, and what it was is not told.
            let has_known = || self.workspace.layout().files.iter().any(|file| file.key.starts_with(&path));
            if is_source || is_manifest || path.is_dir() || has_known() {
                self.look_at_disk_soon();
            }
        }
    }

    pub(super) fn folders_changed(&mut self, change: &WorkspaceFoldersChangeEvent) {
        for folder in change.removed.iter().filter_map(|folder| convert::path(&folder.uri)) {
            self.folders.retain(|known| *known != folder);
            self.watch.iter_mut().for_each(|watch| watch.remove(&folder));
        }
        for folder in change.added.iter().filter_map(|folder| convert::path(&folder.uri)) {
            self.watch.iter_mut().for_each(|watch| watch.add(&folder));
            self.folders.push(folder);
        }
        self.look_at_disk();
    }

    /// Reads a file of the layout from disk. `false` if it cannot be had or is not in the layout.
    fn read_again(&mut self, key: &Path) -> bool {
        let Some(file) = self.workspace.index(key).map(|index| &self.workspace.layout().files[index]) else { return false };
        let Ok(bytes) = read_disk(&file.path) else { return false };
        let source = Source::from_bytes(bytes, file.name.clone());
        let parse = Parse::new(file.language, source.text.clone());
        self.set_parse(key, Arc::new(parse));
        self.settle(key);
        self.is_refresh_due = true;
        self.are_hints_due = true;
        true
    }

    /// Nobody types in this file.
    fn settle(&mut self, key: &Path) {
        let (workspace, db) = self.workspace_mut();
        workspace.expect_no_edits(db, key);
    }

    fn set_parse(&mut self, key: &Path, parse: Arc<Parse>) {
        let (workspace, db) = self.workspace_mut();
        workspace.set_parse(db, key, parse);
    }

    fn look_at_disk_soon(&mut self) {
        self.layout_due = Some(Instant::now() + SETTLE);
    }

    /// Finds out on the pool which files and projects there are.
    pub(super) fn look_at_disk(&mut self) {
        self.layout_due = None;
        self.layout_generation += 1;
        let (generation, events) = (self.layout_generation, self.events.clone());
        let (folders, documents, teller) = (self.folders.clone(), self.documents.clone(), self.teller.clone());
        self.background.spawn(move || {
            let layout = match contained(|| layout(&folders, &documents)) {
                End::Done(layout) => Some(layout),
                End::Panicked(panic) => {
                    teller.mistake("looking for files", &panic);
                    None
                }
                End::Stale | End::Cancelled => None,
            };
            let _ = events.send(Event::Layout { generation, layout });
        });
    }

    /// Whether files are being looked for, or will be.
    pub(super) fn is_looking(&self) -> bool {
        self.layout_due.is_some() || self.layout_applied != self.layout_generation
    }

    pub(super) fn set_layout(&mut self, generation: u64, layout: Option<Layout>) {
        if generation != self.layout_generation {
            return;
        }
        self.layout_applied = generation;
        if let Some(layout) = layout {
            self.apply_layout(layout);
        }
        self.is_loaded = true;
        self.is_dirty = true;
        for request in std::mem::take(&mut self.waiting) {
            self.start_request(request);
        }
    }

    fn apply_layout(&mut self, layout: Layout) {
        let documents = self.documents.clone();
        let keys = documents.keys();
        let (workspace, db) = self.workspace_mut();
        workspace.update(db, layout, &|path| read(&documents, path));
        for key in keys {
            workspace.expect_edits(db, &key);
        }
        self.is_refresh_due = true;
        self.are_hints_due = true;
        self.may_have_gone = true;
        self.surveyor.want(Reason::Read);
    }
}

/// All below the folders, and what is open besides.
fn layout(folders: &[PathBuf], documents: &Documents) -> Layout {
    let open = documents.keys();
    let is_file = |key: &&PathBuf| key.is_absolute();
    let others = open.iter().filter(is_file).filter(|key| !folders.iter().any(|folder| key.starts_with(folder)));
    let paths: Vec<PathBuf> = folders.iter().chain(others).cloned().collect();
    let files: Vec<PathBuf> = open.iter().filter(is_file).cloned().collect();
    let mut layout = Layout::with_unsaved(&paths, &files, &|path| read(documents, path));
    for key in &open {
        let Some(document) = documents.get(key) else { continue };
        let Content::Source(parse) = &document.content else { continue };
        // Not saved yet, or not a file at all.
        if !layout.files.iter().any(|file| file.key == *key) {
            layout.add_text(&key.to_string_lossy(), parse.language());
        }
    }
    layout
}

/// Whether a file has this text on disk.
fn is_on_disk(path: &Path, text: &Text) -> bool {
    path.is_absolute() && read_disk(path).is_ok_and(|bytes| Source::from_bytes(bytes, String::new()).text == *text)
}

/// A file's content: what the client has open counts.
fn read(documents: &Documents, path: &Path) -> std::io::Result<Vec<u8>> {
    let open = documents.get(path).or_else(|| documents.get(&lockstep_workspace::file_key(path)));
    match open {
        Some(document) => Ok(document.text().to_string().into_bytes()),
        None => read_disk(path),
    }
}
