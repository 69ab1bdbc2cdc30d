//! Programs as text in the language itself.
//!
//! What is printed of a checked program parses, checks and gives an equal program, ranges aside. Printing never looks at ranges, so
//! programs that were made, not read, can be printed as well; where two of their locals would hide each other, one is renamed.

mod expr;
mod stmt;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::program::{Block, Claim, Code, Expr, Local, LocalId, Place, ProcessId, Program, StmtId, Type, Var, Whose};

/// Where an expression stands, which decides what its variables are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In the code of a process.
    Process(ProcessId),
    Sequential,
    /// In a declaration outside of code.
    Outside,
}

impl Home {
    /// The home of a statement, whose `process` is none in the sequential block.
    pub fn of(process: Option<ProcessId>) -> Self {
        process.map_or(Self::Sequential, Self::Process)
    }
}

/// The whole program, as it would be written.
pub fn print(program: &Program) -> String {
    let mut printer = Printer::new(program, Home::Outside);
    printer.program();
    printer.out
}

/// The whole program, and where the head of each statement stands in it, in order of place.
pub fn print_with_places(program: &Program) -> (String, Vec<(StmtId, std::ops::Range<usize>)>) {
    let mut printer = Printer::new(program, Home::Outside);
    printer.program();
    (printer.out, printer.heads)
}

pub fn expr(program: &Program, home: Home, expr: &Expr) -> String {
    let mut printer = Printer::new(program, home);
    printer.expr(expr, 0);
    printer.out
}

pub fn place(program: &Program, home: Home, place: &Place) -> String {
    let mut printer = Printer::new(program, home);
    printer.place(place);
    printer.out
}

/// The name of an element of the enum that `value` is of.
pub fn element(program: &Program, home: Home, value: &Expr, element: u32) -> smol_str::SmolStr {
    Printer::new(program, home).element_name(value, element)
}

/// A statement up to its first block, in one line: `for p in Participants done Asked`, `send Ping(a) to b`.
pub fn stmt_head(program: &Program, id: StmtId) -> String {
    let mut printer = Printer::new(program, Home::of(program.stmt(id).process));
    printer.head(id);
    printer.out
}

/// A statement with its blocks.
pub fn stmt(program: &Program, id: StmtId) -> String {
    let mut printer = Printer::new(program, Home::of(program.stmt(id).process));
    printer.stmt(id);
    printer.out
}

/// Statements of one process, or of the sequential block, one below the other.
pub fn block(program: &Program, process: Option<ProcessId>, block: &Block) -> String {
    let mut printer = Printer::new(program, Home::of(process));
    block.iter().for_each(|id| printer.stmt(*id));
    printer.out
}

pub fn ty(program: &Program, ty: &Type) -> String {
    let mut out = String::new();
    write_type(program, ty, &mut out);
    out
}

struct Printer<'p> {
    program: &'p Program,
    home: Home,
    out: String,
    indent: usize,
    /// What locals are called, where they were renamed.
    names: Vec<Option<SmolStr>>,
    /// Names that mean something here.
    taken: FxHashSet<SmolStr>,
    /// Where the first line of each statement is in the text so far.
    heads: Vec<(StmtId, std::ops::Range<usize>)>,
}

impl<'p> Printer<'p> {
    fn new(program: &'p Program, home: Home) -> Self {
        Self { program, home, out: String::new(), indent: 0, names: Vec::new(), taken: FxHashSet::default(), heads: Vec::new() }
    }

    // ---- Names ----

    fn code(&self) -> Option<&'p Code> {
        match self.home {
            Home::Process(process) => Some(&self.program.process(process).code),
            Home::Sequential => self.program.sequential.as_ref(),
            Home::Outside => None,
        }
    }

    fn locals(&self) -> &'p [Local] {
        self.code().map_or(&self.program.locals, |code| &code.locals)
    }

    fn local(&self, id: LocalId) -> SmolStr {
        let renamed = self.names.get(id.index()).cloned().flatten();
        renamed.or_else(|| Some(self.locals().get(id.index())?.name.clone())).unwrap_or_default()
    }

    /// Gives a local a name that hides nothing, and keeps it until it is released.
    fn bind(&mut self, id: LocalId) -> SmolStr {
        let base = self.locals().get(id.index()).map(|local| local.name.clone()).unwrap_or_default();
        let mut name = base.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{base}_{number}").into();
            number += 1;
        }
        if self.names.len() <= id.index() {
            self.names.resize(id.index() + 1, None);
        }
        self.names[id.index()] = Some(name.clone());
        self.taken.insert(name.clone());
        name
    }

    fn release(&mut self, name: &SmolStr) {
        self.taken.remove(name);
    }

    // ---- Lines ----

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn start_line(&mut self) {
        // Deep nesting is not shown by more and more space: lines would become longer than the program.
        for _ in 0..self.indent.min(MAX_INDENT) {
            self.out.push_str("  ");
        }
    }

    fn end_line(&mut self, text: &str) {
        self.push(text);
        self.push("\n");
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    // ---- Declarations ----

    fn program(&mut self) {
        let program = self.program;
        self.taken = global_names(program);
        self.types();
        for message in &program.messages {
            self.push("message ");
            self.push(&message.name);
            self.payload(&message.payload);
            self.end_line(";");
        }
        for constant in &program.consts {
            self.push("const ");
            self.push(&constant.name);
            self.typed_value(&constant.ty, constant.value.as_ref());
        }
        program.shared.iter().for_each(|var| self.var(var));
        for claim in &program.assumes {
            self.claim("assume ", claim);
            self.end_line(";");
        }
        for process in 0..program.processes.len() {
            self.process(process);
        }
        if let Some(code) = &program.sequential {
            self.home = Home::Sequential;
            self.push("\nsequential");
            self.body(code);
            self.home = Home::Outside;
        }
        self.claims();
    }

    fn types(&mut self) {
        let program = self.program;
        for set in &program.sets {
            self.push("set ");
            self.push(&set.name);
            if let Some(superset) = set.superset {
                self.push(" subset ");
                self.push(&program.set(superset).name);
            }
            self.end_line(";");
        }
        for opaque in &program.opaque {
            self.push("type ");
            self.push(opaque);
            self.end_line(";");
        }
        for declared in &program.enums {
            self.push("enum ");
            self.push(&declared.name);
            self.push(" { ");
            self.list(&declared.elements, |this, element| {
                this.push(&element.name);
                this.payload(&element.payload);
            });
            self.end_line(" }");
        }
    }

    fn claims(&mut self) {
        let program = self.program;
        if !program.invariants.is_empty() || !program.ensures.is_empty() {
            self.push("\n");
        }
        for claim in &program.invariants {
            self.claim("invariant ", claim);
            self.end_line(";");
        }
        for claim in &program.ensures {
            self.claim("ensures ", claim);
            self.end_line(";");
        }
    }

    fn process(&mut self, at: usize) {
        let process = &self.program.processes[at];
        self.home = Home::Process(ProcessId(u32::try_from(at).unwrap_or(u32::MAX)));
        self.push("\nprocess ");
        self.push(&process.name);
        let mut own = None;
        if let Some(set) = process.set {
            self.push(" in ");
            self.push(&self.program.set(set).name);
            own = Some(process.name.clone()).filter(|name| self.taken.insert(name.clone()));
        }
        self.body(&process.code);
        own.iter().for_each(|name| self.release(name));
        self.home = Home::Outside;
    }

    fn body(&mut self, code: &'p Code) {
        self.names.clear();
        self.end_line(" {");
        self.indent += 1;
        let mut own = Vec::new();
        for var in &code.vars {
            self.start_line();
            self.var(var);
            if self.taken.insert(var.name.clone()) {
                own.push(var.name.clone());
            }
        }
        if !code.vars.is_empty() && !code.body.is_empty() {
            self.push("\n");
        }
        code.body.iter().for_each(|id| self.stmt(*id));
        own.iter().for_each(|name| self.release(name));
        self.indent -= 1;
        self.end_line("}");
        self.names.clear();
    }

    fn var(&mut self, var: &Var) {
        self.push(if var.is_ghost { "ghost var " } else { "var " });
        self.push(&var.name);
        self.typed_value(&var.ty, var.value.as_ref());
    }

    fn typed_value(&mut self, ty: &Type, value: Option<&Expr>) {
        self.push(": ");
        self.ty(ty);
        if let Some(value) = value {
            self.push(" = ");
            self.expr(value, 0);
        }
        self.end_line(";");
    }

    fn payload(&mut self, payload: &[Type]) {
        if !payload.is_empty() {
            self.push("(");
            self.list(payload, Self::ty);
            self.push(")");
        }
    }

    /// Without the sign at its end.
    fn claim(&mut self, word: &str, claim: &Claim) {
        self.push(word);
        if let Some(name) = &claim.name {
            self.push(name);
            self.push(": ");
        }
        self.expr(&claim.condition, 0);
    }

    fn ty(&mut self, ty: &Type) {
        write_type(self.program, ty, &mut self.out);
    }
}

const MAX_INDENT: usize = 40;

/// Everything that a local must not be called.
fn global_names(program: &Program) -> FxHashSet<SmolStr> {
    let mut names: FxHashSet<SmolStr> = ["card", "here", "finished"].map(SmolStr::new_static).into_iter().collect();
    names.extend(program.sets.iter().map(|set| set.name.clone()));
    names.extend(program.opaque.iter().cloned());
    names.extend(program.enums.iter().map(|declared| declared.name.clone()));
    names.extend(program.enums.iter().flat_map(|declared| &declared.elements).map(|element| element.name.clone()));
    names.extend(program.messages.iter().map(|message| message.name.clone()));
    names.extend(program.consts.iter().map(|constant| constant.name.clone()));
    names.extend(program.shared.iter().map(|var| var.name.clone()));
    names.extend(program.processes.iter().filter(|process| process.set.is_none()).map(|process| process.name.clone()));
    names
}

fn write_type(program: &Program, ty: &Type, out: &mut String) {
    match ty {
        Type::Int => out.push_str("int"),
        Type::Bool => out.push_str("bool"),
        Type::Pid(Whose::Anybody) => out.push_str("pid"),
        Type::Pid(Whose::Process(process)) => out.push_str(&program.process(*process).name),
        Type::Pid(Whose::Member(set)) => out.push_str(&program.set(*set).name),
        Type::Enum(found) => out.push_str(&program.enums[found.index()].name),
        Type::Opaque(opaque) => out.push_str(&program.opaque[opaque.index()]),
        // Not known: what `{}` has no elements of.
        Type::Tuple(parts) if parts.is_empty() => out.push('_'),
        Type::Set(element) => {
            out.push_str("set[");
            write_type(program, element, out);
            out.push(']');
        }
        Type::Map(key, value) => {
            out.push_str("map[");
            write_type(program, key, out);
            out.push_str(", ");
            write_type(program, value, out);
            out.push(']');
        }
        Type::Tuple(parts) => write_parts(program, parts.iter().map(|part| (None, part)), out),
        Type::Record(fields) => write_parts(program, fields.iter().map(|(name, ty)| (Some(name), ty)), out),
    }
}

fn write_parts<'t>(program: &Program, parts: impl Iterator<Item = (Option<&'t SmolStr>, &'t Type)>, out: &mut String) {
    out.push('(');
    for (at, (name, ty)) in parts.enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        if let Some(name) = name {
            out.push_str(name);
            out.push_str(": ");
        }
        write_type(program, ty, out);
    }
    out.push(')');
}
