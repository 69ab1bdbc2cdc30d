//! What is known about tests and programs: `lockstep/verdicts`, told when it changes and only then.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position, Range};
use crate::lsp_text::{Units, range_of};
use crate::{Sandbox, codes, programs};

const TESTS: &str = "PTst/Tests.p";
const CLIENT: &str = "PSrc/Client.p";

/// Everything that was told about a file, in order.
fn told<'c>(client: &'c LspClient, uri: &str) -> Vec<&'c Value> {
    let verdicts = client.others.iter().filter(|(method, _)| method == "lockstep/verdicts").map(|(_, params)| params);
    verdicts.filter(|params| params["uri"] == uri).collect()
}

/// `name: verdict, why` of what was told last about a file.
fn records(client: &LspClient, uri: &str) -> Vec<String> {
    let last = told(client, uri).pop().unwrap_or_else(|| panic!("nothing was told about {uri}"));
    let item = |item: &Value| {
        let id = item["id"].as_str().unwrap();
        let word = |field: &str| item[field].as_str().unwrap_or_default().to_owned();
        format!("{}: {}, {}", id.rsplit(['/', '#']).next().unwrap(), word("verdict"), word("why"))
    };
    last["items"].as_array().unwrap().iter().map(item).collect()
}

fn wait_for_records(client: &mut LspClient, uri: &str, times: usize) -> Vec<String> {
    client.wait("`lockstep/verdicts`", |client| (told(client, uri).len() >= times).then_some(()));
    records(client, uri)
}

fn test_titles(client: &mut LspClient, uri: &str) -> Vec<String> {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_case_of_a_test_has_a_record() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri(TESTS);
    let last = told(&client, &uri);
    let [told] = last.as_slice() else { panic!("told once: {last:?}") };
    let items = told["items"].as_array().unwrap().clone();
    let text = sandbox.read(TESTS);
    assert_eq!(Range::of(&items[0]["nameRange"]), range_of(&text, "tcOneClient", Units::Utf16));
    assert_eq!(Range::of(&items[0]["range"]).start, Position::new(1, 0));
    for item in &items {
        let fields = ["verdict", "check", "phase", "freshness", "why", "words"].map(|field| item[field].as_str().unwrap());
        assert_eq!(fields, ["notRun", "exploration", "idle", "current", "not checked yet", "not checked yet"]);
        assert_eq!(item.get("scope"), None, "nothing is claimed: {item}");
    }
    let answer = client.ask("lockstep/tests", json!({}));
    let ids = |tests: &[Value]| tests.iter().map(|test| test["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(answer["tests"].as_array().unwrap()), ids(&items));
    assert!(items.len() > 3, "those of the matrix too");
}

#[test]
fn errors_anywhere_in_the_project_come_first() {
    let sandbox = Sandbox::lease();
    let mut hello = sandbox.hello();
    hello["capabilities"]["workspace"]["codeLens"] = json!({ "refreshSupport": true });
    let mut client = sandbox.session_with(hello);
    let (tests, source) = (sandbox.uri(TESTS), sandbox.uri(CLIENT));
    let text = sandbox.open(&mut client, CLIENT);
    client.wait_for_version(&source, 1);
    let right = test_titles(&mut client, &tests);
    assert_eq!(right[0], "1 test case \u{b7} not checked yet");

    client.change(&source, 2, &[(None, &text.replacen("goto Waiting", "goto Wating", 1))]);
    let wrong = wait_for_records(&mut client, &tests, 2);
    assert!(wrong.iter().all(|record| record.ends_with(": notRun, 1 error must be mended first")), "{wrong:?}");
    let findings = client.findings(&source).unwrap();
    assert_eq!(codes(findings).len(), 1, "findings of the same state come before: {findings:?}");
    assert_eq!(test_titles(&mut client, &tests)[0], "1 test case \u{b7} 1 error must be mended first");
    client.wait("new lenses to be asked for", |client| {
        client.others.iter().any(|(method, _)| method == "workspace/codeLens/refresh").then_some(())
    });

    client.change(&source, 3, &[(None, &text)]);
    let mended = wait_for_records(&mut client, &tests, 3);
    assert!(mended.iter().all(|record| record.ends_with(": notRun, not checked yet")), "{mended:?}");

    // A comment, in the project and in the file itself, is no news.
    client.change(&source, 4, &[(None, &format!("{text}\n// A comment.\n"))]);
    client.wait_until_checked();
    let tests_text = sandbox.open(&mut client, TESTS);
    client.change(&tests, 2, &[(None, &format!("{tests_text}\n// A comment.\n"))]);
    client.wait_for_version(&tests, 2);
    client.wait_until_checked();
    assert_eq!(told(&client, &tests).len(), 3);
}

#[test]
fn records_move_and_go_with_their_tests() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri(TESTS);
    let text = sandbox.open(&mut client, TESTS);
    client.change(&uri, 2, &[(None, &format!("\n{text}"))]);
    wait_for_records(&mut client, &uri, 2);
    let moved = told(&client, &uri)[1].clone();
    assert_eq!((&moved["version"], Range::of(&moved["items"][0]["range"]).start), (&json!(2), Position::new(2, 0)));
    assert_eq!(moved["items"][0]["id"], told(&client, &uri)[0]["items"][0]["id"], "an id is no place");

    let first = text.find("// Two clients").unwrap();
    client.change(&uri, 3, &[(None, &text[..first])]);
    assert_eq!(wait_for_records(&mut client, &uri, 3), ["tcOneClient: notRun, not checked yet"]);
    client.change(&uri, 4, &[(None, "// No tests.\n")]);
    assert_eq!(wait_for_records(&mut client, &uri, 4), [""; 0]);
    client.change(&uri, 5, &[(None, "// None at all.\n")]);
    client.wait_until_checked();
    assert_eq!(told(&client, &uri).len(), 4, "nothing is told once");
}

/// A test that cannot be run because of its own mistake still says so.
#[test]
fn a_test_with_an_error() {
    let sandbox = Sandbox::new("//- App.p\nmachine M { start state S { } }\ntest tcWrong [main=Nobody]: { M };\n");
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let errors = codes(client.findings(&uri).unwrap()).len();
    let why = if errors == 1 { "1 error".to_owned() } else { format!("{errors} errors") };
    assert_eq!(records(&client, &uri), [format!("tcWrong: notRun, {why} must be mended first")]);
    assert_eq!(test_titles(&mut client, &uri).last().unwrap(), &format!("{why} must be mended first"));
}

#[test]
fn files_that_go_have_no_records() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri(TESTS);
    std::fs::remove_file(sandbox.path(TESTS)).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 3 }] }));
    assert_eq!(wait_for_records(&mut client, &uri, 2), [""; 0]);
}

#[test]
fn an_icet_program_has_one() {
    let sandbox = Sandbox::new("");
    sandbox.write("ping.icet", std::fs::read(programs().join("icet/ping_sym.icet")).unwrap());
    sandbox.write("empty.icet", "// Nothing yet.\n");
    let mut client = sandbox.session();
    let uri = sandbox.uri("ping.icet");
    wait_for_records(&mut client, &uri, 2);
    let (first, second) = (told(&client, &uri)[0]["items"][0].clone(), told(&client, &uri)[1]["items"][0].clone());
    assert_eq!((&first["verdict"], &first["phase"]), (&json!("notRun"), &json!("queued")));
    assert_eq!((&second["verdict"], &second["phase"]), (&json!("proved"), &json!("idle")));
    assert_eq!((&second["check"], &second["scope"]["kind"]), (&json!("sequentialization"), &json!("allSizes")));
    assert!(told(&client, &sandbox.uri("empty.icet")).is_empty());
    let text = sandbox.open(&mut client, "ping.icet");
    client.change(&uri, 2, &[(None, &text.replacen("message Welcome;", "message Welcome", 1))]);
    wait_for_records(&mut client, &uri, 3);
    let broken = &told(&client, &uri)[2]["items"][0];
    assert_eq!(
        (&broken["verdict"], &broken["freshness"]),
        (&json!("proved"), &json!("stale")),
        "what it was, and that it is over"
    );
}
