//! What a body belongs to.

use lockstep_syntax::p::ast::{BodyId, Decl as AstDecl, EventRef, Function, FunctionCode, HandlerKind, StateItemKind, TypedName};

use super::tree::handlers;

/// The function or handler a body is the code of.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Function(&'a Function),
    Handler {
        kind: &'a StateItemKind,
        /// At most one.
        param: &'a [TypedName],
    },
}

impl<'a> Owner<'a> {
    pub(crate) fn params(self) -> &'a [TypedName] {
        match self {
            Self::Function(function) => &function.params,
            Self::Handler { param, .. } => param,
        }
    }
}

pub(crate) fn owner(decl: &AstDecl, body: BodyId) -> Option<Owner<'_>> {
    let functions: &[Function] = match decl {
        AstDecl::Function(function) => std::slice::from_ref(function),
        AstDecl::Machine(machine) => &machine.functions,
        _ => &[],
    };
    let is_mine = |function: &&Function| matches!(function.code, FunctionCode::Body(id) if id == body);
    if let Some(function) = functions.iter().find(is_mine) {
        return Some(Owner::Function(function));
    }
    let AstDecl::Machine(machine) = decl else { return None };
    machine.states.iter().find_map(|state| {
        state.items.iter().find_map(|item| {
            let handler = handlers(&item.kind).next()?;
            match &handler.kind {
                HandlerKind::Inline { param, body: id } if *id == body => {
                    Some(Owner::Handler { kind: &item.kind, param: param.as_slice() })
                }
                _ => None,
            }
        })
    })
}

/// The events an item of a state is for.
pub(crate) fn events(kind: &StateItemKind) -> &[EventRef] {
    match kind {
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => &[],
        StateItemKind::Defer(events) | StateItemKind::Ignore(events) => events,
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => events,
    }
}
