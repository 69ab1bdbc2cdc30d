//! What running a function can lead to, through all it calls.

use lockstep_syntax::p::ast::{BodyId, Decl as AstDecl, FunctionCode, HandlerKind, Machine, MachineKind, PartId, StateItemKind};
use smol_str::SmolStr;

use crate::body::{Facts, check_body};
use crate::db::Db;
use crate::declaration::{Decl, codes};
use crate::problem::{Code, Problem};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    pub sends: bool,
    pub creates: bool,
    pub receives: bool,
    pub raises: bool,
    pub changes_state: bool,
    pub is_nondeterministic: bool,
}

impl Effects {
    fn union(self, other: Self) -> Self {
        Self {
            sends: self.sends || other.sends,
            creates: self.creates || other.creates,
            receives: self.receives || other.receives,
            raises: self.raises || other.raises,
            changes_state: self.changes_state || other.changes_state,
            is_nondeterministic: self.is_nondeterministic || other.is_nondeterministic,
        }
    }

    /// What a spec must not do, in words.
    fn forbidden_in_spec(self) -> Option<&'static str> {
        match self {
            Self { is_nondeterministic: true, .. } => Some("makes a choice"),
            Self { creates: true, .. } => Some("creates a machine"),
            Self { sends: true, .. } => Some("sends an event"),
            Self { receives: true, .. } => Some("waits for an event"),
            _ => None,
        }
    }
}

/// A function: global, or of a machine by name.
#[salsa::interned(debug)]
pub struct FunctionKey<'db> {
    #[returns(copy)]
    pub decl: Decl<'db>,
    pub member: Option<SmolStr>,
}

/// What a function can do. Functions that call each other are followed until nothing is added.
#[salsa::tracked(returns(copy), cycle_initial = nothing)]
pub fn effects_of<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Effects {
    let decl = key.decl(db);
    let shape = decl.shape(db);
    let function = match (&shape.0.decl, key.member(db)) {
        (AstDecl::Function(function), None) => Some(function),
        (AstDecl::Machine(machine), Some(name)) => {
            machine.functions.iter().find(|function| shape.0.nodes[function.name].as_str() == name.as_str())
        }
        _ => None,
    };
    match function.map(|function| &function.code) {
        Some(FunctionCode::Body(body)) => body_effects(db, decl, *body),
        Some(FunctionCode::Foreign { creates: Some(_), .. }) => Effects { creates: true, ..Effects::default() },
        _ => Effects::default(),
    }
}

fn nothing<'db>(_db: &'db dyn Db, _id: salsa::Id, _key: FunctionKey<'db>) -> Effects {
    Effects::default()
}

fn body_effects<'db>(db: &'db dyn Db, decl: Decl<'db>, body: BodyId) -> Effects {
    match codes(db, decl).get(body.0 as usize) {
        Some(code) => all_effects(db, decl, &check_body(db, *code).facts),
        None => Effects::default(),
    }
}

fn all_effects<'db>(db: &'db dyn Db, decl: Decl<'db>, facts: &Facts<'db>) -> Effects {
    let own = Effects {
        sends: facts.sends,
        creates: !facts.creates.is_empty(),
        receives: facts.receives,
        raises: facts.raises,
        changes_state: facts.changes_state,
        is_nondeterministic: facts.is_nondeterministic,
    };
    let global = facts.calls.iter().map(|callee| FunctionKey::new(db, *callee, None));
    let members = facts.own_calls.iter().map(|name| FunctionKey::new(db, decl, Some(name.clone())));
    global.chain(members).fold(own, |all, callee| all.union(effects_of(db, callee)))
}

/// What is wrong with a machine because of what its code does.
#[salsa::tracked]
pub fn check_effects<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let AstDecl::Machine(machine) = &shape.0.decl else { return Vec::new() };
    let mut problems = Vec::new();
    for (part, handler) in leaving_handlers(machine) {
        let effects = match handler {
            HandlerKind::Named(name) => effects_of(db, FunctionKey::new(db, decl, Some(shape.0.nodes[name].0.clone()))),
            HandlerKind::Inline { body, .. } => body_effects(db, decl, body),
            HandlerKind::Missing => continue,
        };
        if effects.raises || effects.changes_state {
            let message = "while a state is left, no event can be raised and no other state entered";
            problems.push(Problem::new(Code::ChangesStateWhileLeaving, part, message));
        }
    }
    if machine.kind != MachineKind::Machine {
        for (code, nth) in codes(db, decl).iter().zip(0..) {
            let check = check_body(db, *code);
            let is_reported = check.problems.iter().any(|problem| problem.code == Code::NotInSpec);
            if let (Some(what), false) = (all_effects(db, decl, &check.facts).forbidden_in_spec(), is_reported) {
                let message = format!("a spec only watches, but this {what}, here or in a function it calls");
                problems.push(Problem::new(Code::EffectInSpec, crate::problem::Node::Whole, message).in_body(nth));
            }
        }
    }
    problems
}

/// The handlers that run between two states: `exit`, and what follows `with`.
fn leaving_handlers(machine: &Machine) -> Vec<(PartId, HandlerKind)> {
    let items = machine.states.iter().flat_map(|state| &state.items);
    items
        .filter_map(|item| match &item.kind {
            StateItemKind::Exit(handler) | StateItemKind::OnGoto { with: Some(handler), .. } => {
                Some((handler.part, handler.kind))
            }
            _ => None,
        })
        .collect()
}
