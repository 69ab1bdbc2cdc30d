//! `lockstep check`: what is wrong in files, folders and projects.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use lockstep_base::Severity;
use lockstep_syntax::Language;
use rayon::prelude::*;

use crate::Outcome;
use crate::args::{CheckArgs, Format};
use crate::guard::guarded;
use crate::human::{Snippets, count};
use crate::inputs::{Failure, discover};
use crate::json::{self, Places};
use crate::output::{Output, Terminal, write_all};
use crate::parse::no_language;
use crate::source::{Checked, STDIN, Source, is_stdin, name};

pub(crate) fn run(args: &CheckArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let (stdin, mut paths): (Vec<PathBuf>, Vec<PathBuf>) = args.paths.iter().cloned().partition(|path| is_stdin(path));
    let stdin = match (stdin.is_empty(), args.language) {
        (true, None) => None,
        (true, Some(_)) => bail!("--language is about standard input: add the path `-`"),
        (false, None) => return Err(no_language()),
        (false, Some(language)) => Some(language.into()),
    };
    if stdin.is_none() && paths.is_empty() {
        paths.push(".".into());
    }
    let report = check(stdin, &paths);
    match if args.json { Format::Json } else { args.format } {
        Format::Human => {
            let tell = |failure: &Failure| terminal.error(&failure.message);
            write_all(terminal.stdout(), |output| write_human(output, &report, args.quiet))?;
            report.failures.iter().for_each(tell);
        }
        Format::Json => write_all(terminal.stdout(), |output| write_json(output, &report))?,
    }
    Ok(report.outcome())
}

struct Report {
    /// How many files were looked at; project files do not count.
    files: usize,
    /// Those with findings, by name.
    found: Vec<Checked>,
    failures: Vec<Failure>,
}

/// `stdin` is the language of standard input, if that is to be checked.
fn check(stdin: Option<Language>, paths: &[PathBuf]) -> Report {
    let inputs = discover(paths);
    let mut found = inputs.projects;
    let mut failures = inputs.failures;
    let mut files = 0;
    // In the order of the files, whichever thread is done first.
    let results: Vec<Result<Option<Checked>, Failure>> =
        inputs.files.par_iter().map(|(path, language)| check_text(&name(path), *language, || Source::read(path))).collect();
    let stdin = stdin.map(|language| check_text(STDIN, language, Source::read_stdin));
    for result in stdin.into_iter().chain(results) {
        match result {
            Ok(checked) => {
                files += 1;
                found.extend(checked);
            }
            Err(failure) => failures.push(failure),
        }
    }
    found.retain(|checked| !checked.diagnostics.is_empty());
    found.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    Report { files, found, failures }
}

/// The text with its findings, if it has some: the others need no memory.
fn check_text(name: &str, language: Language, read: impl FnOnce() -> anyhow::Result<Source>) -> Result<Option<Checked>, Failure> {
    match guarded(|| read().map(|source| source.check(language))) {
        Ok(Ok(checked)) => Ok((!checked.diagnostics.is_empty()).then_some(checked)),
        Ok(Err(error)) => Err(Failure { path: name.to_owned(), message: format!("{error:#}") }),
        Err(panic) => Err(Failure { path: name.to_owned(), message: format!("cannot check `{name}`: {panic}") }),
    }
}

impl Report {
    fn outcome(&self) -> Outcome {
        if !self.failures.is_empty() {
            Outcome::Failed
        } else if self.found.is_empty() {
            Outcome::Clean
        } else {
            Outcome::Findings
        }
    }

    fn found_of(&self, severity: Severity) -> usize {
        self.found.iter().flat_map(|checked| &checked.diagnostics).filter(|diagnostic| diagnostic.severity == severity).count()
    }

    fn summary(&self) -> String {
        let found: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "remark")]
            .into_iter()
            .map(|(severity, noun)| (self.found_of(severity), noun))
            .filter(|(number, _)| *number > 0)
            .map(|(number, noun)| count(number, noun))
            .collect();
        let mut summary = format!("checked {}", count(self.files, "file"));
        match (self.files, found.is_empty()) {
            (0, true) => {}
            (_, true) => summary += ": no syntax errors",
            (_, false) => summary += &format!(": {} in {}", found.join(" and "), count(self.found.len(), "file")),
        }
        match self.failures.len() {
            0 => summary,
            failures => format!("{summary}; {} could not be checked", count(failures, "path")),
        }
    }
}

fn write_human(output: &mut Output, report: &Report, quiet: bool) -> io::Result<()> {
    for checked in &report.found {
        let snippets = Snippets::new(&checked.source, output.is_styled());
        for diagnostic in &checked.diagnostics {
            writeln!(output, "{}\n", snippets.render(diagnostic))?;
        }
    }
    if !quiet {
        writeln!(output, "{}", report.summary())?;
    }
    Ok(())
}

fn write_json(output: &mut Output, report: &Report) -> io::Result<()> {
    let mut diagnostics = Vec::new();
    for checked in &report.found {
        let places = Places::new(&checked.source);
        diagnostics.extend(checked.diagnostics.iter().map(|diagnostic| json::finding(&checked.source, &places, diagnostic)));
    }
    let json = json::Report { version: json::VERSION, files: report.files, diagnostics, failures: &report.failures };
    serde_json::to_writer(&mut *output, &json)?;
    writeln!(output)
}
