//! What is asked right behind the opening of a document is answered in full, whatever has to be found out before.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position};
use crate::lsp_text::{Units, position};
use crate::{Sandbox, at, hover_text};

/// A file whose text on disk says something else than the client.
const ON_DISK: &str = "event eOld;\n";
const OPENED: &str = "\
event eFresh: int;
machine M {
    start state S {
        on eFresh do (n: int) { goto T; }
    }
    state T { }
}
";

fn place(needle: &str, word: &str) -> Position {
    let start = OPENED.find(needle).unwrap();
    position(OPENED, start + needle.find(word).unwrap(), Units::Utf16)
}

/// Opens a document and asks at once, without listening in between.
fn opened_and_asked(client: &mut LspClient, uri: &str) {
    client.open(uri, "p", 1, OPENED);
    let on_event = at(uri, place("on eFresh", "eFresh"));
    let hover = client.send("textDocument/hover", on_event.clone());
    let definition = client.send("textDocument/definition", on_event);
    let completion = client.send("textDocument/completion", at(uri, place("goto T", "T")));
    let symbols = client.send("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let hover = client.answer(hover).unwrap();
    assert!(hover_text(&hover).contains("event eFresh: int"), "{uri}: {hover}");
    let definition = client.answer(definition).unwrap();
    assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": 6 }), "{uri}: {definition}");
    let completion = client.answer(completion).unwrap();
    let labels: Vec<&Value> = completion["items"].as_array().unwrap().iter().map(|item| &item["label"]).collect();
    assert_eq!(labels, ["S", "T"], "{uri}");
    let symbols = client.answer(symbols).unwrap();
    assert_eq!(symbols.as_array().map(Vec::len), Some(2), "{uri}: {symbols}");
}

#[test]
fn before_the_first_look_at_the_disk() {
    let sandbox = Sandbox::lease();
    sandbox.write("PSrc/Fresh.p", ON_DISK);
    for name in ["PSrc/Fresh.p", "PSrc/NotSaved.p", "elsewhere/Alone.p"] {
        let mut client = sandbox.start();
        client.initialize(sandbox.hello());
        opened_and_asked(&mut client, &sandbox.uri(name));
    }
}

#[test]
fn in_a_session_that_knows_nothing_of_the_file() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    for name in ["PSrc/NotSaved.p", "elsewhere/Alone.p"] {
        opened_and_asked(&mut client, &sandbox.uri(name));
        client.close(&sandbox.uri(name));
    }
    opened_and_asked(&mut client, "untitled:Untitled-1");
}

#[test]
fn without_a_folder() {
    let sandbox = Sandbox::new(&format!("//- Fresh.p\n{ON_DISK}"));
    let mut client = sandbox.start();
    client.initialize(json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    opened_and_asked(&mut client, &sandbox.uri("Fresh.p"));
}

/// The other files of a project are read with the one that is open, but nobody has asked for them until they are opened.
#[test]
fn in_the_project_of_another_document() {
    let sandbox = Sandbox::new(&format!(
        "\
//- App.pproj
<Project><ProjectName>App</ProjectName><InputFiles><PFile>Main.p</PFile><PFile>Fresh.p</PFile></InputFiles></Project>
//- Main.p
machine Main {{ start state Begin {{ }} }}
//- Fresh.p
{ON_DISK}"
    ));
    let mut client = sandbox.start();
    client.initialize(json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    sandbox.open(&mut client, "Main.p");
    client.wait_for_version(&sandbox.uri("Main.p"), 1);
    // Often, because the disk is looked at quickly.
    for _ in 0..30 {
        opened_and_asked(&mut client, &sandbox.uri("Fresh.p"));
        client.close(&sandbox.uri("Fresh.p"));
        client.wait_until_checked();
    }
}

/// What could not be read from disk is what the client says it is.
#[cfg(unix)]
#[test]
fn although_the_file_cannot_be_read() {
    let sandbox = Sandbox::lease();
    let path = sandbox.path("PSrc/Fresh.p");
    std::os::unix::fs::symlink(sandbox.path("nowhere.p"), &path).unwrap();
    let mut client = sandbox.session();
    opened_and_asked(&mut client, &sandbox.uri("PSrc/Fresh.p"));
}

#[test]
fn what_was_told_of_a_closed_file_is_told_again_when_it_is_opened() {
    let sandbox = Sandbox::new("//- App.p\nevent eGo;\nfun f() { send null as machine, eGo, 1; }\n");
    let mut client = sandbox.session();
    let uri = sandbox.uri("App.p");
    let before = client.findings(&uri).expect("a finding of the closed file").to_vec();
    assert!(!before.is_empty());
    sandbox.open(&mut client, "App.p");
    assert_eq!(client.wait_for_version(&uri, 1), before);
}
