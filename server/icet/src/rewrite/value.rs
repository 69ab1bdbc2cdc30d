//! What is known of values while a program is rewritten.
//!
//! A small domain, made to tell process ids and branches: constants, pids, enum elements, tuples. `Top` says nothing. Everything
//! here errs towards `Top`: a known value is the value in *every* run.

use serde::{Deserialize, Serialize};

use crate::program::{BinaryOp, ConstId, EnumId, Expr, Pattern, ProcessId, Root, SetId, UnaryOp, VarId};

/// A process, each member of a set, or one member that is looked at alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Who {
    One(ProcessId),
    Each(SetId),
    Focus(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Top,
    /// Some value, the same wherever this number stands, and none of these.
    Some(u32, Vec<Known>),
    Int(i128),
    Bool(bool),
    /// A constant without value.
    Const(ConstId),
    Pid(Who),
    /// In what is known of each member of a set: the member itself.
    Me,
    /// No process.
    Nobody,
    /// A member of the set that a process chose; the number tells choices apart.
    Chosen(SetId, u32),
    /// Some member of the set.
    Member(SetId),
    Element {
        of: EnumId,
        element: u32,
        args: Vec<Known>,
    },
    /// A tuple or record.
    Tuple(Vec<Known>),
}

impl Known {
    /// What holds of either value.
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Some(a, not), Self::Some(b, other)) if a == b => {
                Self::Some(*a, not.iter().filter(|value| other.contains(value)).cloned().collect())
            }
            (Self::Tuple(a), Self::Tuple(b)) if a.len() == b.len() => {
                Self::Tuple(a.iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            (Self::Element { of, element, args }, Self::Element { of: other_of, element: other_element, args: others })
                if of == other_of && element == other_element =>
            {
                let args = args.iter().zip(others).map(|(a, b)| a.join(b)).collect();
                Self::Element { of: *of, element: *element, args }
            }
            _ => Self::Top,
        }
    }

    /// The same with every pid replaced.
    pub(super) fn map(&self, replace: &impl Fn(&Known) -> Option<Known>) -> Self {
        if let Some(replaced) = replace(self) {
            return replaced;
        }
        match self {
            Self::Tuple(parts) => Self::Tuple(parts.iter().map(|part| part.map(replace)).collect()),
            Self::Element { of, element, args } => {
                Self::Element { of: *of, element: *element, args: args.iter().map(|arg| arg.map(replace)).collect() }
            }
            other => other.clone(),
        }
    }

    /// The numbers of what was chosen or is unknown in it.
    pub(super) fn numbers(&self, found: &mut Vec<u32>) {
        match self {
            Self::Some(number, _) | Self::Chosen(_, number) => found.push(*number),
            Self::Tuple(parts) | Self::Element { args: parts, .. } => parts.iter().for_each(|part| part.numbers(found)),
            _ => {}
        }
    }

    fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether two values are equal, if that is known.
    pub(super) fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a == b),
            (Self::Bool(a), Self::Bool(b)) => Some(a == b),
            (Self::Const(a), Self::Const(b)) if a == b => Some(true),
            (Self::Some(a, _), Self::Some(b, _)) if a == b => Some(true),
            (Self::Some(_, not), other) | (other, Self::Some(_, not)) if not.contains(other) => Some(false),
            (Self::Me, Self::Me) | (Self::Nobody, Self::Nobody) => Some(true),
            (Self::Pid(_) | Self::Me, Self::Nobody) | (Self::Nobody, Self::Pid(_) | Self::Me) => Some(false),
            (Self::Pid(a), Self::Pid(b)) if a == b => Some(true),
            // Two members that are looked at alone may be one and the same, unless one of them is no member.
            (Self::Pid(Who::One(a)), Self::Pid(Who::One(b))) => Some(a == b),
            (Self::Pid(Who::One(_)), Self::Pid(Who::Focus(_)) | Self::Me | Self::Chosen(..) | Self::Member(_))
            | (Self::Pid(Who::Focus(_)) | Self::Me | Self::Chosen(..) | Self::Member(_), Self::Pid(Who::One(_))) => Some(false),
            (Self::Chosen(_, a), Self::Chosen(_, b)) if a == b => Some(true),
            (Self::Element { element: a, args: left, .. }, Self::Element { element: b, args: right, .. }) => {
                if a == b {
                    all_equal(left, right)
                } else {
                    Some(false)
                }
            }
            (Self::Tuple(left), Self::Tuple(right)) => all_equal(left, right),
            _ => None,
        }
    }
}

fn all_equal(left: &[Known], right: &[Known]) -> Option<bool> {
    let parts: Vec<Option<bool>> = left.iter().zip(right).map(|(a, b)| a.equals(b)).collect();
    if parts.contains(&Some(false)) {
        Some(false)
    } else if parts.iter().all(|part| *part == Some(true)) {
        Some(true)
    } else {
        None
    }
}

/// What a process knows while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Env {
    pub(super) me: Known,
    pub(super) vars: Vec<Known>,
    pub(super) locals: Vec<Known>,
}

impl Env {
    pub(super) fn eval(&self, expr: &Expr) -> Known {
        match expr {
            Expr::Int(value) => Known::Int(*value),
            Expr::Bool(value) => Known::Bool(*value),
            Expr::Process(process) => Known::Pid(Who::One(*process)),
            Expr::Me => self.me.clone(),
            Expr::Const(constant) => Known::Const(*constant),
            Expr::Own(var) => self.vars[var.index()].clone(),
            Expr::Local(local) => self.locals[local.index()].clone(),
            Expr::Tuple(parts) => Known::Tuple(parts.iter().map(|part| self.eval(part)).collect()),
            Expr::Record(parts) => Known::Tuple(parts.iter().map(|(_, part)| self.eval(part)).collect()),
            Expr::Element { of, element, args } => {
                Known::Element { of: *of, element: *element, args: args.iter().map(|arg| self.eval(arg)).collect() }
            }
            Expr::Part(value, part) => match self.eval(value) {
                Known::Tuple(mut parts) if (*part as usize) < parts.len() => parts.swap_remove(*part as usize),
                _ => Known::Top,
            },
            Expr::Unary(UnaryOp::Not, operand) => self.eval(operand).as_bool().map_or(Known::Top, |value| Known::Bool(!value)),
            Expr::Unary(UnaryOp::Minus, operand) => match self.eval(operand) {
                Known::Int(value) => value.checked_neg().map_or(Known::Top, Known::Int),
                _ => Known::Top,
            },
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            _ => Known::Top,
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Known {
        let left = self.eval(left);
        let known = |value: Option<bool>| value.map_or(Known::Top, Known::Bool);
        match (op, left.as_bool()) {
            (BinaryOp::And, Some(false)) => return Known::Bool(false),
            (BinaryOp::Or, Some(true)) | (BinaryOp::Implies, Some(false)) => return Known::Bool(true),
            _ => {}
        }
        let right = self.eval(right);
        match op {
            BinaryOp::Eq => known(left.equals(&right)),
            BinaryOp::Ne => known(left.equals(&right).map(|equal| !equal)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => {
                known(logical(op, left.as_bool(), right.as_bool()))
            }
            _ => match (left, right) {
                (Known::Int(left), Known::Int(right)) => arithmetic(op, left, right),
                _ => Known::Top,
            },
        }
    }

    /// Stores a value where a pattern says.
    pub(super) fn store(&mut self, pattern: &Pattern, value: &Known) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Place(place) => {
                let Root::Own(var) = &place.root else { return };
                // A part of a variable: nothing is known of the whole any more.
                self.vars[var.index()] = if place.path.is_empty() { value.clone() } else { Known::Top };
            }
            Pattern::Tuple(patterns) => {
                for (nth, pattern) in patterns.iter().enumerate() {
                    let part = match value {
                        Known::Tuple(parts) => parts.get(nth).cloned().unwrap_or(Known::Top),
                        _ => Known::Top,
                    };
                    self.store(pattern, &part);
                }
            }
        }
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        let all = |a: &[Known], b: &[Known]| a.iter().zip(b).map(|(a, b)| a.join(b)).collect();
        Self { me: self.me.clone(), vars: all(&self.vars, &other.vars), locals: all(&self.locals, &other.locals) }
    }

    /// The variable that an expression is, if nothing is known of it.
    pub(super) fn unknown(&self, expr: &Expr) -> Option<VarId> {
        match expr {
            Expr::Own(var) if self.vars.get(var.index()) == Some(&Known::Top) => Some(*var),
            _ => None,
        }
    }

    pub(super) fn map(&mut self, replace: &impl Fn(&Known) -> Option<Known>) {
        for value in self.vars.iter_mut().chain(&mut self.locals) {
            *value = value.map(replace);
        }
    }
}

fn logical(op: BinaryOp, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (op, left, right) {
        (BinaryOp::And, _, Some(false)) => Some(false),
        (BinaryOp::Or | BinaryOp::Implies, _, Some(true)) => Some(true),
        (BinaryOp::And, Some(a), Some(b)) => Some(a && b),
        (BinaryOp::Or, Some(a), Some(b)) => Some(a || b),
        (BinaryOp::Implies, Some(a), Some(b)) => Some(!a || b),
        (BinaryOp::Iff, Some(a), Some(b)) => Some(a == b),
        _ => None,
    }
}

fn arithmetic(op: BinaryOp, left: i128, right: i128) -> Known {
    let number = |value: Option<i128>| value.map_or(Known::Top, Known::Int);
    match op {
        BinaryOp::Add => number(left.checked_add(right)),
        BinaryOp::Sub => number(left.checked_sub(right)),
        BinaryOp::Mul => number(left.checked_mul(right)),
        BinaryOp::Div => number(left.checked_div(right)),
        BinaryOp::Mod => number(left.checked_rem(right)),
        BinaryOp::Lt => Known::Bool(left < right),
        BinaryOp::Gt => Known::Bool(left > right),
        BinaryOp::Le => Known::Bool(left <= right),
        BinaryOp::Ge => Known::Bool(left >= right),
        _ => Known::Top,
    }
}
