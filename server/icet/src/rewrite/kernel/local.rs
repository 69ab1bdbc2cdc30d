//! What is known after local statements, and after a branch was taken.

use super::Kernel;
use crate::program::{Arm, BinaryOp, Block, Condition, Expr, Pattern, Program, StmtId, StmtKind, UnaryOp, VarId};
use crate::rewrite::value::{Env, Known};

impl Kernel<'_> {
    /// Runs a local statement on what is known.
    pub(super) fn execute(&mut self, env: &mut Env, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.execute_here(env, stmt));
    }

    fn execute_here(&mut self, env: &mut Env, stmt: StmtId) {
        match &self.program.stmt(stmt).kind {
            StmtKind::Assign { target, value } => {
                let value = env.eval(value);
                env.store(target, &value);
            }
            StmtKind::Pick { target, set } => {
                if !matches!(set, Expr::Set(set) if self.facts.is_nonempty(*set)) {
                    self.met(stmt, false);
                }
                let value = match set {
                    Expr::Set(set) => {
                        self.state.chosen += 1;
                        Known::Chosen(*set, self.state.chosen)
                    }
                    _ => Known::Top,
                };
                env.store(&Pattern::Place(target.clone()), &value);
            }
            StmtKind::Havoc { target } => {
                let value = self.some();
                env.store(&Pattern::Place(target.clone()), &value);
            }
            StmtKind::If { condition, then, otherwise } => self.execute_if(env, condition, then, otherwise),
            StmtKind::Match { value, arms, default } => self.execute_match(env, value, arms, default.as_ref()),
            StmtKind::Choose { branches } => {
                let ends: Vec<Env> = branches
                    .iter()
                    .map(|branch| {
                        let mut end = env.clone();
                        self.execute_block(&mut end, branch);
                        end
                    })
                    .collect();
                join_all(env, &ends);
            }
            StmtKind::Atomic(block) => self.execute_block(env, block),
            StmtKind::While { body, .. } | StmtKind::Repeat { body, .. } => self.execute_loop(env, stmt, body),
            StmtKind::For(set_loop) => self.execute_loop(env, stmt, &set_loop.body),
            StmtKind::Assert { condition, .. } => self.met(stmt, env.eval(condition) == Known::Bool(true)),
            StmtKind::Fail { .. } => self.met(stmt, false),
            _ => {}
        }
    }

    /// A value of which nothing is known but that it is one and the same.
    pub(super) fn some(&mut self) -> Known {
        self.state.chosen += 1;
        Known::Some(self.state.chosen, Vec::new())
    }

    fn execute_block(&mut self, env: &mut Env, block: &Block) {
        for stmt in block.iter() {
            self.execute(env, *stmt);
        }
    }

    fn execute_if(&mut self, env: &mut Env, condition: &Condition, then: &Block, otherwise: &Block) {
        let decided = match condition {
            Condition::Holds(condition) => env.eval(condition),
            Condition::Either => Known::Top,
        };
        let mut ends = Vec::new();
        for (truth, block) in [(true, then), (false, otherwise)] {
            if decided == Known::Bool(!truth) {
                continue;
            }
            let mut end = env.clone();
            if let Condition::Holds(condition) = condition {
                refine(&mut end, self.program, condition, truth);
            }
            self.execute_block(&mut end, block);
            ends.push(end);
        }
        join_all(env, &ends);
    }

    fn execute_match(&mut self, env: &mut Env, value: &Expr, arms: &[Arm], default: Option<&Block>) {
        let known = env.eval(value);
        let element = match &known {
            Known::Element { element, .. } => Some(*element),
            _ => None,
        };
        let mut ends = Vec::new();
        for arm in arms.iter().filter(|arm| element.is_none_or(|element| element == arm.element)) {
            let mut end = env.clone();
            bind_arm(&mut end, &known, arm);
            self.execute_block(&mut end, &arm.body);
            ends.push(end);
        }
        if let Some(default) = default
            && (element.is_none() || ends.is_empty())
        {
            let mut end = env.clone();
            self.execute_block(&mut end, default);
            ends.push(end);
        }
        join_all(env, &ends);
    }

    /// After a loop nothing is known of what it changes; inside of it neither.
    fn execute_loop(&mut self, env: &mut Env, stmt: StmtId, body: &Block) {
        forget(env, self.facts.assigned(stmt));
        env.locals.iter_mut().for_each(|local| *local = Known::Top);
        let mut inside = env.clone();
        self.execute_block(&mut inside, body);
    }

    fn met(&mut self, stmt: StmtId, holds: bool) {
        *self.asserts.entry(stmt).or_insert(true) &= holds;
    }
}

pub(super) fn forget(env: &mut Env, vars: &[VarId]) {
    for var in vars {
        env.vars[var.index()] = Known::Top;
    }
}

fn join_all(env: &mut Env, ends: &[Env]) {
    if let Some((first, rest)) = ends.split_first() {
        *env = rest.iter().fold(first.clone(), |all, end| all.join(end));
    }
}

/// What is learnt of values of which nothing was known.
pub(super) type Learnt = Vec<(u32, Known)>;

/// What follows from a condition being true or false.
pub(super) fn refine(env: &mut Env, program: &Program, condition: &Expr, truth: bool) -> Learnt {
    let mut learnt = Learnt::new();
    learn(env, program, condition, truth, &mut learnt);
    env.map(&|value| told(&learnt, value));
    learnt
}

/// What a value is by now.
pub(super) fn told(learnt: &Learnt, value: &Known) -> Option<Known> {
    let Known::Some(number, not) = value else { return None };
    let (_, learnt) = learnt.iter().find(|(known, _)| known == number)?;
    match learnt {
        Known::Some(_, more) => Some(Known::Some(*number, not.iter().chain(more).cloned().collect())),
        other => Some(other.clone()),
    }
}

fn learn(env: &mut Env, program: &Program, condition: &Expr, truth: bool, learnt: &mut Learnt) {
    match condition {
        Expr::Own(var) => {
            if let Known::Some(number, _) = &env.vars[var.index()] {
                learnt.push((*number, Known::Bool(truth)));
            }
            env.vars[var.index()] = Known::Bool(truth);
        }
        Expr::Unary(UnaryOp::Not, operand) => learn(env, program, operand, !truth, learnt),
        Expr::Binary(BinaryOp::And, left, right) if truth => {
            learn(env, program, left, true, learnt);
            learn(env, program, right, true, learnt);
        }
        Expr::Binary(BinaryOp::Or, left, right) if !truth => {
            learn(env, program, left, false, learnt);
            learn(env, program, right, false, learnt);
        }
        Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
            let is_equal = (*op == BinaryOp::Eq) == truth;
            for (side, other) in [(left, right), (right, left)] {
                let value = env.eval(other);
                if matches!(value, Known::Top | Known::Some(..)) {
                    continue;
                }
                match (&**side, env.eval(side), is_equal) {
                    (_, Known::Some(number, _), true) => learnt.push((number, value)),
                    (_, Known::Some(number, _), false) => match other_value(program, &value) {
                        Known::Top => learnt.push((number, Known::Some(number, vec![value]))),
                        other => learnt.push((number, other)),
                    },
                    (Expr::Own(var), Known::Top, true) => env.vars[var.index()] = value,
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Of a type with two values, the one that is not this.
fn other_value(program: &Program, value: &Known) -> Known {
    if let Known::Bool(value) = value {
        return Known::Bool(!value);
    }
    let Known::Element { of, element, .. } = value else { return Known::Top };
    let elements = &program.enums[of.index()].elements;
    match (elements.len(), 1_u32.checked_sub(*element)) {
        (2, Some(other)) if elements.iter().all(|element| element.payload.is_empty()) => {
            Known::Element { of: *of, element: other, args: Vec::new() }
        }
        _ => Known::Top,
    }
}

/// Stores what an element carries.
pub(super) fn bind_arm(env: &mut Env, known: &Known, arm: &Arm) {
    for (nth, pattern) in arm.patterns.iter().enumerate() {
        let value = match known {
            Known::Element { args, .. } => args.get(nth).cloned().unwrap_or(Known::Top),
            _ => Known::Top,
        };
        env.store(pattern, &value);
    }
}
