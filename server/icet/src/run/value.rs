//! Values, in a form in which equal values are equal data.
//!
//! Invariants: the elements of a set are sorted and distinct, and nobody is never among them; the exceptions of a map are sorted by key
//! and differ from its default; over a key type with finitely many values the default of a map is the default of its value type
//! (`default_value` and `Domains` see to it), so that a map has one form only.

use std::sync::Arc;

use crate::program::{EnumId, OpaqueId, Program, Type};

/// A process of an instance: its number in `Instance::actors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pid(pub u32);

impl Pid {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(i128),
    /// What a pid variable holds before its first assignment.
    Nobody,
    Pid(Pid),
    Element {
        of: EnumId,
        element: u32,
        args: Arc<[Value]>,
    },
    /// A value of a type without definition, known by number. 0 is the default.
    Opaque(OpaqueId, u32),
    Set(Arc<[Value]>),
    Map(Arc<Map>),
    /// A tuple or a record.
    Tuple(Arc<[Value]>),
}

/// A value for every key: the default, but for some.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Map {
    default: Value,
    exceptions: Vec<(Value, Value)>,
}

impl Map {
    pub fn constant(default: Value) -> Self {
        Self { default, exceptions: Vec::new() }
    }

    pub fn get(&self, key: &Value) -> &Value {
        match self.exceptions.binary_search_by(|(k, _)| k.cmp(key)) {
            Ok(found) => &self.exceptions[found].1,
            Err(_) => &self.default,
        }
    }

    pub fn put(&mut self, key: Value, value: Value) {
        let is_default = value == self.default;
        match self.exceptions.binary_search_by(|(k, _)| k.cmp(&key)) {
            Ok(found) if is_default => drop(self.exceptions.remove(found)),
            Ok(found) => self.exceptions[found].1 = value,
            Err(_) if is_default => {}
            Err(place) => self.exceptions.insert(place, (key, value)),
        }
    }

    pub fn default(&self) -> &Value {
        &self.default
    }

    /// Sorted by key.
    pub fn exceptions(&self) -> &[(Value, Value)] {
        &self.exceptions
    }
}

impl Value {
    /// The set of these values. Nobody belongs to no set and is left out.
    pub fn set(mut elements: Vec<Value>) -> Value {
        elements.retain(|element| *element != Value::Nobody);
        elements.sort();
        elements.dedup();
        Value::Set(elements.into())
    }

    pub fn tuple(parts: Vec<Value>) -> Value {
        Value::Tuple(parts.into())
    }
}

/// What a variable of this type holds if nobody said otherwise.
pub fn default_value(program: &Program, ty: &Type) -> Value {
    crate::stack::level(|| match ty {
        Type::Int => Value::Int(0),
        Type::Bool => Value::Bool(false),
        Type::Pid(_) => Value::Nobody,
        Type::Enum(id) => {
            let payload = program.enums[id.index()].elements.first().map_or(&[][..], |first| &first.payload);
            let args = payload.iter().map(|part| default_value(program, part)).collect();
            Value::Element { of: *id, element: 0, args }
        }
        Type::Opaque(id) => Value::Opaque(*id, 0),
        Type::Set(_) => Value::set(Vec::new()),
        Type::Map(_, value) => Value::Map(Arc::new(Map::constant(default_value(program, value)))),
        Type::Tuple(parts) => Value::Tuple(parts.iter().map(|part| default_value(program, part)).collect()),
        Type::Record(parts) => Value::Tuple(parts.iter().map(|(_, part)| default_value(program, part)).collect()),
    })
}

/// Whether the type has finitely many values, once the sizes of all sets are known.
pub fn is_finite(program: &Program, ty: &Type) -> bool {
    crate::stack::level(|| match ty {
        Type::Int => false,
        Type::Bool | Type::Pid(_) | Type::Opaque(_) => true,
        Type::Enum(id) => {
            program.enums[id.index()].elements.iter().all(|element| element.payload.iter().all(|part| is_finite(program, part)))
        }
        Type::Set(element) => is_finite(program, element),
        Type::Map(key, value) => is_finite(program, key) && is_finite(program, value),
        Type::Tuple(parts) => parts.iter().all(|part| is_finite(program, part)),
        Type::Record(parts) => parts.iter().all(|(_, part)| is_finite(program, part)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_are_equal_data() {
        let mut written = Map::constant(Value::Int(0));
        written.put(Value::Int(2), Value::Int(7));
        written.put(Value::Int(1), Value::Int(5));
        assert_eq!(written.get(&Value::Int(2)), &Value::Int(7));
        assert_eq!(written.get(&Value::Int(3)), &Value::Int(0));
        assert_ne!(written, Map::constant(Value::Int(0)));
        written.put(Value::Int(2), Value::Int(0));
        written.put(Value::Int(1), Value::Int(0));
        assert_eq!(written, Map::constant(Value::Int(0)));
    }

    #[test]
    fn sets_forget_order_repetition_and_nobody() {
        let one = Value::set(vec![Value::Int(2), Value::Int(1), Value::Int(2)]);
        assert_eq!(one, Value::set(vec![Value::Int(1), Value::Int(2)]));
        assert_eq!(Value::set(vec![Value::Nobody]), Value::set(Vec::new()));
    }
}
