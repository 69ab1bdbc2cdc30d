//! What code does that others notice: where it goes, what it sends, raises and creates, itself and through all it calls.

use lockstep_program::{
    Code, Db, Decl, DeclKind, Def, MemberKind, Node, Place as NodePlace, Target, body_occurrences, check_body, codes, place_range,
};
use lockstep_syntax::p::ast::{
    Decl as AstDecl, EventKind, EventRef, Expr, ExprId, Function, FunctionCode, HandlerKind, NameId, Nodes, Stmt, StmtId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::graph::Place;
use lockstep_program::ty::Ty;

/// Something that code does.
#[derive(Clone, Debug)]
pub(crate) struct Act<'db> {
    pub(crate) kind: ActKind,
    /// Whose node it is.
    decl: Decl<'db>,
    node: NodePlace,
    /// The events of the `receive` case that it stands in, or that leads to it.
    pub(crate) within: Option<SmolStr>,
}

/// Events are `None` where only a run can tell which one it is.
#[derive(Clone, Debug)]
pub(crate) enum ActKind {
    Goto(SmolStr),
    Raise(Option<SmolStr>),
    Send { to: Ty, event: Option<SmolStr> },
    Announce(Option<SmolStr>),
    Create(SmolStr),
    Receive(Vec<SmolStr>),
}

impl<'db> Act<'db> {
    pub(crate) fn place(&self, db: &'db dyn Db) -> Option<Place> {
        let range = place_range(db, self.decl, self.node)?;
        Some(Place { file: self.decl.file(db).file(db), range })
    }
}

/// How P writes `halt` as an event.
pub(crate) const HALT: &str = "halt";

/// Everything that begins with a handler of this machine.
pub(crate) fn handler_acts<'db>(db: &'db dyn Db, machine: Decl<'db>, handler: HandlerKind) -> Vec<Act<'db>> {
    let mut reach = Reach { db, machine, seen: FxHashSet::default(), todo: Vec::new(), found: Vec::new() };
    match handler {
        HandlerKind::Named(name) => reach.call_named(machine.shape(db).0.nodes[name].as_str(), None),
        HandlerKind::Inline { body, .. } => reach.body(machine, body.0, None),
        HandlerKind::Missing => {}
    }
    reach.run();
    reach.found
}

struct Reach<'db> {
    db: &'db dyn Db,
    machine: Decl<'db>,
    seen: FxHashSet<(Code<'db>, Option<SmolStr>)>,
    todo: Vec<(Code<'db>, Option<SmolStr>)>,
    found: Vec<Act<'db>>,
}

impl<'db> Reach<'db> {
    fn run(&mut self) {
        while let Some((code, within)) = self.todo.pop() {
            self.code(code, within);
        }
    }

    fn body(&mut self, decl: Decl<'db>, nth: u32, within: Option<SmolStr>) {
        if let Some(code) = codes(self.db, decl).get(nth as usize)
            && self.seen.insert((*code, within.clone()))
        {
            self.todo.push((*code, within));
        }
    }

    /// A function of the machine.
    fn call_named(&mut self, name: &str, within: Option<SmolStr>) {
        let shape = self.machine.shape(self.db);
        let AstDecl::Machine(machine) = &shape.0.decl else { return };
        let own = machine.functions.iter().find(|function| shape.0.nodes[function.name].as_str() == name);
        match own {
            Some(function) => self.function(self.machine, function, within),
            None => self.global_named(name, within),
        }
    }

    fn global_named(&mut self, name: &str, within: Option<SmolStr>) {
        let project = self.machine.file(self.db).project(self.db);
        if let Some(def) = lockstep_program::lookup(self.db, project, lockstep_program::Space::Function, name) {
            self.global(def.decl, within);
        }
    }

    fn global(&mut self, decl: Decl<'db>, within: Option<SmolStr>) {
        if let AstDecl::Function(function) = &decl.shape(self.db).0.decl {
            self.function(decl, function, within);
        }
    }

    fn function(&mut self, decl: Decl<'db>, function: &Function, within: Option<SmolStr>) {
        match &function.code {
            FunctionCode::Body(body) => self.body(decl, body.0, within),
            FunctionCode::Foreign { creates: Some(name), .. } => {
                let written = decl.shape(self.db).0.nodes[*name].0.clone();
                let node = NodePlace { body: None, node: Node::Name(*name) };
                self.found.push(Act { kind: ActKind::Create(written), decl, node, within });
            }
            FunctionCode::Foreign { creates: None, .. } => {}
        }
    }

    fn code(&mut self, code: Code<'db>, around: Option<SmolStr>) {
        let (db, decl) = (self.db, code.decl(self.db));
        let names = names_of(db, code);
        let body = &code.shape(db).0;
        let receivers: FxHashMap<StmtId, &Ty> = check_body(db, code).receivers.iter().map(|(id, ty)| (*id, ty)).collect();
        let mut todo: Vec<(StmtId, Option<SmolStr>)> =
            body.block.stmts.iter().rev().map(|stmt| (*stmt, around.clone())).collect();
        while let Some((stmt, within)) = todo.pop() {
            let node = NodePlace { body: Some(code.nth(db)), node: Node::Stmt(stmt) };
            let mut act = |kind: ActKind| self.found.push(Act { kind, decl, node, within: within.clone() });
            match &body.nodes[stmt] {
                Stmt::Goto { target, .. } => act(ActKind::Goto(body.nodes[*target].0.clone())),
                Stmt::Raise { event, .. } => act(ActKind::Raise(event_of(&body.nodes, &names, *event))),
                Stmt::Announce { event, .. } => act(ActKind::Announce(event_of(&body.nodes, &names, *event))),
                Stmt::Send { event, .. } => {
                    let to = receivers.get(&stmt).map_or(Ty::Error, |ty| (*ty).clone());
                    act(ActKind::Send { to, event: event_of(&body.nodes, &names, *event) });
                }
                Stmt::New { interface, .. } => act(ActKind::Create(body.nodes[*interface].0.clone())),
                Stmt::Receive { cases } => {
                    let events = cases.iter().flat_map(|case| event_names(&body.nodes, &case.events));
                    act(ActKind::Receive(events.collect()));
                    for case in cases.iter().rev() {
                        let own = event_names(&body.nodes, &case.events).collect::<Vec<_>>().join(", ");
                        let within = within.clone().or_else(|| Some(own.into()));
                        todo.extend(case.block.stmts.iter().rev().map(|stmt| (*stmt, within.clone())));
                    }
                }
                Stmt::Call { function, .. } => self.call(&body.nodes, &names, *function, within),
                Stmt::Compound(stmts) => todo.extend(stmts.iter().rev().map(|stmt| (*stmt, within.clone()))),
                Stmt::While { body, .. } | Stmt::Foreach { body, .. } => todo.push((*body, within)),
                Stmt::If { then, otherwise, .. } => {
                    todo.extend(otherwise.iter().chain([then]).map(|stmt| (*stmt, within.clone())));
                }
                _ => {}
            }
        }
        self.exprs(code, &names, around);
    }

    /// What expressions do: create machines, and call functions.
    fn exprs(&mut self, code: Code<'db>, names: &Names<'db>, within: Option<SmolStr>) {
        let nodes = &code.shape(self.db).0.nodes;
        for (id, expr) in nodes.exprs.iter() {
            match expr {
                Expr::New { interface, .. } => {
                    let node = NodePlace { body: Some(code.nth(self.db)), node: Node::Expr(id) };
                    let kind = ActKind::Create(nodes[*interface].0.clone());
                    self.found.push(Act { kind, decl: code.decl(self.db), node, within: within.clone() });
                }
                Expr::Call { function, .. } => self.call(nodes, names, *function, within.clone()),
                _ => {}
            }
        }
    }

    fn call(&mut self, nodes: &Nodes, names: &Names<'db>, function: NameId, within: Option<SmolStr>) {
        match names.get(&function) {
            Some(Target::Member { kind: MemberKind::Function, .. }) => self.call_named(nodes[function].as_str(), within),
            Some(Target::Global(Def { decl, part: None })) => self.global(*decl, within),
            _ => {}
        }
    }
}

type Names<'db> = FxHashMap<NameId, &'db Target<'db>>;

fn names_of<'db>(db: &'db dyn Db, code: Code<'db>) -> Names<'db> {
    let events_and_functions = |target: &Target<'db>| match target {
        Target::Global(def) => matches!(def.decl.kind(db), DeclKind::Event | DeclKind::Function) && def.part.is_none(),
        Target::Member { kind, .. } => *kind == MemberKind::Function,
        Target::Local { .. } => false,
    };
    let found = body_occurrences(db, code).iter().filter(|occurrence| events_and_functions(&occurrence.target));
    found.map(|occurrence| (occurrence.name, &occurrence.target)).collect()
}

/// The event that an expression is, if it is written there.
fn event_of(nodes: &Nodes, names: &Names<'_>, mut expr: ExprId) -> Option<SmolStr> {
    loop {
        match &nodes[expr] {
            Expr::Paren(inner) => expr = *inner,
            Expr::Halt => return Some(HALT.into()),
            Expr::Name(name) => return matches!(names.get(name), Some(Target::Global(_))).then(|| nodes[*name].0.clone()),
            _ => return None,
        }
    }
}

/// The names of events where they are listed; a hole has none.
pub(crate) fn event_names<'a>(nodes: &'a Nodes, events: &'a [EventRef]) -> impl Iterator<Item = SmolStr> + 'a {
    let names = events.iter().map(|event| match event.kind {
        EventKind::Declared => nodes[event.name].0.clone(),
        EventKind::Halt => HALT.into(),
        EventKind::Null => "null".into(),
    });
    names.filter(|name| !name.is_empty())
}

/// Whether a handler surely leaves the state: every way through it ends in `goto` or `raise halt`. What it calls is not looked into.
pub(crate) fn surely_leaves<'db>(db: &'db dyn Db, machine: Decl<'db>, handler: HandlerKind) -> bool {
    let body = match handler {
        HandlerKind::Inline { body, .. } => Some(body),
        HandlerKind::Named(name) => own_function(db, machine, name),
        HandlerKind::Missing => None,
    };
    let Some(code) = body.and_then(|body| codes(db, machine).get(body.0 as usize)) else { return false };
    let body = &code.shape(db).0;
    if body.nodes.stmts.iter().any(|(_, stmt)| matches!(stmt, Stmt::Return { .. })) {
        return false;
    }
    // What must leave: lists of statements, each because one of its statements does.
    let mut must: Vec<&[StmtId]> = vec![&body.block.stmts];
    while let Some(stmts) = must.pop() {
        if stmts.iter().any(|stmt| leaves(&body.nodes, *stmt)) {
            continue;
        }
        let is_nest = |stmt: &&StmtId| matches!(body.nodes[**stmt], Stmt::If { otherwise: Some(_), .. } | Stmt::Compound(_));
        match stmts.iter().rfind(is_nest).map(|stmt| &body.nodes[*stmt]) {
            Some(Stmt::If { then, otherwise: Some(otherwise), .. }) => {
                must.extend([std::slice::from_ref(then), std::slice::from_ref(otherwise)]);
            }
            Some(Stmt::Compound(inner)) => must.push(inner),
            _ => return false,
        }
    }
    true
}

fn leaves(nodes: &Nodes, stmt: StmtId) -> bool {
    match &nodes[stmt] {
        Stmt::Goto { .. } => true,
        Stmt::Raise { event, .. } => matches!(nodes[*event], Expr::Halt),
        _ => false,
    }
}

fn own_function(db: &dyn Db, machine: Decl<'_>, name: NameId) -> Option<lockstep_syntax::p::ast::BodyId> {
    let shape = machine.shape(db);
    let AstDecl::Machine(ast) = &shape.0.decl else { return None };
    let own = ast.functions.iter().find(|function| shape.0.nodes[function.name] == shape.0.nodes[name])?;
    match own.code {
        FunctionCode::Body(body) => Some(body),
        FunctionCode::Foreign { .. } => None,
    }
}
