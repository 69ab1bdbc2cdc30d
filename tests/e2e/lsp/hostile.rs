//! What should not happen and does: the server answers with an error or not at all, and goes on.

use serde_json::{Value, json};

use crate::lsp::{Finding, INVALID_PARAMS, METHOD_NOT_FOUND, Position, Range};
use crate::{Sandbox, assert_alive, at, codes};

#[test]
fn messages_about_documents_that_are_not_open() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri("PSrc/Client.p");
    client.change(&uri, 2, &[(None, "nonsense")]);
    client.close(&uri);
    client.close("untitled:never");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    client.change("untitled:never", 2, &[(None, "nonsense")]);
    client.wait("a note in the log", |client| client.logged.iter().any(|text| text.contains("Client.p")).then_some(()));
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(symbols[1]["name"], "Client", "as it is on disk");
    for uri in [sandbox.uri("PSrc/Nowhere.p"), "untitled:never".to_owned(), "http://example.com/a.p".to_owned()] {
        for method in ["textDocument/hover", "textDocument/definition", "textDocument/completion"] {
            assert_eq!(client.ask(method, at(&uri, Position::new(0, 0))), Value::Null, "{method} {uri}");
        }
    }
    assert_alive(&mut client);
}

#[test]
fn places_that_do_not_exist() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = sandbox.uri("PSrc/Timer.p");
    let text = sandbox.open(&mut client, "PSrc/Timer.p");
    for place in
        [Position::new(0, u32::MAX), Position::new(u32::MAX, 0), Position::new(u32::MAX, u32::MAX), Position::new(9, 500)]
    {
        for method in ["hover", "definition", "completion", "signatureHelp", "references", "documentHighlight", "typeDefinition"]
        {
            let mut params = at(&uri, place);
            if method == "references" {
                params["context"] = json!({ "includeDeclaration": true });
            }
            client.ask(&format!("textDocument/{method}"), params);
        }
        let positions = json!([place.json()]);
        client.ask("textDocument/selectionRange", json!({ "textDocument": { "uri": uri }, "positions": positions }));
    }
    // An end before the start, and an end far behind the text.
    let backwards = Range::new(Position::new(4, 0), Position::new(3, 0));
    client.change(&uri, 2, &[(Some(backwards), "")]);
    let endless = Range::new(Position::new(u32::MAX, 7), Position::new(u32::MAX, u32::MAX));
    client.change(&uri, 3, &[(Some(endless), "event eLast;\n")]);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert!(text.contains("event eStartTimer"));
    assert_eq!((names[0], *names.last().unwrap()), ("eCancelTimer", "eLast"), "the line between was deleted: {names:?}");
}

#[test]
fn methods_that_do_not_exist() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let failure = client.request("textDocument/telepathy", json!({})).unwrap_err();
    assert_eq!(failure.code, METHOD_NOT_FOUND);
    client.notify("textDocument/didTelepathy", json!({}));
    client.notify("$/whatever", json!([1]));
    client.notify("$/setTrace", json!({ "value": "verbose" }));
    client.notify("$/cancelRequest", json!({ "id": 123_456 }));
    client.notify("window/workDoneProgress/cancel", json!({ "token": "no such thing" }));
    assert_alive(&mut client);
}

#[test]
fn messages_that_make_no_sense() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    for method in ["textDocument/hover", "textDocument/rename", "workspace/symbol", "lockstep/explain"] {
        for params in [json!(null), json!([]), json!({ "textDocument": 7 }), json!("text")] {
            let failure = client.request(method, params.clone()).unwrap_err();
            assert_eq!(failure.code, INVALID_PARAMS, "{method} {params}");
        }
    }
    for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "workspace/didChangeWatchedFiles"] {
        client.notify(method, json!({ "textDocument": 7 }));
        client.notify(method, Value::Null);
    }
    for body in
        ["{", "", "[]", "nul", "7", "{\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}", "\"\u{0}\""]
    {
        client.send_body(body);
    }
    client.send_bytes(b"Content-Length: 2\r\n\r\n\xff\xfe");
    client.send_bytes(b"Content-Length: zwei\r\n\r\n");
    client.send_bytes(b"Something: else\r\n\r\n");
    assert_alive(&mut client);
    assert!(!client.complaints.is_empty());
    // An answer to nothing.
    client.send_body(&json!({ "jsonrpc": "2.0", "id": 99, "result": {} }).to_string());
    assert_alive(&mut client);
    assert_eq!(client.shut_down().code(), Some(0));
}

/// The same document opened again is the new one; versions may go backwards.
#[test]
fn a_document_that_is_opened_twice() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = "untitled:twice.p";
    client.open(uri, "p", 5, "event a;\n");
    client.open(uri, "p", 1, "event b;\n");
    client.change(uri, 1, &[(Some(Range::new(Position::new(1, 0), Position::new(1, 0))), "event c;\n")]);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["b", "c"]);
    client.change(uri, 2, &[]);
    assert_alive(&mut client);
}

/// The ending of a file's name says what is in it; what the client calls it does not matter then.
#[test]
fn a_language_that_does_not_fit_the_file() {
    let sandbox = Sandbox::new("//- a.p\nevent e;\n//- b.icet\ntype S;\n");
    let mut client = sandbox.session();
    let (p, icet) = (sandbox.uri("a.p"), sandbox.uri("b.icet"));
    client.open(&p, "icet", 1, "event e;\n");
    client.open(&icet, "p", 1, "type S;\n");
    client.change(&p, 2, &[(None, "event e;\nfun f() { raise e; }\n")]);
    client.change(&icet, 2, &[(None, "type S;\ntype T;\n")]);
    for uri in [&p, &icet] {
        let report = client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
        assert_eq!(report["items"], json!([]), "{uri}");
    }
    client.open("untitled:x", "P", 1, "event");
    client.close("untitled:x");
    assert_alive(&mut client);
}

#[test]
fn a_file_of_fifty_megabytes() {
    let sandbox = Sandbox::new("//- small/Small.p\nfun f() { raise eNone; }\n");
    let line = "// Nothing but remarks, as long as the eye can see, and then some more of them behind.\n";
    let large = format!("{}event eLast;\nfun f() {{ raise eNone; }}\n", line.repeat(50_000_000 / line.len()));
    sandbox.write("large/Large.p", &large);
    let mut client = sandbox.session();
    let (uri, last) = (sandbox.uri("large/Large.p"), u32::try_from(50_000_000 / line.len()).unwrap());
    assert_eq!(codes(client.findings(&uri).unwrap()), ["LS0110"]);
    client.open(&uri, "p", 1, &large);
    client.change(&uri, 2, &[(Some(Range::new(Position::new(last, 6), Position::new(last, 11))), "eNone")]);
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
    let hover = client.ask("textDocument/hover", at(&uri, Position::new(last, 8)));
    assert!(crate::hover_text(&hover).contains("event eNone"), "{hover}");
    assert_eq!(codes(client.findings(&sandbox.uri("small/Small.p")).unwrap()), ["LS0110"]);
}

/// As deep as a program can be, and deeper.
#[test]
fn programs_that_are_very_deep() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let uri = "untitled:deep.p";
    for depth in [2_000, 100_000] {
        let text = format!("fun f(): int {{ return {}1{}; }}\n", "(".repeat(depth), ")".repeat(depth));
        client.open(uri, "p", 1, &text);
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "diagnostic"] {
            client.ask(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri } }));
        }
        let middle = Position::new(0, u32::try_from(22 + depth).unwrap());
        for method in ["hover", "completion", "signatureHelp"] {
            client.ask(&format!("textDocument/{method}"), at(uri, middle));
        }
        client.ask("textDocument/selectionRange", json!({ "textDocument": { "uri": uri }, "positions": [middle.json()] }));
    }
    client.close(uri);
    assert_eq!(client.shown, [""; 0], "no mistake of ours");
}

#[test]
#[cfg(unix)]
fn links_in_circles_and_files_that_cannot_be_read() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let sandbox = Sandbox::new("//- a/A.p\nfun f() { raise eNone; }\n//- b/B.p\nevent e;\n");
    symlink(sandbox.path("a"), sandbox.path("a/again")).unwrap();
    symlink(sandbox.root(), sandbox.path("b/up")).unwrap();
    symlink(sandbox.path("b/self.p"), sandbox.path("b/self.p")).unwrap();
    symlink(sandbox.path("nowhere.p"), sandbox.path("b/gone.p")).unwrap();
    sandbox.write("b/Secret.p", "event s;\n");
    std::fs::set_permissions(sandbox.path("b/Secret.p"), std::fs::Permissions::from_mode(0o000)).unwrap();
    std::fs::create_dir(sandbox.path("b/Folder.p")).unwrap();
    sandbox.write("b/Latin1.p", b"// \xe9\nevent l;\n");
    for by_client in [true, false] {
        let mut hello = sandbox.hello();
        if !by_client {
            hello["capabilities"] = json!({});
        }
        let mut client = sandbox.session_with(hello);
        assert_eq!(codes(client.findings(&sandbox.uri("a/A.p")).unwrap()), ["LS0110"]);
        assert_eq!(codes(client.findings(&sandbox.uri("b/Latin1.p")).unwrap()), ["LS0007"]);
        assert_alive(&mut client);
    }
}
