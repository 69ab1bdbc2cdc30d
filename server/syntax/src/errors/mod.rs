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

use std::sync::LazyLock;

use lockstep_base::{Diagnostic, TextRange, TextSize};
use tree_sitter::Tree;

use self::lex::{Lexer, Token, TokenKind};
use self::message::Wording;
use self::recognizer::Tables;
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

/// The syntax errors of a parsed segment, in order of their place.
pub(crate) fn syntax_errors(language: Language, text: &str, tree: &Tree) -> Vec<Diagnostic> {
    if !tree.root_node().has_error() {
        return Vec::new();
    }
    let mut diagnostics = errors_in(language, text);
    if diagnostics.is_empty() {
        // The recogniser sees nothing wrong or gave up, tree-sitter does: trust the one that says so.
        diagnostics = error_nodes(tree);
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
    diagnostics
}

fn errors_in(language: Language, text: &str) -> Vec<Diagnostic> {
    let reporter = Reporter::of(language);
    let mut tokens = reporter.lexer.tokens(text);
    if tokens.len() > MOST_TOKENS {
        return Vec::new();
    }
    let mut diagnostics = foreign_tokens(&tokens, text);
    let cut = unclosed_string(&mut tokens, text);
    let line = tokens.last().map_or(0, |token| token.line + 1);
    let range = TextRange::empty(TextSize::of(text));
    let end = Token { terminals: vec![], kind: TokenKind::Symbol, range, line, indent: 0, first_on_line: true };
    let mut mistakes = repair::mistakes(&reporter.tables, tokens, end);
    let swallowed = mistakes.iter().any(|mistake| mistake.token.kind == TokenKind::UnclosedComment);
    if cut.is_some() || swallowed {
        // Nothing was read behind an unclosed string or comment: that the text seems to end there is no mistake.
        mistakes.retain(|mistake| !mistake.stopped.range.is_empty());
    }
    diagnostics.extend(cut);
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

/// Words and strings as other languages have them; they are read as names and strings.
fn foreign_tokens(tokens: &[Token], text: &str) -> Vec<Diagnostic> {
    let found = tokens.iter().filter_map(|token| {
        let message = match token.kind {
            TokenKind::ForeignWord => {
                format!("`{}` is no name: a name has only the letters a to z, digits and `_`", &text[token.range])
            }
            TokenKind::ForeignString => "strings are written between `\"`".to_owned(),
            _ => return None,
        };
        Some(Diagnostic::error(codes::CHARACTER, token.range, message))
    });
    found.take(repair::MOST).collect()
}

/// A string that reaches over a line end is legal but hardly ever meant: in a broken part it is the likely mistake. Reports
/// the first one and cuts the tokens off there, because what follows cannot be trusted any more.
fn unclosed_string(tokens: &mut Vec<Token>, text: &str) -> Option<Diagnostic> {
    let at = tokens.iter().position(|token| match token.kind {
        TokenKind::UnclosedString => true,
        TokenKind::String => text[token.range].contains('\n'),
        _ => false,
    })?;
    let quote = TextRange::at(tokens[at].range.start(), TextSize::of('"'));
    tokens.truncate(at);
    let message = "this string is not closed on its line";
    Some(Diagnostic::error(codes::UNCLOSED_STRING, quote, message).with_help("close it with `\"`"))
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
