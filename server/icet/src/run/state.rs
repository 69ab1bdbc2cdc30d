//! The state of a run: what every process has stored and where it is, and the messages under way.
//!
//! Invariants, so that equal situations are equal states: channels are sorted and not empty; loop variables out of scope hold nobody;
//! a message that a process has given up waiting for is not in a channel, and if a wait for a message type was given up and is not
//! settled, no message of that type is in the channel.

use std::sync::Arc;

use crate::program::{MessageId, StmtId, VarId};
use crate::run::code::Position;
use crate::run::eval::Trouble;
use crate::run::value::{Pid, Value};
use smol_str::SmolStr;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// By pid.
    pub actors: Vec<Arc<ActorState>>,
    /// Ghost variables outside processes.
    pub shared: Vec<Value>,
    /// Until the `sequential` block is through. The processes wait for it.
    pub sequential: Option<Arc<SequentialState>>,
    pub channels: Arc<Vec<(Channel, Queue)>>,
    /// Messages that were given up and have not come yet, in the order in which they were given up.
    pub lost: Arc<Vec<Lost>>,
}

/// What the messages in a channel carry, oldest first.
pub type Queue = Vec<Arc<[Value]>>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActorState {
    pub vars: Vec<Value>,
    pub thread: Thread,
    pub is_over: bool,
    /// Messages of earlier rounds are thrown away.
    pub round: Round,
}

/// Which `rounds` statement a process is in or comes to next, counted in the order in which it meets them, and which round of it.
pub type Round = (u32, u64);

/// Where somebody is in its code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thread {
    pub position: Position,
    pub status: Status,
    /// The loops around the position, innermost last.
    pub loops: Vec<Loop>,
    /// By `LocalId`.
    pub locals: Vec<Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    Runs,
    /// The claim that it made is wrong; it does nothing more.
    Failed,
    /// An `assume` was false: this run does not count.
    Withdrawn,
    /// It cannot be known how it would go on.
    CutOff,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Loop {
    /// Members without a turn so far, sorted, and the one whose turn it is.
    Members { rest: Vec<Value>, current: Option<Value> },
    /// How many turns there were, and how many there will be.
    Turns { next: i128, count: Option<i128> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    pub from: Pid,
    pub to: Pid,
    pub message: MessageId,
    /// Inside of `rounds`: the one in which the message was sent.
    pub round: Option<Round>,
}

/// A wait that was given up: the first of these messages to come is thrown away.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    pub from: Pid,
    pub to: Pid,
    pub messages: Vec<MessageId>,
    pub round: Option<Round>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SequentialState {
    pub vars: Vec<Value>,
    /// Sorted by path.
    pub threads: Vec<SequentialThread>,
    /// The thread that is in an `atomic` block: only it and those that it started move.
    pub atomic: Option<Path>,
}

/// Which member's thread of which `parallel`, from the outermost on. The block itself has the empty path.
pub type Path = Vec<u32>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SequentialThread {
    pub path: Path,
    pub thread: Thread,
    /// How many threads it waits for.
    pub waits_for: u32,
}

/// Who takes a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Who {
    Process(Pid),
    Sequential(Path),
}

/// What was chosen where the program leaves a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Choice {
    None,
    /// A branch of `choose`, or of an `if (*)` or `while (*)` (0: the condition holds).
    Branch(u32),
    /// A value of `havoc` or `pick`, or a member of a loop.
    Value(Value),
    /// A case of a receive, and from whom.
    Take {
        case: u32,
        from: Pid,
    },
    /// A receive was given up. If one of its messages was there, it is thrown away.
    GiveUp {
        dropped: Option<MessageId>,
    },
}

/// What a step did that others can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Moved,
    Sent { message: MessageId, payload: Arc<[Value]>, to: Pid, fate: Fate },
    Received { message: MessageId, payload: Arc<[Value]>, from: Pid },
    Failed(Failure),
    Withdrawn,
    CutOff(Trouble),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    InChannel,
    /// The receiver has given up waiting for it.
    GivenUp,
    /// The receiver has left the round.
    TooLate,
}

/// A claim that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// An `assert`, and what it says.
    Assert(Option<SmolStr>),
    Fail(Option<SmolStr>),
    DivisionByZero,
    Nobody,
    EmptyPick,
    /// An `ensures`, by number.
    Ensures(u32),
    /// An `invariant` of the program, by number.
    Invariant(u32),
    /// An `invariant` that stands in the code, by its number in the statement.
    LoopInvariant(u32),
}

impl State {
    pub fn thread(&self, who: &Who) -> Option<&Thread> {
        match who {
            Who::Process(pid) => self.actors.get(pid.index()).map(|actor| &actor.thread),
            Who::Sequential(path) => {
                let sequential = self.sequential.as_ref()?;
                sequential.find(path).map(|at| &sequential.threads[at].thread)
            }
        }
    }

    /// Changes a thread. Does nothing if there is no such thread.
    pub(super) fn change_thread(&mut self, who: &Who, change: impl FnOnce(&mut Thread)) {
        match who {
            Who::Process(pid) => change(&mut Arc::make_mut(&mut self.actors[pid.index()]).thread),
            Who::Sequential(path) => {
                if let Some(sequential) = &mut self.sequential
                    && let Some(at) = sequential.find(path)
                {
                    change(&mut Arc::make_mut(sequential).threads[at].thread);
                }
            }
        }
    }

    /// The variables that belong to the code of a thread.
    pub(super) fn vars(&self, who: &Who) -> &[Value] {
        match who {
            Who::Process(pid) => &self.actors[pid.index()].vars,
            Who::Sequential(_) => self.sequential.as_ref().map_or(&[], |sequential| &sequential.vars),
        }
    }

    pub(super) fn var_mut(&mut self, who: &Who, var: VarId) -> Option<&mut Value> {
        match who {
            Who::Process(pid) => Arc::make_mut(&mut self.actors[pid.index()]).vars.get_mut(var.index()),
            Who::Sequential(_) => Arc::make_mut(self.sequential.as_mut()?).vars.get_mut(var.index()),
        }
    }

    /// How many values it is made of, about: what it costs to copy it and to compare it with others.
    pub(super) fn size(&self) -> u64 {
        let actors = self.actors.iter().map(|actor| 1 + actor.vars.len() + actor.thread.loops.len() + actor.thread.locals.len());
        let channels = self.channels.iter().map(|(_, queue)| 1 + queue.len());
        actors.chain(channels).map(|size| size as u64).sum()
    }

    pub(crate) fn longest_queue(&self) -> usize {
        self.channels.iter().map(|(_, queue)| queue.len()).max().unwrap_or(0)
    }

    pub fn queue(&self, channel: &Channel) -> &[Arc<[Value]>] {
        match self.channels.binary_search_by(|(other, _)| other.cmp(channel)) {
            Ok(at) => &self.channels[at].1,
            Err(_) => &[],
        }
    }

    pub(super) fn put(&mut self, channel: Channel, payload: Arc<[Value]>) {
        let channels = Arc::make_mut(&mut self.channels);
        match channels.binary_search_by(|(other, _)| other.cmp(&channel)) {
            Ok(at) => channels[at].1.push(payload),
            Err(at) => channels.insert(at, (channel, vec![payload])),
        }
    }

    /// Takes the oldest message out of a channel.
    pub(super) fn take(&mut self, channel: &Channel) -> Option<Arc<[Value]>> {
        let at = self.channels.binary_search_by(|(other, _)| other.cmp(channel)).ok()?;
        let channels = Arc::make_mut(&mut self.channels);
        let payload = channels[at].1.remove(0);
        if channels[at].1.is_empty() {
            channels.remove(at);
        }
        Some(payload)
    }
}

impl SequentialState {
    pub fn find(&self, path: &[u32]) -> Option<usize> {
        self.threads.binary_search_by(|thread| thread.path[..].cmp(path)).ok()
    }
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    pub who: Who,
    pub stmt: StmtId,
    pub choice: Choice,
    pub effect: Effect,
}

/// From the start of a run on.
pub type Trace = Vec<TraceStep>;
