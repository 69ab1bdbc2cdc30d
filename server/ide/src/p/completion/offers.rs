//! The things that are offered.

use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, Decl, DeclKind, MemberKind, Project, Space, Target, decls, function_signature, lookup, machine_info, project_files,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, Machine, MachineKind, State, StateItemKind};
use rustc_hash::FxHashSet;

use super::super::describe;
use super::super::scope::Scope;
use super::context::Step;
use crate::{Completion, CompletionKind};

pub(super) struct Offers<'db> {
    pub(super) scope: Scope<'db>,
    items: Vec<Completion>,
    seen: FxHashSet<(String, CompletionKind)>,
}

/// Nearer things first.
const LIKELY: u8 = 0;
const NEAR: u8 = 1;
const FAR: u8 = 2;
const WORD: u8 = 3;

impl<'db> Offers<'db> {
    pub(super) fn new(scope: Scope<'db>) -> Self {
        Self { scope, items: Vec::new(), seen: FxHashSet::default() }
    }

    /// In order of rank and label.
    pub(super) fn finish(mut self) -> Vec<Completion> {
        self.items.sort_by(|a, b| (a.rank, &a.label, a.kind).cmp(&(b.rank, &b.label, b.kind)));
        self.items
    }

    fn db(&self) -> &'db dyn Db {
        self.scope.db
    }

    fn project(&self) -> Project {
        self.scope.file.project(self.db())
    }

    fn add(&mut self, label: &str, kind: CompletionKind, detail: Option<String>, rank: u8) {
        if !label.is_empty() && self.seen.insert((label.to_owned(), kind)) {
            let (label, insert) = (label.to_owned(), label.to_owned());
            self.items.push(Completion { label, kind, detail, insert, is_snippet: false, rank });
        }
    }

    fn snippet(&mut self, label: &str, detail: &str, insert: &str, rank: u8) {
        let (label, detail, insert) = (label.to_owned(), Some(detail.to_owned()), insert.to_owned());
        self.items.push(Completion { label, kind: CompletionKind::Snippet, detail, insert, is_snippet: true, rank });
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.add(word, CompletionKind::Keyword, None, WORD);
        }
    }

    fn globals(&mut self, kinds: &[DeclKind], kind: CompletionKind, rank: u8) {
        let db = self.db();
        db.unwind_if_revision_cancelled();
        for decl in project_files(db, self.project()).flat_map(|file| decls(db, file)).copied() {
            if kinds.contains(&decl.kind(db)) {
                let detail = detail(db, decl);
                self.add(decl.name(db), kind, detail, rank);
            }
        }
    }

    pub(super) fn states(&mut self) {
        for (name, target) in self.scope.members(MemberKind::State) {
            let detail = describe::code(self.db(), &target);
            self.add(&name, CompletionKind::State, detail, LIKELY);
        }
    }

    pub(super) fn events(&mut self, with_halt: bool, with_null: bool) {
        self.globals(&[DeclKind::Event], CompletionKind::Event, LIKELY);
        if with_halt {
            self.words(&["halt"]);
        }
        if with_null {
            self.words(&["null"]);
        }
        // In code an event can be the value of a variable.
        if self.scope.is_in_code() && !with_null {
            for (name, target) in self.scope.locals().into_iter().chain(self.scope.members(MemberKind::Variable)) {
                if self.scope.type_of(&target) == Some(Ty::Event) {
                    self.add(&name, CompletionKind::Variable, Some("event".to_owned()), NEAR);
                }
            }
        }
    }

    pub(super) fn machines(&mut self) {
        self.globals(&[DeclKind::Machine, DeclKind::Interface], CompletionKind::Machine, LIKELY);
    }

    pub(super) fn specs(&mut self) {
        self.globals(&[DeclKind::Spec, DeclKind::Scenario], CompletionKind::Spec, LIKELY);
    }

    pub(super) fn modules(&mut self) {
        self.globals(&[DeclKind::Module], CompletionKind::Module, LIKELY);
        self.globals(&[DeclKind::Machine], CompletionKind::Machine, NEAR);
        self.words(&["compose", "union", "assert", "hidee", "hidei", "rename", "main"]);
    }

    pub(super) fn params(&mut self) {
        let db = self.db();
        for decl in project_files(db, self.project()).flat_map(|file| decls(db, file)) {
            let item = &decl.shape(db).0;
            if let AstDecl::Param { names, .. } = &item.decl {
                for name in names {
                    self.add(item.nodes[*name].as_str(), CompletionKind::Constant, None, LIKELY);
                }
            }
        }
    }

    pub(super) fn types(&mut self) {
        self.globals(&[DeclKind::Type, DeclKind::Enum], CompletionKind::Type, NEAR);
        self.globals(&[DeclKind::Machine, DeclKind::Interface], CompletionKind::Machine, FAR);
        self.globals(&[DeclKind::EventSet], CompletionKind::Type, FAR);
        for word in ["int", "bool", "float", "string", "event", "machine", "any", "data"] {
            self.add(word, CompletionKind::Keyword, None, LIKELY);
        }
        self.snippet("seq", "a sequence", "seq[$1]", LIKELY);
        self.snippet("set", "a set", "set[$1]", LIKELY);
        self.snippet("map", "a map", "map[$1, $2]", LIKELY);
    }

    /// The fields of the value that a path leads to.
    pub(super) fn fields(&mut self, path: &[Step]) {
        match self.path_type(path) {
            Some(Ty::NamedTuple(fields)) => {
                for (name, ty) in fields.iter() {
                    self.add(name, CompletionKind::Field, Some(ty.to_string()), LIKELY);
                }
            }
            Some(Ty::Tuple(elements)) => {
                for (number, ty) in elements.iter().enumerate() {
                    self.add(&number.to_string(), CompletionKind::Field, Some(ty.to_string()), LIKELY);
                }
            }
            _ => {}
        }
    }

    fn path_type(&self, path: &[Step]) -> Option<Ty> {
        let (first, rest) = path.split_first()?;
        let mut ty = match first {
            Step::Name(name) => self.scope.variable_type(name)?,
            Step::Call(name) => self.result_type(name)?,
            Step::Element => return None,
        };
        for step in rest {
            ty = match (step, ty) {
                (Step::Name(field), Ty::NamedTuple(fields)) => fields.iter().find(|(name, _)| name == field)?.1.clone(),
                (Step::Element, Ty::Seq(element) | Ty::Set(element) | Ty::Map(_, element)) => (*element).clone(),
                _ => return None,
            };
        }
        Some(ty)
    }

    fn result_type(&self, function: &str) -> Option<Ty> {
        let db = self.db();
        if let Some((_, decl, _)) = self.scope.machine()
            && let Some(signature) = machine_info(db, decl).function(function)
        {
            return Some(signature.result.clone());
        }
        let def = lookup(db, self.project(), Space::Function, function)?;
        Some(function_signature(db, def.decl).result.clone())
    }

    pub(super) fn values(&mut self) {
        let db = self.db();
        for (name, target) in self.scope.locals() {
            let is_parameter = matches!(&target, Target::Local { place, .. } if place.body.is_none());
            let kind = if is_parameter { CompletionKind::Parameter } else { CompletionKind::Variable };
            self.add(&name, kind, describe::type_text(db, &target), LIKELY);
        }
        for (name, target) in self.scope.members(MemberKind::Variable) {
            self.add(&name, CompletionKind::Variable, describe::type_text(db, &target), LIKELY);
        }
        self.functions();
        self.globals(&[DeclKind::Event], CompletionKind::Event, FAR);
        for decl in project_files(db, self.project()).flat_map(|file| decls(db, file)) {
            let item = &decl.shape(db).0;
            if let AstDecl::Enum { elements, .. } = &item.decl {
                for element in elements {
                    let name = item.nodes[element.name].as_str();
                    self.add(name, CompletionKind::EnumElement, Some(decl.name(db).to_string()), FAR);
                }
            }
        }
        self.params();
        self.words(&[
            "true", "false", "null", "halt", "this", "new", "sizeof", "keys", "values", "default", "choose", "format", "in",
        ]);
    }

    fn functions(&mut self) {
        let db = self.db();
        for (name, target) in self.scope.members(MemberKind::Function) {
            self.add(&name, CompletionKind::Function, describe::code(db, &target), NEAR);
        }
        self.globals(&[DeclKind::Function], CompletionKind::Function, NEAR);
    }

    pub(super) fn statements(&mut self) {
        self.snippet("if", "if ... else", "if ($1) {\n\t$0\n}", WORD);
        self.snippet("while", "a loop", "while ($1) {\n\t$0\n}", WORD);
        self.snippet("foreach", "a loop over a collection", "foreach ($1 in $2) {\n\t$0\n}", WORD);
        self.snippet("send", "send an event", "send ${1:target}, ${2:event};", WORD);
        self.snippet("receive", "wait for an event", "receive {\n\tcase ${1:event}: ($2) {\n\t\t$0\n\t}\n}", WORD);
        self.words(&["goto", "raise", "announce", "assert", "print", "return", "break", "continue", "var", "new"]);
    }

    pub(super) fn top_level(&mut self) {
        self.snippet(
            "machine",
            "a machine",
            "machine ${1:Name} {\n\tstart state ${2:Init} {\n\t\tentry {\n\t\t\t$0\n\t\t}\n\t}\n}",
            LIKELY,
        );
        self.snippet(
            "spec",
            "a specification",
            "spec ${1:Name} observes ${2:events} {\n\tstart state ${3:Watching} {\n\t\ton $2 do {\n\t\t\t$0\n\t\t}\n\t}\n}",
            LIKELY,
        );
        self.snippet("event", "an event", "event ${1:eName};", LIKELY);
        self.snippet("test", "a test", "test ${1:tcName} [main=${2:TestDriver}]:\n\tassert ${3:Spec} in { $0 };", LIKELY);
        self.snippet("fun", "a function", "fun ${1:Name}($2) {\n\t$0\n}", LIKELY);
        self.snippet("type", "a name for a type", "type ${1:tName} = $0;", LIKELY);
        self.snippet("enum", "an enumeration", "enum ${1:tName} { $0 }", LIKELY);
        self.snippet("module", "a module", "module ${1:Name} = { $0 };", LIKELY);
        self.words(&["interface", "eventset", "param", "implementation", "scenario"]);
    }

    pub(super) fn machine_body(&mut self) {
        self.snippet("state", "a state", "state ${1:Name} {\n\t$0\n}", LIKELY);
        self.snippet("start state", "the first state", "start state ${1:Init} {\n\tentry {\n\t\t$0\n\t}\n}", LIKELY);
        self.snippet("var", "a variable", "var ${1:name}: ${2:int};", LIKELY);
        self.snippet("fun", "a function", "fun ${1:Name}($2) {\n\t$0\n}", LIKELY);
        self.words(&["hot", "cold", "start"]);
    }

    pub(super) fn state_body(&mut self) {
        self.snippet("entry", "code for entering the state", "entry {\n\t$0\n}", LIKELY);
        self.snippet("exit", "code for leaving the state", "exit {\n\t$0\n}", NEAR);
        self.snippet("on do", "a handler", "on ${1:event} do {\n\t$0\n}", LIKELY);
        self.snippet("on goto", "a transition", "on ${1:event} goto ${2:State};", LIKELY);
        self.words(&["defer", "ignore", "on"]);
        self.missing_handlers();
    }

    /// Handlers for events that the machine handles elsewhere and this state does not.
    fn missing_handlers(&mut self) {
        let (Some((item, _, machine)), Some(state)) = (self.scope.machine(), self.scope.state()) else { return };
        let nodes = &item.value.nodes;
        let here: FxHashSet<&str> = events_of(state).map(|name| nodes[name].as_str()).collect();
        let mut elsewhere: Vec<&str> = machine
            .states
            .iter()
            .flat_map(events_of)
            .map(|name| nodes[name].as_str())
            .filter(|name| !here.contains(name))
            .collect();
        if machine.kind != MachineKind::Machine {
            elsewhere.extend(observed(machine).map(|name| nodes[name].as_str()).filter(|name| !here.contains(name)));
        }
        elsewhere.sort_unstable();
        elsewhere.dedup();
        for event in elsewhere {
            let db = self.db();
            let def = lookup(db, self.project(), Space::Event, event).filter(|def| def.part.is_none());
            let payload = def.and_then(|def| describe::type_text(db, &Target::Global(def)));
            let param = payload.map_or_else(String::new, |ty| format!(" (${{1:payload}}: {})", ty.replace('$', "\\$")));
            let insert = format!("on {event} do{param} {{\n\t$0\n}}");
            self.snippet(&format!("on {event}"), "not handled in this state", &insert, LIKELY);
        }
    }
}

fn events_of(state: &State) -> impl Iterator<Item = lockstep_syntax::p::ast::NameId> {
    let lists = state.items.iter().filter_map(|item| match &item.kind {
        StateItemKind::Defer(events)
        | StateItemKind::Ignore(events)
        | StateItemKind::OnDo { events, .. }
        | StateItemKind::OnGoto { events, .. } => Some(events),
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => None,
    });
    lists.flatten().filter(|event| event.kind == EventKind::Declared).map(|event| event.name)
}

fn observed(machine: &Machine) -> impl Iterator<Item = lockstep_syntax::p::ast::NameId> {
    machine.observes.iter().filter(|event| event.kind == EventKind::Declared).map(|event| event.name)
}

/// What is shown behind a name.
fn detail(db: &dyn Db, decl: Decl<'_>) -> Option<String> {
    let target = Target::Global(lockstep_program::Def { decl, part: None });
    match decl.kind(db) {
        DeclKind::Event | DeclKind::Type => describe::type_text(db, &target),
        DeclKind::Function => describe::code(db, &target),
        _ => None,
    }
}
