//! A whole system at one moment: its machines with their queues, and its monitors.
//!
//! A step of the system is one run of one machine. It has three parts, so that whoever searches can keep the middle one: `begin` takes
//! what the machine is given out of its queue, `run_handler` runs the machine alone, and `finish` does to the others what the run lists.
//! `apply` is all three.
//!
//! Invariant: machines are in the order of their ids; no lane of a queue is empty; events that a waiting machine ignores are not in
//! front of others in its inbox, because it would drop them before the next event in any case. On a network it need not: they can
//! be overtaken, so dropping one is a step like any other.

mod machine;
mod queue;

use std::sync::Arc;

use crate::concrete::Concrete;
use crate::domain::Choice;
use crate::failure::{Failure, Fault, Limit, Unsupported};
use crate::identity::MachineId;
use crate::local::{Control, Local, Message};
use crate::program::{InterfaceId, MonitorId, Program, StateId, Temperature};
use crate::run::{Choices, Effect, End, Input, Limits, Pauses, Run, Script, run_handler, start_monitor, tell_monitor};
use crate::value::Value;

pub use queue::{Lane, Queue};

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// A message is in the queue of its target as soon as it is sent, as in P's own checker.
    Inbox,
    /// Messages of one machine to another stay in order, and that is all.
    Network,
}

/// What a search can choose beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    pub delivery: Delivery,
    pub limits: Limits,
    /// In a single run, a spec that is hot for longer than this without cooling down is a bug.
    pub most_hot_steps: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { delivery: Delivery::Inbox, limits: Limits::default(), most_hot_steps: None }
    }
}

impl Settings {
    /// Where in handlers others may act. Only monitors could tell that nobody does: with `Network`, where it makes no difference to a machine, and where
    /// there is only one.
    pub fn pauses(&self, program: &Program) -> Pauses {
        let is_noticed = self.delivery == Delivery::Inbox && !program.has_one_machine();
        if is_noticed || !program.monitors.is_empty() { Pauses::AtSends } else { Pauses::Never }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Configuration<V = Value> {
    pub machines: Vec<(MachineId, Arc<Machine<V>>)>,
    /// By `MonitorId`.
    pub monitors: Vec<Arc<Local<V>>>,
}

/// A machine with what has been sent to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Machine<V = Value> {
    pub local: Arc<Local<V>>,
    pub queue: Queue<V>,
}

/// What can happen next.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    pub machine: MachineId,
    pub action: Action,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The entry of the start state is run.
    Start,
    /// It does what it was about to do at a scheduling point.
    Resume,
    /// It handles or receives the next event from this machine; from anybody with `Delivery::Inbox`.
    Take { from: Option<MachineId> },
    /// It finds no event and will handle `null`.
    TakeNull,
    /// It handles `null`.
    HandleNull,
}

/// Why a step, or the beginning, led nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    Failed(Box<Failure>),
    NeedsChoice(Choice),
    Limited(Limit),
    Unsupported(Unsupported),
}

/// What a step did, for traces: the run of the machine, and what monitors made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened<V = Value> {
    pub input: Option<Input<V>>,
    pub effects: Vec<Effect<V>>,
    /// Specs that came into a cold state, be it to leave it at once.
    pub cooled: Vec<MonitorId>,
}

impl Configuration {
    /// Before anything has happened: monitors are started, and the main machine is there.
    pub fn initial(program: &Program, settings: &Settings) -> Result<Self, Ending> {
        let mut monitors = Vec::new();
        for number in 0..program.monitors.len() {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(program, &mut script);
            let id = MonitorId(u32::try_from(number).unwrap_or(u32::MAX));
            let run = start_monitor(program, &settings.limits, id, &mut domain);
            ended(run.end)?;
            monitors.push(Arc::new(run.local));
        }
        let main = Machine::created(program, program.main, Value::Null);
        Ok(Self { machines: vec![(MachineId::main(), Arc::new(main))], monitors })
    }

    /// All three parts of a step, with plain values. What happened is told even if it ended badly.
    pub fn apply(
        &mut self,
        program: &Program,
        settings: &Settings,
        step: &Step,
        choices: &mut dyn Choices,
    ) -> (Happened, Result<(), Ending>) {
        let Some((local, input)) = self.begin(program, step) else {
            return (Happened { input: None, effects: Vec::new(), cooled: Vec::new() }, Ok(()));
        };
        let local = Arc::unwrap_or_clone(local);
        let mut domain = Concrete::new(program, choices);
        let pauses = settings.pauses(program);
        let run = run_handler(program, &settings.limits, pauses, &step.machine, local, input.clone(), &mut domain);
        let mut happened = Happened { input: Some(input), effects: run.effects.clone(), cooled: Vec::new() };
        let tell = |id: MonitorId, monitor: &Arc<Local>, message: &Message| {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(program, &mut script);
            let run = tell_monitor(program, &settings.limits, (**monitor).clone(), message.clone(), &mut domain);
            happened.cooled.extend(run.has_cooled.then_some(id));
            run
        };
        let result = self.finish(program, settings, &step.machine, run, tell);
        (happened, result)
    }
}

impl<V: Clone + Eq> Configuration<V> {
    pub fn machine(&self, id: &MachineId) -> Option<&Arc<Machine<V>>> {
        self.position(id).ok().map(|position| &self.machines[position].1)
    }

    fn position(&self, id: &MachineId) -> Result<usize, usize> {
        self.machines.binary_search_by(|(known, _)| known.cmp(id))
    }

    /// Everything that can happen next, in the order of the machines.
    pub fn enabled(&self, program: &Program, settings: &Settings) -> Vec<Step> {
        let mut steps = Vec::new();
        for (id, machine) in &self.machines {
            let actions = machine.actions(program, settings.delivery).into_iter();
            steps.extend(actions.map(|action| Step { machine: id.clone(), action }));
        }
        steps
    }

    /// Takes out of the queue what the machine is given, and says what that is. `None` if there is nothing to run: the machine only
    /// decides to handle `null`.
    pub fn begin(&mut self, program: &Program, step: &Step) -> Option<(Arc<Local<V>>, Input<V>)> {
        let position = self.position(&step.machine).ok()?;
        Arc::make_mut(&mut self.machines[position].1).begin(program, &step.action)
    }

    /// Does what a run of this machine lists, in order. `tell` runs a monitor.
    pub fn finish(
        &mut self,
        program: &Program,
        settings: &Settings,
        id: &MachineId,
        run: Run<V>,
        mut tell: impl FnMut(MonitorId, &Arc<Local<V>>, &Message<V>) -> Run<V>,
    ) -> Result<(), Ending> {
        for effect in run.effects {
            match effect {
                Effect::Tell(message) => {
                    let interface = run.local.interface.map(|interface| program.interface(interface));
                    for &monitor in interface.map_or(&[][..], |interface| &interface.monitors) {
                        if program.monitors[monitor.index()].observes.contains(message.event) {
                            let told = tell(monitor, &self.monitors[monitor.index()], &message);
                            ended(told.end)?;
                            self.monitors[monitor.index()] = Arc::new(told.local);
                        }
                    }
                }
                Effect::Send { target, message } => self.put(program, settings, id, &target, message),
                Effect::Create { id, interface, payload } => self.create(program, id, interface, payload),
                Effect::Print(_) => {}
            }
        }
        ended(run.end)?;
        if let Ok(position) = self.position(id) {
            Arc::make_mut(&mut self.machines[position].1).settle(program, Arc::new(run.local));
        }
        Ok(())
    }

    fn put(&mut self, program: &Program, settings: &Settings, sender: &MachineId, target: &MachineId, message: Message<V>) {
        let Ok(position) = self.position(target) else { return };
        if self.machines[position].1.local.is_halted() {
            return;
        }
        let machine = Arc::make_mut(&mut self.machines[position].1);
        if sender == target {
            machine.arrive_own(settings.delivery, sender, message);
        } else {
            machine.arrive(program, settings.delivery, sender, message);
        }
    }

    fn create(&mut self, program: &Program, id: MachineId, interface: InterfaceId, payload: V) {
        if let Err(position) = self.position(&id) {
            self.machines.insert(position, (id, Arc::new(Machine::created(program, interface, payload))));
        }
    }

    /// What is wrong if nothing can happen any more.
    pub fn stuck(&self, program: &Program) -> Option<Failure> {
        let name = |id: &MachineId, local: &Local<V>| match local.interface {
            Some(interface) => format!("{}({id})", program.interface(interface).name),
            None => id.to_string(),
        };
        let place = |local: &Local<V>| {
            let frame = local.frames.last()?;
            program.function(frame.function).blocks.get(frame.block.0 as usize).map(|block| block.place)
        };
        let waiting = || self.machines.iter().filter(|(_, machine)| matches!(machine.local.control, Control::Receiving));
        // Who it is about does not depend on names, which machines can have exchanged: who is first in the text.
        let first = waiting().min_by_key(|(_, machine)| {
            let place = place(&machine.local).map(|place| (place.file, place.range.start()));
            (place, &program.state(machine.local.machine, machine.local.state).name)
        });
        if let Some((id, machine)) = first {
            let local = &machine.local;
            let state = program.state(local.machine, local.state).name.clone();
            let fault = Fault::Deadlock { waiting: waiting().map(|(id, machine)| name(id, &machine.local)).collect() };
            return Some(Failure { who: name(id, local), fault, state, place: place(local) });
        }
        self.hot_monitors(program).next().map(|(monitor, state)| {
            let declared = program.machine(program.monitors[monitor.index()].machine);
            let state = &declared.states[state.index()];
            let place = Some(state.place);
            Failure { fault: Fault::HotAtEnd, who: declared.name.to_string(), state: state.name.clone(), place }
        })
    }

    /// The specs that are in a hot state, with that state. Scenarios do not count.
    pub fn hot_monitors(&self, program: &Program) -> impl Iterator<Item = (MonitorId, StateId)> {
        let monitors = (0..).map(MonitorId).zip(&self.monitors).zip(&program.monitors);
        monitors.filter_map(move |((id, local), monitor)| {
            let state = program.state(local.machine, local.state);
            (state.temperature == Temperature::Hot && !monitor.is_scenario).then_some((id, local.state))
        })
    }
}

fn ended(end: End) -> Result<(), Ending> {
    Err(match end {
        End::Done => return Ok(()),
        End::Failed(failure) => Ending::Failed(failure),
        End::NeedsChoice(choice) => Ending::NeedsChoice(choice),
        End::Limited(limit) => Ending::Limited(limit),
        End::Unsupported(what) => Ending::Unsupported(what),
    })
}
