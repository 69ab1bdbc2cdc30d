//! Choices: a receive that could take messages of several senders, and loops that serve members as they come.

use super::race::Race;
use super::scope::Kind;
use super::{Checked, Checker};
use crate::program::{Block, Expr, SetId, Source, StmtId, StmtKind};
use crate::rewrite::Who;
use crate::stack::level;

impl Checker<'_> {
    /// A receive that could take something else: nobody may be able to send that, but members that stand for each other.
    pub(super) fn choose_message(&mut self, who: Who, receive: StmtId, case: usize, from: Who) -> Checked {
        let rivals = self.race(who, receive)?.rivals(Some(from), case);
        if let Some(rival) = rivals.others {
            return Err(format!("{} could receive a message of {} first", self.name(who), self.name(rival)));
        }
        if !rivals.members {
            return Ok(());
        }
        let Some(nth) = self.scopes.iter().rposition(|scope| scope.focus == Some(from)) else {
            return Err(format!("other members could be faster than {}", self.name(from)));
        };
        match self.scopes[nth].kind {
            Kind::Parallel => self.acquire(nth, who)?,
            Kind::Loop if !self.scopes[nth].drivers.contains(&who) => {
                return Err(format!("other members can send to {}, which serves them in an order of its own", self.name(who)));
            }
            Kind::Pick { chosen: Some(_) } => return Err("other members than the chosen one could be faster".to_owned()),
            _ => self.choose_once(nth)?,
        }
        self.scopes[nth].choices.push((who, receive));
        Ok(())
    }

    /// In a Loop and in a Pick, one choice decides who the member is; a second one could take another member.
    fn choose_once(&mut self, nth: usize) -> Checked {
        if self.scopes[nth].is_chosen {
            return Err("the member was chosen before in this turn, and another one could be faster here".to_owned());
        }
        self.scopes[nth].is_chosen = true;
        Ok(())
    }

    /// In a Parallel, whoever makes a choice is held for this member until it is back.
    fn acquire(&mut self, nth: usize, who: Who) -> Checked {
        self.release(nth)?;
        if self.scopes[nth + 1..].iter().any(|scope| scope.is_served_through) {
            return Err("the member is served all through the loop, and others could be served in between".to_owned());
        }
        if self.scopes[nth].has_chosen_in_part {
            return Err("a second choice among parallel steps needs a section of its own".to_owned());
        }
        if self.scopes[nth].unanswered.iter().any(|(other, _)| *other != who) {
            return Err("the member is not answered before the next choice, so others can be served in another order".to_owned());
        }
        let focus = self.scopes[nth].focus;
        let under_way = self.state.channels.iter().filter(|((from, to, _), _)| *from == who && Some(*to) == focus);
        let old = under_way.map(|(_, queue)| queue.len()).sum();
        let scope = &mut self.scopes[nth];
        scope.unanswered = vec![(who, old)];
        scope.has_chosen_in_part = true;
        self.scopes[nth..].iter_mut().for_each(|scope| scope.choosers.push(who));
        Ok(())
    }

    /// Everybody must be back where they stood before the parallel steps: whoever made a choice for the member, and whoever was told to do
    /// something by those.
    pub(super) fn release(&mut self, nth: usize) -> Checked {
        let scope = &self.scopes[nth];
        for actor in self.state.actors.iter().filter(|actor| Some(actor.who) != scope.focus) {
            let family = actor.set.map_or(actor.who, Who::Each);
            let stood = scope.before.actor(family).map(|before| before.at.inward(self.program));
            let is_back = stood == Some(actor.at.inward(self.program)) || actor.at.is_turn_over(scope.focus);
            if !is_back {
                return Err(format!("{} still serves a member: two members could wait for each other", self.name(actor.who)));
            }
        }
        Ok(())
    }

    pub(super) fn section(&mut self) -> Checked {
        let Some(nth) = self.scopes.iter().rposition(|scope| matches!(scope.kind, Kind::Parallel)) else {
            return Err("a section is a part of parallel steps".to_owned());
        };
        self.begin_part(nth)
    }

    /// Other members can have their parts now.
    pub(super) fn begin_part(&mut self, nth: usize) -> Checked {
        self.release(nth)?;
        let focus = self.scopes[nth].focus;
        if !self.scopes[nth].is_quiet(&self.state) {
            return Err("a message between others is under way at the end of a part".to_owned());
        }
        self.scopes[nth].has_chosen_in_part = false;
        self.forget_others(focus, &[]);
        Ok(())
    }

    /// A loop that takes members as they come takes the one that is looked at.
    pub(super) fn serve(&mut self, who: Who, focus: Who) -> Checked {
        let stmt = self.next(who)?;
        let parallel = |scope: &super::Scope| matches!(scope.kind, Kind::Parallel) && scope.focus == Some(focus);
        let Some(nth) = self.scopes.iter().position(parallel) else {
            return Err(format!("{} is not a member that parallel steps look at", self.name(focus)));
        };
        if who == focus || matches!(who, Who::Each(_)) {
            return Err(format!("{} cannot serve here", self.name(who)));
        }
        let (set_loop, is_foreach) = match &self.program.stmt(stmt).kind {
            StmtKind::Foreach(set_loop) if self.waits_for_its_member(&set_loop.body) => (set_loop, true),
            StmtKind::For(set_loop) if set_loop.member.is_none() => (set_loop, false),
            _ => return Err(format!("{} does not stand before a loop that takes members as they come", self.name(who))),
        };
        if set_loop.set != Expr::Set(self.scopes[nth].set.unwrap_or(SetId(u32::MAX))) {
            return Err("the loop is over another set".to_owned());
        }
        if is_foreach {
            self.acquire(nth, who)?;
        }
        let Some(actor) = self.state.actor_mut(who) else { return Ok(()) };
        actor.at.enter_turn(&set_loop.body, Some(focus));
        if let Some(member) = set_loop.member {
            actor.locals.insert(member, super::value::Val::Pid(focus));
        }
        Ok(())
    }

    /// Whether a block begins with a receive that cannot give up. Else a `foreach` may choose a member that has not written.
    fn waits_for_its_member(&self, block: &Block) -> bool {
        match block.first().map(|stmt| &self.program.stmt(*stmt).kind) {
            Some(StmtKind::Atomic(inside)) => level(|| self.waits_for_its_member(inside)),
            Some(StmtKind::Receive { timeout, .. }) => timeout.is_none(),
            _ => false,
        }
    }

    pub(super) fn take_from_bag(&mut self, who: Who, case: usize) -> Checked {
        let stmt = self.next(who)?;
        let StmtKind::Receive { cases, timeout: None } = &self.program.stmt(stmt).kind else {
            return Err(format!("the next statement of {} is no `recv`, or has a `timeout`", self.name(who)));
        };
        let [taken] = &**cases else { return Err("only a `recv` with one case takes messages of unknown origin".to_owned()) };
        if case != 0 || matches!(who, Who::Each(_)) {
            return Err("only one process can take messages of unknown origin".to_owned());
        }
        let bags: Vec<usize> = (0..self.state.bags.len())
            .filter(|nth| self.state.bags[*nth].to == who && self.state.bags[*nth].message == taken.message)
            .collect();
        let [nth] = bags[..] else { return Err("there are no messages of unknown origin, or several kinds".to_owned()) };
        let bag = self.state.bags[nth].clone();
        let is_meant = match &taken.source {
            Source::Any => true,
            Source::Of(Expr::Set(set)) => *set == bag.set,
            _ => false,
        };
        if !is_meant {
            return Err(format!("{} does not receive from all of them", self.name(who)));
        }
        let rivals = self.race(who, stmt)?.rivals(None, 0);
        if let Some(rival) = rivals.others {
            return Err(format!("{} could receive a message of {} first", self.name(who), self.name(rival)));
        }
        self.remove_from_bag(who, nth)?;
        self.matched += 1;
        self.store_message(who, taken, bag.content, super::value::Val::Top)
    }

    /// As many messages as a `repeat` has turns: each turn takes one.
    fn remove_from_bag(&mut self, who: Who, nth: usize) -> Checked {
        let bag = &self.state.bags[nth];
        let Some(scope) = self.scopes.last() else {
            if bag.count.is_some() {
                return Err("there are as many messages as another loop had turns".to_owned());
            }
            self.state.bags.remove(nth);
            return Ok(());
        };
        let was_before = scope.before.bags.iter().any(|before| before.kind() == bag.kind());
        // One of this turn.
        if !was_before && bag.count.is_none() {
            self.state.bags.remove(nth);
            return Ok(());
        }
        let is_of_turn =
            matches!(&scope.kind, Kind::Repeat(count) if bag.count.as_ref() == Some(count)) && scope.drivers.contains(&who);
        if !is_of_turn || !was_before || bag.is_taken || self.scopes.len() != 1 {
            return Err("each turn of the loop does not find a message of its own".to_owned());
        }
        self.state.bags[nth].is_taken = true;
        Ok(())
    }

    pub(super) fn race(&self, who: Who, receive: StmtId) -> Checked<Race<'_>> {
        let open = self.scopes.iter().filter_map(|scope| scope.set).collect();
        let is_reachable = self.is_address_known(who);
        Ok(Race { program: self.program, state: &self.state, open, receiver: self.actor(who)?, receive, is_reachable })
    }
}
