//! What is wrong in each file, put together from all projects it is in.

use lockstep_base::{Diagnostic, Related, Severity, TextRange};
use lockstep_program::{Database, Db, ProjectFile, Settings, file_diagnostics_with};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::SEPARATE_PROGRAMS;
use crate::guard::guarded;
use crate::icet::checked_icet;
use crate::layout::Failure;
use crate::workspace::Workspace;

/// The findings of one file of the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFindings {
    /// Index into `Layout::files`.
    pub file: usize,
    pub diagnostics: Vec<Diagnostic>,
}

impl Workspace {
    /// The findings of all files that were asked for, in the order of the layout, found in parallel. That the files of a folder are
    /// separate programs is said once, and so is for each file that there is nothing of a name: the other places are listed there.
    pub fn findings(&self, db: &Database, settings: &Settings) -> Vec<Result<FileFindings, Failure>> {
        let files = &self.layout().files;
        let asked: Vec<usize> = (0..files.len()).filter(|file| files[*file].is_asked && self.file(*file).is_some()).collect();
        let check = |db: &mut Database, file: &usize| {
            let name = &files[*file].name;
            guarded(|| FileFindings { file: *file, diagnostics: self.file_findings(&*db, *file, settings) })
                .map_err(|panic| Failure { path: name.clone(), message: format!("cannot check `{name}`: {panic}") })
        };
        let mut found: Vec<_> = asked.par_iter().map_with(db.clone(), check).collect();
        let mut told = FxHashSet::default();
        for findings in found.iter_mut().flatten() {
            let is_new = self.folder_of(findings.file).is_none_or(|folder| told.insert(folder));
            findings.diagnostics.retain(|finding| is_new || finding.code != SEPARATE_PROGRAMS);
            tell_names_once(&mut findings.diagnostics);
        }
        found
    }

    /// All findings of one file. Of a file in several projects, what one calls an error is shown, and a warning only if all agree:
    /// what has no use in one project may have one in another. Of a text that is not UTF-8 only that is said. Of IceT this is what can be
    /// said without putting the program in order.
    pub fn file_findings(&self, db: &dyn Db, file: usize, settings: &Settings) -> Vec<Diagnostic> {
        let Some(loaded) = self.file(file) else { return Vec::new() };
        if let Some(problem) = &loaded.source.not_utf8 {
            return vec![problem.clone()];
        }
        if let Some(icet) = loaded.icet {
            return checked_icet(db, icet).diagnostics.iter().filter(|found| settings.shows(found)).cloned().collect();
        }
        let checked = self.programs_of(file).map(|(program, member)| {
            let file = ProjectFile::new(db, program.project, member.file, member.is_included);
            let mut found = file_diagnostics_with(db, file, settings);
            // What there is nothing of may be in what is missing, which is told in the project file.
            let is_incomplete = self.layout().projects[program.layout].is_incomplete;
            found.retain(|finding| !is_incomplete || unknown_name(finding).is_none());
            found
        });
        let mut findings = merged(checked.collect());
        findings.extend(self.remark(file).filter(|remark| settings.shows(remark)));
        findings.sort_by_key(|finding| (finding.range.start(), finding.range.end(), finding.code));
        findings
    }

    /// That the file is taken as a program of its own, though others lie beside it.
    fn remark(&self, file: usize) -> Option<Diagnostic> {
        let clash = self.clash(file)?;
        let (name, other) = (&clash.name, &self.layout().files[clash.other].name);
        let message =
            format!("`{name}` is declared in `{other}` too: each file of this folder is checked as a program of its own");
        let mut remark = Diagnostic::warning(SEPARATE_PROGRAMS, clash.range, message)
            .with_help("a project file (.pproj) says which files belong together");
        remark.severity = Severity::Info;
        remark.related.push(Related { path: Some(other.clone()), range: clash.other_range, message: "declared here".to_owned() });
        Some(remark)
    }
}

/// How many other places of an unknown name are shown.
const MOST_PLACES: usize = 3;

/// Puts together what is found about each name that is unknown in a file: one slip often has many places.
fn tell_names_once(found: &mut Vec<Diagnostic>) {
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    let mut told: Vec<(Diagnostic, Vec<Diagnostic>)> = Vec::new();
    for finding in std::mem::take(found) {
        match unknown_name(&finding).and_then(|name| first.get(name)) {
            Some(index) => told[*index].1.push(finding),
            None => {
                first.extend(unknown_name(&finding).map(|name| (name.to_owned(), told.len())));
                told.push((finding, Vec::new()));
            }
        }
    }
    found.extend(told.into_iter().map(|(finding, others)| with_places(finding, &others)));
}

/// The name that an error says there is nothing of.
fn unknown_name(finding: &Diagnostic) -> Option<&str> {
    let rest = finding.message.strip_prefix("there is no ").filter(|_| finding.severity == Severity::Error)?;
    rest.split('`').nth(1)
}

fn with_places(mut finding: Diagnostic, others: &[Diagnostic]) -> Diagnostic {
    let name = unknown_name(&finding).unwrap_or_default().to_owned();
    let shown = others.len().min(MOST_PLACES);
    for (number, other) in (1..).zip(&others[..shown]) {
        let mut message = format!("`{name}` stands here too");
        if number == shown && others.len() > shown {
            message += &format!(", and in {} more places of this file", others.len() - shown);
        }
        finding.related.push(Related { path: None, range: other.range, message });
    }
    // One replacement for all of them, if it is the same everywhere.
    if let Some(fix) = &mut finding.fix
        && others.iter().all(|other| other.fix.as_ref().is_some_and(|theirs| theirs.title == fix.title))
    {
        fix.edits.extend(others.iter().filter_map(|other| other.fix.as_ref()).flat_map(|fix| &fix.edits).cloned());
    }
    finding
}

/// The findings of several projects in one file.
fn merged(mut lists: Vec<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    if lists.len() < 2 {
        return lists.pop().unwrap_or_default();
    }
    let projects = lists.len();
    // Equal findings are at the same place with the same words; what explains them may lie in either project.
    let mut seen: FxHashMap<(&'static str, TextRange, String), usize> = FxHashMap::default();
    let mut findings: Vec<(Diagnostic, usize)> = Vec::new();
    for list in lists {
        let mut counted = FxHashSet::default();
        for finding in list {
            let key = (finding.code, finding.range, finding.message.clone());
            let index = *seen.entry(key).or_insert_with(|| {
                findings.push((finding, 0));
                findings.len() - 1
            });
            if counted.insert(index) {
                findings[index].1 += 1;
            }
        }
    }
    findings.retain(|(finding, count)| finding.severity == Severity::Error || *count == projects);
    findings.into_iter().map(|(finding, _)| finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_once() {
        let unknown = |at: u32, what: &str| {
            Diagnostic::error("LS0110", TextRange::at(at.into(), 1.into()), format!("there is no {what} `x` here"))
        };
        let other = Diagnostic::error("LS0105", TextRange::at(5.into(), 1.into()), "there is no type `t`");
        let mut found = vec![unknown(1, "variable"), other.clone(), unknown(6, "event"), unknown(7, "event")];
        tell_names_once(&mut found);
        let first = unknown(1, "variable").with_related(TextRange::at(6.into(), 1.into()), "`x` stands here too");
        let first = first.with_related(TextRange::at(7.into(), 1.into()), "`x` stands here too");
        assert_eq!(found, [first, other]);

        let mut found: Vec<Diagnostic> = (0..9).map(|at| unknown(at, "event")).collect();
        tell_names_once(&mut found);
        let places: Vec<&str> = found[0].related.iter().map(|related| related.message.as_str()).collect();
        let last = "`x` stands here too, and in 5 more places of this file";
        assert_eq!((found.len(), places), (1, vec!["`x` stands here too", "`x` stands here too", last]));
    }

    #[test]
    fn a_warning_counts_if_all_projects_agree() {
        let warning = |at: u32| Diagnostic::warning("LS1101", TextRange::at(at.into(), 1.into()), "unused");
        let error = |at: u32| Diagnostic::error("LS0105", TextRange::at(at.into(), 1.into()), "unknown");
        let found = merged(vec![
            vec![warning(1), error(2), warning(3), warning(3)],
            vec![error(4), warning(1)],
            vec![warning(1), error(2)],
        ]);
        assert_eq!(found, [warning(1), error(2), error(4)]);
        assert_eq!(merged(vec![vec![warning(1)]]), [warning(1)]);
        assert_eq!(merged(Vec::new()), []);
    }
}
