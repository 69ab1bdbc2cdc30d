//! The states in which a spec is not cold, and the steps between them.

use std::sync::Arc;

use lockstep_runtime::Program;
use rustc_hash::FxHashMap;

use crate::options::Budgets;
use crate::report::Why;
use crate::steps::{Outcome, Shared};
use crate::store::{SHARDS, StateId, Store};
use crate::tables::{Heat, Who};
use crate::worker::Worker;

/// A state by its place in the order of shards and numbers.
pub(super) type Node = u32;

pub(super) struct Graph {
    /// How many states come before each shard.
    before: [u32; SHARDS],
    pub(super) heat: Vec<Heat>,
    /// Where the steps of each node start; one more than there are nodes.
    first: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// Steps with a fair choice: which action of the machine, and the answers.
    pub(super) fair: FxHashMap<u32, (u32, Arc<Outcome>)>,
    /// Machines that can do nothing in a node, with the node, in order.
    pub(super) idle: Vec<(Node, Who)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: Node,
    pub(super) to: Node,
    pub(super) step: u32,
    pub(super) who: Who,
    /// It cools the spec down, or a fair run that stays hot does not make it again and again. Kept to tell who could move.
    pub(super) is_gone: bool,
}

impl Graph {
    pub(super) fn of(
        program: &Program,
        shared: &Shared<'_>,
        worker: &mut Worker<'_>,
        store: &Store,
        monitor: usize,
        budgets: &Budgets,
    ) -> Result<Self, Why> {
        let sizes = store.sizes();
        let mut before = [0; SHARDS];
        for shard in 1..SHARDS {
            before[shard] = before[shard - 1] + sizes[shard - 1];
        }
        let count = store.len();
        let mut graph =
            Self { before, heat: Vec::new(), first: Vec::new(), edges: Vec::new(), fair: FxHashMap::default(), idle: Vec::new() };
        for node in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            let heat = monitor_heat(program, worker, &store.state(graph.id(node)), monitor);
            graph.heat.push(heat);
        }
        for node in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            graph.first.push(u32::try_from(graph.edges.len()).unwrap_or(u32::MAX));
            if graph.heat[node as usize] != Heat::Cold {
                graph.add_steps(worker, store, node, monitor);
            }
            if node % 1024 == 0 {
                graph.check(shared, budgets)?;
            }
        }
        graph.first.push(u32::try_from(graph.edges.len()).unwrap_or(u32::MAX));
        Ok(graph)
    }

    fn check(&self, shared: &Shared<'_>, budgets: &Budgets) -> Result<(), Why> {
        if shared.is_cancelled() {
            return Err(Why::Cancelled);
        }
        if let Some(time) = budgets.time.filter(|_| shared.is_over()) {
            return Err(Why::Time(time));
        }
        let bytes = (self.edges.len() * size_of::<Edge>() + self.idle.len() * 8 + self.fair.len() * 32) as u64;
        budgets.memory.filter(|most| bytes > *most).map_or(Ok(()), |most| Err(Why::Memory(most)))
    }

    fn add_steps(&mut self, worker: &mut Worker<'_>, store: &Store, from: Node, monitor: usize) {
        let state = &store.state(self.id(from));
        let Self { before, heat, edges, fair, .. } = self;
        worker.each_step(state, |made| {
            let Some(id) = store.find(made.hash, made.state) else { return };
            let to = before[id.shard()] + id.index();
            let is_gone = heat[to as usize] == Heat::Cold || made.cooled.iter().any(|cooled| *cooled as usize == monitor);
            if !is_gone && made.transition.outcome.choices.iter().any(|choice| choice.is_fair) {
                let edge = u32::try_from(edges.len()).unwrap_or(u32::MAX);
                fair.insert(edge, (made.transition.action, made.transition.outcome.clone()));
            }
            edges.push(Edge { from, to, step: made.number, who: made.who, is_gone });
        });
        worker.each_idle(state, |who| self.idle.push((from, who)));
    }

    pub(super) fn id(&self, node: Node) -> StateId {
        let shard = self.before.iter().rposition(|before| *before <= node).unwrap_or(0);
        // Shards without states start where the next one does; the last of them is the one that has the state.
        StateId::new(shard, node - self.before[shard])
    }

    /// The numbers of the steps of a node.
    pub(super) fn steps(&self, node: Node) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    pub(super) fn len(&self) -> usize {
        self.heat.len()
    }
}

fn monitor_heat(program: &Program, worker: &mut Worker<'_>, state: &[u32], monitor: usize) -> Heat {
    let position = state.len() - program.monitors.len() + monitor;
    worker.component(state[position]).map_or(Heat::Cold, |component| component.heat)
}
