//! IceT programs for the commands that work on one: read, checked, or told why not.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::bail;
use lockstep_base::Severity;
use lockstep_icet::analysis::Budget;
use lockstep_icet::check::check_parse;
use lockstep_icet::program::Program;
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::{Checked, Source, is_stdin, language_of};

use crate::args::FileArgs;
use crate::output::Terminal;
use crate::parse::{read, tell};

/// How long the command line searches: longer than an editor would.
pub(crate) fn budget() -> Budget {
    Budget { states: 100_000, steps: 1_000_000, work: 10_000_000, claims: 20_000, cancel: None }
}

/// The program of a file, or `None` if it has errors, which are then told on standard error.
pub(crate) fn load(args: &FileArgs, terminal: Terminal) -> anyhow::Result<Option<(Source, Program)>> {
    let by_name = if is_stdin(&args.file) { None } else { language_of(&args.file) };
    if args.language.map(Language::from).or(by_name) == Some(Language::P) {
        bail!("this command is for IceT programs (.icet), and this is P");
    }
    let (source, _) = read(args)?;
    if let Some(diagnostic) = source.not_utf8.clone() {
        tell(&Checked { source, diagnostics: vec![diagnostic] }, terminal)?;
        return Ok(None);
    }
    let parse = Parse::new(Language::Icet, source.text.clone());
    let checked = check_parse(&parse);
    if let Some(program) = checked.program {
        return Ok(Some((source, program)));
    }
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(checked.diagnostics.into_iter().filter(|finding| finding.severity == Severity::Error));
    tell(&Checked { source, diagnostics }, terminal)?;
    Ok(None)
}

/// Does something that may take long; on a terminal, says so from time to time. Nothing is kept that an interrupt could spoil.
pub(crate) fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let started = Instant::now();
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(Duration::from_secs(3)) == Err(mpsc::RecvTimeoutError::Timeout) {
                // When even that cannot be written, the result still can.
                let _ = writeln!(io::stderr(), "still {what} ({} s); Ctrl-C stops", started.elapsed().as_secs());
            }
        });
        let result = work();
        drop(done);
        result
    })
}
