//! Strongly connected parts in which a fair run can stay.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{Graph, Node};
use crate::tables::{Heat, Who};

/// The nodes of a part in which a fair run can stay and be hot again and again, sorted.
pub(super) fn fair_part(graph: &mut Graph) -> Option<Vec<Node>> {
    let all = (0..u32::try_from(graph.len()).unwrap_or(u32::MAX)).filter(|node| graph.heat[*node as usize] != Heat::Cold);
    let mut open = vec![all.collect::<Vec<Node>>()];
    while let Some(nodes) = open.pop() {
        for part in connected_parts(graph, &nodes) {
            let is_hot = part.iter().any(|node| graph.heat[*node as usize] == Heat::Hot);
            if !is_hot || !has_step(graph, &part) {
                continue;
            }
            if take_away_unfair(graph, &part) {
                open.push(part);
            } else if lets_everybody_move(graph, &part) {
                return Some(part);
            }
        }
    }
    None
}

/// The steps of a node that stay in a part.
pub(super) fn steps_within<'a>(graph: &'a Graph, part: &'a [Node], node: Node) -> impl Iterator<Item = usize> + 'a {
    let stays = move |edge: &usize| !graph.edges[*edge].is_gone && part.binary_search(&graph.edges[*edge].to).is_ok();
    graph.steps(node).filter(stays)
}

fn has_step(graph: &Graph, part: &[Node]) -> bool {
    part.iter().any(|node| steps_within(graph, part, *node).next().is_some())
}

/// Whether each machine moves in some step of the part, or can do nothing in some node of it.
fn lets_everybody_move(graph: &Graph, part: &[Node]) -> bool {
    let mut fine: FxHashSet<Who> = FxHashSet::default();
    let mut seen: Vec<Who> = Vec::new();
    for node in part {
        fine.extend(idle_in(graph, *node));
        fine.extend(steps_within(graph, part, *node).map(|edge| graph.edges[edge].who));
        // Steps that leave the part tell who else could move.
        seen.extend(graph.steps(*node).map(|edge| graph.edges[edge].who));
    }
    seen.iter().all(|who| fine.contains(who))
}

pub(super) fn idle_in(graph: &Graph, node: Node) -> impl Iterator<Item = Who> + '_ {
    let start = graph.idle.partition_point(|(at, _)| *at < node);
    graph.idle[start..].iter().take_while(move |(at, _)| *at == node).map(|(_, who)| *who)
}

/// Takes away the steps of fair choices that have answers which leave the part. Gives whether there were any.
fn take_away_unfair(graph: &mut Graph, part: &[Node]) -> bool {
    let mut gone: Vec<usize> = Vec::new();
    for node in part {
        let fair: Vec<usize> =
            steps_within(graph, part, *node).filter(|edge| graph.fair.contains_key(&edge_number(*edge))).collect();
        for &edge in &fair {
            let is_complete = questions(graph, edge).all(|(key, options)| {
                let answered: FxHashSet<u32> = fair.iter().filter_map(|other| answer_to(graph, *other, &key)).collect();
                answered.len() == options as usize
            });
            if !is_complete {
                gone.push(edge);
            }
        }
    }
    gone.iter().for_each(|edge| graph.edges[*edge].is_gone = true);
    !gone.is_empty()
}

/// A fair choice in a situation: who asks in which action, after which answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    who: Who,
    action: u32,
    answers: Vec<u32>,
}

/// The fair choices that a step answers, each with how many answers there are.
pub(super) fn questions(graph: &Graph, edge: usize) -> impl Iterator<Item = (Question, u32)> + '_ {
    let who = graph.edges[edge].who;
    graph.fair.get(&edge_number(edge)).into_iter().flat_map(move |(action, outcome)| {
        let fair = outcome.choices.iter().enumerate().filter(|(_, choice)| choice.is_fair);
        fair.map(move |(at, choice)| (Question { who, action: *action, answers: outcome.answers[..at].to_vec() }, choice.options))
    })
}

/// How a step of the same node answers a question, if it does.
pub(super) fn answer_to(graph: &Graph, edge: usize, question: &Question) -> Option<u32> {
    let (action, outcome) = graph.fair.get(&edge_number(edge))?;
    let is_asked =
        graph.edges[edge].who == question.who && *action == question.action && outcome.answers.starts_with(&question.answers);
    outcome.answers.get(question.answers.len()).copied().filter(|_| is_asked)
}

fn edge_number(edge: usize) -> u32 {
    u32::try_from(edge).unwrap_or(u32::MAX)
}

/// The strongly connected parts among some nodes, each sorted (Tarjan's algorithm, with a list instead of recursion).
fn connected_parts(graph: &Graph, nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut search = Tarjan { graph, nodes, marks: FxHashMap::default(), stack: Vec::new(), parts: Vec::new() };
    for &node in nodes {
        if !search.marks.contains_key(&node) {
            search.from(node);
        }
    }
    search.parts
}

struct Tarjan<'a> {
    graph: &'a Graph,
    nodes: &'a [Node],
    /// When a node was found, the first node it is known to reach, and whether its part is still open.
    marks: FxHashMap<Node, Mark>,
    stack: Vec<Node>,
    parts: Vec<Vec<Node>>,
}

#[derive(Clone, Copy)]
struct Mark {
    found: u32,
    lowest: u32,
    is_open: bool,
}

impl Tarjan<'_> {
    fn from(&mut self, root: Node) {
        let mut calls: Vec<(Node, std::ops::Range<usize>)> = vec![(root, self.graph.steps(root))];
        self.enter(root);
        while let Some((node, steps)) = calls.last_mut() {
            let node = *node;
            match steps.next() {
                Some(edge) => {
                    let edge = &self.graph.edges[edge];
                    if edge.is_gone || self.nodes.binary_search(&edge.to).is_err() {
                        continue;
                    }
                    match self.marks.get(&edge.to) {
                        Some(mark) if mark.is_open => self.lower(node, mark.found),
                        Some(_) => {}
                        None => {
                            self.enter(edge.to);
                            calls.push((edge.to, self.graph.steps(edge.to)));
                        }
                    }
                }
                None => {
                    calls.pop();
                    let lowest = self.leave(node);
                    if let Some((caller, _)) = calls.last() {
                        self.lower(*caller, lowest);
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: Node) {
        let found = u32::try_from(self.marks.len()).unwrap_or(u32::MAX);
        self.marks.insert(node, Mark { found, lowest: found, is_open: true });
        self.stack.push(node);
    }

    fn lower(&mut self, node: Node, lowest: u32) {
        if let Some(mark) = self.marks.get_mut(&node) {
            mark.lowest = mark.lowest.min(lowest);
        }
    }

    /// All steps of a node have been followed. If it is the first of its part, the part is complete.
    fn leave(&mut self, node: Node) -> u32 {
        let Some(mark) = self.marks.get(&node).copied() else { return u32::MAX };
        if mark.lowest == mark.found {
            let start = self.stack.iter().rposition(|other| *other == node).unwrap_or(0);
            let mut part = self.stack.split_off(start);
            for member in &part {
                if let Some(mark) = self.marks.get_mut(member) {
                    mark.is_open = false;
                }
            }
            part.sort_unstable();
            self.parts.push(part);
        }
        mark.lowest
    }
}
