//! Mistakes as diagnostics: the words, and the place where a person looks for them.

use lockstep_base::{Diagnostic, TextRange, TextSize};

use super::codes;
use super::hints::{self, Context};
use super::lex::{Token, TokenKind, indentation};
use super::recognizer::Tables;
use super::repair::{Change, Mistake};
use super::rules::Terminal;

/// A longer list of what could stand somewhere explains nothing.
const MOST_CHOICES: usize = 7;

/// Puts mistakes of one segment into words.
pub(super) struct Wording<'a> {
    pub(super) tables: &'a Tables,
    pub(super) text: &'a str,
}

impl Wording<'_> {
    pub(super) fn diagnostic(&self, mistake: &Mistake) -> Diagnostic {
        if mistake.token.kind == TokenKind::Garbage && mistake.change == Change::Delete {
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
            // Of several keywords one is as good as another.
            (Change::Replace(terminal), None) if self.tables.rules.reserved.contains(terminal) => {
                self.unexpected(mistake, &mistake.token)
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
        let text = self.tables.rules.terminals[terminal as usize].as_str();
        // A bracket may begin a statement or an expression, but it is the bracket that is missing.
        let what = match text {
            "{" | "(" | "[" | "}" | ")" | "]" => format!("`{text}`"),
            _ => mistake.expected.describe(terminal).unwrap_or("something else").to_owned(),
        };
        let begins_line = mistake.token.first_on_line && !mistake.token.range.is_empty();
        let before = mistake.before.as_ref().filter(|before| !before.range.is_empty());
        if begins_line && before.is_some() && !ends_something(text) {
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

    /// Advice for slips of the keyboard and for what people coming from other languages write.
    fn hint(&self, mistake: &Mistake) -> Option<String> {
        let context = Context {
            token: self.found(&mistake.token),
            stopped: self.found(&mistake.stopped),
            before: mistake.before.as_ref().map_or("", |before| self.found(before)),
            before_stop: mistake.before_stop.as_ref().map_or("", |before| self.found(before)),
            after: &self.text[usize::from(mistake.stopped.range.end())..],
            line_start: mistake.line_start.as_ref().map_or("", |first| self.found(first)),
            is_keyword: &|word| self.tables.rules.terminals.iter().any(|terminal| terminal == word),
            mistake,
        };
        hints::habit(&context).map(str::to_owned).or_else(|| self.did_you_mean(mistake))
    }

    /// A keyword that could stand here and looks like the word that stands here.
    fn did_you_mean(&self, mistake: &Mistake) -> Option<String> {
        let places = [(&mistake.token, &mistake.expected), (&mistake.stopped, &mistake.expected_when_stopped)];
        let near = places.into_iter().filter(|(token, _)| token.kind == TokenKind::Word).find_map(|(token, expected)| {
            let word = self.found(token);
            let distance = |keyword: &str| strsim::damerau_levenshtein(&word.to_lowercase(), keyword);
            let (distance, keyword) = expected.keywords(self.tables).map(|keyword| (distance(keyword), keyword)).min()?;
            (distance <= 2 && distance * 2 < word.len() && word != keyword).then_some(keyword)
        });
        // `While (x) { }` reads as a call up to the brace.
        let line_start = mistake.line_start.as_ref().map_or("", |first| self.found(first));
        let miscapitalised =
            || self.keywords().find(|keyword| *keyword != line_start && line_start.eq_ignore_ascii_case(keyword));
        near.or_else(miscapitalised).map(|keyword| format!("did you mean `{keyword}`?"))
    }

    fn keywords(&self) -> impl Iterator<Item = &str> {
        self.tables.rules.reserved.iter().map(|terminal| self.tables.rules.terminals[*terminal as usize].as_str())
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
    let character = found.chars().next().unwrap_or(' ');
    let shown = if character.is_alphanumeric() || character.is_ascii_graphic() {
        format!("`{character}`")
    } else {
        format!("U+{:04X}", u32::from(character))
    };
    Diagnostic::error(codes::CHARACTER, token.range, format!("unexpected character {shown}"))
}

fn list(choices: &[&str]) -> String {
    match choices {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
