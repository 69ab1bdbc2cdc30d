//! Where all processes are in the middle of a rewriting.
//!
//! Each process, each set and each member that is looked at alone is one actor: what is left of its code, what is known of its
//! variables. Members of a set that are not looked at alone all stand at the same place. Channels hold what was sent and not yet
//! received; a channel that ends at `Each(s)` stands for one channel for each member, all with the same content.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::value::{Env, Known, Who};
use crate::program::{Block, Expr, MessageId, ProcessId, Program, SetId, StmtId, StmtKind, Type};

/// What is left to do in a block.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(super) block: Block,
    pub(super) next: usize,
    pub(super) kind: FrameKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Plain,
    /// The body of a `while`, or one turn of a loop that serves others: at its end the loop is next again.
    Back,
    /// A turn of a loop that is being rewritten: its end is the end of the turn.
    Turn,
}

/// What is left of a process's code, innermost block last. Never ends in a finished `Plain` or `Back` block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Code(pub(super) Frames);

/// Frames that copies of a state share until one of them goes on: every scope keeps a state and every attempt copies all scopes, so
/// with loops in loops copies of copies would take time that grows with the third power of the depth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames(Rc<Vec<Frame>>);

impl From<Vec<Frame>> for Frames {
    fn from(frames: Vec<Frame>) -> Self {
        Self(Rc::new(frames))
    }
}

impl Deref for Frames {
    type Target = Vec<Frame>;

    fn deref(&self) -> &Vec<Frame> {
        &self.0
    }
}

impl DerefMut for Frames {
    fn deref_mut(&mut self) -> &mut Vec<Frame> {
        Rc::make_mut(&mut self.0)
    }
}

impl PartialEq for Frames {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Code {
    pub(super) fn of(block: &Block) -> Self {
        let mut code = Self(vec![Frame { block: block.clone(), next: 0, kind: FrameKind::Plain }].into());
        code.normalise();
        code
    }

    /// The next statement.
    pub(crate) fn head(&self) -> Option<StmtId> {
        let frame = self.0.last()?;
        frame.block.get(frame.next).copied()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_turn_over(&self) -> bool {
        self.0.last().is_some_and(|frame| frame.kind == FrameKind::Turn && frame.next == frame.block.len())
    }

    pub(super) fn advance(&mut self) {
        if let Some(frame) = self.0.last_mut() {
            frame.next += 1;
        }
        self.normalise();
    }

    /// Goes on with `block` instead of the next statement.
    pub(super) fn replace_head(&mut self, block: &Block) {
        if let Some(frame) = self.0.last_mut() {
            frame.next += 1;
        }
        self.push(block, FrameKind::Plain);
    }

    /// Goes into a loop, which stays the next statement when the block is through.
    pub(super) fn push(&mut self, block: &Block, kind: FrameKind) {
        self.0.push(Frame { block: block.clone(), next: 0, kind });
        self.normalise();
    }

    /// At the start of a loop's body: where the code was before it went into the loop.
    pub(crate) fn before_turn(&self) -> Option<Self> {
        let (last, around) = self.0.split_last()?;
        (last.kind == FrameKind::Back && last.next == 0).then(|| Self(around.to_vec().into()))
    }

    /// Leaves the turn that is over and the loop it belongs to.
    pub(super) fn leave_turn(&mut self) {
        self.0.pop();
        self.advance();
    }

    /// Leaves the innermost loop.
    pub(super) fn leave_loop(&mut self) -> bool {
        while let Some(frame) = self.0.pop() {
            match frame.kind {
                FrameKind::Plain => {}
                FrameKind::Back => {
                    self.advance();
                    return true;
                }
                FrameKind::Turn => return false,
            }
        }
        false
    }

    fn normalise(&mut self) {
        while let Some(frame) = self.0.last() {
            if frame.next < frame.block.len() || frame.kind == FrameKind::Turn {
                return;
            }
            // A loop's body that is empty or through: the loop is next again.
            self.0.pop();
        }
    }

    /// The loops that lead back to where the code is now: those it is inside of, and the one that is next.
    pub(super) fn loops<'c>(&'c self, program: &'c Program) -> impl Iterator<Item = StmtId> + 'c {
        let around = self.0.windows(2).filter(|pair| pair[1].kind == FrameKind::Back).filter_map(|pair| {
            let outer = &pair[0];
            outer.block.get(outer.next).copied()
        });
        around.chain(
            self.head().filter(|head| {
                matches!(program.stmt(*head).kind, StmtKind::While { .. } | StmtKind::Foreach(_) | StmtKind::For(_))
            }),
        )
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Actor {
    pub who: Who,
    pub process: ProcessId,
    pub code: Code,
    pub env: Env,
    /// Turns of loops that serve every member of a set, which are over: the loop and the member.
    pub(super) served: Vec<(StmtId, u32)>,
    /// How many `rounds` it has gone through: rounds of two actors are the same if they are by this number.
    pub(super) rounds: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(super) values: Vec<Known>,
    /// Where it was sent.
    pub(super) sent: StmtId,
}

pub(crate) type Channel = (Who, Who, MessageId);

/// Takes the channels out of a table that begin or end at `who`.
pub(crate) fn split_off<T>(table: &mut BTreeMap<Channel, T>, who: Who) -> BTreeMap<Channel, T> {
    let own: Vec<Channel> = table.keys().filter(|(from, to, _)| *from == who || *to == who).copied().collect();
    own.into_iter().filter_map(|channel| Some((channel, table.remove(&channel)?))).collect()
}

/// Messages that some members of a set sent to one process, nobody knows who how many.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bag {
    pub(super) from: SetId,
    pub(super) to: Who,
    pub(super) message: MessageId,
    pub(super) content: Message,
    /// How many there are: one in this turn, or as many as a loop has turns.
    pub(super) count: Option<Expr>,
    /// Whether it was there when the innermost loop was opened.
    pub(super) is_older: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub actors: Vec<Actor>,
    pub channels: BTreeMap<Channel, Vec<Message>>,
    pub bags: Vec<Bag>,
    /// The set of each member that was ever looked at alone, by number.
    pub(super) focus: Vec<SetId>,
    pub(super) chosen: u32,
}

impl State {
    pub(crate) fn start(program: &Program) -> Self {
        let mut state = Self::default();
        for (nth, process) in (0..).zip(&program.processes) {
            let id = ProcessId(nth);
            let (who, me) = match process.set {
                None => (Who::One(id), Known::Pid(Who::One(id))),
                Some(set) => (Who::Each(set), Known::Me),
            };
            let mut env = Env { me, vars: Vec::new(), locals: vec![Known::Top; process.code.locals.len()] };
            for var in &process.code.vars {
                let value = var.value.as_ref().map_or_else(|| default(program, &var.ty), |value| env.eval(value));
                env.vars.push(value);
            }
            state.actors.push(Actor { who, process: id, code: Code::of(&process.code.body), env, served: Vec::new(), rounds: 0 });
        }
        state
    }

    pub(crate) fn actor(&self, who: Who) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.who == who)
    }

    pub(super) fn actor_mut(&mut self, who: Who) -> Option<&mut Actor> {
        self.actors.iter_mut().find(|actor| actor.who == who)
    }

    /// The set that an actor is a member of, or all members of.
    pub(crate) fn set_of(&self, who: Who) -> Option<SetId> {
        match who {
            Who::One(_) => None,
            Who::Each(set) => Some(set),
            Who::Focus(nth) => self.focus.get(nth as usize).copied(),
        }
    }

    pub(super) fn pending(&self, channel: &Channel) -> Option<&Message> {
        self.channels.get(channel).and_then(|messages| messages.first())
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.channels.values().all(Vec::is_empty) && self.bags.is_empty()
    }

    /// Whether a process waits at the start of an endless loop: it could serve, but nobody asks.
    pub(crate) fn is_idle(&self, program: &Program, actor: &Actor) -> bool {
        let Some(head) = actor.code.head() else { return false };
        let StmtKind::While { condition: crate::program::Condition::Holds(Expr::Bool(true)), body, .. } =
            &program.stmt(head).kind
        else {
            return false;
        };
        body.first().is_some_and(|first| matches!(program.stmt(*first).kind, StmtKind::Receive { timeout: None, .. }))
    }
}

fn default(program: &Program, ty: &Type) -> Known {
    match ty {
        Type::Int => Known::Int(0),
        Type::Bool => Known::Bool(false),
        Type::Pid(_) => Known::Nobody,
        Type::Enum(of) => {
            let args = program.enums[of.index()].elements.first().map_or(&[][..], |element| &element.payload);
            // An enum that contains itself would have no default; the checker refuses it.
            Known::Element { of: *of, element: 0, args: args.iter().map(|ty| default(program, ty)).collect() }
        }
        Type::Tuple(parts) => Known::Tuple(parts.iter().map(|ty| default(program, ty)).collect()),
        Type::Record(parts) => Known::Tuple(parts.iter().map(|(_, ty)| default(program, ty)).collect()),
        Type::Opaque(_) | Type::Set(_) | Type::Map(..) => Known::Top,
    }
}
