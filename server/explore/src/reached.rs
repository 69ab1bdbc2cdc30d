//! The states that the steps of one state led to: looked for together, and what is new of them kept for whoever takes it up.

use crate::sleep::Asleep;
use crate::store::{Prepared, StateId, Way, shard_of};
use crate::worker::{Looked, New, Round};

/// States that steps led to, one after the other.
#[derive(Default)]
pub(crate) struct Reached {
    numbers: Vec<u32>,
    all: Vec<ReachedState>,
}

struct ReachedState {
    hash: u128,
    step: u32,
    asleep: Asleep,
    /// Where its parts end.
    end: usize,
    prepared: Option<Prepared>,
}

impl Reached {
    pub(crate) fn add(&mut self, hash: u128, step: u32, asleep: Asleep, state: &[u32]) {
        self.numbers.extend_from_slice(state);
        self.all.push(ReachedState { hash, step, asleep, end: self.numbers.len(), prepared: None });
    }

    /// Looks for all of them in the store. Most of the time goes into waiting for memory, so everything is asked for before anything is
    /// looked at.
    pub(crate) fn hand_over(&mut self, sink: &mut Sink<'_, '_>) {
        let store = sink.round.store;
        for reached in &mut self.all {
            reached.prepared = Some(store.prepare(reached.hash));
        }
        let touch = |reached: &ReachedState| reached.prepared.map_or(0, |prepared| store.prepare_more(reached.hash, prepared));
        std::hint::black_box(self.all.iter().map(touch).fold(0, u8::wrapping_add));
        let mut start = 0;
        for ReachedState { hash, step, asleep, end, .. } in self.all.drain(..) {
            sink.reach(hash, step, asleep, &self.numbers[start..end]);
            start = end;
        }
        self.numbers.clear();
    }
}

/// Where what is found in a state goes.
pub(crate) struct Sink<'a, 'b> {
    pub(crate) round: &'a Round<'b>,
    pub(crate) id: StateId,
    pub(crate) depth: u32,
    pub(crate) looked: &'a mut Looked,
    /// Whether a step led to a state that has not been looked at yet.
    pub(crate) has_open: bool,
}

impl Sink<'_, '_> {
    fn reach(&mut self, hash: u128, step: u32, asleep: Asleep, state: &[u32]) {
        if let Some(known) = self.round.store.find(hash, state) {
            self.has_open |= known.index() >= self.round.open_from[known.shard()];
            if self.round.store.asleep(known).0 & !asleep == 0 {
                return;
            }
        } else {
            self.has_open = true;
        }
        let start = self.looked.numbers.len();
        self.looked.numbers.extend_from_slice(state);
        let (way, depth, end) = (Way { from: self.id, step }, self.depth + 1, self.looked.numbers.len());
        self.looked.new[shard_of(hash)].push(New { hash, way, depth, asleep, start, end });
    }
}
