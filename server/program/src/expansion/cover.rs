//! Which combinations of values are tested where not all are: enough that any `strength` parameters take all values together that
//! they can take at all.
//!
//! P chooses greedily: again and again the first combination that covers most of what is not covered yet. Here each combination has a
//! count of what it would cover, kept true whenever something is covered, and a heap of counts that are brought up to date when they
//! come to the top. As counts only fall, the choice is the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::digits;

/// How many members groups of parameters have in all, how many tuples of values there are, and how often a count may change.
const MOST_MEMBERS: usize = 5_000_000;
const MOST_TUPLES: usize = 1 << 26;
const MOST_WORK: usize = 300_000_000;

/// Chooses from `kept`. `None` if that would take too long.
pub(super) fn covering(sizes: &[usize], kept: Vec<u32>, strength: usize) -> Option<Vec<u32>> {
    if strength == sizes.len() {
        return Some(kept);
    }
    if strength == 0 || strength > sizes.len() || kept.is_empty() {
        return Some(Vec::new());
    }
    let groups = Groups::new(sizes, strength)?;
    // At first a combination covers one tuple for each group.
    let most = u32::try_from(groups.starts.len()).ok()?;
    let mut heap: BinaryHeap<(u32, Reverse<u32>)> = kept.iter().map(|number| (most, Reverse(*number))).collect();
    let mut counts = Counts::new(sizes, &kept, most);
    let mut is_covered = vec![false; groups.tuples];
    let mut chosen = Vec::new();
    while let Some((count, Reverse(number))) = heap.pop() {
        let now = counts.of[number as usize];
        if now < count {
            heap.push((now, Reverse(number)));
            continue;
        }
        if now == 0 {
            break;
        }
        chosen.push(number);
        let values: Vec<usize> = digits(number, sizes).collect();
        for (start, members) in groups.starts.iter().zip(groups.members.chunks_exact(strength)) {
            let tuple = start + members.iter().map(|(member, step)| values[*member] * step).sum::<usize>();
            if !std::mem::replace(&mut is_covered[tuple], true) {
                counts.cover(members, &values)?;
            }
        }
    }
    Some(chosen)
}

/// The groups of `strength` parameters, and a number for each tuple of values each can take.
struct Groups {
    /// Group by group: a parameter, and what a step in its values adds to the number of the tuple.
    members: Vec<(usize, usize)>,
    /// The number of each group's first tuple.
    starts: Vec<usize>,
    /// How many tuples there are.
    tuples: usize,
}

impl Groups {
    fn new(sizes: &[usize], strength: usize) -> Option<Self> {
        let mut groups = Self { members: Vec::new(), starts: Vec::new(), tuples: 0 };
        let mut members: Vec<usize> = (0..strength).collect();
        loop {
            groups.starts.push(groups.tuples);
            let mut size = 1_usize;
            for &member in &members {
                groups.members.push((member, size));
                size = size.checked_mul(sizes[member])?;
            }
            groups.tuples = groups.tuples.checked_add(size)?;
            if groups.members.len() > MOST_MEMBERS || groups.tuples > MOST_TUPLES {
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
}

/// How many tuples that are not covered yet each combination has, by its number.
struct Counts<'a> {
    of: Vec<u32>,
    sizes: &'a [usize],
    kept: &'a [u32],
    /// What a step in a parameter's values adds to the number of the combination.
    steps: Vec<usize>,
    matching: Vec<usize>,
    work: usize,
}

impl<'a> Counts<'a> {
    fn new(sizes: &'a [usize], kept: &'a [u32], most: u32) -> Self {
        let mut steps = Vec::with_capacity(sizes.len());
        let mut all = 1;
        for size in sizes {
            steps.push(all);
            all *= size;
        }
        // Combinations that are not kept have a count too, because that is easier than leaving them out.
        Self { of: vec![most; all], sizes, kept, steps, matching: Vec::new(), work: 0 }
    }

    /// Says that the members of a group have had these values. `None` when it has become too much.
    fn cover(&mut self, members: &[(usize, usize)], values: &[usize]) -> Option<()> {
        let tuples: usize = members.iter().map(|(member, _)| self.sizes[*member]).product();
        let (by_number, by_look) = (self.of.len() / tuples, self.kept.len() * members.len());
        self.work += by_number.min(by_look);
        if self.work > MOST_WORK {
            return None;
        }
        if by_number <= by_look {
            self.all_with(members, values);
            for &number in &self.matching {
                self.of[number] -= 1;
            }
            return Some(());
        }
        for &number in self.kept {
            let number = number as usize;
            let value = |member: usize| number / self.steps[member] % self.sizes[member];
            self.of[number] -= u32::from(members.iter().all(|(member, _)| value(*member) == values[*member]));
        }
        Some(())
    }

    /// Fills `matching` with all combinations in which these members have these values.
    fn all_with(&mut self, members: &[(usize, usize)], values: &[usize]) {
        self.matching.clear();
        self.matching.push(members.iter().map(|(member, _)| values[*member] * self.steps[*member]).sum());
        for (param, step) in self.steps.iter().enumerate() {
            if members.iter().any(|(member, _)| *member == param) {
                continue;
            }
            let count = self.matching.len();
            for value in 1..self.sizes[param] {
                for at in 0..count {
                    self.matching.push(self.matching[at] + value * step);
                }
            }
        }
    }
}
