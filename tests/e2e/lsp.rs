//! The language server as an editor meets it: the built binary, spoken to over its standard streams.

// The benchmarks share it.
#[allow(dead_code)]
#[path = "../support/lsp.rs"]
mod lsp;
#[path = "../support/lsp_text.rs"]
mod lsp_text;
#[allow(unreachable_pub)]
#[path = "../support/random.rs"]
mod random;

#[path = "lsp/actions.rs"]
mod actions;
#[path = "lsp/calls.rs"]
mod calls;
#[path = "lsp/commands.rs"]
mod commands;
#[path = "lsp/crash.rs"]
mod crash;
#[path = "lsp/diagram.rs"]
mod diagram;
#[path = "lsp/disk.rs"]
mod disk;
#[path = "lsp/documents.rs"]
mod documents;
#[path = "lsp/folders.rs"]
mod folders;
#[path = "lsp/format.rs"]
mod format;
#[path = "lsp/hints.rs"]
mod hints;
#[path = "lsp/hostile.rs"]
mod hostile;
#[path = "lsp/icet.rs"]
mod icet;
#[path = "lsp/lifecycle.rs"]
mod lifecycle;
#[path = "lsp/methods.rs"]
mod methods;
#[path = "lsp/opening.rs"]
mod opening;
#[path = "lsp/order.rs"]
mod order;
#[path = "lsp/positions.rs"]
mod positions;
#[path = "lsp/project_files.rs"]
mod project_files;
#[path = "lsp/runs.rs"]
mod runs;
#[path = "lsp/runs_hostile.rs"]
mod runs_hostile;
#[path = "lsp/runs_saved.rs"]
mod runs_saved;
#[path = "lsp/session.rs"]
mod session;
#[path = "lsp/settings.rs"]
mod settings;
#[path = "lsp/verdicts.rs"]
mod verdicts;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::lsp::{Finding, LspClient, Position, file_uri};
use crate::lsp_text::{Units, range_of};

/// Folders of its own for each test: one to work in, one for what the server leaves behind.
struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// From a text with `//- path` before each file.
    fn new(fixture: &str) -> Self {
        let sandbox = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(sandbox.root()).unwrap();
        for file in fixture.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap_or((file, ""));
            sandbox.write(path.trim(), text);
        }
        sandbox
    }

    /// The sample project.
    fn lease() -> Self {
        let sandbox = Self::new("");
        copy(&programs().join("p/lease"), &sandbox.root());
        sandbox
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap().join("work")
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn uri(&self, name: &str) -> String {
        file_uri(&self.path(name))
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A server that knows nothing yet.
    fn start(&self) -> LspClient {
        LspClient::start(Path::new(env!("CARGO_BIN_EXE_lockstep")), &self.state())
    }

    /// What an editor says first that has this folder open, watches files and has commands of its own.
    fn hello(&self) -> Value {
        json!({
            "processId": null,
            "workspaceFolders": [{ "uri": file_uri(&self.root()), "name": "work" }],
            "initializationOptions": { "ownCommands": true },
            "capabilities": { "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } },
        })
    }

    /// A server that has checked everything in the folder.
    fn session(&self) -> LspClient {
        self.session_with(self.hello())
    }

    fn session_with(&self, hello: Value) -> LspClient {
        let mut client = self.start();
        client.initialize(hello);
        client.wait_until_checked();
        client
    }

    /// A document opened as it is on disk.
    fn open(&self, client: &mut LspClient, name: &str) -> String {
        let text = self.read(name);
        let language = if name.ends_with(".icet") { "icet" } else { "p" };
        client.open(&self.uri(name), language, 1, &text);
        text
    }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Parameters of a request about a place.
fn at(uri: &str, position: Position) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": position.json() })
}

/// The place where `needle` begins, in the units that clients use if nothing is said.
fn start_of(text: &str, needle: &str) -> Position {
    range_of(text, needle, Units::Utf16).start
}

fn hover_text(answer: &Value) -> &str {
    answer["contents"]["value"].as_str().unwrap_or_default()
}

/// The codes of errors; what is warned of is not what these tests are about.
fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().filter(|finding| finding.severity == 1).map(|finding| finding.code.as_str()).collect()
}

fn messages(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.message.as_str()).collect()
}

/// Whether the server still does its work: it answers about a new document and tells what is wrong in it.
fn assert_alive(client: &mut LspClient) {
    let uri = format!("untitled:alive-{}.p", client.published.len());
    client.open(&uri, "p", 1, "event eAlive: int;\nfun f() { send null as machine, eAlive, tru; }\n");
    let hover = client.ask("textDocument/hover", at(&uri, Position::new(0, 8)));
    assert!(hover_text(&hover).contains("event eAlive: int"), "{hover}");
    let found = client.wait_for_version(&uri, 1);
    assert_eq!(codes(&found), ["LS0110"], "{found:?}");
    client.close(&uri);
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
}
