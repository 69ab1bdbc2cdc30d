//! Guards: sets of what is possible, as decision diagrams.
//!
//! This, `product.rs`, `tables.rs` and `witness.rs` are the only files that know the library behind them (`recording.rs` reads its diagrams). It is used as its
//! measurements say: diagrams are shared whole (`Arc`), with shortcuts for constants and for one and the same diagram, and without tables of all diagrams.
//! Every operation has a bound on its nodes, and looks at the clock on its way.
//!
//! An operation that would go beyond the bound gives `false` and leaves a mark (`Guards::is_exceeded`). Whoever works with guards looks
//! at the mark before anything is believed.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddValuation, BddVariable};

use super::product::{How, Scratch};
use super::recording::Recording;
use super::witness::Witnesses;

/// How many variables there are at most.
const VARIABLES: u16 = 60_000;
/// The first of them are for choices: what is chosen decides what happens to everything else.
const CHOICES: u16 = 4_000;

/// A variable by its place in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Variable(u16);

impl Variable {
    fn bdd(self) -> BddVariable {
        BddVariable::from_index(usize::from(self.0))
    }
}

/// A set of assignments to variables.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Arc<Bdd>);

impl PartialEq for Guard {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Guard {}

impl std::hash::Hash for Guard {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Enough to tell most apart.
        state.write_usize(self.0.size());
    }
}

impl Guard {
    pub(crate) fn is_false(&self) -> bool {
        self.0.is_false()
    }

    pub(crate) fn is_true(&self) -> bool {
        self.0.is_true()
    }

    /// The first variable that it depends on.
    pub(crate) fn top(&self) -> Option<Variable> {
        let root = self.0.root_pointer();
        (!root.is_terminal()).then(|| of_bdd(self.0.var_of(root)))
    }

    /// All variables that it depends on.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        self.0.support_set().into_iter().map(of_bdd).collect()
    }

    /// How many nodes it has.
    pub(crate) fn size(&self) -> usize {
        self.0.size()
    }

    /// One of its assignments.
    pub(crate) fn witness(&self) -> Option<Assignment> {
        self.0.first_valuation().map(Assignment)
    }

    pub(crate) fn holds(&self, assignment: &Assignment) -> bool {
        self.0.eval_in(&assignment.0)
    }
}

/// A value for each variable.
#[derive(Clone, Debug)]
pub(crate) struct Assignment(BddValuation);

impl Assignment {
    pub(crate) fn get(&self, variable: Variable) -> bool {
        self.0.value(variable.bdd())
    }
}

/// Variables in a row that nobody else has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    next: u16,
    end: u16,
}

impl Stretch {
    /// A part of it, from its beginning.
    pub(crate) fn part(&mut self, length: u16) -> Option<Self> {
        let end = self.next.checked_add(length).filter(|end| *end <= self.end)?;
        let part = Self { next: self.next, end };
        self.next = end;
        Some(part)
    }

    /// Two variables next to each other: for what is, and for what will be.
    pub(crate) fn pair(&mut self) -> Option<(Variable, Variable)> {
        let part = self.part(2)?;
        Some((Variable(part.next), Variable(part.next + 1)))
    }
}

/// Makes guards.
pub(crate) struct Guards {
    truth: Guard,
    falsehood: Guard,
    next: Cell<u16>,
    most_nodes: Cell<usize>,
    is_exceeded: Cell<bool>,
    /// Why there is no point in another try, from when on there is none.
    over: Cell<Option<Over>>,
    largest: Cell<usize>,
    operations: Cell<u64>,
    /// Nodes that were gone through, about, and how many may be.
    nodes: Cell<u64>,
    bound: Cell<u64>,
    /// When to give up, and whether somebody wants that.
    deadline: Cell<Option<Instant>>,
    cancel: Arc<AtomicBool>,
    /// Memory of whichever operation is at work.
    scratch: RefCell<Scratch>,
    /// What is known to be in the set that was asked about last.
    witnesses: RefCell<(Guard, Witnesses)>,
    /// What is done, if somebody wants to know.
    recording: Option<Box<RefCell<Recording>>>,
}

/// Why nothing more can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It is too late.
    Time,
    /// Enough nodes were gone through.
    Nodes,
    Cancelled,
    /// There are no more variables.
    Variables,
}

/// Operations between two looks at the clock.
const LOOK: u64 = 64;

impl Guards {
    pub(crate) fn new(most_nodes: usize, bound: Option<u64>, deadline: Option<Instant>, cancel: Arc<AtomicBool>) -> Self {
        let falsehood = of_nodes(&[BddNode::mk_zero(VARIABLES)]);
        Self {
            truth: of_nodes(&[BddNode::mk_zero(VARIABLES), BddNode::mk_one(VARIABLES)]),
            falsehood: falsehood.clone(),
            next: Cell::new(CHOICES),
            most_nodes: Cell::new(most_nodes),
            is_exceeded: Cell::new(false),
            over: Cell::new(None),
            largest: Cell::new(0),
            operations: Cell::new(0),
            nodes: Cell::new(0),
            bound: Cell::new(bound.unwrap_or(u64::MAX)),
            deadline: Cell::new(deadline),
            cancel,
            scratch: RefCell::new(Scratch::new()),
            witnesses: RefCell::new((falsehood, Witnesses::new())),
            recording: None,
        }
    }

    /// Writes down from now on what is done.
    pub(crate) fn record(&mut self) {
        self.recording = Some(Box::default());
    }

    /// What was done since, for whoever wants to do it again.
    pub(crate) fn recorded(&mut self) -> Option<String> {
        self.recording.take().map(|recording| recording.into_inner().into_text())
    }

    fn noted(&self, operation: char, a: &Guard, b: &Guard, result: Guard) -> Guard {
        if let Some(recording) = &self.recording
            && !self.is_exceeded()
        {
            recording.borrow_mut().note(operation, [&a.0, &b.0, &result.0], &[]);
        }
        result
    }

    pub(crate) fn truth(&self) -> Guard {
        self.truth.clone()
    }

    pub(crate) fn falsehood(&self) -> Guard {
        self.falsehood.clone()
    }

    /// Whether a guard became too large, so that what was computed since is wrong.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }

    /// Takes the mark away, for another try. Gives whether there can be one: once it is over, the mark stays. So nobody has to look at the clock
    /// to know what a mark is about, and it is about the same for all.
    pub(crate) fn forget_excess(&self) -> bool {
        self.is_exceeded.set(self.over.get().is_some());
        self.over.get().is_none()
    }

    pub(crate) fn over(&self) -> Option<Over> {
        self.over.get()
    }

    /// Looks at the clock, at what was gone through, and whether somebody wants an end.
    pub(crate) fn look(&self) -> Option<Over> {
        let is_late = || self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline);
        let found = match () {
            () if self.over.get().is_some() => self.over.get(),
            () if self.cancel.load(Ordering::Relaxed) => Some(Over::Cancelled),
            () if self.nodes.get() > self.bound.get() => Some(Over::Nodes),
            () if is_late() => Some(Over::Time),
            () => None,
        };
        self.over.set(found);
        found
    }

    pub(crate) fn largest(&self) -> usize {
        self.largest.get()
    }

    pub(crate) fn operations(&self) -> u64 {
        self.operations.get()
    }

    pub(crate) fn gone_through(&self) -> u64 {
        self.nodes.get()
    }

    /// From now on so many nodes may be gone through in all.
    pub(crate) fn allow(&self, nodes: u64) {
        self.bound.set(nodes);
    }

    pub(crate) fn allowed(&self) -> u64 {
        self.bound.get()
    }

    /// Takes note of nodes that an operation goes through.
    fn go_through(&self, nodes: usize) {
        self.nodes.set(self.nodes.get() + nodes as u64);
    }

    /// From now on only memory and whoever cancels set bounds.
    pub(crate) fn lift_bounds(&self) {
        self.bound.set(u64::MAX);
        self.deadline.set(None);
        self.over.set(self.over.get().filter(|over| !matches!(over, Over::Time | Over::Nodes)));
        self.forget_excess();
    }

    /// So many variables in a row, for whoever wants his next to each other. `None` if there are no more.
    pub(crate) fn stretch(&self, length: u16) -> Option<Stretch> {
        let first = self.next.get();
        let next = first.checked_add(length).filter(|next| *next <= VARIABLES);
        self.next.set(next?);
        Some(Stretch { next: first, end: first + length })
    }

    /// No more can be done: there are no more variables.
    pub(crate) fn run_out(&self) {
        self.over.set(Some(Over::Variables));
        self.is_exceeded.set(true);
    }

    /// The variables for choices of one step.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Variable> {
        (0..CHOICES).map(Variable)
    }

    pub(crate) fn is_choice(&self, variable: Variable) -> bool {
        variable.0 < CHOICES
    }

    pub(crate) fn literal(&self, variable: Variable, value: bool) -> Guard {
        let (low, high) = (BddPointer::from_bool(!value), BddPointer::from_bool(value));
        of_nodes(&[BddNode::mk_zero(VARIABLES), BddNode::mk_one(VARIABLES), BddNode::mk_node(variable.bdd(), low, high)])
    }

    /// Where each of these variables has its value. Right also after an excess, since it is kept for longer than what is computed then.
    pub(crate) fn cube(&self, mut literals: Vec<(Variable, bool)>) -> Guard {
        literals.sort_unstable_by_key(|(variable, _)| std::cmp::Reverse(*variable));
        let mut nodes = vec![BddNode::mk_zero(VARIABLES), BddNode::mk_one(VARIABLES)];
        for (variable, value) in literals {
            let below = BddPointer::from_index(nodes.len() - 1);
            let (low, high) = if value { (BddPointer::zero(), below) } else { (below, BddPointer::zero()) };
            nodes.push(BddNode::mk_node(variable.bdd(), low, high));
        }
        of_nodes(&nodes)
    }

    pub(crate) fn and(&self, a: &Guard, b: &Guard) -> Guard {
        self.noted('&', a, b, self.and_made(a, b))
    }

    fn and_made(&self, a: &Guard, b: &Guard) -> Guard {
        if a.is_false() || b.is_false() || self.is_exceeded() {
            return self.falsehood();
        }
        if a.is_true() || Arc::ptr_eq(&a.0, &b.0) {
            return b.clone();
        }
        if b.is_true() {
            return a.clone();
        }
        self.taken(How::And, a, b)
    }

    pub(crate) fn or(&self, a: &Guard, b: &Guard) -> Guard {
        self.noted('|', a, b, self.or_made(a, b))
    }

    fn or_made(&self, a: &Guard, b: &Guard) -> Guard {
        if a.is_true() || b.is_true() || self.is_exceeded() {
            return self.truth();
        }
        if a.is_false() || Arc::ptr_eq(&a.0, &b.0) {
            return b.clone();
        }
        if b.is_false() {
            return a.clone();
        }
        self.taken(How::Or, a, b)
    }

    /// What is in `a` and not in `b`.
    pub(crate) fn minus(&self, a: &Guard, b: &Guard) -> Guard {
        self.noted('-', a, b, self.minus_made(a, b))
    }

    fn minus_made(&self, a: &Guard, b: &Guard) -> Guard {
        if a.is_false() || b.is_true() || Arc::ptr_eq(&a.0, &b.0) || self.is_exceeded() {
            return self.falsehood();
        }
        if b.is_false() {
            return a.clone();
        }
        self.taken(How::Minus, a, b)
    }

    pub(crate) fn not(&self, a: &Guard) -> Guard {
        self.minus(&self.truth, a)
    }

    /// Where both are true or both are false.
    pub(crate) fn same(&self, a: &Guard, b: &Guard) -> Guard {
        self.noted('=', a, b, self.same_made(a, b))
    }

    fn same_made(&self, a: &Guard, b: &Guard) -> Guard {
        if self.is_exceeded() {
            return self.falsehood();
        }
        match () {
            () if a.is_true() => b.clone(),
            () if b.is_true() => a.clone(),
            () if Arc::ptr_eq(&a.0, &b.0) => self.truth(),
            () => self.taken(How::Same, a, b),
        }
    }

    /// Taken together, of which nothing is known from the start.
    fn taken(&self, how: How, a: &Guard, b: &Guard) -> Guard {
        self.go_through(a.size() + b.size());
        let most = self.most_nodes.get();
        let result = self.scratch.borrow_mut().taken(how, [&a.0, &b.0], None, most, &|| self.look().is_some());
        self.made(result, [a, b])
    }

    pub(crate) fn any(&self, guards: impl IntoIterator<Item = Guard>) -> Guard {
        guards.into_iter().fold(self.falsehood(), |sum, guard| self.or(&sum, &guard))
    }

    /// Both, for some values of these variables.
    pub(crate) fn and_some(&self, a: &Guard, b: &Guard, is_gone: &dyn Fn(Variable) -> bool) -> Guard {
        self.and_some_within(a, b, is_gone, self.most_nodes.get()).unwrap_or_else(|| self.made(None, [a, b]))
    }

    /// The same, or nothing if it has, or takes on the way, many more than so many nodes. That is no excess.
    pub(crate) fn and_some_within(&self, a: &Guard, b: &Guard, is_gone: &dyn Fn(Variable) -> bool, most: usize) -> Option<Guard> {
        if a.is_false() || b.is_false() || self.is_exceeded() {
            return Some(self.falsehood());
        }
        let trigger = |variable: BddVariable| is_gone(of_bdd(variable));
        self.go_through(a.size() + b.size());
        let most = most.min(self.most_nodes.get());
        let is_over = || self.look().is_some();
        let result = self.scratch.borrow_mut().taken(How::And, [&a.0, &b.0], Some(&trigger), most, &is_over)?;
        let result = self.made(Some(result), [a, b]);
        if let Some(recording) = &self.recording
            && !self.is_exceeded()
        {
            let all: BTreeSet<Variable> = a.variables().into_iter().chain(b.variables()).collect();
            let gone: Vec<u16> = all.into_iter().filter(|variable| is_gone(*variable)).map(|variable| variable.0).collect();
            recording.borrow_mut().note('e', [&a.0, &b.0, &result.0], &gone);
        }
        Some(result)
    }

    /// With other variables, which keeps the order: the new ones do not occur, and lie right before those that they replace.
    pub(crate) fn renamed(&self, guard: &Guard, new_name: &dyn Fn(Variable) -> Variable) -> Guard {
        let mut nodes = vec![BddNode::mk_zero(VARIABLES), BddNode::mk_one(VARIABLES)];
        if guard.is_false() || guard.is_true() {
            return guard.clone();
        }
        for pointer in guard.0.pointers().skip(2) {
            let variable = new_name(of_bdd(guard.0.var_of(pointer))).bdd();
            nodes.push(BddNode::mk_node(variable, guard.0.low_link_of(pointer), guard.0.high_link_of(pointer)));
        }
        match Bdd::from_nodes(&nodes) {
            Ok(bdd) => Guard(Arc::new(bdd)),
            Err(_) => {
                debug_assert!(false, "the order was not kept");
                self.is_exceeded.set(true);
                self.falsehood()
            }
        }
    }

    /// Whether a guard holds for something in a set. Makes no guard.
    pub(crate) fn meet(&self, set: &Guard, guard: &Guard) -> bool {
        self.all_meet(set, &self.truth, guard)
    }

    /// Whether two guards, which are small, hold for the same thing in a set. What is in the set is remembered until it is about another one.
    pub(crate) fn all_meet(&self, set: &Guard, one: &Guard, other: &Guard) -> bool {
        let (known_set, witnesses) = &mut *self.witnesses.borrow_mut();
        if !Arc::ptr_eq(&known_set.0, &set.0) {
            *known_set = set.clone();
            witnesses.forget();
        }
        if one.is_false() || other.is_false() || witnesses.are_in([&one.0, &other.0]) {
            return !one.is_false() && !other.is_false();
        }
        let both = self.and(one, other);
        self.go_through(set.size() + both.size());
        let found = self.scratch.borrow_mut().common([&set.0, &both.0], &|| self.look().is_some());
        self.is_exceeded.set(self.is_exceeded() || found.is_none());
        match found.flatten() {
            Some(witness) => {
                witnesses.add(witness);
                true
            }
            None => false,
        }
    }

    /// Whether everything in `a` is in `b`, too. Ends at the first that is not, and makes no guard. If it takes too long, it leaves a mark.
    pub(crate) fn is_within(&self, a: &Guard, b: &Guard) -> bool {
        if Arc::ptr_eq(&a.0, &b.0) {
            return true;
        }
        self.go_through(a.size() + b.size());
        let is_any = self.scratch.borrow_mut().is_any_left([&a.0, &b.0], &|| self.look().is_some());
        self.is_exceeded.set(self.is_exceeded() || is_any.is_none());
        is_any == Some(false)
    }

    /// How many assignments to these variables it has. It depends on no others, and they are in order.
    pub(crate) fn count(&self, guard: &Guard, variables: &[Variable]) -> u128 {
        let place = |variable: BddVariable| variables.partition_point(|known| known.0 < of_bdd(variable).0);
        let below = |pointer: BddPointer| if pointer.is_terminal() { variables.len() } else { place(guard.0.var_of(pointer)) };
        let skipped = |count: u128, levels: usize| match u32::try_from(levels) {
            _ if count == 0 => 0,
            Ok(levels) if levels <= count.leading_zeros() && levels < u128::BITS => count << levels,
            _ => u128::MAX,
        };
        let mut counts: Vec<u128> = vec![0, 1];
        for pointer in guard.0.pointers().skip(2) {
            let own = below(pointer) + 1;
            let part = |link: BddPointer| skipped(counts[link.to_index()], below(link).saturating_sub(own));
            let count = part(guard.0.low_link_of(pointer)).saturating_add(part(guard.0.high_link_of(pointer)));
            counts.push(count);
        }
        let root = guard.0.root_pointer();
        if guard.is_false() { 0 } else { skipped(counts[root.to_index()], below(root)) }
    }

    /// The result of an operation on `from`, one of which it may be.
    fn made(&self, bdd: Option<Bdd>, from: [&Guard; 2]) -> Guard {
        self.operations.set(self.operations.get() + 1);
        let is_time_to_look = self.operations.get().is_multiple_of(LOOK) || self.nodes.get() > self.bound.get();
        if self.over.get().is_some() || (is_time_to_look && self.look().is_some()) {
            self.is_exceeded.set(true);
        }
        match bdd.filter(|_| !self.is_exceeded.get()) {
            Some(bdd) => {
                self.largest.set(self.largest.get().max(bdd.size()));
                self.go_through(bdd.size());
                if bdd.size() > self.most_nodes.get() {
                    self.is_exceeded.set(true);
                    return self.falsehood();
                }
                from.into_iter().find(|known| *known.0 == bdd).cloned().unwrap_or_else(|| Guard(Arc::new(bdd)))
            }
            None => {
                self.is_exceeded.set(true);
                self.falsehood()
            }
        }
    }
}

/// A diagram that is written out. These are well formed.
fn of_nodes(nodes: &[BddNode]) -> Guard {
    match Bdd::from_nodes(nodes) {
        Ok(bdd) => Guard(Arc::new(bdd)),
        Err(why) => unreachable!("{why}"),
    }
}

fn of_bdd(variable: BddVariable) -> Variable {
    Variable(u16::try_from(variable.to_index()).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Guards of which each is larger than the last.
    fn work(guards: &Guards, variables: u16) -> Guard {
        let pair =
            |number: u16| guards.and(&guards.literal(Variable(number), true), &guards.literal(Variable(number + 100), true));
        guards.any((0..variables).map(pair))
    }

    #[test]
    fn what_was_too_large_can_be_tried_again() {
        let guards = Guards::new(100, None, None, Arc::default());
        work(&guards, 12);
        assert!(guards.is_exceeded() && guards.over().is_none());
        assert!(guards.forget_excess() && !guards.is_exceeded());
        assert!(!work(&guards, 3).is_false() && !guards.is_exceeded());
    }

    #[test]
    fn what_is_over_stays_over() {
        let cancel = Arc::new(AtomicBool::new(true));
        let late = Guards::new(1_000_000, None, Some(Instant::now()), Arc::default());
        let spent = Guards::new(1_000_000, Some(10), None, Arc::default());
        let cancelled = Guards::new(1_000_000, None, None, cancel);
        for (guards, over) in [(&late, Over::Time), (&spent, Over::Nodes), (&cancelled, Over::Cancelled)] {
            (0..LOOK).for_each(|_| drop(work(guards, 4)));
            assert!(guards.is_exceeded() && guards.over() == Some(over), "{over:?}");
            assert!(!guards.forget_excess() && guards.is_exceeded(), "{over:?}: nothing that is computed now is right");
        }
        late.lift_bounds();
        assert!(!late.is_exceeded() && !work(&late, 4).is_false());
        cancelled.lift_bounds();
        assert!(cancelled.is_exceeded());
    }
}
