//! Another name for something, in the whole project.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{Db, DeclKind, MemberKind, ProjectFile, Space, Target, lookup};
use lockstep_syntax::p::ast::Decl as AstDecl;

use super::names::{FilePlace, name_at, names_of, written};
use crate::CannotRename;

/// The name at a place, if it can be renamed.
pub fn prepare_rename<'db>(
    db: &'db dyn Db,
    file: ProjectFile<'db>,
    offset: TextSize,
) -> Result<(TextRange, String), CannotRename> {
    let Some(name) = name_at(db, file, offset) else {
        return Err(CannotRename("there is no name here that can be changed".to_owned()));
    };
    if let Target::Global(def) = &name.target
        && def.decl.kind(db) == DeclKind::InvariantGroup
    {
        return Err(CannotRename("lemmas and their invariants have names made of two parts: change them by hand".to_owned()));
    }
    let text = file.file(db).parse(db).text().slice(name.range).into_owned();
    Ok((name.range, text))
}

/// The places where the name at a place is written; each is to be replaced by `new`.
pub fn rename<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, new: &str) -> Result<Vec<FilePlace>, CannotRename> {
    let (_, old) = prepare_rename(db, file, offset)?;
    let Some(name) = name_at(db, file, offset) else { return Ok(Vec::new()) };
    is_name(new)?;
    if old != new {
        is_free(db, file, &name.target, new)?;
    }
    let mut places: Vec<FilePlace> = names_of(db, file, &name.target).into_iter().map(|(place, _)| place).collect();
    places.dedup();
    Ok(places)
}

fn is_name(new: &str) -> Result<(), CannotRename> {
    let starts = new.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts || !new.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        return Err(CannotRename(format!(
            "`{new}` is not a name: names are letters, digits and `_`, and do not begin with a digit"
        )));
    }
    if lockstep_syntax::Language::P.is_reserved(new) {
        return Err(CannotRename(format!("`{new}` is a word of P")));
    }
    Ok(())
}

/// Whether nothing else has the name where this one is declared. Inner names may hide outer ones in P; a new name that hides or is
/// hidden would change what the program means, so that is refused too.
fn is_free(db: &dyn Db, file: ProjectFile<'_>, target: &Target<'_>, new: &str) -> Result<(), CannotRename> {
    let taken = || Err(CannotRename(format!("there is something called `{new}` already")));
    let project = file.project(db);
    let spaces =
        [Space::Type, Space::Event, Space::EventSet, Space::Param, Space::Function, Space::Pure, Space::Module, Space::Test];
    let is_global = |space: &Space| lookup(db, project, *space, new).is_some();
    match target {
        Target::Global(_) => {
            if spaces.iter().any(is_global) || is_used_inside(db, file, target, new) {
                return taken();
            }
        }
        Target::Member { machine, kind, .. } => {
            let outer: &[Space] = match kind {
                MemberKind::Variable => &[Space::Param, Space::Event],
                MemberKind::Function => &[Space::Function, Space::Pure],
                MemberKind::State => &[],
            };
            if has_name(db, *machine, new) || outer.iter().any(is_global) {
                return taken();
            }
        }
        Target::Local { decl, .. } => {
            if has_name(db, *decl, new) || [Space::Param, Space::Event].iter().any(is_global) {
                return taken();
            }
        }
    }
    Ok(())
}

/// Whether code that mentions `target` has a name `new` of its own.
fn is_used_inside<'db>(db: &'db dyn Db, file: ProjectFile<'db>, target: &Target<'db>, new: &str) -> bool {
    let Some(old) = written(db, target) else { return false };
    lockstep_program::project_files(db, file.project(db)).flat_map(|file| lockstep_program::decls(db, file)).any(|decl| {
        let item = &decl.shape(db).0;
        let mentions = |wanted: &str| {
            let mut names = item.nodes.names.iter().chain(item.bodies.iter().flat_map(|body| body.value.nodes.names.iter()));
            names.any(|(_, name)| name.as_str() == wanted)
        };
        matches!(item.decl, AstDecl::Machine(_) | AstDecl::Function(_)) && mentions(new) && old.iter().any(|old| mentions(old))
    })
}

/// Whether a declaration or its bodies contain the name at all.
fn has_name(db: &dyn Db, decl: lockstep_program::Decl<'_>, new: &str) -> bool {
    let item = &decl.shape(db).0;
    let mut names = item.nodes.names.iter().chain(item.bodies.iter().flat_map(|body| body.value.nodes.names.iter()));
    names.any(|(_, name)| name.as_str() == new)
}
