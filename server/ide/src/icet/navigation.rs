//! From a name to its declaration and to every other place that means the same.

use lockstep_base::{TextRange, TextSize};
use lockstep_syntax::Parse;

use super::program::{Program, Role};
use crate::{Highlight, HighlightKind};

/// The name at `offset` and the name where it is declared.
pub fn definition(parse: &Parse, offset: TextSize) -> Option<(TextRange, TextRange)> {
    let program = Program::of(parse)?;
    let (found, id) = program.declared_at(offset)?;
    Some((found.range, program.declarations[id].range))
}

/// Every place that means what the name at `offset` means, the declaration included, in order.
pub fn references(parse: &Parse, offset: TextSize) -> Vec<(TextRange, HighlightKind)> {
    let Some(program) = Program::of(parse) else { return Vec::new() };
    let Some((_, id)) = program.declared_at(offset) else { return Vec::new() };
    program.uses_of(id).map(|found| (found.range, highlight_kind(found.role))).collect()
}

/// The same as `references`: a program is one text.
pub fn highlights(parse: &Parse, offset: TextSize) -> Vec<Highlight> {
    references(parse, offset).into_iter().map(|(range, kind)| Highlight { range, kind }).collect()
}

fn highlight_kind(role: Role) -> HighlightKind {
    match role {
        Role::Declare => HighlightKind::Declaration,
        Role::Write | Role::Send => HighlightKind::Write,
        Role::Read | Role::Receive | Role::Type | Role::Case => HighlightKind::Read,
    }
}
