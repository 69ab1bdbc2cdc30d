//! Which combinations of values are tested where not all are: enough that any `strength` parameters take all values together that
//! they can take at all.
//!
//! P chooses greedily: again and again the first combination that covers most of what is not covered yet. Here the counts are kept
//! in a heap and brought up to date only when they come to the top. As counts only fall, the choice is the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::digits;

/// How many groups of parameters times parameters in them, how many tuples of values, and how much counting.
const MOST_GROUPS: usize = 5_000_000;
const MOST_TUPLES: usize = 1 << 28;
const MOST_WORK: u64 = 400_000_000;

/// Chooses from `kept`. `None` if that would take too long.
pub(super) fn covering(sizes: &[usize], kept: Vec<u32>, strength: usize) -> Option<Vec<u32>> {
    if strength == sizes.len() {
        return Some(kept);
    }
    if strength == 0 || strength > sizes.len() || kept.is_empty() {
        return Some(Vec::new());
    }
    let groups = Groups::new(sizes, strength)?;
    let mut work = 0;
    let mut tuples = Vec::new();
    let mut is_open = vec![false; groups.tuples];
    let mut left = 0_usize;
    for &number in &kept {
        groups.tuples_of(number, sizes, &mut tuples, &mut work)?;
        for &tuple in &tuples {
            left += usize::from(!std::mem::replace(&mut is_open[tuple], true));
        }
    }
    // At first a combination covers one tuple for each group.
    let mut heap: BinaryHeap<(usize, Reverse<u32>)> = kept.into_iter().map(|number| (groups.count(), Reverse(number))).collect();
    let mut chosen = Vec::new();
    while left > 0 {
        let (count, Reverse(number)) = heap.pop()?;
        groups.tuples_of(number, sizes, &mut tuples, &mut work)?;
        let now = tuples.iter().filter(|tuple| is_open[**tuple]).count();
        if now < count {
            heap.push((now, Reverse(number)));
            continue;
        }
        tuples.iter().for_each(|tuple| is_open[*tuple] = false);
        left -= now;
        chosen.push(number);
    }
    Some(chosen)
}

/// The groups of `strength` parameters, and a number for each tuple of values each can take.
struct Groups {
    strength: usize,
    /// Group by group: a parameter, and what a step in its values adds to the number of the tuple.
    members: Vec<(usize, usize)>,
    /// The number of each group's first tuple.
    starts: Vec<usize>,
    /// How many tuples there are.
    tuples: usize,
}

impl Groups {
    fn new(sizes: &[usize], strength: usize) -> Option<Self> {
        let mut groups = Self { strength, members: Vec::new(), starts: Vec::new(), tuples: 0 };
        let mut members: Vec<usize> = (0..strength).collect();
        loop {
            groups.starts.push(groups.tuples);
            let mut size = 1_usize;
            for &member in &members {
                groups.members.push((member, size));
                size = size.checked_mul(sizes[member])?;
            }
            groups.tuples = groups.tuples.checked_add(size)?;
            if groups.members.len() > MOST_GROUPS || groups.tuples > MOST_TUPLES {
                return None;
            }
            // The next group in the order of its members.
            let Some(last) = (0..strength).rev().find(|at| members[*at] + strength - at < sizes.len()) else {
                return Some(groups);
            };
            let next = members[last] + 1;
            for (at, member) in members[last..].iter_mut().enumerate() {
                *member = next + at;
            }
        }
    }

    fn count(&self) -> usize {
        self.starts.len()
    }

    /// The tuples that a combination covers.
    fn tuples_of(&self, number: u32, sizes: &[usize], tuples: &mut Vec<usize>, work: &mut u64) -> Option<()> {
        *work += self.members.len() as u64;
        if *work > MOST_WORK {
            return None;
        }
        let digits: Vec<usize> = digits(number, sizes).collect();
        tuples.clear();
        let groups = self.starts.iter().zip(self.members.chunks_exact(self.strength));
        tuples.extend(
            groups.map(|(start, members)| start + members.iter().map(|(member, step)| digits[*member] * step).sum::<usize>()),
        );
        Some(())
    }
}
