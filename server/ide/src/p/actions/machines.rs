//! What states say: starts, temperatures, handlers, receive cases.

use lockstep_base::{Diagnostic, Edit, TextRange, TextSize};
use lockstep_program::ty::Ty;
use lockstep_program::{Role, Signature, Space, event_payload, function_signature, lookup, machine_info};
use lockstep_syntax::p::ast::{
    EventRef, Expr, Handler, HandlerKind, Machine, ReceiveCase, State, StateItem, StateItemKind, Stmt, Temperature,
};

use super::super::mentions::mentions_of;
use super::super::names::name_at;
use super::super::unhandled::state_fixes;
use super::Proposal;
use super::site::{Site, Unit, insert, replace, written};

pub(super) fn fixes(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let fix = match finding.code {
        "LS0115" => second_start(site, finding),
        "LS0116" | "LS1223" => handler_of_null(site, finding),
        "LS0117" => in_machine(site, finding).map(|_| {
            let word = TextRange::at(finding.range.start(), TextSize::of("defer"));
            site.fix("ignore them", [replace(word, "ignore")]).preferred()
        }),
        "LS0204" => payload_of_handler(site, finding),
        "LS0205" => global_handler(site, finding),
        "LS0333" | "LS1225" | "LS1317" => case_of_event(site, finding),
        "LS0334" => value_of_case(site, finding),
        "LS0335" => return_at_end(site, finding),
        "LS1206" | "LS1316" => return handled_here(site, finding),
        "LS1208" => start_not_cold(site, finding),
        "LS1307" => raised_halt(site, finding),
        "LS1309" => entry_in_place(site, finding),
        "LS1315" => start_of_spec(site, finding),
        _ => None,
    };
    fix.into_iter().collect()
}

fn in_machine<'db>(site: &Site<'db>, finding: &Diagnostic) -> Option<(Unit<'db>, &'db Machine)> {
    let unit = site.item(finding.range)?;
    Some((unit, unit.machine()?))
}

/// The state around a place.
pub(super) fn state_at<'db>(unit: &Unit<'db>, range: TextRange) -> Option<&'db State> {
    unit.machine()?.states.iter().find(|state| unit.item_range(state.part).contains_range(range))
}

/// What a state says at a place.
pub(super) fn state_item_at<'db>(unit: &Unit<'db>, range: TextRange) -> Option<&'db StateItem> {
    state_at(unit, range)?.items.iter().find(|item| unit.item_range(item.part).contains_range(range))
}

/// One of the words between the start of a state and its name, with the blanks behind it.
fn word_of_state(site: &Site<'_>, unit: &Unit<'_>, state: &State, word: &str) -> Option<TextRange> {
    let head = TextRange::new(unit.range(state.part).start(), unit.range(state.name).start());
    let text = site.slice(head);
    let at = text.split_whitespace().any(|found| found == word).then(|| text.find(word)).flatten()?;
    let rest = &text[at + word.len()..];
    let length = word.len() + rest.len() - rest.trim_start().len();
    Some(TextRange::at(head.start() + super::site::size(at), super::site::size(length)))
}

/// A state that is no longer the first must be entered from somewhere.
fn second_start(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, machine) = in_machine(site, finding)?;
    let state = machine.states.iter().find(|state| unit.range(state.name) == finding.range)?;
    let name = name_at(site.db, site.file, finding.range.start())?;
    let is_entered = mentions_of(site.db, &name.target).iter().any(|mention| mention.role == Role::Goto);
    let word = word_of_state(site, &unit, state, "start")?;
    is_entered.then(|| site.fix("do not start here", [replace(word, "")]).preferred())
}

fn start_not_cold(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, machine) = in_machine(site, finding)?;
    let state = machine.states.iter().find(|state| unit.range(state.name) == finding.range)?;
    let is_other_cold =
        machine.states.iter().any(|other| other.name != state.name && other.temperature == Some(Temperature::Cold));
    let word = word_of_state(site, &unit, state, "cold")?;
    is_other_cold.then(|| site.fix("take `cold` away", [replace(word, "")]).preferred())
}

fn start_of_spec(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, machine) = in_machine(site, finding)?;
    let [only] = &machine.states[..] else { return None };
    let name = unit.nodes[only.name].as_str();
    Some(site.fix(format!("start in `{name}`"), [insert(unit.range(only.part).start(), "start ")]).preferred())
}

/// An event taken out of a list, or all that the list stands in if it is the only one.
fn without_event(site: &Site<'_>, unit: &Unit<'_>, events: &[EventRef], at: TextRange, whole: TextRange) -> Option<Edit> {
    let ranges: Vec<TextRange> = events.iter().map(|event| unit.range(event.name)).collect();
    let index = ranges.iter().position(|range| *range == at)?;
    match site.removal_from_list(&ranges, index) {
        Some(edit) => Some(edit),
        None => super::remove::is_independent(site, whole).then(|| site.removal(whole)),
    }
}

fn handler_of_null(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, _) = in_machine(site, finding)?;
    let item = state_item_at(&unit, finding.range)?;
    let events = match &item.kind {
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => events,
        StateItemKind::Ignore(events) | StateItemKind::Defer(events) => events,
        StateItemKind::Entry(_) | StateItemKind::Exit(_) => return None,
    };
    let edit = without_event(site, &unit, events, finding.range, unit.range(item.part))?;
    Some(site.fix("do nothing on `null`", [edit]).preferred())
}

/// The receive case with an event at a place, and how many cases there are beside it.
fn case_at<'db>(unit: &Unit<'db>, range: TextRange) -> Option<(&'db ReceiveCase, usize)> {
    unit.nodes.stmts.iter().find_map(|(_, stmt)| {
        let Stmt::Receive { cases } = stmt else { return None };
        let is_it = |case: &&ReceiveCase| case.events.iter().any(|event| unit.range(event.name) == range);
        Some((cases.iter().find(is_it)?, cases.len() - 1))
    })
}

fn case_of_event(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.code(finding.range)?;
    let (case, others) = case_at(&unit, finding.range)?;
    if case.events.len() == 1 && others == 0 {
        return None;
    }
    let edit = without_event(site, &unit, &case.events, finding.range, unit.range(case.part))?;
    let title = format!("remove the case for `{}`", site.slice(finding.range));
    let fix = site.fix(title, [edit]);
    // Which of two cases is meant only the author knows.
    Some(if finding.code == "LS0333" { fix } else { fix.preferred() })
}

/// What an event carries.
fn payload<'db>(site: &Site<'db>, event: &str) -> Option<&'db Ty> {
    let def = lookup(site.db, site.project(), Space::Event, event).filter(|def| def.part.is_none())?;
    Some(event_payload(site.db, def.decl))
}

fn value_of_case(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.code(finding.range)?;
    let (case, _) = case_at(&unit, finding.range)?;
    let ([event], None) = (&case.events[..], case.param) else { return None };
    let ty = written(payload(site, unit.nodes[event.name].as_str())?)?;
    let after = TextRange::new(unit.range(event.name).end(), unit.range(case.part).end());
    let colon = site.slice(after).find(':')?;
    let at = after.start() + super::site::size(colon + 1);
    Some(site.fix("take the value", [insert(at, format!(" (value: {ty})"))]).preferred())
}

/// The type of the parameter is changed if nothing is done with it that depends on it.
fn payload_of_handler(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, _) = in_machine(site, finding)?;
    let item = state_item_at(&unit, finding.range)?;
    let (StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. }) = &item.kind else { return None };
    let (HandlerKind::Inline { param: Some(param), body }, [event]) = (item.handler()?.kind, &events[..]) else { return None };
    let ty = written(payload(site, unit.nodes[event.name].as_str())?)?;
    let code = super::site::bodies(unit).nth(body.0 as usize)?;
    let name = unit.nodes[param.name].as_str();
    let uses = code.nodes.exprs.iter().filter(|(_, expr)| matches!(expr, Expr::Name(used) if code.nodes[*used].as_str() == name));
    let is_shown = |id| code.nodes.exprs.iter().any(|(_, expr)| matches!(expr, Expr::Format { args, .. } if args.contains(&id)));
    let is_changed =
        code.nodes.stmts.iter().any(|(_, stmt)| matches!(stmt, Stmt::Insert { .. } | Stmt::Remove { .. } | Stmt::Foreach { .. }));
    let fix = || site.fix(format!("take a value of type `{ty}`"), [replace(unit.range(param.ty), ty.clone())]).preferred();
    ({ uses }.all(|(id, _)| is_shown(id)) && !is_changed).then(fix)
}

/// A handler that calls a function of all machines.
fn global_handler(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, _) = in_machine(site, finding)?;
    let item = state_item_at(&unit, finding.range)?;
    let handler = item.handler()?;
    let HandlerKind::Named(name) = handler.kind else { return None };
    let name = unit.nodes[name].as_str();
    let def = lookup(site.db, site.project(), Space::Function, name)?;
    let signature = function_signature(site.db, def.decl);
    let fits = signature.params.first().is_none_or(|(_, ty)| match &item.kind {
        StateItemKind::OnDo { events, .. } | StateItemKind::OnGoto { events, .. } => {
            events.iter().all(|event| payload(site, unit.nodes[event.name].as_str()).is_some_and(|payload| ty.accepts(payload)))
        }
        _ => false,
    });
    let edit = called_in_place(site, &unit, handler, name, signature)?;
    (fits && signature.result == Ty::Null).then(|| site.fix(format!("call `{name}` in a block"), [edit]).preferred())
}

/// A handler that is a function's name, as a block that calls the function.
pub(super) fn called_in_place(
    site: &Site<'_>,
    unit: &Unit<'_>,
    handler: &Handler,
    name: &str,
    signature: &Signature,
) -> Option<Edit> {
    let range = unit.range(handler.part);
    let block = match &signature.params[..] {
        [] => format!("{{ {name}(); }}"),
        [(param, ty)] => format!("({param}: {}) {{ {name}({param}); }}", written(ty)?),
        _ => return None,
    };
    // The semicolon behind a name goes with it.
    let rest = site.slice(TextRange::new(range.end(), unit.whole().end()));
    let semicolon = rest.len() - rest.trim_start().strip_prefix(';')?.len();
    Some(replace(TextRange::new(range.start(), range.end() + super::site::size(semicolon)), block))
}

fn entry_in_place(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let (unit, machine) = in_machine(site, finding)?;
    let target = site.slice(finding.range);
    let state = machine.states.iter().find(|state| unit.nodes[state.name].as_str() == target)?;
    let entry = state.items.iter().find(|item| matches!(item.kind, StateItemKind::Entry(_)))?.handler()?;
    let HandlerKind::Named(name) = entry.kind else { return None };
    let name = unit.nodes[name].as_str();
    let signature = machine_info(site.db, unit.decl).function(name)?;
    let edit = called_in_place(site, &unit, entry, name, signature)?;
    Some(site.fix(format!("call `{name}` in the entry of `{target}`"), [edit]).preferred())
}

fn return_at_end(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.item(finding.range)?;
    let own = unit.machine().map_or(&[][..], |machine| &machine.functions);
    let global = match &unit.item.value.decl {
        lockstep_syntax::p::ast::Decl::Function(function) => Some(function),
        _ => None,
    };
    let function = own.iter().chain(global).find(|function| unit.range(function.name) == finding.range)?;
    let lockstep_syntax::p::ast::FunctionCode::Body(body) = function.code else { return None };
    let range = super::site::bodies(unit).nth(body.0 as usize)?.code_range();
    let ty = site.slice(unit.range(function.result?));
    let brace = range.end().checked_sub(TextSize::of('}'))?;
    let edit = site.at_end_of_block(unit.range(function.part).start(), brace, &[format!("return default({ty});")]);
    Some(site.fix("return a default value at the end", [edit]))
}

/// A handler for an event that the state should have one for.
fn handled_here(site: &Site<'_>, finding: &Diagnostic) -> Vec<Proposal> {
    let Some((unit, machine)) = in_machine(site, finding) else { return Vec::new() };
    let name = unit.nodes[machine.name].as_str();
    let (state, event) = match finding.code {
        "LS1206" => (machine.states.iter().find(|state| state.is_start), site.slice(finding.range)),
        _ => (state_at(&unit, finding.range), raised_event(site, finding.range).unwrap_or_default()),
    };
    let Some(state) = state.filter(|_| !event.is_empty()) else { return Vec::new() };
    let fixes = state_fixes(site.parse, name, unit.nodes[state.name].as_str(), &event).into_iter();
    // A spec has no queue, and what is raised is lost where it is ignored or deferred.
    let wanted = if finding.code == "LS1206" { 2 } else { 1 };
    fixes.take(wanted).map(|fix| site.fix(fix.title, [fix.edit])).collect()
}

/// The event of the `raise` at a place.
fn raised_event(site: &Site<'_>, range: TextRange) -> Option<String> {
    let unit = site.code(range)?;
    let stmts = unit.nodes.stmts.iter();
    let event = { stmts }.find_map(|(id, stmt)| match stmt {
        Stmt::Raise { event, .. } if unit.range(id) == range || unit.range(*event) == range => Some(*event),
        _ => None,
    })?;
    match &unit.nodes[event] {
        Expr::Name(name) => Some(unit.nodes[*name].as_str().to_owned()),
        _ => None,
    }
}

/// What follows `raise` is not run, so nothing may follow.
fn raised_halt(site: &Site<'_>, finding: &Diagnostic) -> Option<Proposal> {
    let unit = site.code(finding.range)?;
    let stmts = unit.nodes.stmts.iter();
    let (id, _) = { stmts }.find(|(id, stmt)| {
        matches!(stmt, Stmt::Announce { event, .. } if unit.range(*id) == finding.range || unit.range(*event) == finding.range)
    })?;
    let range = unit.range(id);
    let body = &unit.item.value.bodies[unit.body? as usize].value;
    let is_last = body.block.stmts.last() == Some(&id);
    let in_machine = state_at(&unit, range).is_some();
    let word = TextRange::at(range.start(), TextSize::of("announce"));
    (is_last && in_machine).then(|| site.fix("raise it", [replace(word, "raise")]))
}
