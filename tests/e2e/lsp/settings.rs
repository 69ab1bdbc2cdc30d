//! What the user chooses, by each of the three ways it can come.

use serde_json::{Value, json};

use crate::lsp::{Finding, LspClient};
use crate::{Sandbox, assert_alive};

/// Whether there are lenses, which is a setting.
fn has_lenses(sandbox: &Sandbox, client: &mut LspClient) -> bool {
    let params = json!({ "textDocument": { "uri": sandbox.uri("PSrc/Protocol.p") } });
    !client.ask("textDocument/codeLens", params).is_null()
}

#[test]
fn settings_of_the_first_message() {
    let sandbox = Sandbox::lease();
    let mut hello = sandbox.hello();
    assert!(has_lenses(&sandbox, &mut sandbox.session_with(hello.clone())));
    hello["initializationOptions"] = json!({ "lens": { "enable": false } });
    assert!(!has_lenses(&sandbox, &mut sandbox.session_with(hello.clone())));
    hello["initializationOptions"] = json!({ "lockstep": { "lens": { "enable": false }, "someday": [1, 2] } });
    assert!(!has_lenses(&sandbox, &mut sandbox.session_with(hello)));
}

#[test]
fn settings_that_change() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let set = |client: &mut LspClient, settings: Value| {
        client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    };
    set(&mut client, json!({ "lockstep": { "lens": { "enable": false } } }));
    assert!(!has_lenses(&sandbox, &mut client));
    set(&mut client, json!({ "lockstep": { "lens": { "enable": 7 } } }));
    client.wait("a word about settings that cannot be read", |client| {
        client.shown.iter().any(|text| text.contains("settings cannot be read")).then_some(())
    });
    assert!(!has_lenses(&sandbox, &mut client), "they stay as they were");
    set(&mut client, json!({ "lockstep": {} }));
    assert!(has_lenses(&sandbox, &mut client));
    set(&mut client, Value::Null);
    assert_alive(&mut client);
}

#[test]
fn settings_that_the_server_asks_for() {
    let sandbox = Sandbox::lease();
    let mut hello = sandbox.hello();
    hello["capabilities"]["workspace"]["configuration"] = json!(true);
    let mut client = sandbox.start();
    client.settings = json!({ "lockstep": { "lens": { "enable": false } } });
    client.initialize(hello);
    client.wait_until_checked();
    let asked = |client: &LspClient| client.others.iter().filter(|(method, _)| method == "workspace/configuration").count();
    client.wait("the question", |client| (asked(client) == 1).then_some(()));
    // Its answer is read by the time of the second request at the latest: it was sent before.
    has_lenses(&sandbox, &mut client);
    assert!(!has_lenses(&sandbox, &mut client));
    // Clients of this kind only say that something has changed.
    client.settings = json!({ "lockstep": { "lens": { "enable": true } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    client.wait("the second question", |client| (asked(client) == 2).then_some(()));
    has_lenses(&sandbox, &mut client);
    assert!(has_lenses(&sandbox, &mut client));
}

#[test]
fn warnings_are_switched_off_and_on() {
    let sandbox = Sandbox::lease();
    sandbox.write("PSrc/Unused.p", "fun Unused() { }\n");
    let mut client = sandbox.session();
    let uri = sandbox.uri("PSrc/Unused.p");
    let code = client.findings(&uri).unwrap()[0].code.clone();
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "lockstep": { "allow": [code] } } }));
    client.wait_for_findings(&uri, <[Finding]>::is_empty);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "lockstep": { "allow": [] } } }));
    client.wait_for_findings(&uri, |found| found.len() == 1 && found[0].code == code);
}
