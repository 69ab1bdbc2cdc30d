//! Which values stand for "any value of the type" in open constants, `havoc` and quantifiers.
//!
//! Pids, booleans and enums have all their values. Integers come from an interval, types without definition have some values. In maps
//! that are made up, the keys of their domain have any value, all others, nobody included, have the default.

use std::ops::RangeInclusive;

use crate::program::{Program, Type};
use crate::run::instance::{Instance, interval};
use crate::run::value::{Map, Value, default_value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    pub ints: RangeInclusive<i128>,
    /// How many values a type without definition has.
    pub opaque: u32,
    /// The most values that are tried in one place.
    pub most_values: usize,
    /// The most instances that are tried.
    pub most_instances: usize,
}

impl Domains {
    /// Small domains that hold what the program speaks of.
    pub fn of(program: &Program) -> Self {
        Self { ints: interval(program), opaque: 2, most_values: 4096, most_instances: 100_000 }
    }
}

/// Whether nobody is a value of pid types: it is for variables, and not for quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nobody {
    Included,
    LeftOut,
}

/// There are more values than the domains allow to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// The values of a type, sorted.
pub fn values(program: &Program, instance: &Instance, ty: &Type, nobody: Nobody) -> Result<Vec<Value>, TooMany> {
    let mut found = crate::stack::level(|| unsorted(program, instance, ty, nobody))?;
    found.sort();
    Ok(found)
}

fn unsorted(program: &Program, instance: &Instance, ty: &Type, nobody: Nobody) -> Result<Vec<Value>, TooMany> {
    let most = instance.domains.most_values;
    let of = |part: &Type| values(program, instance, part, nobody);
    Ok(match ty {
        Type::Int => {
            let ints = instance.domains.ints.clone();
            let count = ints.end().saturating_sub(*ints.start());
            if count >= most as i128 {
                return Err(TooMany);
            }
            ints.map(Value::Int).collect()
        }
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Pid(whose) => {
            let none = (nobody == Nobody::Included).then_some(Value::Nobody);
            none.into_iter().chain(instance.whose(*whose).into_iter().map(Value::Pid)).collect()
        }
        Type::Enum(id) => {
            let mut all = Vec::new();
            for (element, declared) in program.enums[id.index()].elements.iter().enumerate() {
                let parts = declared.payload.iter().map(of).collect::<Result<Vec<_>, _>>()?;
                let args = combinations(&parts, most)?.into_iter();
                all.extend(args.map(|args| Value::Element { of: *id, element: element as u32, args: args.into() }));
            }
            all
        }
        Type::Opaque(id) => (0..instance.domains.opaque).map(|number| Value::Opaque(*id, number)).collect(),
        Type::Set(element) => {
            let elements = values(program, instance, element, Nobody::LeftOut)?;
            let in_or_out = vec![vec![Value::Bool(false), Value::Bool(true)]; elements.len()];
            let chosen = combinations(&in_or_out, most)?.into_iter();
            chosen.map(|chosen| members(&elements, &chosen)).collect()
        }
        Type::Map(key, value) => {
            let keys = values(program, instance, key, Nobody::LeftOut)?;
            let of_each = vec![of(value)?; keys.len()];
            let blank = Map::constant(default_value(program, value));
            let chosen = combinations(&of_each, most)?.into_iter();
            chosen.map(|chosen| filled(&blank, &keys, chosen)).collect()
        }
        Type::Tuple(parts) => product(parts.iter().map(of).collect::<Result<Vec<_>, _>>()?, most)?,
        Type::Record(parts) => product(parts.iter().map(|(_, part)| of(part)).collect::<Result<Vec<_>, _>>()?, most)?,
    })
}

fn product(parts: Vec<Vec<Value>>, most: usize) -> Result<Vec<Value>, TooMany> {
    Ok(combinations(&parts, most)?.into_iter().map(Value::tuple).collect())
}

fn members(elements: &[Value], chosen: &[Value]) -> Value {
    let chosen = elements.iter().zip(chosen).filter(|(_, is_in)| **is_in == Value::Bool(true));
    Value::set(chosen.map(|(element, _)| element.clone()).collect())
}

fn filled(blank: &Map, keys: &[Value], values: Vec<Value>) -> Value {
    let mut map = blank.clone();
    for (key, value) in keys.iter().zip(values) {
        map.put(key.clone(), value);
    }
    Value::Map(map.into())
}

fn combinations(parts: &[Vec<Value>], most: usize) -> Result<Vec<Vec<Value>>, TooMany> {
    let count = parts.iter().try_fold(1usize, |count, part| count.checked_mul(part.len()));
    if count.is_none_or(|count| count > most) {
        return Err(TooMany);
    }
    let mut all = vec![Vec::new()];
    for part in parts {
        all = all
            .iter()
            .flat_map(|chosen: &Vec<Value>| part.iter().map(|value| [chosen, std::slice::from_ref(value)].concat()))
            .collect();
    }
    Ok(all)
}
