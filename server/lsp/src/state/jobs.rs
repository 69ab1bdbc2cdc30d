//! Tests that are run: what a person asks for at once, and what a save affects in passing.
//!
//! The work is done by `lockstep-worker`; here is only which task is about which test, and what is told of it. Invariant: a test is
//! shown as queued or running exactly as long as a task that a person has asked for is under way, and every task ends.

use std::collections::{BTreeMap, HashMap};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use lockstep_base::verdict::{Check, Outcome, Phase, Verdict};
use lockstep_worker::{End, Job, Known, Lane, Ledger, Task, Update, Work, Workers};
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::ls_types::NumberOrString;

use super::State;
use super::announce::Announcements;
use super::survey::Affected;
use super::tell::Advance;
use crate::event::Event;
use crate::handlers::{Mode, Prepared};

/// Memory for what is looked at in passing.
const PASSING_MEGABYTES: u64 = 512;
/// How long random schedules may take.
const RUN_SECONDS: u64 = 60;
/// What the tokens of progress begin with.
const TOKEN: &str = "lockstep/job/";

/// What has become of a task.
pub(crate) enum News {
    Started(u64),
    Progress(u64, lockstep_worker::Progress),
    /// With what is known about the test now, which can be more than this task has found out.
    Known(u64, Arc<Known>),
    Cancelled(u64),
    Failed(u64, String),
}

#[derive(Default)]
pub(super) struct Jobs {
    /// There from the first task on.
    workers: Option<Workers>,
    tasks: BTreeMap<u64, Doing>,
    last: u64,
    /// The tests of tasks, for the thread that hears of their ends.
    items: Arc<Mutex<HashMap<u64, String>>>,
    pub(super) announcements: Announcements,
}

/// A task under way.
struct Doing {
    item: String,
    lane: Lane,
    fingerprint: String,
    /// What its progress is called, if it is to be shown.
    title: Option<String>,
    /// Where that is, once it has begun.
    progress: Option<UnboundedSender<Advance>>,
    is_cancelled: bool,
    /// The announcement it is part of, if it is to be told by a message.
    announcement: Option<u64>,
}

impl Doing {
    fn new(item: String, lane: Lane, fingerprint: String) -> Self {
        Self { item, lane, fingerprint, title: None, progress: None, is_cancelled: false, announcement: None }
    }
}

impl Jobs {
    fn next(&mut self, doing: Doing) -> u64 {
        self.last += 1;
        self.items.lock().unwrap_or_else(PoisonError::into_inner).insert(self.last, doing.item.clone());
        self.tasks.insert(self.last, doing);
        self.last
    }

    fn remove(&mut self, task: u64) -> Option<Doing> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner).remove(&task);
        self.tasks.remove(&task)
    }

    fn of_item(&self, item: &str, lane: Lane) -> Vec<u64> {
        let is_it = |(_, doing): &(&u64, &Doing)| doing.item == item && doing.lane == lane && !doing.is_cancelled;
        self.tasks.iter().filter(is_it).map(|(task, _)| *task).collect()
    }

    pub(super) fn stop(&mut self) {
        self.workers = None;
    }
}

/// How many processors a search may use: one is for the editor.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).max(1))
}

fn child() -> Command {
    // If we cannot tell who we are, the path may know.
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "lockstep".into()));
    command.arg("worker");
    command
}

impl State {
    fn add(&mut self, lane: Lane, job: Job) {
        let (events, ledger, items) = (self.events.clone(), self.ledger.clone(), self.jobs.items.clone());
        let start = || Workers::start(child, move |update| drop(events.send(Event::Job(news(update, &ledger, &items)))));
        self.jobs.workers.get_or_insert_with(start).add(lane, job);
    }

    /// A person wants tests to be run; with the announcement that is to be made of them.
    pub(super) fn run_tests(&mut self, tests: Vec<Prepared>, announcement: Option<u64>) {
        for Prepared { item, test, mode, fingerprint, project } in tests {
            // The later wish counts.
            self.jobs.of_item(&item, Lane::Asked).into_iter().for_each(|task| self.cancel_task(task));
            let settings = &self.settings;
            let work = match mode {
                Mode::Run => Work::Run { schedules: settings.run.schedules.max(1), seconds: RUN_SECONDS },
                Mode::Explore => Work::Explore { seconds: settings.explore.seconds.max(1) },
            };
            let memory_megabytes = settings.explore.memory_megabytes.max(16);
            let title = match mode {
                Mode::Run => format!("Running {}", test.case),
                Mode::Explore => format!("Exploring {}", test.case),
            };
            let case = test.case.clone();
            let title = Some(title).filter(|_| self.support.shows_progress);
            let id = self.jobs.next(Doing { title, announcement, ..Doing::new(item.clone(), Lane::Asked, fingerprint) });
            let runs = Arc::make_mut(&mut self.runs);
            runs.phases.insert(item.clone(), Phase::Queued);
            runs.tests.insert(item, test);
            let tasks = vec![Task { id, test: case, work }];
            let job = Job { project: (*project).clone(), tasks, memory_megabytes, milliseconds: 0, threads: threads() };
            self.add(Lane::Asked, job);
        }
        self.change_of_runs();
    }

    /// A save has changed what these tests do.
    pub(super) fn glance_at(&mut self, affected: Vec<Affected>) {
        // What another save has begun goes on for tests that are as they were: nothing would take it up again.
        let items = affected.iter().flat_map(|affected| &affected.tests).map(|(item, ..)| item);
        let overtaken: Vec<u64> = items.flat_map(|item| self.jobs.of_item(item, Lane::Passing)).collect();
        overtaken.into_iter().for_each(|task| self.cancel_task(task));
        let total: usize = affected.iter().map(|affected| affected.tests.len()).sum();
        for Affected { project, tests } in affected {
            let share = self.settings.on_save.milliseconds * tests.len() as u64 / total.max(1) as u64;
            let mut tasks = Vec::new();
            for (item, test, fingerprint, traces) in tests {
                let case = test.case.clone();
                let id = self.jobs.next(Doing::new(item.clone(), Lane::Passing, fingerprint));
                tasks.push(Task { id, test: case, work: Work::Glance { traces } });
                Arc::make_mut(&mut self.runs).tests.insert(item, test);
            }
            let memory_megabytes = self.settings.explore.memory_megabytes.clamp(16, PASSING_MEGABYTES);
            self.add(Lane::Passing, Job { project, tasks, memory_megabytes, milliseconds: share, threads: threads() });
        }
    }

    pub(super) fn job_news(&mut self, news: News) {
        match news {
            News::Started(task) => {
                let Some(doing) = self.jobs.tasks.get_mut(&task).filter(|doing| doing.lane == Lane::Asked) else { return };
                // From now on only: a test can have many cases, which wait for each other.
                let title = doing.title.take();
                doing.progress = title.map(|title| self.teller.begin_job(format!("{TOKEN}{task}"), title));
                let item = doing.item.clone();
                Arc::make_mut(&mut self.runs).phases.insert(item, Phase::Running);
                self.change_of_runs();
            }
            News::Progress(task, progress) => {
                if let Some(shown) = self.jobs.tasks.get(&task).and_then(|doing| doing.progress.as_ref()) {
                    let _ = shown.send(Advance { message: progress.words(), percent: progress.percent() });
                }
            }
            News::Known(task, known) => self.task_ended(task, |_| Some(known.outcome.clone())),
            News::Cancelled(task) => self.task_ended(task, |doing| Some(unknown(doing, "cancelled".to_owned()))),
            News::Failed(task, why) => self.task_ended(task, |doing| Some(unknown(doing, why))),
        }
    }

    fn task_ended(&mut self, task: u64, outcome: impl FnOnce(&Doing) -> Option<Outcome>) {
        let Some(doing) = self.jobs.remove(task) else { return };
        let outcome = outcome(&doing);
        self.announce(doing.announcement, &doing.item, outcome.as_ref());
        let is_superseded = !self.jobs.of_item(&doing.item, Lane::Asked).is_empty();
        if doing.lane == Lane::Asked && !is_superseded {
            Arc::make_mut(&mut self.runs).phases.remove(&doing.item);
        }
        // That nothing was found out is no reason to forget what was.
        let has_result = self.results.get(&doing.item, Check::Exploration).is_some();
        let is_given_up = doing.is_cancelled && outcome.as_ref().is_none_or(|outcome| outcome.verdict == Verdict::Unknown);
        let is_of_no_use = has_result || is_superseded || doing.lane == Lane::Passing;
        if let Some(outcome) = outcome.filter(|_| !(is_given_up && is_of_no_use)) {
            Arc::make_mut(&mut self.runs).note(&doing.item, &outcome);
            Arc::make_mut(&mut self.results).set(doing.item, Check::Exploration, outcome);
        }
        self.change_of_runs();
    }

    /// Takes runs back, those of these tests or all, and says how many.
    pub(super) fn cancel_runs(&mut self, items: Option<&[String]>) -> usize {
        let is_meant = |doing: &Doing| items.is_none_or(|items| items.contains(&doing.item));
        let tasks = self.jobs.tasks.iter().filter(|(_, doing)| !doing.is_cancelled && is_meant(doing));
        let tasks: Vec<(u64, Lane)> = tasks.map(|(task, doing)| (*task, doing.lane)).collect();
        tasks.iter().for_each(|(task, _)| self.cancel_task(*task));
        tasks.iter().filter(|(_, lane)| *lane == Lane::Asked).count()
    }

    /// The client takes back what it shows the progress of.
    pub(super) fn cancel_progress(&mut self, token: &NumberOrString) {
        let NumberOrString::String(token) = token else { return };
        if let Some(task) = token.strip_prefix(TOKEN).and_then(|number| number.parse().ok()) {
            self.cancel_task(task);
        }
    }

    fn cancel_task(&mut self, task: u64) {
        let Some(doing) = self.jobs.tasks.get_mut(&task) else { return };
        doing.is_cancelled = true;
        if let Some(workers) = &self.jobs.workers {
            workers.cancel(task);
        }
    }

    /// What is said about tests may be something else now.
    pub(super) fn change_of_runs(&mut self) {
        self.tell_complaints();
        self.is_refresh_due = true;
        self.change();
    }

    /// What is wrong with what is kept on disk.
    pub(super) fn tell_complaints(&self) {
        self.ledger.complaints().into_iter().for_each(|complaint| self.teller.warn(complaint));
    }
}

fn unknown(doing: &Doing, why: String) -> Outcome {
    let fingerprint = Some(doing.fingerprint.clone());
    Outcome { verdict: Verdict::Unknown, fingerprint, ..Outcome::not_run(why) }
}

/// Runs on the thread of the jobs: results are written to disk there.
fn news(update: Update, ledger: &Ledger, items: &Mutex<HashMap<u64, String>>) -> News {
    match update {
        Update::Started(task) => News::Started(task),
        Update::Progress(task, progress) => News::Progress(task, progress),
        Update::Ended(task, End::Cancelled) => News::Cancelled(task),
        Update::Ended(task, End::Failed(why)) => News::Failed(task, why),
        Update::Ended(task, End::Finished(finished)) if finished.fingerprint.is_empty() => {
            News::Failed(task, finished.outcome.why)
        }
        Update::Ended(task, End::Finished(finished)) => {
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).get(&task).cloned().unwrap_or_default();
            News::Known(task, ledger.put(&item, *finished))
        }
    }
}
