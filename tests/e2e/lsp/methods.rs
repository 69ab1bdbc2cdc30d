//! Every method answers something sensible, on the sample project and on an IceT program.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position, Range};
use crate::lsp_text::{Units, range_of};
use crate::{Sandbox, at, codes, hover_text, messages, programs, start_of};

const CLIENT: &str = "PSrc/Client.p";
const PROTOCOL: &str = "PSrc/Protocol.p";

fn lease() -> (Sandbox, LspClient, String) {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, CLIENT);
    (sandbox, client, text)
}

/// `name:line:column` of places.
fn places(sandbox: &Sandbox, locations: &Value) -> Vec<String> {
    let all = if locations.is_array() { locations.as_array().unwrap().clone() } else { vec![locations.clone()] };
    let root = format!("{}/", sandbox.uri(""));
    let place = |location: &Value| {
        let Position { line, character } = Range::of(&location["range"]).start;
        let uri = location["uri"].as_str().unwrap_or_else(|| panic!("no place: {locations}"));
        format!("{}:{line}:{character}", uri.trim_start_matches(root.trim_end_matches('/')).trim_start_matches('/'))
    };
    all.iter().map(place).collect()
}

fn inside(text: &str, needle: &str, word: &str) -> Position {
    let start = text.find(needle).unwrap_or_else(|| panic!("`{needle}` is not in the text"));
    let offset = start + needle.find(word).unwrap();
    crate::lsp_text::position(text, offset, Units::Utf16)
}

#[test]
fn from_names_to_places() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    let request = at(&uri, inside(&text, "config.server, eLeaseRequest", "eLeaseRequest"));
    for method in ["textDocument/definition", "textDocument/declaration"] {
        let found = client.ask(method, request.clone());
        assert_eq!(places(&sandbox, &found), ["PSrc/Protocol.p:15:6"], "{method}");
    }
    let value = at(&uri, inside(&text, "lease = granted", "lease"));
    let found = client.ask("textDocument/typeDefinition", value.clone());
    assert_eq!(places(&sandbox, &found), ["PSrc/Protocol.p:8:5"]);
    let mut of_value = value;
    of_value["context"] = json!({ "includeDeclaration": true });
    let found = client.ask("textDocument/references", of_value);
    assert!(places(&sandbox, &found).iter().all(|place| place.starts_with(CLIENT)), "{found}");
    let mut of_event = request;
    of_event["context"] = json!({ "includeDeclaration": true });
    let with = places(&sandbox, &client.ask("textDocument/references", of_event.clone()));
    of_event["context"] = json!({ "includeDeclaration": false });
    let without = places(&sandbox, &client.ask("textDocument/references", of_event));
    let uses: Vec<&String> = with.iter().filter(|place| *place != "PSrc/Protocol.p:15:6").collect();
    assert_eq!(uses, without.iter().collect::<Vec<_>>());
    let files: std::collections::BTreeSet<&str> = without.iter().filter_map(|place| place.split(':').next()).collect();
    assert_eq!(files.into_iter().collect::<Vec<_>>(), ["PSpec/Liveness.p", CLIENT, "PSrc/LeaseServer.p"]);
}

#[test]
fn fields_of_tuples() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    let field = at(&uri, inside(&text, "given.rounds", "rounds"));
    let found = client.ask("textDocument/definition", field.clone());
    assert_eq!(places(&sandbox, &found), ["PSrc/Client.p:3:57"]);
    let hover = client.ask("textDocument/hover", field.clone());
    assert_eq!(hover_text(&hover), "```p\nrounds: int\n```\n\nfield of `tClientConfig`");
    let mut with = field.clone();
    with["context"] = json!({ "includeDeclaration": true });
    let files: std::collections::BTreeSet<String> = places(&sandbox, &client.ask("textDocument/references", with))
        .iter()
        .filter_map(|place| Some(place.split(':').next()?.to_owned()))
        .collect();
    assert!(files.len() > 1, "who creates clients gives them their rounds: {files:?}");
    let prepared = client.ask("textDocument/prepareRename", field.clone());
    assert_eq!(prepared["placeholder"], "rounds");
    let mut taken = field;
    taken["newName"] = json!("store");
    let refused = client.request("textDocument/rename", taken).unwrap_err();
    assert!(refused.message.contains("has a field `store` already"), "{refused:?}");
}

#[test]
fn implementations_of_an_event_are_its_handlers() {
    let (sandbox, mut client, text) = lease();
    let found =
        client.ask("textDocument/implementation", at(&sandbox.uri(CLIENT), inside(&text, "server, eLeaseReleased", "eLease")));
    let found = places(&sandbox, &found);
    assert!(found.iter().any(|place| place.starts_with("PSrc/LeaseServer.p")), "{found:?}");
}

#[test]
fn highlights_tell_reading_from_writing() {
    let (sandbox, mut client, text) = lease();
    let found =
        client.ask("textDocument/documentHighlight", at(&sandbox.uri(CLIENT), inside(&text, "roundsLeft = given", "rounds")));
    let kinds: Vec<i64> = found.as_array().unwrap().iter().map(|highlight| highlight["kind"].as_i64().unwrap()).collect();
    let (text, read, write) = (1, 2, 3);
    assert_eq!(kinds, [text, write, read, write, read, read]);
}

#[test]
fn hover_shows_what_a_name_is() {
    let (sandbox, mut client, text) = lease();
    let hover = client.ask("textDocument/hover", at(&sandbox.uri(CLIENT), inside(&text, "on eLeaseGranted", "eLease")));
    assert!(hover_text(&hover).contains("event eLeaseGranted: tLease"), "{hover}");
    assert_eq!(Range::of(&hover["range"]), range_of(&text, "eLeaseGranted", Units::Utf16));
    let nothing = client.ask("textDocument/hover", at(&sandbox.uri(CLIENT), Position::new(4, 0)));
    assert_eq!(nothing, Value::Null);
}

#[test]
fn completion_replaces_the_word_at_the_cursor() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    let word = range_of(&text, "eWrite, (", Units::Utf16).start;
    let cursor = Position::new(word.line, word.character + 3);
    let found = client.ask("textDocument/completion", at(&uri, cursor));
    let items = found["items"].as_array().unwrap();
    let item = items.iter().find(|item| item["label"] == "eWriteReply").unwrap();
    let whole = Position::new(word.line, word.character + 6);
    assert_eq!(Range::of(&item["textEdit"]["range"]), Range::new(word, whole), "{item}");
    assert!(items.iter().all(|item| item["label"] != "Waiting"), "a state is no event");
    let after_goto = inside(&text, "goto Waiting", "Waiting");
    let found = client.ask("textDocument/completion", at(&uri, after_goto));
    let labels: Vec<&str> = found["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["Crashed", "Done", "Holding", "Init", "Waiting"]);
}

#[test]
fn signature_help_follows_the_cursor() {
    let (sandbox, mut client, _) = lease();
    let text = sandbox.open(&mut client, "PSrc/LeaseServer.p");
    let place = inside(&text, "StartTimer(timer, current.epoch)", "current");
    let help = client.ask("textDocument/signatureHelp", at(&sandbox.uri("PSrc/LeaseServer.p"), place));
    let label = help["signatures"][0]["label"].as_str().unwrap();
    assert!(label.contains("StartTimer(timer: Timer, ticket: int)"), "{label}");
    assert_eq!(help["activeParameter"], 1);
    let offsets = &help["signatures"][0]["parameters"][1]["label"];
    let (from, to) = (offsets[0].as_u64().unwrap(), offsets[1].as_u64().unwrap());
    assert_eq!(&label[usize::try_from(from).unwrap()..usize::try_from(to).unwrap()], "ticket: int");
}

#[test]
fn symbols_of_a_document_and_of_all() {
    let (sandbox, mut client, text) = lease();
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": sandbox.uri(CLIENT) } }));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["tClientConfig", "Client"]);
    let children = symbols[1]["children"].as_array().unwrap();
    assert!(children.iter().any(|child| child["name"] == "Holding"), "{symbols}");
    assert_eq!(Range::of(&symbols[1]["selectionRange"]).start, inside(&text, "machine Client {", "Client"));
    let found = client.ask("workspace/symbol", json!({ "query": "elsexp" }));
    assert_eq!((&found[0]["name"], found.as_array().unwrap().len()), (&json!("eLeaseExpired"), 1));
    let found = client.ask("workspace/symbol", json!({ "query": "nothing is called like this" }));
    assert_eq!(found, json!([]));
}

#[test]
fn renaming_changes_every_file_and_breaks_nothing() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    let place = at(&uri, inside(&text, "on eLeaseExpired do", "eLease"));
    let prepared = client.ask("textDocument/prepareRename", place.clone());
    assert_eq!(prepared["placeholder"], "eLeaseExpired");
    let mut rename = place.clone();
    rename["newName"] = json!("eLeaseOver");
    let edit = client.ask("textDocument/rename", rename);
    let mut texts = BTreeMap::new();
    for (uri, edits) in edit["changes"].as_object().unwrap() {
        let name = uri.strip_prefix(&sandbox.uri("")).unwrap().to_owned();
        let mut text = sandbox.read(&name);
        let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(Range::of(&edit["range"])));
        for edit in edits {
            assert_eq!(edit["newText"], "eLeaseOver");
            let Range { start, .. } = Range::of(&edit["range"]);
            let line_start: usize = text.split_inclusive('\n').take(start.line as usize).map(str::len).sum();
            let from = line_start + start.character as usize;
            text.replace_range(from..from + "eLeaseExpired".len(), "eLeaseOver");
        }
        assert!(!text.contains("eLeaseExpired"), "{name}");
        texts.insert(name, text);
    }
    assert!(texts.len() > 2, "{:?}", texts.keys());
    for (name, text) in &texts {
        client.open(&sandbox.uri(name), "p", 2, text);
    }
    for name in texts.keys() {
        let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": sandbox.uri(name) } }));
        assert_eq!(report["items"], json!([]), "{name}");
    }
    let mut clash = place;
    clash["newName"] = json!("Client");
    assert!(client.request("textDocument/rename", clash).is_err(), "the name is taken");
}

#[test]
fn folds_and_growing_selections() {
    let (sandbox, mut client, text) = lease();
    let document = json!({ "uri": sandbox.uri(CLIENT) });
    let folds = client.ask("textDocument/foldingRange", json!({ "textDocument": document }));
    let folds = folds.as_array().unwrap();
    assert!(folds.iter().any(|fold| fold["kind"] == "comment"), "{folds:?}");
    assert!(folds.iter().any(|fold| fold["startLine"] == 5 && fold["kind"].is_null()), "the machine: {folds:?}");
    let cursor = inside(&text, "given.rounds", "rounds");
    let grown = client.ask("textDocument/selectionRange", json!({ "textDocument": document, "positions": [cursor.json()] }));
    let mut ranges = Vec::new();
    let mut inner = &grown[0];
    while !inner.is_null() {
        ranges.push(Range::of(&inner["range"]));
        inner = &inner["parent"];
    }
    assert!(ranges.len() > 4, "{ranges:?}");
    assert!(ranges.windows(2).all(|pair| pair[1].start <= pair[0].start && pair[0].end <= pair[1].end), "{ranges:?}");
}

#[test]
fn colours_by_meaning() {
    let (sandbox, mut client, text) = lease();
    let document = json!({ "uri": sandbox.uri(CLIENT) });
    let all = tokens(&client.ask("textDocument/semanticTokens/full", json!({ "textDocument": document })));
    let event = range_of(&text, "eLeaseGranted", Units::Utf16);
    let kind = all.iter().find(|(start, ..)| *start == event.start).map(|(_, length, kind)| (*length, *kind));
    assert_eq!(kind, Some((13, 3)), "an event");
    let line = Range::new(Position::new(event.start.line, 0), Position::new(event.start.line + 1, 0));
    let some = client.ask("textDocument/semanticTokens/range", json!({ "textDocument": document, "range": line.json() }));
    assert_eq!(tokens(&some).len(), 2, "an event and a state");
}

/// Place, length and kind of each.
fn tokens(answer: &Value) -> Vec<(Position, u64, u64)> {
    let numbers: Vec<u64> = answer["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    let mut last = Position::new(0, 0);
    let each = numbers.chunks(5).map(|token| {
        let (lines, columns) = (u32::try_from(token[0]).unwrap(), u32::try_from(token[1]).unwrap());
        last = if lines == 0 {
            Position::new(last.line, last.character + columns)
        } else {
            Position::new(last.line + lines, columns)
        };
        (last, token[2], token[3])
    });
    each.collect()
}

#[test]
fn lenses_count_uses() {
    let (sandbox, mut client, _) = lease();
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": sandbox.uri(PROTOCOL) } }));
    let titles: Vec<&str> = lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles.len(), 12, "two for each event: {titles:?}");
    assert_eq!(titles[0], "sent in 1 place");
    let places = lenses[0]["command"]["arguments"][2].as_array().unwrap();
    assert_eq!(places.len(), 1);
}

#[test]
fn a_typo_has_a_fix() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    let broken = text.replace("goto Crashed", "goto Crashd");
    client.change(&uri, 2, &[(None, &broken)]);
    let found = client.wait_for_version(&uri, 2);
    assert_eq!(found.len(), 1, "{found:?}");
    let range = range_of(&broken, "Crashd;", Units::Utf16);
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": { "uri": uri }, "range": range.json(), "context": context });
    let actions = client.ask("textDocument/codeAction", params);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], "Crashed", "{actions}");
    assert_eq!(actions[0]["kind"], "quickfix");
    client.change(&uri, 3, &[(Some(Range::of(&edit["range"])), "Crashed")]);
    assert_eq!(messages(&client.wait_for_version(&uri, 3)), [""; 0]);
}

#[test]
fn findings_can_be_asked_for() {
    let (sandbox, mut client, text) = lease();
    let uri = sandbox.uri(CLIENT);
    client.change(&uri, 2, &[(None, &text.replace("goto Crashed", "goto Nowhere"))]);
    let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    assert_eq!((&report["kind"], report["items"].as_array().unwrap().len()), (&json!("full"), 1), "{report}");
    let again = json!({ "textDocument": { "uri": uri }, "previousResultId": report["resultId"] });
    assert_eq!(client.ask("textDocument/diagnostic", again)["kind"], "unchanged");
}

#[test]
fn methods_of_our_own() {
    let (sandbox, mut client, _) = lease();
    let tests = client.ask("lockstep/tests", Value::Null);
    let tests = tests["tests"].as_array().unwrap();
    assert_eq!(tests[0]["name"], "tcOneClient");
    assert_eq!(places(&sandbox, &tests[0]), ["PTst/Tests.p:1:5"]);
    assert!(tests.iter().filter(|test| test["base"] == "tcMatrix").count() > 3, "a matrix of tests");
    let explained = client.ask("lockstep/explain", json!({ "code": "ls0105" }));
    assert!(explained["markdown"].as_str().unwrap().starts_with("# LS0105"), "{explained}");
    assert!(client.request("lockstep/explain", json!({ "code": "LS9999" })).is_err());
    let stats = client.ask("lockstep/stats", Value::Null);
    assert_eq!((&stats["projects"], &stats["encoding"]), (&json!(["Lease"]), &json!("utf16")), "{stats}");
    assert_eq!(stats["methods"]["lockstep/tests"]["count"], 1);
    assert_eq!(stats["lastPanic"], Value::Null);
}

#[test]
fn everything_works_for_icet() {
    let sandbox = Sandbox::new("");
    let text = std::fs::read_to_string(programs().join("icet/two_phase_commit.icet")).unwrap();
    sandbox.write("commit.icet", &text);
    let mut client = sandbox.session();
    sandbox.open(&mut client, "commit.icet");
    let uri = sandbox.uri("commit.icet");
    assert_eq!(codes(&client.wait_for_version(&uri, 1)), [""; 0]);
    let declared = start_of(&text, "Vote(yes: bool)");
    let used = at(&uri, start_of(&text, "Vote(vote)"));
    let found = client.ask("textDocument/definition", used.clone());
    assert_eq!(Range::of(&found["range"]).start, declared);
    assert!(hover_text(&client.ask("textDocument/hover", used.clone())).contains("message Vote(yes: bool)"));
    let mut references = used.clone();
    references["context"] = json!({ "includeDeclaration": false });
    assert_eq!(client.ask("textDocument/references", references).as_array().unwrap().len(), 2);
    assert_eq!(client.ask("textDocument/documentHighlight", used.clone()).as_array().unwrap().len(), 3);
    assert!(!client.ask("textDocument/completion", used.clone())["items"].as_array().unwrap().is_empty());
    let inside = Position::new(start_of(&text, "Vote(vote)").line, start_of(&text, "Vote(vote)").character + 5);
    assert_eq!(client.ask("textDocument/signatureHelp", at(&uri, inside))["activeParameter"], 0);
    assert_eq!(client.ask("textDocument/prepareRename", used.clone())["placeholder"], "Vote");
    let mut rename = used.clone();
    rename["newName"] = json!("Ballot");
    assert_eq!(client.ask("textDocument/rename", rename)["changes"][&uri].as_array().unwrap().len(), 3);
    let document = json!({ "textDocument": { "uri": uri } });
    for method in ["textDocument/documentSymbol", "textDocument/foldingRange"] {
        assert!(!client.ask(method, document.clone()).as_array().unwrap().is_empty(), "{method}");
    }
    assert!(!tokens(&client.ask("textDocument/semanticTokens/full", document.clone())).is_empty());
    let selection = json!({ "textDocument": { "uri": uri }, "positions": [inside.json()] });
    assert!(client.ask("textDocument/selectionRange", selection)[0]["parent"].is_object());
    assert_eq!(client.ask("textDocument/codeLens", document.clone()).as_array().unwrap().len(), 1);
    for method in ["textDocument/typeDefinition", "textDocument/implementation"] {
        assert_eq!(client.ask(method, used.clone()), Value::Null, "{method}");
    }
    client.change(&uri, 2, &[(None, &text.replace("havoc vote;", "havoc vote"))]);
    assert_eq!(client.wait_for_version(&uri, 2).len(), 1);
    let actions =
        json!({ "textDocument": { "uri": uri }, "range": Range::new(inside, inside).json(), "context": { "diagnostics": [] } });
    assert!(client.ask("textDocument/codeAction", actions).is_array());
}

/// A program of somebody else's language is not ours to judge.
#[test]
fn documents_of_other_languages_are_passed_over() {
    let (sandbox, mut client, _) = lease();
    let uri = sandbox.uri("notes.md");
    client.open(&uri, "markdown", 1, "# event e");
    for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/signatureHelp"] {
        assert_eq!(client.ask(method, at(&uri, Position::new(0, 3))), Value::Null, "{method}");
    }
    client.change(&uri, 2, &[(None, "event e")]);
    client.close(&uri);
    assert!(!client.published.contains_key(&uri));
}
