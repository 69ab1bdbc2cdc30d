//! Runs that stay hot for ever, against the definition.
//!
//! What a run does again and again is a strongly connected set of steps. It violates a spec if the spec is hot in one of its
//! configurations and never cools down, every machine makes one of the steps or cannot move in one of the configurations, and every
//! fair choice that is asked gets all its answers. Whether there is such a set is found out here by trying: for every set of fair
//! choices that are not asked again and again, the steps that ask them are left out, and what is strongly connected is looked at. (If a
//! set of steps is as wanted, so is the largest one around it that asks the same fair choices.)

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use lockstep_explore::{Bug, Options, Order, Outcome};
use lockstep_runtime::{
    Choice, Choices, Configuration, Delivery, Ending, Fault, Limits, MachineId, MonitorId, Program, Settings, Step, Temperature,
};
use lockstep_tests::p_live_program;

use crate::{count, program, search};

/// Configurations that are looked at, at most.
const MOST: usize = 600;
/// Fair choices in one part of the graph, at most: all sets of them are tried.
const MOST_QUESTIONS: usize = 8;

#[derive(Debug, Default)]
struct Compared {
    programs: u32,
    /// Programs of which everything could be found out, with each delivery.
    complete: u32,
    violated: u32,
    /// Not violated, but would be if runs did not have to be fair to machines and choices.
    saved_by_machines: u32,
    saved_by_choices: u32,
}

#[test]
fn random_programs_with_hot_specs() {
    let mut compared = Compared::default();
    for seed in 0..count(150) {
        let text = p_live_program(seed);
        let program = program(&text);
        compared.programs += 1;
        for delivery in [Delivery::Inbox, Delivery::Network] {
            compare(&program, delivery, &format!("{delivery:?} seed {seed}\n{text}"), &mut compared);
        }
    }
    assert!(compared.complete >= 60, "{compared:?}");
    assert!(compared.violated >= 20, "{compared:?}");
    assert!(compared.saved_by_machines >= 3 && compared.saved_by_choices >= 3, "{compared:?}");
}

fn compare(program: &Program, delivery: Delivery, name: &str, compared: &mut Compared) {
    let limits = Limits { instructions: 20_000, frames: 100 };
    let settings = Settings { delivery, limits, most_hot_steps: None };
    let Some(graph) = Graph::of(program, &settings) else { return };
    let monitors = (0..).map(MonitorId).take(program.monitors.len());
    let Some(found) = monitors.map(|monitor| graph.verdict(program, monitor)).collect::<Option<Vec<Verdict>>>() else { return };
    compared.complete += 1;
    let expected = found.iter().position(|verdict| *verdict == Verdict::Violated);
    compared.violated += u32::from(expected.is_some());
    compared.saved_by_machines += u32::from(expected.is_none() && found.contains(&Verdict::SavedByMachines));
    compared.saved_by_choices += u32::from(expected.is_none() && found.contains(&Verdict::SavedByChoices));
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        let report = search(program, &Options { settings, order, ..Options::default() });
        match (expected, &report.outcome) {
            (None, Outcome::Exhausted(_)) => {}
            (Some(monitor), Outcome::Bug(bug)) => {
                assert_eq!(bug.failure.fault, Fault::HotForever, "{name}");
                let monitor = MonitorId(u32::try_from(monitor).expect("few"));
                assert_eq!(*bug.failure.who, *program.machine(program.monitors[monitor.index()].machine).name, "{name}");
                is_as_defined(program, &settings, &graph, bug, monitor, name);
            }
            (_, outcome) => panic!("{expected:?}, but {outcome:?}\n{name}"),
        }
    }
}

/// The run goes round, fairly, and is hot.
fn is_as_defined(program: &Program, settings: &Settings, graph: &Graph, bug: &Bug, monitor: MonitorId, name: &str) {
    let mut at = 0;
    let mut round = BTreeSet::new();
    let mut start = None;
    for (number, decision) in bug.trace.decisions.iter().enumerate() {
        if Some(number) == bug.repeats_from {
            start = Some(at);
        }
        let is_it = |edge: &&Edge| edge.from == at && edge.step == decision.step && edge.answers == decision.answers;
        let edge = graph.edges.iter().find(is_it).unwrap_or_else(|| panic!("no such step: {decision:?}\n{name}"));
        if start.is_some() {
            round.insert(edge.number);
        }
        at = edge.to;
    }
    assert_eq!(start, Some(at), "it does not go round\n{name}");
    let round: Vec<&Edge> = round.iter().map(|number| &graph.edges[*number]).collect();
    assert!(graph.is_hot(program, &round, monitor), "{name}");
    assert!(graph.is_fair_to_machines(program, settings, &round), "{name}");
    assert!(is_fair_to_choices(&round), "{name}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Violated,
    SavedByMachines,
    SavedByChoices,
    /// There is nothing that stays hot, fair or not.
    Fine,
}

/// All configurations and all steps between them.
struct Graph {
    settings: Settings,
    nodes: Vec<Arc<Configuration>>,
    edges: Vec<Edge>,
}

struct Edge {
    number: usize,
    from: usize,
    to: usize,
    step: Step,
    answers: Vec<u32>,
    choices: Vec<Choice>,
    cooled: Vec<MonitorId>,
}

/// A fair choice: where, in which step, after which answers.
type Question = (usize, Step, Vec<u32>);

impl Edge {
    /// The fair choices it asks, with the answer it gives and how many there are.
    fn questions(&self) -> impl Iterator<Item = (Question, u32, u32)> + '_ {
        let fair = self.choices.iter().enumerate().filter(|(_, choice)| choice.is_fair);
        fair.map(|(at, choice)| ((self.from, self.step.clone(), self.answers[..at].to_vec()), self.answers[at], choice.options))
    }
}

fn is_fair_to_choices(edges: &[&Edge]) -> bool {
    let mut given: HashMap<Question, (BTreeSet<u32>, u32)> = HashMap::new();
    for (question, answer, options) in edges.iter().flat_map(|edge| edge.questions()) {
        given.entry(question).or_insert((BTreeSet::new(), options)).0.insert(answer);
    }
    given.values().all(|(answers, options)| answers.len() == *options as usize)
}

impl Graph {
    /// `None` if there are too many, if something goes wrong in one of them, or if one cannot be run.
    fn of(program: &Program, settings: &Settings) -> Option<Self> {
        let initial = Arc::new(Configuration::initial(program, settings).ok()?);
        let mut known = HashMap::from([(initial.clone(), 0)]);
        let mut graph = Self { settings: *settings, nodes: vec![initial], edges: Vec::new() };
        let mut at = 0;
        while at < graph.nodes.len() {
            let configuration = graph.nodes[at].clone();
            let steps = configuration.enabled(program, settings);
            if steps.is_empty() && configuration.stuck(program).is_some() {
                return None;
            }
            for step in steps {
                let mut open = vec![Vec::new()];
                while let Some(answers) = open.pop() {
                    let mut next = (*configuration).clone();
                    let mut told = Answers { given: &answers, choices: Vec::new() };
                    let (happened, result) = next.apply(program, settings, &step, &mut told);
                    let choices = told.choices;
                    match result {
                        Ok(()) => {
                            let count = graph.nodes.len();
                            let next = Arc::new(next);
                            let to = *known.entry(next.clone()).or_insert(count);
                            if to == count {
                                graph.nodes.push(next);
                            }
                            let (number, cooled) = (graph.edges.len(), happened.cooled);
                            graph.edges.push(Edge { number, from: at, to, step: step.clone(), answers, choices, cooled });
                        }
                        Err(Ending::NeedsChoice(choice)) => {
                            open.extend((0..choice.options).map(|option| [&answers[..], &[option]].concat()));
                        }
                        Err(_) => return None,
                    }
                    if graph.nodes.len() > MOST {
                        return None;
                    }
                }
            }
            at += 1;
        }
        Some(graph)
    }

    fn temperature(&self, program: &Program, node: usize, monitor: MonitorId) -> Temperature {
        let local = &self.nodes[node].monitors[monitor.index()];
        program.state(local.machine, local.state).temperature
    }

    /// Whether a run that makes these steps again and again is hot again and again and never cools down.
    fn is_hot(&self, program: &Program, edges: &[&Edge], monitor: MonitorId) -> bool {
        let heat = |edge: &&Edge| self.temperature(program, edge.from, monitor);
        let cools = |edge: &&Edge| edge.cooled.contains(&monitor) || heat(edge) == Temperature::Cold;
        edges.iter().any(|edge| heat(edge) == Temperature::Hot) && !edges.iter().any(cools)
    }

    fn is_fair_to_machines(&self, program: &Program, settings: &Settings, edges: &[&Edge]) -> bool {
        let machines: BTreeSet<&MachineId> =
            edges.iter().flat_map(|edge| self.nodes[edge.from].machines.iter().map(|(id, _)| id)).collect();
        machines.into_iter().all(|id| {
            edges.iter().any(|edge| {
                let can_move = self.nodes[edge.from].enabled(program, settings).iter().any(|step| step.machine == *id);
                edge.step.machine == *id || !can_move
            })
        })
    }

    /// `None` if there is too much to try.
    fn verdict(&self, program: &Program, monitor: MonitorId) -> Option<Verdict> {
        if program.monitors[monitor.index()].is_scenario {
            return Some(Verdict::Fine);
        }
        let stays =
            |edge: &&Edge| !edge.cooled.contains(&monitor) && self.temperature(program, edge.from, monitor) != Temperature::Cold;
        let mut verdict = Verdict::Fine;
        for part in parts(&self.edges.iter().filter(stays).collect::<Vec<_>>()) {
            if !self.is_hot(program, &part, monitor) {
                continue;
            }
            let questions: BTreeSet<Question> =
                part.iter().flat_map(|edge| edge.questions()).map(|(question, ..)| question).collect();
            let questions: Vec<Question> = questions.into_iter().collect();
            if questions.len() > MOST_QUESTIONS {
                return None;
            }
            for left_out in 0_u32..1 << questions.len() {
                let is_left_out = |question: &Question| {
                    let number = questions.iter().position(|other| other == question).expect("all are known");
                    left_out >> number & 1 == 1
                };
                let rest: Vec<&Edge> =
                    part.iter().copied().filter(|edge| !edge.questions().any(|(question, ..)| is_left_out(&question))).collect();
                for smaller in parts(&rest) {
                    if !self.is_hot(program, &smaller, monitor) {
                        continue;
                    }
                    match (self.is_fair_to_machines(program, &self.settings, &smaller), is_fair_to_choices(&smaller)) {
                        (true, true) => return Some(Verdict::Violated),
                        (true, false) => verdict = Verdict::SavedByChoices,
                        (false, _) => verdict = if verdict == Verdict::Fine { Verdict::SavedByMachines } else { verdict },
                    }
                }
            }
        }
        Some(verdict)
    }
}

/// The largest strongly connected sets of these steps: who reaches whom is written down for each pair.
fn parts<'a>(edges: &[&'a Edge]) -> Vec<Vec<&'a Edge>> {
    let nodes: BTreeSet<usize> = edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
    let places: HashMap<usize, usize> = nodes.into_iter().zip(0..).collect();
    let words = places.len().div_ceil(64);
    let mut reached = vec![vec![0_u64; words]; places.len()];
    edges.iter().for_each(|edge| reached[places[&edge.from]][places[&edge.to] / 64] |= 1 << (places[&edge.to] % 64));
    for middle in 0..places.len() {
        let row = reached[middle].clone();
        for from in reached.iter_mut().filter(|from| from[middle / 64] >> (middle % 64) & 1 == 1) {
            from.iter_mut().zip(&row).for_each(|(mine, theirs)| *mine |= theirs);
        }
    }
    let reaches = |from: usize, to: usize| reached[places[&from]][places[&to] / 64] >> (places[&to] % 64) & 1 == 1;
    let mut parts: Vec<Vec<&'a Edge>> = Vec::new();
    for edge in edges.iter().filter(|edge| reaches(edge.to, edge.from)) {
        let is_of = |part: &&mut Vec<&Edge>| {
            let other = part[0].from;
            other == edge.from || (reaches(other, edge.from) && reaches(edge.from, other))
        };
        match parts.iter_mut().find(is_of) {
            Some(part) => part.push(edge),
            None => parts.push(vec![edge]),
        }
    }
    parts
}

/// Answers that are known beforehand, with the choices they answer.
struct Answers<'a> {
    given: &'a [u32],
    choices: Vec<Choice>,
}

impl Choices for Answers<'_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let answer = self.given.get(self.choices.len()).copied()?;
        self.choices.push(choice);
        Some(answer)
    }
}
