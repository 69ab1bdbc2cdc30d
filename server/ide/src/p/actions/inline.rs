//! A variable that is assigned once, replaced by its value.
//!
//! Only where the value is the same at all places: it is made of constants and of variables of the function that do not change later,
//! and the assignment is run in any case before all of them.

use lockstep_base::{Edit, TextRange};
use lockstep_program::{Role, Target};
use lockstep_syntax::p::ast::{Expr, ExprId, Stmt};

use super::super::names::{NameAt, item_names};
use super::extract::removed_variable;
use super::site::{Site, Unit, replace};
use super::{ActionKind, Proposal};

pub(super) fn changes(site: &Site<'_>, within: TextRange) -> Vec<Proposal> {
    inlined(site, within).into_iter().collect()
}

fn inlined(site: &Site<'_>, within: TextRange) -> Option<Proposal> {
    let unit = site.code(within)?;
    let names = item_names(site.db, unit.item, unit.decl);
    let here =
        names.iter().find(|name| name.range.contains_inclusive(within.start()) && name.range.contains_inclusive(within.end()))?;
    if !matches!(here.target, Target::Local { .. }) {
        return None;
    }
    let mentions: Vec<&NameAt<'_>> = names.iter().filter(|name| name.target == here.target).collect();
    let declared = mentions.iter().find(|name| name.role == Role::Declare)?.range;
    let writes: Vec<TextRange> = mentions.iter().filter(|name| name.role == Role::Write).map(|name| name.range).collect();
    let reads: Vec<TextRange> = mentions.iter().filter(|name| name.role == Role::Read).map(|name| name.range).collect();
    let [write] = writes[..] else { return None };
    // The value of a receive case may have the name of a variable, and hide it.
    if unit.nodes.stmts.iter().any(|(_, stmt)| matches!(stmt, Stmt::Receive { .. })) {
        return None;
    }
    let (stmt, value) = assignment(&unit, write)?;
    let is_after = reads.iter().all(|read| read.start() >= stmt.end());
    if reads.is_empty() || !is_after || mentions.len() != reads.len() + 2 || !is_stable(&unit, &names, value, stmt) {
        return None;
    }
    let text = site.slice(unit.range(value));
    let is_loose = !matches!(
        unit.nodes[value],
        Expr::Name(_)
            | Expr::Int(_)
            | Expr::Float(_)
            | Expr::Bool(_)
            | Expr::String(_)
            | Expr::Paren(_)
            | Expr::Field { .. }
            | Expr::Index { .. }
            | Expr::Sizeof(_)
            | Expr::Format { .. }
            | Expr::This
    );
    let written = if is_loose { format!("({text})") } else { text };
    let mut edits: Vec<Edit> = reads.iter().map(|read| replace(*read, written.clone())).collect();
    edits.push(site.removal(stmt));
    edits.push(removed_variable(site, &unit, declared)?);
    Some(site.fix(format!("inline variable `{}`", site.slice(declared)), edits).kind(ActionKind::Inline))
}

/// The assignment of a variable at a place, among the statements that are run in any case; and what is assigned.
fn assignment(unit: &Unit<'_>, target: TextRange) -> Option<(TextRange, ExprId)> {
    let body = &unit.item.value.bodies.get(unit.body? as usize)?.value;
    body.block.stmts.iter().find_map(|id| match &unit.nodes[*id] {
        Stmt::Assign { target: written, value } if unit.range(*written) == target => Some((unit.range(*id), *value)),
        _ => None,
    })
}

/// Whether a value means the same from its assignment on.
fn is_stable(unit: &Unit<'_>, names: &[NameAt<'_>], value: ExprId, stmt: TextRange) -> bool {
    let within = unit.range(value);
    let mut exprs = unit.nodes.exprs.iter().filter(|(id, _)| within.contains_range(unit.range(*id)));
    let is_plain = exprs.all(|(_, expr)| {
        !matches!(
            expr,
            Expr::Missing
                | Expr::Call { .. }
                | Expr::New { .. }
                | Expr::Choose(_)
                | Expr::Nondet { .. }
                | Expr::Quantifier { .. }
        )
    });
    is_plain
        && names.iter().filter(|name| within.contains_range(name.range)).all(|name| match &name.target {
            Target::Global(_) => true,
            Target::Member { .. } => false,
            Target::Local { .. } => {
                let mut writes = names.iter().filter(|other| other.target == name.target && other.role == Role::Write);
                writes.all(|write| write.range.end() <= stmt.start())
            }
        })
}
