//! How a session begins and ends.

use serde_json::{Value, json};

use crate::lsp::{Position, file_uri};
use crate::{Sandbox, assert_alive, at};

#[test]
fn a_session_from_hello_to_goodbye() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.start();
    let result = client.initialize(sandbox.hello());
    assert_eq!(result["serverInfo"]["name"], "lockstep");
    assert!(result["serverInfo"]["version"].is_string());
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(result["capabilities"]["textDocumentSync"]["change"], 2);
    client.wait_until_checked();
    let status = client.statuses.last().unwrap();
    assert_eq!((&status["state"], &status["projects"], &status["errors"]), (&json!("ready"), &json!(1), &json!(0)));
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn leaving_without_goodbye_is_a_failure() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(1));
    assert_eq!(sandbox.session().hang_up().code(), Some(1), "the input ended without a word");
    assert_eq!(sandbox.start().hang_up().code(), Some(1), "nothing was said at all");
}

#[test]
fn hanging_up_while_everything_is_still_read_ends_the_server() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.start();
    client.initialize(sandbox.hello());
    client.send("workspace/symbol", json!({ "query": "" }));
    assert_eq!(client.hang_up().code(), Some(1));
}

#[test]
fn nothing_works_before_hello_and_after_goodbye() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.start();
    let place = at(&sandbox.uri("PSrc/Client.p"), Position::new(5, 9));
    let early = client.request("textDocument/hover", place.clone()).unwrap_err();
    assert_eq!(early.code, -32002, "{early:?}");
    client.initialize(sandbox.hello());
    client.ask("shutdown", Value::Null);
    let late = client.request("textDocument/hover", place).unwrap_err();
    assert_eq!(late.code, -32600, "{late:?}");
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
}

#[test]
fn a_second_hello_is_refused() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    assert!(client.request("initialize", sandbox.hello()).is_err());
    assert_alive(&mut client);
}

#[test]
fn requests_need_not_wait_until_everything_is_read() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.start();
    client.initialize(sandbox.hello());
    let found = client.ask("workspace/symbol", json!({ "query": "LeaseServer" }));
    assert_eq!(found[0]["name"], "LeaseServer", "{found}");
}

#[test]
fn older_clients_name_one_root_and_newer_ones_may_have_none() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session_with(json!({ "rootUri": file_uri(&sandbox.root()), "capabilities": {} }));
    assert_eq!(client.statuses.last().unwrap()["projects"], 1);
    assert_alive(&mut client);
    let mut client = sandbox.session_with(json!({ "rootUri": null, "capabilities": {} }));
    assert_eq!(client.statuses.last().unwrap()["projects"], 0);
    assert_alive(&mut client);
}

#[test]
fn progress_is_shown_while_projects_are_read() {
    let sandbox = Sandbox::lease();
    let mut hello = sandbox.hello();
    hello["capabilities"]["window"] = json!({ "workDoneProgress": true });
    let mut client = sandbox.session_with(hello);
    client.wait("the end of the progress", |client| {
        let kinds = client.others.iter().filter(|(method, _)| method == "$/progress");
        let kinds: Vec<&str> = kinds.filter_map(|(_, params)| params["value"]["kind"].as_str()).collect();
        (kinds == ["begin", "end"]).then_some(())
    });
}

/// Nothing is locked, and nothing that was left behind is in the way.
#[test]
fn a_killed_server_can_be_started_again() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, "PSrc/Client.p");
    client.change(&sandbox.uri("PSrc/Client.p"), 2, &[(None, &text.replace("lease = granted", "lease = grante"))]);
    let found = client.wait_for_version(&sandbox.uri("PSrc/Client.p"), 2);
    assert_eq!(found.len(), 1, "{found:?}");
    client.kill();
    let mut client = sandbox.session();
    assert!(client.published.values().all(|published| published.findings.is_empty()), "what was not saved is gone");
    assert_alive(&mut client);
    assert_eq!(client.shut_down().code(), Some(0));
}
