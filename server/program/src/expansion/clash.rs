//! Names that the tests of a test with parameters have, and something else has already.
//!
//! P writes a class for each test, named by the values of its parameters, and one for each machine, spec and event. Two of one name do
//! not compile. Names of declarations are kept apart by P itself; names it makes are not.

use lockstep_syntax::p::ast::Decl as AstDecl;

use super::{expanded_name, expansion};
use crate::check::name_node;
use crate::db::{Db, Purpose};
use crate::declaration::{Decl, DeclKind};
use crate::problem::{Code, Problem};
use crate::scope::{Space, lookup};

/// What stands between the name of a test and its first parameter.
const BEFORE_PARAMS: &str = "___";

/// That a declaration has the name of a test that another one stands for. It is said of the one with the longer name.
pub(crate) fn check_test_names<'db>(db: &'db dyn Db, decl: Decl<'db>) -> &'db [Problem<'db>] {
    let is_class = matches!(
        decl.kind(db),
        DeclKind::Test | DeclKind::Implementation | DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario | DeclKind::Event
    );
    match is_class && decl.name(db).contains(BEFORE_PARAMS) {
        true => clashes(db, decl),
        false => &[],
    }
}

#[salsa::tracked]
fn clashes<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let file = decl.file(db);
    let is_dropped = decl.kind(db) == DeclKind::Test && file.is_included(db);
    if is_dropped || file.project(db).purpose(db) != Purpose::Checking {
        return Vec::new();
    }
    let name = decl.name(db);
    let own = classes(db, decl);
    let cuts = name.as_bytes().windows(BEFORE_PARAMS.len()).enumerate().skip(1);
    let cuts = cuts.filter(|(_, bytes)| *bytes == BEFORE_PARAMS.as_bytes()).filter_map(|(at, _)| name.get(..at));
    let tests = cuts.filter_map(|start| lookup(db, file.project(db), Space::Test, start)).map(|def| def.decl);
    let clash = tests.filter(|test| has_params(db, *test)).find_map(|test| {
        let theirs = classes(db, test);
        own.iter().find(|name| theirs.binary_search(name).is_ok()).map(|name| (test, name))
    });
    clash.map(|(test, class)| problem(db, decl, test, class)).into_iter().collect()
}

/// Whether it is a test that P runs once for each choice of values.
fn has_params<'db>(db: &'db dyn Db, decl: Decl<'db>) -> bool {
    let has_params = matches!(&decl.shape(db).0.decl, AstDecl::Test(test) if !test.params.is_empty());
    has_params && !decl.file(db).is_included(db)
}

/// The names of the classes that P writes for a declaration, sorted.
fn classes<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<String> {
    let name = decl.name(db);
    if !has_params(db, decl) {
        return vec![name.to_string()];
    }
    let expansion = expansion(db, decl);
    let mut names: Vec<String> = expansion.chosen.iter().map(|number| expanded_name(name, &expansion.values(*number))).collect();
    names.sort_unstable();
    names
}

fn problem<'db>(db: &'db dyn Db, decl: Decl<'db>, test: Decl<'db>, class: &str) -> Problem<'db> {
    let code = match decl.kind(db) {
        DeclKind::Test | DeclKind::Implementation => Code::SameTestTwice,
        _ => Code::NameClash,
    };
    let other = test.name(db);
    let message = format!("the test `{other}` has a test `{class}` for its parameters, and this has the same name");
    Problem::new(code, name_node(db, decl, None), message)
        .with_help("give one of them another name: the C# that P generates does not compile")
        .with_related(test, name_node(db, test, None), format!("`{other}` is declared here"))
}
