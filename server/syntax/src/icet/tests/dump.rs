//! A typed file as text: a statement per line, expressions with every operator in front and in parentheses, holes as `?`.

use la_arena::Idx;

use super::*;

pub(super) fn file(file: &File) -> String {
    let mut out = String::new();
    for item in &file.items {
        Dump { nodes: &item.value.nodes, out: &mut out, depth: 0 }.decl(&item.value.decl);
    }
    out
}

struct Dump<'a> {
    nodes: &'a Nodes,
    out: &'a mut String,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.depth));
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Type { name, definition } => {
                let definition = definition.map(|ty| format!(" = {}", self.ty(ty))).unwrap_or_default();
                self.line(&format!("type {}{definition}", self.name(*name)));
            }
            Decl::Enum { name, elements } => {
                let element = |it: &EnumElement| format!("{}{}", self.name(it.name), self.payload(&it.payload));
                self.line(&format!("enum {} {}", self.name(*name), list("{", elements, element, "}")));
            }
            Decl::Message { name, payload } => self.line(&format!("message {}{}", self.name(*name), self.payload(payload))),
            Decl::Set { name, superset } => {
                self.line(&format!("set {}{}", self.name(*name), self.optional(" subset ", *superset)));
            }
            Decl::Const { name, ty, value } => {
                self.line(&format!("const {}: {}{}", self.name(*name), self.ty(*ty), self.value(*value)));
            }
            Decl::Var(var) => self.var(var),
            Decl::Process { name, set, body } => {
                self.line(&format!("process {}{}", self.name(*name), self.optional(" in ", *set)));
                self.body(body);
            }
            Decl::Sequential(body) => {
                self.line("sequential");
                self.body(body);
            }
            Decl::Assume(condition) => self.line(&format!("assume {}", self.expr(*condition))),
            Decl::Invariant(claim) => self.line(&format!("invariant {}", self.claim(claim))),
            Decl::Ensures(claim) => self.line(&format!("ensures {}", self.claim(claim))),
        }
    }

    fn body(&mut self, body: &Body) {
        self.depth += 1;
        for var in &body.vars {
            self.var(var);
        }
        self.depth -= 1;
        self.block(&body.stmts);
    }

    fn var(&mut self, var: &Var) {
        let ghost = if var.is_ghost { "ghost " } else { "" };
        let names = list("", &var.names, |name| self.name(*name).to_owned(), "");
        self.line(&format!("{ghost}var {names}: {}{}", self.ty(var.ty), self.value(var.value)));
    }

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        for stmt in block {
            self.stmt(*stmt);
        }
        self.depth -= 1;
    }

    fn headed(&mut self, head: &str, block: &Block) {
        self.line(head);
        self.block(block);
    }

    fn stmt(&mut self, id: StmtId) {
        let nodes = self.nodes;
        match &nodes[id] {
            Stmt::Missing => self.line("?"),
            Stmt::Assign { target, value } => self.line(&format!("{} = {}", self.pattern(*target), self.expr(*value))),
            Stmt::Send { message, args, target } => {
                self.line(&format!("send {}{} to {}", self.name(*message), self.exprs(args), self.expr(*target)));
            }
            Stmt::Receive { reception, timeout } => {
                self.line(&format!("recv {}", self.reception(reception)));
                self.clause("timeout", timeout);
            }
            Stmt::Select { cases, timeout } => {
                self.line("recv one");
                for case in cases {
                    self.headed(&format!("case {}", self.reception(&case.reception)), &case.body);
                }
                self.clause("timeout", timeout);
            }
            Stmt::Pick { target, set } => self.line(&format!("pick {} in {}", self.expr(*target), self.expr(*set))),
            Stmt::Havoc { target } => self.line(&format!("havoc {}", self.expr(*target))),
            Stmt::Assume { condition } => self.line(&format!("assume {}", self.expr(*condition))),
            Stmt::Assert { condition, message } => {
                self.line(&format!("assert {} {}", self.expr(*condition), message.as_deref().unwrap_or_default()));
            }
            Stmt::Invariant(claim) => self.line(&format!("invariant {}", self.claim(claim))),
            Stmt::Break => self.line("break"),
            Stmt::Skip => self.line("skip"),
            Stmt::Fail { message } => self.line(&format!("fail {}", message.as_deref().unwrap_or_default())),
            stmt => self.control(stmt),
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::If { condition, then, otherwise } => {
                self.headed(&format!("if {}", self.condition(*condition)), then);
                if !otherwise.is_empty() {
                    self.headed("else", otherwise);
                }
            }
            Stmt::Match { value, cases, default } => {
                self.line(&format!("match {}", self.expr(*value)));
                for case in cases {
                    self.headed(&format!("case {}{}", self.name(case.element), self.patterns(&case.patterns)), &case.body);
                }
                self.clause("default", default);
            }
            Stmt::Choose { branches } => {
                self.line("choose");
                branches.iter().for_each(|branch| self.headed("or", branch));
            }
            Stmt::While { condition, invariants, body } => {
                self.repeated(&format!("while {}", self.condition(*condition)), invariants, body);
            }
            Stmt::For(it) => self.set_loop("for", it),
            Stmt::Foreach(it) => self.set_loop("foreach", it),
            Stmt::Parallel { member, body } => self.headed(&format!("parallel {}", self.member(*member)), body),
            Stmt::Repeat { count, index, invariants, body } => {
                let head = format!("repeat {}{}", self.expr(*count), self.optional(" as ", *index));
                self.repeated(&head, invariants, body);
            }
            Stmt::Rounds { count, index, invariants, body } => {
                let count = count.map(|count| self.expr(count)).unwrap_or("for ever".to_owned());
                self.repeated(&format!("rounds {count} as {}", self.name(*index)), invariants, body);
            }
            Stmt::Atomic(body) => self.headed("atomic", body),
            stmt => panic!("not a control statement: {stmt:?}"),
        }
    }

    fn clause(&mut self, head: &str, block: &Option<Block>) {
        if let Some(block) = block {
            self.headed(head, block);
        }
    }

    fn repeated(&mut self, head: &str, invariants: &[Claim], body: &Block) {
        self.line(head);
        for claim in invariants {
            self.line(&format!("invariant {}", self.claim(claim)));
        }
        self.block(body);
    }

    fn set_loop(&mut self, word: &str, it: &SetLoop) {
        let head = format!("{word} {}{}", self.member(it.member), self.optional(" done ", it.done));
        self.repeated(&head, &it.invariants, &it.body);
    }

    fn reception(&self, it: &Reception) -> String {
        let source = match it.source {
            Source::Any => "any".to_owned(),
            Source::From(source) => self.expr(source),
        };
        let sender = it.sender.map(|sender| format!("{} in ", self.name(sender))).unwrap_or_default();
        format!("{}{} from {sender}{source}", self.name(it.message), self.patterns(&it.patterns))
    }

    fn member(&self, member: Member) -> String {
        format!("{} in {}", member.variable.map_or("_", |name| self.name(name)), self.expr(member.set))
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::Nondet => "*".to_owned(),
            Condition::Holds(condition) => self.expr(condition),
        }
    }

    fn claim(&self, claim: &Claim) -> String {
        let label = claim.name.map(|name| format!("{}: ", self.name(name))).unwrap_or_default();
        format!("{label}{}", self.expr(claim.condition))
    }

    fn name(&self, id: NameId) -> &str {
        let name = &self.nodes[id];
        if name.is_missing() { "?" } else { name.as_str() }
    }

    fn optional(&self, before: &str, name: Option<NameId>) -> String {
        name.map(|name| format!("{before}{}", self.name(name))).unwrap_or_default()
    }

    fn value(&self, value: Option<ExprId>) -> String {
        value.map(|value| format!(" = {}", self.expr(value))).unwrap_or_default()
    }

    fn payload(&self, payload: &[Part]) -> String {
        let part = |it: &Part| {
            let name = it.name.map(|name| format!("{}: ", self.name(name))).unwrap_or_default();
            format!("{name}{}", self.ty(it.ty))
        };
        if payload.is_empty() { String::new() } else { list("(", payload, part, ")") }
    }

    fn typed(&self, it: &TypedName) -> String {
        format!("{}: {}", self.name(it.name), self.ty(it.ty))
    }

    fn ty(&self, id: TypeId) -> String {
        match &self.nodes[id] {
            Type::Missing => "?".to_owned(),
            Type::Primitive(primitive) => format!("{primitive:?}"),
            Type::Named(name) => self.name(*name).to_owned(),
            Type::Set(element) => format!("set[{}]", self.ty(*element)),
            Type::Map(key, value) => format!("map[{}, {}]", self.ty(*key), self.ty(*value)),
            Type::Tuple(types) => list("(", types, |ty| self.ty(*ty), ")"),
            Type::Record(fields) => list("(", fields, |field| self.typed(field), ")"),
        }
    }

    fn patterns(&self, patterns: &[PatternId]) -> String {
        if patterns.is_empty() { String::new() } else { list("(", patterns, |it| self.pattern(*it), ")") }
    }

    fn pattern(&self, id: Idx<Pattern>) -> String {
        match &self.nodes[id] {
            Pattern::Missing => "?".to_owned(),
            Pattern::Wildcard => "_".to_owned(),
            Pattern::Place(place) => self.expr(*place),
            Pattern::Tuple(elements) => list("(", elements, |it| self.pattern(*it), ")"),
        }
    }

    fn exprs(&self, exprs: &[ExprId]) -> String {
        if exprs.is_empty() { String::new() } else { list("(", exprs, |it| self.expr(*it), ")") }
    }

    fn expr(&self, id: ExprId) -> String {
        match &self.nodes[id] {
            Expr::Missing => "?".to_owned(),
            Expr::Name(name) => self.name(*name).to_owned(),
            Expr::Int(digits) => digits.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::Paren(inner) => format!("(paren {})", self.expr(*inner)),
            Expr::Tuple(elements) => list("(tuple ", elements, |it| self.expr(*it), ")"),
            Expr::Record(fields) => {
                list("(record ", fields, |(name, value)| format!("{} = {}", self.name(*name), self.expr(*value)), ")")
            }
            Expr::Set(elements) => list("{", elements, |it| self.expr(*it), "}"),
            Expr::Field { value, field } => format!("(field {} {})", self.expr(*value), self.name(*field)),
            Expr::Element { value, index } => format!("(element {} {})", self.expr(*value), self.name(*index)),
            Expr::Index { value, index } => format!("(index {} {})", self.expr(*value), self.expr(*index)),
            Expr::Call { function, args } => format!("{}{}", self.name(*function), self.exprs(args)),
            Expr::Unary { op, operand } => format!("({op:?} {})", self.expr(*operand)),
            Expr::Binary { op, left, right } => format!("({op:?} {} {})", self.expr(*left), self.expr(*right)),
            Expr::Quantifier { kind, bound, body } => {
                format!("({kind:?} {} {})", list("", bound, |it| self.typed(it), ""), self.expr(*body))
            }
            Expr::Comprehension { bound, body } => format!("(set {} {})", self.typed(bound), self.expr(*body)),
        }
    }
}

fn list<T>(open: &str, elements: &[T], text: impl Fn(&T) -> String, close: &str) -> String {
    let elements: Vec<_> = elements.iter().map(text).collect();
    format!("{open}{}{close}", elements.join(", "))
}
