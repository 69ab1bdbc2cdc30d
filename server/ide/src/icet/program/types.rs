//! Types, as far as they say what stands behind a dot.

use lockstep_syntax::icet::ast::{Decl, Type, TypeId};
use smol_str::SmolStr;

use super::{DeclId, NameKind, Program};

/// A type that is written somewhere, or follows from what a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::icet) enum Ty {
    Unknown,
    Written {
        item: usize,
        ty: TypeId,
    },
    Process(DeclId),
    /// A member of that set.
    Member(DeclId),
    Enum(DeclId),
    /// A set of the type at that index of the program's `parts`.
    SetOf(usize),
    /// So many of the program's `parts`, from an index on.
    Tuple {
        first: usize,
        count: usize,
    },
}

/// Names for names for types are followed that far; a name that stands for itself has no end.
const LONGEST_CHAIN: usize = 100;

impl Program<'_> {
    /// The type that a name stands for as a type.
    pub(in crate::icet) fn named_type(&self, name: &str) -> Ty {
        let Some(id) = self.global(name) else { return Ty::Unknown };
        let declaration = &self.declarations[id];
        match (declaration.kind, &self.item(declaration).decl) {
            (NameKind::Type, Decl::Type { definition: Some(ty), .. }) => Ty::Written { item: declaration.item, ty: *ty },
            (NameKind::Enum, _) => Ty::Enum(id),
            (NameKind::Set, _) => Ty::Member(id),
            (NameKind::Process, _) => Ty::Process(id),
            _ => Ty::Unknown,
        }
    }

    /// The same type without names for it.
    pub(in crate::icet) fn resolved(&self, mut ty: Ty) -> Ty {
        for _ in 0..LONGEST_CHAIN {
            let Ty::Written { item, ty: id } = ty else { return ty };
            let nodes = &self.file.items[item].value.nodes;
            let Type::Named(name) = &nodes[id] else { return ty };
            ty = self.named_type(nodes[*name].as_str());
        }
        Ty::Unknown
    }

    /// The process that a pid of this type belongs to.
    pub(in crate::icet) fn process_of(&self, ty: Ty) -> Option<DeclId> {
        let mut set = match self.resolved(ty) {
            Ty::Process(process) => return Some(process),
            Ty::Member(set) => set,
            _ => return None,
        };
        for _ in 0..LONGEST_CHAIN {
            let declaration = &self.declarations[set];
            if let Some(process) = self.process_of_set.get(&declaration.name) {
                return Some(*process);
            }
            let item = self.item(declaration);
            let Decl::Set { superset: Some(superset), .. } = &item.decl else { return None };
            set = self.global(item.nodes[*superset].as_str()).filter(|id| self.declarations[*id].kind == NameKind::Set)?;
        }
        None
    }

    /// What `.name` is of a value of this type.
    pub(in crate::icet) fn field(&self, ty: Ty, name: &SmolStr) -> Option<DeclId> {
        if let Some(process) = self.process_of(ty) {
            return self.variables.get(&(process, name.clone())).copied();
        }
        let Ty::Written { item, ty } = self.resolved(ty) else { return None };
        self.fields.get(&(item, ty, name.clone())).copied()
    }

    /// Everything that can stand behind a dot after a value of this type.
    pub(in crate::icet) fn fields(&self, ty: Ty) -> Vec<DeclId> {
        if let Some(process) = self.process_of(ty) {
            let of_process = |id: &DeclId| {
                let declaration = &self.declarations[*id];
                declaration.owner == Some(process) && matches!(declaration.kind, NameKind::Variable | NameKind::Ghost)
            };
            return (0..self.declarations.len()).filter(of_process).collect();
        }
        let Ty::Written { item, ty } = self.resolved(ty) else { return Vec::new() };
        let nodes = &self.file.items[item].value.nodes;
        let Type::Record(fields) = &nodes[ty] else { return Vec::new() };
        let field = |name: &SmolStr| self.fields.get(&(item, ty, name.clone())).copied();
        fields.iter().filter_map(|typed| field(&nodes[typed.name].0)).collect()
    }

    /// What a set of this type has as elements.
    pub(in crate::icet) fn element(&self, ty: Ty) -> Ty {
        match self.resolved(ty) {
            Ty::SetOf(part) => self.parts[part],
            Ty::Written { item, ty } => match &self.file.items[item].value.nodes[ty] {
                Type::Set(element) => Ty::Written { item, ty: *element },
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    /// What a map of this type has at each key, and its keys.
    pub(in crate::icet) fn map(&self, ty: Ty) -> Option<(Ty, Ty)> {
        let Ty::Written { item, ty } = self.resolved(ty) else { return None };
        match &self.file.items[item].value.nodes[ty] {
            Type::Map(key, value) => Some((Ty::Written { item, ty: *key }, Ty::Written { item, ty: *value })),
            _ => None,
        }
    }

    /// The part of a tuple.
    pub(in crate::icet) fn part(&self, ty: Ty, index: usize) -> Ty {
        match self.resolved(ty) {
            Ty::Tuple { first, count } if index < count => self.parts[first + index],
            Ty::Written { item, ty } => match &self.file.items[item].value.nodes[ty] {
                Type::Tuple(parts) => parts.get(index).map_or(Ty::Unknown, |part| Ty::Written { item, ty: *part }),
                _ => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }

    /// A set of that type.
    pub(super) fn set_of(&mut self, element: Ty) -> Ty {
        self.parts.push(element);
        Ty::SetOf(self.parts.len() - 1)
    }

    pub(super) fn tuple_of(&mut self, parts: &[Ty]) -> Ty {
        let first = self.parts.len();
        self.parts.extend_from_slice(parts);
        Ty::Tuple { first, count: parts.len() }
    }
}
