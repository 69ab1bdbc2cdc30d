//! What syntax errors hide: text that could not be read may declare anything.
//!
//! One slip in the syntax must be one error. So an error about names is left out if text that was lost explains it: a name that is
//! unknown stands in that text, or what is said about a declaration follows from a part of it that is missing. What is checked does
//! not depend on any of this; it is looked at only while there are syntax errors, and only for files that have other errors too.

#[cfg(test)]
mod tests;

use lockstep_base::{Diagnostic, Severity, TextSize};
use lockstep_syntax::Parse;
use lockstep_syntax::p::ast::{Decl as AstDecl, Item, Placed};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::db::{Db, Project, ProjectFile, SourceFile, project_files};
use crate::lint::usage;
use crate::problem::Code;

/// Takes out the errors of a file that syntax errors of the project explain.
pub(crate) fn leave_out_consequences<'db>(db: &'db dyn Db, file: ProjectFile<'db>, found: &mut Vec<Diagnostic>) {
    let project = file.project(db);
    if !found.iter().any(is_consequence_perhaps) || usage::is_readable(db, project) {
        return;
    }
    let (parse, damage) = (file.file(db).parse(db), project_damage(db, project));
    found.retain(|error| !is_consequence_perhaps(error) || !damage.explains(error, damaged_item(parse, error.range.start())));
}

/// Whether it is an error, and not one of syntax.
fn is_consequence_perhaps(found: &Diagnostic) -> bool {
    found.severity == Severity::Error && !found.code.starts_with("LS00")
}

/// What the syntax errors of some text hide.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct Damage {
    /// The words of the text that could not be read.
    lost: FxHashSet<SmolStr>,
    /// The names of declarations of which a part could not be read.
    declared: FxHashSet<SmolStr>,
    /// What is unknown where a declaration has a word for its name that cannot be a name: elsewhere it may be mentioned by the name it
    /// will have.
    nameless: FxHashSet<Code>,
}

/// What is hidden in all files together.
#[salsa::tracked]
fn project_damage(db: &dyn Db, project: Project) -> Damage {
    let mut damage = Damage::default();
    for file in project_files(db, project) {
        let of_file = file_damage(db, file.file(db));
        damage.lost.extend(of_file.lost.iter().cloned());
        damage.declared.extend(of_file.declared.iter().cloned());
        damage.nameless.extend(of_file.nameless.iter().copied());
    }
    damage
}

#[salsa::tracked]
fn file_damage(db: &dyn Db, file: SourceFile) -> Damage {
    let parse = file.parse(db);
    let mut damage = Damage::default();
    if parse.errors().is_empty() {
        return damage;
    }
    for range in parse.lost() {
        let text = parse.text().slice(range);
        damage.lost.extend(words(&text).map(SmolStr::new));
    }
    let items = parse.p().map_or(&[][..], |file| &file.items);
    for item in items.iter().map(|item| &item.value) {
        if item.is_damaged {
            damage.declared.extend(item.name().map(|name| item.nodes[name].0.clone()));
        }
        if item.name().is_some_and(|name| item.problems.iter().any(|problem| problem.range == item.spans[name])) {
            damage.nameless.extend(unknown_without(&item.decl));
        }
    }
    damage
}

/// What is unknown if a declaration has another name than is mentioned.
fn unknown_without(decl: &AstDecl) -> &'static [Code] {
    match decl {
        AstDecl::Event { .. } => &[Code::UnknownEvent, Code::UnknownName],
        AstDecl::EventSet { .. } => &[Code::UnknownEvent, Code::UnknownType],
        AstDecl::Type { .. } | AstDecl::Enum { .. } => &[Code::UnknownType],
        AstDecl::Machine(_) | AstDecl::Interface { .. } => {
            &[Code::UnknownType, Code::UnknownInterface, Code::UnknownMachine, Code::UnknownSpec]
        }
        AstDecl::Function(_) => &[Code::UnknownFunction],
        AstDecl::Module { .. } => &[Code::UnknownModule],
        _ => &[],
    }
}

/// The words of a text: names and keywords.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(move |character| !is_word(character)).filter(|word| !word.is_empty())
}

/// The declaration around a place, if it is damaged.
fn damaged_item(parse: &Parse, at: TextSize) -> Option<&Item> {
    let items: &[Placed<Item>] = &parse.p()?.items;
    let item = items.get(items.partition_point(|item| item.start <= at).checked_sub(1)?)?;
    (at <= item.start + item.value.len && item.value.is_damaged).then_some(&*item.value)
}

impl Damage {
    /// Whether an error follows from what is hidden; `around` is the damaged declaration it stands in.
    fn explains(&self, error: &Diagnostic, around: Option<&Item>) -> bool {
        // Who sends the event may be what could not be read.
        if error.code == Code::AssertUnsent.number() {
            return true;
        }
        let is_absence = ABSENCE.iter().any(|code| code.number() == error.code);
        let is_hidden = |name: &str| {
            name.is_empty()
                || self.declared.contains(name)
                || is_absence && self.lost.contains(name)
                || around.is_some_and(|item| is_member(item, name))
        };
        self.nameless.iter().any(|code| code.number() == error.code) || names_in(&error.message).any(is_hidden)
    }
}

/// What a message has in backticks. What is no name but code is never equal to a name.
fn names_in(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// Whether `name` is that of a state or function of a machine: they may have lost their parameters.
fn is_member(item: &Item, name: &str) -> bool {
    let AstDecl::Machine(machine) = &item.decl else { return false };
    let states = machine.states.iter().map(|state| state.name);
    states.chain(machine.functions.iter().map(|function| function.name)).any(|member| item.nodes[member].as_str() == name)
}

/// What is wrong only because a name is not declared, or as something else.
const ABSENCE: &[Code] = &[
    Code::UnknownType,
    Code::UnknownEvent,
    Code::UnknownFunction,
    Code::UnknownState,
    Code::UnknownInterface,
    Code::UnknownName,
    Code::GlobalHandler,
    Code::UnknownField,
    Code::UnknownParam,
    Code::NoMain,
    Code::UnknownModule,
    Code::UnknownMachine,
    Code::UnknownSpec,
    Code::NotASpec,
    Code::RenameAbsent,
    Code::UnknownKind,
    Code::UnknownGoal,
    Code::UnknownMachineField,
    Code::UnknownEventField,
];
