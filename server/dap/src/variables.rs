//! What is shown of a situation: scopes with variables, and values that can be opened.

use lockstep_runtime::{Control, Delivery, FunctionId, Message, Pending, Program, Shown, Step, Type, TypeId, Value, Variable};
use lockstep_trace::Fate;

use crate::evaluate::locals;
use crate::frames::needs;
use crate::recording::{Actor, Kind};
use crate::session::Session;

/// A row in the list of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub value: String,
    /// Empty if there is none.
    pub ty: String,
    /// How `evaluate` gets it.
    pub path: Option<String>,
    pub opens: Opens,
}

/// What is behind a row, a scope, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opens {
    Nothing,
    Value {
        value: Value,
        path: Option<String>,
        /// Whose field it is a part of, if it is.
        owner: Option<Actor>,
    },
    /// A message: event, payload, sender.
    Rows(Vec<Row>),
    Locals {
        actor: Actor,
        depth: usize,
    },
    Fields(Actor),
    Inbox(Actor),
    InFlight(Actor),
    Next,
}

impl Opens {
    /// How many rows there are, if that is a lot to list at once.
    pub fn count(&self) -> usize {
        match self {
            Self::Value { value: Value::Tuple(items) | Value::Seq(items), .. } => items.len(),
            Self::Value { value: Value::Set(table) | Value::Map(table), .. } => table.len(),
            Self::Value { value: Value::Named(named), .. } => named.items.len(),
            Self::Value { value: Value::Machine(_), .. } => 1,
            Self::Rows(rows) => rows.len(),
            _ => 0,
        }
    }
}

/// The scopes of a function, or of the state of an actor.
pub fn scopes(session: &Session, actor: &Actor, depth: Option<usize>) -> Vec<(&'static str, Opens)> {
    let mut found = Vec::new();
    if let Some(depth) = depth {
        found.push(("Locals", Opens::Locals { actor: actor.clone(), depth }));
    }
    found.push(("Fields", Opens::Fields(actor.clone())));
    if let Actor::Machine(_) = actor {
        match session.recording.settings().delivery {
            Delivery::Inbox => found.push(("Inbox", Opens::Inbox(actor.clone()))),
            Delivery::Network => {}
        }
        found.push(("In flight", Opens::InFlight(actor.clone())));
    }
    found.push(("What happens next", Opens::Next));
    found
}

impl Session {
    /// A value as people read it.
    pub fn shown(&self, value: &Value) -> String {
        Shown(self.program(), value).to_string()
    }

    /// A row for a value.
    pub fn row(&self, name: String, value: &Value, ty: String, path: Option<String>, owner: Option<&Actor>) -> Row {
        let opens = Opens::Value { value: value.clone(), path: path.clone(), owner: owner.cloned() };
        let opens = if opens.count() > 0 { opens } else { Opens::Nothing };
        Row { name, value: self.shown(value), ty, path, opens }
    }

    /// What is behind something that can be opened: so many rows from this one on.
    pub fn rows(&self, opens: &Opens, start: usize, count: usize) -> Vec<Row> {
        let rows = match opens {
            Opens::Value { value, path, owner } if !matches!(value, Value::Machine(_)) => {
                let parts = children(self.program(), value).skip(start).take(count);
                return parts.map(|(name, part)| self.part_row(name, part, path.as_deref(), owner.as_ref())).collect();
            }
            Opens::Value { value, .. } => self.rows_of_machine(value),
            Opens::Nothing => Vec::new(),
            Opens::Rows(rows) => rows.clone(),
            Opens::Locals { actor, depth } => self.rows_of_locals(actor, *depth),
            Opens::Fields(actor) => self.rows_of_fields(actor),
            Opens::Inbox(actor) => self.rows_of_queue(actor),
            Opens::InFlight(actor) => self.rows_in_flight(actor),
            Opens::Next => self.rows_of_next(),
        };
        rows.into_iter().skip(start).take(count).collect()
    }

    fn part_row(&self, name: String, value: &Value, path: Option<&str>, owner: Option<&Actor>) -> Row {
        let path = path.map(|path| join(path, &name));
        self.row(name, value, String::new(), path, owner)
    }

    /// Behind a reference is the machine as it is now.
    fn rows_of_machine(&self, value: &Value) -> Vec<Row> {
        let Value::Machine(reference) = value else { return Vec::new() };
        let actor = Actor::Machine(reference.id.clone());
        let local = self.situation().local(&actor);
        let state = local.map(|local| self.program().state(local.machine, local.state).name.to_string());
        let mut rows = vec![plain("state", &state.unwrap_or_else(|| "not created yet".to_owned()))];
        // They are no part of the value, so no expression leads to them.
        rows.extend(self.rows_of_fields(&actor).into_iter().map(|row| Row { path: None, ..row }));
        rows
    }

    fn rows_of_locals(&self, actor: &Actor, depth: usize) -> Vec<Row> {
        let function = self.situation().local(actor).and_then(|local| local.frames.get(depth)).map(|frame| frame.function);
        let rows = locals(self, actor, depth).into_iter().map(|(name, value, is_needed)| {
            let ty = function.map(|function| self.type_of_slot(function, &name)).unwrap_or_default();
            let row = self.row(name.clone(), &value, ty, Some(name), None);
            if is_needed { row } else { Row { value: row.value + " (not used from here on)", ..row } }
        });
        rows.collect()
    }

    fn type_of_slot(&self, function: FunctionId, name: &str) -> String {
        let slots: &[Variable] = &self.program().function(function).slots;
        slots.iter().find(|slot| slot.name == name).map(|slot| type_name(self.program(), slot.ty)).unwrap_or_default()
    }

    fn rows_of_fields(&self, actor: &Actor) -> Vec<Row> {
        let Some(local) = self.situation().local(actor) else { return Vec::new() };
        let fields = self.program().machine(local.machine).fields.iter().zip(&local.fields);
        fields
            .map(|(field, value)| {
                let (name, ty) = (field.name.to_string(), type_name(self.program(), field.ty));
                self.row(name.clone(), value, ty, Some(name), Some(actor))
            })
            .collect()
    }

    fn rows_of_queue(&self, actor: &Actor) -> Vec<Row> {
        let Actor::Machine(id) = actor else { return Vec::new() };
        let Some(machine) = self.situation().system.machine(id) else { return Vec::new() };
        let mut rows = Vec::new();
        for lane in &machine.queue.lanes {
            let senders = match &lane.from {
                Some(from) => vec![Some(self.name(&Actor::Machine(from.clone()))); lane.messages.len()],
                None => self.senders(actor, &lane.messages),
            };
            for (message, from) in lane.messages.iter().zip(senders) {
                rows.push(self.message_row(format!("[{}]", rows.len()), message, ("from", from)));
            }
        }
        rows
    }

    /// On the network, what has been sent to this machine; anywhere, what it has told specs of and not sent yet.
    fn rows_in_flight(&self, actor: &Actor) -> Vec<Row> {
        let mut rows = match self.recording.settings().delivery {
            Delivery::Inbox => Vec::new(),
            Delivery::Network => self.rows_of_queue(actor),
        };
        if let Some(Control::Paused(Pending::Send { target, message })) =
            self.situation().local(actor).map(|local| &local.control)
        {
            let to = self.name(&Actor::Machine(target.clone()));
            rows.push(self.message_row("about to be sent".to_owned(), message, ("to", Some(to))));
        }
        rows
    }

    fn message_row(&self, name: String, message: &Message, (way, other): (&str, Option<String>)) -> Row {
        let event = self.program().event(message.event).name.to_string();
        let mut rows = vec![plain("event", &event)];
        let mut value = event;
        if message.payload != Value::Null {
            rows.push(self.row("payload".to_owned(), &message.payload, String::new(), None, None));
            let shown = self.shown(&message.payload);
            value += &if shown.starts_with('(') { shown } else { format!("({shown})") };
        }
        if let Some(other) = other {
            rows.push(plain(way, &other));
            value += &format!(" {way} {other}");
        }
        Row { name, value, ty: String::new(), path: None, opens: Opens::Rows(rows) }
    }

    /// Who has sent what is in an inbox, as far as the story tells. What is dropped lies in front of what is kept, so the last ones of
    /// the story are those in the inbox.
    fn senders(&self, actor: &Actor, messages: &[Message]) -> Vec<Option<String>> {
        let (story, step, name) = (self.story(), self.step(), self.name(actor));
        // Within a step its first moment is over, except just before it.
        let now = if matches!(self.point().kind, Kind::Moment(_)) { step - 1 } else { step };
        let is_there = |message: &&lockstep_trace::Message| {
            let is_taken = matches!(message.fate, Fate::Taken { moment } if moment < now);
            message.sent < now && !is_taken && story.actors[message.to].name == name
        };
        let mut candidates: Vec<&lockstep_trace::Message> = story.messages.iter().filter(is_there).collect();
        let mut found = Vec::new();
        for message in messages.iter().rev() {
            let event = &self.program().event(message.event).name;
            let payload = (message.payload != Value::Null).then(|| self.shown(&message.payload));
            let is_it = |known: &&lockstep_trace::Message| known.event == event.as_str() && known.payload == payload;
            let position = candidates.iter().rposition(is_it);
            found.push(position.map(|position| story.actors[candidates[position].from].name.clone()));
            candidates.truncate(position.unwrap_or(candidates.len()));
        }
        found.reverse();
        found
    }

    fn rows_of_next(&self) -> Vec<Row> {
        let (step, total, point) = (self.step(), self.story().moments.len(), self.point());
        let mut rows = Vec::new();
        let words = self.step_words(step);
        match point.kind {
            Kind::End => rows.push(plain("the trace ends", &words)),
            Kind::Moment(None) => rows.push(plain("next", &format!("{} finds no event", self.name(&point.actor)))),
            Kind::Moment(Some(_)) => rows.push(plain(&format!("step {step} of {total}"), &words.replace('\n', "; "))),
            Kind::Statement(_) => {
                rows.push(plain("next", &format!("{} goes on", self.name(&point.actor))));
                rows.push(plain(&format!("in step {step} of {total}"), &words.replace('\n', "; ")));
            }
        }
        if point.is_cut {
            rows.push(plain("then", "so many statements that they are not shown one by one"));
        }
        // Only between two decisions others have a chance.
        if self.at().index == 0 && !self.is_at_end() {
            let enabled = self.recording.enabled(self.situation()).into_iter();
            let others = enabled.filter(|step| Actor::Machine(step.machine.clone()) != point.actor);
            let others: Vec<Row> = others.map(|step| self.could_happen(&step)).collect();
            if !others.is_empty() {
                let value = others.iter().map(|other| other.name.as_str()).collect::<Vec<_>>().join(", ");
                rows.push(Row {
                    name: "could act too".to_owned(),
                    value,
                    ty: String::new(),
                    path: None,
                    opens: Opens::Rows(others),
                });
            }
        }
        rows
    }

    fn could_happen(&self, step: &Step) -> Row {
        let actor = Actor::Machine(step.machine.clone());
        let needs = self.situation().local(&actor).map(|local| needs(self.program(), local)).unwrap_or_default();
        plain(&self.name(&actor), &format!("needs {needs}"))
    }
}

/// The path of a part: `leases` and `[3]` give `leases[3]`, `lease` and `epoch` give `lease.epoch`.
pub(crate) fn join(path: &str, part: &str) -> String {
    let dot = if part.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{part}")
}

fn plain(name: &str, value: &str) -> Row {
    Row { name: name.to_owned(), value: value.to_owned(), ty: String::new(), path: None, opens: Opens::Nothing }
}

/// The parts of a value with their names: `epoch`, `0`, `[3]`.
fn children<'a>(program: &'a Program, value: &'a Value) -> Box<dyn Iterator<Item = (String, &'a Value)> + 'a> {
    match value {
        Value::Tuple(items) => Box::new(items.iter().enumerate().map(|(index, item)| (index.to_string(), item))),
        Value::Seq(items) => Box::new(items.iter().enumerate().map(|(index, item)| (format!("[{index}]"), item))),
        Value::Named(named) => {
            let names = program.field_names[named.names.index()].iter();
            Box::new(names.zip(named.items.iter()).map(|(name, item)| (name.to_string(), item)))
        }
        Value::Set(table) => Box::new(table.keys().enumerate().map(|(index, key)| (format!("[{index}]"), key))),
        Value::Map(table) => Box::new(table.iter().map(|(key, value)| (format!("[{}]", Shown(program, key)), value))),
        _ => Box::new(std::iter::empty()),
    }
}

/// The part of a value with this name.
pub(crate) fn child(program: &Program, value: &Value, name: &str) -> Option<Value> {
    if name == "[]" {
        return None;
    }
    children(program, value).find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

/// A type as it is written in P, as far as runs know it.
fn type_name(program: &Program, ty: TypeId) -> String {
    let list = |types: &[TypeId]| types.iter().map(|ty| type_name(program, *ty)).collect::<Vec<_>>().join(", ");
    match program.ty(ty) {
        Type::Any => "any".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Float => "float".to_owned(),
        Type::String => "string".to_owned(),
        Type::Event => "event".to_owned(),
        Type::Machine => "machine".to_owned(),
        Type::Enum(id) => program.enums[id.index()].name.to_string(),
        Type::Foreign(name) => name.to_string(),
        Type::Seq(item) => format!("seq[{}]", type_name(program, *item)),
        Type::Set(item) => format!("set[{}]", type_name(program, *item)),
        Type::Map(key, value) => format!("map[{}, {}]", type_name(program, *key), type_name(program, *value)),
        Type::Tuple(types) => format!("({})", list(types)),
        Type::Named(names, types) => {
            let names = program.field_names[names.index()].iter().zip(types);
            let fields: Vec<String> = names.map(|(name, ty)| format!("{name}: {}", type_name(program, *ty))).collect();
            format!("({})", fields.join(", "))
        }
    }
}
