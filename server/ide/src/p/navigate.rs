//! From a name to where it is declared, used, handled, or to its type.

use lockstep_base::TextSize;
use lockstep_program::{Db, Decl, DeclKind, Def, ProjectFile, Role, Space, Target, lookup, type_named};
use lockstep_syntax::p::ast::{Module, NameId, Type};

use super::declared::{declared_at, declared_type, is_event};
use super::fields;
use super::mentions::{Mention, mentions_of};
use super::names::{FilePlace, NameAt, name_at, names_in};
use crate::{Highlight, HighlightKind};

/// Where the name at a place is declared.
pub fn definition<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<(NameAt<'db>, FilePlace)> {
    let name = name_at(db, file, offset)?;
    let place = declared_at(db, &name.target)?;
    Some((name, place))
}

/// Where the name or field at a place is declared. A field can be declared in several types.
pub fn definitions<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<FilePlace> {
    match name_at(db, file, offset) {
        Some(name) => declared_at(db, &name.target).into_iter().collect(),
        None => fields::definitions(db, file, offset),
    }
}

/// Every place where the name or field at a place is mentioned; its declaration comes first, if it is wanted.
pub fn references<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, with_declaration: bool) -> Vec<FilePlace> {
    let Some(name) = name_at(db, file, offset) else { return fields::references(db, file, offset, with_declaration) };
    let is_declaration = |mention: &Mention<'db>| mention.role == Role::Declare;
    let (mut declared, used): (Vec<_>, Vec<_>) = mentions_of(db, &name.target).into_iter().partition(is_declaration);
    if !with_declaration {
        declared.clear();
    }
    declared.into_iter().chain(used).map(|mention| mention.place).collect()
}

/// The mentions in this file of the name or field at a place.
pub fn highlights<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<Highlight> {
    let Some(name) = name_at(db, file, offset) else { return fields::highlights(db, file, offset) };
    let same = names_in(db, file).into_iter().filter(|other| other.target == name.target);
    same.map(|other| Highlight { range: other.range, kind: highlight_kind(other.role) }).collect()
}

fn highlight_kind(role: Role) -> HighlightKind {
    match role {
        Role::Declare => HighlightKind::Declaration,
        Role::Write | Role::Send | Role::Raise | Role::Announce | Role::Create | Role::Start => HighlightKind::Write,
        _ => HighlightKind::Read,
    }
}

/// What makes the name at a place real: an event's handlers, the machines that are bound to an interface.
pub fn implementations<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<FilePlace> {
    let Some(name) = name_at(db, file, offset) else { return Vec::new() };
    match &name.target {
        target if is_event(db, target) => {
            let handled = mentions_of(db, target).into_iter().filter(|mention| mention.role == Role::Handle);
            handled.map(|mention| mention.place).collect()
        }
        Target::Global(def) if def.decl.kind(db) == DeclKind::Interface => {
            let bound = bound_machines(db, def.decl).into_iter();
            bound.filter_map(|machine| declared_at(db, &Target::Global(machine))).collect()
        }
        target => declared_at(db, target).into_iter().collect(),
    }
}

/// The machines that some module binds to an interface.
pub(super) fn bound_machines<'db>(db: &'db dyn Db, interface: Decl<'db>) -> Vec<Def<'db>> {
    let project = interface.file(db).project(db);
    let mut found = Vec::new();
    for mention in mentions_of(db, &Target::Global(Def { decl: interface, part: None })) {
        let nodes = &mention.owner.shape(db).0.nodes;
        let bindings = nodes.modules.iter().filter_map(|(_, module)| match module {
            Module::Bindings(bindings) => Some(bindings),
            _ => None,
        });
        let is_it = |name: NameId| nodes[name].as_str() == interface.name(db).as_str();
        for binding in bindings.flatten().filter(|binding| binding.interface.is_some_and(is_it)) {
            let machine = lookup(db, project, Space::Type, nodes[binding.machine].as_str());
            found.extend(machine.filter(|machine| !found.contains(machine)));
        }
    }
    found
}

/// Where the type of the name at a place is declared: of a variable its type's name, of an event that of its payload. Of a
/// collection it is the type of what it contains.
pub fn type_definition<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<FilePlace> {
    let name = name_at(db, file, offset)?;
    let declared = declared_type(db, &name.target)?;
    let project = file.project(db);
    let mut open = vec![declared.ty];
    while let Some(ty) = open.pop() {
        match &declared.nodes[ty] {
            Type::Named(name) => {
                let def = type_named(db, project, declared.nodes[*name].as_str())?;
                return declared_at(db, &Target::Global(def));
            }
            Type::Seq(element) | Type::Set(element) => open.push(*element),
            Type::Map(key, value) => open.extend([*key, *value]),
            Type::Missing | Type::Primitive(_) | Type::Tuple(_) | Type::NamedTuple(_) => {}
        }
    }
    None
}
