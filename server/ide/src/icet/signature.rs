//! What a message, an enum element or a built-in function takes, while its parentheses are filled in.

use lockstep_base::TextSize;
use lockstep_syntax::Parse;

use super::comment::comment;
use super::context::{Bracket, Context, Open, context};
use super::program::{NameKind, Program};
use crate::SignatureHelp;

/// What the innermost parentheses around `offset` take that belong to a message, an enum element or a built-in function.
pub fn signature_help(parse: &Parse, offset: TextSize) -> Option<SignatureHelp> {
    let program = Program::of(parse)?;
    let context = context(program.text, offset)?;
    context.open.iter().enumerate().rev().find_map(|(depth, open)| signature(&program, &context, depth, open))
}

fn signature(program: &Program<'_>, context: &Context, depth: usize, open: &Open) -> Option<SignatureHelp> {
    if open.kind != Bracket::Parenthesis {
        return None;
    }
    let name = context.word(open.at.checked_sub(1)?);
    let (parts, documentation) = match (program.global(name), name) {
        (Some(id), _) => {
            let declaration = &program.declarations[id];
            let has_payload = matches!(declaration.kind, NameKind::Message | NameKind::EnumElement);
            // In its own declaration there is nothing to fill in.
            let is_declared_here = context.words[open.at - 1].range == declaration.range;
            if !has_payload || is_declared_here {
                return None;
            }
            (program.payload_text(id), comment(program, declaration))
        }
        (None, "card") => (vec!["set".to_owned()], Some("The number of elements of a set.".to_owned())),
        (None, "here") => (vec!["process".to_owned()], Some("The process is at this point.".to_owned())),
        (None, "finished") => (vec!["process".to_owned()], Some("The process has reached its end.".to_owned())),
        _ => return None,
    };
    let mut label = format!("{name}(");
    let mut parameters = Vec::new();
    for part in &parts {
        if !parameters.is_empty() {
            label.push_str(", ");
        }
        parameters.push(label.len()..label.len() + part.len());
        label.push_str(part);
    }
    label.push(')');
    let active = active(context, depth, open);
    let active = (active < parts.len()).then_some(active);
    Some(SignatureHelp { label, parameters, active, documentation })
}

/// How many commas stand directly in the parentheses.
fn active(context: &Context, depth: usize, open: &Open) -> usize {
    // Brackets that are still open at the cursor hide the commas in them.
    let end = context.open.get(depth + 1).map_or(context.words.len(), |inner| inner.at);
    let mut nesting = 0_usize;
    let mut commas = 0;
    for word in &context.words[open.at + 1..end] {
        match word.text.as_str() {
            "(" | "[" | "{" => nesting += 1,
            ")" | "]" | "}" => nesting = nesting.saturating_sub(1),
            "," if nesting == 0 => commas += 1,
            _ => {}
        }
    }
    commas
}
