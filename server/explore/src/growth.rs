//! Why a search has not come to an end: what becomes more and more in long runs.
//!
//! A search goes broad before it goes deep, so what it has seen of a counter is a few values. Therefore some hundred random runs are made
//! when it is given up, and it is noted when in a run there was more of something than ever before: machines, messages in a queue, elements
//! of a collection, the size of a number. What became more in the second third of a run and again in the last *grows* in it. In
//! runs that have an end of their own most things grow up to it, so there it counts only if the longest run is at least twice as long as is
//! usual: then somebody goes round in a circle.
//!
//! Nothing here says that something grows for ever. The runs do not depend on the search, so what is said is the same however the search
//! was made and with any number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_runtime::{
    Configuration, Limits, Local, NamesId, Outcome, Program, Sampling, Settings, Step, Strategy, Value, sample_watched,
};

use crate::hints::{Growing, Grows, Hints, Widest};
use crate::tables::Tables;

/// How many runs are made and how long they are.
const RUNS: u64 = 300;
const MOST_STEPS: u64 = 2_000;
/// How much is done in all of them together: machines that are looked at, and messages that wait. A fraction of a second.
const WORK: u64 = 1_000_000;
/// Nobody waits for a handler that takes long.
const LIMITS: Limits = Limits { instructions: 100_000, frames: 1_000 };
/// Shorter runs say nothing.
const LEAST_STEPS: u64 = 30;
/// Less is nothing that grows.
const LEAST: u64 = 5;
/// Elements of one collection that are looked at.
const MOST_ELEMENTS: usize = 16;
/// How deep values in values are looked at.
const MOST_DEPTH: u32 = 6;
/// How many things of one kind are told.
const MOST_TOLD: usize = 3;
/// Fewer outcomes of one step are nothing special.
const WIDE: u64 = 64;

/// Chance, few changes, priorities, and habit: with priorities, somebody can fill the queue of another who never moves; with habit, what a choice
/// would end soon goes on.
const STRATEGIES: [Strategy; 4] =
    [Strategy::Random, Strategy::Sticky { leave_one_in: 4 }, Strategy::Pct { changes: 3 }, Strategy::Habit];

/// What can be said about a search that was given up.
pub(crate) fn hints(program: &Program, settings: &Settings, tables: &Tables) -> Hints {
    let growing = growing(program, settings);
    Hints { growing, widest: widest(program, tables), components: tables.component_count() }
}

fn growing(program: &Program, settings: &Settings) -> Vec<Growing> {
    let mut runs: Vec<Run> = Vec::new();
    let mut work = 0;
    for seed in 0..RUNS {
        let run = run(program, settings, seed);
        work += run.work;
        let is_over = run.is_too_long || work >= WORK;
        runs.push(run);
        if is_over {
            break;
        }
    }
    let mut lengths: Vec<u64> = runs.iter().map(|run| run.steps).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    // Of all runs in which something grows, the one in which there was most of it.
    let mut found: BTreeMap<(Grows, String), (u64, u64)> = BTreeMap::new();
    for run in runs.into_iter().filter(|run| run.steps >= LEAST_STEPS && (run.is_cut_off || run.steps >= 2 * usual)) {
        let steps = run.steps;
        for (what, name, most) in run.growing(program) {
            let known = found.entry((what, name)).or_insert((most, steps));
            *known = (*known).max((most, steps));
        }
    }
    let mut growing: Vec<Growing> =
        found.into_iter().map(|((what, name), (most, steps))| Growing { what, name, most, steps }).collect();
    // The order of equals is that of their names.
    growing.sort_by_key(|growing| (growing.what, u64::MAX - growing.most));
    let mut told: BTreeMap<Grows, usize> = BTreeMap::new();
    growing.retain(|growing| {
        let told = told.entry(growing.what).or_default();
        *told += 1;
        *told <= MOST_TOLD
    });
    growing
}

/// One random run, and what there was in it.
#[derive(Default)]
struct Run {
    steps: u64,
    work: u64,
    is_cut_off: bool,
    /// Most options that a choice had.
    widest: u64,
    /// Whether it ended in a handler that takes long; all others would.
    is_too_long: bool,
    /// By the number of the declaration.
    machines: BTreeMap<u32, Series>,
    queues: BTreeMap<u32, Series>,
    /// By the numbers of the declaration and of the variable.
    variables: BTreeMap<(u32, u32), Node>,
    known: usize,
    monitors: Vec<Arc<Local>>,
}

fn run(program: &Program, settings: &Settings, seed: u64) -> Run {
    let settings = Settings { limits: LIMITS, ..*settings };
    let strategy = STRATEGIES[usize::try_from(seed).unwrap_or_default() % STRATEGIES.len()];
    let sampling = Sampling { seed, schedules: 1, most_steps: MOST_STEPS, strategy };
    let mut run = Run::default();
    let sampled = sample_watched(program, &settings, &sampling, &mut |_| true, &mut |step, configuration| {
        run.look(step, configuration);
    });
    run.is_cut_off = sampled.given_up > 0;
    run.widest = sampled.widest.into();
    run.is_too_long = matches!(sampled.outcome, Outcome::Limited(..));
    run
}

impl Run {
    /// Looks at what a step may have changed.
    fn look(&mut self, step: &Step, configuration: &Configuration) {
        self.steps += 1;
        let at = self.steps;
        if configuration.machines.len() > self.known {
            self.known = configuration.machines.len();
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            configuration.machines.iter().for_each(|(_, machine)| *counts.entry(machine.local.machine.0).or_default() += 1);
            counts.into_iter().for_each(|(kind, count)| self.machines.entry(kind).or_default().add(count, at));
        }
        self.work += 16 + configuration.machines.len() as u64;
        for (_, machine) in configuration.machines.iter().filter(|(_, machine)| !machine.queue.is_empty()) {
            let length = machine.queue.len() as u64;
            self.work += length / 8;
            self.queues.entry(machine.local.machine.0).or_default().add(length, at);
        }
        if let Some(machine) = configuration.machine(&step.machine) {
            self.look_at(&machine.local);
        }
        for (number, monitor) in configuration.monitors.iter().enumerate() {
            if self.monitors.get(number).is_none_or(|known| !Arc::ptr_eq(known, monitor)) {
                self.look_at(monitor);
            }
        }
        self.monitors.clone_from(&configuration.monitors);
    }

    fn look_at(&mut self, local: &Local) {
        for (field, value) in (0..).zip(&local.fields) {
            self.variables.entry((local.machine.0, field)).or_default().add(value, self.steps, MOST_DEPTH);
        }
    }

    /// What grows in it.
    fn growing(self, program: &Program) -> Vec<(Grows, String, u64)> {
        let mut found = Vec::new();
        for (what, kinds) in [(Grows::Machines, self.machines), (Grows::Queue, self.queues)] {
            let growing = kinds.into_iter().filter(|(_, series)| series.is_growing(self.steps));
            found.extend(growing.map(|(kind, series)| (what, program.machines[kind as usize].name.to_string(), series.most)));
        }
        for ((kind, field), node) in self.variables {
            let declared = &program.machines[kind as usize];
            let name = format!("{}.{}", declared.name, declared.fields[field as usize].name);
            node.collect(program, name, self.steps, &mut found);
        }
        // A number that was chosen now and then is sometimes larger than ever before.
        found.retain(|(what, _, most)| *what != Grows::Number || *most >= self.widest);
        found
    }
}

/// How much there was of something in a run.
#[derive(Debug, Default)]
struct Series {
    most: u64,
    /// When there was more than ever before. Steps are counted from 1.
    records: Vec<u64>,
}

impl Series {
    fn add(&mut self, size: u64, at: u64) {
        if size > self.most {
            self.most = size;
            self.records.push(at);
        }
    }

    fn is_growing(&self, steps: u64) -> bool {
        let within = |from: u64, to: u64| self.records.iter().any(|record| from < *record && *record <= to);
        self.most >= LEAST && within(steps / 3, steps / 3 * 2) && within(steps / 3 * 2, steps)
    }
}

/// What was seen in one place: a variable, a field of a tuple, the elements of a collection.
#[derive(Debug, Default)]
struct Node {
    number: Series,
    text: Series,
    size: Series,
    names: Option<NamesId>,
    parts: Vec<Node>,
    elements: Option<Box<Node>>,
}

impl Node {
    fn add(&mut self, value: &Value, at: u64, levels: u32) {
        let Some(levels) = levels.checked_sub(1) else { return };
        match value {
            Value::Int(number) => self.number.add(number.unsigned_abs(), at),
            Value::String(text) => self.text.add(text.len() as u64, at),
            Value::Tuple(items) => self.add_parts(items.iter(), at, levels),
            Value::Named(named) => {
                self.names = Some(named.names);
                self.add_parts(named.items.iter(), at, levels);
            }
            Value::Seq(items) => self.add_elements(items.len(), items.iter(), at, levels),
            Value::Set(table) => self.add_elements(table.len(), table.keys(), at, levels),
            Value::Map(table) => self.add_elements(table.len(), table.iter().flat_map(|(key, value)| [key, value]), at, levels),
            Value::Null
            | Value::Bool(_)
            | Value::Enum(..)
            | Value::Float(_)
            | Value::Event(_)
            | Value::Machine(_)
            | Value::Some(_) => {}
        }
    }

    fn add_parts<'v>(&mut self, items: impl ExactSizeIterator<Item = &'v Value>, at: u64, levels: u32) {
        if self.parts.len() < items.len() {
            self.parts.resize_with(items.len(), Self::default);
        }
        items.zip(&mut self.parts).for_each(|(item, part)| part.add(item, at, levels));
    }

    fn add_elements<'v>(&mut self, size: usize, items: impl Iterator<Item = &'v Value>, at: u64, levels: u32) {
        self.size.add(size as u64, at);
        let elements = self.elements.get_or_insert_default();
        items.take(MOST_ELEMENTS).for_each(|item| elements.add(item, at, levels));
    }

    /// What grows here and below. Where a collection does, its elements are not looked at.
    fn collect(self, program: &Program, name: String, steps: u64, found: &mut Vec<(Grows, String, u64)>) {
        let names = self.names.and_then(|names| program.field_names.get(names.index()));
        for (number, part) in self.parts.into_iter().enumerate() {
            let part_name = names.and_then(|names| names.get(number)).map_or_else(|| number.to_string(), ToString::to_string);
            part.collect(program, format!("{name}.{part_name}"), steps, found);
        }
        if let Some(elements) = self.elements.filter(|_| !self.size.is_growing(steps)) {
            elements.collect(program, format!("{name}[..]"), steps, found);
        }
        for (what, series) in [(Grows::Elements, self.size), (Grows::Characters, self.text), (Grows::Number, self.number)] {
            if series.is_growing(steps) {
                found.push((what, name.clone(), series.most));
            }
        }
    }
}

/// The machine one step of which has most outcomes, of all that the search has met.
fn widest(program: &Program, tables: &Tables) -> Option<Widest> {
    let wide = tables.widest.as_ref().filter(|wide| wide.outcomes >= WIDE)?;
    let local = tables.local_of(tables.component(wide.component).local);
    Some(Widest {
        machine: program.machine(local.machine).name.to_string(),
        state: program.state(local.machine, local.state).name.to_string(),
        outcomes: wide.outcomes,
        choices: wide.choices.iter().map(|choice| choice.options).collect(),
    })
}
