//! How sets of states are written as guards.
//!
//! A state is cut into *cells*. Each machine and monitor has one for its skeleton and one for each value that it has, and a value with parts
//! has one for its outermost kind and one for each part, and so on. What can be in a cell is numbered as it comes up, and the number is
//! written in binary over variables of the cell. A state is then an assignment to variables, and a set of states a guard, the same for the
//! same set however it was come by. Nothing of how states were reached is left in it.
//!
//! Number 0 means that there is no such cell in the state, so cells can come up at any time: they were never there before. When a cell needs
//! another variable, it is false in all sets that were made before, and whoever keeps such a set says so (`Cells::since`).

use std::sync::Arc;

use lockstep_runtime::{Machine, MachineId, NamesId, Spot, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::guard::{Assignment, Guard, Guards, Stretch, Variable};

/// Variables that a machine gets at a time, and a cell of it.
const OF_OWNER: u16 = 400;
const OF_CELL: u16 = 8;
/// Variables for a bit of something that was chosen, and for its copies.
const OF_CHOSEN: u16 = 24;

/// Whose cells they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// By number in `Cells::machines`.
    Machine(u32),
    Monitor(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CellId(u32);

/// Where a cell is in its machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Address {
    Skeleton,
    Value(Spot),
    Part(CellId, u32),
}

/// A machine without its values.
pub(crate) type Skeleton = Machine<()>;

/// What is in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    Skeleton(Arc<Skeleton>),
    Value(Value),
    Row(Kind, u32),
}

/// A kind of values with parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    Tuple,
    Named(NamesId),
    Seq,
    Set,
    /// Its parts are keys and values in turn.
    Map,
}

struct Cell {
    owner: Owner,
    address: Address,
    contents: Vec<Content>,
    numbers: FxHashMap<Content, usize>,
    /// Where the number of a content is written, the lowest bit first.
    bits: Vec<Bit>,
    /// Variables for more of them.
    free: Option<Stretch>,
    /// That a content is there, from number 1 on.
    guards: Vec<Guard>,
    parts: Vec<CellId>,
}

impl Cell {
    /// That the content with this number is in the cell.
    fn guard(&self, guards: &Guards, number: usize) -> Guard {
        let literal = |(place, bit): (usize, &Bit)| (bit.now, number >> place & 1 == 1);
        guards.cube(self.bits.iter().enumerate().map(literal).collect())
    }
}

/// A bit of a number: as it is, and as it will be after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    pub(crate) now: Variable,
    pub(crate) then: Variable,
}

/// What a content has to do with. Variables of what is the same in many states are best next to each other: a copy far away from its original
/// makes a guard remember everything in between.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Near {
    /// It is what is in this cell.
    Cell(CellId),
    /// It depends on a choice.
    Choice(Variable),
}

#[derive(Default)]
pub(crate) struct Cells {
    machines: Vec<MachineId>,
    machine_numbers: FxHashMap<MachineId, u32>,
    cells: Vec<Cell>,
    numbers: FxHashMap<(Owner, Address), CellId>,
    owned: FxHashMap<Owner, Vec<CellId>>,
    /// All variables for what is, as they came up.
    variables: Vec<Variable>,
    in_order: Vec<Variable>,
    /// Variables for cells of a machine, which are kept together.
    stretches: FxHashMap<Owner, Option<Stretch>>,
    /// Variables for copies of bits of what was chosen, by the variable of the first; and which that is, for its copies.
    spare: FxHashMap<Variable, Stretch>,
    roots: FxHashMap<Variable, Variable>,
    /// The first bit that depends on a choice of the step that is made.
    after_choices: FxHashMap<Variable, Variable>,
    /// The second variables of pairs.
    thens: FxHashMap<Variable, Variable>,
    skeletons: FxHashSet<Arc<Skeleton>>,
}

impl Cells {
    pub(crate) fn machine(&mut self, id: &MachineId) -> Owner {
        if let Some(&number) = self.machine_numbers.get(id) {
            return Owner::Machine(number);
        }
        let number = u32::try_from(self.machines.len()).unwrap_or(u32::MAX);
        self.machines.push(id.clone());
        self.machine_numbers.insert(id.clone(), number);
        Owner::Machine(number)
    }

    pub(crate) fn machine_id(&self, number: u32) -> &MachineId {
        &self.machines[number as usize]
    }

    /// The number of a machine that has come up.
    pub(crate) fn known_machine(&self, id: &MachineId) -> Option<u32> {
        self.machine_numbers.get(id).copied()
    }

    pub(crate) fn machine_count(&self) -> u32 {
        u32::try_from(self.machines.len()).unwrap_or(u32::MAX)
    }

    /// The variables that states are written in, as they came up.
    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// How many states are in a set.
    pub(crate) fn count(&self, guards: &Guards, states: &Guard) -> u64 {
        u64::try_from(guards.count(states, &self.in_order)).unwrap_or(u64::MAX)
    }

    /// How many states are in a set that was made when there were so many variables.
    pub(crate) fn count_since(&self, guards: &Guards, states: &Guard, variables: usize) -> u64 {
        let mut known = self.variables[..variables].to_vec();
        known.sort_unstable();
        u64::try_from(guards.count(states, &known)).unwrap_or(u64::MAX)
    }

    /// A variable that is not the same in all states of a set; `None` if there is only one.
    pub(crate) fn halving(&self, guards: &Guards, states: &Guard) -> Option<Variable> {
        let is_met = |variable: Variable, value| guards.meet(states, &guards.literal(variable, value));
        self.in_order.iter().copied().find(|variable| is_met(*variable, false) && is_met(*variable, true))
    }

    /// The variable that a new one stands for.
    pub(crate) fn now_of(&self, then: Variable) -> Option<Variable> {
        self.thens.get(&then).copied()
    }

    /// The states of a set that was made when there were so many variables.
    pub(crate) fn since(&self, guards: &Guards, set: &Guard, variables: usize) -> Guard {
        self.variables[variables..].iter().rev().fold(set.clone(), |set, new| guards.and(&set, &guards.literal(*new, false)))
    }

    pub(crate) fn skeleton_cell(&mut self, owner: Owner) -> CellId {
        self.cell(owner, Address::Skeleton)
    }

    pub(crate) fn value_cell(&mut self, owner: Owner, spot: Spot) -> CellId {
        self.cell(owner, Address::Value(spot))
    }

    pub(crate) fn part_cell(&mut self, whole: CellId, part: u32) -> CellId {
        let cell = &self.cells[whole.0 as usize];
        if let Some(&known) = cell.parts.get(part as usize) {
            return known;
        }
        let (owner, known) = (cell.owner, u32::try_from(cell.parts.len()).unwrap_or(u32::MAX));
        for number in known..=part {
            let id = self.cell(owner, Address::Part(whole, number));
            self.cells[whole.0 as usize].parts.push(id);
        }
        self.cells[whole.0 as usize].parts[part as usize]
    }

    fn cell(&mut self, owner: Owner, address: Address) -> CellId {
        let id = CellId(u32::try_from(self.cells.len()).unwrap_or(u32::MAX));
        let known = *self.numbers.entry((owner, address.clone())).or_insert(id);
        if known == id {
            let (contents, numbers, bits, guards) = (Vec::new(), FxHashMap::default(), Vec::new(), Vec::new());
            self.cells.push(Cell { owner, address, contents, numbers, bits, free: None, guards, parts: Vec::new() });
            self.owned.entry(owner).or_default().push(id);
        }
        known
    }

    pub(crate) fn owned(&self, owner: Owner) -> &[CellId] {
        self.owned.get(&owner).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..u32::try_from(self.cells.len()).unwrap_or(u32::MAX)).map(CellId)
    }

    /// The cells of two machines, each with the one in the same place of the other machine.
    pub(crate) fn pairs(&mut self, one: Owner, other: Owner) -> Vec<(CellId, CellId)> {
        // What only one of them has had so far the other gets, too, with nothing in it.
        self.counterparts(other, one);
        self.counterparts(one, other)
    }

    fn counterparts(&mut self, of: Owner, owner: Owner) -> Vec<(CellId, CellId)> {
        let mut pairs = Vec::new();
        let mut known: FxHashMap<CellId, CellId> = FxHashMap::default();
        // Invariant: a whole comes before its parts.
        for cell in self.owned(of).to_vec() {
            let counterpart = match self.cells[cell.0 as usize].address {
                Address::Skeleton => self.skeleton_cell(owner),
                Address::Value(spot) => self.value_cell(owner, spot),
                Address::Part(whole, part) => match known.get(&whole) {
                    Some(whole) => self.part_cell(*whole, part),
                    None => continue,
                },
            };
            known.insert(cell, counterpart);
            pairs.push((cell, counterpart));
        }
        pairs
    }

    /// That a state has no such cell.
    pub(crate) fn absent(&self, guards: &Guards, cell: CellId) -> Guard {
        self.cells[cell.0 as usize].guard(guards, 0)
    }

    /// That a content is in a cell, if it has ever been.
    pub(crate) fn guard_of(&self, cell: CellId, content: &Content) -> Option<&Guard> {
        let cell = &self.cells[cell.0 as usize];
        cell.guards.get(cell.numbers.get(content)?.checked_sub(1)?)
    }

    pub(crate) fn parts(&self, cell: CellId) -> &[CellId] {
        &self.cells[cell.0 as usize].parts
    }

    pub(crate) fn bits(&self, cell: CellId) -> &[Bit] {
        &self.cells[cell.0 as usize].bits
    }

    /// What has ever been in a cell, with the guards that say so.
    pub(crate) fn contents(&self, cell: CellId) -> impl Iterator<Item = (&Content, &Guard)> {
        let cell = &self.cells[cell.0 as usize];
        cell.contents.iter().zip(&cell.guards)
    }

    /// The number of a content, from 1 on.
    pub(crate) fn number(&mut self, guards: &Guards, cell: CellId, content: Content, near: Option<Near>) -> usize {
        let held = &mut self.cells[cell.0 as usize];
        if let Some(&number) = held.numbers.get(&content) {
            return number;
        }
        held.contents.push(content.clone());
        let number = held.contents.len();
        held.numbers.insert(content, number);
        if number >> held.bits.len() != 0 {
            let Some((now, then)) = self.fresh_pair(guards, cell, near) else {
                // Nothing is believed from now on.
                guards.run_out();
                held_back(&mut self.cells[cell.0 as usize], guards);
                return number;
            };
            let held = &mut self.cells[cell.0 as usize];
            held.bits.push(Bit { now, then });
            self.variables.push(now);
            let place = self.in_order.partition_point(|known| *known < now);
            self.in_order.insert(place, now);
            self.thens.insert(then, now);
            held.guards = (1..number).map(|number| held.guard(guards, number)).collect();
        }
        let held = &mut self.cells[cell.0 as usize];
        let own = held.guard(guards, number);
        held.guards.push(own);
        number
    }

    /// Two variables for the next bit of a cell, near those that it depends on, as long as there are some.
    fn fresh_pair(&mut self, guards: &Guards, cell: CellId, near: Option<Near>) -> Option<(Variable, Variable)> {
        let held = &self.cells[cell.0 as usize];
        let (place, owner) = (held.bits.len(), held.owner);
        let original = match near {
            None => None,
            Some(Near::Cell(other)) => {
                let bits = &self.cells[other.0 as usize].bits;
                bits.get(place).or(bits.last()).map(|bit| bit.now)
            }
            Some(Near::Choice(variable)) => self.after_choices.get(&variable).copied(),
        };
        let root = original.map(|original| self.roots.get(&original).copied().unwrap_or(original));
        let copied = root.and_then(|root| Some((root, self.spare.get_mut(&root)?.pair()?)));
        let (now, then) = match copied {
            Some((root, pair)) => {
                self.roots.insert(pair.0, root);
                pair
            }
            None if matches!(near, Some(Near::Choice(_))) => {
                let mut stretch = guards.stretch(OF_CHOSEN)?;
                let pair = stretch.pair()?;
                self.spare.insert(pair.0, stretch);
                pair
            }
            None => {
                let owned = self.stretches.entry(owner).or_default();
                pair(guards, owned, &mut self.cells[cell.0 as usize].free)?
            }
        };
        if let Some(Near::Choice(variable)) = near {
            self.after_choices.entry(variable).or_insert(now);
        }
        Some((now, then))
    }

    /// The variables of choices will be used for others.
    pub(crate) fn forget_choices(&mut self) {
        self.after_choices.clear();
    }

    pub(crate) fn skeleton(&mut self, machine: &Skeleton) -> Arc<Skeleton> {
        if let Some(known) = self.skeletons.get(machine) {
            return known.clone();
        }
        let skeleton = Arc::new(machine.clone());
        self.skeletons.insert(skeleton.clone());
        skeleton
    }

    /// What is in a cell in one state; `None` if the state has no such cell.
    pub(crate) fn read(&self, cell: CellId, state: &Assignment) -> Option<&Content> {
        let held = &self.cells[cell.0 as usize];
        let number = held.bits.iter().enumerate().fold(0, |sum, (place, bit)| sum | usize::from(state.get(bit.now)) << place);
        held.contents.get(number.checked_sub(1)?)
    }
}

/// Two variables for a cell, near its others and near those of its machine, as long as there are some.
fn pair(guards: &Guards, owned: &mut Option<Stretch>, free: &mut Option<Stretch>) -> Option<(Variable, Variable)> {
    if let Some(pair) = free.as_mut().and_then(Stretch::pair) {
        return Some(pair);
    }
    *free = owned.as_mut().and_then(|owned| owned.part(OF_CELL));
    if free.is_none() {
        *owned = guards.stretch(OF_OWNER);
        *free = owned.as_mut().and_then(|owned| owned.part(OF_CELL));
    }
    free.as_mut().and_then(Stretch::pair)
}

/// A content that cannot be written down is nowhere.
fn held_back(cell: &mut Cell, guards: &Guards) {
    cell.guards.push(guards.falsehood());
}
