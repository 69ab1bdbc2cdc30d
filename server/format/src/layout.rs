//! From a sheet to where lines end and how far they are indented.
//!
//! One pass over the tokens with a stack of groups. Whether a group fits on the line is a difference of two sums, so the time is linear in
//! the number of tokens, however deep they nest. Where a line ends because of its width, the next run sees the end of a line that the author
//! has written, and leaves it: this is why formatting twice changes nothing.

use crate::options::Style;
use crate::rules::Break;
use crate::sheet::{Base, Comment, Gap, Group, Sheet, Token};

/// No line is indented further, so that what is nested without end does not become a text without end.
const DEEPEST: u32 = 200;

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blank {
    Spaces(u32),
    /// So many ends of lines, and then so many columns.
    Lines(u32, u32),
}

pub(crate) fn lay_out(sheet: &mut Sheet, text: &str, style: &Style) -> Vec<Blank> {
    for gap in &mut sheet.gaps {
        let is_authors = matches!(gap.breaks, Break::Author | Break::Needed | Break::Together) && gap.newlines > 0;
        gap.is_forced |= gap.breaks == Break::Always || is_authors && gap.hugged.is_none();
    }
    let measures = Measures::new(sheet, text);
    let layout = Layout { sheet, text, style, measures: &measures, column: 0, line_indent: 0, open: Vec::new(), next_group: 0 };
    layout.run()
}

/// Sums over the tokens on one line.
struct Measures {
    /// The width of all before a token, its gap included.
    before: Vec<u32>,
    /// How many lines must end before a token, at its gap included.
    forced: Vec<u32>,
    /// What follows a token on its line in any case.
    tails: Vec<u32>,
    /// What a token adds to the width of its line.
    counted: Vec<u32>,
    widths: Vec<TokenWidth>,
}

#[derive(Clone, Copy)]
struct TokenWidth {
    first_line: u32,
    /// If it has several lines.
    last_line: Option<u32>,
}

impl Measures {
    fn new(sheet: &Sheet, text: &str) -> Self {
        let count = sheet.tokens.len();
        let width_of = |token: &Token| token_width(&text[token.range.clone()], token.comment.is_some());
        let widths: Vec<TokenWidth> = sheet.tokens.iter().map(width_of).collect();
        // A comment at the end of a line may go beyond it.
        let counts = |index: usize| sheet.tokens[index].comment != Some(Comment::Line);
        let counted: Vec<u32> = (0..count).map(|index| if counts(index) { widths[index].first_line } else { 0 }).collect();
        let (mut before, mut forced) = (Vec::with_capacity(count + 1), Vec::with_capacity(count + 1));
        let (mut width, mut lines) = (0, 0);
        for (index, gap) in sheet.gaps.iter().enumerate() {
            width += u32::from(gap.space && counts(index));
            lines += u32::from(gap.is_forced);
            before.push(width);
            forced.push(lines);
            width += counted[index];
            lines += u32::from(widths[index].last_line.is_some());
        }
        let mut tails = vec![0; count];
        for index in (0..count.saturating_sub(1)).rev() {
            let next = &sheet.gaps[index + 1];
            if !next.can_break() && counts(index + 1) {
                let is_cut = widths[index + 1].last_line.is_some();
                let rest = if is_cut { 0 } else { tails[index + 1] };
                tails[index] = u32::from(next.space) + widths[index + 1].first_line + rest;
            }
        }
        Self { before, forced, tails, counted, widths }
    }

    /// The width of the tokens on one line.
    fn width(&self, first: usize, last: usize) -> u32 {
        self.before[last] - self.before[first] + self.counted[last]
    }

    /// Whether a line must end between the first and the last token.
    fn must_break(&self, first: usize, last: usize) -> bool {
        self.forced[last] > self.forced[first] || self.widths[last].last_line.is_some()
    }

    /// The last token of the line that begins with `first`, if lines end only where they must, but not behind `last`.
    fn line_end(&self, first: usize, last: usize) -> usize {
        let lines = self.forced[first];
        let end = first + self.forced[first..=last].partition_point(|forced| *forced <= lines);
        end.saturating_sub(1).max(first)
    }
}

fn token_width(token: &str, is_comment: bool) -> TokenWidth {
    let width =
        |text: &str| u32::try_from(if text.is_ascii() { text.len() } else { text.chars().count() }).unwrap_or(u32::MAX / 4);
    match token.split_once('\n') {
        None => TokenWidth { first_line: width(token), last_line: None },
        Some((first, rest)) => {
            let last = rest.rsplit_once('\n').map_or(rest, |(_, last)| last);
            let last = if is_comment { last.trim_start() } else { last };
            TokenWidth { first_line: width(first.trim_end_matches('\r')), last_line: Some(width(last)) }
        }
    }
}

struct Layout<'s> {
    sheet: &'s Sheet,
    text: &'s str,
    style: &'s Style,
    measures: &'s Measures,
    column: u32,
    /// How far the current line is indented.
    line_indent: u32,
    open: Vec<OpenGroup>,
    next_group: usize,
}

#[derive(Clone, Copy)]
struct OpenGroup {
    close: usize,
    base: u32,
    is_broken: bool,
    begins_line: bool,
}

impl Layout<'_> {
    fn run(mut self) -> Vec<Blank> {
        let count = self.sheet.tokens.len();
        let mut blanks = Vec::with_capacity(count);
        for index in 0..count {
            self.open_groups(index, true);
            let blank = self.blank(index);
            match blank {
                Blank::Spaces(spaces) => self.column += spaces,
                Blank::Lines(_, indent) => (self.column, self.line_indent) = (indent, indent),
            }
            blanks.push(blank);
            self.open_groups(index, false);
            let width = self.measures.widths[index];
            self.column = match width.last_line {
                None => self.column + width.first_line,
                // The lines of a comment move with it.
                Some(last) if self.sheet.tokens[index].comment.is_some() => self.line_indent + last,
                Some(last) => last,
            };
            while self.open.last().is_some_and(|group| group.close == index) {
                self.open.pop();
            }
        }
        blanks
    }

    fn open_groups(&mut self, index: usize, before_gap: bool) {
        while let Some(group) = self.sheet.groups.get(self.next_group)
            && group.open as usize == index
            && (group.has_gap || !before_gap)
        {
            self.open_group(group);
            self.next_group += 1;
        }
    }

    fn open_group(&mut self, group: &Group) {
        let outer = self.open.last();
        let base = match group.base {
            Base::Outer => outer.map_or(0, |outer| outer.base),
            Base::Line => self.line_indent,
        };
        let (first, last) = (group.open as usize, group.close as usize);
        let begins_line = self.column == self.line_indent;
        let joins = group.joins && outer.is_some_and(|outer| outer.is_broken);
        let is_broken = joins || !self.fits(self.column, first, last);
        self.open.push(OpenGroup { close: last, base, is_broken, begins_line });
    }

    fn fits(&self, column: u32, first: usize, last: usize) -> bool {
        !self.measures.must_break(first, last) && self.fits_until(column, first, last)
    }

    fn fits_until(&self, column: u32, first: usize, last: usize) -> bool {
        column + self.measures.width(first, last) + self.measures.tails[last] <= self.style.width
    }

    fn blank(&self, index: usize) -> Blank {
        if index == 0 {
            return Blank::Spaces(0);
        }
        let gap = &self.sheet.gaps[index];
        if self.ends_line(index, gap) {
            return Blank::Lines(1 + u32::from(self.has_empty_line(index, gap)), self.indent(gap));
        }
        match gap.comment_spaces {
            Some(spaces) => Blank::Spaces(spaces),
            None => Blank::Spaces(u32::from(gap.space || !self.may_touch(index))),
        }
    }

    fn indent(&self, gap: &Gap) -> u32 {
        let group = self.open.last();
        let levels = match group {
            Some(group) if gap.aligns && group.begins_line => 0,
            Some(_) => gap.levels,
            // Outside of all groups is the file.
            None => 0,
        };
        (group.map_or(0, |group| group.base) + u32::from(levels) * self.style.unit()).min(DEEPEST)
    }

    fn ends_line(&self, index: usize, gap: &Gap) -> bool {
        if gap.is_forced {
            return true;
        }
        let is_broken = self.open.last().is_some_and(|group| group.is_broken);
        let is_authors = gap.newlines > 0;
        match gap.breaks {
            Break::Never | Break::Always => false,
            Break::WithGroup => is_broken,
            Break::Together => is_broken,
            Break::Author | Break::Needed => {
                if let Some(group) = gap.hugged {
                    let group = &self.sheet.groups[group as usize];
                    let (first, last) = (group.open as usize, group.close as usize);
                    let fits_below = self.fits(self.indent(gap), first, last);
                    return fits_below && (is_authors || is_broken && gap.breaks == Break::Needed && !self.fits_here(index, gap));
                }
                is_authors || is_broken && gap.breaks == Break::Needed && !self.fits_here(index, gap)
            }
        }
    }

    /// Whether what follows the gap, up to where its line ends anyway, fits on the current line.
    fn fits_here(&self, index: usize, gap: &Gap) -> bool {
        // A comment goes where the token behind it goes.
        let mut follows = index;
        while self.sheet.tokens[follows].comment.is_some() && follows + 1 < self.sheet.tokens.len() {
            follows += 1;
        }
        let last = self.sheet.gaps[follows].until.max(gap.until) as usize;
        let end = self.measures.line_end(index, last.max(index));
        let column = self.column + u32::from(gap.space);
        if end < last {
            column + self.measures.width(index, end) <= self.style.width
        } else {
            self.fits_until(column, index, last)
        }
    }

    /// Whether an empty line of the source stays: between two things, not next to a bracket.
    fn has_empty_line(&self, index: usize, gap: &Gap) -> bool {
        let first = |index: usize| self.text.as_bytes().get(self.sheet.tokens[index].range.start).copied();
        gap.keeps_blank
            && gap.newlines > 1
            && !matches!(first(index - 1), Some(b'{' | b'(' | b'['))
            && !matches!(first(index), Some(b'}' | b')' | b']'))
    }

    /// Whether two tokens can stand next to each other without becoming one.
    fn may_touch(&self, index: usize) -> bool {
        let (before, after) = (&self.sheet.tokens[index - 1].range, &self.sheet.tokens[index].range);
        if before.end == after.start {
            return true;
        }
        let bytes = self.text.as_bytes();
        let (Some(left), Some(right)) = (bytes.get(before.end.wrapping_sub(1)), bytes.get(after.start)) else { return true };
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_') || !byte.is_ascii();
        let is_operator = |byte: &u8| b"-+*/%=<>!&|$".contains(byte);
        !(is_word(left) && is_word(right) || is_operator(left) && is_operator(right))
    }
}
