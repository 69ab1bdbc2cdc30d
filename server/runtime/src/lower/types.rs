//! Types, and what variables of them are at first.

use std::sync::Arc;

use lockstep_program::ty::{Events, Ty};
use lockstep_program::{DeclKind, Space, lookup};
use lockstep_syntax::p::ast::Decl as AstDecl;
use smol_str::SmolStr;

use super::{Lowering, number};
use crate::program::{Enum, EnumId, EventId, EventSet, EventSetId, FieldId, NamesId, Program, Type, TypeId};
use crate::value::{Items, Named, Value};

impl Lowering<'_> {
    /// The type as runs see it. Types are at most some hundred levels deep.
    pub(super) fn ty(&mut self, ty: &Ty) -> TypeId {
        if let Some(id) = self.types.get(ty) {
            return *id;
        }
        let shape = match ty {
            Ty::Error | Ty::Any | Ty::Data => Type::Any,
            Ty::Bool => Type::Bool,
            Ty::Int => Type::Int,
            Ty::Float => Type::Float,
            Ty::String => Type::String,
            Ty::Null => Type::Null,
            Ty::Event => Type::Event,
            Ty::Machine | Ty::Reference(..) => Type::Machine,
            Ty::Enum(name) => Type::Enum(self.enum_id(name)),
            Ty::Foreign(name) => Type::Foreign(name.clone()),
            Ty::Seq(element) => Type::Seq(self.ty(element)),
            Ty::Set(element) => Type::Set(self.ty(element)),
            Ty::Map(key, value) => Type::Map(self.ty(key), self.ty(value)),
            Ty::Tuple(elements) => Type::Tuple(elements.iter().map(|element| self.ty(element)).collect()),
            Ty::NamedTuple(fields) => {
                let names = self.names(fields.iter().map(|(name, _)| name.clone()).collect());
                Type::Named(names, fields.iter().map(|(_, ty)| self.ty(ty)).collect())
            }
        };
        let id = self.shape(shape);
        self.types.insert(ty.clone(), id);
        id
    }

    pub(super) fn shape(&mut self, shape: Type) -> TypeId {
        if let Some(id) = self.shapes.get(&shape) {
            return *id;
        }
        let id = TypeId(number(self.program.types.len()));
        self.program.types.push(shape.clone());
        self.shapes.insert(shape, id);
        id
    }

    /// What a variable of this type is at first.
    pub(super) fn default(&self, ty: TypeId) -> Value {
        match self.program.ty(ty) {
            Type::Any | Type::Null | Type::Event | Type::Machine | Type::Foreign(_) => Value::Null,
            Type::Bool => Value::Bool(false),
            Type::Int => Value::Int(0),
            Type::Float => Value::float(0.0),
            Type::String => Value::string(""),
            Type::Enum(id) => {
                let numbers = self.program.enums[id.index()].elements.iter().map(|(_, number)| *number);
                Value::Enum(*id, numbers.min().unwrap_or(0))
            }
            Type::Seq(_) => Value::seq(Vec::new()),
            Type::Set(_) => Value::empty_set(),
            Type::Map(..) => Value::empty_map(),
            Type::Tuple(elements) => Value::tuple(elements.iter().map(|element| self.default(*element)).collect()),
            Type::Named(names, elements) => {
                let items = Items::new(elements.iter().map(|element| self.default(*element)).collect());
                Value::Named(Arc::new(Named { names: *names, items }))
            }
        }
    }

    pub(super) fn names(&mut self, names: Vec<SmolStr>) -> NamesId {
        if let Some(id) = self.names.get(&names) {
            return *id;
        }
        let id = NamesId(number(self.program.field_names.len()));
        self.program.field_names.push(names.clone().into());
        self.names.insert(names, id);
        id
    }

    pub(super) fn field(&mut self, name: SmolStr) -> FieldId {
        let new = FieldId(number(self.program.fields.len()));
        let id = *self.fields.entry(name.clone()).or_insert(new);
        if id == new {
            self.program.fields.push(name);
        }
        id
    }

    /// Where fields are in tuples, once all names are known.
    pub(super) fn field_places(&mut self) {
        let Program { field_names, fields, field_places, .. } = &mut self.program;
        let place = |names: &[SmolStr], field: &SmolStr| names.iter().position(|name| name == field).map(number);
        *field_places = field_names.iter().map(|names| fields.iter().map(|field| place(names, field)).collect()).collect();
    }

    pub(super) fn enum_id(&mut self, name: &SmolStr) -> EnumId {
        if let Some(id) = self.enums.get(name) {
            return *id;
        }
        let elements = self.enum_elements(name);
        let id = EnumId(number(self.program.enums.len()));
        self.program.enums.push(Enum { name: name.clone(), elements });
        self.enums.insert(name.clone(), id);
        id
    }

    fn enum_elements(&self, name: &str) -> Vec<(SmolStr, i64)> {
        let decl = lookup(self.db, self.project, Space::Type, name).map(|def| def.decl);
        let Some(decl) = decl.filter(|decl| decl.kind(self.db) == DeclKind::Enum) else { return Vec::new() };
        let shape = decl.shape(self.db);
        let AstDecl::Enum { elements, .. } = &shape.0.decl else { return Vec::new() };
        let nodes = &shape.0.nodes;
        let numbered = (0_i64..).zip(elements);
        let value = |(position, element): (i64, &lockstep_syntax::p::ast::EnumElement)| {
            let written = element.value.and_then(|value| nodes[value].as_str().parse().ok());
            (nodes[element.name].0.clone(), written.unwrap_or(position))
        };
        numbered.map(value).collect()
    }

    pub(super) fn event_set(&mut self, events: &Events) -> EventSetId {
        let all = self.program.events.len();
        let set: EventSet = match events {
            // Everything but `null`.
            Events::All => (1..all).map(|event| EventId(number(event))).collect(),
            Events::Only(names) => names.iter().filter_map(|name| self.events.get(name).copied()).collect(),
        };
        if let Some(id) = self.sets.get(&set) {
            return *id;
        }
        let id = EventSetId(number(self.program.event_sets.len()));
        self.program.event_sets.push(set.clone());
        self.sets.insert(set, id);
        id
    }
}
