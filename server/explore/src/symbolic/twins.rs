//! Machines that could be exchanged: of two that are the same in a state, one need not move.
//!
//! The argument is that of `symmetry.rs`: if machines that one creator has created exchange their names, everybody who knows them included, the
//! system does what it did before. In a state that is the same after that, whatever one of the two does is what the other does, with the names
//! exchanged, and what follows goes wrong in the same ways. So it is enough that one of them moves. Sets of states are not given other names:
//! every step that is made is one of the program, and so is every run to a bug.
//!
//! Where a state is the same is a guard: what is in a cell of the one is in the same cell of the other, with the names exchanged, and nobody else
//! has anything to do with either. Machines that have created others are left alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use lockstep_runtime::{MachineId, Value};

use super::cells::{CellId, Content, Owner, Skeleton};
use super::guard::Guard;
use super::summaries::Space;

/// More machines than these are not compared with each other.
const MOST_MACHINES: u32 = 16;
/// How many times as large as the set of states a guard may become that says where two are the same.
const MOST_GROWTH: usize = 4;

/// For each machine by number, and each before it: in which of these states both are the same.
pub(crate) struct Twins(Vec<Vec<(usize, Guard)>>);

impl Twins {
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn of(space: &mut Space, states: &Guard) -> Self {
        let count = space.cells.machine_count();
        let mut twins: Vec<Vec<(usize, Guard)>> = vec![Vec::new(); count as usize];
        if count <= MOST_MACHINES {
            for other in 1..count {
                for one in 1..other {
                    let alike = if may_be_twins(space, one, other) { alike(space, states, one, other) } else { None };
                    twins[other as usize].extend(alike.map(|alike| (one as usize, alike)));
                }
            }
        }
        Self(twins)
    }

    pub(crate) fn are_none(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Where a machine need not move, if these machines move in these states: one that is the same does.
    pub(crate) fn spared(&self, space: &Space, number: usize, moving: &[Guard]) -> Guard {
        let alike = self.0.get(number).map_or(&[][..], Vec::as_slice);
        space.guards.any(alike.iter().map(|(one, alike)| space.guards.and(alike, &moving[*one])))
    }
}

/// Whether two machines have the same creator, and have created nobody.
fn may_be_twins(space: &Space, one: u32, other: u32) -> bool {
    let (one, other) = (space.cells.machine_id(one), space.cells.machine_id(other));
    let creator = |id: &MachineId| id.creator().map(|(creator, _)| creator);
    let has_created = |id: &MachineId| {
        (0..space.cells.machine_count()).any(|number| creator(space.cells.machine_id(number)).as_ref() == Some(id))
    };
    creator(one) == creator(other) && !has_created(one) && !has_created(other)
}

/// In which of the states two machines are the same; `None` if in none, or if it takes too much to say it.
fn alike(space: &mut Space, states: &Guard, one: u32, other: u32) -> Option<Guard> {
    let (first, second) = (space.cells.machine_id(one).clone(), space.cells.machine_id(other).clone());
    let exchanged = |id: &MachineId| match id {
        id if *id == first => second.clone(),
        id if *id == second => first.clone(),
        id => id.clone(),
    };
    let pairs = space.cells.pairs(Owner::Machine(one), Owner::Machine(other));
    let concerned: BTreeSet<CellId> = pairs.iter().flat_map(|(one, other)| [*one, *other]).collect();
    let most = MOST_GROWTH * states.size() + 1_000;
    let mut alike = states.clone();
    for (one, other) in pairs {
        alike = space.guards.and(&alike, &same(space, one, other, &exchanged));
        if alike.is_false() || alike.size() > most {
            return None;
        }
    }
    for cell in space.cells.all().filter(|cell| !concerned.contains(cell)) {
        for (content, guard) in space.cells.contents(cell) {
            if renamed(content, &exchanged).as_ref() != Some(content) {
                alike = space.guards.minus(&alike, guard);
            }
        }
        if alike.is_false() || alike.size() > most {
            return None;
        }
    }
    Some(alike)
}

/// Where one cell holds what the other does, with other names.
fn same(space: &Space, one: CellId, other: CellId, name: &dyn Fn(&MachineId) -> MachineId) -> Guard {
    let guards = &space.guards;
    let mut same = guards.and(&space.cells.absent(guards, one), &space.cells.absent(guards, other));
    for (content, guard) in space.cells.contents(one) {
        let twin = renamed(content, name).and_then(|twin| space.cells.guard_of(other, &twin));
        if let Some(twin) = twin {
            same = guards.or(&same, &guards.and(guard, twin));
        }
    }
    same
}

/// What is in a cell with other names for machines; `None` if its values would be in other places then.
fn renamed(content: &Content, name: &dyn Fn(&MachineId) -> MachineId) -> Option<Content> {
    match content {
        Content::Value(value) => Some(Content::Value(value.renamed(name))),
        Content::Row(..) => Some(content.clone()),
        Content::Skeleton(skeleton) => {
            let whole = skeleton.map(&mut |_, ()| Value::Null);
            let senders = whole.queue.lanes.iter().map(|lane| lane.from.as_ref().map(name));
            if !senders.is_sorted() {
                return None;
            }
            let local = Arc::new(whole.local.renamed(name));
            let whole = lockstep_runtime::Machine { local, queue: whole.queue.renamed(name) };
            let skeleton: Skeleton = whole.map(&mut |_, _| ());
            Some(Content::Skeleton(Arc::new(skeleton)))
        }
    }
}
