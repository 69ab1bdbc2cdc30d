//! Cuts a text into segments that can be parsed on their own.
//!
//! A segment starts where a line begins, without indentation, with a word that opens a declaration. It holds whole declarations
//! whenever the text is well-formed: where brackets are still open at a cut, the pieces are put together again. So a mistake
//! stays inside its segment, an edit concerns one segment only, and a segment's meaning depends on its own text alone, never on
//! what was typed before.
//!
//! A cut too few only makes a segment longer. A cut too many would break a correct program, hence the care with words that
//! are also types or names: `machine M` opens a declaration, `machine)` does not.

use std::ops::Range;

use lockstep_base::{Text, TextRange};

use crate::Language;
use crate::parse::{Change, offset};

/// Pieces put together at most; more than any program with its declarations at the margin needs.
const MOST_PIECES: usize = 2_000;

/// The cuts of one version of a text.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    /// In order, the first at 0.
    pieces: Vec<Piece>,
    len: usize,
    /// Where a comment or string begins that does not end: nothing is read from there on.
    unclosed: Option<usize>,
}

impl Pieces {
    pub(crate) fn new(language: Language, text: &Text) -> Self {
        let source = text.to_string();
        let mut scanner = Scanner::new(language, &source, 0);
        while scanner.read_to_next_cut() {}
        Self { pieces: scanner.pieces, len: source.len(), unclosed: scanner.unclosed }
    }

    /// The cuts of `text`, which differs from the text of these pieces by `change`. Whether a line is a cut depends on that line
    /// and on being outside comments and strings, which every cut is: so reading starts at a cut before the change and ends
    /// at the first old cut behind it.
    pub(crate) fn changed(&self, language: Language, text: &Text, change: Change) -> Self {
        let touched = self.pieces.partition_point(|piece| piece.start <= change.start) - 1;
        let first = touched.saturating_sub(1);
        let start = self.pieces[first].start;
        let len = usize::from(text.len());
        let source = text.slice(TextRange::new(offset(start), text.len()));
        let mut scanner = Scanner::new(language, &source, start);
        let mut kept = &self.pieces[self.pieces.len()..];
        while scanner.read_to_next_cut() {
            let cut = scanner.pieces[scanner.pieces.len() - 1].start;
            if let Some(old) = change.old_offset(cut)
                && let Ok(index) = self.pieces.binary_search_by_key(&old, |piece| piece.start)
            {
                kept = &self.pieces[index..];
                scanner.pieces.pop();
                scanner.unclosed = self.unclosed.map(|unclosed| unclosed - change.old_end + change.new_end);
                break;
            }
        }
        let mut pieces = self.pieces[..first].to_vec();
        pieces.append(&mut scanner.pieces);
        pieces.extend(kept.iter().map(|piece| Piece { start: piece.start - change.old_end + change.new_end, ..*piece }));
        Self { pieces, len, unclosed: scanner.unclosed }
    }

    /// Where the text of the last segment stops being readable, if it does.
    pub(crate) fn unclosed(&self) -> Option<usize> {
        self.unclosed
    }

    /// The segments' byte ranges, in order, covering the text.
    pub(crate) fn segments(&self) -> Vec<Range<usize>> {
        let mut segments = Vec::new();
        let mut at = 0;
        while at < self.pieces.len() {
            let count = whole_pieces(&self.pieces[at..]);
            let end = self.pieces.get(at + count).map_or(self.len, |next| next.start);
            segments.push(self.pieces[at].start..end);
            at += count;
        }
        segments
    }
}

/// How many pieces it takes until all brackets are closed; one if they never are.
fn whole_pieces(pieces: &[Piece]) -> usize {
    let mut open = [0; 3];
    for (index, piece) in pieces.iter().take(MOST_PIECES).enumerate() {
        for (kind, open) in open.iter_mut().enumerate() {
            if *open + piece.lowest[kind] < 0 {
                return 1;
            }
            *open += piece.open[kind];
        }
        if open == [0; 3] {
            return index + 1;
        }
    }
    1
}

/// The text between two cuts.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    start: usize,
    /// Brackets of each kind opened minus closed, and the lowest that number was on the way.
    open: [i32; 3],
    lowest: [i32; 3],
}

impl Piece {
    fn open(&mut self, kind: usize) {
        self.open[kind] += 1;
    }

    fn close(&mut self, kind: usize) {
        self.open[kind] -= 1;
        self.lowest[kind] = self.lowest[kind].min(self.open[kind]);
    }
}

/// Reads a text from a cut on.
struct Scanner<'t> {
    language: Language,
    text: &'t str,
    bytes: &'t [u8],
    /// Where the text starts in the file.
    start: usize,
    at: usize,
    pieces: Vec<Piece>,
    unclosed: Option<usize>,
}

impl<'t> Scanner<'t> {
    fn new(language: Language, text: &'t str, start: usize) -> Self {
        let first = Piece { start, ..Piece::default() };
        Self { language, text, bytes: text.as_bytes(), start, at: 0, pieces: vec![first], unclosed: None }
    }

    /// Reads on to the next cut and begins its piece; false at the end of the text.
    fn read_to_next_cut(&mut self) -> bool {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => {
                    self.at += 1;
                    if opens_declaration(self.language, &self.bytes[self.at..]) {
                        self.pieces.push(Piece { start: self.start + self.at, ..Piece::default() });
                        return true;
                    }
                }
                b'/' if self.bytes[self.at..].starts_with(b"//") => self.skip_to_line_end(),
                b'/' if self.bytes[self.at..].starts_with(b"/*") => self.skip_comment(),
                b'"' => self.skip_string(),
                _ => {
                    self.count(byte);
                    self.at += 1;
                }
            }
        }
        false
    }

    fn count(&mut self, byte: u8) {
        let piece = self.pieces.last_mut().expect("there is a first piece");
        match byte {
            b'{' => piece.open(0),
            b'}' => piece.close(0),
            b'(' => piece.open(1),
            b')' => piece.close(1),
            b'[' => piece.open(2),
            b']' => piece.close(2),
            _ => {}
        }
    }

    fn skip_to_line_end(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
        let body = self.at + "/*".len();
        match self.text[body..].find("*/") {
            Some(end) => self.at = body + end + "*/".len(),
            None => self.stop(),
        }
    }

    /// Strings of P may span lines, those of IceT may not.
    fn skip_string(&mut self) {
        let mut at = self.at + 1;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'"' => {
                    self.at = at + 1;
                    return;
                }
                b'\n' | b'\r' if self.language == Language::Icet => {
                    self.at = at;
                    return;
                }
                // A line end is never escaped in IceT.
                b'\\' if self.language == Language::P || !matches!(self.bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
                _ => at += 1,
            }
        }
        self.stop();
    }

    fn stop(&mut self) {
        self.unclosed = Some(self.start + self.at);
        self.at = self.bytes.len();
    }
}

/// Words that open a declaration when a name follows.
const P_OPENINGS: [&str; 17] = [
    "machine",
    "event",
    "spec",
    "scenario",
    "fun",
    "enum",
    "type",
    "eventset",
    "interface",
    "module",
    "implementation",
    "test",
    "param",
    "pure",
    "invariant",
    "Lemma",
    "Theorem",
];
const ICET_OPENINGS: [&str; 8] = ["process", "message", "enum", "type", "const", "set", "var", "ghost"];
/// Words that can follow a type in the middle of a declaration, so that `machine requires` opens none.
const NO_NAMES: [&str; 11] = ["is", "targets", "in", "as", "to", "requires", "ensures", "creates", "using", "except", "subset"];

fn opens_declaration(language: Language, line: &[u8]) -> bool {
    let (word, rest) = split_word(line);
    let openings: &[&str] = match language {
        Language::P => &P_OPENINGS,
        Language::Icet => &ICET_OPENINGS,
    };
    if word.is_empty() || !openings.iter().any(|opening| opening.as_bytes() == word) {
        return false;
    }
    let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let (name, _) = split_word(&rest[blank..]);
    name.first().is_some_and(|byte| !byte.is_ascii_digit()) && !NO_NAMES.iter().any(|word| word.as_bytes() == name)
}

fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        Pieces::new(Language::P, &Text::from(text)).segments().into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn declarations_at_the_margin_are_segments() {
        assert_eq!(
            cut("event e;\nmachine M {\n  fun f() { }\n}\nfun g() { }\n"),
            ["event e;\n", "machine M {\n  fun f() { }\n}\n", "fun g() { }\n"]
        );
    }

    #[test]
    fn open_brackets_keep_pieces_together() {
        assert_eq!(cut("machine M {\nfun f() { }\n}\nevent e;").len(), 2);
        assert_eq!(cut("fun f(a: int,\nevent b: int) { }").len(), 1, "inside parentheses nothing is declared");
    }

    #[test]
    fn a_missing_brace_breaks_one_segment_only() {
        assert_eq!(cut("machine M {\n  state S {\n}\nevent e;\nmachine N { }").len(), 3);
    }

    #[test]
    fn comments_and_strings_hide_what_is_in_them() {
        assert_eq!(cut("/*\nevent e;\n{ */ event f;\n// {\nevent g;").len(), 2);
        assert_eq!(cut("fun f() { print \"\nevent e {\"; }\nevent f;").len(), 2);
    }

    #[test]
    fn a_string_of_icet_ends_with_its_line_even_behind_a_backslash() {
        let text = Text::from("process a { assert x, \"no end\\\n; }\nprocess b { skip; }");
        let pieces = Pieces::new(Language::Icet, &text);
        assert_eq!((pieces.segments().len(), pieces.unclosed()), (2, None));
    }

    #[test]
    fn a_type_at_the_margin_opens_nothing() {
        assert_eq!(cut("type t =\nmachine;\nfun f():\nmachine requires true;").len(), 2);
    }

    #[test]
    fn many_open_pieces_take_linear_time() {
        assert_eq!(cut(&"machine M {\n".repeat(20_000)).len(), 20_000);
    }
}
