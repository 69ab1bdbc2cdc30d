//! New names for what is declared.
//!
//! A name is given only if the program means the same afterwards: the new name is not known at any place where the renamed one is,
//! nothing in there has that name, and every place with the old name is understood.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::Parse;
use lockstep_syntax::icet::ast::Type;

use super::program::{DeclId, Declaration, NameKind, Program, Target};
use super::{BUILTINS, is_reserved};
use crate::CannotRename;
use crate::words::{Word, words};

/// The name at `offset`, if it can be renamed.
pub fn prepare_rename(parse: &Parse, offset: TextSize) -> Result<TextRange, CannotRename> {
    let program = Program::of(parse).ok_or_else(nothing_here)?;
    Ok(renamed(&program, offset)?.0)
}

/// The places to write `new_name` at, in order.
pub fn rename(parse: &Parse, offset: TextSize, new_name: &str) -> Result<Vec<TextRange>, CannotRename> {
    let program = Program::of(parse).ok_or_else(nothing_here)?;
    let (_, id) = renamed(&program, offset)?;
    check_name(new_name)?;
    if program.declarations[id].name != new_name {
        check_clash(&program, id, new_name)?;
        check_members(&program, id, new_name)?;
        check_understood(&program, id, new_name)?;
    }
    Ok(program.uses_of(id).map(|found| found.range).collect())
}

fn renamed(program: &Program<'_>, offset: TextSize) -> Result<(TextRange, DeclId), CannotRename> {
    let found = program.use_at(offset).ok_or_else(nothing_here)?;
    let name = program.slice(found.range);
    match found.target {
        Target::Declared(id) => Ok((found.range, id)),
        Target::Builtin => Err(CannotRename(format!("`{name}` is a word of IceT"))),
        Target::Unknown | Target::UnknownField => Err(CannotRename(format!("it is not known what `{name}` stands for"))),
    }
}

fn nothing_here() -> CannotRename {
    CannotRename("there is no name here that can be changed".to_owned())
}

fn check_name(name: &str) -> Result<(), CannotRename> {
    let is_start = |first: char| first.is_ascii_alphabetic() || first == '_';
    let is_name = name.starts_with(is_start) && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
    if !is_name {
        return Err(CannotRename(format!(
            "`{name}` is not a name: names are letters, digits and `_`, and do not begin with a digit"
        )));
    }
    if is_reserved(name) || BUILTINS.contains(&name) {
        return Err(CannotRename(format!("`{name}` is a word of IceT")));
    }
    Ok(())
}

/// The new name must not be known where the renamed one is.
fn check_clash(program: &Program<'_>, id: DeclId, new_name: &str) -> Result<(), CannotRename> {
    let scope = program.declarations[id].scope;
    let overlaps =
        |other: &&Declaration| other.name == new_name && other.scope.intersect(scope).is_some_and(|shared| !shared.is_empty());
    if let Some(other) = program.declarations.iter().find(overlaps) {
        let line = line(program, other.range);
        return Err(CannotRename(format!("`{new_name}` is already the name of {} (line {line})", what(other.kind))));
    }
    let uses = program.uses.iter().filter(|found| found.target == Target::Unknown && scope.contains_range(found.range));
    match uses.into_iter().find(|found| program.slice(found.range) == new_name) {
        Some(other) => {
            let line = line(program, other.range);
            Err(CannotRename(format!("`{new_name}` is used in line {line} without being declared, and would get a meaning")))
        }
        None => Ok(()),
    }
}

/// What stands behind dots: the new name must be free there, and every use of the old one understood.
fn check_members(program: &Program<'_>, id: DeclId, new_name: &str) -> Result<(), CannotRename> {
    let declaration = &program.declarations[id];
    let old_name = &declaration.name;
    if beside(program, id).any(|other| other.name == new_name) {
        return Err(CannotRename(format!("`{new_name}` is already the name of {} beside it", what(declaration.kind))));
    }
    if declaration.kind == NameKind::Field {
        let is_same =
            |other: &&Declaration| other.kind == NameKind::Field && other.name == *old_name && other.range != declaration.range;
        if let Some(other) = program.declarations.iter().find(is_same) {
            let line = line(program, other.range);
            return Err(CannotRename(format!(
                "another record type has a field `{old_name}` (line {line}): they may have to agree"
            )));
        }
    }
    if matches!(declaration.kind, NameKind::Field | NameKind::Variable | NameKind::Ghost) {
        let mut unknown = program.uses.iter().filter(|found| found.target == Target::UnknownField);
        if let Some(found) = unknown.find(|found| program.slice(found.range) == old_name.as_str()) {
            let line = line(program, found.range);
            return Err(CannotRename(format!("it is not known whether `{old_name}` in line {line} is the same")));
        }
    }
    Ok(())
}

/// The other fields of a field's record, the other parts of what a part belongs to.
fn beside<'a>(program: &'a Program<'_>, id: DeclId) -> Box<dyn Iterator<Item = &'a Declaration> + 'a> {
    let declaration = &program.declarations[id];
    match declaration.kind {
        NameKind::Part => {
            let is_beside = |other: &&Declaration| other.kind == NameKind::Part && other.owner == declaration.owner;
            Box::new(program.declarations.iter().filter(is_beside))
        }
        NameKind::Field => {
            let item = program.item(declaration);
            let place = declaration.range - program.item_range(declaration.item).start();
            let records = item.nodes.types.iter().filter_map(|(_, ty)| match ty {
                Type::Record(fields) => Some(fields),
                _ => None,
            });
            let mut records = records.filter(move |fields| fields.iter().any(|field| item.spans[field.name] == place));
            let fields: Vec<TextRange> = records.next().map_or_else(Vec::new, |fields| {
                fields.iter().map(|field| item.spans[field.name] + program.item_range(declaration.item).start()).collect()
            });
            Box::new(fields.into_iter().filter_map(|range| Some(&program.declarations[program.declaration_at(range)?])))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Where the text is broken, a name may not be seen as one: then nobody knows whether it belongs to these.
fn check_understood(program: &Program<'_>, id: DeclId, new_name: &str) -> Result<(), CannotRename> {
    let declaration = &program.declarations[id];
    let unclosed = || CannotRename("a comment or a string does not end: mend it first".to_owned());
    let words = words(program.text, 0.into(), program.text.len()).ok_or_else(unclosed)?;
    let is_seen = |word: &Word| program.uses.binary_search_by_key(&word.range.start(), |found| found.range.start()).is_ok();
    let is_everywhere = matches!(declaration.kind, NameKind::Field | NameKind::Variable | NameKind::Ghost);
    let matters = |word: &&Word| {
        let is_in_scope = declaration.scope.contains_range(word.range);
        (word.text == declaration.name && (is_in_scope || is_everywhere)) || (word.text == new_name && is_in_scope)
    };
    match words.iter().filter(matters).find(|word| !is_seen(word)) {
        Some(word) => {
            let line = line(program, word.range);
            Err(CannotRename(format!("the text is broken around `{}` in line {line}: mend it first", word.text)))
        }
        None => Ok(()),
    }
}

fn line(program: &Program<'_>, range: TextRange) -> u32 {
    program.text.line_of(range.start()) + 1
}

fn what(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Type => "a type",
        NameKind::Enum => "an enum",
        NameKind::EnumElement => "an enum element",
        NameKind::Message => "a message",
        NameKind::Set => "a set",
        NameKind::Constant => "a constant",
        NameKind::Process => "a process",
        NameKind::SharedGhost | NameKind::Variable | NameKind::Ghost => "a variable",
        NameKind::Member => "a loop's variable",
        NameKind::Index => "a loop's index",
        NameKind::DoneSet => "a done-set",
        NameKind::Bound => "a bound name",
        NameKind::Field => "a field",
        NameKind::Part => "a part",
        NameKind::Claim => "a claim",
    }
}
