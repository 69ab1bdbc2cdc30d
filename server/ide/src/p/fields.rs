//! Fields of named tuples: what is said about them and where they are.
//!
//! P's tuples have no names of their own, so a field is shared by all types that take each other's values. Two fields are *linked* if
//! their tuples have the same fields and either type takes the other's values, perhaps by way of further types in the project.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, Decl, DeclKind, Field, FieldRole, Project, ProjectFile, body_fields, codes, decl_fields, mentioned_names, project_files,
};
use lockstep_syntax::p::ast::{Item, Placed};
use smol_str::SmolStr;

use super::mentions::has_one_of;
use super::names::{FilePlace, item_at, items};
use crate::{Highlight, HighlightKind, Hover};

/// A field with its tuple, somewhere in the text.
#[derive(Clone, Debug)]
pub(super) struct FieldMention<'db> {
    pub(super) place: FilePlace,
    pub(super) role: FieldRole,
    pub(super) name: SmolStr,
    pub(super) tuple: Ty,
    pub(super) is_sure: bool,
    /// The declaration it stands in.
    pub(super) owner: Decl<'db>,
}

impl FieldMention<'_> {
    /// The fields of the tuple, in order; none if it is not known.
    pub(super) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        parts(&self.tuple).iter().map(|(name, _)| name)
    }

    fn is_linked(&self, other: &Ty) -> bool {
        matches!(self.tuple, Ty::NamedTuple(_)) && self.tuple.is_comparable(other)
    }
}

fn parts(tuple: &Ty) -> &[(SmolStr, Ty)] {
    match tuple {
        Ty::NamedTuple(fields) => fields,
        _ => &[],
    }
}

/// The field at a place.
pub(super) fn field_at<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<FieldMention<'db>> {
    let (item, decl) = item_at(db, file, offset)?;
    item_fields(db, file, item, decl).into_iter().find(|field| field.place.range.contains_inclusive(offset))
}

/// All fields of the project that are called `name`, whatever they belong to, in the order of the files and of their texts.
pub(super) fn fields_named<'db>(db: &'db dyn Db, project: Project, name: &str) -> Vec<FieldMention<'db>> {
    let words = std::iter::once(name).collect();
    let mut found = Vec::new();
    for file in project_files(db, project).filter(|file| mentioned_names(db, file.file(db)).contains(name)) {
        for (item, owner) in items(db, file).filter(|(item, _)| has_one_of(&item.value, &words)) {
            let mut fields = item_fields(db, file, item, owner);
            fields.retain(|field| field.name == name);
            fields.sort_by_key(|field| field.place.range.start());
            found.extend(fields);
        }
    }
    found
}

/// Those of `all` that are linked with `field`; none if it is not known what it is a field of.
pub(super) fn linked<'db>(field: &FieldMention<'db>, all: &[FieldMention<'db>]) -> Vec<FieldMention<'db>> {
    if parts(&field.tuple).is_empty() {
        return Vec::new();
    }
    let mut is_linked: Vec<bool> = all.iter().map(|other| other.tuple == field.tuple).collect();
    let mut open = vec![field.tuple.clone()];
    while let Some(tuple) = open.pop() {
        for (other, is_linked) in all.iter().zip(&mut is_linked) {
            if !*is_linked && other.is_linked(&tuple) {
                *is_linked = true;
                if !open.contains(&other.tuple) {
                    open.push(other.tuple.clone());
                }
            }
        }
    }
    all.iter().zip(is_linked).filter(|(_, is_linked)| *is_linked).map(|(other, _)| other.clone()).collect()
}

fn item_fields<'db>(db: &'db dyn Db, file: ProjectFile<'db>, item: &Placed<Item>, owner: Decl<'db>) -> Vec<FieldMention<'db>> {
    let mut found = Vec::new();
    let mut add = |fields: Vec<Field>, text: &dyn Fn(&Field) -> (SmolStr, TextRange)| {
        found.extend(fields.into_iter().map(|field| {
            let (name, range) = text(&field);
            let place = FilePlace { file: file.file(db), range };
            FieldMention { place, role: field.role, name, tuple: field.tuple, is_sure: field.is_sure, owner }
        }));
    };
    let Item { nodes, spans, bodies, .. } = &*item.value;
    add(decl_fields(db, owner), &|field| (nodes[field.name].0.clone(), spans[field.name] + item.start));
    for (body, code) in bodies.iter().zip(codes(db, owner)) {
        let start = item.start + body.start;
        let of_body = |field: &Field| (body.value.nodes[field.name].0.clone(), body.value.spans[field.name] + start);
        add(body_fields(db, *code), &of_body);
    }
    found.retain(|field| !field.name.is_empty());
    found
}

/// Where the field at a place is declared: in the declared types that are its tuple's type, or are linked with it if none is; in those
/// of events if there is no such type, and else wherever the type is written.
pub(super) fn definitions<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<FilePlace> {
    let Some(field) = field_at(db, file, offset) else { return Vec::new() };
    if field.role == FieldRole::Declare {
        return vec![field.place];
    }
    declared(db, file.project(db), &field).into_iter().map(|declared| declared.place).collect()
}

fn declared<'db>(db: &'db dyn Db, project: Project, field: &FieldMention<'db>) -> Vec<FieldMention<'db>> {
    let all = fields_named(db, project, &field.name);
    let declared: Vec<FieldMention<'db>> =
        linked(field, &all).into_iter().filter(|field| field.role == FieldRole::Declare).collect();
    let is_same = |other: &&FieldMention<'db>| other.tuple == field.tuple;
    let same: Vec<FieldMention<'db>> = declared.iter().filter(is_same).cloned().collect();
    let nearest = if same.is_empty() { declared } else { same };
    let in_kind = |kind: DeclKind| nearest.iter().filter(|field| field.owner.kind(db) == kind).cloned().collect::<Vec<_>>();
    [DeclKind::Type, DeclKind::Event].into_iter().map(in_kind).find(|found| !found.is_empty()).unwrap_or(nearest)
}

/// The most types that are named beside a field.
const MOST_OWNERS: usize = 4;

pub(super) fn hover<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Hover> {
    let field = field_at(db, file, offset)?;
    let (_, ty) = parts(&field.tuple).iter().find(|(name, _)| *name == field.name)?;
    let mut owners: Vec<String> = Vec::new();
    for declared in declared(db, file.project(db), &field) {
        let is_named = matches!(declared.owner.kind(db), DeclKind::Type | DeclKind::Event);
        let name = format!("`{}`", declared.owner.name(db));
        if is_named && !owners.contains(&name) {
            owners.push(name);
        }
    }
    let more = owners.len().saturating_sub(MOST_OWNERS);
    owners.truncate(MOST_OWNERS);
    let of = match (owners.is_empty(), more) {
        (true, _) => format!("field of `{}`", field.tuple),
        (false, 0) => format!("field of {}", owners.join(", ")),
        (false, _) => format!("field of {} and {more} more", owners.join(", ")),
    };
    Some(Hover { range: field.place.range, markdown: format!("```p\n{}: {ty}\n```\n\n{of}", field.name) })
}

/// Every place where the field at a place is mentioned, types first, if they are wanted.
pub(super) fn references<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, with_types: bool) -> Vec<FilePlace> {
    let Some(field) = field_at(db, file, offset) else { return Vec::new() };
    let linked = linked(&field, &fields_named(db, file.project(db), &field.name));
    let (declared, used): (Vec<_>, Vec<_>) = linked.into_iter().partition(|field| field.role == FieldRole::Declare);
    let declared = declared.into_iter().filter(|_| with_types);
    declared.chain(used).map(|field| field.place).collect()
}

/// The mentions in this file of the field at a place.
pub(super) fn highlights<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Vec<Highlight> {
    let Some(field) = field_at(db, file, offset) else { return Vec::new() };
    let linked = linked(&field, &fields_named(db, file.project(db), &field.name));
    let here = linked.into_iter().filter(|field| field.place.file == file.file(db));
    here.map(|field| Highlight {
        range: field.place.range,
        kind: match field.role {
            FieldRole::Declare => HighlightKind::Declaration,
            FieldRole::Give | FieldRole::Write => HighlightKind::Write,
            FieldRole::Read => HighlightKind::Read,
        },
    })
    .collect()
}
