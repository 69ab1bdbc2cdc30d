//! What breaks in the C# that P makes of a program, and names that mean something else than they seem to.

use lockstep_syntax::p::ast::{Decl as AstDecl, Machine, Module, PartId};
use rustc_hash::FxHashMap;

use super::Lint;
use crate::db::{Db, Project};
use crate::problem::{Code, Problem};
use crate::scope::{Space, lookup};

/// Words of C# that P lets through as names. Other declarations with such a name are renamed in the generated code; events and states
/// are not.
const WORDS_OF_CSHARP: &[&str] = &[
    "abstract",
    "base",
    "byte",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "decimal",
    "delegate",
    "double",
    "explicit",
    "extern",
    "finally",
    "fixed",
    "for",
    "implicit",
    "internal",
    "lock",
    "long",
    "namespace",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "sbyte",
    "sealed",
    "short",
    "stackalloc",
    "static",
    "struct",
    "switch",
    "throw",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "virtual",
    "void",
    "volatile",
];

impl Lint<'_, '_> {
    pub(super) fn generated_names(&mut self) {
        if !self.is_for_checking() {
            return;
        }
        match &self.item.decl {
            AstDecl::Event { .. } => self.event_name(),
            AstDecl::Machine(machine) => self.state_names(machine),
            _ => {}
        }
        for (id, module) in self.item.nodes.modules.iter() {
            if matches!(module, Module::HideEvents { .. }) {
                let problem = Problem::new(Code::HiddenEvents, id, "P's compiler crashes on `hidee`");
                self.problems.push(problem.with_help("leave it out: the tests run the same without it"));
            }
        }
    }

    fn event_name(&mut self) {
        let name = self.decl.name(self.db).as_str();
        if WORDS_OF_CSHARP.contains(&name) {
            self.word_of_csharp(self.node(), name);
        } else if name == "Halt" {
            let problem = Problem::new(Code::EventNamedHalt, self.node(), "P takes an event with the name `Halt` for `halt`");
            self.problems.push(problem.with_help("whoever gets it stops: give it another name, or use `halt`"));
        } else if let Some(machine) = lookup(self.db, self.project, Space::Type, name).map(|def| def.decl) {
            // Types are no classes in the generated code.
            let is_class = machine.kind(self.db).is_machine();
            if is_class {
                let message = format!("an event and a machine cannot both be called `{name}`");
                let problem = Problem::new(Code::NameClash, self.node(), message);
                let name = machine.shape(self.db).0.name().map_or(crate::problem::Node::Whole, crate::problem::Node::Name);
                let problem = problem.with_related(machine, name, "the machine");
                self.problems.push(problem.with_help("P accepts it, but the C# that it generates does not compile"));
            }
        }
    }

    fn state_names(&mut self, machine: &Machine) {
        let mut functions: FxHashMap<&str, PartId> = FxHashMap::default();
        for function in &machine.functions {
            functions.entry(self.name(function.name)).or_insert(function.part);
        }
        for state in &machine.states {
            let name = self.name(state.name);
            if WORDS_OF_CSHARP.contains(&name) {
                self.word_of_csharp(state.name.into(), name);
                continue;
            }
            // A function after the state is an error already.
            let is_function = functions.get(name).is_some_and(|function| function.into_raw() < state.part.into_raw());
            let other = match () {
                () if name == self.name(machine.name) => "the machine",
                () if is_function => "a function of the machine",
                () => continue,
            };
            if !name.is_empty() {
                let problem = Problem::new(Code::NameClash, state.name, format!("the state `{name}` has the name of {other}"));
                self.problems.push(problem.with_help("P accepts it, but the C# that it generates does not compile"));
            }
        }
    }

    fn word_of_csharp(&mut self, node: crate::problem::Node, name: &str) {
        let problem = Problem::new(Code::WordOfCSharp, node, format!("`{name}` is a word of C# and cannot be a name here"));
        self.problems.push(problem.with_help("P accepts it, but the C# that it generates does not compile"));
    }
}

/// What to say where the name of an event stands for a type.
pub(super) fn event_as_type(db: &dyn Db, project: Project, name: &str) -> Option<String> {
    let is_type = lookup(db, project, Space::Type, name).or_else(|| lookup(db, project, Space::EventSet, name)).is_some();
    let is_event = !is_type && lookup(db, project, Space::Event, name).is_some_and(|def| def.part.is_none());
    is_event.then(|| format!("as a type, the event `{name}` means a machine that takes only this event"))
}

/// What is wrong with a string literal as one of C#, if anything.
pub(super) fn string_problem(literal: &str) -> Option<(Code, String)> {
    let mut rest = literal.chars();
    while let Some(character) = rest.next() {
        match character {
            '\n' | '\r' => {
                let message = "a string ends on the line where it begins: the C# that P generates does not compile";
                return Some((Code::StringNewline, message.to_owned()));
            }
            '\\' => {
                let escape = rest.next()?;
                let digits = match escape {
                    '\'' | '"' | '\\' | '0' | 'a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' => 0,
                    'x' => 1,
                    'u' => 4,
                    'U' => 8,
                    _ => usize::MAX,
                };
                let is_number = |rest: &str| rest.len() >= digits && rest.chars().take(digits).all(|it| it.is_ascii_hexdigit());
                if !is_number(rest.as_str()) {
                    let message = format!("`\\{escape}` means nothing in a string: write `\\\\` for a backslash");
                    return Some((Code::StringEscape, message));
                }
            }
            _ => {}
        }
    }
    None
}
