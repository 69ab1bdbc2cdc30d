//! A story as text: one line for each thing that happens, what changed below it, the bug last.

use std::fmt::Write;

use crate::story::{Fate, Moment, Story, What, with_payload};

/// The most characters of a line before the place is put behind it.
const WIDTH: usize = 72;

pub fn text(story: &Story) -> String {
    let mut out = String::new();
    let digits = story.moments.len().to_string().len().max(3);
    for (number, moment) in (1..).zip(&story.moments) {
        let said = sentence(story, moment);
        let place = moment.place.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(out, "{}", format!("{number:>digits$}  {said:<WIDTH$}  {place}").trim_end());
        let indent = " ".repeat(digits + 4);
        for detail in details(moment) {
            let _ = writeln!(out, "{indent}{detail}");
        }
    }
    if let Some(bug) = &story.bug {
        let place = bug.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let who = match (bug.who.as_str(), bug.state.as_str()) {
            ("", _) => String::new(),
            (who, "") => format!("{who}: "),
            (who, state) => format!("{who} in {state}: "),
        };
        let _ = writeln!(out, "bug{place} [{}]\n{}{who}{}", bug.code, " ".repeat(digits + 2), bug.message);
    }
    out
}

/// What happens in a moment, and what changed by it, each in a line.
pub fn moment_words(story: &Story, moment: &Moment) -> String {
    let lines: Vec<String> = [sentence(story, moment)].into_iter().chain(details(moment)).collect();
    lines.join("\n")
}

/// What happens, in one line.
pub(crate) fn sentence(story: &Story, moment: &Moment) -> String {
    let name = |actor: usize| &story.actors[actor].name;
    let who = name(moment.actor);
    match &moment.what {
        What::Start { payload: None } => format!("{who} starts"),
        What::Start { payload: Some(payload) } => format!("{who} starts with {payload}"),
        What::Create { actor } => format!("{who} creates {}", name(*actor)),
        What::Send { message } => {
            let message = &story.messages[*message];
            let lost = match message.fate {
                Fate::Lost => ", which has halted or will before it takes it",
                Fate::Ignored => ", which ignores it",
                Fate::Waiting if story.repeats_from.is_some() => "",
                Fate::Waiting => " (not taken before the end)",
                Fate::Taken { .. } => "",
            };
            format!("{who} sends {} to {}{lost}", message.words(), name(message.to))
        }
        What::Take { message } => {
            let message = &story.messages[*message];
            format!("{who} takes {} from {}", message.words(), name(message.from))
        }
        What::Null => format!("{who} has nothing to do and handles null"),
        What::Observe { by, event, payload } => {
            format!("{who} sees {} of {}", with_payload(event, payload.as_deref()), name(*by))
        }
        What::Print { text } => format!("{who} prints: {}", text.replace('\n', " ")),
    }
}

/// What changed, each in a line.
pub(crate) fn details(moment: &Moment) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, (choice, options)) in moment.choices.iter().enumerate() {
        // A choice that goes wrong gives nothing.
        let value = moment.chosen.get(number).map(|value| format!("{value}, ")).unwrap_or_default();
        lines.push(format!("chooses {value}possibility {choice} of {options}"));
    }
    if let Some(change) = &moment.state {
        lines.push(format!("state: {} -> {}", change.from, change.to.as_deref().unwrap_or("halted")));
    }
    lines.extend(moment.changes.iter().map(|change| format!("{}: {} -> {}", change.variable, change.before, change.after)));
    lines
}
