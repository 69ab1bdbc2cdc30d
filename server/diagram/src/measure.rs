//! How large texts are on paper. Nobody here can ask a font, so widths are those of a wide one: room is never too little.

use crate::graph::{Arrow, Box, Label, Row};
use crate::layout::Size;

/// Sizes of letters in pixels.
pub(crate) const NAME: f64 = 13.0;
pub(crate) const ROW: f64 = 11.0;
pub(crate) const LABEL: f64 = 11.5;
/// The height of a line.
pub(crate) const NAME_LINE: f64 = 26.0;
pub(crate) const ROW_LINE: f64 = 16.0;
pub(crate) const LABEL_LINE: f64 = 15.0;
pub(crate) const PADDING: f64 = 10.0;
/// Before a name: the mark of where everything begins.
pub(crate) const START: f64 = 22.0;
/// The most characters of a line inside of a box.
const MOST_ROW: usize = 44;
/// The most events beside an arrow.
pub(crate) const MOST_LABELS: usize = 8;

pub(crate) fn width(text: &str, size: f64) -> f64 {
    let em: f64 = text.chars().map(em).sum();
    (em * size).ceil()
}

fn em(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ';' | ':' | '\'' | '|' | '!' | ' ' | '(' | ')' | '[' | ']' => 0.36,
        'f' | 't' | 'r' | '/' => 0.44,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        'A'..='Z' => 0.72,
        '\u{1100}'.. => 1.1,
        _ => 0.62,
    }
}

/// A line inside of a box: what row it belongs to, the word before it if it is the first of the row, and its text.
pub(crate) struct BoxLine<'a> {
    pub(crate) row: &'a Row,
    pub(crate) word: &'static str,
    pub(crate) text: String,
}

/// The rows of a box in lines that are not too long.
pub(crate) fn box_lines(shown: &Box) -> Vec<BoxLine<'_>> {
    let mut lines = Vec::new();
    for row in &shown.rows {
        let mut word = row.kind.word();
        for text in wrapped(&row.text, MOST_ROW) {
            lines.push(BoxLine { row, word, text });
            word = "";
        }
    }
    lines
}

fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            lines.push(word.to_owned());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines
}

/// How far the text of a row stands from the left: behind the widest word before any.
pub(crate) fn row_indent(shown: &Box) -> f64 {
    let widest = shown.rows.iter().map(|row| width(row.kind.word(), ROW)).fold(0.0, f64::max);
    if widest > 0.0 { widest + 7.0 } else { 0.0 }
}

pub(crate) fn box_size(shown: &Box, mark: &str) -> Size {
    let start = if shown.is_start { START } else { 0.0 };
    let mark = if mark.is_empty() { 0.0 } else { width(mark, ROW) + 22.0 };
    let head = start + width(&shown.name, NAME) + mark;
    let lines = box_lines(shown);
    let indent = row_indent(shown);
    let widest = lines.iter().map(|line| indent + width(&line.text, ROW)).fold(head, f64::max);
    let rows = if lines.is_empty() { 4.0 } else { 8.0 + ROW_LINE * lines.len() as f64 };
    Size { width: (widest + 2.0 * PADDING).max(56.0), height: NAME_LINE + rows }
}

/// The labels of an arrow that are shown, and how many are not.
pub(crate) fn shown_labels(arrow: &Arrow) -> (&[Label], usize) {
    let all = arrow.written();
    if all.len() > MOST_LABELS { (&all[..MOST_LABELS - 1], all.len() + 1 - MOST_LABELS) } else { (all, 0) }
}

pub(crate) fn more(count: usize) -> String {
    format!("and {count} more")
}

pub(crate) fn label_size(arrow: &Arrow) -> Option<Size> {
    let (labels, hidden) = shown_labels(arrow);
    if labels.is_empty() {
        return None;
    }
    let more = (hidden > 0).then(|| width(&more(hidden), LABEL));
    let widths = labels.iter().map(|label| width(&label.text, LABEL)).chain(more);
    let lines = labels.len() + usize::from(hidden > 0);
    Some(Size { width: widths.fold(0.0, f64::max), height: LABEL_LINE * lines as f64 })
}
