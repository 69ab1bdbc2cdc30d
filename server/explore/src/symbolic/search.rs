//! All behaviours, level by level, with sets of states as guards.
//!
//! A level is every state that is reached after so many steps and no fewer. All that can be done in some of its states is done, group by group
//! (`system.rs`), what comes out is put together, and what was there before is taken away; when nothing is left, that was all. Sets of states
//! do not know how they were reached, so a run to a state is found backwards, by making the steps of each level once more.

mod reduced;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lockstep_runtime::{Configuration, Control, Decision, Ending, Failure, Fault, Program, Temperature, Trace, Unsupported};

use super::cells::{Cells, Owner, Skeleton};
use super::filters::Filters;
use super::guard::{Assignment, Guard, Guards, Over, Variable};
use super::summaries::{Chosen, Space};
use super::system::{Group, Stepped, System};
use crate::counterexample;
use crate::footprint::Footprints;
use crate::options::{Options, Reduction};
use crate::report::{Bug, Certainty, Covered, Ends, Exhausted, Outcome, Progress, Report, Stats, Symbolic, Why};
use crate::search::Observer;
use crate::symmetry;

/// Nodes of one guard, at most, whatever memory there is.
const MOST_NODES: usize = 40_000_000;
/// What a node takes.
const NODE: u64 = 12;
/// How often it is looked whether somebody wants an end.
const PAUSE: Duration = Duration::from_millis(20);
/// How often a set of states is halved because something becomes too large with all of them.
const HALVINGS: u32 = 10;
/// Instructions of one run; each can take long here.
const INSTRUCTIONS: u64 = 2_000_000;

/// Searches all behaviours with sets of states. Says nothing about runs without an end.
pub(crate) fn search(program: &Program, options: &Options, observer: &mut Observer<'_>) -> Report {
    search_with(program, options, observer, &mut |_| {}, &mut |_| {})
}

/// What a search does with guards, as `recording.rs` writes it down.
pub fn recorded(program: &Program, options: &Options, observer: &mut Observer<'_>) -> String {
    let mut text = String::new();
    search_with(program, options, observer, &mut Guards::record, &mut |guards| text = guards.recorded().unwrap_or_default());
    text
}

fn search_with(
    program: &Program,
    options: &Options,
    observer: &mut Observer<'_>,
    before: &mut dyn FnMut(&mut Guards),
    after: &mut dyn FnMut(&mut Guards),
) -> Report {
    let mut settings = options.settings;
    settings.limits.instructions = settings.limits.instructions.min(INSTRUCTIONS);
    let memory = options.budgets.memory.unwrap_or(u64::MAX);
    // An image takes several times what it leads to.
    let most_nodes = usize::try_from(memory / NODE / 8).unwrap_or(MOST_NODES).clamp(1_000, MOST_NODES);
    let begun = Instant::now();
    let deadline = options.budgets.time.and_then(|time| begun.checked_add(time));
    let cancel = Arc::new(AtomicBool::new(false));
    let mut guards = Guards::new(most_nodes, options.budgets.guard_nodes, deadline, cancel.clone());
    before(&mut guards);
    let falsehood = guards.falsehood();
    let space = Space { guards, cells: Cells::default() };
    let system = System { program, settings: &settings, pauses: settings.pauses(program), space };
    let mut search = Search {
        options,
        system,
        begun,
        told: begun,
        seen: falsehood,
        seen_variables: 0,
        levels: Vec::new(),
        ends: Ends::default(),
        runs: 0,
        runs_apart: 0,
        limit: None,
        unsupported: None,
        largest: 0,
        filters: Filters {
            footprints: options.reduction.partial_order.then(|| Footprints::new(program)),
            has_twins: options.reduction.symmetry && symmetry::is_of_use(program),
        },
        reduced: 0,
        spared: 0,
    };
    let report = std::thread::scope(|scope| {
        let (wanted, is_done) = (observer.cancel, Arc::new(AtomicBool::new(false)));
        let is_seen_done = is_done.clone();
        // Guards are everywhere; that somebody wants an end is told to them from beside.
        let watching = scope.spawn(move || {
            while !is_seen_done.load(Ordering::Relaxed) && !cancel.load(Ordering::Relaxed) {
                std::thread::park_timeout(PAUSE);
                cancel.store(wanted.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        });
        // Also if the search panics: everybody would wait for the watcher.
        let _done = Done(is_done, watching.thread().clone());
        search.run(observer)
    });
    after(&mut search.system.space.guards);
    report
}

/// Ends the watching when it goes.
struct Done(Arc<AtomicBool>, std::thread::Thread);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

struct Search<'a> {
    options: &'a Options,
    system: System<'a>,
    begun: Instant,
    told: Instant,
    /// All states that were reached, and how many variables there were when it was said of all of them that they are false in them.
    seen: Guard,
    seen_variables: usize,
    levels: Vec<Level>,
    ends: Ends,
    /// Handlers that were run, each for a group of states.
    runs: u64,
    /// How many it would be without groups.
    runs_apart: u64,
    limit: Option<Why>,
    unsupported: Option<Unsupported>,
    /// Of all levels, the most states.
    largest: u64,
    filters: Filters,
    /// States in which not all steps were made, because their order does not matter, or because others are the same.
    reduced: u64,
    spared: u64,
}

struct Level {
    states: Guard,
    /// How many variables there were.
    variables: usize,
}

/// Something that goes wrong in a state: in a step, or because there is none.
struct Wrong {
    state: Assignment,
    last: Option<Decision>,
    failure: Failure,
}

impl Search<'_> {
    fn run(&mut self, observer: &mut Observer<'_>) -> Report {
        let initial = match Configuration::initial(self.system.program, self.system.settings) {
            Ok(initial) => initial,
            Err(Ending::Failed(failure)) => {
                let bug = self.shown(Trace::default(), *failure);
                return self.report(Some(bug), None);
            }
            Err(Ending::Limited(limit)) => return self.report(None, Some(Why::Run(limit))),
            Err(Ending::Unsupported(what)) => {
                self.unsupported = Some(what);
                return self.report(None, None);
            }
            Err(Ending::NeedsChoice(_)) => return self.report(None, Some(Why::Answers(0))),
        };
        let first = self.system.initial(&initial);
        self.seen = first.clone();
        self.seen_variables = self.system.space.cells.variables().len();
        let mut states = first;
        loop {
            self.keep(&states);
            match self.level(&states, observer) {
                Err(why) => return self.report(None, Some(why)),
                Ok(Expanded::Wrong(wrong)) => {
                    let bug = match self.trace(&wrong) {
                        Ok(trace) => self.shown(trace, wrong.failure),
                        Err(why @ Why::NotReplayed(_)) => Err(why),
                        Err(why) => Err(Why::NotTraced(Box::new(wrong.failure), Box::new(why))),
                    };
                    return self.report(Some(bug), None);
                }
                Ok(Expanded::Next(next)) if next.is_false() => {
                    let limit = self.limit.take();
                    return self.report(None, limit);
                }
                Ok(Expanded::Next(next)) => states = next,
            }
        }
    }

    fn keep(&mut self, states: &Guard) {
        let Space { guards, cells } = &self.system.space;
        self.largest = self.largest.max(cells.count(guards, states));
        self.levels.push(Level { states: states.clone(), variables: cells.variables().len() });
        let budgets = &self.options.budgets;
        if let Some(nodes) = budgets.guard_nodes {
            guards.allow(nodes.saturating_add(budgets.guard_nodes_of_state.saturating_mul(self.states())));
        }
    }

    /// Everything that can happen in the states of a level: what is new, or what goes wrong.
    fn level(&mut self, states: &Guard, observer: &mut Observer<'_>) -> Result<Expanded, Why> {
        let (groups, moving) = self.system.groups(states);
        let stuck = self.system.space.guards.minus(states, &moving);
        let wrong = self.stuck(&stuck);
        // Nothing of this is done again in halves.
        self.excess()?;
        if let Some((state, failure)) = wrong {
            return Ok(Expanded::Wrong(Box::new(Wrong { state, last: None, failure })));
        }
        let mut level = Sets { states: states.clone(), next: self.system.space.guards.falsehood() };
        if let Some(expanded) = self.reduced_level(&mut level, &groups, observer)? {
            return Ok(expanded);
        }
        for group in &groups {
            self.spent(observer)?;
            let whole = level.states.clone();
            if let Some(wrong) = self.group(&mut level, &whole, group, HALVINGS)? {
                return Ok(Expanded::Wrong(Box::new(wrong)));
            }
            self.tell(observer, states);
        }
        self.seen_now(&level.next)
    }

    /// What is new of the states that a level leads to.
    fn seen_now(&mut self, next: &Guard) -> Result<Expanded, Why> {
        let guards = &self.system.space.guards;
        let new = guards.minus(next, &self.seen);
        let seen = guards.or(&self.seen, &new);
        self.excess()?;
        self.seen = seen;
        Ok(Expanded::Next(new))
    }

    /// Makes a group of steps in some states of a level; in halves, if it becomes too large.
    fn group(&mut self, level: &mut Sets, states: &Guard, group: &Group, halvings: u32) -> Result<Option<Wrong>, Why> {
        debug_assert!(!self.system.space.guards.is_exceeded(), "somebody has not looked at the mark");
        let before = self.system.space.cells.variables().len();
        let stepped = self.system.step(states, group);
        self.runs += 1;
        self.runs_apart += group.size();
        let is_excess = self.gives_up()?;
        // What is kept must be right whatever becomes of the step.
        let states = self.grown(level, states, before)?;
        if is_excess {
            return self.in_halves(level, &states, group, halvings);
        }
        // Before it is asked whether something became too large: what fails can, too.
        let wrong = self.wrong(&states, group, &stepped);
        if wrong.is_some() {
            return Ok(wrong);
        }
        let image = stepped.relation.image(&self.system.space, &states);
        let all = self.system.space.guards.or(&level.next, &image);
        if self.gives_up()? {
            return self.in_halves(level, &states, group, halvings);
        }
        level.next = all;
        self.limit = self.limit.take().or(stepped.limit.map(Why::Run));
        self.unsupported = self.unsupported.take().or(stepped.unsupported);
        Ok(None)
    }

    /// Makes a group of steps in two halves of some states, if they can still be halved so often.
    fn in_halves(&mut self, level: &mut Sets, states: &Guard, group: &Group, halvings: u32) -> Result<Option<Wrong>, Why> {
        let halvings = halvings.checked_sub(1).ok_or_else(|| self.too_large())?;
        let bit = self.halving(states)?;
        let mut variables = self.system.space.cells.variables().len();
        let mut rest = states.clone();
        for value in [false, true] {
            // The first half may have brought new variables.
            let Space { guards, cells } = &self.system.space;
            rest = cells.since(guards, &rest, variables);
            variables = cells.variables().len();
            let half = guards.and(&rest, &guards.literal(bit, value));
            self.excess()?;
            if !half.is_false()
                && let Some(wrong) = self.group(level, &half, group, halvings)?
            {
                return Ok(Some(wrong));
            }
        }
        Ok(None)
    }

    /// A variable that is not the same in all of these states, which are too many to go on with.
    fn halving(&self, states: &Guard) -> Result<Variable, Why> {
        let bit = self.system.space.cells.halving(&self.system.space.guards, states);
        self.excess()?;
        bit.ok_or_else(|| self.too_large())
    }

    /// New variables are false in all that was there before. Gives the states with that.
    fn grown(&mut self, level: &mut Sets, states: &Guard, before: usize) -> Result<Guard, Why> {
        let Space { guards, cells } = &self.system.space;
        if cells.variables().len() == before {
            return Ok(states.clone());
        }
        let grown = |set: &Guard| cells.since(guards, set, before);
        let (all, next, seen, states) = (grown(&level.states), grown(&level.next), grown(&self.seen), grown(states));
        self.excess()?;
        (level.states, level.next, self.seen) = (all, next, seen);
        self.seen_variables = self.system.space.cells.variables().len();
        Ok(states)
    }

    /// A step of the group that goes wrong.
    fn wrong(&self, states: &Guard, group: &Group, stepped: &Stepped) -> Option<Wrong> {
        let guards = &self.system.space.guards;
        let mut found =
            stepped.failures.iter().filter_map(|(guard, failure)| Some((guards.and(states, guard).witness()?, failure)));
        let (state, failure) = found.next()?;
        let last = Some(Decision { step: group.step(), answers: answers(&stepped.chosen, &state) });
        Some(Wrong { state, last, failure: failure.clone() })
    }

    /// What is wrong with states in which nothing can be done.
    fn stuck(&mut self, stuck: &Guard) -> Option<(Assignment, Failure)> {
        if stuck.is_false() {
            return None;
        }
        let mut blocked = self.system.space.guards.falsehood();
        let mut deferred = self.system.space.guards.falsehood();
        for number in 0..self.system.space.cells.machine_count() {
            for (skeleton, guard) in self.system.skeletons(Owner::Machine(number), stuck) {
                let guards = &self.system.space.guards;
                if matches!(skeleton.local.control, Control::Receiving) {
                    blocked = guards.or(&blocked, &guard);
                }
                if !skeleton.queue.is_empty() {
                    deferred = guards.or(&deferred, &guard);
                }
            }
        }
        let hot = self.hot(stuck);
        let guards = &self.system.space.guards;
        let blocked = guards.and(stuck, &blocked);
        let deferred = guards.minus(&guards.and(stuck, &deferred), &blocked);
        let count = |set: &Guard| self.system.space.cells.count(guards, set);
        let all = count(stuck);
        self.ends.blocked += count(&blocked);
        self.ends.with_deferred += count(&deferred);
        self.ends.normal += all.saturating_sub(count(&blocked)).saturating_sub(count(&deferred));
        let wrong = guards.or(&blocked, &guards.and(stuck, &hot));
        let state = wrong.witness()?;
        let configuration = self.system.configuration(&state);
        let failure = configuration.stuck(self.system.program)?;
        Some((state, failure))
    }

    /// Where a spec is in a hot state.
    fn hot(&mut self, states: &Guard) -> Guard {
        let program = self.system.program;
        let mut hot = self.system.space.guards.falsehood();
        for (number, monitor) in (0..).zip(&program.monitors) {
            let is_hot = |skeleton: &Skeleton| {
                program.state(skeleton.local.machine, skeleton.local.state).temperature == Temperature::Hot
                    && !monitor.is_scenario
            };
            for (skeleton, guard) in self.system.skeletons(Owner::Monitor(number), states) {
                if is_hot(&skeleton) {
                    hot = self.system.space.guards.or(&hot, &guard);
                }
            }
        }
        hot
    }

    /// A run to what is wrong.
    fn trace(&mut self, wrong: &Wrong) -> Result<Trace, Why> {
        // What has been found is shown, however long that takes: about as long as it took to find it.
        self.system.space.guards.lift_bounds();
        let mut decisions: Vec<Decision> = wrong.last.clone().into_iter().collect();
        let mut state = wrong.state.clone();
        let mut levels = std::mem::take(&mut self.levels);
        levels.pop();
        while let Some(level) = levels.pop() {
            let states = {
                let Space { guards, cells } = &self.system.space;
                cells.since(guards, &level.states, level.variables)
            };
            let Some((decision, before)) = self.before(&states, &state, HALVINGS)? else {
                let fault = Fault::AssertionFailed { message: Some("no run leads to a state that was reached".to_owned()) };
                return Err(Why::NotReplayed(Box::new(Failure { fault, who: String::new(), state: "".into(), place: None })));
            };
            decisions.push(decision);
            state = before;
        }
        decisions.reverse();
        Ok(Trace { decisions })
    }

    /// One of these states that leads to a state, and how; in halves, if that becomes too large.
    fn before(&mut self, states: &Guard, next: &Assignment, halvings: u32) -> Result<Option<(Decision, Assignment)>, Why> {
        let (groups, _) = self.system.groups(states);
        self.excess()?;
        let variables = self.system.space.cells.variables().len();
        for group in &groups {
            let stepped = self.system.step(states, group);
            let before = stepped.relation.before(&self.system.space, states, next).witness();
            if self.gives_up()? {
                let halvings = halvings.checked_sub(1).ok_or_else(|| self.too_large())?;
                // A step that was given up may have brought new variables.
                let states = self.system.space.cells.since(&self.system.space.guards, states, variables);
                let bit = self.halving(&states)?;
                for value in [false, true] {
                    let guards = &self.system.space.guards;
                    let half = guards.and(&states, &guards.literal(bit, value));
                    self.excess()?;
                    if let Some(found) = self.before(&half, next, halvings)? {
                        return Ok(Some(found));
                    }
                }
                return Ok(None);
            }
            if let Some(before) = before {
                let answers = answers(&stepped.chosen, &before);
                return Ok(Some((Decision { step: group.step(), answers }, before)));
            }
        }
        Ok(None)
    }

    /// A bug, if the plain interpreter shows it too.
    fn shown(&self, trace: Trace, failure: Failure) -> Result<Bug, Why> {
        match counterexample::shown(self.system.program, &self.options.settings, &trace, &failure) {
            Some(failure) => Ok(Bug { failure, trace, repeats_from: None }),
            None => Err(Why::NotReplayed(Box::new(failure))),
        }
    }

    /// Why nothing more can be done.
    fn why(&self, over: Over) -> Why {
        let budgets = &self.options.budgets;
        match over {
            Over::Time => Why::Time(budgets.time.unwrap_or_default()),
            Over::Nodes => Why::Nodes(self.system.space.guards.allowed()),
            Over::Cancelled => Why::Cancelled,
            Over::Variables => self.too_large(),
        }
    }

    /// A guard became too large, or it is over.
    fn excess(&self) -> Result<(), Why> {
        let guards = &self.system.space.guards;
        if !guards.is_exceeded() {
            return Ok(());
        }
        Err(guards.over().map_or_else(|| self.too_large(), |over| self.why(over)))
    }

    /// Whether a guard became too large, which is forgotten then: there may be another try.
    fn gives_up(&self) -> Result<bool, Why> {
        let guards = &self.system.space.guards;
        if !guards.is_exceeded() {
            return Ok(false);
        }
        if !guards.forget_excess() {
            self.excess()?;
        }
        Ok(true)
    }

    fn too_large(&self) -> Why {
        Why::Guards(self.system.space.guards.largest() as u64)
    }

    fn spent(&self, observer: &Observer<'_>) -> Result<(), Why> {
        let budgets = &self.options.budgets;
        if observer.cancel.load(Ordering::Relaxed) {
            return Err(Why::Cancelled);
        }
        if let Some(over) = self.system.space.guards.look() {
            return Err(self.why(over));
        }
        if let Some(most) = budgets.states.filter(|most| self.states() >= *most) {
            return Err(Why::States(most));
        }
        match budgets.memory.filter(|most| self.bytes() > *most) {
            Some(most) => Err(Why::Memory(most)),
            None => Ok(()),
        }
    }

    fn states(&self) -> u64 {
        let Space { guards, cells } = &self.system.space;
        cells.count_since(guards, &self.seen, self.seen_variables)
    }

    fn bytes(&self) -> u64 {
        let nodes: usize = self.levels.iter().map(|level| level.states.size()).sum::<usize>() + self.seen.size();
        nodes as u64 * NODE
    }

    #[allow(clippy::cast_precision_loss)]
    fn tell(&mut self, observer: &mut Observer<'_>, states: &Guard) {
        if self.told.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.told = Instant::now();
        let all = self.states();
        (observer.progress)(&Progress {
            states: all,
            transitions: self.runs,
            states_per_second: all as f64 / self.begun.elapsed().as_secs_f64(),
            frontier: self.system.space.cells.count(&self.system.space.guards, states),
            depth: u32::try_from(self.levels.len()).unwrap_or(u32::MAX),
            memory: self.bytes(),
            nodes: Some(self.seen.size() as u64),
        });
    }

    fn report(&mut self, bug: Option<Result<Bug, Why>>, why: Option<Why>) -> Report {
        let (states, memory) = (self.states(), self.bytes());
        let depth = u32::try_from(self.levels.len()).unwrap_or(u32::MAX).saturating_sub(1);
        let (bugs, why) = match bug {
            Some(Ok(bug)) => (vec![bug], None),
            Some(Err(why)) => (Vec::new(), Some(why)),
            None => (Vec::new(), why),
        };
        let is_by_level = self.reduced + self.spared == 0 && self.limit.is_none() && !matches!(why, Some(Why::Run(_)));
        let covered = Covered { states, transitions: self.runs, depth: is_by_level.then_some(depth).filter(|depth| *depth > 0) };
        let outcome = match (bugs.first(), why, self.unsupported.take()) {
            (Some(bug), _, _) => Outcome::Bug(Box::new(bug.clone())),
            (None, _, Some(what)) => Outcome::Unsupported(what),
            (None, Some(why), None) => Outcome::Unknown { why, covered },
            (None, None, None) => {
                Outcome::Exhausted(Exhausted { states, transitions: self.runs, depth, certainty: Certainty::Exact })
            }
        };
        let guards = &self.system.space.guards;
        let symbolic = Symbolic {
            runs: self.runs,
            runs_apart: self.runs_apart,
            operations: guards.operations(),
            gone_through: guards.gone_through(),
            largest: guards.largest() as u64,
            variables: self.system.space.cells.variables().len() as u64,
            nodes: self.seen.size() as u64,
        };
        let stats = Stats {
            states,
            transitions: self.runs,
            depth,
            ends: self.ends,
            frontier: self.largest,
            reduction: Reduction {
                partial_order: self.filters.footprints.is_some(),
                symmetry: self.spared > 0,
                monotonic: false,
            },
            reduced: self.reduced,
            machines: u64::from(self.system.space.cells.machine_count()),
            runs: self.runs,
            memory,
            seconds: self.begun.elapsed().as_secs_f64(),
            symbolic: Some(symbolic),
            ..Stats::default()
        };
        Report { outcome, bugs, left_behind: None, stopped: None, hints: None, safe: None, stats }
    }
}

/// The states of a level, and what they lead to so far.
struct Sets {
    states: Guard,
    next: Guard,
}

enum Expanded {
    Next(Guard),
    Wrong(Box<Wrong>),
}

/// What was chosen in the steps of one state.
fn answers(chosen: &[Chosen], state: &Assignment) -> Vec<u32> {
    let made = chosen.iter().filter(|chosen| chosen.case.holds(state));
    made.map(|chosen| (0..).zip(&chosen.bits).fold(0, |sum, (place, bit)| sum | u32::from(state.get(*bit)) << place)).collect()
}
