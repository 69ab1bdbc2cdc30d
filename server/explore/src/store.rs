//! The states that were seen, and how each was reached.
//!
//! The store is cut into shards by hash. While states are looked at nobody writes to it; afterwards each shard takes up its new
//! states, in the order of the states they were reached from, on a thread of its own. So nothing is locked, and what is in a shard
//! and in which order does not depend on the number of threads.
//!
//! Nothing of this is ever forgotten or moved: a state is known by its number for the rest of the search. Only who sleeps in it (`sleep.rs`) can
//! become less.

use crate::index::{Index, Vacant};
use crate::options::Keeping;
use crate::rows::{Rows, make_room};
use crate::sleep::{Asleep, POSITIONS};

/// A power of two.
pub(crate) const SHARDS: usize = 16;

/// A state by number. Its shard is in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct StateId(pub(crate) u32);

impl StateId {
    pub(crate) fn new(shard: usize, index: u32) -> Self {
        Self(index << SHARDS.trailing_zeros() | u32::try_from(shard).unwrap_or_default())
    }

    pub(crate) fn shard(self) -> usize {
        self.0 as usize % SHARDS
    }

    pub(crate) fn index(self) -> u32 {
        self.0 >> SHARDS.trailing_zeros()
    }
}

/// How a state was reached: from which, by which of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) from: StateId,
    pub(crate) step: u32,
}

/// What is known of a state before it is looked for.
#[derive(Clone, Copy)]
pub(crate) struct Prepared(u64);

pub(crate) struct Store {
    pub(crate) shards: Vec<Shard>,
    /// States from here on may stand for states with other names, by shard. The others have the names with which they were reached.
    exchanged_from: [u32; SHARDS],
}

pub(crate) struct Shard {
    number: usize,
    index: Index,
    kept: Kept,
    ways: Vec<Way>,
    /// Who sleeps in each state, and whether it was looked at; nothing if nobody ever sleeps.
    asleep: Vec<Asleep>,
    has_sleepers: bool,
}

/// Set if a state was looked at.
const LOOKED_AT: Asleep = 1 << POSITIONS;

/// What is new about a state that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It was not there.
    New(StateId),
    /// It was looked at while these slept, who are awake now.
    Woken(StateId, Asleep),
    Nothing,
}

enum Kept {
    Exact(Rows),
    Fingerprints(Vec<Fingerprint>),
}

/// What the index does not know of a hash. Together they are all of it.
type Fingerprint = [u32; 3];

impl Store {
    pub(crate) fn new(keeping: Keeping, has_sleepers: bool) -> Self {
        let shards = (0..SHARDS).map(|number| Shard::new(number, keeping, has_sleepers)).collect();
        Self { shards, exchanged_from: [u32::MAX; SHARDS] }
    }

    /// The state that was reached from no other.
    pub(crate) fn insert_first(&mut self, hash: u128, state: &[u32]) -> StateId {
        let none = Way { from: StateId(u32::MAX), step: u32::MAX };
        let shard = shard_of(hash);
        self.shards[shard].arrive(hash, state, none, 0);
        StateId::new(shard, 0)
    }

    pub(crate) fn find(&self, hash: u128, state: &[u32]) -> Option<StateId> {
        self.shards[shard_of(hash)].find(hash, state)
    }

    /// What it takes to `find` a state, without waiting for it. Asked for several states before any of them is looked for, all of it
    /// comes from memory at the same time.
    pub(crate) fn prepare(&self, hash: u128) -> Prepared {
        Prepared(self.shards[shard_of(hash)].index.entry(hash))
    }

    /// The same once more, for what comes next.
    pub(crate) fn prepare_more(&self, hash: u128, prepared: Prepared) -> u8 {
        self.shards[shard_of(hash)].touch(hash, prepared.0)
    }

    /// Puts the parts of a state into `parts`; nothing if only fingerprints are kept.
    pub(crate) fn read(&self, id: StateId, parts: &mut Vec<u32>) {
        parts.clear();
        if let Kept::Exact(rows) = &self.shards[id.shard()].kept {
            rows.read(id.index() as usize, parts);
        }
    }

    /// The parts of a state; nothing if only fingerprints are kept.
    pub(crate) fn state(&self, id: StateId) -> Vec<u32> {
        let mut parts = Vec::new();
        self.read(id, &mut parts);
        parts
    }

    /// `None` for the first state.
    pub(crate) fn way(&self, id: StateId) -> Option<Way> {
        let way = self.shards[id.shard()].ways[id.index() as usize];
        (way.step != u32::MAX).then_some(way)
    }

    /// Who sleeps in a state, and whether it was looked at.
    pub(crate) fn asleep(&self, id: StateId) -> (Asleep, bool) {
        let kept = self.shards[id.shard()].asleep.get(id.index() as usize).copied().unwrap_or(0);
        (kept & !LOOKED_AT, kept & LOOKED_AT != 0)
    }

    /// Takes note that a state was looked at.
    pub(crate) fn looked_at(&mut self, id: StateId) {
        if let Some(kept) = self.shards[id.shard()].asleep.get_mut(id.index() as usize) {
            *kept |= LOOKED_AT;
        }
    }

    /// What is in the store has the names with which it was reached; what comes from now on may have others.
    pub(crate) fn exchange_names(&mut self) {
        self.exchanged_from = self.sizes();
    }

    /// Whether a state has the names with which it was reached, for sure.
    pub(crate) fn has_own_names(&self, id: StateId) -> bool {
        id.index() < self.exchanged_from[id.shard()]
    }

    pub(crate) fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.ways.len() as u64).sum()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// How many states each shard has.
    pub(crate) fn sizes(&self) -> [u32; SHARDS] {
        std::array::from_fn(|shard| u32::try_from(self.shards[shard].ways.len()).unwrap_or(u32::MAX))
    }

    /// Whether some shard is about to have more states than there are numbers.
    pub(crate) fn is_full(&self) -> bool {
        let most = (u32::MAX >> SHARDS.trailing_zeros()) as usize - (1 << 20);
        self.shards.iter().any(|shard| shard.ways.len() > most)
    }
}

#[allow(clippy::cast_possible_truncation)]
fn fingerprint(hash: u128) -> Fingerprint {
    [(hash >> 32) as u32, (hash >> 64) as u32, (hash >> 96) as u32]
}

/// By the highest bits; places in the table of a shard go by the lowest.
pub(crate) fn shard_of(hash: u128) -> usize {
    (hash >> (128 - SHARDS.trailing_zeros())) as usize
}

impl Shard {
    fn new(number: usize, keeping: Keeping, has_sleepers: bool) -> Self {
        let kept = match keeping {
            Keeping::Exact => Kept::Exact(Rows::default()),
            Keeping::Fingerprints => Kept::Fingerprints(Vec::new()),
        };
        Self { number, index: Index::default(), kept, ways: Vec::new(), asleep: Vec::new(), has_sleepers }
    }

    /// Takes up a state that was reached while some sleep.
    pub(crate) fn arrive(&mut self, hash: u128, state: &[u32], way: Way, asleep: Asleep) -> Arrival {
        let place = match self.place(hash, state) {
            Ok(index) => return self.wake(index, asleep),
            Err(place) => place,
        };
        let index = u32::try_from(self.ways.len()).unwrap_or(u32::MAX);
        self.index.add(place, hash, index);
        make_room(&mut self.ways, 1);
        self.ways.push(way);
        if self.has_sleepers {
            make_room(&mut self.asleep, 1);
            self.asleep.push(asleep);
        }
        match &mut self.kept {
            Kept::Exact(rows) => rows.push(state),
            Kept::Fingerprints(all) => {
                make_room(all, 1);
                all.push(fingerprint(hash));
            }
        }
        Arrival::New(StateId::new(self.number, index))
    }

    /// A state was reached once more: only who sleeps this time, too, goes on to sleep in it.
    fn wake(&mut self, index: u32, asleep: Asleep) -> Arrival {
        let Some(kept) = self.asleep.get_mut(index as usize) else { return Arrival::Nothing };
        let woken = *kept & !LOOKED_AT & !asleep;
        *kept &= !woken;
        if woken == 0 || *kept & LOOKED_AT == 0 {
            return Arrival::Nothing;
        }
        Arrival::Woken(StateId::new(self.number, index), woken)
    }

    fn find(&self, hash: u128, state: &[u32]) -> Option<StateId> {
        self.place(hash, state).ok().map(|index| StateId::new(self.number, index))
    }

    /// The index of a state, or where it belongs.
    fn place(&self, hash: u128, state: &[u32]) -> Result<u32, Vacant> {
        self.index.find(hash, |index| match &self.kept {
            Kept::Exact(rows) => rows.is(index as usize, state),
            Kept::Fingerprints(all) => all[index as usize] == fingerprint(hash),
        })
    }

    /// Something of the state that this entry is about, if it could be the one with this hash.
    fn touch(&self, hash: u128, found: u64) -> u8 {
        let Some(index) = Index::candidate(hash, found) else { return 0 };
        match &self.kept {
            Kept::Exact(rows) => rows.touch(index as usize),
            Kept::Fingerprints(all) => all[index as usize][0].to_le_bytes()[0],
        }
    }

    fn bytes(&self) -> u64 {
        let kept = match &self.kept {
            Kept::Exact(rows) => rows.size(),
            Kept::Fingerprints(all) => all.capacity() * size_of::<Fingerprint>(),
        };
        (kept + self.index.size() + self.ways.capacity() * 8 + self.asleep.capacity() * size_of::<Asleep>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index knows 32 bits of a hash only; what is behind them must decide.
    #[test]
    fn states_with_the_same_bits_are_told_apart() {
        let way = Way { from: StateId(0), step: 0 };
        let is_new = |arrival| matches!(arrival, Arrival::New(_));
        let mut exact = Shard::new(0, Keeping::Exact, false);
        let mut fingerprints = Shard::new(0, Keeping::Fingerprints, false);
        for number in 0..1_000 {
            // Whole states are compared even if their hashes are equal; fingerprints are all that is known of the others.
            assert!(is_new(exact.arrive(7, &[number, 1], way, 0)));
            assert!(!is_new(exact.arrive(7, &[number, 1], way, 0)));
            let hash = u128::from(number) << 32 | 7;
            assert!(is_new(fingerprints.arrive(hash, &[number, 1], way, 0)));
            assert!(!is_new(fingerprints.arrive(hash, &[number, 1], way, 0)));
        }
        // Every bit counts, whether the index knows it or the fingerprint.
        let mut bits = Shard::new(0, Keeping::Fingerprints, false);
        for hash in (0..128).map(|bit| 1 << bit) {
            assert!(is_new(bits.arrive(hash, &[], way, 0)));
            assert!(!is_new(bits.arrive(hash, &[], way, 0)));
        }
        let known = |shard: &Shard, hash: u128, state: &[u32]| shard.find(hash, state).map(StateId::index);
        assert_eq!((known(&exact, 7, &[500, 1]), known(&exact, 7, &[500, 2])), (Some(500), None));
        assert_eq!((known(&fingerprints, 500 << 32 | 7, &[]), known(&fingerprints, 1_000 << 32 | 7, &[])), (Some(500), None));
    }

    /// Who sleeps in a state is who sleeps in all ways to reach it, and whoever is woken after it was looked at is told of once.
    #[test]
    fn who_is_awake_once_does_not_sleep_again() {
        let mut store = Store::new(Keeping::Exact, true);
        let way = Way { from: StateId(0), step: 0 };
        let id = store.insert_first(7, &[1]);
        assert_eq!(store.asleep(id), (0, false));
        let other = shard_of(9);
        let Arrival::New(id) = store.shards[other].arrive(9, &[2], way, 0b1111) else { panic!("it is new") };
        assert_eq!(store.shards[other].arrive(9, &[2], way, 0b0111), Arrival::Nothing);
        assert_eq!(store.asleep(id), (0b0111, false));
        store.looked_at(id);
        assert_eq!(store.shards[other].arrive(9, &[2], way, 0b1111), Arrival::Nothing);
        assert_eq!(store.shards[other].arrive(9, &[2], way, 0b1010), Arrival::Woken(id, 0b0101));
        assert_eq!(store.shards[other].arrive(9, &[2], way, 0b1010), Arrival::Nothing);
        assert_eq!(store.asleep(id), (0b0010, true));
    }
}
