//! Closing a scope: what happened in one turn, or to one member, is said of all.

use super::local::refine;
use super::{Done, Kernel, Refusal};
use crate::program::{Condition, Expr, MessageId, StmtId, StmtKind};
use crate::rewrite::kernel::scope::{Scope, ScopeKind};
use crate::rewrite::state::{Actor, Bag, Channel, Code, Message, State, split_off};
use crate::rewrite::value::{Known, Who};

impl Kernel<'_> {
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

    /// A member that goes on to the next turn before it is answered may be served in another order than it asks, unless it asks one
    /// process only.
    pub(super) fn check_answered(&self, scope: &Scope) -> Done {
        let Some(nth) = self.parallel() else { return Ok(()) };
        match self.scopes[nth].unanswered[..] {
            [] => Ok(()),
            [(who @ Who::One(_), _)] if scope.servers.iter().all(|server| *server == who) => Ok(()),
            [(who, _), ..] => Err(Refusal::Moved { who, stmt: self.head(who).map(|(stmt, _)| stmt) }),
        }
    }

    /// What the member did, all do. Whoever served it has served all: who that is.
    pub(super) fn close_members(&mut self, scope: &Scope) -> Done<Vec<Who>> {
        let (Some(focus), Some(set)) = (scope.focus, scope.set) else { return Err(Refusal::NotNow) };
        let each = Who::Each(set);
        let member = self.remove(focus)?;
        self.check_visited(&member, &scope.choices)?;
        let family = self.state.actor_mut(each).ok_or(Refusal::NotNow)?;
        family.code = member.code;
        family.served = member.served;
        family.rounds = member.rounds;
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

    pub(super) fn close_turns(&mut self, drivers: &[Who]) -> Done {
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
    pub(super) fn check_unmoved(&self, scope: &Scope, drivers: &[Who], served: &[Who]) -> Done {
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

    pub(super) fn check_channels(&self, scope: &Scope) -> Done {
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

    pub(super) fn close_repeat(&mut self, scope: &Scope, drivers: &[Who]) -> Done {
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
    pub(super) fn close_rounds(&mut self, scope: &Scope, drivers: &[Who], is_endless: bool) -> Done {
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
        for driver in drivers {
            self.mover(*driver)?.rounds += 1;
        }
        if is_endless {
            for driver in drivers {
                self.mover(*driver)?.code = Code::default();
                self.endless.insert(*driver);
            }
        }
        Ok(())
    }

    pub(super) fn close_while(&mut self, scope: &Scope, driver: Who) -> Done {
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
    pub(super) fn close_pick(&mut self, scope: &Scope, chosen: Option<u32>) -> Done {
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
        let mut before = (*scope.hidden).clone();
        for ((from, to, message), content) in channels {
            let all = |who: Who| if who == focus { each } else { who };
            let had = before.remove(&(all(from), all(to), message)).map_or(0, |content| content.len());
            self.close_picked_channel(scope, (from, to, message), content, had)?;
        }
        if let Some(content) = before.values().next() {
            return Err(Refusal::Leftover { send: content.first().map_or(StmtId(0), |message| message.sent) });
        }
        self.state.channels.extend((*scope.hidden).clone());
        self.replace_values(&|value| {
            let is_it = *value == Known::Pid(focus);
            is_it.then_some(chosen.map_or(Known::Member(set), |chosen| Known::Chosen(set, chosen)))
        });
        Ok(())
    }

    pub(super) fn close_picked_channel(
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

    pub(super) fn remove(&mut self, who: Who) -> Done<Actor> {
        if let Some(nth) = self.parallel() {
            let scope = &mut self.scopes[nth];
            scope.has_released |= scope.acquired.contains(&who);
        }
        let nth = self.state.actors.iter().position(|actor| actor.who == who).ok_or(Refusal::NotNow)?;
        Ok(self.state.actors.remove(nth))
    }

    /// Since there may have been no turn, only what held before and holds now is known. What each member does, it does for sure.
    pub(super) fn join_start(&mut self, scope: &Scope) {
        for actor in &mut self.state.actors {
            if scope.set.is_some_and(|set| actor.who == Who::Each(set)) {
                continue;
            }
            if let Some(then) = scope.start.actor(actor.who) {
                actor.env = actor.env.join(&then.env);
            }
        }
    }
}
