//! What is known of a program: proved for all sizes by sequentialization, refuted by a run, or unknown and why.
//!
//! First the program is put in order; that takes milliseconds, and if it works nothing else is done. Otherwise the runs of small
//! instances are searched for something that is really wrong (`hunt`), and what is found is told at the statements in question
//! (`bugs`, `races`); if nothing is, `reasons` says why the program could not be put in order.
//!
//! Invariants: `Proved` comes from a complete certificate only. `Refuted` comes with a bug whose trace the plain interpreter has
//! replayed. Whatever ran into a limit is `Unknown`.

mod claims;
pub mod codes;
mod reasons;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lockstep_base::Diagnostic;
use lockstep_base::verdict::{Scope, Verdict};

use crate::program::{Program, StmtId};
use crate::rewrite::{self, Refusal};
use crate::run::TraceLine;

/// When the search for bugs is given up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Of all instances together.
    pub states: usize,
    pub steps: u64,
    /// Set by whoever does not want to wait any longer.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 100_000, steps: 1_000_000, cancel: None }
    }
}

pub struct Analysis {
    /// `Proved`, `Refuted`, `Unknown` or `Unsupported`.
    pub verdict: Verdict,
    /// Exactly with `Proved`.
    pub scope: Option<Scope>,
    /// One sentence without a full stop, for people: what is claimed, or why nothing is.
    pub summary: String,
    /// In order of place.
    pub findings: Vec<Diagnostic>,
    pub outcome: rewrite::Outcome,
    /// Exactly with `Refuted`.
    pub bug: Option<Bug>,
    pub partners: Partners,
}

/// Something wrong that a run of an instance does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    pub kind: BugKind,
    /// The sizes and constants with which it happens: `Clients has 2 members, K is 1`.
    pub instance: String,
    /// A shortest run that shows it, step by step.
    pub trace: Vec<TraceLine>,
    /// What is wrong at its end: `a waits for Pong from b, b waits for Ping from a`.
    pub end: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BugKind {
    Deadlock,
    Orphan,
    Failure,
    /// The order in which messages come decides what comes out.
    Race,
}

/// Who communicates with whom, as far as the program could be put in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partners {
    /// For each send, the receives that take its messages.
    pub receives: BTreeMap<StmtId, Vec<StmtId>>,
    /// For each receive, the sends whose messages it takes.
    pub sends: BTreeMap<StmtId, Vec<StmtId>>,
}

/// Finds out what is known of a program.
pub fn analyse(program: &Program, _budget: &Budget) -> Analysis {
    let outcome = rewrite::sequentialize(program);
    let partners = Partners::of(&outcome);
    let (verdict, scope, summary, findings) = if outcome.is_complete && !claims::is_vacuous(program, &outcome) {
        (Verdict::Proved, Some(Scope::AllSizes), claims::summary(program, &outcome), claims::findings(program, &outcome))
    } else {
        let findings = reasons::findings(program, &outcome);
        (verdict_without_proof(program, &outcome), None, reasons::summary(program, &outcome), findings)
    };
    Analysis { verdict, scope, summary, findings: sorted(findings), outcome, bug: None, partners }
}

/// What is said of a program that is neither proved nor refuted.
fn verdict_without_proof(program: &Program, outcome: &rewrite::Outcome) -> Verdict {
    let is_unsupported = |(_, refusal): &(_, Refusal)| matches!(refusal, Refusal::Unsupported { .. });
    if program.sequential.is_some() || outcome.stuck.iter().any(is_unsupported) { Verdict::Unsupported } else { Verdict::Unknown }
}

fn sorted(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.sort_by(|a, b| (a.range.start(), a.range.end(), a.code).cmp(&(b.range.start(), b.range.end(), b.code)));
    findings
}

impl Partners {
    fn of(outcome: &rewrite::Outcome) -> Self {
        let mut partners = Self::default();
        for (send, receive) in &outcome.pairs {
            partners.receives.entry(*send).or_default().push(*receive);
            partners.sends.entry(*receive).or_default().push(*send);
        }
        partners
    }
}
