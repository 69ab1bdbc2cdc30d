//! Two-phase commit as plain states and steps, as in `two_phase_commit.p`: a message is in the queue of its target as soon as it is
//! sent, and sending is a step of its own.

use std::collections::VecDeque;

use stateright::{Model, Property};

pub struct TwoPhase {
    pub participants: u8,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub struct State {
    coordinator: Coordinator,
    /// Who votes how.
    votes: VecDeque<(u8, bool)>,
    participants: Vec<Participant>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
enum Coordinator {
    /// Who is asked next.
    Asking(u8),
    Counting {
        votes: u8,
        commits: bool,
    },
    /// Who is told next.
    Telling {
        next: u8,
        commits: bool,
    },
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
struct Participant {
    stage: Stage,
    queue: VecDeque<Message>,
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
enum Stage {
    Working,
    Voting(bool),
    Voted(bool),
    Done { voted: bool, commits: bool },
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
enum Message {
    Prepare,
    Decide(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Send,
    TakeVote,
    TakePrepare(usize, bool),
    Vote(usize),
    TakeDecision(usize),
}

impl Model for TwoPhase {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let participant = Participant { stage: Stage::Working, queue: VecDeque::new() };
        let participants = vec![participant; usize::from(self.participants)];
        vec![State { coordinator: Coordinator::Asking(0), votes: VecDeque::new(), participants }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        match state.coordinator {
            Coordinator::Asking(_) => actions.push(Action::Send),
            Coordinator::Counting { .. } if !state.votes.is_empty() => actions.push(Action::TakeVote),
            Coordinator::Telling { next, .. } if next < self.participants => actions.push(Action::Send),
            _ => {}
        }
        for (number, participant) in state.participants.iter().enumerate() {
            match (participant.stage, participant.queue.front()) {
                (Stage::Working, Some(Message::Prepare)) => {
                    actions.extend([Action::TakePrepare(number, false), Action::TakePrepare(number, true)]);
                }
                (Stage::Voting(_), _) => actions.push(Action::Vote(number)),
                (Stage::Voted(_), Some(Message::Decide(_))) => actions.push(Action::TakeDecision(number)),
                _ => {}
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Send => self.send(&mut state),
            Action::TakeVote => {
                let (_, yes) = state.votes.pop_front()?;
                let Coordinator::Counting { votes, commits } = state.coordinator else { return None };
                let (votes, commits) = (votes + 1, commits && yes);
                let is_last = votes == self.participants;
                state.coordinator =
                    if is_last { Coordinator::Telling { next: 0, commits } } else { Coordinator::Counting { votes, commits } };
            }
            Action::TakePrepare(number, yes) => {
                state.participants[number].queue.pop_front();
                state.participants[number].stage = Stage::Voting(yes);
            }
            Action::Vote(number) => {
                let Stage::Voting(yes) = state.participants[number].stage else { return None };
                state.votes.push_back((u8::try_from(number).ok()?, yes));
                state.participants[number].stage = Stage::Voted(yes);
            }
            Action::TakeDecision(number) => {
                let participant = &mut state.participants[number];
                let (Stage::Voted(voted), Some(Message::Decide(commits))) = (participant.stage, participant.queue.pop_front())
                else {
                    return None;
                };
                participant.stage = Stage::Done { voted, commits };
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("nobody commits against its own vote", |_, state: &State| {
            let is_wrong = |stage| matches!(stage, Stage::Done { voted: false, commits: true });
            !state.participants.iter().any(|participant| is_wrong(participant.stage))
        })]
    }
}

impl TwoPhase {
    /// The coordinator sends its next message.
    fn send(&self, state: &mut State) {
        match state.coordinator {
            Coordinator::Asking(next) => {
                state.participants[usize::from(next)].queue.push_back(Message::Prepare);
                let is_last = next + 1 == self.participants;
                state.coordinator =
                    if is_last { Coordinator::Counting { votes: 0, commits: true } } else { Coordinator::Asking(next + 1) };
            }
            Coordinator::Telling { next, commits } => {
                state.participants[usize::from(next)].queue.push_back(Message::Decide(commits));
                state.coordinator = Coordinator::Telling { next: next + 1, commits };
            }
            Coordinator::Counting { .. } => {}
        }
    }
}
