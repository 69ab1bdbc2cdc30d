//! Which names a declaration and each of its bodies mention, and in which role.
//!
//! Names only: no positions, no nodes. So most edits of a body leave what it mentions as it was, and everything that is known about
//! the whole project stands on this. A name that could mean several things counts for all of them: what is reported as unused must
//! surely be so.

use lockstep_syntax::p::ast::{
    Body, BodyId, Decl as AstDecl, EventRef, Expr, ExprId, FunctionCode, HandlerKind, Item, Machine, Module, NameId, Nodes,
    StateItemKind, Stmt, Type,
};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::owner::owner;
use super::tree::{assigned_root, handlers, strip};
use crate::db::Db;
use crate::declaration::{Code, Decl};

/// What a name is mentioned as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    /// In an expression. An event that is a value can go anywhere and be sent from there.
    Value,
    /// In an expression, where a variable of this name is declared; then as a value too.
    Read,
    /// A variable that is assigned, wholly or in part.
    Assigned,
    Type,
    Called,
    Created,
    Sent,
    /// `send this, e`.
    SentToSelf,
    Raised,
    Announced,
    /// A case of `receive`.
    Received,
    /// A state that is gone to.
    Target,
    Handled,
    Deferred,
    Ignored,
    Observed,
    /// In a list of events that does nothing with them: `receives`, `sends`, an event set, an interface.
    Listed,
    /// A function that is a handler.
    Handler,
    Module,
    /// A machine or interface in a module or test.
    Bound,
    /// A spec that a module asserts.
    Asserted,
    /// A test parameter that a test gives values.
    Given,
}

/// Sorted, without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mentions(Vec<(Role, SmolStr)>);

impl Mentions {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Role, &SmolStr)> {
        self.0.iter().map(|(role, name)| (*role, name))
    }

    pub(crate) fn contains(&self, role: Role, name: &str) -> bool {
        self.0.binary_search_by(|(other, known)| (*other, known.as_str()).cmp(&(role, name))).is_ok()
    }

    pub(crate) fn in_role(&self, role: Role) -> impl Iterator<Item = &SmolStr> {
        self.0.iter().filter(move |(other, _)| *other == role).map(|(_, name)| name)
    }
}

/// What a declaration mentions outside of its bodies.
#[salsa::tracked]
pub(crate) fn decl_mentions<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Mentions {
    let shape = decl.shape(db);
    let item = &shape.0;
    let mut collector = Collector { nodes: &item.nodes, found: Vec::new() };
    collector.types();
    for (_, expr) in item.nodes.exprs.iter() {
        collector.expr(expr, None);
    }
    item.nodes.modules.iter().for_each(|(_, module)| collector.module(module));
    collector.declaration(item);
    collector.finish()
}

/// What a body mentions.
#[salsa::tracked]
pub(crate) fn body_mentions<'db>(db: &'db dyn Db, code: Code<'db>) -> Mentions {
    let decl = code.decl(db);
    let shape = decl.shape(db);
    let body = &code.shape(db).0;
    let variables = Variables::new(&shape.0, fields(db, decl), body, BodyId(code.nth(db)));
    let mut collector = Collector { nodes: &body.nodes, found: Vec::new() };
    collector.types();
    let mut special = FxHashSet::default();
    for (_, stmt) in body.nodes.stmts.iter() {
        collector.stmt(stmt, &variables, &mut special);
    }
    for (id, expr) in body.nodes.exprs.iter() {
        if !special.contains(&id) {
            collector.expr(expr, Some(&variables));
        }
    }
    collector.finish()
}

/// All variables that can be meant somewhere in a body. One that is declared in a single receive case counts everywhere: an event of
/// that name is then taken for a variable, and as a value it is as good as sent.
struct Variables<'a> {
    local: FxHashSet<&'a str>,
    fields: &'a FxHashSet<SmolStr>,
}

impl<'a> Variables<'a> {
    fn new(item: &'a Item, fields: &'a FxHashSet<SmolStr>, body: &'a Body, id: BodyId) -> Self {
        let nodes = &body.nodes;
        let mut local: FxHashSet<&str> = FxHashSet::default();
        local.extend(body.block.vars.iter().flat_map(|var| &var.names).map(|name| nodes[*name].as_str()));
        for (_, stmt) in nodes.stmts.iter() {
            if let Stmt::Receive { cases } = stmt {
                for case in cases {
                    local.extend(case.block.vars.iter().flat_map(|var| &var.names).map(|name| nodes[*name].as_str()));
                    local.extend(case.param.iter().map(|param| nodes[param.name].as_str()));
                }
            }
        }
        let params = owner(&item.decl, id).map_or(&[][..], |owner| owner.params());
        local.extend(params.iter().map(|param| item.nodes[param.name].as_str()));
        Self { local, fields }
    }

    fn contains(&self, name: &str) -> bool {
        self.local.contains(name) || self.fields.contains(name)
    }
}

/// The names of a machine's variables.
#[salsa::tracked]
fn fields<'db>(db: &'db dyn Db, decl: Decl<'db>) -> FxHashSet<SmolStr> {
    let shape = decl.shape(db);
    match &shape.0.decl {
        AstDecl::Machine(machine) => {
            machine.vars.iter().flat_map(|var| &var.names).map(|field| shape.0.nodes[*field].0.clone()).collect()
        }
        _ => FxHashSet::default(),
    }
}

struct Collector<'a> {
    nodes: &'a Nodes,
    found: Vec<(Role, SmolStr)>,
}

impl Collector<'_> {
    fn add(&mut self, role: Role, name: NameId) {
        let name = &self.nodes[name].0;
        if !name.is_empty() {
            self.found.push((role, name.clone()));
        }
    }

    fn finish(mut self) -> Mentions {
        self.found.sort_unstable();
        self.found.dedup();
        Mentions(self.found)
    }

    fn types(&mut self) {
        for (_, ty) in self.nodes.types.iter() {
            if let Type::Named(name) = ty {
                self.add(Role::Type, *name);
            }
        }
    }

    fn expr(&mut self, expr: &Expr, variables: Option<&Variables<'_>>) {
        match expr {
            Expr::Name(name) => {
                self.add(Role::Value, *name);
                if variables.is_some_and(|variables| variables.contains(self.nodes[*name].as_str())) {
                    self.add(Role::Read, *name);
                }
            }
            Expr::New { interface, .. } => self.add(Role::Created, *interface),
            Expr::Call { function, .. } => self.add(Role::Called, *function),
            // A machine, an event or a state.
            Expr::Is { kind, .. } => {
                self.add(Role::Value, *kind);
                self.add(Role::Type, *kind);
            }
            _ => {}
        }
    }

    /// The statement's names. Expressions that are no values, but what is assigned or emitted, are added to `special`.
    fn stmt(&mut self, stmt: &Stmt, variables: &Variables<'_>, special: &mut FxHashSet<ExprId>) {
        match stmt {
            Stmt::Assign { target, .. } | Stmt::Insert { target, .. } | Stmt::Remove { target, .. } => {
                let root = assigned_root(self.nodes, *target);
                if let Expr::Name(name) = &self.nodes[root] {
                    self.add(Role::Assigned, *name);
                    special.insert(root);
                }
            }
            // The variable has to be there even if the loop makes no use of it.
            Stmt::Foreach { variable, .. } => {
                self.add(Role::Assigned, *variable);
                self.add(Role::Value, *variable);
                self.add(Role::Read, *variable);
            }
            Stmt::New { interface, .. } => self.add(Role::Created, *interface),
            Stmt::Call { function, .. } => self.add(Role::Called, *function),
            Stmt::Raise { event, .. } => self.emitted(*event, Role::Raised, variables, special),
            Stmt::Announce { event, .. } => self.emitted(*event, Role::Announced, variables, special),
            Stmt::Send { target, event, .. } => {
                let is_self = self.nodes[strip(self.nodes, *target)] == Expr::This;
                let role = if is_self { Role::SentToSelf } else { Role::Sent };
                self.emitted(*event, role, variables, special);
            }
            Stmt::Goto { target, .. } => self.add(Role::Target, *target),
            Stmt::Receive { cases } => {
                for event in cases.iter().flat_map(|case| &case.events) {
                    self.add(Role::Received, event.name);
                }
            }
            _ => {}
        }
    }

    fn emitted(&mut self, event: ExprId, role: Role, variables: &Variables<'_>, special: &mut FxHashSet<ExprId>) {
        let event = strip(self.nodes, event);
        if let Expr::Name(name) = &self.nodes[event]
            && !variables.contains(self.nodes[*name].as_str())
        {
            self.add(role, *name);
            special.insert(event);
        }
    }

    fn module(&mut self, module: &Module) {
        match module {
            Module::Missing | Module::Paren(_) | Module::Compose(_) | Module::Union(_) => {}
            Module::Named(name) => self.add(Role::Module, *name),
            Module::Bindings(bindings) => {
                for binding in bindings {
                    self.add(Role::Bound, binding.machine);
                    binding.interface.iter().for_each(|interface| self.add(Role::Bound, *interface));
                }
            }
            Module::HideEvents { events, .. } => self.events(Role::Listed, events),
            Module::HideInterfaces { interfaces, .. } => interfaces.iter().for_each(|name| self.add(Role::Bound, *name)),
            Module::Assert { specs, .. } => specs.iter().for_each(|name| self.add(Role::Asserted, *name)),
            Module::Rename { from, to, .. } => {
                self.add(Role::Bound, *from);
                self.add(Role::Bound, *to);
            }
            Module::Main { machine, .. } => self.add(Role::Bound, *machine),
        }
    }

    fn events(&mut self, role: Role, events: &[EventRef]) {
        events.iter().for_each(|event| self.add(role, event.name));
    }

    fn declaration(&mut self, item: &Item) {
        match &item.decl {
            AstDecl::EventSet { events, .. } => self.events(Role::Listed, events),
            AstDecl::Interface { receives, .. } => self.events(Role::Listed, receives),
            AstDecl::Machine(machine) => self.machine(machine),
            AstDecl::Function(function) => self.foreign(&function.code),
            AstDecl::Implementation { main, .. } => main.iter().for_each(|main| self.add(Role::Bound, *main)),
            AstDecl::Test(test) => {
                self.add(Role::Bound, test.main);
                test.params.iter().for_each(|param| self.add(Role::Given, param.name));
            }
            _ => {}
        }
    }

    fn foreign(&mut self, code: &FunctionCode) {
        if let FunctionCode::Foreign { creates: Some(creates), .. } = code {
            self.add(Role::Created, *creates);
        }
    }

    fn machine(&mut self, machine: &Machine) {
        self.events(Role::Listed, machine.receives.as_deref().unwrap_or_default());
        self.events(Role::Listed, machine.sends.as_deref().unwrap_or_default());
        self.events(Role::Observed, &machine.observes);
        machine.functions.iter().for_each(|function| self.foreign(&function.code));
        for item in machine.states.iter().flat_map(|state| &state.items) {
            match &item.kind {
                StateItemKind::Entry(_) | StateItemKind::Exit(_) => {}
                StateItemKind::Defer(events) => self.events(Role::Deferred, events),
                StateItemKind::Ignore(events) => self.events(Role::Ignored, events),
                StateItemKind::OnDo { events, .. } => self.events(Role::Handled, events),
                StateItemKind::OnGoto { events, target, .. } => {
                    self.events(Role::Handled, events);
                    self.add(Role::Target, *target);
                }
            }
            for handler in handlers(&item.kind) {
                if let HandlerKind::Named(name) = handler.kind {
                    self.add(Role::Handler, name);
                }
            }
        }
    }
}
