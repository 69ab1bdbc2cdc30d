//! From the paths a user gives to files and projects.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use lockstep_base::Severity;
use lockstep_syntax::Language;
use rustc_hash::FxHashMap;
use walkdir::{DirEntry, WalkDir};

use super::projects::Met;
use super::{Failure, FileLayout, Layout, ProjectLayout};
use crate::source::{Checked, ReadFile, language_of, name};

pub(super) struct Search<'r> {
    pub(super) read: ReadFile<'r>,
    /// Files that are not on disk and count as if they were, without links.
    unsaved: Vec<PathBuf>,
    /// Where the process stands, without links; paths that nobody gave are shown from here.
    here: Option<PathBuf>,
    pub(super) files: Vec<FileLayout>,
    by_key: FxHashMap<PathBuf, usize>,
    /// For each file whether a project file names it, of those that make a project.
    pub(super) is_claimed: Vec<bool>,
    /// P files that were asked for.
    pub(super) asked: Vec<usize>,
    /// Every project file that was read.
    pub(super) met: Vec<Met>,
    pub(super) met_by_key: FxHashMap<PathBuf, usize>,
    pub(super) projects: Vec<ProjectLayout>,
    pub(super) failures: Vec<Failure>,
}

impl<'r> Search<'r> {
    pub(super) fn new(unsaved: &[PathBuf], read: ReadFile<'r>) -> Self {
        let here = std::env::current_dir().and_then(fs::canonicalize).ok();
        Self {
            read,
            unsaved: unsaved.iter().filter(|path| !path.exists()).cloned().collect(),
            here,
            files: Vec::new(),
            by_key: FxHashMap::default(),
            is_claimed: Vec::new(),
            asked: Vec::new(),
            met: Vec::new(),
            met_by_key: FxHashMap::default(),
            projects: Vec::new(),
            failures: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, path: &Path) {
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(_) if self.is_unsaved(path) && is_known(path) => return self.add_file(path),
            Err(error) => {
                let name = name(path);
                let message = match error.kind() {
                    ErrorKind::NotFound => format!("there is no file or folder `{name}`"),
                    _ => format!("cannot read `{name}`: {error}"),
                };
                return self.fail(path, message);
            }
        };
        if kind.is_dir() {
            self.add_folder(path);
        } else if !kind.is_file() {
            self.fail(path, not_regular(path));
        } else if is_known(path) {
            self.add_file(path);
        } else {
            self.fail(path, format!("`{}` is not a file that Lockstep knows: expected .p, .icet or .pproj", name(path)));
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        let failures = self.failures.len();
        let found = self.files_below(folder, is_known);
        found.iter().for_each(|path| self.add_file(path));
        if found.is_empty() && self.failures.len() == failures {
            self.fail(folder, format!("there are no P or IceT files in the folder `{}`", name(folder)));
        }
    }

    /// A file of a known kind.
    fn add_file(&mut self, path: &Path) {
        match language_of(path) {
            Some(language) => {
                let file = self.register(path, language);
                self.files[file].is_asked = true;
                if language == Language::P {
                    self.asked.push(file);
                }
            }
            None => self.add_asked_project(path),
        }
    }

    /// The file's place in the list, at its end if it is new.
    pub(super) fn register(&mut self, path: &Path, language: Language) -> usize {
        let key = canonical(path);
        // A project above the folder where the user stands leads back to it by a detour.
        let path = if path.starts_with("..") { self.near(&key, path) } else { path.to_owned() };
        *self.by_key.entry(key.clone()).or_insert_with(|| {
            self.files.push(FileLayout { key, name: name(&path), path, language, is_asked: false });
            self.is_claimed.push(false);
            self.files.len() - 1
        })
    }

    /// The files below a folder for which `is_wanted` holds, by path. Hidden ones do not count, and links to folders are not
    /// followed: they may lead in circles, or out of what the user asked for.
    pub(super) fn files_below(&mut self, folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
        let is_visible = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry.file_name());
        let entries = WalkDir::new(folder).follow_links(false).sort_by_file_name();
        let mut found = Vec::new();
        for entry in entries.into_iter().filter_entry(is_visible) {
            match entry {
                Ok(entry) if !entry.file_type().is_dir() && is_wanted(entry.path()) && self.is_file(entry.path()) => {
                    found.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder);
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    self.fail(path, format!("cannot read `{}`: {why}", name(path)));
                }
            }
        }
        found.extend(self.unsaved_below(folder).into_iter().filter(|path| is_wanted(path)));
        found
    }

    /// What is not on disk in a folder and below it, as paths that begin like the folder's.
    pub(super) fn unsaved_below(&self, folder: &Path) -> Vec<PathBuf> {
        if self.unsaved.is_empty() {
            return Vec::new();
        }
        let key = canonical(folder);
        let below = self.unsaved.iter().filter_map(|path| path.strip_prefix(&key).ok());
        below.filter(|rest| !rest.iter().any(is_hidden)).map(|rest| folder.join(rest)).collect()
    }

    pub(super) fn is_unsaved(&self, path: &Path) -> bool {
        !self.unsaved.is_empty() && self.unsaved.contains(&canonical(path))
    }

    /// Whether something found in a folder can be read as a file; what cannot is told.
    pub(super) fn is_file(&mut self, path: &Path) -> bool {
        match fs::metadata(path).map(|metadata| metadata.file_type()) {
            Ok(kind) if kind.is_file() => return true,
            Ok(kind) if kind.is_dir() => {}
            Ok(_) => self.fail(path, not_regular(path)),
            // A link that leads nowhere: what it means is not there.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => self.fail(path, format!("cannot read `{}`: {error}", name(path))),
        }
        false
    }

    /// How to write a path without links for someone who wrote `like`: from where he stands, unless he wrote all of it.
    pub(super) fn near(&self, key: &Path, like: &Path) -> PathBuf {
        match &self.here {
            Some(here) if like.is_relative() => relative(key, here),
            _ => key.to_owned(),
        }
    }

    /// The same problem is told once, however many ways lead to it.
    pub(super) fn fail(&mut self, path: &Path, message: String) {
        let failure = Failure::new(path, message);
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    pub(super) fn finish(self) -> Layout {
        // Files of projects that were looked at and not taken do not count.
        let mut is_used: Vec<bool> = self.files.iter().map(|file| file.is_asked).collect();
        self.projects.iter().flat_map(|project| &project.members).for_each(|member| is_used[member.file] = true);
        let mut order: Vec<usize> = (0..self.files.len()).filter(|file| is_used[*file]).collect();
        order.sort_by(|a, b| self.files[*a].name.cmp(&self.files[*b].name));
        let mut position = vec![0; self.files.len()];
        for (new, old) in order.iter().enumerate() {
            position[*old] = new;
        }
        let mut files: Vec<Option<FileLayout>> = self.files.into_iter().map(Some).collect();
        let files: Vec<FileLayout> = order.iter().filter_map(|old| files[*old].take()).collect();
        let mut projects = self.projects;
        projects.iter_mut().flat_map(|project| &mut project.members).for_each(|member| member.file = position[member.file]);
        // Who asks for a file of a project is told what keeps the project from being read.
        let is_concerned = |met: &Met| {
            let project = met.project.and_then(|project| projects.get(project));
            let has_asked = project.is_some_and(|project| project.members.iter().any(|member| files[member.file].is_asked));
            has_asked && met.findings.iter().any(|finding| finding.severity == Severity::Error)
        };
        let asked = self.met.into_iter().filter(|met| met.is_asked || is_concerned(met));
        let mut manifests: Vec<Checked> = asked.map(Met::checked).collect();
        manifests.sort_by(|a, b| a.source.name.cmp(&b.source.name));
        Layout { files, projects, manifests, failures: self.failures }
    }
}

/// What makes a file this file, whichever way leads to it: its path without links. Of what is not there, the folders that are.
pub fn canonical(path: &Path) -> PathBuf {
    let there = path.ancestors().filter(|folder| !folder.as_os_str().is_empty());
    let found = there.into_iter().find_map(|folder| Some((fs::canonicalize(folder).ok()?, path.strip_prefix(folder).ok()?)));
    match found {
        Some((folder, rest)) if rest.as_os_str().is_empty() => folder,
        Some((folder, rest)) => folder.join(rest),
        None => path.to_owned(),
    }
}

pub(super) fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pproj"))
}

pub(super) fn is_p(path: &Path) -> bool {
    language_of(path) == Some(Language::P)
}

fn is_known(path: &Path) -> bool {
    language_of(path).is_some() || is_project(path)
}

pub(super) fn not_regular(path: &Path) -> String {
    format!("`{}` is not a regular file", name(path))
}

pub(super) fn is_hidden(file_name: &OsStr) -> bool {
    file_name.as_encoded_bytes().starts_with(b".")
}

/// The way from one folder to a path, both without links; all of the path if they have no folder in common.
fn relative(path: &Path, from: &Path) -> PathBuf {
    let common = path.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    let is_shared = path.components().take(common).any(|part| matches!(part, Component::Normal(_)));
    if !is_shared {
        return path.to_owned();
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(path.components().skip(common)).collect()
}
