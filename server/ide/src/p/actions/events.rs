//! Lists of events: what machines say they send and receive, what specs observe.

use lockstep_base::{Diagnostic, Edit, TextRange};
use lockstep_program::{Db, Decl, Space, interface_events, lookup, machine_info, ty::Events};
use lockstep_syntax::p::ast::{Decl as AstDecl, EventRef, Expr, Item, Placed};

use super::super::names::items;
use super::Proposal;
use super::site::{Site, insert};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    match finding.code {
        "LS1205" => observed(site, finding).into_iter().collect(),
        "LS1206" => not_observed(site, finding).into_iter().collect(),
        "LS1320" => sent(site, finding).into_iter().collect(),
        "LS0607" => received(site, finding).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn observed(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let event = site.slice(finding.range);
    let edit = listed(unit.item, &unit.machine()?.observes, std::slice::from_ref(&event))?;
    Some(site.fix(format!("observe `{event}`"), [edit]).preferred())
}

fn not_observed(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let ranges: Vec<TextRange> = unit.machine()?.observes.iter().map(|event| unit.range(event.name)).collect();
    let index = ranges.iter().position(|range| *range == finding.range)?;
    let is_alone = !super::remove::is_independent(site, finding.range);
    let edit = site.removal_from_list(&ranges, index).filter(|_| !is_alone)?;
    Some(site.fix(format!("do not observe `{}`", site.slice(finding.range)), [edit]))
}

fn sent(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.code(finding.range)?;
    let event = match unit.expr(finding.range)?.1 {
        Expr::Name(name) => unit.nodes[*name].as_str(),
        Expr::Halt => "halt",
        _ => return None,
    };
    let sends = unit.machine()?.sends.as_ref()?;
    let edit = match sends.is_empty() {
        false => listed(unit.item, sends, &[event.to_owned()])?,
        // `sends;`
        true => {
            let head = TextRange::new(unit.whole().start(), unit.item_range(unit.machine()?.states.first()?.part).start());
            let text = site.slice(head);
            let at = text.find("sends;")? + "sends".len();
            insert(head.start() + super::site::size(at), format!(" {event}"))
        }
    };
    Some(site.fix(format!("say that the machine sends `{event}`"), [edit]).preferred())
}

/// The events of an interface, for the machine behind it.
fn received(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let binding = site.slice(finding.range);
    let (machine, interface) = binding.split_once("->")?;
    let find = |name: &str| lookup(site.db, site.project(), Space::Type, name.trim()).map(|def| def.decl);
    let (machine, interface) = (find(machine)?, find(interface)?);
    let wanted = match &interface.shape(site.db).0.decl {
        AstDecl::Interface { .. } => interface_events(site.db, interface),
        _ => &machine_info(site.db, interface).receives,
    };
    let Events::Only(wanted) = wanted else { return None };
    let missing: Vec<String> =
        wanted.iter().filter(|event| !machine_info(site.db, machine).receives.contains(event)).map(ToString::to_string).collect();
    let item = item_of(site.db, machine)?;
    let AstDecl::Machine(ast) = &item.value.decl else { return None };
    let edit = listed(item, ast.receives.as_ref()?, &missing).filter(|_| !missing.is_empty())?;
    let title = format!("let `{}` receive `{}`", machine.name(site.db), missing.join("`, `"));
    let mut fix = site.fix(title, []).preferred();
    fix.edits.push((machine.file(site.db).file(site.db), edit));
    Some(fix)
}

/// The text of a declaration.
pub(super) fn item_of<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Option<&'db Placed<Item>> {
    items(db, decl.file(db)).find(|(_, other)| *other == decl).map(|(item, _)| item)
}

/// Names behind the last one of a list that has any.
fn listed(item: &Placed<Item>, events: &[EventRef], added: &[String]) -> Option<Edit> {
    let last = item.value.spans[events.last()?.name] + item.start;
    Some(insert(last.end(), added.iter().map(|event| format!(", {event}")).collect::<String>()))
}
