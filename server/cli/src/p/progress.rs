//! While something takes long: a line on a terminal that is written again and again, and Ctrl-C that ends it with what there is so far.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use lockstep_judge::grouped;

/// Whether Ctrl-C was pressed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How a program that Ctrl-C ends says so.
const ENDED_BY_INTERRUPT: i32 = 130;

/// A Ctrl-C that comes so soon after the first is the same: `timeout` and some shells send it to the program and to its group.
const SAME: Duration = Duration::from_secs(1);

/// How often the line is written.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) struct Progress {
    started: Instant,
    shown: Option<Instant>,
    is_terminal: bool,
    /// Whether somebody wants to be told.
    is_shown: bool,
}

impl Progress {
    /// From now on the first Ctrl-C is only noted; another one, a little later, ends the program.
    /// `is_asked_for` is whether progress is told also where there is no terminal, in lines then.
    pub(crate) fn start(is_asked_for: bool) -> Self {
        // If somebody has set one already, theirs does the same.
        let mut first = None;
        let _ = ctrlc::set_handler(move || {
            INTERRUPTED.store(true, Ordering::SeqCst);
            if first.get_or_insert_with(Instant::now).elapsed() > SAME {
                std::process::exit(ENDED_BY_INTERRUPT);
            }
        });
        let is_terminal = io::stderr().is_terminal();
        Self { started: Instant::now(), shown: None, is_terminal, is_shown: is_terminal || is_asked_for }
    }

    /// Set as soon as Ctrl-C is pressed.
    pub(crate) fn interrupted() -> &'static AtomicBool {
        &INTERRUPTED
    }

    pub(crate) fn is_interrupted() -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }

    /// Shows a line, now and then. `done` is what the rate is of.
    pub(crate) fn show(&mut self, done: u64, line: impl FnOnce(&str) -> String) {
        if !self.is_shown || self.shown.unwrap_or(self.started).elapsed() < PAUSE {
            return;
        }
        self.shown = Some(Instant::now());
        let passed = self.started.elapsed().as_secs_f64().max(0.001);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let rate = grouped((done as f64 / passed) as u64);
        let line = line(&rate);
        let line = if self.is_terminal { format!("\r{line}\x1b[K") } else { format!("{line}\n") };
        // When even that cannot be written, the result still can.
        let _ = io::stderr().write_all(line.as_bytes()).and_then(|()| io::stderr().flush());
    }
}

impl Drop for Progress {
    /// Takes the line away.
    fn drop(&mut self) {
        if self.is_terminal && self.shown.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K").and_then(|()| io::stderr().flush());
        }
    }
}
