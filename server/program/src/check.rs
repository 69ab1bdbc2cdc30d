//! The check of a declaration apart from its bodies.

mod machine;
mod proof;
#[cfg(test)]
mod related_tests;
mod test;
#[cfg(test)]
mod tests;

use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, EventRef, Function, FunctionCode, Item, NameId, TypedName};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::alias::alias;
use crate::body::proof::proof_word;
use crate::db::{Db, Project, Purpose};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Node, Problem, Unit, WordAt, hides_param};
use crate::resolve::Types;
use crate::scope::{Def, Space, declared_names, homonyms, is_repeated, lookup};

pub(crate) use proof::{ByType, named_by_type};
pub(crate) use test::{Literal, param_literal};

/// What is wrong with a declaration itself.
#[salsa::tracked]
pub fn check_decl<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let item = &shape.0;
    let mut check = Check::new(db, decl, item);
    let proof_opening = proof::opening_word(&item.decl);
    if let Some(word) = proof_opening
        && !check.is_verifying()
    {
        return vec![proof_word(word, WordAt::Start)];
    }
    check.duplicate();
    match &item.decl {
        AstDecl::Type { definition: Some(definition), name } => {
            check.types.ty(*definition);
            check.circular(*name);
        }
        AstDecl::Enum { elements, .. } => {
            for value in elements.iter().filter_map(|element| element.value) {
                check.number(value);
            }
        }
        AstDecl::Event { payload: Some(payload), .. } => drop(check.types.ty(*payload)),
        AstDecl::EventSet { events, .. } => check.events(events),
        AstDecl::Interface { payload, receives, .. } => {
            payload.iter().for_each(|payload| drop(check.types.ty(*payload)));
            check.events(receives);
        }
        AstDecl::Machine(machine) => check.machine(machine),
        AstDecl::Function(function) => {
            check.function(function);
            check.contract(function, None);
        }
        AstDecl::Param { ty, .. } => drop(check.types.ty(*ty)),
        // The tests of an included project are no tests of this one.
        AstDecl::Test(test) if !decl.file(db).is_included(db) => check.test(test),
        declaration if proof_opening.is_some() => check.proof_declaration(declaration),
        _ => {}
    }
    check.types.problems
}

struct Check<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    decl: Decl<'db>,
    item: &'a Item,
    types: Types<'a, 'db>,
    by_type: ByType<'db>,
}

impl<'a, 'db> Check<'a, 'db> {
    fn new(db: &'db dyn Db, decl: Decl<'db>, item: &'a Item) -> Self {
        let project = decl.file(db).project(db);
        Self { db, project, decl, item, types: Types::reporting(db, Unit::of(decl), &item.nodes), by_type: ByType::default() }
    }
}

impl<'db> Check<'_, 'db> {
    fn report(&mut self, code: Code, node: impl Into<Node>, message: impl Into<String>) {
        self.types.problems.push(Problem::new(code, node, message));
    }

    /// Reports something there may be only one of, with the place of the `first`.
    fn report_second(&mut self, code: Code, node: impl Into<Node>, first: impl Into<Node>, message: String, help: Option<&str>) {
        let problem = Problem::new(code, node, message).with_advice(help);
        self.types.problems.push(problem.with_related(self.decl, first, "the first one"));
    }

    fn name(&self, id: NameId) -> SmolStr {
        self.item.nodes[id].0.clone()
    }

    fn is_verifying(&self) -> bool {
        self.project.purpose(self.db) == Purpose::Verifying
    }

    /// Reports every declaration of a name but the first.
    fn duplicate(&mut self) {
        let db = self.db;
        for (entry, own) in declared_names(db, self.decl) {
            // Names that cannot clash are not looked at: every second machine has a state of the same name.
            let can_clash = entry.space.is_exclusive() || entry.space == Space::EventSetOrInterface;
            if !can_clash || !is_repeated(db, self.project, &entry) {
                continue;
            }
            let homonyms = homonyms(db, self.project, entry.space, &entry.name);
            let first = match entry.space {
                Space::EventSetOrInterface => creatable_before(db, homonyms, own),
                _ => homonyms.first().copied().filter(|first| *first != own),
            };
            let Some(first) = first else { continue };
            let message = format!("`{}` is declared already, as {}", entry.name, describe(db, first));
            let problem = Problem::new(Code::DuplicateDeclaration, name_node(db, self.decl, own.part), message).with_related(
                first.decl,
                name_node(db, first.decl, first.part),
                "declared here",
            );
            self.types.problems.push(problem);
        }
    }

    fn circular(&mut self, name: NameId) {
        let alias = alias(self.db, self.decl);
        if !alias.is_circular {
            return;
        }
        let mut problem = Problem::new(Code::CircularType, name, format!("the type `{}` contains itself", self.name(name)));
        if let Some(other) = &alias.circle
            && let Some(def) = lookup(self.db, self.project, Space::Type, other)
        {
            let message = format!("through `{other}`, which is declared here");
            problem = problem.with_related(def.decl, name_node(self.db, def.decl, None), message);
        }
        self.types.problems.push(problem);
    }

    fn number(&mut self, id: NameId) {
        let digits = self.name(id);
        if digits.parse::<i32>().is_err() {
            self.report(Code::OutOfRange, id, format!("`{digits}` is too large: the largest number is {}", i32::MAX));
        }
    }

    fn events(&mut self, events: &[EventRef]) {
        for event in events.iter().filter(|event| event.kind == EventKind::Declared) {
            self.event(event.name);
        }
    }

    /// The event of this name; reports if there is none.
    fn event(&mut self, id: NameId) -> Option<Decl<'db>> {
        let name = self.name(id);
        let event = lookup(self.db, self.project, Space::Event, &name).filter(|def| def.part.is_none());
        if event.is_none() && !name.is_empty() {
            let problem = no_event(self.db, self.project, id, &name).unwrap_or_else(|| {
                let problem = Problem::new(Code::UnknownEvent, id, format!("there is no event `{name}`"));
                problem.with_similar(&name, &[Space::Event], vec![])
            });
            self.types.problems.push(problem);
        }
        event.map(|def| def.decl)
    }

    fn params(&mut self, params: &[TypedName]) {
        let mut seen = Seen::default();
        for param in params {
            let name = self.name(param.name);
            if let Some(first) = seen.before(&name, param.name) {
                let message = format!("`{name}` is declared twice");
                self.report_second(Code::DuplicateDeclaration, param.name, first, message, None);
            }
            self.types.ty(param.ty);
        }
    }

    /// Where there is code, a parameter cannot have the name of a test parameter: the code could mean either.
    fn hidden_params(&mut self, params: &[TypedName]) {
        for param in params {
            let name = self.name(param.name);
            self.hidden_param(Code::DuplicateDeclaration, param.name, &name);
        }
    }

    /// Reports a variable with the name of a test parameter.
    fn hidden_param(&mut self, code: Code, id: NameId, name: &str) {
        if let Some(def) = lookup(self.db, self.project, Space::Param, name) {
            let declared = name_node(self.db, def.decl, def.part);
            let problem = Problem::new(code, id, hides_param(name));
            self.types.problems.push(problem.with_related(def.decl, declared, format!("`{name}` is declared here")));
        }
    }

    fn function(&mut self, function: &Function) {
        self.params(&function.params);
        function.result.iter().for_each(|result| drop(self.types.ty(*result)));
        if matches!(function.code, FunctionCode::Body(_)) {
            self.hidden_params(&function.params);
        }
        if let FunctionCode::Foreign { creates, result, .. } = &function.code {
            if let Some(result) = result {
                self.types.ty(result.ty);
                let name = self.name(result.name);
                let first = function.params.iter().find(|param| !name.is_empty() && self.name(param.name) == name);
                if let Some(first) = first {
                    let message = format!("`{name}` is declared twice");
                    self.report_second(Code::DuplicateDeclaration, result.name, first.name, message, None);
                }
            }
            if let Some(id) = creates {
                let name = self.name(*id);
                let known = lookup(self.db, self.project, Space::Type, &name)
                    .is_some_and(|def| matches!(def.decl.kind(self.db), DeclKind::Machine | DeclKind::Interface));
                if !known && !name.is_empty() {
                    self.types.problems.push(not_creatable(self.db, self.project, *id, &name));
                }
            }
        }
    }
}

/// About a name where an event must stand, if it is the name of something that could be taken for one.
pub(crate) fn no_event<'db>(db: &'db dyn Db, project: Project, id: NameId, name: &str) -> Option<Problem<'db>> {
    let element = lookup(db, project, Space::Event, name).filter(|def| def.part.is_some());
    let (def, message) = match (lookup(db, project, Space::EventSet, name), element) {
        (Some(set), _) => (set, format!("`{name}` is an event set: list its events here")),
        (None, Some(element)) => (element, format!("`{name}` is {}, not an event", describe(db, element))),
        (None, None) => return None,
    };
    let problem = Problem::new(Code::UnknownEvent, id, message);
    Some(problem.with_related(def.decl, name_node(db, def.decl, def.part), format!("`{name}` is declared here")))
}

/// About the name of no machine and no interface, where one of them must stand.
pub(crate) fn not_creatable<'db>(db: &'db dyn Db, project: Project, id: NameId, name: &str) -> Problem<'db> {
    let def = lookup(db, project, Space::Type, name);
    let message = match def.map(|def| def.decl.kind(db)) {
        Some(DeclKind::Spec) => format!("`{name}` is a spec: tests attach it by `assert`, nobody creates it"),
        Some(DeclKind::Scenario) => format!("`{name}` is a scenario: it watches every test, nobody creates it"),
        _ => {
            let message = format!("there is no machine or interface `{name}`");
            let problem = Problem::new(Code::UnknownInterface, id, message);
            return problem.with_similar(name, &[Space::EventSetOrInterface], vec![]);
        }
    };
    Problem::new(Code::UnknownInterface, id, message)
}

/// Names in the order of the text, and where each stood first.
#[derive(Default)]
struct Seen(FxHashMap<SmolStr, NameId>);

impl Seen {
    /// Where the name stood before; if it did not, it is seen now. What could not be read is no name.
    fn before(&mut self, name: &SmolStr, id: NameId) -> Option<NameId> {
        let first = *self.0.entry(name.clone()).or_insert(id);
        (first != id && !name.is_empty()).then_some(first)
    }
}

/// What a name stands for, in words.
pub(crate) fn describe(db: &dyn Db, def: Def<'_>) -> &'static str {
    match def.decl.kind(db) {
        DeclKind::Type => "a type",
        DeclKind::Enum if def.part.is_some() => "an element of an enum",
        DeclKind::Enum => "an enum",
        DeclKind::Event => "an event",
        DeclKind::EventSet => "an event set",
        DeclKind::Interface => "an interface",
        DeclKind::Machine => "a machine",
        DeclKind::Spec => "a spec",
        DeclKind::Scenario => "a scenario",
        DeclKind::Function => "a function",
        DeclKind::Param => "a test parameter",
        DeclKind::Module => "a module",
        DeclKind::Implementation => "an implementation",
        DeclKind::Test => "a test",
        DeclKind::Pure => "a pure function",
        DeclKind::Invariant => "an invariant",
        DeclKind::InvariantGroup if def.part.is_some() => "an invariant of a lemma",
        DeclKind::InvariantGroup => "a lemma",
        DeclKind::Axiom => "an axiom",
        DeclKind::InitCondition => "an initial condition",
        DeclKind::Proof => "a proof",
    }
}

/// The machine or interface that P takes an event set's name from; it does so only if the event set comes later.
fn creatable_before<'db>(db: &'db dyn Db, homonyms: &[Def<'db>], def: Def<'db>) -> Option<Def<'db>> {
    let is_set = |def: &Def<'db>| def.decl.kind(db) == DeclKind::EventSet;
    let before = homonyms.iter().take_while(|other| **other != def);
    before.copied().find(|other| !is_set(other)).filter(|_| is_set(&def))
}

/// Where a declaration gives the name of `part`, or its own.
pub(crate) fn name_node(db: &dyn Db, decl: Decl<'_>, part: Option<u32>) -> Node {
    let shape = decl.shape(db);
    let part = part.map(|part| part as usize);
    let name = match (&shape.0.decl, part) {
        (AstDecl::Enum { elements, .. }, Some(part)) => elements.get(part).map(|element| element.name),
        (AstDecl::Param { names, .. }, Some(part)) => names.get(part).copied(),
        (AstDecl::InvariantGroup { invariants, .. }, Some(part)) => invariants.get(part).map(|invariant| invariant.name),
        _ => shape.0.name(),
    };
    name.map_or(Node::Whole, Node::Name)
}
