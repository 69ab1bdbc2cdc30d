//! The values of a machine by where they are, so that all of them can be replaced at once.
//!
//! What is left without them is the *skeleton*: states, positions in the code, events in queues, everything that decides what a machine
//! can do next. Two machines with the same skeleton have values at the same spots.

use std::sync::Arc;

use crate::configuration::{Lane, Machine, Queue};
use crate::local::{Control, Frame, Local, Message, Pending, Task};

/// Where a value is in a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    Field(u32),
    /// Of a function that has not returned, the outermost being 0.
    Slot(u32, u32),
    /// What the machine is about to send, or is started with.
    Control,
    /// What is carried by an event whose handling is not over.
    Agenda(u32),
    /// What is carried by a message in a lane of the queue.
    Queue(u32, u32),
}

impl<V> Local<V> {
    /// The same machine with other values.
    pub fn map<U>(&self, value: &mut dyn FnMut(Spot, &V) -> U) -> Local<U> {
        let fields = (0..).zip(&self.fields).map(|(number, field)| value(Spot::Field(number), field)).collect();
        let mut frames = Vec::with_capacity(self.frames.len());
        for (depth, frame) in (0..).zip(&self.frames) {
            let slots = (0..).zip(&frame.slots).map(|(slot, held)| value(Spot::Slot(depth, slot), held)).collect();
            let Frame { function, block, instr, result, .. } = *frame;
            frames.push(Frame { function, block, instr, slots, result });
        }
        let control = match &self.control {
            Control::Created(payload) => Control::Created(value(Spot::Control, payload)),
            Control::Paused(Pending::Send { target, message }) => {
                let message = Message { event: message.event, payload: value(Spot::Control, &message.payload) };
                Control::Paused(Pending::Send { target: target.clone(), message })
            }
            Control::Paused(Pending::Create { interface, payload, to }) => {
                Control::Paused(Pending::Create { interface: *interface, payload: value(Spot::Control, payload), to: *to })
            }
            Control::Waiting => Control::Waiting,
            Control::NullTaken => Control::NullTaken,
            Control::Receiving => Control::Receiving,
            Control::Halted => Control::Halted,
        };
        let mut carried = |number, message: &Message<V>| Message {
            event: message.event,
            payload: value(Spot::Agenda(number), &message.payload),
        };
        let agenda = (0..).zip(&self.agenda).map(|(number, task)| match task {
            Task::With(function, message) => Task::With(*function, carried(number, message)),
            Task::Enter(state, message) => Task::Enter(*state, carried(number, message)),
            Task::Halt => Task::Halt,
            Task::Unhandled(event) => Task::Unhandled(*event),
        });
        let agenda = agenda.collect();
        let Self { machine, interface, state, created, .. } = *self;
        Local { machine, interface, state, control, fields, frames, agenda, created }
    }

    /// Each value with the one that another machine of the same skeleton has at its spot.
    pub fn zip(&self, other: &Self, value: &mut dyn FnMut(&V, &V) -> V) -> Self
    where
        V: Clone,
    {
        let mut others = Vec::new();
        other.map(&mut |_, held| others.push(held.clone()));
        let mut others = others.into_iter();
        self.map(&mut |_, held| match others.next() {
            Some(other) => value(held, &other),
            None => {
                debug_assert!(false, "the skeletons differ");
                held.clone()
            }
        })
    }
}

impl<V> Queue<V> {
    pub fn map<U>(&self, value: &mut dyn FnMut(Spot, &V) -> U) -> Queue<U> {
        let mut lanes = Vec::with_capacity(self.lanes.len());
        for (number, lane) in (0..).zip(&self.lanes) {
            let messages = (0..).zip(&lane.messages).map(|(position, message)| Message {
                event: message.event,
                payload: value(Spot::Queue(number, position), &message.payload),
            });
            lanes.push(Lane { from: lane.from.clone(), messages: messages.collect() });
        }
        Queue { lanes }
    }
}

impl<V> Machine<V> {
    pub fn map<U>(&self, value: &mut dyn FnMut(Spot, &V) -> U) -> Machine<U> {
        Machine { local: Arc::new(self.local.map(value)), queue: self.queue.map(value) }
    }
}
