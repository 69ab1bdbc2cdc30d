//! A story as a message sequence chart: a line for each machine, time going down, arrows from where a message is sent to where it is
//! taken.
//!
//! Each moment has a row of its own, so labels are never on top of each other; only a message that is taken at once shares the row of
//! its sending. The picture has its colours in a style sheet of its own, for light and dark surroundings, and needs nothing else.

mod arrows;
mod layout;

use std::fmt::Write;

use crate::story::{Story, What};
use crate::text::{details, sentence};
pub(crate) use layout::Layout;
use layout::{HEAD, ROW, width_of};

/// The chart as a picture that stands on its own.
pub fn svg(story: &Story, title: &str) -> String {
    let layout = Layout::of(story);
    let (width, height) = (layout.width, HEAD + layout.height);
    let mut out = String::new();
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="lockstep-chart" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
    );
    let _ = writeln!(out, "<title>{}</title>\n<style>{STYLE}{HOVER}</style>", escaped(title));
    let _ = writeln!(out, r#"<rect class="paper" width="{width}" height="{height}"/>"#);
    out += &heads(story, &layout);
    let _ = writeln!(out, r#"<g transform="translate(0 {HEAD})">"#);
    out += &body(story, &layout);
    out += "</g>\n</svg>\n";
    out
}

/// How charts look; VS Code draws with it too.
pub(crate) const STYLE: &str = include_str!("chart/chart.css");
/// What the mouse is over and what was chosen, where no editor has colours for that.
pub(crate) const HOVER: &str = include_str!("chart/hover.css");

/// The names of the machines, above their lines.
pub(crate) fn heads(story: &Story, layout: &Layout) -> String {
    let mut out = String::new();
    let culprit = story.culprit();
    for (number, actor) in story.actors.iter().enumerate() {
        let (x, width) = (layout.x(number), width_of(&actor.name) + 18);
        let kind = if actor.is_spec { "head spec" } else { "head" };
        let wrong = if culprit == Some(number) { " wrong" } else { "" };
        let (left, top) = (x - width / 2, HEAD - 38);
        let _ = writeln!(
            out,
            r#"<g class="{kind}{wrong}"><rect x="{left}" y="{top}" width="{width}" height="26" rx="6"/><text x="{x}" y="{}">{}</text></g>"#,
            top + 17,
            escaped(&actor.name)
        );
    }
    out
}

/// Everything below the names; the first row begins at 0.
pub(crate) fn body(story: &Story, layout: &Layout) -> String {
    let mut out = String::new();
    lifelines(story, layout, &mut out);
    for number in 0..story.moments.len() {
        let row = layout.row_y(number);
        let _ = writeln!(out, r#"<g class="moment" data-moment="{number}"><title>{}</title>"#, hover(story, number));
        let band = row - ROW / 2;
        // Of several moments in a row the first has all of it, the others what is near their lines.
        let (left, width) = match layout.is_first_of_row(number) {
            true => (0, layout.width),
            false => (layout.x(story.moments[number].actor) - 50, 100),
        };
        let _ = writeln!(out, r#"<rect class="band" x="{left}" y="{band}" width="{width}" height="{ROW}"/>"#);
        if layout.is_first_of_row(number) {
            let _ = writeln!(out, r#"<text class="number" x="30" y="{}">{}</text>"#, row + 4, number + 1);
        }
        arrows::draw(story, layout, number, &mut out);
        point(story, layout, number, &mut out);
        out += "</g>\n";
    }
    circle(story, layout, &mut out);
    ending(story, layout, &mut out);
    out
}

/// A bracket beside the part of a run that is repeated for ever.
fn circle(story: &Story, layout: &Layout, out: &mut String) {
    let Some(first) = story.repeats_from else { return };
    let (top, bottom) = (layout.row_y(first) - ROW / 2 + 3, layout.bug_y - ROW / 2 - 3);
    let middle = (top + bottom) / 2;
    let _ = writeln!(out, r#"<path class="loop-line" d="M17 {top} h-6 V{bottom} h6 m-3 -3 l3 3 l-3 3"/>"#);
    let _ = writeln!(out, r#"<text class="loop-words" transform="translate(9 {middle}) rotate(-90)">again and again</text>"#);
}

/// A thin line for each actor, as long as it exists.
fn lifelines(story: &Story, layout: &Layout, out: &mut String) {
    for number in 0..story.actors.len() {
        let (x, from, to) = (layout.x(number), layout.begins(number), layout.ends(number));
        let _ = writeln!(out, r#"<line class="unborn" x1="{x}" y1="-12" x2="{x}" y2="{from}"/>"#);
        let _ = writeln!(out, r#"<line class="life" x1="{x}" y1="{from}" x2="{x}" y2="{to}"/>"#);
    }
}

/// What is seen on the line of the actor: a mark, and its new state.
fn point(story: &Story, layout: &Layout, number: usize, out: &mut String) {
    let moment = &story.moments[number];
    let (x, y) = (layout.x(moment.actor), layout.row_y(number));
    let has_changes = if moment.changes.is_empty() { "" } else { " changed" };
    match &moment.what {
        What::Start { .. } => {
            let (left, top) = (x - 5, y - 5);
            let _ = writeln!(out, r#"<rect class="mark{has_changes}" x="{left}" y="{top}" width="10" height="10"/>"#);
        }
        What::Print { text } => {
            let _ = writeln!(out, r#"<text class="print" x="{}" y="{}">“{}”</text>"#, x + 10, y + 4, escaped(&short(text, 60)));
        }
        _ => {
            let _ = writeln!(out, r#"<circle class="mark{has_changes}" cx="{x}" cy="{y}" r="4.5"/>"#);
        }
    }
    if let Some(change) = &moment.state {
        let name = change.to.as_deref().unwrap_or("halted");
        let width = width_of(name) + 14;
        let left = if layout.is_state_left(story, number) { x - 10 - width } else { x + 10 };
        let kind = if change.to.is_some() { "state" } else { "state halted" };
        let _ = writeln!(
            out,
            r#"<g class="{kind}"><rect x="{left}" y="{}" width="{width}" height="17" rx="8.5"/><text x="{}" y="{}">{}</text></g>"#,
            y - 8,
            left + 7,
            y + 4,
            escaped(name)
        );
    }
}

fn ending(story: &Story, layout: &Layout, out: &mut String) {
    let Some(bug) = &story.bug else { return };
    let y = layout.bug_y;
    if let Some(culprit) = story.culprit() {
        let x = layout.x(culprit);
        let _ = writeln!(out, r#"<path class="cross" d="M{} {} l12 12 m-12 0 l12 -12"/>"#, x - 6, y - 6);
    }
    let place = bug.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    let who = if bug.who.is_empty() { String::new() } else { format!("{}: ", bug.who) };
    let _ = writeln!(out, r#"<g class="bug">"#);
    for (line, said) in (0..).zip(layout::wrapped(&format!("{who}{}{place}", bug.message), layout.width)) {
        let _ = writeln!(out, r#"<text x="16" y="{}">{}</text>"#, y + 30 + 18 * line, escaped(&said));
    }
    out.push_str("</g>\n");
}

fn hover(story: &Story, number: usize) -> String {
    let moment = &story.moments[number];
    let place = moment.place.as_ref().map(|place| format!("\n{place}")).unwrap_or_default();
    let details: String = details(moment).iter().map(|detail| format!("\n{detail}")).collect();
    escaped(&format!("{}. {}{details}{place}", number + 1, sentence(story, moment)))
}

/// The beginning of a text that is too long for the chart.
pub(crate) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// For SVG and HTML. What XML cannot hold at all becomes a box.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => out.push('\u{25a1}'),
            other => out.push(other),
        }
    }
    out
}
