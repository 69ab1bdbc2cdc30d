//! What is known about the tests of a file.
//!
//! Engines do not write here: what they have found is asked for by the item ids that `test_item` gives, and everything that is shown
//! follows from `records`.

use lockstep_base::TextRange;
use lockstep_base::verdict::{Check, Outcome, Record};
use lockstep_program::{
    Db, Decl, DeclKind, Def, Node, Place, ProjectFile, Target, TestCase, decls, place_range, project_errors, project_tests,
};

use super::declared::declared_at;
use crate::verdicts::outcome;

/// How many cases of one test have records of their own; of more, the test has one for all of them.
const MOST_CASES: usize = 500;

/// What is known about an item, which is this case if it is one: how it stands to the program as it is now, and whether something is
/// under way.
pub type Outcomes<'a> = &'a dyn Fn(&str, Option<&TestCase<'_>>) -> Option<Outcome>;

/// One record for each case that can be run, and one for each test that has an error. The tests of an included project are not run
/// here.
pub fn records<'db>(db: &'db dyn Db, file: ProjectFile<'db>, outcomes: Outcomes<'_>) -> Vec<Record> {
    if file.is_included(db) {
        return Vec::new();
    }
    let project = file.project(db);
    let runnable = decls(db, file).iter().copied().filter(|decl| can_be_run(db, *decl));
    let mut records = Vec::new();
    for decl in runnable {
        let cases: Vec<&TestCase<'db>> = project_tests(db, project).iter().filter(|case| case.decl == decl).collect();
        let named: Vec<(&str, Option<&TestCase<'db>>)> = match cases.len() {
            0 if decl.kind(db) == DeclKind::Test => vec![(decl.name(db), None)],
            count if count > MOST_CASES => vec![(decl.name(db), None)],
            _ => cases.iter().map(|case| (case.name.as_str(), Some(*case))).collect(),
        };
        let Some((range, name_range)) = ranges(db, decl).filter(|_| !named.is_empty()) else { continue };
        let errors = project_errors(db, project);
        records.extend(named.into_iter().map(|(name, case)| {
            let item = test_item(db, file, name);
            let outcome = outcome(outcomes(&item, case).as_ref(), errors);
            Record { item, check: Check::Exploration, range, name_range, outcome }
        }));
    }
    records
}

/// The id of a test or of one of its cases.
pub fn test_item<'db>(db: &'db dyn Db, file: ProjectFile<'db>, name: &str) -> String {
    format!("{}#{}/{name}", file.file(db).path(db), file.project(db).name(db))
}

fn can_be_run(db: &dyn Db, decl: Decl<'_>) -> bool {
    match decl.kind(db) {
        DeclKind::Test | DeclKind::Implementation => !decl.name(db).is_empty(),
        // It is what is run where there is neither.
        DeclKind::Machine => decl.name(db) == "Main",
        _ => false,
    }
}

fn ranges<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<(TextRange, TextRange)> {
    let whole = place_range(db, decl, Place { body: None, node: Node::Whole })?;
    Some((whole, declared_at(db, &Target::Global(Def { decl, part: None }))?.range))
}
