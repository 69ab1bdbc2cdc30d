//! IceT programs put in order while they are edited: findings, hover, lens, the document of the sequential program.

use serde_json::{Value, json};

use crate::lsp::{Finding, LspClient, Range};
use crate::lsp_text::{Units, range_of};
use crate::{Sandbox, at, hover_text, programs, start_of};

/// Both wait for the other: nobody sends.
const DEADLOCK: &str = "\
message Ping(int);
message Pong(int);

process a {
  var n: int;
  recv Pong(n) from b;
  send Ping(1) to b;
}

process b {
  var m: int;
  recv Ping(m) from a;
  send Pong(m + 1) to a;
}
";

/// The same with the two statements of `a` in the right order.
fn mended() -> String {
    DEADLOCK.replace("  recv Pong(n) from b;\n  send Ping(1) to b;\n", "  send Ping(1) to b;\n  recv Pong(n) from b;\n")
}

/// Everything that was told about the records of a file, in order.
fn told<'c>(client: &'c LspClient, uri: &str) -> Vec<&'c Value> {
    let verdicts = client.others.iter().filter(|(method, _)| method == "lockstep/verdicts").map(|(_, params)| params);
    verdicts.filter(|params| params["uri"] == uri).collect()
}

/// Waits until the last record says this verdict and nothing is on its way, and gives the record.
fn wait_for_verdict(client: &mut LspClient, uri: &str, verdict: &str) -> Value {
    client.wait("the verdict", |client| {
        let last = told(client, uri).pop()?["items"][0].clone();
        let is_it = last["verdict"] == verdict && last["phase"] == "idle" && last["freshness"] == "current";
        is_it.then_some(last)
    })
}

fn lens(client: &mut LspClient, uri: &str) -> Value {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let [lens] = lenses.as_array().unwrap().as_slice() else { panic!("one lens: {lenses}") };
    lens.clone()
}

fn sequentialization(client: &mut LspClient, uri: &str) -> Value {
    client.ask("lockstep/sequentialization", json!({ "uri": uri }))
}

/// The findings that come from putting the program in order.
fn in_order(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.code.starts_with("LS22")).collect()
}

fn save(client: &mut LspClient, uri: &str) {
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
}

#[test]
fn a_deadlock_is_told_and_gone_when_it_is_mended() {
    let sandbox = Sandbox::new("");
    sandbox.write("two.icet", mended());
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    client.wait_for_version(&uri, 1);
    wait_for_verdict(&mut client, &uri, "proved");
    assert_eq!(client.findings(&uri).map(in_order), Some(Vec::new()));

    client.change(&uri, 2, &[(None, DEADLOCK)]);
    save(&mut client, &uri);
    let found = client.wait_for_findings(&uri, |found| !in_order(found).is_empty());
    // One deadlock is one finding, at who waits first, and leads to all others in the circle.
    let [finding] = in_order(&found)[..] else { panic!("{found:?}") };
    assert_eq!(finding.range.start.line, range_of(DEADLOCK, "recv Pong(n) from b", Units::Utf16).start.line);
    assert_eq!(finding.severity, 1);
    assert!(matches!(&finding.related[..], [other] if other.contains("`b` waits for `Ping` from `a`")), "{finding:?}");
    wait_for_verdict(&mut client, &uri, "refuted");

    client.change(&uri, 3, &[(None, &mended())]);
    save(&mut client, &uri);
    client.wait_for_findings(&uri, |found| in_order(found).is_empty());
    wait_for_verdict(&mut client, &uri, "proved");
    assert_eq!(client.findings(&uri).map(in_order), Some(Vec::new()));
}

/// Nobody has to save: a pause is enough. Errors of the language are told at once, and nothing else beside them.
#[test]
fn a_pause_is_enough() {
    let sandbox = Sandbox::new("");
    sandbox.write("two.icet", mended());
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    wait_for_verdict(&mut client, &uri, "proved");
    client.change(&uri, 2, &[(None, DEADLOCK)]);
    client.wait_for_findings(&uri, |found| !in_order(found).is_empty());
    client.change(&uri, 3, &[(None, &DEADLOCK.replace("send Pong(m", "send Pung(m"))]);
    let found = client.wait_for_version(&uri, 3);
    assert!(found.iter().any(|finding| finding.code.starts_with("LS20")), "{found:?}");
    assert_eq!(in_order(&found), Vec::<&Finding>::new(), "what was found out is about another program");
    let last = client.wait("the record", |client| {
        let last = told(client, &uri).pop()?;
        (last["version"] == 3).then(|| last["items"][0].clone())
    });
    assert_eq!((&last["verdict"], &last["freshness"]), (&json!("refuted"), &json!("stale")));
    assert_eq!(last["phase"], "idle", "a text with errors does not wait for anything: {last}");
}

/// An editor that asks for findings itself is told when to ask again.
#[test]
fn findings_that_are_asked_for() {
    let sandbox = Sandbox::new("");
    sandbox.write("two.icet", mended());
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "diagnostics": "pull" });
    hello["capabilities"]["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let mut client = sandbox.session_with(hello);
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    wait_for_verdict(&mut client, &uri, "proved");
    let asked = |client: &LspClient| client.others.iter().filter(|(method, _)| method == "workspace/diagnostic/refresh").count();
    let before = asked(&client);
    client.change(&uri, 2, &[(None, DEADLOCK)]);
    save(&mut client, &uri);
    wait_for_verdict(&mut client, &uri, "refuted");
    client.wait("to be asked to ask", |client| (asked(client) > before).then_some(()));
    let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    let found = Finding::all(&report["items"]);
    assert_eq!(in_order(&found).len(), 1, "{report}");
}

#[test]
fn a_comment_is_no_news() {
    let sandbox = Sandbox::new("");
    sandbox.write("two.icet", DEADLOCK);
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    wait_for_verdict(&mut client, &uri, "refuted");
    let before = client.wait_for_findings(&uri, |found| !in_order(found).is_empty());
    let times = told(&client, &uri).len();

    client.change(&uri, 2, &[(None, &format!("{DEADLOCK}// Nothing happens here.\n"))]);
    save(&mut client, &uri);
    client.wait_until_checked();
    assert_eq!(told(&client, &uri).len(), times, "what is known is the same, at the same places");
    assert_eq!(client.findings(&uri), Some(before.as_slice()));

    // Above the program it moves everything, at once.
    client.change(&uri, 3, &[(None, &format!("// Nothing happens here.\n{DEADLOCK}"))]);
    let moved = client.wait_for_version(&uri, 3);
    let lines = |found: &[Finding]| in_order(found).iter().map(|finding| finding.range.start.line).collect::<Vec<_>>();
    assert_eq!(lines(&moved), lines(&before).iter().map(|line| line + 1).collect::<Vec<_>>());
    client.wait("the record moved", |client| (told(client, &uri).len() > times).then_some(()));
    client.wait_until_checked();
    for record in &told(&client, &uri)[times..] {
        assert_eq!(record["items"][0]["freshness"], "current", "it was never anything else: {record}");
        assert_eq!(record["items"][0]["phase"], "idle");
    }
}

#[test]
fn the_sequential_program_and_the_way_back() {
    let sandbox = Sandbox::new("");
    let text = mended();
    sandbox.write("two.icet", &text);
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    let record = wait_for_verdict(&mut client, &uri, "proved");

    let lens = lens(&mut client, &uri);
    let title = lens["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("sequentializes \u{b7} ") && title.ends_with(" \u{b7} view"), "{title}");
    assert_eq!(lens["command"]["command"], "lockstep.showSequentialization");
    assert_eq!(lens["command"]["arguments"], json!([uri]));
    assert_eq!(Range::of(&lens["range"]).start.line, range_of(&text, "process a", Units::Utf16).start.line);

    let answer = sequentialization(&mut client, &uri);
    let document = answer["text"].as_str().unwrap();
    assert!(document.contains("\nsequential {\n"), "{document}");
    assert_eq!((&answer["languageId"], &answer["version"]), (&json!("icet"), &json!(1)));
    assert_eq!(answer["verdict"], record["words"]);
    let links = answer["links"].as_array().unwrap();
    assert!(!links.is_empty());
    let lines: Vec<&str> = text.lines().collect();
    let mut sources = Vec::new();
    let mut received = None;
    for link in links {
        let line = Range::of(&link["range"]).start.line as usize;
        let statement = document.lines().nth(line).unwrap().trim();
        assert!(!statement.is_empty());
        if statement.starts_with("a.n = ") {
            received = Some(lines[Range::of(&link["targets"][0]).start.line as usize].trim());
        }
        for target in link["targets"].as_array().unwrap() {
            sources.push(lines[Range::of(target).start.line as usize].trim());
        }
    }
    assert!(sources.contains(&"recv Pong(n) from b;") && sources.contains(&"send Ping(1) to b;"), "{sources:?}");

    assert_eq!(received, Some("recv Pong(n) from b;"), "what stores the value comes first");

    // The steps, one after the other: each is a document of its own.
    let steps = answer["steps"].as_array().unwrap().len();
    assert!(title.contains(&format!("{steps} step")), "{title}, {steps} in the list");
    let first = client.ask("lockstep/sequentialization", json!({ "uri": uri, "step": 0 }));
    assert_eq!(first["step"], 0);
    assert!(first["text"].as_str().unwrap().contains("send Ping(1) to b;"), "before the first step all is left: {first}");
    assert!(!document.contains("send Ping(1) to b;"), "after the last one nothing is: {document}");
}

#[test]
fn hovers_say_what_is_known() {
    let sandbox = Sandbox::new("");
    let text = mended();
    sandbox.write("two.icet", &text);
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    let record = wait_for_verdict(&mut client, &uri, "proved");
    for place in ["a {\n", "process a"] {
        let hover = client.ask("textDocument/hover", at(&uri, start_of(&text, place)));
        assert!(hover_text(&hover).contains(record["words"].as_str().unwrap()), "{place}: {hover}");
        assert!(hover_text(&hover).contains("sequential {"), "{place}: {hover}");
    }
    let send = client.ask("textDocument/hover", at(&uri, start_of(&text, "send Ping(1)")));
    assert!(hover_text(&send).contains("line 12: `recv Ping(m) from a`"), "{send}");
    let receive = client.ask("textDocument/hover", at(&uri, start_of(&text, "Pong(n) from b")));
    assert!(hover_text(&receive).contains("line 13: `send Pong(m + 1) to a`"), "{receive}");
}

/// What cannot be asked is refused in words.
#[test]
fn questions_without_an_answer() {
    let sandbox = Sandbox::new("//- App.p\nmachine M { start state S { } }\n//- wrong.icet\nprocess a { send Ping to a; }\n");
    let mut client = sandbox.session();
    let wrong = sequentialization(&mut client, &sandbox.uri("wrong.icet"));
    assert!(wrong["text"].as_str().unwrap().contains("1 error must be mended first"), "{wrong}");
    assert_eq!(wrong["links"], json!([]));
    for uri in [sandbox.uri("App.p"), sandbox.uri("nowhere.icet")] {
        let id = client.send("lockstep/sequentialization", json!({ "uri": uri }));
        assert!(client.answer(id).is_err(), "{uri}");
    }
}

/// What takes some time keeps nobody waiting, and what was given up is never told.
#[test]
fn a_program_that_takes_long_is_given_up() {
    let sandbox = Sandbox::new("");
    let long = std::fs::read_to_string(programs().join("icet/dist_db.icet")).unwrap();
    sandbox.write("two.icet", &long);
    let mut client = sandbox.session();
    let uri = sandbox.uri("two.icet");
    sandbox.open(&mut client, "two.icet");
    for version in 2..12 {
        client.change(&uri, version, &[(None, &format!("{long}const another: int = {version};\n"))]);
        save(&mut client, &uri);
        client.wait_until_checked();
    }
    client.change(&uri, 20, &[(None, &mended())]);
    save(&mut client, &uri);
    wait_for_verdict(&mut client, &uri, "proved");
    assert_eq!(in_order(client.findings(&uri).unwrap_or_default()), Vec::<&Finding>::new());
    assert!(client.shown.is_empty(), "{:?}", client.shown);
}
