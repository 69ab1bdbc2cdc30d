//! A run that goes round in a part of the graph, fairly.

use std::collections::VecDeque;

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
