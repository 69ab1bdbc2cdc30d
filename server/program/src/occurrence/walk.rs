//! The walk through declarations and bodies.

use lockstep_syntax::p::ast::{
    Block, Decl as AstDecl, EventKind, EventRef, Expr, ExprId, Function, FunctionCode, Goals, Handler, HandlerKind, Machine,
    Module, ModuleId, NameId, Nodes, State, StateItemKind, Stmt, StmtId, Test, Type, TypeId, TypedName,
};
use smol_str::SmolStr;

use super::{LocalPlace, MemberKind, Occurrence, Role, Target, type_named};
use crate::body::NamedByType;
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::scope::{Def, Space, lookup};

pub(super) struct Walk<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    decl: Decl<'db>,
    body: Option<u32>,
    nodes: &'a Nodes,
    /// Innermost last.
    scopes: Vec<Vec<(SmolStr, LocalPlace)>>,
    pub(super) found: Vec<Occurrence<'db>>,
}

impl<'a, 'db> Walk<'a, 'db> {
    pub(super) fn new(db: &'db dyn Db, decl: Decl<'db>, body: Option<u32>, nodes: &'a Nodes) -> Self {
        let project = decl.file(db).project(db);
        Self { db, project, decl, body, nodes, scopes: Vec::new(), found: Vec::new() }
    }

    pub(super) fn add(&mut self, name: NameId, target: Target<'db>, role: Role) {
        if !self.nodes[name].as_str().is_empty() {
            self.found.push(Occurrence { name, target, role });
        }
    }

    /// Opens a scope with names that are declared among `nodes`, in the given body.
    pub(super) fn scope(&mut self, body: Option<u32>, nodes: &Nodes, names: impl Iterator<Item = NameId>) {
        self.scopes.push(names.map(|name| (nodes[name].0.clone(), LocalPlace { body, name })).collect());
    }

    /// Opens a scope with names that are declared here.
    fn declare(&mut self, names: &[NameId]) {
        let (body, nodes) = (self.body, self.nodes);
        self.scope(body, nodes, names.iter().copied());
        for name in names {
            let place = LocalPlace { body, name: *name };
            self.add(*name, Target::Local { decl: self.decl, place }, Role::Declare);
        }
    }

    fn text(&self, name: NameId) -> &'a str {
        self.nodes[name].as_str()
    }

    fn global(&mut self, name: NameId, spaces: &[Space], role: Role) -> bool {
        let text = self.text(name);
        let def = spaces.iter().find_map(|space| lookup(self.db, self.project, *space, text));
        if let Some(def) = def {
            self.add(name, Target::Global(def), role);
        }
        def.is_some()
    }

    fn globals(&mut self, names: &[NameId], spaces: &[Space], role: Role) {
        for name in names {
            self.global(*name, spaces, role);
        }
    }

    fn own_machine(&self) -> Option<&'db Machine> {
        match &self.decl.shape(self.db).0.decl {
            AstDecl::Machine(machine) => Some(machine),
            _ => None,
        }
    }

    /// A member of the machine around.
    fn member(&mut self, name: NameId, kind: MemberKind, role: Role) -> bool {
        let Some(machine) = self.own_machine() else { return false };
        let names = &self.decl.shape(self.db).0.nodes;
        let text = self.text(name);
        let is_it = |id: &NameId| names[*id].as_str() == text;
        let is_there = match kind {
            MemberKind::Variable => machine.vars.iter().flat_map(|var| &var.names).any(is_it),
            MemberKind::Function => machine.functions.iter().any(|function| is_it(&function.name)),
            MemberKind::State => machine.states.iter().any(|state| is_it(&state.name)),
        };
        if is_there {
            self.add(name, Target::Member { machine: self.decl, kind, name: text.into() }, role);
        }
        is_there
    }

    /// A name in an expression.
    fn value(&mut self, name: NameId, role: Role) {
        let text = self.text(name);
        let local = self.scopes.iter().rev().find_map(|scope| scope.iter().find(|(known, _)| known == text));
        if let Some((_, place)) = local {
            let place = *place;
            self.add(name, Target::Local { decl: self.decl, place }, role);
        } else if !self.member(name, MemberKind::Variable, role)
            && !self.global(name, &[Space::Param, Space::Event], role)
            && !self.spec(name, role)
        {
            self.global(name, &[Space::Invariant, Space::InvariantGroup], role);
        }
    }

    fn spec(&mut self, name: NameId, role: Role) -> bool {
        let is_spec = |def: &Def<'db>| matches!(def.decl.kind(self.db), DeclKind::Spec | DeclKind::Scenario);
        let def = lookup(self.db, self.project, Space::Type, self.text(name)).filter(is_spec);
        def.into_iter().for_each(|def| self.add(name, Target::Global(def), role));
        def.is_some()
    }

    /// Adds what checking has found.
    pub(super) fn named_by_type(&mut self, names: &[NamedByType<'db>]) {
        for NamedByType { name, machine, kind } in names {
            let role = if *kind == MemberKind::State { Role::Type } else { Role::Read };
            self.add(*name, Target::Member { machine: *machine, kind: *kind, name: self.text(*name).into() }, role);
        }
    }

    pub(super) fn decl(&mut self, decl: &AstDecl) {
        match decl {
            AstDecl::Type { definition, .. } => definition.iter().for_each(|ty| self.ty(*ty)),
            AstDecl::Enum { .. } => {}
            AstDecl::Event { payload, .. } => payload.iter().for_each(|ty| self.ty(*ty)),
            AstDecl::EventSet { events, .. } => self.events(events, Role::List),
            AstDecl::Interface { payload, receives, .. } => {
                payload.iter().for_each(|ty| self.ty(*ty));
                self.events(receives, Role::List);
            }
            AstDecl::Machine(machine) => self.machine(machine),
            AstDecl::Function(function) => self.function(function),
            AstDecl::Param { ty, .. } => self.ty(*ty),
            AstDecl::Module { value, .. } => self.module(*value),
            AstDecl::Implementation { main, module, .. } => {
                self.globals(main.as_slice(), &[Space::Type], Role::Start);
                self.module(*module);
            }
            AstDecl::Test(test) => self.test(test),
            AstDecl::Pure { params, result, body, .. } => {
                self.params(params);
                self.ty(*result);
                body.iter().for_each(|body| self.expr(*body));
                self.scopes.pop();
            }
            AstDecl::Invariant(invariant) => self.expr(invariant.body),
            AstDecl::InvariantGroup { invariants, .. } => invariants.iter().for_each(|invariant| self.expr(invariant.body)),
            AstDecl::Axiom { body } | AstDecl::InitCondition { body } => self.expr(*body),
            AstDecl::Proof { commands, .. } => {
                for command in commands {
                    for goals in [&command.goals, &command.premises] {
                        if let Goals::Listed(listed) = goals {
                            listed.iter().for_each(|goal| self.goal(*goal));
                        }
                    }
                    command.except.iter().for_each(|goal| self.goal(*goal));
                }
            }
        }
    }

    fn goal(&mut self, id: ExprId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Expr::Name(name) => self.value(*name, Role::Use),
            _ => self.expr(id),
        }
    }

    fn machine(&mut self, machine: &Machine) {
        for events in [&machine.receives, &machine.sends].into_iter().flatten() {
            self.events(events, Role::List);
        }
        self.events(&machine.observes, Role::Observe);
        for var in &machine.vars {
            self.ty(var.ty);
            for name in &var.names {
                self.member(*name, MemberKind::Variable, Role::Declare);
            }
        }
        for function in &machine.functions {
            self.member(function.name, MemberKind::Function, Role::Declare);
            self.function(function);
        }
        machine.states.iter().for_each(|state| self.state(state));
    }

    fn state(&mut self, state: &State) {
        self.member(state.name, MemberKind::State, Role::Declare);
        for item in &state.items {
            match &item.kind {
                StateItemKind::Entry(handler) | StateItemKind::Exit(handler) => self.handler(handler),
                StateItemKind::Defer(events) => self.events(events, Role::Defer),
                StateItemKind::Ignore(events) => self.events(events, Role::Ignore),
                StateItemKind::OnDo { events, handler } => {
                    self.events(events, Role::Handle);
                    self.handler(handler);
                }
                StateItemKind::OnGoto { events, target, with } => {
                    self.events(events, Role::Handle);
                    self.member(*target, MemberKind::State, Role::Goto);
                    with.iter().for_each(|handler| self.handler(handler));
                }
            }
        }
    }

    fn handler(&mut self, handler: &Handler) {
        match handler.kind {
            HandlerKind::Named(name) => {
                if !self.member(name, MemberKind::Function, Role::Call) {
                    self.global(name, &[Space::Function], Role::Call);
                }
            }
            HandlerKind::Inline { param, .. } => {
                self.params(param.as_slice());
                self.scopes.pop();
            }
            HandlerKind::Missing => {}
        }
    }

    fn function(&mut self, function: &Function) {
        self.params(&function.params);
        function.result.iter().for_each(|ty| self.ty(*ty));
        if let FunctionCode::Foreign { creates, result, requires, ensures } = &function.code {
            self.globals(creates.as_slice(), &[Space::Type], Role::Create);
            self.params(result.as_slice());
            requires.iter().chain(ensures).for_each(|claim| self.expr(*claim));
            self.scopes.pop();
        }
        self.scopes.pop();
    }

    /// Opens a scope with the parameters.
    fn params(&mut self, params: &[TypedName]) {
        params.iter().for_each(|param| self.ty(param.ty));
        let names: Vec<NameId> = params.iter().map(|param| param.name).collect();
        self.declare(&names);
    }

    fn test(&mut self, test: &Test) {
        self.global(test.main, &[Space::Type], Role::Start);
        for param in &test.params {
            self.global(param.name, &[Space::Param], Role::Write);
        }
        test.assume.iter().for_each(|assume| self.expr(*assume));
        self.module(test.module);
        test.refines.iter().for_each(|module| self.module(*module));
    }

    fn module(&mut self, id: ModuleId) {
        let nodes = self.nodes;
        crate::stack::level(|| match &nodes[id] {
            Module::Missing => {}
            Module::Named(name) => self.globals(&[*name], &[Space::Module], Role::Use),
            Module::Paren(inner) => self.module(*inner),
            Module::Bindings(bindings) => {
                for binding in bindings {
                    self.global(binding.machine, &[Space::Type], Role::Use);
                    self.globals(binding.interface.as_slice(), &[Space::Type], Role::Use);
                }
            }
            Module::Compose(modules) | Module::Union(modules) => modules.iter().for_each(|module| self.module(*module)),
            Module::HideEvents { events, module } => {
                self.events(events, Role::Use);
                self.module(*module);
            }
            Module::HideInterfaces { interfaces: names, module } | Module::Assert { specs: names, module } => {
                self.globals(names, &[Space::Type], Role::Use);
                self.module(*module);
            }
            Module::Rename { from, to, module } => {
                self.global(*from, &[Space::Type], Role::Use);
                self.global(*to, &[Space::Type], Role::Use);
                self.module(*module);
            }
            Module::Main { machine, module } => {
                self.global(*machine, &[Space::Type], Role::Use);
                self.module(*module);
            }
        });
    }

    fn events(&mut self, events: &[EventRef], role: Role) {
        for event in events.iter().filter(|event| event.kind == EventKind::Declared) {
            let def = lookup(self.db, self.project, Space::Event, self.text(event.name)).filter(|def| def.part.is_none());
            def.into_iter().for_each(|def| self.add(event.name, Target::Global(def), role));
        }
    }

    fn ty(&mut self, id: TypeId) {
        let nodes = self.nodes;
        crate::stack::level(|| match &nodes[id] {
            Type::Missing | Type::Primitive(_) => {}
            Type::Named(name) => {
                let def = type_named(self.db, self.project, self.text(*name));
                def.into_iter().for_each(|def| self.add(*name, Target::Global(def), Role::Type));
            }
            Type::Seq(element) | Type::Set(element) => self.ty(*element),
            Type::Map(key, value) => {
                self.ty(*key);
                self.ty(*value);
            }
            Type::Tuple(elements) => elements.iter().for_each(|element| self.ty(*element)),
            Type::NamedTuple(fields) => fields.iter().for_each(|field| self.ty(field.ty)),
        });
    }

    /// The code of a function or receive case, whose parameters are in the innermost scope.
    pub(super) fn block(&mut self, block: &Block) {
        let mut names = Vec::new();
        for var in &block.vars {
            self.ty(var.ty);
            names.extend(&var.names);
        }
        self.declare(&names);
        block.stmts.iter().for_each(|stmt| self.stmt(*stmt));
        self.scopes.pop();
    }

    fn stmt(&mut self, id: StmtId) {
        crate::stack::level(|| self.stmt_here(id));
    }

    fn stmt_here(&mut self, id: StmtId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Stmt::Missing | Stmt::Break | Stmt::Continue | Stmt::Empty => {}
            Stmt::Compound(stmts) => stmts.iter().for_each(|stmt| self.stmt(*stmt)),
            Stmt::Assert { condition, message } | Stmt::Assume { condition, message } => {
                self.expr(*condition);
                message.iter().for_each(|message| self.expr(*message));
            }
            Stmt::Print { message } => self.expr(*message),
            Stmt::Return { value } => value.iter().for_each(|value| self.expr(*value)),
            Stmt::Assign { target, value } => {
                self.place(*target);
                self.expr(*value);
            }
            Stmt::Insert { target, key, value } => {
                self.place(*target);
                key.iter().for_each(|key| self.expr(*key));
                self.expr(*value);
            }
            Stmt::Remove { target, value } => {
                self.place(*target);
                self.expr(*value);
            }
            Stmt::While { condition, body } => {
                self.expr(*condition);
                self.stmt(*body);
            }
            Stmt::Foreach { variable, collection, invariants, body } => {
                self.value(*variable, Role::Write);
                self.expr(*collection);
                invariants.iter().for_each(|invariant| self.expr(*invariant));
                self.stmt(*body);
            }
            Stmt::If { condition, then, otherwise } => {
                self.expr(*condition);
                self.stmt(*then);
                otherwise.iter().for_each(|otherwise| self.stmt(*otherwise));
            }
            Stmt::New { interface, args } => self.create(*interface, args),
            Stmt::Call { function, args } => self.call(*function, args),
            Stmt::Raise { event, payload } => self.emit(*event, payload, Role::Raise),
            Stmt::Send { target, event, payload } => {
                self.expr(*target);
                self.emit(*event, payload, Role::Send);
            }
            Stmt::Announce { event, payload } => self.emit(*event, payload, Role::Announce),
            Stmt::Goto { target, payload } => {
                self.member(*target, MemberKind::State, Role::Goto);
                payload.iter().for_each(|value| self.expr(*value));
            }
            Stmt::Receive { cases } => {
                for case in cases {
                    self.events(&case.events, Role::Handle);
                    self.params(case.param.as_slice());
                    self.block(&case.block);
                    self.scopes.pop();
                }
            }
        }
    }

    fn emit(&mut self, event: ExprId, payload: &[ExprId], role: Role) {
        let nodes = self.nodes;
        match &nodes[event] {
            Expr::Name(name) => self.value(*name, role),
            _ => self.expr(event),
        }
        payload.iter().for_each(|value| self.expr(*value));
    }

    fn create(&mut self, interface: NameId, args: &[ExprId]) {
        self.global(interface, &[Space::Type], Role::Create);
        args.iter().for_each(|arg| self.expr(*arg));
    }

    fn call(&mut self, function: NameId, args: &[ExprId]) {
        if !self.member(function, MemberKind::Function, Role::Call) {
            self.global(function, &[Space::Function, Space::Pure], Role::Call);
        }
        args.iter().for_each(|arg| self.expr(*arg));
    }

    /// What is assigned to: the variable at its root is written, indexes are read.
    fn place(&mut self, id: ExprId) {
        let nodes = self.nodes;
        let mut at = id;
        loop {
            match &nodes[at] {
                Expr::Field { value, .. } | Expr::Element { value, .. } => at = *value,
                Expr::Index { value, index } => {
                    self.expr(*index);
                    at = *value;
                }
                Expr::Name(name) => return self.value(*name, Role::Write),
                _ => return self.expr(at),
            }
        }
    }

    /// The machine or event behind `is`. A state there is found by checking.
    fn kind(&mut self, name: NameId) {
        let text = self.text(name);
        let is_machine = |def: &Def<'db>| def.decl.kind(self.db).is_machine();
        let machine = lookup(self.db, self.project, Space::Type, text).filter(is_machine);
        let event = || lookup(self.db, self.project, Space::Event, text).filter(|def| def.part.is_none());
        machine.or_else(event).into_iter().for_each(|def| self.add(name, Target::Global(def), Role::Type));
    }

    fn expr(&mut self, id: ExprId) {
        crate::stack::level(|| self.expr_here(id));
    }

    fn expr_here(&mut self, id: ExprId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Expr::Missing
            | Expr::Int(_)
            | Expr::Float(_)
            | Expr::Bool(_)
            | Expr::String(_)
            | Expr::Null
            | Expr::Halt
            | Expr::This
            | Expr::Nondet { .. } => {}
            Expr::Name(name) => self.value(*name, Role::Read),
            Expr::Paren(value)
            | Expr::Field { value, .. }
            | Expr::Element { value, .. }
            | Expr::Inflight(value)
            | Expr::Sent(value)
            | Expr::Keys(value)
            | Expr::Values(value)
            | Expr::Sizeof(value) => self.expr(*value),
            Expr::Is { value, kind } => {
                self.expr(*value);
                self.kind(*kind);
            }
            Expr::Targets { message, target } => {
                self.expr(*message);
                self.expr(*target);
            }
            Expr::Tuple(elements) => elements.iter().for_each(|element| self.expr(*element)),
            Expr::NamedTuple(fields) => fields.iter().for_each(|(_, value)| self.expr(*value)),
            Expr::Index { value, index } => {
                self.expr(*value);
                self.expr(*index);
            }
            Expr::Default(ty) => self.ty(*ty),
            Expr::New { interface, args } => self.create(*interface, args),
            Expr::Call { function, args } => self.call(*function, args),
            Expr::Choose(argument) => argument.iter().for_each(|argument| self.expr(*argument)),
            Expr::Format { text, args } => {
                self.expr(*text);
                args.iter().for_each(|arg| self.expr(*arg));
            }
            Expr::Unary { operand, .. } => self.expr(*operand),
            Expr::Binary { left, right, .. } => {
                self.expr(*left);
                self.expr(*right);
            }
            Expr::As { value, ty } | Expr::To { value, ty } => {
                self.expr(*value);
                self.ty(*ty);
            }
            Expr::Quantifier { bound, body, .. } => {
                self.params(bound);
                self.expr(*body);
                self.scopes.pop();
            }
        }
    }
}
