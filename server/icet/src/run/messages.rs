//! The steps that exchange messages: sending, receiving, giving up.

use std::sync::Arc;

use crate::program::{Case, MessageId, Source, StmtId, StmtKind};
use crate::run::code::Position;
use crate::run::eval::Trouble;
use crate::run::state::{Channel, Choice, Effect, Fate, Lost, Round, State, Who};
use crate::run::step::{Machine, Steps};
use crate::run::value::{Pid, Value};

impl Steps<'_, '_> {
    pub(super) fn send(&mut self, in_rounds: bool) -> Result<(), Trouble> {
        let StmtKind::Send { message, args, target } = &self.machine.program.stmt(self.stmt).kind else {
            return Err(Trouble::IllTyped);
        };
        let Who::Process(from) = *self.who else { return Err(Trouble::IllTyped) };
        let (to, payload) = self.evaluate(|scope| {
            let payload = args.iter().map(|arg| scope.eval(arg)).collect::<Result<Arc<[Value]>, _>>()?;
            Ok((scope.somebody(target)?, payload))
        })?;
        let round = in_rounds.then_some(self.state.actors[from.index()].round);
        let channel = Channel { from, to, message: *message, round };
        self.add(Choice::None, self.next, |state| {
            let fate = deliver(state, channel, &payload);
            Ok(Effect::Sent { message: *message, payload, to, fate })
        })
    }

    pub(super) fn receive(&mut self, bodies: &[Position], timeout: Option<Position>, in_rounds: bool) -> Result<(), Trouble> {
        let (machine, who) = (self.machine, self.who);
        let Who::Process(me) = *who else { return Err(Trouble::IllTyped) };
        let StmtKind::Receive { cases, .. } = &machine.program.stmt(self.stmt).kind else { return Err(Trouble::IllTyped) };
        let round = in_rounds.then_some(self.state.actors[me.index()].round);
        let mut there = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            for from in machine.senders(self.state, who, case)? {
                let channel = Channel { from, to: me, message: case.message, round };
                if self.state.queue(&channel).is_empty() {
                    continue;
                }
                there.push(channel);
                self.add(Choice::Take { case: number as u32, from }, bodies[number], |state| {
                    take(machine, state, who, case, &channel)
                })?;
            }
        }
        match timeout {
            Some(block) => self.give_up(block, cases, &there, round),
            None => Ok(()),
        }
    }

    fn give_up(&mut self, block: Position, cases: &[Case], there: &[Channel], round: Option<Round>) -> Result<(), Trouble> {
        let (machine, who) = (self.machine, self.who);
        let Who::Process(to) = *who else { return Err(Trouble::IllTyped) };
        for channel in there {
            self.add(Choice::GiveUp { dropped: Some(channel.message) }, block, |state| {
                state.take(channel);
                Ok(Effect::Moved)
            })?;
        }
        if !there.is_empty() {
            return Ok(());
        }
        let Some(from) = machine.senders(self.state, who, &cases[0])?.first().copied() else { return Err(Trouble::IllTyped) };
        let mut messages = cases.iter().map(|case| case.message).collect::<Vec<_>>();
        messages.sort();
        self.add(Choice::GiveUp { dropped: None }, block, |state| {
            let lost = Arc::make_mut(&mut state.lost);
            // Sorted by channel, so that waits that have nothing to do with each other have one order.
            let place = lost.partition_point(|other| (other.to, other.from, other.round) <= (to, from, round));
            lost.insert(place, Lost { from, to, messages, round });
            Ok(Effect::Moved)
        })
    }

    /// Whether a member's message is there that the first receive of a `foreach` takes, or that receive does not insist on one.
    pub(super) fn has_written(&self, (first, in_rounds): (StmtId, bool), member: Pid) -> bool {
        let Who::Process(me) = *self.who else { return false };
        let StmtKind::Receive { cases, timeout } = &self.machine.program.stmt(first).kind else { return false };
        let round = in_rounds.then_some(self.state.actors[me.index()].round);
        let is_there = |message: MessageId| !self.state.queue(&Channel { from: member, to: me, message, round }).is_empty();
        timeout.is_some() || cases.iter().any(|case| is_there(case.message))
    }
}

impl Machine<'_> {
    /// From whom a case can be taken.
    pub fn senders(&self, state: &State, who: &Who, case: &Case) -> Result<Vec<Pid>, Trouble> {
        match &case.source {
            Source::Any => Ok(self.instance.pids().collect()),
            Source::One(source) => Ok(vec![self.evaluate(state, who, |scope| scope.somebody(source))?]),
            Source::Of(source) => {
                let elements = self.evaluate(state, who, |scope| scope.elements(source))?;
                Ok(elements.iter().filter_map(|element| if let Value::Pid(pid) = element { Some(*pid) } else { None }).collect())
            }
        }
    }
}

fn deliver(state: &mut State, channel: Channel, payload: &Arc<[Value]>) -> Fate {
    if channel.round.is_some_and(|round| round < state.actors[channel.to.index()].round) {
        return Fate::TooLate;
    }
    let awaits = |lost: &Lost| {
        (lost.from, lost.to, lost.round) == (channel.from, channel.to, channel.round) && lost.messages.contains(&channel.message)
    };
    if let Some(at) = state.lost.iter().position(awaits) {
        Arc::make_mut(&mut state.lost).remove(at);
        return Fate::GivenUp;
    }
    state.put(channel, payload.clone());
    Fate::InChannel
}

fn take(machine: &Machine<'_>, state: &mut State, who: &Who, case: &Case, channel: &Channel) -> Result<Effect, Trouble> {
    let payload = state.take(channel).ok_or(Trouble::IllTyped)?;
    machine.bind_all(state, who, &case.patterns, &payload)?;
    if let Some(sender) = &case.sender {
        machine.store(state, who, sender, Value::Pid(channel.from))?;
    }
    Ok(Effect::Received { message: case.message, payload, from: channel.from })
}
