//! A mistake of ours in one request: the rest goes on, and it is told.

use std::process::Command;

use serde_json::Value;

use crate::{Sandbox, assert_alive};

// Only builds for development have a request that panics.
#[test]
#[cfg(debug_assertions)]
fn a_panic_ends_one_request_only() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    for _ in 0..3 {
        let failure = client.request("lockstep/panic", Value::Null).unwrap_err();
        assert_eq!(failure.code, -32603);
        assert!(failure.message.contains("asked for"), "{failure:?}");
        assert_alive(&mut client);
    }
    let told: Vec<&String> = client.shown.iter().filter(|text| text.contains("asked for")).collect();
    assert_eq!(told.len(), 1, "once is enough: {told:?}");
    let stats = client.ask("lockstep/stats", Value::Null);
    assert_eq!(
        (&stats["methods"]["lockstep/panic"]["failed"], stats["lastPanic"].is_string()),
        (&Value::from(3), true),
        "{stats}"
    );
    assert_eq!(client.shut_down().code(), Some(0));
    let doctor = doctor(&sandbox);
    assert!(doctor.contains("last mistake of Lockstep itself\n  lockstep/panic: "), "{doctor}");
}

#[test]
fn the_doctor_knows_the_last_session() {
    let sandbox = Sandbox::lease();
    assert!(doctor(&sandbox).contains("none is known"));
    let mut client = sandbox.session();
    assert_alive(&mut client);
    assert_eq!(client.shut_down().code(), Some(0));
    let doctor = doctor(&sandbox);
    assert!(doctor.contains("textDocument/hover"), "{doctor}");
    assert!(doctor.contains("no mistake of Lockstep itself is known"), "{doctor}");
}

fn doctor(sandbox: &Sandbox) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let output = command.arg("doctor").current_dir(sandbox.root()).env("XDG_STATE_HOME", sandbox.state()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
