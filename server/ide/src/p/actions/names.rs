//! Names that cannot stay, and names that were perhaps meant.

use lockstep_base::{Diagnostic, Edit};
use lockstep_program::{DeclKind, Target};

use super::super::names::name_at;
use super::super::rename::rename;
use super::site::{Site, replace};
use super::{ActionKind, Proposal};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    match finding.code {
        "LS0005" | "LS1218" | "LS1312" | "LS1313" | "LS1319" => renamed(site, finding).into_iter().collect(),
        // A fix of one name is there already, and what is no name is the business of `syntax`.
        code if finding.fix.is_none() && code > "LS01" => similar(site, finding),
        _ => Vec::new(),
    }
}

/// Another name in the whole project, made after the habits of P: `eLock` for an event, `tLock` for a type.
fn renamed(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let name = name_at(site.db, site.file, finding.range.start()).filter(|name| name.range == finding.range)?;
    let old = site.slice(name.range);
    let mut letters = old.chars();
    let capital: String = letters.next()?.to_uppercase().chain(letters).collect();
    let kind = match &name.target {
        Target::Global(def) => Some(def.decl.kind(site.db)),
        _ => None,
    };
    let wish = match kind {
        Some(DeclKind::Event) => format!("e{capital}"),
        Some(DeclKind::Type | DeclKind::Enum) => format!("t{capital}"),
        Some(DeclKind::Test) => format!("tc{capital}"),
        Some(DeclKind::Module) => format!("m{capital}"),
        Some(_) if capital != old => capital,
        _ => format!("my{capital}"),
    };
    let new = site.free_name(&wish);
    let places = rename(site.db, site.file, finding.range.start(), &new).ok()?;
    let edits = places.into_iter().map(|place| (place.file, Edit { range: place.range, insert: new.clone() })).collect();
    Some(Proposal { title: format!("rename it to `{new}` everywhere"), kind: ActionKind::Fix, is_preferred: true, edits })
}

/// One fix for each name that the check thinks of.
fn similar(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let help = finding.help.as_deref().unwrap_or_default();
    let Some(names) = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?")) else { return Vec::new() };
    let fix = |name: &str| site.fix(format!("replace it by `{name}`"), [replace(finding.range, name)]);
    names.split("` or `").map(fix).collect()
}
