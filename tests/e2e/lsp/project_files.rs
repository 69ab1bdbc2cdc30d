//! Project files as documents: links, completion, hovers, and files that are renamed.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position, Range};
use crate::lsp_text::{Units, range_of};
use crate::{Sandbox, at, hover_text, start_of};

const FILES: &str = "\
//- app/app.pproj
<Project>
  <ProjectName>App</ProjectName>
  <IncludeProject>../common/common.pproj</IncludeProject>
  <InputFiles>
    <PFile>./PSrc/</PFile>
    <PFile>main.p</PFile>
    <PFile>gone.p</PFile>
  </InputFiles>
</Project>
//- app/main.p
event eMain;
//- app/PSrc/a.p
event eA;
//- common/common.pproj
<Project>
  <ProjectName>Common</ProjectName>
  <InputFiles>
    <PFile>PSrc/shared.p</PFile>
    <PFile>../app/main.p</PFile>
  </InputFiles>
</Project>
//- common/PSrc/shared.p
event eShared;
";
const APP: &str = "app/app.pproj";

fn opened() -> (Sandbox, LspClient, String) {
    let sandbox = Sandbox::new(FILES);
    let mut client = sandbox.session();
    let text = sandbox.read(APP);
    client.open(&sandbox.uri(APP), "xml", 1, &text);
    (sandbox, client, text)
}

#[test]
fn links_and_what_leads_nowhere() {
    let (sandbox, mut client, text) = opened();
    let links = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": sandbox.uri(APP) } }));
    let found: Vec<(Range, String)> = links
        .as_array()
        .unwrap()
        .iter()
        .map(|link| (Range::of(&link["range"]), link["target"].as_str().unwrap().to_owned()))
        .collect();
    let wanted = [
        ("../common/common.pproj", sandbox.uri("common/common.pproj")),
        ("./PSrc/", sandbox.uri("app/PSrc")),
        ("main.p", sandbox.uri("app/main.p")),
    ];
    assert_eq!(found, wanted.map(|(written, target)| (range_of(&text, written, Units::Utf16), target)));
    let warned = client.wait_for_findings(&sandbox.uri(APP), |found| found.len() == 1);
    assert_eq!((warned[0].code.as_str(), warned[0].range), ("LS0011", range_of(&text, "gone.p", Units::Utf16)));
    let none = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": sandbox.uri("app/main.p") } }));
    assert_eq!(none, Value::Null, "only project files have links");
}

fn labels(found: &Value) -> Vec<&str> {
    found["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn completion_and_hover() {
    let (sandbox, mut client, text) = opened();
    let uri = sandbox.uri(APP);
    let found = client.ask("textDocument/completion", at(&uri, start_of(&text, "main.p")));
    assert_eq!(labels(&found), ["PSrc/", "main.p", "../"]);
    let hover = client.ask("textDocument/hover", at(&uri, start_of(&text, "InputFiles>\n    <PFile>./")));
    assert!(hover_text(&hover).contains("`PFile`"), "{hover}");
    let hover = client.ask("textDocument/hover", at(&uri, start_of(&text, "main.p")));
    assert!(hover_text(&hover).ends_with("app/main.p`"), "{hover}");
    // While it is typed.
    let half = "<Project>\n  <ProjectName>App</ProjectName>\n  <InputFiles>\n    <";
    client.change(&uri, 2, &[(None, half)]);
    let found = client.ask("textDocument/completion", at(&uri, Position::new(3, 5)));
    assert_eq!(labels(&found), ["PFile"]);
    assert_eq!(found["items"][0]["textEdit"]["newText"], "PFile></PFile>", "this client knows no snippets");
    client.change(&uri, 3, &[(None, &format!("{half}PFile>PSrc/"))]);
    let found = client.ask("textDocument/completion", at(&uri, Position::new(3, 16)));
    assert_eq!(labels(&found), ["a.p"]);
}

/// What asks for completion in project files is an operator in programs.
#[test]
fn operators_of_programs_ask_for_nothing() {
    let sandbox = Sandbox::new("//- a.p\nfun f(n: int): int { return n / 1; }\n");
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, "a.p");
    let mut params = at(&sandbox.uri("a.p"), start_of(&text, " 1;"));
    assert!(!labels(&client.ask("textDocument/completion", params.clone())).is_empty());
    params["context"] = json!({ "triggerKind": 2, "triggerCharacter": "/" });
    assert_eq!(client.ask("textDocument/completion", params), Value::Null);
}

fn will_rename(sandbox: &Sandbox, client: &mut LspClient, moves: &[(&str, &str)]) -> Value {
    let files: Vec<Value> =
        moves.iter().map(|(from, to)| json!({ "oldUri": sandbox.uri(from), "newUri": sandbox.uri(to) })).collect();
    client.ask("workspace/willRenameFiles", json!({ "files": files }))
}

/// The new texts in the changes of a project file.
fn changes(edit: &Value, uri: &str) -> Vec<String> {
    let edits = edit["changes"][uri].as_array().cloned().unwrap_or_default();
    edits.iter().map(|edit| edit["newText"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn files_that_are_renamed_keep_their_projects() {
    let (sandbox, mut client, text) = opened();
    let common = sandbox.uri("common/common.pproj");
    let edit = will_rename(&sandbox, &mut client, &[("app/main.p", "app/PSrc/driver.p")]);
    assert_eq!(changes(&edit, &sandbox.uri(APP)), ["PSrc/driver.p"]);
    assert_eq!(changes(&edit, &common), ["../app/PSrc/driver.p"], "another project names it too");
    let range = Range::of(&edit["changes"][sandbox.uri(APP)][0]["range"]);
    assert_eq!(range, range_of(&text, "main.p", Units::Utf16));
    let edit = will_rename(&sandbox, &mut client, &[("common", "lib")]);
    assert_eq!(changes(&edit, &sandbox.uri(APP)), ["../lib/common.pproj"]);
    assert_eq!(changes(&edit, &common), Vec::<String>::new(), "it moves with its files");
    let edit = will_rename(&sandbox, &mut client, &[("app/PSrc/a.p", "app/PSrc/b.p")]);
    assert_eq!(edit, Value::Null, "its folder is named, and stays");
    // What is typed and not saved counts.
    client.change(&sandbox.uri(APP), 2, &[(None, &text.replace("main.p", "./main.p"))]);
    let edit = will_rename(&sandbox, &mut client, &[("app/main.p", "app/x.p")]);
    assert_eq!(changes(&edit, &sandbox.uri(APP)), ["./x.p"]);
}

/// The whole way: the client applies the changes, renames the file and tells of it; nothing is missing then.
#[test]
fn after_a_rename_nothing_is_missing() {
    let (sandbox, mut client, text) = opened();
    let edit = will_rename(&sandbox, &mut client, &[("app/main.p", "app/driver.p")]);
    let new = text.replace("main.p", &changes(&edit, &sandbox.uri(APP))[0]).replace("    <PFile>gone.p</PFile>\n", "");
    client.change(&sandbox.uri(APP), 2, &[(None, &new)]);
    sandbox.write(APP, &new);
    let common =
        sandbox.read("common/common.pproj").replace("../app/main.p", &changes(&edit, &sandbox.uri("common/common.pproj"))[0]);
    sandbox.write("common/common.pproj", common);
    std::fs::rename(sandbox.path("app/main.p"), sandbox.path("app/driver.p")).unwrap();
    let event = |name: &str, typ: i64| json!({ "uri": sandbox.uri(name), "type": typ });
    let changed = [event("app/main.p", 3), event("app/driver.p", 1), event("common/common.pproj", 2)];
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changed }));
    client.wait_for_findings(&sandbox.uri(APP), <[_]>::is_empty);
    let hover = client.ask("textDocument/hover", at(&sandbox.uri("app/driver.p"), Position::new(0, 7)));
    assert!(hover_text(&hover).contains("event eMain"), "{hover}");
}

#[test]
fn what_makes_no_sense_is_answered_with_nothing() {
    let (_, mut client, _) = opened();
    for (old, new) in [("", ""), ("untitled:a.p", "file:///b.p"), ("no address", "file:///%zz")] {
        let params = json!({ "files": [{ "oldUri": old, "newUri": new }] });
        assert_eq!(client.ask("workspace/willRenameFiles", params), Value::Null);
    }
}
