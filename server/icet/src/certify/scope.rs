//! Many at once: one turn, or one member, stands for all.

use super::state::{Bag, Channel, State};
use super::value::{Val, eval, learn};
use super::{Checked, Checker};
use crate::program::{BinaryOp, Block, Condition, Expr, SetId, StmtId, StmtKind};
use crate::rewrite::{Step, Who};

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Loop,
    Parallel,
    Pick {
        chosen: Option<u32>,
    },
    /// With its count.
    Repeat(Val),
    Rounds,
    While,
}

#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) kind: Kind,
    pub(super) set: Option<SetId>,
    pub(super) focus: Option<Who>,
    pub(super) drivers: Vec<Who>,
    /// What was there before it was opened.
    pub(super) before: State,
    /// Loop and Pick: whether it is decided who the member is.
    pub(super) is_chosen: bool,
    /// Receives for which other members could have been faster, and who receives.
    pub(super) choices: Vec<(Who, StmtId)>,
    pub(super) has_chosen_in_part: bool,
    /// Parallel: who made a choice for the member, and has not answered it, so that the member is ahead of them. With how many messages
    /// to the member were under way before, which are no answers.
    pub(super) unanswered: Vec<(Who, usize)>,
    /// Who made a choice for the member of a Parallel since this was opened.
    pub(super) choosers: Vec<Who>,
    /// Somebody serves the member of a Parallel around it all through it: then nobody else may make a choice for that member.
    pub(super) is_served_through: bool,
}

impl Scope {
    /// Whether a message between others was in the channel before: only the first turn would find it.
    pub(super) fn was_under_way(&self, (from, to, message): Channel) -> bool {
        let is_own = Some(from) == self.focus || Some(to) == self.focus;
        !is_own && !matches!(self.kind, Kind::Pick { .. }) && self.before.is_there((from, to, message))
    }

    /// Whether the messages between others than the member are those that were there before.
    pub(super) fn is_quiet(&self, state: &State) -> bool {
        let others = |state: &State| {
            let mut counts = state.counts();
            counts.retain(|(from, to, _), _| Some(*from) != self.focus && Some(*to) != self.focus);
            counts
        };
        others(state) == others(&self.before)
    }

    pub(super) fn join(&mut self, other: &Scope) {
        self.is_chosen |= other.is_chosen;
        self.has_chosen_in_part |= other.has_chosen_in_part;
        self.choices.extend(other.choices.iter().filter(|choice| !self.choices.contains(choice)).copied().collect::<Vec<_>>());
        self.unanswered.extend(other.unanswered.iter().filter(|who| !self.unanswered.contains(who)).copied().collect::<Vec<_>>());
        self.choosers.extend(&other.choosers);
    }
}

impl Checker<'_> {
    pub(super) fn set_loop(&mut self, drivers: &[Who], focus: Who, steps: &[Step]) -> Checked {
        let mut set = None;
        let mut choosers = 0;
        for driver in drivers {
            let (set_loop, is_foreach) = match &self.program.stmt(self.driven(*driver, drivers)?).kind {
                StmtKind::For(set_loop) => (set_loop, false),
                StmtKind::Foreach(set_loop) => (set_loop, true),
                _ => return Err(format!("{} does not stand before a loop over a set", self.name(*driver))),
            };
            let Expr::Set(of) = set_loop.set else { return Err("the loop is not over a declared set".to_owned()) };
            if *set.get_or_insert(of) != of {
                return Err("the loops are over different sets".to_owned());
            }
            choosers += usize::from(is_foreach || set_loop.member.is_some());
        }
        let Some(set) = set else { return Err("a loop needs somebody who goes through it".to_owned()) };
        if choosers > 1 {
            return Err("several processes choose the order of members, each its own".to_owned());
        }
        self.open(Kind::Loop, Some((set, focus)), drivers)?;
        self.last_scope().is_chosen = choosers > 0;
        for driver in drivers {
            let stmt = self.next(*driver)?;
            let (StmtKind::For(set_loop) | StmtKind::Foreach(set_loop)) = &self.program.stmt(stmt).kind else { continue };
            self.begin_turn(*driver, &set_loop.body, stmt);
            if let (Some(member), Some(actor)) = (set_loop.member, self.state.actor_mut(*driver)) {
                actor.locals.insert(member, Val::Pid(focus));
            }
        }
        self.steps(steps)?;
        self.close_turns(drivers)?;
        self.close_for_all(set, focus, drivers)
    }

    pub(super) fn parallel(&mut self, set: SetId, focus: Who, steps: &[Step]) -> Checked {
        self.open(Kind::Parallel, Some((set, focus)), &[])?;
        self.steps(steps)?;
        let nth = self.scopes.len() - 1;
        self.release(nth)?;
        // Loops that served the member have served all.
        for actor in &mut self.state.actors {
            let mut head = actor.at.clone();
            if head.is_turn_over(Some(focus)) {
                head.leave_turn();
                actor.at = head;
                let served = actor.who;
                let stood = self.scopes[nth].before.actor_mut(served).map(|actor| &mut actor.at);
                if let Some(stood) = stood {
                    stood.advance();
                }
            }
        }
        self.close_for_all(set, focus, &[])
    }

    pub(super) fn pick(&mut self, set: SetId, chosen: Option<u32>, focus: Who, steps: &[Step]) -> Checked {
        let number = match chosen {
            // Picks are counted by everybody in a way of their own, so the number says nothing here.
            Some(_) => Some(self.last_chosen(set)?),
            None if self.is_nonempty(set) => None,
            None => return Err("the set could be empty".to_owned()),
        };
        self.open(Kind::Pick { chosen }, Some((set, focus)), &[])?;
        if let Some(number) = &number {
            self.state
                .actors
                .iter_mut()
                .flat_map(super::state::Actor::values)
                .for_each(|value| value.replace(number, &Val::Pid(focus)));
        }
        self.steps(steps)?;
        self.scopes.pop();
        let each = Who::Each(set);
        let member = self.actor(focus)?.clone();
        if self.actor(each)?.at.inward(self.program) != member.at.inward(self.program) {
            return Err(format!("{} is not back where the others stand", self.name(focus)));
        }
        // Processes may go on in a Pick, since it happens once; in loops around it they are looked at there.
        self.leave_bags(set, focus)?;
        let mut after = self.state.clone();
        after.merge(set, focus).ok_or("the set has no process")?;
        self.state.actors.retain(|actor| actor.who != focus);
        self.state.channels.retain(|(from, to, _), _| *from != focus && *to != focus);
        self.state.forget_member(focus, number.as_ref().unwrap_or(&Val::Top));
        if self.state.counts() != after.counts() {
            return Err(format!("messages from or to {} are left", self.name(focus)));
        }
        let (Some(all), Some(done)) = (self.state.actor_mut(each), after.actor(each)) else { return Ok(()) };
        all.join(done);
        self.choices_of_all(set, focus);
        Ok(())
    }

    /// The member of a set that somebody picked last and still knows. If another one is meant, what follows does not fit.
    fn last_chosen(&mut self, set: SetId) -> Checked<Val> {
        let values = self.state.actors.iter_mut().flat_map(super::state::Actor::values);
        let numbers = values.filter_map(|value| match value {
            Val::Chosen(of, number) if *of == set => Some(*number),
            _ => None,
        });
        let last = numbers.max().ok_or("nobody has picked a member")?;
        Ok(Val::Chosen(set, last))
    }

    /// One message of a kind that the member sent, and that the others have not sent, is kept without its origin.
    fn leave_bags(&mut self, set: SetId, focus: Who) -> Checked {
        let each = Who::Each(set);
        let left: Vec<Channel> = self.state.channels.keys().filter(|(from, ..)| *from == focus).copied().collect();
        for (from, to, message) in left {
            if self.state.is_there((each, to, message)) {
                continue;
            }
            let Some(content) = self.state.take((from, to, message)) else { continue };
            if self.state.is_there((from, to, message)) || !matches!(to, Who::One(_)) {
                return Err(format!("several messages of {} are left", self.name(focus)));
            }
            if self.state.bags.iter().any(|bag| bag.to == to && bag.message == message) {
                return Err("messages of unknown origin are there already".to_owned());
            }
            self.state.bags.push(Bag { to, message, set, content, count: None, is_taken: false });
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, drivers: &[Who], steps: &[Step]) -> Checked {
        let is_rounds = |stmt: StmtId| matches!(self.program.stmt(stmt).kind, StmtKind::Rounds { .. });
        if drivers.iter().any(|driver| self.next(*driver).is_ok_and(is_rounds)) {
            return self.rounds(drivers, steps);
        }
        let mut count = None;
        for driver in drivers {
            let stmt = self.driven(*driver, drivers)?;
            let StmtKind::Repeat { count: expr, .. } = &self.program.stmt(stmt).kind else {
                return Err(format!("{} does not stand before a `repeat`", self.name(*driver)));
            };
            let value = eval(self.program, self.actor(*driver)?, expr);
            if drivers.len() > 1 && value == Val::Top || *count.get_or_insert_with(|| value.clone()) != value {
                return Err("the loops are not known to have the same number of turns".to_owned());
            }
        }
        let Some(count) = count else { return Err("a loop needs somebody who goes through it".to_owned()) };
        self.open(Kind::Repeat(count.clone()), None, drivers)?;
        for driver in drivers {
            let stmt = self.next(*driver)?;
            if let StmtKind::Repeat { body, .. } = &self.program.stmt(stmt).kind {
                self.begin_turn(*driver, body, stmt);
            }
        }
        self.steps(steps)?;
        self.close_turns(drivers)?;
        self.multiply_bags(&count)?;
        self.close(drivers)
    }

    /// A round of all drivers, sets among them. Messages of different rounds are different, so whatever everybody does in one round can be
    /// put before what anybody does in a later one. What is left at the end, for those who leave the round, is thrown away.
    fn rounds(&mut self, drivers: &[Who], steps: &[Step]) -> Checked {
        let mut count: Option<Option<&Expr>> = None;
        for driver in drivers {
            let is_twice = drivers.iter().filter(|other| *other == driver).count() > 1;
            let StmtKind::Rounds { count: of, .. } = &self.program.stmt(self.next(*driver)?).kind else {
                return Err(format!("{} does not stand before `rounds`", self.name(*driver)));
            };
            let is_fixed = matches!(of, None | Some(Expr::Const(_) | Expr::Int(_)));
            if is_twice || matches!(driver, Who::Focus(_)) {
                return Err(format!("{} cannot go through rounds here", self.name(*driver)));
            }
            // The first rounds of one are the first of another, and so on.
            if self.actor(*driver)?.rounds != self.actor(drivers[0])?.rounds {
                return Err("they have not gone through as many rounds before".to_owned());
            }
            if drivers.len() > 1 && !is_fixed || *count.get_or_insert(of.as_ref()) != of.as_ref() {
                return Err("the loops are not known to have the same number of rounds".to_owned());
            }
        }
        self.open(Kind::Rounds, None, drivers)?;
        let number = Val::Some(self.state.picks, Vec::new());
        self.state.picks += 1;
        for driver in drivers {
            let stmt = self.next(*driver)?;
            let StmtKind::Rounds { index, body, .. } = &self.program.stmt(stmt).kind else { continue };
            self.begin_turn(*driver, body, stmt);
            if let Some(actor) = self.state.actor_mut(*driver) {
                actor.locals.insert(*index, number.clone());
            }
        }
        self.steps(steps)?;
        self.close_turns(drivers)?;
        let before = self.last_scope().before.counts();
        for ((_, to, _), queue) in self.state.channels.iter_mut().filter(|(channel, _)| !before.contains_key(channel)) {
            if drivers.contains(to) {
                queue.clear();
            }
        }
        self.state.channels.retain(|_, queue| !queue.is_empty());
        self.close(drivers)?;
        self.state.actors.iter_mut().filter(|actor| drivers.contains(&actor.who)).for_each(|actor| actor.rounds += 1);
        if count == Some(None) {
            for actor in self.state.actors.iter_mut().filter(|actor| drivers.contains(&actor.who)) {
                actor.at.finish();
                self.endless.push(actor.who);
            }
        }
        Ok(())
    }

    /// A message of unknown origin that a turn leaves is left by each turn; one that it takes, each turn takes.
    fn multiply_bags(&mut self, count: &Val) -> Checked {
        self.state.bags.retain(|bag| !bag.is_taken);
        let before = &self.last_scope().before.bags.clone();
        for bag in &mut self.state.bags {
            if before.iter().any(|old| old.kind() == bag.kind()) {
                continue;
            }
            if bag.count.is_some() || *count == Val::Top {
                return Err("how many messages of unknown origin are left is not known".to_owned());
            }
            bag.count = Some(count.clone());
            // What the first turn sent is not what another one sent.
            bag.content.iter_mut().for_each(|value| *value = Val::Top);
        }
        self.last_scope().before.bags = self.state.bags.clone();
        Ok(())
    }

    pub(super) fn endless_or_not(&mut self, driver: Who, steps: &[Step]) -> Checked {
        let stmt = self.driven(driver, &[driver])?;
        let StmtKind::While { condition, body, .. } = &self.program.stmt(stmt).kind else {
            return Err(format!("{} does not stand before a `while`", self.name(driver)));
        };
        let head = self.actor(driver)?.at.clone();
        self.open(Kind::While, None, &[driver])?;
        let (program, assigned) = (self.program, self.shape.assigned(stmt).to_vec());
        let Some(actor) = self.state.actor_mut(driver) else { return Ok(()) };
        actor.forget(&assigned);
        if let Condition::Holds(condition) = condition {
            let is_endless = *condition == Expr::Bool(true);
            if !is_endless && matches!(eval(program, actor, condition), Val::Bool(_)) {
                return Err("whether the loop goes on is decided".to_owned());
            }
            learn(program, actor, condition, true);
        }
        actor.at.enter_while(body);
        self.steps(steps)?;
        if self.actor(driver)?.at != head {
            return Err(format!("{} is not back at the head of its loop", self.name(driver)));
        }
        self.close(&[driver])?;
        let is_endless = *condition == Condition::Holds(Expr::Bool(true));
        if let Some(actor) = self.state.actor_mut(driver) {
            if let Condition::Holds(condition) = condition {
                learn(program, actor, condition, false);
            }
            if is_endless { actor.at.finish() } else { actor.at.advance() }
        }
        if is_endless {
            self.endless.push(driver);
        }
        Ok(())
    }

    fn begin_turn(&mut self, driver: Who, body: &Block, stmt: StmtId) {
        if let Some(actor) = self.state.actor_mut(driver) {
            actor.forget(self.shape.assigned(stmt));
            actor.at.enter_turn(body, None);
        }
    }

    /// The loop that a driver stands before.
    fn driven(&self, driver: Who, drivers: &[Who]) -> Checked<StmtId> {
        let is_twice = drivers.iter().filter(|other| **other == driver).count() > 1;
        if is_twice || matches!(driver, Who::Each(_)) {
            return Err(format!("{} cannot go through the loop here", self.name(driver)));
        }
        self.next(driver)
    }

    pub(super) fn is_nonempty(&self, set: SetId) -> bool {
        self.program.assumes.iter().any(|claim| {
            matches!(&claim.condition, Expr::Binary(BinaryOp::Gt, left, right)
                if **right == Expr::Int(0) && **left == Expr::Card(Box::new(Expr::Set(set))))
        })
    }

    fn last_scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("a scope was opened")
    }

    fn open(&mut self, kind: Kind, member: Option<(SetId, Who)>, drivers: &[Who]) -> Checked {
        let before = self.state.clone();
        if let Some((set, focus)) = member {
            let is_fresh = matches!(focus, Who::Focus(_)) && self.state.actor(focus).is_none();
            if !is_fresh || self.scopes.iter().any(|scope| scope.set == Some(set)) {
                return Err("another member of the set is looked at already".to_owned());
            }
            self.state.split(set, focus).ok_or("the set has no process of its own")?;
        }
        let is_once = matches!(kind, Kind::Pick { .. });
        let mut is_served_through = false;
        if !is_once {
            is_served_through = self.begin_turn_of_parts();
            self.forget_others(member.map(|(_, focus)| focus), drivers);
        }
        let (set, focus) = (member.map(|member| member.0), member.map(|member| member.1));
        let scope = Scope {
            kind,
            set,
            focus,
            drivers: drivers.to_vec(),
            before,
            is_chosen: false,
            choices: Vec::new(),
            has_chosen_in_part: false,
            unanswered: Vec::new(),
            choosers: Vec::new(),
            is_served_through,
        };
        self.scopes.push(scope);
        Ok(())
    }

    /// A turn is a part of its own among parallel steps, unless somebody serves the member all through it: whether that is so.
    fn begin_turn_of_parts(&mut self) -> bool {
        let Some(nth) = self.parallel_around() else { return false };
        if self.release(nth).is_err() {
            return true;
        }
        self.scopes[nth].has_chosen_in_part = false;
        false
    }

    fn parallel_around(&self) -> Option<usize> {
        self.scopes.iter().rposition(|scope| matches!(scope.kind, Kind::Parallel))
    }

    fn close_turns(&mut self, drivers: &[Who]) -> Checked {
        for driver in drivers {
            if !self.actor(*driver)?.at.is_turn_over(None) {
                return Err(format!("the turn of {} is not over", self.name(*driver)));
            }
        }
        Ok(())
    }

    /// Closes a scope in which what the member did holds for all.
    fn close_for_all(&mut self, set: SetId, focus: Who, drivers: &[Who]) -> Checked {
        let choices = std::mem::take(&mut self.last_scope().choices);
        for (who, receive) in choices {
            if self.race(who, receive)?.comes_back(self.actor(focus)?) {
                return Err(format!(
                    "{} could take a second message of {} in the turn of another member",
                    self.name(who),
                    self.name(focus)
                ));
            }
        }
        self.close(drivers)?;
        self.state.merge(set, focus).ok_or("the set has no process of its own")?;
        self.endless.iter_mut().filter(|who| **who == focus).for_each(|who| *who = Who::Each(set));
        self.choices_of_all(set, focus);
        Ok(())
    }

    /// What one member chose in a scope around this one, any member of its set could have chosen.
    fn choices_of_all(&mut self, set: SetId, focus: Who) {
        for (who, _) in self.scopes.iter_mut().flat_map(|scope| &mut scope.choices).filter(|(who, _)| *who == focus) {
            *who = Who::Each(set);
        }
    }

    /// Everybody else stands where they stood, and nothing is left but from and to the member. There may have been no turn at all.
    fn close(&mut self, drivers: &[Who]) -> Checked {
        let Some(scope) = self.scopes.pop() else { return Ok(()) };
        let parts = self.parallel_around().filter(|_| !scope.is_served_through);
        if let Some(nth) = parts {
            self.release(nth)?;
            self.scopes[nth].has_chosen_in_part = false;
            // One process that is asked again and again takes what it is asked in order.
            let is_one =
                |(who, _): &(Who, usize)| matches!(who, Who::One(_)) && scope.choosers.iter().all(|chooser| chooser == who);
            if !self.scopes[nth].unanswered.iter().all(is_one) {
                return Err("the member goes on before it is answered, and is served in another order than it asks".to_owned());
            }
        }
        if !scope.is_quiet(&self.state) || scope.before.bags.iter().map(Bag::kind).ne(self.state.bags.iter().map(Bag::kind)) {
            return Err("a message between others is left at the end".to_owned());
        }
        for actor in &self.state.actors {
            let Some(old) = scope.before.actor(actor.who) else { continue };
            let is_back = old.at.inward(self.program) == actor.at.inward(self.program);
            if !drivers.contains(&actor.who) && !is_back {
                return Err(format!("{} is not back where it stood", self.name(actor.who)));
            }
        }
        for actor in &mut self.state.actors {
            if let Some(old) = scope.before.actor(actor.who) {
                actor.join(old);
            }
            if drivers.contains(&actor.who) && !matches!(scope.kind, Kind::While) {
                actor.at.leave_turn();
            }
        }
        // Other turns and other members have values of their own.
        self.state.values().for_each(|value| value.scrub(scope.before.picks));
        if let Some(nth) = parts {
            self.forget_others(self.scopes[nth].focus, &[]);
        }
        Ok(())
    }

    /// Forgets what the loops of others assign.
    pub(super) fn forget_others(&mut self, focus: Option<Who>, drivers: &[Who]) {
        let others: Vec<Who> = self.state.actors.iter().map(|actor| actor.who).collect();
        for who in others.into_iter().filter(|who| Some(*who) != focus && !drivers.contains(who)) {
            self.state.forget_loops(self.program, &self.shape, who);
        }
    }
}
