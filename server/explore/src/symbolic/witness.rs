//! Assignments that are known to be in a set.
//!
//! Most of what is asked about guards is whether they hold for something in one and the same set of states, and mostly they do. To find that out by
//! going through both diagrams takes much longer than to look at some assignments of the set, for which it was the answer before.

use biodivine_lib_bdd::{Bdd, BddPointer, BddVariable};

/// How many are known of a set, at most.
const MOST: usize = 32;

/// The variables that are true, as bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Witness(Vec<u64>);

impl Witness {
    pub(super) fn add(&mut self, variable: BddVariable) {
        let (word, bit) = place(variable);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    /// Those on a way from a node, which is not false, to what is true.
    pub(super) fn add_way(&mut self, bdd: &Bdd, node: BddPointer) {
        let mut node = node;
        while !node.is_terminal() {
            let high = bdd.high_link_of(node);
            if high.is_zero() {
                node = bdd.low_link_of(node);
            } else {
                self.add(bdd.var_of(node));
                node = high;
            }
        }
    }

    #[inline]
    fn has(&self, variable: BddVariable) -> bool {
        let (word, bit) = place(variable);
        self.0.get(word).is_some_and(|bits| bits & bit != 0)
    }

    pub(super) fn is_in(&self, bdd: &Bdd) -> bool {
        let mut node = bdd.root_pointer();
        while !node.is_terminal() {
            node = if self.has(bdd.var_of(node)) { bdd.high_link_of(node) } else { bdd.low_link_of(node) };
        }
        node.is_one()
    }
}

fn place(variable: BddVariable) -> (usize, u64) {
    let index = variable.to_index();
    (index / 64, 1 << (index % 64))
}

/// What is known to be in a set, the latest answer first.
#[derive(Debug, Default)]
pub(super) struct Witnesses(Vec<Witness>);

impl Witnesses {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    pub(super) fn add(&mut self, witness: Witness) {
        self.0.truncate(MOST - 1);
        self.0.insert(0, witness);
    }

    /// Whether one of them is in both of these sets, too.
    pub(super) fn are_in(&mut self, [one, other]: [&Bdd; 2]) -> bool {
        let found = self.0.iter().position(|witness| witness.is_in(one) && witness.is_in(other));
        found.is_some_and(|position| {
            self.0[..=position].rotate_right(1);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use biodivine_lib_bdd::BddVariableSet;

    use super::*;

    #[test]
    fn the_latest_answers_are_kept_and_asked_first() {
        let variables = BddVariableSet::new_anonymous(100);
        let all = variables.variables();
        let only = |number: usize| variables.mk_literal(all[number], true);
        let mut witnesses = Witnesses::new();
        for variable in &all {
            let mut witness = Witness::default();
            witness.add(*variable);
            witnesses.add(witness);
        }
        let truth = variables.mk_true();
        assert!(!witnesses.are_in([&only(99 - MOST), &truth]), "there is no room for all");
        assert!(witnesses.are_in([&only(100 - MOST), &truth]) && witnesses.are_in([&truth, &only(99)]));
        assert!(!witnesses.are_in([&only(98), &only(99)]), "it must be in both");
        assert!(witnesses.0[0].has(all[99]) && witnesses.0[1].has(all[100 - MOST]));
        witnesses.forget();
        assert!(!witnesses.are_in([&truth, &truth]));
    }

    /// Down the lower side where the higher one is false.
    #[test]
    fn a_way_from_a_node_ends_where_it_is_true() {
        let variables = BddVariableSet::new_anonymous(3);
        let all = variables.variables();
        let literal = |number: usize, value| variables.mk_literal(all[number], value);
        let bdd = literal(0, true).and(&literal(1, false)).and(&literal(2, true));
        let mut witness = Witness::default();
        witness.add_way(&bdd, bdd.root_pointer());
        assert!(witness.is_in(&bdd) && !witness.is_in(&bdd.not()));
    }
}
