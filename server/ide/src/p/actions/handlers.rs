//! Handlers: what a state could say about an event, a block as a function of its own, and a function back in its place.

use lockstep_base::{Edit, TextRange};
use lockstep_program::machine_info;
use lockstep_syntax::p::ast::{FunctionCode, Handler, HandlerKind, MachineKind, State, StateItem, StateItemKind};

use super::super::mentions::mentions_of;
use super::super::names::name_at;
use super::super::unhandled::state_fixes;
use super::create::in_machine;
use super::machines::{called_in_place, state_at, state_item_at};
use super::site::{Site, Unit, bodies, replace, size};
use super::{ActionKind, Proposal};

/// How many events a state is asked about.
const MOST_EVENTS: usize = 3;

pub(super) fn changes(site: &Site<'_>, within: TextRange) -> Vec<Proposal> {
    let Some(unit) = site.item(within).filter(|unit| unit.machine().is_some()) else { return Vec::new() };
    let Some(state) = state_at(&unit, within) else { return Vec::new() };
    let Some(item) = state_item_at(&unit, within) else { return missing(site, &unit, state) };
    // In the code itself other things are meant.
    if site.code(within).is_some_and(|code| code.code_range().start() < within.start()) {
        return Vec::new();
    }
    let Some(handler) = item.handler() else { return Vec::new() };
    let change = match handler.kind {
        HandlerKind::Inline { .. } => named(site, &unit, state, item, handler),
        HandlerKind::Named(_) => in_place(site, &unit, handler),
        HandlerKind::Missing => None,
    };
    change.into_iter().collect()
}

/// The events of a state item.
fn events(item: &StateItem) -> &[lockstep_syntax::p::ast::EventRef] {
    match &item.kind {
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => events,
        StateItemKind::Ignore(events) | StateItemKind::Defer(events) => events,
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => &[],
    }
}

/// What this state could say about events that other states of the machine know.
fn missing(site: &Site<'_>, unit: &Unit<'_>, state: &State) -> Vec<Proposal> {
    let Some(machine) = unit.machine() else { return Vec::new() };
    let name = |event: &lockstep_syntax::p::ast::EventRef| unit.nodes[event.name].as_str();
    let own: Vec<&str> = state.items.iter().flat_map(events).map(name).collect();
    let mut others: Vec<&str> = Vec::new();
    for event in machine.states.iter().flat_map(|state| &state.items).flat_map(events).map(name) {
        if !own.contains(&event) && !others.contains(&event) && !event.is_empty() && event != "null" {
            others.push(event);
        }
    }
    let (machine_name, state) = (unit.nodes[machine.name].as_str(), unit.nodes[state.name].as_str());
    let is_spec = machine.kind != MachineKind::Machine;
    let fixes = others.into_iter().take(MOST_EVENTS).flat_map(|event| {
        // A spec has no queue to keep events in.
        state_fixes(site.parse, machine_name, state, event).into_iter().take(if is_spec { 2 } else { 3 })
    });
    fixes.map(|fix| site.fix(fix.title, [fix.edit]).kind(ActionKind::Rewrite)).collect()
}

/// A block as a function of the machine.
fn named(site: &Site<'_>, unit: &Unit<'_>, state: &State, item: &StateItem, handler: &Handler) -> Option<Proposal> {
    let HandlerKind::Inline { param, body } = handler.kind else { return None };
    let event = |prefix: &str| {
        let name = events(item).first().map_or("", |event| unit.nodes[event.name].as_str());
        let bare = name.strip_prefix('e').filter(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()));
        format!("{prefix}{}", bare.unwrap_or(name))
    };
    let wish = match &item.kind {
        // A value that is given to `goto` gets lost on the way to a named entry.
        StateItemKind::Entry(_) if param.is_some() => return None,
        StateItemKind::Entry(_) => format!("Enter{}", unit.nodes[state.name].as_str()),
        StateItemKind::Exit(_) => format!("Leave{}", unit.nodes[state.name].as_str()),
        _ => event("On"),
    };
    let name = site.free_name(&wish);
    let code = bodies(*unit).nth(body.0 as usize)?.code_range();
    let params =
        param.map_or(String::new(), |param| format!("{}: {}", unit.nodes[param.name].as_str(), site.slice(unit.range(param.ty))));
    let lines = moved(site, code, &format!("fun {name}({params}) "));
    let function = in_machine(site, unit, &lines)?;
    let call = replace(unit.range(handler.part), format!("{name};"));
    Some(site.fix(format!("make it a function `{name}`"), [call, function]).kind(ActionKind::Rewrite))
}

/// The lines of a block, without the indentation they have all in common; the first begins with `head`.
fn moved(site: &Site<'_>, block: TextRange, head: &str) -> Vec<String> {
    let text = site.slice(block);
    let indent = site.indent(block.start());
    let mut lines = vec![String::new()];
    for (line, number) in text.lines().zip(0..) {
        let line = line.trim_end();
        lines.push(match number {
            0 => format!("{head}{line}"),
            _ => line.strip_prefix(indent.as_str()).unwrap_or(line.trim_start()).to_owned(),
        });
    }
    lines
}

/// A function in the place of its name, if nobody else calls it; or else a block that calls it.
fn in_place(site: &Site<'_>, unit: &Unit<'_>, handler: &Handler) -> Option<Proposal> {
    let HandlerKind::Named(id) = handler.kind else { return None };
    let name = unit.nodes[id].as_str();
    let function = unit.machine()?.functions.iter().find(|function| unit.nodes[function.name].as_str() == name)?;
    let target = name_at(site.db, site.file, unit.range(id).start())?.target;
    let is_only_one = mentions_of(site.db, &target).len() == 2;
    let FunctionCode::Body(body) = function.code else { return None };
    let signature = machine_info(site.db, unit.decl).function(name)?;
    let call = called_in_place(site, unit, handler, name, signature)?;
    if !is_only_one || signature.result != lockstep_program::ty::Ty::Null {
        return Some(site.fix(format!("call `{name}` in a block"), [call]).kind(ActionKind::Rewrite));
    }
    let code = bodies(*unit).nth(body.0 as usize)?.code_range();
    let param = match &function.params[..] {
        [] => String::new(),
        [param] => format!("({}: {}) ", unit.nodes[param.name].as_str(), site.slice(unit.range(param.ty))),
        _ => return None,
    };
    let from = site.indent(code.start());
    let to = site.indent(call.range.start());
    let text = site.slice(code);
    let block: Vec<String> = (0..)
        .zip(text.lines())
        .map(|(number, line)| match (number, line.strip_prefix(from.as_str())) {
            (0, _) | (_, None) => line.to_owned(),
            (_, Some(rest)) if rest.trim().is_empty() => String::new(),
            (_, Some(rest)) => format!("{to}{rest}"),
        })
        .collect();
    let block = Edit { range: call.range, insert: format!("{param}{}", block.join("\n")) };
    let removed = Edit { range: without_gap(site, unit.range(function.part)), insert: String::new() };
    Some(site.fix(format!("put the code of `{name}` here"), [block, removed]).kind(ActionKind::Rewrite))
}

/// Lines that are removed, with an empty one above them.
fn without_gap(site: &Site<'_>, range: TextRange) -> TextRange {
    let lines = site.with_line(range);
    let line = site.text.line_of(lines.start());
    if line == 0 || site.text.line_start(line) != lines.start() {
        return lines;
    }
    let above = site.text.line_start(line - 1);
    let text = site.slice(TextRange::new(above, lines.start()));
    if text.trim().is_empty() { TextRange::new(lines.start() - size(text.len()), lines.end()) } else { lines }
}
