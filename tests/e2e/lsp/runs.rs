//! Tests run from the editor: run, explore, cancel, progress, traces, lenses, and what is kept.

use serde_json::{Value, json};

use crate::lsp::{Finding, LspClient};
use crate::{Sandbox, codes, start_of};

/// A client and a server; nothing goes wrong.
pub(crate) const RIGHT: &str = "//- App.p
event ePing: machine;
event ePong;
machine Client {
    var pongs: int;
    start state Init {
        entry {
            send new Server(), ePing, this;
        }
        on ePong do {
            pongs = pongs + 1;
            assert pongs <= 1, \"one pong too many\";
        }
    }
}
machine Server {
    start state Serving {
        on ePing do (client: machine) {
            send client, ePong;
        }
    }
}
test tcPing [main=Client]: { Client, Server };
";

/// The same with a server that answers twice.
pub(crate) fn wrong() -> String {
    RIGHT.replacen("send client, ePong;", "send client, ePong;\n            send client, ePong;", 1)
}

/// More states than anyone can look at.
pub(crate) const ENDLESS: &str = "//- App.p
event eTick: int;
machine Counter {
    var sum: int;
    start state Counting {
        entry {
            send this, eTick, 1;
        }
        on eTick do (by: int) {
            sum = sum + by + choose(3);
            send this, eTick, choose(3);
        }
    }
}
test tcEndless [main=Counter]: { Counter };
";

/// What was told last about the only test of a file.
pub(crate) fn last(client: &LspClient, uri: &str) -> Option<Value> {
    let verdicts = client.others.iter().rev().filter(|(method, _)| method == "lockstep/verdicts").map(|(_, params)| params);
    let told = verdicts.filter(|params| params["uri"] == uri).map(|params| params["items"][0].clone()).next();
    told.filter(|item| !item.is_null())
}

pub(crate) fn wait_for(client: &mut LspClient, uri: &str, what: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    client.wait(what, |client| last(client, uri).filter(|item| is_wanted(item)))
}

/// Runs the only test of a file to its end.
pub(crate) fn run(client: &mut LspClient, uri: &str, mode: &str) -> Value {
    let item = last(client, uri).expect("there is a test")["id"].clone();
    let before = client.others.len();
    client.ask("lockstep/run", json!({ "item": item, "mode": mode }));
    client.wait("the run to begin", |client| {
        let told = client.others[before..].iter().filter(|(method, _)| method == "lockstep/verdicts");
        told.map(|(_, params)| &params["items"][0]).any(|item| item["phase"] != "idle").then_some(())
    });
    wait_for(client, uri, "the run to end", |item| item["phase"] == "idle")
}

pub(crate) fn words(item: &Value) -> [&str; 3] {
    ["verdict", "freshness", "phase"].map(|field| item[field].as_str().unwrap_or_default())
}

fn commands(client: &mut LspClient, uri: &str) -> Vec<String> {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let commands = lenses.as_array().unwrap().iter().map(|lens| lens["command"]["command"].as_str().unwrap());
    commands
        .filter(|command| command.starts_with("lockstep.") && *command != "lockstep.showReferences")
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_test_is_run_and_explored() {
    let sandbox = Sandbox::new(RIGHT);
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    assert_eq!(commands(&mut client, &uri), ["lockstep.runTest", "lockstep.exploreTest"]);
    let sampled = run(&mut client, &uri, "run");
    assert_eq!(words(&sampled), ["sampled", "current", "idle"]);
    assert_eq!(sampled["scope"], json!({ "kind": "schedules", "count": 1000 }));
    assert!(sampled["tookMs"].is_u64() && sampled["fingerprint"].is_string(), "{sampled}");

    let exhausted = run(&mut client, &uri, "explore");
    assert_eq!(words(&exhausted), ["exhausted", "current", "idle"]);
    assert_eq!(exhausted["scope"]["kind"], "bounded");
    assert_eq!(exhausted["scope"]["machines"], 2);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert!(lenses.to_string().contains("exhausted, every behaviour"), "{lenses}");

    // What says less does not take its place.
    let again = run(&mut client, &uri, "run");
    assert_eq!(words(&again)[0], "exhausted");
    assert_eq!(client.ask("lockstep/trace", json!({ "item": again["id"] })), Value::Null);
    assert!(client.shut_down().success());
}

#[test]
fn a_bug_is_a_finding_with_a_trace() {
    let sandbox = Sandbox::new(&wrong());
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let text = sandbox.open(&mut client, "App.p");
    let refuted = run(&mut client, &uri, "explore");
    assert_eq!(words(&refuted), ["refuted", "current", "idle"]);
    assert_eq!(refuted["code"], "LS3001");
    let found = client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);
    let bug = found.iter().find(|finding| finding.code == "LS3001").unwrap();
    assert_eq!(bug.range.start, start_of(&text, "assert pongs"));
    assert!(bug.message.starts_with("this assertion does not hold: one pong too many (pongs = 2)"), "{}", bug.message);
    assert!(bug.related[0].contains("sends `ePong` here"), "{:?}", bug.related);
    assert_eq!(
        commands(&mut client, &uri),
        ["lockstep.runTest", "lockstep.exploreTest", "lockstep.showTrace", "lockstep.debugTrace"]
    );

    let trace = client.ask("lockstep/trace", json!({ "item": refuted["id"] }));
    assert_eq!((&trace["trace"], &trace["stale"]), (&refuted["trace"], &json!(false)));
    assert_eq!(trace["file"]["format"], "lockstep-trace");
    assert_eq!(trace["file"]["story"]["bug"]["code"], "LS3001");
    let name = &trace["file"]["story"]["bug"]["place"]["path"];
    assert_eq!(trace["sources"], json!([{ "name": name, "uri": uri }]));
    let on_disk = std::fs::read_to_string(trace["path"].as_str().unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&on_disk).unwrap(), trace["file"]);

    // The command line can do something with it.
    let replayed =
        std::process::Command::new(env!("CARGO_BIN_EXE_lockstep")).arg("replay").arg(trace["path"].as_str().unwrap()).output();
    let replayed = String::from_utf8(replayed.unwrap().stdout).unwrap();
    assert!(replayed.contains("tcPing: refuted: this assertion does not hold"), "{replayed}");
}

#[test]
fn what_is_known_follows_the_text() {
    let sandbox = Sandbox::new(&wrong());
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let text = sandbox.open(&mut client, "App.p");
    run(&mut client, &uri, "explore");
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);

    // A comment in front: the same result, at its new place.
    let commented = format!("// A comment.\n\n{text}");
    client.change(&uri, 2, &[(None, &commented)]);
    let found = client.wait_for_version(&uri, 2);
    let moved = found.iter().find(|finding| finding.code == "LS3001").expect("it is still there");
    assert_eq!(moved.range.start, start_of(&commented, "assert pongs"));
    client.wait_until_checked();
    assert_eq!(words(&last(&client, &uri).unwrap()), ["refuted", "current", "idle"]);

    // A relevant edit: stale at once, without a save, and the finding has gone.
    client.change(&uri, 3, &[(None, &text.replacen("pongs <= 1", "pongs <= 5", 1))]);
    let stale = wait_for(&mut client, &uri, "a stale record", |item| item["freshness"] == "stale");
    assert_eq!(words(&stale), ["refuted", "stale", "idle"]);
    assert!(codes(&client.wait_for_version(&uri, 3)).is_empty());
    let trace = client.ask("lockstep/trace", json!({ "item": stale["id"] }));
    assert_eq!(trace["stale"], true);

    // Back again: it is known.
    client.change(&uri, 4, &[(None, &text)]);
    wait_for(&mut client, &uri, "a current record", |item| words(item) == ["refuted", "current", "idle"]);
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);
}

#[test]
fn a_restart_keeps_what_is_known() {
    let sandbox = Sandbox::new(&wrong());
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let before = run(&mut client, &uri, "explore");
    assert!(client.shut_down().success());
    let mut client = sandbox.session();
    let after = wait_for(&mut client, &uri, "what was known", |item| item["verdict"] != "notRun");
    assert_eq!(after, before);
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);
    assert_eq!(client.ask("lockstep/trace", json!({ "item": after["id"] }))["trace"], after["trace"]);
    drop(client);

    // What was damaged is passed over and told.
    let results = sandbox.state().join("cache/results");
    for file in std::fs::read_dir(results).unwrap() {
        let path = file.unwrap().path();
        let content = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, content.replace("refuted", "proved")).unwrap();
    }
    let mut client = sandbox.session();
    client.wait("the damage to be told", |client| client.shown.iter().any(|shown| shown.contains("is damaged")).then_some(()));
    assert_eq!(last(&client, &uri).unwrap()["verdict"], "notRun");
}

#[test]
fn what_cannot_be_run_is_refused() {
    let sandbox = Sandbox::new(&RIGHT.replacen("pongs + 1", "pongs + tru", 1));
    let mut client = sandbox.session();
    let item = last(&client, &sandbox.uri("App.p")).unwrap()["id"].clone();
    let failure = client.request("lockstep/run", json!({ "item": item, "mode": "run" })).unwrap_err();
    assert!(failure.message.ends_with("must be mended before this test can be run"), "{failure:?}");
    let failure = client.request("lockstep/run", json!({ "item": "nobody", "mode": "run" })).unwrap_err();
    assert_eq!(failure.message, "there is no test `nobody`");
    assert!(client.request("lockstep/run", json!({ "item": item, "mode": "dance" })).is_err());
    assert_eq!(client.ask("lockstep/cancel", json!({})), json!({ "cancelled": 0 }));
}

/// What the file beside the project says is part of what a test does.
#[test]
fn functions_in_other_languages() {
    let text = RIGHT.replacen("pongs = pongs + 1;", "if (Flip()) { pongs = 2; }", 1).replacen(
        "event ePong;",
        "event ePong;\nfun Flip(): bool;",
        1,
    );
    let sandbox = Sandbox::new(&text);
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let unsupported = run(&mut client, &uri, "explore");
    assert_eq!(words(&unsupported), ["unsupported", "current", "idle"]);
    assert!(unsupported["why"].as_str().unwrap().contains("`lockstep.toml`"), "{unsupported}");
    sandbox.write("lockstep.toml", "[foreign]\nFlip = \"any\"\n");
    let change = json!({ "uri": sandbox.uri("lockstep.toml"), "type": 1 });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
    wait_for(&mut client, &uri, "a stale record", |item| item["freshness"] == "stale");
    assert_eq!(words(&run(&mut client, &uri, "explore")), ["refuted", "current", "idle"]);
    sandbox.write("lockstep.toml", "[foreign]\nFlop = \"any\"\n");
    let item = last(&client, &uri).unwrap()["id"].clone();
    let failure = client.request("lockstep/run", json!({ "item": item, "mode": "run" })).unwrap_err();
    assert_eq!(failure.message, "in `lockstep.toml`: the project has no function `Flop`");
}

/// All cases of a test with parameters, by the name of the test.
#[test]
fn a_test_with_several_cases() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri("PTst/Tests.p");
    let tests = client.ask("lockstep/tests", json!({}));
    let tests = tests["tests"].as_array().unwrap();
    let case = tests.iter().find(|test| test["base"] != test["name"]).expect("one with parameters");
    let (base, name) = (case["base"].as_str().unwrap(), case["name"].as_str().unwrap());
    let whole = case["id"].as_str().unwrap().replace(name, base);
    let cases: Vec<Value> = tests.iter().filter(|test| test["base"] == base).map(|test| test["id"].clone()).collect();
    client.ask("lockstep/run", json!({ "item": whole, "mode": "run" }));
    client.wait("all of them to end", |client| {
        let told = client.others.iter().rev().find(|(method, params)| method == "lockstep/verdicts" && params["uri"] == uri);
        let items = told.map(|(_, params)| params["items"].as_array().unwrap().clone()).unwrap_or_default();
        let is_done =
            |id: &Value| items.iter().any(|item| item["id"] == *id && item["verdict"] != "notRun" && item["phase"] == "idle");
        cases.iter().all(is_done).then_some(())
    });
    assert!(cases.len() > 1);
}

#[test]
fn a_run_can_be_taken_back() {
    let sandbox = Sandbox::new(ENDLESS);
    let mut hello = sandbox.hello();
    hello["capabilities"]["window"] = json!({ "workDoneProgress": true });
    let mut client = sandbox.session_with(hello);
    let uri = sandbox.uri("App.p");
    let item = last(&client, &uri).unwrap()["id"].clone();
    for way in ["item", "all", "progress"] {
        let before = client.others.len();
        client.ask("lockstep/run", json!({ "item": item, "mode": "explore" }));
        let token = client.wait("progress with states", |client| {
            let progress = client.others[before..].iter().filter(|(method, _)| method == "$/progress").map(|(_, params)| params);
            let mut told = progress.filter(|params| params["value"]["kind"] == "report");
            told.find(|params| params["value"]["message"].as_str().unwrap().contains(" states, "))
                .map(|params| params["token"].clone())
        });
        wait_for(&mut client, &uri, "a running test", |item| item["phase"] == "running");
        assert_eq!(commands(&mut client, &uri)[0], "lockstep.cancelTest");
        match way {
            "item" => assert_eq!(client.ask("lockstep/cancel", json!({ "item": item })), json!({ "cancelled": 1 })),
            "all" => assert_eq!(client.ask("lockstep/cancel", json!({})), json!({ "cancelled": 1 })),
            _ => client.notify("window/workDoneProgress/cancel", json!({ "token": token })),
        }
        let ended = wait_for(&mut client, &uri, "the end", |item| item["phase"] == "idle");
        assert_eq!(words(&ended), ["unknown", "current", "idle"]);
        assert!(ended["why"].as_str().unwrap().contains("cancelled"), "{ended}");
        client.wait("the end of the progress", |client| {
            let ends = client.others[before..].iter().filter(|(_, params)| params["value"]["kind"] == "end");
            ends.map(|(_, params)| params).any(|params| params["token"] == token).then_some(())
        });
    }
    assert!(client.shut_down().success());
}

/// Each fix of an unhandled event parses, and with it the event is no longer unhandled.
#[test]
fn an_unhandled_event_can_be_mended() {
    let sandbox = Sandbox::new(&RIGHT.replacen("        on ePong do {\n            pongs = pongs + 1;\n            assert pongs <= 1, \"one pong too many\";\n        }\n", "", 1));
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let text = sandbox.open(&mut client, "App.p");
    let refuted = run(&mut client, &uri, "explore");
    assert_eq!(refuted["code"], "LS3002");
    let is_there = |findings: &[Finding]| codes(findings) == ["LS3002", "LS3002"];
    let found = client.wait_for_findings(&uri, is_there);
    let bugs: Vec<&Finding> = found.iter().filter(|finding| finding.code == "LS3002").collect();
    assert_eq!(bugs[0].range.start.line, start_of(&text, "state Init").line, "at the state");
    assert!(bugs[0].related[0].contains("sends it here"), "{:?}", bugs[0]);
    assert_eq!(bugs[1].range.start, start_of(&text, "send client"), "at the send");
    assert!(bugs[1].related[0].contains("state `Init` has no handler for it"), "{:?}", bugs[1]);
    for at in &bugs {
        let params = json!({ "textDocument": { "uri": uri }, "range": at.range.json(), "context": { "diagnostics": [], "only": ["quickfix"] } });
        let actions = client.ask("textDocument/codeAction", params);
        let titles: Vec<&str> = actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
        assert_eq!(
            titles,
            ["add a handler for `ePong` to state `Init`", "ignore `ePong` in state `Init`", "defer `ePong` in state `Init`"]
        );
    }
    let params = json!({ "textDocument": { "uri": uri }, "range": bugs[1].range.json(), "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = client.ask("textDocument/codeAction", params);
    for (number, action) in (2..).step_by(2).zip(actions.as_array().unwrap()) {
        let edit = &action["edit"]["changes"][&uri][0];
        let range = crate::lsp::Range::of(&edit["range"]);
        client.change(&uri, number, &[(Some(range), edit["newText"].as_str().unwrap())]);
        assert!(codes(&client.wait_for_version(&uri, number)).is_empty(), "{action}");
        let mended = run(&mut client, &uri, "explore");
        assert_eq!(words(&mended), ["exhausted", "current", "idle"], "{action}");
        client.change(&uri, number + 1, &[(None, &text)]);
        client.wait_for_findings(&uri, is_there);
    }
}
