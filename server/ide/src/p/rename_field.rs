//! Another name for a field of a named tuple, in all types that are linked by it.
//!
//! Renamed are all fields that are linked (`fields.rs`), so values go on fitting where they fitted before. Refused is what cannot be
//! seen to be all of them, what other languages know by its name, and a name that would make two types into one.

use lockstep_base::TextSize;
use lockstep_program::ty::Ty;
use lockstep_program::{
    Db, Decl, DeclKind, Project, ProjectFile, Signature, abstracted_fields, decls, function_signature, machine_info,
    project_files,
};
use lockstep_syntax::p::ast::{Decl as AstDecl, Function, FunctionCode};
use smol_str::SmolStr;

use super::fields::{FieldMention, field_at, fields_named, linked};
use super::names::FilePlace;
use crate::CannotRename;

/// The field at a place with all that are linked with it, if they can be renamed together; `None` if there is no field.
pub(super) fn renamable<'db>(
    db: &'db dyn Db,
    file: ProjectFile<'db>,
    offset: TextSize,
) -> Option<Result<Renamable<'db>, CannotRename>> {
    let field = field_at(db, file, offset)?;
    let all = fields_named(db, file.project(db), &field.name);
    let linked = linked(&field, &all);
    let checked = is_known(db, &field, &all).and_then(|()| is_ours(db, file.project(db), &field, &linked));
    Some(checked.map(|()| Renamable { field, linked }))
}

/// A field, and every place where it is named.
pub(super) struct Renamable<'db> {
    pub(super) field: FieldMention<'db>,
    linked: Vec<FieldMention<'db>>,
}

impl Renamable<'_> {
    /// The places where the field is named, if it can be called `new`, which is a name.
    pub(super) fn to(self, db: &dyn Db, project: Project, new: &str) -> Result<Vec<FilePlace>, CannotRename> {
        let old = &self.field.name;
        if old != new {
            let others = fields_named(db, project, new);
            for field in &self.linked {
                if field.names().any(|name| name == new) {
                    return Err(CannotRename(format!("`{}` has a field `{new}` already", field.tuple)));
                }
                let renamed = with_name(&field.tuple, old, new);
                if let Some(other) = others.iter().find(|other| other.tuple.is_comparable(&renamed)) {
                    let message = format!("there is a type `{}` already: the two would become one", other.tuple);
                    return Err(CannotRename(message));
                }
            }
        }
        let in_comments = self.in_comments(db, project);
        let mut places: Vec<FilePlace> = self.linked.into_iter().map(|field| field.place).collect();
        places.dedup();
        places.extend(in_comments);
        Ok(places)
    }

    /// Where comments `abstract(...)` name it.
    fn in_comments(&self, db: &dyn Db, project: Project) -> Vec<FilePlace> {
        let is_linked = |ty: &Ty| self.linked.iter().any(|field| field.tuple == *ty);
        let mut found = Vec::new();
        for file in project_files(db, project) {
            let named = abstracted_fields(db, file, &self.field.name);
            let meant = named.into_iter().filter(|(_, types)| types.iter().any(|ty| contains(ty, &is_linked)));
            found.extend(meant.map(|(range, _)| FilePlace { file: file.file(db), range }));
        }
        found
    }
}

/// A tuple with another name for one of its fields.
fn with_name(tuple: &Ty, old: &str, new: &str) -> Ty {
    let Ty::NamedTuple(fields) = tuple else { return tuple.clone() };
    let name = |name: &SmolStr| if name == old { SmolStr::new(new) } else { name.clone() };
    Ty::NamedTuple(fields.iter().map(|(field, ty)| (name(field), ty.clone())).collect())
}

/// Whether it is known of every field of this name if it is linked.
fn is_known<'db>(db: &'db dyn Db, field: &FieldMention<'db>, all: &[FieldMention<'db>]) -> Result<(), CannotRename> {
    if field.tuple == Ty::Error {
        return Err(CannotRename(format!("it is not known what `{}` is a field of: mend the errors here first", field.name)));
    }
    match all.iter().find(|other| !other.is_sure) {
        None => Ok(()),
        Some(other) if other.tuple == Ty::Error => {
            let message = format!(
                "in `{}` there is a field `{}` of a value whose type is not known: mend the errors there first",
                other.owner.name(db),
                field.name
            );
            Err(CannotRename(message))
        }
        Some(other) => {
            let message = format!("in `{}`, `{}` may be the field of several events", other.owner.name(db), field.name);
            Err(CannotRename(message))
        }
    }
}

/// Whether no code in another language knows the field by its name.
fn is_ours<'db>(
    db: &'db dyn Db,
    project: Project,
    field: &FieldMention<'db>,
    linked: &[FieldMention<'db>],
) -> Result<(), CannotRename> {
    let is_linked = |ty: &Ty| linked.iter().any(|field| field.tuple == *ty);
    for decl in project_files(db, project).flat_map(|file| decls(db, file)) {
        for (name, signature) in foreign_functions(db, *decl) {
            let mut types = signature.params.iter().map(|(_, ty)| ty).chain([&signature.result]);
            if types.any(|ty| contains(ty, &is_linked)) {
                let message = format!("`{name}` is written in another language, which knows `{}` by its name", field.name);
                return Err(CannotRename(message));
            }
        }
    }
    Ok(())
}

fn foreign_functions<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<(SmolStr, Signature)> {
    let item = &decl.shape(db).0;
    let is_foreign = |function: &Function| matches!(function.code, FunctionCode::Foreign { .. });
    match &item.decl {
        AstDecl::Function(function) if is_foreign(function) && decl.kind(db) == DeclKind::Function => {
            vec![(decl.name(db).clone(), function_signature(db, decl).clone())]
        }
        AstDecl::Machine(machine) => {
            let names =
                machine.functions.iter().filter(|function| is_foreign(function)).map(|function| &item.nodes[function.name].0);
            let info = machine_info(db, decl);
            names.filter_map(|name| Some((name.clone(), info.function(name)?.clone()))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a type or a part of it is wanted.
fn contains(ty: &Ty, is_wanted: &dyn Fn(&Ty) -> bool) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if is_wanted(ty) {
            return true;
        }
        match ty {
            Ty::Seq(element) | Ty::Set(element) => open.push(element),
            Ty::Map(key, value) => open.extend([&**key, &**value]),
            Ty::Tuple(elements) => open.extend(elements.iter()),
            Ty::NamedTuple(fields) => open.extend(fields.iter().map(|(_, ty)| ty)),
            _ => {}
        }
    }
    false
}
