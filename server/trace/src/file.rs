//! Traces as files: JSON that says which program it is about. `schema/` has the schema, for other tools.

use std::fmt;

use lockstep_runtime::{Action, Decision, Delivery, Limits, MachineId, Program, Settings, Step, Trace};
use serde::{Deserialize, Serialize};

use crate::story::Story;

/// Grows when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The JSON Schema of trace files.
pub const SCHEMA: &str = include_str!("../schema/trace-1.schema.json");

const FORMAT: &str = "lockstep-trace";

/// Everything that is kept of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The name of the test.
    pub test: String,
    /// The paths that the program was read from, as they were given.
    pub paths: Vec<String>,
    /// Of the lowered program.
    pub fingerprint: String,
    pub settings: Settings,
    pub found: Found,
    pub trace: Trace,
    /// The decision from which on the run repeats itself for ever, if it does.
    pub repeats_from: Option<usize>,
    pub story: Story,
    /// The run before it was made short. None if nothing was left out, and if it is too long to be kept.
    pub original: Option<Original>,
}

/// A run as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    pub trace: Trace,
    pub story: Story,
}

/// The most bytes of JSON that the story of an original may have. Nobody reads a longer one, and editors read the whole file.
const MOST_OF_ORIGINAL: usize = 4 << 20;

impl Original {
    /// What is kept of a run beside the short one that was made of it.
    pub fn kept(trace: &Trace, story: Story, short: &Trace) -> Option<Self> {
        let is_longer = trace.decisions.len() > short.decisions.len();
        let is_kept = is_longer && serde_json::to_string(&story).is_ok_and(|json| json.len() <= MOST_OF_ORIGINAL);
        is_kept.then(|| Self { trace: trace.clone(), story })
    }
}

/// How the run was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Found {
    /// In words: `random schedules`.
    pub by: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// Which of the schedules it was, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub schedule: Option<u64>,
    /// How many decisions it had before it was made short.
    pub decisions: usize,
}

/// What became of a text that should be a trace.
pub type ReadTrace = Result<TraceFile, BadTrace>;

/// Why a text is no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadTrace {
    NotJson(String),
    NotATrace,
    OtherVersion(u64),
    Broken(String),
}

impl fmt::Display for BadTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "it is not JSON: {why}"),
            Self::NotATrace => write!(f, "it is no trace: the field `format` should be \"{FORMAT}\""),
            Self::OtherVersion(version) => {
                write!(f, "it is a trace of version {version}, and this Lockstep reads version {VERSION}: find the bug again")
            }
            Self::Broken(why) => write!(f, "the trace is damaged: {why}"),
        }
    }
}

/// As it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    format: String,
    version: u32,
    test: String,
    paths: Vec<String>,
    fingerprint: String,
    settings: WrittenSettings,
    found: Found,
    decisions: Vec<WrittenDecision>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    repeats_from: Option<usize>,
    story: Story,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    original: Option<WrittenOriginal>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenOriginal {
    decisions: Vec<WrittenDecision>,
    story: Story,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenSettings {
    delivery: WrittenDelivery,
    max_instructions: u64,
    max_calls: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    max_hot_steps: Option<u64>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WrittenDelivery {
    Inbox,
    Network,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenDecision {
    /// `1.2`: the second machine that the main machine creates.
    machine: String,
    action: WrittenAction,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    from: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    answers: Vec<u32>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WrittenAction {
    Start,
    Resume,
    Take,
    TakeNull,
    HandleNull,
}

impl TraceFile {
    /// Whether it is a run of this program.
    pub fn is_of(&self, program: &Program) -> bool {
        self.fingerprint == program.fingerprint().to_string()
    }

    /// The same with the run as it was found, if that is known: the original, or this run if nothing was left out of it.
    pub fn as_found(&self) -> Option<Self> {
        match &self.original {
            Some(Original { trace, story }) => {
                Some(Self { trace: trace.clone(), story: story.clone(), repeats_from: None, original: None, ..self.clone() })
            }
            None => (self.found.decisions <= self.trace.decisions.len()).then(|| self.clone()),
        }
    }

    /// As JSON, with a line break at the end.
    pub fn to_json(&self) -> String {
        let Settings { delivery, limits, most_hot_steps } = self.settings;
        let written = Written {
            format: FORMAT.to_owned(),
            version: VERSION,
            test: self.test.clone(),
            paths: self.paths.clone(),
            fingerprint: self.fingerprint.clone(),
            settings: WrittenSettings {
                delivery: match delivery {
                    Delivery::Inbox => WrittenDelivery::Inbox,
                    Delivery::Network => WrittenDelivery::Network,
                },
                max_instructions: limits.instructions,
                max_calls: limits.frames as u64,
                max_hot_steps: most_hot_steps,
            },
            found: self.found.clone(),
            decisions: self.trace.decisions.iter().map(write_decision).collect(),
            repeats_from: self.repeats_from,
            story: self.story.clone(),
            original: self.original.as_ref().map(|original| WrittenOriginal {
                decisions: original.trace.decisions.iter().map(write_decision).collect(),
                story: original.story.clone(),
            }),
        };
        // Plain data with names for keys: there is nothing that could go wrong.
        let json = serde_json::to_string_pretty(&written).unwrap_or_default();
        json + "\n"
    }

    /// Reads what `to_json` writes.
    pub fn from_json(text: &str) -> ReadTrace {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| BadTrace::NotJson(error.to_string()))?;
        if value["format"] != FORMAT {
            return Err(BadTrace::NotATrace);
        }
        match value["version"].as_u64() {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => return Err(BadTrace::OtherVersion(version)),
            None => return Err(BadTrace::Broken("the field `version` is missing".to_owned())),
        }
        // From the text, not from the value: so errors have places.
        let written: Written = serde_json::from_str(text).map_err(|error| BadTrace::Broken(error.to_string()))?;
        let trace = read_run(&written.decisions, &written.story)?;
        let original = match written.original {
            Some(WrittenOriginal { decisions, story }) => Some(Original { trace: read_run(&decisions, &story)?, story }),
            None => None,
        };
        let frames = usize::try_from(written.settings.max_calls).unwrap_or(usize::MAX);
        let settings = Settings {
            delivery: match written.settings.delivery {
                WrittenDelivery::Inbox => Delivery::Inbox,
                WrittenDelivery::Network => Delivery::Network,
            },
            limits: Limits { instructions: written.settings.max_instructions, frames },
            most_hot_steps: written.settings.max_hot_steps,
        };
        Ok(Self {
            test: written.test,
            paths: written.paths,
            fingerprint: written.fingerprint,
            settings,
            found: written.found,
            trace,
            repeats_from: written.repeats_from,
            story: written.story,
            original,
        })
    }
}

/// The decisions of a run, if they and its story make sense.
fn read_run(decisions: &[WrittenDecision], story: &Story) -> Result<Trace, BadTrace> {
    if !story.is_whole() {
        return Err(BadTrace::Broken("its story mentions what is not in it".to_owned()));
    }
    let decisions: Option<Vec<Decision>> = decisions.iter().map(read_decision).collect();
    let broken = || BadTrace::Broken("a machine has a name that is no path of numbers".to_owned());
    Ok(Trace { decisions: decisions.ok_or_else(broken)? })
}

fn write_decision(decision: &Decision) -> WrittenDecision {
    let (action, from) = match &decision.step.action {
        Action::Start => (WrittenAction::Start, None),
        Action::Resume => (WrittenAction::Resume, None),
        Action::Take { from } => (WrittenAction::Take, from.as_ref().map(ToString::to_string)),
        Action::TakeNull => (WrittenAction::TakeNull, None),
        Action::HandleNull => (WrittenAction::HandleNull, None),
    };
    WrittenDecision { machine: decision.step.machine.to_string(), action, from, answers: decision.answers.clone() }
}

fn read_decision(written: &WrittenDecision) -> Option<Decision> {
    let from = match &written.from {
        Some(from) => Some(read_machine(from)?),
        None => None,
    };
    let action = match written.action {
        WrittenAction::Start => Action::Start,
        WrittenAction::Resume => Action::Resume,
        WrittenAction::Take => Action::Take { from },
        WrittenAction::TakeNull => Action::TakeNull,
        WrittenAction::HandleNull => Action::HandleNull,
    };
    Some(Decision { step: Step { machine: read_machine(&written.machine)?, action }, answers: written.answers.clone() })
}

/// The inverse of how machines are shown.
fn read_machine(text: &str) -> Option<MachineId> {
    let mut numbers = text.split('.');
    let mut machine = (numbers.next() == Some("1")).then(MachineId::main)?;
    for number in numbers {
        machine = machine.child(number.parse::<u32>().ok()?.checked_sub(1)?);
    }
    Some(machine)
}
