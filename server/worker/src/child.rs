//! The child: reads one job, does its tasks one after the other, reports, and ends.
//!
//! Ends at once when its input closes, whatever it is doing: its parent has gone. Writes nothing but reports, and no file.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lockstep_base::Text;
use lockstep_base::verdict::{Outcome, Verdict};
use lockstep_explore::{Budgets, Engine, Observer, Options, Progress as Searched};
use lockstep_judge::{Exploring, Judged, MINIMIZING, Sample, Test, explore_test, findings, replay_test, sample_test};
use lockstep_program::{Database, Member, Project, Purpose, SourceFile, project_tests};
use lockstep_runtime::{Options as Lowering, Sampling, Settings, Strategy};
use lockstep_syntax::{Language, Parse};
use lockstep_trace::TraceFile;

use crate::job::{Finished, Foreign, Job, Progress, Report, Request, Task, Work};
use crate::limits;

/// Deep programs need deep stacks.
const STACK: usize = 64 << 20;
/// How many random schedules come before a search.
const PROBE: u32 = 500;
/// Steps of one random schedule, as on the command line.
const STEPS: u64 = 10_000;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(200);
/// How many steps are made to make a trace short of what is looked at in passing.
const GLANCE_MINIMIZING: u64 = 200_000;

/// Which tasks are not wanted any more.
#[derive(Default)]
struct Cancelled {
    tasks: Mutex<Vec<u64>>,
    /// Whether the task that is being done is among them.
    is_current: AtomicBool,
    current: Mutex<u64>,
}

/// Does one job that comes on standard input, and reports on standard output.
pub fn serve() -> std::io::Result<()> {
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line)? == 0 {
        return Ok(());
    }
    let Ok(Request::Job(job)) = serde_json::from_str(&line) else {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, "the first line is no job"));
    };
    limits::impose(job.memory_megabytes);
    let cancelled = Arc::new(Cancelled::default());
    let listener = cancelled.clone();
    std::thread::spawn(move || listen(&listener));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || Doing::new(&job, &cancelled).all())?;
    worker.join().map_err(|_| std::io::Error::other("the work ended in a mistake"))
}

/// Hears what the parent does not want any more, until it has gone.
fn listen(cancelled: &Cancelled) {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if let Ok(Request::Cancel(task)) = serde_json::from_str(&line) {
            cancelled.tasks.lock().unwrap_or_else(PoisonError::into_inner).push(task);
            // Held until that is noted: it must not be the next one that ends.
            let current = cancelled.current.lock().unwrap_or_else(PoisonError::into_inner);
            if *current == task {
                cancelled.is_current.store(true, Ordering::Release);
            }
        }
    }
    std::process::exit(0);
}

fn say(report: &Report) {
    let Ok(mut line) = serde_json::to_string(report) else { return };
    line.push('\n');
    let mut output = std::io::stdout().lock();
    if output.write_all(line.as_bytes()).and_then(|()| output.flush()).is_err() {
        // Nobody hears us.
        std::process::exit(0);
    }
}

struct Doing<'a> {
    job: &'a Job,
    cancelled: &'a Cancelled,
    db: Database,
    project: Project,
    lowering: Lowering,
    begun: Instant,
}

impl<'a> Doing<'a> {
    fn new(job: &'a Job, cancelled: &'a Cancelled) -> Self {
        let db = Database::default();
        let member = |file: &crate::job::SourceText| Member {
            file: SourceFile::open(&db, file.name.clone(), Parse::new(Language::P, file.text.as_str())),
            is_included: file.is_included,
        };
        let members = job.project.files.iter().map(member).collect();
        let purpose = if job.project.is_for_verifier { Purpose::Verifying } else { Purpose::Checking };
        let project = Project::open(&db, job.project.name.clone(), members, purpose);
        let lowering = Lowering { foreign: job.project.foreign.iter().map(Foreign::stands).collect(), ..Lowering::default() };
        Self { job, cancelled, db, project, lowering, begun: Instant::now() }
    }

    fn all(&self) {
        for (number, task) in self.job.tasks.iter().enumerate() {
            if self.take_up(task.id) {
                continue;
            }
            say(&Report::Started(task.id));
            let left = self.job.tasks.len() - number;
            let finished = catch_unwind(AssertUnwindSafe(|| self.one(task, left)));
            let finished = finished.unwrap_or_else(|_| unknown("a mistake of Lockstep ended this".to_owned()));
            say(&Report::Finished(task.id, Box::new(finished)));
        }
    }

    /// Makes a task the current one. Whether it is not wanted any more.
    fn take_up(&self, task: u64) -> bool {
        let mut current = self.cancelled.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = task;
        let is_cancelled = self.cancelled.tasks.lock().unwrap_or_else(PoisonError::into_inner).contains(&task);
        self.cancelled.is_current.store(is_cancelled, Ordering::Release);
        is_cancelled
    }

    fn one(&self, task: &Task, left: usize) -> Finished {
        let cases = project_tests(&self.db, self.project);
        let Some(case) = cases.iter().find(|case| case.name == task.test) else {
            return unknown(format!("there is no test `{}`", task.test));
        };
        let test = match Test::of_project(&self.db, self.project, case, &self.job.project.name, &self.lowering) {
            Ok(test) => test,
            Err(why) => return unknown(format!("`{}` cannot be run: {why}", task.test)),
        };
        let begun = Instant::now();
        let judged = match &task.work {
            Work::Run { schedules, seconds } => self.sampled(&test, task.id, *schedules, *seconds),
            Work::Explore { seconds } => {
                let options = self.options(Duration::from_secs(*seconds), self.job.memory_megabytes);
                self.searched(&test, task.id, options, MINIMIZING, false)
            }
            Work::Glance { traces } => self.glanced(&test, task.id, traces, left),
        };
        self.finished(&test, judged, begun)
    }

    fn text(&self, name: &str) -> Option<Text> {
        self.job.project.files.iter().find(|file| file.name == name).map(|file| Text::from(file.text.as_str()))
    }

    fn sampled(&self, test: &Test, task: u64, schedules: u32, seconds: u64) -> Judged {
        let sample = Sample {
            settings: Settings::default(),
            sampling: Sampling { seed: 1, schedules, most_steps: STEPS, strategy: Strategy::Mixed },
            time: Some(Duration::from_secs(seconds)),
            minimizing: MINIMIZING,
            paths: self.job.project.paths.clone(),
        };
        let mut told = Instant::now();
        sample_test(test, &|name| self.text(name), &sample, &mut |so_far| {
            if told.elapsed() >= TELL {
                told = Instant::now();
                let progress = Progress::Schedules { done: so_far.schedules.into(), planned: schedules.into() };
                say(&Report::Progress(task, progress));
            }
            !self.cancelled.is_current.load(Ordering::Acquire)
        })
    }

    fn options(&self, time: Duration, megabytes: u64) -> Options {
        let memory = Some(megabytes.saturating_mul(1 << 20));
        let budgets = Budgets { time: Some(time), memory, ..Budgets::default() };
        Options { engine: Engine::Auto, probe: PROBE, budgets, threads: self.job.threads, ..Options::default() }
    }

    fn searched(&self, test: &Test, task: u64, options: Options, minimizing: u64, counts_schedules: bool) -> Judged {
        let exploring = Exploring { options, minimizing, paths: self.job.project.paths.clone(), counts_schedules };
        let mut told = Instant::now();
        let mut progress = |so_far: &Searched| {
            if told.elapsed() < TELL {
                return;
            }
            told = Instant::now();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let per_second = so_far.states_per_second as u64;
            let lockstep_explore::Progress { states, depth, frontier, nodes, .. } = *so_far;
            let megabytes = so_far.memory >> 20;
            say(&Report::Progress(task, Progress::States { states, per_second, depth, frontier, megabytes, nodes }));
        };
        let mut observer = Observer { cancel: &self.cancelled.is_current, progress: &mut progress };
        explore_test(test, &|name| self.text(name), &exploring, &mut observer).0
    }

    /// What went wrong before, and then a search in a fair share of the time that is left.
    fn glanced(&self, test: &Test, task: u64, traces: &[String], left: usize) -> Judged {
        let mut has_gone = false;
        for trace in traces.iter().filter_map(|trace| TraceFile::from_json(trace).ok()) {
            let replayed =
                replay_test(test, &|name| self.text(name), TraceFile { paths: self.job.project.paths.clone(), ..trace });
            let mut judged = replayed.judged;
            if let Some(bug) = &mut judged.bug {
                bug.file.fingerprint = test.program.fingerprint().to_string();
                judged.outcome.why = format!("still fails: {}", judged.outcome.why);
                return judged;
            }
            has_gone = true;
        }
        let time = Duration::from_millis(self.job.milliseconds).saturating_sub(self.begun.elapsed());
        let share = time / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        // There is no time to try two engines.
        let options = Options { engine: Engine::Explicit, ..self.options(share, self.job.memory_megabytes) };
        let mut judged = self.searched(test, task, options, GLANCE_MINIMIZING, true);
        if has_gone && judged.bug.is_none() {
            judged.outcome.why = format!("what failed before no longer reproduces: {}", judged.outcome.why);
        }
        judged
    }

    fn finished(&self, test: &Test, judged: Judged, begun: Instant) -> Finished {
        let findings = judged.bug.as_ref().map(|bug| findings(test, &|name| self.text(name), bug)).unwrap_or_default();
        let fingerprint = test.program.fingerprint().to_string();
        let took_ms = u64::try_from(begun.elapsed().as_millis()).ok();
        let outcome = Outcome { fingerprint: Some(fingerprint.clone()), took_ms, ..judged.outcome };
        let trace = judged.bug.map(|bug| bug.file.to_json());
        Finished { fingerprint, outcome, is_final: judged.is_final, findings, trace }
    }
}

fn unknown(why: String) -> Finished {
    let outcome = Outcome { verdict: Verdict::Unknown, ..Outcome::not_run(why) };
    Finished { fingerprint: String::new(), outcome, is_final: false, findings: Vec::new(), trace: None }
}
