//! Values as text: as P prints them, and for people.

use std::fmt::{self, Write};

use super::{Items, Table, Value};
use crate::program::Program;

/// As `format` and `print` of P show a value. Elements of enums are numbers there, and machines are named by the way to them instead
/// of by the order of creation, which depends on the schedule.
pub fn as_p_prints(program: &Program, value: &Value) -> String {
    let mut text = String::new();
    write_p(program, value, &mut text);
    text
}

fn write_p(program: &Program, value: &Value, out: &mut String) {
    match value {
        Value::Null => {}
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Int(number) | Value::Enum(_, number) => drop(write!(out, "{number}")),
        Value::Float(bits) => drop(write!(out, "{}", f64::from_bits(*bits))),
        Value::String(text) => out.push_str(text),
        Value::Event(event) => out.push_str(&program.event(*event).name),
        Value::Machine(machine) => drop(write!(out, "{}({})", program.interface(machine.interface).name, machine.id)),
        Value::Some(_) => out.push_str("some number"),
        Value::Tuple(items) => {
            out.push('<');
            for item in items.iter() {
                write_p(program, item, out);
                out.push(',');
            }
            out.push('>');
        }
        Value::Named(named) => {
            out.push('<');
            for (name, item) in program.field_names[named.names.index()].iter().zip(named.items.iter()) {
                out.push_str(name);
                out.push(':');
                write_p(program, item, out);
                out.push_str(", ");
            }
            out.push('>');
        }
        Value::Seq(items) => {
            out.push('(');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_p(program, item, out);
            }
            out.push(')');
        }
        Value::Set(table) | Value::Map(table) => write_table(program, value, table, out),
    }
}

/// Sorted by the text of the elements, as P does.
fn write_table(program: &Program, value: &Value, table: &Table, out: &mut String) {
    let mut entries: Vec<(String, &Value)> = table.iter().map(|(key, value)| (as_p_prints(program, key), value)).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    out.push('(');
    for (index, (key, of_key)) in entries.into_iter().enumerate() {
        out.push_str(if index > 0 { ", <" } else { "<" });
        out.push_str(&key);
        if matches!(value, Value::Map(_)) {
            out.push_str("->");
            write_p(program, of_key, out);
        }
        out.push('>');
    }
    out.push(')');
}

/// A value for people, as it could be written in P. The end of a long one is left out.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a Program, pub &'a Value);

/// How much of a value is shown.
const SHOWN: usize = 200;

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Bounded(String::new());
        // Writing ends early with an error when there is enough.
        if self.write(&mut out).is_err() {
            out.0.push('…');
        }
        f.write_str(&out.0)
    }
}

struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() > SHOWN {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

impl Shown<'_> {
    fn write(&self, f: &mut Bounded) -> fmt::Result {
        let Self(program, value) = *self;
        match value {
            Value::Null => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Enum(id, number) => match program.enums[id.index()].element(*number) {
                Some(name) => f.write_str(name),
                None => write!(f, "{number}"),
            },
            Value::Float(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Value::String(text) => write!(f, "\"{text}\""),
            Value::Event(event) => f.write_str(&program.event(*event).name),
            Value::Machine(machine) => write!(f, "{}({})", program.interface(machine.interface).name, machine.id),
            Value::Some(some) => match program.abstractions.get(some.index()) {
                Some(kept) => {
                    let values: Vec<String> = kept.values.iter().map(i64::to_string).collect();
                    write!(f, "any but {}", values.join(", "))
                }
                None => f.write_str("any"),
            },
            Value::Tuple(items) => self.row(f, items, "(", if items.len() == 1 { ",)" } else { ")" }),
            Value::Seq(items) => self.row(f, items, "[", "]"),
            Value::Named(named) => {
                let names = &program.field_names[named.names.index()];
                f.write_str("(")?;
                for (index, (name, item)) in names.iter().zip(named.items.iter()).enumerate() {
                    write!(f, "{}{name} = ", if index > 0 { ", " } else { "" })?;
                    Shown(program, item).write(f)?;
                }
                f.write_str(if names.len() == 1 { ",)" } else { ")" })
            }
            Value::Set(table) | Value::Map(table) => {
                f.write_str("{")?;
                for (index, (key, of_key)) in table.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    Shown(program, key).write(f)?;
                    if matches!(value, Value::Map(_)) {
                        f.write_str(" -> ")?;
                        Shown(program, of_key).write(f)?;
                    }
                }
                f.write_str("}")
            }
        }
    }

    fn row(&self, f: &mut Bounded, items: &Items, open: &str, close: &str) -> fmt::Result {
        f.write_str(open)?;
        for (index, item) in items.iter().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            Shown(self.0, item).write(f)?;
        }
        f.write_str(close)
    }
}
