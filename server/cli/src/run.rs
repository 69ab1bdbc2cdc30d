//! `lockstep run`: runs of an IceT program of a given size: one, or all of them.

use std::io::{self, Write};

use anyhow::{anyhow, bail};
use lockstep_base::Encoding;
use lockstep_icet::program::{ConstId, Program, SetId, Type};
use lockstep_icet::run::random::{RunEnd, random_run, transcript};
use lockstep_icet::run::render::Names;
use lockstep_icet::run::search::FinalState;
use lockstep_icet::run::value::{Value, default_value};
use lockstep_icet::run::{self, Domains, Instance, Limit, Limits, Mode, Trace, TraceLine, explore, render_trace};
use lockstep_workspace::Source;
use serde::Serialize;

use crate::Outcome;
use crate::human::count;
use crate::icet;
use crate::icet_args::{PlainFormat, RunArgs};
use crate::json::VERSION;
use crate::output::{Output, Terminal, write_all};
use crate::sequentialize::{JsonStep, json_steps};

/// The members of a set for which no size was given; subsets get one.
const DEFAULT_SIZE: u32 = 2;

/// The most members that a set can be given.
const LARGEST_SIZE: u32 = 1_000;

/// A single run that is longer is cut off.
const MOST_STEPS: usize = 10_000;

/// How many final states are shown to people.
const MOST_FINALS: usize = 10;

pub(crate) fn run(args: &RunArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let Some((source, program)) = icet::load(&args.input, terminal)? else { return Ok(Outcome::Findings) };
    let instance = chosen_instance(&program, args)?;
    let run = Run { source: &source, program: &program, instance: &instance };
    if args.all { run.all(args, terminal) } else { run.one(args, terminal) }
}

/// The instance that the arguments describe.
fn chosen_instance(program: &Program, args: &RunArgs) -> anyhow::Result<Instance> {
    let mut sizes: Vec<u32> = program.sets.iter().map(|set| if set.superset.is_some() { 1 } else { DEFAULT_SIZE }).collect();
    for written in &args.size {
        let (name, size) = written.split_once('=').ok_or_else(|| anyhow!("`--size {written}` is not of the form NAME=NUMBER"))?;
        let at = program.sets.iter().position(|set| set.name == name);
        let at = at.ok_or_else(|| unknown("set", name, program.sets.iter().map(|set| &*set.name)))?;
        sizes[at] = size
            .parse()
            .ok()
            .filter(|size| *size <= LARGEST_SIZE)
            .ok_or_else(|| anyhow!("the size of `{name}` is a number from 0 to {LARGEST_SIZE}, and `{size}` is not"))?;
    }
    // In order of inclusion a superset may come later, so as often as there are sets.
    for _ in &program.sets {
        for (at, set) in program.sets.iter().enumerate() {
            if let Some(SetId(superset)) = set.superset {
                sizes[at] = sizes[at].min(sizes[superset as usize]);
            }
        }
    }
    let consts = constants(program, args)?;
    run::instance(program, &sizes, &consts, &Domains::of(program)).map_err(|why| anyhow!(why))
}

/// Values for all constants that have none in the program.
fn constants(program: &Program, args: &RunArgs) -> anyhow::Result<Vec<(ConstId, Value)>> {
    let mut values: Vec<Option<Value>> = vec![None; program.consts.len()];
    for written in &args.constants {
        let (name, value) =
            written.split_once('=').ok_or_else(|| anyhow!("`--const {written}` is not of the form NAME=VALUE"))?;
        let at = program.consts.iter().position(|constant| constant.name == name);
        let at = at.ok_or_else(|| unknown("constant", name, program.consts.iter().map(|constant| &*constant.name)))?;
        if program.consts[at].value.is_some() {
            bail!("the constant `{name}` has a value in the program");
        }
        values[at] = Some(parse_value(program, &program.consts[at].ty, value).ok_or_else(|| {
            let ty = lockstep_icet::print::ty(program, &program.consts[at].ty);
            anyhow!("`{value}` is no value for the constant `{name}`, which is of type `{ty}`")
        })?);
    }
    let mut all = Vec::new();
    for (at, constant) in (0..).zip(&program.consts) {
        if constant.value.is_some() {
            continue;
        }
        let given = values[at as usize].take();
        let is_needed = matches!(constant.ty, Type::Int | Type::Bool | Type::Enum(_));
        if given.is_none() && is_needed {
            bail!("the constant `{0}` has no value: say --const {0}=VALUE", constant.name);
        }
        all.push((ConstId(at), given.unwrap_or_else(|| default_value(program, &constant.ty))));
    }
    Ok(all)
}

/// A number, a truth value, or an element of an enum that carries nothing.
fn parse_value(program: &Program, ty: &Type, text: &str) -> Option<Value> {
    match ty {
        Type::Int => text.parse().ok().map(Value::Int),
        Type::Bool => text.parse().ok().map(Value::Bool),
        Type::Enum(of) => {
            let elements = &program.enums[of.index()].elements;
            let at = elements.iter().position(|element| element.name == text && element.payload.is_empty())?;
            Some(Value::Element { of: *of, element: u32::try_from(at).ok()?, args: Vec::new().into() })
        }
        _ => None,
    }
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> anyhow::Error {
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    match &known[..] {
        [] => anyhow!("there is no {what} `{name}`: the program declares none"),
        known => anyhow!("there is no {what} `{name}`: the program declares {}", known.join(", ")),
    }
}

struct Run<'a> {
    source: &'a Source,
    program: &'a Program,
    instance: &'a Instance,
}

#[derive(Serialize)]
struct JsonOne<'a> {
    version: u32,
    path: &'a str,
    instance: String,
    seed: u64,
    steps: Vec<JsonStep<'a>>,
    /// `ended`, `orphans`, `deadlock`, `failure`, `assumption` or `running`.
    end: &'static str,
    message: &'a str,
    variables: Vec<Variable>,
}

#[derive(Serialize)]
struct Variable {
    process: String,
    name: String,
    value: String,
}

#[derive(Serialize)]
struct JsonAll<'a> {
    version: u32,
    path: &'a str,
    instance: String,
    /// Whether all runs were seen; otherwise `limits` says why not.
    complete: bool,
    limits: Vec<String>,
    /// Whether values were tried from a few of infinitely many only.
    sampled: bool,
    states: usize,
    finals: usize,
    wrong: Vec<JsonWrong<'a>>,
}

#[derive(Serialize)]
struct JsonWrong<'a> {
    kind: &'static str,
    message: &'a str,
    steps: Vec<JsonStep<'a>>,
}

/// Something wrong with a shortest run that shows it.
struct Wrong {
    kind: &'static str,
    message: String,
    lines: Vec<TraceLine>,
}

impl Run<'_> {
    fn one(&self, args: &RunArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
        let run = icet::patiently("running", || random_run(self.program, self.instance, args.seed, MOST_STEPS));
        let (lines, message) = transcript(self.program, self.instance, &run);
        let (end, is_wrong) = match &run.end {
            RunEnd::Ended { orphans: 0, .. } => ("ended", false),
            RunEnd::Ended { .. } => ("orphans", true),
            RunEnd::Deadlock(_) => ("deadlock", true),
            RunEnd::Failed(_) => ("failure", true),
            RunEnd::CutShort => ("assumption", false),
            RunEnd::StillRunning => ("running", false),
        };
        let finals = run::search::final_state(self.program, self.instance, &run.state);
        let variables = self.variables(&finals);
        write_all(terminal.stdout(), |output| match args.format {
            PlainFormat::Json => {
                let steps = json_steps(self.source, &lines);
                let (path, instance, message) = (&self.source.name, self.words(), &*message);
                let seed = args.seed;
                let whole = JsonOne { version: VERSION, path, instance, seed, steps, end, message, variables };
                serde_json::to_writer(&mut *output, &whole)?;
                writeln!(output)
            }
            PlainFormat::Human => {
                writeln!(output, "a run of {}{}, seed {}", self.source.name, self.with(), args.seed)?;
                self.write_lines(output, &lines)?;
                writeln!(output, "{message}")?;
                write_variables(output, "  ", &variables)
            }
        })?;
        Ok(if is_wrong { Outcome::Findings } else { Outcome::Clean })
    }

    fn all(&self, args: &RunArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
        let limits = Limits { states: args.states, steps: (args.states as u64).saturating_mul(20), reports: 20, cancel: None };
        let outcome = icet::patiently("searching", || explore(self.program, self.instance, Mode::Reduced, &limits));
        let wrong = self.wrong(&outcome);
        let missing: Vec<String> = outcome.limits.iter().map(limit_words).collect();
        write_all(terminal.stdout(), |output| match args.format {
            PlainFormat::Json => {
                let whole = JsonAll {
                    version: VERSION,
                    path: &self.source.name,
                    instance: self.words(),
                    complete: missing.is_empty(),
                    limits: missing.clone(),
                    sampled: outcome.has_sampled,
                    states: outcome.states,
                    finals: outcome.finals.len(),
                    wrong: wrong.iter().map(|wrong| self.json_wrong(wrong)).collect(),
                };
                serde_json::to_writer(&mut *output, &whole)?;
                writeln!(output)
            }
            PlainFormat::Human => self.write_all_runs(output, &outcome, &wrong, &missing),
        })?;
        Ok(if wrong.is_empty() && missing.is_empty() { Outcome::Clean } else { Outcome::Findings })
    }

    fn json_wrong<'w>(&self, wrong: &'w Wrong) -> JsonWrong<'w> {
        JsonWrong { kind: wrong.kind, message: &wrong.message, steps: json_steps(self.source, &wrong.lines) }
    }

    /// Everything wrong, what needs few steps first.
    fn wrong(&self, outcome: &run::Outcome) -> Vec<Wrong> {
        let names = Names { program: self.program, instance: self.instance };
        let lines = |trace: &Trace| render_trace(self.program, self.instance, trace);
        let mut all = Vec::new();
        for deadlock in &outcome.deadlocks {
            let waiting: Vec<String> = deadlock.waiting.iter().map(|(pid, stmt)| self.waits(names.pid(*pid), *stmt)).collect();
            all.push(Wrong { kind: "deadlock", message: waiting.join("; "), lines: lines(&deadlock.trace) });
        }
        for orphan in &outcome.orphans {
            let left = orphan.channels.iter().map(|channel| {
                let message = &self.program.message(channel.message).name;
                format!("{message} from {} to {} is never received", names.pid(channel.from), names.pid(channel.to))
            });
            let message = left.collect::<Vec<_>>().join("; ");
            all.push(Wrong { kind: "orphan message", message, lines: lines(&orphan.trace) });
        }
        for failed in &outcome.failures {
            all.push(Wrong { kind: "failure", message: names.failure(&failed.failure), lines: lines(&failed.trace) });
        }
        all.sort_by_key(|wrong| wrong.lines.len());
        all
    }

    fn waits(&self, who: String, stmt: lockstep_icet::program::StmtId) -> String {
        let at = self.source.text.position(self.program.stmt(stmt).range.start(), Encoding::Utf32);
        format!("{who} waits at line {} (`{}`)", at.line + 1, lockstep_icet::print::stmt_head(self.program, stmt))
    }

    fn write_all_runs(&self, output: &mut Output, outcome: &run::Outcome, wrong: &[Wrong], missing: &[String]) -> io::Result<()> {
        let states = count(outcome.states, "state");
        writeln!(output, "all runs of {}{}: {states} looked at", self.source.name, self.with())?;
        for wrong in wrong {
            writeln!(output, "\n{}: {}", wrong.kind, wrong.message)?;
            self.write_lines(output, &wrong.lines)?;
        }
        writeln!(output, "\n{}", count(outcome.finals.len(), "final state"))?;
        for (number, finals) in (1..).zip(outcome.finals.iter().take(MOST_FINALS)) {
            writeln!(output, "  {number}:")?;
            write_variables(output, "    ", &self.variables(finals))?;
        }
        if outcome.finals.len() > MOST_FINALS {
            writeln!(output, "  and {} more", outcome.finals.len() - MOST_FINALS)?;
        }
        for limit in missing {
            writeln!(output, "not everything was seen: {limit}")?;
        }
        if outcome.has_sampled {
            writeln!(output, "integers and types without definition were tried with a few values only")?;
        }
        let seen = if missing.is_empty() { "all runs" } else { "what was seen" };
        match wrong.len() {
            0 => writeln!(output, "no deadlock, no orphan message and no failure in {seen}"),
            number => writeln!(output, "{}", count(number, "thing") + " went wrong"),
        }
    }

    /// A line for each step, and where it is in the file.
    fn write_lines(&self, output: &mut Output, lines: &[TraceLine]) -> io::Result<()> {
        let width = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0).min(60);
        for (number, line) in (1..).zip(lines) {
            let at = self.source.text.position(line.range.start(), Encoding::Utf32).line + 1;
            writeln!(output, "{number:5}  {:width$}  line {at}", line.text)?;
        }
        Ok(())
    }

    fn variables(&self, finals: &FinalState) -> Vec<Variable> {
        let names = Names { program: self.program, instance: self.instance };
        let mut all = Vec::new();
        for (pid, values) in self.instance.pids().zip(finals) {
            let Some(process) = self.instance.actor(pid).process else { continue };
            let vars = self.program.process(process).code.vars.iter().filter(|var| !var.is_ghost);
            all.extend(vars.zip(values).map(|(var, value)| Variable {
                process: names.pid(pid),
                name: var.name.to_string(),
                value: names.value(value),
            }));
        }
        all
    }

    fn with(&self) -> String {
        match self.words() {
            nothing if nothing.is_empty() => nothing,
            words => format!(" with {words}"),
        }
    }

    /// `Clients=2, K=1`.
    fn words(&self) -> String {
        let names = Names { program: self.program, instance: self.instance };
        let sets = self.program.sets.iter().zip(&self.instance.members);
        let sizes = sets.map(|(set, members)| format!("{}={}", set.name, members.len()));
        let open = self.program.consts.iter().zip(&self.instance.consts).filter(|(constant, _)| constant.value.is_none());
        let values = open.map(|(constant, value)| format!("{}={}", constant.name, names.value(value)));
        sizes.chain(values).collect::<Vec<_>>().join(", ")
    }
}

fn write_variables(output: &mut Output, indent: &str, variables: &[Variable]) -> io::Result<()> {
    variables.iter().try_for_each(|Variable { process, name, value }| writeln!(output, "{indent}{process}.{name} = {value}"))
}

fn limit_words(limit: &Limit) -> String {
    match limit {
        Limit::States(states) => format!("there are more than {states} states; --states allows more"),
        Limit::Steps(steps) => format!("there are more than {steps} steps; --states allows more"),
        // Only searches that set bounds meet these.
        Limit::Work(_) => "the states have become too large".to_owned(),
        Limit::Messages(messages) => format!("there can be more than {messages} messages in one channel"),
        Limit::Cancelled => "the search was stopped".to_owned(),
        Limit::Trouble(_, trouble) => trouble.words().to_owned(),
    }
}
