//! Declarations and bodies with an identity that survives edits.
//!
//! A declaration is known by file, kind, name and number among its like; a body by its declaration and number. What they contain is
//! compared without positions, so white space and comments change nothing for whoever depends on them.

use std::sync::Arc;

use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Body, Decl as AstDecl, Item, MachineKind, Placed};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::db::{Db, ProjectFile};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeclKind {
    Type,
    Enum,
    Event,
    EventSet,
    Interface,
    Machine,
    Spec,
    Scenario,
    Function,
    Param,
    Module,
    Implementation,
    Test,
    Pure,
    Invariant,
    InvariantGroup,
    Axiom,
    InitCondition,
    Proof,
}

impl DeclKind {
    pub(crate) fn is_machine(self) -> bool {
        matches!(self, Self::Machine | Self::Spec | Self::Scenario)
    }

    /// Whether there is code in declarations of this kind.
    fn has_bodies(self) -> bool {
        self.is_machine() || self == Self::Function
    }
}

/// A top-level declaration.
#[salsa::tracked(debug)]
pub struct Decl<'db> {
    #[returns(copy)]
    pub file: ProjectFile<'db>,
    #[returns(copy)]
    pub kind: DeclKind,
    pub name: SmolStr,
    /// Among the declarations of the same kind and name in the file.
    #[returns(copy)]
    pub nth: u32,
    /// Everything but the bodies.
    #[tracked]
    pub shape: Shape,
}

/// The code of one function or handler.
#[salsa::tracked(debug)]
pub struct Code<'db> {
    #[returns(copy)]
    pub decl: Decl<'db>,
    #[returns(copy)]
    pub nth: u32,
    #[tracked]
    pub shape: BodyShape,
}

/// An item, compared without positions and without the content of its bodies. These may be those of an earlier text.
#[derive(Clone, Debug)]
pub struct Shape(pub Arc<Item>);

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        let (own, other) = (&self.0, &other.0);
        let is_same = || own.decl == other.decl && own.nodes == other.nodes && own.is_damaged == other.is_damaged;
        Arc::ptr_eq(own, other) || is_same()
    }
}

impl Eq for Shape {}

/// A body, compared without positions.
#[derive(Clone, Debug)]
pub struct BodyShape(pub Arc<Body>);

impl PartialEq for BodyShape {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.block == other.0.block && self.0.nodes == other.0.nodes)
    }
}

impl Eq for BodyShape {}

/// The declarations of a text, without positions and without the content of their bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shapes(Vec<Shape>);

impl Shapes {
    pub(crate) fn of(parse: &Parse) -> Self {
        Self(items(parse).iter().map(|item| Shape(item.value.clone())).collect())
    }
}

fn items(parse: &Parse) -> &[Placed<Item>] {
    parse.p().map_or(&[], |file| &file.items)
}

/// The declarations of a file, one for each item, in order. Says nothing of the text but what is declared in it.
#[salsa::tracked]
pub fn decls<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Decl<'db>> {
    let shapes = &file.file(db).declared_shapes(db).0;
    keys(shapes.iter().map(|shape| &*shape.0))
        .zip(shapes)
        .map(|(key, shape)| Decl::new(db, file, key.kind, key.name, key.nth, shape.clone()))
        .collect()
}

/// What tells a declaration from the others of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeclKey {
    pub(crate) kind: DeclKind,
    pub(crate) name: SmolStr,
    pub(crate) nth: u32,
}

impl DeclKey {
    pub(crate) fn of(db: &dyn Db, decl: Decl<'_>) -> Self {
        Self { kind: decl.kind(db), name: decl.name(db).clone(), nth: decl.nth(db) }
    }
}

/// The keys of a file's items, in order.
pub(crate) fn keys<'a>(items: impl Iterator<Item = &'a Item>) -> impl Iterator<Item = DeclKey> {
    let mut seen: FxHashMap<(DeclKind, SmolStr), u32> = FxHashMap::default();
    items.map(move |item| {
        let kind = kind_of(&item.decl);
        let name = item.name().map(|name| item.nodes[name].0.clone()).unwrap_or_default();
        let count = seen.entry((kind, name.clone())).or_default();
        let nth = *count;
        *count += 1;
        DeclKey { kind, name, nth }
    })
}

/// Where in `decls` a declaration stands.
#[salsa::tracked]
pub(crate) fn decl_indexes<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> FxHashMap<DeclKey, usize> {
    decls(db, file).iter().map(|decl| DeclKey::of(db, *decl)).zip(0..).collect()
}

/// The bodies of a declaration, in the order of the text.
pub fn codes<'db>(db: &'db dyn Db, decl: Decl<'db>) -> &'db [Code<'db>] {
    if decl.kind(db).has_bodies() { codes_of(db, decl) } else { &[] }
}

#[salsa::tracked]
fn codes_of<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Code<'db>> {
    let file = decl.file(db);
    let index = decl_indexes(db, file).get(&DeclKey::of(db, decl));
    let item = index.and_then(|index| items(file.file(db).parse(db)).get(*index));
    let bodies = item.map_or(&[][..], |item| &item.value.bodies);
    (0..).zip(bodies).map(|(nth, body)| Code::new(db, decl, nth, BodyShape(body.value.clone()))).collect()
}

fn kind_of(decl: &AstDecl) -> DeclKind {
    match decl {
        AstDecl::Type { .. } => DeclKind::Type,
        AstDecl::Enum { .. } => DeclKind::Enum,
        AstDecl::Event { .. } => DeclKind::Event,
        AstDecl::EventSet { .. } => DeclKind::EventSet,
        AstDecl::Interface { .. } => DeclKind::Interface,
        AstDecl::Machine(machine) => match machine.kind {
            MachineKind::Machine => DeclKind::Machine,
            MachineKind::Spec => DeclKind::Spec,
            MachineKind::Scenario => DeclKind::Scenario,
        },
        AstDecl::Function(_) => DeclKind::Function,
        AstDecl::Param { .. } => DeclKind::Param,
        AstDecl::Module { .. } => DeclKind::Module,
        AstDecl::Implementation { .. } => DeclKind::Implementation,
        AstDecl::Test(_) => DeclKind::Test,
        AstDecl::Pure { .. } => DeclKind::Pure,
        AstDecl::Invariant(_) => DeclKind::Invariant,
        AstDecl::InvariantGroup { .. } => DeclKind::InvariantGroup,
        AstDecl::Axiom { .. } => DeclKind::Axiom,
        AstDecl::InitCondition { .. } => DeclKind::InitCondition,
        AstDecl::Proof { .. } => DeclKind::Proof,
    }
}
