//! What the names of types stand for.
//!
//! All aliases of a project are resolved together, each after those it mentions, and not by one query for each: aliases of aliases in
//! long chains or circles would be queries that wait for each other.

use lockstep_syntax::p::ast::{Decl as AstDecl, Item, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::graph::groups;
use crate::resolve::Types;
use crate::scope::{Space, declarations, lookup};
use crate::ty::Ty;

/// A type with its size. The size counts every part as often as it occurs, so a short text can mean a very large type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sized {
    pub(crate) ty: Ty,
    pub(crate) size: Size,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) parts: u32,
    pub(crate) depth: u32,
}

/// Beyond this nobody meant it. Comparing types with more parts would take very long, dropping deeper ones too much stack.
const MOST: Size = Size { parts: 20_000, depth: MOST_DEPTH };
pub(crate) const MOST_DEPTH: u32 = 250;

impl Size {
    /// Of a type that was reported as too large. What contains it is of this size too, and is not reported again.
    pub(crate) const REPORTED: Self = Self { parts: u32::MAX, depth: u32::MAX };

    /// A type around types of these sizes.
    pub(crate) fn around(inner: impl IntoIterator<Item = Self>) -> Self {
        let mut size = Self { parts: 1, depth: 1 };
        for inner in inner {
            size.parts = size.parts.saturating_add(inner.parts);
            size.depth = size.depth.max(inner.depth.saturating_add(1));
        }
        size
    }

    pub(crate) fn is_too_large(self) -> bool {
        self.parts > MOST.parts || self.depth > MOST.depth
    }
}

/// What an alias stands for.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Alias {
    pub(crate) meaning: Sized,
    /// Whether it contains itself.
    pub(crate) is_circular: bool,
    /// Another alias of the circle, which this one mentions.
    pub(crate) circle: Option<SmolStr>,
}

/// What an alias stands for; a foreign type stands for itself. An alias of itself is an error, reported where it is declared.
pub fn alias_type<'db>(db: &'db dyn Db, decl: Decl<'db>) -> &'db Ty {
    &alias(db, decl).meaning.ty
}

#[salsa::tracked]
pub(crate) fn alias<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Alias {
    let aliases = aliases(db, decl.file(db).project(db));
    aliases.of.get(&decl).cloned().unwrap_or_else(|| foreign(db, decl))
}

fn foreign(db: &dyn Db, decl: Decl<'_>) -> Alias {
    let ty = if decl.shape(db).0.is_damaged { Ty::Error } else { Ty::Foreign(decl.name(db).clone()) };
    let meaning = Sized { ty, size: Size::around([]) };
    Alias { meaning, is_circular: false, circle: None }
}

/// The aliases of a project, by declaration; foreign types are not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Aliases<'db> {
    pub(crate) of: FxHashMap<Decl<'db>, Alias>,
}

#[salsa::tracked]
fn aliases<'db>(db: &'db dyn Db, project: Project) -> Aliases<'db> {
    let found: Vec<(Decl<'db>, TypeId)> =
        declarations(db, project, DeclKind::Type).filter_map(|decl| Some((decl, definition(db, decl)?))).collect();
    let numbers: FxHashMap<Decl<'db>, usize> = found.iter().map(|(decl, _)| *decl).zip(0..).collect();
    let mentions = |(decl, definition): &(Decl<'db>, TypeId)| -> Vec<usize> {
        let mentioned = mentioned_types(&decl.shape(db).0, *definition).into_iter();
        let mentioned = mentioned.filter_map(|name| lookup(db, project, Space::Type, &name));
        mentioned.filter_map(|def| numbers.get(&def.decl).copied()).collect()
    };
    let edges: Vec<Vec<usize>> = found.iter().map(mentions).collect();
    let mut aliases = Aliases::default();
    for group in groups(&edges) {
        let is_circular = group.len() > 1 || edges[group[0]].contains(&group[0]);
        let members: FxHashSet<usize> = if is_circular { group.iter().copied().collect() } else { FxHashSet::default() };
        for number in group {
            let (decl, definition) = found[number];
            let meaning = match is_circular || decl.shape(db).0.is_damaged {
                true => Sized { ty: Ty::Error, size: Size::around([]) },
                false => Types::within(db, project, &decl.shape(db).0.nodes, &aliases).sized(definition),
            };
            let next = edges[number].iter().find(|next| **next != number && members.contains(next));
            let circle = next.map(|next| found[*next].0.name(db).clone());
            aliases.of.insert(decl, Alias { meaning, is_circular, circle });
        }
    }
    aliases
}

fn definition(db: &dyn Db, decl: Decl<'_>) -> Option<TypeId> {
    match &decl.shape(db).0.decl {
        AstDecl::Type { definition, .. } => *definition,
        _ => None,
    }
}

/// The names of types that a type mentions.
fn mentioned_types(item: &Item, ty: TypeId) -> Vec<SmolStr> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match &item.nodes[ty] {
            Type::Named(name) => found.push(item.nodes[*name].0.clone()),
            Type::Seq(element) | Type::Set(element) => open.push(*element),
            Type::Map(key, value) => open.extend([*key, *value]),
            Type::Tuple(elements) => open.extend(elements),
            Type::NamedTuple(fields) => open.extend(fields.iter().map(|field| field.ty)),
            Type::Missing | Type::Primitive(_) => {}
        }
    }
    found
}
