//! What is known of a program: proved for all sizes by sequentialization, refuted by a run, or unknown and why.
//!
//! First the program is put in order; that takes milliseconds, and if it works nothing else is done, unless the caller wants claims to
//! be tried that are still open. Otherwise the runs of small instances are searched for something that is really wrong (`hunt`), and what is found is told at the statements in question
//! (`bugs`, `races`); if nothing is, `reasons` says why the program could not be put in order.
//!
//! Invariants: `Proved` comes only from a complete certificate that the independent checker accepts. `Refuted` comes with a bug whose trace the plain interpreter has
//! replayed. Whatever ran into a limit is `Unknown`.

mod bugs;
mod claims;
pub mod codes;
mod hunt;
mod races;
mod reasons;
mod stuck;
#[cfg(test)]
mod tests;
mod values;
mod wait;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lockstep_base::Diagnostic;
use lockstep_base::verdict::{Scope, Verdict};

use self::races::Compared;
use self::reasons::Reason;
pub use self::reasons::ReasonKind;
use crate::certify;
use crate::program::{Program, StmtId};
use crate::rewrite::{self, Refusal};
use crate::run::{self, TraceLine};

/// When the search for bugs is given up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Of all instances together.
    pub states: usize,
    pub steps: u64,
    /// The sum of the sizes of all states that are come to: about what the search costs.
    pub work: u64,
    /// The states that are looked at for `ensures` and assertions which the certificate of a program does not decide. Without any, a
    /// program that is in order is never searched.
    pub claims: usize,
    /// Set by whoever does not want to wait any longer.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { states: 20_000, steps: 200_000, work: 5_000_000, claims: 0, cancel: None }
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
    /// Why it is neither proved nor refuted: exactly with `Unknown` and `Unsupported`.
    pub reason: Option<ReasonKind>,
    pub partners: Partners,
}

/// Something wrong that a run of an instance does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    pub kind: BugKind,
    /// The sizes and constants with which it happens: `Clients has 2 members, K is 1`.
    pub instance: String,
    /// The same for `lockstep run`, if it can be told: `--size Clients=2 --const K=1`.
    pub arguments: Option<String>,
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
pub fn analyse(program: &Program, budget: &Budget) -> Analysis {
    let mut outcome = rewrite::sequentialize_until(program, budget.cancel.as_deref());
    let partners = Partners::of(&outcome);
    if program.processes.is_empty() && program.sequential.is_none() {
        return nothing_to_prove(outcome, partners);
    }
    let is_claimed = outcome.is_complete && !claims::is_vacuous(&outcome);
    let rejection = if is_claimed { checked_again(program, &mut outcome) } else { None };
    let is_proved = is_claimed && rejection.is_none();
    if is_proved && let Some((bug, findings)) = broken_claim(program, &outcome, budget) {
        let (verdict, summary) = (Verdict::Refuted, bug.sentence());
        return Analysis {
            verdict,
            scope: None,
            summary,
            findings: sorted(findings),
            outcome,
            bug: Some(bug),
            reason: None,
            partners,
        };
    }
    if is_proved {
        let (summary, findings) = (claims::summary(program, &outcome), claims::findings(program, &outcome));
        let (verdict, scope) = (Verdict::Proved, Some(Scope::AllSizes));
        return Analysis { verdict, scope, summary, findings: sorted(findings), outcome, bug: None, reason: None, partners };
    }
    let hunt = hunt::hunt(program, budget);
    let (bug, mut findings) = hunt.report(program);
    let raced = compare_orders(program, &outcome, &hunt, budget);
    let bug = bug.or_else(|| raced.bug.clone());
    findings.extend(raced.findings);
    let mut reason = None;
    let (verdict, summary) = match &bug {
        // Nothing goes wrong if the outcome depends on who is faster, but it may be meant otherwise.
        Some(bug) if bug.kind == BugKind::Race => (Verdict::Unknown, bug.sentence()),
        Some(bug) => (Verdict::Refuted, bug.sentence()),
        None => {
            let reasons = reasons::reasons(program, &outcome, rejection.as_deref(), raced.commutes);
            findings.extend(reasons::findings(program, &outcome, &reasons));
            reason = reasons.first().map(|first| first.kind);
            let why: Vec<String> =
                reasons.first().map(Reason::sentence).into_iter().chain([hunt.sentence(raced.commutes)]).collect();
            (verdict_without_proof(program, &outcome), why.join("; "))
        }
    };
    Analysis { verdict, scope: None, summary, findings: sorted(findings), outcome, bug, reason, partners }
}

fn nothing_to_prove(outcome: rewrite::Outcome, partners: Partners) -> Analysis {
    let summary = "there are no processes, so there is nothing to prove".to_owned();
    let (verdict, reason) = (Verdict::Unknown, Some(ReasonKind::NotDecided));
    Analysis { verdict, scope: None, summary, findings: Vec::new(), outcome, bug: None, reason, partners }
}

/// Has the independent checker follow a complete certificate, and keeps only those claims that it makes, too. Why it rejects the
/// certificate, if it does.
fn checked_again(program: &Program, outcome: &mut rewrite::Outcome) -> Option<String> {
    match certify::certify(program, &outcome.steps) {
        Ok(claims) => {
            outcome.asserts.iter_mut().for_each(|(stmt, holds)| *holds &= claims.asserts.contains(stmt));
            None
        }
        Err(rejection) => Some(rejection.reason),
    }
}

/// A run that breaks a claim which the certificate says nothing of.
fn broken_claim(program: &Program, outcome: &rewrite::Outcome, budget: &Budget) -> Option<(Bug, Vec<Diagnostic>)> {
    let is_all_decided = program.ensures.is_empty() && outcome.asserts.values().all(|holds| *holds);
    if is_all_decided || budget.claims == 0 {
        return None;
    }
    let (bug, findings) = hunt::hunt(program, &Budget { states: budget.claims, ..budget.clone() }).report(program);
    bug.map(|bug| (bug, findings))
}

/// What is said of a program that is neither proved nor refuted.
fn verdict_without_proof(program: &Program, outcome: &rewrite::Outcome) -> Verdict {
    let is_unsupported = |(_, refusal): &(_, Refusal)| matches!(refusal, Refusal::Unsupported { .. });
    if program.sequential.is_some() || outcome.stuck.iter().any(is_unsupported) { Verdict::Unsupported } else { Verdict::Unknown }
}

/// What came of comparing the orders in which messages of a race can come.
#[derive(Default)]
struct Raced {
    bug: Option<Bug>,
    findings: Vec<Diagnostic>,
    /// Whether there was a race, and all orders came to the same in every instance that was searched.
    commutes: bool,
}

/// The most states that are looked at to compare orders.
const MOST_COMPARED: usize = 20_000;

/// On the smallest instance that shows a difference.
fn compare_orders(program: &Program, outcome: &rewrite::Outcome, hunt: &hunt::Hunt, budget: &Budget) -> Raced {
    let receives = reasons::races(outcome);
    let mut left = hunt::most_states(program, budget.states).min(MOST_COMPARED);
    let mut raced = Raced::default();
    if receives.is_empty() {
        return raced;
    }
    for instance in &hunt.tried {
        match races::compare(program, instance, &receives, &mut left, budget.cancel.as_deref()) {
            Compared::NoRace => {}
            Compared::Commutes => raced.commutes = true,
            Compared::NotDecided => return Raced::default(),
            Compared::Differs(race) if run::replay(program, instance, &race.trace).is_ok() => {
                return Raced { commutes: false, ..races::report(program, instance, &race) };
            }
            Compared::Differs(_) => return Raced::default(),
        }
    }
    raced
}

fn sorted(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.sort_by(|a, b| (a.range.start(), a.range.end(), a.code).cmp(&(b.range.start(), b.range.end(), b.code)));
    findings
}

impl BugKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Orphan => "orphan message",
            Self::Failure => "failure",
            Self::Race => "the order of messages matters",
        }
    }
}

impl Bug {
    /// What is wrong, and when.
    fn sentence(&self) -> String {
        let what = self.kind.word();
        match self.instance.as_str() {
            "" => format!("{what}: {}", self.end),
            instance => format!("{what} when {instance}: {}", self.end),
        }
    }
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
