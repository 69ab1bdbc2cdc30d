//! What is answered belongs to what was said before, whatever else is going on.

use serde_json::{Value, json};

use crate::lsp::{CONTENT_MODIFIED, LspClient, Position, REQUEST_CANCELLED, Range};
use crate::{Sandbox, at, hover_text};

const PAIRS: u32 = 5_000;
const URI: &str = "untitled:order.p";

/// The number in the name of an event, typed anew.
fn renumber(client: &mut LspClient, number: u32) {
    let old = Range::new(Position::new(0, 8), Position::new(0, 13));
    client.change(URI, i64::from(number), &[(Some(old), &format!("{number:05}"))]);
}

fn open(client: &mut LspClient) {
    client.open(URI, "p", 0, "event e_00000: int;\nmachine M { start state S { on e_00000 goto S; } }\n");
}

#[test]
fn an_answer_is_about_the_text_before_the_question() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    open(&mut client);
    let mut stale = 0;
    for number in 1..=PAIRS {
        renumber(&mut client, number);
        let hover = client.ask("textDocument/hover", at(URI, Position::new(0, 9)));
        stale += u32::from(!hover_text(&hover).contains(&format!("e_{number:05}")));
    }
    assert_eq!(stale, 0);
}

/// A question may be overtaken by a change behind it; then it is answered so, and never with a text from before or after.
#[test]
fn questions_and_changes_without_waiting() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    open(&mut client);
    let mut asked = Vec::new();
    for number in 1..=PAIRS {
        renumber(&mut client, number);
        asked.push((number, client.send("textDocument/hover", at(URI, Position::new(0, 9)))));
    }
    let mut answered = 0;
    for (number, id) in asked {
        match client.answer(id) {
            Ok(hover) => {
                answered += 1;
                assert!(hover_text(&hover).contains(&format!("e_{number:05}")), "{number}: {hover}");
            }
            Err(failure) => assert_eq!(failure.code, CONTENT_MODIFIED, "{failure:?}"),
        }
    }
    assert!(answered > 0);
    let found = client.wait_for_version(URI, i64::from(PAIRS));
    assert!(found[0].message.contains("e_00000"), "the event is no longer declared: {found:?}");
}

/// Where a new document belongs is found out while questions about it are already there.
#[test]
fn questions_about_a_document_that_is_only_just_open() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    for nth in 0..50 {
        let uri = format!("untitled:new-{nth}.p");
        client.open(&uri, "p", 1, "event eFirst;\n");
        let first = client.send("textDocument/hover", at(&uri, Position::new(0, 7)));
        client.change(&uri, 1, &[(None, "event eSecond;\n")]);
        let second = client.send("textDocument/hover", at(&uri, Position::new(0, 7)));
        match client.answer(first) {
            Ok(hover) => assert!(hover_text(&hover).contains("eFirst"), "{hover}"),
            Err(failure) => assert_eq!(failure.code, CONTENT_MODIFIED, "{failure:?}"),
        }
        let hover = client.answer(second).unwrap();
        assert!(hover_text(&hover).contains("eSecond"), "{hover}");
    }
}

/// A project that takes a while.
fn large() -> Sandbox {
    let sandbox = Sandbox::new("");
    for file in 0..150 {
        let machines = (0..10).map(|n| {
            format!(
                "event e{file}_{n}: int;\nmachine M{file}_{n} {{\n    var count: int;\n    start state Init {{\n        \
                 on e{file}_{n} do (n: int) {{ count = count + n; }}\n    }}\n    state Other {{ }}\n}}\n"
            )
        });
        sandbox.write(&format!("PSrc/File{file}.p"), machines.collect::<String>());
    }
    sandbox
}

#[test]
fn what_is_taken_back_is_not_done() {
    let sandbox = large();
    let mut client = sandbox.session();
    let slow: Vec<i64> = (0..200).map(|_| client.send("workspace/symbol", json!({ "query": "" }))).collect();
    for id in &slow {
        client.cancel(*id);
    }
    let hover = client.ask("textDocument/hover", at(&sandbox.uri("PSrc/File0.p"), Position::new(0, 7)));
    assert!(hover_text(&hover).contains("event e0_0"), "{hover}");
    let mut cancelled = 0;
    for id in slow {
        match client.answer(id) {
            Ok(_) => {}
            Err(failure) => {
                assert_eq!(failure.code, REQUEST_CANCELLED, "{failure:?}");
                cancelled += 1;
            }
        }
    }
    assert!(cancelled > 100, "only {cancelled} of 200 were stopped");
}

#[test]
fn changes_do_not_wait_for_slow_questions() {
    let sandbox = large();
    let mut client = sandbox.session();
    let slow: Vec<i64> = (0..50).map(|_| client.send("workspace/symbol", json!({ "query": "" }))).collect();
    let uri = sandbox.uri("PSrc/File7.p");
    let text = sandbox.open(&mut client, "PSrc/File7.p");
    for version in 2..30 {
        client.change(&uri, version, &[(None, &format!("event added{version};\n{text}"))]);
    }
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(symbols[0]["name"], "added29");
    for id in slow {
        let found: Value = client.answer(id).unwrap();
        assert_eq!(found.as_array().unwrap().len(), 300, "as many as are shown");
    }
}

/// Of very many only some are sent, and more when more is typed.
#[test]
fn completions_are_not_endless() {
    let sandbox = large();
    let mut client = sandbox.session();
    let uri = sandbox.uri("PSrc/File3.p");
    sandbox.open(&mut client, "PSrc/File3.p");
    let place = Position::new(4, 11);
    let found = client.ask("textDocument/completion", at(&uri, place));
    assert_eq!((&found["isIncomplete"], found["items"].as_array().unwrap().len()), (&json!(true), 500));
    let name = Range::new(place, Position::new(4, 15));
    client.change(&uri, 2, &[(Some(name), "E77")]);
    let found = client.ask("textDocument/completion", at(&uri, Position::new(4, 14)));
    let labels: Vec<&str> = found["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(&labels[..3], ["e77_0", "e77_1", "e77_2"], "{labels:?}");
    assert!(labels.iter().all(|label| label.matches('7').count() > 1), "{labels:?}");
}

/// Who types on is still shown completions: nobody stops to wait for them. The word they replace is that of the text that was asked
/// about.
#[test]
fn completions_follow_typing() {
    let sandbox = large();
    let mut client = sandbox.session();
    let line = "machine User { start state S { entry { goto S; raise e; } } state Second { } }";
    let cursor = Position::new(0, u32::try_from(line.find("raise e").unwrap() + "raise e".len()).unwrap());
    let word = Range::new(Position::new(0, cursor.character - 1), cursor);
    let mut asked = Vec::new();
    for nth in 0..100 {
        // Where the document belongs is still being found out when the question and the next letter are there.
        let uri = format!("untitled:typing-{nth}.p");
        client.open(&uri, "p", 1, &format!("{line}\nevent eWritten: int;\n"));
        asked.push(client.send("textDocument/completion", at(&uri, cursor)));
        client.change(&uri, 2, &[(Some(Range::new(cursor, cursor)), "W")]);
        client.change(&uri, 3, &[(Some(Range::new(Position::new(0, 0), Position::new(0, 0))), "\n")]);
    }
    for id in asked {
        let found = client.answer(id).unwrap();
        let item = found["items"].as_array().unwrap().iter().find(|item| item["label"] == "eWritten").expect("the event");
        assert_eq!(Range::of(&item["textEdit"]["range"]), word, "{item}");
    }
}

#[test]
fn signatures_follow_typing() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let line = "fun twice(a: int, b: int) { twice(1, ); }";
    let cursor = Position::new(0, u32::try_from(line.find(" );").unwrap() + 1).unwrap());
    for nth in 0..50 {
        let uri = format!("untitled:typing-{nth}.p");
        client.open(&uri, "p", 1, line);
        let asked = client.send("textDocument/signatureHelp", at(&uri, cursor));
        client.change(&uri, 2, &[(Some(Range::new(cursor, cursor)), "2")]);
        let help = client.answer(asked).unwrap();
        assert_eq!(help["activeParameter"], 1, "{help}");
    }
}

/// A place whose text has been replaced is no place any more.
#[test]
fn completions_do_not_follow_into_what_is_gone() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    for nth in 0..50 {
        let uri = format!("untitled:gone-{nth}.p");
        client.open(&uri, "p", 1, "event eFirst;\nfun f() { raise e; }\n");
        let asked = client.send("textDocument/completion", at(&uri, Position::new(1, 17)));
        client.change(&uri, 2, &[(None, "\n")]);
        // Answered either way, and never about the wrong text: the question may have been quicker than the change.
        let found = client.answer(asked).unwrap();
        let items = found["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        assert!(items.is_empty() || items.iter().any(|item| item["label"] == "eFirst"), "{found}");
    }
}
