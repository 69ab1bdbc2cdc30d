//! Why a program cannot be put in order, in words.

use lockstep_base::{Diagnostic, Severity};

use super::claims::{is_vacuous, list, name};
use super::codes;
use crate::program::{Program, StmtId};
use crate::rewrite::{Outcome, Refusal, Who};

/// One sentence.
pub(super) fn summary(program: &Program, outcome: &Outcome) -> String {
    if program.sequential.is_some() {
        return "the program has a `sequential` block already: such programs are not put in order".to_owned();
    }
    if is_vacuous(program, outcome) {
        let who: Vec<String> = outcome.remaining.iter().map(|who| format!("`{}`", name(program, *who))).collect();
        return format!("nothing can be said: no message is received outside of the endless loops of {}", list(&who));
    }
    let mut reasons: Vec<&str> = outcome.stuck.iter().map(|(_, refusal)| reason(refusal)).collect();
    reasons.dedup();
    format!("cannot be put in order: {}", reasons.first().copied().unwrap_or("not decided"))
}

/// One finding for everybody who could not go on.
pub(super) fn findings(program: &Program, outcome: &Outcome) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (who, refusal) in &outcome.stuck {
        let Some(stmt) = place(outcome, *who, refusal) else { continue };
        let range = program.stmt(stmt).range;
        if found.iter().any(|other| other.range == range) {
            continue;
        }
        let message = format!("cannot be put in order: {}", reason(refusal));
        found.push(Diagnostic { severity: Severity::Info, ..Diagnostic::error(codes::NOT_IN_ORDER, range, message) });
    }
    found
}

fn reason(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Race { .. } => "asymmetric race",
        Refusal::Leftover { .. } => "orphan send",
        Refusal::Empty { .. } => "deadlock",
        Refusal::Moved { .. } => "two partners in one turn",
        Refusal::Unsupported { .. } => "unsupported construct",
        _ => "not decided",
    }
}

fn place(outcome: &Outcome, who: Who, refusal: &Refusal) -> Option<StmtId> {
    match refusal {
        Refusal::Empty { receive } | Refusal::Race { receive, .. } => Some(*receive),
        Refusal::UnknownPartner { stmt } | Refusal::Unsupported { stmt, .. } => Some(*stmt),
        Refusal::Leftover { send } => Some(*send),
        Refusal::Moved { stmt: Some(stmt), .. } | Refusal::EmptySet { stmt: Some(stmt), .. } => Some(*stmt),
        _ => outcome.next.iter().find(|(other, _)| *other == who).map(|(_, stmt)| *stmt),
    }
}
