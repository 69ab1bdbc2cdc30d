//! Receives at which it matters which message comes first.
//!
//! All runs of an instance are made into a graph. Where a process stands at a receive in question and can take messages of different
//! kinds or from different processes, what can come out after the one is compared with what can come out after the other. Members of
//! one set stand for each other and are not compared.
//!
//! Invariant: only graphs that are complete are compared, so a difference is real, and none means that there is none in this instance.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use lockstep_base::{Diagnostic, Severity};
use rustc_hash::FxHashMap;

use super::bugs::{arguments, describe, last_sends, place, when};
use super::claims::or_list;
use super::hunt::waiting;
use super::{Bug, BugKind, Raced, codes};
use crate::program::{MessageId, ProcessId, Program, StmtId};
use crate::run::render::Names;
use crate::run::search::{FinalState, final_state};
use crate::run::state::{Choice, Effect, Status, Trace, TraceStep, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value};
use crate::run::{Instance, State, render_trace};

/// A receive at which the first message decides what comes out.
pub(super) struct Race {
    pub receive: StmtId,
    /// The sends of the messages.
    pub sends: Vec<StmtId>,
    /// `` `leader` is 1 if `Claim` from `a` comes first, 2 if `Claim` from `b` does ``.
    pub difference: String,
    /// Whether the messages are of one type.
    is_one_type: bool,
    /// A run in which the first message is taken.
    pub trace: Trace,
}

impl Race {
    /// What would keep the order from being open.
    fn way_out(&self) -> &'static str {
        if self.is_one_type {
            "receive from one process by name, give the messages different types"
        } else {
            "receive one of the messages before the other"
        }
    }
}

/// What was found out about the receives in question, in one instance.
pub(super) enum Compared {
    Differs(Race),
    /// All orders lead to the same.
    Commutes,
    /// No two messages can be there at the same time.
    NoRace,
    /// There are too many states.
    NotDecided,
}

/// Compares the orders at these receives. `left` is how many states may be looked at; `cancel` is set by who does not want to wait.
pub(super) fn compare(
    program: &Program,
    instance: &Instance,
    receives: &[StmtId],
    left: &mut usize,
    cancel: Option<&AtomicBool>,
) -> Compared {
    let machine = Machine::new(program, instance);
    let Some(graph) = Graph::of(&machine, *left, cancel) else {
        *left = 0;
        return Compared::NotDecided;
    };
    *left = left.saturating_sub(graph.nodes.len());
    let mut was_race = false;
    for node in 0..graph.nodes.len() {
        let kinds = graph.kinds_of_takes(&machine, node, receives);
        for ((receive, _), takes) in kinds.iter().filter(|(_, takes)| takes.len() > 1) {
            was_race = true;
            if let Some(race) = graph.difference(&machine, node, *receive, takes) {
                return Compared::Differs(race);
            }
        }
    }
    if was_race { Compared::Commutes } else { Compared::NoRace }
}

/// A warning at the receive, and a remark at each send; each points to the others.
pub(super) fn report(program: &Program, instance: &Instance, race: &Race) -> Raced {
    let message = format!("the order of messages matters: {}", race.difference);
    let help = format!("{}{}, or make the result independent of the order", when(program, instance), race.way_out());
    let mut at_receive = Diagnostic::warning(codes::RACE, place(program, race.receive), message).with_help(help);
    let mut findings = Vec::new();
    for send in &race.sends {
        at_receive = at_receive.with_related(place(program, *send), "this message can come first or later");
        let words = "this message can come before or after another one, which makes a difference";
        let mut at_send = Diagnostic { severity: Severity::Info, ..Diagnostic::error(codes::RACE, place(program, *send), words) };
        at_send = at_send.with_related(place(program, race.receive), "where it is received");
        for other in race.sends.iter().filter(|other| *other != send) {
            at_send = at_send.with_related(place(program, *other), "the other message");
        }
        if findings.iter().all(|other: &Diagnostic| other.range != at_send.range) {
            findings.push(at_send);
        }
    }
    findings.push(at_receive);
    let trace = render_trace(program, instance, &race.trace);
    let (words, arguments) = (describe(program, instance), arguments(program, instance));
    let bug = Bug { kind: BugKind::Race, instance: words, arguments, trace, end: race.difference.clone() };
    Raced { bug: Some(bug), findings, commutes: false }
}

/// A channel that holds more has no end, most likely: then there is no complete graph to compare.
const MOST_MESSAGES: usize = 64;

/// A kind of message that can be taken: which, and from whom.
type Kind = (MessageId, Option<ProcessId>);

/// The kinds that a process can take at a receive, each with the steps that do so.
type Takes = BTreeMap<Kind, Vec<usize>>;

struct Node {
    state: State,
    edges: Vec<(TraceStep, usize)>,
    parent: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Deadlock,
    Failure,
    Final(FinalState),
}

struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    /// All states, each with a shortest way to it; `None` if there are more than `most`, a channel grows too long, or it is not known how
    /// a run goes on.
    fn of(machine: &Machine<'_>, most: usize, cancel: Option<&AtomicBool>) -> Option<Self> {
        let start = machine.start().0;
        let mut ids = FxHashMap::from_iter([(start.clone(), 0)]);
        let mut graph = Self { nodes: vec![Node { state: start, edges: Vec::new(), parent: None }] };
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            let state = graph.nodes[at].state.clone();
            let is_cancelled = cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
            if is_cancelled || state.longest_queue() > MOST_MESSAGES {
                return None;
            }
            for who in machine.movers(&state) {
                for successor in machine.successors(&state, &who) {
                    if matches!(successor.effect, Effect::CutOff(_)) {
                        return None;
                    }
                    let next = graph.nodes.len();
                    let to = *ids.entry(successor.state.clone()).or_insert(next);
                    if to == next {
                        if next >= most {
                            return None;
                        }
                        let parent = Some((at, graph.nodes[at].edges.len()));
                        graph.nodes.push(Node { state: successor.state, edges: Vec::new(), parent });
                        queue.push_back(to);
                    }
                    let step =
                        TraceStep { who: who.clone(), stmt: successor.stmt, choice: successor.choice, effect: successor.effect };
                    graph.nodes[at].edges.push((step, to));
                }
            }
        }
        Some(graph)
    }

    fn kinds_of_takes(&self, machine: &Machine<'_>, node: usize, receives: &[StmtId]) -> BTreeMap<(StmtId, Pid), Takes> {
        let mut found: BTreeMap<(StmtId, Pid), Takes> = BTreeMap::new();
        for (at, (step, _)) in self.nodes[node].edges.iter().enumerate() {
            if let (Who::Process(pid), Choice::Take { from, .. }, Effect::Received { message, .. }) =
                (&step.who, &step.choice, &step.effect)
                && receives.contains(&step.stmt)
            {
                let kind = (*message, machine.instance.actor(*from).process);
                found.entry((step.stmt, *pid)).or_default().entry(kind).or_default().push(at);
            }
        }
        found
    }

    fn difference(&self, machine: &Machine<'_>, node: usize, receive: StmtId, takes: &Takes) -> Option<Race> {
        let ways: Vec<(&Vec<usize>, BTreeSet<End>, MessageId)> = takes
            .iter()
            .map(|((message, _), edges)| {
                (edges, self.ends(machine, edges.iter().map(|edge| self.nodes[node].edges[*edge].1)), *message)
            })
            .collect();
        let (first, other) = (1..ways.len()).find_map(|at| (ways[at].1 != ways[0].1).then_some((&ways[0], &ways[at])))?;
        let names = Names { program: machine.program, instance: machine.instance };
        let step = |edges: &Vec<usize>| &self.nodes[node].edges[edges[0]].0;
        let words = [message_words(names, step(first.0)), message_words(names, step(other.0))];
        let before = self.way_to(node);
        let sends = [first.0, other.0].into_iter().filter_map(|edges| send_of(&before, step(edges))).collect();
        let mut trace = before.clone();
        trace.push(step(first.0).clone());
        let difference = in_words(names, &words, [&first.1, &other.1]);
        Some(Race { receive, sends, difference, is_one_type: first.2 == other.2, trace })
    }

    /// How runs can end from these states on.
    fn ends(&self, machine: &Machine<'_>, from: impl Iterator<Item = usize>) -> BTreeSet<End> {
        let mut seen = vec![false; self.nodes.len()];
        let mut todo: Vec<usize> = from.collect();
        let mut ends = BTreeSet::new();
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            todo.extend(self.nodes[at].edges.iter().map(|(_, to)| *to));
            if self.nodes[at].edges.is_empty() {
                ends.extend(end_of(machine, &self.nodes[at].state));
            }
        }
        ends
    }

    fn way_to(&self, mut node: usize) -> Trace {
        let mut steps = Vec::new();
        while let Some((parent, edge)) = self.nodes[node].parent {
            steps.push(self.nodes[parent].edges[edge].0.clone());
            node = parent;
        }
        steps.reverse();
        steps
    }
}

/// `None` for a run that does not count.
fn end_of(machine: &Machine<'_>, state: &State) -> Option<End> {
    let has = |status: Status| state.actors.iter().any(|actor| actor.thread.status == status);
    if has(Status::Withdrawn) {
        None
    } else if has(Status::Failed) {
        Some(End::Failure)
    } else if !waiting(machine, state).is_empty() {
        Some(End::Deadlock)
    } else {
        Some(End::Final(final_state(machine.program, machine.instance, state)))
    }
}

/// The statement that sent the message which a step takes: of those still under way, the oldest.
fn send_of(before: &Trace, step: &TraceStep) -> Option<StmtId> {
    let (Who::Process(to), Effect::Received { message, from, .. }) = (&step.who, &step.effect) else { return None };
    let taken = before.iter().filter(|other| other.who == step.who && is_same_channel(&other.effect, step)).count();
    let mut sends: Vec<StmtId> = last_sends(before, *from, *to, *message).collect();
    sends.reverse();
    sends.get(taken).copied()
}

fn is_same_channel(effect: &Effect, step: &TraceStep) -> bool {
    match (effect, &step.effect) {
        (Effect::Received { message: a, from: x, .. }, Effect::Received { message: b, from: y, .. }) => a == b && x == y,
        _ => false,
    }
}

/// `` `Claim` from `a` ``.
fn message_words(names: Names<'_>, step: &TraceStep) -> String {
    match &step.effect {
        Effect::Received { message, from, .. } => {
            format!("`{}` from `{}`", names.program.message(*message).name, names.pid(*from))
        }
        _ => String::new(),
    }
}

/// What comes out differently, and when.
fn in_words(names: Names<'_>, first: &[String; 2], ends: [&BTreeSet<End>; 2]) -> String {
    for (end, what) in [(End::Deadlock, "there can be a deadlock"), (End::Failure, "a process can fail")] {
        for way in 0..2 {
            if ends[way].contains(&end) && !ends[1 - way].contains(&end) {
                return format!("{what} if {} comes first, and not if {} does", first[way], first[1 - way]);
            }
        }
    }
    let finals = ends.map(|ends| {
        let finals = ends.iter().filter_map(|end| if let End::Final(values) = end { Some(values) } else { None });
        finals.collect::<Vec<_>>()
    });
    for pid in names.instance.pids() {
        let Some(process) = names.instance.actor(pid).process else { continue };
        let vars = names.program.process(process).code.vars.iter().filter(|var| !var.is_ghost);
        for (at, var) in vars.enumerate() {
            let values = finals.each_ref().map(|finals| values_of(finals, pid, at));
            if values[0] != values[1] {
                let [one, other] = values.map(|values| value_words(names, &values));
                let name = format!("`{}` of `{}`", var.name, names.pid(pid));
                return format!("{name} is {one} if {} comes first, and {other} if {} does", first[0], first[1]);
            }
        }
    }
    format!("the final states differ if {} comes first and if {} does", first[0], first[1])
}

fn values_of<'v>(finals: &[&'v FinalState], pid: Pid, at: usize) -> BTreeSet<&'v Value> {
    finals.iter().filter_map(|values| values.get(pid.index())?.get(at)).collect()
}

fn value_words(names: Names<'_>, values: &BTreeSet<&Value>) -> String {
    let mut words: Vec<String> = values.iter().take(4).map(|value| names.value(value)).collect();
    match values.len() {
        0 => "never reached".to_owned(),
        1..=4 => or_list(&words),
        _ => {
            words.push("another".to_owned());
            or_list(&words)
        }
    }
}
