//! The states that are still to be looked at, and in which order.

use std::ops::Range;

use crate::options::{Keeping, Order};
use crate::rows::{Rows, make_room};
use crate::store::StateId;

/// How many states are looked at before what they lead to is taken up, at most. The same for any number of threads, since what a
/// reduction does depends on it.
const BATCH: usize = 4_096;
/// How many at the beginning of a level: nobody knows yet how many states its states lead to, and one with choices can lead to thousands.
const FIRST_BATCH: usize = 32;
/// How many states may be found by one batch, about. Budgets are looked at between batches.
const MOST_FOUND: usize = 1 << 16;

pub(crate) struct Frontier {
    order: Order,
    /// Depth first: the most states of a batch. Going deep needs what the last states lead to.
    breadth: usize,
    /// Breadth first: of one level, from `done` on; depth first: a stack.
    open: Waiting,
    done: usize,
    /// Breadth first: the next level.
    next: Waiting,
    /// How many states the next batch has.
    batch: usize,
    /// How many states each state of the last one led to.
    for_each: usize,
    /// The level that is looked at; the deepest so far if it goes depth first.
    pub(crate) depth: u32,
    pub(crate) longest: u64,
}

/// States in a row.
struct Waiting {
    /// With how many steps away they are.
    states: Vec<(StateId, u32)>,
    /// Their parts, if the store does not keep them.
    parts: Option<Rows>,
}

impl Waiting {
    fn new(keeping: Keeping) -> Self {
        Self { states: Vec::new(), parts: (keeping == Keeping::Fingerprints).then(Rows::default) }
    }

    fn add(&mut self, id: StateId, depth: u32, state: &[u32]) {
        make_room(&mut self.states, 1);
        self.states.push((id, depth));
        if let Some(parts) = &mut self.parts {
            parts.push(state);
        }
    }

    fn parts_of(&self, range: Range<usize>) -> Option<Parts> {
        let rows = self.parts.as_ref()?;
        let mut parts = Parts::default();
        for index in range {
            rows.read(index, &mut parts.numbers);
            parts.ends.push(parts.numbers.len());
        }
        Some(parts)
    }

    fn truncate(&mut self, count: usize) {
        self.states.truncate(count);
        if let Some(parts) = &mut self.parts {
            parts.truncate(count);
        }
    }

    fn size(&self) -> usize {
        self.states.capacity() * size_of::<(StateId, u32)>() + self.parts.as_ref().map_or(0, Rows::size)
    }
}

/// The parts of several states.
#[derive(Default)]
pub(crate) struct Parts {
    numbers: Vec<u32>,
    /// Where those of each state end.
    ends: Vec<usize>,
}

impl Parts {
    pub(crate) fn of(&self, position: usize) -> &[u32] {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start..self.ends[position]]
    }
}

/// States that are looked at together.
pub(crate) struct Batch {
    pub(crate) states: Vec<(StateId, u32)>,
    /// Their parts, if the store does not keep them.
    pub(crate) parts: Option<Parts>,
    /// Whether a new level begins with it.
    pub(crate) is_new_level: bool,
    /// About how many states it leads to.
    pub(crate) weight: usize,
}

impl Frontier {
    pub(crate) fn new(order: Order, breadth: usize, keeping: Keeping) -> Self {
        let (open, next) = (Waiting::new(keeping), Waiting::new(keeping));
        Self { order, breadth: breadth.max(1), open, done: 0, next, batch: FIRST_BATCH, for_each: 1, depth: 0, longest: 0 }
    }

    pub(crate) fn add(&mut self, id: StateId, depth: u32, state: &[u32]) {
        match self.order {
            Order::BreadthFirst if depth > self.depth => self.next.add(id, depth, state),
            Order::BreadthFirst | Order::DepthFirst => self.open.add(id, depth, state),
        }
        self.longest = self.longest.max(self.len());
    }

    pub(crate) fn len(&self) -> u64 {
        (self.open.states.len() - self.done + self.next.states.len()) as u64
    }

    /// The next states; `None` if there are none.
    pub(crate) fn next_batch(&mut self) -> Option<Batch> {
        let mut is_new_level = false;
        let range = match self.order {
            Order::BreadthFirst => {
                if self.done == self.open.states.len() {
                    std::mem::swap(&mut self.open, &mut self.next);
                    self.next.truncate(0);
                    self.done = 0;
                    self.batch = FIRST_BATCH;
                    is_new_level = true;
                }
                self.done..self.open.states.len().min(self.done + self.batch)
            }
            Order::DepthFirst => {
                let count = self.open.states.len();
                count.saturating_sub(self.batch.min(self.breadth))..count
            }
        };
        let (states, parts) = (self.open.states[range.clone()].to_vec(), self.open.parts_of(range.clone()));
        match self.order {
            Order::BreadthFirst => self.done = range.end,
            Order::DepthFirst => self.open.truncate(range.start),
        }
        self.depth = states.iter().map(|(_, depth)| *depth).max()?.max(self.depth);
        let weight = states.len().saturating_mul(self.for_each);
        Some(Batch { states, parts, is_new_level, weight })
    }

    /// A batch of so many states has led to so many that were not known before: the next is made as large as that allows.
    pub(crate) fn learn(&mut self, looked: usize, found: usize) {
        self.for_each = found.div_ceil(looked.max(1)).max(1);
        self.batch = (MOST_FOUND / self.for_each).min(looked * 4).clamp(1, BATCH);
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.open.size() + self.next.size()) as u64
    }
}
