//! A trace run once, and every point at which a debugger can stop in it.
//!
//! Points are: before each moment of the story (a machine takes a message, sends one, starts, ...; a spec is told of something), before
//! each statement, and the end. The system as it is at each decision is kept, which is cheap because systems share what did not
//! change; the points inside a decision are made again when somebody goes there, by running it again.
//!
//! What a machine does to others is done here in the order of its statements, one effect at a time, so that a spec is seen at the
//! statement that told it. The result is that of `Configuration::apply`, which the tests compare.

use std::collections::BTreeMap;
use std::sync::Arc;

use lockstep_runtime::{
    Action, Concrete, Configuration, Control, Effect, End, Failure, Input, Local, Machine, MachineId, Message, MonitorId, Pauses,
    Place, Program, Run, Script, Settings, Step, Terminator, Trace, Value, Watcher, run_handler, start_monitor, tell_monitor,
};
use lockstep_trace::{Story, What};

use crate::activation::Activations;
use crate::statements::Statements;

/// Statements of one run that are shown one by one, and how much may be kept for them: functions that have not returned, and parts of
/// values that were copied because they changed. A loop can run for millions; the rest is passed over, and that is told.
const MOST_STATEMENTS: usize = 10_000;
const MOST_KEPT: u64 = 2_000_000;
/// What a function weighs, in parts of values.
const FRAME: u64 = 4;

/// A machine or a spec.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Actor {
    Machine(MachineId),
    Spec(MonitorId),
}

/// The whole system between two things that happen, and what a debugger remembers of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    pub system: Configuration,
    pub(crate) remembered: BTreeMap<Actor, Activations>,
}

/// Where a debugger can stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Who acts next.
    pub actor: Actor,
    pub kind: Kind,
    pub situation: Situation,
    /// What was printed since the point before.
    pub printed: Vec<String>,
    /// Whether statements after this one are passed over, because there are too many.
    pub is_cut: bool,
}

/// What a point stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A moment of the story, by number; `None` for one that is not told: a machine finds no event and will handle `null`.
    Moment(Option<usize>),
    Statement(Place),
    /// Nothing: the trace ends here.
    End,
}

/// A run with everything that is needed to go through it.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) program: Program,
    pub(crate) statements: Statements,
    settings: Settings,
    trace: Trace,
    pub(crate) story: Story,
    /// What the run ends in.
    pub(crate) failure: Option<Failure>,
    /// Before each decision, with what was printed since the last point.
    starts: Vec<(Situation, Vec<String>)>,
    /// How many points each decision has.
    counts: Vec<usize>,
    end: Point,
    /// Everybody who is there at some time, machines in the order of creation.
    pub(crate) actors: Vec<Actor>,
}

impl Recording {
    /// Runs a trace, whose story and end are known.
    pub(crate) fn new(program: Program, settings: Settings, trace: Trace, story: Story, failure: Option<Failure>) -> Self {
        let statements = Statements::new(&program);
        let situation = Situation { system: beginning(&program, &settings), remembered: BTreeMap::new() };
        let last =
            Point { actor: Actor::Machine(MachineId::main()), kind: Kind::End, situation, printed: Vec::new(), is_cut: false };
        let (starts, counts, actors) = (Vec::new(), Vec::new(), vec![last.actor.clone()]);
        let mut recording = Self { program, statements, settings, trace, story, failure, starts, counts, end: last, actors };
        recording.record();
        recording
    }

    fn record(&mut self) {
        let (mut situation, mut printed) = (self.end.situation.clone(), Vec::new());
        for decision in 0..self.trace.decisions.len() {
            self.starts.push((situation, printed));
            let played = self.play(decision);
            self.counts.push(played.points.len());
            situation = played.situation;
            printed = played.printed;
            for (id, _) in &situation.system.machines {
                let actor = Actor::Machine(id.clone());
                if !self.actors.contains(&actor) {
                    self.actors.push(actor);
                }
            }
        }
        self.actors.extend((0..).map(MonitorId).zip(&self.program.monitors).map(|(id, _)| Actor::Spec(id)));
        self.end.situation = situation;
        self.end.printed = printed;
        let who = |actor: &&Actor| self.failure.as_ref().is_some_and(|failure| failure.who == self.name(actor));
        let last = self.trace.decisions.last().map(|decision| Actor::Machine(decision.step.machine.clone()));
        let culprit = self.actors.iter().find(who).cloned().or(last);
        self.end.actor = culprit.unwrap_or(Actor::Machine(MachineId::main()));
    }

    /// How many decisions there are. The end has the number behind the last.
    pub(crate) fn decisions(&self) -> usize {
        self.counts.len()
    }

    /// How many points a decision has; never none.
    pub(crate) fn count(&self, decision: usize) -> usize {
        self.counts.get(decision).copied().unwrap_or(1)
    }

    /// The points of a decision, or the end.
    pub(crate) fn points(&self, decision: usize) -> Vec<Point> {
        if decision < self.decisions() { self.play(decision).points } else { vec![self.end.clone()] }
    }

    /// `Server(1.2)`; the name alone for a spec.
    pub(crate) fn name(&self, actor: &Actor) -> String {
        match actor {
            Actor::Machine(id) => {
                let known = self.end.situation.system.machine(id).and_then(|machine| machine.local.interface);
                let name = known.map_or("machine", |interface| self.program.interface(interface).name.as_str());
                format!("{name}({id})")
            }
            Actor::Spec(id) => self.program.machine(self.program.monitors[id.index()].machine).name.to_string(),
        }
    }

    /// The decision that a moment of the story belongs to.
    pub(crate) fn decision_of(&self, moment: usize) -> Option<usize> {
        Some(self.story.moments.get(moment)?.decision)
    }

    /// What can happen in a situation, whatever the trace does.
    pub(crate) fn enabled(&self, situation: &Situation) -> Vec<Step> {
        situation.system.enabled(&self.program, &self.settings)
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    fn play(&self, decision: usize) -> Played {
        let (situation, printed) = self.starts[decision].clone();
        let mut playing = Playing {
            recording: self,
            moments: self.story.moments.iter().position(|moment| moment.decision == decision).unwrap_or(self.story.moments.len()),
            decision,
            played: Played { points: Vec::new(), situation, printed },
        };
        let decided = &self.trace.decisions[decision];
        let mut answers = Script::new(&decided.answers);
        let mut step = decided.step.clone();
        while playing.step(&step, &mut answers) {
            step.action = Action::Resume;
        }
        playing.played
    }
}

/// Like `Configuration::initial`, and one in which a spec fails at once is shown too.
fn beginning(program: &Program, settings: &Settings) -> Configuration {
    Configuration::initial(program, settings).unwrap_or_else(|_| {
        let start = |(monitor, _)| {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(program, &mut script);
            Arc::new(start_monitor(program, &settings.limits, monitor, &mut domain).local)
        };
        let monitors = (0..).map(MonitorId).zip(&program.monitors).map(start).collect();
        let main = Machine::created(program, program.main, Value::Null);
        Configuration { machines: vec![(MachineId::main(), Arc::new(main))], monitors }
    })
}

/// What a decision does.
struct Played {
    points: Vec<Point>,
    /// Afterwards; if something failed, as it was then.
    situation: Situation,
    /// What was printed since the last point.
    printed: Vec<String>,
}

struct Playing<'a> {
    recording: &'a Recording,
    decision: usize,
    /// The next moment of the story.
    moments: usize,
    played: Played,
}

/// A machine before a statement.
struct Seen {
    local: Local,
    activations: Activations,
    place: Place,
    /// How many effects there were by then.
    effects: usize,
}

/// Notes the statements of a run.
struct Notes<'a> {
    program: &'a Program,
    statements: &'a Statements,
    activations: Activations,
    seen: Vec<Seen>,
    kept: u64,
    is_cut: bool,
}

impl Watcher for &mut Notes<'_> {
    fn watch(&mut self, local: &Local, effects: &[Effect]) {
        if self.is_cut {
            return;
        }
        if let Some(place) = self.activations.begin(self.statements, local) {
            self.kept += self.seen.last().map_or(0, |last| FRAME * local.frames.len() as u64 + copied(&last.local, local));
            if self.seen.len() >= MOST_STATEMENTS || self.kept > MOST_KEPT {
                self.is_cut = true;
                return;
            }
            let activations = self.activations.clone();
            self.seen.push(Seen { local: local.clone(), activations, place, effects: effects.len() });
        }
        self.activations.pass(self.program, local);
    }
}

/// How large the variables are that are not shared with an earlier copy of the machine.
fn copied(before: &Local, after: &Local) -> u64 {
    fn slots(local: &Local) -> &[Value] {
        local.frames.last().map_or(&[], |frame| &frame.slots)
    }
    let pairs = before.fields.iter().zip(&after.fields).chain(slots(before).iter().zip(slots(after)));
    let changed = pairs.filter(|(before, after)| !is_shared(before, after));
    changed.map(|(_, after)| after.weight()).sum()
}

fn is_shared(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => Arc::ptr_eq(a, b),
        (Value::Set(a), Value::Set(b)) | (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
        (Value::Named(a), Value::Named(b)) => Arc::ptr_eq(a, b),
        (Value::String(a), Value::String(b)) => Arc::ptr_eq(a, b),
        _ => after.weight() <= 1,
    }
}

impl Playing<'_> {
    /// Makes a step. Whether the same machine has to go on at once, because with these settings nobody may act in between.
    fn step(&mut self, step: &Step, answers: &mut Script<'_>) -> bool {
        let Recording { program, settings, .. } = self.recording;
        let actor = Actor::Machine(step.machine.clone());
        let begins = step.action != Action::TakeNull;
        let moment = if begins { self.moment(|what| !matches!(what, What::Observe { .. } | What::Print { .. })) } else { None };
        self.point(actor.clone(), Kind::Moment(moment));
        let Some((before, input)) = self.played.situation.system.begin(program, step) else { return false };
        let mut notes = self.notes(&actor, &before, &input);
        let mut domain = Concrete::watched(program, answers, &mut notes);
        let local = (*before).clone();
        let run = run_handler(program, &settings.limits, Pauses::AtSends, &step.machine, local, input, &mut domain);
        let goes_on = run.end == End::Done && matches!(run.local.control, Control::Paused(_));
        let Notes { activations, seen, is_cut, .. } = notes;
        let mut effects = run.effects.into_iter();
        let mut done = 0;
        for seen in seen {
            for effect in effects.by_ref().take(seen.effects - done) {
                if !self.effect(&step.machine, effect) {
                    return false;
                }
            }
            done = seen.effects;
            self.set(&actor, seen.local, seen.activations);
            self.point(actor.clone(), Kind::Statement(seen.place));
        }
        self.cut(is_cut);
        for effect in effects {
            if !self.effect(&step.machine, effect) {
                return false;
            }
        }
        self.set(&actor, run.local.clone(), activations);
        let nothing = Run { local: run.local, effects: Vec::new(), end: run.end, has_cooled: false };
        self.finish(&step.machine, nothing) && goes_on && settings.pauses(program) == Pauses::Never
    }

    fn notes(&self, actor: &Actor, before: &Local, input: &Input) -> Notes<'_> {
        let Recording { program, statements, .. } = self.recording;
        let mut activations = self.played.situation.remembered.get(actor).cloned().unwrap_or_default();
        if let (Control::Receiving, Input::Message(message)) = (&before.control, input)
            && let Some(frame) = before.frames.last()
            && let Terminator::Receive(cases) = &program.function(frame.function).blocks[frame.block.0 as usize].end
        {
            let case = cases.iter().find(|case| case.event == message.event);
            case.and_then(|case| case.param).into_iter().for_each(|(slot, _)| activations.receive(slot));
        }
        Notes { program, statements, activations, seen: Vec::new(), kept: 0, is_cut: false }
    }

    /// One thing that a machine does to others. Whether the run goes on.
    fn effect(&mut self, machine: &MachineId, effect: Effect) -> bool {
        if let Effect::Print(text) = effect {
            self.played.printed.push(text);
            return true;
        }
        let program = &self.recording.program;
        if let Effect::Tell(message) = effect {
            let interface = self.played.situation.system.machine(machine).and_then(|machine| machine.local.interface);
            let Some(interface) = interface else { return true };
            let observes = |id: &&MonitorId| program.monitors[id.index()].observes.contains(message.event);
            return program.interface(interface).monitors.iter().filter(observes).all(|monitor| self.tell(*monitor, &message));
        }
        // A machine that is in the middle of something drops nothing of its own queue.
        let Some(own) = self.played.situation.system.machine(machine).map(|machine| machine.local.clone()) else { return false };
        let local = Local { control: Control::NullTaken, ..(*own).clone() };
        let run = Run { local, effects: vec![effect], end: End::Done, has_cooled: false };
        let is_fine = self.finish(machine, run);
        self.put_back(machine, own);
        is_fine
    }

    /// Whether the run ended well.
    fn finish(&mut self, machine: &MachineId, run: Run) -> bool {
        let Recording { program, settings, .. } = self.recording;
        let tell = |_, monitor: &Arc<Local>, message: &Message| {
            let mut script = Script::new(&[]);
            let mut domain = Concrete::new(program, &mut script);
            tell_monitor(program, &settings.limits, (**monitor).clone(), message.clone(), &mut domain)
        };
        self.played.situation.system.finish(program, settings, machine, run, tell).is_ok()
    }

    fn tell(&mut self, monitor: MonitorId, message: &Message) -> bool {
        let Recording { program, settings, .. } = self.recording;
        let actor = Actor::Spec(monitor);
        let moment = self.moment(|what| matches!(what, What::Observe { .. }));
        self.point(actor.clone(), Kind::Moment(moment));
        let before = self.played.situation.system.monitors[monitor.index()].clone();
        let mut notes = self.notes(&actor, &before, &Input::Go);
        let mut script = Script::new(&[]);
        let mut domain = Concrete::watched(program, &mut script, &mut notes);
        let run = tell_monitor(program, &settings.limits, (*before).clone(), message.clone(), &mut domain);
        let Notes { activations, seen, is_cut, .. } = notes;
        for seen in seen {
            self.set(&actor, seen.local, seen.activations);
            self.point(actor.clone(), Kind::Statement(seen.place));
        }
        self.cut(is_cut);
        self.set(&actor, run.local, activations);
        run.end == End::Done
    }

    fn set(&mut self, actor: &Actor, local: Local, mut activations: Activations) {
        activations.settle(&local);
        self.played.situation.remembered.insert(actor.clone(), activations);
        match actor {
            Actor::Machine(id) => self.put_back(id, Arc::new(local)),
            Actor::Spec(id) => self.played.situation.system.monitors[id.index()] = Arc::new(local),
        }
    }

    fn put_back(&mut self, id: &MachineId, local: Arc<Local>) {
        let machines = &mut self.played.situation.system.machines;
        if let Some((_, machine)) = machines.iter_mut().find(|(known, _)| known == id) {
            Arc::make_mut(machine).local = local;
        }
    }

    fn point(&mut self, actor: Actor, kind: Kind) {
        let situation = self.played.situation.clone();
        let printed = std::mem::take(&mut self.played.printed);
        self.played.points.push(Point { actor, kind, situation, printed, is_cut: false });
    }

    fn cut(&mut self, is_cut: bool) {
        self.played.points.iter_mut().last().into_iter().for_each(|point| point.is_cut = is_cut);
    }

    /// The next moment of this kind in this decision.
    fn moment(&mut self, is_it: impl Fn(&What) -> bool) -> Option<usize> {
        let moments = self.recording.story.moments.iter().enumerate().skip(self.moments);
        let mut moments = moments.take_while(|(_, moment)| moment.decision == self.decision);
        let (found, _) = moments.find(|(_, moment)| is_it(&moment.what))?;
        self.moments = found + 1;
        Some(found)
    }
}
