//! Every name in the text with what it stands for.
//!
//! Names are resolved as the checks resolve them, but nothing is reported and no types are needed. Fields of tuples are not
//! resolved: they belong to types, not to declarations. `decl_occurrences` has the names of a declaration apart from its bodies,
//! `body_occurrences` those of one body.

mod walk;

use lockstep_syntax::p::ast::{
    BodyId, Decl as AstDecl, FunctionCode, HandlerKind, MachineKind, NameId, StateItemKind, TypedName,
};
use smol_str::SmolStr;

use crate::db::Db;
use crate::declaration::{Code, Decl};
use crate::scope::{Def, declared_names};

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
    for (_, def) in declared_names(db, decl) {
        if let Some(name) = name_of(db, def) {
            walk.add(name, Target::Global(def), Role::Declare);
        }
    }
    walk.decl(&shape.0.decl);
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
    let items = machine.states.iter().flat_map(|state| &state.items);
    let handlers = items.filter_map(|item| match &item.kind {
        StateItemKind::Entry(handler) | StateItemKind::Exit(handler) | StateItemKind::OnDo { handler, .. } => Some(handler),
        StateItemKind::OnGoto { with, .. } => with.as_ref(),
        StateItemKind::Defer(_) | StateItemKind::Ignore(_) => None,
    });
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
