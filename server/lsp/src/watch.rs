//! Our own eyes on the disk, for clients that have none (Neovim on Linux).

use std::path::Path;
use std::sync::mpsc::Sender;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tower_lsp::ls_types::{FileChangeType, FileEvent};

use crate::convert;
use crate::event::Event;

/// Reports changes below some folders as if the client had.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
}

impl Watch {
    pub(crate) fn new(events: Sender<Event>) -> notify::Result<Self> {
        let watcher = notify::recommended_watcher(move |seen: notify::Result<notify::Event>| {
            let Ok(seen) = seen else { return };
            let typ = match seen.kind {
                EventKind::Create(_) => FileChangeType::CREATED,
                EventKind::Remove(_) => FileChangeType::DELETED,
                EventKind::Modify(notify::event::ModifyKind::Name(_)) => FileChangeType::DELETED,
                EventKind::Modify(_) => FileChangeType::CHANGED,
                EventKind::Access(_) | EventKind::Any | EventKind::Other => return,
            };
            let changes = seen.paths.iter().filter_map(|path| Some(FileEvent { uri: convert::uri(path)?, typ })).collect();
            let _ = events.send(Event::Files(changes));
        })?;
        Ok(Self { watcher })
    }

    /// A folder that cannot be watched is not: its files are read again when they are opened.
    pub(crate) fn add(&mut self, folder: &Path) {
        let _ = self.watcher.watch(folder, RecursiveMode::Recursive);
    }

    pub(crate) fn remove(&mut self, folder: &Path) {
        let _ = self.watcher.unwatch(folder);
    }
}
