//! The search: batch by batch, until something is wrong, nothing is left or a budget is spent.
//!
//! A batch is looked at in chunks, by whichever thread is free, and what the chunks give is taken up in their order; so the result is
//! the same with any number of threads. Budgets are looked at between batches.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lockstep_runtime::{Limit, Program, Trace, Unsupported};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;

use crate::counterexample;
use crate::footprint::Footprints;
use crate::frontier::{Batch, Frontier};
use crate::growth;
use crate::liveness;
use crate::options::{Bugs, Keeping, Liveness, Options, Order, Reduction};
use crate::report::{Bug, Certainty, Covered, Ends, Exhausted, Outcome, Progress, Report, Stats, Why};
use crate::sleep::Asleep;
use crate::steps::{Bad, Shared};
use crate::store::{Arrival, SHARDS, Shard, StateId, Store};
use crate::symmetry;
use crate::trial::Trial;
use crate::worker::{BadStep, Looked, Round, Visit, Worker};

/// States that one thread looks at before it asks for more, at most.
const CHUNK: usize = 128;
/// Chunks of a batch, at least: some states take much longer than others.
const CHUNKS: usize = 32;
/// Smaller batches are not worth a second thread: to wake one takes as long as to look at some states,
const WORTH_THREADS: usize = 8 * CHUNK;
/// or to take up some thousand.
const WORTH_THREADS_TO_TAKE_UP: usize = 32 * CHUNK;

/// Who watches a search, and may end it.
pub struct Observer<'a> {
    /// Set by somebody else to end the search soon.
    pub cancel: &'a AtomicBool,
    /// Called now and then.
    pub progress: &'a mut dyn FnMut(&Progress),
}

/// Somebody else who has a turn now and then while a search waits.
pub(crate) struct Beside<'a> {
    /// How much is done before the next turn, as `SoFar::work` counts it.
    pub(crate) after: u64,
    pub(crate) turn: &'a mut Turn<'a>,
}

/// Does something else, and says when the next turn is; nothing if the search need not go on.
pub(crate) type Turn<'a> = dyn FnMut(&SoFar, &mut Observer<'_>) -> Option<u64> + 'a;

/// What a search that waits has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoFar {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// Steps in which something was chosen.
    pub(crate) chosen: u64,
    /// Runs of handlers.
    pub(crate) runs: u64,
    /// Bytes that it has.
    pub(crate) memory: u64,
}

/// A run of a handler takes about as long as so many steps that need none.
const STEPS_OF_RUN: u64 = 5;

impl SoFar {
    /// What it has cost, in steps. Counted and not timed, so that turns are the same on any day.
    pub(crate) fn work(&self) -> u64 {
        self.transitions + STEPS_OF_RUN * self.runs
    }
}

/// Goes through all behaviours of a test once.
pub(crate) fn search(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    search_beside(program, options, observer, None)
}

/// The same, with turns for somebody else. What it reports when that one wants no more of it says nothing.
pub(crate) fn search_beside(
    program: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
    beside: Option<&mut Beside<'_>>,
) -> Report {
    let begun = Instant::now();
    let asks_lassos = options.liveness == Liveness::Lassos && liveness::is_asked(program);
    let mut options = options.clone();
    if asks_lassos {
        // Which runs are fair cannot be told from a part of them, and cycles are found among whole states.
        options.reduction = Reduction::NONE;
        options.keeping = Keeping::Exact;
    }
    if !symmetry::is_of_use(program) {
        options.reduction.symmetry = false;
    }
    let deadline = options.budgets.time.and_then(|time| begun.checked_add(time));
    let shared = Shared::new(program, options.settings, &options.budgets, observer.cancel, deadline);
    let footprints = Footprints::new(program);
    // Whoever looks for lassos goes through everything once more.
    let worker = |_| Worker::new(&shared, &footprints, options.reduction, !asks_lassos);
    let workers = (0..options.threads.max(1)).map(worker).collect();
    let search = Search {
        program,
        options: &options,
        shared: &shared,
        workers,
        pool: LazyCell::new(Box::new(|| pool(options.threads))),
        store: Store::new(options.keeping, options.reduction.monotonic),
        woken: FxHashMap::default(),
        trial: Trial::new(options.reduction),
        frontier: Frontier::new(options.order, options.breadth, options.keeping),
        begun,
        told: begun,
        deepest: 0,
        transitions: 0,
        reduced: 0,
        asleep: 0,
        chosen: 0,
        ends: Ends::default(),
        left_behind: None,
        bad: Vec::new(),
        limit: None,
        stopped: None,
        unsupported: None,
        is_unwanted: false,
        open_from: [0; SHARDS],
    };
    search.run(observer, beside, asks_lassos)
}

type LazyPool<'a> = LazyCell<Option<ThreadPool>, Box<dyn FnOnce() -> Option<ThreadPool> + 'a>>;

/// Threads that are there for the whole search: new ones for every batch mostly stay on one processor. `None` if one is enough, or if a system
/// refuses more.
fn pool(threads: usize) -> Option<ThreadPool> {
    (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build().ok()).flatten()
}

struct Search<'a> {
    program: &'a Program,
    options: &'a Options,
    shared: &'a Shared<'a>,
    workers: Vec<Worker<'a>>,
    /// Made when there is something to do for them.
    pool: LazyPool<'a>,
    store: Store,
    /// Of states that were looked at and wait to be looked at again: who is awake now and was not then.
    woken: FxHashMap<StateId, Asleep>,
    trial: Trial,
    frontier: Frontier,
    begun: Instant,
    /// When progress was told last.
    told: Instant,
    /// How far away a state is that was looked at, at most. States that are looked at once more are no farther than before.
    deepest: u32,
    transitions: u64,
    reduced: u64,
    asleep: u64,
    chosen: u64,
    ends: Ends,
    left_behind: Option<StateId>,
    /// Failures, each once, in the order in which they were found.
    bad: Vec<BadStep>,
    limit: Option<Why>,
    /// The first step that was given up.
    stopped: Option<(StateId, Option<u32>)>,
    unsupported: Option<Unsupported>,
    /// Whether somebody else has found everything out.
    is_unwanted: bool,
    open_from: [u32; SHARDS],
}

impl Search<'_> {
    fn run(mut self, observer: &mut Observer<'_>, beside: Option<&mut Beside<'_>>, asks_lassos: bool) -> Report {
        if self.trial.is_on() {
            self.store.exchange_names();
        }
        let spent = match self.shared.initial() {
            Ok(initial) => {
                let hash = self.workers[0].hash(&initial);
                let id = self.store.insert_first(hash, &initial);
                self.frontier.add(id, 0, &initial);
                self.go_on(observer, beside)
            }
            Err(bad) => {
                self.note(BadStep { state: StateId(u32::MAX), step: None, bad });
                None
            }
        };
        let mut bugs = self.bugs();
        let mut why = spent.or_else(|| self.limit.clone());
        if why.is_none() && asks_lassos && self.unsupported.is_none() && bugs.is_ok_and_empty() {
            match liveness::find(self.program, self.shared, &mut self.workers[0], &self.store, &self.options.budgets) {
                Ok(Some(bug)) => bugs.add(bug),
                Ok(None) => {}
                Err(reason) => why = Some(reason),
            }
        }
        self.report(bugs, why)
    }

    /// Looks at states until there are none, a bug is found, or a budget is spent, which it gives.
    fn go_on(&mut self, observer: &mut Observer<'_>, mut beside: Option<&mut Beside<'_>>) -> Option<Why> {
        loop {
            if let Some(why) = self.spent() {
                return Some(why);
            }
            // Somebody else would know nothing of bugs that were found here.
            if let Some(beside) = &mut beside
                && self.bad.is_empty()
                && self.frontier.len() > 0
                && self.so_far().work() >= beside.after
            {
                let Some(after) = (beside.turn)(&self.so_far(), observer) else {
                    self.is_unwanted = true;
                    return Some(Why::Cancelled);
                };
                beside.after = after;
                continue;
            }
            let batch = self.frontier.next_batch()?;
            if batch.is_new_level {
                self.open_from = self.store.sizes();
            }
            let is_first = |(id, _): &&(StateId, u32)| !self.woken.contains_key(id);
            let deepest = batch.states.iter().filter(is_first).map(|(_, depth)| *depth).max().unwrap_or(0);
            self.deepest = self.deepest.max(deepest);
            let looked = self.look(&batch);
            for part in &looked {
                self.transitions += part.transitions;
                self.reduced += part.reduced;
                self.asleep += part.asleep;
                self.chosen += part.chosen;
                self.ends.normal += part.ends.normal;
                self.ends.with_deferred += part.ends.with_deferred;
                self.ends.blocked += part.ends.blocked;
                self.left_behind = self.left_behind.or(part.left_behind);
                part.bad.iter().for_each(|bad| self.note(bad.clone()));
            }
            if !self.bad.is_empty() && self.options.bugs == Bugs::First {
                return None;
            }
            for (id, _) in &batch.states {
                self.store.looked_at(*id);
                self.woken.remove(id);
            }
            self.take_up(&looked, batch.states.len());
            if self.trial.begins() {
                self.store.exchange_names();
            }
            self.tell(observer);
        }
    }

    /// Looks at all states of a batch. The results are in the order of the states.
    fn look(&mut self, batch: &Batch) -> Vec<Looked> {
        let open_from = match self.options.order {
            Order::BreadthFirst => self.open_from,
            // What is on the stack and what was taken from it cannot be told apart.
            Order::DepthFirst => [u32::MAX; SHARDS],
        };
        let is_symmetric = self.trial.is_on();
        let round = Round { store: &self.store, reduction: self.options.reduction, is_symmetric, open_from };
        let size = (batch.states.len() / CHUNKS).clamp(1, CHUNK);
        let chunks = batch.states.len().div_ceil(size);
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, Looked)>> = Mutex::default();
        let work = |worker: &mut Worker<'_>| {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || self.shared.is_over() {
                    return;
                }
                let looked = look_at(worker, &round, batch, &self.woken, chunk * size..(chunk + 1) * size);
                results.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, looked));
            }
        };
        if batch.weight >= WORTH_THREADS
            && let Some(pool) = &*self.pool
        {
            pool.scope(|scope| {
                for worker in &mut self.workers {
                    scope.spawn(|_| work(worker));
                }
            });
        } else {
            work(&mut self.workers[0]);
        }
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(chunk, _)| *chunk);
        results.into_iter().map(|(_, looked)| looked).collect()
    }

    /// Puts what is new into the store and the frontier. `size` is how many states were looked at.
    fn take_up(&mut self, looked: &[Looked], size: usize) {
        let count: usize = looked.iter().flat_map(|part| &part.new).map(Vec::len).sum();
        self.frontier.learn(size, count);
        let mut added: Vec<Vec<(Arrival, usize, usize)>> = vec![Vec::new(); SHARDS];
        if count >= WORTH_THREADS_TO_TAKE_UP
            && let Some(pool) = &*self.pool
        {
            let per_thread = SHARDS.div_ceil(self.workers.len());
            pool.scope(|scope| {
                let first = (0..).step_by(per_thread);
                let shards = self.store.shards.chunks_mut(per_thread).zip(added.chunks_mut(per_thread));
                for (first, (shards, added)) in first.zip(shards) {
                    scope.spawn(move |_| {
                        let numbered = (first..).zip(shards).zip(added);
                        numbered.for_each(|((number, shard), added)| *added = insert(shard, number, looked));
                    });
                }
            });
        } else {
            let numbered = self.store.shards.iter_mut().enumerate().zip(&mut added);
            numbered.for_each(|((number, shard), added)| *added = insert(shard, number, looked));
        }
        for (shard, added) in added.iter().enumerate() {
            for &(arrival, part, position) in added {
                let new = &looked[part].new[shard][position];
                let state = &looked[part].numbers[new.start..new.end];
                match arrival {
                    Arrival::New(id) => {
                        if self.trial.asks()
                            && let Some(kind) = self.workers[0].kind(state)
                        {
                            self.trial.note(kind);
                        }
                        self.frontier.add(id, new.depth, state);
                    }
                    Arrival::Woken(id, woken) => {
                        let before = self.woken.insert(id, woken);
                        match before {
                            Some(before) => *self.woken.entry(id).or_default() |= before,
                            None => self.frontier.add(id, new.depth, state),
                        }
                    }
                    Arrival::Nothing => {}
                }
            }
        }
    }

    /// Notes something that went wrong, each kind once.
    fn note(&mut self, bad: BadStep) {
        match &bad.bad {
            Bad::Failed(failure) => {
                let is_known = |known: &BadStep| matches!(&known.bad, Bad::Failed(other) if other == failure);
                if !self.bad.iter().any(is_known) {
                    self.bad.push(bad);
                }
            }
            Bad::Limited(limit) => {
                self.limit = self.limit.take().or(Some(Why::Run(Limit::clone(limit))));
                self.stopped = self.stopped.or(Some((bad.state, bad.step)));
            }
            Bad::Unsupported(what) => self.unsupported = self.unsupported.take().or(Some(what.clone())),
            Bad::Answers => {
                self.limit = self.limit.take().or(Some(Why::Answers(self.options.budgets.answers)));
                self.stopped = self.stopped.or(Some((bad.state, bad.step)));
            }
            Bad::Memory => self.limit = self.limit.take().or(self.options.budgets.memory.map(Why::Memory)),
        }
    }

    fn so_far(&self) -> SoFar {
        let (states, transitions, chosen) = (self.store.len(), self.transitions, self.chosen);
        SoFar { states, transitions, chosen, runs: self.shared.run_count(), memory: self.bytes() }
    }

    fn spent(&self) -> Option<Why> {
        let budgets = &self.options.budgets;
        if self.shared.is_cancelled() {
            return Some(Why::Cancelled);
        }
        if let Some(time) = budgets.time.filter(|time| self.begun.elapsed() >= *time) {
            return Some(Why::Time(time));
        }
        if let Some(most) = budgets.states.filter(|most| self.store.len() >= *most && self.frontier.len() > 0) {
            return Some(Why::States(most));
        }
        if let Some(most) = budgets.transitions.filter(|most| self.transitions >= *most && self.frontier.len() > 0) {
            return Some(Why::Transitions(most));
        }
        if self.store.is_full() {
            return Some(Why::States(self.store.len()));
        }
        budgets.memory.filter(|most| self.bytes() > *most).map(Why::Memory)
    }

    fn bytes(&self) -> u64 {
        let remembered: u64 = self.workers.iter().map(Worker::bytes).sum();
        let woken = (self.woken.capacity() * (size_of::<(StateId, Asleep)>() + 1)) as u64;
        let found = self.store.bytes() + self.frontier.bytes() + woken;
        found + self.shared.tables().bytes() + self.shared.begun_bytes() + remembered
    }

    #[allow(clippy::cast_precision_loss)]
    fn tell(&mut self, observer: &mut Observer<'_>) {
        if self.told.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.told = Instant::now();
        let states = self.store.len();
        (observer.progress)(&Progress {
            states,
            transitions: self.transitions,
            states_per_second: states as f64 / self.begun.elapsed().as_secs_f64(),
            frontier: self.frontier.len(),
            depth: self.frontier.depth,
            memory: self.bytes(),
            nodes: None,
        });
    }

    /// The bugs that were found, with runs that show them.
    fn bugs(&mut self) -> Found {
        let mut found = Found::default();
        for BadStep { state, step, bad } in std::mem::take(&mut self.bad) {
            let Bad::Failed(failure) = bad else { continue };
            if !self.program.abstractions.is_empty() {
                // It may not be real, and what monitors make of numbers that were taken together is in no trace.
                found.bugs.push(Bug { failure: *failure, trace: Trace::default(), repeats_from: None });
                continue;
            }
            let trace = if state == StateId(u32::MAX) { Trace::default() } else { self.trace(state, step) };
            match counterexample::shown(self.program, &self.options.settings, &trace, &failure) {
                Some(failure) => found.bugs.push(Bug { failure, trace, repeats_from: None }),
                None => found.not_shown = Some(Why::NotReplayed(failure)),
            }
        }
        found
    }

    fn trace(&mut self, state: StateId, step: Option<u32>) -> Trace {
        // Steps may have been forgotten, and are found out again.
        self.shared.set_unbounded(true);
        let trace = counterexample::trace(self.shared, &mut self.workers[0], &self.store, state, step);
        self.shared.set_unbounded(false);
        trace
    }

    fn report(mut self, found: Found, why: Option<Why>) -> Report {
        let (states, transitions, depth) = (self.store.len(), self.transitions, self.deepest);
        // Where machines are put off (not where they only sleep), what a run shows is found after more steps than the run has, and nobody knows
        // what lies behind a run given up.
        let is_by_level = self.options.order == Order::BreadthFirst && self.reduced == 0 && self.limit.is_none();
        // The level that is looked at is not finished.
        let complete = is_by_level.then(|| self.frontier.depth.checked_sub(1)).flatten();
        let covered = Covered { states, transitions, depth: complete };
        let outcome = match (found.bugs.first(), found.not_shown.or(why), self.unsupported.take()) {
            (Some(bug), _, _) => Outcome::Bug(Box::new(bug.clone())),
            (None, _, Some(what)) => Outcome::Unsupported(what),
            (None, Some(why), None) => Outcome::Unknown { why, covered },
            (None, None, None) => {
                let certainty = Certainty::of(self.options.keeping, states);
                Outcome::Exhausted(Exhausted { states, transitions, depth, certainty })
            }
        };
        let left_behind = self.left_behind.map(|state| self.trace(state, None));
        // To make a step again that took too long takes too long.
        let stopped = self.stopped.filter(|(state, _)| *state != StateId(u32::MAX) && !self.shared.is_over());
        let stopped = stopped.map(|(state, step)| self.trace(state, step));
        // What grows explains a spent budget, and nothing else.
        let is_spent = |why: &Why| !matches!(why, Why::Run(_)) && !why.has_seen_a_bug();
        let is_given_up = matches!(&outcome, Outcome::Unknown { why, .. } if is_spent(why));
        let hints = (is_given_up && !self.is_unwanted)
            .then(|| growth::hints(self.program, &self.options.settings, &self.shared.tables()));
        let (machines, components, locals) = {
            let tables = self.shared.tables();
            (tables.machine_count(), tables.component_count(), tables.local_count())
        };
        let stats = Stats {
            states,
            transitions,
            depth,
            ends: self.ends,
            frontier: self.frontier.longest,
            reduced: self.reduced,
            asleep: self.asleep,
            chosen: self.chosen,
            reduction: self.trial.applied(self.options.reduction),
            machines,
            components,
            locals,
            runs: self.shared.run_count(),
            schedules: 0,
            memory: self.bytes(),
            seconds: self.begun.elapsed().as_secs_f64(),
            symbolic: None,
            together: self.shared.together(),
            picked: None,
        };
        Report { outcome, bugs: found.bugs, left_behind, stopped, hints, safe: None, stats }
    }
}

/// Bugs that were confirmed, and one that was not.
#[derive(Default)]
struct Found {
    bugs: Vec<Bug>,
    not_shown: Option<Why>,
}

impl Found {
    fn is_ok_and_empty(&self) -> bool {
        self.bugs.is_empty() && self.not_shown.is_none()
    }

    fn add(&mut self, bug: Bug) {
        self.bugs.push(bug);
    }
}

fn look_at(
    worker: &mut Worker<'_>,
    round: &Round<'_>,
    batch: &Batch,
    woken: &FxHashMap<StateId, Asleep>,
    range: Range<usize>,
) -> Looked {
    let mut looked = Looked::default();
    let mut read = Vec::new();
    for position in range.start..range.end.min(batch.states.len()) {
        let (id, depth) = batch.states[position];
        let state = match &batch.parts {
            Some(parts) => parts.of(position),
            None => {
                round.store.read(id, &mut read);
                &read[..]
            }
        };
        let (asleep, was_looked_at) = round.store.asleep(id);
        let woken = was_looked_at.then(|| woken.get(&id).copied().unwrap_or_default());
        worker.look(round, &Visit { id, depth, state, asleep, woken }, &mut looked);
    }
    looked
}

/// Takes up the states of one shard that were reached. Gives those about which something is new, and where they are in what was looked at.
fn insert(shard: &mut Shard, number: usize, looked: &[Looked]) -> Vec<(Arrival, usize, usize)> {
    let mut added = Vec::new();
    for (part, looked) in looked.iter().enumerate() {
        for (position, new) in looked.new[number].iter().enumerate() {
            match shard.arrive(new.hash, &looked.numbers[new.start..new.end], new.way, new.asleep) {
                Arrival::Nothing => {}
                arrival => added.push((arrival, part, position)),
            }
        }
    }
    added
}
