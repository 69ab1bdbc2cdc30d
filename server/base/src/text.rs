//! A source text: a rope that is cheap to clone and to edit, and that knows its lines.
//!
//! Everything inside Lockstep is a byte range. Lines and columns exist only at the edges (terminal, editor), in the unit the
//! other side counts in. Lines end at `\n`, `\r\n` or a lone `\r`, as the language server protocol says.

use std::borrow::Cow;

use ropey::Rope;

use crate::{TextRange, TextSize};

/// What one column step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

/// Zero-based line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Replace `range` by `insert`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    pub range: TextRange,
    pub insert: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// Texts are addressed with 32 bits.
    pub const MAX_LEN: usize = u32::MAX as usize;

    pub fn len(&self) -> TextSize {
        size(self.rope.len_bytes())
    }

    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// The part at `range`, clipped to the text and to whole characters; borrowed when it lies in one chunk.
    pub fn slice(&self, range: TextRange) -> Cow<'_, str> {
        let start = self.char_at(range.start());
        let end = self.char_at(range.end());
        self.rope.slice(start..end.max(start)).into()
    }

    /// The bytes from `at` to the end of the chunk they lie in; empty at the end of the text. Never panics.
    pub fn chunk(&self, at: usize) -> &[u8] {
        if at >= self.rope.len_bytes() {
            return &[];
        }
        let (chunk, start, _, _) = self.rope.chunk_at_byte(at);
        &chunk.as_bytes()[at - start..]
    }

    /// Applies one edit; a range outside the text or inside a character is pulled in, and the range used is returned.
    pub fn edit(&mut self, edit: &Edit) -> TextRange {
        let start = self.char_at(edit.range.start());
        let end = self.char_at(edit.range.end());
        let used = TextRange::new(size(self.rope.char_to_byte(start)), size(self.rope.char_to_byte(end)));
        self.rope.remove(start..end);
        self.rope.insert(start, &edit.insert);
        used
    }

    pub fn line_count(&self) -> u32 {
        count(self.rope.len_lines())
    }

    pub fn line_of(&self, at: TextSize) -> u32 {
        count(self.rope.char_to_line(self.char_at(at)))
    }

    /// Where `line` starts; past the last line, the end of the text.
    pub fn line_start(&self, line: u32) -> TextSize {
        let line = (line as usize).min(self.rope.len_lines());
        size(self.rope.line_to_byte(line))
    }

    /// An offset inside a character counts as that character's start; one past the end as the end.
    pub fn position(&self, at: TextSize, encoding: Encoding) -> Position {
        let character = self.char_at(at);
        let line = self.rope.char_to_line(character);
        let start = self.rope.line_to_char(line);
        let column = match encoding {
            Encoding::Utf8 => self.rope.char_to_byte(character) - self.rope.char_to_byte(start),
            Encoding::Utf16 => self.rope.char_to_utf16_cu(character) - self.rope.char_to_utf16_cu(start),
            Encoding::Utf32 => character - start,
        };
        Position { line: count(line), column: count(column) }
    }

    /// A column past the line's end is its end (before the line break), one inside a character that character's start; a line
    /// past the last is the text's end.
    pub fn offset(&self, position: Position, encoding: Encoding) -> TextSize {
        let line = position.line as usize;
        if line >= self.rope.len_lines() {
            return self.len();
        }
        let start = self.rope.line_to_char(line);
        let column = position.column as usize;
        let wanted = match encoding {
            Encoding::Utf8 => {
                let byte = self.rope.char_to_byte(start).saturating_add(column);
                self.rope.byte_to_char(byte.min(self.rope.len_bytes()))
            }
            Encoding::Utf16 => {
                let unit = self.rope.char_to_utf16_cu(start).saturating_add(column);
                self.rope.utf16_cu_to_char(unit.min(self.rope.len_utf16_cu()))
            }
            Encoding::Utf32 => start.saturating_add(column),
        };
        size(self.rope.char_to_byte(wanted.min(self.line_end(line))))
    }

    /// The character index of the end of `line`, before its line break.
    fn line_end(&self, line: usize) -> usize {
        let mut end = self.rope.line_to_char(line + 1);
        let start = self.rope.line_to_char(line);
        while end > start && matches!(self.rope.char(end - 1), '\r' | '\n') {
            end -= 1;
        }
        end
    }

    fn char_at(&self, at: TextSize) -> usize {
        self.rope.byte_to_char(usize::from(at).min(self.rope.len_bytes()))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self { rope: Rope::from_str(text) }
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rope.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

fn size(bytes: usize) -> TextSize {
    TextSize::new(count(bytes))
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("texts are smaller than 4 GiB")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn position(text: &str, at: u32, encoding: Encoding) -> (u32, u32) {
        let position = Text::from(text).position(TextSize::new(at), encoding);
        (position.line, position.column)
    }

    #[test]
    fn every_kind_of_line_break_counts_once() {
        let text = "a\nb\r\nc\rd\u{2028}e\u{b}f";
        assert_eq!(Text::from(text).line_count(), 4);
        assert_eq!(position(text, 2, Encoding::Utf8), (1, 0));
        assert_eq!(position(text, 5, Encoding::Utf8), (2, 0));
        assert_eq!(position(text, 7, Encoding::Utf8), (3, 0));
    }

    #[test]
    fn columns_count_in_the_asked_unit() {
        let text = "é😀x";
        assert_eq!(position(text, 6, Encoding::Utf8), (0, 6));
        assert_eq!(position(text, 6, Encoding::Utf16), (0, 3));
        assert_eq!(position(text, 6, Encoding::Utf32), (0, 2));
        assert_eq!(position(text, 4, Encoding::Utf16), (0, 1), "inside a character is its start");
    }

    #[test]
    fn positions_outside_the_text_are_pulled_in() {
        let text = Text::from("ab\r\ncd");
        let offset = |line, column| u32::from(text.offset(Position { line, column }, Encoding::Utf16));
        assert_eq!(offset(0, 99), 2);
        assert_eq!(offset(0, u32::MAX), 2);
        assert_eq!(offset(9, 0), 6);
        assert_eq!(position("ab\ncd", 99, Encoding::Utf16), (1, 2));
    }

    #[test]
    fn edits_outside_the_text_are_pulled_in() {
        let mut text = Text::from("é");
        let used = text.edit(&Edit { range: TextRange::new(1.into(), 9.into()), insert: "x".into() });
        assert_eq!((text.to_string().as_str(), used), ("x", TextRange::new(0.into(), 2.into())));
    }

    proptest! {
        #[test]
        fn offset_undoes_position(text in "([a-zé😀 ]|\r|\n|\r\n){0,40}") {
            let rope = Text::from(text.as_str());
            for (at, _) in text.char_indices() {
                // Inside a line break there is no column of its own.
                if text[..at].ends_with('\r') && text[at..].starts_with('\n') {
                    continue;
                }
                let at = TextSize::try_from(at).unwrap();
                for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                    prop_assert_eq!(rope.offset(rope.position(at, encoding), encoding), at);
                }
            }
        }
    }
}
