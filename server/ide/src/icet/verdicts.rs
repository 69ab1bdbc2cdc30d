//! What is known about an IceT program, which is a whole file.

use lockstep_base::verdict::{Check, Freshness, Outcome, Phase, Record};
use lockstep_syntax::Parse;

use crate::document_symbols;

/// How a program stands to what was found out about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There are so many errors, so that it is no program.
    Broken(usize),
    /// It is not what was looked at last, and will be.
    Changed,
    /// It is not what was looked at last, and is being looked at for a while already.
    Running,
    /// It is what was looked at.
    Same,
}

/// The record of the program in a file of this name, which is also the item's id; none if nothing is declared there. `last` is what was
/// found out last, about this program or another one.
pub fn records(parse: &Parse, name: &str, last: Option<&Outcome>, standing: Standing) -> Vec<Record> {
    let symbols = document_symbols(parse);
    let (Some(first), Some(end)) = (symbols.first(), symbols.last()) else { return Vec::new() };
    let mut outcome = match standing {
        Standing::Broken(errors) => crate::verdicts::outcome(last, errors.max(1)),
        Standing::Changed | Standing::Running | Standing::Same => crate::verdicts::outcome(last, 0),
    };
    if matches!(standing, Standing::Changed | Standing::Running) {
        outcome.phase = if standing == Standing::Running { Phase::Running } else { Phase::Queued };
        if last.is_some() {
            outcome.freshness = Freshness::Stale;
        }
    }
    let check = Check::Sequentialization;
    vec![Record { item: name.to_owned(), check, range: first.range.cover(end.range), name_range: first.name_range, outcome }]
}
