//! What kind of thing can follow some tokens.

use super::super::scope::Scope;
use crate::words::Word;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// A new name, or nothing that we know.
    Nothing,
    /// After a dot: the steps to the value in front of it.
    Field(Vec<Step>),
    State,
    Event {
        with_halt: bool,
        with_null: bool,
    },
    Machine,
    Spec,
    Module,
    Type,
    /// A parameter of a test.
    Param,
    TopLevel,
    MachineBody,
    StateBody,
    Statement,
    Value,
}

/// A part of a path such as `a.b[0].c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Call(String),
    Element,
}

pub(super) fn context(before: &[Word], scope: &Scope<'_>) -> Context {
    let last = before.last().map_or("", |word| word.text.as_str());
    match last {
        "." => return Context::Field(path(&before[..before.len() - 1])),
        "goto" => return Context::State,
        "new" => return Context::Machine,
        "raise" | "announce" => return Context::Event { with_halt: true, with_null: false },
        ":" if !is_module_colon(before) => return type_or_nothing(before),
        "observes" => return Context::Event { with_halt: true, with_null: false },
        "machine" | "spec" | "scenario" | "event" | "eventset" | "interface" | "fun" | "state" | "type" | "enum" | "module"
        | "var" | "implementation" | "Proof" | "Lemma" | "Theorem" | "invariant" | "pure" => return Context::Nothing,
        "as" | "to" if scope.is_in_code() => return Context::Type,
        "default" => return Context::Nothing,
        _ => {}
    }
    if let Some(listed) = listed(before) {
        return listed;
    }
    if is_after_default(before) || is_in_type_brackets(before) {
        return Context::Type;
    }
    if is_send_event(before) {
        return Context::Event { with_halt: true, with_null: false };
    }
    let depth = before.iter().fold(0_i32, |depth, word| match word.text.as_str() {
        "{" => depth + 1,
        "}" => depth - 1,
        _ => depth,
    });
    let starts = matches!(last, "" | "{" | "}" | ";");
    match (depth, starts) {
        (..=0, true) => Context::TopLevel,
        (..=0, false) => declaration(before),
        (1, true) if opens_with(before, &["machine", "spec", "scenario"]) => Context::MachineBody,
        (2, true) if opens_with(before, &["machine", "spec", "scenario"]) && is_in_state(before) => Context::StateBody,
        (1, _) if opens_with(before, &["test", "implementation", "module"]) => Context::Machine,
        (_, true) => Context::Statement,
        (_, false) if last == ")" || last == "else" => Context::Statement,
        (_, false) => Context::Value,
    }
}

fn opens_with(before: &[Word], openings: &[&str]) -> bool {
    before.first().is_some_and(|first| openings.contains(&first.text.as_str()))
}

/// Whether the innermost open brace is that of a state.
fn is_in_state(before: &[Word]) -> bool {
    let mut depth = 0;
    for (at, word) in before.iter().enumerate().rev() {
        match word.text.as_str() {
            "}" => depth += 1,
            "{" if depth > 0 => depth -= 1,
            "{" => return at >= 2 && before[at - 2].text == "state",
            _ => {}
        }
    }
    false
}

/// A list of events: the words after `on`, `defer` and so on up to here are names and commas.
fn listed(before: &[Word]) -> Option<Context> {
    let last = before.last()?;
    let is_open = last.text == "," || !last.is_name() || is_list_word(&last.text);
    if !is_open {
        return None;
    }
    let opening = before.iter().rev().find(|word| word.text != "," && (!word.is_name() || is_list_word(&word.text)))?;
    let with_null = matches!(opening.text.as_str(), "on" | "case");
    (is_list_word(&opening.text)).then_some(Context::Event { with_halt: true, with_null })
}

fn is_list_word(word: &str) -> bool {
    matches!(word, "on" | "case" | "defer" | "ignore" | "receives" | "sends" | "observes")
}

fn is_after_default(before: &[Word]) -> bool {
    matches!(before, [.., word, open] if word.text == "default" && open.text == "(")
}

/// After `seq[`, `map[int,` and the like.
fn is_in_type_brackets(before: &[Word]) -> bool {
    let mut depth = 0;
    for (at, word) in before.iter().enumerate().rev() {
        match word.text.as_str() {
            "]" => depth += 1,
            "[" if depth > 0 => depth -= 1,
            "[" => return at > 0 && matches!(before[at - 1].text.as_str(), "seq" | "set" | "map"),
            ";" | "{" | "}" | "(" | ")" => return false,
            _ => {}
        }
    }
    false
}

/// After the first comma of a `send` that has not ended.
fn is_send_event(before: &[Word]) -> bool {
    let Some(send) = before.iter().rposition(|word| matches!(word.text.as_str(), "send" | ";" | "{" | "}")) else { return false };
    if before[send].text != "send" {
        return false;
    }
    let mut depth = 0;
    let mut commas = 0;
    for word in &before[send + 1..] {
        match word.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 0 => commas += 1,
            _ => {}
        }
    }
    commas == 1 && before.last().is_some_and(|last| last.text == ",")
}

/// The colon between the head of a test or implementation and its module.
fn is_module_colon(before: &[Word]) -> bool {
    opens_with(before, &["test", "implementation"])
}

fn type_or_nothing(before: &[Word]) -> Context {
    // `case e: { ... }` has a block, everything else a type.
    let is_case =
        before.iter().rev().take_while(|word| !matches!(word.text.as_str(), ";" | "{" | "}")).any(|word| word.text == "case");
    if is_case { Context::Nothing } else { Context::Type }
}

/// Outside of all braces, in the middle of a declaration.
fn declaration(before: &[Word]) -> Context {
    let last = before.last().map_or("", |word| word.text.as_str());
    let first = before.first().map_or("", |word| word.text.as_str());
    match (first, last) {
        ("test" | "implementation", "=") => Context::Machine,
        ("test", "(") if before.len() <= 4 => Context::Param,
        ("test" | "implementation", ":") | ("module", "=") | (_, "compose" | "union" | "in") => Context::Module,
        (_, "assert") => Context::Spec,
        ("test" | "implementation" | "module", ",") => Context::Module,
        ("type", "=") | ("fun" | "event" | "type" | "param", "(" | ",") => Context::Type,
        ("machine" | "spec" | "scenario", _) => Context::Nothing,
        _ => Context::Nothing,
    }
}

/// The steps of the value that ends here, outermost name first; empty if it is nothing that can be followed.
fn path(before: &[Word]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = before.len();
    loop {
        let Some(last) = at.checked_sub(1).map(|at| &before[at]) else { break };
        match last.text.as_str() {
            "]" | ")" => {
                let Some(open) = opening(before, at - 1) else { return Vec::new() };
                let callee = open.checked_sub(1).map(|at| &before[at]).filter(|word| word.is_name());
                match (last.text.as_str(), callee) {
                    ("]", _) => {
                        steps.push(Step::Element);
                        at = open;
                        continue;
                    }
                    (_, Some(callee)) => {
                        steps.push(Step::Call(callee.text.clone()));
                        at = open - 1;
                    }
                    // What is in parentheses is not followed.
                    (_, None) => return Vec::new(),
                }
            }
            _ if last.is_name() => {
                steps.push(Step::Name(last.text.clone()));
                at -= 1;
            }
            _ => return Vec::new(),
        }
        if at.checked_sub(1).is_none_or(|at| before[at].text != ".") {
            break;
        }
        at -= 1;
    }
    steps.reverse();
    steps
}

/// Where the bracket that closes at `close` opens.
fn opening(before: &[Word], close: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (0..=close).rev() {
        match before[at].text.as_str() {
            ")" | "]" => depth += 1,
            "(" | "[" => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
