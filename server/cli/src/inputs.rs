//! From the paths a user gives to the files to check: each once, in order of their names.
//!
//! Knows folders and project files, never what is inside a source file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lockstep_base::Diagnostic;
use lockstep_syntax::Language;
use walkdir::{DirEntry, WalkDir};

use crate::project::{Entry, EntryKind, PROJECT_EMPTY, PROJECT_FILE, PROJECT_PATH, Project};
use crate::source::{Checked, language_of, name};

#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) files: Vec<(PathBuf, Language)>,
    /// The project files read, with what is wrong in them.
    pub(crate) projects: Vec<Checked>,
    /// What the user asked for and cannot get.
    pub(crate) failures: Vec<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Failure {
    pub(crate) path: String,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(path: &Path, message: impl Into<String>) -> Self {
        Self { path: name(path), message: message.into() }
    }
}

/// All P and IceT files that `paths` lead to: files, folders with all below them, and P projects.
pub(crate) fn discover(paths: &[PathBuf]) -> Inputs {
    let mut discovery = Discovery::default();
    for path in paths {
        discovery.add(path);
    }
    let mut inputs = discovery.inputs;
    inputs.files.sort_by_cached_key(|(path, _)| name(path));
    inputs
}

#[derive(Default)]
struct Discovery {
    inputs: Inputs,
    /// Canonical paths of the files and projects met.
    seen: HashSet<PathBuf>,
    /// How many files were met, anew or again; a project met again stands for its files.
    files_met: usize,
}

impl Discovery {
    fn add(&mut self, path: &Path) {
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(error) => {
                let name = name(path);
                return self.fail(
                    path,
                    match error.kind() {
                        ErrorKind::NotFound => format!("there is no file or folder `{name}`"),
                        _ => format!("cannot read `{name}`: {error}"),
                    },
                );
            }
        };
        if kind.is_dir() {
            let met = self.met();
            self.add_folder(path, FolderOf::Anything);
            if self.met() == met {
                self.fail(path, format!("there are no P or IceT files in the folder `{}`", name(path)));
            }
        } else if !kind.is_file() {
            self.fail(path, not_regular(path));
        } else if is_project(path) {
            self.add_root_project(path);
        } else if let Some(language) = language_of(path) {
            self.add_file(path, language);
        } else {
            self.fail(path, format!("`{}` is not a file that Lockstep knows: expected .p, .icet or .pproj", name(path)));
        }
    }

    fn add_file(&mut self, path: &Path, language: Language) {
        self.files_met += 1;
        if self.is_new(path) {
            self.inputs.files.push((path.to_owned(), language));
        }
    }

    fn add_folder(&mut self, folder: &Path, of: FolderOf) {
        let is_visible = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
        // Links to folders are not followed: they may lead in circles, or out of what the user asked for.
        let entries = WalkDir::new(folder).follow_links(false).sort_by_file_name();
        for entry in entries.into_iter().filter_entry(is_visible) {
            match entry {
                Ok(entry) if !entry.file_type().is_dir() => self.add_found(entry.path(), of),
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder);
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.fail(path, format!("cannot read `{}`: {why}", name(path)));
                }
            }
        }
    }

    /// A file in a folder, or a link to one.
    fn add_found(&mut self, path: &Path, of: FolderOf) {
        let language = match (language_of(path), of) {
            (Some(Language::Icet), FolderOf::Sources) => return,
            (None, _) if !(matches!(of, FolderOf::Anything) && is_project(path)) => return,
            (language, _) => language,
        };
        match (fs::metadata(path).map(|metadata| metadata.file_type()), language) {
            (Ok(kind), Some(language)) if kind.is_file() => self.add_file(path, language),
            (Ok(kind), None) if kind.is_file() => self.add_root_project(path),
            (Ok(kind), _) if kind.is_dir() => {}
            (Ok(_), _) => self.fail(path, not_regular(path)),
            // A link that leads nowhere: what it means is not there.
            (Err(error), _) if error.kind() == ErrorKind::NotFound => {}
            (Err(error), _) => self.fail(path, format!("cannot read `{}`: {error}", name(path))),
        }
    }

    fn add_root_project(&mut self, path: &Path) {
        if !self.is_new(path) {
            self.files_met += 1;
            return;
        }
        let root = match Project::read(path) {
            Ok(root) => root,
            Err(error) => return self.fail(path, format!("{error:#}")),
        };
        let root_folder = root.folder().to_owned();
        let (root_element, root_index, met) = (root.root, self.inputs.projects.len(), self.met());
        let mut pending = vec![root];
        while let Some(mut project) = pending.pop() {
            for entry in std::mem::take(&mut project.entries) {
                match entry.kind {
                    EntryKind::Input => self.add_input(&mut project, &entry),
                    EntryKind::Include => pending.extend(self.included(&mut project, &entry, &root_folder)),
                }
            }
            project.checked.diagnostics.sort_by_key(|diagnostic| diagnostic.range.start());
            self.inputs.projects.push(project.checked);
        }
        if self.met() == met {
            let finding = Diagnostic::error(PROJECT_EMPTY, root_element, "this project names no P files");
            self.inputs.projects[root_index].diagnostics.push(finding);
        }
    }

    fn add_input(&mut self, project: &mut Project, entry: &Entry) {
        let path = entry.below(project.folder());
        if entry.written.is_empty() {
            project.report(PROJECT_PATH, entry, "this names no file or folder".to_owned());
        } else if path.is_dir() {
            self.add_folder(&path, FolderOf::Sources);
        } else if !path.exists() {
            let finding = project.report(PROJECT_PATH, entry, format!("there is no file or folder `{}`", name(&path)));
            if entry.written.contains('*') {
                finding.help = Some("name the folder instead: every .p file in it is taken".to_owned());
            }
        } else if !path.is_file() {
            project.report(PROJECT_PATH, entry, not_regular(&path));
        } else if language_of(&path) == Some(Language::P) {
            self.add_file(&path, Language::P);
        }
        // Anything else is code in another language, for P's code generators.
    }

    /// P's own compiler looks for included projects from where it is started, which is mostly the folder of the outermost
    /// project; here they are looked for beside the project that names them first.
    fn included(&mut self, project: &mut Project, entry: &Entry, root_folder: &Path) -> Option<Project> {
        let beside = entry.below(project.folder());
        let below_root = entry.below(root_folder);
        let Some(path) = [&beside, &below_root].into_iter().find(|path| path.is_file()) else {
            project.report(PROJECT_PATH, entry, format!("there is no project file `{}`", name(&beside)));
            return None;
        };
        if !self.is_new(path) {
            self.files_met += 1;
            return None;
        }
        match Project::read(path) {
            Ok(included) => Some(included),
            Err(error) => {
                project.report(PROJECT_FILE, entry, format!("{error:#}"));
                None
            }
        }
    }

    /// Grows with everything that the user will hear of.
    fn met(&self) -> usize {
        let problems: usize = self.inputs.projects.iter().map(|project| project.diagnostics.len()).sum();
        self.files_met + problems + self.inputs.failures.len()
    }

    /// Whether the file is met for the first time, whatever it is called.
    fn is_new(&mut self, path: &Path) -> bool {
        self.seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    fn fail(&mut self, path: &Path, message: String) {
        self.inputs.failures.push(Failure::new(path, message));
    }
}

/// What is looked for in a folder.
#[derive(Clone, Copy)]
enum FolderOf {
    /// For a project: its P files.
    Sources,
    /// For a user: all files and projects.
    Anything,
}

fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pproj"))
}

fn not_regular(path: &Path) -> String {
    format!("`{}` is not a regular file", name(path))
}

fn is_hidden(file_name: &OsStr) -> bool {
    file_name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests;
