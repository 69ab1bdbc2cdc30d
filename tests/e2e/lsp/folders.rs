//! Folders that come and go, and several at once.

use serde_json::json;

use crate::lsp::{Finding, LspClient, file_uri};
use crate::{Sandbox, assert_alive, codes};

const WRONG: &str = "fun f() { raise eNone; }\n";

fn folder(sandbox: &Sandbox, name: &str) -> serde_json::Value {
    json!({ "uri": sandbox.uri(name), "name": name })
}

fn change(client: &mut LspClient, added: serde_json::Value, removed: serde_json::Value) {
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": added, "removed": removed } }));
}

#[test]
fn several_folders_are_several_projects() {
    let sandbox = Sandbox::new(&format!("//- one/A.p\nevent eNone;\n{WRONG}//- two/A.p\n{WRONG}"));
    let mut hello = sandbox.hello();
    hello["workspaceFolders"] = json!([folder(&sandbox, "one"), folder(&sandbox, "two")]);
    let mut client = sandbox.session_with(hello);
    assert_eq!(client.findings(&sandbox.uri("one/A.p")), None);
    assert_eq!(codes(client.findings(&sandbox.uri("two/A.p")).unwrap()), ["LS0110"]);
    assert_eq!(client.statuses.last().unwrap()["projects"], 2);
    let found = client.ask("workspace/symbol", json!({ "query": "f" }));
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
}

#[test]
fn folders_come_and_go() {
    let sandbox = Sandbox::new(&format!("//- one/A.p\nevent e;\n//- two/A.p\n{WRONG}//- three/B.p\n{WRONG}"));
    let mut hello = sandbox.hello();
    hello["workspaceFolders"] = json!([folder(&sandbox, "one")]);
    let mut client = sandbox.session_with(hello);
    let (two, three) = (sandbox.uri("two/A.p"), sandbox.uri("three/B.p"));
    assert_eq!(client.findings(&two), None);
    change(&mut client, json!([folder(&sandbox, "two"), folder(&sandbox, "three")]), json!([]));
    client.wait_for_findings(&two, |found| codes(found) == ["LS0110"]);
    client.wait_for_findings(&three, |found| codes(found) == ["LS0110"]);
    change(&mut client, json!([]), json!([folder(&sandbox, "two")]));
    client.wait_for_findings(&two, <[Finding]>::is_empty);
    assert_eq!(codes(client.findings(&three).unwrap()), ["LS0110"]);
    change(&mut client, json!([]), json!([folder(&sandbox, "one"), folder(&sandbox, "three")]));
    client.wait_for_findings(&three, <[Finding]>::is_empty);
    assert_alive(&mut client);
}

/// A document stays what it is when its folder goes.
#[test]
fn an_open_document_outlives_its_folder() {
    let sandbox = Sandbox::new(&format!("//- one/A.p\n{WRONG}//- one/B.p\nevent eOther;\n"));
    let mut hello = sandbox.hello();
    hello["workspaceFolders"] = json!([folder(&sandbox, "one")]);
    let mut client = sandbox.session_with(hello);
    let uri = sandbox.uri("one/A.p");
    sandbox.open(&mut client, "one/A.p");
    change(&mut client, json!([]), json!([folder(&sandbox, "one")]));
    client.change(&uri, 2, &[(None, "fun f() { raise eNone; raise eNone2; }\n")]);
    client.wait_for_findings(&uri, |found| codes(found) == ["LS0110", "LS0110"]);
    client.close(&uri);
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
}

#[test]
fn a_folder_inside_of_another_counts_once() {
    let sandbox = Sandbox::new(&format!("//- one/deep/A.p\n{WRONG}"));
    let mut hello = sandbox.hello();
    hello["workspaceFolders"] = json!([folder(&sandbox, "one"), folder(&sandbox, "one/deep"), folder(&sandbox, "one")]);
    let mut client = sandbox.session_with(hello);
    let uri = sandbox.uri("one/deep/A.p");
    assert_eq!(codes(client.findings(&uri).unwrap()), ["LS0110"]);
    change(&mut client, json!([]), json!([folder(&sandbox, "one/deep")]));
    client.wait_until_checked();
    assert_eq!(codes(client.findings(&uri).unwrap()), ["LS0110"], "the outer folder is still there");
}

#[test]
fn a_folder_with_an_odd_name() {
    let sandbox = Sandbox::new(&format!("//- a b%20ü#😀/A.p\n{WRONG}"));
    let client = sandbox.session();
    let found = client.published.iter().find(|(_, published)| !published.findings.is_empty());
    let uri = found.map(|(uri, _)| uri.clone()).unwrap();
    let mut client = client;
    // The client's way of writing the address is kept.
    client.open(&sandbox.uri("a b%20ü#😀/A.p"), "p", 1, "event eNone;\n");
    client.wait_for_findings(&sandbox.uri("a b%20ü#😀/A.p"), <[Finding]>::is_empty);
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
}

#[test]
fn a_folder_that_is_deleted_and_comes_back() {
    let sandbox = Sandbox::new(&format!("//- one/A.p\n{WRONG}//- two/B.p\n{WRONG}"));
    let mut hello = sandbox.hello();
    hello["workspaceFolders"] = json!([folder(&sandbox, "one"), folder(&sandbox, "two"), folder(&sandbox, "never")]);
    let mut client = sandbox.session_with(hello);
    let (one, two) = (sandbox.uri("one/A.p"), sandbox.uri("two/B.p"));
    std::fs::remove_dir_all(sandbox.path("one")).unwrap();
    let deleted = json!({ "uri": file_uri(&sandbox.path("one")), "type": 3 });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [deleted] }));
    client.wait_for_findings(&one, <[Finding]>::is_empty);
    assert_eq!(codes(client.findings(&two).unwrap()), ["LS0110"]);
    assert_alive(&mut client);
    sandbox.write("one/A.p", WRONG);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": one, "type": 1 }] }));
    client.wait_for_findings(&one, |found| codes(found) == ["LS0110"]);
}
