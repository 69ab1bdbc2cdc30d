//! Rules for many at once: a turn of a loop, all members of a set, a member somebody chose.
//!
//! Such a rule opens a scope, in which one member is looked at alone (`Focus`) or one turn of a loop is gone through, and closes it when
//! what happened in it can be said of all members, of every turn. What a loop's turns may change is forgotten when it is opened, so what
//! is found out in one turn holds in each; and since there may be no turn at all, afterwards only that is known which holds either way.

use std::collections::BTreeMap;

use super::local::{forget, refine};
use super::race::Choice;
use super::{Done, Kernel, Refusal};
use crate::program::{Block, Condition, Expr, LocalId, MessageId, SetId, StmtId, StmtKind, VarId};
use crate::rewrite::state::{Actor, Bag, Channel, Code, FrameKind, Message, State, split_off};
use crate::rewrite::value::{Known, Who};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub focus: Option<Who>,
    pub set: Option<SetId>,
    /// Everything as it was before.
    pub(super) start: State,
    /// Channels of the members that are not looked at.
    pub(super) hidden: BTreeMap<Channel, Vec<Message>>,
    pub(super) choices: Vec<Choice>,
    /// Shared processes that serve the member in this part of the parallel steps.
    pub(super) acquired: Vec<Who>,
    /// Whether one of them was a member that is no longer looked at.
    pub(super) has_released: bool,
    /// Who serves the member of parallel steps and has not answered it: the member is ahead of them.
    pub(super) unanswered: Vec<Who>,
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
    fn is_turn(&self) -> bool {
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
        let more: Vec<Who> = other.unanswered.into_iter().filter(|who| !self.unanswered.contains(who)).collect();
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
            let is_alike = counted.is_rounds == first.is_rounds && counted.count == first.count;
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
        let nth = self.parallel().ok_or(Refusal::NotNow)?;
        let is_busy = |who: &Who| self.state.actor(*who).is_some() && !self.is_at_rest(nth, *who);
        if let Some(who) = self.scopes[nth].acquired.iter().copied().find(is_busy) {
            return Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) });
        }
        self.release();
        self.forget_between_parts();
        Ok(())
    }

    /// Between two parts of parallel steps other members can have theirs, and change what the loops of others assign.
    fn forget_between_parts(&mut self) {
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
        let is_open_to_all = matches!(kind, StmtKind::Foreach(_)) || set_loop.member.is_none();
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

    /// Ends the innermost scope.
    pub(crate) fn close(&mut self) -> Done {
        self.spend()?;
        let scope = self.scopes.pop().ok_or(Refusal::NotNow)?;
        match &scope.kind {
            ScopeKind::Loop { drivers } => {
                self.close_turns(drivers)?;
                self.close_members(&scope)?;
                self.check_unmoved(&scope, drivers, &[])?;
            }
            ScopeKind::Parallel => {
                let served = self.close_members(&scope)?;
                self.check_unmoved(&scope, &[], &served)?;
            }
            ScopeKind::Repeat { drivers } => {
                self.close_repeat(&scope, drivers)?;
                self.check_unmoved(&scope, drivers, &[])?;
                self.check_channels(&scope)?;
            }
            ScopeKind::While { driver } => self.close_while(&scope, *driver)?,
            ScopeKind::Pick { chosen } => return self.close_pick(&scope, *chosen),
        }
        let is_part = scope.kind.is_turn() && !scope.is_held;
        if is_part {
            self.release();
            self.check_answered(&scope)?;
        }
        self.join_start(&scope);
        if is_part {
            self.forget_between_parts();
        }
        // Who was chosen in one turn or by one member says nothing of another.
        let before = scope.start.chosen;
        self.replace_values(&|value| match value {
            Known::Chosen(set, chosen) if *chosen > before => Some(Known::Member(*set)),
            Known::Some(number, _) if *number > before => Some(Known::Top),
            _ => None,
        });
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
            start,
            hidden,
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
    fn release(&mut self) -> bool {
        let Some(nth) = self.parallel() else { return true };
        let is_free = self.is_free();
        if is_free {
            self.scopes[nth].acquired.clear();
            self.scopes[nth].has_released = false;
        }
        is_free
    }

    /// A member that goes on to the next turn before it is answered may be served in another order than it asks, unless it asks one
    /// process only.
    fn check_answered(&self, scope: &Scope) -> Done {
        let Some(nth) = self.parallel() else { return Ok(()) };
        match self.scopes[nth].unanswered[..] {
            [] => Ok(()),
            [who @ Who::One(_)] if scope.servers.iter().all(|server| *server == who) => Ok(()),
            [who, ..] => Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) }),
        }
    }

    fn parallel(&self) -> Option<usize> {
        self.scopes.iter().rposition(|scope| scope.kind == ScopeKind::Parallel)
    }

    /// Whether nobody serves the member of parallel steps right now.
    pub(crate) fn is_free(&self) -> bool {
        let Some(nth) = self.parallel() else { return true };
        self.scopes[nth].acquired.iter().all(|who| self.state.actor(*who).is_none() || self.is_at_rest(nth, *who))
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

    /// What the member did, all do. Whoever served it has served all: who that is.
    fn close_members(&mut self, scope: &Scope) -> Done<Vec<Who>> {
        let (Some(focus), Some(set)) = (scope.focus, scope.set) else { return Err(Refusal::NotNow) };
        let each = Who::Each(set);
        let member = self.remove(focus)?;
        self.check_visited(&member, &scope.choices)?;
        let family = self.state.actor_mut(each).ok_or(Refusal::NotNow)?;
        family.code = member.code;
        family.served = member.served;
        family.env.vars = member.env.vars;
        family.env.locals = member.env.locals;
        family.env.map(&|value| (*value == Known::Pid(focus)).then_some(Known::Me));
        let channels = split_off(&mut self.state.channels, focus);
        for ((from, to, message), content) in channels {
            let all = |who: Who| if who == focus { each } else { who };
            let is_pair = matches!((all(from), all(to)), (Who::Each(_), Who::Each(_)));
            let general =
                |value: &Known| (*value == Known::Pid(focus)).then_some(if is_pair { Known::Member(set) } else { Known::Me });
            let content = content
                .into_iter()
                .map(|one| Message { values: one.values.iter().map(|value| value.map(&general)).collect(), ..one });
            self.state.channels.insert((all(from), all(to), message), content.collect());
        }
        if self.endless.remove(&focus) {
            self.endless.insert(each);
        }
        let mut served_all = Vec::new();
        let Who::Focus(nth) = focus else { return Err(Refusal::NotNow) };
        for actor in &mut self.state.actors {
            if let Some(at) = actor.served.iter().position(|(_, served)| *served == nth) {
                let (stmt, _) = actor.served.remove(at);
                if actor.code.head() != Some(stmt) {
                    return Err(Refusal::Moved { who: actor.who, stmt: actor.code.head() });
                }
                actor.code.advance();
                served_all.push(actor.who);
            }
        }
        self.replace_values(&|value| (*value == Known::Pid(focus)).then_some(Known::Member(set)));
        Ok(served_all)
    }

    fn close_turns(&mut self, drivers: &[Who]) -> Done {
        for driver in drivers {
            let head = self.head(*driver).map(|(stmt, _)| stmt);
            let actor = self.mover(*driver)?;
            if !actor.code.is_turn_over() {
                return Err(Refusal::Moved { who: *driver, stmt: head });
            }
            actor.code.leave_turn();
        }
        Ok(())
    }

    /// Everybody but the drivers, the member and those who have served all stands where it stood, and no messages are left but those of
    /// the member.
    fn check_unmoved(&self, scope: &Scope, drivers: &[Who], served: &[Who]) -> Done {
        for then in &scope.start.actors {
            let Some(now) = self.state.actor(then.who) else { return Err(Refusal::NotNow) };
            let is_set = scope.set.is_some_and(|set| then.who == Who::Each(set));
            let mut code = then.code.clone();
            if served.contains(&then.who) {
                code.advance();
            }
            if !drivers.contains(&then.who) && !is_set && now.code != code {
                return Err(Refusal::Moved { who: then.who, stmt: now.code.head() });
            }
        }
        if scope.focus.is_some() {
            let each = scope.set.map(Who::Each);
            let is_own = |(from, to, _): &Channel| Some(*from) == each || Some(*to) == each;
            let now = self.state.channels.iter().filter(|(channel, _)| !is_own(channel));
            for (channel, content) in now {
                let then = scope.start.channels.get(channel);
                if then.map(Vec::len) != Some(content.len()) {
                    return Err(Refusal::Leftover { send: content.last().map_or(StmtId(0), |message| message.sent) });
                }
            }
            let is_gone = |channel: &&Channel| !is_own(channel) && !self.state.channels.contains_key(channel);
            if let Some(channel) = scope.start.channels.keys().find(is_gone) {
                return Err(Refusal::Moved { who: channel.1, stmt: None });
            }
            if self.state.bags != scope.start.bags {
                return Err(Refusal::Leftover { send: self.state.bags.last().map_or(StmtId(0), |bag| bag.content.sent) });
            }
        }
        Ok(())
    }

    fn check_channels(&self, scope: &Scope) -> Done {
        let lengths = |state: &State| -> Vec<(Channel, usize)> {
            state.channels.iter().map(|(channel, content)| (*channel, content.len())).collect()
        };
        if lengths(&self.state) == lengths(&scope.start) {
            return Ok(());
        }
        let more = self
            .state
            .channels
            .iter()
            .find(|(channel, content)| scope.start.channels.get(channel).map(Vec::len) != Some(content.len()));
        Err(Refusal::Leftover { send: more.and_then(|(_, content)| content.last()).map_or(StmtId(0), |message| message.sent) })
    }

    fn close_repeat(&mut self, scope: &Scope, drivers: &[Who]) -> Done {
        let first = drivers.first().ok_or(Refusal::NotNow)?;
        let then = scope.start.actor(*first).and_then(|actor| actor.code.head()).ok_or(Refusal::NotNow)?;
        self.close_turns(drivers)?;
        let count = match &self.program.stmt(then).kind {
            StmtKind::Repeat { count, .. } => count,
            StmtKind::Rounds { count, .. } => return self.close_rounds(scope, drivers, count.is_none()),
            _ => return Err(Refusal::NotNow),
        };
        let mut kept: Vec<Bag> = Vec::new();
        for bag in std::mem::take(&mut self.state.bags) {
            let is_twice = kept.iter().any(|other| (other.to, other.message) == (bag.to, bag.message));
            if is_twice {
                return Err(Refusal::Leftover { send: bag.content.sent });
            }
            kept.push(Bag { count: bag.count.or_else(|| Some(count.clone())), is_older: false, ..bag });
        }
        // Bags that were there are either taken from in every turn or in none.
        for then in &scope.start.bags {
            let is_same = |bag: &&Bag| (bag.to, bag.message) == (then.to, then.message);
            if kept.iter().find(is_same).is_some_and(|bag| bag.count != then.count) {
                return Err(Refusal::Leftover { send: then.content.sent });
            }
        }
        self.state.bags = kept;
        Ok(())
    }

    /// What is under way to somebody who leaves a round is thrown away. Rounds without end have nothing after them.
    fn close_rounds(&mut self, scope: &Scope, drivers: &[Who], is_endless: bool) -> Done {
        self.state.channels.retain(|channel, content| {
            let then = scope.start.channels.get(channel).map_or(0, Vec::len);
            if drivers.contains(&channel.1) {
                content.truncate(then);
            }
            !content.is_empty()
        });
        if self.state.bags != scope.start.bags {
            return Err(Refusal::Leftover { send: self.state.bags.last().map_or(StmtId(0), |bag| bag.content.sent) });
        }
        if is_endless {
            for driver in drivers {
                self.mover(*driver)?.code = Code::default();
                self.endless.insert(*driver);
            }
        }
        Ok(())
    }

    fn close_while(&mut self, scope: &Scope, driver: Who) -> Done {
        let head = self.head(driver).map(|(stmt, _)| stmt);
        let program = self.program;
        if !self.actor(driver)?.code.is_turn_over() {
            return Err(Refusal::Moved { who: driver, stmt: head });
        }
        self.mover(driver)?.code.0.pop();
        self.check_unmoved(scope, &[], &[])?;
        self.check_channels(scope)?;
        if self.state.bags != scope.start.bags {
            return Err(Refusal::Leftover { send: StmtId(0) });
        }
        self.join_start(scope);
        let (_, kind) = self.head(driver).ok_or(Refusal::NotNow)?;
        let StmtKind::While { condition, .. } = kind else { return Err(Refusal::NotNow) };
        let actor = self.mover(driver)?;
        match condition {
            // Nothing comes after it.
            Condition::Holds(Expr::Bool(true)) => {
                actor.code = Code::default();
                self.endless.insert(driver);
            }
            Condition::Holds(condition) => {
                refine(&mut actor.env, program, condition, false);
                actor.code.advance();
            }
            Condition::Either => actor.code.advance(),
        }
        Ok(())
    }

    /// The member is back where its set is; what it sent meanwhile, nobody knows who sent it.
    fn close_pick(&mut self, scope: &Scope, chosen: Option<u32>) -> Done {
        let (Some(focus), Some(set)) = (scope.focus, scope.set) else { return Err(Refusal::NotNow) };
        let each = Who::Each(set);
        let mut member = self.remove(focus)?;
        let family = self.state.actor_mut(each).ok_or(Refusal::NotNow)?;
        if member.code != family.code || member.served != family.served {
            return Err(Refusal::Moved { who: focus, stmt: member.code.head() });
        }
        member.env.map(&|value| (*value == Known::Pid(focus)).then_some(Known::Me));
        family.env = family.env.join(&crate::rewrite::value::Env { me: Known::Me, ..member.env });
        let channels = split_off(&mut self.state.channels, focus);
        let mut before = scope.hidden.clone();
        for ((from, to, message), content) in channels {
            let all = |who: Who| if who == focus { each } else { who };
            let had = before.remove(&(all(from), all(to), message)).map_or(0, |content| content.len());
            self.close_picked_channel(scope, (from, to, message), content, had)?;
        }
        if let Some(content) = before.values().next() {
            return Err(Refusal::Leftover { send: content.first().map_or(StmtId(0), |message| message.sent) });
        }
        self.state.channels.extend(scope.hidden.clone());
        self.replace_values(&|value| {
            let is_it = *value == Known::Pid(focus);
            is_it.then_some(chosen.map_or(Known::Member(set), |chosen| Known::Chosen(set, chosen)))
        });
        Ok(())
    }

    fn close_picked_channel(
        &mut self,
        scope: &Scope,
        (from, to, message): (Who, Who, MessageId),
        mut content: Vec<Message>,
        had: usize,
    ) -> Done {
        let (Some(focus), Some(set)) = (scope.focus, scope.set) else { return Err(Refusal::NotNow) };
        if content.len() == had {
            return Ok(());
        }
        let refusal = Refusal::Leftover { send: content.last().map_or(StmtId(0), |message| message.sent) };
        // One message to somebody else becomes one of a bag.
        let is_known = self.state.bags.iter().any(|bag| bag.to == to && bag.message == message);
        match (content.pop(), content.is_empty()) {
            (Some(one), true) if had == 0 && from == focus && !is_known => {
                let general = |value: &Known| (*value == Known::Pid(focus)).then_some(Known::Member(set));
                let values = one.values.iter().map(|value| value.map(&general)).collect();
                let content = Message { values, ..one };
                self.state.bags.push(Bag { from: set, to, message, content, count: None, is_older: false });
                Ok(())
            }
            _ => Err(refusal),
        }
    }

    fn remove(&mut self, who: Who) -> Done<Actor> {
        if let Some(nth) = self.parallel() {
            let scope = &mut self.scopes[nth];
            scope.has_released |= scope.acquired.contains(&who);
        }
        let nth = self.state.actors.iter().position(|actor| actor.who == who).ok_or(Refusal::NotNow)?;
        Ok(self.state.actors.remove(nth))
    }

    /// Since there may have been no turn, only what held before and holds now is known. What each member does, it does for sure.
    fn join_start(&mut self, scope: &Scope) {
        for actor in &mut self.state.actors {
            if scope.set.is_some_and(|set| actor.who == Who::Each(set)) {
                continue;
            }
            if let Some(then) = scope.start.actor(actor.who) {
                actor.env = actor.env.join(&then.env);
            }
        }
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
