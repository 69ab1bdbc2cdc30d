//! Names coloured by what they stand for.

use lockstep_program::{Db, DeclKind, LocalPlace, MemberKind, ProjectFile, Role, Target};

use super::names::names_in;
use crate::{Token, TokenKind};

/// All names of a file that stand for something, in order.
pub fn tokens<'db>(db: &'db dyn Db, file: ProjectFile<'db>) -> Vec<Token> {
    let mut tokens: Vec<Token> = names_in(db, file)
        .into_iter()
        .filter_map(|name| {
            let kind = kind(db, &name.target)?;
            Some(Token {
                range: name.range,
                kind,
                is_declaration: name.role == Role::Declare,
                is_constant: kind == TokenKind::EnumElement
                    || matches!(&name.target, Target::Global(def) if def.decl.kind(db) == DeclKind::Param),
                is_write: name.role == Role::Write,
            })
        })
        .collect();
    tokens.dedup_by_key(|token| token.range);
    tokens
}

fn kind(db: &dyn Db, target: &Target<'_>) -> Option<TokenKind> {
    Some(match target {
        Target::Global(def) => match (def.decl.kind(db), def.part) {
            (DeclKind::Type, _) => TokenKind::Type,
            (DeclKind::Enum, None) => TokenKind::Enum,
            (DeclKind::Enum, Some(_)) => TokenKind::EnumElement,
            (DeclKind::Event | DeclKind::EventSet, _) => TokenKind::Event,
            (DeclKind::Interface, _) => TokenKind::Interface,
            (DeclKind::Machine | DeclKind::Spec | DeclKind::Scenario, _) => TokenKind::Machine,
            (DeclKind::Function | DeclKind::Pure | DeclKind::Test, _) => TokenKind::Function,
            (DeclKind::Param, _) => TokenKind::Variable,
            (DeclKind::Module | DeclKind::Implementation, _) => TokenKind::Module,
            (DeclKind::Invariant | DeclKind::InvariantGroup, _) => TokenKind::Function,
            (DeclKind::Axiom | DeclKind::InitCondition | DeclKind::Proof, _) => return None,
        },
        Target::Member { kind: MemberKind::Variable, .. } => TokenKind::Field,
        Target::Member { kind: MemberKind::Function, .. } => TokenKind::Function,
        Target::Member { kind: MemberKind::State, .. } => TokenKind::State,
        Target::Local { place: LocalPlace { body: None, .. }, .. } => TokenKind::Parameter,
        Target::Local { .. } => TokenKind::Variable,
    })
}
