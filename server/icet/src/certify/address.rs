//! Who could know a member's pid.
//!
//! Pids of a set whose members nobody can enumerate spread by messages only, and the first of them is the member's own. If it waits, and
//! neither a variable that is *live* (may be read before it is overwritten) nor a message may hold its pid, nobody can send to it.

use std::collections::BTreeSet;

use super::Checker;
use super::race::root;
use super::scope::Kind;
use super::state::Actor;
use super::value::Val;
use crate::program::{Block, Case, Expr, Pattern, Place, Program, Root, SetId, StmtId, StmtKind, Type, VarId, Whose};
use crate::rewrite::Who;
use crate::stack::level;

impl Checker<'_> {
    /// Whether anybody but the member may hold its pid, or get hold of it without it.
    pub(super) fn is_address_known(&self, member: Who) -> bool {
        let Some(set) = self.state.actor(member).and_then(|actor| actor.set).filter(|_| matches!(member, Who::Focus(_))) else {
            return true;
        };
        let pids = Pids { program: self.program, set: root(self.program, set), member };
        if pids.can_be_named() {
            return true;
        }
        // A message tells its receiver who sent it.
        if self.state.channels.keys().any(|(from, ..)| *from == member) {
            return true;
        }
        let holds = |actor: &Actor| {
            let is_open = self
                .scopes
                .iter()
                .any(|scope| scope.set.map(Who::Each) == Some(actor.who) && !matches!(scope.kind, Kind::Pick { .. }));
            actor.who != member && pids.may_hold(actor, is_open)
        };
        let before = self.scopes.iter().map(|scope| &scope.before);
        let mut under_way = before.chain([&self.state]).flat_map(|state| &state.channels);
        let in_bags = self.state.bags.iter().any(|bag| pids.may_tell(bag.message.index(), &bag.content));
        let is_told = under_way.any(|((_, to, message), queue)| {
            *to != member && queue.iter().any(|content| pids.may_tell(message.index(), content))
        });
        in_bags || is_told || self.state.actors.iter().any(holds)
    }
}

struct Pids<'p> {
    program: &'p Program,
    set: SetId,
    member: Who,
}

impl Pids<'_> {
    /// Whether values of a type can contain pids of the set.
    fn fit(&self, ty: &Type) -> bool {
        self.fit_within(ty, 16)
    }

    fn fit_within(&self, ty: &Type, depth: usize) -> bool {
        // Enums that go deeper than this may hold anything.
        let Some(depth) = depth.checked_sub(1) else { return true };
        let inside = |ty: &Type| self.fit_within(ty, depth);
        match ty {
            Type::Int | Type::Bool | Type::Opaque(_) | Type::Pid(Whose::Process(_)) => false,
            Type::Pid(Whose::Anybody) => true,
            Type::Pid(Whose::Member(of)) => root(self.program, *of) == self.set,
            Type::Enum(of) => self.program.enums[of.index()].elements.iter().any(|element| element.payload.iter().any(inside)),
            Type::Set(element) => inside(element),
            Type::Map(key, value) => inside(key) || inside(value),
            Type::Tuple(parts) => parts.iter().any(inside),
            Type::Record(fields) => fields.iter().any(|(_, ty)| inside(ty)),
        }
    }

    /// Whether the program has a way to name members other than being told: then nothing is said.
    fn can_be_named(&self) -> bool {
        let program = self.program;
        let is_given =
            program.consts.iter().any(|given| self.fit(&given.ty)) || program.shared.iter().any(|var| self.fit(&var.ty));
        let vars = program.processes.iter().flat_map(|process| &process.code.vars);
        is_given
            || vars.filter_map(|var| var.value.as_ref()).any(|value| self.is_mentioned(value))
            || program.stmts().any(|(stmt_id, stmt)| match &stmt.kind {
                StmtKind::For(own) | StmtKind::Foreach(own) => {
                    (own.member.is_some() || own.done.is_some()) && self.is_mentioned(&own.set)
                }
                StmtKind::Havoc { target } => match (&target.root, stmt.process) {
                    (Root::Own(var), Some(process)) => self.fit(&program.process(process).code.vars[var.index()].ty),
                    _ => true,
                },
                StmtKind::Parallel { .. } => true,
                // Sources of receives mention a set, and tell only of those who send.
                StmtKind::Receive { .. } => false,
                _ => program.expressions(stmt_id).into_iter().any(|expr| self.is_mentioned(expr)),
            })
    }

    fn is_mentioned(&self, expr: &Expr) -> bool {
        level(|| match expr {
            Expr::Card(_) => false,
            Expr::Set(of) => root(self.program, *of) == self.set,
            Expr::Comprehension { .. } => true,
            other => other.children().into_iter().any(|child| self.is_mentioned(child)),
        })
    }

    fn may_tell(&self, message: usize, content: &[Val]) -> bool {
        self.program.messages[message].payload.iter().zip(content).any(|(ty, value)| self.may_be(ty, value))
    }

    fn may_hold(&self, actor: &Actor, is_anywhere: bool) -> bool {
        let declared = &self.program.process(actor.process).code.vars;
        let live = live(self.program, actor);
        declared.iter().zip(&actor.vars).enumerate().any(|(nth, (var, value))| {
            let is_live = is_anywhere || live.contains(&nth);
            is_live && self.fit(&var.ty) && (is_anywhere || self.may_be(&var.ty, value))
        })
    }

    fn may_be(&self, ty: &Type, value: &Val) -> bool {
        let all = |types: &mut dyn Iterator<Item = &Type>, parts: &[Val]| {
            types.zip(parts).any(|(ty, part)| level(|| self.may_be(ty, part)))
        };
        self.fit(ty)
            && match (value, ty) {
                (Val::Pid(who), _) => *who == self.member,
                (Val::Me | Val::Nobody, _) => false,
                (Val::Element(of, nth, parts), _) => {
                    all(&mut self.program.enums[of.index()].elements[*nth as usize].payload.iter(), parts)
                }
                (Val::Parts(parts), Type::Tuple(types)) => all(&mut types.iter(), parts),
                (Val::Parts(parts), Type::Record(fields)) => all(&mut fields.iter().map(|(_, ty)| ty), parts),
                _ => true,
            }
    }
}

/// The variables that may be read before they are overwritten, from where an actor stands.
fn live(program: &Program, actor: &Actor) -> BTreeSet<usize> {
    let rest: Vec<(&Block, usize)> = actor.at.rest().collect();
    let mut live = BTreeSet::new();
    for (block, at) in rest.into_iter().rev() {
        live = before_all(program, &block[at.min(block.len())..], live);
    }
    live
}

fn before_all(program: &Program, stmts: &[StmtId], after: BTreeSet<usize>) -> BTreeSet<usize> {
    stmts.iter().rev().fold(after, |after, stmt| level(|| before(program, *stmt, after)))
}

fn before(program: &Program, stmt: StmtId, after: BTreeSet<usize>) -> BTreeSet<usize> {
    let kind = &program.stmt(stmt).kind;
    let mut live = match kind {
        StmtKind::Receive { cases, timeout } => {
            let mut live = timeout.as_ref().map(|block| before_all(program, block, after.clone())).unwrap_or_default();
            for Case { patterns, sender, body, .. } in cases {
                let mut way = before_all(program, body, after.clone());
                sender.iter().for_each(|place| overwrite(place, &mut way));
                patterns.iter().for_each(|pattern| overwrite_all(pattern, &mut way));
                live.extend(way);
            }
            live
        }
        StmtKind::Match { arms, default, .. } => {
            let mut live = default.as_ref().map(|block| before_all(program, block, after.clone())).unwrap_or_default();
            for arm in arms {
                let mut way = before_all(program, &arm.body, after.clone());
                arm.patterns.iter().for_each(|pattern| overwrite_all(pattern, &mut way));
                live.extend(way);
            }
            live
        }
        // Whatever may be read after the loop.
        StmtKind::Break => {
            let code = program.code(program.stmt(stmt).process);
            (0..code.map_or(0, |code| code.vars.len())).collect()
        }
        StmtKind::If { .. } | StmtKind::Choose { .. } | StmtKind::Atomic(_) => {
            program.blocks(stmt).into_iter().flat_map(|block| before_all(program, block, after.clone())).collect()
        }
        StmtKind::Assign { target, .. } => {
            let mut live = after;
            overwrite_all(target, &mut live);
            live
        }
        StmtKind::Pick { target, .. } | StmtKind::Havoc { target } => {
            let mut live = after;
            overwrite(target, &mut live);
            live
        }
        _ => {
            // A loop: any number of turns, so what is read at the start of a turn is read at its end, too.
            let mut live = after;
            for block in program.blocks(stmt) {
                let once = before_all(program, block, live.clone());
                live.extend(once);
                let twice = before_all(program, block, live.clone());
                live.extend(twice);
            }
            live
        }
    };
    program.expressions(stmt).into_iter().for_each(|expr| reads(expr, &mut live));
    live
}

fn overwrite_all(pattern: &Pattern, live: &mut BTreeSet<usize>) {
    match pattern {
        Pattern::Wildcard => {}
        Pattern::Place(place) => overwrite(place, live),
        Pattern::Tuple(patterns) => patterns.iter().for_each(|pattern| overwrite_all(pattern, live)),
    }
}

fn overwrite(place: &Place, live: &mut BTreeSet<usize>) {
    if let (Root::Own(var), true) = (&place.root, place.path.is_empty()) {
        live.remove(&var.index());
    }
}

fn reads(expr: &Expr, live: &mut BTreeSet<usize>) {
    if let Expr::Own(VarId(var)) = expr {
        live.insert(*var as usize);
    }
    level(|| expr.children().into_iter().for_each(|child| reads(child, live)));
}
