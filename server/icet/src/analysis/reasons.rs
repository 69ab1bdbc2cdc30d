//! Why a program cannot be put in order, in words: one of seven reasons, where, and what to try.
//!
//! Invariant: nothing here is called a bug. That is left to runs that show one.

use lockstep_base::{Diagnostic, Severity};
use serde::Serialize;

use super::bugs::place;
use super::claims::{is_vacuous, list, name};
use super::codes;
use super::stuck::{circle_words, partners_of_a_turn, sends_to, stands};
use crate::program::{Condition, Expr, Program, Source, StmtId, StmtKind};
use crate::rewrite::{Outcome, Refusal, Who};

/// Why a program is neither proved nor refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ReasonKind {
    /// At a receive, messages of different processes or types can come first.
    Race,
    /// A message is not received in the turn in which it is sent.
    OrphanSend,
    /// Nobody is found who sends what is waited for.
    Deadlock,
    /// In one turn of a loop, somebody does not come back to where it was.
    TwoPartners,
    /// How often a loop runs is decided inside of it.
    LoopExit,
    /// There is no rule for a statement.
    Unsupported,
    NotDecided,
}

impl ReasonKind {
    /// What it is called. Of something that no run has shown, only that it is possible is said.
    pub fn word(self) -> &'static str {
        match self {
            Self::Race => "asymmetric race",
            Self::OrphanSend => "possible orphan send",
            Self::Deadlock => "possible deadlock",
            Self::TwoPartners => "two partners in one iteration",
            Self::LoopExit => "loop-carried exit",
            Self::Unsupported => "unsupported construct",
            Self::NotDecided => "not decided",
        }
    }
}

/// What keeps somebody from going on.
pub(super) struct Reason {
    pub kind: ReasonKind,
    /// What it is about.
    words: String,
    /// What to try.
    help: String,
    /// `None` if it is about all of the program.
    at: Option<StmtId>,
    /// Other places that have to do with it.
    others: Vec<(StmtId, String)>,
}

impl Reason {
    fn new(kind: ReasonKind, at: impl Into<Option<StmtId>>, words: impl Into<String>, help: impl Into<String>) -> Self {
        Self { kind, words: words.into(), help: help.into(), at: at.into(), others: Vec::new() }
    }

    /// One sentence.
    pub(super) fn sentence(&self) -> String {
        format!("not sequentializable: {}: {}", self.kind.word(), self.words)
    }
}

/// The reasons, the one to be told first; at least one. `commutes` says that the orders of a race were compared, and all came to the same.
pub(super) fn reasons(program: &Program, outcome: &Outcome, rejection: Option<&str>, commutes: bool) -> Vec<Reason> {
    if let Some(rejection) = rejection {
        let words = format!("an order was found that is not known to be right: {rejection}");
        return vec![Reason::new(ReasonKind::NotDecided, None, words, "`lockstep sequentialize` shows the order")];
    }
    if program.sequential.is_some() {
        let words = "the program has a `sequential` block; only programs without one are put in order";
        return vec![Reason::new(ReasonKind::Unsupported, None, words, TRY_ALL)];
    }
    if outcome.is_complete && is_vacuous(outcome) {
        let at = outcome.next.first().map(|(_, at)| *at);
        let help = "a client that comes to its end gives the loops something to serve";
        return vec![Reason::new(ReasonKind::NotDecided, at, vacuous(program, outcome), help)];
    }
    let mut reasons = of_everybody(program, outcome);
    if commutes {
        for race in reasons.iter_mut().filter(|reason| reason.kind == ReasonKind::Race) {
            race.words += ", which made no difference in all that was tried";
        }
    }
    if reasons.is_empty() {
        reasons.push(Reason::new(ReasonKind::NotDecided, None, "no rule fits what comes next", SEE_HOW_FAR));
    }
    reasons
}

const TRY_ALL: &str = "`lockstep run --all` tries all runs of a given size";
const SEE_HOW_FAR: &str = "`lockstep sequentialize` shows how far it goes";

/// One finding at the first place where somebody cannot go on. Its other places are the other reasons, and where the others stand.
pub(super) fn findings(program: &Program, outcome: &Outcome, reasons: &[Reason]) -> Vec<Diagnostic> {
    let Some((first, rest)) = reasons.split_first() else { return Vec::new() };
    // Who writes a sequential block knows that it is there.
    let Some(process) = program.processes.first().filter(|_| program.sequential.is_none()) else { return Vec::new() };
    let range = first.at.map_or(process.range, |at| place(program, at));
    let finding = Diagnostic::error(codes::NOT_IN_ORDER, range, first.sentence()).with_help(&*first.help);
    let mut finding = Diagnostic { severity: Severity::Info, ..finding };
    let mut told: Vec<StmtId> = first.at.into_iter().collect();
    // Who waits for what is said below.
    let rest = rest.iter().filter(|reason| reason.kind != ReasonKind::Deadlock);
    let rest = rest.filter_map(|reason| Some((reason.at?, format!("{}: {}", reason.kind.word(), reason.words))));
    let stands = stands(program, outcome).into_iter().map(|stand| {
        let name = &program.process(stand.process).name;
        let words = match stand.wait {
            Some(wait) => format!("`{name}` waits for {} here", wait.words),
            None => format!("`{name}` has come to here"),
        };
        (stand.at, words)
    });
    for (at, words) in first.others.iter().cloned().chain(rest).chain(stands) {
        if !told.contains(&at) {
            told.push(at);
            finding = finding.with_related(place(program, at), words);
        }
    }
    vec![finding]
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
    format!("no message is received outside of the endless {loops} of {}, so there is nothing to prove", list(&who))
}

/// Those of everybody who could not go on; the vague ones only if there are no others.
fn of_everybody(program: &Program, outcome: &Outcome) -> Vec<Reason> {
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
    reasons.sort_by_key(|reason| reason.kind != ReasonKind::LoopExit);
    reasons
}

fn reason(program: &Program, outcome: &Outcome, who: Who, refusal: &Refusal) -> Option<Reason> {
    let next = outcome.next.iter().find(|(other, _)| *other == who).map(|(_, stmt)| *stmt);
    if let Some(exit) = next.and_then(|next| own_exit(program, next))
        && matches!(refusal, Refusal::Leftover { .. } | Refusal::Moved { .. } | Refusal::Empty { .. } | Refusal::NotNow)
    {
        let help = "say how often with `repeat` or `for`, the same for those who take part";
        return Some(Reason::new(ReasonKind::LoopExit, exit, "how often this loop runs is decided inside of it", help));
    }
    Some(match refusal {
        Refusal::Race { receive, send } => race(program, *receive, *send),
        Refusal::Empty { receive } => deadlock(program, outcome, who, *receive),
        Refusal::Leftover { send } => {
            let words = format!("{} is not received in the turn it is sent in", message_of(program, *send));
            Reason::new(ReasonKind::OrphanSend, *send, words, "receive it in the same turn of the loop, on every way through it")
        }
        Refusal::Moved { who: moved, stmt } => not_back(program, who, *moved, next, stmt.or(next)?),
        Refusal::Unsupported { stmt, what } => Reason::new(ReasonKind::Unsupported, *stmt, *what, TRY_ALL),
        Refusal::EmptySet { set, stmt } => {
            let set = &program.set(*set).name;
            let help = format!("if it never is, say `assume card({set}) > 0;`");
            Reason::new(ReasonKind::NotDecided, stmt.or(next)?, format!("`{set}` may be empty"), help)
        }
        Refusal::UnknownPartner { stmt } => {
            let help = "name the process, or use the variable of a loop or a pid that was received";
            Reason::new(ReasonKind::NotDecided, *stmt, "it is not known who is meant here", help)
        }
        Refusal::Budget => {
            Reason::new(ReasonKind::NotDecided, next?, "too many steps are necessary", "try a smaller part of the program")
        }
        Refusal::NotNow | Refusal::NeedsFocus { .. } | Refusal::NeedsSection => {
            let words = format!("no rule fits what `{}` does next", name(program, who));
            Reason::new(ReasonKind::NotDecided, next?, words, SEE_HOW_FAR)
        }
    })
}

/// Somebody who is not where the next turn of a loop could begin. That a turn deals with two partners is said only if it does.
fn not_back(program: &Program, driver: Who, moved: Who, next: Option<StmtId>, at: StmtId) -> Reason {
    let back = format!("`{}` does not come back to where it was", name(program, moved));
    if next.is_some_and(|next| partners_of_a_turn(program, next).len() > 1) {
        let help = "let every turn of the loop deal with one partner, from its first message to its last";
        return Reason::new(ReasonKind::TwoPartners, at, back, help);
    }
    let words = if moved == driver {
        format!("`{}` comes to here, and it is not known how its turn ends", name(program, moved))
    } else {
        back
    };
    let help = format!("let everybody end a turn of the loop where it began it, on every way; {SEE_HOW_FAR}");
    Reason::new(ReasonKind::NotDecided, at, words, help)
}

/// The receive, and every send that may have to do with it.
fn race(program: &Program, receive: StmtId, send: StmtId) -> Reason {
    let sends = sends_to(program, receive);
    // The rules look at the types of messages first; who is meant by a source they do not always know.
    if send != receive && !sends.contains(&send) {
        let sender = program.stmt(send).process.map_or("somebody", |process| &program.process(process).name);
        let message = message_of(program, send);
        let words =
            format!("{message} from `{sender}` can be under way, too, and the rules do not tell it from what is received here");
        let reason =
            Reason::new(ReasonKind::NotDecided, receive, words, "give the messages of different senders different types");
        return Reason { others: vec![(send, "this message is not received there".to_owned())], ..reason };
    }
    let mut messages: Vec<String> = sends.iter().map(|send| message_of(program, *send)).collect();
    messages.dedup();
    let help = if messages.len() > 1 { OTHER_TYPES } else { SAME_TYPE };
    let others = sends.into_iter().map(|send| (send, "this message could be received first".to_owned()));
    let reason = Reason::new(ReasonKind::Race, receive, "another message could be received here first", help);
    Reason { others: others.collect(), ..reason }
}

/// What helps where messages of one type race.
const SAME_TYPE: &str = "receive from one process by name, or give the messages different types";
/// What helps where their types differ already.
const OTHER_TYPES: &str = "receive one of the messages before the other";

/// With the circle in which all wait for each other, if there is one. Of a source that is computed, the rules know nobody.
fn deadlock(program: &Program, outcome: &Outcome, who: Who, receive: StmtId) -> Reason {
    if let StmtKind::Receive { cases, .. } = &program.stmt(receive).kind
        && cases.iter().any(|case| matches!(&case.source, Source::Of(set) if !matches!(set, Expr::Set(_))))
    {
        let help = "receive from one process, from a declared set, or from `any`";
        return Reason::new(ReasonKind::NotDecided, receive, "it is not known who is in this set", help);
    }
    // Who could not go on may have come to nothing because of another: the one whose receive it is waits.
    let waits = program.stmt(receive).process.map_or_else(|| name(program, who), |process| &program.process(process).name);
    let words = circle_words(program, &stands(program, outcome))
        .unwrap_or_else(|| format!("nobody is found who sends what `{waits}` waits for"));
    let help = "somebody has to send it on every way, before waiting for something that comes later";
    Reason::new(ReasonKind::Deadlock, receive, words, help)
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

fn message_of(program: &Program, stmt: StmtId) -> String {
    match &program.stmt(stmt).kind {
        StmtKind::Send { message, .. } => format!("`{}`", program.message(*message).name),
        _ => "a message".to_owned(),
    }
}
