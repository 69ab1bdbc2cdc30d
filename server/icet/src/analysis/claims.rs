//! What a complete certificate claims, in words: no more than the rules say (`RULES.md`).

use lockstep_base::{Diagnostic, Severity};

use super::codes;
use crate::program::{Program, StmtId, StmtKind};
use crate::rewrite::{Outcome, Who};

/// Whether a complete certificate says nothing: no message was received, and endless loops remain.
pub(super) fn is_vacuous(outcome: &Outcome) -> bool {
    outcome.matched == 0 && !outcome.remaining.is_empty()
}

/// The claims in one sentence.
pub(super) fn summary(program: &Program, outcome: &Outcome) -> String {
    let mut said = "no deadlock and no orphan message, for every size".to_owned();
    let names = |all: &[Who]| all.iter().map(|who| format!("`{}`", name(program, *who))).collect::<Vec<_>>();
    let (endless, idle): (Vec<Who>, Vec<Who>) = outcome.remaining.iter().partition(|who| outcome.endless.contains(who));
    match &names(&endless)[..] {
        [] => {}
        [one] => said += &format!("; {one} goes on for ever, and each of its turns ends"),
        who => said += &format!("; {} go on for ever, and each of their turns ends", list(who)),
    }
    match &names(&idle)[..] {
        [] => {}
        [one] => said += &format!("; the endless loop of {one} remains, and nothing is said of what else happens in it"),
        who => said += &format!("; the endless loops of {} remain, and nothing is said of what else happens in them", list(who)),
    }
    let is_claim = |stmt: &StmtId| matches!(program.stmt(*stmt).kind, StmtKind::Assert { .. } | StmtKind::Fail { .. });
    let (claims, others): (Vec<_>, Vec<_>) = outcome.asserts.iter().partition(|(stmt, _)| is_claim(stmt));
    let met = claims.len();
    let sure = claims.iter().filter(|(_, holds)| **holds).count();
    match (met, sure) {
        (0, _) => {}
        (1, 1) => said += "; the assertion holds",
        (1, _) => said += "; it is not known if the assertion holds",
        (_, sure) if sure == met => said += &format!("; all {met} assertions hold"),
        (_, sure) => said += &format!("; {sure} of {met} assertions are known to hold"),
    }
    match others.len() {
        0 => {}
        1 => said += "; one other statement is not known never to fail",
        many => said += &format!("; {many} other statements are not known never to fail"),
    }
    if !program.ensures.is_empty() || !program.invariants.is_empty() {
        said += "; `ensures` and `invariant` are not proved";
    }
    said
}

/// Assertions that are not known to hold.
pub(super) fn findings(program: &Program, outcome: &Outcome) -> Vec<Diagnostic> {
    let unsure = outcome.asserts.iter().filter(|(_, holds)| !**holds);
    let words = |stmt: &StmtId| match program.stmt(*stmt).kind {
        StmtKind::Assert { .. } => "it is not known if this holds",
        StmtKind::Fail { .. } => "it is not known if this is never reached",
        StmtKind::Pick { .. } => "it is not known if there is always a member to pick",
        _ => "it is not known if this never divides by zero",
    };
    let finding = |stmt: &StmtId| Diagnostic {
        severity: Severity::Info,
        ..Diagnostic::error(codes::NOT_SURE, program.stmt(*stmt).range, words(stmt))
            .with_help("`lockstep run --all` tries all runs with sets of a given size")
    };
    unsure.map(|(stmt, _)| finding(stmt)).collect()
}

/// What a process, or the members of a set, are called in the program.
pub(super) fn name(program: &Program, who: Who) -> &str {
    match who {
        Who::One(process) => &program.process(process).name,
        Who::Each(set) => program.code_of(set).map_or(&program.set(set).name, |process| &program.process(process).name),
        Who::Focus(_) => "a member",
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn or_list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
