//! The code of a process as the sequential program writes it, and the bookkeeping of names and changes.

use std::collections::BTreeMap;

use super::Emitter;
use crate::program::{
    Arm, Block, Claim, Condition, Expr, LocalId, Pattern, Place, Root, SetId, SetLoop, Step as PathStep, StmtId, StmtKind, VarId,
};
use crate::rewrite::kernel::{Done, Refusal};
use crate::rewrite::state::split_off;
use crate::rewrite::value::{Known, Who};

/// What an expression reads of its process.
#[derive(Default)]
pub(super) struct Reads {
    pub(super) vars: Vec<VarId>,
    pub(super) has_locals: bool,
}

impl Reads {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Own(var) => self.vars.push(*var),
            Expr::Local(_) => self.has_locals = true,
            other => other.children().into_iter().for_each(|child| self.expr(child)),
        }
    }
}

impl Emitter<'_> {
    /// How a process is called.
    pub(super) fn pid(&self, who: Who) -> Expr {
        if let Some(chosen) = self.chosen.get(&who) {
            return chosen.clone();
        }
        match who {
            Who::One(process) => Expr::Process(process),
            other => self.names.get(&other).map_or(Expr::Me, |local| Expr::Local(*local)),
        }
    }

    pub(super) fn expr(&mut self, who: Who, expr: &Expr) -> Expr {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_here(who, expr))
    }

    fn expr_here(&mut self, who: Who, expr: &Expr) -> Expr {
        match expr {
            Expr::Own(var) => match self.kernel.actor(who).map(|actor| actor.process) {
                Ok(process) => Expr::Of { pid: Box::new(self.pid(who)), process, var: *var },
                Err(_) => expr.clone(),
            },
            Expr::Me => self.pid(who),
            Expr::Local(local) => self.bound.get(&(who, *local)).cloned().unwrap_or_else(|| expr.clone()),
            Expr::Of { pid, process, var } => Expr::Of { pid: self.boxed(who, pid), process: *process, var: *var },
            Expr::Tuple(parts) => Expr::Tuple(self.exprs(who, parts)),
            Expr::Record(parts) => Expr::Record(parts.iter().map(|(name, part)| (name.clone(), self.expr(who, part))).collect()),
            Expr::SetOf(parts) => Expr::SetOf(self.exprs(who, parts)),
            Expr::Element { of, element, args } => Expr::Element { of: *of, element: *element, args: self.exprs(who, args) },
            Expr::Part(value, part) => Expr::Part(self.boxed(who, value), *part),
            Expr::Key(map, key) => Expr::Key(self.boxed(who, map), self.boxed(who, key)),
            Expr::Card(value) => Expr::Card(self.boxed(who, value)),
            Expr::Here(value) => Expr::Here(self.boxed(who, value)),
            Expr::Finished(value) => Expr::Finished(self.boxed(who, value)),
            Expr::Unary(op, value) => Expr::Unary(*op, self.boxed(who, value)),
            Expr::Binary(op, left, right) => Expr::Binary(*op, self.boxed(who, left), self.boxed(who, right)),
            Expr::Quantifier { kind, bound, body } => {
                let bound = bound.iter().map(|(local, ty)| (self.rebind(who, *local), ty.clone())).collect();
                Expr::Quantifier { kind: *kind, bound, body: self.boxed(who, body) }
            }
            Expr::Comprehension { bound, ty, body } => {
                let bound = self.rebind(who, *bound);
                Expr::Comprehension { bound, ty: ty.clone(), body: self.boxed(who, body) }
            }
            other => other.clone(),
        }
    }

    fn boxed(&mut self, who: Who, expr: &Expr) -> Box<Expr> {
        Box::new(self.expr(who, expr))
    }

    pub(super) fn exprs(&mut self, who: Who, exprs: &[Expr]) -> Vec<Expr> {
        exprs.iter().map(|expr| self.expr(who, expr)).collect()
    }

    /// A local of the sequential program for one of a process.
    fn rebind(&mut self, who: Who, local: LocalId) -> LocalId {
        let process = self.kernel.actor(who).map(|actor| actor.process);
        let found = process.ok().and_then(|process| self.program.process(process).code.locals.get(local.index()));
        let Some(found) = found.cloned() else { return local };
        let new = self.local_named(&found.name, found.ty);
        self.bound.insert((who, local), Expr::Local(new));
        new
    }

    pub(super) fn local_name(&self, who: Who, local: LocalId) -> String {
        let process = self.kernel.actor(who).map(|actor| actor.process);
        let found = process.ok().and_then(|process| self.program.process(process).code.locals.get(local.index()));
        found.map_or_else(|| "member".to_owned(), |local| local.name.to_string())
    }

    /// What a member that is looked at alone is called: as the loop calls it, or as its own code does.
    pub(super) fn member_name(&self, set: SetId, named: Option<(Who, LocalId)>) -> String {
        if let Some((who, local)) = named {
            return self.local_name(who, local);
        }
        self.program.code_of(set).map_or_else(|| "member".to_owned(), |process| self.program.process(process).name.to_string())
    }

    pub(super) fn condition(&mut self, who: Who, condition: &Condition) -> Condition {
        match condition {
            Condition::Either => Condition::Either,
            Condition::Holds(condition) => Condition::Holds(self.expr(who, condition)),
        }
    }

    pub(super) fn claims(&mut self, who: Who, claims: &[Claim]) -> Vec<Claim> {
        claims.iter().map(|claim| Claim { condition: self.expr(who, &claim.condition), ..claim.clone() }).collect()
    }

    pub(super) fn patterns(&mut self, who: Who, patterns: &[Pattern]) -> Vec<Pattern> {
        patterns.iter().map(|pattern| self.pattern(who, pattern)).collect()
    }

    pub(super) fn pattern(&mut self, who: Who, pattern: &Pattern) -> Pattern {
        match pattern {
            Pattern::Wildcard => Pattern::Wildcard,
            Pattern::Place(place) => Pattern::Place(self.place(who, place)),
            Pattern::Tuple(patterns) => Pattern::Tuple(self.patterns(who, patterns)),
        }
    }

    fn place(&mut self, who: Who, place: &Place) -> Place {
        let root = match (&place.root, self.kernel.actor(who).map(|actor| actor.process)) {
            (Root::Own(var), Ok(process)) => Root::Of { pid: Box::new(self.pid(who)), process, var: *var },
            (root, _) => root.clone(),
        };
        let path = place.path.iter().map(|step| match step {
            PathStep::Part(part) => PathStep::Part(*part),
            PathStep::Key(key) => PathStep::Key(self.expr(who, key)),
        });
        Place { root, path: path.collect() }
    }

    fn inner(&mut self, who: Who, block: &Block) -> Block {
        block.iter().map(|stmt| self.stmt(who, *stmt)).collect()
    }

    /// A local statement with all that is in it.
    pub(super) fn stmt(&mut self, who: Who, id: StmtId) -> StmtId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_here(who, id))
    }

    fn stmt_here(&mut self, who: Who, id: StmtId) -> StmtId {
        let program = self.program;
        let kind = match &program.stmt(id).kind {
            StmtKind::Assign { target, value } => {
                StmtKind::Assign { value: self.expr(who, value), target: self.pattern(who, target) }
            }
            StmtKind::If { condition, then, otherwise } => StmtKind::If {
                condition: self.condition(who, condition),
                then: self.inner(who, then),
                otherwise: self.inner(who, otherwise),
            },
            StmtKind::Match { value, arms, default } => {
                let value = self.expr(who, value);
                let arms = arms.iter().map(|arm| {
                    let patterns = self.patterns(who, &arm.patterns);
                    Arm { element: arm.element, patterns, body: self.inner(who, &arm.body) }
                });
                let arms = arms.collect();
                StmtKind::Match { value, arms, default: default.as_ref().map(|block| self.inner(who, block)) }
            }
            StmtKind::Choose { branches } => {
                StmtKind::Choose { branches: branches.iter().map(|branch| self.inner(who, branch)).collect() }
            }
            StmtKind::While { condition, invariants, body } => StmtKind::While {
                condition: self.condition(who, condition),
                invariants: self.claims(who, invariants),
                body: self.inner(who, body),
            },
            StmtKind::For(set_loop) => {
                let set = self.expr(who, &set_loop.set);
                let member = set_loop.member.map(|member| self.rebind(who, member));
                let done = set_loop.done.map(|done| self.rebind(who, done));
                let invariants = self.claims(who, &set_loop.invariants);
                StmtKind::For(SetLoop { member, set, done, invariants, body: self.inner(who, &set_loop.body) })
            }
            StmtKind::Repeat { count, index, invariants, body } => {
                let count = self.expr(who, count);
                let index = index.map(|index| self.rebind(who, index));
                let invariants = self.claims(who, invariants);
                StmtKind::Repeat { count, index, invariants, body: self.inner(who, body) }
            }
            StmtKind::Pick { target, set } => StmtKind::Pick { set: self.expr(who, set), target: self.place(who, target) },
            StmtKind::Havoc { target } => StmtKind::Havoc { target: self.place(who, target) },
            StmtKind::Assume(condition) => StmtKind::Assume(self.expr(who, condition)),
            StmtKind::Assert { condition, message } => {
                StmtKind::Assert { condition: self.expr(who, condition), message: message.clone() }
            }
            StmtKind::Invariant(claim) => {
                StmtKind::Invariant(Claim { condition: self.expr(who, &claim.condition), ..claim.clone() })
            }
            StmtKind::Atomic(block) => StmtKind::Atomic(self.inner(who, block)),
            other => other.clone(),
        };
        self.add(kind, &[id])
    }

    /// The variable that holds a member that a process chose.
    pub(super) fn chosen_variable(&self, set: SetId, chosen: u32) -> Option<Expr> {
        self.kernel.state.actors.iter().find_map(|actor| {
            let nth = actor.env.vars.iter().position(|value| *value == Known::Chosen(set, chosen))?;
            let var = VarId(u32::try_from(nth).ok()?);
            Some(Expr::Of { pid: Box::new(self.pid(actor.who)), process: actor.process, var })
        })
    }

    /// The loop variable of a turn stands for the member that is looked at.
    pub(super) fn bind_member(&mut self, who: Who, member: Expr) -> Done {
        let (_, StmtKind::For(own) | StmtKind::Foreach(own)) = self.kernel.head(who).ok_or(Refusal::NotNow)? else {
            return Err(Refusal::NotNow);
        };
        if let Some(local) = own.member {
            self.bound.insert((who, local), member);
        }
        Ok(())
    }

    pub(super) fn enter_scope(&mut self, focus: Option<(SetId, Who)>) {
        self.opened += 1;
        self.scopes.push(self.opened);
        self.began.push(self.clock);
        self.note_others(focus.map(|(_, focus)| focus));
        let Some((set, focus)) = focus else { return self.hidden.push(BTreeMap::new()) };
        let each = Who::Each(set);
        let hidden = split_off(&mut self.queues, each);
        let one = |who: Who| if who == each { focus } else { who };
        for ((from, to, message), queue) in &hidden {
            self.queues.insert((one(*from), one(*to), *message), queue.clone());
        }
        self.hidden.push(hidden);
        let changes: Vec<(VarId, usize)> =
            self.changed.iter().filter(|((who, _), _)| *who == each).map(|((_, var), clock)| (*var, *clock)).collect();
        self.changed.extend(changes.into_iter().map(|(var, clock)| ((focus, var), clock)));
        let bound: Vec<(LocalId, Expr)> =
            self.bound.iter().filter(|((who, _), _)| *who == each).map(|((_, local), value)| (*local, value.clone())).collect();
        self.bound.extend(bound.into_iter().map(|(local, value)| ((focus, local), value)));
    }

    /// `is_all`: what the member did, all do.
    pub(super) fn leave_scope(&mut self, focus: Option<(SetId, Who)>, is_all: bool) {
        self.scopes.pop();
        let began = self.began.pop().unwrap_or_default();
        self.clock += 1;
        // What one turn changed, later turns have changed since; a member has one turn only.
        let own = focus.map(|(set, focus)| [Who::Each(set), focus]);
        for ((who, _), clock) in &mut self.changed {
            if *clock > began && own.is_none_or(|own| !own.contains(who)) {
                *clock = self.clock;
            }
        }
        self.note_others(focus.map(|(_, focus)| focus));
        let hidden = self.hidden.pop().unwrap_or_default();
        let Some((set, focus)) = focus else { return };
        let each = Who::Each(set);
        let moved = split_off(&mut self.queues, focus);
        if is_all {
            let all = |who: Who| if who == focus { each } else { who };
            self.queues.extend(moved.into_iter().map(|((from, to, message), queue)| ((all(from), all(to), message), queue)));
        } else {
            self.queues.extend(hidden);
        }
        let changes: Vec<(VarId, usize)> =
            self.changed.iter().filter(|((who, _), _)| *who == focus).map(|((_, var), clock)| (*var, *clock)).collect();
        for (var, clock) in changes {
            let known = self.changed.entry((each, var)).or_default();
            *known = (*known).max(clock);
        }
        // The member is not looked at any more.
        self.changed.retain(|(who, _), _| *who != focus);
        self.bound.retain(|(who, _), _| *who != focus);
    }

    /// In parallel steps, where others have theirs in between: what loops change that others may go round in meanwhile.
    pub(super) fn note_others(&mut self, focus: Option<Who>) {
        if !self.is_parallel {
            return;
        }
        self.clock += 1;
        let loops = self.kernel.state.actors.iter().filter(|actor| Some(actor.who) != focus);
        let loops: Vec<(Who, StmtId)> =
            loops.flat_map(|actor| actor.code.loops(self.program).map(|stmt| (actor.who, stmt))).collect();
        for (who, stmt) in loops {
            self.note_changes(who, stmt);
        }
    }

    /// What a statement changes; of a loop, what any of its turns may have changed before.
    pub(super) fn note_changes(&mut self, who: Who, stmt: StmtId) {
        for var in self.kernel.facts.assigned(stmt) {
            self.changed.insert((who, *var), self.clock);
        }
    }

    pub(super) fn note_pattern(&mut self, who: Who, pattern: &Pattern) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Place(place) => {
                if let Root::Own(var) = place.root {
                    self.changed.insert((who, var), self.clock);
                }
            }
            Pattern::Tuple(patterns) => patterns.iter().for_each(|pattern| self.note_pattern(who, pattern)),
        }
    }
}
