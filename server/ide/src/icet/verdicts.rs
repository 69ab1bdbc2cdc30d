//! What is known about an IceT program, which is a whole file.

use lockstep_base::verdict::{Check, Record, Results};
use lockstep_syntax::Parse;

use crate::document_symbols;
use crate::verdicts::outcome;

/// The record of the program in a file of this name, which is also the item's id; none if nothing is declared there.
pub fn records(parse: &Parse, name: &str, results: &Results) -> Vec<Record> {
    let symbols = document_symbols(parse);
    let (Some(first), Some(last)) = (symbols.first(), symbols.last()) else { return Vec::new() };
    let check = Check::Sequentialization;
    let outcome = outcome(results.get(name, check), parse.errors().len());
    vec![Record { item: name.to_owned(), check, range: first.range.cover(last.range), name_range: first.name_range, outcome }]
}
