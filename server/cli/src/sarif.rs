//! Findings as SARIF 2.1.0, the format that code scanning services read.
//!
//! Only what Lockstep has to say is modelled. Columns are in Unicode scalar values, which the log declares; paths are URI
//! references relative to where Lockstep runs.

mod flows;

use std::io::{self, Write};

use lockstep_base::{Diagnostic, Encoding, Severity, TextRange};
use lockstep_workspace::Source;
use serde::Serialize;

use self::flows::CodeFlow;
pub(crate) use self::flows::of_story;
use crate::codes::explanations;
use crate::output::Output;
use crate::report::Report;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Log<'r> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'r> {
    tool: Tool,
    invocations: [Invocation<'r>; 1],
    column_kind: &'static str,
    results: Vec<Finding<'r>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Message<'static>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Help>,
}

#[derive(Serialize)]
struct Help {
    text: &'static str,
    markdown: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'r> {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification<'r>>,
}

#[derive(Serialize)]
struct Notification<'r> {
    level: &'static str,
    message: Message<'r>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'r> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message<'r>,
    locations: Vec<Location<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
}

#[derive(Serialize)]
struct Message<'r> {
    text: std::borrow::Cow<'r, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

/// Lines and columns from 1; the end is the place after the last character.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix<'r> {
    description: Message<'r>,
    artifact_changes: [Change<'r>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'r> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'r> {
    deleted_region: Region,
    inserted_content: Message<'r>,
}

pub(crate) fn write(output: &mut Output, report: &Report) -> io::Result<()> {
    let mut codes: Vec<&'static str> = report.diagnostics().map(|(_, diagnostic)| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results = report.diagnostics().map(|(source, diagnostic)| finding(report, &codes, source, diagnostic)).collect();
    let rules = codes.iter().map(|code| rule(code)).collect();
    let notification =
        |level: &'static str, text: &str| Notification { level, message: Message { text: text.to_owned().into() } };
    let failures = report.failures.iter().map(|failure| notification("error", &failure.message));
    let open = report.open.iter().map(|open| notification("warning", open));
    let log = log(rules, results, failures.chain(open).collect());
    serde_json::to_writer(&mut *output, &log)?;
    writeln!(output)
}

fn log<'r>(rules: Vec<Rule>, results: Vec<Finding<'r>>, notifications: Vec<Notification<'r>>) -> Log<'r> {
    let run = Run {
        tool: Tool { driver: Driver { name: "Lockstep", semantic_version: env!("CARGO_PKG_VERSION"), rules } },
        invocations: [Invocation { execution_successful: notifications.is_empty(), tool_execution_notifications: notifications }],
        column_kind: "unicodeCodePoints",
        results,
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

fn rule(code: &'static str) -> Rule {
    let explained = explanations().into_iter().find(|(known, ..)| *known == code);
    Rule {
        id: code,
        short_description: explained.map(|(_, title, _)| Message { text: title.into() }),
        help: explained.map(|(_, _, text)| Help { text, markdown: text }),
    }
}

fn finding<'r>(report: &'r Report, codes: &[&str], source: &'r Source, diagnostic: &'r Diagnostic) -> Finding<'r> {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let text = match &diagnostic.help {
        Some(help) => format!("{}\n{help}", diagnostic.message).into(),
        None => diagnostic.message.as_str().into(),
    };
    let flow = report.flows.iter().find(|flow| flow.path == source.name && flow.diagnostic == *diagnostic);
    let related = diagnostic.related.iter().filter_map(|related| {
        let source = related.path.as_ref().map_or(Some(source), |path| report.sources.get(path))?;
        Some((source, related))
    });
    let related = related.enumerate().map(|(id, (source, related))| {
        let message = Some(Message { text: related.message.as_str().into() });
        Location { id: Some(id), physical_location: Some(place(source, related.range)), message }
    });
    Finding {
        rule_id: diagnostic.code,
        rule_index: codes.partition_point(|code| *code < diagnostic.code),
        level,
        message: Message { text },
        locations: vec![Location { id: None, physical_location: Some(place(source, diagnostic.range)), message: None }],
        related_locations: related.collect(),
        fixes: diagnostic.fix.iter().map(|fix| fixed(source, fix)).collect(),
        code_flows: flow.map(|flow| flows::code_flow(&flow.story)).into_iter().collect(),
    }
}

fn fixed<'r>(source: &Source, fix: &'r lockstep_base::Fix) -> Fix<'r> {
    let replacement = |edit: &'r lockstep_base::Edit| Replacement {
        deleted_region: region(source, edit.range),
        inserted_content: Message { text: edit.insert.as_str().into() },
    };
    let replacements = fix.edits.iter().map(replacement).collect();
    let artifact_changes = [Change { artifact_location: Artifact { uri: uri(&source.name) }, replacements }];
    Fix { description: Message { text: fix.title.as_str().into() }, artifact_changes }
}

fn place(source: &Source, range: TextRange) -> PhysicalLocation {
    PhysicalLocation { artifact_location: Artifact { uri: uri(&source.name) }, region: region(source, range) }
}

fn region(source: &Source, range: TextRange) -> Region {
    let start = source.text.position(range.start(), Encoding::Utf32);
    let end = source.text.position(range.end(), Encoding::Utf32);
    Region { start_line: start.line + 1, start_column: start.column + 1, end_line: end.line + 1, end_column: end.column + 1 }
}

/// A path with forward slashes as a URI reference.
fn uri(name: &str) -> String {
    let mut uri = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_uri_cannot_hold_is_escaped() {
        assert_eq!(uri("PSrc/A b:ü.p"), "PSrc/A%20b%3A%C3%BC.p");
        assert_eq!(uri("/tmp/<a>"), "file:///tmp/%3Ca%3E");
        assert_eq!(uri("../a.p"), "../a.p");
    }
}
