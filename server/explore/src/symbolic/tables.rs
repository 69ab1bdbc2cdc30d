//! Tables for operations on diagrams, which serve one operation after the other.
//!
//! An entry has the stamp of the operation that made it, and is empty for all others: nothing has to be cleared or allocated for the next one.
//! Entries are found by open addressing, with at most half of the places taken. An operation uses only as many places from the beginning as it
//! needs, so what a small one looks at is close together even after a large one.

use biodivine_lib_bdd::{BddNode, BddPointer, BddVariable};

/// The fewest places that are used, as a power of two.
const FEWEST: u32 = 6;
/// From so many on they are only doubled: what does not fit into the caches should be small.
const MANY: usize = 1 << 14;
/// The most that are kept from one operation to the next.
pub(super) const MOST_KEPT: usize = 1 << 20;

/// Two nodes, of two diagrams or of one.
pub(super) type Pair = (BddPointer, BddPointer);

/// Places by hashes.
struct Places<T> {
    entries: Vec<(u32, T)>,
    /// Those from before it grew, for the next time.
    former: Vec<(u32, T)>,
    /// The last of them that is used; how many there are is a power of two.
    last: usize,
    /// What is left of a hash is a place.
    shift: u32,
    taken: usize,
    stamp: u32,
}

impl<T: Copy> Places<T> {
    const fn new() -> Self {
        Self { entries: Vec::new(), former: Vec::new(), last: 0, shift: 0, taken: 0, stamp: 0 }
    }

    /// Empties it for about so many entries.
    fn start(&mut self, expected: usize, empty: T) {
        self.restamp();
        self.taken = 0;
        let places = expected.saturating_mul(2).clamp(1 << FEWEST, MOST_KEPT);
        self.reach(places.next_power_of_two().ilog2(), empty);
    }

    /// From now on all entries are old ones.
    fn restamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.entries.clear();
            self.former.clear();
            self.stamp = 1;
        }
    }

    /// Never back to a stamp that was there before.
    #[cfg(test)]
    fn wrap_soon(&mut self) {
        self.stamp = self.stamp.max(u32::MAX - 2);
    }

    /// Uses so many of them, as a power of two.
    fn reach(&mut self, bits: u32, empty: T) {
        self.last = (1 << bits) - 1;
        self.shift = u64::BITS - bits;
        if self.entries.len() <= self.last {
            self.entries.resize(self.last + 1, (0, empty));
        }
    }

    /// Gives memory back that only few operations need.
    fn end(&mut self) {
        for entries in [&mut self.entries, &mut self.former] {
            if entries.capacity() > MOST_KEPT {
                *entries = Vec::new();
            }
        }
    }

    /// The place of an entry, or one for it.
    #[inline]
    fn place(&self, hash: u64, is_it: impl Fn(&T) -> bool) -> Result<usize, usize> {
        let mut place = usize::try_from(hash >> self.shift).unwrap_or_default();
        loop {
            let (stamp, entry) = &self.entries[place];
            if *stamp != self.stamp {
                return Err(place);
            }
            if is_it(entry) {
                return Ok(place);
            }
            place = (place + 1) & self.last;
        }
    }

    #[inline]
    fn take(&mut self, place: usize, entry: T) {
        self.entries[place] = (self.stamp, entry);
        self.taken += 1;
    }

    fn is_full(&self) -> bool {
        self.taken > self.last / 2
    }

    /// Makes it larger. Entries stay in about the same order, so this goes straight through both.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, hash: impl Fn(&T) -> u64, empty: T) {
        let (last, stamp) = (self.last, self.stamp);
        let mut former = std::mem::replace(&mut self.entries, std::mem::take(&mut self.former));
        self.restamp();
        self.reach(u64::BITS - self.shift + if last < MANY { 2 } else { 1 }, empty);
        self.taken = 0;
        for (_, entry) in former[..=last].iter().filter(|(made, _)| *made == stamp) {
            let (Ok(place) | Err(place)) = self.place(hash(entry), |_| false);
            self.take(place, *entry);
        }
        if self.stamp < stamp {
            // Stamps begin again, and there must be no old ones.
            former.clear();
        }
        self.former = former;
    }
}

/// What is known about pairs of nodes.
pub(super) struct Memo(Places<(Pair, BddPointer)>);

impl Memo {
    pub(super) const fn new() -> Self {
        Self(Places::new())
    }

    pub(super) fn start(&mut self, expected: usize) {
        self.0.start(expected, no_entry());
    }

    pub(super) fn end(&mut self) {
        self.0.end();
    }

    #[cfg(test)]
    pub(super) fn wrap_soon(&mut self) {
        self.0.wrap_soon();
    }

    pub(super) fn len(&self) -> usize {
        self.0.taken
    }

    /// What is known about a pair, or else the place where it will be. It must not be asked for again until then.
    #[inline]
    pub(super) fn known(&mut self, pair: Pair) -> Result<BddPointer, usize> {
        match self.0.place(hash_of(pair), |(known, _)| *known == pair) {
            Ok(place) => Ok(self.0.entries[place].1.1),
            Err(_) if self.0.is_full() => {
                self.0.grow(|(pair, _)| hash_of(*pair), no_entry());
                self.known(pair)
            }
            Err(place) => {
                self.0.take(place, (pair, BddPointer::zero()));
                Err(place)
            }
        }
    }

    /// Whether a pair was not asked for before.
    #[inline]
    pub(super) fn is_new(&mut self, pair: Pair) -> bool {
        self.known(pair).is_err()
    }

    /// What is known from now on about a pair that was asked for.
    #[inline]
    pub(super) fn learn(&mut self, place: usize, pair: Pair, result: BddPointer) {
        let (stamp, (there, _)) = self.0.entries[place];
        let place = match stamp == self.0.stamp && there == pair {
            true => place,
            // The table has grown since.
            false => match self.0.place(hash_of(pair), |(known, _)| *known == pair) {
                Ok(place) | Err(place) => place,
            },
        };
        self.0.entries[place] = (self.0.stamp, (pair, result));
    }
}

/// Nodes of a new diagram, no two alike, children first.
pub(super) struct Nodes {
    list: Vec<BddNode>,
    places: Places<BddPointer>,
}

impl Nodes {
    pub(super) const fn new() -> Self {
        Self { list: Vec::new(), places: Places::new() }
    }

    /// The constants only.
    pub(super) fn start(&mut self, variables: u16, expected: usize) {
        self.list.clear();
        self.list.extend([BddNode::mk_zero(variables), BddNode::mk_one(variables)]);
        self.places.start(expected, BddPointer::zero());
    }

    pub(super) fn end(&mut self) {
        self.places.end();
        if self.list.capacity() > MOST_KEPT {
            self.list = Vec::new();
        }
    }

    #[cfg(test)]
    pub(super) fn wrap_soon(&mut self) {
        self.places.wrap_soon();
    }

    pub(super) fn list(&self) -> &[BddNode] {
        &self.list
    }

    #[inline]
    pub(super) fn get(&self, node: BddPointer) -> BddNode {
        self.list[node.to_index()]
    }

    /// The node with these children.
    #[inline]
    pub(super) fn node(&mut self, variable: BddVariable, low: BddPointer, high: BddPointer) -> BddPointer {
        if low == high {
            return low;
        }
        let node = BddNode::mk_node(variable, low, high);
        match self.places.place(hash_of_node(&node), |known| self.list[known.to_index()] == node) {
            Ok(place) => self.places.entries[place].1,
            Err(_) if self.places.is_full() => {
                let list = &self.list;
                self.places.grow(|known| hash_of_node(&list[known.to_index()]), BddPointer::zero());
                self.node(variable, low, high)
            }
            Err(place) => {
                let new = BddPointer::from_index(self.list.len());
                self.list.push(node);
                self.places.take(place, new);
                new
            }
        }
    }
}

/// Answers about variables, each asked for once.
pub(super) struct Answers {
    known: Vec<(u32, bool)>,
    stamp: u32,
}

impl Answers {
    pub(super) const fn new() -> Self {
        Self { known: Vec::new(), stamp: 0 }
    }

    pub(super) fn start(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.known.clear();
            self.stamp = 1;
        }
    }

    #[cfg(test)]
    pub(super) fn wrap_soon(&mut self) {
        self.stamp = self.stamp.max(u32::MAX - 2);
    }

    #[inline]
    pub(super) fn about(&mut self, variable: BddVariable, ask: impl Fn(BddVariable) -> bool) -> bool {
        let place = variable.to_index();
        if place >= self.known.len() {
            self.known.resize(place + 1, (0, false));
        }
        let (stamp, answer) = &mut self.known[place];
        if *stamp != self.stamp {
            (*stamp, *answer) = (self.stamp, ask(variable));
        }
        *answer
    }
}

fn no_entry() -> (Pair, BddPointer) {
    ((BddPointer::zero(), BddPointer::zero()), BddPointer::zero())
}

/// Numbers of nodes close to each other, which is what comes up, are spread evenly by multiples of the powers of one over the plastic number (as those of
/// one number are by the golden ratio). The upper bits count.
const SPREAD: [u64; 3] = [0xC13F_A9A9_02A6_328F, 0x91E1_0DA5_C79E_7B1D, 0x9E37_79B9_7F4A_7C15];

#[inline]
fn hash_of((at, other): Pair) -> u64 {
    (at.to_index() as u64).wrapping_mul(SPREAD[0]).wrapping_add((other.to_index() as u64).wrapping_mul(SPREAD[1]))
}

#[inline]
fn hash_of_node(node: &BddNode) -> u64 {
    hash_of((node.low_link, node.high_link)).wrapping_add((node.var.to_index() as u64).wrapping_mul(SPREAD[2]))
}
