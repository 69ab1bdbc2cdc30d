//! Changing a value, or a part of it, in place.

use std::sync::Arc;

use super::Value;
use crate::failure::Fault;
use crate::program::{FieldId, Program};
use crate::value::Shown;

/// One step into a value.
#[derive(Clone, Debug)]
pub enum PathStep<V> {
    Element(u32),
    Field(FieldId),
    Index(V),
}

/// What is done to a value or a part of it.
#[derive(Clone, Debug)]
pub enum Change<V = Value> {
    /// It becomes this one.
    Set(V),
    /// `+= (value)`
    Add(V),
    /// `+= (key, value)`
    Insert(V, V),
    /// `-= key`
    Remove(V),
}

impl Value {
    /// Changes the part of this value that the path leads to.
    pub fn change(&mut self, program: &Program, path: &[PathStep<Self>], change: Change) -> Result<(), Fault> {
        let [step, rest @ ..] = path else { return self.change_here(program, change) };
        match (self, step) {
            (Self::Tuple(items), PathStep::Element(index)) => {
                let count = items.len();
                let changed = Arc::make_mut(items).update(*index as usize, |part| part.change(program, rest, change));
                changed.unwrap_or(Err(Fault::NoElement { index: *index, count }))
            }
            (Self::Named(named), PathStep::Field(field)) => {
                let missing = || Fault::NoField { field: program.field_name(*field).clone() };
                let index = program.field_place(named.names, *field).ok_or_else(missing)?;
                let changed = Arc::make_mut(named).items.update(index, |part| part.change(program, rest, change));
                changed.unwrap_or_else(|| Err(missing()))
            }
            (Self::Seq(items), PathStep::Index(index)) => {
                let length = items.len();
                let Some(index) = index.number() else { return Err(Fault::wrong_kind(program, index, "an index")) };
                let out = Fault::IndexOutOfRange { index, length };
                let Ok(position) = usize::try_from(index) else { return Err(out) };
                if position >= length {
                    return Err(out);
                }
                Arc::make_mut(items).update(position, |part| part.change(program, rest, change)).unwrap_or(Err(out))
            }
            (Self::Map(table), PathStep::Index(key)) => change_entry(program, Arc::make_mut(table), key, rest, change),
            (Self::Null, _) => Err(Fault::NullValue),
            (other, _) => Err(Fault::wrong_kind(program, other, "a value with such a part")),
        }
    }

    fn change_here(&mut self, program: &Program, change: Change) -> Result<(), Fault> {
        match (self, change) {
            (place, Change::Set(value)) => *place = value,
            (Self::Null, _) => return Err(Fault::NullValue),
            (Self::Set(table), Change::Add(value)) => {
                if value == Self::Null {
                    return Err(Fault::NullKey);
                }
                if !table.contains(&value) {
                    Arc::make_mut(table).add(value, Self::Null);
                }
            }
            (Self::Seq(items), Change::Insert(index, value)) => {
                let length = items.len();
                let Some(index) = index.number() else { return Err(Fault::wrong_kind(program, &index, "an index")) };
                match usize::try_from(index) {
                    Ok(position) if position <= length => Arc::make_mut(items).insert(position, value),
                    _ => return Err(Fault::InsertOutOfRange { index, length }),
                }
            }
            (Self::Map(table), Change::Insert(key, value)) => {
                if key == Self::Null {
                    return Err(Fault::NullKey);
                }
                if table.contains(&key) {
                    return Err(Fault::KeyExists { key: Shown(program, &key).to_string() });
                }
                Arc::make_mut(table).add(key, value);
            }
            (Self::Seq(items), Change::Remove(index)) => {
                let length = items.len();
                let Some(index) = index.number() else { return Err(Fault::wrong_kind(program, &index, "an index")) };
                match usize::try_from(index) {
                    Ok(position) if position < length => Arc::make_mut(items).remove(position),
                    _ => return Err(Fault::IndexOutOfRange { index, length }),
                }
            }
            (Self::Map(_), Change::Remove(Self::Null)) => return Err(Fault::NullKey),
            (Self::Set(table) | Self::Map(table), Change::Remove(key)) => {
                if table.contains(&key) {
                    Arc::make_mut(table).remove(&key);
                }
            }
            (other, _) => return Err(Fault::wrong_kind(program, other, "a collection")),
        }
        Ok(())
    }
}

/// `m[key] = value` adds the key if it is missing; to go further into `m[key]` it must be there.
fn change_entry(
    program: &Program,
    table: &mut super::Table,
    key: &Value,
    rest: &[PathStep<Value>],
    change: Change,
) -> Result<(), Fault> {
    if *key == Value::Null {
        return Err(Fault::NullKey);
    }
    if !table.contains(key) {
        return match (rest, change) {
            ([], Change::Set(value)) => {
                table.add(key.clone(), value);
                Ok(())
            }
            _ => Err(Fault::KeyMissing { key: Shown(program, key).to_string() }),
        };
    }
    table.update(key, |part| part.change(program, rest, change)).unwrap_or(Ok(()))
}
