//! What a component can do next, found out once for the whole search.
//!
//! A run of a handler is a function of what the machine knows, of what it is given and of the answers to its choices, so runs are
//! kept by the first two (`Shared::runs`), each with all answers there are. What a component can do is put together from runs and
//! what its queue offers, and kept with the component.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lockstep_runtime::{
    AbstractionId, Action, Choice, Choices, Concrete, Delivery, Effect as RunEffect, End, Failure, Input, Limit, Local, Machine,
    MonitorId, Pauses, Program, Ran, Run, Settings, Suspended, Unsupported, go_on, run_to_choice, start_monitor, tell_monitor,
};
use rustc_hash::FxHashMap;

use crate::options::Budgets;
use crate::tables::{BOXED, Component, MONITORS, SHARED, Tables, Who};

/// What all workers know together.
pub(crate) struct Shared<'a> {
    pub(crate) program: &'a Program,
    pub(crate) settings: Settings,
    pauses: Pauses,
    most_answers: u64,
    most_bytes: u64,
    cancel: &'a AtomicBool,
    pub(crate) deadline: Option<Instant>,
    /// Whether nothing is cut short: what was found is made again, for a trace.
    is_unbounded: AtomicBool,
    /// For each abstraction, whether it ever took something together.
    together: Vec<AtomicBool>,
    tables: Mutex<Tables>,
    /// By what the machine knows and is given.
    runs: Mutex<FxHashMap<Situation, Runs>>,
    /// How many runs were made, each counted once as long as they are kept.
    run_count: AtomicU64,
    /// Runs that somebody looked at up to their first choice, until all of their answers are asked for.
    begun: Mutex<FxHashMap<Situation, (Choice, Box<Suspended>)>>,
    /// Of everybody who can do nothing.
    nothing: Arc<Steps>,
}

/// What a machine knows, by number, and what it is given.
type Situation = (u32, Given);

/// All runs of a machine from one situation, in the order of the answers.
type Runs = Arc<[Arc<Outcome>]>;

/// How often a monitor is run to find out what can become of it by one event, at most.
const MOST_TOLD: u32 = 1_000;

/// Choices in one run. Each answer keeps those before it, so a run that asks for ever costs the square of its answers.
const MOST_CHOICES: usize = 1_000;

/// Answers between two questions whether there is time and memory for more.
const ANSWERS_BETWEEN: usize = 16;

/// What a list of runs takes without the runs: its place in a table that is never quite full, and its head.
const RUNS: u64 = (size_of::<(Situation, Runs)>() * 3 / 2) as u64 + SHARED;

/// What something shared of this size takes with its lists.
fn heap<const N: usize>(size: usize, lists: [usize; N]) -> u64 {
    let boxes = lists.iter().filter(|list| **list > 0).count() as u64;
    (size + lists.iter().sum::<usize>()) as u64 + SHARED + BOXED * boxes
}

/// What a machine is given, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Given {
    Go,
    Null,
    Message(u32),
}

/// Everything a component can do next.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// In the order of actions and answers.
    pub(crate) all: Box<[Transition]>,
    pub(crate) touched: Touched,
}

/// What is known of a component without trying all answers to its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// It can do nothing.
    Idle,
    /// It can do one thing, and nobody else can tell when it does.
    Alone,
    /// It can do one thing.
    Single,
    /// It can do several things, or one that depends on a choice, or one that goes wrong.
    Several,
}

/// A monitor after an event: its component, and whether the event cooled it down, for however long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) component: u32,
    pub(crate) has_cooled: bool,
}

/// One run of the machine, and what it is afterwards.
#[derive(Debug)]
pub(crate) struct Transition {
    /// By number in the tables.
    pub(crate) action: u32,
    /// The component afterwards; as before if the run did not end well.
    pub(crate) next: u32,
    pub(crate) outcome: Arc<Outcome>,
}

/// A run of a machine alone.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) answers: Box<[u32]>,
    /// The choices that were answered.
    pub(crate) choices: Box<[Choice]>,
    pub(crate) effects: Box<[Effect]>,
    pub(crate) end: OutcomeEnd,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Tell {
        monitor: u32,
        message: u32,
    },
    /// To others and to itself; the latter is part of `Transition::next`.
    Send {
        target: Who,
        message: u32,
    },
    Create {
        component: u32,
        who: Who,
    },
}

#[derive(Debug)]
pub(crate) enum OutcomeEnd {
    /// The machine afterwards, by number.
    Done(u32),
    Bad(Box<Bad>),
}

/// Why a step leads nowhere.
#[derive(Clone, Debug)]
pub(crate) enum Bad {
    Failed(Box<Failure>),
    Limited(Limit),
    Unsupported(Unsupported),
    /// More answers than the budget allows, or no time to try them.
    Answers,
    /// What the answers lead to takes more memory than there is.
    Memory,
}

/// What the steps of a component read and change of what others can see, all of them together.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Who is sent something.
    pub(crate) puts: Box<[Who]>,
    /// A bit for each monitor; some share one if there are more than 64.
    pub(crate) tells: u64,
    /// Whether what arrives can change what the component can do next.
    pub(crate) minds_arrivals: bool,
    /// Whether some of it is done because nothing has arrived.
    pub(crate) finds_nothing: bool,
}

impl Touched {
    /// Nobody else can tell whether such steps come earlier or later.
    pub(crate) fn is_private(&self) -> bool {
        self.puts.is_empty() && self.tells == 0 && !self.minds_arrivals
    }
}

pub(crate) fn monitor_bit(monitor: u32) -> u64 {
    1 << (monitor % 64)
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        program: &'a Program,
        settings: Settings,
        budgets: &Budgets,
        cancel: &'a AtomicBool,
        deadline: Option<Instant>,
    ) -> Self {
        let pauses = settings.pauses(program);
        Self {
            program,
            settings,
            pauses,
            most_answers: budgets.answers,
            most_bytes: budgets.memory.unwrap_or(u64::MAX),
            cancel,
            deadline,
            is_unbounded: AtomicBool::new(false),
            together: program.abstractions.iter().map(|_| AtomicBool::new(false)).collect(),
            tables: Mutex::default(),
            runs: Mutex::default(),
            run_count: AtomicU64::new(0),
            begun: Mutex::default(),
            nothing: Arc::default(),
        }
    }

    pub(crate) fn tables(&self) -> MutexGuard<'_, Tables> {
        locked(&self.tables)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether there is no point in going on.
    pub(crate) fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether what was found before is made again, however long that takes.
    pub(crate) fn set_unbounded(&self, is_unbounded: bool) {
        self.is_unbounded.store(is_unbounded, Ordering::Relaxed);
    }

    fn is_unbounded(&self) -> bool {
        self.is_unbounded.load(Ordering::Relaxed)
    }

    /// How many runs were made.
    pub(crate) fn run_count(&self) -> u64 {
        self.run_count.load(Ordering::Relaxed)
    }

    /// The abstractions that took something together.
    pub(crate) fn together(&self) -> Vec<AbstractionId> {
        let numbers = (0..).map(AbstractionId).zip(&self.together);
        numbers.filter(|(_, took)| took.load(Ordering::Relaxed)).map(|(id, _)| id).collect()
    }

    /// About how many bytes runs take that wait for an answer. With symmetry some wait for ever: their machines have got other names.
    pub(crate) fn begun_bytes(&self) -> u64 {
        // A few values and frames of their own.
        locked(&self.begun).len() as u64 * (size_of::<Suspended>() as u64 + 300)
    }

    /// The state before anything has happened.
    pub(crate) fn initial(&self) -> Result<Vec<u32>, Bad> {
        let mut state = Vec::new();
        let main = Machine::created(self.program, self.program.main, lockstep_runtime::Value::Null);
        let mut tables = self.tables();
        let who = tables.who(&lockstep_runtime::MachineId::main());
        state.push(tables.intern(self.program, who, &main));
        for number in 0..u32::try_from(self.program.monitors.len()).unwrap_or(u32::MAX) {
            let mut answering = Answering { answers: &[], shared: self };
            let mut domain = Concrete::new(self.program, &mut answering);
            let run = start_monitor(self.program, &self.settings.limits, MonitorId(number), &mut domain);
            state.push(monitor_after(&mut tables, self.program, MONITORS + number, run)?);
        }
        Ok(state)
    }

    pub(crate) fn component(&self, number: u32) -> Arc<Component> {
        self.tables().component(number).clone()
    }

    /// What a component can do next.
    pub(crate) fn steps(&self, number: u32, component: &Component) -> Arc<Steps> {
        if let Some(steps) = component.steps.get() {
            return steps.clone();
        }
        let steps = self.find_steps(number, component, true);
        component.steps.get_or_init(|| steps).clone()
    }

    /// The same for once: it is found out again if somebody else asks.
    pub(crate) fn steps_for_once(&self, number: u32, component: &Component) -> Arc<Steps> {
        component.steps.get().cloned().unwrap_or_else(|| self.find_steps(number, component, false))
    }

    pub(crate) fn outlook(&self, number: u32, component: &Component) -> Outlook {
        *component.outlook.get_or_init(|| self.find_outlook(number, component))
    }

    fn find_outlook(&self, number: u32, component: &Component) -> Outlook {
        if component.steps.get().is_none() && self.has_to_choose(number, component) {
            return Outlook::Several;
        }
        let steps = self.steps(number, component);
        match &*steps.all {
            [] => Outlook::Idle,
            // Also a choice with one answer is one, so that it does not matter who has found out what before.
            [only] if only.outcome.is_open() => Outlook::Several,
            [_] if steps.touched.is_private() => Outlook::Alone,
            [_] => Outlook::Single,
            _ => Outlook::Several,
        }
    }

    /// Whether there are several things that a component can do, or a choice in the only one. Nothing is done beyond the first choice.
    fn has_to_choose(&self, number: u32, component: &Component) -> bool {
        if component.who >= MONITORS {
            return false;
        }
        let mut machine = self.tables().machine(number);
        let actions = machine.actions(self.program, self.settings.delivery);
        let [action] = actions.as_slice() else { return actions.len() > 1 };
        let Some((local, input)) = machine.begin(self.program, action) else { return false };
        let situation = self.situation(component, &input);
        if let Some(known) = locked(&self.runs).get(&situation) {
            return known.len() != 1 || known[0].is_open();
        }
        if locked(&self.begun).contains_key(&situation) {
            return true;
        }
        match self.first_run(component.who, &local, &input) {
            Ran::Over(run) => {
                let outcome = Arc::new(self.outcome(component.who, Vec::new(), Vec::new(), run));
                self.keep_runs(situation, [outcome].into());
                false
            }
            Ran::Asks(choice, at) => {
                locked(&self.begun).insert(situation, (choice, at));
                true
            }
        }
    }

    /// The component of a machine that has got messages.
    pub(crate) fn put(&self, target: u32, sender: Who, messages: impl IntoIterator<Item = u32>) -> u32 {
        let mut tables = self.tables();
        let component = tables.component(target);
        if component.is_halted {
            return target;
        }
        let (who, local) = (component.who, component.local);
        let mut machine = tables.machine(target);
        for message in messages {
            let message = tables.message_of(message).clone();
            machine.arrive(self.program, self.settings.delivery, tables.machine_id(sender), message);
        }
        // What arrives changes nothing but the queue.
        tables.intern_with(self.program, who, local, &machine.queue)
    }

    /// A component with new names for itself and for those it knows, and its hash.
    pub(crate) fn renamed(&self, number: u32, who: Who, pairs: impl Iterator<Item = (Who, Who)>) -> (u32, u128) {
        let pairs: Vec<(Who, Who)> = pairs.collect();
        let mut tables = self.tables();
        let new = tables.renamed(self.program, number, who, &pairs);
        (new, tables.component(new).hash)
    }

    /// A monitor that has been told of an event: everything that can become of it, at least one thing. It is one, but where numbers are taken
    /// together. If it fails in one way, it fails.
    pub(crate) fn tell(&self, monitor: u32, message: u32) -> Result<Vec<Told>, Bad> {
        let (who, local, message) = {
            let tables = self.tables();
            let component = tables.component(monitor);
            (component.who, tables.local_of(component.local).clone(), tables.message_of(message).clone())
        };
        let mut found: Vec<Told> = Vec::new();
        let mut open = vec![Vec::new()];
        let mut runs = 0;
        while let Some(answers) = open.pop() {
            runs += 1;
            let mut answering = Answering { answers: &answers, shared: self };
            let mut domain = Concrete::new(self.program, &mut answering);
            let run = tell_monitor(self.program, &self.settings.limits, (*local).clone(), message.clone(), &mut domain);
            match run.end {
                // P does not let specs choose, but what to make of numbers that were taken together is a choice.
                End::NeedsChoice(choice) if runs < MOST_TOLD => {
                    open.extend((0..choice.options).rev().map(|option| answers.iter().copied().chain([option]).collect()));
                }
                _ => {
                    let has_cooled = run.has_cooled;
                    let told = Told { component: monitor_after(&mut self.tables(), self.program, who, run)?, has_cooled };
                    if !found.contains(&told) {
                        found.push(told);
                    }
                }
            }
        }
        Ok(found)
    }

    /// `keeps` is whether somebody will ask again.
    fn find_steps(&self, number: u32, component: &Component, keeps: bool) -> Arc<Steps> {
        if component.who >= MONITORS {
            return self.nothing.clone();
        }
        let machine = self.tables().machine(number);
        let actions = machine.actions(self.program, self.settings.delivery);
        if actions.is_empty() {
            return self.nothing.clone();
        }
        let mut all = Vec::new();
        for action in &actions {
            let number = self.tables().action(action);
            let mut taken = machine.clone();
            let Some((local, input)) = taken.begin(self.program, action) else {
                all.push(self.only_decided(number, component.who, &taken));
                continue;
            };
            for outcome in self.runs_of(component, &local, &input, keeps).iter() {
                all.push(self.after(number, component, &taken, outcome));
            }
        }
        let steps = Steps { touched: self.touched(&actions, &all), all: all.into() };
        let mut tables = self.tables();
        tables.note_width(number, &steps);
        if keeps {
            tables.content += heap(size_of::<Steps>(), [size_of_val(&*steps.all), size_of_val(&*steps.touched.puts)]);
        }
        Arc::new(steps)
    }

    /// The step of a machine that decides to handle `null`.
    fn only_decided(&self, action: u32, who: Who, machine: &Machine) -> Transition {
        let mut tables = self.tables();
        let local = tables.intern_local(who, &machine.local);
        let next = tables.intern(self.program, who, machine);
        let end = OutcomeEnd::Done(local);
        let outcome = Outcome { answers: Box::new([]), choices: Box::new([]), effects: Box::new([]), end };
        Transition { action, next, outcome: Arc::new(outcome) }
    }

    /// The step of a machine that has taken what it was given, with this run of it.
    fn after(&self, action: u32, component: &Component, taken: &Machine, outcome: &Arc<Outcome>) -> Transition {
        let mut tables = self.tables();
        let mut machine = taken.clone();
        let who = component.who;
        for effect in &outcome.effects {
            if let Effect::Send { target, message, .. } = effect
                && *target == who
            {
                let message = tables.message_of(*message).clone();
                machine.arrive_own(self.settings.delivery, tables.machine_id(who), message);
            }
        }
        let local = match outcome.end {
            OutcomeEnd::Done(local) => {
                machine.settle(self.program, tables.local_of(local).clone());
                local
            }
            OutcomeEnd::Bad(_) => component.local,
        };
        let next = tables.intern_with(self.program, who, local, &machine.queue);
        Transition { action, next, outcome: outcome.clone() }
    }

    fn touched(&self, actions: &[Action], all: &[Transition]) -> Touched {
        let mut touched = Touched::default();
        let mut puts = Vec::new();
        for effect in all.iter().flat_map(|transition| &transition.outcome.effects) {
            match effect {
                Effect::Tell { monitor, .. } => touched.tells |= monitor_bit(*monitor),
                Effect::Send { target, .. } => puts.push(*target),
                Effect::Create { .. } => {}
            }
        }
        puts.sort_unstable();
        puts.dedup();
        touched.puts = puts.into();
        touched.finds_nothing = actions.iter().any(|action| matches!(action, Action::TakeNull));
        // In an inbox what comes later changes nothing about what is first; on a network it can be taken before it.
        let takes = actions.iter().any(|action| matches!(action, Action::Take { .. }));
        touched.minds_arrivals = touched.finds_nothing || takes && self.settings.delivery == Delivery::Network;
        touched
    }

    /// Every run of a machine from here.
    fn runs_of(&self, component: &Component, local: &Arc<Local>, input: &Input, keeps: bool) -> Runs {
        let situation = self.situation(component, input);
        if let Some(known) = locked(&self.runs).get(&situation) {
            return known.clone();
        }
        let begun = locked(&self.begun).remove(&situation);
        let first = match begun {
            Some((choice, at)) => Ran::Asks(choice, at),
            None => self.first_run(component.who, local, input),
        };
        let found: Runs = self.all_runs(component.who, first).into();
        if keeps {
            return self.keep_runs(situation, found);
        }
        self.run_count.fetch_add(found.len() as u64, Ordering::Relaxed);
        found
    }

    fn keep_runs(&self, situation: Situation, found: Runs) -> Runs {
        let mut runs = locked(&self.runs);
        if let Some(known) = runs.get(&situation) {
            return known.clone();
        }
        self.run_count.fetch_add(found.len() as u64, Ordering::Relaxed);
        runs.insert(situation, found.clone());
        drop(runs);
        self.tables().content += RUNS + found.iter().map(|outcome| outcome.bytes()).sum::<u64>();
        found
    }

    fn situation(&self, component: &Component, input: &Input) -> Situation {
        let given = match input {
            Input::Go => Given::Go,
            Input::Null => Given::Null,
            Input::Message(message) => Given::Message(self.tables().message(message)),
        };
        (component.local, given)
    }

    /// A run up to its first choice.
    fn first_run(&self, who: Who, local: &Local, input: &Input) -> Ran {
        let id = self.tables().machine_id(who).clone();
        let mut answering = Answering { answers: &[], shared: self };
        let mut domain = Concrete::new(self.program, &mut answering);
        let limits = &self.settings.limits;
        run_to_choice(self.program, limits, self.pauses, &id, local.clone(), input.clone(), &mut domain)
    }

    /// In the order of the answers.
    fn all_runs(&self, who: Who, first: Ran) -> Vec<Arc<Outcome>> {
        let id = self.tables().machine_id(who).clone();
        let limits = &self.settings.limits;
        let mut found = Vec::new();
        let mut open = Vec::new();
        self.take_up(who, first, (Vec::new(), Vec::new()), &mut open, &mut found);
        let mut bytes = 0;
        let mut counted = 0;
        while let Some(Open { answers, choices, from }) = open.pop() {
            let is_spent = found.len() as u64 + open.len() as u64 >= self.most_answers || answers.len() > MOST_CHOICES;
            // Looking at the clock takes a part of what a short run takes.
            let asks = found.len() % ANSWERS_BETWEEN == 1;
            bytes += found[counted..].iter().map(|outcome: &Arc<Outcome>| outcome.bytes()).sum::<u64>();
            counted = found.len();
            let waiting = open.len() * (size_of::<Open>() + size_of_val(&*answers));
            let has_room = || self.tables().bytes() + bytes + waiting as u64 <= self.most_bytes;
            let cut = match () {
                () if is_spent => Some(Bad::Answers),
                () if !asks || self.is_unbounded() => None,
                () if self.is_over() => Some(Bad::Answers),
                () if has_room() => None,
                () => Some(Bad::Memory),
            };
            if let Some(cut) = cut {
                found.push(Arc::new(Outcome::bad(cut)));
                break;
            }
            let mut answering = Answering { answers: &answers[answers.len().saturating_sub(1)..], shared: self };
            let mut domain = Concrete::new(self.program, &mut answering);
            let ran = go_on(self.program, limits, self.pauses, &id, Rc::unwrap_or_clone(from), &mut domain);
            self.take_up(who, ran, (answers, choices), &mut open, &mut found);
        }
        found
    }

    /// Keeps a run that is over, and lists the ways to go on with one that is not. `given` are its answers and what they answer.
    fn take_up(&self, who: Who, ran: Ran, given: (Vec<u32>, Vec<Choice>), open: &mut Vec<Open>, found: &mut Vec<Arc<Outcome>>) {
        let (answers, choices) = given;
        match ran {
            Ran::Over(run) => found.push(Arc::new(self.outcome(who, answers, choices, run))),
            Ran::Asks(choice, at) => {
                let at = Rc::new(*at);
                open.extend((0..choice.options).rev().map(|option| Open {
                    answers: answers.iter().copied().chain([option]).collect(),
                    choices: choices.iter().copied().chain([choice]).collect(),
                    from: at.clone(),
                }));
            }
        }
    }

    fn outcome(&self, who: Who, answers: Vec<u32>, choices: Vec<Choice>, run: Run) -> Outcome {
        let mut tables = self.tables();
        let watching = run.local.interface.map_or(&[][..], |interface| &self.program.interface(interface).monitors);
        let mut effects = Vec::new();
        for effect in run.effects {
            match effect {
                RunEffect::Tell(message) => {
                    let number = tables.message(&message);
                    let told = watching.iter().filter(|id| self.program.monitors[id.index()].observes.contains(message.event));
                    effects.extend(told.map(|id| Effect::Tell { monitor: id.0, message: number }));
                }
                RunEffect::Send { target, message } => {
                    let target = tables.who(&target);
                    effects.push(Effect::Send { target, message: tables.message(&message) });
                }
                RunEffect::Create { id, interface, payload } => {
                    let who = tables.who(&id);
                    let component = tables.intern(self.program, who, &Machine::created(self.program, interface, payload));
                    effects.push(Effect::Create { component, who });
                }
                RunEffect::Print(_) => {}
            }
        }
        let end = match run.end {
            End::Done => OutcomeEnd::Done(tables.intern_own_local(who, run.local)),
            End::Failed(failure) => OutcomeEnd::Bad(Box::new(Bad::Failed(failure))),
            End::Limited(limit) => OutcomeEnd::Bad(Box::new(Bad::Limited(limit))),
            End::Unsupported(what) => OutcomeEnd::Bad(Box::new(Bad::Unsupported(what))),
            End::NeedsChoice(_) => OutcomeEnd::Bad(Box::new(Bad::Answers)),
        };
        Outcome { answers: answers.into(), choices: choices.into(), effects: effects.into(), end }
    }
}

impl Outcome {
    /// Whether something was chosen, or something went wrong.
    fn is_open(&self) -> bool {
        !self.choices.is_empty() || matches!(self.end, OutcomeEnd::Bad(_))
    }

    /// What it takes in a list of runs.
    fn bytes(&self) -> u64 {
        let lists = [size_of_val(&*self.answers), size_of_val(&*self.choices), size_of_val(&*self.effects)];
        heap(size_of::<Self>(), lists) + size_of::<Arc<Self>>() as u64
    }

    fn bad(bad: Bad) -> Self {
        Self { answers: Box::new([]), choices: Box::new([]), effects: Box::new([]), end: OutcomeEnd::Bad(Box::new(bad)) }
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn monitor_after(tables: &mut Tables, program: &Program, who: Who, run: Run) -> Result<u32, Bad> {
    match run.end {
        End::Done => {
            let queue = lockstep_runtime::Queue::default();
            Ok(tables.intern(program, who, &Machine { local: Arc::new(run.local), queue }))
        }
        End::Failed(failure) => Err(Bad::Failed(failure)),
        End::Limited(limit) => Err(Bad::Limited(limit)),
        End::Unsupported(what) => Err(Bad::Unsupported(what)),
        End::NeedsChoice(_) => Err(Bad::Answers),
    }
}

/// A run that has to be gone on with.
struct Open {
    answers: Vec<u32>,
    /// What they answer.
    choices: Vec<Choice>,
    /// Where it waits for the last answer.
    from: Rc<Suspended>,
}

/// Answers to the choices that come first.
struct Answering<'a> {
    answers: &'a [u32],
    shared: &'a Shared<'a>,
}

impl Choices for Answering<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let (first, rest) = self.answers.split_first()?;
        self.answers = rest;
        (*first < choice.options).then_some(*first)
    }

    fn took_together(&mut self, abstraction: AbstractionId) {
        if let Some(took) = self.shared.together.get(abstraction.0 as usize) {
            took.store(true, Ordering::Relaxed);
        }
    }

    fn is_over(&mut self) -> bool {
        !self.shared.is_unbounded() && self.shared.is_over()
    }
}
