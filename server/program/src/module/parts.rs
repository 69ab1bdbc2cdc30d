//! What modules need to know of machines and interfaces, and no more: an edit that changes nothing of this concerns no module.
//!
//! Names that mean nothing are left out, because they have been reported where they are written.

use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind};
use smol_str::SmolStr;

use super::alphabet::HALT;
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::effects::machine_creates;
use crate::resolve::{constructor, interface_events, machine_info};
use crate::scope::{Space, lookup};
use crate::ty::{Events, Ty};

/// An interface: its own declaration, or the machine of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InterfacePart {
    pub(super) receives: Events,
    pub(super) constructor: Ty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MachinePart {
    pub(super) receives: Events,
    pub(super) sends: Events,
    pub(super) constructor: Ty,
    /// Interfaces its code creates, sorted.
    pub(super) creates: Vec<SmolStr>,
    /// Events a spec watches, sorted.
    pub(super) observes: Vec<SmolStr>,
}

#[salsa::tracked]
pub(super) fn interface_part<'db>(db: &'db dyn Db, decl: Decl<'db>) -> InterfacePart {
    if decl.kind(db) != DeclKind::Interface {
        let machine = machine_part(db, decl);
        return InterfacePart { receives: machine.receives.clone(), constructor: machine.constructor.clone() };
    }
    let receives = known(db, decl.file(db).project(db), interface_events(db, decl));
    InterfacePart { receives, constructor: constructor(db, decl) }
}

#[salsa::tracked]
pub(super) fn machine_part<'db>(db: &'db dyn Db, decl: Decl<'db>) -> MachinePart {
    let project = decl.file(db).project(db);
    let info = machine_info(db, decl);
    let creates = machine_creates(db, decl).iter().filter(|name| interface(db, project, name).is_some()).cloned().collect();
    let is_spec = decl.kind(db) != DeclKind::Machine;
    // A spec neither sends nor receives.
    let events = |events| if is_spec { Events::only([]) } else { known(db, project, events) };
    let (receives, sends) = (events(&info.receives), events(&info.sends));
    MachinePart { receives, sends, constructor: info.constructor(), creates, observes: observed(db, project, decl) }
}

/// The declaration of an interface: every machine is one too.
pub(super) fn interface<'db>(db: &'db dyn Db, project: Project, name: &str) -> Option<Decl<'db>> {
    let is_interface = |decl: &Decl<'db>| matches!(decl.kind(db), DeclKind::Machine | DeclKind::Interface);
    lookup(db, project, Space::Type, name).map(|def| def.decl).filter(is_interface)
}

/// A machine, spec or scenario.
pub(super) fn machine<'db>(db: &'db dyn Db, project: Project, name: &str) -> Option<Decl<'db>> {
    let is_machine = |decl: &Decl<'db>| decl.kind(db).is_machine();
    lookup(db, project, Space::Type, name).map(|def| def.decl).filter(is_machine)
}

fn observed<'db>(db: &'db dyn Db, project: Project, decl: Decl<'db>) -> Vec<SmolStr> {
    let shape = decl.shape(db);
    let AstDecl::Machine(machine) = &shape.0.decl else { return Vec::new() };
    let listed = machine.observes.iter().filter(|event| event.kind != EventKind::Null);
    match known(db, project, &Events::only(listed.map(|event| shape.0.nodes[event.name].0.clone()))) {
        Events::Only(names) => names.to_vec(),
        Events::All => Vec::new(),
    }
}

fn known(db: &dyn Db, project: Project, events: &Events) -> Events {
    match events {
        Events::All => Events::All,
        Events::Only(names) => Events::only(names.iter().filter(|name| is_event(db, project, name)).cloned()),
    }
}

pub(super) fn is_event(db: &dyn Db, project: Project, name: &str) -> bool {
    name == HALT || lookup(db, project, Space::Event, name).is_some_and(|def| def.part.is_none())
}
