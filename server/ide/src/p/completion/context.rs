//! What kind of thing can follow some words.

use lockstep_syntax::Language;

use super::super::surroundings::{BraceKind, BracketKind, Surroundings};
use crate::words::Word;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A new name, or nothing that we know.
    Nothing,
    /// One of these words.
    Words(&'static [&'static str]),
    /// After a dot.
    Field,
    State,
    Event(EventsFor),
    /// A machine or interface.
    Machine,
    Spec,
    Module,
    /// Interfaces only.
    Interface,
    Type,
    /// A parameter of a test.
    Param,
    /// A function of the machine that can be a handler.
    Handler,
    /// An invariant or lemma.
    Goal,
    TopLevel,
    MachineBody,
    StateBody,
    ReceiveBody,
    Statement {
        can_declare: bool,
    },
    Value,
}

/// What an event is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventsFor {
    /// `on`, `case`
    Handling,
    /// `defer`, `ignore` and lists of all kinds
    Listing,
    /// `send`, `raise`, `announce`, where it can be a variable too
    Emitting,
}

/// What can follow a value.
const OPERATORS: Context = Context::Words(&["as", "in", "to"]);

pub(super) fn context(around: &Surroundings) -> Context {
    let last = around.last();
    match last {
        "." => return Context::Field,
        "goto" => return Context::State,
        "new" => return Context::Machine,
        "as" => return Context::Type,
        "to" if around.brace() == Some(BraceKind::Code) => return Context::Type,
        _ => {}
    }
    match around.brace() {
        Some(BraceKind::Module) => match last {
            "{" | "," => Context::Machine,
            ">" => Context::Interface,
            _ => Context::Nothing,
        },
        Some(BraceKind::EventSet) => listed(last, EventsFor::Listing),
        _ if !around.brackets.is_empty() => in_brackets(around),
        None => top_level(around),
        Some(BraceKind::Machine) => machine_body(around),
        Some(BraceKind::State) => state_body(around),
        Some(BraceKind::Code) => code(around),
        Some(BraceKind::Receive) => receive_body(around),
        Some(BraceKind::Lemma) => match (around.statement(), last) {
            ([], _) => Context::Words(&["invariant"]),
            ([_] | [_, _], _) if last != ":" => Context::Nothing,
            _ => value(around),
        },
        Some(BraceKind::Proof) => proof(around),
        Some(BraceKind::Enum | BraceKind::Unknown) => Context::Nothing,
    }
}

fn in_brackets(around: &Surroundings) -> Context {
    let Some(bracket) = around.brackets.last() else { return Context::Nothing };
    let last = around.last();
    let opens_or_continues = matches!(last, "(" | "[" | ",");
    match &bracket.kind {
        BracketKind::Params if last == ":" => Context::Type,
        BracketKind::TypeArguments if opens_or_continues => Context::Type,
        BracketKind::TypeTuple if last == ":" || last == "(" || (last == "," && !bracket.has_colon) => Context::Type,
        BracketKind::Params | BracketKind::TypeArguments | BracketKind::TypeTuple => Context::Nothing,
        BracketKind::TestParams if opens_or_continues => Context::Param,
        BracketKind::TestParams if last == "in" => Context::Nothing,
        BracketKind::TestParams => Context::Words(&["in"]),
        BracketKind::TestValues if opens_or_continues => Context::Words(&["true", "false"]),
        BracketKind::Main if last == "[" => Context::Words(&["main"]),
        BracketKind::Main if last == "=" => Context::Machine,
        BracketKind::TestValues | BracketKind::Main => Context::Nothing,
        BracketKind::Group if is_module(around) => module(around),
        _ => value(around),
    }
}

/// Whether the declaration is one that has a module.
fn is_module(around: &Surroundings) -> bool {
    let is_behind_colon = || around.statement().iter().any(|word| word.text == ":");
    match around.declaration() {
        "module" => true,
        "test" | "implementation" => is_behind_colon(),
        _ => false,
    }
}

/// In the middle of a list that has been opened by another word.
fn listed(last: &str, events: EventsFor) -> Context {
    if last == "," || last == "{" || is_list_word(last) { Context::Event(events) } else { Context::Nothing }
}

fn is_list_word(word: &str) -> bool {
    matches!(word, "on" | "case" | "defer" | "ignore" | "receives" | "sends" | "observes")
}

/// Outside of all braces.
fn top_level(around: &Surroundings) -> Context {
    let (words, last) = (around.statement(), around.last());
    let is_after_name = words.len() == 2;
    match words.first().map_or("", |first| first.text.as_str()) {
        "" => Context::TopLevel,
        "machine" if is_after_name || last == ";" => Context::Words(&["receives", "sends"]),
        "spec" | "scenario" if is_after_name => Context::Words(&["observes"]),
        "machine" | "spec" | "scenario" => listed(last, EventsFor::Listing),
        "interface" if last == ")" || is_after_name => Context::Words(&["receives"]),
        "interface" => listed(last, EventsFor::Listing),
        "type" if last == "=" => Context::Type,
        "fun" if last == ")" => Context::Words(&["creates", "return"]),
        "fun" if last == "creates" => Context::Machine,
        "event" | "param" | "fun" if last == ":" => Context::Type,
        "pure" if words.iter().any(|word| word.text == "=") => value(around),
        "pure" if last == ":" => Context::Type,
        "invariant" if words.len() >= 3 => value(around),
        "axiom" | "requires" | "ensures" => value(around),
        "init" if words.len() >= 3 => value(around),
        "module" | "test" | "implementation" if is_module(around) => module(around),
        "test" if is_assumption(words) => value(around),
        "test" if last == "test" || last == ")" => Context::Words(&["param", "assume", "pairwise"]),
        _ => Context::Nothing,
    }
}

/// Whether what a test assumes is not complete yet: its name and `[main = M]` follow.
fn is_assumption(words: &[Word]) -> bool {
    let behind = words.iter().rposition(|word| word.text == "assume").map(|at| &words[at..]);
    behind.is_some_and(|behind| !behind.iter().any(|word| word.text == "["))
}

/// In the expression of a module.
fn module(around: &Surroundings) -> Context {
    let words = around.statement();
    // The word that says what is listed, before any names and commas.
    let is_part_of_list = |word: &&Word| word.text == "," || (word.is_name() && !Language::P.is_reserved(&word.text));
    let opening = words.iter().rev().find(|word| !is_part_of_list(word)).map_or("", |word| word.text.as_str());
    let is_open = around.last() == "," || around.last() == opening;
    match opening {
        "rename" if !is_open => Context::Words(&["to"]),
        "assert" | "hidee" | "hidei" | "to" | "main" if !is_open => Context::Words(&["in"]),
        _ if !is_open => Context::Nothing,
        "assert" => Context::Spec,
        "hidee" => Context::Event(EventsFor::Listing),
        "hidei" | "rename" | "to" => Context::Interface,
        "main" => Context::Machine,
        "in" | "compose" | "union" | "(" | ":" | "=" | "refines" => Context::Module,
        // Behind a closed list of machines or a module in parentheses, a comma belongs to `compose` or `union`.
        ")" | "}" if around.last() == "," => Context::Module,
        ")" | "}" => Context::Words(&["refines"]),
        _ => Context::Nothing,
    }
}

fn machine_body(around: &Surroundings) -> Context {
    let words = around.statement();
    match (words.first().map_or("", |first| first.text.as_str()), around.last()) {
        ("", _) => Context::MachineBody,
        (_, "start") => Context::Words(&["state", "hot", "cold"]),
        (_, "hot" | "cold") => Context::Words(&["state"]),
        ("fun", ")") => Context::Words(&["creates", "return"]),
        ("fun", "creates") => Context::Machine,
        ("fun" | "var", ":") => Context::Type,
        ("requires" | "ensures", _) => value(around),
        _ => Context::Nothing,
    }
}

fn state_body(around: &Surroundings) -> Context {
    let words = around.statement();
    let has = |wanted: &str| words.iter().any(|word| word.text == wanted);
    match (words.first().map_or("", |first| first.text.as_str()), around.last()) {
        ("", _) => Context::StateBody,
        (_, "do" | "with" | "entry" | "exit") => Context::Handler,
        ("on", _) if has("do") => Context::Nothing,
        ("on", _) if has("goto") => {
            if has("with") {
                Context::Nothing
            } else {
                Context::Words(&["with"])
            }
        }
        ("on", last) if last == "," || last == "on" => Context::Event(EventsFor::Handling),
        ("on", _) => Context::Words(&["do", "goto"]),
        ("defer" | "ignore", last) => listed(last, EventsFor::Listing),
        _ => Context::Nothing,
    }
}

fn receive_body(around: &Surroundings) -> Context {
    match around.statement() {
        [] => Context::ReceiveBody,
        [first, ..] if first.text == "case" && !around.statement().iter().any(|word| word.text == ":") => {
            listed(around.last(), EventsFor::Handling)
        }
        _ => Context::Nothing,
    }
}

fn proof(around: &Surroundings) -> Context {
    match (around.statement(), around.last()) {
        ([], _) => Context::Words(&["prove"]),
        (_, "prove" | "using" | "except" | ",") => Context::Goal,
        _ => Context::Words(&["using", "except"]),
    }
}

/// In the code of a function or handler.
fn code(around: &Surroundings) -> Context {
    let words = around.inner_statement();
    let last = around.last();
    match words.first().map_or("", |first| first.text.as_str()) {
        "" => Context::Statement { can_declare: can_declare(around) },
        "var" => {
            if last == ":" {
                Context::Type
            } else {
                Context::Nothing
            }
        }
        "send" if around.commas == 1 && last == "," => Context::Event(EventsFor::Emitting),
        "raise" | "announce" if words.len() == 1 => Context::Event(EventsFor::Emitting),
        "goto" if words.len() == 2 => Context::Nothing,
        "break" | "continue" | "receive" => Context::Nothing,
        _ => value(around),
    }
}

/// Variables are declared before the first statement.
fn can_declare(around: &Surroundings) -> bool {
    if !around.statement().is_empty() {
        return false;
    }
    let before = &around.words[..around.start];
    match before.split_last() {
        Some((last, _)) if last.text == "{" => true,
        Some((last, before)) if last.text == ";" => {
            let start = before.iter().rposition(|word| matches!(word.text.as_str(), ";" | "{" | "}")).map_or(0, |at| at + 1);
            before.get(start).is_some_and(|word| word.text == "var")
        }
        _ => false,
    }
}

/// A value, or what can follow one.
fn value(around: &Surroundings) -> Context {
    let Some(last) = around.statement().last() else { return Context::Value };
    let is_value = match last.text.as_str() {
        ")" | "]" | "this" | "halt" | "null" | "true" | "false" | "$" => true,
        text => {
            (last.is_name() && !Language::P.is_reserved(text))
                || text.starts_with(|first: char| first == '"' || first.is_ascii_digit())
        }
    };
    if !is_value {
        return Context::Value;
    }
    let in_header = matches!(around.brackets.last(), Some(bracket) if bracket.kind == BracketKind::Header("foreach".to_owned()));
    if in_header && !around.statement().iter().any(|word| word.text == "in") { Context::Words(&["in"]) } else { OPERATORS }
}
