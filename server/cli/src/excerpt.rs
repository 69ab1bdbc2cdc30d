//! The few lines of a text that a finding is shown with.
//!
//! Cut out before the renderer sees them: its work grows with the text it is given, once per finding. Line breaks of every
//! kind become `\n`.

use std::ops::Range;

use lockstep_base::{Encoding, Position, Text, TextRange, TextSize};

/// A range over more lines is shown by its first line; places further apart have their own excerpts.
const MOST_LINES: u32 = 50;
/// No person reads a line of more bytes.
const LONGEST_LINE: u32 = 10_000;
/// Bytes on either side of a place in a line that is too long.
const NEAR: u32 = 30;

/// How some of the places asked for can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Excerpt {
    Lines {
        /// From 0.
        first_line: u32,
        text: String,
        /// Which of the places asked for, and where it is in `text`.
        places: Vec<(usize, Range<usize>)>,
    },
    /// Some characters of a line that is too long to be shown.
    Near { place: usize, text: String },
}

/// Excerpts for all `places`, the first excerpt for the first place; places near each other share one.
pub(crate) fn excerpts(text: &Text, places: &[TextRange]) -> Vec<Excerpt> {
    let mut excerpts = Vec::new();
    let mut clusters: Vec<Vec<Shown>> = Vec::new();
    for (index, range) in places.iter().enumerate() {
        let shown = Shown::new(text, index, *range);
        if line_range(text, shown.lines.start).len() > TextSize::new(LONGEST_LINE) {
            excerpts.push(Excerpt::Near { place: index, text: near(text, range.start()) });
        } else if let Some(cluster) = clusters.iter_mut().find(|cluster| cluster.iter().all(|other| other.is_near(&shown))) {
            cluster.push(shown);
        } else {
            clusters.push(vec![shown]);
        }
    }
    excerpts.extend(clusters.iter().map(|cluster| lines(text, cluster)));
    excerpts.sort_by_key(Excerpt::first_place);
    excerpts
}

impl Excerpt {
    pub(crate) fn first_place(&self) -> usize {
        match self {
            Self::Lines { places, .. } => places[0].0,
            Self::Near { place, .. } => *place,
        }
    }
}

/// A place cut down to what can be shown of it.
struct Shown {
    place: usize,
    range: TextRange,
    lines: Range<u32>,
}

impl Shown {
    fn new(text: &Text, place: usize, range: TextRange) -> Self {
        let (first, last) = (text.line_of(range.start()), text.line_of(range.end()));
        let is_long = |line| line_range(text, line).len() > TextSize::new(LONGEST_LINE);
        if last - first > MOST_LINES || (first..=last).any(is_long) {
            let end = range.end().min(line_range(text, first).end());
            return Self { place, range: TextRange::new(range.start(), end.max(range.start())), lines: first..first + 1 };
        }
        Self { place, range, lines: first..last + 1 }
    }

    fn is_near(&self, other: &Self) -> bool {
        let apart = self.lines.start.abs_diff(other.lines.start).max(self.lines.end.abs_diff(other.lines.end));
        apart <= MOST_LINES
    }
}

fn lines(text: &Text, cluster: &[Shown]) -> Excerpt {
    let first_line = cluster.iter().map(|shown| shown.lines.start).min().unwrap_or(0);
    let end_line = cluster.iter().map(|shown| shown.lines.end).max().unwrap_or(0);
    let mut excerpt = String::new();
    // Where each line starts in the text and in the excerpt.
    let mut starts = Vec::new();
    for line in first_line..end_line {
        let range = line_range(text, line);
        starts.push((range, excerpt.len()));
        if range.len() <= TextSize::new(LONGEST_LINE) {
            excerpt.push_str(&text.slice(range));
        }
        excerpt.push('\n');
    }
    let place = |at: TextSize| {
        let after = starts.partition_point(|(range, _)| range.start() <= at);
        let (range, start) = starts[after.saturating_sub(1)];
        start + usize::from(at.clamp(range.start(), range.end()) - range.start())
    };
    let places = cluster.iter().map(|shown| (shown.place, place(shown.range.start())..place(shown.range.end()))).collect();
    excerpt.pop();
    Excerpt::Lines { first_line, text: excerpt, places }
}

fn near(text: &Text, at: TextSize) -> String {
    let line = line_range(text, text.line_of(at));
    let start = at.checked_sub(NEAR.into()).unwrap_or_default().max(line.start());
    let end = (at + TextSize::new(NEAR)).min(line.end()).max(start);
    text.slice(TextRange::new(start, end)).into_owned()
}

/// A line without its line break.
fn line_range(text: &Text, line: u32) -> TextRange {
    let start = text.line_start(line);
    let end = text.offset(Position { line, column: u32::MAX }, Encoding::Utf8);
    TextRange::new(start, end.max(start))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check<const N: usize>(text: &str, places: [(u32, u32); N], expected: Expect) {
        let places = places.map(|(start, end)| TextRange::new(start.into(), end.into()));
        let mut shown = String::new();
        for excerpt in excerpts(&Text::from(text), &places) {
            match excerpt {
                Excerpt::Lines { first_line, text, places } => {
                    shown += &format!("line {first_line}: {text:?}\n");
                    for (index, place) in places {
                        shown += &format!("  {index} at {place:?}: {:?}\n", &text[place.clone()]);
                    }
                }
                Excerpt::Near { place, text } => shown += &format!("{place} near {text:?}\n"),
            }
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn near_places_share_an_excerpt_with_plain_line_breaks() {
        check(
            "zero\r\none\r\ntwo\rthree\n",
            [(15, 20), (6, 9)],
            expect![[r#"
                line 1: "one\ntwo\nthree"
                  0 at 8..13: "three"
                  1 at 0..3: "one"
            "#]],
        );
    }

    #[test]
    fn far_places_have_their_own() {
        let text = format!("one{}two", "\n".repeat(99));
        check(
            &text,
            [(102, 105), (0, 3)],
            expect![[r#"
                line 99: "two"
                  0 at 0..3: "two"
                line 0: "one"
                  1 at 0..3: "one"
            "#]],
        );
    }

    #[test]
    fn a_place_in_a_line_break_is_at_the_end_of_its_line() {
        check(
            "ab\r\ncd",
            [(3, 3)],
            expect![[r#"
                line 0: "ab"
                  0 at 2..2: ""
            "#]],
        );
    }

    #[test]
    fn the_end_of_the_text_can_be_shown() {
        check(
            "",
            [(0, 0)],
            expect![[r#"
                line 0: ""
                  0 at 0..0: ""
            "#]],
        );
        check(
            "ab\n",
            [(3, 3)],
            expect![[r#"
                line 1: ""
                  0 at 0..0: ""
            "#]],
        );
    }

    #[test]
    fn of_a_line_too_long_some_characters_are_shown() {
        let text = format!("{}x{}\nend", "é".repeat(50_000), "é".repeat(50_000));
        check(
            &text,
            [(200_002, 200_005), (100_000, 100_001), (100_000, 200_005)],
            expect![[r#"
                line 1: "end"
                  0 at 0..3: "end"
                1 near "éééééééééééééééxéééééééééééééé"
                2 near "éééééééééééééééxéééééééééééééé"
            "#]],
        );
    }

    #[test]
    fn a_range_of_many_lines_is_shown_by_its_first() {
        check(
            &"line\n".repeat(1_000),
            [(2, 4_000)],
            expect![[r#"
                line 0: "line"
                  0 at 2..4: "ne"
            "#]],
        );
    }
}
