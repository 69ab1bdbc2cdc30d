//! Documents and the files behind them: open, unsaved, outside of every folder.

use serde_json::json;

use crate::lsp::{Finding, Position, Range, file_uri};
use crate::{Sandbox, assert_alive, at, codes, hover_text, messages};

const TWO: &str = "
//- Shop.pproj
<Project>
    <ProjectName>Shop</ProjectName>
    <InputFiles><PFile>./</PFile></InputFiles>
    <Target>PChecker</Target>
</Project>
//- A.p
event eOrder: int;
//- B.p
machine Seller {
    start state Open { on eOrder do (n: int) { } }
}
";

#[test]
fn findings_of_files_that_are_not_open() {
    let sandbox = Sandbox::lease();
    sandbox.write("PSrc/Wrong.p", "fun Wrong(): int { return true; }\n");
    let client = sandbox.session();
    let found = client.findings(&sandbox.uri("PSrc/Wrong.p")).unwrap();
    assert_eq!(codes(found), ["LS0304"], "{found:?}");
    let about: Vec<&String> = client.published.keys().collect();
    assert_eq!(about, [&sandbox.uri("PSrc/Wrong.p")], "nothing is said of files that are fine");
    assert_eq!(client.statuses.last().unwrap()["errors"], 1);
}

/// A change in one document shows in another that is not open, and goes again.
#[test]
fn a_change_shows_in_other_files() {
    let sandbox = Sandbox::new(TWO);
    let mut client = sandbox.session();
    let (a, b) = (sandbox.uri("A.p"), sandbox.uri("B.p"));
    let text = sandbox.open(&mut client, "A.p");
    client.change(&a, 2, &[(None, "event eOrders: int;\n")]);
    let found = client.wait_for_findings(&b, |found| !found.is_empty());
    assert_eq!(codes(&found), ["LS0106"], "{found:?}");
    assert_eq!(client.published[&b].version, None);
    client.change(&a, 3, &[(None, &text)]);
    client.wait_for_findings(&b, <[Finding]>::is_empty);
    assert_eq!(client.shut_down().code(), Some(0));
}

/// What was typed and not saved is forgotten.
#[test]
fn closing_goes_back_to_what_is_on_disk() {
    let sandbox = Sandbox::new(TWO);
    let mut client = sandbox.session();
    let (a, b) = (sandbox.uri("A.p"), sandbox.uri("B.p"));
    sandbox.open(&mut client, "A.p");
    client.change(&a, 2, &[(None, "event eOrders: int;\nevent eOrders: int;\n")]);
    client.wait_for_findings(&b, |found| !found.is_empty());
    client.wait_for_findings(&a, |found| !found.is_empty());
    client.close(&a);
    client.wait_for_findings(&a, <[Finding]>::is_empty);
    client.wait_for_findings(&b, <[Finding]>::is_empty);
    let report = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": a } }));
    assert_eq!(report[0]["name"], "eOrder", "a closed file can be asked about");
}

/// Requests right behind the opening of a document that nobody knew see it.
#[test]
fn unsaved_documents_are_programs_of_their_own() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let (one, two) = ("untitled:Untitled-1", "untitled:Untitled-2");
    client.open(one, "p", 1, "event eHere;\nfun f() { raise eHere; }\n");
    let hover = client.ask("textDocument/hover", at(one, Position::new(1, 18)));
    assert!(hover_text(&hover).contains("event eHere"), "{hover}");
    assert_eq!(codes(&client.wait_for_version(one, 1)), [""; 0]);
    client.open(two, "icet", 7, "set Nodes;\nprocess p in Nodes { skip }\n");
    client.wait_for_findings(two, |found| !found.is_empty());
    client.change(one, 2, &[(Some(Range::new(Position::new(0, 6), Position::new(0, 11))), "eThere")]);
    let found = client.wait_for_version(one, 2);
    assert_eq!(codes(&found), ["LS0110"], "{found:?}");
    client.close(one);
    client.wait_for_findings(one, <[Finding]>::is_empty);
    client.close(two);
    client.wait_for_findings(two, <[Finding]>::is_empty);
    let after = client.ask("textDocument/hover", at(one, Position::new(1, 18)));
    assert!(after.is_null(), "{after}");
}

/// A new file that was never saved belongs to the project whose folder it is in, as soon as it is there.
#[test]
fn a_file_is_opened_before_it_exists() {
    let sandbox = Sandbox::new(TWO);
    let mut client = sandbox.session();
    let uri = sandbox.uri("C.p");
    client.open(&uri, "p", 1, "fun f() { raise eOrder, 1; }\n");
    client.wait_for_version(&uri, 1);
    sandbox.write("C.p", "fun f() { raise eOrder, 1; }\n");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] }));
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
    client.change(&uri, 2, &[(None, "fun f() { raise eOrders, 1; }\n")]);
    let found = client.wait_for_version(&uri, 2);
    assert_eq!(codes(&found), ["LS0110"], "{found:?}");
}

#[test]
fn a_single_file_without_any_folder() {
    let sandbox = Sandbox::new("//- alone/One.p\nevent eOne;\nfun f() { raise eTwo; }\n");
    let mut client = sandbox.session_with(json!({ "capabilities": {} }));
    let uri = sandbox.uri("alone/One.p");
    sandbox.open(&mut client, "alone/One.p");
    let found = client.wait_for_version(&uri, 1);
    assert_eq!(codes(&found), ["LS0110"], "{found:?}");
    client.close(&uri);
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
}

/// The project that a file belongs to counts, though its folder is not open; only what was asked for is told.
#[test]
fn a_single_file_of_a_project_elsewhere() {
    let sandbox = Sandbox::new(TWO);
    sandbox.write(
        "B.p",
        "machine Seller {\n    start state Open { on eOrders do (n: int) { } }\n}\nfun g(): int { return true; }\n",
    );
    let other = Sandbox::new("//- x.icet\nset S;\n");
    let mut client = other.session();
    let uri = sandbox.uri("A.p");
    sandbox.open(&mut client, "A.p");
    assert_eq!(codes(&client.wait_for_version(&uri, 1)), [""; 0]);
    let mut place = at(&uri, Position::new(0, 7));
    place["context"] = json!({ "includeDeclaration": true });
    assert_eq!(client.ask("textDocument/references", place).as_array().unwrap().len(), 1);
    assert_eq!(client.findings(&sandbox.uri("B.p")), None, "nobody asked for it");
    sandbox.open(&mut client, "B.p");
    let found = client.wait_for_version(&sandbox.uri("B.p"), 1);
    assert_eq!(codes(&found), ["LS0106", "LS0304"], "now somebody does: {found:?}");
}

/// An editor may know a file by a way through a link.
#[test]
#[cfg(unix)]
fn a_link_leads_to_the_same_file() {
    let sandbox = Sandbox::new(TWO);
    let link = sandbox.root().with_file_name("link");
    std::os::unix::fs::symlink(sandbox.root(), &link).unwrap();
    let mut client = sandbox.session();
    let (a, b) = (file_uri(&link.join("A.p")), sandbox.uri("B.p"));
    client.open(&a, "p", 1, "event eOther;\n");
    client.wait_for_findings(&b, |found| codes(found) == ["LS0106"]);
    // Also when there is no file behind the link any more, or again.
    std::fs::remove_file(sandbox.path("A.p")).unwrap();
    client.change(&a, 2, &[(None, "event eOther;\nevent eOther;\n")]);
    let found = client.wait_for_version(&a, 2);
    assert!(messages(&found)[0].contains("eOther"), "{found:?}");
    sandbox.write("A.p", "");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": sandbox.uri("A.p"), "type": 1 }] }));
    client.change(&a, 3, &[(None, "event eOrder: int;\n")]);
    client.wait_for_findings(&b, <[Finding]>::is_empty);
    client.wait_for_findings(&a, <[Finding]>::is_empty);
    client.close(&a);
    client.wait_for_findings(&b, |found| codes(found) == ["LS0106"]);
}

/// The same text gives the same findings: nothing is sent again.
#[test]
fn what_has_not_changed_is_not_told_again() {
    let sandbox = Sandbox::new(TWO);
    let mut client = sandbox.session();
    let a = sandbox.uri("A.p");
    client.open(&a, "p", 1, "event eOrder: int;\nfun f() { raise eOther; }\n");
    client.wait_for_version(&a, 1);
    let times = client.published[&a].times;
    client.change(&a, 2, &[(Some(Range::new(Position::new(1, 25), Position::new(1, 25))), " // a remark")]);
    client.change(&a, 3, &[(Some(Range::new(Position::new(1, 0), Position::new(1, 0))), "\n")]);
    let found = client.wait_for_version(&a, 3);
    assert_eq!(found[0].range.start, Position::new(2, 16));
    assert_eq!(client.published[&a].times, times + 1);
    assert_alive(&mut client);
}

/// A client that asks for findings itself is not told those of its documents unasked.
#[test]
fn findings_are_pulled_or_pushed_but_not_both() {
    let sandbox = Sandbox::new(TWO);
    sandbox.write("B.p", "machine Seller {\n    start state Open { on eOrders do (n: int) { } }\n}\n");
    let mut hello = sandbox.hello();
    hello["initializationOptions"] = json!({ "diagnostics": "pull" });
    let mut client = sandbox.start();
    let result = client.initialize(hello);
    assert_eq!(result["capabilities"]["diagnosticProvider"]["interFileDependencies"], true);
    client.wait_until_checked();
    let (a, b) = (sandbox.uri("A.p"), sandbox.uri("B.p"));
    assert_eq!(codes(client.findings(&b).unwrap()), ["LS0106"], "a file that is not open");
    sandbox.open(&mut client, "B.p");
    client.wait_for_findings(&b, <[Finding]>::is_empty);
    let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": b } }));
    assert_eq!(codes(&Finding::all(&report["items"])), ["LS0106"], "{report}");
    client.open(&a, "p", 1, "event eOrders: int;\n");
    let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": b } }));
    assert_eq!(report["items"], json!([]));
    client.open(&a, "p", 1, "event eOrder: int;\n");
    client.wait_until_checked();
    assert_eq!(client.findings(&a), None);
    client.close(&b);
    client.wait_for_findings(&b, |found| codes(found) == ["LS0106"]);
}
