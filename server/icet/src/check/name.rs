//! What a name stands for, and what to say if it stands for nothing or for the wrong kind of thing.

use lockstep_base::{Edit, Fix, TextRange};
use lockstep_syntax::icet::ast::NameId;
use smol_str::SmolStr;

use super::locals::Binding;
use super::{Checker, More, codes};
use crate::program::{ConstId, EnumId, MessageId, OpaqueId, ProcessId, SetId, VarId};

/// What a name outside of processes stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    /// `type N = T;`, by its place in `Checker::aliases`.
    Alias(usize),
    Opaque(OpaqueId),
    Enum(EnumId),
    Element(EnumId, u32),
    Message(MessageId),
    Set(SetId),
    Const(ConstId),
    /// One of a kind: the member of a set has no name outside of its code.
    Process(ProcessId),
    Shared(VarId),
}

impl Global {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Alias(_) | Self::Opaque(_) => "a type",
            Self::Enum(_) => "an enum",
            Self::Element(..) => "an element of an enum",
            Self::Message(_) => "a message",
            Self::Set(_) => "a set of processes",
            Self::Const(_) => "a constant",
            Self::Process(_) => "a process",
            Self::Shared(_) => "a shared ghost variable",
        }
    }

    pub(super) fn is_type(self) -> bool {
        matches!(self, Self::Alias(_) | Self::Opaque(_) | Self::Enum(_) | Self::Set(_) | Self::Process(_))
    }

    pub(super) fn is_value(self) -> bool {
        matches!(self, Self::Element(..) | Self::Set(_) | Self::Const(_) | Self::Process(_) | Self::Shared(_))
    }
}

/// What a name in an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Global(Global),
    Inner(Binding),
}

impl Checker<'_> {
    /// What a name in an expression stands for; `None` if that was reported or the name is missing.
    pub(super) fn resolve(&mut self, name: NameId) -> Option<Named> {
        let text = self.text(name);
        if let Some((binding, declared)) = self.scope.find(text) {
            return self.resolve_inner(name, binding, declared).map(Named::Inner);
        }
        self.global(name, "a value", Global::is_value).map(Named::Global)
    }

    fn resolve_inner(&mut self, name: NameId, binding: Binding, declared: TextRange) -> Option<Binding> {
        let (text, range) = (self.text(name), self.range(name));
        match binding {
            Binding::AtHead => {
                let message = format!("`{text}` has no value at the head of its loop");
                self.error(codes::NAME, range, message)
                    .help("speak of the members that are done: `for ... done D` names their set")
                    .related(declared, "it has one only inside the loop");
                None
            }
            Binding::Later => {
                let message = format!("`{text}` is declared only further down");
                self.error(codes::NAME, range, message).related(declared, format!("`{text}` is declared here"));
                None
            }
            binding => Some(binding),
        }
    }

    /// What a name outside of processes stands for, if it is of the wanted kind. Everything else is reported.
    pub(super) fn global(&mut self, name: NameId, wanted: &str, is_wanted: fn(Global) -> bool) -> Option<Global> {
        let (text, range) = (self.text(name), self.range(name));
        if text.is_empty() {
            self.has_holes = true;
            return None;
        }
        match self.globals.get(text).copied() {
            Some((global, _)) if is_wanted(global) => Some(global),
            Some((global, declared)) => {
                let message = format!("`{text}` is {}, and this has to be {wanted}", global.describe());
                self.error(codes::NAME, range, message).related(declared, format!("`{text}` is declared here"));
                None
            }
            None => {
                self.unknown_name(text, range, wanted, is_wanted);
                None
            }
        }
    }

    fn unknown_name(&mut self, text: &SmolStr, range: TextRange, wanted: &str, is_wanted: fn(Global) -> bool) {
        let message = match wanted {
            "a value" => format!("`{text}` is not declared"),
            _ => format!("`{text}` is not declared, and this has to be {wanted}"),
        };
        let is_value = wanted == "a value";
        let (mut similar, mut owner) = (None, None);
        if self.guesses > 0 {
            owner = if is_value { self.owner_of(text) } else { None };
            self.guesses -= 1;
            let mut names: Vec<&SmolStr> = if is_value { self.scope.names().collect() } else { Vec::new() };
            #[allow(clippy::iter_over_hash_type, reason = "the most similar name does not depend on the order")]
            for (name, (global, _)) in &self.globals {
                if is_wanted(*global) {
                    names.push(name);
                }
            }
            similar = most_similar(text, names.into_iter()).cloned();
        }
        let error = self.error(codes::NAME, range, message);
        if let Some(similar) = similar {
            error.help(format!("did you mean `{similar}`?"));
            error.fix = Some(replacement(range, &similar));
        } else if let Some((help, declared)) = owner {
            error.help(help).related(declared, format!("this `{text}` is a variable of a process"));
        }
    }

    /// How to speak of the variable of a process from outside, if one is called like this.
    fn owner_of(&self, text: &str) -> Option<(String, TextRange)> {
        let (process, (_, declared)) =
            self.vars.iter().enumerate().find_map(|(process, vars)| Some((process, *vars.get(text)?)))?;
        let process = &self.program.processes[process];
        Some((format!("the variable of a process is written `{}.{text}`", process.name), declared))
    }
}

/// The name that differs least from what is written, if it differs little.
pub(super) fn most_similar<'a>(written: &str, names: impl Iterator<Item = &'a SmolStr>) -> Option<&'a SmolStr> {
    let lower = written.to_ascii_lowercase();
    // One letter for another says nothing where there are only two.
    let most = if lower.len() < 3 { 0 } else { 1 + lower.chars().count() / 6 };
    names
        .filter(|name| name.len().abs_diff(lower.len()) <= most && **name != written)
        .map(|name| (strsim::osa_distance(&lower, &name.to_ascii_lowercase()), name))
        .filter(|(distance, _)| *distance <= most && *distance < lower.len())
        .min()
        .map(|(_, name)| name)
}

pub(super) fn replacement(range: TextRange, name: &str) -> Fix {
    Fix { title: format!("replace it by `{name}`"), edits: vec![Edit { range, insert: name.to_string() }] }
}
