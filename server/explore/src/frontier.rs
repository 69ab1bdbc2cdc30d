//! The states that are still to be looked at, and in which order.

use rustc_hash::FxHashMap;

use crate::options::{Keeping, Order};
use crate::store::StateId;

/// How many states are looked at before what they lead to is taken up, at most. The same for any number of threads, since what a
/// reduction does depends on it.
const BATCH: usize = 4_096;
/// How many at the beginning of a level: nobody knows yet how many states its states lead to, and one with choices can lead to thousands.
const FIRST_BATCH: usize = 32;
/// How many states may be found by one batch, about. Budgets are looked at between batches.
const MOST_FOUND: usize = 1 << 16;
/// Going deep needs what the last states lead to.
const DEEP_BATCH: usize = 64;

pub(crate) struct Frontier {
    order: Order,
    /// States with how many steps away they are. Breadth first: of one level, from `done` on; depth first: a stack.
    open: Vec<(StateId, u32)>,
    done: usize,
    /// Breadth first: the next level.
    next: Vec<(StateId, u32)>,
    /// How many states the next batch has.
    batch: usize,
    /// How many states each state of the last one led to.
    for_each: usize,
    /// The parts of states, if the store does not keep them.
    states: Option<FxHashMap<StateId, Box<[u32]>>>,
    /// The level that is looked at; the deepest so far if it goes depth first.
    pub(crate) depth: u32,
    pub(crate) longest: u64,
}

/// States that are looked at together.
pub(crate) struct Batch {
    pub(crate) states: Vec<(StateId, u32)>,
    /// Their parts, if the store does not keep them.
    pub(crate) parts: Option<Vec<Box<[u32]>>>,
    /// Whether a new level begins with it.
    pub(crate) is_new_level: bool,
    /// About how many states it leads to.
    pub(crate) weight: usize,
}

impl Frontier {
    pub(crate) fn new(order: Order, keeping: Keeping) -> Self {
        let states = (keeping == Keeping::Fingerprints).then(FxHashMap::default);
        Self { order, open: Vec::new(), done: 0, next: Vec::new(), batch: FIRST_BATCH, for_each: 1, states, depth: 0, longest: 0 }
    }

    pub(crate) fn add(&mut self, id: StateId, depth: u32, state: &[u32]) {
        if let Some(states) = &mut self.states {
            states.insert(id, state.into());
        }
        match self.order {
            Order::BreadthFirst if depth > self.depth => self.next.push((id, depth)),
            Order::BreadthFirst | Order::DepthFirst => self.open.push((id, depth)),
        }
        self.longest = self.longest.max(self.len());
    }

    pub(crate) fn len(&self) -> u64 {
        (self.open.len() - self.done + self.next.len()) as u64
    }

    /// The next states; `None` if there are none.
    pub(crate) fn next_batch(&mut self) -> Option<Batch> {
        let mut is_new_level = false;
        let states = match self.order {
            Order::BreadthFirst => {
                if self.done == self.open.len() {
                    std::mem::swap(&mut self.open, &mut self.next);
                    self.next.clear();
                    self.done = 0;
                    self.batch = FIRST_BATCH;
                    is_new_level = true;
                }
                let end = self.open.len().min(self.done + self.batch);
                let states = self.open[self.done..end].to_vec();
                self.done = end;
                states
            }
            Order::DepthFirst => self.open.split_off(self.open.len().saturating_sub(self.batch.min(DEEP_BATCH))),
        };
        self.depth = states.iter().map(|(_, depth)| *depth).max()?.max(self.depth);
        let parts = self.states.as_mut().map(|known| states.iter().filter_map(|(id, _)| known.remove(id)).collect());
        let weight = states.len().saturating_mul(self.for_each);
        Some(Batch { states, parts, is_new_level, weight })
    }

    /// A batch of so many states has led to so many that were not known before: the next is made as large as that allows.
    pub(crate) fn learn(&mut self, looked: usize, found: usize) {
        self.for_each = found.div_ceil(looked.max(1)).max(1);
        self.batch = (MOST_FOUND / self.for_each).min(looked * 4).clamp(1, BATCH);
    }

    pub(crate) fn bytes(&self) -> u64 {
        let parts: usize = self.states.as_ref().map_or(0, |states| states.capacity() * 64);
        ((self.open.capacity() + self.next.capacity()) * 8 + parts) as u64
    }
}
