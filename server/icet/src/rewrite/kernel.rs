//! The rules: what may be done to a state, each with the conditions that make it right.
//!
//! Nothing else changes a state. A rule that does not apply is refused and leaves the state as it was or useless; who tries, works on
//! a copy. `RULES.md` states the rules and why they are sound.

mod address;
mod close;
mod local;
mod race;
mod scope;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

pub(in crate::rewrite) use address::can_hold;
pub(crate) use scope::{Counted, Scope, ScopeKind};

use super::facts::Facts;
use super::state::{Actor, FrameKind, Message, State};
use super::value::{Known, Who};
use crate::program::{Block, Case, Condition, Expr, MessageId, Program, SetId, Source, StmtId, StmtKind, Type, VarId};

/// Why a rule does not apply.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The rule is for something else, or its time has not come.
    NotNow,
    /// Nothing is there to be received.
    Empty {
        receive: StmtId,
    },
    /// Who is written to or read from is not known.
    UnknownPartner {
        stmt: StmtId,
    },
    /// The partner is a member that a process chose: it has to be looked at alone first.
    NeedsFocus {
        set: SetId,
        chosen: u32,
    },
    /// A new part of the parallel steps has to begin first.
    NeedsSection,
    /// Another message could come first.
    Race {
        receive: StmtId,
        send: StmtId,
    },
    /// A process did not come back to where it was, or two branches end in different places.
    Moved {
        who: Who,
        stmt: Option<StmtId>,
    },
    /// Messages are left over after a turn.
    Leftover {
        send: StmtId,
    },
    EmptySet {
        set: SetId,
        stmt: Option<StmtId>,
    },
    Unsupported {
        stmt: StmtId,
        what: &'static str,
    },
    Budget,
}

pub(crate) type Done<T = ()> = Result<T, Refusal>;

#[derive(Clone)]
pub(crate) struct Kernel<'p> {
    pub program: &'p Program,
    pub facts: &'p Facts,
    pub state: State,
    pub scopes: Vec<Scope>,
    /// Assertions that were met, and whether they were known to hold each time; and other statements that are not known never to fail.
    pub asserts: BTreeMap<StmtId, bool>,
    /// How many messages were received.
    pub matched: usize,
    /// Which send was received where.
    pub pairs: BTreeSet<(StmtId, StmtId)>,
    /// Whose rounds go on for ever.
    pub endless: BTreeSet<Who>,
    pub budget: usize,
    /// Set when the result is no longer wanted.
    pub cancel: Option<&'p AtomicBool>,
}

impl<'p> Kernel<'p> {
    pub(crate) fn new(program: &'p Program, facts: &'p Facts, budget: usize) -> Self {
        let state = State::start(program);
        let asserts = facts.divisions().iter().map(|stmt| (*stmt, false)).collect();
        let pairs = BTreeSet::new();
        Self {
            program,
            facts,
            state,
            scopes: Vec::new(),
            asserts,
            matched: 0,
            pairs,
            endless: BTreeSet::new(),
            budget,
            cancel: None,
        }
    }

    fn spend(&mut self) -> Done {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            self.budget = 0;
        }
        self.budget = self.budget.checked_sub(1).ok_or(Refusal::Budget)?;
        Ok(())
    }

    pub(crate) fn actor(&self, who: Who) -> Done<&Actor> {
        self.state.actor(who).ok_or(Refusal::NotNow)
    }

    /// An actor that does something alone: a process, or a member that is looked at alone.
    fn single(&mut self, who: Who) -> Done<&mut Actor> {
        if matches!(who, Who::Each(_)) {
            return Err(Refusal::NotNow);
        }
        self.mover(who)
    }

    /// The actor, if it may move: members that are not looked at alone rest while another is.
    fn mover(&mut self, who: Who) -> Done<&mut Actor> {
        if let Who::Each(set) = who
            && self.is_open(set)
        {
            return Err(Refusal::NotNow);
        }
        self.state.actor_mut(who).ok_or(Refusal::NotNow)
    }

    /// Whether a member of the set is being looked at alone.
    pub(crate) fn is_open(&self, set: SetId) -> bool {
        self.scopes.iter().any(|scope| scope.set == Some(set))
    }

    pub(crate) fn head(&self, who: Who) -> Option<(StmtId, &'p StmtKind)> {
        let head = self.state.actor(who)?.code.head()?;
        Some((head, &self.program.stmt(head).kind))
    }

    /// The loop with a number of turns that an actor stands before.
    pub(crate) fn counted(&self, who: Who) -> Option<Counted<'p>> {
        match self.head(who)? {
            (stmt, StmtKind::Repeat { count, index, body, .. }) => {
                Some(Counted { stmt, count: Some(count), index: *index, body, is_rounds: false })
            }
            (stmt, StmtKind::Rounds { count, index, body, .. }) => {
                Some(Counted { stmt, count: count.as_ref(), index: Some(*index), body, is_rounds: true })
            }
            _ => None,
        }
    }

    /// A statement that neither sends nor receives.
    pub(crate) fn local(&mut self, who: Who) -> Done {
        self.spend()?;
        let (head, _) = self.head(who).ok_or(Refusal::NotNow)?;
        if !self.facts.is_local(head) {
            return Err(Refusal::NotNow);
        }
        let mut env = self.mover(who)?.env.clone();
        self.execute(&mut env, head);
        if matches!(who, Who::Each(_)) {
            // Each member chooses for itself.
            env.map(&|value| match value {
                Known::Chosen(set, _) => Some(Known::Member(*set)),
                Known::Some(..) => Some(Known::Top),
                _ => None,
            });
        }
        if !matches!(who, Who::Each(_)) {
            // What is not known has a value nevertheless, and by its name it is known again when it comes back.
            for var in self.facts.assigned(head) {
                if env.vars[var.index()] == Known::Top {
                    env.vars[var.index()] = self.some();
                }
            }
        }
        let actor = self.mover(who)?;
        actor.env = env;
        actor.code.advance();
        Ok(())
    }

    /// Goes into the one block that is possible: a branch that is decided, the body of a loop, the inside of `atomic`; or leaves a
    /// loop by `break`.
    pub(crate) fn enter(&mut self, who: Who) -> Done {
        self.spend()?;
        let (_, kind) = self.head(who).ok_or(Refusal::NotNow)?;
        let actor = self.single(who)?;
        match kind {
            StmtKind::Atomic(block) => actor.code.replace_head(block),
            StmtKind::Break => {
                if !actor.code.leave_loop() {
                    return Err(Refusal::NotNow);
                }
            }
            StmtKind::Receive { timeout: Some(block), .. } => {
                self.check_lost(who)?;
                self.single(who)?.code.replace_head(block);
            }
            _ => {
                let arm = self.decided(who).ok_or(Refusal::NotNow)?;
                return self.enter_arm(who, arm);
            }
        }
        Ok(())
    }

    /// A receive that can give up, and has to: nothing is there, and nobody will send it.
    fn check_lost(&self, who: Who) -> Done {
        let Some((head, StmtKind::Receive { cases, .. })) = self.head(who) else { return Err(Refusal::NotNow) };
        for case in cases {
            let from = self.source(who, case).ok_or(Refusal::UnknownPartner { stmt: head })?;
            if self.state.pending(&(from, who, case.message)).is_some() {
                return Err(Refusal::NotNow);
            }
            if self.could_send(from, who, &[case.message]).is_some() {
                return Err(Refusal::Empty { receive: head });
            }
        }
        Ok(())
    }

    /// Which way a branch or loop goes, if that is known.
    pub(crate) fn decided(&self, who: Who) -> Option<usize> {
        let (_, kind) = self.head(who)?;
        let env = &self.state.actor(who)?.env;
        let holds = |condition: &Condition| match condition {
            Condition::Either => None,
            Condition::Holds(condition) => match env.eval(condition) {
                Known::Bool(value) => Some(usize::from(!value)),
                _ => None,
            },
        };
        match kind {
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => holds(condition),
            StmtKind::Match { value, arms, .. } => match env.eval(value) {
                Known::Element { element, .. } => Some(arms.iter().position(|arm| arm.element == element).unwrap_or(arms.len())),
                _ => None,
            },
            _ => None,
        }
    }

    /// In how many ways a statement can go on.
    pub(crate) fn arms(&self, who: Who) -> usize {
        match self.head(who) {
            Some((_, StmtKind::If { .. } | StmtKind::While { .. })) => 2,
            Some((_, StmtKind::Match { arms, default, .. })) => arms.len() + usize::from(default.is_some()),
            Some((_, StmtKind::Choose { branches })) => branches.len(),
            _ => 0,
        }
    }

    /// Goes one of the ways, and remembers what follows from that.
    pub(crate) fn enter_arm(&mut self, who: Who, arm: usize) -> Done {
        self.spend()?;
        let (_, kind) = self.head(who).ok_or(Refusal::NotNow)?;
        let program = self.program;
        let element = self.fresh_element(who, arm);
        let actor = self.single(who)?;
        let mut learnt = Vec::new();
        match kind {
            StmtKind::If { condition, then, otherwise } => {
                if let Condition::Holds(condition) = condition {
                    learnt = local::refine(&mut actor.env, program, condition, arm == 0);
                }
                actor.code.replace_head(if arm == 0 { then } else { otherwise });
            }
            StmtKind::While { condition, body, .. } => {
                if let Condition::Holds(condition) = condition {
                    learnt = local::refine(&mut actor.env, program, condition, arm == 0);
                }
                if arm == 0 { actor.code.push(body, FrameKind::Back) } else { actor.code.advance() }
            }
            StmtKind::Match { value, arms, default } => {
                let mut known = actor.env.eval(value);
                if let (Known::Some(number, _), Some(element)) = (&known, element) {
                    learnt.push((*number, element.clone()));
                    known = element;
                }
                let block: &Block = match arms.get(arm) {
                    Some(chosen) => {
                        local::bind_arm(&mut actor.env, &known, chosen);
                        &chosen.body
                    }
                    None => default.as_ref().ok_or(Refusal::NotNow)?,
                };
                actor.code.replace_head(block);
            }
            StmtKind::Choose { branches } => {
                let block = branches.get(arm).ok_or(Refusal::NotNow)?;
                actor.code.replace_head(block);
            }
            _ => return Err(Refusal::NotNow),
        }
        if !learnt.is_empty() {
            self.replace_values(&|value| local::told(&learnt, value));
        }
        Ok(())
    }

    /// What a value is that a `match` finds to be the element of this arm.
    fn fresh_element(&mut self, who: Who, arm: usize) -> Option<Known> {
        let Some((_, StmtKind::Match { value, arms, .. })) = self.head(who) else { return None };
        let Some(Type::Enum(of)) = self.type_of(self.state.actor(who)?, value) else { return None };
        let Some(arm) = arms.get(arm) else {
            // The rest: known if it is only one.
            let elements = self.program.enums[of.index()].elements.iter();
            let mut rest = (0..).zip(elements).filter(|(nth, _)| arms.iter().all(|arm| arm.element != *nth));
            return match (rest.next(), rest.next()) {
                (Some((element, declared)), None) if declared.payload.is_empty() => {
                    Some(Known::Element { of, element, args: Vec::new() })
                }
                _ => None,
            };
        };
        let args = arm.patterns.iter().map(|_| self.some()).collect();
        Some(Known::Element { of, element: arm.element, args })
    }

    /// Puts a message into a channel.
    pub(crate) fn send(&mut self, who: Who) -> Done {
        self.spend()?;
        let Some((head, StmtKind::Send { message, args, target })) = self.head(who) else { return Err(Refusal::NotNow) };
        let actor = self.single(who)?;
        let to = match actor.env.eval(target) {
            Known::Pid(to) => to,
            Known::Chosen(set, chosen) => return Err(Refusal::NeedsFocus { set, chosen }),
            _ => return Err(Refusal::UnknownPartner { stmt: head }),
        };
        if matches!(to, Who::Each(_)) {
            return Err(Refusal::UnknownPartner { stmt: head });
        }
        let unknown: Vec<VarId> = args.iter().filter_map(|arg| actor.env.unknown(arg)).collect();
        // What is sent and what stays in the variable are the same, whatever it is.
        for var in unknown {
            let value = self.some();
            self.single(who)?.env.vars[var.index()] = value;
        }
        let actor = self.single(who)?;
        let values = args.iter().map(|arg| actor.env.eval(arg)).collect();
        actor.code.advance();
        self.state.channels.entry((who, to, *message)).or_default().push(Message { values, sent: head });
        Ok(())
    }

    /// Takes the oldest message of a channel.
    pub(crate) fn receive(&mut self, who: Who, case: usize, from: Who) -> Done {
        self.spend()?;
        let Some((head, StmtKind::Receive { cases, timeout: None })) = self.head(who) else { return Err(Refusal::NotNow) };
        let chosen = cases.get(case).ok_or(Refusal::NotNow)?;
        self.check_source(who, chosen, from)?;
        if matches!(from, Who::Each(_)) {
            // One message of each member: who takes them takes them one by one.
            return Err(Refusal::NotNow);
        }
        if self.state.pending(&(from, who, chosen.message)).is_none() {
            return Err(Refusal::Empty { receive: head });
        }
        if !self.is_definite(who, cases) {
            let accepted: Vec<MessageId> = cases.iter().map(|case| case.message).collect();
            self.contend(who, head, &accepted, chosen.message, from)?;
        }
        self.take(who, chosen, from)?;
        Ok(())
    }

    /// A receive that can give up: the message is there, and is either taken or lost.
    pub(crate) fn receive_or_time_out(&mut self, who: Who, arm: usize) -> Done {
        self.spend()?;
        let Some((head, StmtKind::Receive { cases, timeout: Some(block) })) = self.head(who) else { return Err(Refusal::NotNow) };
        let case = self.case_there(who, head, cases)?;
        let from = self.source(who, case).ok_or(Refusal::UnknownPartner { stmt: head })?;
        if arm == 0 {
            return self.take(who, case, from);
        }
        let lost = self.pop(&(from, who, case.message))?;
        self.pairs.insert((lost.sent, head));
        self.single(who)?.code.replace_head(block);
        Ok(())
    }

    /// The one case of a receive that can give up whose message is there; the sender must not be able to send what another would take.
    pub(crate) fn case_there<'c>(&self, who: Who, receive: StmtId, cases: &'c [Case]) -> Done<&'c Case> {
        let mut there = None;
        for case in cases {
            let from = self.source(who, case).ok_or(Refusal::UnknownPartner { stmt: receive })?;
            match (self.state.pending(&(from, who, case.message)), there) {
                (None, _) => {}
                (Some(_), None) => there = Some(case),
                (Some(message), Some(_)) => return Err(Refusal::Race { receive, send: message.sent }),
            }
        }
        let there = there.ok_or(Refusal::Empty { receive })?;
        for case in cases.iter().filter(|case| case.message != there.message) {
            let from = self.source(who, case).ok_or(Refusal::UnknownPartner { stmt: receive })?;
            if let Some(send) = self.could_send(from, who, &[case.message]) {
                return Err(Refusal::Race { receive, send });
            }
        }
        Ok(there)
    }

    fn take(&mut self, who: Who, case: &Case, from: Who) -> Done {
        let message = self.pop(&(from, who, case.message))?;
        self.matched += 1;
        if let Some((receive, _)) = self.head(who) {
            self.pairs.insert((message.sent, receive));
        }
        for scope in self.scopes.iter_mut().filter(|scope| scope.focus == Some(who)) {
            scope.unanswered.retain_mut(|(other, old)| {
                let is_answer = *other == from && *old == 0;
                *old -= usize::from(*other == from && *old > 0);
                !is_answer
            });
        }
        let actor = self.single(who)?;
        for (pattern, value) in case.patterns.iter().zip(&message.values) {
            actor.env.store(pattern, value);
        }
        if let Some(sender) = &case.sender {
            actor.env.store(&crate::program::Pattern::Place(sender.clone()), &Known::Pid(from));
        }
        actor.code.replace_head(&case.body);
        Ok(())
    }

    fn pop(&mut self, channel: &super::state::Channel) -> Done<Message> {
        if let Some(send) = self.scopes.iter().find_map(|scope| scope.had_before(channel)) {
            return Err(Refusal::Leftover { send });
        }
        let messages = self.state.channels.get_mut(channel).ok_or(Refusal::NotNow)?;
        if messages.is_empty() {
            return Err(Refusal::NotNow);
        }
        let message = messages.remove(0);
        if messages.is_empty() {
            self.state.channels.remove(channel);
        }
        Ok(message)
    }

    /// Takes one of many messages of which only the number is known.
    pub(crate) fn take_from_bag(&mut self, who: Who, case: usize) -> Done {
        self.spend()?;
        let Some((head, StmtKind::Receive { cases, timeout: None })) = self.head(who) else { return Err(Refusal::NotNow) };
        let chosen = cases.get(case).ok_or(Refusal::NotNow)?;
        let fits = |bag: &super::state::Bag| bag.to == who && bag.message == chosen.message && bag.count.is_none();
        let nth = self.state.bags.iter().position(fits).ok_or(Refusal::Empty { receive: head })?;
        let bag = self.state.bags[nth].clone();
        let is_from_set = match &chosen.source {
            Source::Any => true,
            Source::Of(Expr::Set(set)) => *set == bag.from,
            _ => false,
        };
        if !is_from_set || cases.len() > 1 {
            return Err(Refusal::UnknownPartner { stmt: head });
        }
        self.check_bag(who, head, chosen.message)?;
        self.state.bags.remove(nth);
        self.matched += 1;
        self.pairs.insert((bag.content.sent, head));
        let set = bag.from;
        let actor = self.single(who)?;
        for (pattern, value) in chosen.patterns.iter().zip(&bag.content.values) {
            actor.env.store(pattern, value);
        }
        if let Some(sender) = &chosen.sender {
            actor.env.store(&crate::program::Pattern::Place(sender.clone()), &Known::Member(set));
        }
        actor.code.replace_head(&chosen.body);
        Ok(())
    }

    /// Whether a message from this actor can be taken by this case.
    fn check_source(&self, who: Who, case: &Case, from: Who) -> Done {
        let stmt = self.head(who).map(|(head, _)| head).ok_or(Refusal::NotNow)?;
        let fits = match &case.source {
            Source::Any => true,
            Source::One(_) => self.source(who, case) == Some(from),
            Source::Of(Expr::Set(set)) => self.state.set_of(from) == Some(*set),
            Source::Of(_) => false,
        };
        if fits { Ok(()) } else { Err(Refusal::UnknownPartner { stmt }) }
    }

    /// The one process that a case takes messages from, if it is only one and known.
    pub(crate) fn source(&self, who: Who, case: &Case) -> Option<Who> {
        let Source::One(source) = &case.source else { return None };
        match self.state.actor(who)?.env.eval(source) {
            Known::Pid(from) => Some(from),
            _ => None,
        }
    }

    /// Whether there is only one channel that the next message can come through.
    fn is_definite(&self, who: Who, cases: &[Case]) -> bool {
        matches!(cases, [case] if self.source(who, case).is_some())
    }

    /// Puts together what the ways of a branch lead to. They must have led to the same place.
    pub(crate) fn join(ways: Vec<Self>) -> Done<Self> {
        let mut ways = ways.into_iter();
        let mut all = ways.next().ok_or(Refusal::NotNow)?;
        for way in ways {
            all.join_one(way)?;
        }
        Ok(all)
    }

    fn join_one(&mut self, other: Self) -> Done {
        for (mine, theirs) in self.state.actors.iter_mut().zip(&other.state.actors) {
            if mine.who != theirs.who || mine.code != theirs.code || mine.served != theirs.served || mine.rounds != theirs.rounds
            {
                return Err(Refusal::Moved { who: theirs.who, stmt: theirs.code.head() });
            }
            mine.env = mine.env.join(&theirs.env);
        }
        let is_same_shape = self.state.actors.len() == other.state.actors.len()
            && self.state.channels.len() == other.state.channels.len()
            && self.scopes.len() == other.scopes.len();
        if !is_same_shape || self.state.bags != other.state.bags {
            let more = other.state.channels.iter().chain(&self.state.channels);
            let mut differ = more
                .filter(|(channel, _)| !self.state.channels.contains_key(channel) || !other.state.channels.contains_key(channel));
            let send = differ.find_map(|(_, content)| content.last()).map_or(StmtId(0), |message| message.sent);
            return Err(Refusal::Leftover { send });
        }
        for ((channel, mine), (other_channel, theirs)) in self.state.channels.iter_mut().zip(&other.state.channels) {
            if channel != other_channel || mine.len() != theirs.len() {
                return Err(Refusal::Leftover { send: theirs.last().map_or(StmtId(0), |message| message.sent) });
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.values = mine.values.iter().zip(&theirs.values).map(|(a, b)| a.join(b)).collect();
            }
        }
        for (mine, theirs) in self.scopes.iter_mut().zip(other.scopes) {
            mine.join(theirs)?;
        }
        if other.state.focus.len() > self.state.focus.len() {
            self.state.focus = other.state.focus;
        }
        self.state.chosen = self.state.chosen.max(other.state.chosen);
        for (stmt, holds) in other.asserts {
            *self.asserts.entry(stmt).or_insert(true) &= holds;
        }
        self.matched = self.matched.max(other.matched);
        self.pairs.extend(other.pairs);
        self.endless.extend(other.endless);
        self.budget = self.budget.min(other.budget);
        Ok(())
    }

    /// Whether everything has come to its end.
    pub(crate) fn is_finished(&self) -> bool {
        let ended = |actor: &Actor| actor.code.is_done() || self.state.is_idle(self.program, actor);
        self.state.is_quiet() && self.state.actors.iter().all(ended)
    }
}
