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
    /// Depth first: how many states are looked at before any of those that they lead to. Fewer go deeper, more are faster.
    pub breadth: usize,
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
            breadth: 64,
            keeping: Keeping::Exact,
            reduction: Reduction::ALL,
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

/// Which steps need not be made because others show the same. All can be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Only some machines move where the others can neither tell nor change it.
    pub partial_order: bool,
    /// Of moves that have nothing to do with each other, one order.
    pub monotonic: bool,
    /// Of states that differ only in which machine is which, one.
    pub symmetry: bool,
}

impl Reduction {
    pub const NONE: Self = Self { partial_order: false, monotonic: false, symmetry: false };
    pub const PARTIAL_ORDER: Self = Self { partial_order: true, ..Self::NONE };
    pub const MONOTONIC: Self = Self { monotonic: true, ..Self::NONE };
    /// Both that are about the order of steps.
    pub const ORDER: Self = Self { partial_order: true, monotonic: true, symmetry: false };
    pub const SYMMETRY: Self = Self { symmetry: true, ..Self::NONE };
    pub const ALL: Self = Self { partial_order: true, monotonic: true, symmetry: true };

    /// All that either has.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            partial_order: self.partial_order || other.partial_order,
            monotonic: self.monotonic || other.monotonic,
            symmetry: self.symmetry || other.symmetry,
        }
    }
}

impl std::fmt::Display for Reduction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [(self.partial_order, "por"), (self.monotonic, "monotonic"), (self.symmetry, "symmetry")];
        let used: Vec<&str> = names.into_iter().filter(|(is_used, _)| *is_used).map(|(_, name)| name).collect();
        f.write_str(if used.is_empty() { "none".to_owned() } else { used.join("+") }.as_str())
    }
}

impl Serialize for Reduction {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
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
    /// Nodes that a symbolic search goes through in all operations on guards together: so many, and so many more for each state that it has seen.
    pub guard_nodes: Option<u64>,
    pub guard_nodes_of_state: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            states: None,
            transitions: None,
            time: None,
            memory: Some(4 << 30),
            answers: 1 << 20,
            guard_nodes: None,
            guard_nodes_of_state: 0,
        }
    }
}
