//! Modules: which machines make up a system, and what may be put together.
//!
//! Modules that mention each other are evaluated in one query, in the order of what they mention, and not as one query for each:
//! long chains and circles of them would be queries that wait for each other. Whoever asks for one module asks through a query of its
//! own (`evaluated`), which cuts off changes elsewhere. Modules that have nothing to do with each other are apart, so that an edited
//! machine concerns only those it can be part of.
//!
//! A module with an error has no value, and whoever uses it is silent about it.

mod alphabet;
mod eval;
mod join;
mod parts;
mod private;
mod runnable;
#[cfg(test)]
mod tests;
mod value;

use std::sync::Arc;

use lockstep_syntax::p::ast::{Decl as AstDecl, Module as AstModule, ModuleId};
use rustc_hash::FxHashMap;

use crate::check::name_node;
use crate::db::{Db, Project, ProjectFile, project_files};
use crate::declaration::{Decl, DeclKind, decls};
use crate::graph::groups;
use crate::problem::{Code, Problem};
use crate::scope::{Space, lookup};

pub use alphabet::Alphabet;
pub(crate) use runnable::check_runnable;
pub use runnable::default_implementation;
pub use value::{AttachedSpec, BoundInterface, Link, Module};

use eval::Evaluator;

/// What evaluating the module of a declaration gives.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Evaluated<'db> {
    /// `None` if there is an error in it or in a module it mentions.
    pub module: Option<Arc<Module<'db>>>,
    pub problems: Vec<Problem<'db>>,
}

/// The module of a module, test or implementation. Nothing for any other declaration and for tests of included projects.
#[salsa::tracked]
pub fn evaluated<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Evaluated<'db> {
    let Some(first) = system_of(db, decl) else { return Evaluated::default() };
    system_modules(db, first).of.get(&decl).cloned().unwrap_or_default()
}

/// All problems of modules, tests and implementations that have to do with modules.
pub(crate) fn check_module<'db>(db: &'db dyn Db, decl: Decl<'db>) -> impl Iterator<Item = &'db Problem<'db>> {
    let has_module = matches!(decl.kind(db), DeclKind::Module | DeclKind::Test | DeclKind::Implementation);
    let is_runnable = match decl.kind(db) {
        DeclKind::Test | DeclKind::Implementation | DeclKind::Interface => true,
        DeclKind::Machine => runnable::is_created_with_value(db, decl),
        _ => false,
    };
    let own = has_module.then(|| &evaluated(db, decl).problems);
    let runnable = is_runnable.then(|| check_runnable(db, decl));
    own.into_iter().chain(runnable).flatten()
}

/// Modules, tests and implementations that mention each other directly or through others.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct System<'db> {
    /// In the order of the files.
    modules: Vec<Decl<'db>>,
    /// Tests and implementations.
    users: Vec<Decl<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Systems<'db> {
    all: Vec<System<'db>>,
    /// The number of the system that a declaration belongs to.
    of: FxHashMap<Decl<'db>, usize>,
}

/// Depends on what is declared only, not on the code of machines.
#[salsa::tracked]
fn systems<'db>(db: &'db dyn Db, project: Project) -> Systems<'db> {
    let all = project_files(db, project).flat_map(|file| file_systems(db, file)).copied();
    let decls: Vec<Decl<'db>> = all.filter(|decl| decl.kind(db) != DeclKind::Machine).collect();
    let numbers: FxHashMap<Decl<'db>, usize> = decls.iter().copied().zip(0..).collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); decls.len()];
    for (number, decl) in decls.iter().enumerate() {
        for other in mentioned(db, project, *decl, &numbers) {
            neighbours[number].push(other);
            neighbours[other].push(number);
        }
    }
    let mut found = Systems { all: Vec::new(), of: FxHashMap::default() };
    for mut group in groups(&neighbours) {
        group.sort_unstable();
        found.of.extend(group.iter().map(|number| (decls[*number], found.all.len())));
        let (modules, users) = group.into_iter().map(|number| decls[number]).partition(|decl| decl.kind(db) == DeclKind::Module);
        found.all.push(System { modules, users });
    }
    found
}

/// The first declaration of the system that a declaration belongs to. The system is known by it.
#[salsa::tracked(returns(copy))]
fn system_of<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<Decl<'db>> {
    let systems = systems(db, decl.file(db).project(db));
    let system = &systems.all[*systems.of.get(&decl)?];
    system.modules.first().or(system.users.first()).copied()
}

#[salsa::tracked]
fn system<'db>(db: &'db dyn Db, first: Decl<'db>) -> System<'db> {
    let systems = systems(db, first.file(db).project(db));
    systems.of.get(&first).map(|number| systems.all[*number].clone()).unwrap_or_default()
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
struct Modules<'db> {
    of: FxHashMap<Decl<'db>, Evaluated<'db>>,
}

#[salsa::tracked]
fn system_modules<'db>(db: &'db dyn Db, first: Decl<'db>) -> Modules<'db> {
    let System { modules, users } = system(db, first);
    let numbers: FxHashMap<Decl<'db>, usize> = modules.iter().copied().zip(0..).collect();
    let dependencies: Vec<Vec<usize>> =
        modules.iter().map(|decl| mentioned(db, first.file(db).project(db), *decl, &numbers)).collect();
    let mut of = FxHashMap::default();
    for group in groups(&dependencies) {
        let is_circular = group.len() > 1 || group.iter().any(|number| dependencies[*number].contains(number));
        for number in group {
            let mut evaluated = evaluate(db, modules[number], &of);
            if is_circular {
                evaluated.module = None;
                evaluated.problems.push(contains_itself(db, modules[number]));
            }
            of.insert(modules[number], evaluated);
        }
    }
    for &decl in users {
        let evaluated = evaluate(db, decl, &of);
        of.insert(decl, evaluated);
    }
    Modules { of }
}

fn contains_itself<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Problem<'db> {
    let message = format!("the module `{}` contains itself", decl.name(db));
    Problem::new(Code::RecursiveModule, name_node(db, decl, None), message)
        .with_help("a module is made of other modules, down to machines in braces")
}

/// The declarations of a file that systems are made of: machines, modules, implementations, and tests unless they are of an
/// included project.
#[salsa::tracked]
pub(crate) fn file_systems<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Decl<'db>> {
    let is_part = |decl: &&Decl<'db>| match decl.kind(db) {
        DeclKind::Machine | DeclKind::Module | DeclKind::Implementation => true,
        DeclKind::Test => !file.is_included(db),
        _ => false,
    };
    decls(db, file).iter().filter(is_part).copied().collect()
}

/// The modules that a declaration names.
fn mentioned<'db>(db: &'db dyn Db, project: Project, decl: Decl<'db>, numbers: &FxHashMap<Decl<'db>, usize>) -> Vec<usize> {
    let nodes = &decl.shape(db).0.nodes;
    let names = nodes.modules.iter().filter_map(|(_, module)| match module {
        AstModule::Named(name) => Some(nodes[*name].as_str()),
        _ => None,
    });
    names.filter_map(|name| lookup(db, project, Space::Module, name)).filter_map(|def| numbers.get(&def.decl).copied()).collect()
}

fn evaluate<'db>(db: &'db dyn Db, decl: Decl<'db>, known: &FxHashMap<Decl<'db>, Evaluated<'db>>) -> Evaluated<'db> {
    let shape = decl.shape(db);
    let mut evaluator = Evaluator::new(db, decl, &shape.0.nodes, known);
    let (module, refined): (ModuleId, Option<ModuleId>) = match &shape.0.decl {
        AstDecl::Module { value, .. } => (*value, None),
        AstDecl::Implementation { module, .. } => (*module, None),
        AstDecl::Test(test) => (test.module, test.refines),
        _ => return Evaluated::default(),
    };
    let module = evaluator.module(module);
    if let Some(refined) = refined {
        evaluator.module(refined);
    }
    Evaluated { module, problems: evaluator.problems }
}
