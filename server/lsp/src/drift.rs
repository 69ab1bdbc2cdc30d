//! From places in a text to the same places in a later version of it, and back.
//!
//! Whoever asks for completions goes on typing before the answer is there. The answer comes from the text as it is by then, and speaks
//! of places in the text that was asked about: that is how the protocol and its clients understand it.

use lockstep_base::{Edit, TextRange, TextSize};

/// The changes between two versions of a text, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Drift(Vec<Change>);

/// One change: the bytes from `start` to `old_end` became those from `start` to `new_end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    start: TextSize,
    old_end: TextSize,
    new_end: TextSize,
}

impl Change {
    pub(crate) fn of(edit: &Edit) -> Self {
        let start = edit.range.start();
        Self { start, old_end: edit.range.end(), new_end: start + TextSize::of(edit.insert.as_str()) }
    }
}

impl Drift {
    pub(crate) fn of(changes: impl Iterator<Item = Change>) -> Self {
        Self(changes.collect())
    }

    /// Where a place of the old text is in the new one; `None` if what was there has been replaced. A place at which something was
    /// inserted stays in front of it.
    pub(crate) fn later(&self, at: TextSize) -> Option<TextSize> {
        self.0.iter().try_fold(at, |at, change| match at {
            _ if at <= change.start => Some(at),
            _ if at >= change.old_end => Some(at - change.old_end + change.new_end),
            _ => None,
        })
    }

    /// The stretch of the old text that a stretch of the new one stands for.
    pub(crate) fn earlier(&self, range: TextRange) -> TextRange {
        let earlier = |at: TextSize| {
            self.0.iter().rev().fold(at, |at, change| match at {
                _ if at <= change.start => at,
                _ if at >= change.new_end => at - change.new_end + change.old_end,
                _ => change.old_end,
            })
        };
        TextRange::new(earlier(range.start()), earlier(range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drift(edits: &[(u32, u32, &str)]) -> Drift {
        let edit = |(start, end, insert): &(u32, u32, &str)| Edit {
            range: TextRange::new((*start).into(), (*end).into()),
            insert: (*insert).to_owned(),
        };
        Drift::of(edits.iter().map(|change| Change::of(&edit(change))))
    }

    fn later(edits: &[(u32, u32, &str)]) -> [Option<u32>; 5] {
        let drift = drift(edits);
        [0_u32, 1, 2, 3, 4].map(|at| drift.later(at.into()).map(u32::from))
    }

    fn earlier(edits: &[(u32, u32, &str)], start: u32, end: u32) -> (u32, u32) {
        let range = drift(edits).earlier(TextRange::new(start.into(), end.into()));
        (range.start().into(), range.end().into())
    }

    #[test]
    fn places_move_with_what_is_typed_before_them() {
        assert_eq!(later(&[]), [Some(0), Some(1), Some(2), Some(3), Some(4)]);
        assert_eq!(later(&[(1, 1, "xx")]), [Some(0), Some(1), Some(4), Some(5), Some(6)]);
        assert_eq!(later(&[(4, 4, "xx"), (0, 0, "y")]), [Some(0), Some(2), Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn places_in_what_was_replaced_are_gone() {
        assert_eq!(later(&[(1, 3, "")]), [Some(0), Some(1), None, Some(1), Some(2)]);
        assert_eq!(later(&[(1, 3, "xyz")]), [Some(0), Some(1), None, Some(4), Some(5)]);
    }

    #[test]
    fn stretches_come_back_without_what_was_typed() {
        // A word of one letter at 5 grew, and something was typed far in front of it.
        assert_eq!(earlier(&[(6, 6, "W")], 5, 7), (5, 6));
        assert_eq!(earlier(&[(6, 6, "W"), (7, 7, "r")], 5, 8), (5, 6));
        assert_eq!(earlier(&[(6, 6, "W"), (0, 0, "\n")], 6, 8), (5, 6));
        // There was no word yet.
        assert_eq!(earlier(&[(5, 5, "eWri")], 5, 9), (5, 5));
        assert_eq!(earlier(&[(5, 9, "")], 5, 5), (5, 5));
    }
}
