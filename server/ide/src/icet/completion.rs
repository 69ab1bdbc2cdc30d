//! What could be written at the cursor.
//!
//! The words before the cursor say what kind of thing is wanted (`wanted`), and the program what there is of that kind (`Offers`).

mod offers;
mod snippets;
mod wanted;

use lockstep_base::{Encoding, TextRange, TextSize};
use lockstep_syntax::Parse;

use self::offers::Offers;
use super::context::context;
use super::program::Program;
use crate::Completions;
use crate::words::word_at;

/// What could take the place of the word at `offset`, the likelier first.
pub fn completions(parse: &Parse, offset: TextSize) -> Completions {
    let text = parse.text();
    let offset = text.offset(text.position(offset, Encoding::Utf8), Encoding::Utf8);
    let replace = word_at(text, offset);
    let nothing = Completions { replace, items: Vec::new() };
    let is_number = text.slice(TextRange::new(replace.start(), offset)).starts_with(|first: char| first.is_ascii_digit());
    let (Some(program), Some(context)) = (Program::of(parse), context(text, replace.start())) else { return nothing };
    if is_number {
        return nothing;
    }
    let line_end = text.line_start(text.line_of(replace.end()) + 1);
    let is_called = text.slice(TextRange::new(replace.end(), line_end.max(replace.end()))).trim_start().starts_with('(');
    let mut offers = Offers::new(&program, &context, is_called);
    offers.add_wanted();
    Completions { replace, items: offers.into_items() }
}
