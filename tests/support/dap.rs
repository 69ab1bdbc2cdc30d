//! A client of the debugger: speaks the Debug Adapter Protocol over its standard streams.
//!
//! One thread reads what the debugger says. The deadline only keeps one that says nothing from hanging a test; no test is about time.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) struct DapClient {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    seq: i64,
    /// Events that nobody has waited for yet.
    pub(crate) events: Vec<Value>,
}

impl DapClient {
    /// Starts the debugger in a folder.
    pub(crate) fn start(program: &Path, folder: &Path) -> Self {
        let mut child = Command::new(program)
            .arg("dap")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the debugger starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("it has an output");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, messages, seq: 0, events: Vec::new() }
    }

    /// Bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the debugger reads");
    }

    /// Sends a request and gives the body of its answer, or why there is none.
    pub(crate) fn request(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.seq += 1;
        let message = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments }).to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{message}", message.len()).as_bytes());
        loop {
            let message = self.next();
            match message["type"].as_str() {
                Some("response") => {
                    assert_eq!((&message["request_seq"], &message["command"]), (&json!(self.seq), &json!(command)));
                    let is_fine = message["success"] == json!(true);
                    return if is_fine { Ok(message["body"].clone()) } else { Err(text(&message["message"])) };
                }
                _ => self.events.push(message),
            }
        }
    }

    /// A request that works.
    pub(crate) fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.request(command, arguments).unwrap_or_else(|why| panic!("{command}: {why}"))
    }

    /// The body of the next event of this name.
    pub(crate) fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(position) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(position)["body"].clone();
            }
            let message = self.next();
            assert_eq!(message["type"], "event", "an answer nobody asked for: {message}");
            self.events.push(message);
        }
    }

    /// A request after which the debugger stands somewhere.
    pub(crate) fn go(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments);
        self.event("stopped")
    }

    fn next(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("the debugger says something")
    }

    /// Closes the input, and gives how the debugger ends.
    pub(crate) fn close(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.child.wait().expect("it ends")
    }
}

fn read(stdout: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").and_then(|length| length.parse().ok()),
        }
    }
    let mut body = vec![0; length?];
    Read::read_exact(stdout, &mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
