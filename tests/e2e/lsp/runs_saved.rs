//! What a save does for tests, and that nothing that is shown is about another text than it says.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::lsp::LspClient;
use crate::random::Random;
use crate::runs::{RIGHT, last, run, wait_for, words, wrong};
use crate::{Sandbox, codes};

fn save(sandbox: &Sandbox, client: &mut LspClient, uri: &str, text: &str) {
    sandbox.write("App.p", text);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
}

fn why(item: &Value) -> &str {
    item["why"].as_str().unwrap_or_default()
}

#[test]
fn a_save_looks_at_the_tests_it_affects() {
    let sandbox = Sandbox::new(RIGHT);
    // On a machine that is busy with other things a second may be over before anything has begun.
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "onSave": { "milliseconds": 60_000 } });
    let uri = sandbox.uri("App.p");
    let mut client = sandbox.session_with(hello);
    let text = sandbox.open(&mut client, "App.p");
    let broken = text.replacen("send client, ePong;", "send client, ePong; send client, ePong;", 1);
    client.change(&uri, 2, &[(None, &broken)]);
    client.wait_for_version(&uri, 2);
    client.wait_until_checked();
    assert_eq!(last(&client, &uri).unwrap()["verdict"], "notRun", "nothing is done before the save");
    save(&sandbox, &mut client, &uri, &broken);
    let refuted = wait_for(&mut client, &uri, "the look in passing", |item| item["verdict"] != "notRun");
    assert_eq!(words(&refuted), ["refuted", "current", "idle"]);
    client.wait_for_findings(&uri, |findings| codes(findings) == ["LS3001"]);

    // It still fails after an edit that does not mend it: the run of before shows it.
    let other = broken.replacen("pongs = pongs + 1;", "pongs = 1 + pongs;", 1);
    client.change(&uri, 3, &[(None, &other)]);
    wait_for(&mut client, &uri, "a stale record", |item| words(item) == ["refuted", "stale", "idle"]);
    save(&sandbox, &mut client, &uri, &other);
    let still = wait_for(&mut client, &uri, "the same bug", |item| item["freshness"] == "current");
    assert!(why(&still).starts_with("still fails: "), "{still}");

    // And it is mended.
    let mended = other.replacen("pongs <= 1", "pongs <= 2", 1);
    client.change(&uri, 4, &[(None, &mended)]);
    save(&sandbox, &mut client, &uri, &mended);
    let gone = wait_for(&mut client, &uri, "that it has gone", |item| item["verdict"] == "exhausted");
    assert_eq!(words(&gone), ["exhausted", "current", "idle"]);
    assert!(why(&gone).starts_with("what failed before no longer reproduces: "), "{gone}");
    assert!(codes(client.findings(&uri).unwrap()).is_empty());

    // A comment affects nothing, and so nothing is told.
    let before = client.others.iter().filter(|(method, _)| method == "lockstep/verdicts").count();
    let commented = format!("{mended}\n// A comment.\n");
    client.change(&uri, 5, &[(None, &commented)]);
    save(&sandbox, &mut client, &uri, &commented);
    client.wait_until_checked();
    assert_eq!(client.others.iter().filter(|(method, _)| method == "lockstep/verdicts").count(), before);
}

/// Whatever comes before the tests were looked through for the first time: what was edited is not taken for what was there before.
#[test]
fn an_edit_is_noticed_however_early_it_comes() {
    let broken = wrong().split_once('\n').unwrap().1.to_owned();
    for when in ["at once", "restored", "checked"] {
        let sandbox = Sandbox::new(RIGHT);
        let mut hello = sandbox.hello();
        hello["initializationOptions"] = json!({ "onSave": { "milliseconds": 60_000 } });
        let uri = sandbox.uri("App.p");
        let mut client = sandbox.start();
        client.initialize(hello);
        if when == "checked" {
            client.wait_until_checked();
        }
        if when == "restored" {
            // Editors keep what was not saved, and open it so.
            client.open(&uri, "p", 1, &broken);
            client.wait_for_version(&uri, 1);
        } else {
            sandbox.open(&mut client, "App.p");
            client.change(&uri, 2, &[(None, &broken)]);
        }
        save(&sandbox, &mut client, &uri, &broken);
        let refuted = wait_for(&mut client, &uri, when, |item| item["verdict"] != "notRun");
        assert_eq!(words(&refuted), ["refuted", "current", "idle"], "{when}");
        assert!(client.shut_down().success());
    }
}

/// Three tests that have nothing in common.
fn three() -> String {
    let one = |name: &str| {
        format!(
            "machine {name} {{ start state Init {{ entry {{ assert 1 <= 1, \"{name}\"; }} }} }}\ntest tc{name} [main={name}]: {{ {name} }};\n"
        )
    };
    format!("//- App.p\n{}{}{}", one("Known"), one("Fresh"), one("Edited"))
}

/// What was told last about a test of a file.
fn of_test(client: &LspClient, uri: &str, name: &str) -> Value {
    let told = client.others.iter().rev().find(|(method, params)| method == "lockstep/verdicts" && params["uri"] == uri);
    let items = told.and_then(|(_, params)| params["items"].as_array()).into_iter().flatten();
    items.into_iter().find(|item| item["id"].as_str().unwrap_or_default().ends_with(name)).cloned().unwrap_or_default()
}

fn wait_for_test(client: &mut LspClient, uri: &str, name: &str, wanted: [&str; 3]) {
    client.wait(&format!("{name}: {wanted:?}"), |client| (words(&of_test(client, uri, name)) == wanted).then_some(()));
}

#[test]
fn a_save_leaves_alone_what_it_does_not_affect() {
    let sandbox = Sandbox::new(&three());
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "onSave": { "milliseconds": 60_000 } });
    let uri = sandbox.uri("App.p");
    let mut client = sandbox.session_with(hello.clone());
    let known = of_test(&client, &uri, "tcKnown")["id"].clone();
    client.ask("lockstep/run", json!({ "item": known, "mode": "explore" }));
    wait_for_test(&mut client, &uri, "tcKnown", ["exhausted", "current", "idle"]);
    assert!(client.shut_down().success());

    // What is known from before is shown when the tests have been looked through.
    let mut client = sandbox.session_with(hello);
    let text = sandbox.open(&mut client, "App.p");
    wait_for_test(&mut client, &uri, "tcKnown", ["exhausted", "current", "idle"]);
    // The first save without an edit does nothing: what it did would be done before what the next one does.
    save(&sandbox, &mut client, &uri, &text);
    client.wait_until_checked();
    let edited = text.replacen("assert 1 <= 1, \"Edited\"", "assert 2 <= 1, \"Edited\"", 1);
    client.change(&uri, 2, &[(None, &edited)]);
    save(&sandbox, &mut client, &uri, &edited);
    wait_for_test(&mut client, &uri, "tcEdited", ["refuted", "current", "idle"]);
    assert_eq!(of_test(&client, &uri, "tcFresh")["verdict"], "notRun");
    assert!(client.shut_down().success());
}

#[test]
fn nothing_is_done_on_save_if_that_is_not_wanted() {
    let sandbox = Sandbox::new(RIGHT);
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "onSave": { "search": false } });
    let mut client = sandbox.session_with(hello);
    let uri = sandbox.uri("App.p");
    let text = sandbox.open(&mut client, "App.p");
    let broken = text.replacen("pongs <= 1", "pongs <= 0", 1);
    client.change(&uri, 2, &[(None, &broken)]);
    save(&sandbox, &mut client, &uri, &broken);
    client.wait_until_checked();
    assert_eq!(words(&run(&mut client, &uri, "run"))[0], "refuted");
    // Up to the run that was asked for nothing was found out.
    let told = client.others.iter().filter(|(method, _)| method == "lockstep/verdicts");
    let early: Vec<&Value> = told.map(|(_, params)| &params["items"][0]).take_while(|item| item["phase"] == "idle").collect();
    assert!(early.iter().all(|item| item["verdict"] == "notRun"), "{early:?}");
}

/// For any sequence of edits, what is shown as current is what was found out about a program that does the same.
#[test]
fn what_is_shown_is_current_or_stale() {
    let right = RIGHT.split_once('\n').unwrap().1.to_owned();
    let wrong = wrong().split_once('\n').unwrap().1.to_owned();
    // What each variant does; comments and white space change nothing, and the last cannot be run.
    let variants = [
        (right.clone(), "exhausted"),
        (format!("// One.\n{right}"), "exhausted"),
        (right.replace("    ", "\t"), "exhausted"),
        (wrong.clone(), "refuted"),
        (wrong.replacen("event ePong;", "event ePong; // Two.", 1), "refuted"),
        (right.replacen("pongs <= 1", "pongs <= 7", 1), "never run"),
        (right.replacen("pongs <= 1", "pongs <= tru", 1), "broken"),
    ];
    let sandbox = Sandbox::new("");
    sandbox.write("App.p", &right);
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    client.open(&uri, "p", 1, &right);
    client.wait_for_version(&uri, 1);
    run(&mut client, &uri, "explore");
    client.change(&uri, 2, &[(None, &wrong)]);
    run(&mut client, &uri, "explore");

    let mut random = Random::new(7);
    let mut texts = BTreeMap::new();
    let first = client.others.len();
    let edits = if std::env::var_os("LOCKSTEP_LONG_TESTS").is_some() { 400 } else { 60 };
    for version in 3..3 + edits {
        let variant = &variants[random.below(variants.len())];
        texts.insert(version, variant);
        client.change(&uri, version, &[(None, &variant.0)]);
        if random.below(3) == 0 {
            client.wait_until_checked();
        }
    }
    let end = 3 + edits;
    let moved = (format!("\n\n\n{right}"), "exhausted");
    client.change(&uri, end, &[(None, &moved.0)]);
    texts.insert(end, &moved);
    let line = crate::start_of(&moved.0, "tcPing").line;
    let is_last = |item: &serde_json::Value| item["nameRange"]["start"]["line"] == line;
    let told = wait_for(&mut client, &uri, "the last record", is_last);
    assert_eq!(words(&told), ["exhausted", "current", "idle"]);
    let mut seen = 0;
    for (_, params) in
        client.others[first..].iter().filter(|(method, params)| method == "lockstep/verdicts" && params["uri"] == uri)
    {
        let Some((_, kind)) = texts.get(&params["version"].as_i64().unwrap()) else { continue };
        let item = &params["items"][0];
        let (verdict, freshness) = (item["verdict"].as_str().unwrap(), item["freshness"].as_str().unwrap());
        assert!(freshness == "stale" || verdict == *kind, "version {} is {kind}: {item}", params["version"]);
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}
