//! How types relate: which values may be stored where, and which can be compared.
//!
//! Only pids differ in width; everything built from them follows part by part, because values never change in place. Among the types
//! that a program can write there is no tuple of nothing; it stands for a type that is not known and fits everywhere, so that one
//! mistake is reported once and `{}` is a set of whatever is wanted.

use crate::program::{Set, SetId, Type, Whose};

pub(crate) fn unknown() -> Type {
    Type::Tuple(Vec::new())
}

pub(crate) fn is_unknown(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(parts) if parts.is_empty())
}

/// Whether a value of type `narrow` may be stored where a `wide` is expected.
pub(crate) fn fits(sets: &[Set], narrow: &Type, wide: &Type) -> bool {
    agree(narrow, wide, &|narrow, wide| is_within(sets, narrow, wide))
}

/// Whether values of two types can be compared: part by part, one side is as wide as the other.
pub(crate) fn comparable(sets: &[Set], left: &Type, right: &Type) -> bool {
    agree(left, right, &|left, right| is_within(sets, left, right) || is_within(sets, right, left))
}

/// Whether some value may belong to both types: like `comparable`, and two subsets of one set may overlap.
pub(crate) fn overlapping(sets: &[Set], left: &Type, right: &Type) -> bool {
    let root = |whose| match whose {
        Whose::Member(set) => Whose::Member(outermost(sets, set)),
        other => other,
    };
    agree(left, right, &|left, right| is_within(sets, root(left), root(right)) || is_within(sets, root(right), root(left)))
}

/// The narrowest type that both fit.
pub(crate) fn join(sets: &[Set], left: &Type, right: &Type) -> Option<Type> {
    if fits(sets, left, right) && !is_unknown(right) {
        return Some(right.clone());
    }
    Some(match (left, right) {
        (_, _) if fits(sets, right, left) => left.clone(),
        (Type::Pid(left), Type::Pid(right)) => Type::Pid(join_pids(sets, *left, *right)),
        (Type::Set(left), Type::Set(right)) => Type::Set(Box::new(join(sets, left, right)?)),
        (Type::Map(key, left), Type::Map(other, right)) if key == other => {
            Type::Map(key.clone(), Box::new(join(sets, left, right)?))
        }
        (Type::Tuple(left), Type::Tuple(right)) if left.len() == right.len() => {
            let parts: Option<Vec<Type>> = left.iter().zip(right).map(|(left, right)| join(sets, left, right)).collect();
            Type::Tuple(parts?)
        }
        (Type::Record(left), Type::Record(right)) if left.len() == right.len() => {
            let parts = left.iter().zip(right).map(|((name, left), (other, right))| {
                let ty = if name == other { join(sets, left, right) } else { None };
                Some((name.clone(), ty?))
            });
            Type::Record(parts.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}

/// Whether a pid of the one kind is one of the other.
fn is_within(sets: &[Set], narrow: Whose, wide: Whose) -> bool {
    match (narrow, wide) {
        (_, Whose::Anybody) => true,
        (Whose::Member(narrow), Whose::Member(wide)) => supersets(sets, narrow).any(|set| set == wide),
        (narrow, wide) => narrow == wide,
    }
}

fn join_pids(sets: &[Set], left: Whose, right: Whose) -> Whose {
    let (Whose::Member(left), Whose::Member(_)) = (left, right) else { return Whose::Anybody };
    let common = supersets(sets, left).find(|set| is_within(sets, right, Whose::Member(*set)));
    common.map_or(Whose::Anybody, Whose::Member)
}

fn outermost(sets: &[Set], set: SetId) -> SetId {
    supersets(sets, set).last().unwrap_or(set)
}

/// A set, the set it is declared a subset of, and so on.
fn supersets(sets: &[Set], set: SetId) -> impl Iterator<Item = SetId> {
    std::iter::successors(Some(set), |set| sets.get(set.index())?.superset)
}

/// Compares two types part by part, and pids with `pids`.
fn agree(left: &Type, right: &Type, pids: &dyn Fn(Whose, Whose) -> bool) -> bool {
    match (left, right) {
        _ if is_unknown(left) || is_unknown(right) => true,
        (Type::Pid(left), Type::Pid(right)) => pids(*left, *right),
        (Type::Set(left), Type::Set(right)) => agree(left, right, pids),
        (Type::Map(key, left), Type::Map(other, right)) => {
            agree(key, other, &|key, other| key == other) && agree(left, right, pids)
        }
        (Type::Tuple(left), Type::Tuple(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| agree(left, right, pids))
        }
        (Type::Record(left), Type::Record(right)) => {
            let same = |(left, right): (&(_, Type), &(_, Type))| left.0 == right.0 && agree(&left.1, &right.1, pids);
            left.len() == right.len() && left.iter().zip(right).all(same)
        }
        (left, right) => left == right,
    }
}
