//! A run that goes round in a part of the graph, fairly, and the check that the plain interpreter agrees.

use std::collections::VecDeque;

use lockstep_runtime::{Configuration, Failure, Fault, MachineId, MonitorId, Program, Script, Settings, Temperature, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, Node};
use super::parts::{answer_to, idle_in, questions, steps_within};
use crate::store::{StateId, Store};
use crate::tables::{Heat, Who};

/// A hot state of the part that is reached soonest, and steps from it back to it that let everybody move and give every answer.
pub(super) fn around(graph: &Graph, store: &Store, part: &[Node]) -> (StateId, Vec<u32>) {
    let hot = part.iter().copied().filter(|node| graph.heat[*node as usize] == Heat::Hot);
    let start = hot.min_by_key(|node| distance(store, graph.id(*node))).unwrap_or(part[0]);
    let mut walk = Walk { graph, part, at: start, edges: Vec::new() };
    walk.everybody();
    while walk.at != start || walk.edges.is_empty() || walk.answer_missing() {
        if !walk.to(|edge| graph.edges[edge].to == start) {
            break;
        }
    }
    (graph.id(start), walk.edges.iter().map(|edge| graph.edges[*edge].step).collect())
}

fn distance(store: &Store, id: StateId) -> usize {
    std::iter::successors(Some(id), |at| store.way(*at).map(|way| way.from)).count()
}

struct Walk<'a> {
    graph: &'a Graph,
    part: &'a [Node],
    at: Node,
    edges: Vec<usize>,
}

impl Walk<'_> {
    /// Goes on until each machine has moved or was seen unable to.
    fn everybody(&mut self) {
        let graph = self.graph;
        let mut machines: Vec<Who> =
            self.part.iter().flat_map(|node| graph.steps(*node)).map(|edge| graph.edges[edge].who).collect();
        machines.sort_unstable();
        machines.dedup();
        for who in machines {
            let is_idle = |node: Node| idle_in(graph, node).any(|other| other == who);
            let is_fine = |edge: usize| graph.edges[edge].who == who || is_idle(graph.edges[edge].to);
            if !is_idle(self.at) && !self.edges.iter().any(|edge| is_fine(*edge)) {
                self.to(is_fine);
            }
        }
    }

    /// Gives an answer that was not given to a fair choice that was met. Gives whether there was one.
    fn answer_missing(&mut self) -> bool {
        let graph = self.graph;
        let walked: FxHashSet<usize> = self.edges.iter().copied().collect();
        for position in 0..self.edges.len() {
            let edge = self.edges[position];
            let node = graph.edges[edge].from;
            for (question, _) in questions(graph, edge) {
                let given: FxHashSet<u32> = graph
                    .steps(node)
                    .filter(|edge| walked.contains(edge))
                    .filter_map(|edge| answer_to(graph, edge, &question))
                    .collect();
                let missing = steps_within(graph, self.part, node)
                    .find(|edge| answer_to(graph, *edge, &question).is_some_and(|answer| !given.contains(&answer)));
                if let Some(missing) = missing {
                    return self.to(|edge| edge == missing);
                }
            }
        }
        false
    }

    /// Goes the shortest way to a step like this, that step included. Gives whether there is one.
    fn to(&mut self, wanted: impl Fn(usize) -> bool) -> bool {
        let mut reached: FxHashMap<Node, usize> = FxHashMap::default();
        let mut open = VecDeque::from([self.at]);
        while let Some(node) = open.pop_front() {
            for edge in steps_within(self.graph, self.part, node) {
                if wanted(edge) {
                    self.go(&reached, edge);
                    return true;
                }
                let to = self.graph.edges[edge].to;
                if to != self.at && !reached.contains_key(&to) {
                    reached.insert(to, edge);
                    open.push_back(to);
                }
            }
        }
        false
    }

    fn go(&mut self, reached: &FxHashMap<Node, usize>, last: usize) {
        let mut way = vec![last];
        let mut node = self.graph.edges[last].from;
        while node != self.at {
            let Some(edge) = reached.get(&node) else { break };
            way.push(*edge);
            node = self.graph.edges[*edge].from;
        }
        self.edges.extend(way.iter().rev());
        self.at = self.graph.edges[last].to;
    }
}

/// Runs the trace with the plain interpreter. The violation, if it comes back to where it was at `repeats_from`, the spec is hot there
/// and never cold after it, and every machine moves after it or cannot at some point.
pub(super) fn shown(
    program: &Program,
    settings: &Settings,
    trace: &Trace,
    repeats_from: usize,
    monitor: MonitorId,
) -> Option<Failure> {
    let mut configuration = Configuration::initial(program, settings).ok()?;
    let mut remembered = None;
    let mut put_off: Option<Vec<MachineId>> = None;
    for (number, decision) in trace.decisions.iter().enumerate() {
        if number == repeats_from {
            remembered = Some(configuration.clone());
        }
        let enabled = configuration.enabled(program, settings);
        if !enabled.contains(&decision.step) {
            return None;
        }
        if number >= repeats_from {
            let can_move = |id: &MachineId| enabled.iter().any(|step| step.machine == *id) && *id != decision.step.machine;
            let known = put_off.take().unwrap_or_else(|| enabled.iter().map(|step| step.machine.clone()).collect());
            put_off = Some(known.into_iter().filter(can_move).collect());
        }
        let mut answers = Script::new(&decision.answers);
        let (happened, result) = configuration.apply(program, settings, &decision.step, &mut answers);
        result.ok()?;
        let is_cold = temperature(program, &configuration, monitor) == Temperature::Cold;
        if number >= repeats_from && (is_cold || happened.cooled.contains(&monitor)) {
            return None;
        }
    }
    let is_hot = temperature(program, &configuration, monitor) == Temperature::Hot;
    if !is_hot || remembered.as_ref() != Some(&configuration) || put_off.is_none_or(|machines| !machines.is_empty()) {
        return None;
    }
    let local = &configuration.monitors[monitor.index()];
    let state = program.state(local.machine, local.state);
    let who = program.machine(local.machine).name.to_string();
    Some(Failure { fault: Fault::HotForever, who, state: state.name.clone(), place: Some(state.place) })
}

fn temperature(program: &Program, configuration: &Configuration, monitor: MonitorId) -> Temperature {
    let local = &configuration.monitors[monitor.index()];
    program.state(local.machine, local.state).temperature
}
