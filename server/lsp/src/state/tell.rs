//! What the client is told, in order, without waiting for it.

use std::pin::Pin;
use std::sync::PoisonError;
use std::sync::mpsc::Sender;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{Notification, Progress};
use tower_lsp::ls_types::{
    ConfigurationItem, DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, NumberOrString,
    ProgressParams, ProgressParamsValue, Registration, ShowDocumentParams, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::State;
use crate::event::Event;
use crate::panics::record;
use crate::publish::FileReport;
use crate::verdicts::{Verdicts, VerdictsNotification};

type Message = Box<dyn FnOnce(Client) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// Sends messages one after another on the transport's thread.
#[derive(Clone)]
pub(crate) struct Teller {
    messages: UnboundedSender<Message>,
    runtime: tokio::runtime::Handle,
    client: Client,
    /// Ends the progress of loading.
    progress: std::sync::Arc<tokio::sync::Notify>,
}

impl Teller {
    pub(super) fn new(client: Client) -> Self {
        let (messages, mut inbox) = tokio::sync::mpsc::unbounded_channel::<Message>();
        let runtime = tokio::runtime::Handle::current();
        let out = client.clone();
        runtime.spawn(async move {
            while let Some(message) = inbox.recv().await {
                message(out.clone()).await;
            }
        });
        Self { messages, runtime, client, progress: std::sync::Arc::default() }
    }

    fn tell<F: Future<Output = ()> + Send + 'static>(&self, message: impl FnOnce(Client) -> F + Send + 'static) {
        // When the transport has ended, nobody listens.
        let _ = self.messages.send(Box::new(move |client| Box::pin(message(client))));
    }

    pub(crate) fn warn(&self, message: String) {
        self.say(MessageType::WARNING, message);
    }

    pub(super) fn say(&self, kind: MessageType, message: String) {
        self.tell(move |client| async move { client.show_message(kind, message).await });
    }

    /// Has the client open a file; what it says to that does not matter.
    pub(super) fn open(&self, uri: Uri) {
        let client = self.client.clone();
        let params = ShowDocumentParams { uri, external: Some(false), take_focus: Some(true), selection: None };
        self.runtime.spawn(async move { client.show_document(params).await });
    }

    /// A panic of ours, told the first time it happens.
    pub(crate) fn mistake(&self, during: &str, panic: &str) {
        if record(during, panic) {
            self.warn(format!("Lockstep made a mistake ({during}): {panic}. Everything else goes on."));
        }
    }

    pub(crate) fn log(&self, message: String) {
        self.tell(move |client| async move { client.log_message(MessageType::LOG, message).await });
    }

    fn notify<N: Notification>(&self, params: N::Params)
    where
        N::Params: Send + 'static,
    {
        self.tell(move |client| async move { client.send_notification::<N>(params).await });
    }

    pub(super) fn register_watchers(&self) {
        let watchers = ["**/*.p", "**/*.icet", "**/*.pproj", "**/lockstep.toml"]
            .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "lockstep-files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let client = self.client.clone();
        // The answer comes through the transport: nothing may wait for it there.
        self.runtime.spawn(async move { client.register_capability(vec![registration]).await });
    }

    pub(super) fn ask_for_settings(&self, events: Sender<Event>) {
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let item = ConfigurationItem { scope_uri: None, section: Some("lockstep".to_owned()) };
            if let Ok(mut values) = client.configuration(vec![item]).await
                && let Some(value) = values.pop().filter(|value| !value.is_null())
            {
                let _ = events.send(Event::Settings(value));
            }
        });
    }

    pub(super) fn ask_to_pull(&self) {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.workspace_diagnostic_refresh().await });
    }

    pub(super) fn ask_for_lenses(&self) {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.code_lens_refresh().await });
    }

    pub(super) fn ask_for_hints(&self) {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.inlay_hint_refresh().await });
    }

    /// Shows a job that a person has asked for, until what is returned is dropped. The client may take it back.
    pub(super) fn begin_job(&self, token: String, title: String) -> UnboundedSender<Advance> {
        let (sender, mut advances) = tokio::sync::mpsc::unbounded_channel::<Advance>();
        let client = self.client.clone();
        self.runtime.spawn(async move {
            let token = NumberOrString::String(token);
            if client.create_work_done_progress(token.clone()).await.is_err() {
                return;
            }
            let tell = async |value| {
                let value = ProgressParamsValue::WorkDone(value);
                client.send_notification::<Progress>(ProgressParams { token: token.clone(), value }).await;
            };
            let cancellable = Some(true);
            tell(WorkDoneProgress::Begin(WorkDoneProgressBegin { title, cancellable, message: None, percentage: None })).await;
            while let Some(Advance { message, percent }) = advances.recv().await {
                let (message, percentage) = (Some(message), percent);
                tell(WorkDoneProgress::Report(WorkDoneProgressReport { cancellable, message, percentage })).await;
            }
            tell(WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
        });
        sender
    }

    /// Shows that projects are being read, until `end_progress`.
    pub(super) fn begin_progress(&self) {
        let (client, ended) = (self.client.clone(), self.progress.clone());
        self.runtime.spawn(async move {
            let token = NumberOrString::String("lockstep/loading".to_owned());
            if client.create_work_done_progress(token.clone()).await.is_err() {
                return;
            }
            let begin = WorkDoneProgress::Begin(WorkDoneProgressBegin {
                title: "Lockstep".to_owned(),
                message: Some("reading projects".to_owned()),
                ..WorkDoneProgressBegin::default()
            });
            let progress = |value| ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(value) };
            client.send_notification::<Progress>(progress(begin)).await;
            ended.notified().await;
            let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
            client.send_notification::<Progress>(progress(end)).await;
        });
    }
}

/// How far a job is.
pub(super) struct Advance {
    pub(super) message: String,
    pub(super) percent: Option<u32>,
}

/// How things stand, for a status bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Status {
    state: String,
    message: String,
    projects: usize,
    errors: usize,
    warnings: usize,
}

pub(crate) enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "lockstep/status";
}

pub(crate) enum TestsChanged {}

impl Notification for TestsChanged {
    type Params = serde_json::Value;
    const METHOD: &'static str = "lockstep/testsChanged";
}

impl State {
    pub(super) fn tell_findings(&mut self, generation: u64, report: FileReport) {
        if generation != self.generation() {
            return;
        }
        let FileReport { uri, version, diagnostics, errors, warnings, fingerprint } = report;
        self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(uri.clone(), fingerprint);
        self.counts.insert(uri.clone(), (errors, warnings));
        self.teller.tell(move |client| async move { client.publish_diagnostics(uri, diagnostics, version).await });
    }

    pub(super) fn tell_verdicts(&mut self, generation: u64, verdicts: Verdicts) {
        if generation != self.generation() {
            return;
        }
        let (uri, now) = (verdicts.uri.clone(), verdicts.told());
        let before = self.told_verdicts.lock().unwrap_or_else(PoisonError::into_inner).insert(uri, now);
        self.are_lenses_due |= before.is_some_and(|before| before.meaning != now.meaning);
        self.teller.notify::<VerdictsNotification>(verdicts);
    }

    pub(super) fn all_checked(&mut self, generation: u64, tests: u64, hints: u64) {
        if generation != self.generation() {
            return;
        }
        if std::mem::take(&mut self.may_have_gone) {
            self.forget_gone_files();
        }
        if std::mem::replace(&mut self.tests, tests) != tests {
            self.teller.notify::<TestsChanged>(serde_json::json!({}));
        }
        if std::mem::take(&mut self.are_lenses_due) && self.support.refreshes_lenses {
            self.teller.ask_for_lenses();
        }
        self.are_hints_due |= std::mem::replace(&mut self.hints, hints) != hints;
        if std::mem::take(&mut self.are_hints_due) && self.support.refreshes_hints {
            self.teller.ask_for_hints();
        }
        let errors = self.counts.values().map(|(errors, _)| errors).sum();
        let warnings = self.counts.values().map(|(_, warnings)| warnings).sum();
        let (message, projects) = (String::new(), self.workspace.programs().len());
        let status = Status { state: "ready".to_owned(), message, projects, errors, warnings };
        self.teller.notify::<StatusNotification>(status);
        self.teller.progress.notify_one();
        if std::mem::take(&mut self.is_refresh_due) && self.is_pulling && self.support.refreshes_findings {
            self.teller.ask_to_pull();
        }
        self.survey();
    }

    /// Clears what was said about files that are no longer there.
    fn forget_gone_files(&mut self) {
        let snapshot = self.snapshot();
        let layout = snapshot.workspace.layout();
        let mut present: FxHashSet<Uri> = (0..layout.files.len()).filter_map(|index| snapshot.uri(index)).collect();
        present.extend(layout.manifests.iter().filter_map(|manifest| snapshot.manifest_uri(manifest)));
        drop(snapshot);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gone: Vec<Uri> = told.keys().filter(|uri| !present.contains(uri)).cloned().collect();
        gone.sort();
        for uri in gone {
            told.remove(&uri);
            self.counts.remove(&uri);
            self.teller.tell(move |client| async move { client.publish_diagnostics(uri, Vec::new(), None).await });
        }
        let mut told = self.told_verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut gone: Vec<Uri> = told.keys().filter(|uri| !present.contains(uri)).cloned().collect();
        gone.sort();
        for uri in gone {
            told.remove(&uri);
            self.teller.notify::<VerdictsNotification>(Verdicts { uri, version: None, items: Vec::new() });
        }
    }
}
