//! The check of a declaration apart from its bodies.

mod machine;
mod test;

use lockstep_syntax::p::ast::{Decl as AstDecl, EventKind, EventRef, Function, FunctionCode, Item, NameId, TypedName};
use smol_str::SmolStr;

use crate::alias::alias;
use crate::db::{Db, Project};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Node, Problem};
use crate::resolve::Types;
use crate::scope::{Space, declared_names, homonyms, lookup};

/// What is wrong with a declaration itself.
#[salsa::tracked]
pub fn check_decl<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let item = &shape.0;
    let project = decl.file(db).project(db);
    let mut check = Check { db, project, decl, item, types: Types::new(db, project, &item.nodes) };
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
        AstDecl::Function(function) => check.function(function),
        AstDecl::Param { ty, .. } => drop(check.types.ty(*ty)),
        AstDecl::Test(test) => check.test(test),
        AstDecl::Pure { params, result, .. } => {
            check.params(params);
            check.types.ty(*result);
        }
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
}

impl<'db> Check<'_, 'db> {
    fn report(&mut self, code: Code, node: impl Into<Node>, message: impl Into<String>) {
        self.types.problems.push(Problem::new(code, node, message));
    }

    fn name(&self, id: NameId) -> SmolStr {
        self.item.nodes[id].0.clone()
    }

    /// Reports every declaration of a name but the first.
    fn duplicate(&mut self) {
        let db = self.db;
        for (entry, own) in declared_names(db, self.decl) {
            let Some(&first) = homonyms(db, self.project, entry.space, &entry.name).first() else { continue };
            if first == own {
                continue;
            }
            let message = format!("`{}` is declared already, as {}", entry.name, describe(first.decl.kind(db)));
            let problem = Problem::new(Code::DuplicateDeclaration, name_node(db, self.decl, own.part), message).with_related(
                first.decl,
                name_node(db, first.decl, first.part),
                "declared here",
            );
            self.types.problems.push(problem);
        }
    }

    fn circular(&mut self, name: NameId) {
        if alias(self.db, self.decl).is_circular {
            self.report(Code::CircularType, name, format!("the type `{}` contains itself", self.name(name)));
        }
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
            self.report(Code::UnknownEvent, id, format!("there is no event `{name}`"));
        }
        event.map(|def| def.decl)
    }

    fn params(&mut self, params: &[TypedName]) {
        let mut seen: Vec<SmolStr> = Vec::new();
        for param in params {
            let name = self.name(param.name);
            if seen.contains(&name) && !name.is_empty() {
                self.report(Code::DuplicateDeclaration, param.name, format!("`{name}` is declared twice"));
            } else if lookup(self.db, self.project, Space::Param, &name).is_some() {
                let message = format!("`{name}` is the name of a test parameter and cannot be declared again");
                self.report(Code::DuplicateDeclaration, param.name, message);
            }
            seen.push(name);
            self.types.ty(param.ty);
        }
    }

    fn function(&mut self, function: &Function) {
        self.params(&function.params);
        function.result.iter().for_each(|result| drop(self.types.ty(*result)));
        if let FunctionCode::Foreign { creates, result, .. } = &function.code {
            result.iter().for_each(|result| drop(self.types.ty(result.ty)));
            if let Some(id) = creates {
                let name = self.name(*id);
                let known = lookup(self.db, self.project, Space::Type, &name)
                    .is_some_and(|def| matches!(def.decl.kind(self.db), DeclKind::Machine | DeclKind::Interface));
                if !known && !name.is_empty() {
                    self.report(Code::UnknownInterface, *id, format!("there is no machine or interface `{name}`"));
                }
            }
        }
    }
}

fn describe(kind: DeclKind) -> &'static str {
    match kind {
        DeclKind::Type => "a type",
        DeclKind::Enum => "an enum or an element of one",
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
        DeclKind::InvariantGroup => "a lemma",
        DeclKind::Axiom => "an axiom",
        DeclKind::InitCondition => "an initial condition",
        DeclKind::Proof => "a proof",
    }
}

/// Where a declaration gives the name of `part`, or its own.
fn name_node(db: &dyn Db, decl: Decl<'_>, part: Option<u32>) -> Node {
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
