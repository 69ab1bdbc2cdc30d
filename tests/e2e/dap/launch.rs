//! What a trace can be launched with, and what is said if it cannot.

use std::fs;

use expect_test::expect;
use serde_json::{Value, json};

use crate::{Sandbox, TRACE};

/// The sentence, with the sandbox left out.
fn refused(sandbox: &Sandbox, trace: &str, project: Option<&str>) -> String {
    let mut client = sandbox.client();
    let mut arguments = json!({ "trace": sandbox.path(trace) });
    if let Some(project) = project {
        arguments["project"] = json!(sandbox.path(project));
    }
    let why = client.request("launch", arguments).expect_err("it cannot be launched");
    // The client can try again.
    assert_eq!(client.request("threads", json!({})).unwrap_err(), "no trace has been launched");
    why.replace(&sandbox.path(""), "")
}

#[test]
fn what_cannot_be_launched_is_told_with_what_to_do() {
    let sandbox = Sandbox::lease();
    expect!["there is no file `nothing.json`"].assert_eq(&refused(&sandbox, "nothing.json", None));
    fs::write(sandbox.path("broken.json"), "{\"format\": ").unwrap();
    expect!["cannot read `broken.json`: it is not JSON: EOF while parsing a value at line 1 column 11"].assert_eq(&refused(
        &sandbox,
        "broken.json",
        None,
    ));
    fs::write(sandbox.path("other.json"), "{}").unwrap();
    expect![[r#"cannot read `other.json`: it is no trace: the field `format` should be "lockstep-trace""#]].assert_eq(&refused(
        &sandbox,
        "other.json",
        None,
    ));
    expect!["the program of the trace is not at `elsewhere.pproj`: say where it is with `project` when launching the debugger"]
        .assert_eq(&refused(&sandbox, TRACE, Some("elsewhere.pproj")));
    let mut client = sandbox.client();
    assert!(client.request("launch", json!({})).unwrap_err().contains("missing field `trace`"));
    assert!(client.request("attach", json!({})).is_err());

    sandbox.change("PSrc/Store.p", "write.lease.epoch > 0", "write.lease.epoch > 1");
    expect![
        "the program has changed since the trace was made: `lockstep run lease.pproj tcCrashingClients` looks for the bug again"
    ]
    .assert_eq(&refused(&sandbox, TRACE, None));
    expect![
        "the program has changed since the trace was made: `lockstep run lease.pproj tcCrashingClients` looks for the bug again"
    ]
    .assert_eq(&refused(&sandbox, TRACE, Some("lease.pproj")));
    sandbox.change("PSrc/Store.p", "write.lease.epoch > 1", "write.lease.epoch > nothing");
    expect!["the program of the trace has 1 error now: `lockstep check` shows them"].assert_eq(&refused(&sandbox, TRACE, None));
    fs::remove_file(sandbox.path("lease.pproj")).unwrap();
    expect!["the program of the trace is not at `lease.pproj`: say where it is with `project` when launching the debugger"]
        .assert_eq(&refused(&sandbox, TRACE, None));
}

#[test]
fn a_trace_that_was_moved_is_launched_with_its_project() {
    let sandbox = Sandbox::lease();
    let elsewhere = sandbox.folder.path().join("moved.json");
    fs::rename(sandbox.path(TRACE), &elsewhere).unwrap();
    // Comments are no change of the program.
    sandbox.change("PSrc/Store.p", "machine Store", "// The only one.\nmachine Store");
    let mut client = sandbox.client();
    client.ask("launch", json!({ "trace": elsewhere, "project": sandbox.path("lease.pproj") }));
    client.event("initialized");
    assert_eq!(client.go("configurationDone", json!({}))["reason"], "exception");
}

/// The debugger goes through the short run, and through all of it if asked.
#[test]
fn all_of_a_run_is_gone_through_if_asked() {
    let sandbox = Sandbox::lease();
    let file: Value = serde_json::from_str(&fs::read_to_string(sandbox.path(TRACE)).unwrap()).unwrap();
    let moments = |run: &Value| run["story"]["moments"].as_array().unwrap().len();
    for (all, expected) in [(false, moments(&file)), (true, moments(&file["original"]))] {
        let mut client = sandbox.client();
        client.request("launch", json!({ "trace": sandbox.path(TRACE), "stopOnEntry": true, "all": all })).unwrap();
        assert_eq!(client.ask("lockstep/steps", json!({}))["steps"].as_array().unwrap().len(), expected);
    }
    // A file of an older Lockstep has the short run only.
    let mut old = file.clone();
    old.as_object_mut().unwrap().remove("original");
    fs::write(sandbox.path("old.json"), old.to_string()).unwrap();
    let mut client = sandbox.client();
    let why = client.request("launch", json!({ "trace": sandbox.path("old.json"), "all": true })).unwrap_err();
    assert!(why.contains("the others were not kept"), "{why}");
}
