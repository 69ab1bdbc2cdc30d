//! A step of the whole system, for all states of a set in which it can be made.
//!
//! The states are grouped by what the machine that moves is about to do: where it is in its code, and which event it takes. What it knows, what
//! the event carries, what lies behind it in the queue, and everything about others may differ. The handler is run once for the
//! group, and what it does to others is done in order, under the guards under which it does so.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_runtime::{
    Action, Configuration, Effect, Failure, Input, Limit, Local, Machine, MachineId, Message, MonitorId, Pauses, Program, Queue,
    Settings, Step, Unsupported, Value,
};

use super::cells::{Content, Owner, Skeleton};
use super::guard::{Assignment, Guard, Guards, Variable};
use super::image::{After, Relation};
use super::lift::Runner;
use super::summaries::{Chosen, Space, Summaries};
use super::value::{Summary, whole};

pub(crate) struct System<'a> {
    pub(crate) program: &'a Program,
    pub(crate) settings: &'a Settings,
    pub(crate) pauses: Pauses,
    pub(crate) space: Space,
}

/// Steps of one machine that are made together.
pub(crate) struct Group {
    pub(crate) id: MachineId,
    pub(crate) action: Action,
    owner: Owner,
    /// In which skeletons, and which states have them.
    members: Vec<(Arc<Skeleton>, Guard)>,
}

impl Group {
    /// Of the machine that moves.
    pub(crate) fn number(&self) -> u32 {
        match self.owner {
            Owner::Machine(number) | Owner::Monitor(number) => number,
        }
    }

    /// Where the steps can be made.
    pub(crate) fn guard(&self, guards: &Guards) -> Guard {
        guards.any(self.members.iter().map(|(_, guard)| guard.clone()))
    }

    pub(crate) fn step(&self) -> Step {
        Step { machine: self.id.clone(), action: self.action.clone() }
    }

    /// How many skeletons share the run of the handler.
    pub(crate) fn size(&self) -> u64 {
        self.members.len() as u64
    }
}

/// What a group of steps does.
pub(crate) struct Stepped {
    pub(crate) relation: Relation,
    pub(crate) failures: Vec<(Guard, Failure)>,
    pub(crate) chosen: Vec<Chosen>,
    pub(crate) limit: Option<Limit>,
    pub(crate) unsupported: Option<Unsupported>,
    /// In which of the states something is put into whose queue.
    pub(crate) puts: Vec<(Owner, Guard)>,
    /// In which of them which monitor is told of something.
    pub(crate) tells: Vec<(u32, Guard)>,
}

/// What a machine, or a monitor, is like in which case.
type Cases = Vec<(Guard, Machine<Summary>)>;

impl System<'_> {
    /// The set of one state.
    pub(crate) fn initial(&mut self, configuration: &Configuration) -> Guard {
        let truth = self.space.guards.truth();
        let mut after = After::new(truth.clone());
        for (id, machine) in &configuration.machines {
            let owner = self.space.cells.machine(id);
            after.list(&mut self.space, owner, &truth, &summarized(machine));
        }
        for (number, local) in (0..).zip(&configuration.monitors) {
            let monitor = Machine { local: local.clone(), queue: Queue::default() };
            after.list(&mut self.space, Owner::Monitor(number), &truth, &summarized(&monitor));
        }
        let relation = after.relation(&mut self.space, &truth);
        relation.image(&self.space, &truth)
    }

    /// Everything that can be done next in some of the states, and the states in which something can.
    pub(crate) fn groups(&mut self, states: &Guard) -> (Vec<Group>, Guard) {
        let mut groups: Vec<Group> = Vec::new();
        let mut moving = self.space.guards.falsehood();
        for number in 0..self.space.cells.machine_count() {
            let (owner, id) = (Owner::Machine(number), self.space.cells.machine_id(number).clone());
            let mut keys: BTreeMap<usize, (Skeleton, Option<Input<()>>, Action)> = BTreeMap::new();
            for (skeleton, guard) in self.skeletons(owner, states) {
                let actions = skeleton.actions(self.program, self.settings.delivery);
                if !actions.is_empty() {
                    moving = self.space.guards.or(&moving, &guard);
                }
                for action in actions {
                    let mut taken = (*skeleton).clone();
                    let input = taken.begin(self.program, &action).map(|(_, input)| input);
                    // What is left in the queue makes no difference to the run.
                    let key = (Machine { queue: Queue::default(), ..taken }, input, action.clone());
                    let known = keys.iter().find(|(_, known)| **known == key).map(|(position, _)| *position);
                    let position = known.unwrap_or_else(|| {
                        groups.push(Group { id: id.clone(), action, owner, members: Vec::new() });
                        groups.len() - 1
                    });
                    groups[position].members.push((skeleton.clone(), guard.clone()));
                    keys.insert(position, key);
                }
            }
        }
        (groups, moving)
    }

    /// The skeletons that a machine has in some of the states.
    pub(crate) fn skeletons(&mut self, owner: Owner, states: &Guard) -> Vec<(Arc<Skeleton>, Guard)> {
        let cell = self.space.cells.skeleton_cell(owner);
        let contents = self.space.cells.contents(cell).filter_map(|(content, guard)| match content {
            Content::Skeleton(skeleton) => Some((skeleton.clone(), guard.clone())),
            Content::Value(_) | Content::Row(..) => None,
        });
        contents.filter(|(_, guard)| self.space.guards.meet(states, guard)).collect()
    }

    /// Makes a group of steps in all of these states.
    pub(crate) fn step(&mut self, states: &Guard, group: &Group) -> Stepped {
        self.space.cells.forget_choices();
        let mut doing = Doing {
            program: self.program,
            settings: self.settings,
            pauses: self.pauses,
            space: &mut self.space,
            states: states.clone(),
            cases: BTreeMap::new(),
            failures: Vec::new(),
            chosen: Vec::new(),
            limit: None,
            unsupported: None,
            lost: None,
            puts: Vec::new(),
            tells: Vec::new(),
        };
        let case = doing.make(group);
        let Doing { cases, failures, chosen, limit, unsupported, puts, tells, .. } = doing;
        let mut after = After::new(states.clone());
        for (owner, cases) in cases {
            cases.iter().for_each(|(guard, machine)| after.list(&mut self.space, owner, guard, machine));
        }
        let relation = after.relation(&mut self.space, &case);
        // Whatever is chosen.
        let guards = &self.space.guards;
        let is_choice = |variable: Variable| guards.is_choice(variable);
        let somehow = |case: &Guard| guards.and_some(states, case, &is_choice);
        let puts = puts.iter().map(|(target, case)| (*target, somehow(case))).collect();
        let tells = tells.iter().map(|(monitor, case)| (*monitor, somehow(case))).collect();
        Stepped { relation, failures, chosen, limit, unsupported, puts, tells }
    }

    /// The system that one state is.
    pub(crate) fn configuration(&mut self, state: &Assignment) -> Configuration {
        let mut configuration = Configuration { machines: Vec::new(), monitors: Vec::new() };
        for number in 0..self.space.cells.machine_count() {
            let machine = self.machine(Owner::Machine(number), state);
            let id = self.space.cells.machine_id(number).clone();
            configuration.machines.extend(machine.map(|machine| (id, Arc::new(machine))));
        }
        configuration.machines.sort_by(|(a, _), (b, _)| a.cmp(b));
        let count = u32::try_from(self.program.monitors.len()).unwrap_or_default();
        let monitors = (0..count).filter_map(|number| self.machine(Owner::Monitor(number), state));
        configuration.monitors = monitors.map(|monitor| monitor.local).collect();
        configuration
    }

    fn machine(&mut self, owner: Owner, state: &Assignment) -> Option<Machine> {
        let cell = self.space.cells.skeleton_cell(owner);
        let Some(Content::Skeleton(skeleton)) = self.space.cells.read(cell, state).cloned() else { return None };
        Some(skeleton.map(&mut |spot, ()| {
            let cell = self.space.cells.value_cell(owner, spot);
            read(&mut self.space, cell, state)
        }))
    }
}

fn read(space: &mut Space, cell: super::cells::CellId, state: &Assignment) -> Value {
    match space.cells.read(cell, state).cloned() {
        Some(Content::Value(value)) => value,
        Some(Content::Row(kind, count)) => {
            let parts = (0..count).map(|part| {
                let part = space.cells.part_cell(cell, part);
                read(space, part, state)
            });
            let parts = parts.collect();
            whole(kind, parts)
        }
        Some(Content::Skeleton(_)) | None => {
            debug_assert!(false, "a value is missing");
            Value::Null
        }
    }
}

fn summarized(machine: &Machine) -> Machine<Summary> {
    machine.map(&mut |_, value| Summary::Plain(value.clone()))
}

/// A step that is being made.
struct Doing<'a> {
    program: &'a Program,
    settings: &'a Settings,
    pauses: Pauses,
    space: &'a mut Space,
    states: Guard,
    /// Machines and monitors that may have changed.
    cases: BTreeMap<Owner, Cases>,
    failures: Vec<(Guard, Failure)>,
    chosen: Vec<Chosen>,
    limit: Option<Limit>,
    unsupported: Option<Unsupported>,
    /// Where a monitor has failed, or could not be run to its end.
    lost: Option<Guard>,
    /// Who is sent something, and which monitors are told of something, in which cases.
    puts: Vec<(Owner, Guard)>,
    tells: Vec<(u32, Guard)>,
}

impl Doing<'_> {
    /// Makes the steps, and says where they came to an end.
    fn make(&mut self, group: &Group) -> Guard {
        let (mut own, mut all) = (Vec::new(), self.space.guards.falsehood());
        let mut start: Option<(Guard, Local<Summary>, Input<Summary>)> = None;
        for (skeleton, guard) in &group.members {
            let mut machine = self.loaded(group.owner, skeleton);
            let begun = machine.begin(self.program, &group.action);
            all = self.space.guards.or(&all, guard);
            own.push((guard.clone(), machine));
            if let Some((local, input)) = begun {
                let local = Arc::unwrap_or_clone(local);
                start = Some(match start {
                    None => (guard.clone(), local, input),
                    Some(before) => self.started(before, (guard, local, input)),
                });
            }
        }
        self.cases.insert(group.owner, own);
        let Some((_, local, input)) = start else { return all };
        let mut domain = Summaries::new(self.program, self.space, self.states.clone(), all);
        let runner = Runner { program: self.program, limits: &self.settings.limits, pauses: self.pauses, id: Some(&group.id) };
        let interface = local.interface;
        let lift = runner.run(local, input, &mut domain);
        let failures = std::mem::take(&mut domain.failures);
        self.chosen.append(&mut domain.chosen);
        self.limit = self.limit.or(lift.limit);
        self.unsupported = self.unsupported.take().or(lift.unsupported);
        let comes_to_an_end = !lift.done.is_empty();
        for (case, effect) in lift.effects {
            // Nobody wants to know what becomes of messages, which can be very many, if the run ends well nowhere.
            if !comes_to_an_end && !matches!(effect, Effect::Tell(_)) {
                continue;
            }
            let watching = interface.map_or(&[][..], |interface| &self.program.interface(interface).monitors);
            self.take_effect(group, &case, effect, watching);
        }
        // What a monitor was told of comes before: where it has failed, the run does not come that far.
        let failures = failures.into_iter().map(|(guard, failure)| (self.not_lost(&guard), failure));
        self.failures.extend(failures.collect::<Vec<_>>());
        self.settle(group.owner, &lift.done)
    }

    /// Two groups of states in which the same is done, as one: what is known is the same cells, and what is carried may differ.
    fn started(
        &mut self,
        (case, local, input): (Guard, Local<Summary>, Input<Summary>),
        (other_case, other, other_input): (&Guard, Local<Summary>, Input<Summary>),
    ) -> (Guard, Local<Summary>, Input<Summary>) {
        let both = self.space.guards.or(&case, other_case);
        let mut domain = Summaries::new(self.program, self.space, self.states.clone(), both.clone());
        let local = local.zip(&other, &mut |a, b| domain.merged(&case, a, other_case, b));
        let input = match (input, other_input) {
            (Input::Message(message), Input::Message(other)) => {
                let payload = domain.merged(&case, &message.payload, other_case, &other.payload);
                Input::Message(Message { event: message.event, payload })
            }
            (input, _) => input,
        };
        (both, local, input)
    }

    /// A machine whose values are those in its cells.
    fn loaded(&mut self, owner: Owner, skeleton: &Skeleton) -> Machine<Summary> {
        skeleton.map(&mut |spot, ()| Summary::Cell(self.space.cells.value_cell(owner, spot)))
    }

    /// What a machine is like in the states from which the step starts, if the step has not changed it yet.
    fn cases_of(&mut self, owner: Owner) -> Cases {
        if let Some(cases) = self.cases.remove(&owner) {
            return cases;
        }
        let cell = self.space.cells.skeleton_cell(owner);
        let contents: Vec<(Content, Guard)> =
            self.space.cells.contents(cell).map(|(content, guard)| (content.clone(), guard.clone())).collect();
        let mut cases = Vec::new();
        for (content, guard) in contents {
            if let Content::Skeleton(skeleton) = content
                && self.space.guards.meet(&self.states, &guard)
            {
                cases.push((guard, self.loaded(owner, &skeleton)));
            }
        }
        cases
    }

    fn take_effect(&mut self, group: &Group, case: &Guard, effect: Effect<Summary>, watching: &[MonitorId]) {
        match effect {
            Effect::Tell(message) => {
                let observes = |id: &&MonitorId| self.program.monitors[id.index()].observes.contains(message.event);
                for monitor in watching.iter().filter(observes) {
                    self.tells.push((monitor.0, case.clone()));
                    self.tell(case, *monitor, &message);
                }
            }
            Effect::Send { target, message } => {
                let (program, delivery) = (self.program, self.settings.delivery);
                let owner = self.space.cells.machine(&target);
                self.puts.push((owner, case.clone()));
                self.change(owner, case, |machine| {
                    if target == group.id {
                        machine.arrive_own(delivery, &group.id, message.clone());
                    } else if !machine.local.is_halted() {
                        machine.arrive(program, delivery, &group.id, message.clone());
                    }
                });
            }
            Effect::Create { id, interface, payload } => {
                let owner = self.space.cells.machine(&id);
                let mut cases = self.cases_of(owner);
                cases.push((case.clone(), Machine::created(self.program, interface, payload)));
                let cases = self.compact(cases);
                self.cases.insert(owner, cases);
            }
            Effect::Print(_) => {}
        }
    }

    /// Changes a machine in a case.
    fn change(&mut self, owner: Owner, case: &Guard, mut change: impl FnMut(&mut Machine<Summary>)) {
        let mut after = Vec::new();
        for (guard, machine) in self.cases_of(owner) {
            let inside = self.space.guards.and(&guard, case);
            if !self.space.guards.meet(&self.states, &inside) {
                after.push((guard, machine));
                continue;
            }
            let mut changed = machine.clone();
            change(&mut changed);
            after.push((inside, changed));
            let outside = self.space.guards.minus(&guard, case);
            if !outside.is_false() {
                after.push((outside, machine));
            }
        }
        let after = self.compact(after);
        self.cases.insert(owner, after);
    }

    /// Cases with the same skeleton become one.
    fn compact(&mut self, cases: Cases) -> Cases {
        let mut found: Vec<(Guard, Machine<Summary>, Skeleton)> = Vec::new();
        for (guard, machine) in cases {
            let skeleton = machine.map(&mut |_, _| ());
            let Some(position) = found.iter().position(|(.., known)| *known == skeleton) else {
                found.push((guard, machine, skeleton));
                continue;
            };
            let (other_guard, other, _) = found.swap_remove(position);
            let both = self.space.guards.or(&guard, &other_guard);
            let mut others = Vec::new();
            other.map(&mut |_, value| others.push(value.clone()));
            let mut others = others.into_iter();
            let mut domain = Summaries::new(self.program, self.space, self.states.clone(), both.clone());
            let merged = machine.map(&mut |_, value| match others.next() {
                Some(other) => domain.merged(&guard, value, &other_guard, &other),
                None => value.clone(),
            });
            found.push((both, merged, skeleton));
        }
        found.into_iter().map(|(guard, machine, _)| (guard, machine)).collect()
    }

    /// A monitor is told of an event.
    fn tell(&mut self, case: &Guard, monitor: MonitorId, message: &Message<Summary>) {
        let owner = Owner::Monitor(monitor.0);
        let case = &self.not_lost(case);
        let mut after = Vec::new();
        for (guard, machine) in self.cases_of(owner) {
            let inside = self.space.guards.and(&guard, case);
            if !self.space.guards.meet(&self.states, &inside) {
                after.push((guard, machine));
                continue;
            }
            let outside = self.space.guards.minus(&guard, case);
            if !outside.is_false() {
                after.push((outside, machine.clone()));
            }
            let mut domain = Summaries::new(self.program, self.space, self.states.clone(), inside.clone());
            let runner = Runner { program: self.program, limits: &self.settings.limits, pauses: Pauses::Never, id: None };
            let local = Arc::unwrap_or_clone(machine.local);
            let lift = runner.run(local, Input::Message(message.clone()), &mut domain);
            self.failures.append(&mut domain.failures);
            self.limit = self.limit.or(lift.limit);
            self.unsupported = self.unsupported.take().or(lift.unsupported);
            let done = self.space.guards.any(lift.done.iter().map(|(guard, _)| guard.clone()));
            let lost = self.space.guards.minus(&inside, &done);
            self.lost = Some(self.lost.take().map_or_else(|| lost.clone(), |before| self.space.guards.or(&before, &lost)));
            after.extend(
                lift.done.into_iter().map(|(guard, local)| (guard, Machine { local: Arc::new(local), queue: Queue::default() })),
            );
        }
        let after = self.compact(after);
        self.cases.insert(owner, after);
    }

    /// The machine that has moved is as its run has left it. Gives where the step came to an end.
    fn settle(&mut self, owner: Owner, done: &[(Guard, Local<Summary>)]) -> Guard {
        let mut after = Vec::new();
        let before = self.cases.remove(&owner).unwrap_or_default();
        for (case, local) in done {
            let local = Arc::new(local.clone());
            for (guard, machine) in &before {
                let both = self.space.guards.and(guard, case);
                if self.space.guards.meet(&self.states, &both) {
                    let mut machine = machine.clone();
                    machine.settle(self.program, local.clone());
                    after.push((both, machine));
                }
            }
        }
        let after = self.compact(after);
        let all = self.space.guards.any(after.iter().map(|(guard, _)| guard.clone()));
        self.cases.insert(owner, after);
        self.not_lost(&all)
    }

    /// What is left of a case without the states in which the step is over because of a monitor.
    fn not_lost(&self, case: &Guard) -> Guard {
        self.lost.as_ref().map_or_else(|| case.clone(), |lost| self.space.guards.minus(case, lost))
    }
}
