//! The steps of everything but messages: assignments, choices, branches and loops.

use std::sync::Arc;

use crate::program::{Condition, Pattern, Place, Root, SetLoop, Step, StmtKind};
use crate::run::code::{Op, Position};
use crate::run::eval::Trouble;
use crate::run::settle::set_local;
use crate::run::state::{Choice, Effect, Failure, Loop, SequentialThread, State, Thread, Who};
use crate::run::step::{Machine, Steps};
use crate::run::value::{Pid, Value};

impl Steps<'_, '_> {
    /// Adds all steps that the operation allows.
    pub(super) fn take(&mut self, op: &Op) -> Result<(), Trouble> {
        match op {
            Op::Do(_) => self.simple(),
            Op::Send { in_rounds, .. } => self.send(*in_rounds),
            Op::Receive { bodies, timeout, in_rounds, .. } => self.receive(bodies, *timeout, *in_rounds),
            Op::Branch { otherwise, .. } => self.branch(*otherwise),
            Op::Match { arms, default, .. } => self.match_arm(arms, *default),
            Op::Choose { branches, .. } => {
                for (number, branch) in branches.iter().enumerate() {
                    self.add(Choice::Branch(number as u32), *branch, |_| Ok(Effect::Moved))?;
                }
                Ok(())
            }
            Op::Enter(_) => self.enter(),
            Op::Turn { first, .. } => self.turn(*first),
            Op::Fork { exit, .. } => self.fork(*exit),
            Op::AtomicBegin(_) => self.atomic(),
            Op::Join | Op::AtomicEnd | Op::Jump(_) | Op::End => Ok(()),
        }
    }

    fn simple(&mut self) -> Result<(), Trouble> {
        let (machine, who, next) = (self.machine, self.who, self.next);
        match &machine.program.stmt(self.stmt).kind {
            StmtKind::Assign { target, value } => {
                let value = self.evaluate(|scope| scope.eval(value))?;
                self.add(Choice::None, next, |state| machine.bind(state, who, target, value))
            }
            StmtKind::Pick { target, set } => {
                let elements = self.evaluate(|scope| scope.elements(set))?;
                if elements.is_empty() {
                    return self.add(Choice::None, next, |_| Ok(Effect::Failed(Failure::EmptyPick)));
                }
                self.store_any(target, &elements)
            }
            StmtKind::Havoc { target } => {
                let values = machine.havoc_values(self.stmt)?;
                self.store_any(target, &values)
            }
            StmtKind::Assume(condition) => {
                let holds = self.evaluate(|scope| scope.holds(condition))?;
                self.add(Choice::None, next, |_| Ok(if holds { Effect::Moved } else { Effect::Withdrawn }))
            }
            StmtKind::Assert { condition, message } => {
                let holds = self.evaluate(|scope| scope.holds(condition))?;
                let effect = if holds { Effect::Moved } else { Effect::Failed(Failure::Assert(message.clone())) };
                self.add(Choice::None, next, |_| Ok(effect))
            }
            StmtKind::Fail { message } => self.add(Choice::None, next, |_| Ok(Effect::Failed(Failure::Fail(message.clone())))),
            StmtKind::Invariant(claim) => {
                let effect = match self.evaluate(|scope| scope.holds(&claim.condition)) {
                    Ok(false) => Effect::Failed(Failure::LoopInvariant(0)),
                    Ok(true) | Err(Trouble::NotForRuns) => Effect::Moved,
                    Err(trouble) => return Err(trouble),
                };
                self.add(Choice::None, next, |_| Ok(effect))
            }
            _ => self.add(Choice::None, next, |_| Ok(Effect::Moved)),
        }
    }

    fn store_any(&mut self, target: &Place, values: &[Value]) -> Result<(), Trouble> {
        let (machine, who) = (self.machine, self.who);
        for value in values {
            self.add(Choice::Value(value.clone()), self.next, |state| {
                machine.store(state, who, target, value.clone())?;
                Ok(Effect::Moved)
            })?;
        }
        Ok(())
    }

    fn branch(&mut self, otherwise: Position) -> Result<(), Trouble> {
        let condition = match &self.machine.program.stmt(self.stmt).kind {
            StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => condition,
            _ => return Err(Trouble::IllTyped),
        };
        let next = self.next;
        match condition {
            Condition::Either => {
                self.add(Choice::Branch(0), next, |_| Ok(Effect::Moved))?;
                self.add(Choice::Branch(1), otherwise, |_| Ok(Effect::Moved))
            }
            Condition::Holds(condition) => {
                let holds = self.evaluate(|scope| scope.holds(condition))?;
                self.add(Choice::None, if holds { next } else { otherwise }, |_| Ok(Effect::Moved))
            }
        }
    }

    fn match_arm(&mut self, targets: &[Position], default: Option<Position>) -> Result<(), Trouble> {
        let (machine, who) = (self.machine, self.who);
        let StmtKind::Match { value, arms, .. } = &machine.program.stmt(self.stmt).kind else { return Err(Trouble::IllTyped) };
        let Value::Element { element, args, .. } = self.evaluate(|scope| scope.eval(value))? else {
            return Err(Trouble::IllTyped);
        };
        match arms.iter().position(|arm| arm.element == element) {
            Some(at) => self.add(Choice::None, targets[at], |state| machine.bind_all(state, who, &arms[at].patterns, &args)),
            None => self.add(Choice::None, default.ok_or(Trouble::IllTyped)?, |_| Ok(Effect::Moved)),
        }
    }

    fn enter(&mut self) -> Result<(), Trouble> {
        let who = self.who;
        let mut done = None;
        let entered = match &self.machine.program.stmt(self.stmt).kind {
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => {
                done = set_loop.done;
                Loop::Members { rest: self.evaluate(|scope| scope.elements(&set_loop.set))?, current: None }
            }
            StmtKind::Repeat { count, .. } | StmtKind::Rounds { count: Some(count), .. } => {
                Loop::Turns { next: 0, count: Some(self.evaluate(|scope| scope.int(count))?) }
            }
            _ => Loop::Turns { next: 0, count: None },
        };
        self.add(Choice::None, self.next, |state| {
            state.change_thread(who, |thread| {
                thread.loops.push(entered);
                set_local(thread, done, Value::set(Vec::new()));
            });
            Ok(Effect::Moved)
        })
    }

    /// The next turn of a loop that is not over (`settle`).
    fn turn(&mut self, first: Option<(crate::program::StmtId, bool)>) -> Result<(), Trouble> {
        match &self.machine.program.stmt(self.stmt).kind {
            StmtKind::For(set_loop) | StmtKind::Foreach(set_loop) => self.member_turn(set_loop, first),
            StmtKind::Repeat { index, .. } => self.next_turn(*index),
            StmtKind::Rounds { index, .. } => self.next_turn(Some(*index)),
            _ => Err(Trouble::IllTyped),
        }
    }

    fn next_turn(&mut self, index: Option<crate::program::LocalId>) -> Result<(), Trouble> {
        let who = self.who;
        self.add(Choice::None, self.next, |state| {
            state.change_thread(who, |thread| {
                let Some(Loop::Turns { next, .. }) = thread.loops.last_mut() else { return };
                let turn = *next;
                *next += 1;
                set_local(thread, index, Value::Int(turn));
            });
            Ok(Effect::Moved)
        })
    }

    fn member_turn(&mut self, set_loop: &SetLoop, first: Option<(crate::program::StmtId, bool)>) -> Result<(), Trouble> {
        let who = self.who;
        let Some(Loop::Members { rest, .. }) = self.state.thread(who).and_then(|thread| thread.loops.last()) else {
            return Err(Trouble::IllTyped);
        };
        // "That many times": nothing tells the members apart, so any order is the same.
        let is_count = set_loop.member.is_none() && set_loop.done.is_none();
        for (at, member) in rest.iter().enumerate().take(if is_count { 1 } else { rest.len() }) {
            if let (Some(first), Value::Pid(pid)) = (first, member)
                && !self.has_written(first, *pid)
            {
                continue;
            }
            let choice = if is_count { Choice::None } else { Choice::Value(member.clone()) };
            self.add(choice, self.next, |state| {
                state.change_thread(who, |thread| begin_turn(thread, set_loop, at));
                Ok(Effect::Moved)
            })?;
        }
        Ok(())
    }

    fn fork(&mut self, exit: Position) -> Result<(), Trouble> {
        let (machine, who, body) = (self.machine, self.who, self.next);
        let StmtKind::Parallel { member, set, .. } = &machine.program.stmt(self.stmt).kind else { return Err(Trouble::IllTyped) };
        let Who::Sequential(path) = who else { return Err(Trouble::IllTyped) };
        let Some(sequential) = &self.state.sequential else { return Err(Trouble::IllTyped) };
        if sequential.find(path).is_some_and(|at| sequential.threads[at].waits_for > 0) {
            return Ok(());
        }
        let members = self.evaluate(|scope| scope.elements(set))?;
        // Threads without code are no threads.
        let is_empty = members.is_empty() || *machine.code(who).op(body) == Op::Join;
        if is_empty {
            return self.add(Choice::None, exit, |_| Ok(Effect::Moved));
        }
        // A thread that has started others stays where it is until the last one has ended.
        self.add(Choice::None, body - 1, |state| {
            let Some(sequential) = &mut state.sequential else { return Err(Trouble::IllTyped) };
            let sequential = Arc::make_mut(sequential);
            let parent = sequential.find(path).ok_or(Trouble::IllTyped)?;
            sequential.threads[parent].waits_for = members.len() as u32;
            let mut children = Vec::new();
            for (number, value) in members.into_iter().enumerate() {
                let mut thread = sequential.threads[parent].thread.clone();
                (thread.position, thread.loops) = (body, Vec::new());
                set_local(&mut thread, *member, value);
                children.push(SequentialThread { path: [&path[..], &[number as u32]].concat(), thread, waits_for: 0 });
            }
            let paths = children.iter().map(|child| Who::Sequential(child.path.clone())).collect::<Vec<_>>();
            sequential.threads.splice(parent + 1..parent + 1, children);
            paths.iter().for_each(|child| machine.settle(state, child));
            Ok(Effect::Moved)
        })
    }

    /// Begins an `atomic` block together with its first step: until then others can move.
    fn atomic(&mut self) -> Result<(), Trouble> {
        let Who::Sequential(path) = self.who else { return Err(Trouble::IllTyped) };
        let mut inside = self.state.clone();
        inside.change_thread(self.who, |thread| thread.position = self.next);
        if let Some(sequential) = &mut inside.sequential {
            Arc::make_mut(sequential).atomic = Some(path.clone());
        }
        self.machine.settle(&mut inside, self.who);
        if inside.sequential.as_ref().is_none_or(|sequential| sequential.atomic.is_none()) {
            return self.add(Choice::None, self.next, |_| Ok(Effect::Moved));
        }
        self.found.extend(self.machine.successors(&inside, self.who));
        Ok(())
    }
}

fn begin_turn(thread: &mut Thread, set_loop: &SetLoop, at: usize) {
    if let Some(Loop::Members { rest, current }) = thread.loops.last_mut() {
        let member = rest.remove(at);
        *current = Some(member.clone());
        set_local(thread, set_loop.member, member);
    }
}

impl Machine<'_> {
    /// Stores the parts of a value, from left to right.
    pub(super) fn bind(&self, state: &mut State, who: &Who, pattern: &Pattern, value: Value) -> Result<Effect, Trouble> {
        let mut todo = vec![(pattern, value)];
        while let Some((pattern, value)) = todo.pop() {
            match (pattern, value) {
                (Pattern::Wildcard, _) => {}
                (Pattern::Place(place), value) => self.store(state, who, place, value)?,
                (Pattern::Tuple(patterns), Value::Tuple(parts)) => todo.extend(patterns.iter().zip(parts.iter().cloned()).rev()),
                (Pattern::Tuple(_), _) => return Err(Trouble::IllTyped),
            }
        }
        Ok(Effect::Moved)
    }

    pub(super) fn bind_all(
        &self,
        state: &mut State,
        who: &Who,
        patterns: &[Pattern],
        values: &[Value],
    ) -> Result<Effect, Trouble> {
        for (pattern, value) in patterns.iter().zip(values) {
            self.bind(state, who, pattern, value.clone())?;
        }
        Ok(Effect::Moved)
    }

    pub(super) fn store(&self, state: &mut State, who: &Who, place: &Place, value: Value) -> Result<(), Trouble> {
        let mut path = Vec::new();
        for step in &place.path {
            path.push(match step {
                Step::Part(part) => PathStep::Part(*part as usize),
                Step::Key(key) => PathStep::Key(self.evaluate(state, who, |scope| scope.eval(key))?),
            });
        }
        let slot = match &place.root {
            Root::Own(var) => state.var_mut(who, *var),
            Root::Shared(var) => state.shared.get_mut(var.index()),
            Root::Of { pid, var, .. } => {
                let pid: Pid = self.evaluate(state, who, |scope| scope.somebody(pid))?;
                state.var_mut(&Who::Process(pid), *var)
            }
        };
        let slot = slot.ok_or(Trouble::IllTyped)?;
        *slot = replaced(slot, &path, value)?;
        Ok(())
    }
}

enum PathStep {
    Part(usize),
    Key(Value),
}

/// The value with the part at the end of the path replaced.
fn replaced(old: &Value, path: &[PathStep], new: Value) -> Result<Value, Trouble> {
    let Some((step, rest)) = path.split_first() else { return Ok(new) };
    crate::stack::level(|| match (step, old) {
        (PathStep::Part(part), Value::Tuple(parts)) => {
            let mut parts = parts.to_vec();
            let slot = parts.get_mut(*part).ok_or(Trouble::IllTyped)?;
            *slot = replaced(slot, rest, new)?;
            Ok(Value::tuple(parts))
        }
        (PathStep::Key(key), Value::Map(map)) => {
            let inner = replaced(map.get(key), rest, new)?;
            let mut map = (**map).clone();
            map.put(key.clone(), inner);
            Ok(Value::Map(map.into()))
        }
        _ => Err(Trouble::IllTyped),
    })
}
