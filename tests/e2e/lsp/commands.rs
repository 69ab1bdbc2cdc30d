//! Editors that have no commands of their own: what they are offered, and what comes of it.

use serde_json::{Value, json};

use crate::lsp::LspClient;
use crate::runs::{RIGHT, last, wrong};
use crate::{Sandbox, codes, start_of};

/// A session of an editor that knows nothing of Lockstep's own requests.
fn plain(sandbox: &Sandbox) -> (LspClient, Value) {
    let mut hello = sandbox.hello();
    hello.as_object_mut().unwrap().remove("initializationOptions");
    hello["capabilities"]["window"] = json!({ "showDocument": { "support": true } });
    let mut client = sandbox.start();
    let result = client.initialize(hello);
    client.wait_until_checked();
    (client, result["capabilities"].clone())
}

fn execute(client: &mut LspClient, command: &Value) -> Value {
    client.ask("workspace/executeCommand", json!({ "command": command["command"], "arguments": command["arguments"] }))
}

fn lenses(client: &mut LspClient, uri: &str) -> Vec<Value> {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    lenses.as_array().unwrap().iter().map(|lens| lens["command"].clone()).collect()
}

fn lens(client: &mut LspClient, uri: &str, title: &str) -> Value {
    let found = lenses(client, uri).into_iter().find(|lens| lens["title"] == title);
    found.unwrap_or_else(|| panic!("there is no lens `{title}`"))
}

fn opened(client: &mut LspClient) -> String {
    let uri = client.wait("a document to be shown", |client| {
        let shown = client.others.iter().find(|(method, _)| method == "window/showDocument");
        shown.map(|(_, params)| params["uri"].as_str().unwrap().to_owned())
    });
    client.others.retain(|(method, _)| method != "window/showDocument");
    std::fs::read_to_string(uri.strip_prefix("file://").unwrap()).unwrap()
}

fn actions(client: &mut LspClient, uri: &str, context: Value, at: crate::lsp::Position) -> Vec<Value> {
    let range = json!({ "start": at.json(), "end": at.json() });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
    client.ask("textDocument/codeAction", params).as_array().unwrap().clone()
}

#[test]
fn every_lens_of_a_plain_editor_leads_to_a_command_of_the_server() {
    let sandbox = Sandbox::new(&wrong());
    let (mut client, capabilities) = plain(&sandbox);
    let advertised = capabilities["executeCommandProvider"]["commands"].as_array().unwrap().clone();
    let uri = sandbox.uri("App.p");
    let explore = lens(&mut client, &uri, "Explore");
    execute(&mut client, &explore);
    let said = client.wait("a message", |client| client.shown.first().cloned());
    assert_eq!(said, "tcPing: refuted, this assertion does not hold: one pong too many");
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);
    let shown = lenses(&mut client, &uri);
    assert!(shown.iter().any(|lens| lens["title"] == "Show trace"), "{shown:?}");
    for lens in &shown {
        assert!(lens["command"] == "" || advertised.contains(&lens["command"]), "{lens}");
    }
    // The others keep theirs, and none of these is in their way.
    let mut own = sandbox.start();
    assert_eq!(own.initialize(sandbox.hello())["capabilities"]["executeCommandProvider"], Value::Null);
}

#[test]
fn a_test_is_run_by_a_command_and_told_once() {
    let sandbox = Sandbox::new(RIGHT);
    let (mut client, _) = plain(&sandbox);
    let uri = sandbox.uri("App.p");
    let run = lens(&mut client, &uri, "Run");
    execute(&mut client, &run);
    let said = client.wait("a message", |client| client.shown.first().cloned());
    assert!(said.starts_with("tcPing: sampled, 1"), "{said}");
    // By its name, as a person types it.
    execute(&mut client, &json!({ "command": "lockstep.exploreTest", "arguments": ["tcPing"] }));
    let said = client.wait("another message", |client| client.shown.get(1).cloned());
    assert!(said.starts_with("tcPing: exhausted, "), "{said}");
    // Who asks in the other way is told by records alone.
    let item = last(&client, &uri).unwrap()["id"].clone();
    let before = client.others.len();
    client.ask("lockstep/run", json!({ "item": item, "mode": "run" }));
    client.wait("its end", |client| {
        let told: Vec<&Value> =
            client.others[before..].iter().filter(|(method, _)| method == "lockstep/verdicts").map(|(_, told)| told).collect();
        (told.len() > 1 && told.last().is_some_and(|told| told["items"][0]["phase"] == "idle")).then_some(())
    });
    assert_eq!(client.shown.len(), 2, "{:?}", client.shown);
    assert!(client.shut_down().success());
}

#[test]
fn many_cases_are_one_message() {
    let text = RIGHT.replacen("event ePing", "param n: int;\nevent ePing", 1).replacen(
        "test tcPing [main=Client]",
        "test param (n in [1, 2, 3]) tcPing [main=Client]",
        1,
    );
    let sandbox = Sandbox::new(&text);
    let (mut client, _) = plain(&sandbox);
    execute(&mut client, &json!({ "command": "lockstep.exploreTest", "arguments": ["tcPing"] }));
    let said = client.wait("a message", |client| client.shown.first().cloned());
    assert_eq!(said, "3 test cases: 3 exhausted");
}

#[test]
fn a_trace_and_an_explanation_are_files_that_the_editor_opens() {
    let sandbox = Sandbox::new(&wrong());
    let (mut client, _) = plain(&sandbox);
    let uri = sandbox.uri("App.p");
    let early = client.request("workspace/executeCommand", json!({ "command": "lockstep.showTrace", "arguments": ["tcPing"] }));
    assert!(early.unwrap_err().message.contains("no run that goes wrong is known"));
    execute(&mut client, &json!({ "command": "lockstep.exploreTest", "arguments": ["tcPing"] }));
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);
    let show = lens(&mut client, &uri, "Show trace");
    execute(&mut client, &show);
    let trace = opened(&mut client);
    assert!(trace.contains("ePong") && trace.contains("one pong too many"), "{trace}");
    let answer = execute(&mut client, &json!({ "command": "lockstep.explain", "arguments": ["ls3001"] }));
    assert!(answer["path"].as_str().unwrap().ends_with("/LS3001.md"), "{answer}");
    assert!(opened(&mut client).starts_with("# LS3001"));
}

#[test]
fn editors_without_lenses_have_actions() {
    let sandbox = Sandbox::new(RIGHT);
    let (mut client, _) = plain(&sandbox);
    let uri = sandbox.uri("App.p");
    let text = sandbox.open(&mut client, "App.p");
    let at = start_of(&text, "tcPing [main");
    let titles =
        |actions: &[Value]| actions.iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let offered = actions(&mut client, &uri, json!({ "diagnostics": [] }), at);
    assert_eq!(titles(&offered), ["Run (tcPing)", "Explore (tcPing)"]);
    execute(&mut client, &offered[1]["command"]);
    let said = client.wait("a message", |client| client.shown.first().cloned());
    assert!(said.starts_with("tcPing: exhausted"), "{said}");
    // Who wants fixes only gets no others, and a code is explained where it stands.
    let fixes = actions(&mut client, &uri, json!({ "diagnostics": [], "only": ["quickfix"] }), at);
    assert_eq!(titles(&fixes), [] as [&str; 0]);
    let finding =
        json!({ "range": { "start": at.json(), "end": at.json() }, "message": "", "code": "LS1101", "source": "lockstep" });
    let explained = actions(&mut client, &uri, json!({ "diagnostics": [finding, finding], "only": ["quickfix"] }), at);
    assert_eq!(titles(&explained), ["Explain LS1101"]);
    execute(&mut client, &explained[0]["command"]);
    assert!(opened(&mut client).starts_with("# LS1101"));
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let sandbox = Sandbox::new(RIGHT);
    let (mut client, _) = plain(&sandbox);
    let mut refused = |command: &str, arguments: Value| {
        client.request("workspace/executeCommand", json!({ "command": command, "arguments": arguments })).unwrap_err().message
    };
    assert_eq!(refused("lockstep.runTest", json!(["tcNone"])), "there is no test `tcNone`");
    assert!(refused("lockstep.runTest", json!([])).contains("which test?"));
    assert!(refused("lockstep.explain", json!(["LS9999"])).contains("there is no code"));
    assert!(refused("rm -rf", json!([])).contains("there is no command"));
}

#[test]
fn snippets_are_for_editors_that_know_them() {
    let sandbox = Sandbox::new("//- App.p\nevent eGo;\nm\n//- ring.icet\nset Nodes;\n\np\n");
    for (file, label, line, with, without) in [
        ("App.p", "machine", 1, "machine ${1:Name} {\n\tstart state ${2:Init} {", "machine Name {\n\tstart state Init {"),
        ("ring.icet", "process in", 2, "process ${1:name} in ${2:Set} {\n  $0\n}", "process name in Set {\n  \n}"),
    ] {
        for knows in [true, false] {
            let mut hello = sandbox.hello();
            hello["capabilities"]["textDocument"] = json!({ "completion": { "completionItem": { "snippetSupport": knows } } });
            let mut client = sandbox.session_with(hello);
            sandbox.open(&mut client, file);
            let params = json!({ "textDocument": { "uri": sandbox.uri(file) }, "position": { "line": line, "character": 1 } });
            let list = client.ask("textDocument/completion", params);
            let items = list["items"].as_array().unwrap();
            let is_snippet = |item: &&Value| item["label"] == label && item["kind"] == 15;
            let item = items.iter().find(is_snippet).unwrap_or_else(|| panic!("no `{label}`: {list}"));
            let text = item["textEdit"]["newText"].as_str().unwrap();
            assert!(text.starts_with(if knows { with } else { without }), "{text}");
            assert_eq!(item["insertTextFormat"], if knows { 2 } else { 1 });
            assert!(knows || !list.to_string().contains("${"), "{list}");
        }
    }
}
