//! Every name in the text with what it stands for.
//!
//! Names are resolved as the checks resolve them, but nothing is reported. The few names that need types for it, all of them in
//! proofs, are taken from the checks. Fields of tuples are not here: they belong to types, not to declarations (`field.rs`).
//! `decl_occurrences` has the names of a declaration apart from its bodies, `body_occurrences` those of one body, and
//! `mentioned_names` tells in which files it is worth looking for a name.

#[cfg(test)]
mod tests;
mod walk;

use lockstep_syntax::p::ast::{BodyId, Decl as AstDecl, FunctionCode, HandlerKind, MachineKind, NameId, StateItem, TypedName};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::body::check_body;
use crate::check::named_by_type;
use crate::db::{Db, Project, Purpose, SourceFile};
use crate::declaration::{Code, Decl, DeclKind};
use crate::scope::{Def, Space, declared_names, lookup};

use self::walk::Walk;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Target<'db> {
    /// Something that is declared at the top: the declaration, or the element, parameter or invariant in it.
    Global(Def<'db>),
    /// A variable, function or state of a machine.
    Member { machine: Decl<'db>, kind: MemberKind, name: SmolStr },
    /// A parameter or variable of one piece of code.
    Local { decl: Decl<'db>, place: LocalPlace },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemberKind {
    Variable,
    Function,
    State,
}

/// Where a local name is declared: the number of the body, or `None` for the declaration's own nodes, and the name there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalPlace {
    pub body: Option<u32>,
    pub name: NameId,
}

/// What a name is mentioned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Declare,
    Read,
    Write,
    Call,
    /// `new`
    Create,
    Send,
    Raise,
    Announce,
    /// `on e`, `case e`
    Handle,
    Defer,
    Ignore,
    /// `observes`
    Observe,
    /// In `receives`, `sends`, an event set or an interface.
    List,
    Goto,
    /// As a type.
    Type,
    /// `main = M` of a test or implementation.
    Start,
    /// In a module, test or proof.
    Use,
}

/// One name in a declaration or in one of its bodies.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Occurrence<'db> {
    pub name: NameId,
    pub target: Target<'db>,
    pub role: Role,
}

/// The names in a declaration, apart from its bodies, in no particular order.
#[salsa::tracked]
pub fn decl_occurrences<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Occurrence<'db>> {
    let shape = decl.shape(db);
    let mut walk = Walk::new(db, decl, None, &shape.0.nodes);
    // The other spaces have names that are declared in one of these too, and states, which are members.
    for (_, def) in declared_names(db, decl).into_iter().filter(|(entry, _)| entry.space.is_exclusive()) {
        if let Some(name) = name_of(db, def) {
            walk.add(name, Target::Global(def), Role::Declare);
        }
    }
    walk.decl(&shape.0.decl);
    walk.named_by_type(&named_by_type(db, decl).named);
    walk.found
}

/// The names in a body, in no particular order.
#[salsa::tracked]
pub fn body_occurrences<'db>(db: &'db dyn Db, code: Code<'db>) -> Vec<Occurrence<'db>> {
    let decl = code.decl(db);
    let body = &code.shape(db).0;
    let shape = decl.shape(db);
    let mut walk = Walk::new(db, decl, Some(code.nth(db)), &body.nodes);
    let params = params_of(&shape.0.decl, BodyId(code.nth(db)));
    walk.scope(None, &shape.0.nodes, params.iter().map(|param| param.name));
    walk.block(&body.block);
    if decl.file(db).project(db).purpose(db) == Purpose::Verifying {
        walk.named_by_type(&check_body(db, code).named_by_type);
    }
    walk.found
}

/// The name by which a definition is declared.
pub fn name_of(db: &dyn Db, def: Def<'_>) -> Option<NameId> {
    let item = &def.decl.shape(db).0;
    let part = def.part.map(|part| part as usize);
    match (&item.decl, part) {
        (AstDecl::Enum { elements, .. }, Some(part)) => elements.get(part).map(|element| element.name),
        (AstDecl::Param { names, .. }, Some(part)) => names.get(part).copied(),
        (AstDecl::InvariantGroup { invariants, .. }, Some(part)) => invariants.get(part).map(|invariant| invariant.name),
        _ => item.name(),
    }
}

/// The declaration that a name means where a type is written.
pub fn type_named<'db>(db: &'db dyn Db, project: Project, name: &str) -> Option<Def<'db>> {
    let def = lookup(db, project, Space::Type, name);
    let is_type = |def: &Def<'db>| matches!(def.decl.kind(db), DeclKind::Type | DeclKind::Enum);
    let event = || lookup(db, project, Space::Event, name).filter(|def| def.part.is_none());
    def.filter(is_type).or_else(|| lookup(db, project, Space::EventSet, name)).or(def).or_else(event)
}

/// Every name that is written in a file, whatever it stands for.
#[salsa::tracked]
pub fn mentioned_names(db: &dyn Db, file: SourceFile) -> FxHashSet<SmolStr> {
    let items = file.parse(db).p().into_iter().flat_map(|ast| &ast.items).map(|item| &item.value);
    let nodes = items.flat_map(|item| std::iter::once(&item.nodes).chain(item.bodies.iter().map(|body| &body.value.nodes)));
    nodes.flat_map(|nodes| nodes.names.iter()).map(|(_, name)| name.0.clone()).collect()
}

/// The parameters of the function or handler a body belongs to.
fn params_of(decl: &AstDecl, body: BodyId) -> Vec<TypedName> {
    let functions: &[_] = match decl {
        AstDecl::Function(function) => std::slice::from_ref(function),
        AstDecl::Machine(machine) => &machine.functions,
        _ => &[],
    };
    if let Some(function) = functions.iter().find(|function| matches!(function.code, FunctionCode::Body(id) if id == body)) {
        return function.params.clone();
    }
    let AstDecl::Machine(machine) = decl else { return Vec::new() };
    let handlers = machine.states.iter().flat_map(|state| &state.items).filter_map(StateItem::handler);
    let param = handlers.filter_map(|handler| match handler.kind {
        HandlerKind::Inline { param, body: id } if id == body => Some(param),
        _ => None,
    });
    param.flatten().collect()
}

/// Whether a declaration is a spec or scenario, which watch and do not act.
pub fn is_monitor(decl: &AstDecl) -> bool {
    matches!(decl, AstDecl::Machine(machine) if machine.kind != MachineKind::Machine)
}
