//! What is of no use is taken away, if nothing else loses its use with it.

use lockstep_base::{Diagnostic, TextRange, TextSize};
use lockstep_program::{Role, project_errors};
use lockstep_syntax::p::ast::{HandlerKind, StateItemKind, Stmt};
use rustc_hash::FxHashSet;

use super::super::mentions::mentions_of_all;
use super::super::names::{item_names, items};
use super::Proposal;
use super::site::{Site, replace, size};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let fix = match finding.code {
        "LS1002" => comment(site, finding),
        "LS1105" => function(site, finding).or_else(|| declaration(site, finding, "function")),
        "LS1106" => declaration(site, finding, "event"),
        "LS1107" => declaration(site, finding, "type"),
        "LS1108" => declaration(site, finding, "event set"),
        "LS1109" => declaration(site, finding, "interface"),
        "LS1110" => declaration(site, finding, "module"),
        "LS1111" => state(site, finding),
        "LS1112" => parameter(site, finding),
        "LS1113" => unreachable(site, finding),
        "LS1217" => statement(site, finding),
        _ => None,
    };
    fix.into_iter().collect()
}

/// Whether each name in a range is mentioned in the same way elsewhere, or declared in the range and mentioned nowhere else. So nothing
/// that was used is unused without it, and nothing is missed.
pub(super) fn is_independent(site: &Site<'_>, range: TextRange) -> bool {
    let mut names = Vec::new();
    for (item, decl) in items(site.db, site.file) {
        if TextRange::at(item.start, item.value.len).intersect(range).is_some_and(|both| !both.is_empty()) {
            names.extend(item_names(site.db, item, decl).into_iter().filter(|name| range.contains_range(name.range)));
        }
    }
    let mut seen = FxHashSet::default();
    let targets: Vec<_> = names.iter().map(|name| name.target.clone()).filter(|target| seen.insert(target.clone())).collect();
    let mentions = mentions_of_all(site.db, &targets);
    let input = site.input();
    names.iter().all(|name| {
        let Some(index) = targets.iter().position(|target| *target == name.target) else { return false };
        let is_inside = |place: &super::super::names::FilePlace| place.file == input && range.contains_range(place.range);
        if mentions[index].iter().any(|mention| mention.role == Role::Declare && is_inside(&mention.place)) {
            return mentions[index].iter().all(|mention| is_inside(&mention.place));
        }
        // A list says nothing about what is done with its events.
        let is_like = |role: Role| if name.role == Role::List { role != Role::Declare } else { role == name.role };
        mentions[index].iter().any(|mention| is_like(mention.role) && !is_inside(&mention.place))
    })
}

/// A declaration with the comments above it, and one of the empty lines around it.
fn with_comments(site: &Site<'_>, range: TextRange) -> TextRange {
    let start = site.start_with_comments(range.start());
    // What stands above all declarations is often about the whole file.
    let is_first = site.slice(TextRange::new(TextSize::from(0), start)).trim().is_empty();
    let start = if is_first { range.start() } else { start };
    let whole = site.with_line(range);
    if whole.start() > range.start() || !site.line_before(start).trim().is_empty() {
        return whole;
    }
    let whole = TextRange::new(start.min(whole.start()), whole.end());
    let is_empty = |line: u32| line < site.text.line_count() && site.line_after(site.text.line_start(line)).trim().is_empty();
    let (above, below) = (site.text.line_of(whole.start()), site.text.line_of(whole.end()));
    let is_first = above == 0 || is_empty(above - 1);
    match is_first && is_empty(below) && below + 1 < site.text.line_count() {
        true => TextRange::new(whole.start(), site.text.line_start(below + 1)),
        false => whole,
    }
}

fn removed(site: &Site<'_>, what: &str, range: TextRange) -> Option<Proposal> {
    let fix =
        is_independent(site, range).then(|| site.fix(format!("remove the {what}"), [replace(with_comments(site, range), "")]))?;
    // As long as there are errors, one of them may be why nobody seems to use it.
    Some(if project_errors(site.db, site.project()) == 0 { fix.preferred() } else { fix })
}

fn declaration(site: &Site<'_>, finding: &Diagnostic, what: &str) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let name = unit.item.value.name()?;
    (unit.range(name) == finding.range).then(|| removed(site, what, unit.whole()))?
}

fn function(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let function = unit.machine()?.functions.iter().find(|function| unit.range(function.name) == finding.range)?;
    removed(site, "function", unit.range(function.part))
}

fn state(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let state = unit.machine()?.states.iter().find(|state| unit.range(state.name) == finding.range)?;
    removed(site, "state", unit.range(state.part))
}

/// What an event carries need not be taken; what an entry takes, others give.
fn parameter(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let item = super::machines::state_item_at(&unit, finding.range)?;
    if !matches!(item.kind, StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. }) {
        return None;
    }
    let handler = item.handler()?;
    let HandlerKind::Inline { param: Some(param), body } = handler.kind else { return None };
    if unit.range(param.name) != finding.range {
        return None;
    }
    let code = super::site::bodies(unit).nth(body.0 as usize)?.code_range();
    let range = TextRange::new(unit.range(handler.part).start(), code.start());
    let is_plain = !site.slice(range).contains("//") && !site.slice(range).contains("/*");
    (is_plain && is_independent(site, range)).then(|| site.fix("remove the parameter", [replace(range, "")]).preferred())
}

fn unreachable(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    site.code(finding.range)?;
    let is_whole = site.slice(finding.range).ends_with([';', '}']);
    (is_whole && is_independent(site, finding.range)).then(|| site.fix("remove it", [site.removal(finding.range)]).preferred())
}

fn statement(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.code(finding.range)?;
    let (id, _) = unit.stmt(finding.range)?;
    // The body of an `if` or a loop cannot be left out.
    let is_body = unit.nodes.stmts.iter().any(|(_, stmt)| match stmt {
        Stmt::If { then, otherwise, .. } => *then == id || *otherwise == Some(id),
        Stmt::While { body, .. } | Stmt::Foreach { body, .. } => *body == id,
        _ => false,
    });
    (!is_body && is_independent(site, finding.range)).then(|| site.fix("remove it", [site.removal(finding.range)]).preferred())
}

/// A comment that names one code only, which is no warning.
fn comment(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let before = site.line_before(finding.range.start());
    let start = before.rfind("//")?;
    let is_only = before.ends_with('(') && site.line_after(finding.range.end()).starts_with(')');
    let line = site.text.line_start(site.text.line_of(finding.range.start()));
    let end = finding.range.end() + TextSize::of(site.line_after(finding.range.end()).as_str());
    let range = TextRange::new(line + size(start), end);
    is_only.then(|| site.fix("remove the comment", [site.removal(range)]).preferred())
}
