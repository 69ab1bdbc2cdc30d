//! Texts as they are written, with the escapes of C#, since P pastes them into its C# code.

use smol_str::SmolStr;

use crate::code::Piece;

/// The text a literal stands for. Braces are written double.
pub(super) fn plain_text(literal: &str) -> String {
    let text = pieces(literal).into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_string(),
        Piece::Value(_) => String::new(),
    });
    text.collect()
}

/// The pieces of a literal: text, and places for values such as `{0}`.
pub(super) fn pieces(literal: &str) -> Vec<Piece> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = unescaped(inner.strip_suffix('"').unwrap_or(inner));
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = inner.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '{' if rest.next_if_eq(&'{').is_none() => {
                let digits: String = std::iter::from_fn(|| rest.next_if(char::is_ascii_digit)).collect();
                rest.next_if_eq(&'}');
                if !text.is_empty() {
                    found.push(Piece::Text(SmolStr::from(std::mem::take(&mut text))));
                }
                found.push(Piece::Value(digits.parse().unwrap_or(u32::MAX)));
            }
            '{' => text.push('{'),
            '}' => {
                rest.next_if_eq(&'}');
                text.push('}');
            }
            other => text.push(other),
        }
    }
    if !text.is_empty() {
        found.push(Piece::Text(text.into()));
    }
    found
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some('u') => {
                let digits: String = rest.by_ref().take(4).collect();
                out.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
