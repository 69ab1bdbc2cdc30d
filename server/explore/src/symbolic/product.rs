//! What is in two diagrams, taken together in one of four ways, for some values of some variables: the operation behind every guard.
//!
//! The library has it too, but makes new tables for each operation, and nothing ends one that takes too long: a search could neither keep to its
//! memory nor to its time. Here the tables are used again (`tables.rs`), and an operation ends when there are too many nodes or when it is too
//! late. It goes through both diagrams side by side, the higher side first, then the lower, then the node itself. That is the order of the
//! library, so the same set is the same diagram whichever way it was come by. All nodes that come up are in one table, so a variable is done
//! away with by adding up two nodes of it; what that leaves over is removed at the end, by laying out the nodes once more.
//!
//! What is still to do is in a list and not on the stack: diagrams may be as deep as there are variables.

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable};

use super::tables::{Answers, MOST_KEPT, Memo, Nodes, Pair};
use super::witness::Witness;

/// Steps between two looks at the clock.
const LOOK: u32 = 1 << 14;
/// Nodes on the way that are no burden, however small the result has to be.
const FEW_NODES: usize = 10_000;
/// Pairs of nodes that are expected at most before any came up.
const EXPECTED: usize = 1 << 16;
/// The same where it often ends soon.
const FEW: usize = 1 << 9;
const MEETING: usize = 1 << 12;

/// Which variables are done away with, if any are.
type IsGone<'a> = Option<&'a dyn Fn(BddVariable) -> bool>;

/// How two diagrams are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    And,
    Or,
    /// What is in the first and not in the second.
    Minus,
    /// Where both are true or both are false.
    Same,
}

/// Memory for operations, one after the other.
pub(super) struct Scratch {
    /// By nodes of the two diagrams.
    pairs: Memo,
    /// By two nodes of the new one; or pairs that were looked at, where nothing is made.
    sums: Memo,
    nodes: Nodes,
    open: Vec<Open>,
    adding: Vec<Open>,
    gone: Answers,
    layout: Layout,
    /// The way to the pair that is looked at.
    way: Vec<Fork>,
}

/// A pair of nodes of which the higher side was looked into first.
#[derive(Clone, Copy)]
struct Fork {
    variable: BddVariable,
    /// The lower side, until it is looked into.
    low: Option<Pair>,
}

/// A pair of nodes with something to do about it.
#[derive(Clone, Copy)]
struct Open {
    pair: Pair,
    /// Where its result will be remembered.
    place: usize,
    variable: BddVariable,
    low: Pair,
    /// The result of the higher side.
    high: Option<BddPointer>,
}

/// What it may take on the way.
struct Bounds<'a> {
    nodes: usize,
    /// Steps between two questions whether it is over.
    looks: u32,
    is_over: &'a dyn Fn() -> bool,
}

impl Bounds<'_> {
    /// Whether a step may be made, if so much is remembered by now. `left` is how many there are until it is asked whether it is over.
    #[inline]
    fn step(&self, left: &mut u32, remembered: usize) -> Option<()> {
        *left = left.saturating_sub(1);
        if *left == 0 {
            *left = self.looks;
            if (self.is_over)() {
                return None;
            }
        }
        (remembered <= self.nodes.saturating_mul(2)).then_some(())
    }
}

impl Scratch {
    pub(super) const fn new() -> Self {
        Self {
            pairs: Memo::new(),
            sums: Memo::new(),
            nodes: Nodes::new(),
            open: Vec::new(),
            adding: Vec::new(),
            gone: Answers::new(),
            layout: Layout { places: Vec::new(), open: Vec::new(), laid: Vec::new() },
            way: Vec::new(),
        }
    }

    /// Both diagrams taken together, for some values of some variables. `None` if that takes more nodes than it may, or too long.
    pub(super) fn taken(
        &mut self,
        how: How,
        [a, b]: [&Bdd; 2],
        is_gone: IsGone<'_>,
        most_nodes: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Bdd> {
        let bounds = Bounds { nodes: most_nodes.max(FEW_NODES), looks: LOOK, is_over };
        self.made(how, [a, b], is_gone, bounds).filter(|bdd| bdd.size() <= most_nodes)
    }

    fn made(&mut self, how: How, [a, b]: [&Bdd; 2], is_gone: IsGone<'_>, bounds: Bounds<'_>) -> Option<Bdd> {
        let expected = (a.size() + b.size()).min(EXPECTED);
        self.pairs.start(expected);
        self.nodes.start(a.num_vars(), expected);
        self.sums.start(expected.min(FEW));
        self.gone.start();
        let mut making = Making { a, b, is_gone, left: bounds.looks, bounds, is_mixed: false, scratch: self };
        let root = match how {
            How::And => making.result(and),
            How::Or => making.result(or),
            How::Minus => making.result(minus),
            How::Same => making.result(same),
        };
        let is_mixed = making.is_mixed;
        let result = root.map(|root| self.written(root, is_mixed));
        self.end();
        result
    }

    fn written(&mut self, root: BddPointer, is_mixed: bool) -> Bdd {
        match is_mixed && !root.is_terminal() {
            true => written(self.layout.laid_out(self.nodes.list(), root)),
            false => written(&self.nodes.list()[..=root.to_index()]),
        }
    }

    /// Whether there is anything in the first and not in the second. `None` if it takes too long to find out.
    pub(super) fn is_any_left(&mut self, diagrams: [&Bdd; 2], is_over: &dyn Fn() -> bool) -> Option<bool> {
        let bounds = Bounds { nodes: usize::MAX, looks: LOOK, is_over };
        self.found(diagrams, is_any_left, &bounds).map(|found| found.is_some())
    }

    /// Something that is in both, if there is anything. `None` if it takes too long to find out.
    pub(super) fn common(&mut self, [a, b]: [&Bdd; 2], is_over: &dyn Fn() -> bool) -> Option<Option<Witness>> {
        let bounds = Bounds { nodes: usize::MAX, looks: LOOK, is_over };
        let found = self.found([a, b], is_any_common, &bounds)?;
        Some(found.map(|(at, other)| {
            let mut witness = Witness::default();
            let higher = self.way.iter().filter(|fork| fork.low.is_some());
            higher.for_each(|fork| witness.add(fork.variable));
            // One of them is true, whatever the variables below.
            witness.add_way(a, at);
            witness.add_way(b, other);
            witness
        }))
    }

    /// A pair in which there is something for sure; the way to it is left behind.
    fn found(&mut self, [a, b]: [&Bdd; 2], is_any: impl Fn(Pair) -> Option<bool>, bounds: &Bounds<'_>) -> Option<Option<Pair>> {
        self.sums.start(a.size().max(b.size()).min(MEETING));
        self.way.clear();
        let found = self.found_below((a.root_pointer(), b.root_pointer()), [a, b], is_any, bounds);
        self.end();
        found
    }

    fn found_below(
        &mut self,
        root: Pair,
        [a, b]: [&Bdd; 2],
        is_any: impl Fn(Pair) -> Option<bool>,
        bounds: &Bounds<'_>,
    ) -> Option<Option<Pair>> {
        let (mut left, mut next) = (bounds.looks, Some(root));
        loop {
            let Some(pair) = next.take() else {
                let Some(fork) = self.way.last_mut() else { return Some(None) };
                next = fork.low.take();
                if next.is_none() {
                    self.way.pop();
                }
                continue;
            };
            match is_any(pair) {
                Some(true) => return Some(Some(pair)),
                Some(false) => {}
                None if self.sums.is_new(pair) => {
                    bounds.step(&mut left, 0)?;
                    let (variable, low, high) = sides(a, b, pair);
                    self.way.push(Fork { variable, low: Some(low) });
                    next = Some(high);
                }
                None => {}
            }
        }
    }

    fn end(&mut self) {
        self.pairs.end();
        self.sums.end();
        self.nodes.end();
        self.layout.end();
    }

    /// Lets stamps begin again in one of the next operations.
    #[cfg(test)]
    fn wrap_soon(&mut self) {
        self.pairs.wrap_soon();
        self.sums.wrap_soon();
        self.nodes.wrap_soon();
        self.gone.wrap_soon();
    }
}

/// One operation.
struct Making<'a> {
    a: &'a Bdd,
    b: &'a Bdd,
    is_gone: IsGone<'a>,
    bounds: Bounds<'a>,
    /// Steps until it is asked whether it is over.
    left: u32,
    /// Whether there are nodes that are not in the result, or not in its order.
    is_mixed: bool,
    scratch: &'a mut Scratch,
}

impl Making<'_> {
    fn result(&mut self, known: impl Fn(Pair) -> Option<BddPointer>) -> Option<BddPointer> {
        self.scratch.open.clear();
        let mut pair = (self.a.root_pointer(), self.b.root_pointer());
        loop {
            let mut result = match known(pair).map_or_else(|| self.scratch.pairs.known(pair), Ok) {
                Ok(result) => result,
                Err(place) => {
                    self.step()?;
                    let (variable, low, high) = sides(self.a, self.b, pair);
                    self.scratch.open.push(Open { pair, place, variable, low, high: None });
                    pair = high;
                    continue;
                }
            };
            loop {
                let Some(Open { pair: whole, place, variable, low, high }) = self.scratch.open.last_mut() else {
                    return Some(result);
                };
                let (whole, place, variable) = (*whole, *place, *variable);
                let is_gone = is_gone(&mut self.scratch.gone, self.is_gone, variable);
                match high {
                    None if is_gone && result.is_one() => {}
                    None => {
                        *high = Some(result);
                        pair = *low;
                        break;
                    }
                    Some(high) => {
                        let high = *high;
                        result = if is_gone { self.sum(high, result)? } else { self.node(variable, result, high)? };
                    }
                }
                self.scratch.pairs.learn(place, whole, result);
                self.scratch.open.pop();
            }
        }
    }

    /// What is in one of two new nodes.
    fn sum(&mut self, one: BddPointer, other: BddPointer) -> Option<BddPointer> {
        if let Some(known) = sum(one, other) {
            // Of two that are the same, or one that is empty, nothing is left over.
            self.is_mixed |= known.is_one();
            return Some(known);
        }
        self.is_mixed = true;
        self.scratch.adding.clear();
        let mut pair = in_order(one, other);
        loop {
            let known = sum(pair.0, pair.1);
            let mut result = match known.map_or_else(|| self.scratch.sums.known(pair), Ok) {
                Ok(result) => result,
                Err(place) => {
                    self.step()?;
                    let (variable, low, high) = self.sides_of_new(pair);
                    self.scratch.adding.push(Open { pair, place, variable, low, high: None });
                    pair = high;
                    continue;
                }
            };
            loop {
                let Some(Open { pair: whole, place, variable, low, high }) = self.scratch.adding.last_mut() else {
                    return Some(result);
                };
                let (whole, place, variable) = (*whole, *place, *variable);
                let Some(high) = *high else {
                    *high = Some(result);
                    pair = *low;
                    break;
                };
                result = self.node(variable, result, high)?;
                self.scratch.sums.learn(place, whole, result);
                self.scratch.adding.pop();
            }
        }
    }

    /// The variable that decides about two new nodes, and what is below them.
    fn sides_of_new(&self, (at, other): Pair) -> (BddVariable, Pair, Pair) {
        let nodes = &self.scratch.nodes;
        let (variable, low, high) = sides_of([(at, nodes.get(at)), (other, nodes.get(other))]);
        (variable, in_order(low.0, low.1), in_order(high.0, high.1))
    }

    #[inline]
    fn node(&mut self, variable: BddVariable, low: BddPointer, high: BddPointer) -> Option<BddPointer> {
        let node = self.scratch.nodes.node(variable, low, high);
        (self.scratch.nodes.list().len() <= self.bounds.nodes).then_some(node)
    }

    /// Whether it may go on.
    #[inline]
    fn step(&mut self) -> Option<()> {
        let remembered = self.scratch.pairs.len() + self.scratch.sums.len();
        self.bounds.step(&mut self.left, remembered)
    }
}

#[inline]
fn is_gone(answers: &mut Answers, ask: IsGone<'_>, variable: BddVariable) -> bool {
    ask.is_some_and(|ask| answers.about(variable, ask))
}

/// The variable that decides about two nodes of two diagrams, and what is below them: on the lower and on the higher side.
#[inline]
fn sides(a: &Bdd, b: &Bdd, (at, other): Pair) -> (BddVariable, Pair, Pair) {
    sides_of([(at, node_of(a, at)), (other, node_of(b, other))])
}

#[inline]
fn node_of(bdd: &Bdd, node: BddPointer) -> BddNode {
    BddNode::mk_node(bdd.var_of(node), bdd.low_link_of(node), bdd.high_link_of(node))
}

#[inline]
fn sides_of([(at, own), (other, others)]: [(BddPointer, BddNode); 2]) -> (BddVariable, Pair, Pair) {
    let variable = own.var.min(others.var);
    let (low, high) = if own.var == variable { (own.low_link, own.high_link) } else { (at, at) };
    let (other_low, other_high) = if others.var == variable { (others.low_link, others.high_link) } else { (other, other) };
    (variable, (low, other_low), (high, other_high))
}

#[inline]
fn and((at, other): Pair) -> Option<BddPointer> {
    match () {
        () if at.is_zero() || other.is_zero() => Some(BddPointer::zero()),
        () => (at.is_one() && other.is_one()).then(BddPointer::one),
    }
}

#[inline]
fn or((at, other): Pair) -> Option<BddPointer> {
    match () {
        () if at.is_one() || other.is_one() => Some(BddPointer::one()),
        () => (at.is_zero() && other.is_zero()).then(BddPointer::zero),
    }
}

#[inline]
fn minus((at, other): Pair) -> Option<BddPointer> {
    match () {
        () if at.is_zero() || other.is_one() => Some(BddPointer::zero()),
        () => (at.is_one() && other.is_zero()).then(BddPointer::one),
    }
}

#[inline]
fn same((at, other): Pair) -> Option<BddPointer> {
    (at.is_terminal() && other.is_terminal()).then(|| BddPointer::from_bool(at == other))
}

/// The sum of two nodes of one diagram.
#[inline]
fn sum(one: BddPointer, other: BddPointer) -> Option<BddPointer> {
    match () {
        () if one.is_one() || other.is_zero() || one == other => Some(one),
        () => (other.is_one() || one.is_zero()).then_some(other),
    }
}

#[inline]
fn in_order(one: BddPointer, other: BddPointer) -> Pair {
    if one.to_index() < other.to_index() { (one, other) } else { (other, one) }
}

/// Whether there is anything in two nodes, as far as that can be seen from them. Of a node that is no constant, there is.
#[inline]
fn is_any_common((at, other): Pair) -> Option<bool> {
    match () {
        () if at.is_zero() || other.is_zero() => Some(false),
        () => (at.is_one() || other.is_one()).then_some(true),
    }
}

/// The same about what is in the first and not in the second.
#[inline]
fn is_any_left((at, other): Pair) -> Option<bool> {
    match () {
        () if at.is_zero() || other.is_one() => Some(false),
        () => (at.is_one() || other.is_zero()).then_some(true),
    }
}

/// Writes nodes in the order of the library.
struct Layout {
    /// Where the nodes go; the first constant, as long as that is not known.
    places: Vec<BddPointer>,
    open: Vec<BddPointer>,
    laid: Vec<BddNode>,
}

impl Layout {
    /// The nodes that can be come to from the root: the higher side first, then the lower, then the node itself.
    fn laid_out(&mut self, nodes: &[BddNode], root: BddPointer) -> &[BddNode] {
        let Self { places, open, laid } = self;
        places.clear();
        places.resize(nodes.len(), BddPointer::zero());
        places[1] = BddPointer::one();
        laid.clear();
        laid.extend_from_slice(&nodes[..2]);
        let is_missing = |places: &[BddPointer], node: BddPointer| !node.is_zero() && places[node.to_index()].is_zero();
        open.push(root);
        while let Some(top) = open.last().copied() {
            let node = nodes[top.to_index()];
            if is_missing(places, node.high_link) {
                open.push(node.high_link);
            } else if is_missing(places, node.low_link) {
                open.push(node.low_link);
            } else {
                open.pop();
                places[top.to_index()] = BddPointer::from_index(laid.len());
                laid.push(BddNode::mk_node(node.var, places[node.low_link.to_index()], places[node.high_link.to_index()]));
            }
        }
        laid
    }

    fn end(&mut self) {
        if self.places.capacity() > MOST_KEPT {
            (self.places, self.laid) = (Vec::new(), Vec::new());
        }
    }
}

/// A diagram of these nodes, which are well formed.
fn written(nodes: &[BddNode]) -> Bdd {
    match Bdd::from_nodes(nodes) {
        Ok(bdd) => bdd,
        Err(why) => unreachable!("{why}"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use biodivine_lib_bdd::{BddVariableSet, op_function};

    use super::*;

    /// Numbers that look as if they were by chance.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap_or_default() % end
        }

        /// A sum of products.
        fn diagram(&mut self, variables: &BddVariableSet, most: usize) -> Bdd {
            let all = variables.variables();
            let mut literal = || variables.mk_literal(all[self.below(all.len())], self.below(2) == 0);
            let cubes: Vec<Bdd> =
                (0..24).map(|number| (0..1 + number % 5).fold(variables.mk_true(), |cube, _| cube.and(&literal()))).collect();
            let number = self.below(most);
            (0..number).fold(variables.mk_false(), |sum, _| sum.or(&cubes[self.below(cubes.len())]))
        }
    }

    const ALL: [How; 4] = [How::And, How::Or, How::Minus, How::Same];

    /// What the library makes of it, with and without doing away with variables.
    fn expected(how: How, [a, b]: [&Bdd; 2], is_gone: IsGone<'_>) -> Bdd {
        let function = match how {
            How::And => op_function::and,
            How::Or => op_function::or,
            How::Minus => op_function::and_not,
            How::Same => op_function::iff,
        };
        match is_gone {
            Some(is_gone) => Bdd::binary_op_with_exists_trigger(a, b, is_gone, function),
            None => Bdd::binary_op(a, b, function),
        }
    }

    /// The same as the library's, to the last node, with the same memory for all of them.
    #[test]
    fn it_is_what_the_library_says() {
        let variables = [4, 12, 20].map(BddVariableSet::new_anonymous);
        let (mut random, mut scratch, never) = (Random(1), Scratch::new(), || false);
        for round in 0..2_000 {
            let variables = &variables[random.below(3)];
            let most = [3, 12, 60][random.below(3)];
            let (a, b) = (random.diagram(variables, most), random.diagram(variables, most));
            let (often, gone) = (1 + random.below(4), random.below(usize::MAX));
            let is_gone = |variable: BddVariable| (gone >> variable.to_index()).is_multiple_of(often);
            for (how, is_gone) in
                ALL.into_iter().flat_map(|how| [(how, None), (how, Some(&is_gone as &dyn Fn(BddVariable) -> bool))])
            {
                let expected = expected(how, [&a, &b], is_gone);
                if round % 97 == 0 {
                    scratch.wrap_soon();
                }
                assert_eq!(scratch.taken(how, [&a, &b], is_gone, expected.size(), &never).as_ref(), Some(&expected), "{how:?}");
                assert_eq!(scratch.taken(how, [&a, &b], is_gone, expected.size() - 1, &never), None, "{how:?}");
            }
            let [both, rest] = [How::And, How::Minus].map(|how| expected(how, [&a, &b], None));
            assert_eq!(scratch.is_any_left([&a, &b], &never), Some(!rest.is_false()));
            let witness = scratch.common([&a, &b], &never).expect("nothing ends it");
            assert_eq!(witness.is_some(), !both.is_false());
            assert!(witness.is_none_or(|witness| witness.is_in(&both)));
        }
    }

    /// Whatever ends an operation on the way, there is no half of a result, and the next one is right.
    #[test]
    fn what_is_ended_leaves_nothing_behind() {
        let variables = BddVariableSet::new_anonymous(12);
        let (mut random, mut scratch, never) = (Random(2), Scratch::new(), || false);
        let (mut ended, mut finished) = (0, 0);
        for _ in 0..60 {
            let (a, b) = (random.diagram(&variables, 12), random.diagram(&variables, 12));
            let gone = random.below(usize::MAX);
            let is_gone = |variable: BddVariable| (gone >> variable.to_index()).is_multiple_of(3);
            for (how, is_gone) in
                ALL.into_iter().flat_map(|how| [(how, None), (how, Some(&is_gone as &dyn Fn(BddVariable) -> bool))])
            {
                let expected = expected(how, [&a, &b], is_gone);
                let mut count = |result: Option<Bdd>| match result {
                    Some(result) => {
                        assert_eq!(result, expected, "{how:?}");
                        finished += 1;
                    }
                    None => ended += 1,
                };
                for number in 2..60 {
                    let bounds = Bounds { nodes: number, looks: 1, is_over: &never };
                    count(scratch.made(how, [&a, &b], is_gone, bounds));
                    let left = Cell::new(number - 2);
                    let is_over = || left.replace(left.get().saturating_sub(1)) == 0;
                    count(scratch.made(how, [&a, &b], is_gone, Bounds { nodes: usize::MAX, looks: 1, is_over: &is_over }));
                }
                count(scratch.taken(how, [&a, &b], is_gone, usize::MAX, &never));
            }
        }
        assert!(ended > 1_000 && finished > 1_000, "{ended} {finished}");
    }

    /// As deep as there are variables, and larger than what is kept.
    #[test]
    fn depth_and_size_do_no_harm() {
        let variables = BddVariableSet::new_anonymous(40_000);
        let all = variables.variables();
        let cube = |first: usize| {
            let mut nodes = vec![BddNode::mk_zero(40_000), BddNode::mk_one(40_000)];
            for variable in all.iter().skip(first).step_by(2).rev() {
                nodes.push(BddNode::mk_node(*variable, BddPointer::zero(), BddPointer::from_index(nodes.len() - 1)));
            }
            written(&nodes)
        };
        let (a, b) = (cube(0), cube(1));
        let (mut scratch, never) = (Scratch::new(), || false);
        let is_gone = |variable: BddVariable| variable.to_index().is_multiple_of(3);
        for (how, is_gone) in ALL.into_iter().flat_map(|how| [(how, None), (how, Some(&is_gone as &dyn Fn(BddVariable) -> bool))])
        {
            scratch.wrap_soon();
            let result = scratch.taken(how, [&a, &b], is_gone, usize::MAX, &never);
            assert!(result == Some(expected(how, [&a, &b], is_gone)), "{how:?}");
        }
    }
}
