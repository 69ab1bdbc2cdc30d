//! All that a check has to say, before it is written in one format or another.

use lockstep_base::verdict::{Scope, Verdict};
use lockstep_base::{Diagnostic, Severity};
use lockstep_icet::analysis::{Analysis, Bug, analyse};
use lockstep_icet::check::check_parse;
use lockstep_program::{Database, Settings};
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::guard::guarded;
use lockstep_workspace::{Checked, Failure, Origin, Source, Workspace};
use rustc_hash::{FxHashMap, FxHashSet};

use lockstep_trace::Story;

use crate::human::count;
use crate::icet;

pub(crate) struct Report {
    pub(crate) counts: Counts,
    pub(crate) projects: Vec<Project>,
    /// The texts with findings, by name.
    pub(crate) found: Vec<Checked>,
    pub(crate) failures: Vec<Failure>,
    /// What could not be found out about tests: verdicts that are neither good nor bad.
    pub(crate) open: Vec<String>,
    /// What is known of IceT programs without static errors, by name.
    pub(crate) icet: Vec<Analysed>,
    /// Every text that findings can point into, by name.
    pub(crate) sources: Sources,
    /// Runs that lead to findings.
    pub(crate) flows: Vec<Flow>,
}

/// How it comes to a finding.
pub(crate) struct Flow {
    /// Of the finding's text.
    pub(crate) path: String,
    pub(crate) diagnostic: Diagnostic,
    pub(crate) story: Story,
}

/// What of a workspace is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    P,
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

/// An IceT program and what is known of it.
pub(crate) struct Analysed {
    pub(crate) source: Source,
    pub(crate) verdict: Verdict,
    pub(crate) scope: Option<Scope>,
    pub(crate) summary: String,
    pub(crate) bug: Option<Bug>,
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
    pub(crate) fn new(workspace: &Workspace, db: &Database, settings: &Settings, which: Which) -> Self {
        let layout = workspace.layout();
        let mut failures: Vec<Failure> = workspace.failures().cloned().collect();
        let mut found: Vec<Checked> = layout.manifests.clone();
        let mut icet = Vec::new();
        for findings in workspace.findings(db, settings) {
            match findings {
                Ok(findings) => {
                    let Some(file) = workspace.file(findings.file) else { continue };
                    if which == Which::P && layout.files[findings.file].language != Language::P {
                        continue;
                    }
                    let source = file.source.clone();
                    let is_icet = layout.files[findings.file].language == Language::Icet && source.not_utf8.is_none();
                    let diagnostics = match is_icet.then(|| guarded(|| checked_icet(&file.parse, &source))) {
                        None => findings.diagnostics,
                        Some(Ok((diagnostics, analysed))) => {
                            icet.extend(analysed);
                            diagnostics
                        }
                        Some(Err(panic)) => {
                            let message = format!("cannot check `{}`: {panic}", source.name);
                            failures.push(Failure { path: source.name.clone(), message });
                            Vec::new()
                        }
                    };
                    found.push(Checked { source, diagnostics });
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
        icet.sort_by(|a: &Analysed, b| a.source.name.cmp(&b.source.name));
        Self { counts, projects, found, failures, open: Vec::new(), icet, sources: Sources { by_name }, flows: Vec::new() }
    }

    /// Without warnings and remarks.
    pub(crate) fn errors_only(mut self) -> Self {
        self.found.iter_mut().for_each(|checked| checked.diagnostics.retain(|finding| finding.severity == Severity::Error));
        self.found.retain(|checked| !checked.diagnostics.is_empty());
        self
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
            parts.push(count(self.icet, "IceT file"));
        }
        let rest = parts.split_off(parts.len().min(1));
        f.write_str(parts.first().map_or("0 files", String::as_str))?;
        rest.iter().enumerate().try_for_each(|(index, part)| {
            let link = if index + 1 == rest.len() { " and" } else { "," };
            write!(f, "{link} {part}")
        })
    }
}

/// Everything there is to say about an IceT file.
fn checked_icet(parse: &Parse, source: &Source) -> (Vec<Diagnostic>, Option<Analysed>) {
    let mut diagnostics = parse.errors().to_vec();
    let checked = check_parse(parse);
    diagnostics.extend(checked.diagnostics);
    let analysis = checked
        .program
        .filter(|program| !program.processes.is_empty() || program.sequential.is_none())
        .map(|program| icet::patiently(&format!("searching for bugs in {}", source.name), || analyse(&program, &icet::budget())));
    let analysed = analysis.map(|analysis| {
        diagnostics.extend(analysis.findings);
        let Analysis { verdict, scope, summary, bug, .. } = analysis;
        Analysed { source: source.clone(), verdict, scope, summary, bug }
    });
    diagnostics.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.code));
    (diagnostics, analysed)
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
