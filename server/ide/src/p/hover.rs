//! What is said about the name or word at a place.

mod words;

use lockstep_base::{Text, TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{Db, Decl, DeclKind, Def, MemberKind, ProjectFile, Role, Target, machine_info, test_count};
use lockstep_syntax::p::ast::{Decl as AstDecl, FunctionCode, MachineKind, Temperature};

use super::declared::is_event;
use super::describe;
use super::fields;
use super::lens::cases;
use super::mentions::{Mention, mentions_of};
use super::names::name_at;
use super::navigate::bound_machines;
use super::surroundings::token_at;
use crate::Hover;
use crate::words::Word;

pub fn hover<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Hover> {
    let Some(name) = name_at(db, file, offset) else {
        return fields::hover(db, file, offset).or_else(|| word_hover(db, file, offset));
    };
    let mut paragraphs = vec![format!("```p\n{}\n```", describe::code(db, &name.target)?)];
    paragraphs.extend(owner(db, &name.target));
    paragraphs.extend(describe::comment(db, &name.target));
    paragraphs.extend(facts(db, &name.target));
    Some(Hover { range: name.range, markdown: paragraphs.join("\n\n") })
}

/// One sentence about a word of P.
fn word_hover<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Hover> {
    let token = token_at(db, file, offset)?;
    let text = file.file(db).parse(db).text();
    let (word, range) = match hyphened(text, &token) {
        Some(range) => (HYPHENED, range),
        None => (token.text.as_str(), token.range),
    };
    Some(Hover { range, markdown: words::sentence(word)?.to_owned() })
}

/// The one word of P with a hyphen in it.
const HYPHENED: &str = "init-condition";

fn hyphened(text: &Text, token: &Word) -> Option<TextRange> {
    let before = TextSize::try_from(HYPHENED.find(&token.text)?).ok()?;
    let range = TextRange::at(token.range.start().checked_sub(before)?, TextSize::of(HYPHENED));
    (range.end() <= text.len() && text.slice(range) == HYPHENED).then_some(range)
}

/// What something is a part of.
fn owner<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    match target {
        Target::Member { machine: decl, .. } => Some(format!("of `{}`", decl.name(db))),
        Target::Global(Def { decl, part: Some(_) }) if matches!(decl.kind(db), DeclKind::Enum | DeclKind::InvariantGroup) => {
            Some(format!("of {} `{}`", describe::word(decl.kind(db)), decl.name(db)))
        }
        Target::Global(_) | Target::Local { .. } => None,
    }
}

/// What the project knows about something.
fn facts<'db>(db: &'db dyn Db, target: &Target<'db>) -> Option<String> {
    match target {
        target if is_event(db, target) => Some(event_traffic(db, target)),
        Target::Member { machine, kind: MemberKind::State, name } => temperature(db, *machine, name),
        Target::Global(Def { decl, .. }) => match decl.kind(db) {
            DeclKind::Machine => machine_facts(db, *decl, target),
            DeclKind::Interface => listed("Bound to", bound_machines(db, *decl).iter().map(|def| quoted(db, def.decl)).collect()),
            DeclKind::Spec => listed("Checked in", who(db, &mentions_of(db, target), &[Role::Use])),
            DeclKind::Param => listed("Given by", who(db, &mentions_of(db, target), &[Role::Write])),
            DeclKind::Function if is_foreign(db, *decl) => Some("Written in another language.".to_owned()),
            DeclKind::Test => {
                test_count(db, *decl).filter(|_| !decl.file(db).is_included(db)).map(|count| format!("{}.", cases(count)))
            }
            _ => None,
        },
        Target::Member { .. } | Target::Local { .. } => None,
    }
}

/// Who sends an event, who handles it, who watches it.
fn event_traffic<'db>(db: &'db dyn Db, target: &Target<'db>) -> String {
    let mentions = mentions_of(db, target);
    let rows: [(&str, &[Role]); 7] = [
        ("Sent by", &[Role::Send]),
        ("Announced by", &[Role::Announce]),
        ("Raised by", &[Role::Raise]),
        ("Handled by", &[Role::Handle]),
        ("Deferred by", &[Role::Defer]),
        ("Ignored by", &[Role::Ignore]),
        ("Observed by", &[Role::Observe]),
    ];
    let shown: Vec<String> = rows.into_iter().filter_map(|(what, roles)| listed(what, who(db, &mentions, roles))).collect();
    match shown.is_empty() {
        true => "Nobody sends or handles this event.".to_owned(),
        false => shown.join("  \n"),
    }
}

fn machine_facts<'db>(db: &'db dyn Db, decl: Decl<'db>, target: &Target<'db>) -> Option<String> {
    let mentions = mentions_of(db, target);
    let takes = match machine_info(db, decl).constructor() {
        Ty::Null | Ty::Error => None,
        ty => Some(format!("Takes a value of type `{ty}` when it is created.")),
    };
    let rows =
        [listed("Created by", who(db, &mentions, &[Role::Create])), listed("Started by", who(db, &mentions, &[Role::Start]))];
    let shown: Vec<String> = takes.into_iter().chain(rows.into_iter().flatten()).collect();
    (!shown.is_empty()).then(|| shown.join("  \n"))
}

fn listed(what: &str, who: Vec<String>) -> Option<String> {
    (!who.is_empty()).then(|| format!("{what} {}", who.join(", ")))
}

/// The declarations that mention something in one of these roles, each once with how often if more than once, by name.
fn who(db: &dyn Db, mentions: &[Mention<'_>], roles: &[Role]) -> Vec<String> {
    let mut counts: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for mention in mentions.iter().filter(|mention| roles.contains(&mention.role)) {
        *counts.entry(quoted(db, mention.owner)).or_default() += 1;
    }
    counts.into_iter().map(|(name, count)| if count == 1 { name } else { format!("{name} ({count}×)") }).collect()
}

fn quoted(db: &dyn Db, decl: Decl<'_>) -> String {
    format!("`{}`", decl.name(db))
}

fn is_foreign(db: &dyn Db, decl: Decl<'_>) -> bool {
    matches!(&decl.shape(db).0.decl, AstDecl::Function(function) if matches!(function.code, FunctionCode::Foreign { .. }))
}

/// What a hot or cold state demands.
fn temperature(db: &dyn Db, machine: Decl<'_>, state: &str) -> Option<String> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(ast) = &item.decl else { return None };
    let state = ast.states.iter().find(|known| item.nodes[known.name].as_str() == state)?;
    let sentence = match (ast.kind, state.temperature?) {
        (MachineKind::Machine, _) => "Only specs and scenarios give a meaning to hot and cold states.",
        (MachineKind::Spec, Temperature::Hot) => {
            "Hot: something good is still owed. A run that ends here, or stays here for ever, violates the spec."
        }
        (MachineKind::Spec, Temperature::Cold) => "Cold: nothing is owed here; a run may stay for ever.",
        (MachineKind::Scenario, Temperature::Hot) => "Hot: the scenario is not complete yet.",
        (MachineKind::Scenario, Temperature::Cold) => "Cold: the scenario has happened.",
    };
    Some(sentence.to_owned())
}
