//! Features of project files (`.pproj`): where their paths lead, what can be written in them, and how they follow files that move.
//!
//! What a project file says is read by `lockstep_workspace::manifest`; only completion reads the text itself, which is broken just
//! there. The disk is asked through `Disk`.

mod completion;
mod moves;
mod tags;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use lockstep_base::{TextRange, TextSize};
use lockstep_workspace::manifest::{Entry, EntryKind, INCLUDE_PROJECT, INPUT_FILES, P_FILE, TARGET, TARGETS, entries};

pub use self::completion::completions;
pub use self::moves::{Move, follow_moves};
use crate::Hover;

/// What is found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    File,
    Folder,
}

/// The disk, as far as project files need it.
pub trait Disk {
    fn find(&self, path: &Path) -> Option<Found>;

    /// What lies in a folder, by name, in any order; nothing if it cannot be read.
    fn list(&self, folder: &Path) -> Vec<(String, Found)>;
}

/// A path in a project file with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub range: TextRange,
    pub target: PathBuf,
    pub found: Found,
}

/// The paths of a project file that lead somewhere. P looks for included projects from where it is started: `roots` are the other
/// project files from which that may be.
pub fn links(path: &Path, text: &str, roots: &[PathBuf], disk: &dyn Disk) -> Vec<Link> {
    let link = |entry: Entry| {
        let (_, target, found) = target(path, &entry, roots, disk)?;
        Some(Link { range: entry.range, target, found })
    };
    entries(text).into_iter().filter_map(link).collect()
}

/// The project file from whose folder a path leads somewhere, where that is, and what is there.
fn target(path: &Path, entry: &Entry, roots: &[PathBuf], disk: &dyn Disk) -> Option<(PathBuf, PathBuf, Found)> {
    if entry.written.is_empty() {
        return None;
    }
    let others = roots.iter().map(PathBuf::as_path).filter(|root| entry.kind == EntryKind::Include && *root != path);
    std::iter::once(path).chain(others).find_map(|from| {
        let target = entry.below(from.parent()?);
        let found = disk.find(&target)?;
        Some((from.to_owned(), target, found))
    })
}

/// What the element or path at a place is.
pub fn hover(path: &Path, text: &str, offset: TextSize, roots: &[PathBuf], disk: &dyn Disk) -> Option<Hover> {
    if let Some(entry) = entries(text).into_iter().find(|entry| entry.range.contains_inclusive(offset)) {
        let said = match target(path, &entry, roots, disk) {
            Some((_, target, Found::File)) => format!("the file `{}`", lockstep_workspace::name(&target)),
            Some((_, target, Found::Folder)) => {
                format!("the folder `{}`: every `.p` file below it belongs to the project", lockstep_workspace::name(&target))
            }
            None => "nothing is there".to_owned(),
        };
        return Some(Hover { range: entry.range, markdown: said });
    }
    let (range, name) = tags::name_at(text, offset)?;
    Some(Hover { range, markdown: format!("`{name}`: {}", meaning(name)?) })
}

/// What an element is for.
fn meaning(element: &str) -> Option<String> {
    Some(match element {
        "Project" => "a project of P".to_owned(),
        "ProjectName" => "the name of the project, of letters, digits and `_`".to_owned(),
        INPUT_FILES => format!("the files of the project, each in an element `{P_FILE}`"),
        P_FILE => "a P file, or a folder with all `.p` files below it; relative to this file".to_owned(),
        INCLUDE_PROJECT => {
            "another project whose files belong to this one too, without its tests. P looks for it from the folder where it is started"
                .to_owned()
        }
        TARGET => format!("what P makes of the project: {}", TARGETS.map(|target| format!("`{target}`")).join(", ")),
        "OutputDir" => "where P puts the code that it generates; Lockstep generates none".to_owned(),
        "pobserve-package" => "the package of the Java code that P generates for PObserve".to_owned(),
        _ => return None,
    })
}
