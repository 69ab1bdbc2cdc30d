//! The values that make a claim wrong, or a statement fail.
//!
//! Invariant: what is shown was evaluated in the state in which the claim is wrong. What has no value of its own there, such as a name
//! that a quantifier binds, is left out.

use crate::print::{self, Home};
use crate::program::{Expr, LocalId, Program, Source, StmtId, StmtKind};
use crate::run::State;
use crate::run::eval::{Scope, Trouble};
use crate::run::render::Names;
use crate::run::state::Who;
use crate::run::step::Machine;
use crate::run::value::Value;

/// More values, or longer ones, say less.
const MOST_VALUES: usize = 5;
const LONGEST_VALUE: usize = 60;

/// A state, as somebody sees it; without one, as a claim about all of them does.
pub(super) struct Moment<'a> {
    pub machine: &'a Machine<'a>,
    pub state: &'a State,
    pub who: Option<&'a Who>,
}

impl Moment<'_> {
    /// ` (ok = true, kept = 0)`: what the variables and open constants in a claim hold; nothing if there are none.
    pub(super) fn values(&self, claim: &Expr) -> String {
        let program = self.machine.program;
        let mut shown: Vec<String> = Vec::new();
        for expr in named(program, claim) {
            let Ok(value) = self.eval(expr) else { continue };
            let names = Names { program, instance: self.machine.instance };
            let (name, value) = (print::expr(program, self.home(), expr), names.value(&value));
            let words = format!("{name} = {value}");
            if value.chars().count() <= LONGEST_VALUE && shown.len() < MOST_VALUES && !shown.contains(&words) {
                shown.push(words);
            }
        }
        if shown.is_empty() { String::new() } else { format!(" ({})", shown.join(", ")) }
    }

    /// Which expression of a statement holds nobody where a process is needed.
    pub(super) fn nobody(&self, stmt: StmtId) -> Option<String> {
        let program = self.machine.program;
        let is_nobody = |pid: &&Expr| self.eval(pid) == Ok(Value::Nobody);
        let found = pids(program, stmt).into_iter().find(is_nobody)?;
        Some(format!("`{}` holds nobody: no process was stored in it before", print::expr(program, self.home(), found)))
    }

    fn eval(&self, expr: &Expr) -> Result<Value, Trouble> {
        match self.who {
            Some(who) => self.machine.evaluate(self.state, who, |scope| scope.eval(expr)),
            None => Scope::of_state(self.machine.program, self.machine.instance, self.state).eval(expr),
        }
    }

    fn home(&self) -> Home {
        match self.who {
            Some(Who::Process(pid)) => Home::of(self.machine.instance.actor(*pid).process),
            Some(Who::Sequential(_)) => Home::Sequential,
            None => Home::Outside,
        }
    }
}

/// The variables and open constants in an expression, from left to right, apart from what depends on bound names.
fn named<'e>(program: &Program, expr: &'e Expr) -> Vec<&'e Expr> {
    let bound = bound(expr);
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Own(_) | Expr::Shared(_) => found.push(expr),
            Expr::Local(local) if !bound.contains(local) => found.push(expr),
            Expr::Const(constant) if program.consts.get(constant.index()).is_some_and(|it| it.value.is_none()) => {
                found.push(expr)
            }
            Expr::Of { pid, .. } if !mentions(pid, &bound) => found.push(expr),
            _ => todo.extend(expr.children().into_iter().rev()),
        }
    }
    found
}

fn mentions(expr: &Expr, locals: &[LocalId]) -> bool {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        if matches!(expr, Expr::Local(local) if locals.contains(local)) {
            return true;
        }
        todo.extend(expr.children());
    }
    false
}

/// The names that quantifiers and sets in an expression bind.
fn bound(expr: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Quantifier { bound, .. } => found.extend(bound.iter().map(|(local, _)| *local)),
            Expr::Comprehension { bound, .. } => found.push(*bound),
            _ => {}
        }
        todo.extend(expr.children());
    }
    found
}

/// The expressions of a statement that have to be somebody.
fn pids(program: &Program, stmt: StmtId) -> Vec<&Expr> {
    let mut found = Vec::new();
    match &program.stmt(stmt).kind {
        StmtKind::Send { target, .. } => found.push(target),
        StmtKind::Receive { cases, .. } => {
            found.extend(cases.iter().filter_map(|case| if let Source::One(pid) = &case.source { Some(pid) } else { None }));
        }
        _ => {}
    }
    let mut todo = program.expressions(stmt);
    let bound: Vec<LocalId> = todo.iter().flat_map(|expr| bound(expr)).collect();
    while let Some(expr) = todo.pop() {
        if let Expr::Of { pid, .. } | Expr::Finished(pid) = expr
            && !mentions(pid, &bound)
        {
            found.push(pid);
        }
        todo.extend(expr.children());
    }
    found
}
