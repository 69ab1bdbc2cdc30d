//! The codes of what is found out about IceT programs without static errors: `LS22nn`.

/// Processes wait for each other.
pub const DEADLOCK: &str = "LS2201";
/// A message that nobody receives.
pub const ORPHAN: &str = "LS2202";
/// A claim that a run breaks.
pub const FAILURE: &str = "LS2203";
/// The order in which messages come decides what comes out.
pub const RACE: &str = "LS2204";
/// Why a program cannot be put in order.
pub const NOT_IN_ORDER: &str = "LS2205";
/// A claim that could be neither proved nor refuted.
pub const NOT_SURE: &str = "LS2206";

/// All of them, in order.
pub const ALL: &[&str] = &[DEADLOCK, ORPHAN, FAILURE, RACE, NOT_IN_ORDER, NOT_SURE];
