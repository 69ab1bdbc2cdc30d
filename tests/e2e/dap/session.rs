//! A whole session: breakpoints, going forward and back, looking around, the bug, goodbye.

use expect_test::expect;
use serde_json::{Value, json};

use crate::{Sandbox, expect_lines, opened, scope, stack, text, thread};

#[test]
fn from_the_first_breakpoint_to_the_bug_and_back() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.launched(true);
    let store = sandbox.path("PSrc/Store.p");
    let line = sandbox.line("PSrc/Store.p", "newestEpoch = write");
    // The line above has only a name of a variable in it.
    let wanted = json!([{ "line": sandbox.line("PSrc/Store.p", "var status") }, { "line": line }, { "line": 10_000 }]);
    let placed = client.ask("setBreakpoints", json!({ "source": { "path": store }, "breakpoints": wanted }));
    let placed: Vec<String> = placed["breakpoints"].as_array().unwrap().iter().map(|one| one.to_string()).collect();
    let placed: Vec<String> = placed.iter().map(|one| one.replace(&sandbox.path(""), "")).collect();
    expect_lines(
        &placed,
        &expect![[r#"
        {"id":1,"verified":true,"source":{"name":"Store.p","path":"PSrc/Store.p"},"line":12}
        {"id":2,"verified":true,"source":{"name":"Store.p","path":"PSrc/Store.p"},"line":13}
        {"id":3,"verified":false,"message":"there is no code on this line or below"}
    "#]],
    );
    let stopped = client.go("configurationDone", json!({}));
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("entry"), &json!(1)));

    let lines = json!([{ "line": line }]);
    client.ask("setBreakpoints", json!({ "source": { "path": store }, "breakpoints": lines }));
    let stopped = client.go("continue", json!({ "threadId": 1 }));
    assert_eq!(stopped["reason"], "breakpoint");
    let machine = thread(&mut client, "Store(1.2)");
    assert_eq!(stopped["threadId"], machine);
    let frames = stack(&mut client, machine);
    let names: Vec<String> = frames.iter().map(|(_, frame)| frame.clone()).collect();
    expect_lines(
        &names,
        &expect![[r#"
        Serving: on eWrite Store.p:13
        state Serving Store.p:8
    "#]],
    );
    let (_, locals) = scope(&mut client, frames[0].0, "Locals");
    expect_lines(
        &locals,
        &expect![[r#"
        write = (lease = (holder = Client(1.4), epoch = 2), text = "round 0")
        status = ACCEPTED
    "#]],
    );
    let evaluate = |expression: &str| json!({ "expression": expression, "frameId": frames[0].0, "context": "hover" });
    assert_eq!(client.ask("evaluate", evaluate("write.lease.epoch"))["result"], "2");
    assert_eq!(client.ask("evaluate", evaluate("lines"))["result"], "[]");
    assert_eq!(client.request("evaluate", evaluate("nothing")).unwrap_err(), "`nothing` is no variable here");

    // The statement changes the variable, and going back changes it back.
    let (fields, before) = scope(&mut client, frames[0].0, "Fields");
    let info = client.ask("dataBreakpointInfo", json!({ "variablesReference": fields, "name": "newestEpoch" }));
    assert_eq!(info["description"], "newestEpoch of Store(1.2)");
    client.go("stepIn", json!({ "threadId": machine }));
    let frames = stack(&mut client, machine);
    let (_, after) = scope(&mut client, frames[0].0, "Fields");
    assert_ne!(before, after);
    client.go("stepBack", json!({ "threadId": machine }));
    let frames = stack(&mut client, machine);
    assert_eq!(scope(&mut client, frames[0].0, "Fields").1, before);

    // The other write changes it too, and is the bug.
    client.ask("setBreakpoints", json!({ "source": { "path": store }, "breakpoints": [] }));
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": info["dataId"] }] }));
    let reasons: Vec<Value> = (0..3).map(|_| client.go("continue", json!({ "threadId": 1 }))["reason"].clone()).collect();
    assert_eq!(reasons, ["data breakpoint", "data breakpoint", "exception"]);
    at_the_bug(&mut client);

    let stopped = client.go("reverseContinue", json!({ "threadId": 1 }));
    assert_eq!(stopped["reason"], "data breakpoint");
    client.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
    assert_eq!(client.go("reverseContinue", json!({ "threadId": 1 }))["reason"], "entry");
    client.ask("disconnect", json!({}));
    assert_eq!(client.close().code(), Some(0));
}

/// What is seen where the trace ends.
fn at_the_bug(client: &mut crate::DapClient) {
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert_eq!(info["exceptionId"], "LS3001");
    expect!["WritesAreFenced in Watching: this assertion does not hold: a write was accepted after a newer one"]
        .assert_eq(&text(&info["description"]));
    let spec = thread(client, "WritesAreFenced");
    let frames = stack(client, spec);
    expect!["Watching: on eWriteReply Safety.p:40"].assert_eq(&frames[0].1);
    let (fields, rows) = scope(client, frames[0].0, "Fields");
    expect_lines(
        &rows,
        &expect![[r#"
        holders = {1 -> Client(1.3), 2 -> Client(1.4)}
        newestWrite = 2
    "#]],
    );
    let rows = client.ask("variables", json!({ "variablesReference": fields }));
    let holders = rows["variables"][0]["variablesReference"].as_i64().unwrap();
    expect_lines(
        &opened(client, holders),
        &expect![[r#"
        [1] = Client(1.3)
        [2] = Client(1.4)
    "#]],
    );
    let waiting = thread(client, "Client(1.3)");
    let frames = stack(client, waiting);
    expect_lines(
        &scope(client, frames[0].0, "Inbox").1,
        &expect![[r#"
        [0] = eLeaseExpired(holder = Client(1.3), epoch = 1) from LeaseServer(1.1)
    "#]],
    );
}

#[test]
fn steps_events_and_places_can_be_gone_to() {
    let sandbox = Sandbox::lease();
    let mut client = sandbox.launched(false);
    let names = json!([{ "name": "eLeaseExpired" }, { "name": "eNothing" }]);
    let placed = client.ask("setFunctionBreakpoints", json!({ "breakpoints": names }));
    assert_eq!(placed["breakpoints"][1]["message"], "the program has no event or function `eNothing`");
    let stopped = client.go("configurationDone", json!({}));
    assert_eq!(stopped["reason"], "function breakpoint");
    assert!(text(&stopped["text"]).contains("eLeaseExpired"), "{stopped}");

    let steps = client.ask("lockstep/steps", json!({}));
    let count = steps["steps"].as_array().unwrap().len();
    assert_eq!(steps["bug"]["code"], "LS3001");
    assert_eq!(steps["steps"][1]["text"], "CrashingClients(1) creates LeaseServer(1.1)");
    let stopped = client.go("lockstep/goToStep", json!({ "step": 2 }));
    assert_eq!((&stopped["reason"], &stopped["text"]), (&json!("goto"), &steps["steps"][1]["text"]));
    assert_eq!(client.ask("lockstep/steps", json!({}))["current"], 2);
    assert_eq!(client.go("lockstep/goToStep", json!({ "step": count + 1 }))["reason"], "exception");
    assert!(client.request("lockstep/goToStep", json!({ "step": count + 2 })).is_err());

    let (path, line) = (sandbox.path("PSrc/Store.p"), sandbox.line("PSrc/Store.p", "newestEpoch = write"));
    let targets = client.ask("gotoTargets", json!({ "source": { "path": path }, "line": line }));
    assert_eq!(targets["targets"].as_array().unwrap().len(), 2, "it is reached twice: {targets}");
    assert_eq!(client.go("goto", json!({ "threadId": 1, "targetId": targets["targets"][0]["id"] }))["reason"], "goto");
    let store = thread(&mut client, "Store(1.2)");
    let frames = stack(&mut client, store);
    assert_eq!(frames[0].1, format!("Serving: on eWrite Store.p:{line}"));
    assert_eq!(client.go("restartFrame", json!({ "frameId": frames[0].0 }))["reason"], "goto");
    // What was seen before is another situation.
    assert!(client.request("scopes", json!({ "frameId": frames[0].0 })).is_err());

    // The next thing that this machine does, whatever others do meanwhile.
    client.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    let stopped = client.go("next", json!({ "threadId": store }));
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &json!(store)));
    let stopped = client.go("stepOut", json!({ "threadId": store }));
    assert_eq!((&stopped["reason"], &stopped["threadId"]), (&json!("step"), &json!(store)));
    assert_eq!(client.ask("loadedSources", json!({}))["sources"].as_array().unwrap().len(), 10);
    client.ask("terminate", json!({}));
    client.event("terminated");
    client.ask("disconnect", json!({}));
    assert_eq!(client.close().code(), Some(0));
}
