//! Tokens of a text, for the syntax-error reporter.
//!
//! P and IceT share their lexical rules: names, whole numbers, double-quoted strings, `//` and `/* */` comments, and the
//! literal tokens of the grammar. A character that begins no token becomes a token of its own that nothing accepts.

use lockstep_base::{TextRange, TextSize};
use rustc_hash::FxHashMap;

use super::rules::{Rules, Terminal};

#[derive(Clone, Debug)]
pub(super) struct Token {
    /// The terminals this token can be read as: at most a literal and a pattern. None for garbage.
    pub(super) terminals: Vec<Terminal>,
    pub(super) kind: TokenKind,
    pub(super) range: TextRange,
    /// The line it starts on, counted from the start of the text.
    pub(super) line: u32,
    /// How far the first token of this line is indented (a tab counts as four).
    pub(super) indent: u32,
    pub(super) first_on_line: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    String,
    Symbol,
    /// A word with letters that are none in a name.
    ForeignWord,
    /// A string in quotes of another language.
    ForeignString,
    /// Not closed on its line, where it must be.
    UnclosedString,
    Garbage,
}

#[derive(Debug)]
pub(super) struct Lexer {
    words: FxHashMap<String, (Terminal, bool)>,
    /// Literals that are not words, longest first.
    symbols: Vec<(String, Terminal)>,
    identifier: Terminal,
    integer: Terminal,
    string: Terminal,
    strings_span_lines: bool,
}

impl Lexer {
    pub(super) fn new(rules: &Rules) -> Self {
        let pattern = |name: &str| {
            let at = rules.terminals.iter().rposition(|terminal| terminal == name);
            Terminal::try_from(at.expect("the pattern exists")).expect("few terminals")
        };
        let mut words = FxHashMap::default();
        let mut symbols = Vec::new();
        for (id, literal) in (0..rules.first_pattern).zip(&rules.terminals) {
            if literal.chars().all(is_word) {
                words.insert(literal.clone(), (id, rules.reserved.contains(&id)));
            } else {
                symbols.push((literal.clone(), id));
            }
        }
        symbols.sort_by_key(|(literal, _)| std::cmp::Reverse(literal.len()));
        Self {
            words,
            symbols,
            identifier: pattern("identifier"),
            integer: pattern("integer"),
            string: pattern("string"),
            strings_span_lines: rules.strings_span_lines,
        }
    }

    pub(super) fn tokens(&self, text: &str) -> Vec<Token> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut lines = Lines::default();
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            if let Some(length) = blank(rest) {
                at += length;
                continue;
            }
            let (kind, terminals, length) = self.token(rest, first);
            let (line, indent, first_on_line) = lines.place(text, at);
            let range = TextRange::at(size(at), size(length));
            tokens.push(Token { terminals, kind, range, line, indent, first_on_line });
            at += length;
        }
        tokens
    }

    fn token(&self, rest: &str, first: char) -> (TokenKind, Vec<Terminal>, usize) {
        if let Some(close) = foreign_quote(first)
            && let Some(end) = rest.lines().next().and_then(|line| line[first.len_utf8()..].find(close))
        {
            return (TokenKind::ForeignString, vec![self.string], first.len_utf8() + end + close.len_utf8());
        }
        // `init-condition` is one token although it is no word.
        let symbol = self.symbols.iter().find(|(literal, _)| rest.starts_with(literal.as_str()) && ends_there(rest, literal));
        if let Some((literal, terminal)) = symbol {
            return (TokenKind::Symbol, vec![*terminal], literal.len());
        }
        if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            return (TokenKind::Number, vec![self.integer], length);
        }
        if is_word(first) {
            let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            if rest[length..].starts_with(char::is_alphabetic) {
                let length = rest.find(|c: char| !is_word(c) && !c.is_alphanumeric()).unwrap_or(rest.len());
                return (TokenKind::ForeignWord, vec![self.identifier], length);
            }
            let terminals = match self.words.get(&rest[..length]) {
                Some(&(word, true)) => vec![word],
                Some(&(word, false)) => vec![word, self.identifier],
                None => vec![self.identifier],
            };
            return (TokenKind::Word, terminals, length);
        }
        if first.is_alphabetic() {
            let length = rest.find(|c: char| !is_word(c) && !c.is_alphanumeric()).unwrap_or(rest.len());
            return (TokenKind::ForeignWord, vec![self.identifier], length);
        }
        if first == '"' {
            return match string_end(rest, self.strings_span_lines) {
                Some(length) => (TokenKind::String, vec![self.string], length),
                None => (TokenKind::UnclosedString, vec![self.string], rest.lines().next().unwrap_or(rest).len()),
            };
        }
        (TokenKind::Garbage, vec![], first.len_utf8())
    }
}

/// What closes a quotation that P and IceT do not have.
fn foreign_quote(open: char) -> Option<char> {
    match open {
        '\'' | '`' => Some(open),
        '“' | '”' | '„' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// How many bytes of white space or comment `rest` begins with.
fn blank(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        Some(rest.find(['\r', '\n']).unwrap_or(rest.len()))
    } else if let Some(comment) = rest.strip_prefix("/*") {
        comment.find("*/").map(|end| "/*".len() + end + "*/".len())
    } else {
        let blank = rest.find(|c| !matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0c' | '\u{feff}')).unwrap_or(rest.len());
        (blank > 0).then_some(blank)
    }
}

fn ends_there(rest: &str, literal: &str) -> bool {
    !literal.ends_with(is_word) || !rest[literal.len()..].starts_with(is_word)
}

/// The length of the string that `rest` begins with, or `None` if it is not closed.
fn string_end(rest: &str, may_span_lines: bool) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            '\n' | '\r' if !may_span_lines => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// How wide the white space at a line's start is; a tab counts as four.
pub(super) fn indentation(blank: &str) -> u32 {
    blank.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
}

fn size(length: usize) -> TextSize {
    TextSize::try_from(length).expect("texts are smaller than 4 GiB")
}

/// Counts lines as the lexer goes.
#[derive(Default)]
struct Lines {
    scanned: usize,
    line: u32,
    line_start: usize,
    last_token_line: Option<u32>,
    indent: u32,
}

impl Lines {
    fn place(&mut self, text: &str, at: usize) -> (u32, u32, bool) {
        let bytes = &text.as_bytes()[..at];
        for (offset, byte) in bytes[self.scanned..].iter().enumerate() {
            let is_pair = *byte == b'\r' && bytes.get(self.scanned + offset + 1) == Some(&b'\n');
            if matches!(byte, b'\n' | b'\r') && !is_pair {
                self.line += 1;
                self.line_start = self.scanned + offset + 1;
            }
        }
        self.scanned = at;
        let first_on_line = self.last_token_line != Some(self.line);
        if first_on_line {
            self.indent = indentation(&text[self.line_start..at]);
            self.last_token_line = Some(self.line);
        }
        (self.line, self.indent, first_on_line)
    }
}
