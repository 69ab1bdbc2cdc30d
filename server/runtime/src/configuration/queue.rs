//! What has been sent to a machine and not been taken yet.

use crate::identity::MachineId;
use crate::local::{Control, Local, Message};
use crate::program::{EventId, HALT, Program, Reaction};
use crate::run::receive_cases;
use crate::value::Value;

/// Messages in lanes: one for each sender where only their order per sender is kept, one for all otherwise. Sorted by sender.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queue<V = Value> {
    pub lanes: Vec<Lane<V>>,
}

/// Messages in order. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lane<V = Value> {
    pub from: Option<MachineId>,
    pub messages: Vec<Message<V>>,
}

impl<V> Default for Queue<V> {
    fn default() -> Self {
        Self { lanes: Vec::new() }
    }
}

impl<V> Queue<V> {
    pub fn len(&self) -> usize {
        self.lanes.iter().map(|lane| lane.messages.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    pub(super) fn put(&mut self, from: Option<&MachineId>, message: Message<V>) {
        match self.lanes.binary_search_by(|lane| lane.from.as_ref().cmp(&from)) {
            Ok(position) => self.lanes[position].messages.push(message),
            Err(position) => self.lanes.insert(position, Lane { from: from.cloned(), messages: vec![message] }),
        }
    }

    /// The lanes from which the machine can take a message now.
    pub(super) fn takeable<'a>(
        &'a self,
        program: &'a Program,
        local: &'a Local<V>,
    ) -> impl Iterator<Item = Option<&'a MachineId>> {
        let lanes = self.lanes.iter().filter(|lane| lane.next(program, local).is_some());
        lanes.map(|lane| lane.from.as_ref())
    }

    /// Takes the next message of a lane that the machine can take.
    pub(super) fn take(&mut self, program: &Program, local: &Local<V>, from: Option<&MachineId>) -> Option<Message<V>> {
        let position = self.lanes.iter().position(|lane| lane.from.as_ref() == from)?;
        let lane = &mut self.lanes[position];
        let message = lane.messages.remove(lane.next(program, local)?);
        if lane.messages.is_empty() {
            self.lanes.remove(position);
        }
        Some(message)
    }

    /// Drops what the machine will drop before anything else happens to it. On a network that is nothing: whatever has been sent can
    /// be late, and find another state.
    pub(super) fn tidy(&mut self, program: &Program, local: &Local<V>) {
        match local.control {
            Control::Halted => self.lanes.clear(),
            Control::Waiting => {
                let state = program.state(local.machine, local.state);
                for lane in self.lanes.iter_mut().filter(|lane| !lane.is_of_network()) {
                    // What lies behind an event that will be taken may meet another state.
                    let end = lane.next(program, local).unwrap_or(lane.messages.len());
                    let mut number = 0;
                    lane.messages.retain(|message| {
                        number += 1;
                        number > end || state.reaction(message.event) != Reaction::Ignore
                    });
                }
                self.lanes.retain(|lane| !lane.messages.is_empty());
            }
            _ => {}
        }
    }
}

impl<V> Lane<V> {
    fn is_of_network(&self) -> bool {
        self.from.is_some()
    }

    /// The first message that the machine can take, by number.
    fn next(&self, program: &Program, local: &Local<V>) -> Option<usize> {
        self.messages.iter().position(|message| self.is_wanted(program, local, message.event))
    }

    fn is_wanted(&self, program: &Program, local: &Local<V>, event: EventId) -> bool {
        match local.control {
            Control::Waiting => match program.state(local.machine, local.state).reaction(event) {
                Reaction::Defer => false,
                // It is dropped when it is taken, now or later.
                Reaction::Ignore => self.is_of_network(),
                Reaction::Unhandled | Reaction::Do(_) | Reaction::Goto { .. } => true,
            },
            Control::Receiving => event == HALT || receive_cases(program, local).iter().any(|case| case.event == event),
            _ => false,
        }
    }
}
