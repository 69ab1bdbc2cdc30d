//! What is said about the name at a place.

use lockstep_base::TextSize;
use lockstep_program::{Db, Decl, DeclKind, MemberKind, ProjectFile, Role, Target};
use lockstep_syntax::p::ast::{Decl as AstDecl, MachineKind, Temperature};

use super::describe;
use super::names::{FilePlace, item_at, name_at, names_of};
use crate::Hover;

pub fn hover<'db>(db: &'db dyn Db, file: ProjectFile<'db>, offset: TextSize) -> Option<Hover> {
    let name = name_at(db, file, offset)?;
    let mut markdown = format!("```p\n{}\n```", describe::code(db, &name.target)?);
    if let Target::Member { machine, .. } = &name.target {
        markdown += &format!("\n\nof `{}`", machine.name(db));
    }
    let mut add = |text: Option<String>| markdown += &text.map_or_else(String::new, |text| format!("\n\n{text}"));
    add(describe::comment(db, &name.target));
    match &name.target {
        Target::Global(def) if def.decl.kind(db) == DeclKind::Event && def.part.is_none() => {
            add(event_traffic(db, file, &name.target));
        }
        Target::Global(def) if def.decl.kind(db) == DeclKind::Machine => add(creators(db, file, &name.target)),
        Target::Member { machine, kind: MemberKind::State, name } => add(temperature(db, *machine, name)),
        _ => {}
    }
    Some(Hover { range: name.range, markdown })
}

/// Who sends an event, who handles it, who watches it.
fn event_traffic<'db>(db: &'db dyn Db, file: ProjectFile<'db>, target: &Target<'db>) -> Option<String> {
    let mentions = names_of(db, file, target);
    let who =
        |roles: &[Role]| owners(db, file, mentions.iter().filter(|(_, role)| roles.contains(role)).map(|(place, _)| *place));
    let rows = [
        ("Sent by", who(&[Role::Send])),
        ("Announced by", who(&[Role::Announce])),
        ("Raised by", who(&[Role::Raise])),
        ("Handled by", who(&[Role::Handle])),
        ("Deferred by", who(&[Role::Defer])),
        ("Ignored by", who(&[Role::Ignore])),
        ("Observed by", who(&[Role::Observe])),
    ];
    let shown: Vec<String> =
        rows.into_iter().filter(|(_, who)| !who.is_empty()).map(|(what, who)| format!("{what} {}", who.join(", "))).collect();
    match shown.is_empty() {
        true => Some("Nobody sends or handles this event.".to_owned()),
        false => Some(shown.join("  \n")),
    }
}

fn creators<'db>(db: &'db dyn Db, file: ProjectFile<'db>, target: &Target<'db>) -> Option<String> {
    let created = names_of(db, file, target).into_iter().filter(|(_, role)| *role == Role::Create).map(|(place, _)| place);
    let who = owners(db, file, created);
    (!who.is_empty()).then(|| format!("Created by {}", who.join(", ")))
}

/// The declarations around some places, each once with how often if more than once, in order of their names.
fn owners<'db>(db: &'db dyn Db, file: ProjectFile<'db>, places: impl Iterator<Item = FilePlace>) -> Vec<String> {
    let mut counts: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for place in places {
        let Some(owner) = owner(db, file, place) else { continue };
        *counts.entry(owner.name(db).to_string()).or_default() += 1;
    }
    counts
        .into_iter()
        .map(|(name, count)| if count == 1 { format!("`{name}`") } else { format!("`{name}` ({count}×)") })
        .collect()
}

fn owner<'db>(db: &'db dyn Db, file: ProjectFile<'db>, place: FilePlace) -> Option<Decl<'db>> {
    let member = file.project(db).files(db).iter().find(|member| member.file == place.file)?;
    let file = ProjectFile::new(db, file.project(db), member.file, member.is_included);
    item_at(db, file, place.range.start()).map(|(_, decl)| decl)
}

/// What a hot or cold state demands.
fn temperature(db: &dyn Db, machine: Decl<'_>, state: &str) -> Option<String> {
    let item = &machine.shape(db).0;
    let AstDecl::Machine(ast) = &item.decl else { return None };
    let state = ast.states.iter().find(|known| item.nodes[known.name].as_str() == state)?;
    match (ast.kind, state.temperature?) {
        (MachineKind::Machine, _) => Some("Only specs and scenarios give a meaning to hot and cold states.".to_owned()),
        (MachineKind::Spec, Temperature::Hot) => {
            Some("Hot: something good is still owed. A run that ends here, or stays here for ever, violates the spec.".to_owned())
        }
        (MachineKind::Spec, Temperature::Cold) => Some("Cold: nothing is owed here; a run may stay for ever.".to_owned()),
        (MachineKind::Scenario, Temperature::Hot) => Some("Hot: the scenario is not complete yet.".to_owned()),
        (MachineKind::Scenario, Temperature::Cold) => Some("Cold: the scenario has happened.".to_owned()),
    }
}
