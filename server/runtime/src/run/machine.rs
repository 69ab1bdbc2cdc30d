//! The life of a machine between functions: which handler is run for an event, and what follows on it.

use super::endless::{self, Watch};
use super::{Effect, End, Input, Lifted, Limits, Pauses, Ran, Run};
use crate::code::{BlockId, Case, Terminator};
use crate::domain::{Domain, Stop};
use crate::failure::{Failure, Fault, Limit, Unsupported};
use crate::identity::MachineId;
use crate::local::{Control, Frame, Local, Message, Pending, Task};
use crate::program::{EventId, FunctionId, HALT, MonitorId, NULL_EVENT, Place, Program, Reaction, StateId, Temperature};
use crate::value::Value;

/// Instructions between two questions whether the run shall go on.
const WATCHED: u64 = 1 << 14;

/// How many parts the values may have together that one run sends and announces.
const MOST_SENT: u64 = 10_000_000;

/// Slots of so many functions are kept to be used again.
const MOST_SPARE: usize = 3;

/// A monitor before anything has happened, after the entry of its start state.
pub fn start_monitor<D: Domain>(program: &Program, limits: &Limits, monitor: MonitorId, domain: &mut D) -> Run<D::Value> {
    let machine = program.monitors[monitor.index()].machine;
    let local = Local::of_type(program, machine, domain.constant(&Value::Null));
    Runner::new(program, limits, Pauses::Never, None, local, domain).run(Input::Go)
}

/// A monitor that is told of an event it observes.
pub fn tell_monitor<D: Domain>(
    program: &Program,
    limits: &Limits,
    monitor: Local<D::Value>,
    message: Message<D::Value>,
    domain: &mut D,
) -> Run<D::Value> {
    Runner::new(program, limits, Pauses::Never, None, monitor, domain).run(Input::Message(message))
}

impl<V: Clone + Eq> Suspended<V> {
    pub fn local(&self) -> &Local<V> {
        &self.local
    }

    /// What it has done to others so far, which it will not list again.
    pub fn take_effects(&mut self) -> Vec<Effect<V>> {
        self.watch = Watch::new();
        std::mem::take(&mut self.effects)
    }

    /// This run and another one that is at the same point, as one. `local` is what is known in both cases.
    #[must_use]
    pub fn merged(self, other: &Self, local: Local<V>) -> Self {
        Self {
            local,
            choices: self.choices.max(other.choices),
            printed: self.printed.max(other.printed),
            sent: self.sent.max(other.sent),
            has_cooled: self.has_cooled || other.has_cooled,
            fuel: self.fuel.min(other.fuel),
            watch: Watch::new(),
            ..self
        }
    }
}

/// What happens next, after an instruction or the end of a function.
pub(super) enum Flow<V> {
    /// Whatever is in the innermost frame.
    Next,
    /// The run is over for now.
    Rest,
    /// All functions are left, and this is handled.
    Raise(Message<V>),
    /// All functions are left, and the state changes.
    Goto(StateId, Message<V>),
}

pub(super) enum Halted {
    /// Here other cases of the same run may be met.
    Joins,
    Stop(Stop),
    Unsupported(String),
}

impl From<Stop> for Halted {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Fault> for Halted {
    fn from(fault: Fault) -> Self {
        Self::Stop(Stop::Fault(fault))
    }
}

pub(super) struct Runner<'a, D: Domain> {
    pub(super) program: &'a Program,
    pub(super) domain: &'a mut D,
    pub(super) limits: &'a Limits,
    pub(super) pauses: Pauses,
    /// `None` for a monitor.
    pub(super) id: Option<&'a MachineId>,
    pub(super) local: Local<D::Value>,
    pub(super) effects: Vec<Effect<D::Value>>,
    /// How many choices have been answered.
    pub(super) choices: u64,
    /// How many bytes have been printed.
    pub(super) printed: u64,
    /// How many parts the values have that were sent and announced.
    sent: u64,
    /// Where we are in the text; nothing before the first instruction.
    pub(super) place: Option<&'a Place>,
    /// Where we were when the run was suspended, or where its circle is if it never ends.
    before: Option<Place>,
    has_cooled: bool,
    /// How many instructions may still be run.
    fuel: u64,
    /// With so much left it is time to look whether the run ends.
    alarm: u64,
    watch: Watch<D::Value>,
    /// Whether the next instruction is one that can be reached in several ways.
    pub(super) is_at_join: bool,
    /// Whether the frame points behind what is being done; at the end of a block it does not.
    pub(super) is_past_instr: bool,
    /// The slots of the innermost function, and where it is in its code. Invariant: while it runs (`step.rs`) they are here, and what is in its frame
    /// means nothing; otherwise there are no slots here.
    pub(super) slots: Vec<D::Value>,
    pub(super) block: BlockId,
    pub(super) next: u32,
    /// Slots of functions that have returned, emptied: other functions may take them.
    spare: [Vec<D::Value>; MOST_SPARE],
}

/// A run that waits, for the answer to a choice or for other cases of the same run. It can be gone on with as often as one likes.
#[derive(Clone, Debug)]
pub struct Suspended<V = Value> {
    local: Local<V>,
    effects: Vec<Effect<V>>,
    choices: u64,
    printed: u64,
    sent: u64,
    place: Option<Place>,
    has_cooled: bool,
    fuel: u64,
    watch: Watch<V>,
}

impl<'a, D: Domain> Runner<'a, D> {
    pub(super) fn new(
        program: &'a Program,
        limits: &'a Limits,
        pauses: Pauses,
        id: Option<&'a MachineId>,
        local: Local<D::Value>,
        domain: &'a mut D,
    ) -> Self {
        let (effects, choices, printed, sent, place, has_cooled) = (Vec::new(), 0, 0, 0, None, false);
        let (fuel, watch) = (limits.instructions, Watch::new());
        let start = Suspended { local, effects, choices, printed, sent, place, has_cooled, fuel, watch };
        Self::resumed(program, limits, pauses, id, start, domain)
    }

    fn resumed(
        program: &'a Program,
        limits: &'a Limits,
        pauses: Pauses,
        id: Option<&'a MachineId>,
        suspended: Suspended<D::Value>,
        domain: &'a mut D,
    ) -> Self {
        let Suspended { local, effects, choices, printed, sent, place: before, has_cooled, fuel, watch } = suspended;
        let (place, alarm) = (None, limits.instructions.saturating_sub(endless::FROM));
        let (is_at_join, is_past_instr, spare) = (false, false, std::array::from_fn(|_| Vec::new()));
        let (slots, block, next) = (Vec::new(), BlockId(0), 0);
        Self {
            program,
            domain,
            limits,
            pauses,
            id,
            local,
            effects,
            choices,
            printed,
            sent,
            place,
            before,
            has_cooled,
            fuel,
            alarm,
            watch,
            is_at_join,
            is_past_instr,
            slots,
            block,
            next,
            spare,
        }
    }

    pub(super) fn run(mut self, input: Input<D::Value>) -> Run<D::Value> {
        let ended = self.begin(input).and_then(|()| self.run_on(Flow::Next));
        self.ended(ended)
    }

    /// The same, but a choice without an answer does not end the run.
    pub(super) fn run_to_choice(mut self, input: Input<D::Value>) -> Ran<D::Value> {
        let ended = self.begin(input).and_then(|()| self.run_on(Flow::Next));
        self.ended_or_asks(ended)
    }

    /// Goes on with a run at the choice for which it waits.
    pub(super) fn go_on(
        program: &'a Program,
        limits: &'a Limits,
        pauses: Pauses,
        id: &'a MachineId,
        suspended: Suspended<D::Value>,
        domain: &'a mut D,
    ) -> Ran<D::Value> {
        let mut runner = Self::resumed(program, limits, pauses, Some(id), suspended, domain);
        // The instruction was paid for, and looked at, before the answer was asked for.
        let ended = runner.step().and_then(|flow| runner.run_on(flow));
        runner.ended_or_asks(ended)
    }

    fn ended_or_asks(mut self, ended: Result<(), Halted>) -> Ran<D::Value> {
        let Err(Halted::Stop(Stop::Choice(choice))) = ended else { return Ran::Over(self.ended(ended)) };
        self.choices = self.choices.saturating_sub(1);
        self.step_back();
        Ran::Asks(choice, Box::new(self.suspended()))
    }

    /// Whoever goes on runs the instruction again.
    fn step_back(&mut self) {
        if let Some(frame) = self.local.frames.last_mut() {
            frame.instr -= u32::from(self.is_past_instr);
        }
    }

    fn suspended(self) -> Suspended<D::Value> {
        let place = self.place();
        let Self { local, effects, choices, printed, sent, has_cooled, fuel, watch, .. } = self;
        Suspended { local, effects, choices, printed, sent, place, has_cooled, fuel, watch }
    }

    /// A run of a domain that has cases, up to where it splits, rests or is over.
    pub(super) fn run_lifted(mut self, input: Input<D::Value>) -> Lifted<D::Value> {
        let ended = self.begin(input).and_then(|()| self.run_on(Flow::Next));
        self.lifted(ended)
    }

    /// Goes on with such a run.
    pub(super) fn go_on_lifted(
        program: &'a Program,
        limits: &'a Limits,
        pauses: Pauses,
        id: Option<&'a MachineId>,
        suspended: Suspended<D::Value>,
        domain: &'a mut D,
    ) -> Lifted<D::Value> {
        let mut runner = Self::resumed(program, limits, pauses, id, suspended, domain);
        let ended = runner.run_on(Flow::Next);
        runner.lifted(ended)
    }

    fn lifted(mut self, ended: Result<(), Halted>) -> Lifted<D::Value> {
        self.tell_faults();
        match ended {
            Err(Halted::Joins) => Lifted::Rests(Box::new(self.suspended())),
            Err(Halted::Stop(Stop::Split)) => {
                self.step_back();
                // An instruction that is run again is no sign of a circle.
                self.watch = Watch::new();
                Lifted::Splits(Box::new(self.suspended()))
            }
            ended => Lifted::Over(self.ended(ended)),
        }
    }

    /// Tells the domain all about what has gone wrong for a part of what its values stand for.
    #[inline]
    fn tell_faults(&mut self) {
        for fault in self.domain.new_faults() {
            let failure = self.failure(fault);
            self.domain.failed(failure);
        }
    }

    fn ended(mut self, ended: Result<(), Halted>) -> Run<D::Value> {
        // What is kept of a machine has no room to spare.
        self.local.frames.iter_mut().for_each(|frame| frame.slots.shrink_to_fit());
        let end = match ended {
            Ok(()) => End::Done,
            Err(Halted::Stop(Stop::Fault(fault))) => End::Failed(Box::new(self.failure(fault))),
            Err(Halted::Stop(Stop::Limit(limit))) => End::Limited(limit),
            Err(Halted::Stop(Stop::Choice(choice))) => End::NeedsChoice(choice),
            Err(Halted::Joins | Halted::Stop(Stop::Split)) => {
                debug_assert!(false, "only lifted runs have cases");
                End::Limited(Limit::Interrupted)
            }
            Err(Halted::Unsupported(what) | Halted::Stop(Stop::Unsupported(what))) => {
                let place = self.place().unwrap_or(self.program.machine(self.local.machine).place);
                End::Unsupported(Unsupported { what, place })
            }
        };
        Run { local: self.local, effects: self.effects, end, has_cooled: self.has_cooled }
    }

    /// Runs on after something that leads here.
    fn run_on(&mut self, first: Flow<D::Value>) -> Result<(), Halted> {
        let mut flow = first;
        loop {
            match flow {
                Flow::Next => {}
                Flow::Rest => return Ok(()),
                Flow::Raise(message) => {
                    self.spend()?;
                    self.leave_functions();
                    self.is_at_join = true;
                    self.raised(message)?;
                }
                Flow::Goto(state, message) => {
                    self.spend()?;
                    self.leave_functions();
                    self.is_at_join = true;
                    self.transition(state, None, message)?;
                }
            }
            self.come_to_next()?;
            flow = if !self.local.frames.is_empty() {
                self.run_function()?
            } else if let Some(task) = self.local.agenda.pop() {
                self.task(task)?
            } else {
                self.local.control = Control::Waiting;
                return Ok(());
            };
        }
    }

    /// What was done is done, and something else comes next.
    #[inline]
    pub(super) fn come_to_next(&mut self) -> Result<(), Halted> {
        self.tell_faults();
        if std::mem::take(&mut self.is_at_join) && self.domain.has_cases() {
            return Err(Halted::Joins);
        }
        Ok(())
    }

    /// Whether a run has taken so long that it may never end.
    #[inline]
    pub(super) fn is_worth_a_look(&self) -> bool {
        self.fuel <= self.alarm
    }

    /// Whether it is seen never to end.
    pub(super) fn is_endless(&mut self) -> bool {
        let spent = self.limits.instructions - self.fuel;
        let Some(circle) = self.watch.look(spent, &self.local, self.choices, &self.effects, self.place()) else { return false };
        (self.place, self.before) = (None, Some(circle));
        true
    }

    fn place(&self) -> Option<Place> {
        self.place.copied().or(self.before)
    }

    /// Pays for an instruction.
    #[inline]
    pub(super) fn pay(&mut self) -> Result<(), Halted> {
        self.spend()?;
        if self.fuel.is_multiple_of(WATCHED) && self.domain.is_over() {
            return Err(Stop::Limit(Limit::Interrupted).into());
        }
        Ok(())
    }

    #[inline]
    fn spend(&mut self) -> Result<(), Halted> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => self.fuel = fuel,
            None => return Err(Stop::Limit(Limit::Instructions(self.limits.instructions)).into()),
        }
        Ok(())
    }

    /// Takes up the machine where it is.
    fn begin(&mut self, input: Input<D::Value>) -> Result<(), Halted> {
        match (std::mem::replace(&mut self.local.control, Control::Waiting), input) {
            (Control::Created(payload), Input::Go) => {
                let declared = self.program.machine(self.local.machine);
                let Some(start) = declared.start else {
                    self.place = Some(&declared.place);
                    return Err(Fault::NoStartState.into());
                };
                self.local.fields = declared.fields.iter().map(|field| self.domain.constant(&field.initial)).collect();
                self.enter(start, &Message { event: NULL_EVENT, payload })
            }
            (Control::Paused(pending), Input::Go) => {
                self.take_up();
                let performed = self.perform(pending);
                self.lay_down();
                performed
            }
            (Control::Receiving, Input::Message(message)) => self.received(message),
            (Control::Waiting, Input::Message(message)) => self.handle(message),
            (Control::Waiting | Control::NullTaken, Input::Null) => {
                let payload = self.domain.constant(&Value::Null);
                self.handle(Message { event: NULL_EVENT, payload })
            }
            (control, _) => {
                // Asked for what is not possible; nothing happens.
                debug_assert!(false, "a machine is given what it does not wait for");
                self.local.control = control;
                Ok(())
            }
        }
    }

    /// Does what was to be done after a scheduling point.
    pub(super) fn perform(&mut self, pending: Pending<D::Value>) -> Result<(), Halted> {
        match pending {
            Pending::Send { target, message } => {
                self.weigh(&message.payload)?;
                self.effects.push(Effect::Send { target, message });
            }
            Pending::Create { interface, payload, to } => {
                let Some(creator) = self.id else { return Ok(()) };
                self.weigh(&payload)?;
                let id = creator.child(self.local.created);
                self.local.created += 1;
                let receives = self.program.interface(interface).receives;
                let reference = self.domain.reference(id.clone(), interface, receives);
                if let Some(to) = to {
                    self.write(to, reference);
                }
                self.effects.push(Effect::Create { id, interface, payload });
            }
        }
        Ok(())
    }

    /// Whether others may be given one more value. They get it when the run is over, so a run that never ends would take all memory.
    /// What is given several times counts as often: that it may be there once must make no difference.
    pub(super) fn weigh(&mut self, payload: &D::Value) -> Result<(), Halted> {
        self.sent = self.sent.saturating_add(self.domain.weight(payload));
        if self.sent > MOST_SENT {
            return Err(Stop::Limit(Limit::Sent(MOST_SENT)).into());
        }
        Ok(())
    }

    /// Handles an event from the queue, or `null`, or what a monitor is told.
    fn handle(&mut self, message: Message<D::Value>) -> Result<(), Halted> {
        let state = self.program.state(self.local.machine, self.local.state);
        match state.reaction(message.event) {
            Reaction::Do(function) => self.call_handler(function, &message),
            Reaction::Goto { target, with } => self.transition(target, with, message),
            Reaction::Defer | Reaction::Ignore => Ok(()),
            Reaction::Unhandled if self.id.is_none() => {
                self.place = Some(&state.place);
                Err(self.unhandled(message.event).into())
            }
            Reaction::Unhandled => {
                self.local.agenda.push(if message.event == HALT { Task::Halt } else { Task::Unhandled(message.event) });
                self.exit(&message)
            }
        }
    }

    /// A raised event that is ignored is dropped, and so is one that is deferred, as in P.
    fn raised(&mut self, message: Message<D::Value>) -> Result<(), Halted> {
        self.handle(message)
    }

    fn transition(&mut self, target: StateId, with: Option<FunctionId>, message: Message<D::Value>) -> Result<(), Halted> {
        self.local.agenda.push(Task::Enter(target, message.clone()));
        if let Some(with) = with {
            self.local.agenda.push(Task::With(with, message.clone()));
        }
        self.exit(&message)
    }

    fn exit(&mut self, message: &Message<D::Value>) -> Result<(), Halted> {
        match self.program.state(self.local.machine, self.local.state).exit {
            Some(exit) => self.call_handler(exit, message),
            None => Ok(()),
        }
    }

    fn enter(&mut self, state: StateId, message: &Message<D::Value>) -> Result<(), Halted> {
        self.local.state = state;
        let state = self.program.state(self.local.machine, state);
        self.has_cooled |= state.temperature == Temperature::Cold;
        match state.entry {
            Some(entry) => self.call_handler(entry, message),
            None => Ok(()),
        }
    }

    fn task(&mut self, task: Task<D::Value>) -> Result<Flow<D::Value>, Halted> {
        match task {
            Task::With(function, message) => self.call_handler(function, &message)?,
            Task::Enter(state, message) => self.enter(state, &message)?,
            Task::Unhandled(event) => {
                self.place = Some(&self.program.state(self.local.machine, self.local.state).place);
                return Err(self.unhandled(event).into());
            }
            Task::Halt => {
                self.local.control = Control::Halted;
                self.local.fields.clear();
                return Ok(Flow::Rest);
            }
        }
        Ok(Flow::Next)
    }

    /// Calls a function for an event. One without a parameter does not care what the event carries.
    fn call_handler(&mut self, id: FunctionId, message: &Message<D::Value>) -> Result<(), Halted> {
        let function = self.program.function(id);
        self.place = Some(&function.place);
        let mut args = self.new_slots(id);
        if function.param_count > 0 {
            let name = &self.program.event(message.event).name;
            args.push(self.domain.bind(name, &message.payload, function.slots[0].ty)?);
        }
        self.call(id, args, None)
    }

    /// Room for what a function is called with, and for its other slots.
    pub(super) fn new_slots(&mut self, id: FunctionId) -> Vec<D::Value> {
        let count = self.program.function(id).slots.len();
        match self.spare.iter_mut().find(|slots| slots.capacity() >= count) {
            Some(slots) => std::mem::take(slots),
            None => Vec::with_capacity(count),
        }
    }

    /// Keeps the slots of a function that has returned.
    pub(super) fn keep_slots(&mut self, mut slots: Vec<D::Value>) {
        if let Some(place) = self.spare.iter_mut().find(|place| place.capacity() == 0) {
            slots.clear();
            *place = slots;
        }
    }

    pub(super) fn call(&mut self, id: FunctionId, args: Vec<D::Value>, result: Option<crate::code::Slot>) -> Result<(), Halted> {
        let function = self.program.function(id);
        if function.is_foreign() {
            self.place = Some(&function.place);
            return Err(Halted::Unsupported(format!("the function `{}` is written in another language", function.name)));
        }
        if self.local.frames.len() >= self.limits.frames {
            return Err(Stop::Limit(Limit::Frames(self.limits.frames)).into());
        }
        let mut slots = args;
        let rest = &function.slots[slots.len().min(function.slots.len())..];
        slots.extend(rest.iter().map(|slot| self.domain.constant(&slot.initial)));
        self.local.frames.push(Frame { function: id, block: BlockId(0), instr: 0, slots, result });
        Ok(())
    }

    /// The event a `receive` was waiting for.
    fn received(&mut self, message: Message<D::Value>) -> Result<(), Halted> {
        let Some(case) = receive_cases(self.program, &self.local).iter().find(|case| case.event == message.event) else {
            // Only `halt` comes without a case.
            self.leave_functions();
            return self.raised(message);
        };
        let name = &self.program.event(message.event).name;
        let value = match case.param {
            Some((slot, ty)) => Some((slot, self.domain.bind(name, &message.payload, ty)?)),
            None => None,
        };
        if let Some(frame) = self.local.frames.last_mut() {
            frame.block = case.block;
            frame.instr = 0;
            if let Some((slot, value)) = value {
                frame.slots[slot.0 as usize] = value;
            }
        }
        Ok(())
    }

    /// Nothing of the functions that were running is left.
    fn leave_functions(&mut self) {
        self.local.frames.clear();
    }

    fn unhandled(&self, event: EventId) -> Fault {
        Fault::UnhandledEvent { event: self.program.event(event).name.clone() }
    }

    fn failure(&self, fault: Fault) -> Failure {
        let declared = self.program.machine(self.local.machine);
        let who = match (self.id, self.local.interface) {
            (Some(id), Some(interface)) => format!("{}({id})", self.program.interface(interface).name),
            _ => declared.name.to_string(),
        };
        let state = declared.states.get(self.local.state.index()).map(|state| state.name.clone()).unwrap_or_default();
        Failure { fault, who, state, place: self.place() }
    }
}

/// The cases of the `receive` at which the innermost function is.
pub(crate) fn receive_cases<'a, V>(program: &'a Program, local: &Local<V>) -> &'a [Case] {
    let Some(frame) = local.frames.last() else { return &[] };
    match program.function(frame.function).blocks.get(frame.block.0 as usize).map(|block| &block.end) {
        Some(Terminator::Receive(cases)) => cases,
        _ => &[],
    }
}
