//! What is in two diagrams for some values of some variables: the operation behind every image of a set of states.
//!
//! The library has it too, but nothing ends it there: a search could neither keep to its memory nor to its time. Here it ends when there are
//! too many nodes or when it is too late. All nodes that come up are in one table, so a variable is done away with by adding up two nodes of
//! it. The result is laid out as the library does it, so that the same set is the same diagram whichever way it was come by.

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable};
use rustc_hash::FxHashMap;

/// Steps between two looks at the clock.
const LOOK: u32 = 1 << 14;
/// Stack that a step may need, and what is added when there is less.
const RED_ZONE: usize = 64 << 10;
const MORE: usize = 2 << 20;
/// Nodes on the way that are no burden, however small the result has to be.
const FEW_NODES: usize = 10_000;

/// Both diagrams, for some values of these variables. `None` if that takes more nodes than it may, or too long.
pub(super) fn and_some(
    [a, b]: [&Bdd; 2],
    is_gone: &dyn Fn(BddVariable) -> bool,
    most_nodes: usize,
    is_over: &dyn Fn() -> bool,
) -> Option<Bdd> {
    let bounds = Bounds { nodes: most_nodes.max(FEW_NODES), looks: LOOK, is_over };
    made([a, b], is_gone, bounds).filter(|bdd| bdd.size() <= most_nodes)
}

fn made([a, b]: [&Bdd; 2], is_gone: &dyn Fn(BddVariable) -> bool, bounds: Bounds<'_>) -> Option<Bdd> {
    let nodes = vec![BddNode::mk_zero(a.num_vars()), BddNode::mk_one(a.num_vars())];
    let (unique, products, sums) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
    let mut making = Making { a, b, is_gone, bounds, steps: 0, nodes, unique, products, sums };
    let root = making.product(a.root_pointer(), b.root_pointer())?;
    Some(laid_out(&making.nodes, root))
}

/// What it may take on the way.
struct Bounds<'a> {
    nodes: usize,
    /// Steps between two questions whether it is over.
    looks: u32,
    is_over: &'a dyn Fn() -> bool,
}

struct Making<'a> {
    a: &'a Bdd,
    b: &'a Bdd,
    is_gone: &'a dyn Fn(BddVariable) -> bool,
    bounds: Bounds<'a>,
    steps: u32,
    /// All nodes that came up, no two alike, children first.
    nodes: Vec<BddNode>,
    unique: FxHashMap<(BddVariable, BddPointer, BddPointer), BddPointer>,
    /// By nodes of the two diagrams.
    products: FxHashMap<(BddPointer, BddPointer), BddPointer>,
    /// By two nodes of the new one.
    sums: FxHashMap<(BddPointer, BddPointer), BddPointer>,
}

impl Making<'_> {
    fn product(&mut self, at: BddPointer, other: BddPointer) -> Option<BddPointer> {
        if at.is_zero() || other.is_zero() {
            return Some(BddPointer::zero());
        }
        if at.is_one() && other.is_one() {
            return Some(BddPointer::one());
        }
        if let Some(known) = self.products.get(&(at, other)) {
            return Some(*known);
        }
        self.step()?;
        let (own, others) = (self.a.var_of(at), self.b.var_of(other));
        let variable = own.min(others);
        let (low, high) = if own == variable { (self.a.low_link_of(at), self.a.high_link_of(at)) } else { (at, at) };
        let (other_low, other_high) =
            if others == variable { (self.b.low_link_of(other), self.b.high_link_of(other)) } else { (other, other) };
        let result = stacker::maybe_grow(RED_ZONE, MORE, || {
            let low = self.product(low, other_low)?;
            let is_gone = (self.is_gone)(variable);
            if is_gone && low.is_one() {
                return Some(low);
            }
            let high = self.product(high, other_high)?;
            if is_gone { self.sum(low, high) } else { self.node(variable, low, high) }
        })?;
        self.products.insert((at, other), result);
        Some(result)
    }

    /// What is in one of two new nodes.
    fn sum(&mut self, one: BddPointer, other: BddPointer) -> Option<BddPointer> {
        if one.is_one() || other.is_zero() || one == other {
            return Some(one);
        }
        if other.is_one() || one.is_zero() {
            return Some(other);
        }
        let key = if one.to_index() < other.to_index() { (one, other) } else { (other, one) };
        if let Some(known) = self.sums.get(&key) {
            return Some(*known);
        }
        self.step()?;
        let (first, second) = (self.nodes[one.to_index()], self.nodes[other.to_index()]);
        let variable = first.var.min(second.var);
        let (low, high) = if first.var == variable { (first.low_link, first.high_link) } else { (one, one) };
        let (other_low, other_high) = if second.var == variable { (second.low_link, second.high_link) } else { (other, other) };
        let result = stacker::maybe_grow(RED_ZONE, MORE, || {
            let low = self.sum(low, other_low)?;
            let high = self.sum(high, other_high)?;
            self.node(variable, low, high)
        })?;
        self.sums.insert(key, result);
        Some(result)
    }

    fn node(&mut self, variable: BddVariable, low: BddPointer, high: BddPointer) -> Option<BddPointer> {
        if low == high {
            return Some(low);
        }
        let next = BddPointer::from_index(self.nodes.len());
        let node = *self.unique.entry((variable, low, high)).or_insert(next);
        if node == next {
            self.nodes.push(BddNode::mk_node(variable, low, high));
        }
        (self.nodes.len() <= self.bounds.nodes).then_some(node)
    }

    /// Whether it may go on.
    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.wrapping_add(1);
        let is_over = self.steps.is_multiple_of(self.bounds.looks) && (self.bounds.is_over)();
        let remembered = self.products.len() + self.sums.len();
        (!is_over && remembered <= self.bounds.nodes.saturating_mul(2)).then_some(())
    }
}

/// The nodes that can be come to from the root, in the order of the library: the higher side first, then the lower, then the node itself.
fn laid_out(nodes: &[BddNode], root: BddPointer) -> Bdd {
    let mut places: Vec<Option<BddPointer>> = vec![None; nodes.len()];
    let mut laid = nodes[..2].to_vec();
    if root.is_zero() {
        laid.pop();
    }
    places[0] = Some(BddPointer::zero());
    places[1] = Some(BddPointer::one());
    let mut open = vec![root];
    while let Some(top) = open.last().copied() {
        if places[top.to_index()].is_some() {
            open.pop();
            continue;
        }
        let node = nodes[top.to_index()];
        match (places[node.low_link.to_index()], places[node.high_link.to_index()]) {
            (Some(low), Some(high)) => {
                places[top.to_index()] = Some(BddPointer::from_index(laid.len()));
                laid.push(BddNode::mk_node(node.var, low, high));
                open.pop();
            }
            (low, high) => {
                open.extend(low.is_none().then_some(node.low_link));
                open.extend(high.is_none().then_some(node.high_link));
            }
        }
    }
    match Bdd::from_nodes(&laid) {
        Ok(bdd) => bdd,
        Err(why) => unreachable!("{why}"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use biodivine_lib_bdd::{BddVariableSet, op_function};

    use super::*;

    /// The same as the library's, to the last node, on random diagrams.
    #[test]
    fn it_is_what_the_library_says() {
        let variables = BddVariableSet::new_anonymous(12);
        let all = variables.variables();
        let mut seed = 1_u64;
        let mut random = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 33).unwrap_or_default() % below
        };
        let mut all_ended = 0;
        for _ in 0..400 {
            let mut diagram = || {
                let mut sum = variables.mk_false();
                for _ in 0..random(12) {
                    let cube = (0..1 + random(5))
                        .fold(variables.mk_true(), |cube, _| cube.and(&variables.mk_literal(all[random(12)], random(2) == 0)));
                    sum = sum.or(&cube);
                }
                sum
            };
            let (a, b) = (diagram(), diagram());
            let gone: Vec<bool> = all.iter().map(|_| random(3) == 0).collect();
            let is_gone = |variable: BddVariable| gone[variable.to_index()];
            let expected = Bdd::binary_op_with_exists_trigger(&a, &b, is_gone, op_function::and);
            let never = || false;
            assert_eq!(and_some([&a, &b], &is_gone, usize::MAX, &never), Some(expected.clone()));
            assert_eq!(and_some([&a, &b], &is_gone, expected.size() - 1, &never), None);
            // Whatever ends it on the way, there is no half of a result.
            let mut ended = 0;
            for nodes in 2..40 {
                let bounds = Bounds { nodes, looks: 1, is_over: &never };
                ended += usize::from(made([&a, &b], &is_gone, bounds).map(|bdd| assert_eq!(bdd, expected)).is_none());
                let left = Cell::new(nodes);
                let is_over = || left.replace(left.get().saturating_sub(1)) == 0;
                let bounds = Bounds { nodes: usize::MAX, looks: 1, is_over: &is_over };
                ended += usize::from(made([&a, &b], &is_gone, bounds).map(|bdd| assert_eq!(bdd, expected)).is_none());
            }
            all_ended += ended;
        }
        assert!(all_ended > 1_000, "{all_ended}");
    }
}
