//! A diagram as text: each box with what is in it and the arrows that leave it, for terminals and editors without pictures.

use crate::graph::{Arrow, ArrowKind, Box, BoxKind, Diagram, DiagramKind, PlaceId};
use crate::svg::title;

/// A line of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    /// Which bytes of it lead where; the whole line leads to the first.
    pub links: Vec<(std::ops::Range<usize>, PlaceId)>,
}

impl Line {
    fn add(&mut self, text: &str) {
        self.text += text;
    }

    fn link(&mut self, text: &str, place: Option<PlaceId>) {
        let start = self.text.len();
        self.text += text;
        self.links.extend(place.map(|place| (start..self.text.len(), place)));
    }
}

pub fn text(diagram: &Diagram) -> String {
    text_lines(diagram).iter().map(|line| line.text.trim_end().to_owned() + "\n").collect()
}

pub fn text_lines(diagram: &Diagram) -> Vec<Line> {
    let mut lines = vec![Line { text: head(diagram), links: Vec::new() }];
    for (number, shown) in diagram.boxes.iter().enumerate() {
        lines.push(Line::default());
        let is_of = |arrow: &&Arrow| arrow.from == number;
        let arrows: Vec<&Arrow> = diagram.arrows.iter().filter(is_of).collect();
        lines.push(name(shown));
        lines.extend(rows(shown));
        let last = arrows.len();
        lines.extend(arrows.into_iter().zip(1..).map(|(arrow, nth)| arrow_line(diagram, arrow, nth == last)));
    }
    lines
}

fn head(diagram: &Diagram) -> String {
    let count = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let of = |kind: BoxKind| diagram.boxes.iter().filter(|shown| shown.kind == kind).count();
    let size = match diagram.kind {
        DiagramKind::Flow => format!("{}, {}", count(of(BoxKind::Machine), "machine"), count(of(BoxKind::Spec), "spec")),
        DiagramKind::Machine | DiagramKind::Spec => count(diagram.boxes.len() - of(BoxKind::Halted), "state"),
    };
    format!("{} ({size})", title(diagram))
}

fn name(shown: &Box) -> Line {
    let mut line = Line::default();
    line.add(if shown.is_start { "\u{25cf} " } else { "\u{25cb} " });
    line.link(&shown.name, shown.place);
    match shown.kind {
        BoxKind::State(Some(heat)) => line.add(&format!("  [{}]", heat.word())),
        BoxKind::Spec => line.add("  [spec]"),
        _ => {}
    }
    if shown.is_start {
        line.add("  (start)");
    }
    line
}

fn rows(shown: &Box) -> impl Iterator<Item = Line> + '_ {
    let widest = shown.rows.iter().map(|row| row.kind.word().len()).max().unwrap_or(0);
    shown.rows.iter().map(move |row| {
        let mut line = Line::default();
        line.add("\u{2502}   ");
        let word = row.kind.word();
        line.link(format!("{word:widest$}  {}", row.text).trim(), row.place);
        line
    })
}

fn arrow_line(diagram: &Diagram, arrow: &Arrow, is_last: bool) -> Line {
    let mut line = Line::default();
    line.add(if is_last { "\u{2514}" } else { "\u{251c}" });
    let (stroke, tip) = match arrow.kind {
        ArrowKind::Goto | ArrowKind::Send => ("\u{2500}\u{2500}", "\u{2500}\u{2500}\u{25b6}"),
        ArrowKind::MaySend => ("\u{2504}\u{2504}", "\u{2504}\u{2504}\u{25b7}"),
        ArrowKind::Create => ("\u{2550}\u{2550}", "\u{2550}\u{2550}\u{25b6}"),
        ArrowKind::Announce | ArrowKind::Observe => ("\u{2508}\u{2508}", "\u{2508}\u{2508}\u{25b8}"),
    };
    line.add(stroke);
    line.add(match arrow.kind {
        ArrowKind::Announce => " announces ",
        ArrowKind::Observe => " seen ",
        _ => " ",
    });
    for (number, label) in arrow.labels.iter().enumerate() {
        line.add(if number > 0 { ", " } else { "" });
        line.link(&label.text, label.place);
    }
    line.add(&format!(" {tip} "));
    let to = &diagram.boxes[arrow.to];
    line.link(&to.name, to.place);
    line
}
