//! Syntax errors a person understands: what was expected, where it belongs, one error for one mistake.
//!
//! Tree-sitter tells quickly *that* and roughly *where* a text is broken, but not what it expected, and one slip often gives
//! several error nodes. So the broken segment alone is read again by a recogniser that interprets the same grammar (`rules`,
//! `recognizer`), the smallest change that mends it is searched (`repair`), and the change is put into words (`expected`,
//! `message`). A text without tree-sitter errors never comes here.

mod expected;
mod hints;
mod lex;
mod message;
mod recognizer;
mod repair;
mod rules;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use lockstep_base::{Diagnostic, TextRange, TextSize};
use tree_sitter::Tree;

use self::lex::{Lexer, Token, TokenKind};
use self::message::Wording;
use self::recognizer::Tables;
use self::repair::Mistake;
use self::rules::Rules;
use crate::Language;
use crate::parse::offset;

/// The stable codes of what this crate reports.
pub mod codes {
    pub const SYNTAX: &str = "LS0001";
    pub const CHARACTER: &str = "LS0002";
    pub const UNCLOSED_STRING: &str = "LS0003";
    pub const UNCLOSED_COMMENT: &str = "LS0004";
    pub const RESERVED_NAME: &str = "LS0005";
    pub const TOO_DEEP: &str = "LS0006";
}

/// A broken segment with more tokens than this is reported by tree-sitter's error nodes only.
const MOST_TOKENS: usize = 100_000;

struct Reporter {
    tables: Tables,
    lexer: Lexer,
}

impl Reporter {
    fn new(grammar_json: &str) -> Self {
        let rules = Rules::read(grammar_json);
        let lexer = Lexer::new(&rules);
        Self { tables: Tables::new(rules), lexer }
    }

    fn of(language: Language) -> &'static Self {
        static P: LazyLock<Reporter> = LazyLock::new(|| Reporter::new(tree_sitter_p::p::GRAMMAR));
        static ICET: LazyLock<Reporter> = LazyLock::new(|| Reporter::new(tree_sitter_p::icet::GRAMMAR));
        match language {
            Language::P => &P,
            Language::Icet => &ICET,
        }
    }
}

/// The syntax errors of a parsed segment, in order of their place. Only the first `read` bytes of it are in the tree; there a
/// comment or string begins that does not end.
pub(crate) fn syntax_errors(language: Language, text: &str, read: usize, tree: &Tree) -> Vec<Diagnostic> {
    let unclosed = (read < text.len()).then(|| unclosed(&text[read..], offset(read)));
    if !tree.root_node().has_error() {
        return unclosed.into_iter().collect();
    }
    let mut diagnostics = errors_in(language, &text[..read], unclosed.is_some());
    if diagnostics.is_empty() && unclosed.is_none() {
        // The recogniser sees nothing wrong or gave up, tree-sitter does: trust the one that says so.
        diagnostics = error_nodes(tree);
    }
    // After one string that was not closed, every quote opens where another should close.
    let is_known = diagnostics.iter().any(|known| known.code == codes::UNCLOSED_STRING);
    diagnostics.extend(unclosed.filter(|unclosed| unclosed.code != codes::UNCLOSED_STRING || !is_known));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    explain_missing_opening(text, &mut diagnostics);
    diagnostics
}

/// A string without end, and before it errors on a line with an odd number of quotes: the words there are a string whose opening quote
/// is missing, and from there on every quote opens where another should close.
fn explain_missing_opening(text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let Some(last) = diagnostics.iter().position(|error| error.code == codes::UNCLOSED_STRING) else { return };
    let lines = diagnostics[..last].iter().map(|error| line_around(text, error.range.start().into()));
    let odd = lines.enumerate().find(|(_, line)| text[line.clone()].matches('"').count() % 2 == 1);
    if let Some((first, line)) = odd
        && let Some(quote) = text[line.clone()].rfind('"')
    {
        let mut error = unclosed("\"", offset(line.start + quote));
        error.help = Some("if it is the end of a string, write the `\"` that opens it".to_owned());
        diagnostics.splice(first..=last, [error]);
    }
}

fn line_around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    start..text[at..].find('\n').map_or(text.len(), |length| at + length)
}

fn errors_in(language: Language, text: &str, is_cut: bool) -> Vec<Diagnostic> {
    let reporter = Reporter::of(language);
    let tokens = reporter.lexer.tokens(text);
    if tokens.len() > MOST_TOKENS {
        return Vec::new();
    }
    let mut diagnostics = foreign_tokens(&tokens, text);
    let line = tokens.last().map_or(0, |token| token.line + 1);
    let range = TextRange::empty(TextSize::of(text));
    let end = Token { terminals: vec![], kind: TokenKind::Symbol, range, line, indent: 0, first_on_line: true };
    let mut mistakes = repair::mistakes(&reporter.tables, tokens, end);
    if is_cut {
        // What seems to be missing at the end stands behind the unclosed comment or string.
        mistakes.retain(|mistake| !mistake.stopped.range.is_empty());
    }
    if let Some((first, string)) = swallowing_string(&mistakes, text) {
        mistakes.truncate(first);
        diagnostics.push(unclosed(&text[string..], offset(string)));
    }
    let wording = Wording { tables: &reporter.tables, text };
    diagnostics.extend(mistakes.iter().map(|mistake| wording.diagnostic(mistake)));
    if let [.., last] = &diagnostics[..]
        && mistakes.len() >= repair::MOST
    {
        let message = format!("there may be more mistakes behind this one; the first {} of this part are shown", repair::MOST);
        diagnostics.push(Diagnostic::error(codes::SYNTAX, last.range, message));
    }
    diagnostics
}

/// A string that was not closed ends at the opening quote of the next one, lines later, and there reading stops: the first
/// mistake at such a place, and where the string begins. What follows it cannot be trusted.
fn swallowing_string(mistakes: &[Mistake], text: &str) -> Option<(usize, usize)> {
    mistakes.iter().enumerate().find_map(|(index, mistake)| {
        let around = [mistake.before_stop.as_ref(), Some(&mistake.stopped)];
        let string = around
            .into_iter()
            .flatten()
            .find(|token| token.kind == TokenKind::String && text[token.range].contains(['\n', '\r']))?;
        Some((index, usize::from(string.range.start())))
    })
}

/// `rest` begins with a comment or string that does not end.
fn unclosed(rest: &str, start: TextSize) -> Diagnostic {
    if rest.starts_with('"') {
        let quote = TextRange::at(start, TextSize::of('"'));
        Diagnostic::error(codes::UNCLOSED_STRING, quote, "this string does not end").with_help("close it with `\"`")
    } else {
        let opening = TextRange::at(start, TextSize::of("/*"));
        Diagnostic::error(codes::UNCLOSED_COMMENT, opening, "this comment does not end").with_help("close it with `*/`")
    }
}

/// Words and strings as other languages have them; they are read as names and strings.
fn foreign_tokens(tokens: &[Token], text: &str) -> Vec<Diagnostic> {
    let found = tokens.iter().filter_map(|token| {
        let message = match token.kind {
            TokenKind::ForeignWord => {
                format!("`{}` is no name: a name has only the letters a to z, digits and `_`", &text[token.range])
            }
            TokenKind::UnclosedString => return Some(unclosed(&text[token.range], token.range.start())),
            TokenKind::ForeignString => "strings are written between `\"`".to_owned(),
            _ => return None,
        };
        Some(Diagnostic::error(codes::CHARACTER, token.range, message))
    });
    found.take(repair::MOST).collect()
}

/// What tree-sitter passed by.
pub(crate) fn lost(tree: &Tree) -> Vec<TextRange> {
    error_nodes(tree).into_iter().map(|error| error.range).filter(|range| !range.is_empty()).collect()
}

/// Tree-sitter's own view: the first outermost error nodes and missing tokens.
fn error_nodes(tree: &Tree) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut cursor = tree.walk();
    let mut descend = true;
    loop {
        let node = cursor.node();
        let range = TextRange::new(offset(node.start_byte()), offset(node.end_byte()));
        if descend {
            if node.is_missing() {
                diagnostics.push(Diagnostic::error(codes::SYNTAX, range, format!("expected `{}`", node.kind())));
            } else if node.is_error() {
                diagnostics.push(Diagnostic::error(codes::SYNTAX, range, "this cannot be read"));
            }
        }
        descend = descend && node.has_error() && !node.is_error() && cursor.goto_first_child();
        if !descend {
            if cursor.goto_next_sibling() {
                descend = true;
            } else if !cursor.goto_parent() || diagnostics.len() >= repair::MOST {
                return diagnostics;
            }
        }
    }
}
