//! The edits that lay a text out, or a stretch of it.

use std::num::NonZero;
use std::ops::Range;

use lockstep_base::{Edit, TextRange, TextSize};
use lockstep_syntax::{Parse, Part};

use crate::indent;
use crate::layout::{Blank, lay_out};
use crate::options::{Indent, Options, Style, Width};
use crate::read::{count_newlines, is_blank, read};
use crate::sheet::Comment;

/// From this size on, several threads lay a text out.
const LARGE: usize = 60_000;

/// The edits that lay out all of a text but the parts with syntax errors: in order, apart from each other, and none that changes nothing.
/// `indent` is used where neither the options nor the text say how far lines are indented.
pub fn format(parse: &Parse, options: &Options, indent: Option<Indent>) -> Vec<Edit> {
    let formatter = Formatter::new(parse, options, indent);
    let parts: Vec<Part<'_>> = parse.parts().filter(|part| part.is_sound).collect();
    let run = |parts: &[Part<'_>]| -> Vec<Edit> { parts.iter().flat_map(|part| formatter.part(part)).collect() };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    if usize::from(parse.text().len()) < LARGE || threads == 1 {
        return run(&parts);
    }
    let share = parts.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = parts.chunks(share).map(|parts| scope.spawn(move || run(parts))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("formatting does not panic")).collect()
    })
}

/// The same for the lines that `range` touches; nothing if there is a syntax error in one of the parts they belong to.
pub fn format_range(parse: &Parse, range: TextRange, options: &Options, indent: Option<Indent>) -> Vec<Edit> {
    let lines = lines_around(parse, range);
    let is_touched = |part: &Part<'_>| part.range.start() < lines.end() && part.range.end() > lines.start();
    if parse.parts().any(|part| is_touched(&part) && !part.is_sound) {
        return Vec::new();
    }
    let formatter = Formatter::new(parse, options, indent);
    let edits = parse.parts().filter(is_touched).flat_map(|part| formatter.part(&part));
    // What is inserted at the start of the next line is about that line.
    let is_inside =
        |edit: &Edit| lines.contains_range(edit.range) && (edit.range.start() < lines.end() || lines.end() == parse.text().len());
    edits.filter(is_inside).collect()
}

fn lines_around(parse: &Parse, range: TextRange) -> TextRange {
    let text = parse.text();
    let first = text.line_of(range.start());
    // A selection up to the start of a line does not touch that line.
    let last = text.line_of(range.end());
    let ends_before = last > first && text.line_start(last) == range.end();
    let behind = if ends_before { last } else { last + 1 };
    TextRange::new(text.line_start(first), text.line_start(behind))
}

pub(crate) struct Formatter<'p> {
    parse: &'p Parse,
    pub(crate) style: Style,
    newline: &'static str,
}

impl<'p> Formatter<'p> {
    pub(crate) fn new(parse: &'p Parse, options: &Options, indent: Option<Indent>) -> Self {
        let habit = || indent::habit(parse.parts().filter(|part| part.is_sound).map(|part| part.text));
        let style = Style {
            indent: options.indent.or_else(habit).or(indent).unwrap_or(Indent::DEFAULT),
            width: options.width.unwrap_or(Width::DEFAULT).0,
            braces: options.braces.unwrap_or_default(),
        };
        Self { parse, style, newline: first_newline(parse) }
    }

    fn part(&self, part: &Part<'_>) -> Vec<Edit> {
        let mut sheet = read(part, self.parse.language(), self.style.braces);
        let blanks = lay_out(&mut sheet, part.text, &self.style);
        let mut edits = Edits { part, edits: Vec::new() };
        let mut end = 0;
        for (token, blank) in sheet.tokens.iter().zip(&blanks) {
            edits.replace(end, token.range.start, &self.blank(*blank));
            if token.comment == Some(Comment::Block) {
                self.move_comment(&mut edits, token.range.clone(), *blank);
            }
            end = token.range.end;
        }
        if end > 0 {
            let rest = &part.text[end..];
            let is_last = part.range.end() == self.parse.text().len();
            let lines = if is_last { 1 } else { count_newlines(rest).clamp(1, 2) };
            edits.replace(end, part.text.len(), &self.newline.repeat(lines as usize));
        }
        edits.edits
    }

    /// The lines inside of a comment that begins a line move with it, if they are written relative to it.
    fn move_comment(&self, edits: &mut Edits<'_>, range: Range<usize>, blank: Blank) {
        let text = edits.part.text;
        let line_start = text[..range.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let old_blank = &text[line_start..range.start];
        let new = match blank {
            Blank::Lines(_, columns) => columns,
            Blank::Spaces(_) if line_start == 0 => 0,
            Blank::Spaces(_) => return,
        };
        let old = self.columns(old_blank);
        if old == new || !old_blank.chars().all(is_blank) {
            return;
        }
        let lines = inner_lines(text, range);
        let is_star = |line: &Range<usize>| text[line.end..].starts_with('*');
        let is_relative = lines.iter().all(|line| self.columns(&text[line.clone()]) >= old) || lines.iter().all(is_star);
        if is_relative {
            for line in lines {
                let columns = (self.columns(&text[line.clone()]) + new).saturating_sub(old);
                edits.replace(line.start, line.end, &self.indentation(columns));
            }
        }
    }

    fn columns(&self, blank: &str) -> u32 {
        blank.bytes().map(|byte| if byte == b'\t' { self.style.unit() } else { 1 }).sum()
    }

    /// One stretch of white space of a part replaced; `None` if it is so already.
    pub(crate) fn replacement(&self, part: &Part<'_>, range: Range<usize>, with: &str) -> Option<Edit> {
        let mut edits = Edits { part, edits: Vec::new() };
        edits.replace(range.start, range.end, with);
        edits.edits.pop()
    }

    fn blank(&self, blank: Blank) -> String {
        match blank {
            Blank::Spaces(spaces) => " ".repeat(spaces as usize),
            Blank::Lines(lines, columns) => self.newline.repeat(lines as usize) + &self.indentation(columns),
        }
    }

    pub(crate) fn indentation(&self, columns: u32) -> String {
        match self.style.indent {
            Indent::Spaces(_) => " ".repeat(columns as usize),
            Indent::Tab => {
                let unit = self.style.unit();
                "\t".repeat((columns / unit) as usize) + &" ".repeat((columns % unit) as usize)
            }
        }
    }
}

/// The white space at the start of each line of a comment but the first; lines without anything else are left out.
fn inner_lines(text: &str, comment: Range<usize>) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    for (at, _) in text[comment.clone()].match_indices('\n') {
        let start = comment.start + at + 1;
        let line = &text[start..comment.end];
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        if !line[blank..].starts_with(['\n', '\r']) {
            lines.push(start..start + blank);
        }
    }
    lines
}

/// The first end of a line decides for all that are added.
fn first_newline(parse: &Parse) -> &'static str {
    let ends = parse.parts().find_map(|part| part.text.find(['\n', '\r']).map(|at| &part.text[at..]));
    match ends {
        Some(end) if end.starts_with("\r\n") => "\r\n",
        Some(end) if end.starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// Collects the edits of a part.
struct Edits<'p> {
    part: &'p Part<'p>,
    edits: Vec<Edit>,
}

impl Edits<'_> {
    /// Replaces white space by white space, as little of it as possible.
    fn replace(&mut self, start: usize, end: usize, with: &str) {
        let old = &self.part.text[start..end];
        if old == with || !old.chars().all(is_blank) {
            return;
        }
        let same = |(a, b): &(u8, u8)| a == b;
        let shorter = old.len().min(with.len());
        let prefix = old.bytes().zip(with.bytes()).take_while(same).count();
        let suffix = old.bytes().rev().zip(with.bytes().rev()).take(shorter - prefix).take_while(same).count();
        let range = TextRange::new(size(start + prefix), size(end - suffix)) + self.part.start();
        self.edits.push(Edit { range, insert: with[prefix..with.len() - suffix].to_owned() });
    }
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).expect("texts are smaller than 4 GiB")
}
