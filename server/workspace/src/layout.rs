//! Which files belong together: what some paths lead to on disk, as plain data.
//!
//! Knows folders and project files, never what is inside a source file. `search` goes from paths to files, `projects` follows
//! project files, `unclaimed` finds the project of a file that no given project names.

mod projects;
mod search;
#[cfg(test)]
mod tests;
mod unclaimed;

use std::path::{Path, PathBuf};

use lockstep_program::Purpose;
use lockstep_syntax::Language;

pub use self::search::canonical as file_key;
use crate::source::{Checked, ReadFile, name};

/// Files and how they form projects. Two layouts are equal if nothing has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Every P and IceT file once, by name.
    pub files: Vec<FileLayout>,
    /// In the order in which they were met. A file can be in several.
    pub projects: Vec<ProjectLayout>,
    /// The project files that were asked for, with what is wrong in them.
    pub manifests: Vec<Checked>,
    /// What was asked for and cannot be had.
    pub failures: Vec<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLayout {
    /// What makes it this file, whichever way leads to it: the path without links.
    pub key: PathBuf,
    /// Where it is read.
    pub path: PathBuf,
    /// What the user is told.
    pub name: String,
    pub language: Language,
    /// Whether its findings are wanted; others are only part of a project.
    pub is_asked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectLayout {
    pub name: String,
    pub origin: Origin,
    /// What the project file says; `None` without one: that depends on what the files contain.
    pub purpose: Option<Purpose>,
    /// In P's order: the files of a project before those it includes.
    pub members: Vec<MemberLayout>,
    /// Whether files or projects are missing that the project file names.
    pub is_incomplete: bool,
}

/// Why files are taken as one project.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A project file says so.
    Manifest { key: PathBuf, name: String },
    /// They lie in a folder with P's usual subfolders (`PSrc`, `PSpec`, ...).
    UsualFolders(PathBuf),
    /// They lie in one folder. If they cannot be one program, each is one.
    Folder(PathBuf),
    /// A text that is no file.
    Text(PathBuf),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberLayout {
    /// Index into `Layout::files`.
    pub file: usize,
    /// Whether it comes from an included project.
    pub is_included: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Failure {
    pub path: String,
    pub message: String,
}

impl Failure {
    pub(crate) fn new(path: &Path, message: impl Into<String>) -> Self {
        Self { path: name(path), message: message.into() }
    }
}

impl Layout {
    /// All that `paths` lead to. A folder stands for all files and projects below it, a project for its files and those of projects
    /// it includes, a file for itself. Each P file comes with the project it is part of.
    pub fn of(paths: &[PathBuf], read: ReadFile<'_>) -> Self {
        Self::with_unsaved(paths, &[], read)
    }

    /// The same with files that an editor has open and that are not on disk, or no longer: they count as if they were. `unsaved` has
    /// their paths as `file_key` gives them, and `read` their contents.
    pub fn with_unsaved(paths: &[PathBuf], unsaved: &[PathBuf], read: ReadFile<'_>) -> Self {
        let mut search = search::Search::new(unsaved, read);
        for path in paths {
            search.add(path);
        }
        search.place_unclaimed();
        search.finish()
    }

    /// Adds a text that is not on disk, under a name that no file has; the `ReadFile` of `Workspace::update` is asked for it.
    pub fn add_text(&mut self, name: &str, language: Language) {
        let key = PathBuf::from(name);
        let file = self.files.len();
        self.files.push(FileLayout { path: key.clone(), key: key.clone(), name: name.to_owned(), language, is_asked: true });
        if language == Language::P {
            let members = vec![MemberLayout { file, is_included: false }];
            self.projects.push(ProjectLayout {
                name: name.to_owned(),
                origin: Origin::Text(key),
                purpose: None,
                members,
                is_incomplete: false,
            });
        }
    }
}
