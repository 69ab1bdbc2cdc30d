//! Expressions in the debugger: a variable, and parts of it: `leases[client].epoch`, `queue[0]`, `pair.1`.
//!
//! A key of a map is written as the debugger shows it (`owners[Client(1.2)]`), or is an expression itself.

use lockstep_runtime::{Slot, Value};

use crate::recording::Actor;
use crate::session::Session;
use crate::variables::child;

/// How deep keys can be nested.
const MOST_NESTING: usize = 20;

/// The value of an expression as this actor sees it, in one of its functions (counted from the outermost) or in none. If it has none,
/// says why.
pub fn evaluate(session: &Session, actor: &Actor, depth: Option<usize>, text: &str) -> Result<Value, String> {
    inside(session, actor, depth, text.trim(), 0)
}

fn inside(session: &Session, actor: &Actor, depth: Option<usize>, text: &str, nesting: usize) -> Result<Value, String> {
    if nesting > MOST_NESTING {
        return Err("this is nested too deep".to_owned());
    }
    let name = root(text);
    let mut rest = &text[name.len()..];
    if name.is_empty() || name.starts_with(|character: char| character.is_ascii_digit()) {
        return Err("only variables and their parts can be looked at, such as `lease.epoch` or `queue[0]`".to_owned());
    }
    let mut value = variable(session, actor, depth, name).ok_or_else(|| format!("`{name}` is no variable here"))?;
    let mut known = name.to_owned();
    while !rest.is_empty() {
        let (part, behind) = next_part(rest).ok_or_else(|| format!("`{rest}` is not understood behind `{known}`"))?;
        let found = match part {
            Part::Field(field) => child(session.program(), &value, field),
            Part::Key(key) => match child(session.program(), &value, &format!("[{key}]")) {
                Some(found) => Some(found),
                None => {
                    let key = inside(session, actor, depth, key, nesting + 1).ok();
                    key.and_then(|key| child(session.program(), &value, &format!("[{}]", session.shown(&key))))
                }
            },
        };
        known += &rest[..rest.len() - behind.len()];
        value = found.ok_or_else(|| format!("there is no `{known}`"))?;
        rest = behind;
    }
    Ok(value)
}

/// The variable at the beginning of an expression.
pub(crate) fn root(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(text.len());
    &text[..end]
}

enum Part<'a> {
    Field(&'a str),
    Key(&'a str),
}

/// `.field` or `[key]` at the beginning of a text, and what follows.
fn next_part(text: &str) -> Option<(Part<'_>, &str)> {
    if let Some(rest) = text.strip_prefix('.') {
        let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(rest.len());
        return (end > 0).then(|| (Part::Field(&rest[..end]), &rest[end..]));
    }
    let rest = text.strip_prefix('[')?;
    let (mut open, mut is_text) = (1, false);
    for (at, character) in rest.char_indices() {
        match character {
            '"' => is_text = !is_text,
            '[' if !is_text => open += 1,
            ']' if !is_text => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((Part::Key(rest[..at].trim()), &rest[at + 1..]));
        }
    }
    None
}

fn variable(session: &Session, actor: &Actor, depth: Option<usize>, name: &str) -> Option<Value> {
    let local = session.situation().local(actor)?;
    if let Some(depth) = depth
        && let Some((_, value, _)) = locals(session, actor, depth).into_iter().find(|(known, _, _)| known == name)
    {
        return Some(value);
    }
    let declared = session.program().machine(local.machine);
    let field = declared.fields.iter().position(|field| field.name == name)?;
    local.fields.get(field).cloned()
}

/// The variables of a function, and whether each is still needed. Of several with one name, the one that was written last.
pub(crate) fn locals(session: &Session, actor: &Actor, depth: usize) -> Vec<(String, Value, bool)> {
    let Some(frame) = session.situation().local(actor).and_then(|local| local.frames.get(depth)) else { return Vec::new() };
    let activation = session.situation().remembered.get(actor).and_then(|known| known.open.get(depth));
    let mut found: Vec<(String, Slot)> = Vec::new();
    for (slot, declared) in (0..).map(Slot).zip(&session.program().function(frame.function).slots) {
        let recency = |slot: Slot| activation.and_then(|activation| activation.recency(slot));
        match found.iter_mut().find(|(name, _)| declared.name == *name) {
            Some((_, known)) if recency(slot) > recency(*known) => *known = slot,
            Some(_) => {}
            None if declared.name.is_empty() => {}
            None => found.push((declared.name.to_string(), slot)),
        }
    }
    let value = |(name, slot): (String, Slot)| {
        let forgotten = activation.and_then(|activation| activation.forgotten.iter().find(|(known, _)| *known == slot));
        match forgotten {
            Some((_, value)) => (name, value.clone(), false),
            None => (name, frame.slots[slot.0 as usize].clone(), true),
        }
    };
    found.into_iter().map(value).collect()
}
