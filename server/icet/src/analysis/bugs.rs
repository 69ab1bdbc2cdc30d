//! What a run does wrong, told at the statements in question.

use std::collections::BTreeMap;

use lockstep_base::{Diagnostic, TextRange};

use super::claims::list;
use super::codes;
use super::hunt::Found;
use super::values::Moment;
use super::wait::{Wait, circle, excuses, spelled};
use super::{Bug, BugKind};
use crate::program::{ConstId, MessageId, Program, StmtId, StmtKind, Type};
use crate::run::render::Names;
use crate::run::search::{Deadlock, Failed, Orphan};
use crate::run::state::{Effect, Failure, Fate, Trace, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value, default_value};
use crate::run::{self, Instance, State, render_trace, replay};

/// The worst of what was found, and what to say about all of it.
pub(super) fn report(program: &Program, instance: &Instance, found: &Found) -> Option<(Bug, Vec<Diagnostic>)> {
    let teller = Teller { program, instance, machine: Machine::new(program, instance), names: Names { program, instance } };
    let mut told: Vec<(Bug, Vec<Diagnostic>)> = Vec::new();
    told.extend(found.deadlocks.first().and_then(|deadlock| teller.deadlock(deadlock)));
    told.extend(teller.failures(&found.failures));
    told.extend(found.orphans.first().and_then(|orphan| teller.orphan(orphan)));
    let findings = told.iter().flat_map(|(_, findings)| findings.clone()).collect();
    told.into_iter().next().map(|(bug, _)| (bug, findings))
}

/// The sizes and constants of an instance: `` `Clients` has 2 members, `K` is 1 ``.
pub(super) fn describe(program: &Program, instance: &Instance) -> String {
    let names = Names { program, instance };
    let mut parts = Vec::new();
    for (set, members) in program.sets.iter().zip(&instance.members) {
        let name = &set.name;
        parts.push(match (set.superset, members.len()) {
            (None, 0) => format!("`{name}` is empty"),
            (None, 1) => format!("`{name}` has 1 member"),
            (None, size) => format!("`{name}` has {size} members"),
            (Some(_), _) => {
                let members: Vec<String> = members.iter().map(|pid| names.pid(*pid)).collect();
                format!("`{name}` is {{{}}}", members.join(", "))
            }
        });
    }
    let open = program.consts.iter().zip(&instance.consts).filter(|(constant, _)| constant.value.is_none());
    parts.extend(open.map(|(constant, value)| format!("`{}` is {}", constant.name, names.value(value))));
    list(&parts)
}

/// What `lockstep run` is told to get this instance: `--size Clients=2 --const K=1`. `None` if it cannot be told: then a subset has other
/// members than its first ones, or a constant a value that has no name.
pub(super) fn arguments(program: &Program, instance: &Instance) -> Option<String> {
    let names = Names { program, instance };
    let sizes: Vec<u32> = instance.members.iter().map(|members| members.len() as u32).collect();
    let is_named = |ty: &Type| matches!(ty, Type::Int | Type::Bool | Type::Enum(_));
    let mut consts = Vec::new();
    let mut words: Vec<String> =
        program.sets.iter().zip(&sizes).map(|(set, size)| format!("--size {}={size}", set.name)).collect();
    for (id, (constant, value)) in
        (0..).zip(program.consts.iter().zip(&instance.consts)).filter(|(_, (it, _))| it.value.is_none())
    {
        let has_parts = matches!(value, Value::Element { args, .. } if !args.is_empty());
        if is_named(&constant.ty) && !has_parts {
            words.push(format!("--const {}={}", constant.name, names.value(value)));
            consts.push((ConstId(id), value.clone()));
        } else {
            consts.push((ConstId(id), default_value(program, &constant.ty)));
        }
    }
    let again = run::instance(program, &sizes, &consts, &instance.domains).ok()?;
    (again == *instance).then(|| words.join(" "))
}

struct Teller<'a> {
    program: &'a Program,
    instance: &'a Instance,
    machine: Machine<'a>,
    names: Names<'a>,
}

impl Teller<'_> {
    /// One finding: at a receive of the circle in which they wait, or at one that shows why nobody will send. The others are its other
    /// places.
    fn deadlock(&self, deadlock: &Deadlock) -> Option<(Bug, Vec<Diagnostic>)> {
        let state = replay(self.program, self.instance, &deadlock.trace).ok()?;
        let waits: Vec<Wait> =
            deadlock.waiting.iter().filter_map(|(pid, stmt)| Wait::of(&self.machine, &state, *pid, *stmt)).collect();
        let circle = circle(&waits);
        let sentence = |wait: &Wait| format!("`{}` waits for {}", self.names.pid(wait.pid), wait.words(self.names));
        let start = |at: &usize| self.range(waits[*at].stmt).start();
        let cause = |at: &usize| self.cause(&state, &waits[*at]);
        let first = if circle.is_empty() {
            (0..waits.len()).min_by_key(|at| (cause(at).is_none(), start(at)))?
        } else {
            circle.iter().copied().min_by_key(start)?
        };
        let (words, help) = if circle.is_empty() {
            (sentence(&waits[first]), cause(&first).unwrap_or_else(|| "it waits for others that wait, too".to_owned()))
        } else {
            (spelled(self.names, &waits, &circle, first), "one of them has to send before it waits".to_owned())
        };
        let range = self.range(waits[first].stmt);
        let mut finding = Diagnostic::error(codes::DEADLOCK, range, format!("deadlock: {words}"));
        let mut told = vec![waits[first].stmt];
        let others = circle.iter().copied().chain((0..waits.len()).filter(|at| !circle.contains(at)));
        for other in others.map(|at| &waits[at]) {
            if !told.contains(&other.stmt) {
                told.push(other.stmt);
                finding = finding.with_related(self.range(other.stmt), format!("and {} here", sentence(other)));
            }
        }
        let finding = finding.with_help(format!("{}{help}", self.when()));
        let end = match circle.is_empty() {
            false => words,
            true => list(&waits.iter().take(4).map(sentence).collect::<Vec<_>>()),
        };
        Some((self.bug(BugKind::Deadlock, &deadlock.trace, end), vec![finding]))
    }

    /// Why nobody will send what somebody waits for, or what to do about it; `None` if those who could wait themselves.
    fn cause(&self, state: &State, wait: &Wait) -> Option<String> {
        if wait.from == [wait.pid] {
            return Some("it waits for itself".to_owned());
        }
        let excuse = || excuses(self.names, &self.machine, state, wait).map(|excuse| format!("{excuse} without sending it"));
        wait.help_for_empty(self.program).or_else(excuse)
    }

    /// On each claim that is broken.
    fn failures(&self, failures: &[Failed]) -> Option<(Bug, Vec<Diagnostic>)> {
        let mut findings: Vec<Diagnostic> = Vec::new();
        for failed in failures {
            let range = self.place_of_failure(failed);
            if findings.iter().all(|finding| finding.range != range) {
                let mut finding = Diagnostic::error(codes::FAILURE, range, self.failure_words(failed));
                let instance = describe(self.program, self.instance);
                finding.help = (!instance.is_empty()).then(|| format!("this happens when {instance}"));
                findings.push(finding);
            }
        }
        let first = failures.first()?;
        let who = first.who.as_ref().map(|who| format!("`{}` fails: ", self.names.who(who))).unwrap_or_default();
        let end = format!("{who}{}", self.failure_words(first));
        Some((self.bug(BugKind::Failure, &first.trace, end), findings))
    }

    /// What is wrong, with the values that make it so.
    fn failure_words(&self, failed: &Failed) -> String {
        let words = self.names.failure(&failed.failure);
        // A failed step is the last one; what it looks at is what was there before. An `ensures` is about the end.
        let is_end = matches!(failed.failure, Failure::Ensures(_));
        let steps = failed.trace.len() - usize::from(!is_end && !failed.trace.is_empty());
        let Ok(state) = replay(self.program, self.instance, &failed.trace[..steps]) else { return words };
        let at = Moment { machine: &self.machine, state: &state, who: failed.who.as_ref() };
        match (&failed.failure, failed.stmt.map(|stmt| &self.program.stmt(stmt).kind)) {
            (Failure::Nobody, Some(_)) => failed.stmt.and_then(|stmt| at.nobody(stmt)).unwrap_or(words),
            (Failure::Assert(_), Some(StmtKind::Assert { condition, .. })) => words + &at.values(condition),
            (Failure::Ensures(nth), _) => match self.program.ensures.get(*nth as usize) {
                Some(claim) => words + &at.values(&claim.condition),
                None => words,
            },
            _ => words,
        }
    }

    fn place_of_failure(&self, failed: &Failed) -> TextRange {
        let claim = match failed.failure {
            Failure::Ensures(at) => self.program.ensures.get(at as usize),
            Failure::Invariant(at) => self.program.invariants.get(at as usize),
            _ => None,
        };
        let process = match &failed.who {
            Some(Who::Process(pid)) => self.instance.actor(*pid).process,
            _ => None,
        };
        let of_stmt = failed.stmt.map(|stmt| self.range(stmt));
        let of_process = process.map(|process| self.program.process(process).range);
        claim.map(|claim| claim.range).or(of_stmt).or(of_process).unwrap_or_default()
    }

    /// On each send whose message is left.
    fn orphan(&self, orphan: &Orphan) -> Option<(Bug, Vec<Diagnostic>)> {
        let state = replay(self.program, self.instance, &orphan.trace).ok()?;
        let mut left: BTreeMap<(Pid, Pid, MessageId), usize> = BTreeMap::new();
        for channel in &orphan.channels {
            *left.entry((channel.from, channel.to, channel.message)).or_default() += state.queue(channel).len();
        }
        let mut findings: Vec<Diagnostic> = Vec::new();
        let mut words = Vec::new();
        for ((from, to, message), count) in left {
            let (message_name, to_name) = (&self.program.message(message).name, self.names.pid(to));
            let sentence = format!("`{message_name}` from `{}` to `{to_name}` is never received", self.names.pid(from));
            for send in last_sends(&orphan.trace, from, to, message).take(count) {
                let range = self.range(send);
                if findings.iter().all(|finding| finding.range != range) {
                    let what = if state.actors[to.index()].is_over { "has come to its end" } else { "waits for other messages" };
                    let help = format!("{}`{to_name}` {what}", self.when());
                    findings.push(Diagnostic::error(codes::ORPHAN, range, &*sentence).with_help(help));
                }
            }
            words.push(sentence);
        }
        words.truncate(4);
        Some((self.bug(BugKind::Orphan, &orphan.trace, list(&words)), findings))
    }

    fn bug(&self, kind: BugKind, trace: &Trace, end: String) -> Bug {
        let instance = describe(self.program, self.instance);
        let arguments = arguments(self.program, self.instance);
        Bug { kind, instance, arguments, trace: render_trace(self.program, self.instance, trace), end }
    }

    fn when(&self) -> String {
        when(self.program, self.instance)
    }

    fn range(&self, stmt: StmtId) -> TextRange {
        place(self.program, stmt)
    }
}

/// `when ...: `, if the program has sizes or constants to choose.
pub(super) fn when(program: &Program, instance: &Instance) -> String {
    match describe(program, instance) {
        nothing if nothing.is_empty() => nothing,
        something => format!("when {something}: "),
    }
}

/// What is marked of a statement: all of it, or of a compound receive the cases, of a loop its first line at most.
pub(super) fn place(program: &Program, stmt: StmtId) -> TextRange {
    let stmt = program.stmt(stmt);
    let first_inside = match &stmt.kind {
        // A receive without cases is all of the statement.
        StmtKind::Receive { cases, timeout } if cases.len() > 1 || timeout.is_some() || !cases[0].body.is_empty() => {
            cases.first().map(|case| case.range.end())
        }
        StmtKind::Foreach(set_loop) | StmtKind::For(set_loop) => {
            set_loop.body.first().map(|first| program.stmt(*first).range.start())
        }
        StmtKind::While { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::Rounds { body, .. } => {
            body.first().map(|first| program.stmt(*first).range.start())
        }
        _ => None,
    };
    match first_inside {
        Some(end) if stmt.range.contains(end) => TextRange::new(stmt.range.start(), end),
        _ => stmt.range,
    }
}

/// The statements that sent messages through a channel, last first.
pub(super) fn last_sends(trace: &Trace, from: Pid, to: Pid, message: MessageId) -> impl Iterator<Item = StmtId> {
    let is_it = move |effect: &Effect| match effect {
        Effect::Sent { message: sent, to: target, fate: Fate::InChannel, .. } => (*sent, *target) == (message, to),
        _ => false,
    };
    trace.iter().rev().filter(move |step| step.who == Who::Process(from) && is_it(&step.effect)).map(|step| step.stmt)
}
