//! The checker's state: who stands where, what is known, which messages are under way.

use std::collections::{BTreeMap, VecDeque};

use super::place::Position;
use super::shape::Shape;
use super::value::{Val, default, eval};
use crate::program::{LocalId, MessageId, ProcessId, Program, SetId, VarId};
use crate::rewrite::Who;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Actor {
    pub(super) who: Who,
    pub(super) process: ProcessId,
    /// Of `Each` and `Focus`.
    pub(super) set: Option<SetId>,
    pub(super) at: Position,
    /// How many `rounds` it has gone through.
    pub(super) rounds: u32,
    pub(super) vars: Vec<Val>,
    pub(super) locals: BTreeMap<LocalId, Val>,
}

/// From, to, and the kind of message.
pub(super) type Channel = (Who, Who, MessageId);

/// Messages to one process whose senders are forgotten: of members of a set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bag {
    pub(super) to: Who,
    pub(super) message: MessageId,
    pub(super) set: SetId,
    pub(super) content: Vec<Val>,
    /// As many as this; without it, one.
    pub(super) count: Option<Val>,
    /// Whether the one of this turn was taken.
    pub(super) is_taken: bool,
}

impl Bag {
    /// Everything but what the messages say.
    pub(super) fn kind(&self) -> (Who, MessageId, SetId, Option<&Val>, bool) {
        (self.to, self.message, self.set, self.count.as_ref(), self.is_taken)
    }
}

#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) actors: Vec<Actor>,
    /// Without empty ones.
    pub(super) channels: BTreeMap<Channel, VecDeque<Vec<Val>>>,
    pub(super) bags: Vec<Bag>,
    /// How many picks were made.
    pub(super) picks: u32,
}

impl State {
    pub(super) fn start(program: &Program) -> Self {
        let mut actors = Vec::new();
        for (nth, process) in program.processes.iter().enumerate() {
            let Ok(nth) = u32::try_from(nth) else { continue };
            let id = ProcessId(nth);
            let who = process.set.map_or(Who::One(id), Who::Each);
            let at = Position::start(&process.code.body);
            let mut actor =
                Actor { who, process: id, set: process.set, at, rounds: 0, vars: Vec::new(), locals: BTreeMap::new() };
            for var in &process.code.vars {
                let value = var.value.as_ref().map_or_else(|| default(program, &var.ty), |value| eval(program, &actor, value));
                actor.vars.push(value);
            }
            actors.push(actor);
        }
        Self { actors, channels: BTreeMap::new(), bags: Vec::new(), picks: 0 }
    }

    pub(super) fn actor(&self, who: Who) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.who == who)
    }

    pub(super) fn actor_mut(&mut self, who: Who) -> Option<&mut Actor> {
        self.actors.iter_mut().find(|actor| actor.who == who)
    }

    pub(super) fn is_there(&self, channel: Channel) -> bool {
        self.channels.contains_key(&channel)
    }

    pub(super) fn send(&mut self, channel: Channel, content: Vec<Val>) {
        self.channels.entry(channel).or_default().push_back(content);
    }

    pub(super) fn take(&mut self, channel: Channel) -> Option<Vec<Val>> {
        let queue = self.channels.get_mut(&channel)?;
        let content = queue.pop_front();
        if queue.is_empty() {
            self.channels.remove(&channel);
        }
        content
    }

    /// Looks at one member alone: what its set stands for, with channels of its own.
    pub(super) fn split(&mut self, set: SetId, focus: Who) -> Option<()> {
        let each = Who::Each(set);
        let mut member = self.actor(each)?.clone();
        member.who = focus;
        member.values().for_each(|value| value.replace(&Val::Me, &Val::Pid(focus)));
        self.actors.push(member);
        let copies: Vec<_> = self
            .channels
            .iter()
            .filter(|((from, to, _), _)| (*from == each) != (*to == each))
            .map(|((from, to, message), queue)| {
                let end = |who: Who| if who == each { focus } else { who };
                let mut queue = queue.clone();
                // Of two sets, it is not known which member is meant.
                let is_other_each = matches!((from, to), (Who::Each(_), Who::Each(_)));
                let me = if is_other_each { Val::Top } else { Val::Pid(focus) };
                queue.iter_mut().flatten().for_each(|value| value.replace(&Val::Me, &me));
                ((end(*from), end(*to), *message), queue)
            })
            .collect();
        self.channels.extend(copies);
        Some(())
    }

    /// What one member did, all have done: it stands for its set.
    pub(super) fn merge(&mut self, set: SetId, focus: Who) -> Option<()> {
        let each = Who::Each(set);
        let mut member = self.actor(focus)?.clone();
        member.who = each;
        member.values().for_each(|value| value.replace(&Val::Pid(focus), &Val::Me));
        self.actors.retain(|actor| actor.who != focus);
        *self.actor_mut(each)? = member;
        let own = std::mem::take(&mut self.channels);
        for ((from, to, message), mut queue) in own {
            if from == focus || to == focus {
                let end = |who: Who| if who == focus { each } else { who };
                let (from, to) = (end(from), end(to));
                let is_between_sets = matches!((from, to), (Who::Each(_), Who::Each(_)));
                for value in queue.iter_mut().flatten() {
                    if is_between_sets {
                        value.replace(&Val::Me, &Val::Top);
                        value.replace(&Val::Pid(focus), &Val::Top);
                    } else {
                        value.replace(&Val::Pid(focus), &Val::Me);
                    }
                }
                self.channels.insert((from, to, message), queue);
            } else if from != each && to != each {
                self.channels.insert((from, to, message), queue);
            }
        }
        self.forget_member(focus, &Val::Top);
        Some(())
    }

    /// Nobody but the member itself knows it any longer.
    pub(super) fn forget_member(&mut self, focus: Who, instead: &Val) {
        self.replace(&Val::Pid(focus), instead);
    }

    pub(super) fn replace(&mut self, old: &Val, new: &Val) {
        self.values().for_each(|value| value.replace(old, new));
    }

    /// Everything that is known.
    pub(super) fn values(&mut self) -> impl Iterator<Item = &mut Val> {
        let actors = self.actors.iter_mut().flat_map(Actor::values);
        let messages = self.channels.values_mut().flatten().flatten();
        actors.chain(messages).chain(self.bags.iter_mut().flat_map(|bag| &mut bag.content))
    }

    /// Forgets what an actor's loops assign: those it is in or stands before.
    pub(super) fn forget_loops(&mut self, program: &Program, shape: &Shape, who: Who) {
        let Some(actor) = self.actor_mut(who) else { return };
        for stmt in actor.at.loops(program) {
            actor.forget(shape.assigned(stmt));
        }
    }

    /// What is known if one of two states is there, in which everybody stands at the same place.
    pub(super) fn join(&mut self, other: &State) {
        for actor in &mut self.actors {
            if let Some(that) = other.actors.iter().find(|that| that.who == actor.who) {
                actor.join(that);
            }
        }
        for (channel, queue) in &mut self.channels {
            for (content, that) in queue.iter_mut().zip(other.channels.get(channel).into_iter().flatten()) {
                content.iter_mut().zip(that).for_each(|(value, that)| value.join(that));
            }
        }
        for (bag, that) in self.bags.iter_mut().zip(&other.bags) {
            bag.content.iter_mut().zip(&that.content).for_each(|(value, that)| value.join(that));
        }
        self.picks = self.picks.max(other.picks);
    }

    pub(super) fn counts(&self) -> BTreeMap<Channel, usize> {
        self.channels.iter().map(|(channel, queue)| (*channel, queue.len())).collect()
    }
}

impl Actor {
    pub(super) fn values(&mut self) -> impl Iterator<Item = &mut Val> {
        self.vars.iter_mut().chain(self.locals.values_mut())
    }

    pub(super) fn forget(&mut self, vars: &[VarId]) {
        for var in vars {
            if let Some(value) = self.vars.get_mut(var.index()) {
                *value = Val::Top;
            }
        }
    }

    pub(super) fn join(&mut self, other: &Actor) {
        self.vars.iter_mut().zip(&other.vars).for_each(|(value, that)| value.join(that));
        self.locals.retain(|local, value| match other.locals.get(local) {
            Some(that) => {
                value.join(that);
                true
            }
            None => false,
        });
    }
}
