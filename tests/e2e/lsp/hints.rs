//! Notes between the words, and when the client is asked to ask again.

use serde_json::{Value, json};

use crate::Sandbox;
use crate::lsp::{LspClient, Position, Range};

const FILES: &str = "\
//- a.p
event eGo: (id: int, tag: string);
machine Sender {
    start state S { entry { send this, eGo, (id = 1, tag = \"ä😀\"); new Other(); } }
}
//- b.p
machine Other {
    start state S { on eGo do { } }
}
";
const REFRESH: &str = "workspace/inlayHint/refresh";

/// `line:column label` of all notes in a range of lines.
fn hints(client: &mut LspClient, uri: &str, lines: std::ops::Range<u32>) -> Vec<String> {
    let range = Range::new(Position::new(lines.start, 0), Position::new(lines.end, 0));
    let params = json!({ "textDocument": { "uri": uri }, "range": range.json() });
    let found = client.ask("textDocument/inlayHint", params);
    let hint = |hint: &Value| {
        assert_eq!(hint["tooltip"]["kind"], "markdown", "{hint}");
        let Position { line, character } = Position::of(&hint["position"]);
        format!("{line}:{character} {}", hint["label"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(hint).collect()
}

fn refreshes(client: &LspClient) -> usize {
    client.others.iter().filter(|(method, _)| method == REFRESH).count()
}

#[test]
fn hints_of_a_range_as_the_settings_say() {
    let sandbox = Sandbox::new(FILES);
    let mut client = sandbox.session();
    sandbox.open(&mut client, "a.p");
    let uri = sandbox.uri("a.p");
    let send = ["1:14 creates Other", "2:42 : (id: int, tag: string)", "2:66 \u{2192} 1 handler"];
    assert_eq!(hints(&mut client, &uri, 0..5), send);
    assert_eq!(hints(&mut client, &uri, 2..5), send[1..]);
    assert_eq!(hints(&mut client, &uri, 4..5), Vec::<String>::new());
    let mut with = |settings: Value| {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": { "lockstep": settings } }));
        hints(&mut client, &uri, 0..5)
    };
    assert_eq!(with(json!({ "inlayHints": { "payloadTypes": false } })), [send[0], send[2]]);
    assert_eq!(with(json!({ "inlayHints": { "handlers": false, "creates": false } })), [send[1]]);
    // Without lenses the number of handlers stands beside the event itself.
    assert_eq!(with(json!({ "lens": { "enable": false } }))[0], "0:34 \u{2192} 1 handler");
}

#[test]
fn the_client_is_asked_to_ask_again() {
    let sandbox = Sandbox::new(FILES);
    let mut hello = sandbox.hello();
    hello["capabilities"]["workspace"]["inlayHint"] = json!({ "refreshSupport": true });
    let mut client = sandbox.session_with(hello);
    sandbox.open(&mut client, "a.p");
    sandbox.open(&mut client, "b.p");
    client.wait_until_checked();
    let uri = sandbox.uri("a.p");
    assert!(hints(&mut client, &uri, 2..3)[1].ends_with("1 handler"));
    let before = refreshes(&client);
    let more = "machine Other {\n    start state S { on eGo do { } }\n    state T { on eGo do { } }\n}\n";
    client.change(&sandbox.uri("b.p"), 2, &[(None, more)]);
    client.wait("a refresh after an edit in another file", |client| (refreshes(client) > before).then_some(()));
    assert!(hints(&mut client, &uri, 2..3)[1].ends_with("2 handlers"));
    let before = refreshes(&client);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "lockstep": { "inlayHints": { "creates": false } } } }),
    );
    client.wait("a refresh after other settings", |client| (refreshes(client) > before).then_some(()));
}

#[test]
fn typing_that_changes_no_note_elsewhere_asks_for_nothing() {
    let sandbox = Sandbox::new(FILES);
    let mut hello = sandbox.hello();
    hello["capabilities"]["workspace"]["inlayHint"] = json!({ "refreshSupport": true });
    let mut client = sandbox.session_with(hello);
    let text = sandbox.open(&mut client, "b.p");
    let mut refreshed = Vec::new();
    for version in 2..12 {
        // Findings are told when there are others.
        let half = if version % 2 == 0 { "var" } else { "" };
        client.change(&sandbox.uri("b.p"), version, &[(None, &format!("{text}// remark {version}\n{half}"))]);
        client.wait_for_version(&sandbox.uri("b.p"), version);
        refreshed.push(refreshes(&client));
    }
    // The first is about opening the file. Once more the folder may be looked at after the start; typing asks for nothing.
    assert!(refreshed[9] <= refreshed[0] + 2, "{refreshed:?}");
}
