//! Requests and checks on the pool.

use std::sync::PoisonError;
use std::sync::mpsc::Sender;
use std::time::Instant;

use rayon::prelude::*;
use salsa::Database as _;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use super::State;
use crate::convert;
use crate::event::{Event, Request};
use crate::handlers;
use crate::panics::{End, contained, record};
use crate::publish::{FileReport, file_report, fingerprint_of, report};
use crate::snapshot::Snapshot;

impl State {
    /// Starts a request on the state as it is now.
    pub(super) fn start_request(&mut self, mut request: Box<dyn Request>) {
        if request.cancel().is_cancelled() {
            return request.fail(Error::request_cancelled());
        }
        if !self.is_loaded {
            return self.waiting.push(request);
        }
        let version = request.document().and_then(|uri| self.documents.get(&convert::key(uri))).map(|document| document.version);
        match *request.version() {
            Some(before) if Some(before) != version => return request.fail(content_modified()),
            _ => *request.version() = version,
        }
        let (snapshot, events, teller) = (self.snapshot(), self.events.clone(), self.teller.clone());
        self.pool.spawn(move || {
            let started = Instant::now();
            request.cancel().started(snapshot.db.cancellation_token());
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
                    if record(request.method(), &panic) {
                        teller.warn(format!("Lockstep made a mistake ({}): {panic}. Everything else goes on.", request.method()));
                    }
                }
            }
        });
    }

    /// Checks everything on the pool: open documents first.
    pub(super) fn check(&mut self) {
        self.is_dirty = false;
        let check = Check { generation: self.generation, told: self.told.clone(), events: self.events.clone() };
        let (snapshot, teller) = (self.snapshot(), self.teller.clone());
        self.pool.spawn(move || {
            if let End::Panicked(panic) = contained(|| check.run(snapshot))
                && record("check", &panic)
            {
                teller.warn(format!("Lockstep made a mistake while checking: {panic}. Everything else goes on."));
            }
        });
    }
}

fn content_modified() -> Error {
    Error { code: ErrorCode::ContentModified, message: "the document has changed meanwhile".into(), data: None }
}

struct Check {
    generation: u64,
    told: std::sync::Arc<std::sync::Mutex<rustc_hash::FxHashMap<tower_lsp::ls_types::Uri, u64>>>,
    events: Sender<Event>,
}

impl Check {
    fn run(&self, snapshot: Snapshot) {
        let files = &snapshot.workspace.layout().files;
        let is_asked = |index: &usize| files[*index].is_asked;
        let (open, closed): (Vec<usize>, Vec<usize>) =
            (0..files.len()).filter(is_asked).partition(|index| snapshot.documents.get(&files[*index].key).is_some());
        for index in open {
            self.tell(file_report(&snapshot, index));
        }
        for manifest in &snapshot.workspace.layout().manifests {
            let uri = convert::uri(&lockstep_workspace::file_key(manifest.source.name.as_ref()));
            let found = uri.map(|uri| report(&snapshot, uri, None, &manifest.source.text, &manifest.diagnostics));
            self.tell(found);
        }
        closed.par_iter().for_each_with(snapshot.clone(), |snapshot, index| self.tell(file_report(snapshot, *index)));
        let tests = handlers::tests(&snapshot).map(|tests| fingerprint_of(&tests)).unwrap_or(0);
        drop(snapshot);
        let _ = self.events.send(Event::AllChecked { generation: self.generation, tests });
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
