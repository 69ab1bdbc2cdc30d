//! Whom somebody waits for.

use crate::print;
use crate::program::{Case, Expr, MessageId, Program, SetId, Source, StmtId, StmtKind};
use crate::run::State;
use crate::run::render::Names;
use crate::run::state::{Loop, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value};

use super::claims::{list, or_list};

/// A process that waits at a receive, or at a `foreach` for the first message of a turn.
pub(super) struct Wait {
    pub pid: Pid,
    pub stmt: StmtId,
    pub messages: Vec<MessageId>,
    pub from: Vec<Pid>,
    /// Whether anybody at all would do.
    pub is_any: bool,
    /// If `from` is empty: the sets without members that it waits for, as they are written, and which of them are declared.
    pub empty: Vec<(String, Option<SetId>)>,
}

impl Wait {
    pub(super) fn of(machine: &Machine<'_>, state: &State, pid: Pid, stmt: StmtId) -> Option<Self> {
        let program = machine.program;
        let receive = receive_of(program, stmt)?;
        let StmtKind::Receive { cases, .. } = &program.stmt(receive).kind else { return None };
        let mut from = if receive == stmt {
            let senders = |case: &Case| machine.senders(state, &Who::Process(pid), case).unwrap_or_default();
            cases.iter().flat_map(senders).collect()
        } else {
            unserved(state, pid)
        };
        from.sort();
        from.dedup();
        let mut messages: Vec<MessageId> = Vec::new();
        for case in cases {
            if !messages.contains(&case.message) {
                messages.push(case.message);
            }
        }
        let is_any = cases.iter().any(|case| case.source == Source::Any);
        let empty = if from.is_empty() { sources(program, receive, cases) } else { Vec::new() };
        Some(Self { pid, stmt, messages, from, is_any, empty })
    }

    /// What to do about it that nobody is there who could send: of a wait for empty sets.
    pub(super) fn help_for_empty(&self, program: &Program) -> Option<String> {
        let (written, declared) = self.empty.first()?;
        Some(match declared {
            Some(set) => {
                let name = &program.set(*set).name;
                format!("say `assume card({name}) > 0;` if it never is, or do not wait then")
            }
            None => format!("do not wait when `{written}` is empty"),
        })
    }

    /// `` `Pong` from b ``, `` `Get` or `Put` from c[0] or c[1] ``.
    pub(super) fn words(&self, names: Names<'_>) -> String {
        let messages: Vec<String> =
            self.messages.iter().map(|message| format!("`{}`", names.program.message(*message).name)).collect();
        let from: Vec<String> = self.from.iter().map(|pid| format!("`{}`", names.pid(*pid))).collect();
        let from = match from.len() {
            0 if !self.empty.is_empty() => {
                let empty: Vec<String> = self.empty.iter().map(|(written, _)| format!("`{written}`")).collect();
                format!("{}, which {} empty", or_list(&empty), if empty.len() == 1 { "is" } else { "are" })
            }
            0 => "nobody: there is no such process".to_owned(),
            _ if self.is_any => "anybody".to_owned(),
            1..=3 => or_list(&from),
            more => format!("one of {} or {} others", from[..2].join(", "), more - 2),
        };
        format!("{} from {from}", or_list(&messages))
    }
}

/// The sets that a receive takes messages from, each once.
fn sources(program: &Program, receive: StmtId, cases: &[Case]) -> Vec<(String, Option<SetId>)> {
    let home = print::Home::of(program.stmt(receive).process);
    let mut sources = Vec::new();
    for case in cases {
        if let Source::Of(set) = &case.source {
            let declared = if let Expr::Set(set) = set { Some(*set) } else { None };
            let source = (print::expr(program, home, set), declared);
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
    }
    sources
}

/// The receive that a statement waits at: itself, or the first of a `foreach`.
fn receive_of(program: &Program, mut stmt: StmtId) -> Option<StmtId> {
    loop {
        stmt = match &program.stmt(stmt).kind {
            StmtKind::Receive { .. } => return Some(stmt),
            StmtKind::Foreach(set_loop) => *set_loop.body.first()?,
            StmtKind::Atomic(block) => *block.first()?,
            _ => return None,
        };
    }
}

/// The members that a loop has not served yet.
fn unserved(state: &State, pid: Pid) -> Vec<Pid> {
    let Some(Loop::Members { rest, .. }) = state.actors[pid.index()].thread.loops.last() else { return Vec::new() };
    rest.iter().filter_map(|member| if let Value::Pid(pid) = member { Some(*pid) } else { None }).collect()
}

/// Who waits for whom in a circle, by number in the list; empty if there is none.
pub(super) fn circle(waits: &[Wait]) -> Vec<usize> {
    circle_by(waits.len(), |at| {
        waits[at].from.iter().find_map(|pid| waits.iter().position(|other| other.pid == *pid && other.pid != waits[at].pid))
    })
}

/// The same of so many, where `next` says whom each waits for.
pub(super) fn circle_by(count: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    for start in 0..count {
        let mut path = vec![start];
        while let Some(at) = path.last().copied().and_then(&next) {
            if let Some(back) = path.iter().position(|seen| *seen == at) {
                return path.split_off(back);
            }
            path.push(at);
        }
    }
    Vec::new()
}

/// A circle of waits that begins with one of those in it.
pub(super) fn spelled(names: Names<'_>, waits: &[Wait], circle: &[usize], first: usize) -> String {
    let mut circle = circle.to_vec();
    let at = circle.iter().position(|wait| *wait == first).unwrap_or(0);
    circle.rotate_left(at);
    let parts = circle.iter().map(|at| {
        let wait = &waits[*at];
        (names.pid(wait.pid), wait.words(names), wait.from.len() == 1)
    });
    spelled_by(&parts.collect::<Vec<_>>())
}

/// `` `a` waits for `Pong` from `b`, which waits for `Ping` from `a` ``. Each is a name, what it waits for, and whether that names only
/// one, who is the next.
pub(super) fn spelled_by(circle: &[(String, String, bool)]) -> String {
    let mut said = String::new();
    for (at, (name, words, _)) in circle.iter().enumerate() {
        said += &match at.checked_sub(1).map(|before| circle[before].2) {
            None => format!("`{name}` waits for {words}"),
            Some(true) => format!(", which waits for {words}"),
            Some(false) => format!("; `{name}` waits for {words}"),
        };
    }
    said
}

/// What those who would have to send do instead: `` `b` has come to its end ``.
pub(super) fn excuses(names: Names<'_>, machine: &Machine<'_>, state: &State, wait: &Wait) -> Option<String> {
    let over: Vec<String> = wait
        .from
        .iter()
        .filter(|pid| **pid != wait.pid && state.actors[pid.index()].is_over)
        .map(|pid| format!("`{}`", names.pid(*pid)))
        .collect();
    let idle: Vec<String> =
        wait.from.iter().filter(|pid| machine.is_idle(state, **pid)).map(|pid| format!("`{}`", names.pid(*pid))).collect();
    match (over.len(), idle.len()) {
        (0, 0) => None,
        (1, 0) => Some(format!("{} has come to its end", list(&over))),
        (2..=4, 0) => Some(format!("{} have come to their end", list(&over))),
        (0, 1) => Some(format!("{} waits for something to do", list(&idle))),
        _ => Some("all of them have come to their end or wait for something to do".to_owned()),
    }
}
