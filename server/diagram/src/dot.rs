//! A diagram in Graphviz's language.

use std::fmt::Write;

use crate::graph::{Arrow, ArrowKind, Box, BoxKind, Diagram, Heat};
use crate::svg::title;

pub fn dot(diagram: &Diagram) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&title(diagram)));
    out += "  graph [rankdir=TB];\n  node [shape=box, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\", fontsize=10];\n";
    for (number, shown) in diagram.boxes.iter().enumerate() {
        let _ = writeln!(out, "  n{number} [label={}{}];", box_label(shown), box_looks(shown));
        if shown.is_start {
            let _ = writeln!(out, "  start{number} [shape=point, label=\"\"];\n  start{number} -> n{number};");
        }
    }
    for arrow in &diagram.arrows {
        let label = arrow_words(arrow, "\n");
        let _ = writeln!(out, "  n{} -> n{} [label={}{}];", arrow.from, arrow.to, quoted(&label), arrow_looks(arrow.kind));
    }
    out += "}\n";
    out
}

/// What stands beside an arrow in languages that lay out themselves.
pub(crate) fn arrow_words(arrow: &Arrow, between: &str) -> String {
    match arrow.kind {
        ArrowKind::Create => "new".to_owned(),
        _ => arrow.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>().join(between),
    }
}

fn box_label(shown: &Box) -> String {
    let mut label = escaped(&shown.name);
    if !shown.rows.is_empty() {
        label += "\\n";
    }
    for row in &shown.rows {
        label += escaped(format!("{} {}", row.kind.word(), row.text).trim()).as_str();
        // Lines that end like this begin at the left.
        label += "\\l";
    }
    format!("\"{label}\"")
}

fn box_looks(shown: &Box) -> &'static str {
    match shown.kind {
        BoxKind::State(Some(Heat::Hot)) => ", style=rounded, color=red",
        BoxKind::State(Some(Heat::Cold)) => ", style=rounded, color=blue",
        BoxKind::State(_) => ", style=rounded",
        BoxKind::Halted => ", shape=oval",
        BoxKind::Machine => "",
        BoxKind::Spec => ", style=dashed, color=purple",
    }
}

fn arrow_looks(kind: ArrowKind) -> &'static str {
    match kind {
        ArrowKind::Goto | ArrowKind::Send => "",
        ArrowKind::MaySend => ", style=dashed",
        ArrowKind::Create => ", style=dotted, color=darkgreen",
        ArrowKind::Announce => ", color=purple",
        ArrowKind::Observe => ", style=dotted, color=purple",
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control.is_control() => out.push('\u{25a1}'),
            other => out.push(other),
        }
    }
    out
}
