//! What the checker knows of values: one form each, or nothing.

use super::state::Actor;
use crate::program::{BinaryOp, ConstId, EnumId, Expr, Pattern, Place, Program, Root, SetId, Step, Type, UnaryOp, VarId};
use crate::rewrite::Who;
use crate::stack::level;

/// Known values never have more parts than this, so that `x = (x, x)` cannot make them grow without end.
const LARGEST: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Val {
    Top,
    Int(i128),
    Bool(bool),
    /// A parameter of the program.
    Const(ConstId),
    /// `One` or `Focus`.
    Pid(Who),
    /// Of each member of a set: the member itself. In a channel with an `Each` at one end: the member at that end.
    Me,
    Nobody,
    /// Unknown, but the same wherever it is found, and none of these; only in what one process or member knows or was told.
    Some(u32, Vec<Val>),
    /// What a `pick` took; the number tells picks apart.
    Chosen(SetId, u32),
    Element(EnumId, u32, Vec<Val>),
    Parts(Vec<Val>),
}

impl Val {
    fn size(&self) -> usize {
        match self {
            Self::Element(_, _, parts) | Self::Parts(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
            _ => 1,
        }
    }

    fn bounded(self) -> Self {
        if self.size() > LARGEST { Self::Top } else { self }
    }

    /// The value with `old` replaced everywhere in it.
    pub(super) fn replace(&mut self, old: &Val, new: &Val) {
        let is_it = match (&*self, old) {
            (Self::Some(number, _), Self::Some(old, _)) => number == old,
            (value, old) => value == old,
        };
        if is_it {
            *self = new.clone();
        } else if let Self::Element(_, _, parts) | Self::Parts(parts) = self {
            parts.iter_mut().for_each(|part| part.replace(old, new));
        }
    }

    /// Forgets what was numbered since.
    pub(super) fn scrub(&mut self, since: u32) {
        match self {
            Self::Some(number, _) if *number >= since => *self = Self::Top,
            Self::Element(_, _, parts) | Self::Parts(parts) => parts.iter_mut().for_each(|part| part.scrub(since)),
            _ => {}
        }
    }

    /// What is known if one of two values is there.
    pub(super) fn join(&mut self, other: &Val) {
        match (&mut *self, other) {
            (Self::Element(a, m, left), Self::Element(b, n, right)) if a == b && m == n && left.len() == right.len() => {
                left.iter_mut().zip(right).for_each(|(left, right)| left.join(right));
            }
            (Self::Parts(left), Self::Parts(right)) if left.len() == right.len() => {
                left.iter_mut().zip(right).for_each(|(left, right)| left.join(right));
            }
            (Self::Some(a, left), Self::Some(b, right)) if a == b => left.retain(|value| right.contains(value)),
            (left, right) if left == right => {}
            (left, _) => *left = Self::Top,
        }
    }

    /// What is left of an unknown value that is not this one.
    fn except(&self, program: &Program, other: Val) -> Option<Val> {
        let Self::Some(number, not) = self else { return None };
        match &other {
            Self::Bool(value) => return Some(Self::Bool(!value)),
            Self::Int(_) => {}
            Self::Element(_, _, args) if args.is_empty() => {}
            _ => return None,
        }
        let mut not = not.clone();
        if !not.contains(&other) && not.len() < LARGEST {
            not.push(other.clone());
        }
        let Self::Element(of, ..) = other else { return Some(Self::Some(*number, not)) };
        let elements = &program.enums[of.index()].elements;
        let mut left = (0..).zip(elements).filter(|(nth, _)| !not.contains(&Self::Element(of, *nth, Vec::new())));
        match (left.next(), left.next()) {
            (Some((nth, last)), None) if last.payload.is_empty() => Some(Self::Element(of, nth, Vec::new())),
            _ => Some(Self::Some(*number, not)),
        }
    }

    /// Whether two values are equal, if that is known. Two members of sets are never known to differ.
    pub(super) fn equals(&self, other: &Val) -> Option<bool> {
        use Val::{Bool, Chosen, Const, Element, Int, Me, Nobody, Parts, Pid};
        match (self, other) {
            (Int(a), Int(b)) => Some(a == b),
            (Bool(a), Bool(b)) => Some(a == b),
            (Const(a), Const(b)) if a == b => Some(true),
            (Nobody, Nobody) | (Me, Me) => Some(true),
            (Pid(a), Pid(b)) if a == b => Some(true),
            (Self::Some(a, _), Self::Some(b, _)) if a == b => Some(true),
            (Self::Some(_, not), value) | (value, Self::Some(_, not)) if not.contains(value) => Some(false),
            (Chosen(a, m), Chosen(b, n)) if a == b && m == n => Some(true),
            (Pid(Who::One(_)), Pid(_) | Me | Chosen(..)) | (Pid(_) | Me | Chosen(..), Pid(Who::One(_))) => Some(false),
            (Nobody, Pid(_) | Me | Chosen(..)) | (Pid(_) | Me | Chosen(..), Nobody) => Some(false),
            (Element(_, a, left), Element(_, b, right)) => {
                if a == b {
                    all_equal(left, right)
                } else {
                    Some(false)
                }
            }
            (Parts(left), Parts(right)) => all_equal(left, right),
            _ => None,
        }
    }
}

fn all_equal(left: &[Val], right: &[Val]) -> Option<bool> {
    let parts: Vec<Option<bool>> = left.iter().zip(right).map(|(left, right)| left.equals(right)).collect();
    if parts.contains(&Some(false)) {
        Some(false)
    } else if parts.iter().all(Option::is_some) {
        Some(true)
    } else {
        None
    }
}

/// What a variable without initial value holds.
pub(super) fn default(program: &Program, ty: &Type) -> Val {
    default_within(program, ty, 4).bounded()
}

fn default_within(program: &Program, ty: &Type, depth: usize) -> Val {
    let Some(depth) = depth.checked_sub(1) else { return Val::Top };
    let parts = |types: &mut dyn Iterator<Item = &Type>| types.map(|ty| default_within(program, ty, depth)).collect();
    match ty {
        Type::Int => Val::Int(0),
        Type::Bool => Val::Bool(false),
        Type::Pid(_) => Val::Nobody,
        Type::Enum(id) => match program.enums[id.index()].elements.first() {
            Some(first) => Val::Element(*id, 0, parts(&mut first.payload.iter().take(LARGEST))),
            None => Val::Top,
        },
        Type::Tuple(types) if types.len() <= LARGEST => Val::Parts(parts(&mut types.iter())),
        Type::Record(fields) if fields.len() <= LARGEST => Val::Parts(parts(&mut fields.iter().map(|(_, ty)| ty))),
        _ => Val::Top,
    }
}

pub(super) fn eval(program: &Program, actor: &Actor, expr: &Expr) -> Val {
    level(|| {
        let all = |parts: &mut dyn Iterator<Item = &Expr>| parts.map(|part| eval(program, actor, part)).collect::<Vec<_>>();
        match expr {
            Expr::Int(value) => Val::Int(*value),
            Expr::Bool(value) => Val::Bool(*value),
            Expr::Process(process) => Val::Pid(Who::One(*process)),
            Expr::Me => match actor.who {
                Who::Each(_) => Val::Me,
                who => Val::Pid(who),
            },
            Expr::Const(id) => match &program.consts[id.index()].value {
                Some(value) => eval(program, actor, value),
                None => Val::Const(*id),
            },
            Expr::Own(var) => actor.vars.get(var.index()).cloned().unwrap_or(Val::Top),
            Expr::Local(local) => actor.locals.get(local).cloned().unwrap_or(Val::Top),
            Expr::Tuple(parts) => Val::Parts(all(&mut parts.iter())).bounded(),
            Expr::Record(fields) => Val::Parts(all(&mut fields.iter().map(|(_, value)| value))).bounded(),
            Expr::Element { of, element, args } => Val::Element(*of, *element, all(&mut args.iter())).bounded(),
            Expr::Part(whole, nth) => match eval(program, actor, whole) {
                Val::Parts(parts) => parts.get(*nth as usize).cloned().unwrap_or(Val::Top),
                _ => Val::Top,
            },
            Expr::Unary(op, operand) => match (op, eval(program, actor, operand)) {
                (UnaryOp::Not, Val::Bool(value)) => Val::Bool(!value),
                (UnaryOp::Minus, Val::Int(value)) => value.checked_neg().map_or(Val::Top, Val::Int),
                _ => Val::Top,
            },
            Expr::Binary(op, left, right) => binary(*op, &eval(program, actor, left), &eval(program, actor, right)),
            _ => Val::Top,
        }
    })
}

fn binary(op: BinaryOp, left: &Val, right: &Val) -> Val {
    let known = |value: Option<bool>| value.map_or(Val::Top, Val::Bool);
    match (op, left, right) {
        (BinaryOp::Eq, _, _) => known(left.equals(right)),
        (BinaryOp::Ne, _, _) => known(left.equals(right).map(|equal| !equal)),
        (BinaryOp::And, Val::Bool(false), _) | (BinaryOp::And, _, Val::Bool(false)) => Val::Bool(false),
        (BinaryOp::And, Val::Bool(true), Val::Bool(true)) => Val::Bool(true),
        (BinaryOp::Or, Val::Bool(true), _) | (BinaryOp::Or, _, Val::Bool(true)) => Val::Bool(true),
        (BinaryOp::Or, Val::Bool(false), Val::Bool(false)) => Val::Bool(false),
        (_, Val::Int(a), Val::Int(b)) => match op {
            BinaryOp::Add => a.checked_add(*b).map_or(Val::Top, Val::Int),
            BinaryOp::Sub => a.checked_sub(*b).map_or(Val::Top, Val::Int),
            BinaryOp::Mul => a.checked_mul(*b).map_or(Val::Top, Val::Int),
            BinaryOp::Div => a.checked_div(*b).map_or(Val::Top, Val::Int),
            BinaryOp::Mod => a.checked_rem(*b).map_or(Val::Top, Val::Int),
            BinaryOp::Lt => Val::Bool(a < b),
            BinaryOp::Le => Val::Bool(a <= b),
            BinaryOp::Gt => Val::Bool(a > b),
            BinaryOp::Ge => Val::Bool(a >= b),
            _ => Val::Top,
        },
        _ => Val::Top,
    }
}

/// Stores a value.
pub(super) fn assign(actor: &mut Actor, target: &Pattern, value: Val) {
    match target {
        Pattern::Wildcard => {}
        Pattern::Place(place) => store(actor, place, value),
        Pattern::Tuple(patterns) => level(|| {
            let parts = match value {
                Val::Parts(parts) if parts.len() == patterns.len() => parts,
                _ => vec![Val::Top; patterns.len()],
            };
            patterns.iter().zip(parts).for_each(|(pattern, part)| assign(actor, pattern, part));
        }),
    }
}

pub(super) fn store(actor: &mut Actor, place: &Place, value: Val) {
    let Root::Own(var) = place.root else { return };
    let Some(mut slot) = actor.vars.get_mut(var.index()) else { return };
    for step in &place.path {
        match (step, &mut *slot) {
            (Step::Part(nth), Val::Parts(parts)) if (*nth as usize) < parts.len() => {
                let Val::Parts(parts) = slot else { return };
                slot = &mut parts[*nth as usize];
            }
            // An entry of a map, or a part of something unknown.
            _ => {
                *slot = Val::Top;
                return;
            }
        }
    }
    *slot = value;
    let whole = &mut actor.vars[var.index()];
    *whole = std::mem::replace(whole, Val::Top).bounded();
}

/// What follows for an actor's own variables from a condition that is true, or false.
pub(super) fn learn(program: &Program, actor: &mut Actor, condition: &Expr, truth: bool) {
    level(|| match condition {
        Expr::Own(var) => set(actor, *var, Val::Bool(truth)),
        Expr::Unary(UnaryOp::Not, inner) => learn(program, actor, inner, !truth),
        Expr::Binary(BinaryOp::And, left, right) if truth => {
            learn(program, actor, left, truth);
            learn(program, actor, right, truth);
        }
        Expr::Binary(BinaryOp::Or, left, right) if !truth => {
            learn(program, actor, left, truth);
            learn(program, actor, right, truth);
        }
        Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
            for (this, that) in [(left, right), (right, left)] {
                let Expr::Own(var) = **this else { continue };
                let value = eval(program, actor, that);
                if (*op == BinaryOp::Eq) != truth {
                    except(program, actor, var, value);
                } else if value != Val::Top {
                    set(actor, var, value);
                }
            }
        }
        _ => {}
    });
}

/// A variable does not hold this value.
pub(super) fn except(program: &Program, actor: &mut Actor, var: VarId, value: Val) {
    let left = actor.vars.get(var.index()).and_then(|known| known.except(program, value));
    if let Some(left) = left {
        set(actor, var, left);
    }
}

fn set(actor: &mut Actor, var: VarId, value: Val) {
    if let Some(slot) = actor.vars.get_mut(var.index()) {
        *slot = value;
    }
}
