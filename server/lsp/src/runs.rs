//! Tests as they are now, beside what was found out about them.
//!
//! Invariant: a result counts as current exactly if the ledger has it under the fingerprint of the test as this snapshot has it. A
//! finding of a run is shown only then, at the place that it has in this text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lockstep_base::verdict::{Check, Freshness, Outcome, Phase, Verdict};
use lockstep_base::{Diagnostic, Related};
use lockstep_ide::p::StateFix;
use lockstep_judge::{Finding, config, places};
use lockstep_program::{Database, Db, Project, TestCase, project_errors, project_tests};
use lockstep_runtime::{Options, Place, lower};
use lockstep_worker::{Foreign, Known};
use lockstep_workspace::{Origin, Program};

use crate::snapshot::Snapshot;

/// Tests that something is known about or under way.
#[derive(Clone, Default)]
pub(crate) struct Runs {
    pub(crate) tests: BTreeMap<String, TestRef>,
    pub(crate) phases: BTreeMap<String, Phase>,
    /// Those that have gone wrong at some time: only they can have findings.
    refuted: BTreeSet<String>,
}

impl Runs {
    /// Takes note of a result.
    pub(crate) fn note(&mut self, item: &str, outcome: &Outcome) {
        if outcome.verdict == Verdict::Refuted {
            self.refuted.insert(item.to_owned());
        }
    }
}

/// What is found out at most once about a snapshot.
#[derive(Default)]
pub(crate) struct Once {
    bugs: OnceLock<Vec<(Arc<Lowered>, Arc<Known>)>>,
    /// What users say about functions in other languages.
    stands: Mutex<HashMap<Project, Result<Stands, String>>>,
}

/// A test case, as the database knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestRef {
    pub(crate) project: Project,
    pub(crate) case: String,
}

/// The fingerprint of a test; `None` if it cannot be run. Apart from its places, which few tests are asked for and which are many.
#[salsa::tracked(returns(clone))]
fn fingerprint(db: &dyn Db, project: Project, case: String, foreign: Stands) -> Option<String> {
    let case = project_tests(db, project).iter().find(|known| known.name == case)?;
    let program = lower(db, project, case, &Options { foreign, ..Options::default() }).ok()?;
    Some(program.fingerprint().to_string())
}

/// A test that can be run, without what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lowered {
    files: Vec<String>,
    places: Vec<Place>,
}

impl Lowered {
    fn place(&self, number: u32) -> Option<(&str, Place)> {
        let place = *self.places.get(number as usize)?;
        Some((self.files.get(place.file.index())?, place))
    }
}

/// What stands for functions in other languages, as part of a question to the database.
type Stands = Vec<(smol_str::SmolStr, lockstep_runtime::Stub)>;

/// A test made runnable; `None` if it cannot be.
#[salsa::tracked(returns(clone))]
fn lowered(db: &dyn Db, project: Project, case: String, foreign: Stands) -> Option<Arc<Lowered>> {
    let case = project_tests(db, project).iter().find(|known| known.name == case)?;
    let program = lower(db, project, case, &Options { foreign, ..Options::default() }).ok()?;
    let places = places(&program);
    Some(Arc::new(Lowered { places, files: program.files }))
}

impl Snapshot {
    /// What is known about a test, for its record.
    pub(crate) fn test_outcome(&self, item: &str, case: Option<&TestCase<'_>>) -> Option<Outcome> {
        let phase = self.runs.phases.get(item).copied().unwrap_or_default();
        let Some(last) = self.results.get(item, Check::Exploration) else {
            return (phase != Phase::Idle).then(|| Outcome { phase, ..Outcome::not_run("not checked yet") });
        };
        let test = case.and_then(|_| self.runs.tests.get(item));
        let now = test.and_then(|test| self.fingerprint(test.project, &test.case));
        let known = now.as_ref().and_then(|now| self.ledger.get(now));
        let is_last = now.is_some() && last.fingerprint == now;
        let outcome = match known {
            Some(known) => known.outcome.clone(),
            None if is_last => last.clone(),
            None => Outcome { freshness: Freshness::Stale, ..last.clone() },
        };
        Some(Outcome { phase, ..outcome })
    }

    /// The fingerprint of a test as it is now; `None` if it cannot be run.
    pub(crate) fn fingerprint(&self, project: Project, case: &str) -> Option<String> {
        if project_errors(&self.db, project) > 0 {
            return None;
        }
        fingerprint(&self.db, project, case.to_owned(), self.stands(project).ok()?)
    }

    /// What stands for functions in other languages; or what is wrong with what the user says about that.
    fn stands(&self, project: Project) -> Result<Stands, String> {
        let Some(program) = self.program(project) else { return Ok(Vec::new()) };
        let origin = &self.workspace.layout().projects[program.layout].origin;
        let mut known = self.once.stands.lock().unwrap_or_else(PoisonError::into_inner);
        let options = || config::options(&self.db, project, origin).map(|options| options.foreign);
        known.entry(project).or_insert_with(|| options().map_err(|why| format!("{why:#}"))).clone()
    }

    fn program(&self, project: Project) -> Option<&Program> {
        self.workspace.programs().iter().find(|program| program.project == project)
    }

    /// The tests that went wrong as they are now, each with what is known about it.
    fn bugs(&self) -> &[(Arc<Lowered>, Arc<Known>)] {
        let bug = |TestRef { project, case }: &TestRef| {
            let now = self.fingerprint(*project, case)?;
            let known = self.ledger.get(&now).filter(|known| known.outcome.verdict == Verdict::Refuted)?;
            let lowered = lowered(&self.db, *project, case.clone(), self.stands(*project).ok()?)?;
            Some((lowered, known))
        };
        self.once.bugs.get_or_init(|| self.runs.refuted.iter().filter_map(|item| bug(self.runs.tests.get(item)?)).collect())
    }

    /// What goes wrong in runs, in a file of this name.
    pub(crate) fn run_findings(&self, name: &str) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for (now, known) in self.bugs() {
            for finding in &known.findings {
                let Some(diagnostic) = diagnostic(now, finding, name) else { continue };
                // Several tests can show the same bug.
                let is_same = |other: &Diagnostic| {
                    (other.range, other.code, &other.message) == (diagnostic.range, diagnostic.code, &diagnostic.message)
                };
                if !found.iter().any(is_same) {
                    found.push(diagnostic);
                }
            }
        }
        found
    }

    /// What can be done about the findings of runs that lie in a file of this name and are `wanted`: the file to change, and how.
    pub(crate) fn run_fixes(&self, name: &str, wanted: impl Fn(&Diagnostic) -> bool) -> Vec<(Diagnostic, usize, StateFix)> {
        let mut fixes: Vec<(Diagnostic, usize, StateFix)> = Vec::new();
        for (now, known) in self.bugs() {
            // The first of them is at the state.
            let state = known.findings.first().and_then(|finding| now.place(finding.place)).map(|(file, _)| file);
            let Some(index) = state.and_then(|state| self.workspace.index_of_name(state)) else { continue };
            let Some(loaded) = self.workspace.file(index) else { continue };
            for finding in &known.findings {
                let Some(diagnostic) = diagnostic(now, finding, name).filter(|diagnostic| wanted(diagnostic)) else { continue };
                let Some(unhandled) = &finding.unhandled else { continue };
                let (machine, state, event) = (&unhandled.machine, &unhandled.state, &unhandled.event);
                for fix in lockstep_ide::p::state_fixes(&loaded.parse, machine, state, event) {
                    if !fixes.iter().any(|(_, _, known)| *known == fix) {
                        fixes.push((diagnostic.clone(), index, fix));
                    }
                }
            }
        }
        fixes
    }

    /// The tests that an item stands for: a case, or all cases of a test; with their items.
    pub(crate) fn tests_of(&self, item: &str) -> Vec<(String, TestRef)> {
        let db = &self.db;
        let mut found = Vec::new();
        for program in self.workspace.programs() {
            for case in project_tests(db, program.project) {
                let file = case.decl.file(db);
                let own = lockstep_ide::p::test_item(db, file, &case.name);
                if own == item || lockstep_ide::p::test_item(db, file, case.decl.name(db)) == item {
                    found.push((own, TestRef { project: program.project, case: case.name.clone() }));
                }
            }
        }
        // A case that goes by the name of its test is that case alone.
        if let Some(position) = found.iter().position(|(own, _)| own == item) {
            return vec![found.swap_remove(position)];
        }
        found
    }

    /// A project as text, for a job. `case` is the test it is about.
    pub(crate) fn project_text(&self, test: &TestRef) -> Result<lockstep_worker::Project, String> {
        let (db, project) = (&self.db, test.project);
        let foreign = self.stands(project)?;
        let files = project.files(db).iter().map(|member| lockstep_worker::SourceText {
            name: member.file.path(db).clone(),
            text: member.file.parse(db).text().to_string(),
            is_included: member.is_included,
        });
        Ok(lockstep_worker::Project {
            name: project.name(db).clone(),
            is_for_verifier: project.purpose(db) == lockstep_program::Purpose::Verifying,
            files: files.collect(),
            foreign: Foreign::of(&foreign),
            paths: self.path_of(db, test).into_iter().collect(),
        })
    }

    /// By which other commands find the program of a test: its project file, or the file that the test is in.
    fn path_of(&self, db: &Database, test: &TestRef) -> Option<String> {
        let program = self.program(test.project)?;
        if let Origin::Manifest { key, .. } = &self.workspace.layout().projects[program.layout].origin {
            return Some(lockstep_workspace::name(key));
        }
        let case = project_tests(db, test.project).iter().find(|case| case.name == test.case)?;
        let index = self.index_of_input(case.decl.file(db).file(db))?;
        Some(lockstep_workspace::name(&self.workspace.layout().files[index].key))
    }
}

/// A finding of a run as one of a file, if it lies there.
fn diagnostic(now: &Lowered, finding: &Finding, name: &str) -> Option<Diagnostic> {
    let (file, place) = now.place(finding.place).filter(|(file, _)| *file == name)?;
    let (code, _) = lockstep_runtime::explain::explanations().iter().find(|(code, _)| *code == finding.code)?;
    let related = finding.notes.iter().filter_map(|note| {
        let (other, place) = now.place(note.place)?;
        let path = (other != file).then(|| other.to_owned());
        Some(Related { path, range: place.range, message: note.message.clone() })
    });
    let mut diagnostic = Diagnostic::error(code, place.range, finding.message.clone()).with_help(finding.help.clone());
    diagnostic.related = related.collect();
    Some(diagnostic)
}
