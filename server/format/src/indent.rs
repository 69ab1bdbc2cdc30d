//! How far a text indents its lines, by the habit of its author.
//!
//! Asked are the lines on which a statement or member begins directly in the body of a machine, function or process. In a text that has been
//! formatted all of them have the same answer, which is why the habit is then what it was.

use crate::options::Indent;

/// What most lines say; `None` if there are none.
pub(crate) fn habit<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Indent> {
    let mut votes = Votes::default();
    for text in texts {
        Scanner { bytes: text.as_bytes(), at: 0, line_start: 0, depth: 0, before: b';', declared: "", votes: &mut votes }
            .run(text);
    }
    votes.winner()
}

#[derive(Default)]
struct Votes {
    spaces: [u32; 9],
    tabs: u32,
}

impl Votes {
    fn add(&mut self, blank: &[u8]) {
        if blank == b"\t" {
            self.tabs += 1;
        } else if blank.iter().all(|byte| *byte == b' ')
            && let Some(votes) = self.spaces.get_mut(blank.len())
        {
            *votes += 1;
        }
    }

    /// Of two equally common widths the smaller one. One space is nobody's habit.
    fn winner(&self) -> Option<Indent> {
        let most = (2..self.spaces.len()).rev().max_by_key(|width| self.spaces[*width])?;
        match () {
            () if self.tabs > self.spaces[most] => Some(Indent::Tab),
            () if self.spaces[most] > 0 => u32::try_from(most).ok().and_then(Indent::spaces),
            () => None,
        }
    }
}

/// Declarations whose bodies are asked, and what can stand between their names and the brace.
const WITH_BODIES: [&str; 9] = ["machine", "spec", "scenario", "fun", "process", "sequential", "receives", "sends", "interface"];
/// Words that begin a line in the middle of a statement.
const INSIDE: [&str; 2] = ["else", "invariant"];

/// Goes through a text and knows how deep in braces it is.
struct Scanner<'t, 'v> {
    bytes: &'t [u8],
    at: usize,
    line_start: usize,
    depth: u32,
    /// The last byte that is neither white space nor comment.
    before: u8,
    /// The word that began the declaration.
    declared: &'t str,
    votes: &'v mut Votes,
}

impl<'t> Scanner<'t, '_> {
    fn run(mut self, text: &'t str) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            match byte {
                b'\n' | b'\r' => {
                    self.at += 1;
                    self.line_start = self.at;
                }
                b' ' | b'\t' | b'\x0c' => self.at += 1,
                b'/' if rest.starts_with(b"//") => self.skip(rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'))),
                b'/' if rest.starts_with(b"/*") => self.skip(text[self.at + 2..].find("*/").map(|end| end + 4)),
                b'"' => {
                    self.skip(string_end(rest));
                    self.before = byte;
                }
                _ => self.token(text, byte),
            }
        }
    }

    fn skip(&mut self, length: Option<usize>) {
        self.at = length.map_or(self.bytes.len(), |length| self.at + length);
    }

    fn token(&mut self, text: &'t str, byte: u8) {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let begins = matches!(self.before, b';' | b'{' | b'}');
        if is_word(byte) {
            let length = self.bytes[self.at..].iter().position(|byte| !is_word(*byte)).unwrap_or(self.bytes.len() - self.at);
            let word = &text[self.at..self.at + length];
            if self.depth == 0 && begins {
                self.declared = word;
            }
            let blank = &self.bytes[self.line_start..self.at];
            if self.depth == 1 && begins && WITH_BODIES.contains(&self.declared) && !INSIDE.contains(&word) {
                self.votes.add(blank);
            }
            self.at += length;
        } else {
            match byte {
                b'{' => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
        self.before = byte;
    }
}

/// Behind the closing quote of the string that a text begins with.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Indent> {
        habit(std::iter::once(text))
    }

    #[test]
    fn the_lines_of_bodies_decide() {
        let machine =
            "machine M {\n    var x: int;\n    start state S {\n      entry {\n       x = 1;\n      }\n    }\n  var y: int;\n}";
        assert_eq!(of(machine), Some(Indent::Spaces(4)));
        assert_eq!(of("machine M {\n\tstart state S {\n\t\tentry { }\n}}"), Some(Indent::Tab));
        assert_eq!(of("fun f() {\n  a;\n   b;\n}"), Some(Indent::Spaces(2)), "the smaller of two");
        assert_eq!(of("event e;\nmachine M { }\nenum E {\n    A\n}\n"), None);
    }

    #[test]
    fn comments_strings_and_continued_lines_have_no_say() {
        let text = "fun f() {\n  a = \"{\n    \\\" {\";\n  /* {\n       x */\n  if (a)\n      b;\n      else c;\n  // {\n  d =\n      1; }";
        assert_eq!(of(text), Some(Indent::Spaces(2)));
        assert_eq!(of("machine M\n    receives e;\n{\n  var x: int;\n}"), Some(Indent::Spaces(2)));
    }
}
