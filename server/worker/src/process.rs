//! One child, seen from its parent: started in a group of its own, fed by one thread, heard by another, killed with its group.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::job::{Report, Request};

/// How much of what a child says in its last moments is kept.
const LAST_WORDS: usize = 4096;

/// How long to wait for that after its end.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// What is heard of a child.
pub(crate) enum Heard {
    Said(Report),
    /// Its output has ended, and so has it, or will soon.
    Ended,
}

pub(crate) struct Process {
    child: Child,
    /// Dropped, the child's input closes.
    lines: Sender<String>,
    complaints: Arc<Mutex<Vec<u8>>>,
    /// Hears when there will be no more complaints.
    silent: Receiver<()>,
}

impl Process {
    /// Starts a child. `hear` is called on a thread of its own.
    pub(crate) fn start(mut command: Command, first: &Request, hear: impl Fn(Heard) + Send + 'static) -> std::io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (lines, to_write) = std::sync::mpsc::channel::<String>();
        if let Some(mut stdin) = child.stdin.take() {
            std::thread::spawn(move || {
                // A child that does not read has ended or will be ended.
                to_write.into_iter().try_for_each(|line| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()))
            });
        }
        let complaints: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (is_silent, silent) = std::sync::mpsc::channel();
        if let Some(stderr) = child.stderr.take() {
            let complaints = complaints.clone();
            std::thread::spawn(move || {
                keep_last(stderr, &complaints);
                let _ = is_silent.send(());
            });
        }
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines() {
                    let Ok(line) = line else { break };
                    // What is no report was not meant for us.
                    if let Ok(report) = serde_json::from_str(&line) {
                        hear(Heard::Said(report));
                    }
                }
                hear(Heard::Ended);
            });
        }
        let process = Self { child, lines, complaints, silent };
        process.say(first);
        Ok(process)
    }

    pub(crate) fn say(&self, request: &Request) {
        if let Ok(line) = serde_json::to_string(request) {
            let _ = self.lines.send(line + "\n");
        }
    }

    /// Ends the child and all that it has started, and says why it has ended, as far as that can be told.
    pub(crate) fn end(mut self) -> String {
        let before = self.child.try_wait().ok().flatten();
        self.kill();
        let status = self.child.wait().ok();
        // What it said last may still be on its way.
        let _ = self.silent.recv_timeout(LAST_MOMENT);
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        why(before.or(status), &String::from_utf8_lossy(&complaints))
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // It may have gone already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}

fn keep_last(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut piece = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut piece) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&piece[..count]);
        let too_much = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..too_much);
    }
}

fn why(status: Option<ExitStatus>, complaints: &str) -> String {
    if complaints.contains("memory allocation of") || complaints.contains("out of memory") {
        return "there was not enough memory: the process that did this reached its limit".to_owned();
    }
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)) {
        return match signal {
            9 => "the process that did this was killed, perhaps because memory was short".to_owned(),
            signal => format!("the process that did this broke down (signal {signal})"),
        };
    }
    let said = complaints.lines().next_back().unwrap_or_default();
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    format!("the process that did this ended before it was done{said}")
}
