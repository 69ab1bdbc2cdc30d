//! biodivine-lib-bdd, in several ways.

use std::sync::{Arc, Weak};

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable, op_function};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Engine;

#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    Shared,
    Unlimited,
    WithoutShortcuts,
    Interned,
}

/// As in Lockstep.
const MOST_NODES: usize = 40_000_000;

pub struct Diagrams {
    how: Use,
    variables: u16,
    known: FxHashMap<Bdd, Arc<Bdd>>,
    results: FxHashMap<(char, usize, usize), Arc<Bdd>>,
    living: Vec<Weak<Bdd>>,
}

impl Diagrams {
    pub fn new(variables: usize, how: Use) -> Self {
        let variables = u16::try_from(variables).expect("few variables");
        Self { how, variables, known: FxHashMap::default(), results: FxHashMap::default(), living: Vec::new() }
    }

    fn made(&mut self, bdd: Bdd) -> Arc<Bdd> {
        if self.how == Use::Interned {
            if let Some(known) = self.known.get(&bdd) {
                return known.clone();
            }
            let made = Arc::new(bdd.clone());
            self.known.insert(bdd, made.clone());
            return made;
        }
        let made = Arc::new(bdd);
        self.living.push(Arc::downgrade(&made));
        if self.living.len() % 4096 == 0 {
            self.living.retain(|one| one.strong_count() > 0);
        }
        made
    }

    fn shortcut(&self, operation: char, a: &Arc<Bdd>, b: &Arc<Bdd>) -> Option<Arc<Bdd>> {
        let same = Arc::ptr_eq(a, b);
        match operation {
            '&' if a.is_false() || b.is_true() || same => Some(a.clone()),
            '&' if b.is_false() || a.is_true() => Some(b.clone()),
            '|' if a.is_true() || b.is_false() || same => Some(a.clone()),
            '|' if b.is_true() || a.is_false() => Some(b.clone()),
            '-' if a.is_false() || b.is_false() => Some(a.clone()),
            _ => None,
        }
    }
}

impl Engine for Diagrams {
    type Guard = Arc<Bdd>;

    fn input(&mut self, nodes: &[(u16, usize, usize)], is_true: bool) -> Arc<Bdd> {
        let mut all = vec![BddNode::mk_zero(self.variables)];
        if is_true || !nodes.is_empty() {
            all.push(BddNode::mk_one(self.variables));
        }
        for (variable, low, high) in nodes {
            let variable = BddVariable::from_index(usize::from(*variable));
            all.push(BddNode::mk_node(variable, BddPointer::from_index(*low), BddPointer::from_index(*high)));
        }
        self.made(Bdd::from_nodes(&all).expect("it was a diagram"))
    }

    fn operate(&mut self, operation: char, a: &Arc<Bdd>, b: &Arc<Bdd>) -> Arc<Bdd> {
        if self.how != Use::WithoutShortcuts
            && let Some(result) = self.shortcut(operation, a, b)
        {
            return result;
        }
        let key = (operation, Arc::as_ptr(a).addr(), Arc::as_ptr(b).addr());
        if let Some(result) = self.results.get(&key) {
            return result.clone();
        }
        let limit = if self.how == Use::Unlimited { usize::MAX } else { MOST_NODES };
        let bdd = match (operation, self.how) {
            ('&', Use::Unlimited) => Some(a.and(b)),
            ('|', Use::Unlimited) => Some(a.or(b)),
            ('-', Use::Unlimited) => Some(a.and_not(b)),
            ('=', Use::Unlimited) => Some(a.iff(b)),
            ('&', _) => Bdd::binary_op_with_limit(limit, a, b, op_function::and),
            ('|', _) => Bdd::binary_op_with_limit(limit, a, b, op_function::or),
            ('-', _) => Bdd::binary_op_with_limit(limit, a, b, op_function::and_not),
            _ => Bdd::binary_op_with_limit(limit, a, b, op_function::iff),
        };
        let made = self.made(bdd.expect("it was not too large"));
        if self.how == Use::Interned {
            // The operands stay known, so nobody else can come to be where they are.
            self.results.insert(key, made.clone());
        }
        made
    }

    fn and_some(&mut self, a: &Arc<Bdd>, b: &Arc<Bdd>, gone: &[u16]) -> Arc<Bdd> {
        let gone: FxHashSet<usize> = gone.iter().map(|variable| usize::from(*variable)).collect();
        let trigger = |variable: BddVariable| gone.contains(&variable.to_index());
        let bdd = Bdd::binary_op_with_exists_trigger(a, b, trigger, op_function::and);
        self.made(bdd)
    }

    fn is_false(&self, guard: &Arc<Bdd>) -> bool {
        guard.is_false()
    }

    fn nodes(&self) -> usize {
        let living: usize = self.living.iter().filter_map(Weak::upgrade).map(|bdd| bdd.size()).sum();
        living + self.known.keys().map(Bdd::size).sum::<usize>()
    }
}
