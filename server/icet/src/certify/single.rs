//! Single steps: one actor goes on.

use super::state::{Actor, Channel};
use super::value::{Val, assign, eval, except, learn, store};
use super::{Checked, Checker};
use crate::program::{Arm, Block, Case, Condition, Expr, SetId, Source, StmtId, StmtKind, Type, VarId};
use crate::rewrite::{Step, Who};
use crate::stack::level;

impl Checker<'_> {
    pub(super) fn local(&mut self, who: Who) -> Checked {
        let stmt = self.next(who)?;
        if !self.shape.is_local(stmt) {
            return Err(format!("the next statement of {} communicates or leaves a loop", self.name(who)));
        }
        let mut actor = self.actor(who)?.clone();
        self.execute(&mut actor, stmt);
        self.name_unknown(&mut actor, self.shape.assigned(stmt).to_vec());
        actor.at.advance();
        self.put(actor);
        Ok(())
    }

    /// Whatever one actor has in these variables, it is the same as what it sends of it later.
    fn name_unknown(&mut self, actor: &mut Actor, vars: impl IntoIterator<Item = VarId>) {
        if matches!(actor.who, Who::Each(_)) {
            return;
        }
        for var in vars {
            if let Some(value) = actor.vars.get_mut(var.index()).filter(|value| **value == Val::Top) {
                *value = Val::Some(self.state.picks, Vec::new());
                self.state.picks += 1;
            }
        }
    }

    pub(super) fn enter(&mut self, who: Who) -> Checked {
        let stmt = self.next(who)?;
        let program = self.program;
        let mut actor = self.actor(who)?.clone();
        match &program.stmt(stmt).kind {
            StmtKind::Atomic(body) => actor.at.enter(body),
            StmtKind::Break => {
                if !actor.at.leave_while() {
                    return Err("there is no loop to leave in this turn".to_owned());
                }
            }
            StmtKind::If { condition, then, otherwise } => match self.decided(&actor, condition)? {
                true => actor.at.enter(then),
                false => actor.at.enter(otherwise),
            },
            StmtKind::While { condition, body, .. } => match self.decided(&actor, condition)? {
                true => actor.at.enter_while(body),
                false => actor.at.advance(),
            },
            StmtKind::Match { value, arms, default } => {
                let Val::Element(_, element, args) = eval(program, &actor, value) else {
                    return Err("which case of the `match` is taken is not known".to_owned());
                };
                match (arms.iter().find(|arm| arm.element == element), default) {
                    (Some(arm), _) => take_arm(&mut actor, arm, args),
                    (None, Some(block)) => actor.at.enter(block),
                    (None, None) => return Err("the `match` has no such case".to_owned()),
                }
            }
            StmtKind::Receive { cases, timeout: Some(timeout) } => {
                for case in cases {
                    self.sender(who, case)?;
                }
                if !self.race(who, stmt)?.is_in_vain() {
                    return Err(format!("what {} waits for may still come", self.name(who)));
                }
                actor.at.enter(timeout);
            }
            _ => return Err(format!("the next statement of {} cannot be entered", self.name(who))),
        }
        self.put(actor);
        Ok(())
    }

    pub(super) fn send(&mut self, who: Who) -> Checked {
        let stmt = self.next(who)?;
        let StmtKind::Send { message, args, target } = &self.program.stmt(stmt).kind else {
            return Err(format!("the next statement of {} is no `send`", self.name(who)));
        };
        if matches!(who, Who::Each(_)) {
            return Err("members send one by one".to_owned());
        }
        let mut actor = self.actor(who)?.clone();
        let sent = args.iter().filter_map(|arg| if let Expr::Own(var) = arg { Some(*var) } else { None });
        self.name_unknown(&mut actor, sent);
        let Val::Pid(to) = eval(self.program, &actor, target) else {
            return Err(format!("to whom {} sends is not known", self.name(who)));
        };
        self.actor(to)?;
        if to == who {
            return Err("a message to oneself is not followed".to_owned());
        }
        let content = args.iter().map(|arg| eval(self.program, &actor, arg)).collect();
        actor.at.advance();
        self.put(actor);
        self.state.send((who, to, *message), content);
        Ok(())
    }

    pub(super) fn receive(&mut self, who: Who, case: usize, from: Who) -> Checked {
        let stmt = self.next(who)?;
        let StmtKind::Receive { cases, timeout: None } = &self.program.stmt(stmt).kind else {
            return Err(format!("the next statement of {} is no `recv`, or has a `timeout`", self.name(who)));
        };
        if matches!(who, Who::Each(_)) {
            return Err("members receive one by one".to_owned());
        }
        let Some(taken) = cases.get(case) else { return Err("the `recv` has no such case".to_owned()) };
        let is_certain = cases.len() == 1 && self.is_just(who, taken, from)?;
        if !is_certain {
            self.choose_message(who, stmt, case, from)?;
        }
        self.take(who, taken, from)
    }

    pub(super) fn branch(&mut self, who: Who, ways: &[Vec<Step>]) -> Checked {
        let stmt = self.next(who)?;
        if matches!(who, Who::Each(_)) {
            return Err("members of a set can go different ways, so a branch is for one of them".to_owned());
        }
        let count = self.way_count(who, stmt)?;
        if ways.len() != count {
            return Err(format!("the statement can go {count} ways, not {}", ways.len()));
        }
        let before = (self.state.clone(), self.scopes.clone());
        let mut after: Option<(super::State, Vec<super::Scope>)> = None;
        let (matched, mut most) = (self.matched, 0);
        for (nth, steps) in ways.iter().enumerate() {
            self.path.push(nth);
            (self.state, self.scopes) = before.clone();
            self.go(who, stmt, nth)?;
            self.steps(steps)?;
            most = most.max(self.matched - matched);
            self.matched = matched;
            if let Some((state, scopes)) = after.take() {
                self.meet(&state)?;
                self.state.join(&state);
                self.scopes.iter_mut().zip(&scopes).for_each(|(scope, that)| scope.join(that));
            }
            after = Some((self.state.clone(), self.scopes.clone()));
            self.path.pop();
        }
        self.matched = matched + most;
        Ok(())
    }

    /// In how many ways a statement can go on.
    fn way_count(&self, who: Who, stmt: StmtId) -> Checked<usize> {
        match &self.program.stmt(stmt).kind {
            StmtKind::If { .. } => Ok(2),
            StmtKind::Match { arms, default, .. } => Ok(arms.len() + usize::from(default.is_some())),
            StmtKind::Choose { branches } => Ok(branches.len()),
            StmtKind::Receive { timeout: Some(_), .. } => Ok(2),
            _ => Err(format!("the next statement of {} has no ways that can be looked at one by one", self.name(who))),
        }
    }

    /// Takes one way of a statement.
    fn go(&mut self, who: Who, stmt: StmtId, way: usize) -> Checked {
        let program = self.program;
        let mut actor = self.actor(who)?.clone();
        match &program.stmt(stmt).kind {
            StmtKind::If { condition, then, otherwise } => {
                if let Condition::Holds(condition) = condition {
                    learn(program, &mut actor, condition, way == 0);
                }
                actor.at.enter(if way == 0 { then } else { otherwise });
            }
            StmtKind::Match { value, arms, default } => match (arms.get(way), default) {
                (Some(arm), _) => self.learn_arm(&mut actor, value, arm),
                (None, Some(block)) => {
                    self.learn_default(&mut actor, value, arms);
                    actor.at.enter(block);
                }
                (None, None) => {}
            },
            StmtKind::Choose { branches } => actor.at.enter(&branches[way]),
            StmtKind::Receive { cases, timeout: Some(timeout) } => return self.take_or_lose(who, stmt, cases, timeout, way == 0),
            _ => {}
        }
        let learnt: Vec<(Val, Val)> = self.actor(who)?.vars.iter().cloned().zip(actor.vars.iter().cloned()).collect();
        self.put(actor);
        // A value that turns out in this way is known wherever it went. What the patterns of a `match` store is no such news.
        let is_match = matches!(program.stmt(stmt).kind, StmtKind::Match { .. });
        for (old, new) in learnt.into_iter().filter(|(old, new)| !is_match && matches!(old, Val::Some(..)) && old != new) {
            self.state.replace(&old, &new);
        }
        Ok(())
    }

    fn learn_arm(&mut self, actor: &mut Actor, value: &Expr, arm: &Arm) {
        let known = eval(self.program, actor, value);
        let ty = match value {
            Expr::Own(var) => self.program.process(actor.process).code.vars.get(var.index()).map(|var| &var.ty),
            _ => None,
        };
        if let (Val::Some(..), Some(Type::Enum(of))) = (&known, ty) {
            let element = Val::Element(*of, arm.element, vec![Val::Top; arm.patterns.len()]);
            actor.values().for_each(|value| value.replace(&known, &element));
            self.state.replace(&known, &element);
        }
        let args = match known {
            Val::Element(_, element, args) if element == arm.element => args,
            _ => vec![Val::Top; arm.patterns.len()],
        };
        take_arm(actor, arm, args);
    }

    /// It is none of the elements that have an arm.
    fn learn_default(&mut self, actor: &mut Actor, value: &Expr, arms: &[Arm]) {
        let Expr::Own(var) = value else { return };
        let code = &self.program.process(actor.process).code;
        let Some(Type::Enum(of)) = code.vars.get(var.index()).map(|var| &var.ty) else { return };
        let known = actor.vars.get(var.index()).cloned();
        for arm in arms.iter().filter(|arm| arm.patterns.is_empty()) {
            except(self.program, actor, *var, Val::Element(*of, arm.element, Vec::new()));
        }
        if let (Some(known @ Val::Some(..)), Some(new)) = (known, actor.vars.get(var.index()).cloned()) {
            self.state.replace(&known, &new);
        }
    }

    /// The message of a receive with `timeout` is there; it is taken, or thrown away.
    fn take_or_lose(&mut self, who: Who, stmt: StmtId, cases: &[Case], timeout: &Block, takes: bool) -> Checked {
        let mut there = None;
        for (nth, case) in cases.iter().enumerate() {
            let from = self.sender(who, case)?;
            if self.state.is_there((from, who, case.message)) {
                there = Some((nth, case, from));
            }
        }
        let Some((nth, case, from)) = there else { return Err(format!("nothing is there that {} could lose", self.name(who))) };
        if cases.len() > 1 && self.race(who, stmt)?.has_alternative(nth) {
            return Err(format!("{} could receive a message of another kind", self.name(who)));
        }
        if takes {
            return self.take(who, case, from);
        }
        self.oldest((from, who, case.message))?;
        let mut actor = self.actor(who)?.clone();
        actor.at.enter(timeout);
        self.put(actor);
        Ok(())
    }

    /// From whom a receive with `timeout` receives.
    fn sender(&self, who: Who, case: &Case) -> Checked<Who> {
        let Source::One(pid) = &case.source else { return Err("a `timeout` needs one known sender".to_owned()) };
        match eval(self.program, self.actor(who)?, pid) {
            Val::Pid(from) => Ok(from),
            _ => Err(format!("from whom {} receives is not known", self.name(who))),
        }
    }

    /// Takes the oldest message of a channel.
    fn take(&mut self, who: Who, case: &Case, from: Who) -> Checked {
        let content = self.oldest((from, who, case.message))?;
        self.matched += 1;
        for scope in self.scopes.iter_mut().filter(|scope| scope.focus == Some(who)) {
            scope.unanswered.retain_mut(|(other, old)| {
                let is_answer = *other == from && *old == 0;
                *old -= usize::from(*other == from && *old > 0);
                !is_answer
            });
        }
        let sender = Val::Pid(from);
        self.store_message(who, case, content, sender)
    }

    pub(super) fn store_message(&mut self, who: Who, case: &Case, content: Vec<Val>, sender: Val) -> Checked {
        let mut actor = self.actor(who)?.clone();
        case.patterns.iter().zip(content).for_each(|(pattern, value)| assign(&mut actor, pattern, value));
        if let Some(place) = &case.sender {
            store(&mut actor, place, sender);
        }
        actor.at.enter(&case.body);
        self.put(actor);
        Ok(())
    }

    fn oldest(&mut self, channel: Channel) -> Checked<Vec<Val>> {
        let (from, to, message) = channel;
        let is_old = |scope: &super::Scope| scope.was_under_way(channel);
        if self.scopes.iter().any(is_old) {
            return Err(format!(
                "other turns do not find the message that {} had sent to {} before",
                self.name(from),
                self.name(to)
            ));
        }
        self.state.take(channel).ok_or_else(|| {
            format!("no `{}` from {} to {} is under way", self.program.message(message).name, self.name(from), self.name(to))
        })
    }

    /// Whether a case takes messages of this sender and nobody else's; an error if it takes none of it.
    fn is_just(&self, who: Who, case: &Case, from: Who) -> Checked<bool> {
        let actor = self.actor(who)?;
        let set = self.actor(from)?.set;
        let is_member = |of: SetId| set == Some(of) && matches!(from, Who::Focus(_));
        let refused = || format!("{} does not receive this from {}", self.name(who), self.name(from));
        match &case.source {
            Source::Any => Ok(false),
            Source::One(pid) if eval(self.program, actor, pid) == Val::Pid(from) => Ok(true),
            Source::Of(Expr::Set(of)) if is_member(*of) => Ok(false),
            Source::Of(Expr::SetOf(parts)) if parts.iter().any(|part| eval(self.program, actor, part) == Val::Pid(from)) => {
                Ok(false)
            }
            _ => Err(refused()),
        }
    }

    fn decided(&self, actor: &Actor, condition: &Condition) -> Checked<bool> {
        match condition {
            Condition::Holds(condition) => match eval(self.program, actor, condition) {
                Val::Bool(value) => Ok(value),
                _ => Err("the condition is not decided by what is known".to_owned()),
            },
            Condition::Either => Err("the condition is not decided: either way is possible".to_owned()),
        }
    }

    /// A statement without communication, executed on what is known.
    fn execute(&mut self, actor: &mut Actor, stmt: StmtId) {
        let program = self.program;
        match &program.stmt(stmt).kind {
            StmtKind::Assign { target, value } => {
                let value = eval(program, actor, value);
                assign(actor, target, value);
            }
            StmtKind::Pick { target, set } => {
                if !matches!(set, Expr::Set(set) if self.is_nonempty(*set)) {
                    self.asserts.insert(stmt, false);
                }
                let value = match (set, actor.who) {
                    (Expr::Set(set), Who::One(_) | Who::Focus(_)) => Val::Chosen(*set, self.state.picks),
                    _ => Val::Top,
                };
                self.state.picks += 1;
                store(actor, target, value);
            }
            StmtKind::Havoc { target } => store(actor, target, Val::Top),
            StmtKind::Assume(condition) => learn(program, actor, condition, true),
            StmtKind::Assert { condition, .. } => {
                let holds = eval(program, actor, condition) == Val::Bool(true);
                *self.asserts.entry(stmt).or_insert(true) &= holds;
            }
            StmtKind::If { condition: Condition::Holds(condition), then, otherwise } => match eval(program, actor, condition) {
                Val::Bool(true) => self.execute_all(actor, then),
                Val::Bool(false) => self.execute_all(actor, otherwise),
                _ => {
                    let mut other = actor.clone();
                    learn(program, actor, condition, true);
                    self.execute_all(actor, then);
                    learn(program, &mut other, condition, false);
                    self.execute_all(&mut other, otherwise);
                    actor.join(&other);
                }
            },
            StmtKind::If { condition: Condition::Either, then, otherwise } => self.execute_any(actor, &[then, otherwise]),
            StmtKind::Choose { branches } => self.execute_any(actor, &branches.iter().collect::<Vec<_>>()),
            StmtKind::Match { value, arms, default } => {
                let Val::Element(_, element, args) = eval(program, actor, value) else {
                    return self.execute_roughly(actor, stmt);
                };
                match arms.iter().find(|arm| arm.element == element) {
                    Some(arm) => {
                        arm.patterns.iter().zip(args).for_each(|(pattern, value)| assign(actor, pattern, value));
                        self.execute_all(actor, &arm.body);
                    }
                    None => default.iter().for_each(|block| self.execute_all(actor, block)),
                }
            }
            _ => self.execute_roughly(actor, stmt),
        }
    }

    fn execute_all(&mut self, actor: &mut Actor, block: &Block) {
        block.iter().for_each(|stmt| level(|| self.execute(actor, *stmt)));
    }

    /// One of the blocks, whichever.
    fn execute_any(&mut self, actor: &mut Actor, blocks: &[&Block]) {
        let before = actor.clone();
        for (nth, block) in blocks.iter().enumerate() {
            let mut after = before.clone();
            self.execute_all(&mut after, block);
            if nth == 0 { *actor = after } else { actor.join(&after) }
        }
    }

    /// Everything with blocks: what it assigns is forgotten before and after, so any number of any of its blocks is covered.
    fn execute_roughly(&mut self, actor: &mut Actor, stmt: StmtId) {
        actor.forget(self.shape.assigned(stmt));
        for block in self.program.blocks(stmt) {
            let mut inside = actor.clone();
            self.execute_all(&mut inside, block);
        }
    }

    fn meet(&self, other: &super::State) -> Checked {
        for actor in &self.state.actors {
            let that = other.actor(actor.who).map(|that| (that.at.inward(self.program), that.rounds));
            if that != Some((actor.at.inward(self.program), actor.rounds)) {
                return Err(format!("the ways leave {} at different places", self.name(actor.who)));
            }
        }
        if self.state.counts() != other.counts() {
            return Err("the ways leave different numbers of messages under way".to_owned());
        }
        if self.state.bags.iter().map(super::state::Bag::kind).ne(other.bags.iter().map(super::state::Bag::kind)) {
            return Err("the ways leave different messages of unknown origin".to_owned());
        }
        Ok(())
    }

    /// The next statement of an actor that may go on.
    pub(super) fn next(&self, who: Who) -> Checked<StmtId> {
        if let Who::Each(set) = who
            && self.scopes.iter().any(|scope| scope.set == Some(set))
        {
            return Err(format!("{} cannot go on together while one member is looked at", self.name(who)));
        }
        self.actor(who)?.at.next().ok_or_else(|| format!("{} has nothing left to do here", self.name(who)))
    }

    pub(super) fn actor(&self, who: Who) -> Checked<&Actor> {
        self.state.actor(who).ok_or_else(|| match who {
            Who::Focus(number) => format!("it names member {number}, which is not looked at there"),
            Who::One(_) | Who::Each(_) => format!("{} does not exist here", self.name(who)),
        })
    }

    pub(super) fn put(&mut self, actor: Actor) {
        if let Some(slot) = self.state.actor_mut(actor.who) {
            *slot = actor;
        }
    }
}

fn take_arm(actor: &mut Actor, arm: &Arm, args: Vec<Val>) {
    arm.patterns.iter().zip(args).for_each(|(pattern, value)| assign(actor, pattern, value));
    actor.at.enter(&arm.body);
}
