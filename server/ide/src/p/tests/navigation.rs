//! From names to places: definitions, references, highlights.

use expect_test::{Expect, expect};

use super::{Fixture, PROGRAM, program_at};
use crate::p::{definition, highlights, implementations, references, type_definition};

fn check_definition(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let found = definition(&fixture.db, fixture.here(), fixture.offset);
    expected.assert_eq(&found.map_or_else(|| "nothing".to_owned(), |(_, place)| fixture.shown(place)));
}

fn check_references(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let found = references(&fixture.db, fixture.here(), fixture.offset, true);
    expected.assert_eq(&fixture.shown_all(found));
}

fn check_type(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let found = type_definition(&fixture.db, fixture.here(), fixture.offset);
    expected.assert_eq(&found.map_or_else(|| "nothing".to_owned(), |place| fixture.shown(place)));
}

fn check_implementations(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let found = implementations(&fixture.db, fixture.here(), fixture.offset);
    expected.assert_eq(&fixture.shown_all(found));
}

fn check_highlights(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let shown = highlights(&fixture.db, fixture.here(), fixture.offset).into_iter().map(|found| {
        let place = crate::p::FilePlace { file: fixture.file, range: found.range };
        format!("{:?} {}", found.kind, fixture.shown(place))
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn definitions_of_globals() {
    check_definition(
        &program_at("eRequest, (client", 0),
        &expect![[r#"
        types.p:6:7 event <eRequest>: tRequest;
    "#]],
    );
    check_definition(
        &program_at("Server;", 0),
        &expect![[r#"
        server.p:2:9 machine <Server> {
    "#]],
    );
    check_definition(
        &program_at("BUSY;", 0),
        &expect![[r#"
        types.p:3:20 enum tStatus { OK, <BUSY> }
    "#]],
    );
    check_definition(
        &program_at("Next(0)", 0),
        &expect![[r#"
        server.p:26:5 fun <Next>(n: int): int { return n + 1; }
    "#]],
    );
    check_definition(
        &program_at("nRequests)", 0),
        &expect![[r#"
        types.p:11:17 param nClients, <nRequests>: int;
    "#]],
    );
    check_definition(
        &program_at("Answers in", 0),
        &expect![[r#"
        client.p:18:6 spec <Answers> observes eRequest, eResponse {
    "#]],
    );
    check_definition(
        &program_at("system, { Driver });", 0),
        &expect![[r#"
        test.p:4:8 module <system> = { Server, Client };
    "#]],
    );
    check_definition(
        &program_at("Asker }", 0),
        &expect![[r#"
        client.p:1:11 interface <Asker> (Server) receives eResponse;
    "#]],
    );
    check_definition(
        &program_at("isFast in", 0),
        &expect![[r#"
        types.p:12:7 param <isFast>: bool;
    "#]],
    );
}

#[test]
fn definitions_of_members_and_locals() {
    check_definition(
        &program_at("Answer;", 0),
        &expect![[r#"
        server.p:17:7 fun <Answer>(request: tRequest) {
    "#]],
    );
    check_definition(
        &program_at("Busy with", 0),
        &expect![[r#"
        server.p:9:9 state <Busy> {
    "#]],
    );
    check_definition(
        &program_at("served == ", 0),
        &expect![[r#"
        server.p:3:7 var <served>: int;
    "#]],
    );
    check_definition(
        &program_at("request.id", 0),
        &expect![[r#"
        server.p:17:14 fun Answer(<request>: tRequest) {
    "#]],
    );
    check_definition(
        &program_at("status);", 0),
        &expect![[r#"
        server.p:18:9 var <status>: tStatus;
    "#]],
    );
    check_definition(
        &program_at("response.id", 0),
        &expect![[r#"
        client.p:11:26 case eResponse: (<response>: (id: int, status: tStatus)) { assert response.id == number; }
    "#]],
    );
    check_definition(
        &program_at("to_ask;", 0),
        &expect![[r#"
        client.p:5:12 entry (<to_ask>: Server) {
    "#]],
    );
}

#[test]
fn a_declaration_leads_to_itself_and_its_end_counts() {
    check_definition(
        "machine M$0 { start state S { } }",
        &expect![[r#"
        1:9 machine <M> { start state S { } }
    "#]],
    );
    check_definition(
        "event e; machine M { start state S { on e do { raise e$0; } } }",
        &expect![[r#"
        1:7 event <e>; machine M { start state S { on e do { raise e; } } }
    "#]],
    );
}

#[test]
fn no_definition_of_words_and_comments() {
    check_definition(&program_at("machine Server", 0), &expect!["nothing"]);
    check_definition(&program_at("Answers requests", 0), &expect!["nothing"]);
    check_definition("fun f() { unknown$0 = 1; }", &expect!["nothing"]);
}

#[test]
fn inner_names_hide_outer_ones() {
    let source = "event x;\nmachine M {\n  var x: int;\n  start state S { entry { raise x$0; } }\n  fun f(x: int) {\n    receive { case halt: { var x: bool; x = true; } }\n    x = 1;\n  }\n  fun g() { x = 2; }\n}\nfun h() { raise x; }";
    check_definition(
        source,
        &expect![[r#"
        3:7 var <x>: int;
    "#]],
    );
    check_definition(
        &source.replace("$0", "").replacen("x = true", "$0x = true", 1),
        &expect![[r#"
        6:32 receive { case halt: { var <x>: bool; x = true; } }
    "#]],
    );
    check_definition(
        &source.replace("$0", "").replacen("x = 1", "$0x = 1", 1),
        &expect![[r#"
        5:9 fun f(<x>: int) {
    "#]],
    );
    check_definition(
        &source.replace("$0", "").replacen("x = 2", "$0x = 2", 1),
        &expect![[r#"
        3:7 var <x>: int;
    "#]],
    );
    check_definition(
        &source.replace("$0", "").replace("h() { raise x", "h() { raise $0x"),
        &expect![[r#"
        1:7 event <x>;
    "#]],
    );
}

#[test]
fn references_to_globals() {
    check_references(
        &program_at("eRequest: tRequest", 0),
        &expect![[r#"
        types.p:6:7 event <eRequest>: tRequest;
        types.p:10:19 eventset sAll = { <eRequest>, eResponse };
        server.p:6:8 on <eRequest> do Answer;
        server.p:10:11 defer <eRequest>;
        client.p:9:20 send server, <eRequest>, (client = this, id = number);
        client.p:18:23 spec Answers observes <eRequest>, eResponse {
        client.p:20:31 start cold state Quiet { on <eRequest> goto Waiting; ignore eResponse; }
        client.p:21:79 hot state Waiting { on eResponse do { open = open - 1; goto Quiet; } ignore <eRequest>; }
    "#]],
    );
    check_references(
        &program_at("Server {", 0),
        &expect![[r#"
        server.p:2:9 machine <Server> {
        client.p:1:18 interface Asker (<Server>) receives eResponse;
        client.p:3:15 var server: <Server>;
        client.p:5:20 entry (to_ask: <Server>) {
        test.p:2:42 start state Init { entry { var server: <Server>; server = new Server(); new Client(server); } }
        test.p:2:63 start state Init { entry { var server: Server; server = new <Server>(); new Client(server); } }
        test.p:4:19 module system = { <Server>, Client };
    "#]],
    );
    check_references(
        &program_at("OK, BUSY", 0),
        &expect![[r#"
        types.p:3:16 enum tStatus { <OK>, BUSY }
        server.p:21:65 if (served == nRequests) { status = BUSY; } else { status = <OK>; }
    "#]],
    );
    check_references(
        &program_at("nClients, ", 0),
        &expect![[r#"
        types.p:11:7 param <nClients>, nRequests: int;
        test.p:6:13 test param (<nClients> in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Answers in (union system, { Driver });
    "#]],
    );
    check_references(
        &program_at("Answers observes", 0),
        &expect![[r#"
        client.p:18:6 spec <Answers> observes eRequest, eResponse {
        test.p:6:91 test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert <Answers> in (union system, { Driver });
    "#]],
    );
    check_references(
        &program_at("system =", 0),
        &expect![[r#"
        test.p:4:8 module <system> = { Server, Client };
        test.p:6:109 test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Answers in (union <system>, { Driver });
        test.p:7:35 test tcOne [main = Driver]: union <system>, { Driver };
    "#]],
    );
    check_references(
        &program_at("tcAll", 0),
        &expect![[r#"
        test.p:6:61 test param (nClients in [1, 2, 3], isFast in [true, false]) <tcAll> [main = Driver]: assert Answers in (union system, { Driver });
    "#]],
    );
    check_references(
        &program_at("Next(n", 0),
        &expect![[r#"
        server.p:26:5 fun <Next>(n: int): int { return n + 1; }
        server.p:20:14 served = <Next>(served);
        client.p:8:16 number = <Next>(0);
    "#]],
    );
    check_references(
        &program_at("tStatus {", 0),
        &expect![[r#"
        types.p:3:6 enum <tStatus> { OK, BUSY }
        types.p:7:36 event eResponse: (id: int, status: <tStatus>);
        server.p:18:17 var status: <tStatus>;
        client.p:11:54 case eResponse: (response: (id: int, status: <tStatus>)) { assert response.id == number; }
    "#]],
    );
}

#[test]
fn references_to_members_and_locals() {
    check_references(
        &program_at("Answer(", 0),
        &expect![[r#"
        server.p:17:7 fun <Answer>(request: tRequest) {
        server.p:6:20 on eRequest do <Answer>;
    "#]],
    );
    check_references(
        &program_at("Idle {", 0),
        &expect![[r#"
        server.p:5:15 start state <Idle> {
        server.p:14:12 goto <Idle>;
    "#]],
    );
    check_references(
        &program_at("served: int", 0),
        &expect![[r#"
        server.p:3:7 var <served>: int;
        server.p:7:31 on eTick goto Busy with { <served> = 0; }
        server.p:13:11 if (<served> > nRequests) { raise eTick; }
        server.p:20:5 <served> = Next(served);
        server.p:20:19 served = Next(<served>);
        server.p:21:9 if (<served> == nRequests) { status = BUSY; } else { status = OK; }
    "#]],
    );
    check_references(
        &program_at("status: tStatus;", 0),
        &expect![[r#"
        server.p:18:9 var <status>: tStatus;
        server.p:21:32 if (served == nRequests) { <status> = BUSY; } else { status = OK; }
        server.p:21:56 if (served == nRequests) { status = BUSY; } else { <status> = OK; }
        server.p:22:64 send request.client, eResponse, (id = request.id, status = <status>);
    "#]],
    );
    check_references(
        &program_at("request: tRequest) {", 0),
        &expect![[r#"
        server.p:17:14 fun Answer(<request>: tRequest) {
        server.p:19:12 last = <request>;
        server.p:22:10 send <request>.client, eResponse, (id = request.id, status = status);
        server.p:22:43 send request.client, eResponse, (id = <request>.id, status = status);
    "#]],
    );
}

#[test]
fn references_without_the_declaration() {
    let fixture = Fixture::new(&program_at("eTick;", 0));
    let found = references(&fixture.db, fixture.here(), fixture.offset, false);
    expect![[r#"
        server.p:7:8 on <eTick> goto Busy with { served = 0; }
        server.p:11:12 ignore <eTick>;
        server.p:13:39 if (served > nRequests) { raise <eTick>; }
        client.p:13:16 announce <eTick>;
    "#]]
    .assert_eq(&fixture.shown_all(found));
}

#[test]
fn types() {
    check_type(
        &program_at("eRequest;", 0),
        &expect![[r#"
        types.p:2:6 type <tRequest> = (client: Client, id: int);
    "#]],
    );
    check_type(
        &program_at("last = ", 0),
        &expect![[r#"
        types.p:2:6 type <tRequest> = (client: Client, id: int);
    "#]],
    );
    check_type(
        &program_at("request;", 0),
        &expect![[r#"
        types.p:2:6 type <tRequest> = (client: Client, id: int);
    "#]],
    );
    check_type(
        &program_at("status = BUSY", 0),
        &expect![[r#"
        types.p:3:6 enum <tStatus> { OK, BUSY }
    "#]],
    );
}

#[test]
fn types_inside_of_collections_and_of_results() {
    check_type(
        "enum E { A }\nfun f() { var x: map[int, seq[E]]; x$0 = x; }",
        &expect![[r#"
        1:6 enum <E> { A }
    "#]],
    );
    check_type(
        "type T;\nfun make(): T;\nfun f() { var t: T; t = make$0(); }",
        &expect![[r#"
        1:6 type <T>;
    "#]],
    );
    check_type("event e: int;\nmachine M { start state S { on e$0 do { } } }", &expect!["nothing"]);
    check_type(
        "machine M { start state S { } }\ninterface I$0 (M) receives;",
        &expect![[r#"
        1:9 machine <M> { start state S { } }
    "#]],
    );
}

#[test]
fn handlers_implement_events_and_machines_interfaces() {
    check_implementations(
        &program_at("eResponse: (id", 0),
        &expect![[r#"
        client.p:11:14 case <eResponse>: (response: (id: int, status: tStatus)) { assert response.id == number; }
        client.p:21:26 hot state Waiting { on <eResponse> do { open = open - 1; goto Quiet; } ignore eRequest; }
    "#]],
    );
    check_implementations(
        &program_at("Asker (", 0),
        &expect![[r#"
        client.p:2:9 machine <Client> {
    "#]],
    );
    check_implementations(
        &program_at("Next(0)", 0),
        &expect![[r#"
        server.p:26:5 fun <Next>(n: int): int { return n + 1; }
    "#]],
    );
}

#[test]
fn highlights_tell_reading_from_writing() {
    check_highlights(
        &program_at("served > ", 0),
        &expect![[r#"
        Declaration server.p:3:7 var <served>: int;
        Write server.p:7:31 on eTick goto Busy with { <served> = 0; }
        Read server.p:13:11 if (<served> > nRequests) { raise eTick; }
        Write server.p:20:5 <served> = Next(served);
        Read server.p:20:19 served = Next(<served>);
        Read server.p:21:9 if (<served> == nRequests) { status = BUSY; } else { status = OK; }
    "#]],
    );
    let source = "event e;\nmachine M {\n  start state S {\n    entry { send this, e; raise e; announce e; }\n    on e$0 do { }\n  }\n  state T { defer e; }\n  state U { ignore e; entry { receive { case e: { } } } }\n}\nspec P observes e { start state S { on e goto S; } }";
    check_highlights(
        source,
        &expect![[r#"
        Declaration 1:7 event <e>;
        Write 4:24 entry { send this, <e>; raise e; announce e; }
        Write 4:33 entry { send this, e; raise <e>; announce e; }
        Write 4:45 entry { send this, e; raise e; announce <e>; }
        Read 5:8 on <e> do { }
        Read 7:19 state T { defer <e>; }
        Read 8:20 state U { ignore <e>; entry { receive { case e: { } } } }
        Read 8:46 state U { ignore e; entry { receive { case <e>: { } } } }
        Read 10:17 spec P observes <e> { start state S { on e goto S; } }
        Read 10:40 spec P observes e { start state S { on <e> goto S; } }
    "#]],
    );
    check_highlights(
        "machine M$0 { start state S { entry { var m: M; m = new M(); } } }",
        &expect![[r#"
        Declaration 1:9 machine <M> { start state S { entry { var m: M; m = new M(); } } }
        Read 1:44 machine M { start state S { entry { var m: <M>; m = new M(); } } }
        Write 1:55 machine M { start state S { entry { var m: M; m = new <M>(); } } }
    "#]],
    );
    check_highlights(
        "fun f() { var s: seq[int]; var i: int; s[i] = 1; s += (i, s[0]); s -= (i$0); foreach (i in s) { } }",
        &expect![[r#"
        Declaration 1:32 fun f() { var s: seq[int]; var <i>: int; s[i] = 1; s += (i, s[0]); s -= (i); foreach (i in s) { } }
        Read 1:42 fun f() { var s: seq[int]; var i: int; s[<i>] = 1; s += (i, s[0]); s -= (i); foreach (i in s) { } }
        Read 1:56 fun f() { var s: seq[int]; var i: int; s[i] = 1; s += (<i>, s[0]); s -= (i); foreach (i in s) { } }
        Read 1:72 fun f() { var s: seq[int]; var i: int; s[i] = 1; s += (i, s[0]); s -= (<i>); foreach (i in s) { } }
        Write 1:85 fun f() { var s: seq[int]; var i: int; s[i] = 1; s += (i, s[0]); s -= (i); foreach (<i> in s) { } }
    "#]],
    );
    check_highlights(
        &PROGRAM.replacen("isFast", "is$0Fast", 2),
        &expect![[r#"
        Write test.p:6:36 test param (nClients in [1, 2, 3], <isFast> in [true, false]) tcAll [main = Driver]: assert Answers in (union system, { Driver });
    "#]],
    );
}

#[test]
fn broken_text_around() {
    check_definition(
        "event eGo;\nmachine M {\n  start state S {\n    on eGo do { x = ; }\n    entry { send this, e$0Go\n  }\n}",
        &expect![[r#"
        1:7 event <eGo>;
    "#]],
    );
    check_definition(
        "machine M {\n  start state S { entry { goto T$0 } }\n  state T { }\n",
        &expect![[r#"
        3:9 state <T> { }
    "#]],
    );
}
