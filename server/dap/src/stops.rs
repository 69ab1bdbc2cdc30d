//! Where a session stops on its way: breakpoints of three kinds, and the bug.

use lockstep_runtime::{EventId, FileId, FunctionId, Operand, Place, Program, Terminator, Value};
use lockstep_trace::What;

use crate::evaluate::evaluate;
use crate::recording::{Actor, Kind, Point};
use crate::session::{Reason, Session};

/// Everything a session stops for. Each has a number that is the client's to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stops {
    /// Statements that begin at one of these.
    pub lines: Vec<(u64, Vec<Place>)>,
    /// Events that are sent, taken, observed or raised, and functions that are entered.
    pub names: Vec<(u64, Vec<Name>)>,
    /// Variables of a machine or spec, or parts of them, that change.
    pub data: Vec<(u64, Actor, String)>,
    /// Whether the end is told as an exception.
    pub at_bug: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Event(EventId),
    Function(FunctionId),
}

impl Default for Stops {
    fn default() -> Self {
        Self { lines: Vec::new(), names: Vec::new(), data: Vec::new(), at_bug: true }
    }
}

impl Stops {
    /// Whether a point is one to stop at. `changed` are the breakpoints of variables that are different now.
    pub(crate) fn hit(&self, session: &Session, point: &Point, changed: Vec<u64>) -> Option<Reason> {
        if !changed.is_empty() {
            return Some(Reason::Data(changed));
        }
        let is_at = |places: &Vec<Place>| matches!(point.kind, Kind::Statement(place) if places.contains(&place));
        let lines: Vec<u64> = self.lines.iter().filter(|(_, places)| is_at(places)).map(|(id, _)| *id).collect();
        if !lines.is_empty() {
            return Some(Reason::Lines(lines));
        }
        let is_named = |names: &Vec<Name>| names.iter().any(|name| happens(session, point, *name));
        let names: Vec<u64> = self.names.iter().filter(|(_, names)| is_named(names)).map(|(id, _)| *id).collect();
        (!names.is_empty()).then_some(Reason::Names(names))
    }
}

/// Whether an event or function is about to have its turn.
fn happens(session: &Session, point: &Point, name: Name) -> bool {
    let program = session.program();
    match (name, point.kind) {
        (Name::Event(event), Kind::Moment(Some(moment))) => {
            let (story, name) = (session.story(), &program.event(event).name);
            match &story.moments[moment].what {
                What::Send { message } | What::Take { message } => story.messages[*message].event == name.as_str(),
                What::Observe { event, .. } => event == name.as_str(),
                What::Start { .. } | What::Create { .. } | What::Null | What::Print { .. } => false,
            }
        }
        (Name::Event(event), Kind::Statement(place)) => raised(program, point, place) == Some(event),
        (Name::Function(function), Kind::Statement(_)) => {
            let open = point.situation.remembered.get(&point.actor).and_then(|known| known.open.last());
            open.is_some_and(|activation| activation.function == function && activation.statements == 1)
        }
        _ => false,
    }
}

/// The event that a statement raises.
fn raised(program: &Program, point: &Point, place: Place) -> Option<EventId> {
    let local = point.situation.local(&point.actor)?;
    let frame = local.frames.last()?;
    let block = program.function(frame.function).blocks.get(frame.block.0 as usize)?;
    let Terminator::Raise { event: Operand::Const(id), .. } = block.end else { return None };
    match program.constants[id.index()] {
        Value::Event(event) if block.place == place => Some(event),
        _ => None,
    }
}

/// The values of watched variables, to notice when they change. A machine that has not started or has halted has no variables, and
/// that is no change.
pub(crate) struct Watched(Vec<Option<Value>>, Vec<bool>);

impl Watched {
    pub(crate) fn new(session: &Session) -> Self {
        let data = &session.stops.data;
        let has_variables = |actor: &Actor| session.situation().local(actor).is_some_and(|local| !local.fields.is_empty());
        let values = data.iter().map(|(_, actor, path)| evaluate(session, actor, None, path).ok()).collect();
        Self(values, data.iter().map(|(_, actor, _)| has_variables(actor)).collect())
    }

    /// The breakpoints of variables that are different from before.
    pub(crate) fn changed(&mut self, session: &Session) -> Vec<u64> {
        let now = Self::new(session);
        let mut changed = Vec::new();
        for (number, (id, _, _)) in session.stops.data.iter().enumerate() {
            if self.1[number] && now.1[number] && self.0[number] != now.0[number] {
                changed.push(*id);
            }
        }
        *self = now;
        changed
    }
}

/// What a name stands for in a program: events and functions can share one.
pub fn named(program: &Program, name: &str) -> Vec<Name> {
    let events = (0..).map(EventId).zip(&program.events).filter(|(_, event)| event.name == name);
    let functions = (0..).map(FunctionId).zip(&program.functions).filter(|(_, function)| function.name == name);
    events.map(|(id, _)| Name::Event(id)).chain(functions.map(|(id, _)| Name::Function(id))).collect()
}

/// The statements at which a breakpoint on a line stops: in each function the first that begins there, on this line or the next where
/// any does. Lines are counted by `line_of`.
pub fn statements_from(session: &Session, file: FileId, line: u32, line_of: &dyn Fn(Place) -> u32) -> Option<(u32, Vec<Place>)> {
    let all: Vec<(usize, Place)> = session.recording.statements.of_file(file).collect();
    let first = all.iter().map(|(_, place)| line_of(*place)).filter(|known| *known >= line).min()?;
    let mut here: Vec<(usize, Place)> = all.into_iter().filter(|(_, place)| line_of(*place) == first).collect();
    here.sort_by_key(|(function, place)| (*function, place.range.start(), std::cmp::Reverse(place.range.end())));
    here.dedup_by_key(|(function, _)| *function);
    Some((first, here.into_iter().map(|(_, place)| place).collect()))
}
