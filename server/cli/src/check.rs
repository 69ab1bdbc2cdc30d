//! `lockstep check`: what is wrong in files, folders and projects.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
use crate::source::{Checked, Source};

pub(crate) fn run(args: &CheckArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let here = [PathBuf::from(".")];
    let report = check(if args.paths.is_empty() { &here } else { &args.paths });
    match args.format {
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

fn check(paths: &[PathBuf]) -> Report {
    let inputs = discover(paths);
    let mut found = inputs.projects;
    let mut failures = inputs.failures;
    let mut files = 0;
    // In the order of the files, whichever thread is done first.
    let results: Vec<Result<Option<Checked>, Failure>> =
        inputs.files.par_iter().map(|(path, language)| check_file(path, *language)).collect();
    for result in results {
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

/// The file with its findings, if it has some: the others need no memory.
fn check_file(path: &Path, language: Language) -> Result<Option<Checked>, Failure> {
    match guarded(|| Source::read(path).map(|source| source.check(language))) {
        Ok(Ok(checked)) => Ok((!checked.diagnostics.is_empty()).then_some(checked)),
        Ok(Err(error)) => Err(Failure::new(path, format!("{error:#}"))),
        Err(panic) => Err(Failure::new(path, format!("cannot check `{}`: {panic}", crate::source::name(path)))),
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

    fn summary(&self) -> String {
        let severities = self.found.iter().flat_map(|checked| &checked.diagnostics).map(|diagnostic| diagnostic.severity);
        let errors = severities.filter(|severity| *severity == Severity::Error).count();
        let mut summary = format!("checked {}", count(self.files, "file"));
        match (self.files, errors) {
            (0, 0) => {}
            (_, 0) => summary += ": no errors",
            _ => summary += &format!(": {} in {}", count(errors, "error"), count(self.found.len(), "file")),
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
