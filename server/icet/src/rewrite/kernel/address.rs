//! Whether anybody else can send to a member at all.
//!
//! A member of a set that nobody goes through by name is known only to those it was told to. When it waits, and no message under way and
//! no variable that will still be read may hold its pid, then nobody can send to it before it goes on itself.

use super::{Kernel, ScopeKind};
use crate::program::{
    Block, Condition, Expr, Pattern, Place, Program, Root, SetId, Source, StmtId, StmtKind, Type, VarId, Whose,
};
use crate::rewrite::state::{Actor, Channel, Message};
use crate::rewrite::value::{Known, Who};

impl Kernel<'_> {
    /// Whether somebody else may know the pid, or come to know it without being told by `who`.
    pub(super) fn is_known_to_others(&self, who: Who) -> bool {
        let (Who::Focus(_), Some(set)) = (who, self.state.set_of(who)) else { return true };
        if self.facts.names_members(self.program, set) {
            return true;
        }
        // Who receives a message can learn who sent it.
        if self.state.channels.keys().any(|(from, _, _)| *from == who) {
            return true;
        }
        let knows = |actor: &Actor| actor.who != who && self.may_know(actor, who, set);
        let hidden = self.scopes.iter().flat_map(|scope| &*scope.hidden);
        let says = |(channel, content): (&Channel, &Vec<Message>)| {
            channel.1 != who && content.iter().any(|message| self.may_say(channel.2.index(), &message.values, who, set))
        };
        let in_bags =
            self.state.bags.iter().any(|bag| bag.to != who && self.may_say(bag.message.index(), &bag.content.values, who, set));
        in_bags || self.state.actors.iter().any(knows) || self.state.channels.iter().chain(hidden).any(says)
    }

    fn may_say(&self, message: usize, values: &[Known], who: Who, set: SetId) -> bool {
        let types = &self.program.messages[message].payload;
        types.iter().zip(values).any(|(ty, value)| self.may_be(ty, value, who, set))
    }

    fn may_know(&self, actor: &Actor, who: Who, set: SetId) -> bool {
        let code = &self.program.process(actor.process).code;
        // Members of a set of which one is looked at, for all, can be anywhere in their code.
        let is_anywhere = self
            .scopes
            .iter()
            .any(|scope| scope.set.map(Who::Each) == Some(actor.who) && !matches!(scope.kind, ScopeKind::Pick { .. }));
        let may_hold = |var: VarId| match (code.vars.get(var.index()), actor.env.vars.get(var.index())) {
            (Some(declared), Some(value)) => {
                can_hold(self.program, &declared.ty, set)
                    && (is_anywhere || self.may_be(&declared.ty, value, who, set) && self.is_read(actor, var))
            }
            _ => true,
        };
        (0..code.vars.len()).any(|nth| u32::try_from(nth).map_or(true, |nth| may_hold(VarId(nth))))
    }

    /// Whether a value of this type may be or contain the pid.
    fn may_be(&self, ty: &Type, value: &Known, who: Who, set: SetId) -> bool {
        if !can_hold(self.program, ty, set) {
            return false;
        }
        match (value, ty) {
            (Known::Pid(pid), _) => *pid == who,
            (Known::Me | Known::Nobody | Known::Int(_) | Known::Bool(_), _) => false,
            (Known::Element { of, element, args }, _) => {
                let payload = &self.program.enums[of.index()].elements[*element as usize].payload;
                payload.iter().zip(args).any(|(ty, arg)| self.may_be(ty, arg, who, set))
            }
            (Known::Tuple(parts), Type::Tuple(types)) => {
                types.iter().zip(parts).any(|(ty, part)| self.may_be(ty, part, who, set))
            }
            (Known::Tuple(parts), Type::Record(types)) => {
                types.iter().zip(parts).any(|((_, ty), part)| self.may_be(ty, part, who, set))
            }
            _ => true,
        }
    }

    /// Whether what a variable holds now may still be read.
    fn is_read(&self, actor: &Actor, var: VarId) -> bool {
        let mut reading = Reading { program: self.program, var, is_read: false };
        for frame in actor.code.0.iter().rev() {
            if !reading.block(&frame.block[frame.next.min(frame.block.len())..]) || reading.is_read {
                break;
            }
        }
        reading.is_read
    }
}

/// Whether a value of this type can contain the pid of a member of the set.
pub(in crate::rewrite) fn can_hold(program: &Program, ty: &Type, set: SetId) -> bool {
    let mut open = vec![ty];
    let mut enums = Vec::new();
    while let Some(ty) = open.pop() {
        match ty {
            Type::Pid(Whose::Anybody) => return true,
            Type::Pid(Whose::Member(of)) if program.code_of(*of) == program.code_of(set) => return true,
            Type::Enum(of) if !enums.contains(of) => {
                enums.push(*of);
                open.extend(program.enums[of.index()].elements.iter().flat_map(|element| &element.payload));
            }
            Type::Set(inner) => open.push(inner),
            Type::Map(key, value) => open.extend([&**key, &**value]),
            Type::Tuple(parts) => open.extend(parts),
            Type::Record(parts) => open.extend(parts.iter().map(|(_, ty)| ty)),
            _ => {}
        }
    }
    false
}

/// Follows code and looks for a read of a variable before it is overwritten.
struct Reading<'p> {
    program: &'p Program,
    var: VarId,
    is_read: bool,
}

impl Reading<'_> {
    /// Whether the end can be reached with the variable as it was.
    fn block(&mut self, block: &[StmtId]) -> bool {
        block.iter().all(|stmt| stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt(*stmt)))
    }

    fn stmt(&mut self, stmt: StmtId) -> bool {
        let program = self.program;
        match &program.stmt(stmt).kind {
            StmtKind::Assign { target, value } => {
                self.expr(value);
                self.pattern(target)
            }
            StmtKind::Send { args, target, .. } => {
                args.iter().chain([target]).for_each(|expr| self.expr(expr));
                true
            }
            StmtKind::Receive { cases, timeout } => {
                let mut is_kept = timeout.as_ref().is_some_and(|block| self.block(block));
                for case in cases {
                    if let Source::One(source) | Source::Of(source) = &case.source {
                        self.expr(source);
                    }
                    let is_stored = self.patterns(&case.patterns);
                    let is_stored = case.sender.as_ref().is_none_or(|place| self.place(place)) && is_stored;
                    is_kept |= is_stored && self.block(&case.body);
                }
                is_kept
            }
            StmtKind::Match { value, arms, default } => {
                self.expr(value);
                let mut is_kept = default.as_ref().is_some_and(|block| self.block(block));
                for arm in arms {
                    let is_stored = self.patterns(&arm.patterns);
                    is_kept |= is_stored && self.block(&arm.body);
                }
                is_kept
            }
            StmtKind::If { condition, then, otherwise } => {
                self.condition(condition);
                let ends = [self.block(then), self.block(otherwise)];
                ends.contains(&true)
            }
            StmtKind::Choose { branches } => {
                let ends: Vec<bool> = branches.iter().map(|block: &Block| self.block(block)).collect();
                ends.contains(&true)
            }
            StmtKind::Atomic(block) => self.block(block),
            StmtKind::Pick { target, set } => {
                self.expr(set);
                self.place(target)
            }
            StmtKind::Havoc { target } => self.place(target),
            StmtKind::Assume(condition) | StmtKind::Assert { condition, .. } => {
                self.expr(condition);
                true
            }
            StmtKind::Invariant(_) | StmtKind::Skip | StmtKind::Fail { .. } => true,
            // What comes after the loop is not followed up.
            StmtKind::Break => {
                self.is_read = true;
                true
            }
            // A loop may have no turns, and what one turn leaves, the next finds.
            StmtKind::While { condition, body, .. } => {
                self.condition(condition);
                self.block(body);
                true
            }
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                self.expr(&set_loop.set);
                self.block(&set_loop.body);
                true
            }
            StmtKind::Repeat { count, body, .. } => {
                self.expr(count);
                self.block(body);
                true
            }
            StmtKind::Rounds { count, body, .. } => {
                count.iter().for_each(|count| self.expr(count));
                self.block(body);
                true
            }
            StmtKind::Parallel { .. } => {
                self.is_read = true;
                true
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        if let Condition::Holds(condition) = condition {
            self.expr(condition);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            self.is_read |= *expr == Expr::Own(self.var);
            open.extend(expr.children());
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) -> bool {
        let mut is_kept = true;
        for pattern in patterns {
            is_kept &= self.pattern(pattern);
        }
        is_kept
    }

    /// Whether the variable is still as it was after something was stored to the pattern.
    fn pattern(&mut self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Wildcard => true,
            Pattern::Place(place) => self.place(place),
            Pattern::Tuple(patterns) => self.patterns(patterns),
        }
    }

    fn place(&mut self, place: &Place) -> bool {
        for step in &place.path {
            if let crate::program::Step::Key(key) = step {
                self.expr(key);
            }
        }
        place.root != Root::Own(self.var) || !place.path.is_empty()
    }
}
