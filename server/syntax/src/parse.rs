//! A parsed text: its segments with their trees, typed trees and syntax errors; and the next version of it after an edit.
//!
//! Invariant: everything about a text depends on the text alone. A version made by edits equals one parsed from scratch; what
//! is taken over from the version before only saves time. A property test and a fuzz target compare the two.

use std::cell::RefCell;
use std::num::NonZero;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use lockstep_base::{Diagnostic, Edit, Text, TextRange, TextSize};
use tree_sitter::{InputEdit, Parser, Point, Tree};

use crate::parts::Part;
use crate::segments::Pieces;
use crate::{Language, errors, icet, p};

#[derive(Debug)]
pub struct Parse {
    language: Language,
    text: Text,
    pieces: Pieces,
    segments: Vec<Placed>,
    typed: Typed,
    errors: OnceLock<Vec<Diagnostic>>,
}

#[derive(Debug)]
enum Typed {
    P(p::ast::File),
    Icet(icet::ast::File),
}

#[derive(Clone, Debug)]
struct Placed {
    start: usize,
    segment: Arc<Segment>,
}

/// A segment's text and how much of it can be read.
struct Source {
    text: String,
    read: usize,
}

impl Source {
    fn new(text: &Text, pieces: &Pieces, range: &Range<usize>) -> Self {
        Self {
            text: text.slice(TextRange::new(offset(range.start), offset(range.end))).into_owned(),
            read: pieces.unclosed().unwrap_or(range.end).min(range.end) - range.start,
        }
    }
}

/// From this size on, several threads parse a text.
const LARGE: usize = 100_000;

/// The segments of a text, parsed from scratch. They do not depend on each other, so a large text uses all cores.
fn parse_all(language: Language, text: &Text, pieces: &Pieces) -> Vec<Arc<Segment>> {
    let ranges = pieces.segments();
    let parse = |ranges: &[Range<usize>]| -> Vec<Arc<Segment>> {
        ranges.iter().map(|range| Arc::new(Segment::parse(language, Source::new(text, pieces, range), None))).collect()
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    if usize::from(text.len()) < LARGE || threads == 1 {
        return parse(&ranges);
    }
    let share = ranges.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let workers: Vec<_> = ranges.chunks(share).map(|ranges| scope.spawn(move || parse(ranges))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("parsing does not panic")).collect()
    })
}

/// A stretch of text that is parsed on its own. All positions count from its start.
#[derive(Debug)]
struct Segment {
    text: String,
    /// How much of the text is read: all of it, unless a comment or string in it does not end. Tree-sitter would take
    /// quadratic time to find that out.
    read: usize,
    has_error: bool,
    /// Made again when it is asked for, unless it is likely to be: trees take most of the memory of a parse.
    tree: OnceLock<Tree>,
    items: SegmentItems,
    errors: OnceLock<Vec<Diagnostic>>,
}

/// The tree of a longer segment is kept in any case.
const LONG_SEGMENT: usize = 16 * 1024;

#[derive(Debug)]
enum SegmentItems {
    P(p::ast::File),
    Icet(icet::ast::File),
}

impl Parse {
    pub fn new(language: Language, text: impl Into<Text>) -> Self {
        let text = text.into();
        let pieces = Pieces::new(language, &text);
        let mut segments = parse_all(language, &text, &pieces).into_iter();
        Self::with(language, text, pieces, |_, _| segments.next().expect("one for each range"))
    }

    /// The text after `edits`, each of which sees the text as the ones before it left it.
    #[must_use]
    pub fn edit(&self, edits: &[Edit]) -> Self {
        let mut text = self.text.clone();
        let mut change: Option<Change> = None;
        for edit in edits {
            let used = text.edit(edit);
            change = Some(Change::after(change, used, TextSize::of(edit.insert.as_str())));
        }
        let change = change.unwrap_or(Change { start: 0, old_end: 0, new_end: 0 });
        let pieces = self.pieces.changed(self.language, &text, change);
        let mut next = 0;
        Self::with(self.language, text, pieces, |source, range| {
            let old = change.old_range(&range);
            let old_start = old.as_ref().map_or_else(|| range.start.min(change.start), |old| old.start);
            while self.segments.get(next).is_some_and(|segment| segment.start < old_start) {
                next += 1;
            }
            let previous = self.segments.get(next).filter(|segment| segment.start == old_start);
            match (old, previous) {
                (Some(old), Some(previous)) if previous.segment.text.len() == old.len() => previous.segment.clone(),
                (None, Some(previous)) => Arc::new(Segment::parse(self.language, source(), Some(&previous.segment))),
                _ => Arc::new(Segment::parse(self.language, source(), None)),
            }
        })
    }

    /// Puts a parse together from segments, which `segment` makes one after another from their text and range.
    fn with(
        language: Language,
        text: Text,
        pieces: Pieces,
        mut segment: impl FnMut(&dyn Fn() -> Source, Range<usize>) -> Arc<Segment>,
    ) -> Self {
        let mut segments = Vec::new();
        for range in pieces.segments() {
            let start = range.start;
            let source = || Source::new(&text, &pieces, &range);
            segments.push(Placed { start, segment: segment(&source, range.clone()) });
        }
        let typed = match language {
            Language::P => Typed::P(p::ast::File { items: collect_items(&segments, SegmentItems::p) }),
            Language::Icet => Typed::Icet(icet::ast::File { items: collect_items(&segments, SegmentItems::icet) }),
        };
        Self { language, text, pieces, segments, typed, errors: OnceLock::new() }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn text(&self) -> &Text {
        &self.text
    }

    /// Where the segment around a place starts: nothing before it matters to how the place is read.
    pub fn segment_start(&self, at: TextSize) -> TextSize {
        let behind = self.segments.partition_point(|placed| offset(placed.start) <= at);
        behind.checked_sub(1).map_or_else(TextSize::default, |index| offset(self.segments[index].start))
    }

    /// The segments' trees, each with where it starts.
    pub(crate) fn trees(&self) -> impl Iterator<Item = (TextSize, &Tree)> {
        self.segments.iter().map(|placed| (offset(placed.start), placed.segment.tree(self.language)))
    }

    /// The stretches of the text that are read on their own, in order.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part<'_>> {
        self.segments.iter().enumerate().map(|(index, Placed { start, segment })| Part {
            range: TextRange::at(offset(*start), TextSize::of(segment.text.as_str())),
            text: &segment.text,
            is_sound: segment.is_well_formed(),
            parse: self,
            index,
        })
    }

    /// The tree of a segment, which is not kept unless it is there anyway: trees take most of the memory of a parse.
    pub(crate) fn tree_for_now(&self, index: usize) -> Tree {
        let segment = &self.segments[index].segment;
        segment.tree.get().cloned().unwrap_or_else(|| parse_tree(self.language, &segment.text[..segment.read], None))
    }

    /// The end of the text from where on nothing can be read, because a comment or string does not end.
    pub(crate) fn unread(&self) -> Option<TextRange> {
        Some(TextRange::new(offset(self.pieces.unclosed()?), self.text.len()))
    }

    /// The typed file, if this is P.
    pub fn p(&self) -> Option<&p::ast::File> {
        match &self.typed {
            Typed::P(file) => Some(file),
            Typed::Icet(_) => None,
        }
    }

    /// The typed file, if this is IceT.
    pub fn icet(&self) -> Option<&icet::ast::File> {
        match &self.typed {
            Typed::Icet(file) => Some(file),
            Typed::P(_) => None,
        }
    }

    /// Everything wrong with the text as such, in order of place. Computed when first asked for.
    pub fn errors(&self) -> &[Diagnostic] {
        self.errors.get_or_init(|| {
            let mut found: Vec<Diagnostic> = Vec::new();
            for Placed { start, segment } in &self.segments {
                found.extend(segment.errors(self.language).iter().map(|error| error.clone().shifted(offset(*start))));
            }
            // On a line with a syntax error, what was taken for a name may be none.
            let broken: Vec<u32> = found.iter().map(|error| self.text.line_of(error.range.start())).collect();
            let is_sure = |range: TextRange| broken.binary_search(&self.text.line_of(range.start())).is_err();
            match &self.typed {
                Typed::P(file) => found.extend(p::problems(file, is_sure)),
                Typed::Icet(file) => found.extend(icet::problems(file)),
            }
            found.sort_by_key(|diagnostic| (diagnostic.range.start(), diagnostic.range.end()));
            found
        })
    }

    /// What could not be read, and may say anything: the lines with syntax errors, and what tree-sitter passed by.
    pub fn lost(&self) -> Vec<TextRange> {
        let mut lost: Vec<TextRange> = self.unread().into_iter().collect();
        for Placed { start, segment } in self.segments.iter().filter(|placed| !placed.segment.is_well_formed()) {
            lost.extend(errors::lost(segment.tree(self.language)).into_iter().map(|range| range + offset(*start)));
            let errors = segment.errors(self.language).iter();
            lost.extend(errors.map(|error| self.line_around(error.range.start() + offset(*start))));
        }
        lost
    }

    fn line_around(&self, at: TextSize) -> TextRange {
        let line = self.text.line_of(at);
        TextRange::new(self.text.line_start(line), self.text.line_start(line + 1))
    }

    /// Whether the text is what the grammar says, looking at the trees only.
    pub fn is_well_formed(&self) -> bool {
        self.segments.iter().all(|placed| placed.segment.is_well_formed())
    }
}

fn collect_items<'s, Item: 's>(
    segments: &'s [Placed],
    items: fn(&'s SegmentItems) -> &'s [crate::tree::Placed<Item>],
) -> Vec<crate::tree::Placed<Item>> {
    let mut all = Vec::new();
    for Placed { start, segment } in segments {
        let shifted = |item: &crate::tree::Placed<Item>| crate::tree::Placed {
            start: item.start + offset(*start),
            value: item.value.clone(),
        };
        all.extend(items(&segment.items).iter().map(shifted));
    }
    all
}

impl SegmentItems {
    fn p(&self) -> &[crate::tree::Placed<p::ast::Item>] {
        match self {
            Self::P(file) => &file.items,
            Self::Icet(_) => &[],
        }
    }

    fn icet(&self) -> &[crate::tree::Placed<icet::ast::Item>] {
        match self {
            Self::Icet(file) => &file.items,
            Self::P(_) => &[],
        }
    }
}

impl Segment {
    fn parse(language: Language, Source { text, read }: Source, previous: Option<&Self>) -> Self {
        let readable = &text[..read];
        let again = previous.and_then(|previous| previous.parse_again(language, readable));
        let tree = again.unwrap_or_else(|| parse_tree(language, readable, None));
        let items = match language {
            Language::P => SegmentItems::P(p::lower(readable, &tree)),
            Language::Icet => SegmentItems::Icet(icet::lower(readable, &tree)),
        };
        let has_error = tree.root_node().has_error();
        // A segment that was edited will be edited again.
        let is_kept = previous.is_some() || has_error || read > LONG_SEGMENT;
        let tree = if is_kept { OnceLock::from(tree) } else { OnceLock::new() };
        Self { text, read, has_error, tree, items, errors: OnceLock::new() }
    }

    fn is_well_formed(&self) -> bool {
        self.read == self.text.len() && !self.has_error
    }

    fn tree(&self, language: Language) -> &Tree {
        self.tree.get_or_init(|| parse_tree(language, &self.text[..self.read], None))
    }

    /// The tree of `text`, parsed with the help of this segment's. Only for texts without errors: there the tree is the only
    /// one possible, whereas how tree-sitter recovers from an error can depend on what it took over.
    fn parse_again(&self, language: Language, text: &str) -> Option<Tree> {
        let same = |(a, b): &(u8, u8)| a == b;
        let old = &self.text[..self.read];
        let shorter = old.len().min(text.len());
        let prefix = old.bytes().zip(text.bytes()).take_while(same).count();
        let suffix = old.bytes().rev().zip(text.bytes().rev()).take(shorter - prefix).take_while(same).count();
        let mut tree = self.tree.get()?.clone();
        // Rows and columns are not filled in: nothing here asks tree-sitter for them.
        tree.edit(&InputEdit {
            start_byte: prefix,
            old_end_byte: old.len() - suffix,
            new_end_byte: text.len() - suffix,
            start_position: Point::default(),
            old_end_position: Point::default(),
            new_end_position: Point::default(),
        });
        Some(parse_tree(language, text, Some(&tree))).filter(|tree| !tree.root_node().has_error())
    }

    fn errors(&self, language: Language) -> &[Diagnostic] {
        self.errors.get_or_init(|| match self.is_well_formed() {
            true => Vec::new(),
            false => errors::syntax_errors(language, &self.text, self.read, self.tree(language)),
        })
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

pub(crate) fn parse_tree(language: Language, text: &str, old: Option<&Tree>) -> Tree {
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(&language.tree_sitter()).expect("the grammar is made for this tree-sitter");
        parser.parse(text, old).expect("parsing ends early only if it is told to")
    })
}

/// The one stretch outside of which two versions of a text are the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) start: usize,
    pub(crate) old_end: usize,
    pub(crate) new_end: usize,
}

impl Change {
    /// Covers what `change` covers and one more edit, which replaced `range` by `inserted` bytes.
    fn after(change: Option<Self>, range: TextRange, inserted: TextSize) -> Self {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        let inserted = usize::from(inserted);
        let Some(change) = change else {
            return Self { start, old_end: end, new_end: start + inserted };
        };
        let covered = change.new_end.max(end);
        Self {
            start: change.start.min(start),
            old_end: change.old_end + (covered - change.new_end),
            new_end: covered - (end - start) + inserted,
        }
    }

    /// Where a range of the new text was in the old one; `None` if the change touches it.
    fn old_range(&self, new: &Range<usize>) -> Option<Range<usize>> {
        if new.end < self.start {
            Some(new.clone())
        } else {
            let start = self.old_offset(new.start)?;
            Some(start..start + new.len())
        }
    }

    /// Where a place behind the change was in the old text; `None` in front of its end.
    pub(crate) fn old_offset(&self, new: usize) -> Option<usize> {
        (new > self.new_end).then(|| new - self.new_end + self.old_end)
    }
}

/// A tree-sitter offset as ours.
pub(crate) fn offset(byte: usize) -> TextSize {
    TextSize::try_from(byte).expect("texts are smaller than 4 GiB")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::outline;

    const P: &str = "event e; machine A { start state S { on e do { x = 1; } } }
        fun f(a: int) { return; }\n// c\nmachine B { var x: int; start state S { defer e; } } test T [main = A]: { A, B };";
    const ICET: &str = "set S; process a { for c in S { send M(1) to c; } }
        message M(int);\n// c\nprocess c in S { var x: int; recv M(x) from a; } ensures safe: card(S) > 0;";
    const INSERTS: [&str; 14] =
        ["", "", "\n", "{", "}", ";", "(", "x", "\nevent f;", "// ", "/*", "*/", "\nprocess b { skip; }\n", "\nmachine C {"];

    /// Where, how many bytes go, and what comes.
    fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u32, &'static str)>> {
        prop::collection::vec((any::<prop::sample::Index>(), 0_u32..6, prop::sample::select(&INSERTS)), 1..12)
    }

    proptest! {
        #[test]
        fn outside_the_change_nothing_differs(
            text in "[a-c]{0,20}",
            edits in prop::collection::vec((0..25_u32, 0..6_u32, "[x-z]{0,4}"), 1..5),
        ) {
            let old = Text::from(text.as_str());
            let mut new = old.clone();
            let mut change = None;
            for (start, len, insert) in edits {
                let used = new.edit(&Edit { range: TextRange::at(start.into(), len.into()), insert: insert.clone() });
                change = Some(Change::after(change, used, TextSize::of(insert.as_str())));
            }
            let change: Change = change.unwrap();
            let (old, new) = (old.to_string(), new.to_string());
            prop_assert_eq!(&old[..change.start], &new[..change.start]);
            prop_assert_eq!(&old[change.old_end..], &new[change.new_end..]);
        }

        #[test]
        fn edits_give_what_parsing_from_scratch_gives(edits in edits()) {
            for (language, text) in [(Language::P, P), (Language::Icet, ICET)] {
                let mut parse = Parse::new(language, text);
                for (at, deleted, insert) in &edits {
                    let len = u32::from(parse.text().len());
                    let start = u32::try_from(at.index(len as usize + 1)).unwrap();
                    let range = TextRange::new(start.into(), (start + deleted).min(len).into());
                    parse = parse.edit(&[Edit { range, insert: (*insert).into() }]);
                    let fresh = Parse::new(language, parse.text().clone());
                    prop_assert_eq!(outline(&parse), outline(&fresh));
                    prop_assert_eq!(parse.p(), fresh.p());
                    prop_assert_eq!(parse.icet(), fresh.icet());
                    prop_assert_eq!(parse.errors(), fresh.errors());
                }
            }
        }
    }
}
