//! Arrows: messages, creations, and what specs see.

use std::fmt::Write;

use super::layout::{LABEL, Layout, ROW, end_of, width_of};
use super::{escaped, short};
use crate::story::{Fate, Story, What, with_payload};

/// The arrow that begins in a moment.
pub(super) fn draw(story: &Story, layout: &Layout, number: usize, out: &mut String) {
    let moment = &story.moments[number];
    let (x, y) = (layout.x(moment.actor), layout.row_y(number));
    match &moment.what {
        What::Send { message } => send(story, layout, *message, out),
        What::Create { actor } => {
            let to = layout.x(*actor);
            straight("create", (x, y), (to, y), out);
            tip("create", (x, y), (to, y), out);
            label("create", "new", (x, y), to, out);
        }
        What::Observe { by, event, payload } => {
            let from = layout.x(*by);
            straight("observe", (from, y), (x, y), out);
            // Several specs that see the same share a row and a label.
            if layout.is_first_of_row(number) {
                let said = short(&with_payload(event, payload.as_deref()), LABEL);
                label("observe", &said, (from, y), x, out);
            }
        }
        What::Start { .. } | What::Take { .. } | What::Null | What::Print { .. } => {}
    }
}

fn send(story: &Story, layout: &Layout, number: usize, out: &mut String) {
    let message = &story.messages[number];
    let from = (layout.x(message.from), layout.row_y(message.sent));
    let to = end_of(layout, story, number);
    let kind = match message.fate {
        Fate::Taken { .. } if to.1 - from.1 > 8 * ROW => "message late",
        Fate::Taken { .. } => "message",
        Fate::Ignored => "message ignored",
        Fate::Lost => "message lost",
        Fate::Waiting => "message waiting",
    };
    if message.from == message.to {
        let bow = (to.1 - from.1).max(ROW / 2);
        let (x, y) = from;
        let _ = writeln!(out, r#"<path class="{kind} line" d="M{x} {y} c34 0 34 {bow} 6 {bow}"/>"#);
        tip(kind, (x + 20, y + bow), (x, y + bow), out);
        label(kind, &short(&message.words(), LABEL), from, i32::MAX, out);
        return;
    }
    let side = (to.0 - from.0).signum();
    straight(kind, from, to, out);
    match message.fate {
        Fate::Taken { .. } | Fate::Waiting => tip(kind, from, to, out),
        Fate::Ignored => drop(writeln!(out, r#"<circle class="{kind} end" cx="{}" cy="{}" r="4"/>"#, to.0 - 8 * side, to.1)),
        Fate::Lost => {
            let (left, top) = (to.0 - 12 * side - 4, to.1 - 4);
            let _ = writeln!(out, r#"<path class="{kind} end" d="M{left} {top} l8 8 m-8 0 l8 -8"/>"#);
        }
    }
    label(kind, &short(&message.words(), LABEL), from, to.0, out);
}

fn straight(kind: &str, from: (i32, i32), to: (i32, i32), out: &mut String) {
    let _ = writeln!(out, r#"<line class="{kind} line" x1="{}" y1="{}" x2="{}" y2="{}"/>"#, from.0, from.1, to.0, to.1);
}

/// The head of an arrow: as steep as its line, just before the mark it leads to.
fn tip(kind: &str, from: (i32, i32), to: (i32, i32), out: &mut String) {
    let (x, y) = to;
    let angle = f64::from(to.1 - from.1).atan2(f64::from(to.0 - from.0)).to_degrees();
    let _ = writeln!(out, r#"<path class="{kind} tip" transform="rotate({angle:.1} {x} {y})" d="M{} {y} l-9 -4 v8 z"/>"#, x - 4);
}

/// Beside the beginning of an arrow, above its line.
fn label(kind: &str, text: &str, (x, y): (i32, i32), towards: i32, out: &mut String) {
    let goes_right = towards > x;
    let width = width_of(text);
    // To the left there may be less room than the text needs.
    let (anchor, at) = match goes_right {
        true => ("start", x + 9),
        false if x - 9 - width > 36 => ("end", x - 9),
        false => ("start", 38),
    };
    let _ = writeln!(out, r#"<text class="{kind} label" x="{at}" y="{}" text-anchor="{anchor}">{}</text>"#, y - 5, escaped(text));
}
