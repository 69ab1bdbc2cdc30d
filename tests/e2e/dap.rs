//! The debugger as an editor meets it: the built binary, spoken to over its standard streams.

#[path = "../support/dap.rs"]
mod dap;

#[path = "dap/hostile.rs"]
mod hostile;
#[path = "dap/launch.rs"]
mod launch;
#[path = "dap/session.rs"]
mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::dap::{DapClient, text};

const TRACE: &str = "target/lockstep/tcCrashingClients.trace.json";

/// The sample project with a bug, and a trace that shows it.
struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    fn lease() -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap() };
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/p/lease"), &sandbox.root());
        // The store does not look at the age of a lease.
        sandbox.change("PSrc/Store.p", "write.lease.epoch >= newestEpoch", "write.lease.epoch > 0");
        let run = Command::new(env!("CARGO_BIN_EXE_lockstep"))
            .args(["run", "lease.pproj", "tcCrashingClients"])
            .current_dir(sandbox.root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(run.code(), Some(1), "the bug is found");
        sandbox
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("lease project")
    }

    fn path(&self, path: &str) -> String {
        self.root().join(path).to_string_lossy().into_owned()
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(from));
        fs::write(self.path(path), text.replace(from, to)).unwrap();
    }

    /// A client somewhere else on the disk.
    fn client(&self) -> DapClient {
        let mut client = DapClient::start(Path::new(env!("CARGO_BIN_EXE_lockstep")), self.folder.path());
        client.ask("initialize", json!({ "adapterID": "lockstep", "linesStartAt1": true, "columnsStartAt1": true }));
        client
    }

    /// A client that has launched the trace and may place breakpoints.
    fn launched(&self, is_stopped: bool) -> DapClient {
        let mut client = self.client();
        client.ask("launch", json!({ "trace": self.path(TRACE), "stopOnEntry": is_stopped }));
        client.event("initialized");
        client
    }

    /// The number of the line with this text, from 1.
    fn line(&self, path: &str, wanted: &str) -> usize {
        let text = fs::read_to_string(self.path(path)).unwrap();
        1 + text.lines().position(|line| line.contains(wanted)).expect("the text is there")
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The number of a machine by its name.
fn thread(client: &mut DapClient, name: &str) -> i64 {
    let threads = client.ask("threads", json!({}));
    let found = threads["threads"].as_array().unwrap().iter().find(|thread| thread["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is not there: {threads}"))["id"].as_i64().unwrap()
}

/// The functions of a machine: name, file and line of each.
fn stack(client: &mut DapClient, thread: i64) -> Vec<(i64, String)> {
    let stack = client.ask("stackTrace", json!({ "threadId": thread }));
    let frame = |frame: &Value| {
        (frame["id"].as_i64().unwrap(), format!("{} {}:{}", text(&frame["name"]), text(&frame["source"]["name"]), frame["line"]))
    };
    stack["stackFrames"].as_array().unwrap().iter().map(frame).collect()
}

/// The variables of a scope, as lines.
fn scope(client: &mut DapClient, frame: i64, name: &str) -> (i64, Vec<String>) {
    let scopes = client.ask("scopes", json!({ "frameId": frame }));
    let found = scopes["scopes"].as_array().unwrap().iter().find(|scope| scope["name"] == name).unwrap().clone();
    let number = found["variablesReference"].as_i64().unwrap();
    (number, opened(client, number))
}

fn opened(client: &mut DapClient, number: i64) -> Vec<String> {
    let rows = client.ask("variables", json!({ "variablesReference": number }));
    let row = |row: &Value| format!("{} = {}", text(&row["name"]), text(&row["value"]));
    rows["variables"].as_array().unwrap().iter().map(row).collect()
}

fn expect_lines(actual: &[String], expected: &expect_test::Expect) {
    expected.assert_eq(&actual.iter().map(|line| format!("{line}\n")).collect::<String>());
}
