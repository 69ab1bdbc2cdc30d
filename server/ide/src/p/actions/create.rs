//! Declarations made from their use: events, states, machines; functions and variables are in `create_code`.

use lockstep_base::{Diagnostic, Edit, TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_syntax::p::ast::{Decl as AstDecl, Expr, ExprId, HandlerKind, StateItemKind, Stmt};

use super::Proposal;
use super::create_code;
use super::machines::state_item_at;
use super::site::{Site, Unit, insert, written};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    // Where the name stands for something else, a second meaning helps nobody.
    if !finding.message.starts_with("there is n") {
        return Vec::new();
    }
    let fix = match finding.code {
        "LS0106" => event(site, finding.range),
        "LS0107" => create_code::function(site, finding.range),
        "LS0108" => state(site, finding.range),
        "LS0109" | "LS0602" => machine(site, finding.range),
        "LS0110" => event_of_send(site, finding.range).or_else(|| create_code::variable(site, finding.range)),
        _ => None,
    };
    fix.into_iter().collect()
}

/// The type of several values that are sent together; `Some(None)` if there are none.
pub(super) fn payload_type(site: &Site<'_>, unit: &Unit<'_>, values: &[ExprId]) -> Option<Option<String>> {
    let types = unit.types(site.db);
    let all: Vec<&Ty> = values.iter().filter_map(|value| types.get(value)).collect();
    match &all[..] {
        [] if values.is_empty() => Some(None),
        [one] => written(one).map(Some),
        several if several.len() == values.len() => {
            written(&Ty::Tuple(several.iter().map(|ty| (*ty).clone()).collect())).map(Some)
        }
        _ => None,
    }
}

/// An unknown name where an event is sent, raised or announced.
fn event_of_send(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let unit = site.code(range)?;
    let is_name = matches!(unit.expr(range)?.1, Expr::Name(_));
    let payload = unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
        Stmt::Send { event, payload, .. } | Stmt::Raise { event, payload } | Stmt::Announce { event, payload } => {
            (unit.range(*event) == range).then_some(payload)
        }
        _ => None,
    })?;
    let ty = payload_type(site, &unit, payload)?;
    is_name.then(|| declared_event(site, range, ty))?
}

/// An unknown event where events are listed or handled.
fn event(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let unit = site.item(range)?;
    let handler =
        state_item_at(&unit, range).filter(|item| matches!(item.kind, StateItemKind::OnDo { .. } | StateItemKind::OnGoto { .. }));
    let param = match handler.and_then(|item| item.handler()).map(|handler| handler.kind) {
        Some(HandlerKind::Inline { param, .. }) => param.map(|param| site.slice(unit.range(param.ty))),
        // What a function takes is for `HandlerPayload` to say.
        Some(HandlerKind::Named(_) | HandlerKind::Missing) => return None,
        None => case_param(site, range),
    };
    declared_event(site, range, param)
}

/// The type of the value of the receive case with the event at a place.
fn case_param(site: &Site<'_>, range: TextRange) -> Option<String> {
    let unit = site.code(range)?;
    unit.nodes.stmts.iter().find_map(|(_, stmt)| {
        let Stmt::Receive { cases } = stmt else { return None };
        let case = cases.iter().find(|case| case.events.iter().any(|event| unit.range(event.name) == range))?;
        case.param.map(|param| site.slice(unit.range(param.ty)))
    })
}

/// Behind the last event of the file, or above the declaration that mentions it.
fn declared_event(site: &Site<'_>, range: TextRange, payload: Option<String>) -> Option<Proposal> {
    let name = site.slice(range);
    let line = match payload {
        Some(payload) => format!("event {name}: {payload};"),
        None => format!("event {name};"),
    };
    let unit = site.item(range)?;
    let items = &site.parse.p()?.items;
    let last = items.iter().rfind(|item| matches!(item.value.decl, AstDecl::Event { .. }) && item.start < unit.item.start);
    let edit = match last {
        Some(last) => insert(last.start + last.value.len, format!("\n{line}")),
        None => site.above(unit.item.start, &[line, String::new()]),
    };
    Some(site.fix(format!("create event `{name}`"), [edit]))
}

/// Behind the last state of the machine.
fn state(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let unit = site.item(range)?;
    let name = site.slice(range);
    let entry = match site.code(range) {
        Some(code) => {
            let stmts = code.nodes.stmts.iter();
            let payload = { stmts }.find_map(|(_, stmt)| match stmt {
                Stmt::Goto { target, payload } if code.range(*target) == range => Some(payload),
                _ => None,
            })?;
            payload_type(site, &code, payload)?
        }
        None => None,
    };
    let mut lines = vec![String::new(), format!("state {name} {{")];
    lines.extend(entry.map(|ty| format!("\tentry (value: {ty}) {{ }}")));
    lines.push("}".to_owned());
    let edit = in_machine(site, &unit, &lines)?;
    Some(site.fix(format!("create state `{name}`"), [edit]))
}

/// Members at the end of a machine.
pub(super) fn in_machine(site: &Site<'_>, unit: &Unit<'_>, lines: &[String]) -> Option<Edit> {
    unit.machine()?;
    let brace = unit.whole().end().checked_sub(TextSize::of('}'))?;
    (site.slice(TextRange::new(brace, unit.whole().end())) == "}").then(|| site.at_end_of_block(unit.item.start, brace, lines))
}

/// Below the declaration that mentions it.
fn machine(site: &Site<'_>, range: TextRange) -> Option<Proposal> {
    let name = site.slice(range);
    let entry = match site.code(range) {
        Some(unit) => {
            let of_stmt = unit.nodes.stmts.iter().find_map(|(_, stmt)| match stmt {
                Stmt::New { interface, args } if unit.range(*interface) == range => Some(args),
                _ => None,
            });
            let of_expr = unit.nodes.exprs.iter().find_map(|(_, expr)| match expr {
                Expr::New { interface, args } if unit.range(*interface) == range => Some(args),
                _ => None,
            });
            payload_type(site, &unit, of_stmt.or(of_expr)?)?
        }
        None => None,
    };
    let mut lines = vec![format!("machine {name} {{"), "\tstart state Init {".to_owned()];
    lines.extend(entry.map(|ty| format!("\t\tentry (value: {ty}) {{ }}")));
    lines.extend(["\t}".to_owned(), "}".to_owned()]);
    Some(site.fix(format!("create machine `{name}`"), [below(site, range, &lines)?]))
}

/// A declaration below the one around a place, with an empty line between them.
pub(super) fn below(site: &Site<'_>, range: TextRange, lines: &[String]) -> Option<Edit> {
    let end = site.item(range)?.whole().end();
    let step = site.step();
    let written: String = lines
        .iter()
        .map(|line| {
            let text = line.trim_start_matches('\t');
            format!("\n{}{text}", step.repeat(line.len() - text.len()))
        })
        .collect();
    Some(insert(end, format!("\n{written}")))
}
