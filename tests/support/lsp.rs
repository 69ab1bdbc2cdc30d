//! A client of the language server: speaks the protocol over the server's standard streams.
//!
//! One thread reads what the server says; everything else happens where the client is used. Waiting means reading on until
//! something holds. The deadline only keeps a server that says nothing from hanging a test; no test is about time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) const REQUEST_CANCELLED: i64 = -32800;
pub(crate) const CONTENT_MODIFIED: i64 = -32801;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;

pub(crate) struct LspClient {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i64,
    unanswered: BTreeSet<i64>,
    answers: BTreeMap<i64, Answer>,
    /// What the server is told when it asks for settings.
    pub(crate) settings: Value,
    /// The latest findings of each document.
    pub(crate) published: BTreeMap<String, Published>,
    /// All `lockstep/status` so far.
    pub(crate) statuses: Vec<Value>,
    /// Texts of `window/showMessage`.
    pub(crate) shown: Vec<String>,
    /// Texts of `window/logMessage`.
    pub(crate) logged: Vec<String>,
    /// Requests and other notifications of the server: method and parameters.
    pub(crate) others: Vec<(String, Value)>,
    /// Answers to messages that had no readable id.
    pub(crate) complaints: Vec<Failure>,
}

pub(crate) type Answer = Result<Value, Failure>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    pub(crate) version: Option<i64>,
    pub(crate) findings: Vec<Finding>,
    /// How often findings of this document have been published.
    pub(crate) times: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) code: String,
    pub(crate) severity: i64,
    pub(crate) range: Range,
    pub(crate) message: String,
    pub(crate) related: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

impl Position {
    pub(crate) const fn new(line: u32, character: u32) -> Self {
        Self { line, character }
    }

    pub(crate) fn of(value: &Value) -> Self {
        let number = |name: &str| value[name].as_u64().and_then(|number| u32::try_from(number).ok());
        let (line, character) = (number("line"), number("character"));
        Self { line: line.expect("a position has a line"), character: character.expect("a position has a column") }
    }

    pub(crate) fn json(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }
}

impl Range {
    pub(crate) const fn new(start: Position, end: Position) -> Self {
        Self { start, end }
    }

    pub(crate) fn of(value: &Value) -> Self {
        Self { start: Position::of(&value["start"]), end: Position::of(&value["end"]) }
    }

    pub(crate) fn json(self) -> Value {
        json!({ "start": self.start.json(), "end": self.end.json() })
    }
}

impl Finding {
    pub(crate) fn of(value: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let related = value["relatedInformation"].as_array().into_iter().flatten();
        Self {
            code: text(&value["code"]),
            severity: value["severity"].as_i64().unwrap_or_default(),
            range: Range::of(&value["range"]),
            message: text(&value["message"]),
            related: related
                .map(|related| format!("{}: {}", text(&related["location"]["uri"]), text(&related["message"])))
                .collect(),
        }
    }

    pub(crate) fn all(values: &Value) -> Vec<Self> {
        values.as_array().into_iter().flatten().map(Self::of).collect()
    }
}

impl LspClient {
    /// Starts the server. Notes it leaves for later go below `state`.
    pub(crate) fn start(binary: &Path, state: &Path) -> Self {
        let mut command = Command::new(binary);
        command
            .arg("lsp")
            .env("XDG_STATE_HOME", state)
            .env("LOCKSTEP_CACHE", state.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the server can be started");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is piped");
        let (sender, messages) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            while let Some(message) = read_message(&mut reader) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            stdin,
            messages,
            next_id: 1,
            unanswered: BTreeSet::new(),
            answers: BTreeMap::new(),
            settings: json!({}),
            published: BTreeMap::new(),
            statuses: Vec::new(),
            shown: Vec::new(),
            logged: Vec::new(),
            others: Vec::new(),
            complaints: Vec::new(),
        }
    }

    /// The handshake; returns the server's answer.
    pub(crate) fn initialize(&mut self, params: Value) -> Value {
        let result = self.ask("initialize", params);
        self.notify("initialized", json!({}));
        result
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Sends any bytes, with or without meaning.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server reads");
    }

    pub(crate) fn send_body(&mut self, body: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send_body(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request and returns its number.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.unanswered.insert(id);
        self.send_body(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    pub(crate) fn cancel(&mut self, id: i64) {
        self.notify("$/cancelRequest", json!({ "id": id }));
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Answer {
        self.wait(&format!("the answer to request {id}"), |client| client.answers.remove(&id))
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Answer {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// A request that must succeed.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|failure| panic!("{method} failed: {failure:?}"))
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: &[(Option<Range>, &str)]) {
        let changes: Vec<Value> = changes
            .iter()
            .map(|(range, text)| match range {
                Some(range) => json!({ "range": range.json(), "text": text }),
                None => json!({ "text": text }),
            })
            .collect();
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(crate) fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub(crate) fn findings(&self, uri: &str) -> Option<&[Finding]> {
        self.published.get(uri).map(|published| published.findings.as_slice())
    }

    /// Waits until the published findings of a document are as wanted.
    pub(crate) fn wait_for_findings(&mut self, uri: &str, is_wanted: impl Fn(&[Finding]) -> bool) -> Vec<Finding> {
        let what = format!("the wanted findings of {uri}");
        self.wait(&what, |client| client.findings(uri).filter(|findings| is_wanted(findings)).map(<[Finding]>::to_vec))
    }

    /// Waits for the findings of one version of a document.
    pub(crate) fn wait_for_version(&mut self, uri: &str, version: i64) -> Vec<Finding> {
        self.wait(&format!("the findings of version {version} of {uri}"), |client| {
            let published = client.published.get(uri)?;
            (published.version == Some(version)).then(|| published.findings.clone())
        })
    }

    /// Waits for the next time that everything has been checked.
    pub(crate) fn wait_until_checked(&mut self) {
        let before = self.statuses.len();
        self.wait("`lockstep/status`", |client| (client.statuses.len() > before).then_some(()));
    }

    /// Reads on until `is_there` gives something.
    pub(crate) fn wait<T>(&mut self, what: &str, mut is_there: impl FnMut(&mut Self) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = is_there(self) {
                return found;
            }
            match self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(message) => self.hear(message),
                Err(RecvTimeoutError::Timeout) => panic!("waited in vain for {what}; last heard: {:?}", self.published),
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before {what}: {:?}", self.child.wait()),
            }
        }
    }

    /// Says goodbye when every request has been answered.
    pub(crate) fn shut_down(mut self) -> ExitStatus {
        self.wait("all answers", |client| client.unanswered.is_empty().then_some(()));
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().expect("the server ends")
    }

    /// Ends the input without a word.
    pub(crate) fn hang_up(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.child.wait().expect("the server ends")
    }

    pub(crate) fn wait_for_end(mut self) -> ExitStatus {
        self.child.wait().expect("the server ends")
    }

    /// Ends the server without giving it a chance.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the server can be killed");
        self.child.wait().expect("the server ends");
    }

    fn hear(&mut self, message: Value) {
        let (method, id) = (message["method"].as_str().map(ToOwned::to_owned), message.get("id").cloned());
        match (method, id) {
            (Some(method), Some(id)) => self.obey(&method, &id, message["params"].clone()),
            (Some(method), None) => self.note(&method, message["params"].clone()),
            (None, Some(Value::Null)) => self.complaints.push(failure(&message["error"])),
            (None, id) => {
                let id = id.as_ref().and_then(Value::as_i64).unwrap_or_else(|| panic!("neither request nor answer: {message}"));
                assert!(self.unanswered.remove(&id), "request {id} was answered twice or never sent: {message}");
                let answer = match message.get("error") {
                    Some(error) => Err(failure(error)),
                    None => Ok(message["result"].clone()),
                };
                self.answers.insert(id, answer);
            }
        }
    }

    /// A request of the server.
    fn obey(&mut self, method: &str, id: &Value, params: Value) {
        let result = match method {
            "workspace/configuration" => {
                let items = params["items"].as_array().into_iter().flatten();
                items.map(|item| self.settings[item["section"].as_str().unwrap_or_default()].clone()).collect()
            }
            _ => Value::Null,
        };
        self.others.push((method.to_owned(), params));
        self.send_body(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string());
    }

    /// A notification of the server.
    fn note(&mut self, method: &str, params: Value) {
        let text = |params: &Value| params["message"].as_str().unwrap_or_default().to_owned();
        match method {
            "textDocument/publishDiagnostics" => {
                let uri = params["uri"].as_str().expect("findings are about a document").to_owned();
                let times = self.published.get(&uri).map_or(0, |before| before.times) + 1;
                let findings = Finding::all(&params["diagnostics"]);
                self.published.insert(uri, Published { version: params["version"].as_i64(), findings, times });
            }
            "lockstep/status" => self.statuses.push(params),
            "window/showMessage" => self.shown.push(text(&params)),
            "window/logMessage" => self.logged.push(text(&params)),
            _ => self.others.push((method.to_owned(), params)),
        }
    }
}

impl Drop for LspClient {
    fn drop(&mut self) {
        // Already gone if all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address of a file.
pub(crate) fn file_uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.to_str().expect("paths of tests are UTF-8").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn failure(error: &Value) -> Failure {
    let message = error["message"].as_str().unwrap_or_default().to_owned();
    Failure { code: error["code"].as_i64().expect("an error has a code"), message }
}

/// `None` at the end of the stream.
fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse::<usize>().ok(),
            Some(_) => {}
        }
    }
    let mut body = vec![0; length.expect("the server says how long its messages are")];
    reader.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server speaks JSON"))
}
