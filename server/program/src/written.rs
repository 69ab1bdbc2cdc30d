//! Which names are written in a file at all: what lets a search over a large project pass over most of its files.
//!
//! Kept per file and small: four bytes for each name. A name that is not written is sometimes taken for one that is, never the
//! other way round.

use std::hash::BuildHasher;

use lockstep_syntax::p::ast::Nodes;

use crate::db::{Db, SourceFile};

/// Whether a file may have this name in it.
pub fn may_mention(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    written(db, file).binary_search(&short(name)).is_ok()
}

/// Sorted, each once.
#[salsa::tracked]
fn written(db: &dyn Db, file: SourceFile) -> Box<[u32]> {
    let items = file.parse(db).p().into_iter().flat_map(|file| &file.items);
    let mut found = Vec::new();
    let mut add = |nodes: &Nodes| found.extend(nodes.names.iter().map(|(_, name)| short(name.as_str())));
    for item in items {
        add(&item.value.nodes);
        item.value.bodies.iter().for_each(|body| add(&body.value.nodes));
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

#[allow(clippy::cast_possible_truncation)]
fn short(name: &str) -> u32 {
    let hash = rustc_hash::FxBuildHasher.hash_one(name);
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use lockstep_syntax::{Language, Parse};

    use super::*;
    use crate::db::Database;

    #[test]
    fn names_in_declarations_and_bodies_are_found_and_others_are_not() {
        let mut db = Database::default();
        let text = "event e: tFirst;\nmachine M { start state S { entry { raise e, eSecond; } } }\n";
        let file = SourceFile::open(&db, "a.p".to_owned(), Parse::new(Language::P, text));
        let has = |db: &Database, name: &str| may_mention(db, file, name);
        assert!(["e", "tFirst", "M", "S", "eSecond"].iter().all(|name| has(&db, name)));
        assert!(["x", "tSecond", "", "entry"].iter().all(|name| !has(&db, name)));
        file.update(&mut db, Parse::new(Language::P, "event x;"));
        assert!(has(&db, "x") && !has(&db, "e"));
    }
}
