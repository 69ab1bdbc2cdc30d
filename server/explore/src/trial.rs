//! Whether comparing states up to names pays. It makes every step several times as slow, and saves nothing where machines differ anyway.
//!
//! So a search begins without it and counts how many kinds of states there are among the first ones. If they are much fewer than the
//! states, it goes on with it. Nothing is looked at twice but for that: what is in the store stays there, and a kind of which a state
//! is in the store with other names is met once more. (The other way round would not do: a search that goes on without symmetry from
//! states that were given other names meets everything under these names too.)
//!
//! Counted and not timed, so that the result is the same on any day.

use rustc_hash::FxHashSet;

use crate::options::Reduction;

/// After so many states it is settled.
const STATES: usize = 1_024;
/// From so many on it is looked whether it is clear already.
const FEW: usize = 64;
/// How many states there must be of each kind, in percent.
const ENOUGH: usize = 150;
const CLEARLY: usize = 200;

pub(crate) struct Trial {
    /// Whether states are compared up to names.
    is_on: bool,
    /// `None` if that is settled.
    counts: Option<Counts>,
}

#[derive(Default)]
struct Counts {
    /// States in which machines could exchange names.
    states: usize,
    /// How many kinds of states they are, by hash.
    kinds: FxHashSet<u128>,
}

impl Trial {
    /// Who asks for symmetry alone gets it.
    pub(crate) fn new(reduction: Reduction) -> Self {
        let is_alone = !reduction.partial_order && !reduction.monotonic;
        let counts = (reduction.symmetry && !is_alone).then(Counts::default);
        Self { is_on: reduction.symmetry && is_alone, counts }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether it wants to know of more states.
    pub(crate) fn asks(&self) -> bool {
        self.counts.is_some()
    }

    /// Takes note of the kind of a new state.
    pub(crate) fn note(&mut self, kind: u128) {
        if let Some(counts) = &mut self.counts {
            counts.states += 1;
            counts.kinds.insert(kind);
        }
    }

    /// Gives whether states are to be compared up to names from now on.
    pub(crate) fn begins(&mut self) -> bool {
        let Some(Counts { states, kinds }) = &self.counts else { return false };
        let is_over = *states >= STATES;
        let enough = if is_over { ENOUGH } else { CLEARLY };
        self.is_on = *states >= FEW && states * 100 >= kinds.len() * enough;
        if is_over || self.is_on {
            self.counts = None;
        }
        self.is_on
    }

    /// How the search is reduced, for whoever asks what a state stands for.
    pub(crate) fn applied(&self, asked: Reduction) -> Reduction {
        Reduction { symmetry: self.is_on, ..asked }
    }
}
