//! What is laid out while somebody types: as little as can be expected without surprise, and nothing where the text is broken.

use std::ops::Range;

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::{Parse, Part};

use crate::edits::{Formatter, format_range};
use crate::layout::{Blank, lay_out};
use crate::options::{Indent, Options};
use crate::read::{is_blank, read};
use crate::sheet::{Sheet, Token};

/// What to change after `typed` was typed before `at`: behind a `}` the lines of what it closes, behind a `;` those of its statement, behind
/// the end of a line the indentation of the new one.
pub fn format_on_type(parse: &Parse, at: TextSize, typed: char, options: &Options, indent: Option<Indent>) -> Vec<Edit> {
    let Some(part) = part_at(parse, at) else { return Vec::new() };
    let formatter = Formatter::new(parse, options, indent);
    let sheet = read(&part, parse.language(), formatter.style.braces);
    let at_in_part = usize::from(at - part.start());
    let start = match typed {
        '}' => opening_of(&sheet, &part, at_in_part),
        ';' => statement_before(&sheet, &part, at_in_part),
        '\n' | '\r' => return new_line(&formatter, sheet, &part, at_in_part),
        _ => None,
    };
    let Some(start) = start else { return Vec::new() };
    let start = part.start() + TextSize::try_from(start).expect("inside of the part");
    format_range(parse, TextRange::new(start, at), options, indent)
}

/// The part around a place, if it has no syntax error.
fn part_at(parse: &Parse, at: TextSize) -> Option<Part<'_>> {
    let is_last = |part: &Part<'_>| part.range.end() == parse.text().len();
    parse.parts().find(|part| part.range.contains(at) || part.range.end() == at && is_last(part)).filter(|part| part.is_sound)
}

/// The token that ends at a place, if it is this one.
fn typed_token(sheet: &Sheet, part: &Part<'_>, at: usize, text: &str) -> Option<usize> {
    let index = sheet.tokens.partition_point(|token| token.range.end <= at).checked_sub(1)?;
    let token = &sheet.tokens[index];
    (token.range.end == at && &part.text[token.range.clone()] == text).then_some(index)
}

/// Where the brace is that the one typed just now closes.
fn opening_of(sheet: &Sheet, part: &Part<'_>, at: usize) -> Option<usize> {
    let closing = typed_token(sheet, part, at, "}")?;
    let mut depth = 0_usize;
    for Token { range, .. } in sheet.tokens[..=closing].iter().rev() {
        match &part.text[range.clone()] {
            "}" => depth += 1,
            "{" => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(range.start);
        }
    }
    None
}

/// Where the statement begins that the semicolon typed just now ends.
fn statement_before(sheet: &Sheet, part: &Part<'_>, at: usize) -> Option<usize> {
    let end = typed_token(sheet, part, at, ";")?;
    let is_end = |token: &Token| matches!(&part.text[token.range.clone()], ";" | "{" | "}") || token.comment.is_some();
    let before = sheet.tokens[..end].iter().rposition(is_end);
    Some(sheet.tokens[before.map_or(0, |before| before + 1)].range.start)
}

/// The indentation of the line that was begun just now, if a statement or declaration can begin there.
fn new_line(formatter: &Formatter<'_>, mut sheet: Sheet, part: &Part<'_>, at: usize) -> Vec<Edit> {
    let blank = blank_line_start(part.text, at);
    let index = sheet.tokens.partition_point(|token| token.range.end <= blank.start);
    let is_inside = sheet.tokens.get(index).is_some_and(|token| token.range.start < blank.start);
    if is_inside {
        return Vec::new();
    }
    let blanks = lay_out(&mut sheet, part.text, &formatter.style);
    let columns = match (blanks.get(index), sheet.tokens.get(index)) {
        (None, _) | (_, None) => 0,
        (Some(_), Some(_)) if index == 0 => 0,
        (Some(Blank::Spaces(_)), _) => return Vec::new(),
        (Some(Blank::Lines(_, columns)), Some(token)) => {
            let is_alone = token.range.start > blank.end;
            let closes = is_alone && part.text[token.range.clone()].starts_with(['}', ')', ']']);
            columns + if closes { formatter.style.unit() } else { 0 }
        }
    };
    formatter.replacement(part, blank, &formatter.indentation(columns)).into_iter().collect()
}

/// The white space at the start of the line around a place.
fn blank_line_start(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let line = text[start..].split(['\n', '\r']).next().unwrap_or("");
    start..start + line.len() - line.trim_start_matches(is_blank).len()
}
