//! Results of tests in each format.

use std::io::{self, Write};

use lockstep_base::verdict::{Scope, Verdict};
use lockstep_base::{Diagnostic, Severity};
use lockstep_explore::Hints;
use lockstep_judge::grouped;
use lockstep_workspace::{Checked, Failure};
use serde::Serialize;

use super::result::TestResult;
use crate::Outcome;
use crate::args::Format;
use crate::human::{Snippets, count};
use crate::json::{Finding, VERSION, finding};
use crate::output::{Output, Terminal, write_all};
use crate::report::{Flow, Report};
use crate::{github, sarif};

/// Writes what is known of tests; `left` are those that were not run because somebody had seen enough.
pub(super) fn write(
    results: Vec<TestResult>,
    mut report: Report,
    left: usize,
    format: Format,
    terminal: Terminal,
) -> anyhow::Result<Outcome> {
    let findings = results.iter().filter_map(|result| result.finding.clone());
    for (path, diagnostic) in findings {
        let Some(source) = report.sources.get(&path).cloned() else { continue };
        report.found.push(Checked { source, diagnostics: vec![diagnostic] });
    }
    let unkept = results.iter().filter_map(|result| result.unkept.as_ref());
    report.failures.extend(unkept.map(|(path, why)| Failure { path: path.clone(), message: why.clone() }));
    report.found.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    report.open = results.iter().filter(|result| is_open(result)).map(verdict).collect();
    if left > 0 {
        report.open.push(format!("interrupted: {} not run", count(left, "test")));
    }
    match format {
        Format::Human => write_all(terminal.stdout(), |output| write_human(output, &results, &report))?,
        Format::Json => write_all(terminal.stdout(), |output| write_json(output, &results, &report))?,
        Format::Sarif => {
            report.flows = results.iter().filter_map(flow).collect();
            write_all(terminal.stdout(), |output| sarif::write(output, &report))?;
        }
        Format::Github => write_all(terminal.stdout(), |output| {
            github::write(output, &report)?;
            results.iter().filter(|result| !is_open(result)).try_for_each(|result| writeln!(output, "{}", verdict(result)))
        })?,
    }
    results.iter().filter_map(|result| result.unkept.as_ref()).for_each(|(_, why)| terminal.error(why));
    if left > 0 {
        terminal.note(&format!("interrupted: {} not run", count(left, "test")));
    }
    Ok(outcome(&results, left))
}

/// Errors come first: nothing was run.
pub(super) fn write_errors(report: &Report, note: Option<&str>, format: Format, terminal: Terminal) -> anyhow::Result<Outcome> {
    match format {
        Format::Human => {
            write_all(terminal.stdout(), |output| write_snippets(output, report))?;
            report.failures.iter().for_each(|failure| terminal.error(&failure.message));
            let errors = report.found_of(Severity::Error);
            if errors > 0 {
                terminal.error(&format!("nothing was run: there {} in the program", is_or_are(errors)));
            }
        }
        Format::Json => write_all(terminal.stdout(), |output| write_json(output, &[], report))?,
        Format::Sarif => write_all(terminal.stdout(), |output| sarif::write(output, report))?,
        Format::Github => write_all(terminal.stdout(), |output| github::write(output, report))?,
    }
    note.iter().for_each(|note| terminal.note(note));
    Ok(if report.failures.is_empty() { Outcome::Findings } else { Outcome::Failed })
}

fn is_or_are(errors: usize) -> String {
    format!("{} {}", if errors == 1 { "is" } else { "are" }, count(errors, "error"))
}

/// A bug outweighs what is not known.
fn outcome(results: &[TestResult], left: usize) -> Outcome {
    let has = |verdict| results.iter().any(|result| result.judged.outcome.verdict == verdict);
    if has(Verdict::Refuted) {
        Outcome::Findings
    } else if left > 0 || results.iter().any(is_open) {
        Outcome::Unknown
    } else {
        Outcome::Clean
    }
}

fn flow(result: &TestResult) -> Option<Flow> {
    let (path, diagnostic) = result.finding.clone()?;
    Some(Flow { path, diagnostic, story: result.story()?.clone() })
}

fn write_snippets(output: &mut Output, report: &Report) -> io::Result<()> {
    for checked in &report.found {
        let snippets = Snippets::new(&checked.source, &report.sources, output.is_styled());
        for diagnostic in &checked.diagnostics {
            writeln!(output, "{}\n", snippets.render(diagnostic))?;
        }
    }
    Ok(())
}

fn write_human(output: &mut Output, results: &[TestResult], report: &Report) -> io::Result<()> {
    write_snippets(output, report)?;
    for result in results {
        writeln!(output, "{}", verdict(result))?;
        if let Some(picked) = &result.judged.picked {
            writeln!(output, "  engine: {picked}")?;
        }
        if let Some(hints) = &result.judged.hints {
            write_hints(output, hints)?;
        }
        let (Some(bug), Some(trace)) = (&result.judged.bug, &result.trace) else { continue };
        let (decisions, before) = (bug.file.trace.decisions.len() as u64, bug.file.found.decisions as u64);
        let shortened = if decisions < before { format!(", made from {}", grouped(before)) } else { String::new() };
        let found = match (bug.file.found.schedule, bug.file.found.seed) {
            (Some(schedule), Some(seed)) => format!("; schedule {}, seed {seed}", grouped(schedule)),
            _ => String::new(),
        };
        let decisions = count(usize::try_from(decisions).unwrap_or(usize::MAX), "decision");
        writeln!(output, "  trace: {trace} ({decisions}{shortened}{found})")?;
        writeln!(output, "  next:  lockstep trace view {trace}")?;
        writeln!(output, "         lockstep trace view --html --out chart.html {trace}")?;
        writeln!(output, "         lockstep replay {trace}    after a change of the program")?;
    }
    Ok(())
}

/// `tcOne: sampled: 1,000 schedules, no bug`.
fn verdict(result: &TestResult) -> String {
    format!("{}: {}: {}", result.judged.test, result.judged.outcome.verdict.word(), result.judged.outcome.why)
}

fn is_open(result: &TestResult) -> bool {
    matches!(result.judged.outcome.verdict, Verdict::Unknown | Verdict::Unsupported)
}

/// Why a search may not have come to an end, under its verdict.
fn write_hints(output: &mut Output, hints: &Hints) -> io::Result<()> {
    let mut label = "grows:";
    for growing in &hints.growing {
        writeln!(output, "  {label:<6} {growing}")?;
        label = "";
    }
    if let Some(widest) = &hints.widest {
        writeln!(output, "  wide:  {widest}")?;
    }
    let next = match (hints.growing.is_empty(), &hints.widest) {
        (false, _) => "if that has no bound, the search has no end: bound it in the test, or make the test smaller",
        (true, Some(_)) => "choose among fewer values, or let the test give them as parameters",
        // A search that has hardly begun says nothing about sizes.
        (true, None) if hints.components < 100 => return Ok(()),
        (true, None) => {
            let parts = grouped(hints.components);
            return writeln!(
                output,
                "  size:  nothing is seen to grow; the states are combinations of {parts} conditions of single machines"
            );
        }
    };
    writeln!(output, "  next:  {next}")
}

#[derive(Serialize)]
struct Whole<'r> {
    version: u32,
    tests: Vec<JsonTest<'r>>,
    diagnostics: Vec<Finding<'r>>,
    failures: &'r [Failure],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonTest<'r> {
    project: &'r str,
    test: &'r str,
    verdict: Verdict,
    scope: Option<Scope>,
    summary: &'r str,
    schedules: u32,
    cut_off: u32,
    steps: u64,
    engine: Option<&'r str>,
    hints: Option<&'r Hints>,
    bug: Option<JsonBug<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonBug<'r> {
    code: &'r str,
    message: &'r str,
    who: &'r str,
    state: &'r str,
    trace: Option<&'r str>,
    decisions: usize,
    found_decisions: usize,
}

fn write_json(output: &mut Output, results: &[TestResult], report: &Report) -> io::Result<()> {
    let tests = results.iter().map(|result| JsonTest {
        project: &result.judged.project,
        test: &result.judged.test,
        verdict: result.judged.outcome.verdict,
        scope: result.judged.outcome.scope,
        summary: &result.judged.outcome.why,
        schedules: result.judged.effort.schedules,
        cut_off: result.judged.effort.cut_off,
        steps: result.judged.effort.steps,
        engine: result.judged.picked.as_deref(),
        hints: result.judged.hints.as_ref(),
        bug: json_bug(result),
    });
    let diagnostics = report.diagnostics();
    let diagnostics = diagnostics.map(|(source, diagnostic): (_, &Diagnostic)| finding(source, &report.sources, diagnostic));
    let whole =
        Whole { version: VERSION, tests: tests.collect(), diagnostics: diagnostics.collect(), failures: &report.failures };
    serde_json::to_writer(&mut *output, &whole)?;
    writeln!(output)
}

fn json_bug(result: &TestResult) -> Option<JsonBug<'_>> {
    let bug = result.judged.bug.as_ref()?;
    let story = bug.file.story.bug.as_ref()?;
    Some(JsonBug {
        code: &story.code,
        message: &story.message,
        who: &story.who,
        state: &story.state,
        trace: result.trace.as_deref(),
        decisions: bug.file.trace.decisions.len(),
        found_decisions: bug.file.found.decisions,
    })
}
