//! Places in texts as the protocol counts them, computed the plain way: the server's own conversion is what is under test.

use crate::lsp::{Position, Range};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Units {
    Utf8,
    Utf16,
    Utf32,
}

impl Units {
    /// As the protocol calls them.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    fn of(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// The place of a byte offset. Lines end with `\n`, `\r\n` or `\r`.
pub(crate) fn position(text: &str, offset: usize, units: Units) -> Position {
    let (mut line, mut column) = (0, 0);
    let mut rest = text[..offset].chars().peekable();
    while let Some(character) = rest.next() {
        // A `\r` in front of the offset whose `\n` is behind it: the line has not ended.
        let is_half = character == '\r' && rest.peek().is_none() && text[offset..].starts_with('\n');
        let is_end = character == '\n' || (character == '\r' && rest.peek() != Some(&'\n') && !is_half);
        if is_end {
            (line, column) = (line + 1, 0);
        } else {
            column += units.of(character);
        }
    }
    let number = |number: usize| u32::try_from(number).expect("texts of tests are small");
    Position::new(number(line), number(column))
}

/// Where `needle` stands in the text, which has it once.
pub(crate) fn range_of(text: &str, needle: &str, units: Units) -> Range {
    let mut found = text.match_indices(needle);
    let (start, _) = found.next().unwrap_or_else(|| panic!("`{needle}` is not in the text"));
    assert_eq!(found.next(), None, "`{needle}` is in the text more than once");
    Range::new(position(text, start, units), position(text, start + needle.len(), units))
}
