//! The parts of states, each kept once and known by a number.
//!
//! A *component* is a machine with its queue, or a monitor. A state of the system is the numbers of its components: the machines in
//! the order of their ids, then the monitors. Which number a part gets depends on who found it first; its hash depends on its
//! content alone, so that whatever is decided by hashes is the same however many threads there are.

use std::sync::{Arc, OnceLock};

use lockstep_runtime::{
    Action, Choice, Configuration, Control, InterfaceId, Lane, Local, Machine, MachineId, Message, Program, Queue,
};

use crate::hash::{hash_of, low, mixed, spread};
use crate::index::Index;
use crate::rows::make_room;
use crate::steps::{Outlook, Steps};
use crate::values::Values;

/// Whose a component is: a machine by its number in `Tables::machines`, or a monitor.
pub(crate) type Who = u32;

/// Monitors are numbered from here on.
pub(crate) const MONITORS: Who = 1 << 31;

/// In queues: from whoever it is.
const ANYBODY: Who = u32::MAX;

/// A component with what has to be known of it without looking at its content.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) who: Who,
    pub(crate) local: u32,
    pub(crate) queue: u32,
    /// What it was created as; of no meaning for a monitor.
    pub(crate) interface: InterfaceId,
    pub(crate) hash: u128,
    pub(crate) is_receiving: bool,
    pub(crate) is_halted: bool,
    pub(crate) has_messages: bool,
    /// A spec in a hot state.
    pub(crate) heat: Heat,
    /// Machines to which it has references.
    pub(crate) mentions: Box<[Who]>,
    /// What it can do next, when somebody has asked and may ask again.
    pub(crate) steps: OnceLock<Arc<Steps>>,
    pub(crate) outlook: OnceLock<Outlook>,
}

/// A component that can do many things next.
#[derive(Debug)]
pub(crate) struct Wide {
    pub(crate) component: u32,
    pub(crate) outcomes: u64,
    pub(crate) choices: Box<[Choice]>,
}

/// What a component is apart from names of machines; see `symmetry.rs`.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) who: Who,
    /// What it was created as.
    pub(crate) interface: Option<InterfaceId>,
    /// Of the whole component.
    pub(crate) hash: u128,
    /// Of the component without names.
    pub(crate) colour: u64,
    /// Who is named, with a mark for the place that does not depend on names.
    pub(crate) edges: Box<[(u64, Who)]>,
    /// The same without marks and each once.
    pub(crate) names: Box<[Who]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heat {
    Hot,
    Warm,
    Cold,
}

#[derive(Debug, Default)]
pub(crate) struct Tables {
    machines: Interner<MachineId>,
    actions: Interner<Action>,
    messages: Interner<Message>,
    locals: Interner<(Who, Arc<Local>)>,
    /// What machines and messages carry.
    values: Values,
    /// Messages in their order, lane by lane, each with who has sent it where that counts.
    queues: Interner<Box<[(Who, u32)]>>,
    components: Vec<Arc<Component>>,
    /// By local and queue.
    numbers: Index,
    /// The component that can do most, of all that were asked.
    pub(crate) widest: Option<Wide>,
    /// About how many bytes all this takes beside the tables themselves, with what others keep with components.
    pub(crate) content: u64,
}

/// What it takes to put something of its own into memory, and to count who shares it.
pub(crate) const SHARED: u64 = 16 + BOXED;
pub(crate) const BOXED: u64 = 8;

impl Tables {
    pub(crate) fn who(&mut self, id: &MachineId) -> Who {
        let hash = hash_of(0, id);
        self.machines.number(hash, id, |known, id| known == *id, MachineId::clone).0
    }

    /// About how many bytes are taken.
    pub(crate) fn bytes(&self) -> u64 {
        let lists = self.machines.size() + self.messages.size() + self.locals.size() + self.queues.size();
        let components = self.components.capacity() * size_of::<Arc<Component>>() + self.numbers.size();
        (lists + components + self.values.size()) as u64 + self.content
    }

    /// Different machines, in whatever state.
    pub(crate) fn machine_count(&self) -> u64 {
        self.machines.items.len() as u64
    }

    pub(crate) fn machine_id(&self, who: Who) -> &MachineId {
        &self.machines.items[who as usize]
    }

    pub(crate) fn action(&mut self, action: &Action) -> u32 {
        self.actions.number(hash_of(0, action), action, |known, action| known == *action, Action::clone).0
    }

    pub(crate) fn action_of(&self, number: u32) -> &Action {
        &self.actions.items[number as usize]
    }

    pub(crate) fn message(&mut self, message: &Message) -> u32 {
        let hash = hash_of(0, message);
        let keep = |message: &Message| {
            let mut kept = message.clone();
            self.content += self.values.share(&mut kept.payload);
            kept
        };
        self.messages.number(hash, message, |known, message| known == *message, keep).0
    }

    pub(crate) fn message_of(&self, number: u32) -> &Message {
        &self.messages.items[number as usize]
    }

    pub(crate) fn local_of(&self, number: u32) -> &Arc<Local> {
        &self.locals.items[number as usize].1
    }

    pub(crate) fn component(&self, number: u32) -> &Arc<Component> {
        &self.components[number as usize]
    }

    pub(crate) fn component_count(&self) -> u64 {
        self.components.len() as u64
    }

    pub(crate) fn local_count(&self) -> u64 {
        self.locals.items.len() as u64
    }

    /// Takes note of what a component can do, if it is more than any other can. Of equals it is the same one however many threads there are.
    pub(crate) fn note_width(&mut self, number: u32, steps: &Steps) {
        let size = |outcomes: u64, component: u32| (outcomes, self.component(component).hash);
        let outcomes = steps.all.len() as u64;
        if self.widest.as_ref().is_none_or(|known| size(known.outcomes, known.component) < size(outcomes, number)) {
            let choices = steps.all.iter().map(|transition| &transition.outcome.choices).max_by_key(|choices| choices.len());
            self.widest = Some(Wide { component: number, outcomes, choices: choices.cloned().unwrap_or_default() });
        }
    }

    /// The machine that a component is.
    pub(crate) fn machine(&self, number: u32) -> Machine {
        let component = self.component(number);
        Machine { local: self.local_of(component.local).clone(), queue: self.queue_of(component.queue) }
    }

    fn queue_of(&self, number: u32) -> Queue {
        let mut lanes: Vec<Lane> = Vec::new();
        let waiting = &self.queues.items[number as usize];
        for of_one in waiting.chunk_by(|(a, _), (b, _)| a == b) {
            let from = of_one.first().filter(|(from, _)| *from != ANYBODY).map(|(from, _)| self.machine_id(*from).clone());
            lanes.push(Lane { from, messages: of_one.iter().map(|(_, message)| self.message_of(*message).clone()).collect() });
        }
        Queue { lanes }
    }

    /// The number of a machine with its queue.
    pub(crate) fn intern(&mut self, program: &Program, who: Who, machine: &Machine) -> u32 {
        let local = self.intern_local(who, &machine.local);
        self.intern_with(program, who, local, &machine.queue)
    }

    pub(crate) fn intern_local(&mut self, who: Who, local: &Arc<Local>) -> u32 {
        let hash = self.local_hash(who, local);
        let is_it = |known: &(Who, Arc<Local>), local: &&Arc<Local>| known.0 == who && known.1 == **local;
        let keep = |local: &Arc<Local>| (who, kept(&mut self.values, &mut self.content, (**local).clone()));
        self.locals.number(hash, local, is_it, keep).0
    }

    /// The same for one that nobody shares yet.
    pub(crate) fn intern_own_local(&mut self, who: Who, local: Local) -> u32 {
        let hash = self.local_hash(who, &local);
        let is_it = |known: &(Who, Arc<Local>), local: &Local| known.0 == who && *known.1 == *local;
        let keep = |local| (who, kept(&mut self.values, &mut self.content, local));
        self.locals.number(hash, local, is_it, keep).0
    }

    fn local_hash(&self, who: Who, local: &Local) -> u128 {
        let whose = if who < MONITORS { self.machines.hashes[who as usize] } else { mixed(who.into()) };
        hash_of(whose, local)
    }

    /// The number of a machine that is known apart from its queue.
    pub(crate) fn intern_with(&mut self, program: &Program, who: Who, local: u32, queue: &Queue) -> u32 {
        let queue = self.intern_queue(queue);
        let hash = u128::from(spread(u64::from(local) << 32 | u64::from(queue)));
        let is_it = |number: u32| {
            let known = &self.components[number as usize];
            known.local == local && known.queue == queue
        };
        let place = match self.numbers.find(hash, is_it) {
            Ok(number) => return number,
            Err(place) => place,
        };
        let component = self.describe(program, who, local, queue);
        let number = id(self.components.len());
        self.content += SHARED + size_of::<Component>() as u64 + BOXED + size_of_val(&*component.mentions) as u64;
        make_room(&mut self.components, 1);
        self.components.push(Arc::new(component));
        self.numbers.add(place, hash, number);
        number
    }

    fn intern_queue(&mut self, queue: &Queue) -> u32 {
        let mut waiting = Vec::with_capacity(queue.len());
        for lane in &queue.lanes {
            let from = lane.from.as_ref().map_or(ANYBODY, |from| self.who(from));
            waiting.extend(lane.messages.iter().map(|message| (from, self.message(message))));
        }
        let content = |(from, message): &(Who, u32)| {
            let sender = self.machines.hashes.get(*from as usize).copied().unwrap_or_default();
            mixed(sender ^ mixed(self.messages.hashes[*message as usize].wrapping_add(1)).rotate_left(17))
        };
        let hash = hash_of(0, &waiting.iter().map(content).collect::<Vec<u128>>());
        let (number, is_new) = self.queues.number(hash, waiting, |known, waiting| **known == **waiting, Vec::into_boxed_slice);
        if is_new {
            self.content += BOXED + size_of_val(&*self.queues.items[number as usize]) as u64;
        }
        number
    }

    fn describe(&mut self, program: &Program, who: Who, local: u32, queue: u32) -> Component {
        let content = self.local_of(local).clone();
        let messages = self.queue_of(queue);
        let mut mentions = Vec::new();
        let mut mention = |id: &MachineId| mentions.push(self.who(id));
        content.each_machine(&mut mention);
        let waiting = messages.lanes.iter().flat_map(|lane| &lane.messages);
        waiting.for_each(|message| message.payload.each_machine(&mut mention));
        mentions.sort_unstable();
        mentions.dedup();
        let (own, waiting) = (self.locals.hashes[local as usize], self.queues.hashes[queue as usize]);
        Component {
            who,
            local,
            queue,
            interface: content.interface.unwrap_or(InterfaceId(0)),
            hash: mixed(own ^ mixed(waiting.wrapping_add(1)).rotate_left(17)),
            is_receiving: matches!(content.control, Control::Receiving),
            is_halted: content.is_halted(),
            has_messages: !messages.is_empty(),
            heat: heat(program, who, &content),
            mentions: mentions.into(),
            steps: OnceLock::new(),
            outlook: OnceLock::new(),
        }
    }

    pub(crate) fn shape(&mut self, number: u32) -> Shape {
        let component = self.component(number).clone();
        let local = self.local_of(component.local).clone();
        let queue = self.queue_of(component.queue);
        let nobody = |_: &MachineId| MachineId::main();
        let mut colour = low(hash_of(0, &local.renamed(&nobody)));
        let mut edges = Vec::new();
        local.each_machine(&mut |id| edges.push((spread(edges.len() as u64), self.who(id))));
        // Lanes are in the order of names, which must not count here.
        let nameless =
            |lane: &Lane| low(hash_of(0, &lane.messages.iter().map(|message| message.renamed(&nobody)).collect::<Vec<_>>()));
        let mut lanes: Vec<(u64, &Lane)> = queue.lanes.iter().map(|lane| (nameless(lane), lane)).collect();
        lanes.sort_by_key(|(own, _)| *own);
        for (own, lane) in lanes {
            colour = colour.wrapping_add(spread(own));
            let mut count = 0;
            let mut edge = |id: &MachineId| {
                count += 1;
                edges.push((spread(own ^ count), self.who(id)));
            };
            lane.from.iter().for_each(&mut edge);
            lane.messages.iter().for_each(|message| message.payload.each_machine(&mut edge));
        }
        let mut names: Vec<Who> = edges.iter().map(|(_, who)| *who).collect();
        names.sort_unstable();
        names.dedup();
        let (who, hash) = (component.who, component.hash);
        Shape { who, interface: local.interface, hash, colour, edges: edges.into(), names: names.into() }
    }

    /// A component with new names: its own, and those of the machines it knows.
    pub(crate) fn renamed(&mut self, program: &Program, number: u32, who: Who, pairs: &[(Who, Who)]) -> u32 {
        let new_name = |id: &MachineId| {
            let pair = pairs.iter().find(|(old, _)| self.machine_id(*old) == id);
            pair.map_or_else(|| id.clone(), |(_, new)| self.machine_id(*new).clone())
        };
        let machine = self.machine(number);
        let (local, queue) = (machine.local.renamed(&new_name), machine.queue.renamed(&new_name));
        self.intern(program, who, &Machine { local: Arc::new(local), queue })
    }

    /// The system that a state stands for.
    pub(crate) fn configuration(&self, state: &[u32]) -> Configuration {
        let mut configuration = Configuration { machines: Vec::new(), monitors: Vec::new() };
        for &number in state {
            let component = self.component(number);
            if component.who < MONITORS {
                let id = self.machine_id(component.who).clone();
                configuration.machines.push((id, Arc::new(self.machine(number))));
            } else {
                configuration.monitors.push(self.local_of(component.local).clone());
            }
        }
        configuration
    }
}

/// A machine that stays, with values that are known. Adds the bytes that it takes.
fn kept(values: &mut Values, bytes: &mut u64, mut local: Local) -> Arc<Local> {
    *bytes += SHARED + (size_of::<Local>() + size_of_val(&*local.fields) + size_of_val(&*local.frames)) as u64 + 2 * BOXED;
    *bytes += values.share_all(&mut local.fields);
    for frame in &mut local.frames {
        *bytes += BOXED + size_of_val(&*frame.slots) as u64 + values.share_all(&mut frame.slots);
    }
    Arc::new(local)
}

fn heat(program: &Program, who: Who, local: &Local) -> Heat {
    let Some(monitor) = who.checked_sub(MONITORS).and_then(|number| program.monitors.get(number as usize)) else {
        return Heat::Cold;
    };
    match program.state(local.machine, local.state).temperature {
        _ if monitor.is_scenario => Heat::Cold,
        lockstep_runtime::Temperature::Hot => Heat::Hot,
        lockstep_runtime::Temperature::Warm => Heat::Warm,
        lockstep_runtime::Temperature::Cold => Heat::Cold,
    }
}

/// Things by number, found by the hash of their content. Things with the same hash are told apart.
#[derive(Debug)]
struct Interner<T> {
    items: Vec<T>,
    hashes: Vec<u128>,
    index: Index,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: Vec::new(), hashes: Vec::new(), index: Index::default() }
    }
}

impl<T> Interner<T> {
    /// The number of something with this hash, and whether it is new.
    fn number<C>(&mut self, hash: u128, thing: C, is_it: impl Fn(&T, &C) -> bool, keep: impl FnOnce(C) -> T) -> (u32, bool) {
        let (items, hashes) = (&self.items, &self.hashes);
        let is_same = |number: u32| hashes[number as usize] == hash && is_it(&items[number as usize], &thing);
        match self.index.find(hash, is_same) {
            Ok(number) => (number, false),
            Err(place) => {
                let number = id(self.items.len());
                self.index.add(place, hash, number);
                make_room(&mut self.items, 1);
                self.items.push(keep(thing));
                make_room(&mut self.hashes, 1);
                self.hashes.push(hash);
                (number, true)
            }
        }
    }

    fn size(&self) -> usize {
        self.items.capacity() * size_of::<T>() + self.hashes.capacity() * size_of::<u128>() + self.index.size()
    }
}

/// Memory ends long before numbers do.
fn id(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_with_the_same_hash_are_told_apart() {
        let mut things: Interner<&str> = Interner::default();
        let mut number =
            |hash: u128, thing: &'static str| things.number(hash, thing, |known, thing| known == thing, |thing| thing);
        assert_eq!([number(7, "a"), number(7, "b"), number(8, "c")], [(0, true), (1, true), (2, true)]);
        assert_eq!([number(8, "c"), number(7, "b"), number(7, "a")], [(2, false), (1, false), (0, false)]);
    }
}
