//! Names with their places in one file: what everything that navigates is built on.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{
    Db, Decl, DeclKind, Def, Occurrence, ProjectFile, Role, SourceFile, Target, body_occurrences, codes, decl_occurrences, decls,
};
use lockstep_syntax::p::ast::{Item, Placed, Spans};

/// A name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAt<'db> {
    pub range: TextRange,
    pub target: Target<'db>,
    pub role: Role,
}

/// A place in a file of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePlace {
    pub file: SourceFile,
    pub range: TextRange,
}

/// All names of a file that stand for something, in order.
pub fn names_in<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<NameAt<'db>> {
    let mut found: Vec<NameAt<'db>> = items(db, file).flat_map(|(item, decl)| item_names(db, item, decl)).collect();
    found.sort_by_key(|name| (name.range.start(), name.range.end()));
    found
}

/// The name at a place: the one that contains it, or ends there.
pub fn name_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<NameAt<'db>> {
    let (item, decl) = item_at(db, file, offset)?;
    let here = item_names(db, item, decl).into_iter().filter(|name| name.range.contains_inclusive(offset));
    // Two names cannot touch. Where one text has two meanings, as in a list of the same name twice, the later one is taken.
    here.max_by_key(|name| name.range.start())
}

/// The declaration around a place, with its item. Where two touch, the later one.
pub(super) fn item_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<(&'db Placed<Item>, Decl<'db>)> {
    let around = |item: &Placed<Item>| TextRange::at(item.start, item.value.len).contains_inclusive(offset);
    items(db, file).filter(|(item, _)| around(item)).last()
}

pub(super) fn items<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> impl Iterator<Item = (&'db Placed<Item>, Decl<'db>)> {
    let items = file.file(db).parse(db).p().into_iter().flat_map(|ast| &ast.items);
    items.zip(decls(db, file).iter().copied())
}

/// The names of a declaration and its bodies, in no particular order.
pub(super) fn item_names<'db>(db: &'db dyn Db, item: &Placed<Item>, decl: Decl<'db>) -> Vec<NameAt<'db>> {
    let mut found = Vec::new();
    let mut add = |occurrences: &[Occurrence<'db>], spans: &Spans, start: TextSize| {
        for Occurrence { name, target, role } in occurrences {
            add_name(db, NameAt { range: spans[*name] + start, target: target.clone(), role: *role }, &mut found);
        }
    };
    add(decl_occurrences(db, decl), &item.value.spans, item.start);
    for (body, code) in item.value.bodies.iter().zip(codes(db, decl)) {
        add(body_occurrences(db, *code), &body.value.spans, item.start + body.start);
    }
    found
}

/// Outside of its lemma an invariant is called by the names of both, with `_` between them: these are two names in one word.
fn add_name<'db>(db: &'db dyn Db, name: NameAt<'db>, found: &mut Vec<NameAt<'db>>) {
    match &name.target {
        Target::Global(Def { decl, part: Some(_) })
            if decl.kind(db) == DeclKind::InvariantGroup && name.role != Role::Declare =>
        {
            let lemma = TextRange::at(name.range.start(), TextSize::of(decl.name(db).as_str()));
            let invariant = TextRange::new(lemma.end() + TextSize::of('_'), name.range.end());
            let target = Target::Global(Def { decl: *decl, part: None });
            found.push(NameAt { range: lemma, target, role: name.role });
            found.push(NameAt { range: invariant, ..name });
        }
        _ => found.push(name),
    }
}
