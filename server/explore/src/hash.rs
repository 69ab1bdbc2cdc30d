//! Hashes of content, of 128 bits.
//!
//! They decide which states are the same where only fingerprints are kept, and which of several states stands for all of its kind. So they
//! depend on content alone, never on numbers that depend on who found what first.

use std::hash::{Hash, Hasher};

/// The hash of something. The seed stands for whatever else belongs to it.
pub(crate) fn hash_of(seed: u128, content: &impl Hash) -> u128 {
    let seed = seed ^ 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut hasher = Words { low: low(seed), high: low(seed >> 64) };
    content.hash(&mut hasher);
    mixed(hasher.both())
}

/// Takes in a word at a time. For any word to come, different hashes stay different, and so do those of different words: what two contents
/// differ in last decides. A word changes both halves, and can make good for a difference in one of them only.
struct Words {
    low: u64,
    high: u64,
}

impl Words {
    #[inline]
    fn word(&mut self, word: u64) {
        let first = (self.low ^ word).wrapping_mul(0xf39c_c060_5ced_c835);
        // A product has its best bits at the top, and the next word comes in at the bottom.
        let first = first ^ (first >> 32);
        let second = (self.high ^ first).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.low = second ^ (second >> 32);
        self.high = first;
    }

    fn both(&self) -> u128 {
        u128::from(self.low) | u128::from(self.high) << 64
    }
}

impl Hasher for Words {
    #[allow(clippy::cast_possible_truncation)]
    fn finish(&self) -> u64 {
        mixed(self.both()) as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.word(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.word(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.word(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }

    #[allow(clippy::cast_sign_loss)]
    fn write_i64(&mut self, number: i64) {
        self.word(number as u64);
    }

    #[allow(clippy::cast_sign_loss)]
    fn write_isize(&mut self, number: isize) {
        self.word(number as u64);
    }
}

/// Spreads every bit over all others, so that sums of hashes are as good as hashes.
#[allow(clippy::cast_possible_truncation)]
pub(crate) fn mixed(hash: u128) -> u128 {
    let (mut low, mut high) = (hash as u64, (hash >> 64) as u64);
    for constant in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93] {
        low = (low ^ (low >> 29) ^ high.rotate_left(23)).wrapping_mul(constant);
        high = (high ^ (high >> 32) ^ low.rotate_left(41)).wrapping_mul(constant.rotate_left(7) | 1);
    }
    u128::from(low ^ (low >> 31)) | u128::from(high ^ (high >> 30)) << 64
}

#[allow(clippy::cast_possible_truncation)]
pub(crate) fn low(hash: u128) -> u64 {
    hash as u64
}

/// Spreads every bit over all others.
pub(crate) fn spread(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Contents that differ a little, in one place or in several, as those of machines do.
    #[test]
    fn what_differs_has_another_hash() {
        let mut hashes = HashSet::new();
        let mut halves = [HashSet::new(), HashSet::new()];
        for a in 0_i64..40 {
            for b in -20_i64..20 {
                for c in 0_u8..40 {
                    let hash = hash_of(0, &(a, b, c, "text", [a, b]));
                    assert!(hashes.insert(hash));
                    assert!(halves[0].insert(low(hash)) && halves[1].insert(low(hash >> 64)));
                }
            }
        }
        let lists = [vec![], vec![0_u32], vec![0, 0], vec![1 << 31], vec![0, 1 << 31], vec![1 << 31, 0]];
        assert!(lists.iter().all(|list| hashes.insert(hash_of(0, list)) && hashes.insert(hash_of(1, list))));
    }

    /// Every bit of a word changes about half of all bits.
    #[test]
    fn every_bit_counts() {
        for bit in 0..64 {
            for word in [0_u64, 1, u64::MAX, 0x1234_5678] {
                let changed = (hash_of(0, &word) ^ hash_of(0, &(word ^ 1 << bit))).count_ones();
                assert!((32..=96).contains(&changed), "bit {bit} of {word:x} changes {changed} bits");
            }
        }
    }
}
