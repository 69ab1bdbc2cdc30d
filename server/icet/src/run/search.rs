//! Everything that can happen in an instance: all ends, and every deadlock, orphan and failure with a shortest way to it.
//!
//! The search goes through the states depth first, with its own stack. `Naive` follows every step of everyone; `Reduced` lets a process
//! run on alone where that loses nothing (`reduce` has the argument). Both find the same.
//!
//! Invariant: `nodes[id]` has the edges of the state that `ids` maps to `id`, as far as it was followed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use crate::program::{Program, StmtId};
use crate::run::eval::{Scope, Trouble};
use crate::run::instance::Instance;
use crate::run::reduce;
use crate::run::state::{Channel, Choice, Effect, Failure, State, Status, Trace, Who};
use crate::run::step::{Machine, Successor};
use crate::run::trace;
use crate::run::value::{Pid, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Naive,
    Reduced,
}

/// When to stop.
#[derive(Clone, Debug)]
pub struct Limits {
    pub states: usize,
    pub steps: u64,
    /// The most deadlocks, orphans and failures that are reported, of each kind. All are counted.
    pub reports: usize,
    /// Set by whoever does not want to wait any longer.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 1_000_000, steps: 20_000_000, reports: 20, cancel: None }
    }
}

/// What keeps states small, which grow without end where a process sends and nobody receives in time.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The sum of the sizes of all states that are come to: about what the search costs.
    pub work: u64,
    /// States with more messages in one channel are not followed.
    pub messages: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { work: u64::MAX, messages: usize::MAX }
    }
}

/// Why not everything was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    States(usize),
    Steps(u64),
    Work(u64),
    /// There were states with more messages in one channel, which were not followed.
    Messages(usize),
    Cancelled,
    /// A statement (or, without one, an initial value or an `ensures`) that could not be computed.
    Trouble(Option<StmtId>, Trouble),
}

/// The variables of each process that are not ghosts; by pid, then in the order of their declarations.
pub type FinalState = Vec<Vec<Value>>;

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub finals: BTreeSet<FinalState>,
    pub deadlocks: Vec<Deadlock>,
    pub orphans: Vec<Orphan>,
    pub failures: Vec<Failed>,
    /// Empty if everything was seen.
    pub limits: Vec<Limit>,
    /// Whether values were drawn from infinitely many: then "everything" is within the domains of the instance.
    pub has_sampled: bool,
    pub states: usize,
    pub steps: u64,
    pub work: u64,
}

/// Nobody can move, and these wait: reported once for each combination of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    pub waiting: Vec<(Pid, StmtId)>,
    pub trace: Trace,
}

/// A run has ended, and these channels are not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    pub channels: Vec<Channel>,
    pub trace: Trace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// `None` for an `ensures`.
    pub who: Option<Who>,
    pub stmt: Option<StmtId>,
    pub failure: Failure,
    pub trace: Trace,
}

/// Goes through all runs of an instance.
pub fn explore(program: &Program, instance: &Instance, mode: Mode, limits: &Limits) -> Outcome {
    explore_within(program, instance, mode, limits, Bounds::default())
}

/// The same, without the states that are too large.
pub fn explore_within(program: &Program, instance: &Instance, mode: Mode, limits: &Limits, bounds: Bounds) -> Outcome {
    let machine = Machine::new(program, instance);
    let mut search = Search {
        machine: &machine,
        mode,
        limits,
        bounds,
        ids: FxHashMap::default(),
        nodes: Vec::new(),
        open: Vec::new(),
        findings: Findings::default(),
        finals: BTreeSet::new(),
        hit: BTreeSet::new(),
        steps: 0,
        work: 0,
    };
    search.run();
    search.outcome()
}

/// What is reported, each with the state it was seen in.
#[derive(Default)]
struct Findings {
    deadlocks: Vec<(Vec<(Pid, StmtId)>, u32)>,
    orphans: Vec<(Vec<Channel>, u32)>,
    failures: Vec<(WhatFailed, u32)>,
}

type WhatFailed = (Option<Who>, Option<StmtId>, Failure);

struct Search<'s, 'm> {
    machine: &'s Machine<'m>,
    mode: Mode,
    limits: &'s Limits,
    bounds: Bounds,
    ids: FxHashMap<State, u32>,
    nodes: Vec<Node>,
    /// The path from the start to the state that is being followed.
    open: Vec<Open>,
    findings: Findings,
    finals: BTreeSet<FinalState>,
    hit: BTreeSet<Limit>,
    steps: u64,
    work: u64,
}

#[derive(Default)]
struct Node {
    edges: Vec<(Who, Choice, u32)>,
    is_on_path: bool,
}

struct Open {
    node: u32,
    todo: std::vec::IntoIter<(Who, Successor)>,
}

impl Search<'_, '_> {
    fn run(&mut self) {
        let (start, troubles) = self.machine.start();
        for (pid, trouble) in troubles {
            match trouble.failure() {
                Some(failure) => self.fail((pid.map(Who::Process), None, failure), 0),
                None => drop(self.hit.insert(Limit::Trouble(None, trouble))),
            }
        }
        if start.sequential.is_some()
            && let Some(broken) = self.machine.broken_invariant(&start)
        {
            self.fail((None, None, Failure::Invariant(broken)), 0);
        }
        self.enter(start);
        while let Some(open) = self.open.last_mut() {
            let node = open.node;
            match open.todo.next() {
                Some((who, successor)) => {
                    if !self.follow(node, who, successor) {
                        return;
                    }
                }
                None => {
                    self.nodes[node as usize].is_on_path = false;
                    self.open.pop();
                }
            }
        }
    }

    /// Takes a step. Whether the search goes on.
    fn follow(&mut self, from: u32, who: Who, successor: Successor) -> bool {
        self.steps += 1;
        if self.steps >= self.limits.steps {
            self.hit.insert(Limit::Steps(self.limits.steps));
            return false;
        }
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            self.hit.insert(Limit::Cancelled);
            return false;
        }
        let Successor { stmt, choice, effect, state } = successor;
        self.work = self.work.saturating_add(state.size());
        if self.work >= self.bounds.work {
            self.hit.insert(Limit::Work(self.bounds.work));
            return false;
        }
        // To stay inside of the bounds loses runs and is said; it makes no run.
        if state.longest_queue() > self.bounds.messages {
            self.hit.insert(Limit::Messages(self.bounds.messages));
            return true;
        }
        let known = self.ids.get(&state).copied();
        if known.is_none() && self.nodes.len() >= self.limits.states {
            self.hit.insert(Limit::States(self.limits.states));
            return false;
        }
        let to = known.unwrap_or_else(|| self.enter(state));
        match effect {
            Effect::Failed(failure) => self.fail((Some(who.clone()), Some(stmt), failure), to),
            Effect::CutOff(trouble) => drop(self.hit.insert(Limit::Trouble(Some(stmt), trouble))),
            _ => {}
        }
        self.nodes[from as usize].edges.push((who, choice, to));
        true
    }

    /// Numbers a new state and makes it the one to follow.
    fn enter(&mut self, state: State) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { edges: Vec::new(), is_on_path: true });
        let todo = self.expand(&state);
        if todo.is_empty() {
            self.stop(&state, id);
        }
        self.ids.insert(state, id);
        self.open.push(Open { node: id, todo: todo.into_iter() });
        id
    }

    fn expand(&self, state: &State) -> Vec<(Who, Successor)> {
        if self.mode == Mode::Reduced {
            for who in reduce::ready(self.machine, state) {
                let successors = self.machine.successors(state, &who);
                // Who leads out of the bounds only would keep the others from ever being followed.
                let is_useful =
                    |next: &State| next != state && next.longest_queue() <= self.bounds.messages && !self.is_on_path(next);
                if successors.iter().any(|successor| is_useful(&successor.state)) {
                    return successors.into_iter().map(|successor| (who.clone(), successor)).collect();
                }
            }
        }
        let mut all = Vec::new();
        for who in self.machine.movers(state) {
            all.extend(self.machine.successors(state, &who).into_iter().map(|successor| (who.clone(), successor)));
        }
        all
    }

    fn is_on_path(&self, state: &State) -> bool {
        self.ids.get(state).is_some_and(|id| self.nodes[*id as usize].is_on_path)
    }

    /// Judges a state in which nobody can move.
    fn stop(&mut self, state: &State, id: u32) {
        if stopped_early(state) {
            return;
        }
        let waits = |pid: &Pid| !state.actors[pid.index()].is_over && !self.machine.is_idle(state, *pid);
        let waiting = self.machine.instance.pids().filter(waits);
        let waiting = waiting.filter_map(|pid| Some((pid, self.machine.stmt(state, &Who::Process(pid))?))).collect::<Vec<_>>();
        if !waiting.is_empty() {
            note(&mut self.findings.deadlocks, waiting, id);
            return;
        }
        let channels = state.channels.iter().map(|(channel, _)| *channel).collect::<Vec<_>>();
        if !channels.is_empty() {
            note(&mut self.findings.orphans, channels, id);
        }
        self.finals.insert(final_state(self.machine.program, self.machine.instance, state));
        for at in 0..self.machine.program.ensures.len() {
            match self.machine.ensures(state, at) {
                Ok(true) => {}
                Ok(false) => self.fail((None, None, Failure::Ensures(at as u32)), id),
                Err(trouble) if trouble.is_failure() => self.fail((None, None, Failure::Ensures(at as u32)), id),
                Err(trouble) => drop(self.hit.insert(Limit::Trouble(None, trouble))),
            }
        }
    }

    fn fail(&mut self, failure: WhatFailed, id: u32) {
        note(&mut self.findings.failures, failure, id);
    }

    fn outcome(self) -> Outcome {
        let parents = self.parents();
        let most = self.limits.reports;
        let trace_to = |id: u32| self.trace_to(&parents, id);
        let Findings { deadlocks, orphans, failures } = &self.findings;
        let deadlocks = deadlocks.iter().take(most);
        let orphans = orphans.iter().take(most);
        let failures = failures.iter().take(most);
        Outcome {
            deadlocks: deadlocks.map(|(waiting, id)| Deadlock { waiting: waiting.clone(), trace: trace_to(*id) }).collect(),
            orphans: orphans.map(|(channels, id)| Orphan { channels: channels.clone(), trace: trace_to(*id) }).collect(),
            failures: failures
                .map(|((who, stmt, failure), id)| Failed {
                    who: who.clone(),
                    stmt: *stmt,
                    failure: failure.clone(),
                    trace: trace_to(*id),
                })
                .collect(),
            limits: self.hit.iter().copied().collect(),
            has_sampled: self.machine.has_sampled(),
            states: self.nodes.len(),
            steps: self.steps,
            work: self.work,
            finals: self.finals,
        }
    }

    /// For each state the edge by which a shortest way from the start comes to it.
    fn parents(&self) -> Vec<Option<(u32, usize)>> {
        let mut parents = vec![None; self.nodes.len()];
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(node) = queue.pop_front() {
            for (at, (_, _, to)) in self.nodes[node as usize].edges.iter().enumerate() {
                if *to != 0 && parents[*to as usize].is_none() {
                    parents[*to as usize] = Some((node, at));
                    queue.push_back(*to);
                }
            }
        }
        parents
    }

    fn trace_to(&self, parents: &[Option<(u32, usize)>], id: u32) -> Trace {
        let mut choices = Vec::new();
        let mut node = id;
        while let Some((parent, at)) = parents[node as usize] {
            let (who, choice, _) = &self.nodes[parent as usize].edges[at];
            choices.push((who.clone(), choice.clone()));
            node = parent;
        }
        choices.reverse();
        trace::of_choices(self.machine, &choices)
    }
}

/// Remembers a thing the first time it is seen.
fn note<T: PartialEq>(list: &mut Vec<(T, u32)>, thing: T, id: u32) {
    if !list.iter().any(|(other, _)| *other == thing) {
        list.push((thing, id));
    }
}

/// Whether somebody stopped before the run could end: it failed, the run does not count, or it is not known how it goes on.
fn stopped_early(state: &State) -> bool {
    let threads = state.actors.iter().map(|actor| &actor.thread);
    let sequential = state.sequential.iter().flat_map(|sequential| sequential.threads.iter().map(|thread| &thread.thread));
    threads.chain(sequential).any(|thread| thread.status != Status::Runs)
}

/// The part of a final state that is compared: no ghosts.
pub fn final_state(program: &Program, instance: &Instance, state: &State) -> FinalState {
    let of_actor = |pid: Pid| {
        let vars = instance.actor(pid).process.map(|process| &program.process(process).code.vars[..]).unwrap_or_default();
        let values = vars.iter().zip(&state.actors[pid.index()].vars).filter(|(var, _)| !var.is_ghost);
        values.map(|(_, value)| value.clone()).collect()
    };
    instance.pids().map(of_actor).collect()
}

impl Machine<'_> {
    /// Whether an `ensures` holds in a state.
    pub fn ensures(&self, state: &State, at: usize) -> Result<bool, Trouble> {
        let mut scope = Scope::of_state(self.program, self.instance, state);
        let holds = scope.holds(&self.program.ensures[at].condition);
        self.note_sampled(scope.has_sampled);
        holds
    }
}
