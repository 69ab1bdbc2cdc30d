//! Values, states and steps in the words of the program.

use crate::print;
use crate::program::{MessageId, Pattern, Place, Program, Root, Step, StmtKind};
use crate::run::code::Op;
use crate::run::instance::Instance;
use crate::run::state::{Choice, Effect, Failure, Fate, Loop, State, TraceStep, Who};
use crate::run::step::Machine;
use crate::run::value::{Pid, Value};

/// What gives names to numbers.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    pub program: &'a Program,
    pub instance: &'a Instance,
}

impl Names<'_> {
    pub fn pid(&self, pid: Pid) -> String {
        self.instance.name(self.program, pid)
    }

    pub fn who(&self, who: &Who) -> String {
        match who {
            Who::Process(pid) => self.pid(*pid),
            Who::Sequential(path) if path.is_empty() => "sequential".to_owned(),
            Who::Sequential(path) => {
                let numbers = path.iter().map(u32::to_string).collect::<Vec<_>>();
                format!("sequential, parallel {}", numbers.join("."))
            }
        }
    }

    /// As it would be written in the program, where it can be.
    pub fn value(&self, value: &Value) -> String {
        let list = |values: &[Value]| values.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(", ");
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Nobody => "nobody".to_owned(),
            Value::Pid(pid) => self.pid(*pid),
            Value::Element { of, element, args } => {
                let name = &self.program.enums[of.index()].elements[*element as usize].name;
                if args.is_empty() { name.to_string() } else { format!("{name}({})", list(args)) }
            }
            Value::Opaque(ty, number) => format!("{}#{number}", self.program.opaque[ty.index()]),
            Value::Set(elements) => format!("{{{}}}", list(elements)),
            Value::Map(map) => {
                let exceptions =
                    map.exceptions().iter().map(|(key, value)| format!("{}: {}", self.value(key), self.value(value)));
                let others = if map.exceptions().is_empty() { "all" } else { "others" };
                let default = format!("{others}: {}", self.value(map.default()));
                format!("[{}]", exceptions.chain([default]).collect::<Vec<_>>().join(", "))
            }
            Value::Tuple(parts) => format!("({})", list(parts)),
        }
    }

    pub fn message(&self, message: MessageId, payload: &[Value]) -> String {
        let name = &self.program.message(message).name;
        let parts = payload.iter().map(|value| self.value(value)).collect::<Vec<_>>();
        if parts.is_empty() { name.to_string() } else { format!("{name}({})", parts.join(", ")) }
    }

    pub fn failure(&self, failure: &Failure) -> String {
        let said = |what: &str, message: &Option<smol_str::SmolStr>| match message {
            Some(message) => format!("{what}: {message}"),
            None => what.to_owned(),
        };
        let claim = |what: &str, claims: &[crate::program::Claim], at: u32| {
            let name = claims.get(at as usize).and_then(|claim| claim.name.as_ref());
            name.map_or_else(|| format!("an `{what}` does not hold"), |name| format!("`{what} {name}` does not hold"))
        };
        match failure {
            Failure::Assert(message) => said("the assertion is false", message),
            Failure::Fail(message) => said("`fail` is reached", message),
            Failure::DivisionByZero => "a division by zero".to_owned(),
            Failure::Nobody => "a process is used before one was stored: the variable holds nobody".to_owned(),
            Failure::EmptyPick => "there is nothing to pick: the set is empty".to_owned(),
            Failure::Ensures(at) => claim("ensures", &self.program.ensures, *at),
            Failure::Invariant(at) => claim("invariant", &self.program.invariants, *at),
            Failure::LoopInvariant(_) => "the invariant does not hold".to_owned(),
        }
    }

    /// Where something is stored; keys by their values in the state before that.
    fn place(&self, machine: &Machine<'_>, before: &State, place: &Place, who: &Who) -> String {
        let own = match who {
            Who::Process(pid) => self.instance.actor(*pid).process.map(|process| &self.program.process(process).code),
            Who::Sequential(_) => self.program.sequential.as_ref(),
        };
        let mut text = match &place.root {
            Root::Own(var) => own.map_or_else(String::new, |code| code.vars[var.index()].name.to_string()),
            Root::Shared(var) => self.program.shared[var.index()].name.to_string(),
            Root::Of { process, var, .. } => {
                let process = self.program.process(*process);
                format!("{}.{}", process.name, process.code.vars[var.index()].name)
            }
        };
        for step in &place.path {
            match step {
                Step::Key(key) => match machine.evaluate(before, who, |scope| scope.eval(key)) {
                    Ok(key) => text += &format!("[{}]", self.value(&key)),
                    Err(_) => text += "[...]",
                },
                Step::Part(_) => {}
            }
        }
        text
    }
}

/// What a step does, or `None` for steps that say nothing: heads of loops, `skip`.
pub(super) fn step_words(names: Names<'_>, machine: &Machine<'_>, before: &State, step: &TraceStep) -> Option<String> {
    let who = names.who(&step.who);
    match &step.effect {
        Effect::Sent { message, payload, to, fate } => {
            let fate = match fate {
                Fate::InChannel => "",
                Fate::GivenUp => ", who has given up waiting for it",
                Fate::TooLate => ", who has left the round",
            };
            Some(format!("{who} sends {} to {}{fate}", names.message(*message, payload), names.pid(*to)))
        }
        Effect::Received { message, payload, from } => {
            Some(format!("{who} receives {} from {}", names.message(*message, payload), names.pid(*from)))
        }
        Effect::Failed(failure) => Some(format!("{who} fails: {}", names.failure(failure))),
        Effect::Withdrawn => Some(format!("{who} assumes what is false: this run does not count")),
        Effect::CutOff(trouble) => Some(format!("{who} cannot go on: {}", trouble.words())),
        Effect::Moved => moved_words(names, machine, before, step).map(|what| format!("{who} {what}")),
    }
}

fn moved_words(names: Names<'_>, machine: &Machine<'_>, before: &State, step: &TraceStep) -> Option<String> {
    match (&names.program.stmt(step.stmt).kind, &step.choice) {
        (StmtKind::Assign { target, value }, _) => {
            let value = machine.evaluate(before, &step.who, |scope| scope.eval(value)).ok()?;
            let target = match target {
                Pattern::Place(place) => names.place(machine, before, place, &step.who),
                Pattern::Wildcard | Pattern::Tuple(_) => return Some(format!("assigns {}", names.value(&value))),
            };
            Some(format!("sets {target} to {}", names.value(&value)))
        }
        (StmtKind::Havoc { target } | StmtKind::Pick { target, .. }, Choice::Value(value)) => {
            Some(format!("chooses {} for {}", names.value(value), names.place(machine, before, target, &step.who)))
        }
        (StmtKind::For(_) | StmtKind::Foreach(_), Choice::Value(member)) => {
            Some(format!("begins the turn of {}", names.value(member)))
        }
        (StmtKind::Rounds { index, .. }, _) if matches!(machine.op(before, &step.who), Some(Op::Turn { .. })) => {
            let thread = before.thread(&step.who)?;
            let Some(Loop::Turns { next, .. }) = thread.loops.last() else { return None };
            let code = names.program.code(names.program.stmt(step.stmt).process)?;
            Some(format!("begins round {} ({} = {next})", next + 1, code.locals.get(index.index())?.name))
        }
        (StmtKind::Choose { branches }, Choice::Branch(branch)) => {
            let first = branches.get(*branch as usize).and_then(|block| block.first());
            let what = first.map(|first| format!(": `{}`", print::stmt_head(names.program, *first))).unwrap_or_default();
            Some(format!("chooses branch {}{what}", branch + 1))
        }
        (StmtKind::If { then, otherwise, .. }, Choice::Branch(branch)) => {
            let block = if *branch == 0 { then } else { otherwise };
            Some(match (block.first(), then.first()) {
                (Some(first), _) => format!("chooses to do `{}`", print::stmt_head(names.program, *first)),
                (None, Some(other)) => format!("chooses not to do `{}`", print::stmt_head(names.program, *other)),
                (None, None) => "chooses to go on".to_owned(),
            })
        }
        (StmtKind::While { .. }, Choice::Branch(0)) => Some("chooses to go on".to_owned()),
        (StmtKind::While { .. }, Choice::Branch(_)) => Some("chooses to stop".to_owned()),
        (_, Choice::GiveUp { dropped: Some(message) }) => {
            Some(format!("gives up waiting, and {} is thrown away", names.program.message(*message).name))
        }
        (_, Choice::GiveUp { dropped: None }) => Some("gives up waiting".to_owned()),
        _ => None,
    }
}
