//! Navigation agrees with itself and with the checks.

use std::collections::BTreeSet;

use lockstep_ide::p::{FilePlace, definition, names_in, references};
use lockstep_program::Role;
use lockstep_syntax::{OutlineNode, outline};
use lockstep_tests::p_projects;

use crate::Opened;

/// Whatever `references` finds leads back to the same declaration, and every name is among the references of what it stands for.
#[test]
fn references_lead_back() {
    for project in p_projects() {
        let opened = Opened::new(&project);
        let db = &opened.db;
        let mut found = BTreeSet::new();
        let mut count = 0;
        for file in opened.files() {
            for name in names_in(db, file) {
                count += 1;
                if name.role != Role::Declare {
                    continue;
                }
                let declared = FilePlace { file: file.file(db), range: name.range };
                for place in references(db, file, name.range.start(), true) {
                    let there =
                        opened.files().into_iter().find(|other| other.file(db) == place.file).expect("a file of the project");
                    let (_, back) = definition(db, there, place.range.start()).expect("a reference has a definition");
                    assert_eq!(opened.shown(back), opened.shown(declared), "from {}", opened.shown(place));
                    found.insert(opened.shown(place));
                }
            }
        }
        assert_eq!(found.len(), count, "{}", project.name);
    }
}

/// In a program without errors every name means something, except fields of tuples, which belong to types.
#[test]
fn every_name_stands_for_something() {
    let mut count = 0;
    for project in p_projects() {
        let opened = Opened::new(&project);
        if !opened.is_correct() {
            continue;
        }
        for file in opened.files() {
            let parse = file.file(&opened.db).parse(&opened.db);
            let known: Vec<_> = names_in(&opened.db, file).into_iter().map(|name| name.range).collect();
            for node in names_to_resolve(&outline(parse)) {
                count += 1;
                let is_known = known.iter().any(|range| node.range.contains_range(*range));
                let place = FilePlace { file: file.file(&opened.db), range: node.range };
                assert!(is_known, "{}", opened.shown(place));
            }
        }
    }
    assert!(count > 2_500, "only {count} names");
}

/// The identifiers of a text that are not fields of tuples.
fn names_to_resolve<'n, 'p>(nodes: &'n [OutlineNode<'p>]) -> Vec<&'n OutlineNode<'p>> {
    let mut path: Vec<&OutlineNode<'_>> = Vec::new();
    let mut found = Vec::new();
    for node in nodes {
        path.truncate(node.depth);
        if node.kind == "identifier" {
            let around = |levels: usize| path.len().checked_sub(levels).map_or("", |at| path[at].kind);
            let is_field = match (around(1), node.field) {
                ("field_expression", Some("field")) | ("named_value", Some("name")) => true,
                ("typed_name", Some("name")) => around(2) == "named_tuple_type",
                _ => false,
            };
            if !is_field {
                found.push(node);
            }
        }
        path.push(node);
    }
    found
}
