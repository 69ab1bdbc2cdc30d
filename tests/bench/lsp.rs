//! `cargo xtask bench lsp`: how long an editor waits for the language server, measured through the protocol on the built binary.

// Shared with the tests of the server.
#[allow(dead_code)]
#[path = "../support/lsp.rs"]
mod lsp;
#[allow(dead_code)]
#[path = "../support/lsp_text.rs"]
mod lsp_text;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lockstep_tests::{Random, Report, Row, generated_project};
use serde_json::{Value, json};

use crate::lsp::{LspClient, Position, Range, file_uri};
use crate::lsp_text::{Units, position};

/// How often each thing is measured.
const TIMES: usize = 300;
const STARTS: usize = 5;
/// How many documents are open while it is.
const DOCUMENTS: usize = 5;

/// A program of its own whose states come to no end.
const ENDLESS: &str = "event eTick: int;
machine Counter {
    var sums: map[int, int];
    start state Counting {
        entry {
            send this, eTick, 1;
        }
        on eTick do (by: int) {
            sums[by] = choose(9);
            send this, eTick, choose(40);
        }
    }
}
test tcEndless [main=Counter]: { Counter };
";

/// Lines of a project, with what is meant to be reached.
const SIZES: [(usize, Aims); 3] = [
    (1_000, Aims { start: None, keystroke: None, completion: None, memory: None }),
    (10_000, Aims { start: Some(300.0), keystroke: Some(20.0), completion: Some(20.0), memory: None }),
    (100_000, Aims { start: None, keystroke: None, completion: None, memory: Some(200.0) }),
];

/// In milliseconds (95 of 100 stay below) and megabytes.
struct Aims {
    start: Option<f64>,
    keystroke: Option<f64>,
    completion: Option<f64>,
    memory: Option<f64>,
}

fn main() {
    let binary = binary();
    let mut report = Report::new("lsp");
    for (lines, aims) in SIZES {
        let project = Project::written(lines);
        project.measure(&binary, &aims, &mut report);
    }
    report.finish();
}

/// The language server, built with optimisation.
fn binary() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--release", "--package", "lockstep", "--message-format", "json-render-diagnostics"];
    let output = Command::new(cargo)
        .args(build)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("Cargo can be run");
    assert!(output.status.success(), "the server can be built");
    let messages = String::from_utf8_lossy(&output.stdout);
    let executables = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let executable = executables.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?))).next_back();
    executable.expect("Cargo says what it has built")
}

/// A generated project on disk.
struct Project {
    lines: usize,
    folder: tempfile::TempDir,
    files: Vec<(String, String)>,
}

struct Document<'p> {
    uri: String,
    text: &'p str,
    version: i64,
}

impl Project {
    fn written(lines: usize) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a project");
        let files = generated_project(lines);
        let inputs = ["PSrc", "PSpec", "PTst"].map(|folder| format!("<PFile>{folder}</PFile>")).concat();
        let manifest = format!("<Project><ProjectName>Large</ProjectName><InputFiles>{inputs}</InputFiles></Project>\n");
        let manifest = [("Large.pproj".to_owned(), manifest), ("Endless/Endless.p".to_owned(), ENDLESS.to_owned())];
        for (name, text) in files.iter().chain(&manifest) {
            let path = folder.path().join("work").join(name);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder can be made");
            std::fs::write(path, text).expect("a file can be written");
        }
        Self { lines, folder, files }
    }

    fn root(&self) -> PathBuf {
        std::fs::canonicalize(self.folder.path()).expect("the folder is there").join("work")
    }

    fn measure(&self, binary: &Path, aims: &Aims, report: &mut Report) {
        let (mut starts, mut client) = (Vec::new(), None);
        for _ in 0..STARTS {
            let start = Instant::now();
            client = Some(self.started(binary));
            starts.push(start.elapsed());
        }
        let mut client = client.expect("started at least once");
        let mut add = |what: &str, aim: Option<f64>, times: Vec<Duration>| self.add(report, what, aim, times);
        add("start until everything is checked", aims.start, starts);
        let mut random = Random::new(11);
        let mut documents = self.open(&mut client, &mut random);
        add("keystroke to findings", aims.keystroke, keystrokes(&mut client, &mut documents, &mut random));
        self.explore(&mut client);
        let times = keystrokes(&mut client, &mut documents, &mut random);
        let ended = client.ask("lockstep/cancel", json!({}));
        let what = match ended["cancelled"].as_u64() {
            Some(1) => "keystroke to findings while a test is explored",
            _ => "keystroke to findings while a test is explored (which ended before)",
        };
        add(what, aims.keystroke, times);
        client.wait_until_checked();
        add("hover", None, questions(&mut client, &documents, &mut random, "textDocument/hover"));
        add("references", None, questions(&mut client, &documents, &mut random, "textDocument/references"));
        for (what, method) in [
            ("keystroke to completion", "textDocument/completion"),
            ("keystroke to colours", "textDocument/semanticTokens/full"),
            ("keystroke to lenses", "textDocument/codeLens"),
        ] {
            let aim = aims.completion.filter(|_| method.ends_with("completion"));
            add(what, aim, answers(&mut client, &mut documents, &mut random, method));
        }
        if let Some(memory) = resident(client.process_id()) {
            let aim = aims.memory.map_or(String::new(), |aim| format!(" (aim {aim})"));
            report.add(Row::new(format!("{} lines, memory{aim}", self.lines), "MB", memory));
        }
        assert!(client.shut_down().success(), "the server ends well");
    }

    /// A server that has checked the project.
    fn started(&self, binary: &Path) -> LspClient {
        let mut client = LspClient::start(binary, &self.folder.path().join("state"));
        client.initialize(json!({
            "workspaceFolders": [{ "uri": file_uri(&self.root()), "name": "work" }],
            "capabilities": { "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } },
        }));
        client.wait_until_checked();
        let errors = &client.statuses[0]["errors"];
        assert_eq!(errors, 0, "a generated project has no mistakes");
        client
    }

    /// Begins a search that goes on.
    fn explore(&self, client: &mut LspClient) {
        let tests = client.ask("lockstep/tests", json!({}));
        let is_endless = |test: &&Value| test["name"] == "tcEndless";
        let endless = tests["tests"].as_array().and_then(|tests| tests.iter().find(is_endless)).expect("there is such a test");
        client.ask("lockstep/run", json!({ "item": endless["id"], "mode": "explore" }));
        client.wait("a running test", |client| {
            let told = client.others.iter().rev().filter(|(method, _)| method == "lockstep/verdicts");
            told.flat_map(|(_, params)| params["items"].as_array().cloned().unwrap_or_default())
                .any(|item| item["id"] == endless["id"] && item["phase"] == "running")
                .then_some(())
        });
        client.wait_until_checked();
    }

    fn open<'p>(&'p self, client: &mut LspClient, random: &mut Random) -> Vec<Document<'p>> {
        let mut documents = Vec::new();
        while documents.len() < DOCUMENTS {
            let (name, text) = &self.files[random.below(self.files.len())];
            let uri = file_uri(&self.root().join(name));
            if places_in_bodies(text).is_empty() || documents.iter().any(|document: &Document<'_>| document.uri == uri) {
                continue;
            }
            client.open(&uri, "p", 0, text);
            client.wait_for_version(&uri, 0);
            documents.push(Document { uri, text, version: 0 });
        }
        documents
    }

    fn add(&self, report: &mut Report, what: &str, aim: Option<f64>, mut times: Vec<Duration>) {
        times.sort();
        for share in [50, 95, 99] {
            let time = times[(times.len() - 1) * share / 100];
            let aim = aim.filter(|_| share == 95).map_or(String::new(), |aim| format!(" (aim {aim})"));
            report.add(Row::new(format!("{} lines, {what}, p{share}{aim}", self.lines), "ms", time.as_secs_f64() * 1e3));
        }
    }
}

impl Document<'_> {
    fn some_place(&self, random: &mut Random) -> Position {
        let places = places_in_bodies(self.text);
        position(self.text, places[random.below(places.len())], Units::Utf16)
    }

    /// Types a letter into a name, or takes it back; sends the change and returns its version.
    fn type_letter(&mut self, client: &mut LspClient, place: Position) -> i64 {
        self.version += 1;
        client.change(&self.uri, self.version, &[(Some(Range::new(place, place)), "x")]);
        self.version
    }

    fn take_back(&mut self, client: &mut LspClient, place: Position) -> i64 {
        self.version += 1;
        let after = Position::new(place.line, place.character + 1);
        client.change(&self.uri, self.version, &[(Some(Range::new(place, after)), "")]);
        self.version
    }
}

/// From a letter to the findings it causes. A letter that causes none is not counted: there is nothing to wait for.
fn keystrokes(client: &mut LspClient, documents: &mut [Document<'_>], random: &mut Random) -> Vec<Duration> {
    let mut times = Vec::new();
    while times.len() < TIMES {
        let document = &mut documents[random.below(DOCUMENTS)];
        let place = document.some_place(random);
        let statuses = client.statuses.len();
        let start = Instant::now();
        let typed = document.type_letter(client, place);
        let is_told = client.wait("findings or none", |client| {
            let is_told = client.published[&document.uri].version == Some(typed);
            (is_told || client.statuses.len() > statuses).then_some(is_told)
        });
        if !is_told {
            document.take_back(client, place);
            client.wait_until_checked();
            continue;
        }
        times.push(start.elapsed());
        client.wait("the rest", |client| (client.statuses.len() > statuses).then_some(()));
        let start = Instant::now();
        let back = document.take_back(client, place);
        client.wait_for_version(&document.uri, back);
        times.push(start.elapsed());
        client.wait_until_checked();
    }
    times
}

fn questions(client: &mut LspClient, documents: &[Document<'_>], random: &mut Random, method: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let document = &documents[random.below(DOCUMENTS)];
        let params = params(document, document.some_place(random), method);
        let start = Instant::now();
        client.ask(method, params);
        times.push(start.elapsed());
    }
    times
}

/// From a letter to the answer of a request right behind it, as editors ask while one types.
fn answers(client: &mut LspClient, documents: &mut [Document<'_>], random: &mut Random, method: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let document = &mut documents[random.below(DOCUMENTS)];
        let place = document.some_place(random);
        let params = params(document, Position::new(place.line, place.character + 1), method);
        let start = Instant::now();
        document.type_letter(client, place);
        client.ask(method, params);
        times.push(start.elapsed());
        document.take_back(client, place);
    }
    times
}

fn params(document: &Document<'_>, place: Position, method: &str) -> Value {
    let mut params = json!({ "textDocument": { "uri": document.uri }, "position": place.json() });
    if method.ends_with("references") {
        params["context"] = json!({ "includeDeclaration": true });
    }
    params
}

/// Behind letters of indented lines, that is inside of machines and functions.
fn places_in_bodies(text: &str) -> Vec<usize> {
    let lines = text.lines().filter(|line| line.starts_with("            ") && !line.trim_start().starts_with("//"));
    let places = lines.flat_map(|line| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        line.char_indices().filter(|(_, letter)| letter.is_ascii_lowercase()).map(move |(at, _)| start + at + 1)
    });
    places.collect()
}

/// Megabytes of memory that a process occupies, where the system tells.
fn resident(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
