//! Comments whose end is missing: they go on to the end of the next one, and swallow the code between.

use lockstep_base::{Diagnostic, TextRange, TextSize};

use crate::db::{Db, SourceFile};
use crate::problem::Code;
use crate::suppress::{Found, all_comments};

const OPENING: &str = "/*";

/// Where a comment seems to begin inside of a comment, once for each of these.
#[salsa::tracked]
pub(crate) fn comments_in_comments(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let text = file.parse(db).text().to_string();
    // Most texts have fewer, and need no closer look.
    if text.matches(OPENING).nth(1).is_none() {
        return Vec::new();
    }
    let blocks = all_comments(&text).into_iter().filter_map(|found| match found {
        Found::Block(start, end) => Some((start, opening_within(&text, start, end)?)),
        Found::Line(_) => None,
    });
    blocks
        .map(|(start, inner)| {
            let message = "this stands in a comment, which goes on to the next `*/`";
            Diagnostic::warning(Code::CommentInComment.number(), opening(inner), message)
                .with_help("if the comment before it should have ended earlier, write `*/` there")
                .with_related(opening(start - OPENING.len()), "the comment begins here")
        })
        .collect()
}

/// An opening at the start of a line behind the first: elsewhere it may be part of a path.
fn opening_within(text: &str, start: usize, end: usize) -> Option<usize> {
    let mut at = start;
    for line in text.get(start..end)?.split_inclusive('\n') {
        let words = line.trim_start();
        if at > start && words.starts_with(OPENING) {
            return Some(at + line.len() - words.len());
        }
        at += line.len();
    }
    None
}

fn opening(at: usize) -> TextRange {
    let start = TextSize::try_from(at).unwrap_or_default();
    TextRange::at(start, TextSize::of(OPENING))
}
