//! Names with their places: what everything that navigates is built on.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{
    Db, Decl, MemberKind, Occurrence, Place, ProjectFile, Role, SourceFile, Target, body_occurrences, codes, decl_occurrences,
    decls, may_mention, name_of, place_range, project_files,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, Item, NameId, Nodes, Placed};

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
    let mut found = Vec::new();
    for (item, decl) in items(db, file) {
        add_names(db, item, decl, &mut found);
    }
    found.sort_by_key(|name| (name.range.start(), name.range.end()));
    found
}

/// The name at a place: the one that contains it, or ends there.
pub fn name_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<NameAt<'db>> {
    let (item, decl) = item_at(db, file, offset)?;
    let mut found = Vec::new();
    add_names(db, item, decl, &mut found);
    found.retain(|name| name.range.contains_inclusive(offset));
    // Where two names touch, which they cannot without something between them, the later one is meant.
    found.into_iter().max_by_key(|name| name.range.start())
}

/// The declaration around a place, with its item.
pub(super) fn item_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<(&'db Placed<Item>, Decl<'db>)> {
    items(db, file).find(|(item, _)| TextRange::at(item.start, item.value.len).contains_inclusive(offset))
}

fn items<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> impl Iterator<Item = (&'db Placed<Item>, Decl<'db>)> {
    let items = file.file(db).parse(db).p().into_iter().flat_map(|ast| &ast.items);
    items.zip(decls(db, file).iter().copied())
}

fn add_names<'db>(db: &'db dyn Db, item: &Placed<Item>, decl: Decl<'db>, found: &mut Vec<NameAt<'db>>) {
    let mut add = |occurrences: &[Occurrence<'db>], spans: &lockstep_syntax::p::ast::Spans, start: TextSize| {
        found.extend(occurrences.iter().map(|occurrence| NameAt {
            range: spans[occurrence.name] + start,
            target: occurrence.target.clone(),
            role: occurrence.role,
        }));
    };
    add(decl_occurrences(db, decl), &item.value.spans, item.start);
    for (body, code) in item.value.bodies.iter().zip(codes(db, decl)) {
        add(body_occurrences(db, *code), &body.value.spans, item.start + body.start);
    }
}

/// All names of the project that stand for `target`. Only code that contains the name is looked at.
pub(super) fn names_of<'db>(db: &'db dyn Db, file: ProjectFile<'db>, target: &Target<'db>) -> Vec<(FilePlace, Role)> {
    let Some(written) = written(db, target) else { return Vec::new() };
    let files: Vec<ProjectFile<'db>> = match target {
        Target::Global(_) => project_files(db, file.project(db)).collect(),
        Target::Member { machine: decl, .. } | Target::Local { decl, .. } => vec![decl.file(db)],
    };
    let mut found = Vec::new();
    for file in files {
        // Nothing else in this loop would notice that nobody wants this any more.
        db.unwind_if_revision_cancelled();
        if !written.iter().any(|name| may_mention(db, file.file(db), name)) {
            continue;
        }
        for (item, decl) in items(db, file) {
            if !mentions(&item.value, &written) {
                continue;
            }
            let mut names = Vec::new();
            add_names(db, item, decl, &mut names);
            names.retain(|name| name.target == *target);
            names.sort_by_key(|name| name.range.start());
            found.extend(names.into_iter().map(|name| (FilePlace { file: file.file(db), range: name.range }, name.role)));
        }
    }
    found
}

fn mentions(item: &Item, written: &[String]) -> bool {
    let has = |nodes: &Nodes| nodes.names.iter().any(|(_, name)| written.iter().any(|known| name.as_str() == known));
    has(&item.nodes) || item.bodies.iter().any(|body| has(&body.value.nodes))
}

/// The name as it is written. An invariant of a group is written with and without the name of the group.
pub(super) fn written(db: &dyn Db, target: &Target<'_>) -> Option<Vec<String>> {
    match target {
        Target::Global(def) => {
            let item = &def.decl.shape(db).0;
            let name = item.nodes[name_of(db, *def)?].as_str().to_owned();
            match &item.decl {
                AstDecl::InvariantGroup { name: group, .. } if def.part.is_some() => {
                    Some(vec![format!("{}_{name}", item.nodes[*group].as_str()), name])
                }
                _ => Some(vec![name]),
            }
        }
        Target::Member { name, .. } => Some(vec![name.to_string()]),
        Target::Local { decl, place } => {
            let name = match place.body {
                None => decl.shape(db).0.nodes[place.name].as_str().to_owned(),
                Some(body) => decl.bodies(db).get(body as usize)?.0.nodes[place.name].as_str().to_owned(),
            };
            Some(vec![name])
        }
    }
}

/// Where something is declared: its name there.
pub(super) fn declared_at<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<FilePlace> {
    let (decl, place) = match target {
        Target::Global(def) => (def.decl, Place { body: None, node: name_of(db, *def)?.into() }),
        Target::Member { machine, kind, name } => {
            (*machine, Place { body: None, node: member_name(db, *machine, *kind, name)?.into() })
        }
        Target::Local { decl, place } => (*decl, Place { body: place.body, node: place.name.into() }),
    };
    Some(FilePlace { file: decl.file(db).file(db), range: place_range(db, decl, place)? })
}

fn member_name(db: &dyn Db, machine: Decl<'_>, kind: MemberKind, name: &str) -> Option<NameId> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(machine) = &item.decl else { return None };
    let is_it = |id: &NameId| item.nodes[*id].as_str() == name;
    match kind {
        MemberKind::Variable => machine.vars.iter().flat_map(|var| &var.names).copied().find(is_it),
        MemberKind::Function => machine.functions.iter().map(|function| function.name).find(is_it),
        MemberKind::State => machine.states.iter().map(|state| state.name).find(is_it),
    }
}
