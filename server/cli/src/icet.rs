//! IceT programs for the commands that work on one: read, checked, or told why not.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::bail;
use lockstep_base::Severity;
use lockstep_icet::analysis::{Budget, Bug};
use lockstep_icet::check::check_parse;
use lockstep_icet::program::Program;
use lockstep_syntax::{Language, Parse};
use lockstep_workspace::{Checked, STDIN, Source, is_stdin, language_of};

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
    if args.file.is_dir() {
        bail!("`{}` is a folder: name one .icet file", args.file.display());
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

/// The command that shows a bug, if there is one. Of a race it shows the different ends.
pub(crate) fn command(file: &str, bug: &Bug) -> Option<String> {
    let arguments = bug.arguments.as_deref().filter(|_| file != STDIN)?;
    let is_plain = file.chars().all(|char| char.is_alphanumeric() || "./\\_-+:".contains(char)) && !file.starts_with('-');
    let file = if is_plain { file.to_owned() } else { format!("'{}'", file.replace('\'', r"'\''")) };
    let words = ["lockstep run --all", arguments, &file];
    Some(words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

/// How long nothing is said about something that takes long.
const MOMENT: Duration = Duration::from_secs(1);

/// Does something that may take long; on a terminal, says so while it does, in a line that is gone afterwards. Nothing is kept that an
/// interrupt could spoil.
pub(crate) fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || tell_time(what, &mut io::stderr(), &is_done));
        let result = work();
        drop(done);
        result
    })
}

/// Writes how many seconds have passed, each over the last, until the other side is dropped; then wipes the line.
fn tell_time(what: &str, out: &mut impl Write, is_done: &mpsc::Receiver<()>) {
    let started = Instant::now();
    let mut was_told = false;
    while is_done.recv_timeout(MOMENT) == Err(mpsc::RecvTimeoutError::Timeout) {
        // When even that cannot be written, the result still can.
        let _ = write!(out, "\r{what} ({} s; Ctrl-C stops)\x1b[K", started.elapsed().as_secs());
        let _ = out.flush();
        was_told = true;
    }
    if was_told {
        let _ = write!(out, "\r\x1b[K");
        let _ = out.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_of_what_is_done_at_once() {
        let (done, is_done) = mpsc::channel::<()>();
        drop(done);
        let mut out = Vec::new();
        tell_time("searching", &mut out, &is_done);
        assert_eq!(out, b"");
    }

    #[test]
    fn what_takes_long_is_told_and_wiped() {
        let (done, is_done) = mpsc::channel::<()>();
        let mut out = Notify { out: Vec::new(), done: Some(done) };
        tell_time("searching", &mut out, &is_done);
        let text = String::from_utf8(out.out).unwrap();
        assert!(text.starts_with("\rsearching (1 s; Ctrl-C stops)") && text.ends_with("\r\x1b[K"), "{text:?}");
    }

    /// The work is done as soon as something is told.
    struct Notify {
        out: Vec<u8>,
        done: Option<mpsc::Sender<()>>,
    }

    impl Write for Notify {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.done = None;
            self.out.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
