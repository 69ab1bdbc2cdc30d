//! The project of a P file that no given project names.
//!
//! The nearest project file up the tree that names it, else the folder it lies in. In a folder with P's usual subfolders these
//! are one project; in another folder the files beside each other are.

use std::fs;
use std::path::{Path, PathBuf};

use lockstep_syntax::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::search::{Search, is_hidden, is_p, is_project};
use super::{MemberLayout, Origin, ProjectLayout};

/// What P's own tools and examples call the folders of a project.
const USUAL: [&str; 4] = ["PSrc", "PSpec", "PTst", "PForeign"];

impl Search<'_> {
    pub(super) fn place_unclaimed(&mut self) {
        let mut projects_in = FxHashMap::default();
        let mut project_of_folder = FxHashMap::default();
        let mut placed = FxHashSet::default();
        for file in std::mem::take(&mut self.asked) {
            if !self.is_claimed[file] && !placed.contains(&file) && !self.place_above(file, &mut projects_in) {
                placed.extend(self.place_in_folder(file, &mut project_of_folder));
            }
        }
    }

    /// Adds the projects of the nearest folder up the tree that has one with this file.
    fn place_above(&mut self, file: usize, projects_in: &mut FxHashMap<PathBuf, Vec<usize>>) -> bool {
        let (key, path) = (self.files[file].key.clone(), self.files[file].path.clone());
        for folder in key.ancestors().skip(1) {
            let projects = match projects_in.get(folder) {
                Some(projects) => projects.clone(),
                None => {
                    let projects = self.projects_in(folder, &path);
                    projects_in.insert(folder.to_owned(), projects.clone());
                    projects
                }
            };
            let claiming: Vec<usize> = projects.into_iter().filter(|project| self.claims(*project, file)).collect();
            for project in &claiming {
                self.add_project(*project);
            }
            if !claiming.is_empty() {
                return true;
            }
        }
        false
    }

    /// The project files of a folder. Nobody asked for them: what cannot be read is passed over.
    fn projects_in(&mut self, folder: &Path, like: &Path) -> Vec<usize> {
        let found = entries(folder).into_iter().filter(|path| is_project(path) && path.is_file());
        let found: Vec<PathBuf> = found.chain(self.unsaved_in(folder, is_project)).map(|path| self.near(&path, like)).collect();
        found.iter().filter_map(|path| self.meet(path).ok()).collect()
    }

    /// Files right in a folder that are not on disk.
    fn unsaved_in(&self, folder: &Path, is_wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut found = self.unsaved_below(folder);
        found.retain(|path| path.parent() == Some(folder) && is_wanted(path));
        found
    }

    /// Adds the project of the file's folder and returns its files.
    fn place_in_folder(&mut self, file: usize, project_of_folder: &mut FxHashMap<PathBuf, usize>) -> Vec<usize> {
        let key = self.files[file].key.clone();
        let parent = key.parent().unwrap_or(Path::new(""));
        let root = usual_root(parent).unwrap_or(parent);
        if let Some(project) = project_of_folder.get(root) {
            // Not found when the folder was listed: it is hidden, or came later.
            self.projects[*project].members.push(MemberLayout { file, is_included: false });
            return vec![file];
        }
        let like = self.files[file].path.clone();
        let mut paths: Vec<PathBuf> = entries(root).into_iter().filter(|path| is_p(path) && path.is_file()).collect();
        paths.extend(self.unsaved_in(root, is_p));
        let folders: Vec<PathBuf> = USUAL.iter().map(|usual| root.join(usual)).filter(|path| path.is_dir()).collect();
        for folder in &folders {
            paths.extend(self.files_below(folder, is_p));
        }
        let mut seen = FxHashSet::default();
        let found = paths.into_iter().map(|path| self.register(&self.near(&path, &like), Language::P));
        let files: Vec<usize> = found.chain([file]).filter(|file| seen.insert(*file)).collect();
        project_of_folder.insert(root.to_owned(), self.projects.len());
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let origin = if folders.is_empty() { Origin::Folder(root.to_owned()) } else { Origin::UsualFolders(root.to_owned()) };
        let members = files.iter().map(|file| MemberLayout { file: *file, is_included: false }).collect();
        self.projects.push(ProjectLayout { name, origin, purpose: None, members, is_incomplete: false });
        files
    }
}

/// The folder that has `folder`, or one that it lies in, as one of P's usual subfolders.
fn usual_root(folder: &Path) -> Option<&Path> {
    let is_usual = |folder: &&Path| folder.file_name().is_some_and(|name| USUAL.iter().any(|usual| name == *usual));
    folder.ancestors().find(is_usual).and_then(Path::parent)
}

/// What is visible in a folder, by name; nothing if it may not be listed.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.filter(|entry| !is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
