//! The parent's side: a thread that keeps the queue, starts children and hears them.
//!
//! Invariant: every task that is handed in ends exactly once (`Update::Ended`), whatever becomes of its child. One child works for what
//! people ask for and one for what is done in passing, so neither waits for the other.

use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use lockstep_base::verdict::Verdict;

use crate::job::{Finished, Job, Progress, Report, Request, Task, Work};
use crate::process::{Heard, Process};
use crate::queue::{Lane, Queue};

/// How long a child has to answer that it has given a task up, before it is killed.
const GRACE: Duration = Duration::from_millis(70);
/// How much longer than it should a child may take: reading the project, making a trace short.
const SLACK: Duration = Duration::from_secs(20);

/// What becomes of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    Started(u64),
    Progress(u64, Progress),
    Ended(u64, End),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Finished(Box<Finished>),
    /// It was taken back.
    Cancelled,
    /// Nothing was found out, and why.
    Failed(String),
}

/// Where work is handed in. Dropped, all children are killed.
pub struct Workers {
    messages: Sender<Message>,
}

enum Message {
    Add(Lane, Box<Job>),
    Cancel(u64),
    Heard(u64, Heard),
    Stop(Sender<()>),
}

impl Workers {
    /// `command` starts a child; `tell` hears what becomes of tasks, on a thread of its own.
    pub fn start(command: impl Fn() -> Command + Send + 'static, tell: impl FnMut(Update) + Send + 'static) -> Self {
        let (messages, inbox) = std::sync::mpsc::channel();
        let office = Office {
            command: Box::new(command),
            tell: Box::new(tell),
            messages: messages.clone(),
            queue: Queue::new(),
            running: Vec::new(),
            started: 0,
        };
        let thread = std::thread::Builder::new().name("lockstep jobs".to_owned());
        thread.spawn(move || office.run(&inbox)).expect("a thread can be started");
        Self { messages }
    }

    pub fn add(&self, lane: Lane, job: Job) {
        let _ = self.messages.send(Message::Add(lane, Box::new(job)));
    }

    /// Takes a task back. It ends soon, as cancelled or with a result that was just there.
    pub fn cancel(&self, task: u64) {
        let _ = self.messages.send(Message::Cancel(task));
    }

    /// Kills all children and waits until that is done. Nothing more is told.
    pub fn stop(&self) {
        let (done, is_done) = std::sync::mpsc::channel();
        if self.messages.send(Message::Stop(done)).is_ok() {
            let _ = is_done.recv_timeout(Duration::from_secs(2));
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A child at work.
struct Running {
    number: u64,
    lane: Lane,
    process: Process,
    job: Job,
    /// Tasks that have ended, by their numbers.
    ended: Vec<u64>,
    current: Option<u64>,
    cancelled: Vec<u64>,
    /// When it is killed, because it was to give a task up and has not said that it has.
    kill_at: Option<Instant>,
    /// When it is killed, because it takes much longer than it should.
    late_at: Instant,
}

impl Running {
    fn open(&self) -> impl Iterator<Item = &Task> {
        self.job.tasks.iter().filter(|task| !self.ended.contains(&task.id))
    }
}

struct Office {
    command: Box<dyn Fn() -> Command + Send>,
    tell: Box<dyn FnMut(Update) + Send>,
    messages: Sender<Message>,
    queue: Queue<Job>,
    running: Vec<Running>,
    started: u64,
}

impl Office {
    fn run(mut self, inbox: &Receiver<Message>) {
        loop {
            let due = self.running.iter().map(|running| running.kill_at.unwrap_or(running.late_at).min(running.late_at)).min();
            let message = match due {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Add(lane, job)) => self.queue.push(lane, *job),
                Ok(Message::Cancel(task)) => self.cancel(task),
                Ok(Message::Heard(number, Heard::Said(report))) => self.heard(number, report),
                Ok(Message::Heard(number, Heard::Ended)) => self.ended(number),
                Ok(Message::Stop(done)) => {
                    self.running.drain(..).for_each(|running| drop(running.process.end()));
                    let _ = done.send(());
                    return;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.kill_those_due();
            self.start_next();
        }
    }

    fn start_next(&mut self) {
        while let Some((lane, job)) = self.queue.next(|lane| self.running.iter().all(|running| running.lane != lane)) {
            self.started += 1;
            let (number, messages) = (self.started, self.messages.clone());
            let hear = move |heard| drop(messages.send(Message::Heard(number, heard)));
            let time: Duration = job.tasks.iter().map(|task| time_of(&task.work)).sum();
            let late_at = Instant::now() + time + Duration::from_millis(job.milliseconds) + SLACK;
            match Process::start((self.command)(), &Request::Job(job.clone()), hear) {
                Ok(process) => {
                    let (ended, current, cancelled, kill_at) = (Vec::new(), None, Vec::new(), None);
                    self.running.push(Running { number, lane, process, job, ended, current, cancelled, kill_at, late_at });
                }
                Err(error) => {
                    let why = format!("the process for this cannot be started: {error}");
                    for task in job.tasks {
                        (self.tell)(Update::Ended(task.id, End::Failed(why.clone())));
                    }
                }
            }
        }
    }

    fn heard(&mut self, number: u64, report: Report) {
        let Some(running) = self.running.iter_mut().find(|running| running.number == number) else { return };
        match report {
            Report::Started(task) if running.open().any(|open| open.id == task) => {
                running.current = Some(task);
                (self.tell)(Update::Started(task));
            }
            Report::Started(_) => {}
            Report::Progress(task, progress) if !running.cancelled.contains(&task) => {
                (self.tell)(Update::Progress(task, progress))
            }
            Report::Progress(..) => {}
            Report::Finished(task, finished) => {
                let is_open = running.open().any(|open| open.id == task);
                let was_cancelled = running.cancelled.contains(&task);
                running.current = None;
                running.ended.push(task);
                running.cancelled.retain(|cancelled| *cancelled != task);
                if running.cancelled.is_empty() {
                    running.kill_at = None;
                }
                // Whether a child stops in time to say that it was interrupted must make no difference.
                let is_given_up = was_cancelled && finished.outcome.verdict == Verdict::Unknown;
                if is_open {
                    let end = if is_given_up { End::Cancelled } else { End::Finished(finished) };
                    (self.tell)(Update::Ended(task, end));
                }
            }
        }
    }

    fn cancel(&mut self, task: u64) {
        let mut was_waiting = false;
        for job in self.queue.iter_mut() {
            let before = job.tasks.len();
            job.tasks.retain(|waiting| waiting.id != task);
            was_waiting |= job.tasks.len() < before;
        }
        self.queue.retain(|job| !job.tasks.is_empty());
        if was_waiting {
            return (self.tell)(Update::Ended(task, End::Cancelled));
        }
        let Some(position) = self.running.iter().position(|running| running.open().any(|open| open.id == task)) else { return };
        let running = &mut self.running[position];
        if running.cancelled.contains(&task) {
            return;
        }
        running.process.say(&Request::Cancel(task));
        if running.current == Some(task) {
            running.cancelled.push(task);
            running.kill_at.get_or_insert(Instant::now() + GRACE);
            return;
        }
        // The child will pass it over; if it was all that it had to do, it need not even begin.
        running.ended.push(task);
        let is_idle = running.open().next().is_none();
        (self.tell)(Update::Ended(task, End::Cancelled));
        if is_idle {
            drop(self.running.remove(position).process.end());
        }
    }

    fn kill_those_due(&mut self) {
        let now = Instant::now();
        while let Some(position) = self
            .running
            .iter()
            .position(|running| running.late_at <= now || running.kill_at.is_some_and(|kill_at| kill_at <= now))
        {
            let running = self.running.remove(position);
            let why = (running.late_at <= now).then(|| "it took much longer than it should, and was ended".to_owned());
            self.finish(running, why);
        }
    }

    /// A child has gone.
    fn ended(&mut self, number: u64) {
        if let Some(position) = self.running.iter().position(|running| running.number == number) {
            let running = self.running.remove(position);
            self.finish(running, None);
        }
    }

    /// Ends a child. The task it was at has failed; if it was at none, all have. What it had not begun is done by another.
    fn finish(&mut self, running: Running, why: Option<String>) {
        let Running { lane, process, mut job, ended, current, cancelled, .. } = running;
        let said = process.end();
        job.tasks.retain(|task| !ended.contains(&task.id));
        let mut again = Vec::new();
        for task in std::mem::take(&mut job.tasks) {
            if cancelled.contains(&task.id) {
                (self.tell)(Update::Ended(task.id, End::Cancelled));
            } else if current.is_none_or(|current| current == task.id) && cancelled.is_empty() {
                (self.tell)(Update::Ended(task.id, End::Failed(why.clone().unwrap_or_else(|| said.clone()))));
            } else {
                again.push(task);
            }
        }
        if !again.is_empty() {
            self.queue.push_again(lane, Job { tasks: again, ..job });
        }
    }
}

fn time_of(work: &Work) -> Duration {
    match work {
        Work::Run { seconds, .. } | Work::Explore { seconds } => Duration::from_secs(*seconds),
        Work::Glance { .. } => Duration::ZERO,
    }
}
