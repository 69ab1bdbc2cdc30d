//! The tokens in front of a place in a text that may be broken there.

use lockstep_base::{Text, TextRange, TextSize};

/// A word, a number, a string or one other character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) range: TextRange,
}

impl Word {
    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    }
}

/// The tokens from `start` to `end` without comments; `None` if `end` is inside of a comment or string.
pub(crate) fn words(text: &Text, start: TextSize, end: TextSize) -> Option<Vec<Word>> {
    let slice = text.slice(TextRange::new(start, end));
    let mut words = Vec::new();
    let mut rest = &*slice;
    while let Some(first) = rest.chars().next() {
        let at = start + TextSize::try_from(slice.len() - rest.len()).ok()?;
        let length = match first {
            _ if first.is_whitespace() => {
                rest = rest.trim_start();
                continue;
            }
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n')?..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = &rest[rest.find("*/")? + 2..];
                continue;
            }
            '"' => string_length(rest)?,
            _ if is_word(first) => rest.find(|next| !is_word(next)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let text = rest[..length].to_owned();
        words.push(Word { range: TextRange::at(at, TextSize::of(text.as_str())), text });
        rest = &rest[length..];
    }
    Some(words)
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The range of the word that ends or stands at `offset`; empty if there is none.
pub(crate) fn word_at(text: &Text, offset: TextSize) -> TextRange {
    let line = text.line_of(offset);
    let end = if line + 1 < text.line_count() { text.line_start(line + 1) } else { text.len() };
    let whole = TextRange::new(text.line_start(line), end);
    let line = text.slice(whole);
    let at = usize::from(offset - whole.start());
    let start = line[..at]
        .rfind(|character| !is_word(character))
        .map_or(0, |before| before + line[before..].chars().next().map_or(1, char::len_utf8));
    let end = line[at..].find(|character| !is_word(character)).map_or(line.len(), |length| at + length);
    let size = |at| TextSize::try_from(at).unwrap_or_default();
    TextRange::new(whole.start() + size(start), whole.start() + size(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_without_comments() {
        let text = Text::from("a /* b */ c // d\n\"e\\\"f\" g1+");
        let found = words(&text, 0.into(), text.len()).unwrap();
        let shown: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(shown, ["a", "c", "\"e\\\"f\"", "g1", "+"]);
        assert_eq!(words(&text, 0.into(), 7.into()), None, "inside of a comment");
        assert_eq!(words(&text, 0.into(), 20.into()), None, "inside of a string");
    }

    #[test]
    fn the_word_around_a_place() {
        let text = Text::from("on ePing\nx");
        let at = |offset: u32| word_at(&text, offset.into());
        assert_eq!(at(3), TextRange::new(3.into(), 8.into()));
        assert_eq!(at(8), TextRange::new(3.into(), 8.into()));
        assert_eq!(at(2), TextRange::new(0.into(), 2.into()));
        assert_eq!(at(9), TextRange::new(9.into(), 10.into()));
    }
}
