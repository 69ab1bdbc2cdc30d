//! Looking through all tests: what is known about them from earlier, and which of them an edit has changed.
//!
//! Done on the pool, when projects have been read and when something is saved. Never between: making all tests runnable takes time.
//!
//! Invariant: a fingerprint is taken note of only if it is that of a text which nobody has edited, or if the test was handed on to be
//! looked at with it. So an edit that comes before the first look is not taken for what was there before: a save rather searches a test
//! too many than one too few.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lockstep_base::verdict::{Check, Outcome};
use lockstep_program::{project_errors, project_tests};
use lockstep_workspace::{Origin, Program};

use super::State;
use crate::event::Event;
use crate::panics::{End, contained};
use crate::runs::TestRef;
use crate::snapshot::Snapshot;

/// How many tests are looked at.
const MOST: usize = 2_000;
/// How many runs that went wrong before are tried again for a test.
const MOST_TRACES: usize = 2;

/// Why tests are looked through. What was read comes first: without it nobody knows what a save has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    Read,
    Saved,
}

/// When tests are looked through, and how they were then.
#[derive(Default)]
pub(super) struct Surveyor {
    due: BTreeSet<Reason>,
    is_running: bool,
    /// The fingerprints of tests when they were last taken note of.
    seen: BTreeMap<String, String>,
    /// Files whose text was at some time another than that on disk.
    edited: BTreeSet<PathBuf>,
}

impl Surveyor {
    /// The client has another text of this file than the disk.
    pub(super) fn edited(&mut self, key: &Path) {
        if !self.edited.contains(key) {
            self.edited.insert(key.to_owned());
        }
    }

    pub(super) fn want(&mut self, reason: Reason) {
        self.due.insert(reason);
    }
}

/// What was seen.
pub(crate) struct Survey {
    reason: Reason,
    seen: BTreeMap<String, String>,
    /// Tests with results from earlier.
    known: Vec<(String, TestRef, Outcome)>,
    affected: Vec<Affected>,
}

/// Tests of one project that do something else than before.
pub(crate) struct Affected {
    pub(super) project: lockstep_worker::Project,
    /// With item, fingerprint and runs that went wrong before.
    pub(super) tests: Vec<(String, TestRef, String, Vec<String>)>,
}

impl State {
    /// Everything has been checked: tests are looked through, if that is due.
    pub(super) fn survey(&mut self) {
        if self.surveyor.is_running {
            return;
        }
        let Some(reason) = self.surveyor.due.pop_first() else { return };
        if reason == Reason::Saved && !self.settings.on_save.search {
            return;
        }
        self.surveyor.is_running = true;
        let (snapshot, seen, edited) = (self.snapshot(), self.surveyor.seen.clone(), self.surveyor.edited.clone());
        let (events, teller) = (self.events.clone(), self.teller.clone());
        self.background.spawn(move || {
            let survey = match contained(|| survey(&snapshot, reason, &seen, &edited)) {
                End::Done(survey) => Ok(survey),
                End::Stale | End::Cancelled => Err(Some(reason)),
                End::Panicked(panic) => {
                    teller.mistake("looking through tests", &panic);
                    Err(None)
                }
            };
            drop(snapshot);
            let _ = events.send(Event::Surveyed(Box::new(survey)));
        });
    }

    /// What was seen; or why it is to be looked again, if something has changed meanwhile.
    pub(super) fn surveyed(&mut self, survey: Result<Survey, Option<Reason>>) {
        self.surveyor.is_running = false;
        let Survey { reason, seen, known, affected } = match survey {
            Ok(survey) => survey,
            Err(again) => {
                again.into_iter().for_each(|reason| self.surveyor.want(reason));
                return;
            }
        };
        for (item, fingerprint) in seen {
            match reason {
                Reason::Saved => drop(self.surveyor.seen.insert(item, fingerprint)),
                // What was there before is compared with what it was when it was saved.
                Reason::Read => drop(self.surveyor.seen.entry(item).or_insert(fingerprint)),
            }
        }
        self.tell_complaints();
        let has_news = !known.is_empty();
        for (item, test, outcome) in known {
            let runs = Arc::make_mut(&mut self.runs);
            runs.note(&item, &outcome);
            runs.tests.insert(item.clone(), test);
            Arc::make_mut(&mut self.results).set(item, Check::Exploration, outcome);
        }
        if has_news {
            self.change_of_runs();
        }
        if !affected.is_empty() {
            self.glance_at(affected);
        }
        if !self.surveyor.due.is_empty() && !self.is_dirty {
            self.survey();
        }
    }
}

/// Whether a program is as it was read: only then what its tests do is what they did before anything was edited.
fn is_as_read(snapshot: &Snapshot, program: &Program, edited: &BTreeSet<PathBuf>) -> bool {
    let layout = snapshot.workspace.layout();
    let members = program.project.files(&snapshot.db).iter().filter_map(|member| snapshot.index_of_input(member.file));
    let manifest = match &layout.projects[program.layout].origin {
        Origin::Manifest { key, .. } => Some(key),
        _ => None,
    };
    !members.map(|index| &layout.files[index].key).chain(manifest).any(|key| edited.contains(key))
}

fn survey(snapshot: &Snapshot, reason: Reason, before: &BTreeMap<String, String>, edited: &BTreeSet<PathBuf>) -> Survey {
    let mut looked_at = 0;
    let mut survey = Survey { reason, seen: BTreeMap::new(), known: Vec::new(), affected: Vec::new() };
    let db = &snapshot.db;
    for program in snapshot.workspace.programs().iter().filter(|program| project_errors(db, program.project) == 0) {
        let is_noted = reason == Reason::Saved || is_as_read(snapshot, program, edited);
        let mut tests = Vec::new();
        for case in project_tests(db, program.project) {
            if looked_at >= MOST {
                break;
            }
            let item = lockstep_ide::p::test_item(db, case.decl.file(db), &case.name);
            let Some(fingerprint) = snapshot.fingerprint(program.project, &case.name) else { continue };
            looked_at += 1;
            if is_noted {
                survey.seen.insert(item.clone(), fingerprint.clone());
            }
            let test = TestRef { project: program.project, case: case.name.clone() };
            let has_changed = before.get(&item) != Some(&fingerprint);
            match snapshot.ledger.get(&fingerprint) {
                Some(known) if snapshot.results.get(&item, Check::Exploration).is_none() => {
                    survey.known.push((item, test, known.outcome.clone()));
                }
                None if has_changed && reason == Reason::Saved => {
                    let mut traces = snapshot.ledger.traces_of(&item);
                    traces.truncate(MOST_TRACES);
                    tests.push((item, test, fingerprint, traces));
                }
                _ => {}
            }
        }
        // What the user says wrongly about functions in other languages is told when a test is run.
        let first = tests.first().and_then(|(_, test, ..)| snapshot.project_text(test).ok());
        survey.affected.extend(first.map(|project| Affected { project, tests }));
    }
    survey
}
