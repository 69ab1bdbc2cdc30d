//! `lockstep trace`: what is in a trace file, shown or made shorter.

use std::io::Write;

use anyhow::bail;
use lockstep_judge::located;
use lockstep_trace::{Original, TraceFile, html, minimize, svg, tell, text};
use lockstep_workspace::name;

use super::args::{MinimizeArgs, PictureArgs, TraceArgs, TraceCommand, ViewArgs};
use super::replay::{read_trace, select_for, staleness};
use super::report;
use super::result::{keep, write_file};
use super::select::Selection;
use crate::args::Format;
use crate::output::{Terminal, write_all};
use crate::{Outcome, sarif};

/// How many steps may be made to make a trace short, when that is all that is wanted.
const MINIMIZING: u64 = 20_000_000;

pub(crate) fn run(args: &TraceArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    match &args.command {
        TraceCommand::View(args) => view(args, terminal),
        TraceCommand::Minimize(args) => shorten(args, terminal),
    }
}

fn view(args: &ViewArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let mut file = read_trace(&args.trace)?;
    if args.all {
        file = as_found(&file, &name(&args.trace))?;
    }
    let shown = picture(&file, &args.picture)?;
    if let Some(stale) = staleness(&file) {
        terminal.note(&stale);
    }
    match &args.out {
        Some(out) => {
            write_file(out, &shown)?;
            terminal.note(&format!("written to `{}`", name(out)));
        }
        None => write_all(terminal.stdout(), |output| output.write_all(shown.as_bytes()))?,
    }
    Ok(Outcome::Clean)
}

/// The run of a trace before it was made short.
pub(super) fn as_found(file: &TraceFile, shown: &str) -> anyhow::Result<TraceFile> {
    let Some(whole) = file.as_found() else {
        let (before, after) = (file.found.decisions, file.trace.decisions.len());
        let seed = file.found.seed.map(|seed| format!(" --seed {seed}")).unwrap_or_default();
        bail!(
            "`{shown}` has {after} of {before} decisions: the others were not kept; `lockstep run --no-minimize{seed}` makes a trace with all of them"
        );
    };
    Ok(whole)
}

fn picture(file: &TraceFile, wanted: &PictureArgs) -> anyhow::Result<String> {
    let title = format!("{}: a run with a bug", file.test);
    if wanted.svg {
        return Ok(svg(&file.story, &title));
    }
    if wanted.html {
        let found = &file.found;
        let seed = found.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
        let about = format!("Found by {}{seed}; program {}.", found.by, &file.fingerprint.chars().take(12).collect::<String>());
        return Ok(html(&file.story, file.original.as_ref().map(|original| &original.story), &title, &about));
    }
    if wanted.sarif {
        return sarif::of_story(&file.story);
    }
    Ok(text(&file.story))
}

fn shorten(args: &MinimizeArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let mut file = read_trace(&args.trace)?;
    let selected = match select_for(&file, &args.project)? {
        Selection::Runnable(selected) => selected,
        Selection::Errors(errors, note) => return report::write_errors(&errors, note.as_deref(), Format::Human, terminal),
    };
    let Some(test) = selected.tests.first() else { bail!("there is no test `{}` any more", file.test) };
    let program = &test.program;
    if !file.is_of(program) {
        terminal
            .error("the program has changed since the trace was made: `lockstep run` finds the bug again, if it is still there");
        return Ok(Outcome::Unknown);
    }
    if file.repeats_from.is_some() {
        bail!("a run that repeats itself for ever is not made shorter: `lockstep explore` has found a short one already");
    }
    let Some(short) = minimize(program, &file.settings, &file.trace, MINIMIZING) else {
        bail!("`{}` is damaged: its program does not do what it says", name(&args.trace));
    };
    let before = file.trace.decisions.len();
    let sources = &selected.report.sources;
    let tell = |trace| tell(program, &file.settings, trace, None, &|place| located(program, &|name| sources.text(name), place)).0;
    let (story, whole) = (tell(&short.trace), tell(&file.trace));
    // What was made short before keeps the run that it was made of.
    let original = file.original.take().or_else(|| Original::kept(&file.trace, whole, &short.trace));
    file = TraceFile { trace: short.trace, story, original, ..file };
    let out = args.out.as_ref().unwrap_or(&args.trace);
    keep(&file, out)?;
    let more = if short.is_complete { "" } else { "; there was more to try, so run this again" };
    let after = file.trace.decisions.len();
    let said = match after < before {
        true => format!("has {after} decisions, and had {before}"),
        false => format!("has {after} decisions and cannot be made shorter by leaving some out"),
    };
    terminal.note(&format!("`{}` {said}{more}", name(out)));
    let PictureArgs { text, svg, html, sarif } = args.picture;
    if text || svg || html || sarif {
        let shown = picture(&file, &args.picture)?;
        write_all(terminal.stdout(), |output| output.write_all(shown.as_bytes()))?;
    }
    Ok(Outcome::Clean)
}
