//! Runs a trace again and writes down what happens.
//!
//! A handler that is one run is told as if others could have acted before each of its sends: nobody did, and so each send has a place of
//! its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_runtime::{
    Action, Choice, Choices, Concrete, Configuration, Control, Effect, End, Failure, Fault, Function, Input, Local, MachineId,
    MachineTypeId, Message as Sent, MonitorId, Pauses, Pending, Place, Program, Reaction, ReplayEnd, Run, Script, Settings,
    Shown, Step, Trace, Value, hot_for_ever, replay, run_handler, tell_monitor,
};

use crate::story::{Actor, Bug, Change, Fate, Located, Message, Moment, StateChange, Story, What};

/// The story of a trace, and how running it again ends. `locate` knows the texts. A trace that the program cannot follow has the
/// story of the part that it can. `repeats_from` is the decision from which on the trace repeats itself for ever, if it does.
pub fn tell(
    program: &Program,
    settings: &Settings,
    trace: &Trace,
    repeats_from: Option<usize>,
    locate: &dyn Fn(Place) -> Option<Located>,
) -> (Story, ReplayEnd) {
    let mut end = replay(program, settings, trace).end;
    if let (ReplayEnd::Fine, Some(from)) = (&end, repeats_from)
        && let Some(failure) = hot_for_ever(program, settings, trace, from)
    {
        end = ReplayEnd::Failed(Box::new(failure));
    }
    let followed = match &end {
        ReplayEnd::Diverged(decision) => *decision,
        _ => trace.decisions.len(),
    };
    let mut telling = Telling::new(program, settings, locate);
    if let Ok(configuration) = Configuration::initial(program, settings) {
        telling.follow(configuration, trace, followed);
    }
    let mut story = telling.story;
    if let ReplayEnd::Failed(failure) = &end {
        let mut bug = bug(failure, locate);
        // A program that has changed can fail on the way: then nothing happens again.
        let repeats_from = repeats_from.filter(|_| matches!(failure.fault, Fault::HotForever));
        let repeated = story.moments.iter().position(|moment| repeats_from.is_some_and(|from| moment.decision >= from));
        if let Some(first) = repeated {
            bug.message += &format!(" (from number {} on it all happens again)", first + 1);
            story.repeats_from = Some(first);
        }
        story.bug = Some(bug);
    }
    (story, end)
}

fn bug(failure: &Failure, locate: &dyn Fn(Place) -> Option<Located>) -> Bug {
    Bug {
        code: failure.fault.code().to_owned(),
        message: failure.fault.to_string(),
        who: failure.who.clone(),
        state: failure.state.to_string(),
        place: failure.place.and_then(locate),
    }
}

struct Telling<'a> {
    program: &'a Program,
    settings: &'a Settings,
    locate: &'a dyn Fn(Place) -> Option<Located>,
    story: Story,
    machines: BTreeMap<MachineId, usize>,
    monitors: BTreeMap<MonitorId, usize>,
    /// For each machine the messages in its queue, in order of sending.
    queued: BTreeMap<MachineId, Vec<usize>>,
    decision: usize,
}

/// A spec that was told of something.
struct Told {
    monitor: MonitorId,
    before: Arc<Local>,
    message: Sent,
    run: Run,
}

impl<'a> Telling<'a> {
    fn new(program: &'a Program, settings: &'a Settings, locate: &'a dyn Fn(Place) -> Option<Located>) -> Self {
        let main = Actor { name: machine_name(program, &MachineId::main(), program.main), is_spec: false };
        let story = Story { actors: vec![main], ..Story::default() };
        let machines = BTreeMap::from([(MachineId::main(), 0)]);
        let (monitors, queued) = (BTreeMap::new(), BTreeMap::new());
        Self { program, settings, locate, story, machines, monitors, queued, decision: 0 }
    }

    fn follow(&mut self, mut configuration: Configuration, trace: &Trace, count: usize) {
        for (number, decision) in trace.decisions.iter().take(count).enumerate() {
            self.decision = number;
            let mut answers = Script::new(&decision.answers);
            let mut step = decision.step.clone();
            while self.step(&mut configuration, &step, &mut answers) {
                step.action = Action::Resume;
            }
        }
    }

    /// Makes a step. Whether the same machine has to go on at once, because with these settings nobody may act in between.
    fn step(&mut self, configuration: &mut Configuration, step: &Step, answers: &mut Script<'_>) -> bool {
        let Some(&actor) = self.machines.get(&step.machine) else { return false };
        let Some((before, input)) = configuration.begin(self.program, step) else { return false };
        let opening = self.opening(configuration, step, actor, &before, &input);
        let mut recorded = Recorded { program: self.program, answers, given: Vec::new(), values: Vec::new() };
        let mut domain = Concrete::new(self.program, &mut recorded);
        let local = (*before).clone();
        let limits = &self.settings.limits;
        let run = run_handler(self.program, limits, Pauses::AtSends, &step.machine, local, input, &mut domain);
        self.story.moments.push(Moment {
            actor,
            decision: self.decision,
            what: opening.0,
            place: opening.1.and_then(self.locate),
            state: state_change(self.program, &before, &run.local),
            changes: changes(self.program, &before, &run.local),
            choices: recorded.given,
            chosen: recorded.values,
        });
        self.note_prints(actor, &run);
        let goes_on = run.end == End::Done && matches!(run.local.control, Control::Paused(_));
        let mut told = Vec::new();
        let target = target(&run);
        let result = configuration.finish(self.program, self.settings, &step.machine, run, |monitor, before, message| {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(self.program, &mut script);
            let run = tell_monitor(self.program, limits, (**before).clone(), message.clone(), &mut domain);
            told.push(Told { monitor, before: before.clone(), message: message.clone(), run: run.clone() });
            run
        });
        told.into_iter().for_each(|told| self.note_observed(actor, &told));
        if result.is_ok() {
            for machine in target.iter().chain([&step.machine]) {
                self.drop_what_is_gone(configuration, machine);
            }
        }
        result.is_ok() && goes_on && self.settings.pauses(self.program) == Pauses::Never
    }

    /// What a machine does first, and where that is written.
    fn opening(
        &mut self,
        configuration: &Configuration,
        step: &Step,
        actor: usize,
        before: &Local,
        input: &Input,
    ) -> (What, Option<Place>) {
        let moment = self.story.moments.len();
        match (&before.control, input) {
            (Control::Created(payload), _) => {
                let state = self.program.state(before.machine, before.state);
                let place = state.entry.map_or(state.place, |entry| self.program.function(entry).place);
                (What::Start { payload: self.shown(payload) }, Some(place))
            }
            (Control::Paused(Pending::Send { target, message }), _) => {
                let is_lost = configuration.machine(target).is_none_or(|machine| machine.local.is_halted());
                let number = self.story.messages.len();
                self.story.messages.push(Message {
                    event: self.program.event(message.event).name.to_string(),
                    payload: self.shown(&message.payload),
                    from: actor,
                    to: self.machines.get(target).copied().unwrap_or(actor),
                    sent: moment,
                    fate: if is_lost { Fate::Lost } else { Fate::Waiting },
                });
                if !is_lost {
                    self.queued.entry(target.clone()).or_default().push(number);
                }
                (What::Send { message: number }, self.paused_at(before))
            }
            (Control::Paused(Pending::Create { interface, .. }), _) => {
                let created = self.story.actors.len();
                let child = step.machine.child(before.created);
                self.story.actors.push(Actor { name: machine_name(self.program, &child, *interface), is_spec: false });
                self.machines.insert(child, created);
                (What::Create { actor: created }, self.paused_at(before))
            }
            (_, Input::Message(message)) => (self.taken(step, message, moment), self.handler_place(before, message)),
            (_, Input::Go | Input::Null) => {
                (What::Null, self.handler_place(before, &Sent { event: lockstep_runtime::NULL_EVENT, payload: Value::Null }))
            }
        }
    }

    /// The first message of its kind in the lane is the one that is taken: what makes a message wanted is its event alone.
    fn taken(&mut self, step: &Step, message: &Sent, moment: usize) -> What {
        let event = &self.program.event(message.event).name;
        let from = match &step.action {
            Action::Take { from: Some(from) } => self.machines.get(from).copied(),
            _ => None,
        };
        let queue = self.queued.entry(step.machine.clone()).or_default();
        let is_it = |number: &usize| {
            let known = &self.story.messages[*number];
            known.event == event.as_str() && from.is_none_or(|from| known.from == from)
        };
        match queue.iter().position(is_it) {
            Some(position) => {
                let number = queue.remove(position);
                self.story.messages[number].fate = Fate::Taken { moment };
                What::Take { message: number }
            }
            None => What::Null,
        }
    }

    /// A machine drops what it ignores, and everything when it halts.
    fn drop_what_is_gone(&mut self, configuration: &Configuration, id: &MachineId) {
        let Some(machine) = configuration.machine(id) else { return };
        let Some(queue) = self.queued.get_mut(id) else { return };
        let fate = if machine.local.is_halted() { Fate::Lost } else { Fate::Ignored };
        let mut left: Vec<(Option<usize>, &Sent)> = Vec::new();
        for lane in &machine.queue.lanes {
            let from = lane.from.as_ref().and_then(|from| self.machines.get(from)).copied();
            left.extend(lane.messages.iter().map(|message| (from, message)));
        }
        // What is dropped lies in front of what is kept, so the last ones stay.
        let mut kept = Vec::new();
        for number in std::mem::take(queue).into_iter().rev() {
            let known = &self.story.messages[number];
            let is_it = |(from, message): &(Option<usize>, &Sent)| {
                self.program.event(message.event).name == known.event.as_str() && from.is_none_or(|from| known.from == from)
            };
            match left.iter().rposition(is_it) {
                Some(position) => {
                    left.remove(position);
                    kept.push(number);
                }
                None => self.story.messages[number].fate = fate,
            }
        }
        kept.reverse();
        *queue = kept;
    }

    fn note_prints(&mut self, actor: usize, run: &Run) {
        for effect in &run.effects {
            if let Effect::Print(text) = effect {
                self.plain(actor, What::Print { text: text.clone() });
            }
        }
    }

    fn note_observed(&mut self, by: usize, told: &Told) {
        let declared = self.program.monitors[told.monitor.index()].machine;
        let actors = &mut self.story.actors;
        let spec = *self.monitors.entry(told.monitor).or_insert_with(|| {
            actors.push(Actor { name: self.program.machine(declared).name.to_string(), is_spec: true });
            actors.len() - 1
        });
        let event = self.program.event(told.message.event).name.to_string();
        let payload = self.shown(&told.message.payload);
        self.story.moments.push(Moment {
            actor: spec,
            decision: self.decision,
            what: What::Observe { by, event, payload },
            place: self.handler_place(&told.before, &told.message).and_then(self.locate),
            state: state_change(self.program, &told.before, &told.run.local),
            changes: changes(self.program, &told.before, &told.run.local),
            choices: Vec::new(),
            chosen: Vec::new(),
        });
    }

    fn plain(&mut self, actor: usize, what: What) {
        let decision = self.decision;
        let (place, state, changes, choices, chosen) = (None, None, Vec::new(), Vec::new(), Vec::new());
        self.story.moments.push(Moment { actor, decision, what, place, state, changes, choices, chosen });
    }

    /// The instruction at which a machine paused: it has been counted already.
    fn paused_at(&self, local: &Local) -> Option<Place> {
        let frame = local.frames.last()?;
        let function: &Function = self.program.function(frame.function);
        let block = function.blocks.get(frame.block.0 as usize)?;
        Some(block.instrs.get((frame.instr as usize).checked_sub(1)?)?.place)
    }

    /// What the machine is about to run for an event.
    fn handler_place(&self, local: &Local, message: &Sent) -> Option<Place> {
        if matches!(local.control, Control::Receiving) {
            let frame = local.frames.last()?;
            return Some(self.program.function(frame.function).blocks.get(frame.block.0 as usize)?.place);
        }
        let state = self.program.state(local.machine, local.state);
        let target = |target| self.program.state(local.machine, target);
        let function = match state.reaction(message.event) {
            Reaction::Do(function) => Some(function),
            Reaction::Goto { target: to, with } => with.or(target(to).entry),
            Reaction::Defer | Reaction::Ignore | Reaction::Unhandled => None,
        };
        Some(function.map_or(state.place, |function| self.program.function(function).place))
    }

    fn shown(&self, value: &Value) -> Option<String> {
        (*value != Value::Null).then(|| Shown(self.program, value).to_string())
    }
}

/// Answers that are known, noted with how many there were to choose from.
struct Recorded<'s, 'a> {
    program: &'s Program,
    answers: &'s mut Script<'a>,
    given: Vec<(u32, u32)>,
    values: Vec<String>,
}

impl Choices for Recorded<'_, '_> {
    fn choose(&mut self, choice: Choice) -> Option<u32> {
        let answer = self.answers.choose(choice)?;
        self.given.push((answer + 1, choice.options));
        Some(answer)
    }

    fn chosen(&mut self, value: &Value) {
        self.values.push(Shown(self.program, value).to_string());
    }
}

/// Whose queue a run has changed.
fn target(run: &Run) -> Option<MachineId> {
    run.effects.iter().find_map(|effect| match effect {
        Effect::Send { target, .. } => Some(target.clone()),
        _ => None,
    })
}

fn machine_name(program: &Program, id: &MachineId, interface: lockstep_runtime::InterfaceId) -> String {
    format!("{}({id})", program.interface(interface).name)
}

fn state_change(program: &Program, before: &Local, after: &Local) -> Option<StateChange> {
    let name = |machine: MachineTypeId, state| program.state(machine, state).name.to_string();
    if after.is_halted() {
        return Some(StateChange { from: name(before.machine, before.state), to: None });
    }
    let has_changed = before.state != after.state;
    has_changed.then(|| StateChange { from: name(before.machine, before.state), to: Some(name(after.machine, after.state)) })
}

/// Variables of a machine that has halted are gone, and that is no change.
fn changes(program: &Program, before: &Local, after: &Local) -> Vec<Change> {
    let fields = &program.machine(before.machine).fields;
    let mut found = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let Some(after) = after.fields.get(index) else { continue };
        // A machine that has not been started has no variables yet.
        let before = before.fields.get(index).unwrap_or(&field.initial);
        if before != after {
            let shown = |value| Shown(program, value).to_string();
            found.push(Change { variable: field.name.to_string(), before: shown(before), after: shown(after) });
        }
    }
    found
}
