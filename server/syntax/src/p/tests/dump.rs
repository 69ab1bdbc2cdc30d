//! A typed file as text: a statement per line, expressions with every operator in front and in parentheses, holes as `?`.

use super::*;

pub(super) fn file(file: &File) -> String {
    let mut out = String::new();
    for item in &file.items {
        Dump { item: &item.value, nodes: &item.value.nodes, out: &mut out, depth: 0 }.decl();
    }
    out
}

struct Dump<'a> {
    item: &'a Item,
    /// The item's own, or a body's.
    nodes: &'a Nodes,
    out: &'a mut String,
    depth: usize,
}

impl<'a> Dump<'a> {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.depth));
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn indented(&mut self, lines: impl FnOnce(&mut Self)) {
        self.depth += 1;
        lines(self);
        self.depth -= 1;
    }

    // ---- Declarations ----

    fn decl(&mut self) {
        let item = self.item;
        match &item.decl {
            Decl::Type { name, definition } => {
                self.line(&format!("type {}{}", self.name(*name), self.optional_type(" = ", *definition)));
            }
            Decl::Enum { name, elements } => {
                let value = |it: &EnumElement| it.value.map(|value| format!(" = {}", self.name(value))).unwrap_or_default();
                let element = |it: &EnumElement| format!("{}{}", self.name(it.name), value(it));
                self.line(&format!("enum {} {}", self.name(*name), list("{", elements, element, "}")));
            }
            Decl::Event { name, payload } => {
                self.line(&format!("event {}{}", self.name(*name), self.optional_type(": ", *payload)));
            }
            Decl::EventSet { name, events } => self.line(&format!("eventset {} = {}", self.name(*name), self.events(events))),
            Decl::Interface { name, payload, receives } => {
                let payload = self.optional_type("", *payload);
                self.line(&format!("interface {}({payload}) receives {}", self.name(*name), self.events(receives)));
            }
            Decl::Machine(machine) => self.machine(machine),
            Decl::Function(function) => self.function(function),
            Decl::Param { names, ty } => self.line(&format!("param {}: {}", self.names(names), self.ty(*ty))),
            Decl::Module { name, value } => self.line(&format!("module {} = {}", self.name(*name), self.module(*value))),
            Decl::Implementation { name, main, module } => {
                let main = main.map(|main| format!(" main {}", self.name(main))).unwrap_or_default();
                self.line(&format!("implementation {}{main}: {}", self.name(*name), self.module(*module)));
            }
            Decl::Test(test) => self.test(test),
            decl => self.proof_decl(decl),
        }
    }

    fn proof_decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Pure { name, params, result, body } => {
                let body = self.optional_expr(" = ", *body);
                self.line(&format!("pure {}{}: {}{body}", self.name(*name), self.params(params), self.ty(*result)));
            }
            Decl::Invariant(invariant) => self.invariant(invariant),
            Decl::InvariantGroup { kind, name, invariants } => {
                self.line(&format!("{kind:?} {}", self.name(*name)));
                self.indented(|this| invariants.iter().for_each(|it| this.invariant(it)));
            }
            Decl::Axiom { body } => self.line(&format!("axiom {}", self.expr(*body))),
            Decl::InitCondition { body } => self.line(&format!("init-condition {}", self.expr(*body))),
            Decl::Proof { name, commands } => {
                self.line(&format!("proof {}", name.map_or("", |name| self.name(name))));
                self.indented(|this| commands.iter().for_each(|it| this.prove(it)));
            }
            decl => panic!("not of the proof language: {decl:?}"),
        }
    }

    fn invariant(&mut self, it: &Invariant) {
        self.line(&format!("invariant {}: {}", self.name(it.name), self.expr(it.body)));
    }

    fn prove(&mut self, it: &ProveCommand) {
        let except = list("", &it.except, |it| self.expr(*it), "");
        self.line(&format!("prove {} using {} except {except}", self.goals(&it.goals), self.goals(&it.premises)));
    }

    fn goals(&self, goals: &Goals) -> String {
        match goals {
            Goals::Listed(goals) => list("[", goals, |it| self.expr(*it), "]"),
            Goals::All => "all".to_owned(),
            Goals::Default => "default".to_owned(),
        }
    }

    fn test(&mut self, test: &Test) {
        let refines = test.refines.map(|module| format!(" refines {}", self.module(module))).unwrap_or_default();
        self.line(&format!("test {} main {}: {}{refines}", self.name(test.name), self.name(test.main), self.module(test.module)));
        self.indented(|this| {
            for param in &test.params {
                let values = list("[", &param.values, |it| this.expr(*it), "]");
                this.line(&format!("param {} in {values}", this.name(param.name)));
            }
            if let Some(assume) = test.assume {
                this.line(&format!("assume {}", this.expr(assume)));
            }
            match test.wise {
                None => {}
                Some(Wise::Pairwise) => this.line("pairwise"),
                Some(Wise::Strength(strength)) => this.line(&format!("{} wise", this.name(strength))),
            }
        });
    }

    fn module(&self, id: ModuleId) -> String {
        let binding = |it: &Binding| {
            let interface = it.interface.map(|interface| format!(" -> {}", self.name(interface))).unwrap_or_default();
            format!("{}{interface}", self.name(it.machine))
        };
        match &self.nodes[id] {
            Module::Missing => "?".to_owned(),
            Module::Named(name) => self.name(*name).to_owned(),
            Module::Paren(module) => format!("(paren {})", self.module(*module)),
            Module::Bindings(bindings) => list("{", bindings, binding, "}"),
            Module::Compose(modules) => list("(compose ", modules, |it| self.module(*it), ")"),
            Module::Union(modules) => list("(union ", modules, |it| self.module(*it), ")"),
            Module::HideEvents { events, module } => format!("(hidee {} in {})", self.events(events), self.module(*module)),
            Module::HideInterfaces { interfaces, module } => {
                format!("(hidei {} in {})", self.names(interfaces), self.module(*module))
            }
            Module::Assert { specs, module } => format!("(assert {} in {})", self.names(specs), self.module(*module)),
            Module::Rename { from, to, module } => {
                format!("(rename from {} to {} in {})", self.name(*from), self.name(*to), self.module(*module))
            }
            Module::Main { machine, module } => format!("(main {} in {})", self.name(*machine), self.module(*module)),
        }
    }

    // ---- Machines and functions ----

    fn machine(&mut self, machine: &Machine) {
        self.line(&format!("{:?} {}", machine.kind, self.name(machine.name)));
        self.indented(|this| {
            for (word, events) in [("receives", &machine.receives), ("sends", &machine.sends)] {
                if let Some(events) = events {
                    this.line(&format!("{word} {}", this.events(events)));
                }
            }
            if !machine.observes.is_empty() {
                this.line(&format!("observes {}", this.events(&machine.observes)));
            }
            machine.vars.iter().for_each(|var| this.var(var));
            machine.functions.iter().for_each(|function| this.function(function));
            machine.states.iter().for_each(|state| this.state(state));
        });
    }

    fn var(&mut self, var: &Var) {
        self.line(&format!("var {}: {}", self.names(&var.names), self.ty(var.ty)));
    }

    fn function(&mut self, function: &Function) {
        let result = self.optional_type(": ", function.result);
        let head = format!("{}{}{result}", self.name(function.name), self.params(&function.params));
        match &function.code {
            FunctionCode::Body(body) => {
                self.line(&format!("fun {head}"));
                self.body(*body);
            }
            FunctionCode::Foreign { creates, result, requires, ensures } => {
                let creates = creates.map(|name| format!(" creates {}", self.name(name))).unwrap_or_default();
                self.line(&format!("foreign fun {head}{creates}"));
                self.indented(|this| {
                    if let Some(result) = result {
                        this.line(&format!("return {}", this.typed(result)));
                    }
                    requires.iter().for_each(|it| this.line(&format!("requires {}", this.expr(*it))));
                    ensures.iter().for_each(|it| this.line(&format!("ensures {}", this.expr(*it))));
                });
            }
        }
    }

    fn state(&mut self, state: &State) {
        let start = if state.is_start { "start " } else { "" };
        let temperature = state.temperature.map(|it| format!("{it:?} ")).unwrap_or_default();
        self.line(&format!("{start}{temperature}state {}", self.name(state.name)));
        self.indented(|this| state.items.iter().for_each(|it| this.state_item(&it.kind)));
    }

    fn state_item(&mut self, kind: &StateItemKind) {
        match kind {
            StateItemKind::Entry(handler) => self.handler("entry", handler),
            StateItemKind::Exit(handler) => self.handler("exit", handler),
            StateItemKind::Defer(events) => self.line(&format!("defer {}", self.events(events))),
            StateItemKind::Ignore(events) => self.line(&format!("ignore {}", self.events(events))),
            StateItemKind::OnDo { events, handler } => self.handler(&format!("on {} do", self.events(events)), handler),
            StateItemKind::OnGoto { events, target, with } => {
                let head = format!("on {} goto {}", self.events(events), self.name(*target));
                match with {
                    Some(handler) => self.handler(&format!("{head} with"), handler),
                    None => self.line(&head),
                }
            }
        }
    }

    fn handler(&mut self, head: &str, handler: &Handler) {
        match &handler.kind {
            HandlerKind::Missing => self.line(&format!("{head} ?")),
            HandlerKind::Named(name) => self.line(&format!("{head} {}", self.name(*name))),
            HandlerKind::Inline { param, body } => {
                self.line(&format!("{head} {}", param.map(|param| self.params(&[param])).unwrap_or_default()));
                self.body(*body);
            }
        }
    }

    fn body(&mut self, id: BodyId) {
        let item: &'a Item = self.item;
        let body = &item.body(id).value;
        Dump { item, nodes: &body.nodes, out: self.out, depth: self.depth }.block(&body.block);
    }

    // ---- Statements ----

    fn block(&mut self, block: &Block) {
        self.indented(|this| {
            block.vars.iter().for_each(|var| this.var(var));
            block.stmts.iter().for_each(|stmt| this.stmt(*stmt));
        });
    }

    fn headed(&mut self, head: &str, stmt: StmtId) {
        self.line(head);
        self.indented(|this| this.stmt(stmt));
    }

    fn stmt(&mut self, id: StmtId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Stmt::Compound(stmts) => {
                self.line("block");
                self.indented(|this| stmts.iter().for_each(|stmt| this.stmt(*stmt)));
            }
            Stmt::While { condition, body } => self.headed(&format!("while {}", self.expr(*condition)), *body),
            Stmt::Foreach { variable, collection, invariants, body } => {
                self.line(&format!("foreach {} in {}", self.name(*variable), self.expr(*collection)));
                self.indented(|this| {
                    invariants.iter().for_each(|it| this.line(&format!("invariant {}", this.expr(*it))));
                    this.stmt(*body);
                });
            }
            Stmt::If { condition, then, otherwise } => {
                self.headed(&format!("if {}", self.expr(*condition)), *then);
                if let Some(otherwise) = otherwise {
                    self.headed("else", *otherwise);
                }
            }
            Stmt::Receive { cases } => {
                self.line("receive");
                self.indented(|this| {
                    for case in cases {
                        let param = case.param.map(|param| this.params(&[param])).unwrap_or_default();
                        this.line(&format!("case {} {param}", this.events(&case.events)));
                        this.block(&case.block);
                    }
                });
            }
            stmt => self.line(&self.simple(stmt)),
        }
    }

    fn simple(&self, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Missing => "?".to_owned(),
            Stmt::Assert { condition, message } => {
                format!("assert {}{}", self.expr(*condition), self.optional_expr(" message ", *message))
            }
            Stmt::Assume { condition, message } => {
                format!("assume {}{}", self.expr(*condition), self.optional_expr(" message ", *message))
            }
            Stmt::Print { message } => format!("print {}", self.expr(*message)),
            Stmt::Return { value } => format!("return{}", self.optional_expr(" ", *value)),
            Stmt::Break => "break".to_owned(),
            Stmt::Continue => "continue".to_owned(),
            Stmt::Assign { target, value } => format!("{} = {}", self.expr(*target), self.expr(*value)),
            Stmt::Insert { target, key, value } => {
                format!("{} +={} value {}", self.expr(*target), self.optional_expr(" key ", *key), self.expr(*value))
            }
            Stmt::Remove { target, value } => format!("{} -= {}", self.expr(*target), self.expr(*value)),
            Stmt::New { interface, args } => format!("new {}{}", self.name(*interface), self.exprs(args)),
            Stmt::Call { function, args } => format!("call {}{}", self.name(*function), self.exprs(args)),
            Stmt::Raise { event, payload } => format!("raise {}{}", self.expr(*event), self.payload(payload)),
            Stmt::Send { target, event, payload } => {
                format!("send {} to {}{}", self.expr(*event), self.expr(*target), self.payload(payload))
            }
            Stmt::Announce { event, payload } => format!("announce {}{}", self.expr(*event), self.payload(payload)),
            Stmt::Goto { target, payload } => format!("goto {}{}", self.name(*target), self.payload(payload)),
            Stmt::Empty => "empty".to_owned(),
            stmt => panic!("not a simple statement: {stmt:?}"),
        }
    }

    // ---- Names, types, expressions ----

    fn name(&self, id: NameId) -> &'a str {
        let name = &self.nodes[id];
        if name.is_missing() { "?" } else { name.as_str() }
    }

    fn names(&self, names: &[NameId]) -> String {
        list("", names, |name| self.name(*name).to_owned(), "")
    }

    fn events(&self, events: &[EventRef]) -> String {
        let event = |it: &EventRef| match it.kind {
            EventKind::Declared => self.name(it.name).to_owned(),
            EventKind::Halt | EventKind::Null => format!("{:?}", it.kind),
        };
        list("[", events, event, "]")
    }

    fn typed(&self, it: &TypedName) -> String {
        format!("{}: {}", self.name(it.name), self.ty(it.ty))
    }

    fn params(&self, params: &[TypedName]) -> String {
        list("(", params, |it| self.typed(it), ")")
    }

    fn optional_type(&self, before: &str, ty: Option<TypeId>) -> String {
        ty.map(|ty| format!("{before}{}", self.ty(ty))).unwrap_or_default()
    }

    fn ty(&self, id: TypeId) -> String {
        match &self.nodes[id] {
            Type::Missing => "?".to_owned(),
            Type::Primitive(primitive) => format!("{primitive:?}"),
            Type::Named(name) => self.name(*name).to_owned(),
            Type::Seq(element) => format!("seq[{}]", self.ty(*element)),
            Type::Set(element) => format!("set[{}]", self.ty(*element)),
            Type::Map(key, value) => format!("map[{}, {}]", self.ty(*key), self.ty(*value)),
            Type::Tuple(types) => list("(", types, |ty| self.ty(*ty), ")"),
            Type::NamedTuple(fields) => self.params(fields),
        }
    }

    fn exprs(&self, exprs: &[ExprId]) -> String {
        list("(", exprs, |it| self.expr(*it), ")")
    }

    fn payload(&self, payload: &[ExprId]) -> String {
        if payload.is_empty() { String::new() } else { format!(" with {}", self.exprs(payload)) }
    }

    fn optional_expr(&self, before: &str, expr: Option<ExprId>) -> String {
        expr.map(|expr| format!("{before}{}", self.expr(expr))).unwrap_or_default()
    }

    fn expr(&self, id: ExprId) -> String {
        match &self.nodes[id] {
            Expr::Missing => "?".to_owned(),
            Expr::Name(name) => self.name(*name).to_owned(),
            Expr::Int(text) | Expr::Float(text) | Expr::String(text) => text.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::Null => "Null".to_owned(),
            Expr::Halt => "Halt".to_owned(),
            Expr::This => "This".to_owned(),
            Expr::Nondet { fair } => if *fair { "$$" } else { "$" }.to_owned(),
            Expr::Paren(inner) => format!("(paren {})", self.expr(*inner)),
            Expr::Tuple(elements) => list("(tuple ", elements, |it| self.expr(*it), ")"),
            Expr::NamedTuple(fields) => {
                list("(named ", fields, |(name, value)| format!("{} = {}", self.name(*name), self.expr(*value)), ")")
            }
            Expr::Field { value, field } => format!("(field {} {})", self.expr(*value), self.name(*field)),
            Expr::Element { value, index } => format!("(element {} {})", self.expr(*value), self.name(*index)),
            Expr::Index { value, index } => format!("(index {} {})", self.expr(*value), self.expr(*index)),
            Expr::Unary { op, operand } => format!("({op:?} {})", self.expr(*operand)),
            Expr::Binary { op, left, right } => format!("({op:?} {} {})", self.expr(*left), self.expr(*right)),
            expr => self.worded(expr),
        }
    }

    /// Expressions that begin with a word, or have one as their operator.
    fn worded(&self, expr: &Expr) -> String {
        match expr {
            Expr::Is { value, kind } => format!("(is {} {})", self.expr(*value), self.name(*kind)),
            Expr::Targets { message, target } => format!("(targets {} {})", self.expr(*message), self.expr(*target)),
            Expr::Inflight(message) => format!("(inflight {})", self.expr(*message)),
            Expr::Sent(message) => format!("(sent {})", self.expr(*message)),
            Expr::Keys(map) => format!("(keys {})", self.expr(*map)),
            Expr::Values(map) => format!("(values {})", self.expr(*map)),
            Expr::Sizeof(value) => format!("(sizeof {})", self.expr(*value)),
            Expr::Default(ty) => format!("(default {})", self.ty(*ty)),
            Expr::New { interface, args } => format!("new {}{}", self.name(*interface), self.exprs(args)),
            Expr::Call { function, args } => format!("{}{}", self.name(*function), self.exprs(args)),
            Expr::Choose(from) => format!("(choose{})", self.optional_expr(" ", *from)),
            Expr::Format { text, args } => format!("(format {} {})", self.expr(*text), self.exprs(args)),
            Expr::As { value, ty } => format!("(as {} {})", self.expr(*value), self.ty(*ty)),
            Expr::To { value, ty } => format!("(to {} {})", self.expr(*value), self.ty(*ty)),
            Expr::Quantifier { kind, is_new, bound, body } => {
                let new = if *is_new { " new" } else { "" };
                format!("({kind:?}{new} {} {})", self.params(bound), self.expr(*body))
            }
            expr => panic!("not an expression with a word: {expr:?}"),
        }
    }
}

fn list<T>(open: &str, elements: &[T], text: impl Fn(&T) -> String, close: &str) -> String {
    let elements: Vec<_> = elements.iter().map(text).collect();
    format!("{open}{}{close}", elements.join(", "))
}
