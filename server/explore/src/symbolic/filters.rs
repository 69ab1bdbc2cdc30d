//! Which machines need to move in which states of a set, so that everything that can go wrong still does.
//!
//! A filter is given a set of states with what each machine can do in them, and says in which of them some machines are enough. The
//! argument is that of `reduction.rs`, for each state by itself; here everything it asks about a state is a guard: who can move, what its
//! moves touch, and who has a reference to whom. Filters are asked one after the other, each about the states that those before it have left
//! whole:
//! - *left movers*: a machine whose moves nobody else can notice moves alone;
//! - *persistent sets*: machines of which the others can neither change what they do next nor tell when they do it.
//!
//! Whoever uses this takes a reduction back where it leads only to states that were seen before: nothing may be put off for ever. What is
//! left is asked of `twins.rs`: of *machines that are the same* one moves. That is never taken back, for nothing is put off by it.

use lockstep_runtime::{Action, Control, Delivery, Pending, Value};

use super::cells::{Content, Owner};
use super::guard::Guard;
use super::summaries::Space;
use super::system::{Group, Stepped, System};
use super::twins::Twins;
use crate::footprint::{Footprint, Footprints};
use crate::steps::monitor_bit;

/// More machines than these are not asked about: who depends on whom is found out for all pairs.
const MOST_MACHINES: u32 = 24;

/// Which filters there are.
pub(crate) struct Filters {
    /// If left movers and persistent sets are asked.
    pub(crate) footprints: Option<Footprints>,
    /// Whether machines may be exchanged.
    pub(crate) has_twins: bool,
}

/// In which states which machines move.
pub(crate) struct Needed {
    /// By the number of the machine, as if there were no twins.
    machines: Vec<Guard>,
    twins: Twins,
    /// States in which not all that can move do, because the order does not matter.
    pub(crate) reduced: Guard,
    /// States in which not all do that should, because another does the same.
    pub(crate) spared: Guard,
}

impl Needed {
    /// Where the steps of a group are made.
    pub(crate) fn of(&self, space: &Space, group: &Group) -> Guard {
        let number = group.number() as usize;
        space.guards.minus(&self.machines[number], &self.twins.spared(space, number, &self.machines))
    }

    /// Of states in which everybody has to move, those in which the steps of a group have not been made, and are of use.
    pub(crate) fn rest(&self, space: &Space, group: &Group, states: &Guard) -> Guard {
        let number = group.number() as usize;
        let all = vec![states.clone(); self.machines.len()];
        let rest = space.guards.minus(states, &self.machines[number]);
        space.guards.minus(&rest, &self.twins.spared(space, number, &all))
    }
}

impl Filters {
    pub(crate) fn are_none(&self) -> bool {
        self.footprints.is_none() && !self.has_twins
    }

    /// What they say about a set of states. `stepped` is what the groups do in them. `None` if all have to move everywhere.
    pub(crate) fn needed(
        &self,
        system: &mut System<'_>,
        states: &Guard,
        groups: &[Group],
        stepped: &[Stepped],
    ) -> Option<Needed> {
        let count = system.space.cells.machine_count();
        let falsehood = system.space.guards.falsehood();
        let mut machines = vec![falsehood.clone(); count as usize];
        let mut reduced = falsehood;
        if let Some(footprints) = self.footprints.as_ref().filter(|_| count <= MOST_MACHINES) {
            let moves: Vec<Moves> = (0..count).map(|number| Moves::of(system, number, states, groups, stepped)).collect();
            let mut ordered = Ordered { machines, reduced };
            left_movers(&system.space, &moves, states, &mut ordered);
            let rest = system.space.guards.minus(states, &ordered.reduced);
            persistent_sets(system, footprints, &moves, &rest, &mut ordered);
            (machines, reduced) = (ordered.machines, ordered.reduced);
        }
        let twins = if self.has_twins { Twins::of(&mut system.space, states) } else { Twins::none() };
        if reduced.is_false() && twins.are_none() {
            return None;
        }
        let space = &system.space;
        let whole = space.guards.minus(states, &reduced);
        let machines: Vec<Guard> = machines.iter().map(|machine| space.guards.or(machine, &whole)).collect();
        let spared = groups.iter().map(|group| {
            let number = group.number() as usize;
            let spared = twins.spared(space, number, &machines);
            space.guards.and(&space.guards.and(&spared, &machines[number]), &group.guard(&space.guards))
        });
        let spared = space.guards.any(spared);
        Some(Needed { machines, twins, reduced, spared })
    }
}

/// Which machines move where because of the order of steps, as far as it was found out.
struct Ordered {
    machines: Vec<Guard>,
    reduced: Guard,
}

/// What a machine can do in some states.
struct Moves {
    enabled: Guard,
    /// Where what arrives can change what it does next: it cannot move, or can take what comes.
    minds: Guard,
    puts: Vec<(Owner, Guard)>,
    /// By bits, as footprints have them.
    tells: Vec<(u64, Guard)>,
    touches: Guard,
}

impl Moves {
    fn of(system: &mut System<'_>, number: u32, states: &Guard, groups: &[Group], stepped: &[Stepped]) -> Self {
        let falsehood = system.space.guards.falsehood();
        let (mut enabled, mut minds, mut touches) = (falsehood.clone(), falsehood.clone(), falsehood);
        let (mut puts, mut tells) = (Vec::new(), Vec::new());
        for (skeleton, guard) in system.skeletons(Owner::Machine(number), states) {
            let is_stuck = skeleton.actions(system.program, system.settings.delivery).is_empty();
            if is_stuck && !skeleton.local.is_halted() {
                minds = system.space.guards.or(&minds, &guard);
            }
        }
        let guards = &system.space.guards;
        for (group, stepped) in groups.iter().zip(stepped).filter(|(group, _)| group.number() == number) {
            let here = group.guard(guards);
            enabled = guards.or(&enabled, &here);
            let is_minding = match group.action {
                Action::TakeNull => true,
                Action::Take { .. } => system.settings.delivery == Delivery::Network,
                Action::Start | Action::Resume | Action::HandleNull => false,
            };
            if is_minding {
                minds = guards.or(&minds, &here);
            }
            puts.extend(stepped.puts.iter().cloned());
            tells.extend(stepped.tells.iter().map(|(monitor, guard)| (monitor_bit(*monitor), guard.clone())));
        }
        let touching = puts.iter().map(|(_, guard)| guard).chain(tells.iter().map(|(_, guard)| guard));
        for guard in touching {
            touches = guards.or(&touches, guard);
        }
        let (enabled, minds) = (guards.and(states, &enabled), guards.and(states, &minds));
        Self { enabled, minds, puts, tells, touches }
    }
}

/// A machine whose moves touch nothing that others see moves alone.
fn left_movers(space: &Space, moves: &[Moves], states: &Guard, needed: &mut Ordered) {
    let guards = &space.guards;
    let mut left = states.clone();
    for (number, own) in moves.iter().enumerate() {
        let private = guards.minus(&guards.minus(&guards.and(&left, &own.enabled), &own.touches), &own.minds);
        let with_others = guards.and(&private, &others(space, moves, number));
        if !with_others.is_false() {
            needed.machines[number] = guards.or(&needed.machines[number], &with_others);
            needed.reduced = guards.or(&needed.reduced, &with_others);
            left = guards.minus(&left, &with_others);
        }
    }
}

/// Where some machine but this one can move.
fn others(space: &Space, moves: &[Moves], number: usize) -> Guard {
    let others = moves.iter().enumerate().filter(|(other, _)| *other != number);
    space.guards.any(others.map(|(_, moves)| moves.enabled.clone()))
}

fn persistent_sets(system: &mut System<'_>, footprints: &Footprints, moves: &[Moves], states: &Guard, needed: &mut Ordered) {
    if states.is_false() {
        return;
    }
    let dependence = Dependence::new(system, footprints, moves, states);
    let guards = &system.space.guards;
    let mut left = states.clone();
    for (seed, own) in moves.iter().enumerate() {
        let start = guards.and(&left, &own.enabled);
        if start.is_false() {
            continue;
        }
        let closed = dependence.closed(&system.space, seed, start.clone());
        let outside = moves.iter().zip(&closed).map(|(moves, inside)| guards.minus(&moves.enabled, inside));
        let gain = guards.and(&start, &guards.any(outside));
        if gain.is_false() {
            continue;
        }
        for (machine, inside) in needed.machines.iter_mut().zip(&closed) {
            *machine = guards.or(machine, &guards.and(&gain, inside));
        }
        needed.reduced = guards.or(&needed.reduced, &gain);
        left = guards.minus(&left, &gain);
    }
}

/// In which states a machine has to be in a set because another is, by both numbers.
struct Dependence(Vec<Vec<Guard>>);

impl Dependence {
    fn new(system: &mut System<'_>, footprints: &Footprints, moves: &[Moves], states: &Guard) -> Self {
        let kinds: Vec<Footprint> = (0..).zip(moves).map(|(number, _)| kind(system, footprints, number, states)).collect();
        let knows: Vec<Vec<Guard>> = (0..).zip(&kinds).map(|(number, kind)| knows(system, number, kind, moves.len())).collect();
        let guards = &system.space.guards;
        let on = |of: usize, other: usize| {
            let own = &moves[of];
            let mut on = guards.and(&own.minds, &knows[other][of]);
            for (bit, told) in own.tells.iter().filter(|(bit, _)| kinds[other].may_tell & bit != 0) {
                debug_assert_ne!(*bit, 0, "a monitor has a bit");
                on = guards.or(&on, told);
            }
            if system.settings.delivery == Delivery::Inbox {
                for (target, put) in &own.puts {
                    let Owner::Machine(target) = target else { continue };
                    let target = *target as usize;
                    let sends = knows[other].get(target).map_or_else(|| guards.truth(), |knows| guards.and(put, knows));
                    on = guards.or(&on, &sends);
                    if target == other && kinds[other].handles_null {
                        on = guards.or(&on, put);
                    }
                }
            }
            on
        };
        Self((0..moves.len()).map(|of| (0..moves.len()).map(|other| on(of, other)).collect()).collect())
    }

    /// In which states which machines are in the smallest set with this one in it.
    fn closed(&self, space: &Space, seed: usize, start: Guard) -> Vec<Guard> {
        let guards = &space.guards;
        let mut inside = vec![guards.falsehood(); self.0.len()];
        inside[seed] = start;
        let mut open = vec![seed];
        while let Some(of) = open.pop() {
            for other in 0..inside.len() {
                let added = guards.minus(&guards.and(&inside[of], &self.0[of][other]), &inside[other]);
                if !added.is_false() {
                    inside[other] = guards.or(&inside[other], &added);
                    open.push(other);
                }
            }
        }
        inside
    }
}

/// What a machine may ever do, whatever it was created as in these states.
fn kind(system: &mut System<'_>, footprints: &Footprints, number: u32, states: &Guard) -> Footprint {
    let mut all = Footprint::default();
    for (skeleton, _) in system.skeletons(Owner::Machine(number), states) {
        let Some(interface) = skeleton.local.interface else { continue };
        let one = footprints.of(interface);
        all.may_tell |= one.may_tell;
        all.names_itself |= one.names_itself;
        all.handles_null |= one.handles_null;
    }
    all
}

/// Where a machine has a reference to which others.
fn knows(system: &mut System<'_>, number: u32, kind: &Footprint, count: usize) -> Vec<Guard> {
    let cells = &system.space.cells;
    let guards = &system.space.guards;
    let mut knows = vec![guards.falsehood(); count];
    for cell in cells.owned(Owner::Machine(number)) {
        for (content, guard) in cells.contents(*cell) {
            let id = match content {
                Content::Value(Value::Machine(machine)) => &machine.id,
                Content::Skeleton(skeleton) => match &skeleton.local.control {
                    Control::Paused(Pending::Send { target, .. }) => target,
                    _ => continue,
                },
                Content::Value(_) | Content::Row(..) => continue,
            };
            if let Some(known) = cells.known_machine(id).and_then(|known| knows.get_mut(known as usize)) {
                *known = guards.or(known, guard);
            }
        }
    }
    if kind.names_itself {
        knows[number as usize] = guards.truth();
    }
    knows
}
