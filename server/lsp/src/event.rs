//! What the state thread is told, and requests that wait for an answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lockstep_base::Text;
use lockstep_icet::analysis::Analysis;
use lockstep_workspace::Layout;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, FileEvent, InitializeParams,
    InitializeResult, NumberOrString, Uri, WorkspaceFoldersChangeEvent,
};

use crate::handlers::{Page, Prepared};
use crate::icet::Unknown;
use crate::publish::FileReport;
use crate::snapshot::Snapshot;
use crate::state::{News, Reason, Survey};
use crate::verdicts::Verdicts;

pub(crate) enum Event {
    Initialize(Box<InitializeParams>, oneshot::Sender<InitializeResult>),
    Initialized,
    Opened(DidOpenTextDocumentParams),
    Changed(DidChangeTextDocumentParams),
    /// A document, whichever.
    Saved,
    Closed(DidCloseTextDocumentParams),
    /// The client or our own watcher saw files change.
    Files(Vec<FileEvent>),
    Folders(WorkspaceFoldersChangeEvent),
    Settings(serde_json::Value),
    Request(Box<dyn Request>),
    /// A request whose snapshot went stale while it ran.
    Again(Box<dyn Request>),
    /// The pool has looked at the disk, or failed to.
    Layout {
        generation: u64,
        layout: Option<Layout>,
    },
    /// The pool has checked a file.
    Checked {
        generation: u64,
        report: FileReport,
    },
    /// The pool has found other records for a file than the client was told.
    Verdicts {
        generation: u64,
        verdicts: Verdicts,
    },
    /// The pool has found all IceT programs that nothing is known about, those of open documents first.
    Unknown {
        generation: u64,
        programs: Vec<Unknown>,
    },
    /// What was found out about an IceT program; nothing if a mistake of ours ended it.
    Analysed {
        program: Unknown,
        analysis: Option<Arc<Analysis>>,
        /// By which it could be given up.
        cancel: Arc<AtomicBool>,
    },
    /// The pool has checked everything; with fingerprints of the list of tests and of what the notes of documents depend on in others.
    AllChecked {
        generation: u64,
        tests: u64,
        hints: u64,
    },
    /// A person wants tests to be run.
    Run(Vec<Prepared>),
    /// The same, and wants a message with what becomes of them.
    RunAndTell(Vec<Prepared>),
    /// The client is to open a file.
    Open(Page),
    /// Runs of these tests, or of all, are not wanted any more; answered with how many there were.
    CancelRuns(Option<Vec<String>>, oneshot::Sender<usize>),
    /// The client takes back what it shows the progress of.
    CancelProgress(NumberOrString),
    /// What has become of a task.
    Job(News),
    /// The pool has looked through the tests; or not, because something has changed meanwhile.
    Surveyed(Box<std::result::Result<Survey, Option<Reason>>>),
    /// The client leaves; answered when all is done that must be.
    Stop(oneshot::Sender<()>),
}

/// A document as it was when a request came.
#[derive(Clone)]
pub(crate) struct AskedAbout {
    pub(crate) edition: u64,
    pub(crate) text: Text,
}

/// A request with its answer outstanding.
pub(crate) trait Request: Send {
    fn method(&self) -> &'static str;

    /// The document it is about.
    fn document(&self) -> Option<&Uri>;

    /// That document when the request came.
    fn asked_about(&mut self) -> &mut Option<AskedAbout>;

    /// Whether it can be answered from a later text than it was asked about.
    fn follows_typing(&self) -> bool;

    /// How the client takes it back.
    fn cancel(&self) -> &Arc<Cancel>;

    /// Answers it. May unwind: then it is still unanswered.
    fn answer(&mut self, snapshot: &Snapshot);

    fn fail(&mut self, error: Error);
}

/// A request that `handler` answers.
pub(crate) struct Typed<P, R> {
    pub(crate) method: &'static str,
    pub(crate) document: Option<Uri>,
    pub(crate) asked_about: Option<AskedAbout>,
    pub(crate) follows_typing: bool,
    pub(crate) params: P,
    pub(crate) handler: fn(&Snapshot, &P) -> Result<R>,
    pub(crate) reply: Option<oneshot::Sender<Result<R>>>,
    pub(crate) cancel: Arc<Cancel>,
}

impl<P: Send, R: Send> Request for Typed<P, R> {
    fn method(&self) -> &'static str {
        self.method
    }

    fn document(&self) -> Option<&Uri> {
        self.document.as_ref()
    }

    fn asked_about(&mut self) -> &mut Option<AskedAbout> {
        &mut self.asked_about
    }

    fn follows_typing(&self) -> bool {
        self.follows_typing
    }

    fn cancel(&self) -> &Arc<Cancel> {
        &self.cancel
    }

    fn answer(&mut self, snapshot: &Snapshot) {
        let answer = (self.handler)(snapshot, &self.params);
        self.reply.take().map(|reply| reply.send(answer));
    }

    fn fail(&mut self, error: Error) {
        self.reply.take().map(|reply| reply.send(Err(error)));
    }
}

/// Whether the client has taken a request back.
#[derive(Default)]
pub(crate) struct Cancel {
    is_cancelled: AtomicBool,
    running: Mutex<Option<salsa::CancellationToken>>,
}

impl Cancel {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// From now on a cancel stops what runs on the database of `token`.
    pub(crate) fn started(&self, token: salsa::CancellationToken) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_cancelled() {
            token.cancel();
        }
        *running = Some(token);
    }

    fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        if let Some(token) = self.running.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            token.cancel();
        }
    }
}

/// Cancels when dropped: tower-lsp drops the future of a request that the client takes back.
pub(crate) struct CancelOnDrop(pub(crate) Arc<Cancel>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
