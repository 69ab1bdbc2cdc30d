//! The first pass: gives every declaration its number and every global name its meaning.

use lockstep_base::{Edit, Fix, TextRange};
use lockstep_syntax::icet::ast::{self, Decl, Item, NameId, Placed};
use rustc_hash::FxHashMap;

use super::locals::Binding;
use super::name::Global;
use super::types::Alias;
use super::{Checker, More, codes, next};
use crate::program::{
    Claim, Code, Const, ConstId, Enum, EnumElement, EnumId, Message, MessageId, OpaqueId, Process, ProcessId, Set, SetId, Var,
    VarId,
};
use crate::types::unknown;

impl<'f> Checker<'f> {
    pub(super) fn declare(&mut self) {
        for (at, item) in self.file.items.iter().enumerate() {
            self.enter(item);
            self.declare_item(at, item);
        }
        self.sequential_once();
        self.process_sets();
    }

    fn declare_item(&mut self, at: usize, item: &'f Placed<Item>) {
        match &item.value.decl {
            Decl::Type { name, definition: Some(definition) } => {
                self.declare_name(*name, Global::Alias(self.aliases.len()));
                self.aliases.push(Alias::new(at, *name, *definition));
            }
            Decl::Type { name, definition: None } => {
                self.declare_name(*name, Global::Opaque(OpaqueId(next(self.program.opaque.len()))));
                self.program.opaque.push(self.text(*name).clone());
            }
            Decl::Enum { name, elements } => self.declare_enum(*name, elements),
            Decl::Message { name, .. } => {
                self.declare_name(*name, Global::Message(MessageId(next(self.program.messages.len()))));
                let (name, range) = (self.text(*name).clone(), self.range(*name));
                self.program.messages.push(Message { name, payload: Vec::new(), range });
            }
            Decl::Set { name, .. } => {
                self.declare_name(*name, Global::Set(SetId(next(self.program.sets.len()))));
                let (name, range) = (self.text(*name).clone(), self.range(*name));
                self.program.sets.push(Set { name, superset: None, range });
            }
            Decl::Const { name, .. } => {
                self.declare_name(*name, Global::Const(ConstId(next(self.program.consts.len()))));
                let (name, range) = (self.text(*name).clone(), self.range(*name));
                self.program.consts.push(Const { name, ty: unknown(), value: None, range });
            }
            Decl::Var(var) => self.declare_shared(var),
            Decl::Process { name, set, .. } => self.declare_process(*name, *set),
            Decl::Sequential(_) => {}
            Decl::Assume(_) | Decl::Invariant(_) | Decl::Ensures(_) => {}
        }
    }

    fn declare_enum(&mut self, name: NameId, elements: &[ast::EnumElement]) {
        let id = EnumId(next(self.program.enums.len()));
        self.declare_name(name, Global::Enum(id));
        for (at, element) in elements.iter().enumerate() {
            self.check_reserved(element.name);
            self.declare_name(element.name, Global::Element(id, next(at)));
        }
        // An enum without elements is broken text.
        self.has_holes |= elements.is_empty();
        let element = |element: &ast::EnumElement| EnumElement {
            name: self.text(element.name).clone(),
            payload: vec![unknown(); element.payload.len()],
        };
        let elements = elements.iter().map(element).collect();
        self.program.enums.push(Enum { name: self.text(name).clone(), elements });
    }

    fn declare_shared(&mut self, var: &ast::Var) {
        if !var.is_ghost
            && let Some(first) = var.names.first()
        {
            let range = self.range(*first);
            let fix = Fix {
                title: "make it a ghost variable".to_string(),
                edits: vec![Edit { range: TextRange::empty(self.start), insert: "ghost ".to_string() }],
            };
            let message = format!("`{}` is outside of every process and not `ghost`", self.text(*first));
            self.error(codes::SHARED, range, message)
                .help("processes share nothing but ghost variables: move it into a process, or write `ghost var`")
                .fix = Some(fix);
        }
        for name in &var.names {
            self.check_reserved(*name);
            self.declare_name(*name, Global::Shared(VarId(next(self.program.shared.len()))));
            let name = self.text(*name).clone();
            self.program.shared.push(Var { name, ty: unknown(), is_ghost: true, value: None });
        }
    }

    fn declare_process(&mut self, name: NameId, set: Option<NameId>) {
        let id = ProcessId(next(self.program.processes.len()));
        if set.is_none() {
            self.declare_name(name, Global::Process(id));
        } else {
            self.has_holes |= self.text(name).is_empty();
        }
        let (name, range) = (self.text(name).clone(), self.range(name));
        self.program.processes.push(Process { name, set: None, range, code: Code::default() });
        self.vars.push(FxHashMap::default());
    }

    /// Gives a name its meaning, unless it has one.
    fn declare_name(&mut self, name: NameId, global: Global) {
        let (text, range) = (self.text(name), self.range(name));
        if text.is_empty() {
            self.has_holes = true;
            return;
        }
        if let Some((_, first)) = self.globals.get(text).copied() {
            self.declared_twice(name, first);
            return;
        }
        self.globals.insert(text.clone(), (global, range));
    }

    pub(super) fn declared_twice(&mut self, name: NameId, first: TextRange) {
        let message = format!("`{}` is declared twice", self.text(name));
        self.error(codes::NAME, self.range(name), message).help("rename one of them").related(first, "first declared here");
    }

    fn sequential_once(&mut self) {
        let mut first: Option<TextRange> = None;
        for item in &self.file.items {
            if !matches!(item.value.decl, Decl::Sequential(_)) {
                continue;
            }
            let range = TextRange::at(item.start, item.value.len.min(SEQUENTIAL));
            match first {
                None => first = Some(range),
                Some(first) => {
                    self.error(codes::PROCESS, range, "the program has a second `sequential` block")
                        .help("put all statements into one block")
                        .related(first, "the first block is here");
                }
            }
        }
    }

    /// Supersets, and which process runs for which set.
    fn process_sets(&mut self) {
        self.supersets();
        let mut process_of: Vec<Option<ProcessId>> = vec![None; self.program.sets.len()];
        let mut id = 0;
        for item in &self.file.items {
            let Decl::Process { set, .. } = &item.value.decl else { continue };
            self.enter(item);
            let process = ProcessId(next(id));
            id += 1;
            let Some(set) = *set else { continue };
            let Some(found) = self.set_named(set) else { continue };
            self.program.processes[process.index()].set = Some(found);
            if let Some(superset) = self.program.set(found).superset {
                let outer = self.program.set(superset).name.clone();
                let message = format!("`{}` is a subset, and its members run the code of `{outer}`", self.text(set));
                let declared = self.program.set(found).range;
                let help = format!("write one `process ... in {outer}` that asks `... in {}`", self.text(set));
                self.error(codes::PROCESS, self.range(set), message).help(help).related(declared, "declared as a subset here");
                continue;
            }
            match process_of[found.index()] {
                None => process_of[found.index()] = Some(process),
                Some(first) => {
                    let first = self.program.process(first).range;
                    let message = format!("`{}` has a second process", self.text(set));
                    self.error(codes::PROCESS, self.range(set), message)
                        .help("all members of a set run the same code: declare another set, or join the two")
                        .related(first, "the first process is declared here");
                }
            }
        }
        self.code_of = self.inherited(process_of);
    }

    fn set_named(&mut self, name: NameId) -> Option<SetId> {
        match self.global(name, "a set", |global| matches!(global, Global::Set(_)))? {
            Global::Set(set) => Some(set),
            _ => None,
        }
    }

    fn supersets(&mut self) {
        let mut names: Vec<Option<(TextRange, SetId)>> = Vec::new();
        for item in &self.file.items {
            let Decl::Set { superset, .. } = &item.value.decl else { continue };
            self.enter(item);
            let superset = *superset;
            names.push(superset.and_then(|name| Some((self.range(name), self.set_named(name)?))));
        }
        // Visited in this walk: its number. So every set is visited once.
        let mut seen = vec![0; names.len()];
        for first in 0..names.len() {
            let (walk, mut at) = (first + 1, first);
            while seen[at] == 0 {
                seen[at] = walk;
                let Some((range, superset)) = names[at] else { break };
                if seen[superset.index()] == walk {
                    let set = &self.program.sets[at];
                    let message = format!("`{}` is a subset of itself", set.name);
                    self.error(codes::PROCESS, range, message).help("leave out one `subset`");
                    break;
                }
                self.program.sets[at].superset = Some(superset);
                at = superset.index();
            }
        }
    }

    /// The process of each set, where a subset has that of its superset.
    fn inherited(&self, mut process_of: Vec<Option<ProcessId>>) -> Vec<Option<ProcessId>> {
        for first in 0..process_of.len() {
            let mut path = Vec::new();
            let mut at = first;
            while let (None, Some(superset)) = (process_of[at], self.program.sets[at].superset) {
                path.push(at);
                at = superset.index();
            }
            let found = process_of[at];
            if found.is_some() {
                path.into_iter().for_each(|set| process_of[set] = found);
            }
        }
        process_of
    }

    /// Everything outside of code that has an expression.
    pub(super) fn values_and_claims(&mut self) {
        self.constant_values();
        self.shared_values();
        for item in &self.file.items {
            self.enter(item);
            if let Decl::Assume(condition) = item.value.decl {
                let range = self.range(condition);
                let condition = self.fixed_condition(condition);
                self.program.assumes.push(Claim { name: None, condition, range });
            }
        }
        for item in &self.file.items {
            self.enter(item);
            if let Decl::Invariant(claim) = item.value.decl {
                let claim = self.claim(claim);
                self.program.invariants.push(claim);
            }
        }
        for item in &self.file.items {
            self.enter(item);
            if let Decl::Ensures(claim) = item.value.decl {
                let claim = self.ensures(claim);
                self.program.ensures.push(claim);
            }
        }
        self.program.locals = std::mem::take(&mut self.locals);
    }

    fn constant_values(&mut self) {
        let mut id = 0;
        for item in &self.file.items {
            let Decl::Const { value, .. } = &item.value.decl else { continue };
            self.enter(item);
            let value = value.map(|value| self.fixed_value(value, &self.program.consts[id].ty.clone()));
            self.program.consts[id].value = value;
            id += 1;
        }
        self.constants_without_cycle();
    }

    fn shared_values(&mut self) {
        let mut id = 0;
        for item in &self.file.items {
            let Decl::Var(var) = &item.value.decl else { continue };
            self.enter(item);
            for at in 0..var.names.len() {
                let ty = self.program.shared[id].ty.clone();
                self.program.shared[id].value = self.initial_value(var, at, &ty);
                id += 1;
            }
        }
    }

    /// The initial value of the variable at `at` in a declaration. Each has its own copy, with its own locals; what is wrong with it
    /// is said once.
    fn initial_value(&mut self, var: &ast::Var, at: usize, ty: &crate::program::Type) -> Option<crate::program::Expr> {
        let reported = self.diagnostics.len();
        let value = self.value_for(var.value?, ty, var.is_ghost);
        if at > 0 {
            self.diagnostics.truncate(reported);
        }
        Some(value)
    }

    /// The code of all processes, and then of the sequential block.
    pub(super) fn all_code(&mut self) {
        let mut process = 0;
        for item in &self.file.items {
            let Decl::Process { name, set, body } = &item.value.decl else { continue };
            self.enter(item);
            let id = ProcessId(next(process));
            process += 1;
            let mark = self.scope.mark();
            if set.is_some() {
                self.check_hiding(*name);
                self.scope.bind(self.text(*name).clone(), Binding::Me, self.range(*name));
            }
            let vars = std::mem::take(&mut self.program.processes[id.index()].code.vars);
            // Others can ask for its variables while it is checked only through their types.
            self.program.processes[id.index()].code.vars = vars.clone();
            let code = self.code(Some(id), body, vars);
            self.program.processes[id.index()].code = code;
            self.scope.leave(mark);
        }
        for item in &self.file.items {
            let Decl::Sequential(body) = &item.value.decl else { continue };
            self.enter(item);
            let vars = self.var_types(body);
            self.program.sequential = Some(Code { vars: vars.clone(), ..Code::default() });
            let code = self.code(None, body, vars);
            self.program.sequential = Some(code);
        }
    }

    fn code(&mut self, process: Option<ProcessId>, body: &ast::Body, mut vars: Vec<Var>) -> Code {
        self.begin_code(process);
        let mark = self.scope.mark();
        let names = || body.vars.iter().flat_map(|var| &var.names);
        for name in names() {
            self.bind_var(*name);
        }
        let mut id = 0;
        for var in &body.vars {
            let first = id;
            for at in 0..var.names.len() {
                let ty = vars[id].ty.clone();
                vars[id].value = self.initial_value(var, at, &ty);
                id += 1;
            }
            for (at, name) in var.names.iter().enumerate() {
                self.scope.rebind(self.text(*name), Binding::Own(VarId(next(first + at))));
            }
        }
        let body = self.block(&body.stmts);
        self.scope.leave(mark);
        Code { vars, locals: std::mem::take(&mut self.locals), body }
    }

    fn bind_var(&mut self, name: NameId) {
        let (text, range) = (self.text(name), self.range(name));
        match self.scope.find(text) {
            Some((Binding::Later, first)) if !text.is_empty() => self.declared_twice(name, first),
            _ => self.check_hiding(name),
        }
        self.scope.bind(text.clone(), Binding::Later, range);
    }
}

/// The length of the word that a sequential block is reported at.
const SEQUENTIAL: lockstep_base::TextSize = lockstep_base::TextSize::new("sequential".len() as u32);
