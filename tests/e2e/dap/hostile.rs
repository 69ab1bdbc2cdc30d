//! Clients that do not keep to the protocol, and clients that go away.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::Sandbox;

#[test]
fn garbage_between_messages_is_passed_over() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.launched(true);
    client.write(b"\xff\xfe\x00 no header\r\n\r\nContent-Length: 5\r\n\r\n{\"a\":Content-Length: -3\r\n\r\n");
    assert!(client.request("threads", json!({})).is_ok());
    client.event("output");
    client.write(b"Content-Length: 4\r\n\r\nnullContent-Length: 2\r\n\r\n[]");
    assert!(client.request("threads", json!({})).is_ok());
    client.ask("disconnect", json!({}));
    assert_eq!(client.close().code(), Some(0));
}

#[test]
fn requests_with_nonsense_in_them_are_answered() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.launched(true);
    client.go("configurationDone", json!({}));
    let commands = [
        "initialize",
        "launch",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "dataBreakpointInfo",
        "breakpointLocations",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "continue",
        "reverseContinue",
        "gotoTargets",
        "goto",
        "restartFrame",
        "threads",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "exceptionInfo",
        "loadedSources",
        "setVariable",
        "pause",
        "cancel",
        "lockstep/steps",
        "lockstep/goToStep",
        "no such thing",
        "",
    ];
    let source = json!({ "path": sandbox.path("PSrc/Store.p") });
    let arguments = [
        Value::Null,
        json!([]),
        json!("text"),
        json!({}),
        json!({ "threadId": -1, "frameId": -1, "variablesReference": i64::MIN, "targetId": -1, "step": 0, "expression": "", "name": "" }),
        json!({
            "threadId": i64::MAX, "frameId": i64::MAX, "variablesReference": i64::MAX, "targetId": i64::MAX, "step": u64::MAX,
            "expression": "[".repeat(100_000), "name": "x\0y", "source": source, "line": i64::MIN, "breakpoints": [{ "line": i64::MAX }],
        }),
        json!({
            "threadId": 1, "frameId": 1, "variablesReference": 1, "targetId": 0, "step": 1,
            "expression": "a.b[a[a[".to_owned() + &"a[".repeat(1000),
            "name": "lines", "source": source, "line": 3, "endLine": i64::MAX,
            "breakpoints": [{ "line": -5, "name": "é", "dataId": "99:ä" }],
            "start": u64::MAX, "count": u64::MAX, "filters": ["nothing"], "startFrame": u64::MAX, "levels": u64::MAX,
        }),
    ];
    for command in commands {
        for arguments in &arguments {
            // Answered at all, and by no mistake of ours.
            let answer = client.request(command, arguments.clone());
            assert!(!answer.as_ref().is_err_and(|why| why.contains("mistake in Lockstep")), "{command} {arguments}: {answer:?}");
        }
    }
    assert!(client.request("threads", json!({})).is_ok());
}

#[test]
fn a_client_that_goes_away_ends_the_debugger() {
    let sandbox = Sandbox::lease();
    assert_eq!(sandbox.launched(true).close().code(), Some(1), "nobody said goodbye");
    let mut client = sandbox.launched(true);
    client.write(b"Content-Length: 1000\r\n\r\n{");
    assert_eq!(client.close().code(), Some(1));
}

#[test]
fn a_client_that_does_not_listen_any_more_ends_the_debugger() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lockstep"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let body = json!({ "seq": 1, "type": "request", "command": "initialize" }).to_string();
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let stdin = child.stdin.as_mut().unwrap();
    // It may be gone before it has read the rest.
    while stdin.write_all(message.as_bytes()).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), ""));
}
