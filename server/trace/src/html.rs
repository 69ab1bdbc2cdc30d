//! A story as a page: the chart, and beside it everything that happened, to be opened line by line. Needs nothing from elsewhere.

use std::fmt::Write;

use crate::chart::{HOVER, Layout, STYLE, body, escaped, heads};
use crate::story::Story;
use crate::text::{details, sentence};

const HEAD_HEIGHT: i32 = 56;
const PAGE_STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The page as one file. `original` is what happened before the run was made short, to be shown instead on demand; `about` is a sentence on
/// where the run comes from.
pub fn html(story: &Story, original: Option<&Story>, title: &str, about: &str) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out += "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n";
    let _ = writeln!(
        out,
        "<title>{}</title>\n<style>{STYLE}{HOVER}{PAGE_STYLE}</style>\n</head>\n<body class=\"lockstep-chart\">",
        escaped(title)
    );
    let all = original.map(|all| toggle(story, all)).unwrap_or_default();
    let _ = writeln!(out, "<header><h1>{}</h1><p>{}{all}</p>{}</header>", escaped(title), escaped(about), bug(story));
    run(story, "", &mut out);
    if let Some(original) = original {
        run(original, " hidden", &mut out);
    }
    let _ = writeln!(out, "<script>{SCRIPT}</script>\n</body>\n</html>");
    out
}

/// Changes between the short run and the whole one.
fn toggle(short: &Story, all: &Story) -> String {
    let (few, many) = (short.moments.len(), all.moments.len());
    format!(" <label><input type=\"checkbox\" id=\"all\"> show all {many} moments, not only the {few} that the bug needs</label>")
}

/// The chart of a run, and its list.
fn run(story: &Story, attributes: &str, out: &mut String) {
    let layout = Layout::of(story);
    let (width, height) = (layout.width, layout.height);
    let _ = writeln!(out, "<main{attributes}>\n<div class=\"picture\">");
    let svg = |class: &str, height: i32| {
        format!(r#"<svg class="{class}" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#)
    };
    let _ = writeln!(out, "{}\n{}</svg>", svg("names", HEAD_HEIGHT), heads(story, &layout));
    let _ = writeln!(out, "{}\n{}</svg>\n</div>", svg("rows", height), body(story, &layout));
    list(story, out);
    out.push_str("</main>\n");
}

fn bug(story: &Story) -> String {
    let Some(bug) = &story.bug else { return "<p>This run shows no bug.</p>".to_owned() };
    let place = bug.place.as_ref().map(|place| format!(" <span class=\"place\">{}</span>", escaped(&place.to_string())));
    let state = if bug.state.is_empty() { String::new() } else { format!(" in {}", escaped(&bug.state)) };
    let who = if bug.who.is_empty() { String::new() } else { format!("<b>{}</b>{state}: ", escaped(&bug.who)) };
    format!(
        "<p class=\"wrong\">{who}{} <code>{}</code>{}</p>",
        escaped(&bug.message),
        escaped(&bug.code),
        place.unwrap_or_default()
    )
}

/// Everything that happened, in words.
fn list(story: &Story, out: &mut String) {
    out.push_str("<ol class=\"moments\">\n");
    for (number, moment) in story.moments.iter().enumerate() {
        let said = escaped(&sentence(story, moment));
        let place = moment.place.as_ref().map(|place| format!("<span class=\"place\">{}</span>", escaped(&place.to_string())));
        let details: String = details(moment).iter().map(|detail| format!("<li>{}</li>", escaped(detail))).collect();
        let changed = if details.is_empty() { "" } else { " class=\"changed\"" };
        let _ = writeln!(
            out,
            "<li data-moment=\"{number}\"><details><summary{changed}>{said}</summary><ul>{details}</ul>{}</details></li>",
            place.unwrap_or_default()
        );
    }
    out.push_str("</ol>\n");
}
