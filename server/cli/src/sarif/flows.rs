//! Runs as code flows: a thread flow for each machine, the order of everything in `executionOrder`.

use lockstep_trace::{Located, Story, moment_words};
use serde::Serialize;

use super::{Artifact, Finding, Location, Message, PhysicalLocation, Region, log, rule, uri};
use crate::codes;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadFlow {
    id: String,
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: Location<'static>,
    /// From 1, over all thread flows.
    execution_order: usize,
    importance: &'static str,
}

/// A log with the bug of a story.
pub(crate) fn of_story(story: &Story) -> anyhow::Result<String> {
    let mut results = Vec::new();
    let mut rules = Vec::new();
    if let Some(bug) = &story.bug {
        let code = codes::known(&bug.code)?;
        rules.push(rule(code));
        let location = Location { id: None, physical_location: bug.place.as_ref().map(place), message: None };
        results.push(Finding {
            rule_id: code,
            rule_index: 0,
            level: "error",
            message: Message { text: bug.message.as_str().into() },
            locations: vec![location],
            related_locations: Vec::new(),
            fixes: Vec::new(),
            code_flows: vec![code_flow(story)],
        });
    }
    Ok(serde_json::to_string(&log(rules, results, Vec::new()))? + "\n")
}

pub(super) fn code_flow(story: &Story) -> CodeFlow {
    let mut thread_flows: Vec<ThreadFlow> =
        story.actors.iter().map(|actor| ThreadFlow { id: actor.name.clone(), locations: Vec::new() }).collect();
    let mut order = 0;
    for moment in &story.moments {
        order += 1;
        let is_important = moment.state.is_some() || !moment.changes.is_empty();
        let importance = if is_important { "important" } else { "unimportant" };
        let location = step(moment.place.as_ref(), moment_words(story, moment));
        thread_flows[moment.actor].locations.push(FlowLocation { location, execution_order: order, importance });
    }
    if let (Some(culprit), Some(bug)) = (story.culprit(), &story.bug) {
        let location = step(bug.place.as_ref(), bug.message.clone());
        thread_flows[culprit].locations.push(FlowLocation { location, execution_order: order + 1, importance: "essential" });
    }
    thread_flows.retain(|flow| !flow.locations.is_empty());
    CodeFlow { thread_flows }
}

fn step(at: Option<&Located>, text: String) -> Location<'static> {
    Location { id: None, physical_location: at.map(place), message: Some(Message { text: text.into() }) }
}

fn place(at: &Located) -> PhysicalLocation {
    let region = Region { start_line: at.line, start_column: at.column, end_line: at.end_line, end_column: at.end_column };
    PhysicalLocation { artifact_location: Artifact { uri: uri(&at.path) }, region }
}
