//! The hierarchy of calls, over the wire: items go to the client and come back.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Range};
use crate::lsp_text::{Units, range_of};
use crate::{Sandbox, at, start_of};

const CLIENT: &str = "PSrc/Client.p";

/// `name (detail) at lines` of calls.
fn shown(calls: &Value, end: &str) -> Vec<String> {
    let call = |call: &Value| {
        let lines: Vec<String> =
            call["fromRanges"].as_array().unwrap().iter().map(|range| Range::of(range).start.line.to_string()).collect();
        let text = |name: &str| call[end][name].as_str().unwrap_or_default().to_owned();
        format!("{} ({}) at {}", text("name"), text("detail"), lines.join(", "))
    };
    calls.as_array().unwrap().iter().map(call).collect()
}

fn prepare(client: &mut LspClient, uri: &str, text: &str, needle: &str) -> Value {
    let found = client.ask("textDocument/prepareCallHierarchy", at(uri, start_of(text, needle)));
    found.as_array().unwrap_or_else(|| panic!("nothing at `{needle}`"))[0].clone()
}

fn incoming(client: &mut LspClient, item: &Value) -> Value {
    client.ask("callHierarchy/incomingCalls", json!({ "item": item }))
}

fn outgoing(client: &mut LspClient, item: &Value) -> Value {
    client.ask("callHierarchy/outgoingCalls", json!({ "item": item }))
}

#[test]
fn who_sends_and_who_handles_an_event() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, CLIENT);
    let event = prepare(&mut client, &sandbox.uri(CLIENT), &text, "eLeaseRequest, (client");
    let event_symbol = 24;
    assert_eq!((&event["name"], &event["kind"]), (&json!("eLeaseRequest"), &json!(event_symbol)));
    assert_eq!(event["uri"], sandbox.uri("PSrc/Protocol.p"), "it is declared in another file");
    let senders = incoming(&mut client, &event);
    assert_eq!(shown(&senders, "from"), ["Client.Waiting entry (sends) at 24"]);
    assert_eq!(Range::of(&senders[0]["fromRanges"][0]), range_of(&text, "eLeaseRequest", Units::Utf16));
    let handlers = outgoing(&mut client, &event);
    let names: Vec<String> =
        shown(&handlers, "to").iter().filter_map(|call| Some(call.split(") at").next()?.to_owned())).collect();
    assert!(names.contains(&"LeaseServer.Free on eLeaseRequest (handles".to_owned()), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("(observes")), "{names:?}");
    // What was found can be asked about in turn.
    let entry = &senders[0]["from"];
    assert_eq!(shown(&outgoing(&mut client, entry), "to").len(), 2, "an event and a state");
    let further = shown(&incoming(&mut client, entry), "from");
    assert!(further.iter().all(|call| call.starts_with("Client.") && call.contains("(enters)")), "{further:?}");
    assert_eq!(further.len(), 3, "{further:?}");
}

#[test]
fn who_creates_a_machine_in_other_files() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, CLIENT);
    let machine = prepare(&mut client, &sandbox.uri(CLIENT), &text, "Client {");
    let creators = incoming(&mut client, &machine);
    assert!(!shown(&creators, "from").is_empty());
    assert!(creators.as_array().unwrap().iter().all(|call| call["from"]["uri"] == sandbox.uri("PTst/Drivers.p")), "{creators}");
}

#[test]
fn what_has_changed_meanwhile_is_not_mistaken_for_something_else() {
    let sandbox = Sandbox::new("//- a.p\nfun f() { }\nfun g() { f(); }\n");
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, "a.p");
    let uri = sandbox.uri("a.p");
    let function = prepare(&mut client, &uri, &text, "f() { }");
    assert_eq!(shown(&incoming(&mut client, &function), "from"), ["g (calls) at 1"]);
    client.change(&uri, 2, &[(None, "fun h() { }\nfun g() { f(); h(); }\n")]);
    assert_eq!(incoming(&mut client, &function), Value::Null, "another function stands there now");
    client.change(&uri, 3, &[(None, "fun f() { }\nfun g() { f(); f(); }\nfun h() { f(")]);
    assert_eq!(shown(&incoming(&mut client, &function), "from"), ["g (calls) at 1, 1"], "half written");
    let nothing = client.ask("textDocument/prepareCallHierarchy", at(&uri, crate::lsp::Position::new(0, 0)));
    assert_eq!(nothing, Value::Null);
}
