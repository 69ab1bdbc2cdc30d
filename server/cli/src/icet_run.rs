//! `lockstep run` for IceT: runs of an IceT program of a given size: one, or all of them.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use lockstep_base::Encoding;
use lockstep_icet::program::{ConstId, Program, SetId, StmtId, Type};
use lockstep_icet::run::random::{RunEnd, random_run, transcript};
use lockstep_icet::run::render::Names;
use lockstep_icet::run::search::FinalState;
use lockstep_icet::run::value::{Value, default_value};
use lockstep_icet::run::{self, Domains, Instance, Limit, Limits, Mode, Trace, TraceLine, explore, render_trace};
use lockstep_syntax::Language;
use lockstep_workspace::{Source, is_stdin, language_of};
use serde::Serialize;

use crate::Outcome;
use crate::args::{FileArgs, Format, LanguageArg};
use crate::human::count;
use crate::icet;
use crate::icet_args::PlainFormat;
use crate::json::VERSION;
use crate::output::{Output, Terminal, write_all};
use crate::p::args::RunArgs;
use crate::sequentialize::{JsonStep, json_steps};

/// The members of a set for which no size was given; subsets get one.
const DEFAULT_SIZE: u32 = 2;

/// The most members that a set can be given.
const LARGEST_SIZE: u32 = 1_000;

/// A single run that is longer is cut off.
const MOST_STEPS: usize = 10_000;

pub(crate) fn run(args: &RunArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let format = format(args)?;
    let [file] = &args.words[..] else { bail!("an IceT program is run on its own: name one file") };
    let input = FileArgs { file: file.clone(), language: args.icet.language };
    let Some((source, program)) = icet::load(&input, terminal)? else { return Ok(Outcome::Findings) };
    let instance = chosen_instance(&program, args)?;
    let run = Run { source: &source, program: &program, instance: &instance };
    if args.all {
        run.all(args.icet.states, args.icet.finals, format, terminal)
    } else {
        run.one(args.seed.unwrap_or(1), format, terminal)
    }
}

/// Whether the arguments are about an IceT program.
pub(crate) fn is_for(args: &RunArgs) -> bool {
    let is_icet = |word: &PathBuf| is_stdin(word) || language_of(word) == Some(Language::Icet);
    matches!(args.icet.language, Some(LanguageArg::Icet)) || args.words.iter().any(is_icet)
}

/// What the arguments say for IceT. Options that mean nothing here are refused.
fn format(args: &RunArgs) -> anyhow::Result<PlainFormat> {
    if args.all && args.seed.is_some() {
        bail!("--seed chooses one run, and --all goes through all: give one of them");
    }
    match args.format {
        Format::Human => Ok(PlainFormat::Human),
        Format::Json => Ok(PlainFormat::Json),
        Format::Sarif | Format::Github => {
            bail!("the runs of an IceT program are written as human or json; `lockstep check` knows more formats")
        }
    }
}

/// The instance that the arguments describe.
fn chosen_instance(program: &Program, args: &RunArgs) -> anyhow::Result<Instance> {
    let mut sizes: Vec<u32> = program.sets.iter().map(|set| if set.superset.is_some() { 1 } else { DEFAULT_SIZE }).collect();
    for written in &args.icet.size {
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
    for written in &args.icet.constants {
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
    /// Equal for those that differ only in which members they happen to.
    like: Vec<StmtId>,
}

impl Run<'_> {
    fn one(&self, seed: u64, format: PlainFormat, terminal: Terminal) -> anyhow::Result<Outcome> {
        let run = icet::patiently("running", || random_run(self.program, self.instance, seed, MOST_STEPS));
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
        write_all(terminal.stdout(), |output| match format {
            PlainFormat::Json => {
                let steps = json_steps(self.source, &lines);
                let (path, instance, message) = (&self.source.name, self.words(), &*message);
                let whole = JsonOne { version: VERSION, path, instance, seed, steps, end, message, variables };
                serde_json::to_writer(&mut *output, &whole)?;
                writeln!(output)
            }
            PlainFormat::Human => {
                writeln!(output, "a run of {}{}, seed {}", self.source.name, self.with(), seed)?;
                self.write_lines(output, &lines)?;
                writeln!(output, "{message}")?;
                write_variables(output, "  ", &variables)
            }
        })?;
        Ok(if is_wrong { Outcome::Findings } else { Outcome::Clean })
    }

    fn all(&self, states: usize, most_finals: usize, format: PlainFormat, terminal: Terminal) -> anyhow::Result<Outcome> {
        let limits = Limits { states, steps: (states as u64).saturating_mul(20), reports: 20, cancel: None };
        let outcome = icet::patiently("searching", || explore(self.program, self.instance, Mode::Reduced, &limits));
        let wrong = self.wrong(&outcome);
        let missing: Vec<String> = outcome.limits.iter().map(limit_words).collect();
        write_all(terminal.stdout(), |output| match format {
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
            PlainFormat::Human => self.write_all_runs(output, &outcome, &wrong, &missing, most_finals),
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
            let mut like: Vec<StmtId> = deadlock.waiting.iter().map(|(_, stmt)| *stmt).collect();
            like.sort();
            all.push(Wrong { kind: "deadlock", message: waiting.join("; "), lines: lines(&deadlock.trace), like });
        }
        for orphan in &outcome.orphans {
            let left = orphan.channels.iter().map(|channel| {
                let message = &self.program.message(channel.message).name;
                format!("{message} from {} to {} is never received", names.pid(channel.from), names.pid(channel.to))
            });
            let message = left.collect::<Vec<_>>().join("; ");
            all.push(Wrong { kind: "orphan message", message, lines: lines(&orphan.trace), like: Vec::new() });
        }
        for failed in &outcome.failures {
            let message = names.failure(&failed.failure);
            all.push(Wrong { kind: "failure", message, lines: lines(&failed.trace), like: Vec::new() });
        }
        all.sort_by_key(|wrong| wrong.lines.len());
        all
    }

    fn waits(&self, who: String, stmt: StmtId) -> String {
        let at = self.source.text.position(self.program.stmt(stmt).range.start(), Encoding::Utf32);
        format!("{who} waits at line {} (`{}`)", at.line + 1, lockstep_icet::print::stmt_head(self.program, stmt))
    }

    /// First whether all is well, then what is not, then how runs end.
    fn write_all_runs(
        &self,
        output: &mut Output,
        outcome: &run::Outcome,
        wrong: &[Wrong],
        missing: &[String],
        most_finals: usize,
    ) -> io::Result<()> {
        let states = count(outcome.states, "state");
        writeln!(output, "all runs of {}{}: {states} looked at", self.source.name, self.with())?;
        let seen = if missing.is_empty() { "all runs" } else { "what was seen" };
        match wrong.len() {
            0 => writeln!(output, "no deadlock, no orphan message and no failure in {seen}")?,
            number => writeln!(output, "{}", count(number, "thing") + " went wrong")?,
        }
        for limit in missing {
            writeln!(output, "not everything was seen: {limit}")?;
        }
        if outcome.has_sampled {
            writeln!(output, "integers and types without definition were tried with a few values only")?;
        }
        self.write_wrong(output, wrong)?;
        writeln!(output, "\n{}", count(outcome.finals.len(), "final state"))?;
        for (number, finals) in (1..).zip(outcome.finals.iter().take(most_finals)) {
            writeln!(output, "  {number}:")?;
            write_variables(output, "    ", &self.variables(finals))?;
        }
        match outcome.finals.len().saturating_sub(most_finals) {
            0 => Ok(()),
            more => writeln!(output, "  and {more} more (--finals {} shows all)", outcome.finals.len()),
        }
    }

    /// Each with a run that leads to it; deadlocks that differ only in which members wait are told once.
    fn write_wrong(&self, output: &mut Output, wrong: &[Wrong]) -> io::Result<()> {
        for (at, one) in wrong.iter().enumerate() {
            let is_like = |other: &&Wrong| !one.like.is_empty() && other.like == one.like;
            if wrong[..at].iter().any(|other| is_like(&other)) {
                continue;
            }
            writeln!(output, "\n{}: {}", one.kind, one.message)?;
            self.write_lines(output, &one.lines)?;
            match wrong[at + 1..].iter().filter(is_like).count() {
                0 => {}
                more => writeln!(output, "  and {more} more like it, with other members")?,
            }
        }
        Ok(())
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
