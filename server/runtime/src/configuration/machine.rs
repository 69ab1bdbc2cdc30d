//! One machine with its queue: what it can do next, and what messages do to it. Knows nothing of other machines.

use std::sync::Arc;

use super::{Action, Delivery, Machine, Queue};
use crate::identity::MachineId;
use crate::local::{Control, Local, Message};
use crate::program::{InterfaceId, Program};
use crate::run::Input;

impl<V: Clone + Eq> Machine<V> {
    /// A machine that has not been started.
    pub fn created(program: &Program, interface: InterfaceId, payload: V) -> Self {
        Self { local: Arc::new(Local::created(program, interface, payload)), queue: Queue::default() }
    }

    /// Everything it can do next.
    pub fn actions(&self, program: &Program, delivery: Delivery) -> Vec<Action> {
        let take = |from: Option<&MachineId>| Action::Take { from: from.cloned() };
        match &self.local.control {
            Control::Created(_) => vec![Action::Start],
            Control::Paused(_) => vec![Action::Resume],
            Control::NullTaken => vec![Action::HandleNull],
            Control::Halted => Vec::new(),
            Control::Receiving => self.queue.takeable(program, &self.local).map(take).collect(),
            Control::Waiting => {
                let mut actions: Vec<Action> = self.queue.takeable(program, &self.local).map(take).collect();
                // On the network any message can be late.
                let is_idle = actions.is_empty() || delivery == Delivery::Network;
                if is_idle && program.state(self.local.machine, self.local.state).handles_null() {
                    actions.push(Action::TakeNull);
                }
                actions
            }
        }
    }

    /// Takes out of the queue what the machine is given, and says what that is. `None` if there is nothing to run: the machine only
    /// decides to handle `null`.
    pub fn begin(&mut self, program: &Program, action: &Action) -> Option<(Arc<Local<V>>, Input<V>)> {
        let input = match action {
            Action::Start | Action::Resume => Input::Go,
            Action::HandleNull => Input::Null,
            Action::Take { from } => Input::Message(self.queue.take(program, &self.local, from.as_ref())?),
            Action::TakeNull => {
                Arc::make_mut(&mut self.local).control = Control::NullTaken;
                return None;
            }
        };
        Some((self.local.clone(), input))
    }

    /// A message arrives that another machine has sent.
    pub fn arrive(&mut self, program: &Program, delivery: Delivery, sender: &MachineId, message: Message<V>) {
        self.arrive_own(delivery, sender, message);
        self.queue.tidy(program, &self.local);
    }

    /// A message arrives that the machine has sent to itself. What becomes of it is known when its run is over: see `settle`.
    pub fn arrive_own(&mut self, delivery: Delivery, sender: &MachineId, message: Message<V>) {
        if !self.local.is_halted() {
            self.queue.put((delivery == Delivery::Network).then_some(sender), message);
        }
    }

    /// A run of the machine is over, and this is what it knows now.
    pub fn settle(&mut self, program: &Program, local: Arc<Local<V>>) {
        self.local = local;
        self.queue.tidy(program, &self.local);
    }
}
