//! Names that mean nothing. That is an error and reported as one; here it matters that something else may have been meant.
//!
//! A warning that something is never used would be a second report of the same mistake, if a misspelt name is all that is missing.

use lockstep_syntax::p::ast::Decl as AstDecl;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::mentions::{Mentions, Role, body_mentions, decl_mentions};
use super::usage::declared;
use crate::db::Db;
use crate::declaration::{Code, Decl, codes};

const MOST_UNKNOWN: usize = 100;

/// Whether one of these names that mean nothing may be meant for `name`.
pub(crate) fn may_mean(unknown: &[SmolStr], name: &str) -> bool {
    // Where so much is unknown, a file is missing, and anything may be meant.
    if unknown.len() > MOST_UNKNOWN {
        return true;
    }
    if unknown.is_empty() {
        return false;
    }
    let letters = letters(name);
    unknown.iter().any(|written| {
        let most = (1 + written.len() / 6).min(written.len().saturating_sub(1));
        let is_begun = written.len() > 1 && name.starts_with(written.as_str());
        // One change of a letter adds one letter at most, and takes one away.
        let is_near = || (self::letters(written) ^ letters).count_ones() as usize <= 2 * most;
        is_begun
            || written.len().abs_diff(name.len()) <= most
                && is_near()
                && strsim::osa_distance(&written.to_ascii_lowercase(), &name.to_ascii_lowercase()) <= most
    })
}

/// Which letters there are, whatever their case: a bit for each, other characters share bits.
fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |letters, byte| letters | 1 << (byte.to_ascii_lowercase() % 64))
}

/// The unknown names in a machine and its bodies, sorted.
#[salsa::tracked]
pub(crate) fn machine_unknown<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<SmolStr> {
    unknown_names(db, decl)
}

/// The unknown names in a declaration and its bodies, sorted.
pub(crate) fn unknown_names<'db>(db: &'db dyn Db, decl: Decl<'db>) -> Vec<SmolStr> {
    let mut unknown = unknown_in(db, decl, decl_mentions(db, decl));
    unknown.extend(codes(db, decl).iter().flat_map(|code| unknown_in_body(db, *code)).cloned());
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}

/// The unknown names in a body, sorted.
#[salsa::tracked]
pub(crate) fn unknown_in_body<'db>(db: &'db dyn Db, code: Code<'db>) -> Vec<SmolStr> {
    unknown_in(db, code.decl(db), body_mentions(db, code))
}

fn unknown_in<'db>(db: &'db dyn Db, decl: Decl<'db>, mentions: &Mentions) -> Vec<SmolStr> {
    let declared = declared(db, decl.file(db).project(db));
    let mut unknown: Vec<SmolStr> = mentions
        .iter()
        .filter(|(role, name)| match role {
            // Members of the machine are not declared for all.
            Role::Target | Role::Handler | Role::Read | Role::Assigned => false,
            Role::Value => !mentions.contains(Role::Read, name),
            _ => true,
        })
        .filter(|(_, name)| !declared.contains(*name) && !matches!(name.as_str(), "halt" | "null"))
        .map(|(_, name)| name.clone())
        .collect();
    if !unknown.is_empty()
        && let AstDecl::Machine(machine) = &decl.shape(db).0.decl
    {
        let nodes = &decl.shape(db).0.nodes;
        let own: FxHashSet<&str> = machine.functions.iter().map(|function| nodes[function.name].as_str()).collect();
        unknown.retain(|name| !own.contains(name.as_str()));
    }
    unknown.sort_unstable();
    unknown.dedup();
    unknown
}
