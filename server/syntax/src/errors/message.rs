//! Mistakes as diagnostics: the words, and the place where a person looks for them.

use lockstep_base::{Diagnostic, TextRange, TextSize};

use super::codes;
use super::lex::{Token, TokenKind};
use super::recognizer::Tables;
use super::repair::{Change, Mistake};

/// A longer list of what could stand somewhere explains nothing.
const MOST_CHOICES: usize = 4;

/// `text` is the broken part of the file, starting at `start`.
pub(super) fn diagnostic(tables: &Tables, mistake: &Mistake, text: &str, start: TextSize) -> Diagnostic {
    let found = |token: &Token| &text[token.range - start];
    if mistake.token.is_garbage() && mistake.change == Change::Delete {
        return garbage(&mistake.token, found(&mistake.token));
    }
    let mut diagnostic = match mistake.change {
        Change::Insert(terminal) => {
            let what = mistake.expected.describe(terminal).unwrap_or("something else");
            let begins_line = mistake.token.first_on_line && !mistake.token.range.is_empty();
            let message = match &mistake.before {
                Some(_) if begins_line && !ends_something(&tables.rules.terminals[terminal as usize]) => {
                    let place = TextRange::empty(mistake.token.range.start());
                    let message = format!("expected {what} before `{}`", short(found(&mistake.token)));
                    return Diagnostic::error(codes::SYNTAX, place, message);
                }
                Some(before) if !before.range.is_empty() => format!("expected {what} after `{}`", short(found(before))),
                _ => format!("expected {what}"),
            };
            Diagnostic::error(codes::SYNTAX, insertion_place(mistake, text, start), message)
        }
        Change::Delete => unexpected(mistake, &mistake.token, found(&mistake.token)),
        Change::Replace(terminal) => {
            let token = &mistake.token;
            let is_name = tables.rules.terminals[terminal as usize] == "identifier";
            let is_value = matches!(found(token), "null" | "halt" | "this" | "true" | "false");
            let message = if is_name && token.kind == TokenKind::Word && !is_value {
                format!("`{}` is a keyword and cannot be used as a name", found(token))
            } else {
                let what = mistake.expected.describe(terminal).unwrap_or("something else");
                format!("expected {what}, found `{}`", short(found(token)))
            };
            Diagnostic::error(codes::SYNTAX, token.range, message)
        }
        Change::Swap => unexpected(mistake, &mistake.token, found(&mistake.token))
            .with_help("this and the next word seem to have changed places"),
        Change::Skip(_) => unexpected(mistake, &mistake.stopped, found(&mistake.stopped)),
    };
    if let Some(opener) = &mistake.opener {
        let opening = found(opener);
        if !opener.range.is_empty() {
            diagnostic = diagnostic.with_related(opener.range, format!("to close this `{opening}`"));
        }
    }
    match hint(mistake, found(&mistake.token), found(&mistake.stopped)) {
        Some(hint) => diagnostic.with_help(hint),
        None => diagnostic,
    }
}

/// Whether a token belongs to what stands before it; anything else belongs to what follows, when that begins a line.
fn ends_something(token: &str) -> bool {
    matches!(token, ";" | "," | ")" | "]" | "}" | "{" | "(" | "[" | ":" | "=")
}

fn unexpected(mistake: &Mistake, token: &Token, found: &str) -> Diagnostic {
    let itself = format!("`{found}`");
    let choices: Vec<String> = mistake.expected.choices.iter().filter(|choice| **choice != itself).cloned().collect();
    let what = if found.is_empty() { "end of the text".to_owned() } else { format!("`{}`", short(found)) };
    let message = if (1..=MOST_CHOICES).contains(&choices.len()) {
        format!("unexpected {what}, expected {}", list(&choices))
    } else {
        format!("unexpected {what}")
    };
    Diagnostic::error(codes::SYNTAX, token.range, message)
}

fn garbage(token: &Token, found: &str) -> Diagnostic {
    match token.kind {
        TokenKind::UnclosedComment => {
            let opening = TextRange::at(token.range.start(), TextSize::of("/*"));
            Diagnostic::error(codes::UNCLOSED_COMMENT, opening, "this comment is never closed").with_help("close it with `*/`")
        }
        _ => {
            let character = found.chars().next().unwrap_or(' ');
            let shown = if character.is_alphanumeric() || character.is_ascii_graphic() {
                format!("`{character}`")
            } else {
                format!("U+{:04X}", u32::from(character))
            };
            Diagnostic::error(codes::CHARACTER, token.range, format!("unexpected character {shown}"))
        }
    }
}

/// Something missing belongs right after what precedes it; a missing closing brace, where an empty line is left for it.
fn insertion_place(mistake: &Mistake, text: &str, start: TextSize) -> TextRange {
    let Some(before) = &mistake.before else {
        return TextRange::empty(mistake.token.range.start());
    };
    let end = before.range.end();
    let gap = &text[TextRange::new(end, mistake.token.range.start().max(end)) - start];
    if let Some(opener) = &mistake.opener {
        let mut at = end;
        for (index, line) in gap.split_inclusive('\n').enumerate() {
            let blank = line.trim_end_matches(['\r', '\n']);
            let indent: u32 = blank.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum();
            let ends = line.ends_with('\n') || mistake.token.range.is_empty();
            if index > 0 && ends && blank.trim().is_empty() && indent == opener.indent && opener.line != before.line {
                return TextRange::empty(at + TextSize::of(blank));
            }
            at += TextSize::of(line);
        }
    }
    TextRange::empty(end)
}

/// Advice for what people coming from other languages write.
fn hint(mistake: &Mistake, token: &str, stopped: &str) -> Option<&'static str> {
    let asks = |rule: &str, symbol: &str| mistake.expected.asking.iter().any(|(asking, asked)| asking == rule && asked == symbol);
    if token == "=" && asks("variable_declaration", ";") {
        Some("a variable has no initial value of its own: assign it in a statement of its own")
    } else if asks("insert_statement", "(") {
        Some("write `+= (value)` to add to a set, `+= (index, value)` to add to a sequence or a map")
    } else if asks("named_tuple_expression", ",") && stopped == ")" {
        Some("a named tuple of one field ends in a comma: `(field = value,)`")
    } else if stopped == "var" && asks("block", "statement") {
        Some("variables are declared at the start of a function or handler, before its statements")
    } else if stopped == ";"
        && mistake.before.as_ref().is_some_and(|before| before.range.len() == TextSize::of('}'))
        && token == ";"
    {
        Some("no `;` stands after a closing brace")
    } else {
        None
    }
}

fn list(choices: &[String]) -> String {
    match choices {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or(text);
    if line.chars().count() <= 40 && line.len() == text.len() {
        return text.to_owned();
    }
    line.chars().take(37).chain("...".chars()).collect()
}
