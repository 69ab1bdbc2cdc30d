//! Another name for something, in the whole project.
//!
//! A name is refused that is taken, or that would change what another name means: inner names hide outer ones in P.

use lockstep_base::{TextRange, TextSize};
use lockstep_program::{Db, Decl, DeclKind, Def, MemberKind, Project, ProjectFile, Purpose, Space, Target, lookup};
use lockstep_syntax::Language;
use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, Item, NameId, Placed, ReceiveCase, Stmt};

use super::declared::{decl_of, declared_at};
use super::describe::word;
use super::mentions::{Mention, mentions_of};
use super::names::{FilePlace, NameAt, item_names, items, name_at};
use super::rename_field::{Renamable, renamable};
use crate::CannotRename;

/// The name at a place, if it can be renamed.
pub fn prepare_rename<'db>(
    db: &'db dyn Db,
    file: ProjectFile<'db>,
    offset: TextSize,
) -> Result<(TextRange, String), CannotRename> {
    if let Some(field) = field(db, file, offset) {
        return field.map(|renamable| (renamable.field.place.range, renamable.field.name.to_string()));
    }
    let name = nameable(db, file, offset)?;
    let text = file.file(db).parse(db).text().slice(name.range).into_owned();
    Ok((name.range, text))
}

/// The places where the name at a place is written; each is to be replaced by `new`.
pub fn rename<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize, new: &str) -> Result<Vec<FilePlace>, CannotRename> {
    if let Some(field) = field(db, file, offset) {
        let renamable = field?;
        is_name(new)?;
        return renamable.to(db, file.project(db), new);
    }
    let name = nameable(db, file, offset)?;
    is_name(new)?;
    let mentions = mentions_of(db, &name.target);
    if *file.file(db).parse(db).text().slice(name.range) != *new {
        is_free(db, &name.target, &mentions, new)?;
    }
    let mut places: Vec<FilePlace> = mentions.into_iter().map(|mention| mention.place).collect();
    places.dedup();
    Ok(places)
}

/// The field at a place, where there is no other name.
fn field<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Result<Renamable<'db>, CannotRename>> {
    if name_at(db, file, offset).is_some() { None } else { renamable(db, file, offset) }
}

fn nameable<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Result<NameAt<'db>, CannotRename> {
    name_at(db, file, offset).ok_or_else(|| CannotRename("there is no name here that can be changed".to_owned()))
}

fn is_name(new: &str) -> Result<(), CannotRename> {
    let starts = new.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if !starts || !new.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        return Err(CannotRename(format!(
            "`{new}` is not a name: names are letters, digits and `_`, and do not begin with a digit"
        )));
    }
    if Language::P.is_reserved(new) {
        return Err(CannotRename(format!("`{new}` is a word of P")));
    }
    Ok(())
}

fn is_free<'db>(db: &'db dyn Db, target: &Target<'db>, mentions: &[Mention<'db>], new: &str) -> Result<(), CannotRename> {
    is_free_outside(db, decl_of(target).file(db).project(db), target, new)?;
    let mut owners: Vec<Decl<'db>> = mentions.iter().map(|mention| mention.owner).collect();
    owners.dedup();
    for owner in owners {
        let here = mentions.iter().filter(|mention| mention.owner == owner).map(|mention| mention.place.range);
        if clashes_in(db, owner, target, &here.collect::<Vec<_>>(), new) {
            return Err(CannotRename(format!("`{}` uses the name `{new}` already", owner.name(db))));
        }
    }
    Ok(())
}

/// Whether no declaration of the project is in the way.
fn is_free_outside<'db>(db: &'db dyn Db, project: Project, target: &Target<'db>, new: &str) -> Result<(), CannotRename> {
    // In proofs, `is` is followed by the name of a machine, an event or a state.
    let is_verifying = project.purpose(db) == Purpose::Verifying;
    let spaces: &[Space] = match target {
        Target::Global(_) => &[
            Space::Type,
            Space::Event,
            Space::EventSet,
            Space::Param,
            Space::Function,
            Space::Pure,
            Space::Module,
            Space::Test,
            Space::Invariant,
            Space::InvariantGroup,
            Space::Proof,
        ],
        Target::Member { kind: MemberKind::State, .. } if is_verifying => &[Space::Type, Space::Event],
        Target::Member { kind: MemberKind::State | MemberKind::Function, .. } => &[],
        // Nothing may hide a test parameter. What else is hidden matters only where it is used.
        Target::Member { kind: MemberKind::Variable, .. } | Target::Local { .. } => &[Space::Param],
    };
    let taken = names_to_declare(db, target, new).iter().find_map(|name| {
        let def = spaces.iter().find_map(|space| lookup(db, project, *space, name))?;
        Some((name.clone(), def))
    });
    let own = |def: &Def<'db>| matches!(target, Target::Global(own) if own == def);
    match taken {
        Some((name, def)) if !own(&def) => Err(CannotRename(format!("there is {} `{name}` already", a(word_of(db, def))))),
        _ => Ok(()),
    }
}

/// The names under which something is known after it gets a new one. Invariants of a lemma are also known by the names of both.
fn names_to_declare<'db>(db: &'db dyn Db, target: &Target<'db>, new: &str) -> Vec<String> {
    let mut names = vec![new.to_owned()];
    if let Target::Global(Def { decl, part }) = target
        && let item = &decl.shape(db).0
        && let AstDecl::InvariantGroup { invariants, .. } = &item.decl
    {
        match part {
            Some(_) => names = vec![format!("{}_{new}", decl.name(db))],
            None => names.extend(invariants.iter().map(|invariant| format!("{new}_{}", item.nodes[invariant.name].as_str()))),
        }
    }
    names
}

fn word_of(db: &dyn Db, def: Def<'_>) -> &'static str {
    match (def.decl.kind(db), def.part) {
        (DeclKind::Enum, Some(_)) => "enum element",
        (DeclKind::InvariantGroup, Some(_)) => "invariant",
        (DeclKind::Function | DeclKind::Pure, _) => "function",
        (DeclKind::Param, _) => "test parameter",
        (DeclKind::EventSet, _) => "event set",
        (kind, _) => word(kind),
    }
}

fn a(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Whether something else in a declaration is called `new`, and would hide the new name where it is mentioned or be hidden by it.
fn clashes_in<'db>(db: &'db dyn Db, decl: Decl<'db>, target: &Target<'db>, mentions: &[TextRange], new: &str) -> bool {
    let file = decl.file(db);
    let Some((item, _)) = items(db, file).find(|(_, other)| *other == decl) else { return false };
    let text = file.file(db).parse(db).text();
    let mut others = item_names(db, item, decl).into_iter().filter(|name| *text.slice(name.range) == *new);
    others.any(|other| match (target, &other.target) {
        (Target::Local { .. }, _) => visible_in(db, item, target).is_none_or(|range| range.contains_range(other.range)),
        (_, Target::Local { .. }) => {
            let hides = visible_in(db, item, &other.target);
            mentions.iter().any(|mention| hides.is_none_or(|range| range.contains_range(*mention)))
        }
        (Target::Member { kind, .. }, Target::Member { kind: others, .. }) => {
            (*kind == MemberKind::Variable) == (*others == MemberKind::Variable)
        }
        (Target::Member { kind, .. }, Target::Global(_)) => *kind != MemberKind::State,
        (Target::Global(_), Target::Member { .. }) => true,
        // Whether there is such a declaration has been asked already.
        (Target::Global(_), Target::Global(_)) => false,
    })
}

/// Where in a declaration a local name can be used: in the quantifier, receive case, function or handler that declares it. `None` if in
/// all of it.
fn visible_in<'db>(db: &'db dyn Db, item: &Placed<Item>, target: &Target<'db>) -> Option<TextRange> {
    let Target::Local { place, .. } = target else { return None };
    let (nodes, spans, start) = match place.body.and_then(|body| item.value.bodies.get(body as usize)) {
        Some(body) => (&body.value.nodes, &body.value.spans, item.start + body.start),
        None => (&item.value.nodes, &item.value.spans, item.start),
    };
    let quantifier = nodes.exprs.iter().find(|(_, expr)| binds(expr, place.name)).map(|(id, _)| spans[id]);
    let receives = nodes.stmts.iter().filter_map(|(_, stmt)| match stmt {
        Stmt::Receive { cases } => Some(cases),
        _ => None,
    });
    let case = receives.flatten().find(|case| declares(case, place.name)).map(|case| spans[case.part]);
    if let Some(range) = quantifier.or(case) {
        return Some(range + start);
    }
    let declared = declared_at(db, target)?.range;
    let AstDecl::Machine(machine) = &item.value.decl else { return None };
    let functions = machine.functions.iter().map(|function| function.part);
    let handlers = machine.states.iter().flat_map(|state| &state.items).map(|item| item.part);
    let ranges = functions.chain(handlers).map(|part| item.value.spans[part] + item.start);
    { ranges }.find(|range| range.contains_range(declared))
}

fn binds(expr: &Expr, name: NameId) -> bool {
    matches!(expr, Expr::Quantifier { bound, .. } if bound.iter().any(|bound| bound.name == name))
}

fn declares(case: &ReceiveCase, name: NameId) -> bool {
    case.param.is_some_and(|param| param.name == name) || case.block.vars.iter().any(|var| var.names.contains(&name))
}
