//! What states become: new contents of cells as functions of the old ones, and the set of states that they lead to.
//!
//! A step changes some machines. For each of their cells it is listed under which guard what is in it afterwards; a cell that nobody has
//! touched stays as it is, and where nothing is listed there is no such cell any more. Written in bits this is a function for each bit that may
//! change; with a set of states they make a relation between states and what they become, and the next states are found from that.

use lockstep_runtime::Machine;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{Bit, CellId, Content, Near, Owner};
use super::guard::{Guard, Variable};
use super::summaries::Space;
use super::value::{Summary, kind_of, parts_of};

/// Nodes of a relation that is no burden.
const SMALL: usize = 1_000;
/// Variables of choices that are tried when a relation is cut.
const TRIED: usize = 2;
/// The most parts of a relation.
const MOST_PARTS: usize = 64;

/// The relation of one step.
pub(crate) struct Relation {
    whole: Part,
    /// The same cut into parts by what is chosen, if that makes it smaller.
    parts: Vec<Part>,
}

/// A relation, or what it is for some of the choices.
#[derive(Clone)]
struct Part {
    /// For which states and choices it is made.
    case: Guard,
    /// When the bits that it may change will be set.
    functions: Vec<(Bit, Guard)>,
}

/// What is in the cells of some machines after a step.
pub(crate) struct After {
    /// The states from which the step starts. What is not possible in them is not listed.
    base: Guard,
    cells: FxHashMap<CellId, Listed>,
    owners: Vec<Owner>,
}

struct Listed {
    /// Where it stays as it is.
    same: Guard,
    numbers: Vec<(Guard, usize)>,
}

impl After {
    pub(crate) fn new(base: Guard) -> Self {
        Self { base, cells: FxHashMap::default(), owners: Vec::new() }
    }

    /// A machine as it is in one case.
    pub(crate) fn list(&mut self, space: &mut Space, owner: Owner, case: &Guard, machine: &Machine<Summary>) {
        if !self.owners.contains(&owner) {
            self.owners.push(owner);
        }
        let mut leaves = Vec::new();
        let skeleton = machine.map(&mut |spot, value| leaves.push((spot, value.clone())));
        let skeleton = space.cells.skeleton(&skeleton);
        let cell = space.cells.skeleton_cell(owner);
        self.content(space, cell, case, Content::Skeleton(skeleton), None);
        for (spot, value) in leaves {
            let cell = space.cells.value_cell(owner, spot);
            self.value(space, cell, case, &value, None);
        }
    }

    fn value(&mut self, space: &mut Space, cell: CellId, case: &Guard, value: &Summary, near: Option<Near>) {
        match value {
            Summary::Cell(other) if *other == cell => self.stays(space, cell, case),
            Summary::Cell(other) => self.copied(space, cell, case, *other),
            Summary::Plain(value) => match kind_of(value) {
                None => self.content(space, cell, case, Content::Value(value.clone()), near),
                Some((kind, count)) => {
                    self.content(space, cell, case, Content::Row(kind, u32::try_from(count).unwrap_or(u32::MAX)), near);
                    for (number, part) in (0..).zip(parts_of(value)) {
                        let cell = space.cells.part_cell(cell, number);
                        self.value(space, cell, case, &Summary::Plain(part), near);
                    }
                }
            },
            Summary::Row(row) => {
                let count = u32::try_from(row.parts.len()).unwrap_or(u32::MAX);
                self.content(space, cell, case, Content::Row(row.kind, count), near);
                for (number, part) in (0..).zip(&row.parts) {
                    let cell = space.cells.part_cell(cell, number);
                    self.value(space, cell, case, part, near);
                }
            }
            Summary::Many(all) => {
                for (guard, one) in all.iter() {
                    let case = space.guards.and(case, guard);
                    if space.guards.meet(&self.base, &case) {
                        self.value(space, cell, &case, one, chosen(space, guard).or(near));
                    }
                }
            }
        }
    }

    /// What is in another cell.
    fn copied(&mut self, space: &mut Space, cell: CellId, case: &Guard, other: CellId) {
        let contents: Vec<(Content, Guard)> =
            space.cells.contents(other).map(|(content, guard)| (content.clone(), guard.clone())).collect();
        for (content, guard) in contents {
            let case = space.guards.and(case, &guard);
            if !space.guards.meet(&self.base, &case) {
                continue;
            }
            let parts = if let Content::Row(_, count) = content { count } else { 0 };
            self.content(space, cell, &case, content, Some(Near::Cell(other)));
            for part in 0..parts {
                let (to, from) = (space.cells.part_cell(cell, part), space.cells.part_cell(other, part));
                self.value(space, to, &case, &Summary::Cell(from), None);
            }
        }
    }

    fn stays(&mut self, space: &mut Space, cell: CellId, case: &Guard) {
        let listed = self.listed(space, cell);
        listed.same = space.guards.or(&listed.same, case);
        for part in space.cells.parts(cell).to_vec() {
            self.stays(space, part, case);
        }
    }

    fn content(&mut self, space: &mut Space, cell: CellId, case: &Guard, content: Content, near: Option<Near>) {
        let number = space.cells.number(&space.guards, cell, content, near);
        let listed = self.listed(space, cell);
        match listed.numbers.iter_mut().find(|(_, known)| *known == number) {
            Some((guard, _)) => *guard = space.guards.or(guard, case),
            None => listed.numbers.push((case.clone(), number)),
        }
    }

    fn listed(&mut self, space: &Space, cell: CellId) -> &mut Listed {
        self.cells.entry(cell).or_insert_with(|| Listed { same: space.guards.falsehood(), numbers: Vec::new() })
    }

    /// The relation, for the states and choices of `case`.
    pub(crate) fn relation(mut self, space: &mut Space, case: &Guard) -> Relation {
        let mut functions = Vec::new();
        for owner in std::mem::take(&mut self.owners) {
            for cell in space.cells.owned(owner).to_vec() {
                let listed = self.cells.remove(&cell);
                if listed.as_ref().is_some_and(|listed| listed.numbers.is_empty() && is_within(space, case, &listed.same)) {
                    continue;
                }
                for (place, bit) in space.cells.bits(cell).iter().enumerate() {
                    let will_be =
                        listed.as_ref().map_or_else(|| space.guards.falsehood(), |listed| listed.bit(space, place, *bit));
                    functions.push((*bit, will_be));
                }
            }
        }
        Relation::new(space, &self.base, Part { case: case.clone(), functions })
    }
}

impl Listed {
    /// When a bit of the number will be set.
    fn bit(&self, space: &Space, place: usize, bit: Bit) -> Guard {
        let stays = space.guards.and(&self.same, &space.guards.literal(bit.now, true));
        let set = self.numbers.iter().filter(|(_, number)| number >> place & 1 == 1);
        set.fold(stays, |sum, (guard, _)| space.guards.or(&sum, guard))
    }
}

fn is_within(space: &Space, case: &Guard, other: &Guard) -> bool {
    other.is_true() || case == other || space.guards.is_within(case, other)
}

impl Relation {
    fn new(space: &Space, base: &Guard, whole: Part) -> Self {
        let mut parts = Vec::new();
        let mut open = vec![whole.clone()];
        while let Some(part) = open.pop() {
            let cut = if parts.len() + open.len() < MOST_PARTS { part.cut(space, base) } else { None };
            match cut {
                Some(halves) => open.extend(halves),
                None => parts.push(part),
            }
        }
        Self { whole, parts }
    }

    /// The states that a set of states leads to.
    pub(crate) fn image(&self, space: &Space, states: &Guard) -> Guard {
        space.guards.any(self.parts.iter().map(|part| part.image(space, states)))
    }

    /// Of a set of states, those that lead to some state of another set.
    pub(crate) fn leading_to(&self, space: &Space, states: &Guard, next: &Guard) -> Guard {
        space.guards.any(self.parts.iter().map(|part| part.leading_to(space, states, next)))
    }

    /// The states, with their choices, that lead to one state.
    pub(crate) fn before(&self, space: &Space, states: &Guard, next: &super::guard::Assignment) -> Guard {
        self.whole.before(space, states, next)
    }
}

impl Part {
    /// About how much there is to do with so many states: each bit that changes has to be followed through all of them.
    fn cost(&self, base: &Guard) -> usize {
        self.functions.iter().map(|(_, will_be)| will_be.size() + base.size()).sum()
    }

    /// Cuts it in two by a choice that decides who or what is concerned: then much stays as it is in one half and much in the other, and
    /// both together are hardly more than the whole. A choice that has little to do with the rest would only double everything.
    fn cut(&self, space: &Space, base: &Guard) -> Option<[Self; 2]> {
        let cost = self.cost(base);
        // Few states are soon gone through, and cutting a large relation for them takes longer than it saves.
        if cost < SMALL || cost > 2 * self.functions.len() * base.size() {
            return None;
        }
        let mut uses: FxHashMap<Variable, usize> = FxHashMap::default();
        for variable in self.functions.iter().flat_map(|(_, will_be)| will_be.variables()) {
            if space.guards.is_choice(variable) {
                *uses.entry(variable).or_default() += 1;
            }
        }
        // Who decides about much comes first.
        let mut choices: Vec<(usize, Variable)> = uses.into_iter().map(|(variable, uses)| (uses, variable)).collect();
        choices.sort_unstable_by_key(|(uses, variable)| (std::cmp::Reverse(*uses), *variable));
        let choices = choices.into_iter().take(TRIED).map(|(_, choice)| choice);
        let halves = choices.map(|choice| [false, true].map(|value| self.with(space, choice, value)));
        let both = |[one, other]: &[Self; 2]| one.cost(base) + other.cost(base);
        halves.min_by_key(both).filter(|best| both(best) <= cost + cost / 2)
    }

    /// What it is if a choice is answered like this.
    fn with(&self, space: &Space, choice: Variable, value: bool) -> Self {
        let guards = &space.guards;
        let answer = guards.literal(choice, value);
        let with = |guard: &Guard| guards.and_some(guard, &answer, &|variable| variable == choice);
        let case = with(&self.case);
        let mut functions = Vec::new();
        for (bit, will_be) in &self.functions {
            let now = guards.literal(bit.now, true);
            let will_be = with(will_be);
            if will_be != now && !is_within(space, &case, &guards.same(&will_be, &now)) {
                functions.push((*bit, will_be));
            }
        }
        Self { case, functions }
    }

    /// The states that a set of states leads to.
    fn image(&self, space: &Space, states: &Guard) -> Guard {
        let changed: FxHashSet<Variable> = self.functions.iter().map(|(bit, _)| bit.now).collect();
        let is_choice = |variable: Variable| space.guards.is_choice(variable);
        let is_gone = |variable: Variable| changed.contains(&variable) || is_choice(variable);
        // The relation of all that there could be can be much larger than the part of it that these states need; or much smaller.
        let next = match self.pairs(space, &self.case, &is_choice, Some(SMALL.max(4 * states.size()))) {
            Some(pairs) => space.guards.and_some(states, &pairs, &is_gone),
            None => {
                let from = space.guards.and(states, &self.case);
                self.pairs(space, &from, &is_gone, None).unwrap_or_else(|| space.guards.falsehood())
            }
        };
        let next = space.guards.renamed(&next, &|variable| space.cells.now_of(variable).unwrap_or(variable));
        let constant = self.functions.iter().filter(|(_, will_be)| is_constant(will_be));
        constant.fold(next, |next, (bit, will_be)| space.guards.and(&next, &space.guards.literal(bit.now, will_be.is_true())))
    }

    /// Pairs of states and what they become, but for bits that become the same in all of them. Variables that are of no interest are left out
    /// as soon as nothing more depends on them: what is chosen may come to be known in many bits, and remembering all of it would take a
    /// node for every combination. `None` if there are more than so many nodes on the way.
    fn pairs(&self, space: &Space, from: &Guard, is_gone: &dyn Fn(Variable) -> bool, most: Option<usize>) -> Option<Guard> {
        let varying: Vec<&(Bit, Guard)> = self.functions.iter().filter(|(_, will_be)| !is_constant(will_be)).collect();
        let mut last_use: FxHashMap<Variable, usize> = FxHashMap::default();
        for (number, (_, will_be)) in varying.iter().enumerate() {
            last_use.extend(will_be.variables().into_iter().map(|variable| (variable, number)));
        }
        let is_unused = |variable: Variable| is_gone(variable) && !last_use.contains_key(&variable);
        let mut pairs = space.guards.and_some(from, &space.guards.truth(), &is_unused);
        for (number, (bit, will_be)) in varying.into_iter().enumerate() {
            let then = space.guards.same(&space.guards.literal(bit.then, true), will_be);
            let is_done = |variable: Variable| is_gone(variable) && last_use.get(&variable) == Some(&number);
            pairs = match most {
                Some(most) => space.guards.and_some_within(&pairs, &then, &is_done, most)?,
                None => space.guards.and_some(&pairs, &then, &is_done),
            };
        }
        Some(pairs)
    }

    /// Of a set of states, those that lead to some state of another set.
    fn leading_to(&self, space: &Space, states: &Guard, next: &Guard) -> Guard {
        let guards = &space.guards;
        let is_choice = |variable: Variable| guards.is_choice(variable);
        let from = guards.and(states, &self.case);
        let Some(pairs) = self.pairs(space, &from, &is_choice, None) else { return guards.falsehood() };
        let (constant, varying): (Vec<_>, Vec<_>) = self.functions.iter().partition(|(_, will_be)| is_constant(will_be));
        let next = constant.iter().fold(next.clone(), |next, (bit, will_be)| {
            guards.and_some(&next, &guards.literal(bit.now, will_be.is_true()), &|variable| variable == bit.now)
        });
        let thens: FxHashMap<Variable, Variable> = varying.iter().map(|(bit, _)| (bit.now, bit.then)).collect();
        let next = guards.renamed(&next, &|variable| thens.get(&variable).copied().unwrap_or(variable));
        guards.and_some(&pairs, &next, &|variable| space.cells.now_of(variable).is_some())
    }

    /// The states, with their choices, that lead to one state.
    fn before(&self, space: &Space, states: &Guard, next: &super::guard::Assignment) -> Guard {
        let guards = &space.guards;
        let changed: FxHashSet<Variable> = self.functions.iter().map(|(bit, _)| bit.now).collect();
        let unchanged = space.cells.variables().iter().filter(|variable| !changed.contains(variable));
        let from = unchanged.fold(guards.and(states, &self.case), |from, variable| {
            guards.and(&from, &guards.literal(*variable, next.get(*variable)))
        });
        self.functions.iter().fold(from, |from, (bit, will_be)| match next.get(bit.now) {
            true => guards.and(&from, will_be),
            false => guards.minus(&from, will_be),
        })
    }
}

/// The choice that a guard is about, and nothing else. What depends on the state, too, was decided and not chosen.
fn chosen(space: &Space, guard: &Guard) -> Option<Near> {
    let first = guard.top().filter(|variable| space.guards.is_choice(*variable))?;
    let is_all = guard.variables().into_iter().all(|variable| space.guards.is_choice(variable));
    is_all.then_some(Near::Choice(first))
}

fn is_constant(guard: &Guard) -> bool {
    guard.is_true() || guard.is_false()
}
