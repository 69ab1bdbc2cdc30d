//! Types as written become types without aliases.
//!
//! Without aliases a type can be exponentially larger than its text, so there is a limit to its size. It also bounds how deep types
//! are nested, and with that the stack that comparing and dropping them needs.

use lockstep_base::TextRange;
use lockstep_syntax::icet::ast::{self, Body, Decl, NameId, Part, Primitive, TypeId};
use smol_str::SmolStr;

use super::name::Global;
use super::{Checker, More, codes, next};
use crate::program::{Type, Var, VarId, Whose};
use crate::stack;
use crate::types::{is_unknown, unknown};

/// A type has at most so many parts, parts of parts included.
const MAX_PARTS: usize = 1_000;

/// `type N = T;`
pub(super) struct Alias {
    item: usize,
    name: NameId,
    definition: TypeId,
    state: State,
}

enum State {
    Unseen,
    /// Its definition is being followed: whoever meets it again is inside of it.
    Open,
    Known(Type),
}

impl Alias {
    pub(super) fn new(item: usize, name: NameId, definition: TypeId) -> Self {
        Self { item, name, definition, state: State::Unseen }
    }
}

impl Checker<'_> {
    /// The types of all declarations and of the variables of all processes.
    pub(super) fn resolve_types(&mut self) {
        for alias in 0..self.aliases.len() {
            self.alias(alias);
        }
        let (mut enums, mut messages, mut consts, mut shared, mut processes) = (0, 0, 0, 0, 0);
        for item in &self.file.items {
            self.enter(item);
            match &item.value.decl {
                Decl::Enum { elements, .. } => {
                    for (at, element) in elements.iter().enumerate() {
                        self.program.enums[enums].elements[at].payload = self.payload(&element.payload);
                    }
                    enums += 1;
                }
                Decl::Message { payload, .. } => {
                    self.program.messages[messages].payload = self.payload(payload);
                    messages += 1;
                }
                Decl::Const { ty, .. } => {
                    self.program.consts[consts].ty = self.ty(*ty);
                    consts += 1;
                }
                Decl::Var(var) => {
                    let ty = self.ty(var.ty);
                    for _ in &var.names {
                        self.program.shared[shared].ty = ty.clone();
                        shared += 1;
                    }
                }
                Decl::Process { body, .. } => {
                    self.program.processes[processes].code.vars = self.var_types(body);
                    self.name_vars(processes, body);
                    processes += 1;
                }
                _ => {}
            }
        }
        self.enums_without_cycle();
    }

    /// The variables of a body, without their values.
    pub(super) fn var_types(&mut self, body: &Body) -> Vec<Var> {
        let mut vars = Vec::new();
        for var in &body.vars {
            let ty = self.ty(var.ty);
            for name in &var.names {
                let name = self.text(*name).clone();
                vars.push(Var { name, ty: ty.clone(), is_ghost: var.is_ghost, value: None });
            }
        }
        vars
    }

    fn name_vars(&mut self, process: usize, body: &Body) {
        for (at, name) in body.vars.iter().flat_map(|var| &var.names).enumerate() {
            let (text, place) = (self.text(*name).clone(), (VarId(next(at)), self.range(*name)));
            self.vars[process].entry(text).or_insert(place);
        }
    }

    fn payload(&mut self, parts: &[Part]) -> Vec<Type> {
        parts.iter().map(|part| self.ty(part.ty)).collect()
    }

    pub(super) fn ty(&mut self, id: TypeId) -> Type {
        let mut room = MAX_PARTS;
        let ty = self.part(id, &mut room);
        if ty.is_none() {
            let message = format!("this type has more than {MAX_PARTS} parts, counting parts of parts");
            self.error(codes::TOO_LARGE, self.range(id), message).help("make it smaller");
        }
        ty.unwrap_or_else(unknown)
    }

    /// A type that is part of another; `None` if there is no room for it.
    fn part(&mut self, id: TypeId, room: &mut usize) -> Option<Type> {
        *room = room.checked_sub(1)?;
        stack::level(|| self.type_node(id, room))
    }

    fn type_node(&mut self, id: TypeId, room: &mut usize) -> Option<Type> {
        Some(match &self.item.nodes[id] {
            ast::Type::Missing => self.hole(),
            ast::Type::Primitive(Primitive::Bool) => Type::Bool,
            ast::Type::Primitive(Primitive::Int) => Type::Int,
            ast::Type::Primitive(Primitive::Pid) => Type::Pid(Whose::Anybody),
            ast::Type::Named(name) => {
                let ty = self.named(*name);
                *room = (*room + 1).checked_sub(size(&ty))?;
                ty
            }
            ast::Type::Set(element) => Type::Set(Box::new(self.part(*element, room)?)),
            ast::Type::Map(key, value) => Type::Map(Box::new(self.part(*key, room)?), Box::new(self.part(*value, room)?)),
            ast::Type::Tuple(parts) => {
                let tuple: Option<Vec<Type>> = parts.iter().map(|part| self.part(*part, room)).collect();
                let tuple = tuple?;
                if tuple.len() < 2 { self.hole() } else { Type::Tuple(tuple) }
            }
            ast::Type::Record(fields) => {
                let mut record: Vec<(SmolStr, Type)> = Vec::new();
                for field in fields {
                    let ty = self.part(field.ty, room)?;
                    self.field_once(&record, fields, field.name);
                    record.push((self.text(field.name).clone(), ty));
                }
                Type::Record(record)
            }
        })
    }

    fn field_once(&mut self, before: &[(SmolStr, Type)], fields: &[ast::TypedName], name: NameId) {
        let text = self.text(name);
        self.has_holes |= text.is_empty();
        let first = before.iter().position(|(other, _)| other == text && !text.is_empty());
        if let Some(first) = first.and_then(|first| fields.get(first)) {
            self.declared_twice(name, self.range(first.name));
        }
    }

    fn hole(&mut self) -> Type {
        self.has_holes = true;
        unknown()
    }

    fn named(&mut self, name: NameId) -> Type {
        match self.global(name, "a type", Global::is_type) {
            Some(Global::Alias(alias)) => self.mentioned_alias(alias),
            Some(Global::Opaque(opaque)) => Type::Opaque(opaque),
            Some(Global::Enum(found)) => Type::Enum(found),
            Some(Global::Set(set)) => Type::Pid(Whose::Member(set)),
            Some(Global::Process(process)) => Type::Pid(Whose::Process(process)),
            _ => unknown(),
        }
    }

    fn mentioned_alias(&mut self, alias: usize) -> Type {
        let place = (self.item, self.start);
        let ty = stack::level(|| self.alias(alias));
        (self.item, self.start) = place;
        ty
    }

    /// The type that an alias stands for.
    fn alias(&mut self, at: usize) -> Type {
        let file = self.file;
        let Alias { item, name, definition, .. } = self.aliases[at];
        match &self.aliases[at].state {
            State::Known(ty) => return ty.clone(),
            State::Unseen => self.enter(&file.items[item]),
            State::Open => {
                self.enter(&file.items[item]);
                let range = self.range(name);
                self.contains_itself(self.text(name).clone(), range);
                self.aliases[at].state = State::Known(unknown());
                return unknown();
            }
        }
        self.aliases[at].state = State::Open;
        let ty = self.ty(definition);
        // One that contains itself is known to be wrong by now.
        if let State::Open = self.aliases[at].state {
            self.aliases[at].state = State::Known(ty.clone());
            return ty;
        }
        unknown()
    }

    pub(super) fn contains_itself(&mut self, name: SmolStr, range: TextRange) {
        let message = format!("`{name}` contains itself");
        self.error(codes::CONTAINS_ITSELF, range, message)
            .help("values are finite: refer to other values by a number, and keep them in a map");
    }

    /// The type of something written out, unless it is too large to work with.
    pub(super) fn bounded(&mut self, range: TextRange, ty: Type) -> Type {
        if size(&ty) <= MAX_PARTS {
            return ty;
        }
        let message = format!("this has a type of more than {MAX_PARTS} parts, counting parts of parts");
        self.error(codes::TOO_LARGE, range, message).help("make it smaller");
        unknown()
    }

    pub(super) fn describe(&self, ty: &Type) -> String {
        format!("`{}`", crate::print::ty(&self.program, ty))
    }
}

/// How many parts a type has, with itself.
fn size(ty: &Type) -> usize {
    1 + match ty {
        Type::Set(element) => size(element),
        Type::Map(key, value) => size(key) + size(value),
        Type::Tuple(parts) if !is_unknown(ty) => parts.iter().map(size).sum(),
        Type::Record(fields) => fields.iter().map(|(_, ty)| size(ty)).sum(),
        _ => 0,
    }
}
