//! Rules for many at once: a turn of a loop, all members of a set, a member somebody chose.
//!
//! Such a rule opens a scope, in which one member is looked at alone (`Focus`) or one turn of a loop is gone through, and closes it when
//! what happened in it can be said of all members, of every turn. What a loop's turns may change is forgotten when it is opened, so what
//! is found out in one turn holds in each; and since there may be no turn at all, afterwards only that is known which holds either way.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::local::{forget, refine};
use super::race::Choice;
use super::{Done, Kernel, Refusal};
use crate::program::{Block, Condition, Expr, LocalId, SetId, StmtId, StmtKind, VarId};
use crate::rewrite::state::{Actor, Channel, Code, FrameKind, Message, State, split_off};
use crate::rewrite::value::{Known, Who};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub focus: Option<Who>,
    pub set: Option<SetId>,
    /// Everything as it was before.
    pub(super) start: Rc<State>,
    /// Channels of the members that are not looked at.
    pub(super) hidden: Rc<BTreeMap<Channel, Vec<Message>>>,
    pub(super) choices: Vec<Choice>,
    /// Shared processes that serve the member in this part of the parallel steps.
    pub(super) acquired: Vec<Who>,
    /// Whether one of them was a member that is no longer looked at.
    pub(super) has_released: bool,
    /// Who serves the member of parallel steps and has not answered it: the member is ahead of them.
    /// With how many messages to the member were under way before: they are no answers.
    pub(super) unanswered: Vec<(Who, usize)>,
    /// Who began to serve the member of parallel steps inside of this scope.
    pub(super) servers: Vec<Who>,
    /// Whether a loop names the member, so that it is chosen before anything is received.
    pub(super) is_named: bool,
    /// A turn inside of parallel steps in which somebody serves the member all the time.
    pub(super) is_held: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ScopeKind {
    /// A turn of one or more loops over the set.
    Loop {
        drivers: Vec<Who>,
    },
    /// All members of the set, side by side.
    Parallel,
    /// Any one member: chosen by a process before, or now.
    Pick {
        chosen: Option<u32>,
    },
    /// A turn of loops with the same number of turns.
    Repeat {
        drivers: Vec<Who>,
    },
    While {
        driver: Who,
    },
}

impl ScopeKind {
    /// Whether it stands for many turns.
    pub(super) fn is_turn(&self) -> bool {
        matches!(self, Self::Loop { .. } | Self::Repeat { .. } | Self::While { .. })
    }
}

/// A loop with a number of turns. Rounds can go on for ever.
pub(crate) struct Counted<'p> {
    pub stmt: StmtId,
    pub count: Option<&'p Expr>,
    pub(super) index: Option<LocalId>,
    pub(super) body: &'p Block,
    pub is_rounds: bool,
}

impl Scope {
    /// Where everybody stood when it was opened.
    pub(crate) fn start_codes(&self) -> Vec<(Who, Code)> {
        self.start.actors.iter().map(|actor| (actor.who, actor.code.clone())).collect()
    }

    /// What either of two ways through a branch did in the scope.
    pub(super) fn join(&mut self, other: Self) -> Done {
        if self.kind != other.kind || self.focus != other.focus || self.hidden != other.hidden {
            return Err(Refusal::NotNow);
        }
        let more: Vec<Choice> = other.choices.into_iter().filter(|choice| !self.choices.contains(choice)).collect();
        self.choices.extend(more);
        let more: Vec<Who> = other.acquired.into_iter().filter(|who| !self.acquired.contains(who)).collect();
        self.acquired.extend(more);
        self.has_released |= other.has_released;
        let more: Vec<(Who, usize)> = other.unanswered.into_iter().filter(|who| !self.unanswered.contains(who)).collect();
        self.unanswered.extend(more);
        self.servers.extend(other.servers);
        Ok(())
    }

    /// A message between others that was in the channel before: of many turns, only the first would find it.
    pub(super) fn had_before(&self, channel: &Channel) -> Option<StmtId> {
        let (from, to, _) = channel;
        let is_own = self.focus == Some(*from) || self.focus == Some(*to);
        if is_own || matches!(self.kind, ScopeKind::Pick { .. }) {
            return None;
        }
        self.start.pending(channel).map(|message| message.sent)
    }
}

impl Kernel<'_> {
    /// Begins a turn of loops over a set, for a member that had none yet.
    pub(crate) fn open_loop(&mut self, drivers: &[Who]) -> Done<Who> {
        let start = self.state.clone();
        let mut set = None;
        let mut named = 0;
        for driver in drivers {
            let (stmt, kind) = self.head(*driver).ok_or(Refusal::NotNow)?;
            let (StmtKind::For(set_loop) | StmtKind::Foreach(set_loop)) = kind else { return Err(Refusal::NotNow) };
            let Expr::Set(over) = set_loop.set else {
                return Err(Refusal::Unsupported { stmt, what: "a loop over a computed set" });
            };
            named += usize::from(set_loop.member.is_some());
            if set.is_some_and(|set| set != over) || named > 1 {
                return Err(Refusal::NotNow);
            }
            set = Some(over);
            self.forget_loop(*driver, stmt)?;
        }
        let set = set.ok_or(Refusal::NotNow)?;
        let drivers_and_set: Vec<Who> = drivers.iter().copied().chain([Who::Each(set)]).collect();
        self.forget_others(&drivers_and_set);
        let (focus, hidden) = self.open_focus(set)?;
        for driver in drivers {
            let Some((_, StmtKind::For(set_loop) | StmtKind::Foreach(set_loop))) = self.head(*driver) else {
                return Err(Refusal::NotNow);
            };
            let actor = self.mover(*driver)?;
            for (local, value) in [(set_loop.member, Known::Pid(focus)), (set_loop.done, Known::Top)] {
                if let Some(local) = local {
                    actor.env.locals[local.index()] = value;
                }
            }
            actor.code.push(&set_loop.body, FrameKind::Turn);
        }
        self.open(ScopeKind::Loop { drivers: drivers.to_vec() }, Some(focus), Some(set), start, hidden);
        if let Some(scope) = self.scopes.last_mut() {
            scope.is_named = named > 0;
        }
        Ok(focus)
    }

    /// Looks at any one member, for all.
    pub(crate) fn open_parallel(&mut self, set: SetId) -> Done<Who> {
        let start = self.state.clone();
        self.forget_others(&[Who::Each(set)]);
        let (focus, hidden) = self.open_focus(set)?;
        self.open(ScopeKind::Parallel, Some(focus), Some(set), start, hidden);
        Ok(focus)
    }

    /// Looks at the member that a process chose, or at any one.
    pub(crate) fn open_pick(&mut self, set: SetId, chosen: Option<u32>) -> Done<Who> {
        if chosen.is_none() && !self.facts.is_nonempty(set) {
            return Err(Refusal::EmptySet { set, stmt: None });
        }
        let start = self.state.clone();
        let (focus, hidden) = self.open_focus(set)?;
        if let Some(chosen) = chosen {
            self.replace_values(&|value| match value {
                Known::Chosen(_, nth) if *nth == chosen => Some(Known::Pid(focus)),
                _ => None,
            });
        }
        self.open(ScopeKind::Pick { chosen }, Some(focus), Some(set), start, hidden);
        Ok(focus)
    }

    /// Begins a turn of loops that have the same number of turns: each a `repeat`, or each `rounds`.
    pub(crate) fn open_repeat(&mut self, drivers: &[Who]) -> Done {
        let start = self.state.clone();
        let first = drivers.first().and_then(|driver| self.counted(*driver)).ok_or(Refusal::NotNow)?;
        let is_constant = matches!(first.count, None | Some(Expr::Const(_) | Expr::Int(_)));
        // The same turn for all of them.
        let turn = self.some();
        for driver in drivers {
            let counted = self.counted(*driver).ok_or(Refusal::NotNow)?;
            let is_alike = counted.is_rounds == first.is_rounds
                && counted.count == first.count
                && (!counted.is_rounds || self.actor(*driver)?.rounds == self.actor(drivers[0])?.rounds);
            // Only of rounds, messages of one and messages of another cannot be mistaken for each other.
            let is_single = counted.is_rounds || !matches!(driver, Who::Each(_));
            if !is_alike || !is_single || drivers.len() > 1 && !is_constant {
                return Err(Refusal::NotNow);
            }
            self.forget_loop(*driver, counted.stmt)?;
            let actor = self.mover(*driver)?;
            if let Some(index) = counted.index {
                actor.env.locals[index.index()] = turn.clone();
            }
            actor.code.push(counted.body, FrameKind::Turn);
        }
        self.forget_others(drivers);
        for bag in &mut self.state.bags {
            bag.is_older = true;
            if bag.count.as_ref() == first.count {
                bag.count = None;
            }
        }
        self.open(ScopeKind::Repeat { drivers: drivers.to_vec() }, None, None, start, BTreeMap::new());
        Ok(())
    }

    /// Begins a turn of a loop of which nobody knows how often it is gone through.
    pub(crate) fn open_while(&mut self, driver: Who) -> Done {
        let start = self.state.clone();
        let (stmt, kind) = self.head(driver).ok_or(Refusal::NotNow)?;
        let StmtKind::While { condition, body, .. } = kind else { return Err(Refusal::NotNow) };
        self.forget_loop(driver, stmt)?;
        self.forget_others(&[driver]);
        let program = self.program;
        let actor = self.mover(driver)?;
        if let Condition::Holds(condition) = condition {
            refine(&mut actor.env, program, condition, true);
        }
        actor.code.push(body, FrameKind::Turn);
        self.open(ScopeKind::While { driver }, None, None, start, BTreeMap::new());
        Ok(())
    }

    /// In parallel steps: what follows is a part of its own, between which others may have theirs.
    pub(crate) fn section(&mut self) -> Done {
        if let Some(who) = self.busy() {
            return Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) });
        }
        self.release();
        self.forget_between_parts();
        Ok(())
    }

    /// Between two parts of parallel steps other members can have theirs, and change what the loops of others assign.
    pub(super) fn forget_between_parts(&mut self) {
        let Some(nth) = self.parallel() else { return };
        let (focus, set) = (self.scopes[nth].focus, self.scopes[nth].set);
        let except: Vec<Who> = focus.into_iter().chain(set.map(Who::Each)).collect();
        self.forget_others(&except);
    }

    /// A loop that serves every member of a set once takes the turn of the member that is looked at.
    pub(crate) fn serve(&mut self, who: Who, focus: Who) -> Done {
        self.spend()?;
        let (stmt, kind) = self.head(who).ok_or(Refusal::NotNow)?;
        let (StmtKind::For(set_loop) | StmtKind::Foreach(set_loop)) = kind else { return Err(Refusal::NotNow) };
        // A `for` with a name waits for a member of its own choice; without, it takes what comes.
        // So does a `foreach` that can give up: it does not wait until somebody has written.
        let is_open_to_all = match kind {
            StmtKind::Foreach(_) => !self.facts.can_give_up(self.program, &set_loop.body),
            _ => set_loop.member.is_none(),
        };
        let (Who::Focus(nth), Expr::Set(set)) = (focus, &set_loop.set) else { return Err(Refusal::NotNow) };
        // Once for the member: not in a turn that stands for many, unless each of them has somebody else who serves.
        let parallel = |scope: &Scope| scope.focus == Some(focus) && scope.kind == ScopeKind::Parallel;
        let inside = self.scopes.iter().position(parallel).map(|nth| &self.scopes[nth + 1..]);
        let is_once = inside.is_some_and(|inside| inside.iter().all(|scope| !scope.kind.is_turn() || scope.focus == Some(who)));
        let is_member = self.state.set_of(focus) == Some(*set) && self.state.set_of(who) != Some(*set);
        let served = &self.actor(who)?.served;
        if !is_open_to_all || !is_once || !is_member || served.contains(&(stmt, nth)) {
            return Err(Refusal::NotNow);
        }
        if matches!(kind, StmtKind::Foreach(_)) {
            // Whose turn is first is a choice like that of a receive.
            self.acquire(who)?;
        }
        let actor = self.mover(who)?;
        for (local, value) in [(set_loop.member, Known::Pid(focus)), (set_loop.done, Known::Top)] {
            if let Some(local) = local {
                actor.env.locals[local.index()] = value;
            }
        }
        actor.served.push((stmt, nth));
        actor.code.push(&set_loop.body, FrameKind::Back);
        Ok(())
    }

    fn open(
        &mut self,
        kind: ScopeKind,
        focus: Option<Who>,
        set: Option<SetId>,
        start: State,
        hidden: BTreeMap<Channel, Vec<Message>>,
    ) {
        let is_held = kind.is_turn() && !self.release();
        let (choices, acquired) = (Vec::new(), Vec::new());
        self.scopes.push(Scope {
            kind,
            focus,
            set,
            start: Rc::new(start),
            hidden: Rc::new(hidden),
            choices,
            acquired,
            has_released: false,
            unanswered: Vec::new(),
            servers: Vec::new(),
            is_named: false,
            is_held,
        });
    }

    /// Ends a part of parallel steps, unless somebody still serves the member.
    pub(super) fn release(&mut self) -> bool {
        let Some(nth) = self.parallel() else { return true };
        let is_free = self.is_free();
        if is_free {
            self.scopes[nth].acquired.clear();
            self.scopes[nth].has_released = false;
        }
        is_free
    }

    pub(super) fn parallel(&self) -> Option<usize> {
        self.scopes.iter().rposition(|scope| scope.kind == ScopeKind::Parallel)
    }

    /// Whether nobody serves the member of parallel steps right now.
    pub(crate) fn is_free(&self) -> bool {
        self.busy().is_none()
    }

    /// Somebody who is in the middle of something for the member of parallel steps: whoever made a choice for it, and whoever was told to
    /// do something by those.
    pub(super) fn busy(&self) -> Option<Who> {
        let nth = self.parallel()?;
        let others = self.state.actors.iter().map(|actor| actor.who).filter(|who| self.scopes[nth].focus != Some(*who));
        others.into_iter().find(|who| !self.is_at_rest(nth, *who))
    }

    /// Whether a message of the member is under way with a value that the member chose and still knows. When the scope is closed, nobody
    /// knows any more that the two are the same.
    pub(crate) fn has_secret(&self, member: Who) -> bool {
        let Some(scope) = self.scopes.iter().find(|scope| scope.focus == Some(member)) else { return false };
        let Some(actor) = self.state.actor(member) else { return false };
        let before = scope.start.chosen;
        let mut known: Vec<u32> = Vec::new();
        actor.env.vars.iter().for_each(|value| value.numbers(&mut known));
        known.retain(|number| *number > before);
        let mut told: Vec<u32> = Vec::new();
        let own = self.state.channels.iter().filter(|((from, _, _), _)| *from == member);
        own.flat_map(|(_, content)| content).flat_map(|message| &message.values).for_each(|value| value.numbers(&mut told));
        told.iter().any(|number| known.contains(number))
    }

    /// Takes a member out of its set; the others rest.
    fn open_focus(&mut self, set: SetId) -> Done<(Who, BTreeMap<Channel, Vec<Message>>)> {
        self.spend()?;
        if self.is_open(set) {
            return Err(Refusal::NotNow);
        }
        let family = self.state.actor(Who::Each(set)).ok_or(Refusal::NotNow)?.clone();
        let focus = Who::Focus(u32::try_from(self.state.focus.len()).map_err(|_| Refusal::Budget)?);
        self.state.focus.push(set);
        let mine = |value: &Known| (*value == Known::Me).then_some(Known::Pid(focus));
        let mut member = Actor { who: focus, ..family };
        member.env.me = Known::Pid(focus);
        member.env.map(&mine);
        self.state.actors.push(member);
        let each = Who::Each(set);
        let hidden = split_off(&mut self.state.channels, each);
        for ((from, to, message), content) in &hidden {
            let one = |who: Who| if who == each { focus } else { who };
            let content =
                content.iter().map(|one| Message { values: one.values.iter().map(|value| value.map(&mine)).collect(), ..*one });
            self.state.channels.insert((one(*from), one(*to), *message), content.collect());
        }
        Ok((focus, hidden))
    }

    fn forget_loop(&mut self, who: Who, stmt: StmtId) -> Done {
        let assigned: &[VarId] = self.facts.assigned(stmt);
        forget(&mut self.mover(who)?.env, assigned);
        Ok(())
    }

    /// What loops change, in which others may go round meanwhile.
    fn forget_others(&mut self, except: &[Who]) {
        for actor in self.state.actors.iter_mut().filter(|actor| !except.contains(&actor.who)) {
            let loops: Vec<StmtId> = actor.code.loops(self.program).collect();
            for stmt in loops {
                forget(&mut actor.env, self.facts.assigned(stmt));
            }
        }
    }

    pub(super) fn replace_values(&mut self, replace: &impl Fn(&Known) -> Option<Known>) {
        for actor in &mut self.state.actors {
            actor.env.map(replace);
        }
        for message in self.state.channels.values_mut().flatten() {
            message.values.iter_mut().for_each(|value| *value = value.map(replace));
        }
        for bag in &mut self.state.bags {
            bag.content.values.iter_mut().for_each(|value| *value = value.map(replace));
        }
    }
}
