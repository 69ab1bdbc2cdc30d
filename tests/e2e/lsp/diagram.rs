//! Diagrams: of what is around a place, with where its parts lead, while the text changes.

use serde_json::{Value, json};

use crate::lsp::{LspClient, Position};
use crate::{Sandbox, start_of};

const CLIENT: &str = "PSrc/Client.p";

fn diagram(client: &mut LspClient, uri: &str, position: Position, more: &Value) -> Value {
    let mut params = json!({ "uri": uri, "position": position.json() });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    client.ask("lockstep/diagram", params)
}

/// The number of the place that the box of this name leads to.
fn place_of(picture: &str, name: &str) -> usize {
    let before = picture.split(&format!("aria-label=\"state {name}")).next().unwrap();
    let number = before.rsplit("data-place=\"").next().unwrap().split('"').next().unwrap();
    number.parse().unwrap()
}

#[test]
fn the_machine_at_the_cursor_with_the_way_back() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, CLIENT);
    let uri = sandbox.uri(CLIENT);
    let drawn = diagram(&mut client, &uri, start_of(&text, "state Holding"), &json!({}));
    assert_eq!((&drawn["kind"], &drawn["title"], &drawn["isBroken"]), (&json!("machine"), &json!("Client"), &json!(false)));
    let picture = drawn["content"].as_str().unwrap();
    let place = &drawn["places"][place_of(picture, "Holding")];
    let line = start_of(&text, "state Holding").line;
    assert_eq!((&place["uri"], &place["range"]["start"]["line"]), (&json!(uri), &json!(line)));
    let current = drawn["current"].as_u64().unwrap();
    assert!(picture.contains(&format!("data-box=\"{current}\" data-place=\"{}\"", place_of(picture, "Holding"))), "{picture}");
    // Outside of machines, and where it is asked for, the flow.
    for (position, more) in
        [(Position::new(0, 0), json!({})), (start_of(&text, "state Holding"), json!({ "view": "flow", "format": "text" }))]
    {
        let flow = diagram(&mut client, &uri, position, &more);
        assert_eq!((&flow["kind"], &flow["title"]), (&json!("flow"), &json!("Lease")), "{flow}");
    }
}

#[test]
fn a_test_has_its_flow_and_text_has_links() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, "PTst/Tests.p");
    let uri = sandbox.uri("PTst/Tests.p");
    let drawn = diagram(&mut client, &uri, start_of(&text, "test tcOneClient"), &json!({ "format": "text" }));
    assert_eq!(drawn["title"], "tcOneClient");
    let content = drawn["content"].as_str().unwrap();
    assert!(content.contains("● OneClient  (start)") && !content.contains("CrashingClients"), "{content}");
    let links = drawn["links"].as_array().unwrap();
    let line = content.lines().position(|line| line.starts_with("○ Store")).unwrap();
    let link = links.iter().find(|link| link["range"]["start"]["line"] == line).unwrap();
    assert!(link["target"]["uri"].as_str().unwrap().ends_with("PSrc/Store.p"), "{link}");
}

#[test]
fn it_follows_what_is_typed_and_says_when_that_is_broken() {
    let sandbox = Sandbox::new("//- a.p\nevent eGo;\nmachine M { start state A { on eGo goto A; } }\n");
    let mut client = sandbox.session();
    let text = sandbox.open(&mut client, "a.p");
    let uri = sandbox.uri("a.p");
    let half = text.replace("on eGo goto A; }", "on eGo goto A; } state B { on eGo ");
    client.change(&uri, 2, &[(None, &half)]);
    let drawn = diagram(&mut client, &uri, start_of(&half, "state A"), &json!({ "format": "text" }));
    assert_eq!(drawn["isBroken"], true, "{drawn}");
    let whole = half.replace("state B { on eGo ", "state B { on eGo goto A; } ");
    client.change(&uri, 3, &[(None, &whole)]);
    let drawn = diagram(&mut client, &uri, start_of(&whole, "state A"), &json!({ "format": "text" }));
    assert_eq!(drawn["isBroken"], false, "{drawn}");
    assert!(drawn["content"].as_str().unwrap().contains("○ B\n└── eGo ──▶ A"), "{drawn}");
}

#[test]
fn what_has_no_diagram_is_refused() {
    let sandbox = Sandbox::new("//- a.icet\nprocess a { skip; }\n");
    let mut client = sandbox.session();
    sandbox.open(&mut client, "a.icet");
    for uri in [sandbox.uri("a.icet"), sandbox.uri("none.p")] {
        let answer = client.request("lockstep/diagram", json!({ "uri": uri, "position": { "line": 0, "character": 0 } }));
        assert!(answer.is_err(), "{uri}");
    }
}
