//! What a search can be told beforehand.

use std::time::Duration;

use lockstep_runtime::Settings;
use serde::Serialize;

/// How to search. The default looks at everything there is, without a bound but that on memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How messages travel, and bounds of single runs. Its temperature is for single schedules and means nothing here.
    pub settings: Settings,
    pub engine: Engine,
    pub order: Order,
    pub keeping: Keeping,
    pub reduction: Reduction,
    pub liveness: Liveness,
    pub bugs: Bugs,
    /// How many random schedules are run first. A bug that one of them shows is not the one with the shortest way to it.
    pub probe: u32,
    pub budgets: Budgets,
    /// The result is the same with any number.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            engine: Engine::Explicit,
            order: Order::BreadthFirst,
            keeping: Keeping::Exact,
            reduction: Reduction::All,
            liveness: Liveness::Lassos,
            bugs: Bugs::First,
            probe: 0,
            budgets: Budgets::default(),
            threads: 1,
        }
    }
}

/// What a search goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Engine {
    /// States, one by one.
    #[default]
    Explicit,
    /// Sets of states, as decision diagrams.
    Symbolic,
    /// States, and sets of states if there are many.
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Order {
    /// Finds a shortest way to a bug (of those that a reduction leaves).
    BreadthFirst,
    /// Finds deep bugs sooner.
    DepthFirst,
}

/// How it is remembered what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Keeping {
    /// Whole: nothing is mistaken for something else.
    Exact,
    /// As 128 bits each: two states could be taken for one, with a chance that the verdict names.
    Fingerprints,
}

/// Which steps need not be made because others show the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Reduction {
    #[default]
    None,
    /// Not every order of steps that do not touch each other.
    #[serde(rename = "por")]
    PartialOrder,
    /// Of states that differ only in which machine is which, one.
    Symmetry,
    All,
}

impl Reduction {
    pub fn of(partial_order: bool, symmetry: bool) -> Self {
        match (partial_order, symmetry) {
            (false, false) => Self::None,
            (true, false) => Self::PartialOrder,
            (false, true) => Self::Symmetry,
            (true, true) => Self::All,
        }
    }

    pub fn has_partial_order(self) -> bool {
        matches!(self, Self::PartialOrder | Self::All)
    }

    pub fn has_symmetry(self) -> bool {
        matches!(self, Self::Symmetry | Self::All)
    }
}

/// What specs with hot states are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Liveness {
    /// Only that no run ends in a hot state.
    AtEnd,
    /// Also that no fair run stays hot for ever. That is looked for last, and nothing is left out by a reduction then.
    Lassos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Bugs {
    /// The search ends with the first.
    First,
    /// Each once.
    All,
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes, by our own count of what is kept.
    pub memory: Option<u64>,
    /// Different answers to the choices of one step.
    pub answers: u64,
    /// Nodes that a symbolic search goes through in all operations on guards together.
    pub guard_nodes: Option<u64>,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { states: None, transitions: None, time: None, memory: Some(4 << 30), answers: 1 << 20, guard_nodes: None }
    }
}
