//! The layout of documents, asked for by an editor.

use serde_json::{Value, json};

use crate::Sandbox;
use crate::lsp::{LspClient, Position, Range};

const UNTIDY: &str = "event  a ;\nfun f() {\nx  = 1;\n    y  = 2;\n}\nmachine M {\n    var x  int;\n}\n";

fn session(text: &str) -> (Sandbox, LspClient, String) {
    let sandbox = Sandbox::new("");
    sandbox.write("a.p", text);
    let mut client = sandbox.session();
    sandbox.open(&mut client, "a.p");
    let uri = sandbox.uri("a.p");
    (sandbox, client, uri)
}

fn options(tab: u32) -> Value {
    json!({ "tabSize": tab, "insertSpaces": true })
}

/// The text after the edits, none of which sees what another has done.
fn edited(text: &str, edits: &Value) -> String {
    let mut text = text.to_owned();
    for edit in edits.as_array().unwrap_or_else(|| panic!("no edits: {edits}")).iter().rev() {
        let Range { start, end } = Range::of(&edit["range"]);
        let range = offset(&text, start)..offset(&text, end);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

/// Of texts without letters that take more than a byte.
fn offset(text: &str, place: Position) -> usize {
    let before: usize = text.split_inclusive('\n').take(place.line as usize).map(str::len).sum();
    before + place.character as usize
}

#[test]
fn a_document_is_laid_out_but_for_what_is_broken() {
    let (_sandbox, mut client, uri) = session(UNTIDY);
    let edits = client.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options(2) }));
    let wanted = "event a;\nfun f() {\n    x = 1;\n    y = 2;\n}\nmachine M {\n    var x  int;\n}\n";
    assert_eq!(edited(UNTIDY, &edits), wanted, "the document's own indentation counts");
    client.change(&uri, 2, &[(None, wanted)]);
    let edits = client.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options(2) }));
    assert_eq!(edits, json!([]));
    client.change(&uri, 3, &[(None, "fun f() {a();b();}")]);
    let edits = client.ask("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options(3) }));
    assert_eq!(edited("fun f() {a();b();}", &edits), "fun f() {\n   a();\n   b();\n}\n", "else that of the editor");
}

#[test]
fn lockstep_toml_counts_more_than_the_editor() {
    let (sandbox, mut client, uri) = session("fun f() {\n  a();\n}\n");
    sandbox.write("lockstep.toml", "[format]\nindent = 4\n");
    let ask = json!({ "textDocument": { "uri": uri }, "options": options(2) });
    let edits = client.ask("textDocument/formatting", ask.clone());
    assert_eq!(edited("fun f() {\n  a();\n}\n", &edits), "fun f() {\n    a();\n}\n");
    sandbox.write("lockstep.toml", "[format]\nindent = 0\n");
    let refused = client.request("textDocument/formatting", ask).unwrap_err();
    assert!(format!("{refused:?}").contains("lockstep.toml"), "{refused:?}");
}

#[test]
fn a_range_is_laid_out_if_nothing_in_it_is_broken() {
    let (_sandbox, mut client, uri) = session(UNTIDY);
    let mut range = |first: u32, last: u32| {
        let range = Range::new(Position::new(first, 0), Position::new(last, 0));
        let ask = json!({ "textDocument": { "uri": uri }, "range": range.json(), "options": options(4) });
        edited(UNTIDY, &client.ask("textDocument/rangeFormatting", ask))
    };
    assert_eq!(range(2, 3), UNTIDY.replace("x  = 1;", "    x = 1;"));
    assert_eq!(range(0, 1), UNTIDY.replace("event  a ;", "event a;"));
    assert_eq!(range(3, 7), UNTIDY);
}

#[test]
fn typing_lays_out_a_statement_a_block_or_a_new_line() {
    let (_sandbox, mut client, uri) = session(UNTIDY);
    let mut typed = |line: u32, character: u32, key: &str| {
        let position = Position::new(line, character).json();
        let ask = json!({ "textDocument": { "uri": uri }, "position": position, "ch": key, "options": options(4) });
        edited(UNTIDY, &client.ask("textDocument/onTypeFormatting", ask))
    };
    assert_eq!(typed(3, 11, ";"), UNTIDY.replace("y  = 2;", "y = 2;"));
    assert_eq!(typed(4, 1, "}"), UNTIDY.replace("x  = 1;", "    x = 1;").replace("y  = 2;", "y = 2;"));
    assert_eq!(typed(2, 0, "\n"), UNTIDY.replace("x  = 1;", "    x  = 1;"));
    assert_eq!(typed(7, 1, "}"), UNTIDY, "the machine is broken");
}
