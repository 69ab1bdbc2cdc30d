//! Statements that are selected, as a function of their own.
//!
//! What they read of the variables around them becomes a parameter. P passes values, so of what they change only one variable can be
//! needed afterwards: it is the result. Variables that nothing else mentions move into the function.

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_program::{Role, Target, place_range};
use lockstep_syntax::p::ast::{Block, Expr, Stmt, StmtId};

use super::super::declared::{declared_at, declared_type};
use super::super::names::item_names;
use super::create::{below, in_machine};
use super::site::{Site, Unit, replace};
use super::{ActionKind, Proposal};

pub(super) fn changes(site: &Site<'_>, within: TextRange) -> Vec<Proposal> {
    if within.is_empty() {
        return Vec::new();
    }
    extracted(site, within).into_iter().collect()
}

fn extracted(site: &Site<'_>, within: TextRange) -> Option<Proposal> {
    let selected = trimmed(site, within);
    let unit = site.code(selected)?;
    let (first, last) = selected_statements(&unit, selected)?;
    let range = TextRange::new(unit.range(first).start(), unit.range(last).end());
    if !can_move(&unit, range) {
        return None;
    }
    let variables = variables(site, &unit, range)?;
    let mut results = variables.iter().filter(|variable| variable.is_changed && variable.is_needed_after);
    let result = match (results.next(), results.next()) {
        (result, None) => result,
        _ => return None,
    };
    let name = site.free_name(if unit.machine().is_some() { "Extracted" } else { "extracted" });
    let params: Vec<&Variable> = variables.iter().filter(|variable| !variable.is_inner).collect();
    let head: Vec<String> = params.iter().map(|variable| format!("{}: {}", variable.name, variable.ty)).collect();
    let ty = result.map_or(String::new(), |result| format!(": {}", result.ty));
    let mut lines = vec![format!("fun {name}({}){ty} {{", head.join(", "))];
    let inner = variables.iter().filter(|variable| variable.is_inner);
    lines.extend(inner.map(|variable| format!("\tvar {}: {};", variable.name, variable.ty)));
    lines.extend(moved(site, range));
    lines.extend(result.map(|result| format!("\treturn {};", result.name)));
    lines.push("}".to_owned());
    let function = match unit.machine() {
        Some(_) => {
            lines.insert(0, String::new());
            in_machine(site, &unit, &lines)?
        }
        None => below(site, range, &lines)?,
    };
    let given: Vec<&str> = params.iter().map(|variable| variable.name.as_str()).collect();
    let call = format!("{name}({});", given.join(", "));
    let call = result.map_or(call.clone(), |result| format!("{} = {call}", result.name));
    let mut edits = vec![replace(range, call), function];
    for variable in variables.iter().filter(|variable| variable.is_inner) {
        edits.push(undeclared(site, &unit, variable)?);
    }
    Some(site.fix(format!("extract function `{name}`"), edits).kind(ActionKind::Extract))
}

/// Without the white space at its ends.
fn trimmed(site: &Site<'_>, range: TextRange) -> TextRange {
    let text = site.slice(range);
    let start = range.start() + super::site::size(text.len() - text.trim_start().len());
    let end = range.end() - super::site::size(text.len() - text.trim_end().len());
    if start <= end { TextRange::new(start, end) } else { TextRange::empty(range.start()) }
}

/// The lists of statements in a piece of code.
fn lists<'db>(unit: &Unit<'db>) -> Vec<&'db [StmtId]> {
    let body = unit.body.and_then(|body| unit.item.value.bodies.get(body as usize));
    let mut lists: Vec<&[StmtId]> = body.map(|body| &body.value.block.stmts[..]).into_iter().collect();
    for (_, stmt) in unit.nodes.stmts.iter() {
        match stmt {
            Stmt::Compound(stmts) => lists.push(stmts),
            Stmt::Receive { cases } => lists.extend(cases.iter().map(|case: &_| {
                let block: &Block = &case.block;
                &block.stmts[..]
            })),
            _ => {}
        }
    }
    lists
}

/// The first and last of the statements that are exactly what is selected.
fn selected_statements(unit: &Unit<'_>, selected: TextRange) -> Option<(StmtId, StmtId)> {
    lists(unit).into_iter().find_map(|list| {
        let first = list.iter().find(|stmt| unit.range(**stmt).start() == selected.start())?;
        let last = list.iter().find(|stmt| unit.range(**stmt).end() == selected.end())?;
        (unit.range(*first).start() <= unit.range(*last).start()).then_some((*first, *last))
    })
}

/// Whether the statements do nothing to the code around them but change variables.
fn can_move(unit: &Unit<'_>, range: TextRange) -> bool {
    let mut inside = unit.nodes.stmts.iter().filter(|(id, _)| range.contains_range(unit.range(*id)));
    inside.all(|(_, stmt)| {
        !matches!(
            stmt,
            Stmt::Return { .. }
                | Stmt::Break
                | Stmt::Continue
                | Stmt::Goto { .. }
                | Stmt::Raise { .. }
                | Stmt::Receive { .. }
                | Stmt::Missing
        )
    }) && unit.nodes.exprs.iter().filter(|(id, _)| range.contains_range(unit.range(*id))).all(|(_, expr)| *expr != Expr::Missing)
}

struct Variable {
    name: String,
    ty: String,
    declared: TextRange,
    is_changed: bool,
    is_needed_after: bool,
    /// Nothing outside of the statements mentions it.
    is_inner: bool,
}

/// The variables of the function that the statements mention. `None` if one of them belongs to a smaller piece of code.
fn variables(site: &Site<'_>, unit: &Unit<'_>, range: TextRange) -> Option<Vec<Variable>> {
    let mut names = item_names(site.db, unit.item, unit.decl);
    names.retain(|name| matches!(name.target, Target::Local { .. }));
    names.sort_by_key(|name| name.range.start());
    let mut seen: Vec<&Target<'_>> = Vec::new();
    let mut found = Vec::new();
    // In a loop, what stands above the statements is run after them.
    let is_loop = unit.nodes.stmts.iter().any(|(id, stmt)| {
        matches!(stmt, Stmt::While { .. } | Stmt::Foreach { .. })
            && unit.range(id).contains_range(range)
            && unit.range(id) != range
    });
    for name in names.iter().filter(|name| range.contains_range(name.range)) {
        if seen.contains(&&name.target) {
            continue;
        }
        seen.push(&name.target);
        let mentions: Vec<_> = names.iter().filter(|other| other.target == name.target).collect();
        let is_inside = |place: TextRange| range.contains_range(place);
        let outside = || mentions.iter().filter(|other| other.role != Role::Declare && !is_inside(other.range));
        let declared = declared_at(site.db, &name.target)?.range;
        let ty = declared_type(site.db, &name.target)?;
        let ty = site.slice(place_range(site.db, unit.decl, ty.place())?);
        if is_inside(declared) || ty.contains('\n') {
            return None;
        }
        let is_parameter = !unit.code_range().contains_range(declared);
        found.push(Variable {
            name: site.slice(name.range),
            ty,
            declared,
            is_changed: mentions.iter().any(|other| other.role == Role::Write && is_inside(other.range)),
            is_needed_after: outside().any(|other| is_loop || other.range.start() >= range.end()),
            is_inner: outside().next().is_none() && !is_parameter,
        });
    }
    Some(found)
}

/// The lines of statements, one step deeper than the function that they become.
fn moved(site: &Site<'_>, range: TextRange) -> Vec<String> {
    let indent = site.indent(range.start());
    let text = site.slice(range);
    text.lines()
        .map(|line| {
            let line = line.trim_end();
            let rest = line.strip_prefix(indent.as_str()).unwrap_or_else(|| line.trim_start());
            if rest.is_empty() { String::new() } else { format!("\t{rest}") }
        })
        .collect()
}

/// Removes the declaration of a variable of the function.
fn undeclared(site: &Site<'_>, unit: &Unit<'_>, variable: &Variable) -> Option<Edit> {
    removed_variable(site, unit, variable.declared)
}

/// Removes the declaration of the variable whose name is declared at a place.
pub(super) fn removed_variable(site: &Site<'_>, unit: &Unit<'_>, declared: TextRange) -> Option<Edit> {
    let body = &unit.item.value.bodies.get(unit.body? as usize)?.value;
    let var = body.block.vars.iter().find(|var| unit.range(var.part).contains_range(declared))?;
    let ranges: Vec<TextRange> = var.names.iter().map(|name| unit.range(*name)).collect();
    let index = ranges.iter().position(|range| *range == declared)?;
    site.removal_from_list(&ranges, index).or_else(|| Some(site.removal(with_semicolon(site, unit.range(var.part)))))
}

fn with_semicolon(site: &Site<'_>, range: TextRange) -> TextRange {
    let rest = site.line_after(range.end());
    match rest.trim_start().starts_with(';') && !site.slice(range).ends_with(';') {
        true => {
            let blank = rest.len() - rest.trim_start().len();
            TextRange::new(range.start(), range.end() + super::site::size(blank) + TextSize::of(';'))
        }
        false => range,
    }
}
