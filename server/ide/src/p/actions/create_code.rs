//! Functions and variables made from their use.

use lockstep_base::{Edit, Fix, TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{Space, event_payload, lookup};
use lockstep_syntax::p::ast::{Expr, ExprId, HandlerKind, StateItemKind, Stmt, StmtId};

use super::Proposal;
use super::create::{below, in_machine};
use super::machines::state_item_at;
use super::site::{Site, Unit, insert, written};

/// A function of the machine, or beside the function that calls it.
pub(super) fn function(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let name = site.slice(range);
    let unit = site.item(range)?;
    let (params, result) = match site.code(range) {
        Some(code) => called(site, &code, range)?,
        None => (handler_params(site, &unit, range)?, None),
    };
    let result = result.map(|result| (format!(": {result}"), format!("\treturn default({result});")));
    let head = format!("fun {name}({}){} {{", params.join(", "), result.as_ref().map_or("", |(ty, _)| ty));
    let mut lines = vec![head];
    lines.extend(result.map(|(_, stmt)| stmt));
    lines.push("}".to_owned());
    let edit = match unit.machine() {
        Some(_) => {
            lines.insert(0, String::new());
            in_machine(site, &unit, &lines)?
        }
        None => below(site, range, &lines)?,
    };
    Some(site.fix(format!("create function `{name}`"), [edit]))
}

/// The parameters and the result of the function that is called at a place; `None` if it is not known what it should give.
fn called(site: &Site<'_>, unit: &Unit<'_>, range: TextRange) -> Option<(Vec<String>, Option<String>)> {
    let of_stmt = unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
        Stmt::Call { function, args } if unit.range(*function) == range => Some(args),
        _ => None,
    });
    let of_expr = unit.nodes.exprs.iter().find_map(|(id, expr)| match expr {
        Expr::Call { function, args } if unit.range(*function) == range => Some((id, args)),
        _ => None,
    });
    let result = match of_expr {
        Some((id, _)) => Some(written(&wanted_type(site, unit, id)?)?),
        None => None,
    };
    let types = unit.types(site.db);
    let mut params: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (arg, number) in of_stmt.or(of_expr.map(|(_, args)| args))?.iter().zip(1..) {
        let ty = written(types.get(arg)?)?;
        let wish = match &unit.nodes[*arg] {
            Expr::Name(name) | Expr::Field { field: name, .. } => unit.nodes[*name].as_str().to_owned(),
            _ => String::new(),
        };
        let is_free =
            !wish.is_empty() && !names.contains(&wish) && lookup(site.db, site.project(), Space::Param, &wish).is_none();
        let is_member = unit.machine().is_some_and(|machine| {
            machine.vars.iter().flat_map(|var| &var.names).any(|name| unit.item.value.nodes[*name].as_str() == wish)
        });
        let name = if is_free && !is_member { wish } else { format!("value{number}") };
        params.push(format!("{name}: {ty}"));
        names.push(name);
    }
    Some((params, result))
}

/// What type an expression should have, from where it stands.
fn wanted_type(site: &Site<'_>, unit: &Unit<'_>, id: ExprId) -> Option<Ty> {
    let types = unit.types(site.db);
    unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
        Stmt::Assign { target, value } if *value == id => types.get(target).cloned(),
        Stmt::If { condition, .. } | Stmt::While { condition, .. } | Stmt::Assert { condition, .. } if *condition == id => {
            Some(Ty::Bool)
        }
        Stmt::Print { message } if *message == id => Some(Ty::String),
        _ => None,
    })
}

/// What the function of a handler takes: what the event carries.
fn handler_params(site: &Site<'_>, unit: &Unit<'_>, range: TextRange) -> Option<Vec<String>> {
    let item = state_item_at(unit, range)?;
    let HandlerKind::Named(name) = item.handler()?.kind else { return None };
    if unit.range(name) != range {
        return None;
    }
    let (StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. }) = &item.kind else { return Some(Vec::new()) };
    let [event] = &events[..] else { return Some(Vec::new()) };
    let def = lookup(site.db, site.project(), Space::Event, unit.nodes[event.name].as_str());
    let payload = def.filter(|def| def.part.is_none()).map(|def| event_payload(site.db, def.decl));
    match payload {
        Some(Ty::Null) | None => Some(Vec::new()),
        Some(payload) => Some(vec![format!("value: {}", written(payload)?)]),
    }
}

/// A variable of the function, where its type follows from what is assigned to it.
pub(super) fn variable(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let unit = site.code(range)?;
    let types = unit.types(site.db);
    let ty = unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
        Stmt::Assign { target, value } if unit.range(*target) == range && is_name(&unit, *target) => types.get(value).cloned(),
        Stmt::Foreach { variable, collection, .. } if unit.range(*variable) == range => match types.get(collection)? {
            Ty::Seq(element) | Ty::Set(element) => Some((**element).clone()),
            _ => None,
        },
        _ => None,
    })?;
    let name = site.slice(range);
    let edit = var_at_top(site, &unit, &format!("var {name}: {};", written(&ty)?))?;
    Some(site.fix(format!("declare variable `{name}`"), [edit]).preferred())
}

fn is_name(unit: &Unit<'_>, id: ExprId) -> bool {
    matches!(unit.nodes[id], Expr::Name(_))
}

/// A line behind the variables of a piece of code.
fn var_at_top(site: &Site<'_>, unit: &Unit<'_>, line: &str) -> Option<Edit> {
    let block = &unit.item.value.bodies.get(unit.body? as usize)?.value.block;
    let first: Option<StmtId> = block.stmts.first().copied();
    if let Some(last) = block.vars.last() {
        let end = unit.range(last.part).end();
        return Some(insert(end, format!("\n{}{line}", site.indent(end))));
    }
    let start = unit.range(first?).start();
    match site.line_before(start).trim().is_empty() {
        true => {
            let indent = site.indent(start);
            Some(insert(start - TextSize::of(indent.as_str()), format!("{indent}{line}\n")))
        }
        false => Some(insert(start, format!("{line} "))),
    }
}

/// Whether a fix takes for the variable of a loop what the loop goes through: `foreach (number in numbers)` has a similar name at hand,
/// which is not the one that is meant.
pub(super) fn is_of_own_loop(site: &Site<'_>, range: TextRange, fix: &Fix) -> bool {
    let Some(unit) = site.code(range) else { return false };
    unit.nodes.stmts.iter().any(|(_, stmt)| match stmt {
        Stmt::Foreach { variable, collection, .. } if unit.range(*variable) == range => {
            let collection = site.slice(unit.range(*collection));
            fix.edits.iter().any(|edit| collection.contains(edit.insert.as_str()))
        }
        _ => false,
    })
}
