//! What is known about an item of a program: the one vocabulary for every check, on every surface.
//!
//! An item (a test case, an IceT program) has one `Record` for each kind of check. Diagnostics, lenses, hovers, lists of tests and
//! reports are made from records and say nothing else. The rules:
//!
//! - A verdict never claims more than was done. `Proved`, `Exhausted` and `Sampled` name their scope; a search that ran out of time or
//!   memory is `Unknown`, which is neither success nor failure, and `why` says which limit it was.
//! - `Refuted` has a trace that the plain interpreter has replayed. What does not replay is `Unknown`.
//! - A result is `Current` as long as the fingerprint of everything it depends on is the same: a comment keeps it. Anything else makes
//!   it `Stale` at once; it is still shown, as stale.
//! - While a check runs, the record keeps the last result; `phase` says that there may soon be a newer one.
//! - An item's id is a path of names, never a position: it is the same after edits above it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::TextRange;

/// What a check has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// Holds for every size that the scope names.
    Proved,
    /// Every behaviour of one finite instance was looked at.
    Exhausted,
    /// Some behaviours were looked at, and none was wrong.
    Sampled,
    /// There is a behaviour that is wrong.
    Refuted,
    /// A limit was reached before anything could be said.
    Unknown,
    /// The check cannot deal with something in the program.
    Unsupported,
    /// Nothing was tried yet.
    NotRun,
}

/// What a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Scope {
    /// Any number of machines, any length of queues.
    AllSizes,
    /// One instance, with so many machines and states of the whole system.
    Bounded {
        machines: u64,
        states: u64,
    },
    Schedules {
        count: u64,
    },
}

/// Whether something is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    #[default]
    Idle,
    Queued,
    Running,
}

/// Whether a result is about the program as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Freshness {
    #[default]
    Current,
    Stale,
}

/// The kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Check {
    /// Searches the runs of a P test case for what violates an assertion, a spec or P's rules.
    Exploration,
    /// Rewrites an IceT program into a sequential one that does the same.
    Sequentialization,
}

/// What one check says about one item: all of a record but where the item is. This is what engines give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub verdict: Verdict,
    /// Exactly with the verdicts that claim something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    pub phase: Phase,
    pub freshness: Freshness,
    /// One short sentence without a full stop, for people.
    pub why: String,
    /// The code of the finding that explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Of everything the result depends on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
    /// By which the trace can be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// What one check says about one item of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The path of the item. No two items of a workspace have the same.
    pub item: String,
    pub check: Check,
    /// All of the item.
    pub range: TextRange,
    pub name_range: TextRange,
    pub outcome: Outcome,
}

/// What engines have found so far, by item and check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results(BTreeMap<(String, Check), Outcome>);

impl Verdict {
    /// As it is said to people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Exhausted => "exhausted",
            Self::Sampled => "sampled",
            Self::Refuted => "refuted",
            Self::Unknown => "unknown",
            Self::Unsupported => "unsupported",
            Self::NotRun => "not run",
        }
    }
}

impl Outcome {
    /// Nothing was tried; `why` says why not.
    pub fn not_run(why: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::NotRun,
            scope: None,
            phase: Phase::Idle,
            freshness: Freshness::Current,
            why: why.into(),
            code: None,
            fingerprint: None,
            took_ms: None,
            trace: None,
        }
    }

    /// Whether the verdict claims what its scope says, and nothing without a scope.
    pub fn is_consistent(&self) -> bool {
        match (self.verdict, self.scope) {
            (Verdict::Proved, Some(Scope::AllSizes | Scope::Bounded { .. }))
            | (Verdict::Exhausted, Some(Scope::Bounded { .. }))
            | (Verdict::Sampled, Some(Scope::Schedules { .. })) => true,
            (Verdict::Refuted, None) => self.trace.is_some(),
            (Verdict::Unknown | Verdict::Unsupported | Verdict::NotRun, None) => true,
            _ => false,
        }
    }

    /// In a few words. What was not run says only why: the verdict would say it twice.
    pub fn words(&self) -> String {
        let is_stale = self.freshness == Freshness::Stale;
        let parts = [
            (self.verdict != Verdict::NotRun).then_some(self.verdict.word()),
            is_stale.then_some("stale"),
            Some(self.why.as_str()).filter(|why| !why.is_empty()),
            match self.phase {
                Phase::Idle => None,
                Phase::Queued => Some("queued"),
                Phase::Running => Some("running"),
            },
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Results {
    /// Keeps what a check says about an item instead of what it said before.
    pub fn set(&mut self, item: impl Into<String>, check: Check, outcome: Outcome) {
        debug_assert!(outcome.is_consistent(), "{outcome:?}");
        self.0.insert((item.into(), check), outcome);
    }

    pub fn get(&self, item: &str, check: Check) -> Option<&Outcome> {
        self.0.get(&(item.to_owned(), check))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(verdict: Verdict, scope: Option<Scope>) -> Outcome {
        Outcome { verdict, scope, ..Outcome::not_run("") }
    }

    #[test]
    fn a_claim_names_its_scope() {
        let bounded = Scope::Bounded { machines: 3, states: 120 };
        let schedules = Scope::Schedules { count: 10 };
        assert!(outcome(Verdict::Proved, Some(Scope::AllSizes)).is_consistent());
        assert!(outcome(Verdict::Exhausted, Some(bounded)).is_consistent());
        assert!(outcome(Verdict::Sampled, Some(schedules)).is_consistent());
        assert!(outcome(Verdict::NotRun, None).is_consistent());
        assert!(!outcome(Verdict::Proved, None).is_consistent());
        assert!(!outcome(Verdict::Proved, Some(schedules)).is_consistent());
        assert!(!outcome(Verdict::Exhausted, Some(Scope::AllSizes)).is_consistent());
        assert!(!outcome(Verdict::Unknown, Some(Scope::AllSizes)).is_consistent());
        assert!(!outcome(Verdict::Refuted, None).is_consistent(), "without a trace");
    }

    #[test]
    fn words_for_people() {
        assert_eq!(Outcome::not_run("not checked yet").words(), "not checked yet");
        let running = Outcome { phase: Phase::Running, ..Outcome::not_run("not checked yet") };
        assert_eq!(running.words(), "not checked yet, running");
        let schedules = Some(Scope::Schedules { count: 10 });
        let stale = Outcome { freshness: Freshness::Stale, ..outcome(Verdict::Sampled, schedules) };
        assert_eq!(stale.words(), "sampled, stale");
    }

    #[test]
    fn the_last_result_of_a_check_counts() {
        let mut results = Results::default();
        results.set("a.p#App/tc", Check::Exploration, Outcome::not_run("first"));
        results.set("a.p#App/tc", Check::Exploration, Outcome::not_run("second"));
        assert_eq!(results.get("a.p#App/tc", Check::Exploration), Some(&Outcome::not_run("second")));
        assert_eq!(results.get("a.p#App/tc", Check::Sequentialization), None);
        assert_eq!(results.get("a.p#App/other", Check::Exploration), None);
    }
}
