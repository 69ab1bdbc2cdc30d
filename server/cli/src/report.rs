//! All that a check has to say, before it is written in one format or another.

use lockstep_base::{Diagnostic, Severity};
use lockstep_program::{Database, Settings};
use lockstep_syntax::Language;
use lockstep_workspace::{Checked, Failure, Origin, Source, Workspace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::human::count;

pub(crate) struct Report {
    pub(crate) counts: Counts,
    pub(crate) projects: Vec<Project>,
    /// The texts with findings, by name.
    pub(crate) found: Vec<Checked>,
    pub(crate) failures: Vec<Failure>,
    /// Every text that findings can point into, by name.
    pub(crate) sources: Sources,
}

/// How many files were looked at; project files do not count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// P projects with a project file.
    projects: usize,
    in_projects: usize,
    other_p: usize,
    icet: usize,
}

/// P files that were checked as one program.
#[derive(serde::Serialize)]
pub(crate) struct Project {
    name: String,
    path: Option<String>,
    files: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Sources {
    by_name: FxHashMap<String, Source>,
}

impl Sources {
    pub(crate) fn get(&self, name: &str) -> Option<&Source> {
        self.by_name.get(name)
    }
}

impl Report {
    /// Checks everything in the workspace that was asked for. Warnings that are switched off are left out.
    pub(crate) fn new(workspace: &Workspace, db: &Database, settings: &Settings) -> Self {
        let layout = workspace.layout();
        let mut failures: Vec<Failure> = workspace.failures().cloned().collect();
        let mut found: Vec<Checked> = layout.manifests.clone();
        for findings in workspace.findings(db, settings) {
            match findings {
                Ok(findings) => {
                    let source = workspace.file(findings.file).map(|file| file.source.clone()).unwrap_or_default();
                    found.push(Checked { source, diagnostics: findings.diagnostics });
                }
                Err(failure) => failures.push(failure),
            }
        }
        found.iter_mut().for_each(|checked| checked.diagnostics.retain(|finding| settings.shows(finding)));
        let manifests = layout.manifests.iter().map(|checked| &checked.source);
        let loaded = (0..layout.files.len()).filter_map(|file| workspace.file(file)).map(|file| &file.source);
        let by_name = manifests.chain(loaded).map(|source| (source.name.clone(), source.clone())).collect();
        found.retain(|checked| !checked.diagnostics.is_empty());
        found.sort_by(|a, b| a.source.name.cmp(&b.source.name));
        let (counts, projects) = counted(workspace);
        Self { counts, projects, found, failures, sources: Sources { by_name } }
    }

    pub(crate) fn files(&self) -> usize {
        self.counts.in_projects + self.counts.other_p + self.counts.icet
    }

    pub(crate) fn found_of(&self, severity: Severity) -> usize {
        self.diagnostics().filter(|(_, diagnostic)| diagnostic.severity == severity).count()
    }

    /// All findings with the texts they are in, by name and place.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = (&Source, &Diagnostic)> {
        self.found.iter().flat_map(|checked| checked.diagnostics.iter().map(|diagnostic| (&checked.source, diagnostic)))
    }

    /// What was checked, and what was found. Says no more than that.
    pub(crate) fn summary(&self) -> String {
        let mut summary = format!("checked {}", self.counts);
        let of = |severity, noun| match self.found_of(severity) {
            0 => None,
            number => Some(count(number, noun)),
        };
        let errors = of(Severity::Error, "error").or_else(|| (self.files() > 0).then(|| "no errors".to_owned()));
        let others = [of(Severity::Warning, "warning"), of(Severity::Info, "remark")];
        let found: Vec<String> = errors.into_iter().chain(others.into_iter().flatten()).collect();
        if !found.is_empty() {
            summary += &format!(": {}", found.join(", "));
        }
        match self.failures.len() {
            0 => summary,
            failures => format!("{summary}; {} could not be checked", count(failures, "path")),
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        if self.projects > 0 {
            parts.push(format!("{} of {}", count(self.in_projects, "file"), count(self.projects, "project")));
        }
        if self.other_p > 0 {
            parts.push(count(self.other_p, if parts.is_empty() { "file" } else { "other file" }));
        }
        if self.icet > 0 {
            parts.push(format!("{} (syntax only)", count(self.icet, "IceT file")));
        }
        let rest = parts.split_off(parts.len().min(1));
        f.write_str(parts.first().map_or("0 files", String::as_str))?;
        rest.iter().enumerate().try_for_each(|(index, part)| {
            let link = if index + 1 == rest.len() { " and" } else { "," };
            write!(f, "{link} {part}")
        })
    }
}

fn counted(workspace: &Workspace) -> (Counts, Vec<Project>) {
    let files = &workspace.layout().files;
    let mut counts = Counts::default();
    let mut projects = Vec::new();
    let mut in_projects = FxHashSet::default();
    for program in workspace.programs() {
        if !program.files.iter().any(|file| files[*file].is_asked) {
            continue;
        }
        let layout = &workspace.layout().projects[program.layout];
        let path = match &layout.origin {
            Origin::Manifest { name, .. } => {
                counts.projects += 1;
                in_projects.extend(program.files.iter().copied());
                Some(name.clone())
            }
            _ => None,
        };
        let names: Vec<String> = program.files.iter().map(|file| files[*file].name.clone()).collect();
        projects.push(Project { name: program.name.clone(), path, files: names });
    }
    for (index, file) in files.iter().enumerate().filter(|(index, file)| file.is_asked && workspace.file(*index).is_some()) {
        match file.language {
            Language::Icet => counts.icet += 1,
            Language::P if in_projects.contains(&index) => counts.in_projects += 1,
            Language::P => counts.other_p += 1,
        }
    }
    (counts, projects)
}
