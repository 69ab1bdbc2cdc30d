//! Where events come from and where they go.
//!
//! The type of a reference says little about the machine behind it, because machines without `receives` are all of one type. So only
//! this is taken for certain: who raises an event or sends it to itself gets it, and what is announced no machine gets. An event that
//! is a value somewhere can be sent from anywhere.

use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, Item, Machine, MachineKind, State, StateItemKind};
use smol_str::SmolStr;

use super::Lint;
use super::mentions::Role;
use super::moves::Moves;
use super::owner::events;
use super::usage::{Uses, overview};
use crate::db::Db;
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem};

impl<'db> Lint<'_, 'db> {
    pub(super) fn event_flow(&mut self) {
        if self.is_open() {
            return;
        }
        match &self.item.decl {
            AstDecl::Event { .. } => self.event(),
            AstDecl::Machine(machine) if machine.kind == MachineKind::Machine => self.never_arrives(machine),
            _ => {}
        }
    }

    /// Whether events can come or go unseen: from outside of the project, or through code in another language.
    pub(super) fn is_open(&self) -> bool {
        let overview = overview(self.db, self.project);
        !overview.is_closed || overview.has_foreign_code || self.is_included()
    }

    fn event(&mut self) {
        let name = self.decl.name(self.db).clone();
        let uses = self.uses(&name);
        if name.is_empty() || uses.is_uncertain {
            return;
        }
        let is_handled = uses.any(&[Role::Handled, Role::Deferred, Role::Ignored, Role::Received, Role::Observed]);
        // What a machine raises in vain is said where it does so.
        let is_raised = uses.by(Role::Raised).any(|by| by.kind(self.db) == DeclKind::Function);
        let is_sent = is_raised || uses.any(&[Role::Sent, Role::SentToSelf]);
        if is_sent && !is_handled {
            let problem = Problem::new(Code::EventNeverHandled, self.node(), format!("`{name}` is sent, but nothing handles it"));
            let help = "a machine that gets an event it does not handle fails: handle, defer or ignore it there";
            self.problems.push(problem.with_help(help));
        } else if uses.any(&[Role::Announced]) && !is_sent && !uses.any(&[Role::Value, Role::Observed]) {
            let message = format!("`{name}` is announced, but no spec observes it");
            self.report(Code::EventNeverHandled, self.node(), message);
        } else if is_handled_by_machines(self.db, &uses) && !is_emitted(&uses) {
            let message = format!("`{name}` is handled, but nothing sends it");
            self.report(Code::EventNeverSent, self.node(), message);
        }
    }

    /// Handlers of events that only others send themselves, or that are only announced.
    fn never_arrives(&mut self, machine: &Machine) {
        let mut seen: Vec<SmolStr> = Vec::new();
        for item in machine.states.iter().flat_map(|state| &state.items) {
            if !matches!(item.kind, StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. }) {
                continue;
            }
            for event in events(&item.kind).iter().filter(|event| event.kind == EventKind::Declared) {
                let name = SmolStr::new(self.name(event.name));
                if name.is_empty() || seen.contains(&name) {
                    continue;
                }
                seen.push(name.clone());
                let uses = self.uses(&name);
                if uses.is_uncertain || uses.any(&[Role::Value, Role::Sent]) {
                    continue;
                }
                let own: Vec<Decl<'db>> = uses.by(Role::Raised).chain(uses.by(Role::SentToSelf)).collect();
                // A global function acts for whatever machine calls it.
                let is_possible = |by: &Decl<'db>| *by == self.decl || by.kind(self.db) == DeclKind::Function;
                if own.iter().any(is_possible) || (own.is_empty() && !uses.any(&[Role::Announced])) {
                    continue;
                }
                let message = match own.first() {
                    Some(by) => format!("`{name}` never comes here: only `{}` sends it, to itself", by.name(self.db)),
                    None => format!("`{name}` never comes here: it is only announced, and only specs see that"),
                };
                self.report(Code::EventNeverArrives, event.name, message);
            }
        }
    }
}

/// Whether machines, or functions for them, do something with the event when it comes.
pub(super) fn is_handled_by_machines<'db>(db: &'db dyn Db, uses: &Uses<'db>) -> bool {
    let is_machine = |by: Decl<'db>| by.kind(db) == DeclKind::Machine;
    let declared = [Role::Handled, Role::Deferred, Role::Ignored];
    uses.any(&[Role::Received]) || declared.into_iter().any(|role| uses.by(role).any(is_machine))
}

/// Whether the event may be sent, raised or announced somewhere.
fn is_emitted(uses: &Uses<'_>) -> bool {
    uses.any(&[Role::Value, Role::Sent, Role::SentToSelf, Role::Raised, Role::Announced])
}

/// What becomes of an event that a body raises, where it is the same in all states the body can run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The states say nothing about it: the run fails.
    Unhandled,
    /// The states defer or ignore it. What is raised cannot be deferred.
    Lost,
}

/// The events that bodies of a machine raise in vain: the body's number, the event, and what becomes of it.
#[salsa::tracked]
pub(crate) fn vain_raises<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<(u32, SmolStr, Fate)> {
    let shape = decl.shape(db);
    let AstDecl::Machine(machine) = &shape.0.decl else { return Vec::new() };
    let moves = Moves::new(db, decl, &shape.0, machine);
    let mut found = Vec::new();
    if !moves.are_certain {
        return found;
    }
    for (nth, mentions) in (0..).zip(&moves.bodies) {
        let states: Vec<&State> = moves.runs_in[nth as usize].iter().map(|state| &machine.states[*state]).collect();
        for event in mentions.in_role(Role::Raised) {
            let is =
                |fate: Option<Fate>| !states.is_empty() && states.iter().all(|state| fate_in(&shape.0, state, event) == fate);
            let fate = [Fate::Unhandled, Fate::Lost].into_iter().find(|fate| is(Some(*fate)));
            found.extend(fate.map(|fate| (nth, event.clone(), fate)));
        }
    }
    found
}

fn fate_in(item: &Item, state: &State, event: &str) -> Option<Fate> {
    let mentions = |kind: &StateItemKind| events(kind).iter().any(|other| item.nodes[other.name].as_str() == event);
    match state.items.iter().find(|item| mentions(&item.kind)).map(|item| &item.kind) {
        None => Some(Fate::Unhandled),
        Some(StateItemKind::Defer(_) | StateItemKind::Ignore(_)) => Some(Fate::Lost),
        Some(_) => None,
    }
}
