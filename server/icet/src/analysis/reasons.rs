//! Why a program cannot be put in order, in words: one of a few reasons, where, and what to try.

use lockstep_base::{Diagnostic, Severity};

use super::bugs::place;
use super::claims::{is_vacuous, list, name};
use super::codes;
use crate::program::{Condition, Expr, Program, StmtId, StmtKind};
use crate::rewrite::{Outcome, Refusal, Who};

/// What keeps somebody from going on.
struct Reason {
    /// One of the reasons that the explanation of the code lists, and then what it is about.
    words: String,
    help: String,
    at: StmtId,
    /// Another place that has to do with it.
    other: Option<(StmtId, &'static str)>,
}

/// One sentence.
pub(super) fn summary(program: &Program, outcome: &Outcome, rejection: Option<&str>) -> String {
    if let Some(rejection) = rejection {
        return rejected(rejection);
    }
    if program.sequential.is_some() {
        return "the program has a `sequential` block: only programs without one are put in order".to_owned();
    }
    if outcome.is_complete && is_vacuous(outcome) {
        return vacuous(program, outcome);
    }
    match reasons(program, outcome).first() {
        Some(reason) => format!("cannot be put in order: {}", reason.words),
        None => "cannot be put in order: not decided".to_owned(),
    }
}

/// One finding at the first place where somebody cannot go on; the others are its other places.
pub(super) fn findings(program: &Program, outcome: &Outcome, rejection: Option<&str>) -> Vec<Diagnostic> {
    if let (Some(rejection), Some(first)) = (rejection, program.processes.first()) {
        let finding = Diagnostic::error(codes::NOT_IN_ORDER, first.range, rejected(rejection))
            .with_help("`lockstep sequentialize` shows an order that may be wrong");
        return vec![Diagnostic { severity: Severity::Info, ..finding }];
    }
    let info = |at: StmtId, message: String| Diagnostic {
        severity: Severity::Info,
        ..Diagnostic::error(codes::NOT_IN_ORDER, place(program, at), message)
    };
    if program.sequential.is_some() {
        return Vec::new();
    }
    if outcome.is_complete && is_vacuous(outcome) {
        let at = outcome.next.first().map(|(_, at)| *at);
        let help = "a client that comes to its end gives the loops something to serve";
        return at.map(|at| info(at, vacuous(program, outcome)).with_help(help)).into_iter().collect();
    }
    let reasons = reasons(program, outcome);
    let Some((first, rest)) = reasons.split_first() else { return Vec::new() };
    let mut finding = info(first.at, format!("cannot be put in order: {}", first.words)).with_help(&*first.help);
    if let Some((other, words)) = first.other {
        finding = finding.with_related(place(program, other), words);
    }
    for reason in rest {
        finding = finding.with_related(place(program, reason.at), &*reason.words);
    }
    vec![finding]
}

/// An order was found, and the independent checker does not agree.
fn rejected(reason: &str) -> String {
    format!("cannot be put in order: not decided: an order was found that is not known to be right: {reason}")
}

/// The receives at which messages race.
pub(super) fn races(outcome: &Outcome) -> Vec<StmtId> {
    let mut found = Vec::new();
    for (_, refusal) in &outcome.stuck {
        if let Refusal::Race { receive, .. } = refusal
            && !found.contains(receive)
        {
            found.push(*receive);
        }
    }
    found
}

fn vacuous(program: &Program, outcome: &Outcome) -> String {
    let who: Vec<String> = outcome.remaining.iter().map(|who| format!("`{}`", name(program, *who))).collect();
    let loops = if who.len() == 1 { "loop" } else { "loops" };
    format!("nothing can be said: no message is received outside of the endless {loops} of {}", list(&who))
}

/// Those of everybody who could not go on; the vague ones only if there are no others.
fn reasons(program: &Program, outcome: &Outcome) -> Vec<Reason> {
    let mut clear: Vec<Reason> = Vec::new();
    let mut vague: Vec<Reason> = Vec::new();
    for (who, refusal) in &outcome.stuck {
        let is_vague = matches!(refusal, Refusal::NotNow | Refusal::NeedsFocus { .. } | Refusal::NeedsSection);
        let Some(reason) = reason(program, outcome, *who, refusal) else { continue };
        let list = if is_vague { &mut vague } else { &mut clear };
        if list.iter().all(|other| other.at != reason.at) {
            list.push(reason);
        }
    }
    let mut reasons = if clear.is_empty() { vague } else { clear };
    // What others run into at such a loop follows from it.
    reasons.sort_by_key(|reason| !exits_by_itself(program, reason.at));
    reasons
}

fn reason(program: &Program, outcome: &Outcome, who: Who, refusal: &Refusal) -> Option<Reason> {
    let next = outcome.next.iter().find(|(other, _)| *other == who).map(|(_, stmt)| *stmt);
    let subject = name(program, who);
    let said = |at: StmtId, words: String, help: &str| Some(Reason { words, help: help.to_owned(), at, other: None });
    if let Some(exit) = next.and_then(|next| own_exit(program, next))
        && matches!(refusal, Refusal::Leftover { .. } | Refusal::Moved { .. } | Refusal::Empty { .. } | Refusal::NotNow)
    {
        let words = "loop-carried exit: how often this loop runs is decided inside of it".to_owned();
        return said(exit, words, "say how often with `repeat` or `for`, the same for those who take part");
    }
    match refusal {
        Refusal::Race { receive, send } => Some(Reason {
            words: "asymmetric race: another message could be received here first".to_owned(),
            help: "receive from one process by name, or give the messages different types".to_owned(),
            at: *receive,
            other: Some((*send, "this one")),
        }),
        Refusal::Leftover { send } => {
            let words = format!("possible orphan send: `{}` is not received in the turn it is sent in", head(program, *send));
            said(*send, words, "receive it in the same turn of the loop, on every way through it")
        }
        Refusal::Empty { receive } => {
            let words = format!("possible deadlock: nobody is found who sends what `{subject}` waits for");
            said(*receive, words, "somebody has to send it on every way, before waiting for something that comes later")
        }
        Refusal::Moved { who, stmt } => {
            let words = format!("two partners in one turn: `{}` does not come back to where it was", name(program, *who));
            let help = "let every turn of the loop deal with one partner, from its first message to its last";
            said(stmt.or(next)?, words, help)
        }
        Refusal::Unsupported { stmt, what } => {
            said(*stmt, format!("unsupported construct: {what}"), "`lockstep run --all` tries all runs of a given size")
        }
        Refusal::EmptySet { set, stmt } => {
            let set = &program.set(*set).name;
            let help = format!("if it never is, say `assume card({set}) > 0;`");
            said(stmt.or(next)?, format!("not decided: `{set}` may be empty"), &help)
        }
        Refusal::UnknownPartner { stmt } => {
            let words = "not decided: it is not known who is meant here".to_owned();
            said(*stmt, words, "name the process, or use the variable of a loop or a pid that was received")
        }
        Refusal::Budget => {
            said(next?, "not decided: too many steps are necessary".to_owned(), "try a smaller part of the program")
        }
        Refusal::NotNow | Refusal::NeedsFocus { .. } | Refusal::NeedsSection => {
            let words = format!("not decided: no rule fits what `{subject}` does next");
            said(next?, words, "`lockstep sequentialize` shows how far it goes")
        }
    }
}

/// The loop at or around a statement that ends by what happens in it.
fn own_exit(program: &Program, stmt: StmtId) -> Option<StmtId> {
    let mut around = vec![None; program.stmts.len()];
    for outer in (0..).map(StmtId).take(program.stmts.len()) {
        for inner in program.blocks(outer).into_iter().flat_map(|block| block.iter()) {
            around[inner.index()] = Some(outer);
        }
    }
    let mut at = Some(stmt);
    while let Some(stmt) = at {
        if exits_by_itself(program, stmt) {
            return at;
        }
        at = around[stmt.index()];
    }
    None
}

/// Whether a statement is a loop that ends by what happens in it.
fn exits_by_itself(program: &Program, stmt: StmtId) -> bool {
    match &program.stmt(stmt).kind {
        StmtKind::While { condition: Condition::Holds(Expr::Bool(true)), body, .. } => {
            let mut todo: Vec<StmtId> = body.to_vec();
            while let Some(inner) = todo.pop() {
                match &program.stmt(inner).kind {
                    StmtKind::Break => return true,
                    StmtKind::While { .. } => {}
                    _ => todo.extend(program.blocks(inner).into_iter().flat_map(|block| block.iter().copied())),
                }
            }
            false
        }
        StmtKind::While { condition: Condition::Holds(_), .. } => true,
        _ => false,
    }
}

fn head(program: &Program, stmt: StmtId) -> String {
    match &program.stmt(stmt).kind {
        StmtKind::Send { message, .. } => program.message(*message).name.to_string(),
        _ => "a message".to_owned(),
    }
}
