//! Names of a project by a few of their letters.

use lockstep_program::{Db, Project, ProjectFile, project_files};

use super::names::FilePlace;
use crate::{SymbolKind, document_symbols};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The machine or enum it belongs to.
    pub container: Option<String>,
    pub place: FilePlace,
}

/// The most that is found.
const MOST: usize = 300;

/// Declarations whose names contain the letters of `query` in order, in capitals or not; the closest first.
pub fn project_symbols(db: &dyn Db, project: Project, query: &str) -> Vec<ProjectSymbol> {
    let mut found: Vec<(usize, ProjectSymbol)> = Vec::new();
    for file in project_files(db, project) {
        // Nothing else here would notice that nobody wants this any more.
        db.unwind_if_revision_cancelled();
        for symbol in document_symbols(file.file(db).parse(db)) {
            add(db, file, query, &symbol, None, &mut found);
            for child in &symbol.children {
                add(db, file, query, child, Some(&symbol.name), &mut found);
            }
        }
    }
    found.sort_by(|(a, x), (b, y)| (a, x.name.len(), &x.name).cmp(&(b, y.name.len(), &y.name)));
    found.into_iter().take(MOST).map(|(_, symbol)| symbol).collect()
}

fn add(
    db: &dyn Db,
    file: ProjectFile<'_>,
    query: &str,
    symbol: &crate::Symbol,
    container: Option<&str>,
    found: &mut Vec<(usize, ProjectSymbol)>,
) {
    if symbol.kind == SymbolKind::Handler {
        return;
    }
    let Some(distance) = distance(&symbol.name, query) else { return };
    let place = FilePlace { file: file.file(db), range: symbol.name_range };
    let container = container.map(ToOwned::to_owned);
    found.push((distance, ProjectSymbol { name: symbol.name.clone(), kind: symbol.kind, container, place }));
}

/// How far a name is from what is looked for: nought if it is contained, otherwise how many letters lie between; `None` if the letters
/// do not occur in order.
fn distance(name: &str, query: &str) -> Option<usize> {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    if name.contains(&query) {
        return Some(0);
    }
    let mut rest = name.chars();
    let mut skipped = 0;
    for wanted in query.chars() {
        loop {
            match rest.next() {
                None => return None,
                Some(found) if found == wanted => break,
                Some(_) => skipped += 1,
            }
        }
    }
    Some(1 + skipped)
}
