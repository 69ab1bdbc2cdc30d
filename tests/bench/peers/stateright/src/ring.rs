//! Leader election on a ring after Chang and Roberts as actors, as in `chang_roberts.p`: everybody wants to lead, and numbers fall along
//! the ring. Messages of one actor to another stay in order.

use std::borrow::Cow;

use stateright::Expectation;
use stateright::actor::{Actor, ActorModel, Id, Network, Out};

#[derive(Clone)]
pub struct Node {
    number: usize,
    next: Id,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum State {
    Running,
    /// It has heard who leads.
    Done(usize),
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub enum Message {
    Elect(usize),
    Elected(usize),
}

pub fn model(nodes: u8) -> ActorModel<Node, usize> {
    let nodes = usize::from(nodes);
    let node = |place: usize| Node { number: nodes - place, next: Id::from((place + 1) % nodes) };
    ActorModel::new(nodes, ()).actors((0..nodes).map(node)).init_network(Network::new_ordered([])).property(
        Expectation::Always,
        "only the largest wins",
        |model, state| {
            state.actor_states.iter().all(|state| match **state {
                State::Running => true,
                State::Done(leader) => leader == model.cfg,
            })
        },
    )
}

impl Actor for Node {
    type Msg = Message;
    type Timer = ();
    type State = State;
    type Storage = ();
    type Random = ();

    fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> State {
        out.send(self.next, Message::Elect(self.number));
        State::Running
    }

    fn on_msg(&self, _: Id, state: &mut Cow<'_, State>, _: Id, message: Message, out: &mut Out<Self>) {
        if let State::Done(_) = **state {
            return;
        }
        match message {
            Message::Elect(other) if other > self.number => out.send(self.next, Message::Elect(other)),
            Message::Elect(other) if other == self.number => out.send(self.next, Message::Elected(other)),
            Message::Elect(_) => {}
            Message::Elected(leader) => {
                if leader != self.number {
                    out.send(self.next, Message::Elected(leader));
                }
                *state.to_mut() = State::Done(leader);
            }
        }
    }
}
