//! What a diagram is about: asked for by name, or by a place in the text.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{Db, Decl, DeclKind, Project, ProjectFile, decls, project_files};
use lockstep_syntax::p::ast::{Item, Placed};

use crate::flow::{project_flow, test_flow};
use crate::graph::Diagram;
use crate::states::states;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'db> {
    /// The states of a machine or spec.
    States(Decl<'db>),
    /// The flow of a test.
    Test(Decl<'db>),
    /// The flow of the project.
    Project(Project),
}

/// The diagram of something; `None` for a test whose module has an error. `project` is what the project is called.
pub fn draw<'db>(db: &'db dyn Db, subject: Subject<'db>, project: &str) -> Option<Diagram> {
    match subject {
        Subject::States(decl) => states(db, decl),
        Subject::Test(decl) => test_flow(db, decl),
        Subject::Project(input) => Some(project_flow(db, input, project.rsplit('/').next().unwrap_or(project))),
    }
}

/// What is around a place: the machine or spec, the test, or else the project.
pub fn subject_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Subject<'db> {
    let items = file.file(db).parse(db).p().map_or(&[][..], |ast| &ast.items);
    let around = |item: &Placed<Item>| TextRange::at(item.start, item.value.len).contains_inclusive(offset);
    let here = items.iter().zip(decls(db, file)).rfind(|(item, _)| around(item)).map(|(_, decl)| *decl);
    match here {
        Some(decl) if is_machine(db, decl) => Subject::States(decl),
        Some(decl) if decl.kind(db) == DeclKind::Test && !file.is_included(db) => Subject::Test(decl),
        _ => Subject::Project(file.project(db)),
    }
}

/// The machines and specs of a project that have names, in order.
pub fn machines<'db>(db: &'db dyn Db, project: Project) -> Vec<Decl<'db>> {
    named(db, project).filter(|decl| is_machine(db, *decl)).collect()
}

/// The declarations of tests, in order.
pub fn tests_of<'db>(db: &'db dyn Db, project: Project) -> Vec<Decl<'db>> {
    named(db, project).filter(|decl| decl.kind(db) == DeclKind::Test && !decl.file(db).is_included(db)).collect()
}

fn named<'db>(db: &'db dyn Db, project: Project) -> impl Iterator<Item = Decl<'db>> {
    project_files(db, project).flat_map(move |file| decls(db, file)).copied().filter(move |decl| !decl.name(db).is_empty())
}

fn is_machine(db: &dyn Db, decl: Decl<'_>) -> bool {
    matches!(decl.kind(db), DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario)
}

/// Whether there is a syntax error in a declaration.
pub(crate) fn is_item_broken<'db>(db: &'db dyn Db, decl: Decl<'db>) -> bool {
    let parse = decl.file(db).file(db).parse(db);
    if parse.errors().is_empty() {
        return false;
    }
    let place = lockstep_program::Place { body: None, node: lockstep_program::Node::Whole };
    let Some(range) = lockstep_program::place_range(db, decl, place) else { return true };
    decl.shape(db).0.is_damaged || parse.errors().iter().any(|error| range.intersect(error.range).is_some())
}
