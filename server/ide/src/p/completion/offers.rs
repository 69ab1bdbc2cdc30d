//! The things that are offered.

use lockstep_program::ty::Ty;
use lockstep_program::{Db, Decl, DeclKind, Def, MemberKind, Purpose, Target, decls, project_files};
use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind};
use rustc_hash::FxHashSet;

use super::super::describe;
use super::super::scope::Scope;
use super::context::EventsFor;
use crate::{Completion, CompletionKind};

pub(super) struct Offers<'db> {
    pub(super) scope: Scope<'db>,
    items: Vec<Completion>,
    seen: FxHashSet<(String, CompletionKind)>,
}

/// Nearer things first.
pub(super) const LIKELY: u8 = 0;
pub(super) const NEAR: u8 = 1;
pub(super) const FAR: u8 = 2;
pub(super) const WORD: u8 = 3;

impl<'db> Offers<'db> {
    pub(super) fn new(scope: Scope<'db>) -> Self {
        Self { scope, items: Vec::new(), seen: FxHashSet::default() }
    }

    /// In order of rank and label.
    pub(super) fn finish(mut self) -> Vec<Completion> {
        self.items.sort_by(|a, b| (a.rank, &a.label, a.kind).cmp(&(b.rank, &b.label, b.kind)));
        self.items
    }

    pub(super) fn is_verifying(&self) -> bool {
        self.scope.project.purpose(self.scope.db) == Purpose::Verifying
    }

    fn add(&mut self, label: &str, kind: CompletionKind, detail: Option<String>, rank: u8) {
        if !label.is_empty() && self.seen.insert((label.to_owned(), kind)) {
            let (label, insert) = (label.to_owned(), label.to_owned());
            self.items.push(Completion { label, kind, detail, insert, is_snippet: false, rank });
        }
    }

    pub(super) fn snippet(&mut self, label: &str, detail: &str, insert: &str, rank: u8) {
        let (label, detail, insert) = (label.to_owned(), Some(detail.to_owned()), insert.to_owned());
        self.items.push(Completion { label, kind: CompletionKind::Snippet, detail, insert, is_snippet: true, rank });
    }

    pub(super) fn snippets(&mut self, snippets: &[(&str, &str, &str)], rank: u8) {
        snippets.iter().for_each(|(label, detail, insert)| self.snippet(label, detail, insert, rank));
    }

    pub(super) fn words(&mut self, words: &[&str]) {
        words.iter().for_each(|word| self.add(word, CompletionKind::Keyword, None, WORD));
    }

    fn decls(&self) -> impl Iterator<Item = Decl<'db>> + use<'db> {
        let (db, project) = (self.scope.db, self.scope.project);
        project_files(db, project).flat_map(move |file| decls(db, file)).copied()
    }

    fn globals(&mut self, kinds: &[DeclKind], kind: CompletionKind, rank: u8) {
        let db = self.scope.db;
        db.unwind_if_revision_cancelled();
        for decl in self.decls().filter(|decl| kinds.contains(&decl.kind(db))) {
            self.add(decl.name(db), kind, detail(db, decl), rank);
        }
    }

    pub(super) fn states(&mut self) {
        for (name, target) in self.scope.members(MemberKind::State) {
            let detail = describe::code(self.scope.db, &target);
            self.add(&name, CompletionKind::State, detail, LIKELY);
        }
        // A state that is not closed yet may be missing in the tree.
        let opened: Vec<String> = self.scope.around.states().map(ToOwned::to_owned).collect();
        opened.iter().for_each(|name| self.add(name, CompletionKind::State, None, LIKELY));
    }

    pub(super) fn events(&mut self, wanted: EventsFor) {
        let (rank, observed) = match self.observed() {
            Some(observed) if wanted != EventsFor::Emitting => (FAR, observed),
            _ => (LIKELY, Vec::new()),
        };
        for name in observed {
            let detail = self.scope.event(&name).and_then(|def| detail(self.scope.db, def.decl));
            self.add(&name, CompletionKind::Event, detail, LIKELY);
        }
        self.globals(&[DeclKind::Event], CompletionKind::Event, rank);
        self.words(if wanted == EventsFor::Handling { &["halt", "null"] } else { &["halt"] });
        if wanted == EventsFor::Emitting {
            self.variables(NEAR, |ty| *ty == Ty::Event);
        }
    }

    /// What the spec around the place observes: it handles nothing else.
    fn observed(&self) -> Option<Vec<String>> {
        let (item, _, machine) = self.scope.machine()?;
        let events = machine.observes.iter().filter(|event| event.kind == EventKind::Declared);
        let names: Vec<String> = events.map(|event| item.nodes[event.name].as_str().to_owned()).collect();
        let is_inside = !self.scope.around.braces.is_empty();
        (is_inside && !names.is_empty()).then_some(names)
    }

    /// The variables whose type is wanted.
    fn variables(&mut self, rank: u8, is_wanted: impl Fn(&Ty) -> bool) {
        for variable in self.scope.variables() {
            if self.scope.value_type(&variable.name).is_some_and(|ty| is_wanted(&ty)) {
                self.add(&variable.name, CompletionKind::Variable, variable.ty, rank);
            }
        }
    }

    pub(super) fn machines(&mut self) {
        self.globals(&[DeclKind::Machine, DeclKind::Interface], CompletionKind::Machine, LIKELY);
    }

    /// Every machine has an interface of its own name.
    pub(super) fn interfaces(&mut self) {
        self.globals(&[DeclKind::Interface], CompletionKind::Machine, LIKELY);
        self.globals(&[DeclKind::Machine], CompletionKind::Machine, NEAR);
    }

    pub(super) fn specs(&mut self) {
        self.globals(&[DeclKind::Spec], CompletionKind::Spec, LIKELY);
    }

    pub(super) fn modules(&mut self) {
        self.globals(&[DeclKind::Module], CompletionKind::Module, LIKELY);
        self.words(&["compose", "union", "assert", "hidee", "hidei", "rename", "main"]);
    }

    pub(super) fn goals(&mut self) {
        let db = self.scope.db;
        self.globals(&[DeclKind::Invariant, DeclKind::InvariantGroup], CompletionKind::Proof, LIKELY);
        for decl in self.decls() {
            let item = &decl.shape(db).0;
            if let AstDecl::InvariantGroup { invariants, .. } = &item.decl {
                for invariant in invariants {
                    let name = format!("{}_{}", decl.name(db), item.nodes[invariant.name].as_str());
                    self.add(&name, CompletionKind::Proof, None, NEAR);
                }
            }
        }
        self.words(&["default"]);
    }

    pub(super) fn params(&mut self, rank: u8) {
        for decl in self.decls() {
            let item = &decl.shape(self.scope.db).0;
            if let AstDecl::Param { names, .. } = &item.decl {
                for (part, name) in (0..).zip(names) {
                    let detail = describe::type_text(self.scope.db, &Target::Global(Def { decl, part: Some(part) }));
                    self.add(item.nodes[*name].as_str(), CompletionKind::Constant, detail, rank);
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
        for (word, detail, insert) in
            [("seq", "a sequence", "seq[$1]"), ("set", "a set", "set[$1]"), ("map", "a map", "map[$1, $2]")]
        {
            self.snippet(word, detail, insert, LIKELY);
        }
    }

    /// The fields of the value in front of the dot.
    pub(super) fn fields(&mut self) {
        let words = self.scope.around.statement();
        let Some(ty) = words.split_last().and_then(|(_, value)| self.scope.path_type(value)) else { return };
        for (name, ty) in self.scope.fields(&ty) {
            self.add(&name, CompletionKind::Field, Some(ty.to_string()), LIKELY);
        }
    }

    /// In a tuple whose type is known, its fields; once one of them is written, nothing else can follow.
    pub(super) fn keys_or_values(&mut self) {
        let around = &self.scope.around;
        let opens_or_continues = matches!(around.last(), "(" | ",");
        let given = around.brackets.last().map_or_else(Vec::new, |bracket| bracket.keys.clone());
        if let Some(Ty::NamedTuple(fields)) = self.scope.tuple_type().filter(|_| opens_or_continues) {
            for (name, ty) in fields.iter().filter(|(name, _)| !given.iter().any(|known| known == name)) {
                self.add(name, CompletionKind::Field, Some(ty.to_string()), LIKELY);
            }
            self.items.iter_mut().for_each(|item| item.insert = format!("{} = ", item.label));
        }
        if !opens_or_continues || given.is_empty() {
            self.values();
        }
    }

    pub(super) fn values(&mut self) {
        for variable in self.scope.variables() {
            let kind = if variable.is_parameter { CompletionKind::Parameter } else { CompletionKind::Variable };
            self.add(&variable.name, kind, variable.ty, LIKELY);
        }
        self.functions();
        self.enum_elements();
        self.globals(&[DeclKind::Event], CompletionKind::Event, FAR);
        self.params(NEAR);
        self.words(&["true", "false", "null", "halt", "this", "new", "sizeof", "keys", "values", "default", "choose", "format"]);
        if self.is_verifying() {
            self.globals(&[DeclKind::Spec], CompletionKind::Spec, FAR);
            self.words(&["forall", "exists", "inflight", "sent"]);
        }
    }

    /// Those of the enum that is expected come first.
    fn enum_elements(&mut self) {
        let expected = self.scope.expected_type();
        for decl in self.decls() {
            let item = &decl.shape(self.scope.db).0;
            let AstDecl::Enum { elements, .. } = &item.decl else { continue };
            let name = decl.name(self.scope.db);
            let is_expected = matches!(&expected, Some(Ty::Enum(expected)) if expected == name);
            for element in elements {
                let element = item.nodes[element.name].as_str();
                let rank = if is_expected { LIKELY } else { FAR };
                self.add(element, CompletionKind::EnumElement, Some(name.to_string()), rank);
            }
        }
    }

    pub(super) fn functions(&mut self) {
        self.handlers();
        self.globals(&[DeclKind::Function, DeclKind::Pure], CompletionKind::Function, NEAR);
    }

    /// The functions of the machine.
    pub(super) fn handlers(&mut self) {
        for (name, target) in self.scope.members(MemberKind::Function) {
            let detail = describe::code(self.scope.db, &target);
            self.add(&name, CompletionKind::Function, detail, NEAR);
        }
    }
}

/// What is shown behind a name.
fn detail(db: &dyn Db, decl: Decl<'_>) -> Option<String> {
    let target = Target::Global(Def { decl, part: None });
    match decl.kind(db) {
        DeclKind::Event | DeclKind::Type => describe::type_text(db, &target),
        DeclKind::Function | DeclKind::Pure => describe::code(db, &target),
        _ => None,
    }
}
