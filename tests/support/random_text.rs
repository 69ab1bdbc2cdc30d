//! Texts nobody would write: programs torn apart and put together again, by token and by byte.

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::Language;

use crate::{Program, Random, programs, tokens};

/// Makes random texts out of the test programs.
pub struct Texts {
    programs: Vec<Program>,
    random: Random,
}

/// Pieces that open, close or begin things, and some that belong nowhere.
const PIECES: [&str; 36] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "=",
    ".",
    "\"",
    "/*",
    "*/",
    "//",
    "\n",
    " ",
    "\t",
    "\r",
    "0",
    "x",
    "é",
    "😀",
    "\0",
    "\u{feff}",
    "@",
    "machine M {",
    "state S {",
    "on e do {",
    "fun f() {",
    "event e;",
    "process p {",
    "send m, e;",
    "recv",
    "init-condition",
    "forall (x: int) ::",
];

impl Texts {
    pub fn new(seed: u64) -> Self {
        Self { programs: programs(), random: Random::new(seed) }
    }

    /// A program of the language with up to a dozen random edits, or a random pile of pieces.
    pub fn text(&mut self, language: Language) -> String {
        if self.random.below(8) == 0 {
            let count = self.random.below(60);
            return (0..count).map(|_| PIECES[self.random.below(PIECES.len())]).collect();
        }
        let mut text = self.program(language);
        for _ in 0..self.random.below(12) {
            let edit = self.edit(&text);
            let (start, end) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
            text.replace_range(start..end, &edit.insert);
        }
        text
    }

    pub fn program(&mut self, language: Language) -> String {
        let fitting: Vec<&Program> = self.programs.iter().filter(|program| program.language == language).collect();
        fitting[self.random.below(fitting.len())].text.clone()
    }

    /// An edit of `text` at character boundaries: a deletion, a piece, or a copy of another part.
    pub fn edit(&mut self, text: &str) -> Edit {
        if self.random.below(5) == 0 {
            return self.line_deletion(text);
        }
        let start = self.boundary(text, text.len());
        let longest = if self.random.below(10) == 0 { text.len() } else { 12 };
        let length = self.random.below(longest + 1);
        let end = floor(text, (start + length).min(text.len())).max(start);
        let insert = match self.random.below(4) {
            0 => String::new(),
            1 => {
                let from = self.boundary(text, text.len());
                let to = floor(text, (from + self.random.below(80)).min(text.len())).max(from);
                text[from..to].to_owned()
            }
            _ => PIECES[self.random.below(PIECES.len())].to_owned(),
        };
        let end = if self.random.below(2) == 0 { start } else { end };
        Edit { range: TextRange::new(size(start), size(end)), insert }
    }

    /// An edit that mostly leaves the text well formed and changes what it means: a word for another word of the text, a line twice.
    pub fn change_of_meaning(&mut self, text: &str) -> Edit {
        let tokens = tokens(text);
        if tokens.is_empty() || self.random.below(6) == 0 {
            let at = self.boundary(text, text.len());
            let start = text[..at].rfind('\n').map_or(0, |line_end| line_end + 1);
            let end = text[start..].find('\n').map_or(text.len(), |end| start + end + 1);
            return Edit { range: TextRange::empty(size(start)), insert: text[start..end].to_owned() };
        }
        let is_word =
            |at: &usize| text[tokens[*at].clone()].starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_');
        let words: Vec<usize> = (0..tokens.len()).filter(is_word).collect();
        if words.is_empty() {
            return self.edit(text);
        }
        let (from, to) = (words[self.random.below(words.len())], words[self.random.below(words.len())]);
        let range = TextRange::new(size(tokens[from].start), size(tokens[from].end));
        Edit { range, insert: text[tokens[to].clone()].to_owned() }
    }

    /// Takes out one line or a few.
    fn line_deletion(&mut self, text: &str) -> Edit {
        let at = self.boundary(text, text.len());
        let start = text[..at].rfind('\n').map_or(0, |line_end| line_end + 1);
        let lines = 1 + self.random.below(3);
        let end = text[start..].match_indices('\n').nth(lines - 1).map_or(text.len(), |(end, _)| start + end + 1);
        Edit { range: TextRange::new(size(start), size(end)), insert: String::new() }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn boundary(&mut self, text: &str, below: usize) -> usize {
        floor(text, self.random.below(below + 1))
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn size(at: usize) -> TextSize {
    TextSize::try_from(at).expect("a small text")
}
