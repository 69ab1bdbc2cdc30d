//! The search for something that is really wrong, in all runs of small instances.
//!
//! Invariant: what is found was replayed by the plain interpreter, and its end looked at again. What the budget does not suffice for
//! is left out and said so.

use lockstep_base::Diagnostic;

use crate::program::{Program, StmtId};
use crate::run::search::{Deadlock, Failed, Orphan};
use crate::run::state::{Effect, Failure, Status, Trace, Who};
use crate::run::step::Machine;
use crate::run::value::Pid;
use crate::run::{Bounds, Domains, Instance, Limit, Limits, Mode, Outcome, State, explore_within, instance, instances, replay};

use super::{Budget, Bug, bugs};

/// Sets are tried with at most so many members; with one more if that is cheap.
const LARGEST: u32 = 2;

/// First, runs are followed only as long as no channel has more messages: most bugs need few, and an endless sender would take the search
/// away from everything else. What is seen of larger ones follows if anything is left of the budget.
const MOST_MESSAGES: usize = 16;

/// The most instances that are tried: combinations of sizes, subsets and constants.
const MOST_INSTANCES: usize = 2_000;

pub(super) struct Hunt {
    /// On the smallest instance that shows something.
    pub found: Option<Found>,
    /// Those that were searched, smallest first; the last one shows what was found.
    pub tried: Vec<Instance>,
    /// Up to which size of sets everything was seen, and nothing was wrong.
    pub clean_up_to: Option<u32>,
    /// Why not everything was seen, in words.
    pub limit: Option<String>,
}

/// The most states that are kept of a program: those of one with many loops inside of each other are large.
pub(super) fn most_states(program: &Program, states: usize) -> usize {
    // Statements are numbered before those they contain.
    let mut depth = vec![1; program.stmts.len()];
    for outer in (0..).map(StmtId).take(program.stmts.len()) {
        for inner in program.blocks(outer).into_iter().flat_map(|block| block.iter()) {
            depth[inner.index()] = depth[outer.index()] + 1;
        }
    }
    let deepest = depth.into_iter().max().unwrap_or(1);
    states.min(2_000_000 / deepest)
}

/// At least one of them is not empty.
#[derive(Default)]
pub(super) struct Found {
    pub deadlocks: Vec<Deadlock>,
    pub orphans: Vec<Orphan>,
    pub failures: Vec<Failed>,
}

/// Searches until something is found, nothing is left to try, or the budget is spent.
pub(super) fn hunt(program: &Program, budget: &Budget) -> Hunt {
    let mut hunt = Hunt { found: None, tried: Vec::new(), clean_up_to: None, limit: None };
    let budget = &Budget { states: most_states(program, budget.states), ..budget.clone() };
    let mut left = budget.clone();
    for largest in [LARGEST, LARGEST + 1] {
        let is_cheap = left.states > budget.states / 2
            && left.steps > budget.steps / 2
            && left.work > budget.work / 2
            && !program.sets.is_empty();
        if largest > LARGEST && (!is_cheap || hunt.limit.is_some()) {
            break;
        }
        let (list, missing) = small_instances(program, largest);
        let was_tried = |instance: &Instance| largest > LARGEST && largest_set(instance) < largest as usize;
        let list: Vec<Instance> = list.into_iter().filter(|instance| !was_tried(instance)).collect();
        if largest > LARGEST && missing.is_some() {
            break;
        }
        hunt.limit = missing;
        hunt.search(program, list, budget, &mut left);
        if hunt.found.is_some() || hunt.limit.is_some() {
            break;
        }
        hunt.clean_up_to = Some(largest);
    }
    // A larger size that was only begun takes nothing from what was seen of the smaller ones.
    if hunt.clean_up_to.is_some() {
        hunt.limit = None;
    }
    hunt
}

impl Hunt {
    /// What was found, as a bug and as findings.
    pub(super) fn report(&self, program: &Program) -> (Option<Bug>, Vec<Diagnostic>) {
        let told = self.found.as_ref().zip(self.tried.last()).and_then(|(found, at)| bugs::report(program, at, found));
        told.map_or((None, Vec::new()), |(bug, findings)| (Some(bug), findings))
    }

    /// How far the search came without finding anything.
    pub(super) fn sentence(&self, commutes: bool) -> String {
        let orders = if commutes { ", and the order of messages makes no difference" } else { "" };
        match (&self.limit, self.clean_up_to) {
            (Some(limit), _) => format!("the search for bugs was given up ({limit})"),
            (None, Some(size)) if self.tried.iter().any(|instance| largest_set(instance) > 0) => {
                format!("no run with sets of up to {size} members goes wrong{orders}")
            }
            (None, Some(_)) if self.tried.is_empty() => "there is no small instance to try".to_owned(),
            (None, Some(_)) => format!("no run goes wrong{orders}"),
            (None, None) => "the search for bugs found nothing".to_owned(),
        }
    }

    fn search(&mut self, program: &Program, list: Vec<Instance>, budget: &Budget, left: &mut Budget) {
        for instance in list {
            let mut outcome = explored(program, &instance, left, MOST_MESSAGES);
            let mut found = Found::of(program, &instance, &mut outcome);
            if found.is_empty() && outcome.limits == [Limit::Messages(MOST_MESSAGES)] {
                outcome = explored(program, &instance, left, usize::MAX);
                found = Found::of(program, &instance, &mut outcome);
            }
            self.tried.push(instance);
            if !found.is_empty() {
                self.found = Some(found);
                return;
            }
            if let Some(limit) = outcome.limits.first() {
                self.limit = Some(words(limit, budget));
                if !matches!(limit, Limit::Trouble(..)) {
                    return;
                }
            }
        }
    }
}

/// All runs of an instance, as far as what is left of the budget allows, which is then less.
fn explored(program: &Program, instance: &Instance, left: &mut Budget, messages: usize) -> Outcome {
    let limits = Limits { states: left.states, steps: left.steps, reports: 20, cancel: left.cancel.clone() };
    let outcome = explore_within(program, instance, Mode::Reduced, &limits, Bounds { work: left.work, messages });
    left.states = left.states.saturating_sub(outcome.states);
    left.steps = left.steps.saturating_sub(outcome.steps);
    left.work = left.work.saturating_sub(outcome.work);
    outcome
}

/// The most members that a set has.
pub(super) fn largest_set(instance: &Instance) -> usize {
    instance.members.iter().map(Vec::len).max().unwrap_or(0)
}

/// All instances up to a size, if they are not too many; else those in which all sets are equally large. And what is missing.
fn small_instances(program: &Program, largest: u32) -> (Vec<Instance>, Option<String>) {
    let domains = Domains { most_instances: MOST_INSTANCES, ..Domains::of(program) };
    let ways_of_set = |set: &crate::program::Set| match set.superset {
        None => u64::from(largest) + 1,
        Some(_) => 1 << largest,
    };
    let ways = program.sets.iter().map(ways_of_set).fold(1_u64, u64::saturating_mul);
    if ways <= MOST_INSTANCES as u64 {
        let all = instances(program, largest, &domains);
        return (all.list, all.missing.into_iter().next());
    }
    let equal = |size: u32| instance(program, &vec![size; program.sets.len()], &[], &domains).ok();
    ((0..=largest).filter_map(equal).collect(), Some("there are too many combinations of sizes to try".to_owned()))
}

fn words(limit: &Limit, budget: &Budget) -> String {
    match limit {
        Limit::States(_) => format!("more than {} states", budget.states),
        Limit::Steps(_) => format!("more than {} steps", budget.steps),
        Limit::Messages(messages) => format!("more than {messages} messages in one channel"),
        Limit::Work(_) => "its states have become too large".to_owned(),
        Limit::Cancelled => "the search was stopped".to_owned(),
        Limit::Trouble(_, trouble) => trouble.words().to_owned(),
    }
}

impl Found {
    /// What an outcome shows, as far as the plain interpreter confirms it.
    fn of(program: &Program, instance: &Instance, outcome: &mut Outcome) -> Self {
        let mut found = Self {
            deadlocks: std::mem::take(&mut outcome.deadlocks),
            orphans: std::mem::take(&mut outcome.orphans),
            failures: std::mem::take(&mut outcome.failures),
        };
        found.keep_what_replays(program, instance);
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.deadlocks.is_empty() && self.orphans.is_empty() && self.failures.is_empty()
    }

    /// Leaves out what the plain interpreter does not confirm, and puts what needs few steps first.
    fn keep_what_replays(&mut self, program: &Program, instance: &Instance) {
        let machine = Machine::new(program, instance);
        let end = |trace: &Trace| replay(program, instance, trace).ok();
        self.deadlocks.retain(|deadlock| {
            end(&deadlock.trace).is_some_and(|state| is_still(&machine, &state) && waiting(&machine, &state) == deadlock.waiting)
        });
        self.orphans.retain(|orphan| {
            let is_left = |state: &State| orphan.channels.iter().all(|channel| !state.queue(channel).is_empty());
            end(&orphan.trace)
                .is_some_and(|state| is_still(&machine, &state) && waiting(&machine, &state).is_empty() && is_left(&state))
        });
        self.failures.retain(|failed| end(&failed.trace).is_some_and(|state| is_failure(&machine, &state, failed)));
        self.deadlocks.sort_by_key(|deadlock| deadlock.trace.len());
        self.orphans.sort_by_key(|orphan| orphan.trace.len());
        self.failures.sort_by_key(|failed| failed.trace.len());
    }
}

/// Whether nobody can move, and nobody has stopped before its end.
fn is_still(machine: &Machine<'_>, state: &State) -> bool {
    state.actors.iter().all(|actor| actor.thread.status == Status::Runs)
        && machine.movers(state).iter().all(|who| machine.successors(state, who).is_empty())
}

/// Who waits for something, and where.
pub(super) fn waiting(machine: &Machine<'_>, state: &State) -> Vec<(Pid, StmtId)> {
    let waits = |pid: &Pid| !state.actors[pid.index()].is_over && !machine.is_idle(state, *pid);
    let waiting = machine.instance.pids().filter(waits);
    waiting.filter_map(|pid| Some((pid, machine.stmt(state, &Who::Process(pid))?))).collect()
}

fn is_failure(machine: &Machine<'_>, state: &State, failed: &Failed) -> bool {
    match (&failed.failure, failed.trace.last()) {
        (Failure::Ensures(at), _) => machine.ensures(state, *at as usize) != Ok(true),
        // Already wrong before the first step: an initial value, or an invariant.
        (_, None) => true,
        (failure, Some(last)) => last.effect == Effect::Failed(failure.clone()),
    }
}
