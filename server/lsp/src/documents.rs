//! Documents that the client has open. Their text is what counts, whatever is on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_base::{Edit, Encoding, Text, TextRange, TextSize};
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::language_of;
use rustc_hash::FxHashMap;
use tower_lsp::ls_types::{TextDocumentContentChangeEvent, Uri};

use crate::convert;
use crate::drift::{Change, Drift};

#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// As the client counts.
    pub(crate) version: i32,
    /// As we count: no two texts have the same, whatever the client does.
    pub(crate) edition: u64,
    pub(crate) content: Content,
    /// The last changes, each with the edition that it belongs to, oldest first.
    changes: Vec<(u64, Change)>,
    /// The edition before these changes.
    known_since: u64,
}

/// How many changes are remembered: more than anyone types before an answer comes.
const REMEMBERED: usize = 64;

#[derive(Clone)]
pub(crate) enum Content {
    /// P or IceT.
    Source(Arc<Parse>),
    /// A project file.
    Manifest(Text),
}

/// Open documents, by what the workspace knows them by. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Documents(Arc<Open>);

#[derive(Clone, Default)]
struct Open {
    by_key: FxHashMap<PathBuf, Document>,
    /// The key that an address had when it was opened: where a link leads can change, what the client means cannot.
    keys: FxHashMap<Uri, PathBuf>,
    /// How many there have been.
    editions: u64,
}

impl Documents {
    pub(crate) fn get(&self, key: &Path) -> Option<&Document> {
        self.0.by_key.get(key)
    }

    /// What the workspace knows an address by, open or not.
    pub(crate) fn key(&self, uri: &Uri) -> PathBuf {
        self.0.keys.get(uri).cloned().unwrap_or_else(|| convert::key(uri))
    }

    pub(crate) fn insert(&mut self, key: PathBuf, mut document: Document) {
        let open = Arc::make_mut(&mut self.0);
        open.editions += 1;
        document.edition = open.editions;
        document.known_since = open.editions;
        open.keys.insert(document.uri.clone(), key.clone());
        open.by_key.insert(key, document);
    }

    /// For a change, as a new edition.
    pub(crate) fn get_mut(&mut self, key: &Path) -> Option<&mut Document> {
        let open = Arc::make_mut(&mut self.0);
        let document = open.by_key.get_mut(key)?;
        open.editions += 1;
        document.edition = open.editions;
        Some(document)
    }

    pub(crate) fn remove(&mut self, key: &Path) -> Option<Document> {
        let open = Arc::make_mut(&mut self.0);
        open.keys.retain(|_, known| known != key);
        open.by_key.remove(key)
    }

    /// In order of their keys.
    pub(crate) fn keys(&self) -> Vec<PathBuf> {
        let mut keys: Vec<PathBuf> = self.0.by_key.keys().cloned().collect();
        keys.sort();
        keys
    }
}

impl Document {
    /// `None` for a language that is not ours.
    pub(crate) fn new(uri: Uri, language: &str, version: i32, text: &str) -> Option<Self> {
        let path = PathBuf::from(uri.path().as_str());
        let is_manifest = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pproj"));
        // The ending says what a file is wherever it is read from; the client's word counts for what has none.
        let language = language_of(&path).or(match language {
            "p" => Some(Language::P),
            "icet" => Some(Language::Icet),
            _ => None,
        });
        let content = match language {
            Some(language) => Content::Source(Arc::new(Parse::new(language, text))),
            None if is_manifest => Content::Manifest(Text::from(text)),
            None => return None,
        };
        Some(Self { uri, version, edition: 0, content, changes: Vec::new(), known_since: 0 })
    }

    pub(crate) fn text(&self) -> &Text {
        match &self.content {
            Content::Source(parse) => parse.text(),
            Content::Manifest(text) => text,
        }
    }

    /// Applies changes, each of which sees the text as the ones before it left it.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        self.version = version;
        let mut text = self.text().clone();
        let mut edits = Vec::new();
        for change in changes {
            let range = match change.range {
                Some(range) => convert::text_range(&text, range, encoding),
                None => TextRange::new(TextSize::new(0), text.len()),
            };
            let edit = Edit { range, insert: change.text };
            text.edit(&edit);
            edits.push(edit);
        }
        self.remember(&edits);
        self.content = match &self.content {
            Content::Source(parse) => Content::Source(Arc::new(parse.edit(&edits))),
            Content::Manifest(_) => Content::Manifest(text),
        };
    }

    /// What has changed since an edition of this document; `None` if that is not known any more.
    pub(crate) fn drift_since(&self, edition: u64) -> Option<Drift> {
        let since = self.changes.iter().filter(|(led_to, _)| *led_to > edition);
        (edition >= self.known_since).then(|| Drift::of(since.map(|(_, change)| *change)))
    }

    fn remember(&mut self, edits: &[Edit]) {
        self.changes.extend(edits.iter().map(|edit| (self.edition, Change::of(edit))));
        if let Some(too_many) = self.changes.len().checked_sub(REMEMBERED).filter(|count| *count > 0) {
            let forgotten = self.changes.drain(..too_many).next_back();
            self.known_since = forgotten.map_or(self.known_since, |(edition, _)| edition);
        }
    }
}
