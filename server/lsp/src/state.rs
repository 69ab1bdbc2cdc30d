//! The thread that owns everything that changes. It applies what it is told in the order in which it is told, never waits for the
//! client, and does no analysis itself.

mod analyse;
mod announce;
mod files;
mod jobs;
mod requests;
mod survey;
mod tell;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lockstep_base::Encoding;
use lockstep_base::verdict::Results;
use lockstep_program::Database;
use lockstep_worker::{Cache, Ledger};
use lockstep_workspace::Workspace;
use rustc_hash::FxHashMap;
use salsa::Database as _;
use tower_lsp::Client;
use tower_lsp::ls_types::{InitializeParams, InitializeResult, Uri};

use crate::capabilities::{self, ClientSupport};
use crate::documents::Documents;
use crate::event::{Event, Request};
use crate::icet::Analyses;
use crate::runs::Runs;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::stats::Stats;
use crate::verdicts::Told;
use crate::watch::Watch;

use self::analyse::Analyst;
use self::jobs::Jobs;
pub(crate) use self::jobs::News;
use self::survey::Surveyor;
pub(crate) use self::survey::{Reason, Survey};
use self::tell::Teller;

/// Deep programs need deep stacks.
const STACK: usize = 16 * 1024 * 1024;
/// How long to wait for more changes on disk before looking at all of it: a checkout changes many files at once.
const SETTLE: Duration = Duration::from_millis(75);

/// One program is analysed at a time; the other threads are for those that were given up and have not stopped yet.
const ANALYSES: usize = 4;

pub(crate) fn start(client: Client, version: &'static str) -> Sender<Event> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut state = State::new(client, version, sender.clone());
    let thread = std::thread::Builder::new().name("lockstep state".to_owned()).stack_size(STACK);
    thread.spawn(move || state.run(&receiver)).expect("a thread can be started");
    sender
}

fn pool(name: &'static str) -> rayon::ThreadPool {
    pool_of(std::thread::available_parallelism().map_or(2, |count| count.get().max(2)), name)
}

fn pool_of(threads: usize, name: &'static str) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    pool.thread_name(move |n| format!("lockstep {name} {n}")).build().expect("threads can be started")
}

pub(super) struct State {
    db: Database,
    workspace: Arc<Workspace>,
    documents: Documents,
    settings: Arc<Settings>,
    /// Whether the client asks for findings of its documents itself. Settled when it comes.
    is_pulling: bool,
    /// Whether it has commands for what lenses do.
    has_own_commands: bool,
    encoding: Encoding,
    folders: Vec<PathBuf>,
    support: ClientSupport,
    watch: Option<Watch>,
    /// Grows with every change; what was found before the last one is not told. Checks look at it from outside.
    generation: Arc<AtomicU64>,
    /// Whether something has changed since the last check was started.
    is_dirty: bool,
    /// Grows with every look at the disk.
    layout_generation: u64,
    /// The last look whose result has come.
    layout_applied: u64,
    /// When to look at the disk again.
    layout_due: Option<Instant>,
    /// Whether the disk has been looked at since the client came.
    is_loaded: bool,
    /// Requests from before that, or about documents that are only being placed.
    waiting: Vec<Box<dyn Request>>,
    /// What the client was last told about each file, by fingerprint.
    told: Arc<Mutex<FxHashMap<Uri, u64>>>,
    counts: FxHashMap<Uri, (usize, usize)>,
    /// What engines have found. Whatever runs one puts its outcomes here, and `change` makes them known.
    results: Arc<Results>,
    /// The same of IceT programs, with all that was found out.
    analyses: Arc<Analyses>,
    analyst: Analyst,
    /// What was found out about tests, by what they do, and on disk too.
    ledger: Arc<Ledger>,
    runs: Arc<Runs>,
    jobs: Jobs,
    surveyor: Surveyor,
    /// What the client was last told about the records of each file.
    told_verdicts: Arc<Mutex<FxHashMap<Uri, Told>>>,
    /// Whether lenses may say something else without their documents having changed.
    are_lenses_due: bool,
    /// Whether files that the client was told about may be gone, or known by another address now.
    may_have_gone: bool,
    tests: u64,
    /// What the notes of documents depend on in others, and whether they may be others without that.
    hints: u64,
    are_hints_due: bool,
    /// Whether findings may have changed without the client having changed anything.
    is_refresh_due: bool,
    /// For requests.
    pool: rayon::ThreadPool,
    /// For what nobody waits for: checks, looks at the disk. On the same pool they would keep requests waiting.
    background: rayon::ThreadPool,
    /// For what can take long and holds nothing of the state. A pool gives its threads other work while they wait: on one with the
    /// checks, a check could wait for an analysis, and every change for that check.
    analyses_pool: rayon::ThreadPool,
    stats: Stats,
    teller: Teller,
    events: Sender<Event>,
    version: &'static str,
}

impl State {
    fn new(client: Client, version: &'static str, events: Sender<Event>) -> Self {
        Self {
            db: Database::default(),
            workspace: Arc::default(),
            documents: Documents::default(),
            settings: Arc::default(),
            is_pulling: false,
            has_own_commands: false,
            encoding: Encoding::Utf16,
            folders: Vec::new(),
            support: ClientSupport::default(),
            watch: None,
            generation: Arc::default(),
            is_dirty: false,
            layout_generation: 0,
            layout_applied: 0,
            layout_due: None,
            is_loaded: false,
            waiting: Vec::new(),
            told: Arc::default(),
            counts: FxHashMap::default(),
            results: Arc::default(),
            analyses: Arc::default(),
            analyst: Analyst::default(),
            ledger: Arc::new(Ledger::new(Cache::of_user())),
            runs: Arc::default(),
            jobs: Jobs::default(),
            surveyor: Surveyor::default(),
            told_verdicts: Arc::default(),
            are_lenses_due: false,
            may_have_gone: false,
            tests: 0,
            hints: 0,
            are_hints_due: false,
            is_refresh_due: false,
            pool: pool("request"),
            background: pool("check"),
            analyses_pool: pool_of(ANALYSES, "analysis"),
            stats: Stats::default(),
            teller: Teller::new(client),
            events,
            version,
        }
    }

    fn run(&mut self, events: &Receiver<Event>) {
        loop {
            let event = match self.layout_due.into_iter().chain(self.analyst.due()).min() {
                None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => events.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(event) => {
                    if self.handle(event).is_break() {
                        return;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Everything the client has said by now counts before anything is checked.
            while let Ok(event) = events.try_recv() {
                if self.handle(event).is_break() {
                    return;
                }
            }
            if self.layout_due.is_some_and(|due| due <= Instant::now()) {
                self.look_at_disk();
            }
            if self.is_dirty && self.is_loaded {
                self.check();
            }
            if self.analyst.due().is_some_and(|due| due <= Instant::now()) {
                self.analyse_next();
            }
        }
    }

    /// Breaks when the client leaves.
    fn handle(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Initialize(params, reply) => {
                let _ = reply.send(self.initialize(*params));
            }
            Event::Initialized => self.initialized(),
            Event::Opened(params) => self.opened(params),
            Event::Changed(params) => self.changed(params),
            Event::Saved => {
                self.analyst.saved();
                self.surveyor.want(Reason::Saved);
                // Tests are looked through when everything has been checked, which may be so already.
                self.is_dirty = true;
            }
            Event::Closed(params) => self.closed(&params.text_document.uri),
            Event::Files(changes) => self.files_changed(&changes),
            Event::Folders(change) => self.folders_changed(&change),
            Event::Settings(value) => self.set_settings(&value),
            Event::Request(request) | Event::Again(request) => self.start_request(request),
            Event::Layout { generation, layout } => self.set_layout(generation, layout),
            Event::Checked { generation, report } => self.tell_findings(generation, report),
            Event::Verdicts { generation, verdicts } => self.tell_verdicts(generation, verdicts),
            Event::Unknown { generation, programs } => self.analyse_soon(generation, programs),
            Event::Analysed { program, analysis, cancel } => self.analysed(program, analysis, &cancel),
            Event::AllChecked { generation, tests, hints } => self.all_checked(generation, tests, hints),
            Event::Run(tests) => self.run_tests(tests, None),
            Event::RunAndTell(tests) => self.run_and_tell(tests),
            Event::Open(page) => self.open_page(page),
            Event::CancelRuns(items, reply) => {
                let _ = reply.send(self.cancel_runs(items.as_deref()));
            }
            Event::CancelProgress(token) => self.cancel_progress(&token),
            Event::Job(news) => self.job_news(news),
            Event::Surveyed(survey) => self.surveyed(*survey),
            Event::Stop(reply) => {
                self.analyst.stop();
                self.jobs.stop();
                self.stats.save();
                let _ = reply.send(());
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn initialize(&mut self, params: InitializeParams) -> InitializeResult {
        self.support = ClientSupport::of(&params.capabilities);
        self.encoding = self.support.encoding;
        if let Some(options) = &params.initialization_options {
            self.set_settings(options);
            self.is_pulling = self.settings.diagnostics.is_pull();
            let section = options.get("lockstep").unwrap_or(options);
            self.has_own_commands = section.get("ownCommands").and_then(serde_json::Value::as_bool) == Some(true);
        }
        #[allow(deprecated)]
        let root = params.root_uri.iter().filter_map(crate::convert::path);
        let folders = params.workspace_folders.iter().flatten();
        self.folders = folders.filter_map(|folder| crate::convert::path(&folder.uri)).collect();
        if self.folders.is_empty() {
            self.folders = root.collect();
        }
        capabilities::server(self.version, self.encoding, &self.settings, self.has_own_commands)
    }

    fn initialized(&mut self) {
        if self.support.watches_files {
            self.teller.register_watchers();
        } else {
            self.watch = Watch::new(self.events.clone()).ok();
            for folder in &self.folders {
                self.watch.iter_mut().for_each(|watch| watch.add(folder));
            }
        }
        if self.support.asks_for_settings {
            self.teller.ask_for_settings(self.events.clone());
        }
        if self.support.shows_progress {
            self.teller.begin_progress();
        }
        self.look_at_disk();
    }

    fn set_settings(&mut self, value: &serde_json::Value) {
        // Some clients only say that something has changed.
        if value.is_null() && self.support.asks_for_settings {
            return self.teller.ask_for_settings(self.events.clone());
        }
        match Settings::read(value) {
            Ok(settings) if settings == *self.settings => {}
            Ok(settings) => {
                self.settings = Arc::new(settings);
                self.are_hints_due = true;
                self.change();
            }
            Err(error) => self.teller.warn(format!("these settings cannot be read: {error}")),
        }
    }

    /// Something has changed: what runs on older snapshots ends, and everything is checked again.
    fn change(&mut self) {
        self.generation.fetch_add(1, Ordering::Release);
        self.is_dirty = true;
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The workspace and the database, for a change. Waits until nobody reads them.
    fn workspace_mut(&mut self) -> (&mut Workspace, &mut Database) {
        self.change();
        self.db.trigger_cancellation();
        let workspace = Arc::get_mut(&mut self.workspace).expect("snapshots drop the workspace before their database");
        (workspace, &mut self.db)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            workspace: self.workspace.clone(),
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            is_pulling: self.is_pulling,
            has_own_commands: self.has_own_commands,
            encoding: self.encoding,
            expands_snippets: self.support.expands_snippets,
            stats: self.stats.clone(),
            results: self.results.clone(),
            analyses: self.analyses.clone(),
            runs: self.runs.clone(),
            ledger: self.ledger.clone(),
            once: Arc::default(),
            asked_about: None,
            db: self.db.clone(),
        }
    }
}
