//! Types and signatures of what is declared.

use lockstep_syntax::p::ast::{
    self, Decl as AstDecl, EventKind, EventRef, FunctionCode, HandlerKind, NameId, Nodes, Primitive, StateItemKind, Type, TypeId,
    TypedName,
};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::alias::{Aliases, Size, Sized, alias};
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem, Unit};
use crate::scope::{Space, lookup, names};
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
        match self.states.iter().find(|state| state.is_start) {
            Some(start) => start.entry.clone().unwrap_or(Ty::Null),
            // Reported at the machine.
            None if self.kind == ast::MachineKind::Machine => Ty::Error,
            None => Ty::Null,
        }
    }
}

/// Resolves the types of one unit (a declaration or a body) and collects what is wrong with them.
pub(crate) struct Types<'a, 'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) project: Project,
    pub(crate) nodes: &'a Nodes,
    pub(crate) problems: Vec<Problem<'db>>,
    /// The aliases known so far, while they are being resolved.
    aliases: Option<&'a Aliases<'db>>,
    /// What the nodes belong to, where problems are wanted and not only types.
    unit: Option<Unit<'db>>,
}

impl<'a, 'db> Types<'a, 'db> {
    pub(crate) fn new(db: &'db dyn Db, project: Project, nodes: &'a Nodes) -> Self {
        Self { db, project, nodes, problems: Vec::new(), aliases: None, unit: None }
    }

    /// For a unit whose problems are shown.
    pub(crate) fn reporting(db: &'db dyn Db, unit: Unit<'db>, nodes: &'a Nodes) -> Self {
        Self { unit: Some(unit), ..Self::new(db, unit.decl.file(db).project(db), nodes) }
    }

    /// For the definition of an alias that mentions none but these.
    pub(crate) fn within(db: &'db dyn Db, project: Project, nodes: &'a Nodes, aliases: &'a Aliases<'db>) -> Self {
        Self { aliases: Some(aliases), ..Self::new(db, project, nodes) }
    }

    pub(crate) fn ty(&mut self, id: TypeId) -> Ty {
        self.sized(id).ty
    }

    /// A type with its size. One that is too large is an error, reported at its innermost part that is.
    pub(crate) fn sized(&mut self, id: TypeId) -> Sized {
        let sized = crate::stack::level(|| self.sized_here(id));
        if !sized.size.is_too_large() {
            return sized;
        }
        if sized.size.depth != Size::REPORTED.depth {
            let message = "this type is too large: it has too many parts, or they are nested too deeply";
            self.problems.push(Problem::new(Code::TypeTooLarge, id, message));
        }
        Sized { ty: Ty::Error, size: Size::REPORTED }
    }

    fn sized_here(&mut self, id: TypeId) -> Sized {
        let nodes = self.nodes;
        let (ty, size) = match &nodes[id] {
            Type::Missing => (Ty::Error, Size::around([])),
            Type::Primitive(primitive) => (primitive_type(*primitive), Size::around([])),
            Type::Named(name) => return self.named(id, nodes[*name].as_str()),
            Type::Seq(element) => {
                let Sized { ty, size } = self.sized(*element);
                (Ty::Seq(ty.into()), Size::around([size]))
            }
            Type::Set(element) => {
                let Sized { ty, size } = self.sized(*element);
                (Ty::Set(ty.into()), Size::around([size]))
            }
            Type::Map(key, value) => {
                let (key, value) = (self.sized(*key), self.sized(*value));
                (Ty::Map(key.ty.into(), value.ty.into()), Size::around([key.size, value.size]))
            }
            Type::Tuple(elements) => {
                let elements: Vec<Sized> = elements.iter().map(|element| self.sized(*element)).collect();
                let size = Size::around(elements.iter().map(|element| element.size));
                (Ty::Tuple(elements.into_iter().map(|element| element.ty).collect()), size)
            }
            Type::NamedTuple(fields) => {
                self.duplicate_fields(fields);
                let typed: Vec<Sized> = fields.iter().map(|field| self.sized(field.ty)).collect();
                let size = Size::around(typed.iter().map(|field| field.size));
                let named = fields.iter().zip(typed).map(|(field, typed)| (nodes[field.name].0.clone(), typed.ty));
                (Ty::NamedTuple(named.collect()), size)
            }
        };
        Sized { ty, size }
    }

    fn named(&mut self, id: TypeId, name: &str) -> Sized {
        if let Some(sized) = named_type(self.db, self.project, name, self.aliases) {
            return sized;
        }
        if !name.is_empty() {
            self.problems.push(
                Problem::new(Code::UnknownType, id, format!("there is no type `{name}`"))
                    .with_help("types, enums, machines, interfaces and event sets can be types")
                    .with_similar(name, &[Space::Type, Space::EventSet], vec![]),
            );
        }
        Sized { ty: Ty::Error, size: Size::around([]) }
    }

    fn duplicate_fields(&mut self, fields: &[TypedName]) {
        let mut seen: FxHashMap<&SmolStr, NameId> = FxHashMap::default();
        for field in fields {
            let name = &self.nodes[field.name].0;
            let first = *seen.entry(name).or_insert(field.name);
            if first != field.name && !name.is_empty() {
                let message = format!("the field `{name}` is declared twice");
                let problem = Problem::new(Code::DuplicateField, field.name, message).with_help("give one of them another name");
                self.problems.push(match self.unit {
                    Some(unit) => problem.with_related_in(unit, first, "the first one"),
                    None => problem,
                });
            }
        }
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

/// The type a name stands for. `known` are the aliases that can be asked for, or all if there is no such limit.
fn named_type<'db>(db: &'db dyn Db, project: Project, name: &str, known: Option<&Aliases<'db>>) -> Option<Sized> {
    let small = |ty: Ty| Some(Sized { ty, size: Size::around([]) });
    let def = lookup(db, project, Space::Type, name);
    match def.map(|def| (def.decl, def.decl.kind(db))) {
        Some((_, DeclKind::Enum)) => return small(Ty::Enum(name.into())),
        Some((decl, DeclKind::Type)) => {
            return match known {
                None => Some(alias(db, decl).meaning.clone()),
                Some(known) => match known.of.get(&decl) {
                    Some(alias) => Some(alias.meaning.clone()),
                    None if decl.shape(db).0.is_damaged => small(Ty::Error),
                    None => small(Ty::Foreign(name.into())),
                },
            };
        }
        _ => {}
    }
    if let Some(def) = lookup(db, project, Space::EventSet, name) {
        return small(Ty::Reference(name.into(), or_all(db, project, event_set(db, def.decl).clone())));
    }
    if let Some(def) = def {
        let events = match def.decl.kind(db) {
            DeclKind::Interface => interface_events(db, def.decl),
            _ => machine_receives(db, def.decl),
        };
        return small(Ty::Reference(name.into(), events.clone()));
    }
    // The name of an event as a type: a machine that takes exactly this event; in proofs also such an event.
    let event = lookup(db, project, Space::Event, name).filter(|def| def.part.is_none())?;
    let name = event.decl.name(db).clone();
    small(Ty::Reference(name.clone(), Events::only([name])))
}

/// What an event carries; `Null` if nothing.
#[salsa::tracked]
pub fn event_payload<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Ty {
    let shape = decl.shape(db);
    match &shape.0.decl {
        _ if shape.0.is_damaged => Ty::Error,
        AstDecl::Event { payload: Some(payload), .. } => Types::new(db, decl.file(db).project(db), &shape.0.nodes).ty(*payload),
        _ => Ty::Null,
    }
}

/// What is carried by an event where it is named, with the declaration of the event; `None` if there is no such event.
pub(crate) fn carried<'db>(
    db: &'db dyn Db,
    project: Project,
    nodes: &Nodes,
    event: &EventRef,
) -> Option<(Ty, Option<Decl<'db>>)> {
    match event.kind {
        EventKind::Declared => {
            let def = lookup(db, project, Space::Event, nodes[event.name].as_str()).filter(|def| def.part.is_none())?;
            Some((event_payload(db, def.decl).clone(), Some(def.decl)))
        }
        EventKind::Halt | EventKind::Null => Some((Ty::Null, None)),
    }
}

/// Whether a handler with a parameter of this type takes what an event carries. A tuple of one element also fits where that element
/// does.
pub(crate) fn takes(param: &Ty, payload: &Ty) -> bool {
    let element_fits = || matches!(payload, Ty::Tuple(elements) if elements.len() == 1 && param.accepts(&elements[0]));
    param.accepts(payload) || element_fits()
}

/// Whether a handler with a parameter of this type can handle the event; so can any if there is no such event.
pub(crate) fn can_take(db: &dyn Db, project: Project, nodes: &Nodes, event: &EventRef, param: &Ty) -> bool {
    carried(db, project, nodes, event).is_none_or(|(payload, _)| takes(param, &payload))
}

#[salsa::tracked]
pub fn event_set<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Events {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::EventSet { events, .. } => listed(&shape.0.nodes, events),
        _ => Events::All,
    }
}

#[salsa::tracked]
pub fn interface_events<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Events {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Interface { receives, .. } => events_of(db, decl, receives),
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
        AstDecl::Function(function) if shape.0.is_damaged => Signature { result: Ty::Error, ..signature(&mut types, function) },
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
        AstDecl::Machine(machine) => clause(db, decl, machine.kind, machine.receives.as_deref()),
        _ => Events::All,
    }
}

/// The events of a machine's `receives` or `sends`. Specs and scenarios do neither.
fn clause(db: &dyn Db, decl: Decl<'_>, kind: ast::MachineKind, events: Option<&[EventRef]>) -> Events {
    match (kind, events) {
        (ast::MachineKind::Machine, Some(events)) => events_of(db, decl, events),
        (ast::MachineKind::Machine, None) => Events::All,
        (ast::MachineKind::Spec | ast::MachineKind::Scenario, _) => Events::only([]),
    }
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
        name: decl.name(db).clone(),
        kind: machine.kind,
        receives: machine_receives(db, decl).clone(),
        sends: clause(db, decl, machine.kind, machine.sends.as_deref()),
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
            match &signature.params[..] {
                [] => None,
                [(_, ty)] => Some(ty.clone()),
                // Reported at the entry.
                [_, _, ..] => Some(Ty::Error),
            }
        }
        HandlerKind::Missing => None,
    });
    StateInfo { name: types.nodes[state.name].0.clone(), is_start: state.is_start, entry }
}

fn events_of(db: &dyn Db, decl: Decl<'_>, events: &[EventRef]) -> Events {
    or_all(db, decl.file(db).project(db), listed(&decl.shape(db).0.nodes, events))
}

fn listed(nodes: &Nodes, events: &[EventRef]) -> Events {
    Events::only(events.iter().filter(|event| event.kind != EventKind::Null).map(|event| nodes[event.name].0.clone()))
}

/// As types, a list of all events there are means the same as no list.
fn or_all(db: &dyn Db, project: Project, listed: Events) -> Events {
    // Without `halt` it is not all of them, and nobody needs to know what there is.
    let is_all = listed.contains("halt") && declared_events(db, project).iter().all(|name| listed.contains(name));
    if is_all { Events::All } else { listed }
}

/// The names of all events, in order.
#[salsa::tracked]
fn declared_events(db: &dyn Db, project: Project) -> Vec<SmolStr> {
    let mut names: Vec<SmolStr> = names(db, project).events().cloned().collect();
    names.sort();
    names.dedup();
    names
}

/// The type that is written at a node of a declaration or body of the project.
pub fn written_type(db: &dyn Db, project: Project, nodes: &Nodes, ty: TypeId) -> Ty {
    Types::new(db, project, nodes).ty(ty)
}
