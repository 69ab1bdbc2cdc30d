//! Names with their meaning, for colours.

use lockstep_syntax::Parse;

use super::program::{Meaning, Name, NameKind, Role, names};
use crate::{Token, TokenKind};

/// Every name whose meaning is known, in order.
pub fn tokens(parse: &Parse) -> Vec<Token> {
    names(parse).iter().filter_map(token).collect()
}

fn token(name: &Name) -> Option<Token> {
    let (kind, is_constant) = match name.meaning {
        Meaning::Declared { kind, .. } => (token_kind(kind), is_constant(kind)),
        Meaning::Builtin => (TokenKind::Function, true),
        Meaning::Unknown => return None,
    };
    let (is_declaration, is_write) = (name.role == Role::Declare, name.role == Role::Write);
    Some(Token { range: name.range, kind, is_declaration, is_constant, is_write })
}

fn token_kind(kind: NameKind) -> TokenKind {
    match kind {
        NameKind::Type => TokenKind::Type,
        NameKind::Enum => TokenKind::Enum,
        NameKind::EnumElement => TokenKind::EnumElement,
        NameKind::Message => TokenKind::Event,
        NameKind::Set => TokenKind::Module,
        NameKind::Process => TokenKind::Machine,
        NameKind::Constant | NameKind::SharedGhost | NameKind::Variable | NameKind::Ghost => TokenKind::Variable,
        NameKind::Member | NameKind::Index | NameKind::DoneSet | NameKind::Bound => TokenKind::Parameter,
        NameKind::Field | NameKind::Part => TokenKind::Field,
        NameKind::Claim => TokenKind::State,
    }
}

/// What no statement can assign to.
fn is_constant(kind: NameKind) -> bool {
    use NameKind::{Bound, Constant, DoneSet, EnumElement, Index, Member, Process, Set};
    matches!(kind, Constant | EnumElement | Set | Process | Member | Index | DoneSet | Bound)
}
