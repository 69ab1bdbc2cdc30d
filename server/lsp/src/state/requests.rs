//! Requests and checks on the pool.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use lockstep_workspace::file_key;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use salsa::Database as _;
use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::Uri;

use super::State;
use super::tell::Teller;
use crate::event::{AskedAbout, Event, Request};
use crate::handlers;
use crate::panics::{End, contained, said};
use crate::publish::{FileReport, file_report, fingerprint_of, report};
use crate::snapshot::Snapshot;
use crate::verdicts::{Told, file_verdicts};

impl State {
    /// Starts a request on the state as it is now.
    pub(super) fn start_request(&mut self, mut request: Box<dyn Request>) {
        if request.cancel().is_cancelled() {
            return request.fail(Error::request_cancelled());
        }
        let document = request.document().map(|uri| self.documents.key(uri));
        let open = document.as_ref().and_then(|key| self.documents.get(key));
        let now = open.map(|document| AskedAbout { edition: document.edition, text: document.text().clone() });
        let mut asked_about = None;
        match request.asked_about().clone() {
            None => *request.asked_about() = now,
            Some(before) if now.is_some_and(|now| now.edition == before.edition) => {}
            Some(before) => {
                let drift = open.filter(|_| request.follows_typing()).and_then(|document| document.drift_since(before.edition));
                let Some(drift) = drift else { return request.fail(content_modified()) };
                asked_about = Some((before.text, drift));
            }
        }
        // What was opened just now is known when it has been found out where it belongs.
        let is_placed = |key: &PathBuf| open.is_none() || self.has_its_text(key) || !self.is_looking();
        if !self.is_loaded || !document.as_ref().is_none_or(is_placed) {
            return self.waiting.push(request);
        }
        let (events, teller) = (self.events.clone(), self.teller.clone());
        let snapshot = Snapshot { asked_about, ..self.snapshot() };
        self.pool.spawn(move || {
            let started = Instant::now();
            request.cancel().started(snapshot.db.cancellation_token());
            if request.cancel().is_cancelled() {
                drop(snapshot);
                return request.fail(Error::request_cancelled());
            }
            let stats = snapshot.stats.clone();
            let end = contained(|| request.answer(&snapshot));
            // Whoever waits to change the state waits for this.
            drop(snapshot);
            stats.add(request.method(), started.elapsed(), matches!(end, End::Panicked(_)));
            match end {
                End::Done(()) => {}
                End::Stale => drop(events.send(Event::Again(request))),
                End::Cancelled => request.fail(Error::request_cancelled()),
                End::Panicked(panic) => {
                    request.fail(Error { message: format!("a mistake in Lockstep: {panic}").into(), ..Error::internal_error() });
                    teller.mistake(request.method(), &panic);
                }
            }
        });
    }

    /// Checks everything on the pool: open documents first.
    pub(super) fn check(&mut self) {
        self.is_dirty = false;
        let check = Check {
            generation: self.generation(),
            latest: self.generation.clone(),
            told: self.told.clone(),
            told_verdicts: self.told_verdicts.clone(),
            events: self.events.clone(),
            teller: self.teller.clone(),
        };
        let snapshot = self.snapshot();
        self.background.spawn(move || {
            if let End::Panicked(panic) = contained(|| check.run(snapshot)) {
                check.teller.mistake("checking", &panic);
            }
        });
    }
}

/// A fingerprint of what open documents say that matters for the notes in others. Other files are read again when they change.
fn hint_sources(snapshot: &Snapshot, open: &[usize]) -> u64 {
    let files = open.iter().filter_map(|index| snapshot.file_at(*index)?.program);
    fingerprint_of(&files.map(|file| lockstep_ide::p::told_to_other_files(&snapshot.db, file)).collect::<Vec<_>>())
}

fn content_modified() -> Error {
    Error { code: ErrorCode::ContentModified, message: "the document has changed meanwhile".into(), data: None }
}

struct Check {
    generation: u64,
    latest: Arc<AtomicU64>,
    told: Arc<Mutex<FxHashMap<Uri, u64>>>,
    told_verdicts: Arc<Mutex<FxHashMap<Uri, Told>>>,
    events: Sender<Event>,
    teller: Teller,
}

impl Check {
    fn run(&self, snapshot: Snapshot) {
        let files = &snapshot.workspace.layout().files;
        let is_asked = |index: &usize| files[*index].is_asked;
        let (open, closed): (Vec<usize>, Vec<usize>) =
            (0..files.len()).filter(is_asked).partition(|index| snapshot.documents.get(&files[*index].key).is_some());
        for index in &open {
            self.tell_of(&snapshot, *index);
        }
        for manifest in &snapshot.workspace.layout().manifests {
            let version = snapshot.version(&file_key(manifest.source.name.as_ref()));
            let uri = snapshot.manifest_uri(manifest);
            self.tell(uri.map(|uri| report(&snapshot, uri, version, &manifest.source.text, &manifest.diagnostics)));
        }
        closed.par_iter().for_each_with(snapshot.clone(), |snapshot, index| self.tell_of(snapshot, *index));
        // What tests wait for is how many errors there are anywhere: these come last.
        for index in (0..files.len()).filter(is_asked) {
            self.tell_verdicts_of(&snapshot, index);
        }
        if self.is_stale() {
            return;
        }
        let unknown = |index: &usize| self.without_mistakes(|| snapshot.icet(*index)?.unknown()).flatten();
        let programs = open.iter().chain(&closed).filter_map(unknown).collect();
        let _ = self.events.send(Event::Unknown { generation: self.generation, programs });
        let tests = self.without_mistakes(|| handlers::tests(&snapshot)).and_then(Result::ok);
        let tests = tests.map_or(0, |tests| fingerprint_of(&tests));
        let hints = self.without_mistakes(|| hint_sources(&snapshot, &open)).unwrap_or_default();
        drop(snapshot);
        let _ = self.events.send(Event::AllChecked { generation: self.generation, tests, hints });
    }

    /// The database would end a check that is no longer wanted as well, but by unwinding the stack, which takes its time if it
    /// happens for many files.
    fn is_stale(&self) -> bool {
        self.latest.load(Ordering::Acquire) != self.generation
    }

    fn tell_of(&self, snapshot: &Snapshot, index: usize) {
        if self.is_stale() {
            return;
        }
        let Some(mut report) = self.without_mistakes(|| file_report(snapshot, index)).flatten() else { return };
        if snapshot.is_pulling && report.version.take().is_some() {
            // The client asks for these itself; what it was told while the document was closed goes.
            report.diagnostics.clear();
            report.fingerprint = fingerprint_of(&report.diagnostics);
        }
        self.tell(Some(report));
    }

    fn tell_verdicts_of(&self, snapshot: &Snapshot, index: usize) {
        if self.is_stale() {
            return;
        }
        let Some(verdicts) = self.without_mistakes(|| file_verdicts(snapshot, index)).flatten() else { return };
        let told = self.told_verdicts.lock().unwrap_or_else(PoisonError::into_inner).get(&verdicts.uri).copied();
        let is_news = told.is_some() || !verdicts.items.is_empty();
        if is_news && told != Some(verdicts.told()) {
            let _ = self.events.send(Event::Verdicts { generation: self.generation, verdicts });
        }
    }

    /// A mistake of ours in one file must not cost the findings of the others.
    fn without_mistakes<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(payload) if payload.is::<salsa::Cancelled>() => resume_unwind(payload),
            Err(_) => {
                self.teller.mistake("checking", &said());
                None
            }
        }
    }

    fn tell(&self, report: Option<FileReport>) {
        let Some(report) = report else { return };
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner).get(&report.uri).copied();
        // Of a file that was always fine there is nothing to say, unless the client has it open.
        let is_news = told.is_some() || !report.diagnostics.is_empty() || report.version.is_some();
        if is_news && told != Some(report.fingerprint) {
            let _ = self.events.send(Event::Checked { generation: self.generation, report });
        }
    }
}
