//! `lockstep sequentialize`: an IceT program in order, as a program, with what that proves.
//!
//! For people, everything but the program itself is in comments, so what is printed is an IceT program, too.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use lockstep_base::verdict::{Scope, Verdict};
use lockstep_icet::analysis::{Analysis, Bug, BugKind, ReasonKind, analyse};
use lockstep_icet::program::Program;
use lockstep_icet::rewrite::{Step, Who, tell, told_lines};
use lockstep_icet::{certificate, print};
use lockstep_workspace::Source;
use serde::Serialize;

use crate::Outcome;
use crate::icet;
use crate::icet_args::{PlainFormat, SequentializeArgs};
use crate::json::{Finding, Places, Range, VERSION, finding};
use crate::output::{Output, Terminal, write_all};
use crate::report::Sources;

/// All that is said, for programs.
#[derive(Serialize)]
struct Whole<'a> {
    version: u32,
    path: &'a str,
    verdict: Verdict,
    scope: Option<Scope>,
    summary: &'a str,
    /// Why it is neither proved nor refuted.
    reason: Option<ReasonKind>,
    complete: bool,
    /// The sequential program, as far as it goes.
    sequential: Option<String>,
    /// The processes that have code left, and where they stand.
    remaining: Vec<Remaining<'a>>,
    bug: Option<JsonBug<'a>>,
    diagnostics: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [Step]>,
}

#[derive(Serialize)]
struct Remaining<'a> {
    process: &'a str,
    next: Range,
}

#[derive(Serialize)]
pub(crate) struct JsonBug<'a> {
    kind: &'static str,
    instance: &'a str,
    end: &'a str,
    trace: Vec<JsonStep<'a>>,
}

#[derive(Serialize)]
pub(crate) struct JsonStep<'a> {
    text: &'a str,
    range: Range,
}

pub(crate) fn run(args: &SequentializeArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let Some((source, program)) = icet::load(&args.input, terminal)? else { return Ok(Outcome::Findings) };
    let analysis = icet::patiently("searching for bugs", || analyse(&program, &icet::budget()));
    let is_proved = analysis.verdict == Verdict::Proved;
    if let Some(path) = &args.certificate {
        if !analysis.outcome.is_complete {
            bail!("there is no certificate: {}", analysis.summary);
        }
        keep(path, &program, &analysis.outcome.steps)?;
    }
    write_all(terminal.stdout(), |output| match args.format {
        PlainFormat::Human => write_human(output, &source, &program, &analysis, args.steps),
        PlainFormat::Json => write_json(output, &source, &program, &analysis, args.steps),
    })?;
    Ok(if is_proved { Outcome::Clean } else { Outcome::Findings })
}

fn keep(path: &Path, program: &Program, steps: &[Step]) -> anyhow::Result<()> {
    let text = certificate::to_json(program, steps)? + "\n";
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

fn write_human(out: &mut Output, source: &Source, program: &Program, analysis: &Analysis, steps: bool) -> io::Result<()> {
    comment(out, &format!("{}: {}: {}", source.name, analysis.verdict.word(), analysis.summary))?;
    if let Some(bug) = &analysis.bug {
        write_bug(out, source, bug)?;
    }
    if steps {
        comment(out, "the steps, each with the statement it executes and the rule that allows it:")?;
        write_steps(out, source, program, &analysis.outcome.steps)?;
    }
    match &analysis.outcome.sequential {
        Ok(sequential) => {
            if !analysis.outcome.is_complete {
                comment(out, "as far as it goes: first the sequential part, then what is left of the processes;")?;
                comment(out, "messages that are under way in between are not shown")?;
            }
            write!(out, "\n{}", print::print(&sequential.program))
        }
        Err(_) => comment(out, "there is no sequential program to show"),
    }
}

fn comment(out: &mut Output, text: &str) -> io::Result<()> {
    writeln!(out, "// {text}")
}

fn write_bug(out: &mut Output, source: &Source, bug: &Bug) -> io::Result<()> {
    comment(out, "how it comes to this:")?;
    for (number, line) in (1..).zip(&bug.trace) {
        let at = source.text.position(line.range.start(), lockstep_base::Encoding::Utf32);
        comment(out, &format!("{number:4}  {} (line {})", line.text, at.line + 1))?;
    }
    comment(out, &format!("      {}", bug.end))
}

/// What each step does, what is inside of a loop or a branch indented.
fn write_steps(out: &mut Output, source: &Source, program: &Program, steps: &[Step]) -> io::Result<()> {
    let line = |range: lockstep_base::TextRange| source.text.position(range.start(), lockstep_base::Encoding::Utf32).line + 1;
    let lines = told_lines(program, &tell(program, steps), &line);
    lines.iter().try_for_each(|line| comment(out, &format!("  {line}")))
}

pub(crate) fn name(program: &Program, who: Who) -> String {
    match who {
        Who::One(process) => program.process(process).name.to_string(),
        Who::Each(set) => format!("each of {}", program.set(set).name),
        Who::Focus(number) => format!("member #{number}"),
    }
}

fn write_json(out: &mut Output, source: &Source, program: &Program, analysis: &Analysis, steps: bool) -> io::Result<()> {
    let (places, sources) = (Places::new(source), Sources::default());
    let remaining = analysis.outcome.next.iter().filter_map(|(who, stmt)| {
        let process = match who {
            Who::One(process) => *process,
            Who::Each(set) => program.code_of(*set)?,
            Who::Focus(_) => return None,
        };
        Some(Remaining { process: &program.process(process).name, next: places.range(program.stmt(*stmt).range) })
    });
    let whole = Whole {
        version: VERSION,
        path: &source.name,
        verdict: analysis.verdict,
        scope: analysis.scope,
        summary: &analysis.summary,
        reason: analysis.reason,
        complete: analysis.outcome.is_complete,
        sequential: analysis.outcome.sequential.as_ref().ok().map(|sequential| print::print(&sequential.program)),
        remaining: remaining.collect(),
        bug: analysis.bug.as_ref().map(|bug| json_bug(source, bug)),
        diagnostics: analysis.findings.iter().map(|diagnostic| finding(source, &sources, diagnostic)).collect(),
        steps: steps.then_some(&analysis.outcome.steps[..]),
    };
    serde_json::to_writer(&mut *out, &whole)?;
    writeln!(out)
}

pub(crate) fn json_bug<'a>(source: &Source, bug: &'a Bug) -> JsonBug<'a> {
    let kind = match bug.kind {
        BugKind::Deadlock => "deadlock",
        BugKind::Orphan => "orphan",
        BugKind::Failure => "failure",
        BugKind::Race => "race",
    };
    JsonBug { kind, instance: &bug.instance, end: &bug.end, trace: json_steps(source, &bug.trace) }
}

pub(crate) fn json_steps<'a>(source: &Source, lines: &'a [lockstep_icet::run::TraceLine]) -> Vec<JsonStep<'a>> {
    let places = Places::new(source);
    lines.iter().map(|line| JsonStep { text: &line.text, range: places.range(line.range) }).collect()
}
