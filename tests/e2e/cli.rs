//! The command line as a user meets it: the built binary, files in a folder, what it prints and how it ends.

#[path = "cli/begin.rs"]
mod begin;
#[path = "cli/cache.rs"]
mod cache;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/diagram.rs"]
mod diagram;
#[path = "cli/explain.rs"]
mod explain;
#[path = "cli/fix.rs"]
mod fix;
#[path = "cli/fmt.rs"]
mod fmt;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/help.rs"]
mod help;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/icet.rs"]
mod icet;
#[path = "cli/long.rs"]
mod long;
#[path = "cli/parse.rs"]
mod parse;
#[path = "cli/projects.rs"]
mod projects;
#[path = "cli/run.rs"]
mod run;
#[path = "cli/schema.rs"]
mod schema;
#[path = "cli/traces.rs"]
mod traces;

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use expect_test::Expect;
use tempfile::TempDir;

/// A folder of its own for each test; commands run in it. It is called `sandbox`, because folders give projects their names.
struct Sandbox {
    folder: TempDir,
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Sandbox {
    /// From a text with `//- path` before each file.
    fn new(fixture: &str) -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(sandbox.path()).unwrap();
        for file in fixture.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap_or((file, ""));
            sandbox.write(path.trim(), text);
        }
        sandbox
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("sandbox")
    }

    fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
        command.args(args).current_dir(self.path());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        finish(self.command(args))
    }

    /// The same in a folder of it.
    fn run_in(&self, folder: &str, args: &[&str]) -> Run {
        let mut command = self.command(args);
        command.current_dir(self.path().join(folder));
        finish(command)
    }

    fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // Written beside reading, or both sides could wait for each other.
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        output.into()
    }

    /// Runs `lockstep` with the words of `command` and compares everything it says.
    fn check(&self, command: &str, expected: Expect) {
        let args: Vec<&str> = command.split_whitespace().collect();
        expected.assert_eq(&self.run(&args).shown());
    }
}

fn finish(mut command: Command) -> Run {
    command.output().unwrap().into()
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    fn shown(&self) -> String {
        let mut shown = self.stdout.clone();
        if !self.stderr.is_empty() {
            shown += &format!("--- stderr\n{}", self.stderr);
        }
        let code = self.code.map_or("none: it crashed".to_owned(), |code| code.to_string());
        shown + &format!("--- exit code {code}\n")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}
