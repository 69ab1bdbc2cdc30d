//! A diagram in Mermaid's languages: a state diagram, or a flow chart.

use std::fmt::Write;

use crate::dot::arrow_words;
use crate::graph::{ArrowKind, BoxKind, Diagram, DiagramKind, Heat};
use crate::svg::title;

pub fn mermaid(diagram: &Diagram) -> String {
    let head = format!("---\ntitle: \"{}\"\n---\n", title(diagram).replace(['"', '\\', '\n'], " "));
    head + &if diagram.kind == DiagramKind::Flow { flow(diagram) } else { states(diagram) }
}

fn states(diagram: &Diagram) -> String {
    let mut out = String::from("stateDiagram-v2\n");
    for (number, shown) in diagram.boxes.iter().enumerate() {
        if shown.kind == BoxKind::Halted {
            continue;
        }
        let _ = writeln!(out, "  state \"{}\" as n{number}", escaped(&shown.name));
        for row in &shown.rows {
            let _ = writeln!(out, "  n{number} : {}", escaped(format!("{} {}", row.kind.word(), row.text).trim()));
        }
        match shown.kind {
            BoxKind::State(Some(Heat::Hot)) => drop(writeln!(out, "  class n{number} hot")),
            BoxKind::State(Some(Heat::Cold)) => drop(writeln!(out, "  class n{number} cold")),
            _ => {}
        }
        if shown.is_start {
            let _ = writeln!(out, "  [*] --> n{number}");
        }
    }
    for arrow in &diagram.arrows {
        let to = match diagram.boxes[arrow.to].kind {
            BoxKind::Halted => "[*]".to_owned(),
            _ => format!("n{}", arrow.to),
        };
        let _ = writeln!(out, "  n{} --> {to} : {}", arrow.from, escaped(&arrow_words(arrow, ", ")));
    }
    out += "  classDef hot stroke:#cf222e,stroke-width:2px\n  classDef cold stroke:#0969da,stroke-width:2px\n";
    out
}

fn flow(diagram: &Diagram) -> String {
    let mut out = String::from("flowchart TD\n");
    for (number, shown) in diagram.boxes.iter().enumerate() {
        let rows = shown.rows.iter().map(|row| format!("<br/>{}", escaped(format!("{} {}", row.kind.word(), row.text).trim())));
        let label = escaped(&shown.name) + &rows.collect::<String>();
        let _ = match shown.kind {
            BoxKind::Spec => writeln!(out, "  n{number}([\"{label}\"])"),
            _ if shown.is_start => writeln!(out, "  n{number}[[\"{label}\"]]"),
            _ => writeln!(out, "  n{number}[\"{label}\"]"),
        };
    }
    for arrow in &diagram.arrows {
        let line = match arrow.kind {
            ArrowKind::Goto | ArrowKind::Send => "-->",
            ArrowKind::MaySend => "-.->",
            ArrowKind::Create => "==>",
            ArrowKind::Announce => "--o",
            ArrowKind::Observe => "-.-o",
        };
        let _ = writeln!(out, "  n{} {line}|\"{}\"| n{}", arrow.from, escaped(&arrow_words(arrow, ", ")), arrow.to);
    }
    out
}

/// Everything that could mean something to Mermaid is written by its number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | ',' | '/' => out.push(character),
            '\u{25b8}' => out.push_str("then"),
            other if other.is_alphanumeric() => out.push(other),
            other => drop(write!(out, "#{};", u32::from(other))),
        }
    }
    out
}
