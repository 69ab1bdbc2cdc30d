//! What can be run: tests, implementations, and the system of all machines where a project has neither.

use std::sync::Arc;

use lockstep_syntax::p::ast::{Decl as AstDecl, ModuleId, NameId, Test};
use smol_str::SmolStr;

use super::alphabet::Alphabet;
use super::parts::{machine, machine_part};
use super::value::{BoundInterface, Link, Module};
use super::{evaluated, file_systems};
use crate::check::name_node;
use crate::db::{Db, Project, Purpose, project_files};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem};
use crate::refused::{is_refused, refused, value_alias};
use crate::scope::{Space, lookup};
use crate::ty::Ty;

/// The machine that is started where a project has neither tests nor implementations.
const MAIN: &str = "Main";

/// What keeps a test or implementation with a correct module from being run; and an interface or a machine, where the project as a
/// whole is run.
#[salsa::tracked]
pub(crate) fn check_runnable<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let shape = decl.shape(db);
    let project = decl.file(db).project(db);
    let mut check = Runnable { db, project, decl, problems: Vec::new() };
    match &shape.0.decl {
        AstDecl::Test(_) if decl.file(db).is_included(db) => {}
        AstDecl::Test(test) => check.test(test, &shape.0.nodes[test.main].0),
        AstDecl::Implementation { name, main, module } => {
            check.closed(*module);
            let written = main.map(|main| shape.0.nodes[main].0.clone());
            check.implementation_main(*name, *main, written.unwrap_or_default());
        }
        AstDecl::Interface { name, .. } => check.unbound_interface(*name),
        AstDecl::Machine(machine) => check.in_default_implementation(machine.name),
        _ => {}
    }
    check.problems
}

struct Runnable<'db> {
    db: &'db dyn Db,
    project: Project,
    decl: Decl<'db>,
    problems: Vec<Problem<'db>>,
}

impl<'db> Runnable<'db> {
    fn test(&mut self, test: &Test, main: &SmolStr) {
        if let Some(refined) = test.refines {
            // P's compiler stops working at such a test, whatever it says.
            let message = "tests with `refines` cannot be run: P has a syntax for them and no more";
            self.problems.push(Problem::new(Code::RefinementTest, refined, message).with_help("write a test of one module"));
            return;
        }
        self.closed(test.module);
        if !main.is_empty() {
            self.main(test.main, main);
        }
    }

    /// Everything the machines create is there.
    fn closed(&mut self, place: ModuleId) {
        let Some(module) = &evaluated(self.db, self.decl).module else { return };
        let unbound: Vec<&SmolStr> = module.unbound().collect();
        let Some(first) = unbound.first() else { return };
        let names = unbound.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let them = if unbound.len() > 1 { "them" } else { "it" };
        let message = format!("the machines of this module create {names}, and the module does not bind {them}");
        let mut problem = Problem::new(Code::NotClosed, place, message)
            .with_help(format!("add what is missing, as in `union ..., {{ {first} }}`"));
        for name in unbound.iter().take(3) {
            if let Some(creator) = module.creator(name) {
                let message = format!("`{}` creates `{name}`", creator.name(self.db));
                problem = problem.with_related(creator, name_node(self.db, creator, None), message);
            }
        }
        self.problems.push(problem);
    }

    /// The main machine of a test is a machine of its module, and needs nothing to be created.
    fn main(&mut self, place: NameId, name: &SmolStr) {
        let db = self.db;
        let Some(main) = self.known_machine(place, name) else { return };
        let Some(module) = &evaluated(db, self.decl).module else { return };
        // What counts is the name of the machine, whatever the interface is.
        if !module.bindings.iter().any(|bound| bound.machine == main) {
            let problem = Problem::new(Code::NoMain, place, format!("`{name}` is not part of the module of this test"))
                .with_help(format!("add it, as in `union ..., {{ {name} }}`"));
            self.problems.push(problem.with_related(main, name_node(db, main, None), "declared here"));
            return;
        }
        let constructor = &machine_part(db, main).constructor;
        if !matches!(constructor, Ty::Null | Ty::Error) {
            let message = format!("`{name}` is created with a value of type `{constructor}`, and a test starts it without any");
            let problem = Problem::new(Code::MainTakesValue, place, message)
                .with_help("start with a machine whose start state has an entry without parameter");
            self.problems.push(problem.with_related(main, name_node(db, main, None), "declared here"));
        }
    }

    /// P does not check the main machine of an implementation, but writes its name into the C# program it generates. Without a main
    /// machine, or with the name of something that is no machine, that program does not compile or stops when it is started. A
    /// machine that is not part of the module, or takes a value, is started nevertheless. Of a project for the verifier no such
    /// program is made.
    fn implementation_main(&mut self, name: NameId, main: Option<NameId>, written: SmolStr) {
        match main {
            _ if self.project.purpose(self.db) == Purpose::Verifying => {}
            Some(_) if written.is_empty() => {}
            Some(main) => {
                if let Some(machine) = self.known_machine(main, &written) {
                    self.started_without_value(main, machine);
                }
            }
            None => {
                let own = self.decl.name(self.db);
                let problem = Problem::new(Code::NoMain, name, format!("the implementation `{own}` has no main machine"))
                    .with_help(format!("say which machine is started: `implementation {own} [main = Machine]: ...`"));
                self.problems.push(problem);
            }
        }
    }

    /// A machine where the project as a whole is run.
    fn in_default_implementation(&mut self, place: NameId) {
        if !is_created_with_value(self.db, self.decl) {
            return;
        }
        let constructor = &machine_part(self.db, self.decl).constructor;
        if is_refused(constructor, constructor)
            && let Some(alias) = value_alias(self.db, self.decl)
        {
            self.problems.push(refused(self.db, place, alias, constructor));
        }
        // P does not check the main machine here either.
        if self.decl.name(self.db) == MAIN && self.project.purpose(self.db) == Purpose::Checking {
            self.started_without_value(place, self.decl);
        }
    }

    /// A machine that is started gets `null` for a value. Where that is no value of the type, the run fails.
    fn started_without_value(&mut self, place: NameId, main: Decl<'db>) {
        let constructor = &machine_part(self.db, main).constructor;
        if constructor.begins_as_null() {
            return;
        }
        let name = main.name(self.db);
        let message = format!("`{name}` takes a value of type `{constructor}`, and is started without any");
        let mut problem = Problem::new(Code::StartedWithoutValue, place, message)
            .with_help("P accepts it, but the run fails: start with a machine whose start state has an entry without parameter");
        if main != self.decl {
            problem = problem.with_related(main, name_node(self.db, main, None), "declared here");
        }
        self.problems.push(problem);
    }

    fn known_machine(&mut self, place: NameId, name: &SmolStr) -> Option<Decl<'db>> {
        let db = self.db;
        let found = machine(db, self.project, name);
        match found {
            Some(decl) if decl.kind(db) == DeclKind::Machine => return found,
            Some(decl) => {
                let message = format!("`{name}` is a spec, and only a machine can be started");
                let problem = Problem::new(Code::NoMain, place, message);
                self.problems.push(problem.with_related(decl, name_node(db, decl, None), "declared here"));
            }
            None => {
                let problem = Problem::new(Code::NoMain, place, format!("there is no machine `{name}`"));
                self.problems.push(problem.with_similar(name, &[Space::Type], Vec::new()));
            }
        }
        None
    }

    /// Where the project as a whole is run, every machine stands behind its own interface, and none behind others.
    fn unbound_interface(&mut self, place: NameId) {
        let Some(creator) = *creator_without_module(self.db, self.decl) else { return };
        let (name, creating) = (self.decl.name(self.db), creator.name(self.db));
        let message = format!("`{creating}` creates `{name}`, and no machine stands behind it");
        let problem = Problem::new(Code::NotClosed, place, message)
            .with_help(format!("write a test or an implementation that binds it: `{{ {MAIN}, Machine -> {name} }}`"));
        let related = name_node(self.db, creator, None);
        self.problems.push(problem.with_related(creator, related, format!("`{creating}` creates `{name}`")));
    }
}

/// Whether a machine takes a value when it is created, in a project that is run as a whole. Others need not be looked at.
pub(super) fn is_created_with_value<'db>(db: &'db dyn Db, decl: Decl<'db>) -> bool {
    machine_part(db, decl).constructor != Ty::Null && default_implementation(db, decl.file(db).project(db)).is_some()
}

/// A machine that creates this interface, if the project is run as a whole and the interface is no machine.
#[salsa::tracked]
fn creator_without_module<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<Decl<'db>> {
    let name = decl.name(db);
    let module = default_implementation(db, decl.file(db).project(db)).as_ref()?;
    let is_first = lookup(db, decl.file(db).project(db), Space::Type, name).is_some_and(|def| def.decl == decl);
    (is_first && !module.is_bound(name)).then(|| module.creator(name)).flatten()
}

/// The system P makes of a project that has neither tests nor implementations but a machine `Main`: every machine bound to itself,
/// no specs.
#[salsa::tracked]
pub fn default_implementation<'db>(db: &'db dyn Db, project: Project) -> Option<Arc<Module<'db>>> {
    let mut machines = Vec::new();
    for &decl in project_files(db, project).flat_map(|file| file_systems(db, file)) {
        match decl.kind(db) {
            DeclKind::Implementation => return None,
            // A test with `refines` is not counted.
            DeclKind::Test if !is_refinement(db, decl) => return None,
            DeclKind::Machine => machines.push(decl),
            _ => {}
        }
    }
    machine(db, project, MAIN).filter(|main| main.kind(db) == DeclKind::Machine)?;
    let (mut sends, mut receives) = (Alphabet::none(), Alphabet::none());
    let mut bindings = Vec::new();
    for decl in machines.into_iter().filter(|decl| machine(db, project, decl.name(db)) == Some(*decl)) {
        let part = machine_part(db, decl);
        sends.add(&Alphabet::from(&part.sends));
        receives.add(&Alphabet::from(&part.receives));
        let links = part.creates.iter().map(|name| Link { written: name.clone(), interface: name.clone() });
        let interface = decl.name(db).clone();
        bindings.push(Arc::new(BoundInterface { interface, machine: decl, links: links.collect() }));
    }
    Some(Arc::new(Module::new(bindings, sends, receives)))
}

fn is_refinement<'db>(db: &'db dyn Db, decl: Decl<'db>) -> bool {
    matches!(&decl.shape(db).0.decl, AstDecl::Test(test) if test.refines.is_some())
}
