//! Who calls, sends and creates, and what handles: the edges between functions, events, machines and the items of their states.
//!
//! Code calls functions, sends events, creates machines and enters states; an event leads to what is done about it. An event that is
//! sent from a variable is found by `flow`, which can find too much and never too little: what is not certain is said so in the
//! detail. Nothing is kept between two questions: something in the hierarchy is known by the place of its name, or of the word it
//! begins with, and by what it is called.

mod flow;
mod party;

use std::collections::BTreeMap;

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{Db, Decl, DeclKind, Def, Project, ProjectFile, Role, Space, Target, lookup};
use lockstep_syntax::p::ast::{Module, NameId, StateItemKind};
use smol_str::SmolStr;

use super::declared::{declared_at, is_event};
use super::mentions::mentions_of;
use super::names::{FilePlace, item_names, items, name_at};
use super::navigate::bound_machines;
use crate::SymbolKind;

use self::party::Party;

/// Something that calls or is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallItem {
    /// With its machine, and its state if it is part of one: `Server.Idle on eRequest`.
    pub name: String,
    pub kind: SymbolKind,
    /// What it does, or what is done with it; also what is not certain about that.
    pub detail: Option<String>,
    /// Its name, or the word it begins with.
    pub place: FilePlace,
    /// All of it.
    pub range: TextRange,
}

/// An edge, with the other end of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub item: CallItem,
    /// Where, in the file of whoever calls. An event calls nobody in the text: its declaration stands for that.
    pub ranges: Vec<TextRange>,
}

/// A statement that sends, raises or announces what is in a variable, and what that may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentFromVariable {
    /// Of the event in the statement.
    pub place: FilePlace,
    pub events: Vec<SmolStr>,
    /// Whether it may be any other, too.
    pub is_open: bool,
}

/// All such statements of a project.
pub fn sent_from_variables(db: &dyn Db, project: Project) -> Vec<SentFromVariable> {
    let sends = flow::indirect_sends(db, project).into_iter();
    let named = |send: flow::Send<'_>| SentFromVariable {
        place: send.place,
        events: send.events.iter().map(|event| event.name(db).clone()).collect(),
        is_open: send.is_open,
    };
    sends.map(named).collect()
}

/// What calls can be shown of at a place. A variable stands for the events that may be in it.
pub fn prepare_calls<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<CallItem> {
    let name = name_at(db, file, offset);
    if let Some(target) = name.as_ref().map(|name| &name.target)
        && flow::is_event_variable(db, target)
    {
        let (events, is_open) = flow::events_in(db, file.project(db), target);
        let said = uncertain("may be in this variable", is_open);
        let found = events.into_iter().filter_map(|event| Party::Declared(whole(event)).item(db, Some(said.clone())));
        return in_order(db, found.map(|item| Call { item, ranges: Vec::new() })).into_iter().map(|call| call.item).collect();
    }
    Party::at(db, file, offset).and_then(|party| party.item(db, None)).into_iter().collect()
}

/// What was prepared and begins at a place; `None` if something else stands there now.
fn prepared<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, name: &str) -> Option<Party<'db>> {
    Party::at(db, file, offset).filter(|party| party.name(db).as_deref() == Some(name))
}

/// Who calls, sends or creates what begins at a place and has this name.
pub fn incoming_calls<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, name: &str) -> Option<Vec<Call>> {
    let party = prepared(db, file, offset, name)?;
    let mut edges = Edges::new(db);
    match &party {
        Party::Declared(target) => edges.add_incoming(target),
        Party::Item { machine, state, .. } => match party.kind_of_item(db)? {
            StateItemKind::Entry(_) => edges.add_incoming(&party::state_target(db, *machine, *state)?),
            StateItemKind::Exit(_) => {}
            kind => {
                for event in party::events_of(db, *machine, kind) {
                    edges.add(Party::Declared(event.clone()), declared_at(db, &event)?.range, "is handled here".to_owned());
                }
            }
        },
    }
    Some(edges.calls())
}

/// What the code that begins at a place and has this name calls, sends and creates; of an event, what is done about it.
pub fn outgoing_calls<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, name: &str) -> Option<Vec<Call>> {
    let party = prepared(db, file, offset, name)?;
    let mut edges = Edges::new(db);
    match &party {
        Party::Declared(target) if is_event(db, target) => edges.add_handlers(target),
        _ => edges.add_outgoing(&party),
    }
    Some(edges.calls())
}

/// The name of the innermost thing with code that a place of a declaration belongs to.
pub(super) fn name_around<'db>(db: &'db dyn Db, decl: Decl<'db>, range: TextRange) -> Option<String> {
    Party::around(db, decl, range)?.name(db)
}

pub(super) use flow::has_indirect_sends;

fn whole(decl: Decl<'_>) -> Target<'_> {
    Target::Global(Def { decl, part: None })
}

/// What is said where `flow` knows no more than that something is possible.
fn uncertain(possible: &str, is_open: bool) -> String {
    let open = if is_open { ", as may be any other: code in another language decides it too" } else { "" };
    format!("{possible}{open}")
}

/// Edges to or from one party, collected by the other end.
struct Edges<'db> {
    db: &'db dyn Db,
    found: Vec<(Party<'db>, Vec<TextRange>, Vec<String>)>,
}

impl<'db> Edges<'db> {
    fn new(db: &'db dyn Db) -> Self {
        Self { db, found: Vec::new() }
    }

    fn add(&mut self, party: Party<'db>, range: TextRange, how: String) {
        let known = self.found.iter().position(|(known, ..)| *known == party);
        let at = known.unwrap_or_else(|| {
            self.found.push((party, Vec::new(), Vec::new()));
            self.found.len() - 1
        });
        let (_, ranges, hows) = &mut self.found[at];
        if !ranges.contains(&range) {
            ranges.push(range);
        }
        if !hows.contains(&how) {
            hows.push(how);
        }
    }

    /// In an order that does not depend on that of the files.
    fn calls(self) -> Vec<Call> {
        let db = self.db;
        let calls = self.found.into_iter().filter_map(|(party, mut ranges, mut hows)| {
            ranges.sort_by_key(|range| (range.start(), range.end()));
            hows.sort();
            Some(Call { item: party.item(db, Some(hows.join("; ")))?, ranges })
        });
        in_order(db, calls)
    }

    /// Whatever mentions something as the one who is called, sent, created or entered.
    fn add_incoming(&mut self, target: &Target<'db>) {
        let db = self.db;
        for mention in mentions_of(db, target) {
            let Some(how) = incoming_word(mention.role) else { continue };
            let Some(party) = Party::around(db, mention.owner, mention.place.range) else { continue };
            self.add(party, mention.place.range, how.to_owned());
        }
        match target {
            Target::Global(def) if def.part.is_none() && def.decl.kind(db) == DeclKind::Event => self.add_indirect(def.decl),
            Target::Global(def) if def.decl.kind(db) == DeclKind::Machine => self.add_through_interfaces(target),
            Target::Member { machine, .. } if party::is_start_state(db, target) => {
                let machine = whole(*machine);
                self.add_incoming(&machine);
            }
            _ => {}
        }
    }

    /// Sends of an event by way of variables.
    fn add_indirect(&mut self, event: Decl<'db>) {
        let db = self.db;
        for send in flow::indirect_sends(db, event.file(db).project(db)) {
            let Some(word) = incoming_word(send.role).filter(|_| send.is_open || send.events.contains(&event)) else { continue };
            let Some(party) = Party::around(db, send.owner, send.place.range) else { continue };
            let how = match (send.is_certain, send.events.contains(&event)) {
                (true, _) => word.to_owned(),
                (false, true) => format!("{word} `{}`, which may be this event", send.written),
                (false, false) => format!("{word} `{}`, of which it is not known which event it is", send.written),
            };
            self.add(party, send.place.range, how);
        }
    }

    /// Whoever creates something that a module binds to a machine.
    fn add_through_interfaces(&mut self, machine: &Target<'db>) {
        let db = self.db;
        for interface in interfaces_of(db, machine) {
            let Some(name) = super::declared::name(db, &interface) else { continue };
            for mention in mentions_of(db, &interface).into_iter().filter(|mention| mention.role == Role::Create) {
                let Some(party) = Party::around(db, mention.owner, mention.place.range) else { continue };
                let how = format!("creates `{name}`, which a module can bind to this machine");
                self.add(party, mention.place.range, how);
            }
        }
    }

    /// What is done about an event. The edges begin at its declaration.
    fn add_handlers(&mut self, event: &Target<'db>) {
        let db = self.db;
        let Some(declared) = declared_at(db, event) else { return };
        for mention in mentions_of(db, event) {
            let Some(party) = Party::around(db, mention.owner, mention.place.range) else { continue };
            let how = match (mention.role, party.kind_of_item(db)) {
                (Role::Handle, Some(StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. }))
                    if !is_in_code(db, &party, mention.place.range) =>
                {
                    "handles"
                }
                (Role::Handle, _) => "receives",
                (Role::Observe, _) => "observes",
                (Role::Defer, _) => "defers",
                (Role::Ignore, _) => "ignores",
                _ => continue,
            };
            self.add(party, declared.range, how.to_owned());
        }
    }

    fn add_outgoing(&mut self, caller: &Party<'db>) {
        let db = self.db;
        let Some((decl, within)) = caller.code(db) else { return };
        let Some((item, decl)) = items(db, decl.file(db)).find(|(_, other)| *other == decl) else { return };
        let names = item_names(db, item, decl);
        for name in names.iter().filter(|name| within.contains_range(name.range)) {
            let Some(how) = outgoing_word(name.role) else { continue };
            if name.role == Role::Create {
                self.add_created(&name.target, name.range, how);
            } else if let Some(party) = Party::of(db, &name.target).filter(|party| !is_own(db, caller, party)) {
                self.add(party, name.range, how.to_owned());
            }
        }
        self.add_sent_indirectly(decl, within);
    }

    fn add_sent_indirectly(&mut self, decl: Decl<'db>, within: TextRange) {
        let db = self.db;
        let here = |send: &flow::Send<'db>| send.owner == decl && within.contains_range(send.place.range);
        for send in flow::indirect_sends(db, decl.file(db).project(db)).into_iter().filter(here) {
            let Some(word) = outgoing_word(send.role) else { continue };
            for event in &send.events {
                let how = match send.is_certain {
                    true => word.to_owned(),
                    false => uncertain(&format!("may be {word} as `{}`", send.written), send.is_open),
                };
                self.add(Party::Declared(whole(*event)), send.place.range, how);
            }
        }
    }

    /// Of an interface, the machines that are bound to it.
    fn add_created(&mut self, target: &Target<'db>, range: TextRange, how: &str) {
        let db = self.db;
        let Target::Global(def) = target else { return };
        let bound = bound_machines(db, def.decl);
        let interface = def.decl.name(db);
        for machine in bound.iter().filter(|machine| machine.decl != def.decl) {
            let how = format!("may be created as `{interface}`, to which a module binds it");
            self.add(Party::Declared(Target::Global(*machine)), range, how);
        }
        if bound.is_empty() || bound.contains(def) || def.decl.kind(db) == DeclKind::Machine {
            self.add(Party::Declared(target.clone()), range, how.to_owned());
        }
    }
}

/// What a mention of something says about whoever mentions it.
fn incoming_word(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Call => "calls",
        Role::Create => "creates",
        Role::Start => "starts",
        Role::Send => "sends",
        Role::Raise => "raises",
        Role::Announce => "announces",
        Role::Goto => "enters",
        _ => return None,
    })
}

/// The same about what is mentioned.
fn outgoing_word(role: Role) -> Option<&'static str> {
    Some(match role {
        Role::Call => "called",
        Role::Create => "created",
        Role::Start => "started",
        Role::Send => "sent",
        Role::Raise => "raised",
        Role::Announce => "announced",
        Role::Goto => "entered",
        _ => return None,
    })
}

/// What a machine has itself is no call of it.
fn is_own<'db>(db: &'db dyn Db, caller: &Party<'db>, party: &Party<'db>) -> bool {
    let Party::Declared(Target::Global(caller)) = caller else { return false };
    party::machine_of(db, caller.decl).is_some()
        && matches!(party, Party::Declared(Target::Member { machine, .. }) if *machine == caller.decl)
}

/// Whether a place in an item of a state is in its code, not in what it is about.
fn is_in_code<'db>(db: &'db dyn Db, party: &Party<'db>, range: TextRange) -> bool {
    party.handler_range(db).is_some_and(|code| code.contains_range(range))
}

/// What modules bind a machine to, apart from itself.
fn interfaces_of<'db>(db: &'db dyn Db, machine: &Target<'db>) -> Vec<Target<'db>> {
    let Target::Global(def) = machine else { return Vec::new() };
    let project = def.decl.file(db).project(db);
    let mut found = Vec::new();
    for mention in mentions_of(db, machine).into_iter().filter(|mention| mention.role == Role::Use) {
        let nodes = &mention.owner.shape(db).0.nodes;
        let is_it = |name: NameId| nodes[name].as_str() == def.decl.name(db).as_str();
        for (_, module) in nodes.modules.iter() {
            let Module::Bindings(bindings) = module else { continue };
            for binding in bindings.iter().filter(|binding| is_it(binding.machine)) {
                let interface = binding.interface.and_then(|name| lookup(db, project, Space::Type, nodes[name].as_str()));
                let interface = interface.map(Target::Global).filter(|interface| interface != machine);
                found.extend(interface.filter(|interface| !found.contains(interface)));
            }
        }
    }
    found
}

fn in_order(db: &dyn Db, calls: impl Iterator<Item = Call>) -> Vec<Call> {
    let key = |call: &Call| (call.item.place.file.path(db).clone(), call.item.place.range.start(), call.item.name.clone());
    let sorted: BTreeMap<_, Call> = calls.map(|call| (key(&call), call)).collect();
    sorted.into_values().collect()
}
