//! What parent and child say to each other: one JSON object in a line. File texts and options go in, never anything that is computed from them, so both
//! sides can be different builds of the program without harm.

use lockstep_base::verdict::Outcome;
use lockstep_judge::{Finding, grouped};
use lockstep_runtime::Stub;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// The parent's lines: a job first, and then whatever comes up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Request {
    Job(Job),
    /// The task with this number is not wanted any more.
    Cancel(u64),
}

/// What is to be found out about one project. The tasks are done one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    pub project: Project,
    pub tasks: Vec<Task>,
    /// What a search may keep, by its own count; the process as a whole may have somewhat more.
    pub memory_megabytes: u64,
    /// For all tasks together, if each has no time of its own.
    pub milliseconds: u64,
    pub threads: usize,
}

/// A project as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    pub name: String,
    pub is_for_verifier: bool,
    /// In the order of the project.
    pub files: Vec<SourceText>,
    /// What stands for functions in other languages.
    pub foreign: Vec<Foreign>,
    /// The paths by which the project can be found again, for traces.
    pub paths: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceText {
    pub name: String,
    pub text: String,
    pub is_included: bool,
}

/// A function in another language, and the P function that stands for it; without one, any value does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foreign {
    pub function: String,
    pub stub: Option<String>,
}

impl Foreign {
    pub fn of(stands: &[(SmolStr, Stub)]) -> Vec<Self> {
        let stub = |stub: &Stub| match stub {
            Stub::Function(name) => Some(name.to_string()),
            Stub::AnyValue => None,
        };
        stands.iter().map(|(function, stands)| Self { function: function.to_string(), stub: stub(stands) }).collect()
    }

    pub(crate) fn stands(&self) -> (SmolStr, Stub) {
        let stub = self.stub.as_ref().map_or(Stub::AnyValue, |name| Stub::Function(SmolStr::new(name)));
        (SmolStr::new(&self.function), stub)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// No two tasks of a parent have the same.
    pub id: u64,
    /// The name of the test case.
    pub test: String,
    pub work: Work,
}

/// What to do with a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Work {
    /// Random schedules.
    Run { schedules: u32, seconds: u64 },
    /// All behaviours.
    Explore { seconds: u64 },
    /// A look in passing, in a share of the job's time: first whether runs that went wrong before still do, then a search.
    Glance {
        /// Trace files, as JSON.
        traces: Vec<String>,
    },
}

/// The child's lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Report {
    Started(u64),
    Progress(u64, Progress),
    Finished(u64, Box<Finished>),
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Progress {
    Schedules {
        done: u64,
        planned: u64,
    },
    States {
        states: u64,
        per_second: u64,
        depth: u32,
        frontier: u64,
        megabytes: u64,
        /// Of the guard that stands for all states, if they are searched as sets.
        nodes: Option<u64>,
    },
}

impl Progress {
    /// For people.
    pub fn words(&self) -> String {
        match self {
            Self::Schedules { done, planned } => format!("{} of {} schedules", grouped(*done), grouped(*planned)),
            Self::States { states, per_second, depth, frontier, megabytes, nodes } => {
                let sets = nodes.map(|nodes| format!(", as sets of {} nodes", grouped(nodes))).unwrap_or_default();
                let (states, rate, waiting) = (grouped(*states), grouped(*per_second), grouped(*frontier));
                format!("{states} states{sets}, {rate} a second, {waiting} waiting, depth {depth}, {megabytes} MB")
            }
        }
    }

    /// How much of it is done, in percent, if that is known.
    pub fn percent(&self) -> Option<u32> {
        match self {
            Self::Schedules { done, planned } => u32::try_from(done * 100 / (*planned).max(1)).ok(),
            Self::States { .. } => None,
        }
    }
}

/// What a task found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    /// Of the program it is about, as the child has lowered it; empty if it came to no program.
    pub fingerprint: String,
    /// A trace gets its name from who keeps it.
    pub outcome: Outcome,
    /// Whether the same work on the same program would say the same.
    pub is_final: bool,
    pub findings: Vec<Finding>,
    /// The trace file of a bug, as JSON.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub trace: Option<String>,
}
