//! What running a function can lead to, through all it calls.

use indexmap::IndexMap;
use lockstep_syntax::p::ast::{
    BodyId, Decl as AstDecl, Function, FunctionCode, HandlerKind, Machine, MachineKind, NameId, PartId, StateItemKind,
};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

use crate::body::{Facts, body_facts, check_body};
use crate::db::{Db, Project, project_files};
use crate::declaration::{Decl, codes, decls};
use crate::problem::{Code, Problem};

type FxIndexMap<K, V> = IndexMap<K, V, FxBuildHasher>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects {
    pub sends: bool,
    pub creates: bool,
    pub receives: bool,
    pub raises: bool,
    pub changes_state: bool,
    pub is_nondeterministic: bool,
    /// Anything else that is seen from outside: assertions, output, assignments to variables of the machine, code in another language.
    pub acts: bool,
}

impl Effects {
    /// Whether nothing but the result tells that it ran.
    pub fn are_none(self) -> bool {
        self == Self::default()
    }

    fn union(self, other: Self) -> Self {
        Self {
            sends: self.sends || other.sends,
            creates: self.creates || other.creates,
            receives: self.receives || other.receives,
            raises: self.raises || other.raises,
            changes_state: self.changes_state || other.changes_state,
            is_nondeterministic: self.is_nondeterministic || other.is_nondeterministic,
            acts: self.acts || other.acts,
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

/// What a function does, itself and through all it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Summary {
    pub effects: Effects,
    /// Interfaces that may be created, by name, in order.
    pub creates: Vec<SmolStr>,
}

/// A function: global, or of a machine by name.
#[salsa::interned(debug)]
pub struct FunctionKey<'db> {
    #[returns(copy)]
    pub decl: Decl<'db>,
    pub member: Option<SmolStr>,
}

/// What a function does, itself and through all it calls. Nothing if there is no such function.
#[salsa::tracked]
pub fn function_summary<'db>(db: &'db dyn Db, key: FunctionKey<'db>) -> Summary {
    let project = key.decl(db).file(db).project(db);
    project_summaries(db, project).of.get(&key).cloned().unwrap_or_default()
}

/// Interfaces that running a machine may create, by name, in order.
#[salsa::tracked]
pub fn machine_creates<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<SmolStr> {
    let mut creates: Vec<SmolStr> =
        codes(db, decl).iter().flat_map(|code| code_summary(db, decl, body_facts(db, *code)).creates).collect();
    let shape = decl.shape(db);
    if let AstDecl::Machine(machine) = &shape.0.decl {
        let foreign = machine.functions.iter().filter_map(|function| foreign_creates(&function.code));
        creates.extend(foreign.map(|name| shape.0.nodes[name].0.clone()));
    }
    creates.sort();
    creates.dedup();
    creates
}

/// The functions of a project. Kept in one place and not as one query for each, because functions that call each other in long chains
/// or circles would be queries that do so.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Summaries<'db> {
    of: FxHashMap<FunctionKey<'db>, Summary>,
}

#[salsa::tracked]
fn project_summaries<'db>(db: &'db dyn Db, project: Project) -> Summaries<'db> {
    let mut functions: FxIndexMap<FunctionKey<'db>, Summary> = FxIndexMap::default();
    let mut calls: Vec<Vec<FunctionKey<'db>>> = Vec::new();
    for &decl in project_files(db, project).flat_map(|file| decls(db, file)) {
        let shape = decl.shape(db);
        let own: &[Function] = match &shape.0.decl {
            AstDecl::Function(function) => std::slice::from_ref(function),
            AstDecl::Machine(machine) => &machine.functions,
            _ => &[],
        };
        let is_member = matches!(shape.0.decl, AstDecl::Machine(_));
        for function in own {
            let key = FunctionKey::new(db, decl, is_member.then(|| shape.0.nodes[function.name].0.clone()));
            // Of several with one name the first counts.
            let indexmap::map::Entry::Vacant(entry) = functions.entry(key) else { continue };
            let mut summary = Summary::default();
            let mut callees = Vec::new();
            if let FunctionCode::Body(body) = function.code
                && let Some(code) = codes(db, decl).get(body.0 as usize)
            {
                let facts = body_facts(db, *code);
                summary = own_summary(facts);
                callees = callees_of(db, decl, facts).collect();
            }
            summary.effects.acts |= matches!(function.code, FunctionCode::Foreign { .. });
            if let Some(name) = foreign_creates(&function.code) {
                summary.effects.creates = true;
                summary.creates.push(shape.0.nodes[name].0.clone());
            }
            entry.insert(summary);
            calls.push(callees);
        }
    }
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); functions.len()];
    for (caller, callees) in calls.iter().enumerate() {
        for callee in callees {
            if let Some(callee) = functions.get_index_of(callee) {
                callers[callee].push(caller);
            }
        }
    }
    // What a function does, its callers do.
    let mut changed: Vec<usize> = (0..functions.len()).rev().collect();
    while let Some(callee) = changed.pop() {
        let summary = functions[callee].clone();
        for &caller in &callers[callee] {
            if functions[caller].add(&summary) {
                changed.push(caller);
            }
        }
    }
    Summaries { of: functions.into_iter().collect() }
}

impl Summary {
    /// Whether that adds anything.
    fn add(&mut self, other: &Self) -> bool {
        let effects = self.effects.union(other.effects);
        let creates = self.creates.len();
        for name in &other.creates {
            if let Err(at) = self.creates.binary_search(name) {
                self.creates.insert(at, name.clone());
            }
        }
        let is_more = effects != self.effects || self.creates.len() > creates;
        self.effects = effects;
        is_more
    }
}

fn foreign_creates(code: &FunctionCode) -> Option<NameId> {
    match code {
        FunctionCode::Foreign { creates, .. } => *creates,
        FunctionCode::Body(_) => None,
    }
}

fn own_summary(facts: &Facts<'_>) -> Summary {
    let effects = Effects {
        sends: facts.sends,
        creates: !facts.creates.is_empty(),
        receives: facts.receives,
        raises: facts.raises,
        changes_state: facts.changes_state,
        is_nondeterministic: facts.is_nondeterministic,
        acts: facts.acts,
    };
    let mut creates = facts.creates.clone();
    creates.sort();
    creates.dedup();
    Summary { effects, creates }
}

fn callees_of<'db>(db: &'db dyn Db, decl: Decl<'db>, facts: &Facts<'db>) -> impl Iterator<Item = FunctionKey<'db>> {
    let global = facts.calls.iter().map(move |callee| FunctionKey::new(db, *callee, None));
    global.chain(facts.own_calls.iter().map(move |name| FunctionKey::new(db, decl, Some(name.clone()))))
}

/// What a piece of code does, itself and through all it calls.
fn code_summary<'db>(db: &'db dyn Db, decl: Decl<'db>, facts: &Facts<'db>) -> Summary {
    let mut summary = own_summary(facts);
    for callee in callees_of(db, decl, facts) {
        summary.add(function_summary(db, callee));
    }
    summary
}

fn body_effects<'db>(db: &'db dyn Db, decl: Decl<'db>, body: BodyId) -> Effects {
    match codes(db, decl).get(body.0 as usize) {
        Some(code) => code_summary(db, decl, body_facts(db, *code)).effects,
        None => Effects::default(),
    }
}

/// What is wrong with a machine because of what its code does.
#[salsa::tracked]
pub fn check_effects<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let AstDecl::Machine(machine) = &shape.0.decl else { return Vec::new() };
    let mut problems = Vec::new();
    for (part, handler) in leaving_handlers(machine) {
        let effects = match handler {
            HandlerKind::Named(name) => {
                function_summary(db, FunctionKey::new(db, decl, Some(shape.0.nodes[name].0.clone()))).effects
            }
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
            if let (Some(what), false) = (code_summary(db, decl, &check.facts).effects.forbidden_in_spec(), is_reported) {
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
