//! What to do about types that do not go together: the help of a finding, where there is a usual remedy.

use crate::ty::Ty;

/// About a value that cannot be stored in a place.
pub(super) fn on_storing(place: &Ty, value: &Ty) -> Option<String> {
    match (place, value) {
        (Ty::Int, Ty::Float | Ty::Enum(_)) | (Ty::Float, Ty::Int) => Some(format!("`to {place}` converts it")),
        (Ty::String, _) => Some(AS_TEXT.to_owned()),
        (_, Ty::Any) => Some(format!("if it is of that type when the program runs, write `as {place}`")),
        (Ty::Reference(..), Ty::Machine) => Some(format!("if it is such a machine when the program runs, write `as {place}`")),
        (Ty::Reference(..), Ty::Null) => Some(format!("write `default({place})`")),
        (Ty::Reference(..), Ty::Reference(..)) => Some("the two do not receive the same events".to_owned()),
        (Ty::NamedTuple(mine), Ty::NamedTuple(theirs)) if mine.len() == theirs.len() => {
            let is_mine = |name| mine.iter().any(|(known, _)| known == name);
            let in_order = mine.iter().zip(theirs.iter()).all(|((mine, _), (theirs, _))| mine == theirs);
            let same = theirs.iter().all(|(name, _)| is_mine(name));
            (same && !in_order).then(|| "the fields must be in the same order".to_owned())
        }
        _ => None,
    }
}

/// About operands of arithmetic and order.
pub(super) fn on_calculating(left: &Ty, right: &Ty) -> Option<String> {
    match (left, right) {
        (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => Some("convert one of them with `to float` or `to int`".to_owned()),
        (Ty::String, _) | (_, Ty::String) => Some(AS_TEXT.to_owned()),
        (Ty::Any, _) | (_, Ty::Any) => Some("say with `as` which type a value of type `any` has".to_owned()),
        (Ty::Enum(_), _) | (_, Ty::Enum(_)) => Some("`to int` gives the number of an enum element".to_owned()),
        _ => None,
    }
}

/// About values that are compared.
pub(super) fn on_comparing(left: &Ty, right: &Ty) -> Option<String> {
    match (left, right) {
        (Ty::Enum(_), Ty::Int) | (Ty::Int, Ty::Enum(_)) => {
            Some("compare with an element of the enum, or convert it with `to int`".to_owned())
        }
        (Ty::Null, other) | (other, Ty::Null) => {
            Some(format!("a value of type `{other}` is never `null`; it begins as `default({other})`"))
        }
        (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => on_calculating(left, right),
        _ => on_storing(left, right).filter(|_| matches!(left, Ty::NamedTuple(_))),
    }
}

/// About a cast with `as` or a conversion with `to`.
pub(super) fn on_converting(from: &Ty, to: &Ty) -> Option<String> {
    match (from, to) {
        (Ty::Any, _) => Some(format!("`as {to}` says that a value of type `any` is of this type")),
        (Ty::Int, Ty::Float) | (Ty::Float | Ty::Enum(_), Ty::Int) => Some(format!("`to {to}` converts it")),
        (_, Ty::String) => Some(AS_TEXT.to_owned()),
        _ => None,
    }
}

/// About a collection, or something else, that values are added to in the wrong way.
pub(super) fn on_adding(target: &Ty) -> Option<&'static str> {
    match target {
        Ty::Seq(_) => Some("`s += (sizeof(s), value)` appends to a sequence"),
        Ty::Set(_) => Some("`s += (value)` adds to a set"),
        Ty::Map(..) => Some("`m += (key, value)` adds to a map"),
        Ty::Int | Ty::Float | Ty::String => Some("write `x = x + ...`"),
        _ => None,
    }
}

const AS_TEXT: &str = "`format(\"{0}\", ...)` makes a text of any value";
