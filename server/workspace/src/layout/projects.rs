//! Project files: which files and projects they lead to.
//!
//! Follows P's compiler in what it takes: the files of a project before those it includes; of several projects of one folder only
//! the first that is included; the tests of every file below the folder of an included project are not tests of the project.

use std::path::{Path, PathBuf};

use lockstep_base::{Diagnostic, Severity};
use lockstep_syntax::Language;

use super::search::{Search, canonical, is_p, not_regular};
use super::{MemberLayout, Origin, ProjectLayout};
use crate::manifest::{Entry, EntryKind, Manifest};
use crate::source::{Checked, Source, name, why_unreadable};
use crate::{PROJECT_EMPTY, PROJECT_FILE, PROJECT_INCLUDE, PROJECT_PATH};

/// A project file that was read.
pub(super) struct Met {
    path: PathBuf,
    pub(super) key: PathBuf,
    source: Source,
    manifest: Manifest,
    pub(super) findings: Vec<Diagnostic>,
    /// The P files it names itself.
    inputs: Option<Vec<usize>>,
    pub(super) is_asked: bool,
    /// Its place among the projects, if it is one and not only included.
    pub(super) project: Option<usize>,
}

/// Project files that make one project, in the order in which P reads them.
pub(super) struct Included {
    /// The project itself comes first.
    manifests: Vec<usize>,
    /// Where the included ones lie.
    folders: Vec<PathBuf>,
}

impl Met {
    pub(super) fn checked(mut self) -> Checked {
        self.findings.sort_by_key(|finding| (finding.range.start(), finding.code));
        Checked { source: self.source, diagnostics: self.findings }
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn report(&mut self, finding: Diagnostic) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

impl Search<'_> {
    pub(super) fn add_asked_project(&mut self, path: &Path) {
        match self.meet(path) {
            Ok(met) => {
                let included = self.add_project(met);
                for manifest in included.manifests {
                    self.met[manifest].is_asked = true;
                }
                let project = self.met[met].project.map(|project| &self.projects[project]);
                for member in project.into_iter().flat_map(|project| &project.members) {
                    self.files[member.file].is_asked = true;
                }
            }
            Err(message) => self.fail(path, message),
        }
    }

    /// Reads a project file, unless that was done already.
    pub(super) fn meet(&mut self, path: &Path) -> Result<usize, String> {
        let key = canonical(path);
        if let Some(met) = self.met_by_key.get(&key) {
            return Ok(*met);
        }
        let name = name(path);
        let bytes = (self.read)(path).map_err(|error| why_unreadable(&name, &error))?;
        let source = Source::from_xml(bytes, name);
        let manifest = match &source.not_utf8 {
            Some(problem) => Manifest::unreadable(problem.clone()),
            None => Manifest::parse(&source.text.to_string()),
        };
        let findings = manifest.problems.clone();
        let path = path.to_owned();
        self.met_by_key.insert(key.clone(), self.met.len());
        self.met.push(Met { path, key, source, manifest, findings, inputs: None, is_asked: false, project: None });
        Ok(self.met.len() - 1)
    }

    /// Makes a project of a project file, if it is none yet.
    pub(super) fn add_project(&mut self, root: usize) -> Included {
        let included = self.included(root);
        if self.met[root].project.is_some() {
            return included;
        }
        let failures = self.failures.len();
        let mut members = Vec::new();
        for file in self.files_of(&included) {
            let is_included = included.folders.iter().any(|folder| self.files[file].key.starts_with(folder));
            self.is_claimed[file] = true;
            members.push(MemberLayout { file, is_included });
        }
        let findings = included.manifests.iter().flat_map(|manifest| &self.met[*manifest].findings);
        let errors: Vec<&str> =
            findings.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
        let has_errors = !errors.is_empty();
        let is_incomplete = errors.iter().any(|code| [PROJECT_PATH, PROJECT_FILE].contains(code));
        let is_silent = members.is_empty() && !has_errors && self.failures.len() == failures;
        let met = &mut self.met[root];
        if is_silent {
            met.report(Diagnostic::error(PROJECT_EMPTY, met.manifest.root, "this project names no P files"));
        }
        std::mem::take(&mut met.manifest.own_problems).into_iter().for_each(|problem| met.report(problem));
        met.project = Some(self.projects.len());
        let stem = || met.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.projects.push(ProjectLayout {
            name: met.manifest.name.clone().unwrap_or_else(stem),
            origin: Origin::Manifest { key: met.key.clone(), name: met.source.name.clone() },
            purpose: Some(met.manifest.purpose),
            members,
            is_incomplete,
        });
        included
    }

    /// Whether the project has this file; it must be registered.
    pub(super) fn claims(&mut self, root: usize, file: usize) -> bool {
        let included = self.included(root);
        let key = self.files[file].key.clone();
        let may_claim = included.manifests.iter().any(|manifest| {
            let met = &self.met[*manifest];
            let inputs = met.manifest.entries.iter().filter(|entry| entry.kind == EntryKind::Input);
            inputs.map(|entry| canonical(&entry.below(met.folder()))).any(|input| key.starts_with(input))
        });
        // Only now are folders looked into: a project far up may name very large ones.
        may_claim && self.files_of(&included).contains(&file)
    }

    /// Each once, in order.
    fn files_of(&mut self, included: &Included) -> Vec<usize> {
        let mut seen = vec![false; self.files.len()];
        let mut files = Vec::new();
        for manifest in &included.manifests {
            for file in self.inputs(*manifest) {
                seen.resize(self.files.len(), false);
                if !std::mem::replace(&mut seen[file], true) {
                    files.push(file);
                }
            }
        }
        files
    }

    fn inputs(&mut self, manifest: usize) -> Vec<usize> {
        if let Some(inputs) = &self.met[manifest].inputs {
            return inputs.clone();
        }
        let mut inputs = Vec::new();
        let entries = self.met[manifest].manifest.entries.clone();
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Input) {
            let paths = self.input(manifest, entry);
            inputs.extend(paths.iter().map(|path| self.register(path, Language::P)));
        }
        self.met[manifest].inputs = Some(inputs.clone());
        inputs
    }

    /// The P files that one entry names. What it names besides is code in another language, for P's code generators.
    fn input(&mut self, manifest: usize, entry: &Entry) -> Vec<PathBuf> {
        let path = entry.below(self.met[manifest].folder());
        if is_p(&path) && self.is_unsaved(&path) {
            return vec![path];
        }
        let met = &mut self.met[manifest];
        // P passes over what it does not find.
        let warning = |message| Diagnostic::warning(PROJECT_PATH, entry.range, message);
        if entry.written.is_empty() {
            met.report(warning("this names no file or folder".to_owned()));
        } else if path.is_dir() {
            return self.files_below(&path, is_p);
        } else if !path.exists() {
            let finding = warning(format!("there is no file or folder `{}`: P passes over it", name(&path)));
            let help = "name the folder instead: every .p file in it is taken";
            met.report(if entry.written.contains('*') { finding.with_help(help) } else { finding });
        } else if !path.is_file() {
            met.report(Diagnostic::error(PROJECT_PATH, entry.range, not_regular(&path)));
        } else if is_p(&path) {
            return vec![path];
        }
        Vec::new()
    }

    fn included(&mut self, root: usize) -> Included {
        let mut included = Included { manifests: vec![root], folders: Vec::new() };
        // Project files whose entries are being followed, each with the number of the next entry.
        let mut open = vec![(root, 0)];
        while let Some((manifest, next)) = open.last_mut() {
            let manifest = *manifest;
            let Some(entry) = self.met[manifest].manifest.entries.get(*next).cloned() else {
                open.pop();
                continue;
            };
            *next += 1;
            if entry.kind == EntryKind::Include
                && let Some(found) = self.include(root, manifest, &entry)
                && self.is_taken(&included, manifest, &entry, found)
            {
                included.folders.push(folder_of(&self.met[found].key));
                if found != root {
                    included.manifests.push(found);
                    open.push((found, 0));
                }
            }
        }
        included
    }

    /// P knows an included project by its folder: another one of the same folder is passed over.
    fn is_taken(&mut self, included: &Included, manifest: usize, entry: &Entry, found: usize) -> bool {
        let warning = |message: &str| Diagnostic::warning(PROJECT_INCLUDE, entry.range, message);
        let folder = folder_of(&self.met[found].key);
        if included.folders.contains(&folder) {
            if !included.manifests.contains(&found) {
                let message = "P passes over this project: it has included another one of the same folder already";
                self.met[manifest].report(warning(message).with_help("move one of them to a folder of its own"));
            }
            return false;
        }
        let root = included.manifests[0];
        if folder_of(&self.met[root].key).starts_with(&folder) {
            let outermost = &self.met[root].source.name;
            let message = if found == root {
                format!("this includes `{outermost}` in itself: P then passes over all its tests")
            } else {
                format!("P passes over tests below the folder of an included project, and those of `{outermost}` lie there too")
            };
            self.met[manifest].report(warning(&message));
        }
        true
    }

    /// P looks for included projects from where it is started, which is mostly the folder of the outermost project. One that is
    /// not there is looked for beside the project that names it.
    fn include(&mut self, root: usize, manifest: usize, entry: &Entry) -> Option<usize> {
        let from_root = entry.below(self.met[root].folder());
        let beside = entry.below(self.met[manifest].folder());
        let met = &mut self.met[manifest];
        let warning = |message| Diagnostic::warning(PROJECT_INCLUDE, entry.range, message);
        let path = match (from_root.is_file(), beside.is_file()) {
            (true, true) if canonical(&from_root) != canonical(&beside) => {
                let message = format!("this can be `{}` or `{}`: P takes the first", name(&from_root), name(&beside));
                let help = "P looks for included projects from the folder where it is started, not from that of this file";
                met.report(warning(message).with_help(help));
                from_root
            }
            (true, _) => from_root,
            (false, true) => {
                let message = format!("P looks for this project at `{}`, and there is none", name(&from_root));
                let help = "P looks for included projects from the folder where it is started, not from that of this file";
                met.report(warning(message).with_help(help));
                beside
            }
            (false, false) => {
                let message = match entry.written.as_str() {
                    "" => "this names no project file".to_owned(),
                    _ => format!("there is no project file `{}`", name(&beside)),
                };
                met.report(Diagnostic::error(PROJECT_PATH, entry.range, message));
                return None;
            }
        };
        match self.meet(&path) {
            Ok(found) => Some(found),
            Err(message) => {
                self.met[manifest].report(Diagnostic::error(PROJECT_FILE, entry.range, message));
                None
            }
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}
