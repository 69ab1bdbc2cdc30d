//! Mistakes as diagnostics: the words, and the place where a person looks for them.

use lockstep_base::{Diagnostic, TextRange, TextSize};

use super::codes;
use super::lex::{Token, TokenKind, indentation};
use super::recognizer::Tables;
use super::repair::{Change, Mistake};
use super::rules::Terminal;

/// A longer list of what could stand somewhere explains nothing.
const MOST_CHOICES: usize = 4;

/// Puts mistakes of one segment into words.
pub(super) struct Wording<'a> {
    pub(super) tables: &'a Tables,
    pub(super) text: &'a str,
}

impl Wording<'_> {
    pub(super) fn diagnostic(&self, mistake: &Mistake) -> Diagnostic {
        if mistake.token.is_garbage() && mistake.change == Change::Delete {
            return garbage(&mistake.token, self.found(&mistake.token));
        }
        let mut diagnostic = match (&mistake.change, forced(mistake)) {
            (Change::Insert(terminal), _) => self.missing(mistake, *terminal),
            (Change::Delete, _) => self.unexpected(mistake, &mistake.token),
            (Change::Replace(terminal), _) if self.is_keyword_for_name(mistake, *terminal) => {
                let message = format!("`{}` is a keyword and cannot be used as a name", self.found(&mistake.token));
                Diagnostic::error(codes::SYNTAX, mistake.token.range, message)
            }
            (_, Some((only, before))) => {
                let message = format!("expected {only} after `{}`", self.short(before));
                Diagnostic::error(codes::SYNTAX, mistake.stopped.range, message)
            }
            (Change::Replace(terminal), None) => self.wrong(mistake, *terminal),
            (Change::Swap, None) => {
                self.unexpected(mistake, &mistake.token).with_help("this and the next word seem to have changed places")
            }
            (Change::Skip(_), None) => self.unexpected(mistake, &mistake.stopped),
        };
        if let Some(opener) = mistake.opener.as_ref().filter(|opener| !opener.range.is_empty()) {
            diagnostic = diagnostic.with_related(opener.range, format!("to close this `{}`", self.found(opener)));
        }
        match self.hint(mistake) {
            Some(hint) => diagnostic.with_help(hint),
            None => diagnostic,
        }
    }

    fn missing(&self, mistake: &Mistake, terminal: Terminal) -> Diagnostic {
        let what = mistake.expected.describe(terminal).unwrap_or("something else");
        let begins_line = mistake.token.first_on_line && !mistake.token.range.is_empty();
        let before = mistake.before.as_ref().filter(|before| !before.range.is_empty());
        if begins_line && before.is_some() && !ends_something(&self.tables.rules.terminals[terminal as usize]) {
            let message = format!("expected {what} before `{}`", self.short(&mistake.token));
            return Diagnostic::error(codes::SYNTAX, TextRange::empty(mistake.token.range.start()), message);
        }
        let message = match before {
            Some(before) => format!("expected {what} after `{}`", self.short(before)),
            None => format!("expected {what}"),
        };
        Diagnostic::error(codes::SYNTAX, self.place_after(mistake), message)
    }

    /// Something missing belongs right after what precedes it; a missing closing brace, where an empty line is left for it.
    fn place_after(&self, mistake: &Mistake) -> TextRange {
        let Some(before) = &mistake.before else {
            return TextRange::empty(mistake.token.range.start());
        };
        let end = before.range.end();
        let Some(opener) = mistake.opener.as_ref().filter(|opener| opener.line != before.line) else {
            return TextRange::empty(end);
        };
        let gap = &self.text[TextRange::new(end, mistake.token.range.start().max(end))];
        let mut at = end;
        for (index, line) in gap.split_inclusive('\n').enumerate() {
            let blank = line.trim_end_matches(['\r', '\n']);
            let whole = line.ends_with('\n') || mistake.token.range.is_empty();
            if index > 0 && whole && blank.trim().is_empty() && indentation(blank) == opener.indent {
                return TextRange::empty(at + TextSize::of(blank));
            }
            at += TextSize::of(line);
        }
        TextRange::empty(end)
    }

    fn is_keyword_for_name(&self, mistake: &Mistake, terminal: Terminal) -> bool {
        let is_value = matches!(self.found(&mistake.token), "null" | "halt" | "this" | "true" | "false");
        self.tables.rules.terminals[terminal as usize] == "identifier" && mistake.token.kind == TokenKind::Word && !is_value
    }

    fn wrong(&self, mistake: &Mistake, terminal: Terminal) -> Diagnostic {
        let what = mistake.expected.describe(terminal).unwrap_or("something else");
        let message = format!("expected {what}, found `{}`", self.short(&mistake.token));
        Diagnostic::error(codes::SYNTAX, mistake.token.range, message)
    }

    fn unexpected(&self, mistake: &Mistake, token: &Token) -> Diagnostic {
        let expected = if token.range == mistake.stopped.range { &mistake.expected_when_stopped } else { &mistake.expected };
        let itself = format!("`{}`", self.found(token));
        let choices: Vec<&str> = expected.choices.iter().map(String::as_str).filter(|choice| *choice != itself).collect();
        let what = if token.range.is_empty() { "end of the text".to_owned() } else { format!("`{}`", self.short(token)) };
        let message = if (1..=MOST_CHOICES).contains(&choices.len()) {
            format!("unexpected {what}, expected {}", list(&choices))
        } else {
            format!("unexpected {what}")
        };
        let range = match &mistake.before_stop {
            Some(before) if token.range.is_empty() => TextRange::empty(before.range.end()),
            _ => token.range,
        };
        Diagnostic::error(codes::SYNTAX, range, message)
    }

    /// Advice for what people coming from other languages write.
    fn hint(&self, mistake: &Mistake) -> Option<&'static str> {
        let (token, stopped) = (self.found(&mistake.token), self.found(&mistake.stopped));
        let before = mistake.before.as_ref().map_or("", |before| self.found(before));
        let asking = || mistake.expected_when_stopped.asking.iter().chain(&mistake.expected.asking);
        let asks = |rule: &str, symbol: &str| asking().any(|(asking, asked)| asking == rule && asked == symbol);
        if stopped == "=" && asks("variable_declaration", ";") {
            Some("a variable has no initial value: assign it in a statement of its own")
        } else if asks("insert_statement", "(") {
            Some("write `+= (value)` to add to a set, `+= (index, value)` to add to a sequence or a map")
        } else if asks("named_tuple_expression", ",") && stopped == ")" {
            Some("a named tuple of one field ends in a comma: `(field = value,)`")
        } else if stopped == "var" && asks("block", "_statement") {
            Some("variables are declared at the start of a function or handler, before its statements")
        } else if token == ";" && before == "}" && mistake.change == Change::Delete {
            Some("no `;` stands after a closing brace")
        } else {
            None
        }
    }

    fn found(&self, token: &Token) -> &str {
        &self.text[token.range]
    }

    /// The token's text, cut to what fits into a message.
    fn short(&self, token: &Token) -> String {
        let text = self.found(token);
        let line = text.lines().next().unwrap_or(text);
        if line.chars().count() <= 40 && line.len() == text.len() {
            return text.to_owned();
        }
        line.chars().take(37).chain("...".chars()).collect()
    }
}

/// Where the grammar leaves no choice, what it wants says more than how the text could be mended otherwise.
fn forced(mistake: &Mistake) -> Option<(&str, &Token)> {
    Some((mistake.expected_when_stopped.only()?, mistake.before_stop.as_ref()?))
}

/// Whether a token belongs to what stands before it; anything else belongs to what follows, when that begins a line.
fn ends_something(token: &str) -> bool {
    matches!(token, ";" | "," | ")" | "]" | "}" | "{" | "(" | "[" | ":" | "=")
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

fn list(choices: &[&str]) -> String {
    match choices {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
