//! Numbers of things, found by the hash of the things, which somebody else keeps.
//!
//! Open addressing: an entry is 32 bits of the hash, and the number from 1; 0 where there is none. The place of an entry follows from its 32
//! bits, so that the table can grow without the hashes.

/// How many entries a table has at first.
const FIRST: usize = 16;

#[derive(Debug)]
pub(crate) struct Index {
    table: Vec<u64>,
    count: usize,
}

/// Where something belongs that was not found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacant(usize);

impl Default for Index {
    fn default() -> Self {
        Self { table: vec![0; FIRST], count: 0 }
    }
}

impl Index {
    /// The number of something with this hash for which `is_it` holds, or where it belongs. Whoever is asked has the lowest 32 bits of the
    /// hash for sure.
    #[inline]
    pub(crate) fn find(&self, hash: u128, is_it: impl Fn(u32) -> bool) -> Result<u32, Vacant> {
        let tag = tag_of(hash);
        let mut place = home(tag, self.table.len());
        loop {
            let found = self.table[place];
            if found == 0 {
                return Err(Vacant(place));
            }
            if found >> 32 == tag && is_it(number_in(found)) {
                return Ok(number_in(found));
            }
            place = if place + 1 == self.table.len() { 0 } else { place + 1 };
        }
    }

    /// Adds a number of something with this hash that was not found just now.
    pub(crate) fn add(&mut self, at: Vacant, hash: u128, number: u32) {
        self.table[at.0] = tag_of(hash) << 32 | u64::from(number.wrapping_add(1));
        self.count += 1;
        if self.count * 4 > self.table.len() * 3 {
            self.grow();
        }
    }

    /// The first entry that could be that of something with this hash.
    #[inline]
    pub(crate) fn entry(&self, hash: u128) -> u64 {
        self.table[home(tag_of(hash), self.table.len())]
    }

    /// The number in such an entry, if it could be the one.
    #[inline]
    pub(crate) fn candidate(hash: u128, entry: u64) -> Option<u32> {
        (entry != 0 && entry >> 32 == tag_of(hash)).then(|| number_in(entry))
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; old.len() / 2 * 3];
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            let mut place = home(entry >> 32, self.table.len());
            while self.table[place] != 0 {
                place = if place + 1 == self.table.len() { 0 } else { place + 1 };
            }
            self.table[place] = entry;
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.table.capacity() * size_of::<u64>()
    }
}

#[allow(clippy::cast_possible_truncation)]
fn tag_of(hash: u128) -> u64 {
    u64::from(hash as u32)
}

#[allow(clippy::cast_possible_truncation)]
fn number_in(entry: u64) -> u32 {
    (entry as u32).wrapping_sub(1)
}

#[allow(clippy::cast_possible_truncation)]
fn home(tag: u64, size: usize) -> usize {
    ((tag * size as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with few different hashes, found again however often the table has grown.
    #[test]
    fn what_was_added_is_found() {
        let hash_of = |number: u32| u128::from(number % 50) << 20 | u128::from(number) << 64;
        let mut index = Index::default();
        for number in 0..2_000 {
            let place = index.find(hash_of(number), |known| known == number).expect_err("it was not added yet");
            index.add(place, hash_of(number), number);
        }
        for number in 0..2_000 {
            assert_eq!(index.find(hash_of(number), |known| known == number).ok(), Some(number));
            assert!(index.find(hash_of(number), |_| false).is_err());
        }
    }
}
