//! Who is there and where: machines and specs, and the functions of each that have not returned.

use lockstep_runtime::{Control, FunctionId, Local, MachineTypeId, Pending, Place, Program, Reaction, Shown};

use crate::recording::{Actor, Kind, Situation};
use crate::session::Session;

/// A function that has not returned, or the state below all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView {
    pub name: String,
    pub place: Option<Place>,
    /// Counted from the outermost function; `None` for the state.
    pub depth: Option<usize>,
}

impl Situation {
    /// What a machine or spec knows; `None` if it is not there yet.
    pub fn local(&self, actor: &Actor) -> Option<&Local> {
        match actor {
            Actor::Machine(id) => self.system.machine(id).map(|machine| &*machine.local),
            Actor::Spec(id) => self.system.monitors.get(id.index()).map(|local| &**local),
        }
    }
}

/// The functions of an actor, the innermost first, and its state last.
pub fn frames(session: &Session, actor: &Actor) -> Vec<FrameView> {
    let Some(local) = session.situation().local(actor) else { return Vec::new() };
    let program = session.program();
    let mut found: Vec<FrameView> = Vec::new();
    for (depth, frame) in local.frames.iter().enumerate().rev() {
        let name = function_name(program, local.machine, frame.function);
        found.push(FrameView { name, place: place_of(session, actor, local, depth), depth: Some(depth) });
    }
    found.push(state_frame(program, local));
    let point = session.point();
    if point.kind == Kind::End && point.actor == *actor {
        let failed = session.recording.failure.as_ref().and_then(|failure| failure.place);
        found[0].place = failed.or(found[0].place);
    }
    found
}

fn place_of(session: &Session, actor: &Actor, local: &Local, depth: usize) -> Option<Place> {
    let (program, statements) = (session.program(), &session.recording.statements);
    let frame = &local.frames[depth];
    let function = program.function(frame.function);
    let is_innermost = depth + 1 == local.frames.len();
    if !is_innermost || matches!(local.control, Control::Paused(_)) {
        return statements.before(frame).or(Some(function.place));
    }
    if let (Kind::Statement(place), true) = (session.point().kind, session.point().actor == *actor) {
        return Some(place);
    }
    let end = function.blocks.get(frame.block.0 as usize).map(|block| block.place);
    statements.at(frame).or(end).or(Some(function.place))
}

fn state_frame(program: &Program, local: &Local) -> FrameView {
    let declared = program.machine(local.machine);
    let state = declared.states.get(local.state.index());
    let (name, place) = match (&local.control, state) {
        (Control::Halted, _) => ("halted".to_owned(), declared.place),
        (Control::Created(_), _) => ("not started".to_owned(), declared.place),
        (_, Some(state)) => (format!("state {}", state.name), state.place),
        (_, None) => ("no state".to_owned(), declared.place),
    };
    FrameView { name, place: Some(place), depth: None }
}

/// A function by its name, the code of a handler by what it handles.
fn function_name(program: &Program, machine: MachineTypeId, id: FunctionId) -> String {
    let function = program.function(id);
    if !function.name.is_empty() {
        return function.name.to_string();
    }
    for state in &program.machine(machine).states {
        if state.entry == Some(id) {
            return format!("{}: entry", state.name);
        }
        if state.exit == Some(id) {
            return format!("{}: exit", state.name);
        }
        let handles = |reaction: &Reaction| match reaction {
            Reaction::Do(function) => *function == id,
            Reaction::Goto { with, .. } => *with == Some(id),
            Reaction::Unhandled | Reaction::Defer | Reaction::Ignore => false,
        };
        if let Some(event) = state.reactions.iter().position(handles) {
            return format!("{}: on {}", state.name, program.events[event].name);
        }
    }
    "handler".to_owned()
}

/// What a machine needs to go on, in words.
pub(crate) fn needs(program: &Program, local: &Local) -> String {
    match &local.control {
        Control::Created(_) => "to be started".to_owned(),
        Control::Halted => "nothing: it has halted".to_owned(),
        Control::NullTaken => "its turn, to handle null".to_owned(),
        Control::Receiving => "an event of its receive".to_owned(),
        Control::Waiting if local.frames.is_empty() => "an event it handles".to_owned(),
        Control::Waiting => "nothing: it is running".to_owned(),
        Control::Paused(Pending::Send { message, .. }) => format!("its turn, to send {}", program.event(message.event).name),
        Control::Paused(Pending::Create { interface, payload, .. }) => {
            let name = &program.interface(*interface).name;
            format!("its turn, to create {name}({})", Shown(program, payload))
        }
    }
}
