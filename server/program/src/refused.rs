//! Values that P's compiler refuses because their type is an alias.
//!
//! An alias means what it stands for (`alias.rs`). P's compiler forgets this for the type of a value: an alias of an enum or of a reference
//! fits nowhere but where everything does. It looks through aliases wherever it takes a value apart, so what counts is how the type is
//! written where the whole value comes from.

#[cfg(test)]
mod tests;

use lockstep_syntax::p::ast::{
    Decl as AstDecl, Function, FunctionCode, HandlerKind, Machine, Nodes, State, StateItemKind, Type, TypeId,
};

use crate::check::name_node;
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Node, Problem};
use crate::scope::{Space, lookup};
use crate::ty::Ty;

/// Whether P refuses a value of an alias of the type `value` in a place of this type, which accepts the type itself.
pub(crate) fn is_refused(place: &Ty, value: &Ty) -> bool {
    match value {
        Ty::Enum(_) => matches!(place, Ty::Enum(_)),
        Ty::Reference(..) => matches!(place, Ty::Machine | Ty::Reference(..)),
        _ => false,
    }
}

/// The alias that a type is written as, if it is nothing but the name of one.
pub(crate) fn written_alias<'db>(db: &'db dyn Db, project: Project, nodes: &Nodes, ty: TypeId) -> Option<Decl<'db>> {
    let Type::Named(name) = nodes[ty] else { return None };
    let decl = lookup(db, project, Space::Type, nodes[name].as_str())?.decl;
    let is_alias = decl.kind(db) == DeclKind::Type;
    (is_alias && matches!(decl.shape(db).0.decl, AstDecl::Type { definition: Some(_), .. })).then_some(decl)
}

/// The alias that a declaration gives as the type of its value: of what an event carries, of what an interface or machine is created
/// with, of what a function returns.
#[salsa::tracked(returns(copy))]
pub(crate) fn value_alias<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<Decl<'db>> {
    let item = &decl.shape(db).0;
    let ty = match &item.decl {
        AstDecl::Event { payload, .. } | AstDecl::Interface { payload, .. } => *payload,
        AstDecl::Machine(machine) => constructor(&item.nodes, machine),
        AstDecl::Function(function) => result(function),
        AstDecl::Pure { result, .. } => Some(*result),
        _ => None,
    };
    written_alias(db, decl.file(db).project(db), &item.nodes, ty?)
}

/// What a function returns.
pub(crate) fn result(function: &Function) -> Option<TypeId> {
    match &function.code {
        FunctionCode::Foreign { result: Some(result), .. } => function.result.or(Some(result.ty)),
        _ => function.result,
    }
}

/// The type of the parameter that the entry of the start state has.
fn constructor(nodes: &Nodes, machine: &Machine) -> Option<TypeId> {
    entry(nodes, machine, machine.states.iter().find(|state| state.is_start)?)
}

/// The type of the parameter that the entry of a state has.
pub(crate) fn entry(nodes: &Nodes, machine: &Machine, state: &State) -> Option<TypeId> {
    let handler = state.items.iter().find_map(|item| match &item.kind {
        StateItemKind::Entry(handler) => Some(handler),
        _ => None,
    })?;
    match handler.kind {
        HandlerKind::Inline { param, .. } => Some(param?.ty),
        HandlerKind::Named(name) => {
            let function = machine.functions.iter().find(|function| nodes[function.name] == nodes[name])?;
            Some(function.params.first()?.ty)
        }
        HandlerKind::Missing => None,
    }
}

/// That P refuses a value which is of the type `meaning` by the name of an alias.
pub(crate) fn refused<'db>(db: &'db dyn Db, node: impl Into<Node>, alias: Decl<'db>, meaning: &Ty) -> Problem<'db> {
    let name = alias.name(db);
    let message = format!("P's compiler refuses the type `{name}` here, though it is another name of `{meaning}`");
    Problem::new(Code::RefusedAlias, node, message)
        .with_help(format!("write `{meaning}` instead of `{name}` where the type of the value is declared"))
        .with_related(alias, name_node(db, alias, None), format!("`{name}` is declared here"))
}
