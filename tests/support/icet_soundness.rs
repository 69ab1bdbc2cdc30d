//! Compares what is claimed of an IceT program with what it does: exhaustive search of small instances has the last word.
//!
//! Never trusts what the rewriter and the checker say of each other. The sequential program is printed, read and checked again before
//! it is run, so that what a user sees is what is compared.

use std::collections::BTreeSet;

use lockstep_icet::certify::{Claims, certify};
use lockstep_icet::check::check_parse;
use lockstep_icet::print::print;
use lockstep_icet::program::{Program, StmtId};
use lockstep_icet::rewrite::{Outcome, Step, sequentialize};
use lockstep_icet::run::{self, Domains, Instance, Limits, Mode, explore, instances};
use lockstep_syntax::{Language, Parse};

/// Which instances are looked at, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Members to a set.
    pub largest: u32,
    pub instances: usize,
    /// Larger instances are looked at as far as this, and not counted.
    pub states: usize,
}

impl Bounds {
    /// All instances that programs of a few lines have.
    pub const SMALL: Self = Self { largest: 2, instances: 12, states: 2_000 };
    /// Sets of three members, for programs that are small enough.
    pub const THREE: Self = Self { largest: 3, instances: 64, states: 5_000 };

    fn limits(&self) -> Limits {
        Limits { states: self.states, steps: 25 * u64::try_from(self.states).unwrap_or(u64::MAX), reports: 20, cancel: None }
    }

    fn instances(&self, program: &Program) -> Vec<Instance> {
        let domains = Domains { ints: 0..=2, ..Domains::of(program) };
        instances(program, self.largest, &domains).list.into_iter().take(self.instances).collect()
    }
}

/// A claim that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistake {
    /// The steps cannot be written as a program.
    NoProgram,
    /// The sequential program has static errors.
    StaticError,
    Deadlock,
    Orphan,
    /// A run ends in a state that the sequential program does not reach.
    MissingState,
    /// An assertion fails in one program, and nothing does in the other.
    Failure,
    /// An assertion fails of which the certificate says that it holds.
    FailedClaim,
    /// The checker does not accept the rewriter's steps.
    Rejected,
}

/// What was compared of a program that is put in order.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Instances of which everything was seen.
    pub instances: usize,
    /// Those among them with a set of three members.
    pub of_three: usize,
}

pub fn resolved(text: &str) -> Option<Program> {
    check_parse(&Parse::new(Language::Icet, text)).program
}

/// Compares a program with its sequentialization; `None` if it cannot be put in order. A mistake comes with its story.
pub fn compare(text: &str, bounds: &Bounds) -> Result<Option<Compared>, (Mistake, String)> {
    let Some(program) = resolved(text) else { return Ok(None) };
    let outcome = sequentialize(&program);
    if !outcome.is_complete {
        return Ok(None);
    }
    let sequential = match &outcome.sequential {
        Ok(sequential) => print(&sequential.program),
        Err(refusal) => return Err((Mistake::NoProgram, format!("{refusal:?}\n{text}"))),
    };
    let mistake = |mistake: Mistake, what: String| Err((mistake, format!("{what}\n{text}\n{sequential}")));
    let Some(ordered) = resolved(&sequential) else { return mistake(Mistake::StaticError, String::new()) };
    let claims = match claims(&program, &outcome) {
        Ok(claims) => claims,
        Err(reason) => return mistake(Mistake::Rejected, reason),
    };
    let mut compared = Compared::default();
    for instance in bounds.instances(&program) {
        let runs = explore(&program, &instance, Mode::Reduced, &bounds.limits());
        if let Some(wrong) = refuted(&runs, claims.as_ref()) {
            return mistake(wrong, sizes(&instance));
        }
        let reached = explore(&ordered, &instance, Mode::Reduced, &bounds.limits());
        if !runs.limits.is_empty() || !reached.limits.is_empty() {
            continue;
        }
        if let Some(missing) = runs.finals.difference(&reached.finals).next() {
            return mistake(Mistake::MissingState, format!("{} {missing:?}", sizes(&instance)));
        }
        if runs.failures.is_empty() != reached.failures.is_empty() {
            return mistake(Mistake::Failure, sizes(&instance));
        }
        compared.instances += 1;
        compared.of_three += usize::from(instance.members.iter().any(|members| members.len() == 3));
    }
    Ok(Some(compared))
}

/// What the checker says of the rewriter's steps. Steps that receive nothing may claim nothing.
fn claims(program: &Program, outcome: &Outcome) -> Result<Option<Claims>, String> {
    match certify(program, &outcome.steps) {
        Ok(claims) => Ok(Some(claims)),
        Err(_) if outcome.matched == 0 => Ok(None),
        Err(rejection) => Err(format!("{:?} {}", rejection.path, rejection.reason)),
    }
}

fn refuted(runs: &run::Outcome, claims: Option<&Claims>) -> Option<Mistake> {
    let failed: BTreeSet<StmtId> = runs.failures.iter().filter_map(|failed| failed.stmt).collect();
    let is_false = |claims: &Claims| claims.asserts.iter().any(|stmt| failed.contains(stmt));
    let found = [
        (!runs.deadlocks.is_empty(), Mistake::Deadlock),
        (!runs.orphans.is_empty(), Mistake::Orphan),
        (claims.is_some_and(is_false), Mistake::FailedClaim),
    ];
    found.into_iter().find(|(is_so, _)| *is_so).map(|(_, mistake)| mistake)
}

/// What a certificate claims wrongly; `None` if it is not accepted, or nothing is wrong with it.
pub fn wrongly_certified(program: &Program, steps: &[Step], bounds: &Bounds) -> Option<Mistake> {
    let claims = certify(program, steps).ok()?;
    bounds
        .instances(program)
        .iter()
        .find_map(|instance| refuted(&explore(program, instance, Mode::Reduced, &bounds.limits()), Some(&claims)))
}

/// Whether no run within the bounds blocks, fails, or leaves a message; `None` if not everything could be seen.
pub fn is_right(program: &Program, bounds: &Bounds) -> Option<bool> {
    let mut is_all = true;
    for instance in bounds.instances(program) {
        let runs = explore(program, &instance, Mode::Reduced, &bounds.limits());
        if refuted(&runs, None).is_some() || !runs.failures.is_empty() {
            return Some(false);
        }
        is_all &= runs.limits.is_empty();
    }
    is_all.then_some(true)
}

fn sizes(instance: &Instance) -> String {
    format!("with {:?} members", instance.members.iter().map(Vec::len).collect::<Vec<_>>())
}
