//! Expressions have values.
//!
//! Integers are computed with in 128 bits; what does not fit is `TooLarge` and never wraps. Quantifiers over types with infinitely many
//! values are tried on the domain of the instance, and integers also on all that occur in the state, with their neighbours: a `forall`
//! that holds there may still be wrong elsewhere, which `Scope::has_sampled` tells.

use crate::program::{BinaryOp, Expr, LocalId, Program, Quantifier, Type, UnaryOp};
use crate::run::domain::{Nobody, values};
use crate::run::instance::Instance;
use crate::run::operators;
use crate::run::state::{Failure, State};
use crate::run::value::{Pid, Value, is_finite};

/// Why an expression has no value, or a statement no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trouble {
    DivisionByZero,
    /// Sending to nobody, receiving from nobody, asking for nobody's variables.
    Nobody,
    /// An integer does not fit into 128 bits: the program may be right, but it cannot be run.
    TooLarge,
    /// There are more values to try than the domains allow.
    TooMany,
    /// `here`, which only proofs can judge.
    NotForRuns,
    /// The program is not what the checker lets through.
    IllTyped,
}

impl Trouble {
    /// What happened, to go on after "because" or a colon.
    pub fn words(self) -> &'static str {
        match self {
            Trouble::DivisionByZero => "a division by zero",
            Trouble::Nobody => "a process is used before one was stored: the variable holds nobody",
            Trouble::TooLarge => "a number has become too large to compute with",
            Trouble::TooMany => "there are too many values to try",
            Trouble::NotForRuns => "`here` is known in proofs only",
            Trouble::IllTyped => "the operands do not fit together",
        }
    }

    /// What the program does wrong. `None`: it may be right, and nothing was learnt.
    pub fn failure(self) -> Option<Failure> {
        match self {
            Trouble::DivisionByZero => Some(Failure::DivisionByZero),
            Trouble::Nobody => Some(Failure::Nobody),
            Trouble::TooLarge | Trouble::TooMany | Trouble::NotForRuns | Trouble::IllTyped => None,
        }
    }

    pub fn is_failure(self) -> bool {
        self.failure().is_some()
    }
}

/// What names mean while an expression is evaluated.
pub struct Scope<'a> {
    program: &'a Program,
    instance: &'a Instance,
    state: Option<&'a State>,
    me: Option<Pid>,
    vars: &'a [Value],
    locals: &'a [Value],
    bound: Vec<(LocalId, Value)>,
    /// Whether a quantifier was tried on some values of infinitely many.
    pub has_sampled: bool,
}

impl<'a> Scope<'a> {
    /// In declarations: only sets and constants.
    pub fn outside(program: &'a Program, instance: &'a Instance) -> Self {
        Self { program, instance, state: None, me: None, vars: &[], locals: &[], bound: Vec::new(), has_sampled: false }
    }

    /// In claims about a state as a whole.
    pub fn of_state(program: &'a Program, instance: &'a Instance, state: &'a State) -> Self {
        Self { state: Some(state), ..Self::outside(program, instance) }
    }

    /// In code that has these variables and loop variables.
    pub(super) fn inside(mut self, me: Option<Pid>, vars: &'a [Value], locals: &'a [Value]) -> Self {
        (self.me, self.vars, self.locals) = (me, vars, locals);
        self
    }

    pub fn eval(&mut self, expr: &Expr) -> Result<Value, Trouble> {
        match expr {
            Expr::Int(value) => Ok(Value::Int(*value)),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::Own(var) => self.vars.get(var.index()).cloned().ok_or(Trouble::IllTyped),
            Expr::Local(id) => self.local(*id),
            Expr::Const(id) => self.instance.consts.get(id.index()).cloned().ok_or(Trouble::IllTyped),
            Expr::Shared(var) => self.state.and_then(|state| state.shared.get(var.index()).cloned()).ok_or(Trouble::IllTyped),
            Expr::Process(process) => self.instance.single(*process).map(Value::Pid).ok_or(Trouble::IllTyped),
            Expr::Me => self.me.map(Value::Pid).ok_or(Trouble::IllTyped),
            Expr::Set(set) => Ok(Value::Set(self.instance.members[set.index()].iter().map(|pid| Value::Pid(*pid)).collect())),
            _ => crate::stack::level(|| self.eval_node(expr)),
        }
    }

    pub fn holds(&mut self, expr: &Expr) -> Result<bool, Trouble> {
        match self.eval(expr)? {
            Value::Bool(holds) => Ok(holds),
            _ => Err(Trouble::IllTyped),
        }
    }

    pub fn int(&mut self, expr: &Expr) -> Result<i128, Trouble> {
        match self.eval(expr)? {
            Value::Int(value) => Ok(value),
            _ => Err(Trouble::IllTyped),
        }
    }

    /// A pid that is used: nobody will not do.
    pub fn somebody(&mut self, expr: &Expr) -> Result<Pid, Trouble> {
        match self.eval(expr)? {
            Value::Pid(pid) => Ok(pid),
            Value::Nobody => Err(Trouble::Nobody),
            _ => Err(Trouble::IllTyped),
        }
    }

    pub fn elements(&mut self, expr: &Expr) -> Result<Vec<Value>, Trouble> {
        match self.eval(expr)? {
            Value::Set(elements) => Ok(elements.to_vec()),
            _ => Err(Trouble::IllTyped),
        }
    }

    fn eval_all(&mut self, exprs: &[Expr]) -> Result<Vec<Value>, Trouble> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    fn local(&self, id: LocalId) -> Result<Value, Trouble> {
        let bound = self.bound.iter().rev().find(|(bound, _)| *bound == id).map(|(_, value)| value);
        bound.or_else(|| self.locals.get(id.index())).cloned().ok_or(Trouble::IllTyped)
    }

    fn eval_node(&mut self, expr: &Expr) -> Result<Value, Trouble> {
        match expr {
            Expr::Of { pid, var, .. } => {
                let pid = self.somebody(pid)?;
                let vars = self.state.map(|state| &state.actors[pid.index()].vars);
                vars.and_then(|vars| vars.get(var.index()).cloned()).ok_or(Trouble::IllTyped)
            }
            Expr::Tuple(parts) => Ok(Value::tuple(self.eval_all(parts)?)),
            Expr::Record(fields) => {
                let parts = fields.iter().map(|(_, value)| self.eval(value)).collect::<Result<Vec<_>, _>>()?;
                Ok(Value::tuple(parts))
            }
            Expr::SetOf(elements) => Ok(Value::set(self.eval_all(elements)?)),
            Expr::Element { of, element, args } => {
                Ok(Value::Element { of: *of, element: *element, args: self.eval_all(args)?.into() })
            }
            Expr::Part(value, part) => match self.eval(value)? {
                Value::Tuple(parts) => parts.get(*part as usize).cloned().ok_or(Trouble::IllTyped),
                _ => Err(Trouble::IllTyped),
            },
            Expr::Key(map, key) => match (self.eval(map)?, self.eval(key)?) {
                (Value::Map(map), key) => Ok(map.get(&key).clone()),
                _ => Err(Trouble::IllTyped),
            },
            Expr::Card(set) => Ok(Value::Int(self.elements(set)?.len() as i128)),
            Expr::Finished(pid) => {
                let pid = self.somebody(pid)?;
                self.state.map(|state| Value::Bool(state.actors[pid.index()].is_over)).ok_or(Trouble::IllTyped)
            }
            Expr::Here(_) => Err(Trouble::NotForRuns),
            Expr::Unary(op, operand) => match (op, self.eval(operand)?) {
                (UnaryOp::Minus, Value::Int(value)) => value.checked_neg().map(Value::Int).ok_or(Trouble::TooLarge),
                (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
                _ => Err(Trouble::IllTyped),
            },
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Quantifier { kind, bound, body } => {
                // `forall` looks for a case that is false, `exists` for one that is true.
                let wanted = *kind == Quantifier::Exists;
                let found = self.find(bound, body, wanted)?;
                Ok(Value::Bool(found == wanted))
            }
            Expr::Comprehension { bound, ty, body } => {
                let mut elements = Vec::new();
                for value in self.range(ty)? {
                    self.bound.push((*bound, value.clone()));
                    let holds = self.holds(body);
                    self.bound.pop();
                    if holds? {
                        elements.push(value);
                    }
                }
                Ok(Value::set(elements))
            }
            // The leaves, which `eval` has answered.
            _ => Err(Trouble::IllTyped),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Value, Trouble> {
        let decided = match op {
            BinaryOp::And => Some((false, false)),
            BinaryOp::Or => Some((true, true)),
            BinaryOp::Implies => Some((false, true)),
            _ => None,
        };
        match decided {
            Some((decides, result)) if self.holds(left)? == decides => Ok(Value::Bool(result)),
            Some(_) => Ok(Value::Bool(self.holds(right)?)),
            None => operators::binary(op, self.eval(left)?, self.eval(right)?),
        }
    }

    /// Whether for some values of the bound names the body is as wanted.
    fn find(&mut self, bound: &[(LocalId, Type)], body: &Expr, wanted: bool) -> Result<bool, Trouble> {
        let Some(((id, ty), rest)) = bound.split_first() else { return Ok(self.holds(body)? == wanted) };
        for value in self.range(ty)? {
            self.bound.push((*id, value));
            let found = crate::stack::level(|| self.find(rest, body, wanted));
            self.bound.pop();
            if found? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn range(&mut self, ty: &Type) -> Result<Vec<Value>, Trouble> {
        self.has_sampled |= !is_finite(self.program, ty);
        let mut range = values(self.program, self.instance, ty, Nobody::LeftOut).map_err(|_| Trouble::TooMany)?;
        if *ty == Type::Int {
            let ints = operators::ints_of(self.state, self.vars, self.instance);
            range.extend(ints.into_iter().map(Value::Int));
            range.sort();
            range.dedup();
        }
        Ok(range)
    }
}
