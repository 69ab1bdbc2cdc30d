//! The part of the Debug Adapter Protocol that is spoken here. There is no crate of its types that is kept up to date.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A message of the client. What is no request is passed over.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) seq: i64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) arguments: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    #[serde(default = "yes")]
    pub(crate) lines_start_at1: bool,
    #[serde(default = "yes")]
    pub(crate) columns_start_at1: bool,
}

fn yes() -> bool {
    true
}

/// What a debugging session is started with.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The trace file.
    pub trace: String,
    /// Where its program is, if not where it was.
    #[serde(default)]
    pub project: Option<String>,
    /// Whether to stop before anything happens. Otherwise it goes on to the first breakpoint or the bug.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// Whether to go through the run as it was found, before it was made short.
    #[serde(default)]
    pub all: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Source {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetBreakpoints {
    pub(crate) source: Source,
    #[serde(default)]
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetFunctionBreakpoints {
    pub(crate) breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FunctionBreakpoint {
    pub(crate) name: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetExceptionBreakpoints {
    #[serde(default)]
    pub(crate) filters: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfo {
    #[serde(default)]
    pub(crate) variables_reference: Option<i64>,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetDataBreakpoints {
    pub(crate) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub(crate) data_id: String,
}

/// Of `breakpointLocations` and `gotoTargets`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lines {
    pub(crate) source: Source,
    pub(crate) line: i64,
    #[serde(default)]
    pub(crate) end_line: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfThread {
    pub(crate) thread_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    pub(crate) thread_id: i64,
    #[serde(default)]
    pub(crate) start_frame: Option<usize>,
    #[serde(default)]
    pub(crate) levels: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfFrame {
    pub(crate) frame_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variables {
    pub(crate) variables_reference: i64,
    #[serde(default)]
    pub(crate) filter: Option<String>,
    #[serde(default)]
    pub(crate) start: Option<usize>,
    #[serde(default)]
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub(crate) expression: String,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Goto {
    pub(crate) target_id: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct GoToStep {
    pub(crate) step: usize,
}

/// The answer to a breakpoint of any kind.
#[derive(Debug, Serialize)]
pub(crate) struct Breakpoint {
    pub(crate) id: u64,
    pub(crate) verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackFrame {
    pub(crate) id: i64,
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
    pub(crate) line: i64,
    pub(crate) column: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end_column: Option<i64>,
    pub(crate) can_restart: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) value: String,
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub(crate) ty: String,
    pub(crate) variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) evaluate_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) indexed_variables: Option<usize>,
}

/// The filter for the bug that a trace ends in.
pub(crate) const BUG: &str = "bug";

pub(crate) fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": false,
        "supportsEvaluateForHovers": true,
        "exceptionBreakpointFilters": [{ "filter": BUG, "label": "The bug that the trace ends in", "default": true }],
        "supportsStepBack": true,
        "supportsSetVariable": false,
        "supportsSetExpression": false,
        "supportsRestartFrame": true,
        "supportsGotoTargetsRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
    })
}
