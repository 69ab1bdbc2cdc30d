//! What running a function can lead to, through all it calls.

use indexmap::IndexMap;
use lockstep_syntax::p::ast::{
    Decl as AstDecl, Expr, ExprId, Function, FunctionCode, HandlerKind, Machine, MachineKind, NameId, StateItemKind, Stmt, StmtId,
};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

use crate::body::{Facts, body_facts};
use crate::db::{Db, Project};
use crate::declaration::{Code, Decl, DeclKind, codes};
use crate::problem::{Code as ProblemCode, Node, Problem};
use crate::resolve::machine_info;
use crate::scope::{Space, declarations, lookup};

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

    /// What code must not do while a state is left, in words.
    fn forbidden_while_leaving(self) -> Option<&'static str> {
        match self {
            Self { raises: true, .. } => Some("raises an event"),
            Self { changes_state: true, .. } => Some("changes the state"),
            _ => None,
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
    let decl = key.decl(db);
    if key.member(db).is_some() {
        return member_summaries(db, decl).of.get(&key).cloned().unwrap_or_default();
    }
    let project = decl.file(db).project(db);
    let settled = (!decl.file(db).file(db).is_edited(db)).then(|| settled_summaries(db, project).of.get(&key)).flatten();
    settled.or_else(|| global_summaries(db, project).of.get(&key)).cloned().unwrap_or_default()
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

/// Functions that can call each other. Kept in one place and not as one query for each, because functions that call each other in long
/// chains or circles would be queries that do so.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Summaries<'db> {
    of: FxHashMap<FunctionKey<'db>, Summary>,
}

/// The global functions of a project: they call no others.
#[salsa::tracked]
fn global_summaries<'db>(db: &'db dyn Db, project: Project) -> Summaries<'db> {
    summaries(db, declarations(db, project, DeclKind::Function), |_| true)
}

/// Those of them that nobody edits, nor anything they call: what is found out about them stays as it is while one types.
#[salsa::tracked]
fn settled_summaries<'db>(db: &'db dyn Db, project: Project) -> Summaries<'db> {
    let is_settled = |decl: Decl<'db>| !decl.file(db).file(db).is_edited(db);
    summaries(db, declarations(db, project, DeclKind::Function).filter(|decl| is_settled(*decl)), is_settled)
}

/// The functions of a machine. Apart from those of others, so that an edit elsewhere does not concern them.
#[salsa::tracked]
fn member_summaries<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Summaries<'db> {
    summaries(db, std::iter::once(decl), |_| true)
}

/// Left out are functions that lead to one that is not `wanted`.
fn summaries<'db>(
    db: &'db dyn Db,
    decls: impl Iterator<Item = Decl<'db>>,
    is_wanted: impl Fn(Decl<'db>) -> bool,
) -> Summaries<'db> {
    let mut functions: FxIndexMap<FunctionKey<'db>, Summary> = FxIndexMap::default();
    let mut calls: Vec<Vec<FunctionKey<'db>>> = Vec::new();
    for decl in decls {
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
                if is_member {
                    for global in callees.extract_if(.., |callee| callee.member(db).is_none()) {
                        summary.add(function_summary(db, global));
                    }
                }
            }
            summary.effects.acts |= matches!(function.code, FunctionCode::Foreign { .. });
            // P lets specs call foreign functions that create machines, so this is no effect.
            if let Some(name) = foreign_creates(&function.code) {
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
    let leads_out = |callees: &Vec<FunctionKey<'db>>| callees.iter().any(|callee| !is_wanted(callee.decl(db)));
    let left_out = all_callers(&callers, (0..calls.len()).filter(|caller| leads_out(&calls[*caller])).collect());
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
    let kept = functions.into_iter().zip(left_out).filter(|(_, is_left_out)| !is_left_out);
    Summaries { of: kept.map(|(function, _)| function).collect() }
}

/// Which functions are among these or lead to one of them.
fn all_callers(callers: &[Vec<usize>], mut found: Vec<usize>) -> Vec<bool> {
    let mut is_found = vec![false; callers.len()];
    while let Some(callee) = found.pop() {
        if !std::mem::replace(&mut is_found[callee], true) {
            found.extend(&callers[callee]);
        }
    }
    is_found
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

/// What is wrong with a declaration because of what its code does.
pub fn check_effects<'db>(db: &'db dyn Db, decl: Decl<'db>) -> &'db [Problem<'db>] {
    if decl.kind(db).is_machine() { check_machine_effects(db, decl) } else { &[] }
}

#[salsa::tracked]
fn check_machine_effects<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let AstDecl::Machine(machine) = &shape.0.decl else { return Vec::new() };
    let mut problems = Vec::new();
    for handler in leaving_handlers(machine) {
        match handler {
            HandlerKind::Named(id) => {
                let name = &shape.0.nodes[id].0;
                let effects = function_summary(db, FunctionKey::new(db, decl, Some(name.clone()))).effects;
                problems.extend(effects.forbidden_while_leaving().map(|what| changes_state(id, &format!("`{name}` {what}"))));
            }
            HandlerKind::Inline { body, .. } => {
                let Some(code) = codes(db, decl).get(body.0 as usize) else { continue };
                let effects = code_summary(db, decl, body_facts(db, *code)).effects;
                if effects.forbidden_while_leaving().is_some() {
                    problems.extend(changes_of_state(db, *code).into_iter().map(|problem| problem.in_body(body.0)));
                }
            }
            HandlerKind::Missing => {}
        }
    }
    if machine.kind != MachineKind::Machine {
        for (code, nth) in codes(db, decl).iter().zip(0..) {
            let effects = code_summary(db, decl, body_facts(db, *code)).effects;
            if effects.forbidden_in_spec().is_some() {
                problems.extend(effects_in_spec(db, *code).into_iter().map(|problem| problem.in_body(nth)));
            }
        }
    }
    problems
}

/// Where code raises events or enters states, itself or through what it calls.
fn changes_of_state<'db>(db: &'db dyn Db, code: Code<'db>) -> Vec<Problem<'db>> {
    let nodes = &code.shape(db).0.nodes;
    let call = |node: Node, function: NameId| {
        let name = nodes[function].as_str();
        let decl = code.decl(db);
        let is_own = machine_info(db, decl).function(name).is_some();
        let own = is_own.then(|| function_summary(db, FunctionKey::new(db, decl, Some(name.into()))).effects);
        let what = own.or_else(|| global_effects(db, decl, name))?.forbidden_while_leaving()?;
        Some(changes_state(node, &format!("`{name}` {what}")))
    };
    let in_expr = |(id, expr): (ExprId, &Expr)| match expr {
        Expr::Call { function, .. } => call(id.into(), *function),
        _ => None,
    };
    let in_stmt = |(id, stmt): (StmtId, &Stmt)| match stmt {
        Stmt::Raise { .. } => Some(changes_state(id, "this raises an event")),
        Stmt::Goto { .. } => Some(changes_state(id, "this changes the state")),
        Stmt::Call { function, .. } => call(id.into(), *function),
        _ => None,
    };
    nodes.exprs.iter().filter_map(in_expr).chain(nodes.stmts.iter().filter_map(in_stmt)).collect()
}

fn changes_state<'db>(node: impl Into<Node>, what: &str) -> Problem<'db> {
    let message = format!("{what}, which is not possible while a state is left");
    let help = "do it in the `entry` of the next state, or in an `on ... do` handler";
    Problem::new(ProblemCode::ChangesStateWhileLeaving, node, message).with_help(help)
}

/// What the code of a spec does that only a machine may do, as far as `check_body` does not report it: choices, `new` as a
/// statement, calls of global functions. Functions of the spec are left out: what they do is reported in them.
fn effects_in_spec<'db>(db: &'db dyn Db, code: Code<'db>) -> Vec<Problem<'db>> {
    let nodes = &code.shape(db).0.nodes;
    let mut problems = Vec::new();
    let mut report = |node: Node, what: String| {
        let help = "let a machine do it, and observe the events that tell of it";
        let problem = Problem::new(ProblemCode::EffectInSpec, node, format!("a spec only watches: it cannot {what}"));
        problems.push(problem.with_help(help));
    };
    let calls = |function: NameId| {
        let name = nodes[function].as_str();
        let what = global_effects(db, code.decl(db), name)?.forbidden_in_spec()?;
        Some(format!("call `{name}`, which {what}"))
    };
    for (id, expr) in nodes.exprs.iter() {
        match expr {
            Expr::Choose(_) => report(id.into(), "make choices".to_owned()),
            Expr::Call { function, .. } => calls(*function).into_iter().for_each(|what| report(id.into(), what)),
            _ => {}
        }
    }
    for (id, stmt) in nodes.stmts.iter() {
        match stmt {
            Stmt::New { .. } => report(id.into(), "create machines".to_owned()),
            Stmt::Call { function, .. } => calls(*function).into_iter().for_each(|what| report(id.into(), what)),
            _ => {}
        }
    }
    problems
}

/// What the global function does that this name means in a machine, if it means one.
fn global_effects<'db>(db: &'db dyn Db, machine: Decl<'db>, name: &str) -> Option<Effects> {
    if machine_info(db, machine).function(name).is_some() {
        return None;
    }
    let function = lookup(db, machine.file(db).project(db), Space::Function, name)?;
    Some(function_summary(db, FunctionKey::new(db, function.decl, None)).effects)
}

/// The handlers that run between two states: `exit`, and what follows `with`.
fn leaving_handlers(machine: &Machine) -> impl Iterator<Item = HandlerKind> {
    machine.states.iter().flat_map(|state| &state.items).filter_map(|item| match &item.kind {
        StateItemKind::Exit(handler) | StateItemKind::OnGoto { with: Some(handler), .. } => Some(handler.kind),
        _ => None,
    })
}
