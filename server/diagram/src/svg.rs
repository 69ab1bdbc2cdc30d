//! A diagram as a picture. Its colours are in one style sheet, for light and dark surroundings, and it needs nothing else.

mod legend;

use std::fmt::Write;

use crate::graph::{Arrow, ArrowKind, Box, BoxKind, Diagram, DiagramKind, PlaceId};
use crate::layout::{self, Placed, Point, Rect, Route, Sheet};
use crate::measure::{
    LABEL_LINE, NAME_LINE, PADDING, ROW_LINE, START, box_lines, box_size, label_size, more, row_indent, shown_labels, width,
};

/// How diagrams look.
pub const STYLE: &str = include_str!("svg/diagram.css");

const MARGIN: f64 = 16.0;
const TITLE: f64 = 30.0;
/// For each arrow at a side of a box.
const PORT: f64 = 13.0;

/// The picture as a file that stands on its own.
pub fn svg(diagram: &Diagram) -> String {
    Drawing { diagram, has_places: false, out: String::new() }.draw()
}

/// The picture for an editor, without title and style sheet: parts that have a place in the source know its number (`data-place`) and can
/// be reached with the keyboard.
pub fn svg_with_places(diagram: &Diagram) -> String {
    Drawing { diagram, has_places: true, out: String::new() }.draw()
}

/// What is laid out.
pub fn sheet(diagram: &Diagram) -> Sheet {
    let boxes = diagram.boxes.iter().enumerate().map(|(number, shown)| {
        let size = box_size(shown, mark(shown));
        // Arrows need room at the sides of a box, or nobody can tell them apart.
        let leaving = diagram.arrows.iter().filter(|arrow| arrow.from == number && arrow.to != number).count();
        let entering = diagram.arrows.iter().filter(|arrow| arrow.to == number && arrow.from != number).count();
        layout::Size { width: size.width.max(16.0 + PORT * leaving.max(entering).min(40) as f64), ..size }
    });
    let boxes = boxes.collect();
    let line = |arrow: &Arrow| layout::Line { from: arrow.from, to: arrow.to, label: label_size(arrow) };
    let starts = diagram.boxes.iter().zip(0..).filter(|(shown, _)| shown.is_start).map(|(_, number)| number);
    Sheet { boxes, lines: diagram.arrows.iter().map(line).collect(), starts: starts.collect() }
}

/// What stands behind a name.
fn mark(shown: &Box) -> &'static str {
    match shown.kind {
        BoxKind::State(heat) => heat.map_or("", |heat| heat.word()),
        BoxKind::Spec => "spec",
        BoxKind::Halted | BoxKind::Machine => "",
    }
}

/// What a diagram is of, in words.
pub(crate) fn title(diagram: &Diagram) -> String {
    match diagram.kind {
        DiagramKind::Machine => format!("machine {}", diagram.title),
        DiagramKind::Spec => format!("spec {}", diagram.title),
        DiagramKind::Flow => format!("event flow of {}", diagram.title),
    }
}

struct Drawing<'a> {
    diagram: &'a Diagram,
    has_places: bool,
    out: String,
}

impl Drawing<'_> {
    fn draw(mut self) -> String {
        let placed = layout::layout(&sheet(self.diagram));
        let top = if self.has_places { MARGIN } else { MARGIN + TITLE };
        let legend = legend::legend(self.diagram);
        let words = title(self.diagram);
        let title_width = if self.has_places { 0.0 } else { width(&words, 15.0) };
        let inner = placed.size.width.max(legend.width).max(title_width).max(60.0);
        let (wide, high) = (inner + 2.0 * MARGIN, top + placed.size.height + legend.height + MARGIN);
        let _ = writeln!(
            self.out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="lockstep-diagram" width="{wide:.0}" height="{high:.0}" viewBox="0 0 {wide:.0} {high:.0}">"#
        );
        let _ = writeln!(self.out, "<title>{}</title>", escaped(&words));
        if !self.has_places {
            let _ = writeln!(self.out, "<style>{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>");
            let _ = writeln!(self.out, r#"<text class="title" x="{MARGIN}" y="{}">{}</text>"#, MARGIN + 14.0, escaped(&words));
        }
        let _ = writeln!(self.out, r#"<g transform="translate({MARGIN} {top})">"#);
        self.parts(&placed);
        let _ = writeln!(self.out, r#"<g class="legend" transform="translate(0 {:.1})">"#, placed.size.height + 14.0);
        self.out += &legend.drawn;
        self.out += "</g>\n</g>\n</svg>\n";
        self.out
    }

    fn parts(&mut self, placed: &Placed) {
        let diagram = self.diagram;
        // Boxes last: nothing is drawn over them.
        for (number, (arrow, route)) in diagram.arrows.iter().zip(&placed.lines).enumerate() {
            self.arrow(number, arrow, route);
        }
        for (number, (shown, rect)) in diagram.boxes.iter().zip(&placed.boxes).enumerate() {
            self.shown_box(number, shown, rect);
        }
    }

    /// Attributes of something that leads to a place in the source.
    fn leads(&self, place: Option<PlaceId>, words: &str) -> String {
        match place {
            Some(PlaceId(number)) if self.has_places => {
                format!(r#" data-place="{number}" tabindex="0" role="link" aria-label="{}""#, escaped(words))
            }
            _ => String::new(),
        }
    }

    fn shown_box(&mut self, number: usize, shown: &Box, rect: &Rect) {
        let Rect { x, y, width: wide, height: high } = *rect;
        let kind = box_class(shown);
        let words = box_words(shown);
        let leads = self.leads(shown.place, &words);
        let _ = writeln!(self.out, r#"<g class="box {kind}" data-box="{number}"{leads}><title>{}</title>"#, escaped(&words));
        let round = if matches!(shown.kind, BoxKind::State(_)) { 9 } else { 3 };
        let round = if shown.kind == BoxKind::Halted { 15 } else { round };
        let _ = writeln!(self.out, r#"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{high:.1}" rx="{round}"/>"#);
        let lines = box_lines(shown);
        let baseline = if lines.is_empty() { y + high / 2.0 + 4.5 } else { y + 18.0 };
        let mut left = x + PADDING;
        if shown.is_start {
            let middle = baseline - 4.5;
            let _ = writeln!(self.out, r#"<circle class="begin" cx="{:.1}" cy="{middle:.1}" r="4"/>"#, left + 3.0);
            let arrow = format!("M{:.1} {middle:.1} h6 m-3 -3 l3 3 l-3 3", left + 8.0);
            let _ = writeln!(self.out, r#"<path class="begin-line" d="{arrow}"/>"#);
            left += START;
        }
        self.name(shown, rect, left, baseline);
        if !lines.is_empty() {
            let _ = writeln!(self.out, r#"<path class="rule" d="M{x:.1} {:.1} h{wide:.1}"/>"#, y + NAME_LINE);
        }
        self.rows(shown, x + PADDING, y + NAME_LINE + 15.0);
        self.out += "</g>\n";
    }

    /// The name, in the middle if nothing else is there.
    fn name(&mut self, shown: &Box, rect: &Rect, left: f64, baseline: f64) {
        let mark = mark(shown);
        let is_alone = shown.rows.is_empty() && mark.is_empty() && !shown.is_start;
        let (at, anchor) = if is_alone { (rect.x + rect.width / 2.0, "middle") } else { (left, "start") };
        let name = escaped(&shown.name);
        let _ = writeln!(self.out, r#"<text class="name" x="{at:.1}" y="{baseline:.1}" text-anchor="{anchor}">{name}</text>"#);
        if !mark.is_empty() {
            let pill = width(mark, crate::measure::ROW) + 10.0;
            let at = rect.x + rect.width - PADDING + 2.0 - pill;
            let (top, middle) = (baseline - 12.0, at + pill / 2.0);
            let _ = writeln!(
                self.out,
                r#"<g class="mark"><rect x="{at:.1}" y="{top:.1}" width="{pill:.1}" height="16" rx="8"/><text x="{middle:.1}" y="{:.1}" text-anchor="middle">{mark}</text></g>"#,
                baseline - 0.5
            );
        }
    }

    fn rows(&mut self, shown: &Box, left: f64, top: f64) {
        let indent = row_indent(shown);
        for (number, line) in box_lines(shown).iter().enumerate() {
            let y = top + ROW_LINE * number as f64;
            let kind = line.row.kind;
            let class = if kind.word().is_empty() { "note" } else { kind.word() };
            let words = format!("{} {} in {}", kind.word(), line.row.text, shown.name);
            let leads = self.leads(line.row.place, words.trim());
            let _ = write!(self.out, r#"<g class="row {class}"{leads}>"#);
            if !line.word.is_empty() {
                let _ = write!(self.out, r#"<text class="word" x="{left:.1}" y="{y:.1}">{}</text>"#, line.word);
            }
            let at = left + indent;
            let _ = writeln!(self.out, r#"<text class="said" x="{at:.1}" y="{y:.1}">{}</text></g>"#, escaped(&line.text));
        }
    }

    fn arrow(&mut self, number: usize, arrow: &Arrow, route: &Route) {
        let (from, to) = (&self.diagram.boxes[arrow.from].name, &self.diagram.boxes[arrow.to].name);
        let events: Vec<&str> = arrow.labels.iter().map(|label| label.text.as_str()).collect();
        let words = format!("{from} {} {to}: {}", arrow.kind.verb(), events.join(", "));
        let kind = arrow_class(arrow.kind);
        let leads = self.leads(arrow.labels.first().and_then(|label| label.place), &words);
        let ends = format!(r#"data-from="{}" data-to="{}""#, arrow.from, arrow.to);
        let _ = writeln!(
            self.out,
            r#"<g class="arrow {kind}" data-arrow="{number}" {ends}{leads}><title>{}</title>"#,
            escaped(&words)
        );
        let path = path(&route.path);
        if self.has_places {
            let _ = writeln!(self.out, r#"<path class="reach" d="{path}"/>"#);
        }
        let _ = writeln!(self.out, r#"<path class="line" d="{path}"/>"#);
        self.out += &tip(&route.path);
        if let Some(rect) = &route.label {
            self.labels(arrow, rect);
        }
        self.out += "</g>\n";
    }

    fn labels(&mut self, arrow: &Arrow, rect: &Rect) {
        let (labels, hidden) = shown_labels(arrow);
        let mut baseline = rect.y + 11.5;
        for label in labels {
            let leads = self.leads(label.place, &label.text);
            let text = escaped(&label.text);
            let _ = writeln!(self.out, r#"<text class="label" x="{:.1}" y="{baseline:.1}"{leads}>{text}</text>"#, rect.x);
            baseline += LABEL_LINE;
        }
        if hidden > 0 {
            let _ = writeln!(self.out, r#"<text class="label more" x="{:.1}" y="{baseline:.1}">{}</text>"#, rect.x, more(hidden));
        }
    }
}

fn box_class(shown: &Box) -> String {
    let kind = match shown.kind {
        BoxKind::State(Some(heat)) => format!("state {}", heat.word()),
        BoxKind::State(None) => "state".to_owned(),
        BoxKind::Halted => "halted".to_owned(),
        BoxKind::Machine => "machine".to_owned(),
        BoxKind::Spec => "spec".to_owned(),
    };
    if shown.is_start { format!("{kind} start") } else { kind }
}

fn box_words(shown: &Box) -> String {
    let kind = match shown.kind {
        BoxKind::State(_) => "state ",
        BoxKind::Machine => "machine ",
        BoxKind::Spec => "spec ",
        BoxKind::Halted => return "halted".to_owned(),
    };
    let heat = match shown.kind {
        BoxKind::State(Some(heat)) => format!(", {}", heat.word()),
        _ => String::new(),
    };
    format!("{kind}{}{heat}{}", shown.name, if shown.is_start { ", the start" } else { "" })
}

pub(crate) fn arrow_class(kind: ArrowKind) -> &'static str {
    match kind {
        ArrowKind::Goto => "goto",
        ArrowKind::Send => "send",
        ArrowKind::MaySend => "send may",
        ArrowKind::Create => "create",
        ArrowKind::Announce => "announce",
        ArrowKind::Observe => "observe",
    }
}

fn path(points: &[Point]) -> String {
    let mut out = String::new();
    for (number, point) in points.iter().enumerate() {
        let command = match number {
            0 => "M",
            number if number % 3 == 1 => " C",
            _ => " ",
        };
        let _ = write!(out, "{command}{:.1} {:.1}", point.x, point.y);
    }
    out
}

/// The head of an arrow, as its line arrives.
pub(crate) fn tip(points: &[Point]) -> String {
    let [.., before, end] = points else { return String::new() };
    let angle = (end.y - before.y).atan2(end.x - before.x).to_degrees();
    let Point { x, y } = end;
    format!("<path class=\"tip\" transform=\"translate({x:.1} {y:.1}) rotate({angle:.1})\" d=\"M0 0 l-9 -4 v8 z\"/>\n")
}

/// For SVG. What XML cannot hold at all becomes a box.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => out.push('\u{25a1}'),
            other => out.push(other),
        }
    }
    out
}
