//! Fixes and changes of the code, asked for by an editor, applied, and checked again.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position, Range};
use crate::{Sandbox, codes};

fn session(text: &str) -> (Sandbox, LspClient, String) {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", text);
    let mut client = sandbox.session();
    sandbox.open(&mut client, "a.p");
    let uri = sandbox.uri("a.p");
    (sandbox, client, uri)
}

/// Of texts without letters that take more than a byte.
fn offset(text: &str, place: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(place.line as usize).map(str::len).sum();
    before + place.character as usize
}

fn place(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": at - before.rfind('\n').map_or(0, |at| at + 1) })
}

/// What is offered where `needle` stands.
fn offered(client: &mut LspClient, uri: &str, text: &str, needle: &str, only: Option<&str>) -> Vec<Value> {
    let at = text.find(needle).unwrap_or_else(|| panic!("`{needle}` is not in the text"));
    let range = json!({ "start": place(text, at), "end": place(text, at + needle.len()) });
    let mut context = json!({ "diagnostics": [] });
    if let Some(only) = only {
        context["only"] = json!([only]);
    }
    let answer =
        client.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri }, "range": range, "context": context }));
    answer.as_array().unwrap_or_else(|| panic!("no list: {answer}")).clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

/// The text after the edits that an action makes in it.
fn after(text: &str, action: &Value, uri: &str) -> String {
    let mut text = text.to_owned();
    for edit in action["edit"]["changes"][uri].as_array().unwrap_or_else(|| panic!("no edits: {action}")).iter().rev() {
        let Range { start, end } = Range::of(&edit["range"]);
        text.replace_range(offset(&text, start)..offset(&text, end), edit["newText"].as_str().unwrap());
    }
    text
}

const COUNTER: &str = "\
event eAdd: int;

machine Counter {
    var total: int;

    start state Counting {
        on eAdd do (n: int) {
            total = total + n;
            print total;
        }
    }
}

machine Main {
    start state Init {
        entry {
            send new Counter(), eAdd, 1;
        }
    }
}

test tc [main=Main]: { Main };
";

#[test]
fn a_finding_goes_away_with_its_fix() {
    let (_sandbox, mut client, uri) = session(COUNTER);
    let actions = offered(&mut client, &uri, COUNTER, "total;\n        }", Some("quickfix"));
    assert_eq!(titles(&actions), ["make a text of it"]);
    assert_eq!(actions[0]["isPreferred"], true);
    assert_eq!(actions[0]["diagnostics"][0]["code"], "LS0303");
    let text = after(COUNTER, &actions[0], &uri);
    assert!(text.contains("print format(\"{0}\", total);"), "{text}");
    client.change(&uri, 2, &[(None, &text)]);
    assert_eq!(codes(&client.wait_for_version(&uri, 2)), ["LS0505"]);
    let actions = offered(&mut client, &uri, &text, "{ Main };", None);
    assert_eq!(titles(&actions), ["add `Counter` to the module"]);
    let text = after(&text, &actions[0], &uri);
    assert!(text.ends_with("test tc [main=Main]: { Main, Counter };\n"), "{text}");
    client.change(&uri, 3, &[(None, &text)]);
    assert!(codes(&client.wait_for_version(&uri, 3)).is_empty());
}

#[test]
fn kinds_are_told_and_asked_for() {
    let (_sandbox, mut client, uri) = session(COUNTER);
    let statements = "total = total + n;\n            print total;";
    let all = offered(&mut client, &uri, COUNTER, statements, None);
    let kinds: Vec<&str> = all.iter().map(|action| action["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["quickfix", "refactor.extract"], "{:?}", titles(&all));
    let changes = offered(&mut client, &uri, COUNTER, statements, Some("refactor"));
    assert_eq!(titles(&changes), ["extract function `Extracted`"]);
    assert!(offered(&mut client, &uri, COUNTER, statements, Some("source")).is_empty());
    let named = offered(&mut client, &uri, COUNTER, "(n: int)", None);
    assert_eq!(titles(&named), ["make it a function `OnAdd`"]);
}

#[test]
fn a_warning_can_be_switched_off_last() {
    let text = "fun f(n: int): int {\n    var half: int;\n    return n;\n}\n";
    let (_sandbox, mut client, uri) = session(text);
    let actions = offered(&mut client, &uri, text, "half", None);
    assert_eq!(titles(&actions), ["remove the variable", "switch LS1101 off in this line"]);
    assert_eq!(actions[1].get("isPreferred"), None);
    for (action, number) in actions.iter().zip([2, 4]) {
        client.change(&uri, number, &[(None, &after(text, action, &uri))]);
        assert!(client.wait_for_version(&uri, number).is_empty(), "{action}");
        client.change(&uri, number + 1, &[(None, text)]);
        client.wait_for_version(&uri, number + 1);
    }
}

/// A name that is a word of C#, in another file too.
#[test]
fn a_clash_is_mended_in_the_whole_project() {
    let sandbox = Sandbox::new("");
    let used = "machine Door {\n    start state Open {\n        entry {\n            send this, lock;\n        }\n        ignore lock;\n    }\n}\n";
    sandbox.write("a.p", "event lock;\n");
    sandbox.write("b.p", used);
    let mut client = sandbox.session();
    sandbox.open(&mut client, "a.p");
    let (a, b) = (sandbox.uri("a.p"), sandbox.uri("b.p"));
    let actions = offered(&mut client, &a, "event lock;\n", "lock", None);
    assert_eq!(titles(&actions)[0], "rename it to `eLock` everywhere");
    assert_eq!(after("event lock;\n", &actions[0], &a), "event eLock;\n");
    assert_eq!(after(used, &actions[0], &b), used.replace("lock", "eLock"));
}

#[test]
fn nothing_is_offered_in_broken_text() {
    let text = "machine M {\n    var unused: int;\n    start state S {\n        entry { print \"a\" }\n    }\n}\n";
    let (_sandbox, mut client, uri) = session(text);
    assert!(offered(&mut client, &uri, text, "unused", None).is_empty());
    let actions = offered(&mut client, &uri, text, "\"a\" ", None);
    assert_eq!(titles(&actions), ["write `;`"]);
    client.change(&uri, 2, &[(None, &after(text, &actions[0], &uri))]);
    client.wait_for_version(&uri, 2);
    let text = after(text, &actions[0], &uri);
    let actions = offered(&mut client, &uri, &text, "unused", None);
    assert_eq!(titles(&actions), ["remove the variable", "switch LS1103 off in this line"], "what was hidden shows");
}

#[test]
fn a_file_becomes_part_of_the_project_beside_it() {
    let sandbox = Sandbox::new("");
    let project =
        "<Project>\n  <ProjectName>P</ProjectName>\n  <InputFiles>\n    <PFile>./a.p</PFile>\n  </InputFiles>\n</Project>\n";
    sandbox.write("P.pproj", project);
    sandbox.write("a.p", "event eA;\n");
    sandbox.write("b.p", "event eB;\n");
    let mut client = sandbox.session();
    sandbox.open(&mut client, "b.p");
    let uri = sandbox.uri("b.p");
    let actions = offered(&mut client, &uri, "event eB;\n", "eB", Some("source"));
    assert_eq!(titles(&actions), ["add this file to `P.pproj`"]);
    let text = after(project, &actions[0], &sandbox.uri("P.pproj"));
    assert_eq!(text, project.replace("./a.p</PFile>\n", "./a.p</PFile>\n    <PFile>./b.p</PFile>\n"));
}
