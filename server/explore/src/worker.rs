//! Looking at states: everything that can happen in one, as new states.
//!
//! Each thread has a worker. What workers find out about components they share (`Shared`), but each remembers on its own what it has
//! asked for, so that in the long run nobody waits for anybody.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::footprint::Footprints;
use crate::options::Reduction;
use crate::reached::{Reached, Sink};
use crate::reduction::{Member, Set, persistent_set};
use crate::report::Ends;
use crate::rows::make_room;
use crate::sleep::{Asleep, Noticed, POSITIONS, Sleeper, bit, make_place, sleeps_on};
use crate::steps::{Bad, Effect, OutcomeEnd, Outlook, Shared, Steps, Told, Transition, monitor_bit};
use crate::store::{SHARDS, StateId, Store, Way};
use crate::symmetry::Symmetry;
use crate::tables::{Component, Heat, MONITORS, Who};

/// What looking at some states gave.
#[derive(Default)]
pub(crate) struct Looked {
    /// States that are not in the store, or in which somebody is awake now, by shard, in the order in which they were found. One can be
    /// there twice.
    pub(crate) new: [Vec<New>; SHARDS],
    /// The parts of new states, one after the other.
    pub(crate) numbers: Vec<u32>,
    pub(crate) bad: Vec<BadStep>,
    pub(crate) transitions: u64,
    pub(crate) reduced: u64,
    /// Steps that were not made because who could make them sleeps.
    pub(crate) asleep: u64,
    /// Steps in which something was chosen.
    pub(crate) chosen: u64,
    pub(crate) ends: Ends,
    /// The first state in which nobody can go on and somebody has deferred events.
    pub(crate) left_behind: Option<StateId>,
}

pub(crate) struct New {
    pub(crate) hash: u128,
    pub(crate) way: Way,
    pub(crate) depth: u32,
    pub(crate) asleep: Asleep,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A step that leads nowhere, or a state (`step` is `None`) in which it is a bug that nothing can happen.
#[derive(Clone, Debug)]
pub(crate) struct BadStep {
    pub(crate) state: StateId,
    pub(crate) step: Option<u32>,
    pub(crate) bad: Bad,
}

/// What is the same for all states of a batch.
pub(crate) struct Round<'a> {
    pub(crate) store: &'a Store,
    pub(crate) reduction: Reduction,
    /// Whether one state stands for all that differ in names only.
    pub(crate) is_symmetric: bool,
    /// States from here on have not been looked at yet, by shard.
    pub(crate) open_from: [u32; SHARDS],
}

/// A state that is to be looked at.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) id: StateId,
    pub(crate) depth: u32,
    pub(crate) state: &'a [u32],
    pub(crate) asleep: Asleep,
    /// If it was looked at before: who was asleep then and is not any more.
    pub(crate) woken: Option<Asleep>,
}

pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    footprints: &'a Footprints,
    known: Catalogue,
    mover: Mover<'a>,
    /// States that the last steps led to.
    reached: Reached,
    /// A state before a step, while that is made.
    before: Vec<u32>,
    /// What machines could do that sleep in the state that is looked at, by position.
    sleepers: Vec<Sleeper>,
    /// Who has moved from it, or slept there.
    resting: Asleep,
    /// Who sleeps in `mover.next`.
    asleep: Asleep,
    /// Whether what has to happen next anyway is not a step of its own.
    contracts: bool,
    /// Whether what a machine can do is forgotten where it is the only one: in no other state there is a machine like it.
    forgets: bool,
    /// If one state stands for all that differ in names only.
    symmetry: Option<Symmetry<'a>>,
}

/// Steps that are made together with one, at most: machines can go on alone for ever.
const MOST_TOGETHER: u32 = 16;
/// In larger systems steps are not made together: machines that create machines for ever would make states large very fast.
const MOST_PARTS: usize = 64;

/// Ways to make a step, at most, where what specs make of it is a choice.
const MOST_WAYS: u32 = 1_000;

/// What a step does to others is done bit by bit up to here, and what each bit leads to is remembered. A step that sends very many messages
/// would leave a queue behind for each of them.
const FEW_EFFECTS: usize = 16;

/// Machines in a set.
const BITS: usize = Set::BITS as usize;

/// Components by number, as far as they were asked for.
#[derive(Default)]
struct Catalogue(Vec<Option<Known>>);

/// Everything that can become of a monitor, or what goes wrong.
type Tells = Result<Box<[Told]>, Box<Bad>>;

/// Makes steps. What it remembers grows while it does.
struct Mover<'a> {
    shared: &'a Shared<'a>,
    /// The component after a message.
    puts: FxHashMap<(u32, Who, u32), u32>,
    /// What becomes of a monitor by an event.
    tells: FxHashMap<(u32, u32), Tells>,
    /// The hashes of components, 0 for those that were not asked for.
    hashes: Vec<u128>,
    /// Who is where in `next`.
    whos: Vec<Who>,
    /// Whether `whos` is about the state that steps are made from.
    is_ready: bool,
    next: Vec<u32>,
    /// Components that were not there before the last step; some may not be there after it either.
    changed: Vec<u32>,
    /// Monitors that the last step cooled down, for however long.
    cooled: Vec<u32>,
    /// What others can notice of the last step.
    noticed: Noticed,
    /// Where machines came into being in it, one after the other.
    inserted: Vec<usize>,
}

/// Which of several things monitors make of what they are told, for each that can make several of it. Only where numbers are taken together can
/// it be more than one.
#[derive(Default)]
struct Picks {
    /// The number of what was picked, and how many there are.
    made: Vec<(usize, usize)>,
    /// How many monitors were asked in the step at hand.
    asked: usize,
}

impl Picks {
    fn pick(&mut self, count: usize) -> usize {
        if count == 1 {
            return 0;
        }
        if self.asked == self.made.len() {
            self.made.push((0, count));
        }
        self.asked += 1;
        self.made[self.asked - 1].0
    }

    /// Goes on to the next way to make the step, if there is one.
    fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some((picked, count)) = self.made.last_mut() {
            *picked += 1;
            if picked < count {
                return true;
            }
            self.made.pop();
        }
        false
    }
}

struct Known {
    component: Arc<Component>,
    who: Who,
    /// Asked for when it matters how the component can go on.
    outlook: Option<Outlook>,
    /// Asked for when a state is looked at: finding them out can take long.
    steps: Option<Arc<Steps>>,
    /// Asked for when it has come into being.
    settled: Option<Settled>,
}

/// What becomes of a component by steps of its own that nobody else can tell of, and that do nothing to others.
#[derive(Clone, Copy)]
struct Settled {
    component: u32,
    steps: u32,
}

impl Known {
    /// The steps of a component of a state that is looked at.
    fn steps(&self) -> &Arc<Steps> {
        // Invariant: `learn` was asked for all parts of the state.
        self.steps.as_ref().expect("they were asked for")
    }

    fn is_idle(&self) -> bool {
        self.steps.as_ref().is_some_and(|steps| steps.all.is_empty())
    }
}

impl<'a> Worker<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, footprints: &'a Footprints, reduction: Reduction, forgets: bool) -> Self {
        let mover = Mover {
            shared,
            puts: FxHashMap::default(),
            tells: FxHashMap::default(),
            hashes: Vec::new(),
            whos: Vec::new(),
            is_ready: false,
            next: Vec::new(),
            changed: Vec::new(),
            cooled: Vec::new(),
            noticed: Noticed::default(),
            inserted: Vec::new(),
        };
        let symmetry = reduction.symmetry.then(|| Symmetry::new(shared));
        let contracts = reduction.partial_order;
        Self {
            shared,
            footprints,
            known: Catalogue::default(),
            mover,
            reached: Reached::default(),
            before: Vec::new(),
            sleepers: Vec::new(),
            resting: 0,
            asleep: 0,
            contracts,
            forgets,
            symmetry,
        }
    }

    /// The hash of a state: the sum of those of its parts, so that a step changes it a little only.
    pub(crate) fn hash(&mut self, state: &[u32]) -> u128 {
        self.learn(state);
        state.iter().fold(0, |sum, number| sum.wrapping_add(self.mover.hash(*number)))
    }

    /// Looks at a state.
    pub(crate) fn look(&mut self, round: &Round<'_>, visit: &Visit<'_>, looked: &mut Looked) {
        let only = self.only_machine(visit.state);
        if let Some(known) = only.and_then(|only| self.known.0[only as usize].as_mut()) {
            known.steps = Some(self.shared.steps_for_once(visit.state[0], &known.component));
        }
        self.look_into(round, visit, looked);
        if let Some(known) = only.and_then(|only| self.known.0[only as usize].as_mut()) {
            known.steps = None;
        }
    }

    /// The only machine of a state, if what it can do is to be forgotten. Machines come before monitors.
    fn only_machine(&mut self, state: &[u32]) -> Option<u32> {
        let (first, rest) = state.split_first().filter(|_| self.forgets)?;
        state.iter().for_each(|number| self.get_to_know(*number));
        let is_monitor = |number: &u32| self.known.get(*number).is_some_and(|known| known.who >= MONITORS);
        rest.iter().all(is_monitor).then_some(*first)
    }

    fn look_into(&mut self, round: &Round<'_>, visit: &Visit<'_>, looked: &mut Looked) {
        let Visit { id, depth, state, asleep, woken } = *visit;
        let hash = self.hash(state);
        let mut sink = Sink { round, id, depth, looked, has_open: false };
        if self.known.of(state).all(Known::is_idle) {
            self.nothing_happens(state, &mut sink);
            return;
        }
        self.resting = asleep;
        self.sleepers.clear();
        if let Some(woken) = woken {
            self.make(state, hash, Set::from(woken), &mut sink);
            return;
        }
        let chosen = if round.reduction.partial_order { self.persistent(state, asleep) } else { None };
        let Some(chosen) = chosen else {
            self.make(state, hash, Set::MAX, &mut sink);
            return;
        };
        self.make(state, hash, chosen, &mut sink);
        if sink.has_open {
            sink.looked.reduced += 1;
        } else {
            // Nothing may be put off for ever.
            self.make(state, hash, !chosen, &mut sink);
        }
    }

    fn persistent(&self, state: &[u32], asleep: Asleep) -> Option<Set> {
        let machines = self.known.of(state).filter(|known| known.who < MONITORS);
        let members: Vec<Member<'_>> = machines
            .map(|known| {
                let component = &*known.component;
                Member { who: known.who, component, steps: known.steps(), interface: component.interface }
            })
            .collect();
        persistent_set(self.footprints, self.shared.settings.delivery, &members, asleep.into())
    }

    /// Makes all steps of the machines at these positions that are awake and have not moved. With more machines than there are bits, those behind
    /// are chosen if all are.
    fn make(&mut self, state: &[u32], hash: u128, chosen: Set, sink: &mut Sink<'_, '_>) {
        self.mover.is_ready = false;
        let mut reached = std::mem::take(&mut self.reached);
        let mut first = 0;
        for (position, number) in state.iter().enumerate() {
            let Some(part) = self.known.get(*number) else { continue };
            let ways = u32::try_from(part.steps().all.len()).unwrap_or(u32::MAX);
            let is_chosen = match position {
                0..POSITIONS if self.resting >> position & 1 == 1 => {
                    sink.looked.asleep += u64::from(chosen >> position & 1 == 1) * u64::from(ways);
                    false
                }
                0..BITS => chosen >> position & 1 == 1,
                _ => chosen == Set::MAX,
            };
            if ways > 0
                && is_chosen
                && let Some(steps) = self.known.lend(*number)
            {
                let rest = hash.wrapping_sub(self.mover.hash(*number));
                for (step, transition) in (first..).zip(&steps.all) {
                    let mut picks = Picks::default();
                    for way in 1.. {
                        sink.looked.transitions += 1;
                        sink.looked.chosen += u64::from(!transition.outcome.choices.is_empty());
                        match self.mover.apply(&self.known, state, rest, position, transition, &mut picks) {
                            Ok(hash) => {
                                self.fall_asleep(state, position, &steps);
                                let mut together = 0;
                                let hash = self.go_on_alone(hash, |_, _, steps| together += u64::from(steps));
                                sink.looked.transitions += together;
                                sink.looked.reduced += together;
                                let hash = match &mut self.symmetry {
                                    Some(symmetry) if sink.round.is_symmetric => symmetry.stand_for(&mut self.mover.next, hash),
                                    _ => hash,
                                };
                                if sink.round.is_symmetric && !self.renames().is_empty() {
                                    self.asleep = 0;
                                }
                                reached.add(hash, step, self.asleep, &self.mover.next);
                            }
                            Err(bad) => sink.looked.bad.push(BadStep { state: sink.id, step: Some(step), bad }),
                        }
                        if !picks.advance() {
                            break;
                        }
                        if way == MOST_WAYS {
                            sink.looked.bad.push(BadStep { state: sink.id, step: Some(step), bad: Bad::Answers });
                            break;
                        }
                    }
                }
                self.known.give_back(*number, steps);
                if sink.round.reduction.monotonic && position < POSITIONS {
                    self.resting |= 1 << position;
                }
            }
            first += ways;
        }
        reached.hand_over(sink);
        self.reached = reached;
    }

    /// Who sleeps after the last step, which the machine at this position has made, from a state on.
    fn fall_asleep(&mut self, state: &[u32], position: usize, steps: &Steps) {
        self.asleep = if position < POSITIONS { self.resting & !(1 << position) } else { self.resting };
        if self.asleep == 0 {
            return;
        }
        if self.sleepers.is_empty() {
            let whos: Vec<Who> = self.known.of(state).map(|known| known.who).collect();
            // The steps of the machine that moves are not there now, and it does not sleep.
            let sleeper = |known: &Known| known.steps.as_ref().map(|steps| Sleeper::new(&steps.touched, &whos));
            self.sleepers.extend(self.known.of(state).take(POSITIONS).map(|known| sleeper(known).unwrap_or_default()));
            if let Some(sleeper) = self.sleepers.get_mut(position) {
                *sleeper = Sleeper::new(&steps.touched, &whos);
            }
        }
        let step = Noticed { found_nothing: steps.touched.finds_nothing, ..self.mover.noticed };
        let delivery = self.shared.settings.delivery;
        for (other, sleeper) in self.sleepers.iter().enumerate() {
            if self.asleep >> other & 1 == 1 && !sleeps_on(delivery, other, sleeper, position, &step) {
                self.asleep &= !(1 << other);
            }
        }
        self.make_places();
    }

    /// Machines that came into being in the last step take places among the others.
    fn make_places(&mut self) {
        self.asleep = self.mover.inserted.iter().fold(self.asleep, |asleep, position| make_place(asleep, *position));
    }

    /// The machine at this position has moved.
    fn wake(&mut self, position: usize) {
        if position < POSITIONS {
            self.asleep &= !(1 << position);
        }
    }

    /// A hash of what a state is up to names, if machines of it could exchange names.
    pub(crate) fn kind(&mut self, state: &[u32]) -> Option<u128> {
        self.symmetry.as_mut().and_then(|symmetry| symmetry.kind(state))
    }

    /// Makes the steps that follow on the last one as a matter of course, so that the states between need not be kept: those of a machine
    /// that can go on in one way only, if nobody else can tell when it does (see `reduction.rs`), or if nobody else can do anything. A step
    /// that goes wrong is left to be made from the state before it. Gives the hash of the state in `mover.next`, and tells `visit` of
    /// the steps: by whom, from which component on, and how many one after the other.
    fn go_on_alone(&mut self, hash: u128, mut visit: impl FnMut(Who, u32, u32)) -> u128 {
        if !self.contracts || self.mover.next.len() > MOST_PARTS {
            return hash;
        }
        let mut hash = hash;
        let mut changed = std::mem::take(&mut self.mover.changed);
        for number in &mut changed {
            hash = self.settle(hash, number, &mut visit);
        }
        for _ in 0..MOST_TOGETHER {
            if self.mover.next.len() > MOST_PARTS {
                break;
            }
            let Some(position) = self.next_alone(&changed) else { break };
            self.learn_one(self.mover.next[position]);
            let mut before = std::mem::take(&mut self.before);
            before.clone_from(&self.mover.next);
            let number = before[position];
            let Some(who) = self.known.get(number).map(|part| part.who) else { break };
            let Some(steps) = self.known.lend(number) else { break };
            let is_private = steps.touched.is_private();
            let rest = hash.wrapping_sub(self.mover.hash(number));
            self.mover.is_ready = false;
            let mut picks = Picks::default();
            let after = self.mover.apply(&self.known, &before, rest, position, &steps.all[0], &mut picks);
            self.mover.is_ready = false;
            self.known.give_back(number, steps);
            let Some(after) = after.ok().filter(|_| !picks.advance()) else {
                self.mover.next = before;
                break;
            };
            visit(who, number, 1);
            self.before = before;
            hash = after;
            if is_private {
                self.wake(position);
                self.make_places();
            } else {
                self.asleep = 0;
            }
            changed.append(&mut self.mover.changed);
        }
        changed.clear();
        self.mover.changed = changed;
        hash
    }

    /// Lets a machine of `mover.next` go on that does something to itself only. What becomes of it depends on nobody else, so it is remembered.
    fn settle(&mut self, hash: u128, number: &mut u32, visit: &mut impl FnMut(Who, u32, u32)) -> u128 {
        self.get_to_know(*number);
        let settled = self.settled(*number);
        if settled.steps == 0 {
            return hash;
        }
        // Another effect of the same step may have changed it once more.
        let Some(position) = self.mover.next.iter().position(|other| other == number) else { return hash };
        if let Some(known) = self.known.get(*number) {
            visit(known.who, *number, settled.steps);
        }
        let change = self.mover.hash(settled.component).wrapping_sub(self.mover.hash(*number));
        self.mover.next[position] = settled.component;
        *number = settled.component;
        self.wake(position);
        hash.wrapping_add(change)
    }

    fn settled(&mut self, number: u32) -> Settled {
        if let Some(settled) = self.known.get(number).and_then(|known| known.settled) {
            return settled;
        }
        let mut settled = Settled { component: number, steps: 0 };
        while settled.steps < MOST_TOGETHER {
            self.get_to_know(settled.component);
            if self.outlook(settled.component) != Outlook::Alone {
                break;
            }
            self.learn_one(settled.component);
            let Some(known) = self.known.get(settled.component) else { break };
            let [only] = &*known.steps().all else { break };
            if !only.outcome.effects.is_empty() || !matches!(only.outcome.end, OutcomeEnd::Done(_)) {
                break;
            }
            settled = Settled { component: only.next, steps: settled.steps + 1 };
        }
        if let Some(Some(known)) = self.known.0.get_mut(number as usize) {
            known.settled = Some(settled);
        }
        settled
    }

    /// Where in `mover.next` a machine is that goes on as a matter of course. Only one of `changed` can do so on its own.
    fn next_alone(&mut self, changed: &[u32]) -> Option<usize> {
        changed.iter().for_each(|number| self.get_to_know(*number));
        for number in changed {
            let position = self.mover.next.iter().position(|other| other == number);
            if let Some(position) = position.filter(|_| self.outlook(*number) == Outlook::Alone) {
                return Some(position);
            }
        }
        let mut able = None;
        for position in 0..self.mover.next.len() {
            match (self.outlook(self.mover.next[position]), able) {
                (Outlook::Idle, _) => {}
                (Outlook::Alone | Outlook::Single, None) => able = Some(position),
                (Outlook::Several, _) | (_, Some(_)) => return None,
            }
        }
        able
    }

    /// Nothing can happen in this state: a normal end, or a bug.
    fn nothing_happens(&self, state: &[u32], sink: &mut Sink<'_, '_>) {
        let components = || self.known.of(state).map(|known| &known.component);
        let is_blocked = components().any(|component| component.is_receiving);
        let ends = &mut sink.looked.ends;
        if is_blocked {
            ends.blocked += 1;
        } else if components().any(|component| component.has_messages) {
            ends.with_deferred += 1;
            sink.looked.left_behind.get_or_insert(sink.id);
        } else {
            ends.normal += 1;
        }
        if is_blocked || components().any(|component| component.heat == Heat::Hot) {
            let configuration = self.shared.tables().configuration(state);
            if let Some(failure) = configuration.stuck(self.shared.program) {
                sink.looked.bad.push(BadStep { state: sink.id, step: None, bad: Bad::Failed(Box::new(failure)) });
            }
        }
    }

    /// The step with this number, as `make` counts them, with those that follow on it as a matter of course: who makes each, and which of its
    /// steps it is. Leaves the state after them for `after_step`, with the names it has if `keeps_names`.
    pub(crate) fn step(&mut self, state: &[u32], number: u32, keeps_names: bool) -> Vec<(Who, Arc<Steps>, usize)> {
        self.learn(state);
        self.mover.is_ready = false;
        let mut rest = number as usize;
        for (position, part) in state.iter().enumerate() {
            let Some(part) = self.known.get(*part) else { continue };
            let (who, steps) = (part.component.who, part.steps().clone());
            let Some(transition) = steps.all.get(rest) else {
                rest -= steps.all.len();
                continue;
            };
            let is_fine = self.mover.apply(&self.known, state, 0, position, transition, &mut Picks::default()).is_ok();
            let mut made = vec![(who, steps, rest)];
            // What goes wrong in the step is known to whoever asks.
            let mut follow = Vec::new();
            if is_fine {
                self.go_on_alone(0, |who, from, count| follow.push((who, from, count)));
            }
            for (who, mut at, count) in follow {
                for _ in 0..count {
                    self.learn_one(at);
                    let Some(known) = self.known.get(at) else { break };
                    let steps = known.steps().clone();
                    at = steps.all[0].next;
                    made.push((who, steps, 0));
                }
            }
            match &mut self.symmetry {
                Some(symmetry) if keeps_names => symmetry.keep_names(),
                Some(symmetry) => {
                    symmetry.stand_for(&mut self.mover.next, 0);
                }
                None => {}
            }
            return made;
        }
        Vec::new()
    }

    /// Every step that leads somewhere, with the state after it, in order.
    pub(crate) fn each_step(&mut self, state: &[u32], mut visit: impl FnMut(Made<'_>)) {
        let hash = self.hash(state);
        let Self { known, mover, .. } = self;
        mover.is_ready = false;
        let mut number = 0;
        for (position, part) in known.of(state).enumerate() {
            let rest = hash.wrapping_sub(mover.hash(state[position]));
            for transition in &part.steps().all {
                let mut picks = Picks::default();
                loop {
                    if let Ok(hash) = mover.apply(known, state, rest, position, transition, &mut picks) {
                        let (who, state, cooled) = (part.component.who, &mover.next, &mover.cooled);
                        visit(Made { who, number, transition, hash, state, cooled });
                    }
                    if !picks.advance() {
                        break;
                    }
                }
                number += 1;
            }
        }
    }

    /// The machines that can do nothing in a state.
    pub(crate) fn each_idle(&mut self, state: &[u32], visit: impl FnMut(Who)) {
        self.learn(state);
        let machines = self.known.of(state).filter(|known| known.component.who < MONITORS);
        machines.filter(|known| known.is_idle()).map(|known| known.component.who).for_each(visit);
    }

    /// The state that `step` left.
    pub(crate) fn after_step(&self) -> &[u32] {
        &self.mover.next
    }

    /// Who is called what in it; nothing if all names were kept.
    pub(crate) fn renames(&self) -> &[(Who, Who)] {
        self.symmetry.as_ref().map_or(&[], Symmetry::renames)
    }

    pub(crate) fn component(&mut self, number: u32) -> Option<&Component> {
        self.learn(&[number]);
        self.known.0[number as usize].as_ref().map(|known| &*known.component)
    }

    /// Asks for the steps of components that are not known yet.
    fn learn(&mut self, state: &[u32]) {
        for &number in state {
            self.learn_one(number);
        }
    }

    #[inline]
    fn learn_one(&mut self, number: u32) {
        if self.known.0.get(number as usize).is_some_and(|known| known.as_ref().is_some_and(|known| known.steps.is_some())) {
            return;
        }
        self.get_to_know(number);
        if let Some(known) = self.known.0[number as usize].as_mut().filter(|known| known.steps.is_none()) {
            known.steps = Some(self.shared.steps(number, &known.component));
        }
    }

    /// Asks who a component is.
    #[inline]
    fn get_to_know(&mut self, number: u32) {
        let index = number as usize;
        if self.known.0.get(index).is_some_and(Option::is_some) {
            return;
        }
        self.ask_who(number);
    }

    fn ask_who(&mut self, number: u32) {
        let index = number as usize;
        let known = &mut self.known.0;
        if known.len() <= index {
            let missing = index + 1 - known.len();
            make_room(known, missing);
            known.resize_with(index + 1, || None);
        }
        let component = self.shared.component(number);
        known[index] = Some(Known { who: component.who, component, outlook: None, steps: None, settled: None });
    }

    fn outlook(&mut self, number: u32) -> Outlook {
        let shared = self.shared;
        match self.known.0.get_mut(number as usize) {
            Some(Some(known)) => *known.outlook.get_or_insert_with(|| shared.outlook(number, &known.component)),
            _ => Outlook::Several,
        }
    }

    /// About how many bytes are remembered.
    pub(crate) fn bytes(&self) -> u64 {
        let Mover { puts, tells, hashes, .. } = &self.mover;
        let symmetry = self.symmetry.as_ref().map_or(0, Symmetry::bytes);
        // A table is never quite full, and has a byte more for each entry.
        let put = (size_of::<((u32, Who, u32), u32)>() + 1) * 8 / 7;
        let told = (size_of::<((u32, u32), Tells)>() + size_of::<Told>() + 1) * 8 / 7;
        let lists = self.known.0.capacity() * size_of::<Option<Known>>() + hashes.capacity() * size_of::<u128>();
        (lists + puts.capacity() * put + tells.capacity() * told) as u64 + symmetry
    }
}

/// A step that was made.
pub(crate) struct Made<'a> {
    /// The machine that made it.
    pub(crate) who: Who,
    /// Among all steps of the state.
    pub(crate) number: u32,
    pub(crate) transition: &'a Transition,
    pub(crate) hash: u128,
    /// The state after it.
    pub(crate) state: &'a [u32],
    /// Monitors that it cooled down, for however long.
    pub(crate) cooled: &'a [u32],
}

impl Catalogue {
    /// A part that has been asked for.
    fn get(&self, number: u32) -> Option<&Known> {
        self.0.get(number as usize)?.as_ref()
    }

    /// Takes away the steps of a part while they are made. They are not copied: all threads would count in the same place how many
    /// there are. Who asks for them meanwhile gets another copy.
    fn lend(&mut self, number: u32) -> Option<Arc<Steps>> {
        self.0.get_mut(number as usize)?.as_mut()?.steps.take()
    }

    fn give_back(&mut self, number: u32, steps: Arc<Steps>) {
        if let Some(Some(known)) = self.0.get_mut(number as usize) {
            known.steps = Some(steps);
        }
    }

    /// The parts of a state, all of which have been asked for.
    fn of(&self, state: &[u32]) -> impl Iterator<Item = &Known> {
        state.iter().filter_map(|number| self.0[*number as usize].as_ref())
    }
}

impl Mover<'_> {
    /// Puts the state after a step into `next` and gives its hash. `rest` is the hash of all other parts.
    fn apply(
        &mut self,
        known: &Catalogue,
        state: &[u32],
        rest: u128,
        position: usize,
        transition: &Transition,
        picks: &mut Picks,
    ) -> Result<u128, Bad> {
        self.next.clear();
        self.next.extend_from_slice(state);
        self.next[position] = transition.next;
        self.changed.clear();
        self.changed.push(transition.next);
        self.cooled.clear();
        self.noticed = Noticed::default();
        self.inserted.clear();
        let mut hash = rest.wrapping_add(self.hash(transition.next));
        if !transition.outcome.effects.is_empty() {
            if !self.is_ready {
                self.whos.clear();
                self.whos.extend(known.of(state).map(|known| known.who));
                self.is_ready = true;
            }
            let own = self.whos[position];
            let (mut sent, is_long) = (Vec::new(), transition.outcome.effects.len() > FEW_EFFECTS);
            for effect in &transition.outcome.effects {
                match *effect {
                    Effect::Send { target, message } if is_long => sent.push((target, message)),
                    _ => hash = hash.wrapping_add(self.affect(own, effect, picks)?),
                }
            }
            // Nobody wants to know what becomes of messages of a run that does not end well.
            if matches!(transition.outcome.end, OutcomeEnd::Done(_)) {
                hash = hash.wrapping_add(self.put_together(own, sent));
            }
        }
        match &transition.outcome.end {
            OutcomeEnd::Done(_) => Ok(hash),
            OutcomeEnd::Bad(bad) => Err((**bad).clone()),
        }
    }

    /// Does what a run does to others, and gives by how much the hash changes.
    fn affect(&mut self, own: Who, effect: &Effect, picks: &mut Picks) -> Result<u128, Bad> {
        match *effect {
            Effect::Send { target, message, .. } => {
                let Some(position) = self.whos.iter().position(|who| *who == target) else { return Ok(0) };
                self.notice_put(position);
                if target == own {
                    return Ok(0);
                }
                let old = self.next[position];
                let new = self.put(old, own, message);
                self.next[position] = new;
                self.changed.push(new);
                Ok(self.hash(new).wrapping_sub(self.hash(old)))
            }
            Effect::Tell { monitor, message } => {
                let who = MONITORS + monitor;
                let Some(position) = self.whos.iter().position(|known| *known == who) else { return Ok(0) };
                let old = self.next[position];
                self.noticed.tells |= monitor_bit(monitor);
                let told = self.tell(old, message, picks)?;
                self.next[position] = told.component;
                self.changed.push(told.component);
                self.cooled.extend(told.has_cooled.then_some(monitor));
                Ok(self.hash(told.component).wrapping_sub(self.hash(old)))
            }
            Effect::Create { component, who } => {
                let tables = self.shared.tables();
                let id = tables.machine_id(who);
                let comes_before = |known: &Who| *known < MONITORS && tables.machine_id(*known) < id;
                let position = self.whos.iter().position(|known| !comes_before(known)).unwrap_or(self.whos.len());
                self.whos.insert(position, who);
                self.inserted.push(position);
                self.is_ready = false;
                self.next.insert(position, component);
                self.changed.push(component);
                drop(tables);
                Ok(self.hash(component))
            }
        }
    }

    /// Takes note that the machine at this position was sent something, if it was there before the step.
    fn notice_put(&mut self, position: usize) {
        let before = self.inserted.iter().rev().try_fold(position, |position, inserted| match position.cmp(inserted) {
            std::cmp::Ordering::Less => Some(position),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(position - 1),
        });
        if let Some(before) = before {
            self.noticed.puts |= bit(before);
        }
    }

    fn put(&mut self, target: u32, sender: Who, message: u32) -> u32 {
        let shared = self.shared;
        *self.puts.entry((target, sender, message)).or_insert_with(|| shared.put(target, sender, [message]))
    }

    /// Puts the messages of one step where they belong, in their order, and gives by how much the hash changes.
    fn put_together(&mut self, own: Who, mut sent: Vec<(Who, u32)>) -> u128 {
        let mut change = 0_u128;
        // Only the order of those to one machine counts, and that is kept.
        sent.sort_by_key(|(target, _)| *target);
        for sent in sent.chunk_by(|(one, _), (other, _)| one == other) {
            let target = sent[0].0;
            let Some(position) = self.whos.iter().position(|who| *who == target) else { continue };
            self.notice_put(position);
            if target == own {
                continue;
            }
            let old = self.next[position];
            let new = self.shared.put(old, own, sent.iter().map(|(_, message)| *message));
            self.next[position] = new;
            self.changed.push(new);
            change = change.wrapping_add(self.hash(new)).wrapping_sub(self.hash(old));
        }
        change
    }

    fn tell(&mut self, monitor: u32, message: u32, picks: &mut Picks) -> Result<Told, Bad> {
        let shared = self.shared;
        let told = self.tells.entry((monitor, message)).or_insert_with(|| Ok(shared.tell(monitor, message)?.into()));
        let told = told.as_ref().map_err(|bad| (**bad).clone())?;
        Ok(told[picks.pick(told.len())])
    }

    /// The hash of a component.
    #[inline]
    fn hash(&mut self, number: u32) -> u128 {
        match self.hashes.get(number as usize) {
            Some(hash) if *hash != 0 => *hash,
            _ => self.ask_hash(number),
        }
    }

    fn ask_hash(&mut self, number: u32) -> u128 {
        let index = number as usize;
        if self.hashes.len() <= index {
            let missing = index + 1 - self.hashes.len();
            make_room(&mut self.hashes, missing);
            self.hashes.resize(index + 1, 0);
        }
        self.hashes[index] = self.shared.tables().component(number).hash;
        self.hashes[index]
    }
}
