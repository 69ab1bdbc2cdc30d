//! Types and signatures of what is declared.

use std::sync::Arc;

use lockstep_syntax::p::ast::{
    self, Decl as AstDecl, EventKind, EventRef, FunctionCode, HandlerKind, Nodes, Primitive, StateItemKind, Type, TypeId,
    TypedName,
};
use smol_str::SmolStr;

use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem};
use crate::scope::{Space, lookup};
use crate::ty::{Events, Ty};

/// A function as its callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub params: Vec<(SmolStr, Ty)>,
    pub result: Ty,
    pub has_body: bool,
}

/// A machine, spec or scenario as its bodies and others see it. Members in the order of the text; of several with one name the first
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineInfo {
    pub name: SmolStr,
    pub kind: ast::MachineKind,
    pub receives: Events,
    pub sends: Events,
    pub fields: Vec<(SmolStr, Ty)>,
    pub functions: Vec<(SmolStr, Signature)>,
    pub states: Vec<StateInfo>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateInfo {
    pub name: SmolStr,
    pub is_start: bool,
    /// The type of the entry's parameter, if it has one.
    pub entry: Option<Ty>,
}

impl MachineInfo {
    pub fn field(&self, name: &str) -> Option<&Ty> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, ty)| ty)
    }

    pub fn function(&self, name: &str) -> Option<&Signature> {
        self.functions.iter().find(|(function, _)| function == name).map(|(_, signature)| signature)
    }

    pub fn state(&self, name: &str) -> Option<&StateInfo> {
        self.states.iter().find(|state| state.name == name)
    }

    /// What `new` of this machine takes.
    pub fn constructor(&self) -> Ty {
        self.states.iter().find(|state| state.is_start).and_then(|state| state.entry.clone()).unwrap_or(Ty::Null)
    }
}

/// Resolves the types of one unit (a declaration or a body) and collects what is wrong with them.
pub(crate) struct Types<'a, 'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) project: Project,
    pub(crate) nodes: &'a Nodes,
    pub(crate) problems: Vec<Problem<'db>>,
}

impl<'a, 'db> Types<'a, 'db> {
    pub(crate) fn new(db: &'db dyn Db, project: Project, nodes: &'a Nodes) -> Self {
        Self { db, project, nodes, problems: Vec::new() }
    }

    pub(crate) fn ty(&mut self, id: TypeId) -> Ty {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &self.nodes[id] {
            Type::Missing => Ty::Error,
            Type::Primitive(primitive) => primitive_type(*primitive),
            Type::Named(name) => {
                let name = self.nodes[*name].as_str();
                let resolved = named_type(self.db, self.project, name);
                if resolved.is_none() && !name.is_empty() {
                    self.problems.push(
                        Problem::new(Code::UnknownType, id, format!("there is no type `{name}`"))
                            .with_help("types, enums, machines, interfaces and event sets can be types"),
                    );
                }
                resolved.unwrap_or(Ty::Error)
            }
            Type::Seq(element) => Ty::Seq(self.ty(*element).into()),
            Type::Set(element) => Ty::Set(self.ty(*element).into()),
            Type::Map(key, value) => Ty::Map(self.ty(*key).into(), self.ty(*value).into()),
            Type::Tuple(elements) => Ty::Tuple(elements.iter().map(|element| self.ty(*element)).collect()),
            Type::NamedTuple(fields) => Ty::NamedTuple(self.fields(fields)),
        })
    }

    fn fields(&mut self, fields: &[TypedName]) -> Arc<[(SmolStr, Ty)]> {
        let mut seen: Vec<SmolStr> = Vec::new();
        for field in fields {
            let name = &self.nodes[field.name].0;
            if seen.contains(name) && !name.is_empty() {
                let message = format!("the field `{name}` is declared twice");
                self.problems.push(Problem::new(Code::DuplicateField, field.name, message));
            }
            seen.push(name.clone());
        }
        fields.iter().map(|field| (self.nodes[field.name].0.clone(), self.ty(field.ty))).collect()
    }

    pub(crate) fn params(&mut self, params: &[TypedName]) -> Vec<(SmolStr, Ty)> {
        params.iter().map(|param| (self.nodes[param.name].0.clone(), self.ty(param.ty))).collect()
    }
}

fn primitive_type(primitive: Primitive) -> Ty {
    match primitive {
        Primitive::Bool => Ty::Bool,
        Primitive::Int => Ty::Int,
        Primitive::Float => Ty::Float,
        Primitive::String => Ty::String,
        Primitive::Event => Ty::Event,
        Primitive::Machine => Ty::Machine,
        Primitive::Data => Ty::Data,
        Primitive::Any => Ty::Any,
    }
}

/// The type a name stands for.
pub(crate) fn named_type(db: &dyn Db, project: Project, name: &str) -> Option<Ty> {
    let def = lookup(db, project, Space::Type, name);
    match def.map(|def| (def.decl, def.decl.kind(db))) {
        Some((_, DeclKind::Enum)) => return Some(Ty::Enum(name.into())),
        Some((decl, DeclKind::Type)) => return Some(alias_type(db, decl).clone()),
        _ => {}
    }
    if let Some(def) = lookup(db, project, Space::EventSet, name) {
        return Some(Ty::Reference(name.into(), event_set(db, def.decl).clone()));
    }
    if let Some(def) = def {
        let events = match def.decl.kind(db) {
            DeclKind::Interface => interface_events(db, def.decl),
            _ => machine_receives(db, def.decl),
        };
        return Some(Ty::Reference(name.into(), events.clone()));
    }
    // The name of an event as a type: a machine that takes exactly this event; in proofs also such an event.
    let event = lookup(db, project, Space::Event, name).filter(|def| def.part.is_none())?;
    let name = event.decl.name(db).clone();
    Some(Ty::Reference(name.clone(), Events::only([name])))
}

/// What an alias stands for; a foreign type stands for itself. An alias of itself is an error, reported where it is declared.
#[salsa::tracked(cycle_result = circular_alias)]
pub fn alias_type<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Ty {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Type { definition: Some(definition), .. } => {
            Types::new(db, decl.file(db).project(db), &shape.0.nodes).ty(*definition)
        }
        _ => Ty::Foreign(decl.name(db).clone()),
    }
}

fn circular_alias<'db>(_db: &'db dyn Db, _id: salsa::Id, _decl: Decl<'db>) -> Ty {
    Ty::Error
}

/// What an event carries; `Null` if nothing.
#[salsa::tracked]
pub fn event_payload<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Ty {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Event { payload: Some(payload), .. } => Types::new(db, decl.file(db).project(db), &shape.0.nodes).ty(*payload),
        _ => Ty::Null,
    }
}

#[salsa::tracked]
pub fn event_set<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Events {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::EventSet { events, .. } => events_of(&shape.0.nodes, events),
        _ => Events::All,
    }
}

#[salsa::tracked]
pub fn interface_events<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Events {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Interface { receives, .. } => events_of(&shape.0.nodes, receives),
        _ => Events::All,
    }
}

/// What `new` of an interface or machine takes.
pub(crate) fn constructor<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Ty {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Interface { payload: Some(payload), .. } => {
            Types::new(db, decl.file(db).project(db), &shape.0.nodes).ty(*payload)
        }
        AstDecl::Machine(_) => machine_info(db, decl).constructor(),
        _ => Ty::Null,
    }
}

#[salsa::tracked]
pub fn function_signature<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Signature {
    let shape = decl.shape(db);
    let mut types = Types::new(db, decl.file(db).project(db), &shape.0.nodes);
    match &shape.0.decl {
        AstDecl::Function(function) => signature(&mut types, function),
        AstDecl::Pure { params, result, .. } => {
            Signature { params: types.params(params), result: types.ty(*result), has_body: false }
        }
        _ => Signature { params: vec![], result: Ty::Error, has_body: false },
    }
}

pub(crate) fn signature(types: &mut Types<'_, '_>, function: &ast::Function) -> Signature {
    let params = types.params(&function.params);
    let result = match (&function.result, &function.code) {
        (Some(result), _) => types.ty(*result),
        (None, FunctionCode::Foreign { result: Some(result), .. }) => types.ty(result.ty),
        _ => Ty::Null,
    };
    Signature { params, result, has_body: matches!(function.code, FunctionCode::Body(_)) }
}

/// The events a machine takes. Apart from the rest of the machine, because the types of other machines depend on it, and theirs
/// on this one.
#[salsa::tracked]
pub fn machine_receives<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Events {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Machine(machine) => clause(&shape.0.nodes, machine.receives.as_deref()),
        _ => Events::All,
    }
}

fn clause(nodes: &Nodes, events: Option<&[EventRef]>) -> Events {
    events.map_or(Events::All, |events| events_of(nodes, events))
}

#[salsa::tracked]
pub fn machine_info<'db>(db: &'db dyn Db, decl: Decl<'db>) -> MachineInfo {
    let shape = decl.shape(db);
    let nodes = &shape.0.nodes;
    let AstDecl::Machine(machine) = &shape.0.decl else {
        return empty_machine();
    };
    let mut types = Types::new(db, decl.file(db).project(db), nodes);
    let mut fields = Vec::new();
    for var in &machine.vars {
        let ty = types.ty(var.ty);
        fields.extend(var.names.iter().map(|name| (nodes[*name].0.clone(), ty.clone())));
    }
    let functions: Vec<(SmolStr, Signature)> =
        machine.functions.iter().map(|function| (nodes[function.name].0.clone(), signature(&mut types, function))).collect();
    let states = machine.states.iter().map(|state| state_info(&mut types, &functions, state)).collect();
    MachineInfo {
        name: nodes[machine.name].0.clone(),
        kind: machine.kind,
        receives: clause(nodes, machine.receives.as_deref()),
        sends: clause(nodes, machine.sends.as_deref()),
        fields,
        functions,
        states,
    }
}

fn empty_machine() -> MachineInfo {
    MachineInfo {
        name: SmolStr::default(),
        kind: ast::MachineKind::Machine,
        receives: Events::All,
        sends: Events::All,
        fields: vec![],
        functions: vec![],
        states: vec![],
    }
}

fn state_info(types: &mut Types<'_, '_>, functions: &[(SmolStr, Signature)], state: &ast::State) -> StateInfo {
    let entry = state.items.iter().find_map(|item| match &item.kind {
        StateItemKind::Entry(handler) => Some(handler),
        _ => None,
    });
    let entry = entry.and_then(|handler| match &handler.kind {
        HandlerKind::Inline { param, .. } => param.map(|param| types.ty(param.ty)),
        HandlerKind::Named(name) => {
            let name = types.nodes[*name].as_str();
            let (_, signature) = functions.iter().find(|(function, _)| function == name)?;
            signature.params.first().map(|(_, ty)| ty.clone())
        }
        HandlerKind::Missing => None,
    });
    StateInfo { name: types.nodes[state.name].0.clone(), is_start: state.is_start, entry }
}

fn events_of(nodes: &Nodes, events: &[EventRef]) -> Events {
    Events::only(events.iter().filter(|event| event.kind != EventKind::Null).map(|event| nodes[event.name].0.clone()))
}
