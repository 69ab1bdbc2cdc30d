//! Warnings: what P accepts and a reader would not.
//!
//! A lint is a small function that looks at one declaration or one body. What it has to know about the rest of the project it asks
//! name by name (`Lint::uses`). Rule for all of them: no warning in doubt. Warnings that need the types of expressions are given by the
//! check of the body, which knows them.
//!
//! | family | about |
//! |---|---|
//! | `unused` | declarations nothing uses |
//! | `variables` | local variables and parameters |
//! | `members` | variables, functions and states of machines |
//! | `flow` | events: who sends, who handles |
//! | `specs` | specs and scenarios |
//! | `statements`, `expressions` | code that does not do what it seems to |
//! | `generated` | what breaks in the C# that P makes of it |
//! | `comments` | comments that swallow code |
//! | `abstractions` | comments `abstract(...)` about nothing |

pub(crate) mod abstractions;
pub(crate) mod comments;
mod expressions;
mod flow;
mod generated;
mod members;
mod mentions;
mod moves;
mod owner;
mod specs;
mod statements;
#[cfg(test)]
mod tests;
mod tree;
mod unknown;
mod unused;
pub(crate) mod usage;
mod variables;

use std::borrow::Cow;
use std::cell::RefCell;

use lockstep_syntax::p::ast::{Body, BodyId, Item, NameId};
use smol_str::SmolStr;

use self::usage::{Mentioned, Uses, settled_uses};

use crate::db::{Db, Project, Purpose};
use crate::declaration::{Code as BodyCode, Decl};
use crate::problem::{Code, Node, Problem};

/// What is doubtful about a declaration itself.
#[salsa::tracked]
pub fn lint_decl<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<Problem<'db>> {
    let mut lint = Lint::new(db, decl);
    lint.members();
    lint.specs();
    lint.declarations();
    lint.generated_names();
    lint.problems
}

/// What is doubtful about a declaration in view of who mentions which names elsewhere; `recent` is what edited files mention.
pub(crate) fn lint_uses<'db>(db: &'db dyn Db, decl: Decl<'db>, recent: &'db Mentioned<'db>) -> Cow<'db, [Problem<'db>]> {
    let settled = lint_settled_uses(db, decl);
    if !settled.asked.iter().any(|name| recent.concerns(name)) {
        return Cow::Borrowed(&settled.problems);
    }
    let mut lint = Lint { recent: Some(recent), ..Lint::new(db, decl) };
    lint.all_uses();
    Cow::Owned(lint.problems)
}

/// What follows from the files that nobody edits, with the names it follows from.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct SettledUses<'db> {
    pub(crate) problems: Vec<Problem<'db>>,
    /// Sorted.
    pub(crate) asked: Vec<SmolStr>,
}

#[salsa::tracked]
pub(crate) fn lint_settled_uses<'db>(db: &'db dyn Db, decl: Decl<'db>) -> SettledUses<'db> {
    let mut lint = Lint::new(db, decl);
    lint.all_uses();
    let mut asked = lint.asked.take();
    asked.sort_unstable();
    asked.dedup();
    SettledUses { problems: lint.problems, asked }
}

/// What is doubtful about a body, as far as no types are needed.
#[salsa::tracked]
pub fn lint_body<'db>(db: &'db dyn Db, code: BodyCode<'db>) -> Vec<Problem<'db>> {
    let decl = code.decl(db);
    let shape = decl.shape(db);
    let body = &code.shape(db).0;
    let project = decl.file(db).project(db);
    let id = BodyId(code.nth(db));
    let owner = owner::owner(&shape.0.decl, id);
    let mut lint = BodyLint { db, project, decl, item: &shape.0, body, id, owner, problems: Vec::new() };
    lint.variables();
    lint.statements();
    lint.expressions();
    lint.problems
}

/// A declaration that is looked at.
struct Lint<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    decl: Decl<'db>,
    item: &'a Item,
    problems: Vec<Problem<'db>>,
    /// What is added to what the settled files say; nothing at first.
    recent: Option<&'db Mentioned<'db>>,
    /// The names that were asked for.
    asked: RefCell<Vec<SmolStr>>,
}

impl<'db> Lint<'db, 'db> {
    fn new(db: &'db dyn Db, decl: Decl<'db>) -> Self {
        let (project, item) = (decl.file(db).project(db), &decl.shape(db).0);
        Self { db, project, decl, item, problems: Vec::new(), recent: None, asked: RefCell::default() }
    }
}

impl<'a, 'db> Lint<'a, 'db> {
    fn all_uses(&mut self) {
        self.unused_declaration();
        self.event_flow();
        self.deferred_forever();
        self.observed_events();
    }

    /// Who mentions a name.
    fn uses(&self, name: &str) -> Cow<'db, Uses<'db>> {
        self.asked.borrow_mut().push(name.into());
        let settled = settled_uses(self.db, self.project, name);
        match self.recent {
            None => Cow::Borrowed(settled),
            Some(recent) => Cow::Owned(recent.with(settled, name)),
        }
    }

    fn report(&mut self, code: Code, node: impl Into<Node>, message: impl Into<String>) {
        self.problems.push(Problem::new(code, node, message));
    }

    fn name(&self, id: NameId) -> &'a str {
        self.item.nodes[id].as_str()
    }

    /// Where the declaration gives its name.
    fn node(&self) -> Node {
        self.item.name().map_or(Node::Whole, Node::Name)
    }

    fn is_included(&self) -> bool {
        self.decl.file(self.db).is_included(self.db)
    }

    fn is_for_checking(&self) -> bool {
        self.project.purpose(self.db) == Purpose::Checking
    }
}

/// A body that is looked at.
struct BodyLint<'a, 'db> {
    db: &'db dyn Db,
    project: Project,
    decl: Decl<'db>,
    item: &'a Item,
    body: &'a Body,
    id: BodyId,
    owner: Option<owner::Owner<'a>>,
    problems: Vec<Problem<'db>>,
}

impl<'a, 'db> BodyLint<'a, 'db> {
    fn report(&mut self, code: Code, node: impl Into<Node>, message: impl Into<String>) {
        self.push(Problem::new(code, node, message));
    }

    /// Adds a problem whose place is in the body.
    fn push(&mut self, problem: Problem<'db>) {
        self.problems.push(problem.in_body(self.id.0));
    }

    fn name(&self, id: NameId) -> &'a str {
        self.body.nodes[id].as_str()
    }

    fn is_for_checking(&self) -> bool {
        self.project.purpose(self.db) == Purpose::Checking
    }
}
