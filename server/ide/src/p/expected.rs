//! Who takes the value at a place, and of which type it is expected to be.

use lockstep_program::ty::Ty;
use lockstep_program::{DeclKind, Def, MachineInfo, Space, Target, event_payload, machine_info};

use super::declared::meant_type;
use super::scope::Scope;
use super::surroundings::{BraceKind, Bracket, BracketKind};

/// The statement around a place, as far as it takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taker<'w> {
    /// The payload of an event; `argument` counts its values.
    Event {
        word: &'w str,
        name: &'w str,
        argument: usize,
    },
    /// What the entry of a state takes.
    Goto {
        state: &'w str,
        argument: usize,
    },
    Other,
}

impl<'db> Scope<'db> {
    pub(super) fn taker(&self) -> Taker<'_> {
        let words = self.around.inner_statement();
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let commas = self.around.commas;
        match text(0) {
            _ if self.around.brace() != Some(BraceKind::Code) => Taker::Other,
            "send" if commas >= 2 => Taker::Event { word: "send", name: self.sent_event(), argument: commas - 2 },
            word @ ("raise" | "announce") if commas >= 1 => Taker::Event { word, name: text(1), argument: commas - 1 },
            "goto" if commas >= 1 => Taker::Goto { state: text(1), argument: commas - 1 },
            _ => Taker::Other,
        }
    }

    /// The event of a `send`: the word behind its first comma.
    fn sent_event(&self) -> &str {
        let words = self.around.inner_statement();
        let mut depth = 0_i32;
        let comma = words.iter().position(|word| {
            match word.text.as_str() {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            depth == 0 && word.text == ","
        });
        comma.and_then(|comma| words.get(comma + 1)).map_or("", |word| word.text.as_str())
    }

    /// The type of what an event carries, or of what a state's entry takes.
    pub(super) fn taken(&self, taker: Taker<'_>) -> Option<Ty> {
        match taker {
            Taker::Event { name, .. } => Some(event_payload(self.db, self.event(name)?.decl).clone()),
            Taker::Goto { state, .. } => Some(self.machine_info()?.state(state)?.entry.clone().unwrap_or(Ty::Null)),
            Taker::Other => None,
        }
    }

    fn machine_info(&self) -> Option<&'db MachineInfo> {
        self.machine().map(|(_, decl, _)| machine_info(self.db, decl))
    }

    /// What `new` of a machine or interface takes.
    pub(super) fn constructor(&self, name: &str) -> Option<(Ty, Def<'db>)> {
        let def = self.lookup(Space::Type, name)?;
        let ty = match def.decl.kind(self.db) {
            DeclKind::Machine => machine_info(self.db, def.decl).constructor(),
            DeclKind::Interface => meant_type(self.db, &Target::Global(def)).unwrap_or(Ty::Null),
            _ => return None,
        };
        Some((ty, def))
    }

    /// The type of the value that begins at the place.
    pub(super) fn expected_type(&self) -> Option<Ty> {
        self.around.brackets.iter().fold(self.statement_type(), |ty, bracket| self.argument_type(bracket, ty))
    }

    /// The type of the tuple whose parentheses are the innermost brackets around the place.
    pub(super) fn tuple_type(&self) -> Option<Ty> {
        let (innermost, others) = self.around.brackets.split_last()?;
        if innermost.kind != BracketKind::Group {
            return None;
        }
        others.iter().fold(self.statement_type(), |ty, bracket| self.argument_type(bracket, ty))
    }

    /// The type of a value that is a part of no other in its statement.
    fn statement_type(&self) -> Option<Ty> {
        let words = self.around.inner_statement();
        match self.taker() {
            taker @ (Taker::Event { argument, .. } | Taker::Goto { argument, .. }) => one_of(self.taken(taker)?, argument),
            Taker::Other if self.around.brace() != Some(BraceKind::Code) => None,
            Taker::Other if words.first().is_some_and(|first| first.text == "return") => self.result_type(),
            Taker::Other => {
                let assign = words.iter().position(|word| word.text == "=")?;
                self.path_type(&words[..assign])
            }
        }
    }

    /// What the function around the place returns.
    fn result_type(&self) -> Option<Ty> {
        Some(self.function(self.around.function()?)?.0.result)
    }

    /// The type of the current argument in a bracket that as a whole is expected to be of type `ty`.
    fn argument_type(&self, bracket: &Bracket, ty: Option<Ty>) -> Option<Ty> {
        match &bracket.kind {
            BracketKind::Call(name) => self.function(name)?.0.params.get(bracket.argument).map(|(_, ty)| ty.clone()),
            BracketKind::New(name) => one_of(self.constructor(name)?.0, bracket.argument),
            BracketKind::Insert => {
                let words = self.around.inner_statement();
                let plus = words.iter().position(|word| word.text == "+")?;
                inserted(&self.path_type(&words[..plus])?, bracket.argument)
            }
            BracketKind::Group => match (ty?, bracket.keys.last()) {
                (Ty::NamedTuple(fields), Some(key)) if bracket.has_key => {
                    fields.iter().find(|(name, _)| name == key).map(|(_, ty)| ty.clone())
                }
                (Ty::Tuple(elements), _) => elements.get(bracket.argument).cloned(),
                (ty, _) => Some(ty).filter(|_| bracket.argument == 0),
            },
            _ => None,
        }
    }
}

/// The type of one of the values that something takes; several together can be given for a tuple.
fn one_of(ty: Ty, argument: usize) -> Option<Ty> {
    match ty {
        Ty::Tuple(elements) if argument > 0 => elements.get(argument).cloned(),
        ty => Some(ty).filter(|_| argument == 0),
    }
}

/// The type of an argument of `+=`.
fn inserted(collection: &Ty, argument: usize) -> Option<Ty> {
    match (collection, argument) {
        (Ty::Set(element), 0) | (Ty::Seq(element), 1) => Some((**element).clone()),
        (Ty::Seq(_), 0) => Some(Ty::Int),
        (Ty::Map(key, _), 0) => Some((**key).clone()),
        (Ty::Map(_, value), 1) => Some((**value).clone()),
        _ => None,
    }
}
