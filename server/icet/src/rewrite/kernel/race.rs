//! Who else could be first: the conditions under which a receive takes the message that the rewriting says.
//!
//! A receive from one known process takes the oldest message of one channel, whatever the others do. Any other receive makes a
//! choice, and the rewriting is right only if it stands for every choice. Members of one set that stand at the same place stand
//! for each other. Everybody else must not be able to send something the receive would take, as long as the receiver has not gone on:
//! from where an actor stands, its code is followed up to the first receive that only actors can serve who are themselves held
//! up by the receiver.
//!
//! In parallel steps of all members of a set, each choice that a process shared by them makes begins a part of its own, which is done
//! at one stroke; several choices are in one part only if nobody chosen before has been released yet. (Two-phase locking: such parts
//! can be put one after the other.)

use super::{Done, Kernel, Refusal, ScopeKind};
use crate::program::{Block, Case, Condition, Expr, MessageId, SetId, Source, StmtId, StmtKind, Type, Whose};
use crate::rewrite::state::{Actor, Channel, Frame, FrameKind};
use crate::rewrite::value::{Known, Who};

/// A receive that made a choice in a turn: members that had their turn must not be able to send such messages again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub(super) at: Who,
    pub(super) receive: StmtId,
    pub(super) accepted: Vec<MessageId>,
}

/// Which receives an actor is sure not to get past.
enum Barrier<'a> {
    /// Those that only these actors can serve.
    HeldUp(&'a [Who]),
    Nothing,
}

impl Kernel<'_> {
    /// Checks that the choice of `from` stands for all there are.
    pub(super) fn contend(&mut self, at: Who, receive: StmtId, accepted: &[MessageId], taken: MessageId, from: Who) -> Done {
        let held_up = self.held_up(at);
        let family = self.state.set_of(from);
        for actor in &self.state.actors {
            if actor.who == at {
                continue;
            }
            let is_sender = actor.who == from;
            let is_family = !is_sender && family.is_some() && self.state.set_of(actor.who) == family;
            let others: Vec<MessageId> = accepted.iter().copied().filter(|message| !is_sender || *message != taken).collect();
            if is_family {
                self.check_family(at, receive, accepted, from, actor)?;
                continue;
            }
            for message in &others {
                if let Some(pending) = self.state.pending(&(actor.who, at, *message)) {
                    return Err(Refusal::Race { receive, send: pending.sent });
                }
            }
            // Members of a set of which one is looked at alone can be anywhere in their code.
            let is_anywhere = matches!(actor.who, Who::Each(set) if self.is_open(set));
            let barrier = if is_anywhere { Barrier::Nothing } else { Barrier::HeldUp(&held_up) };
            if let Some(send) = self.will_send(actor, at, &others, &barrier) {
                return Err(Refusal::Race { receive, send });
            }
        }
        if self.state.bags.iter().any(|bag| bag.to == at && accepted.contains(&bag.message)) {
            let send = self.state.bags.iter().find(|bag| bag.to == at).map(|bag| bag.content.sent);
            return Err(Refusal::Race { receive, send: send.unwrap_or(receive) });
        }
        self.begin_choice(at, receive, accepted, from)
    }

    /// The other members of the set that the sender is of.
    fn check_family(&self, at: Who, receive: StmtId, accepted: &[MessageId], from: Who, family: &Actor) -> Done {
        let Some(scope) = self.scopes.iter().rev().find(|scope| scope.focus == Some(from)) else {
            return Err(Refusal::Race { receive, send: receive });
        };
        let is_first = scope.choices.is_empty();
        let is_free = match &scope.kind {
            // The turn of any of them that had none yet, in any order, unless the loop or an earlier receive has chosen already. Of
            // those that had one, see the end of the turn.
            ScopeKind::Loop { drivers } => drivers.contains(&at) && is_first && !scope.is_named,
            ScopeKind::Pick { chosen } => chosen.is_none() && is_first,
            // The next that is served, but not in the middle of serving one.
            _ => !self.is_serving(at),
        };
        if is_free {
            return Ok(());
        }
        if accepted.iter().any(|message| self.is_pending(&(family.who, at, *message))) {
            return Err(Refusal::Race { receive, send: receive });
        }
        // The others can be anywhere.
        match self.will_send(family, at, accepted, &Barrier::Nothing) {
            Some(send) => Err(Refusal::Race { receive, send }),
            None => Ok(()),
        }
    }

    /// Whether a process is in the middle of serving a member of parallel steps.
    fn is_serving(&self, at: Who) -> bool {
        let nth = self.scopes.iter().rposition(|scope| scope.kind == ScopeKind::Parallel);
        nth.is_some_and(|nth| self.scopes[nth].acquired.contains(&at) && !self.is_at_rest(nth, at))
    }

    fn begin_choice(&mut self, at: Who, receive: StmtId, accepted: &[MessageId], from: Who) -> Done {
        let Some(nth) = self.scopes.iter().rposition(|scope| scope.focus == Some(from)) else { return Ok(()) };
        self.scopes[nth].choices.push(Choice { at, receive, accepted: accepted.to_vec() });
        if self.is_serving(at) {
            return Ok(());
        }
        self.acquire(at)
    }

    /// A process that all members share begins to serve one of them.
    pub(super) fn acquire(&mut self, at: Who) -> Done {
        let Some(nth) = self.scopes.iter().rposition(|scope| scope.kind == ScopeKind::Parallel) else { return Ok(()) };
        if self.scopes[nth].focus == Some(at) {
            return Ok(());
        }
        // A turn of a loop stands for all turns: between two of them those of the last are released.
        if self.scopes[nth + 1..].iter().any(|scope| scope.is_held) {
            return Err(Refusal::Moved { who: at, stmt: self.head(at).map(|(stmt, _)| stmt) });
        }
        // Who serves one member and waits for another could wait for ever.
        if let Some(who) = self.busy() {
            return Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) });
        }
        if self.scopes[nth].has_released || !self.scopes[nth].acquired.is_empty() {
            return Err(Refusal::NeedsSection);
        }
        // Who is ahead of its answers may be served in another order than it asks.
        if let Some(&(who, _)) = self.scopes[nth].unanswered.iter().find(|(who, _)| *who != at) {
            return Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) });
        }
        let focus = self.scopes[nth].focus;
        let under_way = self.state.channels.iter().filter(|((from, to, _), _)| *from == at && Some(*to) == focus);
        let old = under_way.map(|(_, content)| content.len()).sum();
        let scope = &mut self.scopes[nth];
        scope.acquired.push(at);
        scope.unanswered = vec![(at, old)];
        self.scopes[nth..].iter_mut().for_each(|scope| scope.servers.push(at));
        Ok(())
    }

    /// Whether an actor stands where it stood when the parallel steps began.
    pub(super) fn is_at_rest(&self, scope: usize, who: Who) -> bool {
        let scope = &self.scopes[scope];
        let family = match who {
            Who::Focus(_) => self.state.set_of(who).map_or(who, Who::Each),
            other => other,
        };
        let now = self.state.actor(who);
        let then = scope.start.actors.iter().find(|actor| actor.who == family);
        match (now, then) {
            // Who has just gone into its loop has not served anybody in this turn.
            (Some(now), Some(then)) => now.code == then.code || now.code.before_turn().is_some_and(|code| code == then.code),
            _ => false,
        }
    }

    /// A receive that takes from a bag: nobody can send more of them.
    pub(super) fn check_bag(&self, at: Who, receive: StmtId, message: MessageId) -> Done {
        let held_up = self.held_up(at);
        for actor in self.state.actors.iter().filter(|actor| actor.who != at) {
            if let Some(pending) = self.state.pending(&(actor.who, at, message)) {
                return Err(Refusal::Race { receive, send: pending.sent });
            }
            if let Some(send) = self.will_send(actor, at, &[message], &Barrier::HeldUp(&held_up)) {
                return Err(Refusal::Race { receive, send });
            }
        }
        Ok(())
    }

    /// After a turn: the member that had it cannot interfere with the turns of others.
    pub(super) fn check_visited(&self, member: &Actor, choices: &[Choice]) -> Done {
        for choice in choices {
            let left = choice.accepted.iter().find_map(|message| self.state.pending(&(member.who, choice.at, *message)));
            if let Some(left) = left {
                return Err(Refusal::Race { receive: choice.receive, send: left.sent });
            }
            let held_up = self.held_up(choice.at);
            if let Some(send) = self.can_send(member, choice.at, &choice.accepted, &Barrier::HeldUp(&held_up)) {
                return Err(Refusal::Race { receive: choice.receive, send });
            }
        }
        Ok(())
    }

    /// Who might, in what is left of its code, send such a message.
    pub(crate) fn could_send(&self, from: Who, to: Who, messages: &[MessageId]) -> Option<StmtId> {
        self.can_send(self.state.actor(from)?, to, messages, &Barrier::Nothing)
    }

    /// Actors that wait, directly or through others, for what `at` does after its receive.
    fn held_up(&self, at: Who) -> Vec<Who> {
        let mut held_up = vec![at];
        loop {
            let waits = |actor: &&Actor| {
                let Some((_, StmtKind::Receive { cases, timeout: None })) = self.head(actor.who) else { return false };
                !held_up.contains(&actor.who) && self.is_barrier(actor, cases, &Barrier::HeldUp(&held_up), true)
            };
            let Some(more) = self.state.actors.iter().find(waits) else { return held_up };
            held_up.push(more.who);
        }
    }

    fn is_barrier(&self, actor: &Actor, cases: &[Case], barrier: &Barrier<'_>, is_now: bool) -> bool {
        match barrier {
            Barrier::Nothing => false,
            Barrier::HeldUp(held_up) => cases.iter().all(|case| {
                let Source::One(source) = &case.source else { return false };
                let value = match source {
                    Expr::Local(_) if is_now => actor.env.eval(source),
                    _ => self.stable_value(actor, source),
                };
                let Known::Pid(from) = value else { return false };
                held_up.contains(&from) && !self.is_pending(&(from, actor.who, case.message))
            }),
        }
    }

    /// Whether a message is under way; to or from members at rest too.
    fn is_pending(&self, channel: &Channel) -> bool {
        self.state.pending(channel).is_some() || self.scopes.iter().any(|scope| scope.hidden.contains_key(channel))
    }

    /// A send of one of these messages to `to` that the actor can get to while `to` waits.
    fn will_send(&self, actor: &Actor, to: Who, messages: &[MessageId], barrier: &Barrier<'_>) -> Option<StmtId> {
        self.can_send(actor, to, messages, barrier).filter(|_| self.is_known_to_others(to))
    }

    /// A send of one of these messages to `to` that the actor can get to.
    fn can_send(&self, actor: &Actor, to: Who, messages: &[MessageId], barrier: &Barrier<'_>) -> Option<StmtId> {
        let mut walk = Walk { kernel: self, actor, to, messages, barrier, is_now: true, found: None };
        for (nth, frame) in actor.code.0.iter().enumerate().rev() {
            if !walk.block(&frame.block, frame.next) || self.is_round(&actor.code.0[..nth], frame.kind) {
                break;
            }
            // Beyond, loop variables are of another turn.
            walk.is_now &= frame.kind == FrameKind::Plain;
        }
        walk.found
    }

    /// Whether what is beyond a block is another round, whose messages are others.
    fn is_round(&self, around: &[Frame], kind: FrameKind) -> bool {
        let stmt = around.last().and_then(|frame| frame.block.get(frame.next));
        kind == FrameKind::Turn && stmt.is_some_and(|stmt| matches!(self.program.stmt(*stmt).kind, StmtKind::Rounds { .. }))
    }

    /// The value of an expression, if it will not change any more.
    fn stable_value(&self, actor: &Actor, expr: &Expr) -> Known {
        let changes = |var: crate::program::VarId| {
            let body = &self.program.process(actor.process).code.body;
            let is_ahead = |stmt: &StmtId| self.facts.assigned(*stmt).contains(&var);
            // Code that has been passed changes nothing any more, unless a loop leads back to it.
            actor.code.0.iter().any(|frame| frame.block[frame.next.min(frame.block.len())..].iter().any(is_ahead))
                || actor.code.loops(self.program).any(|stmt| is_ahead(&stmt)) && !body.is_empty()
        };
        match expr {
            Expr::Process(_) | Expr::Me => actor.env.eval(expr),
            Expr::Own(var) if !changes(*var) => actor.env.eval(expr),
            _ => Known::Top,
        }
    }
}

/// Follows code and looks for sends.
struct Walk<'k, 'p, 'a> {
    kernel: &'k Kernel<'p>,
    actor: &'a Actor,
    to: Who,
    messages: &'a [MessageId],
    barrier: &'a Barrier<'a>,
    /// Whether loop variables still have the values they have now.
    is_now: bool,
    found: Option<StmtId>,
}

impl Walk<'_, '_, '_> {
    /// Whether the end of the block can be reached.
    fn block(&mut self, block: &Block, from: usize) -> bool {
        block[from.min(block.len())..].iter().all(|stmt| self.stmt(*stmt))
    }

    fn stmt(&mut self, stmt: StmtId) -> bool {
        if self.kernel.facts.is_local(stmt) {
            return true;
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_here(stmt))
    }

    fn stmt_here(&mut self, stmt: StmtId) -> bool {
        let program = self.kernel.program;
        match &program.stmt(stmt).kind {
            StmtKind::Send { message, target, .. } => {
                if self.messages.contains(message) && self.may_be_meant(target) {
                    self.found.get_or_insert(stmt);
                }
                true
            }
            StmtKind::Receive { cases, timeout: None }
                if self.kernel.is_barrier(self.actor, cases, self.barrier, self.is_now) =>
            {
                false
            }
            StmtKind::While { condition, body, .. } => {
                self.is_now = false;
                self.block(body, 0);
                // Which `break`s can be reached is not followed up.
                !matches!(condition, Condition::Holds(Expr::Bool(true))) || has_break(program, body)
            }
            StmtKind::For(_) | StmtKind::Foreach(_) | StmtKind::Repeat { .. } | StmtKind::Rounds { .. } => {
                self.is_now = false;
                for block in program.blocks(stmt) {
                    self.block(block, 0);
                }
                // It may have no turns.
                true
            }
            StmtKind::If { .. } | StmtKind::Match { .. } | StmtKind::Choose { .. } | StmtKind::Receive { .. } => {
                let ends: Vec<bool> = program.blocks(stmt).into_iter().map(|block| self.block(block, 0)).collect();
                ends.contains(&true)
            }
            StmtKind::Atomic(block) => self.block(block, 0),
            _ => true,
        }
    }

    fn may_be_meant(&self, target: &Expr) -> bool {
        let kernel = self.kernel;
        let set: Option<SetId> = kernel.state.set_of(self.to);
        match kernel.stable_value(self.actor, target) {
            Known::Pid(Who::One(process)) => self.to == Who::One(process),
            Known::Pid(Who::Focus(other)) => {
                self.to == Who::Focus(other) || matches!(self.to, Who::Each(_)) && set == kernel.state.set_of(Who::Focus(other))
            }
            Known::Member(of) | Known::Chosen(of, _) => set == Some(of),
            Known::Nobody => false,
            _ => match (kernel.type_of(self.actor, target), self.to) {
                (Some(Type::Pid(Whose::Process(process))), to) => to == Who::One(process),
                (Some(Type::Pid(Whose::Member(of))), _) => set == Some(of),
                _ => true,
            },
        }
    }
}

impl Kernel<'_> {
    pub(super) fn type_of(&self, actor: &Actor, expr: &Expr) -> Option<Type> {
        let code = &self.program.process(actor.process).code;
        match expr {
            Expr::Own(var) => Some(code.vars.get(var.index())?.ty.clone()),
            Expr::Local(local) => Some(code.locals.get(local.index())?.ty.clone()),
            _ => None,
        }
    }
}

fn has_break(program: &crate::program::Program, block: &Block) -> bool {
    let mut open: Vec<StmtId> = block.to_vec();
    while let Some(stmt) = open.pop() {
        match &program.stmt(stmt).kind {
            StmtKind::Break => return true,
            StmtKind::While { .. } => {}
            _ => open.extend(program.blocks(stmt).into_iter().flat_map(|block| block.iter().copied())),
        }
    }
    false
}
