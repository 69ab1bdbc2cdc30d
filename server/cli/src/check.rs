//! `lockstep check`: what is wrong in files, folders and projects.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep_base::Severity;
use lockstep_program::{Database, Settings};
use lockstep_syntax::Language;
use lockstep_workspace::{Layout, STDIN, Workspace, is_stdin, read_all, read_disk, why_unreadable};

use crate::args::{CheckArgs, Deny, Format};
use crate::human::Snippets;
use crate::output::{Output, Terminal, write_all};
use crate::parse::no_language;
use crate::report::{Report, Which};
use crate::{Outcome, codes, explain, fix, github, icet, json, sarif};

pub(crate) fn run(args: &CheckArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let format = if args.json { Format::Json } else { args.format };
    if args.explain && !matches!(format, Format::Human) {
        bail!("--explain is for people: it goes with --format human only");
    }
    let allowed = args.allow.iter().map(|code| codes::allowed(code).map(str::to_owned)).collect::<anyhow::Result<_>>()?;
    let settings = Settings { allowed };
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
    let mut db = Database::default();
    let mut workspace = load(&mut db, stdin, &paths)?;
    if args.fix {
        if stdin.is_some() || !matches!(format, Format::Human) {
            bail!("--fix changes files and tells people about it: it goes with neither `-` nor --format");
        }
        let made = fix::make(&mut workspace, &mut db, &settings);
        fix::finish(&made, &workspace, args.diff, terminal)?;
        if args.diff {
            made.undo(&mut workspace, &mut db);
        }
    }
    let report = Report::new(&workspace, &db, &settings, Which::All);
    match format {
        Format::Human => {
            write_all(terminal.stdout(), |output| write_human(output, &report, args))?;
            report.failures.iter().for_each(|failure| terminal.error(&failure.message));
            write_all(terminal.stdout(), |output| write_summary(output, &report, args))?;
        }
        Format::Json => write_all(terminal.stdout(), |output| json::write(output, &report))?,
        Format::Sarif => write_all(terminal.stdout(), |output| sarif::write(output, &report))?,
        Format::Github => write_all(terminal.stdout(), |output| {
            github::write(output, &report)?;
            write_summary(output, &report, args)
        })?,
    }
    Ok(outcome(&report, args.deny))
}

/// Everything that the paths lead to, in the database. `stdin` is the language of standard input, if that is to be checked.
pub(crate) fn load(db: &mut Database, stdin: Option<Language>, paths: &[PathBuf]) -> anyhow::Result<Workspace> {
    let mut layout = Layout::of(paths, &read_disk);
    let mut typed = Vec::new();
    if let Some(language) = stdin {
        typed = read_all(io::stdin().lock(), 0).map_err(|error| anyhow!(why_unreadable(STDIN, &error)))?;
        layout.add_text(STDIN, language);
    }
    let read = |path: &Path| if path == Path::new(STDIN) { Ok(typed.clone()) } else { read_disk(path) };
    let mut workspace = Workspace::default();
    workspace.update(db, layout, &read);
    Ok(workspace)
}

/// What a command could not do at all outweighs what it found.
fn outcome(report: &Report, deny: Option<Deny>) -> Outcome {
    let is_denied = deny == Some(Deny::Warnings) && report.found_of(Severity::Warning) > 0;
    if !report.failures.is_empty() {
        Outcome::Failed
    } else if is_denied || report.found_of(Severity::Error) > 0 {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}

fn write_human(output: &mut Output, report: &Report, args: &CheckArgs) -> io::Result<()> {
    for checked in &report.found {
        let snippets = Snippets::new(&checked.source, &report.sources, output.is_styled());
        for diagnostic in &checked.diagnostics {
            writeln!(output, "{}\n", snippets.render(diagnostic))?;
        }
    }
    if args.explain {
        let mut met: Vec<&str> = report.diagnostics().map(|(_, diagnostic)| diagnostic.code).collect();
        met.sort_unstable();
        met.dedup();
        for code in met {
            explain::write(output, code)?;
            writeln!(output)?;
        }
    }
    Ok(())
}

fn write_summary(output: &mut Output, report: &Report, args: &CheckArgs) -> io::Result<()> {
    if !args.quiet {
        for analysed in &report.icet {
            writeln!(output, "{}: {}: {}", analysed.source.name, analysed.verdict.word(), analysed.summary)?;
            if let Some(bug) = &analysed.bug
                && let Some(command) = icet::command(&analysed.source.name, bug)
            {
                writeln!(output, "  see it: `{command}`")?;
            }
        }
        writeln!(output, "{}", report.summary())?;
    }
    Ok(())
}
