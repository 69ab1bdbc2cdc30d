//! Who calls, sends and handles.

use expect_test::{Expect, expect};
use lockstep_program::project_files;

use super::{Fixture, PROGRAM, program_at};
use crate::p::{Call, CallItem, FilePlace, incoming_calls, outgoing_calls, prepare_calls};

#[derive(Clone, Copy)]
enum Direction {
    Incoming,
    Outgoing,
}

fn shown_item(item: &CallItem) -> String {
    let detail = item.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
    assert!(item.range.contains_range(item.place.range), "{item:?}");
    format!("{:?} {}{detail}", item.kind, item.name)
}

fn calls(fixture: &Fixture, item: &CallItem, direction: Direction) -> Vec<Call> {
    let db = &fixture.db;
    let file = project_files(db, fixture.project).find(|file| file.file(db) == item.place.file).unwrap();
    let ask = match direction {
        Direction::Incoming => incoming_calls,
        Direction::Outgoing => outgoing_calls,
    };
    ask(db, file, item.place.range.start(), &item.name).expect("it has just been prepared")
}

fn check(direction: Direction, source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let mut shown = String::new();
    for item in prepare_calls(&fixture.db, fixture.here(), fixture.offset) {
        shown += &format!("{}\n", shown_item(&item));
        for call in calls(&fixture, &item, direction) {
            shown += &format!("  {}\n", shown_item(&call.item));
            let file = match direction {
                Direction::Incoming => call.item.place.file,
                Direction::Outgoing => item.place.file,
            };
            call.ranges.iter().for_each(|range| shown += &format!("    {}", fixture.shown(FilePlace { file, range: *range })));
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn who_sends_an_event() {
    check(
        Direction::Incoming,
        &program_at("eRequest: tRequest", 0),
        &expect![[r#"
        Event eRequest
          Handler Client.Start entry (sends)
            client.p:9:20 send server, <eRequest>, (client = this, id = number);
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("eTick;", 0),
        &expect![[r#"
        Event eTick
          Handler Client.Start entry (announces)
            client.p:13:16 announce <eTick>;
          Handler Server.Busy entry (raises)
            server.p:13:39 if (served > nRequests) { raise <eTick>; }
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("eUnused;", 0),
        &expect![[r#"
        Event eUnused
    "#]],
    );
}

#[test]
fn who_handles_an_event() {
    check(
        Direction::Outgoing,
        &program_at("eRequest, (client", 0),
        &expect![[r#"
        Event eRequest
          Spec Answers (observes)
            types.p:6:7 event <eRequest>: tRequest;
          Handler Answers.Quiet on eRequest goto Waiting (handles)
            types.p:6:7 event <eRequest>: tRequest;
          Handler Answers.Waiting ignore eRequest (ignores)
            types.p:6:7 event <eRequest>: tRequest;
          Handler Server.Idle on eRequest (handles)
            types.p:6:7 event <eRequest>: tRequest;
          Handler Server.Busy defer eRequest (defers)
            types.p:6:7 event <eRequest>: tRequest;
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("eResponse, (id", 0),
        &expect![[r#"
        Event eResponse
          Handler Client.Start entry (receives)
            types.p:7:7 event <eResponse>: (id: int, status: tStatus);
          Spec Answers (observes)
            types.p:7:7 event <eResponse>: (id: int, status: tStatus);
          Handler Answers.Quiet ignore eResponse (ignores)
            types.p:7:7 event <eResponse>: (id: int, status: tStatus);
          Handler Answers.Waiting on eResponse (handles)
            types.p:7:7 event <eResponse>: (id: int, status: tStatus);
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("eTick;", 0),
        &expect![[r#"
        Event eTick
          Handler Server.Idle on eTick goto Busy (handles)
            types.p:8:7 event <eTick>;
          Handler Server.Busy ignore eTick (ignores)
            types.p:8:7 event <eTick>;
    "#]],
    );
}

#[test]
fn functions_and_their_callers() {
    check(
        Direction::Incoming,
        &program_at("Next(n", 0),
        &expect![[r#"
        Function Next
          Handler Client.Start entry (calls)
            client.p:8:16 number = <Next>(0);
          Function Server.Answer (calls)
            server.p:20:14 served = <Next>(served);
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("Answer;", 0),
        &expect![[r#"
        Function Server.Answer
          Handler Server.Idle on eRequest (calls)
            server.p:6:20 on eRequest do <Answer>;
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("Answer(request", 0),
        &expect![[r#"
        Function Server.Answer
          Function Next (called)
            server.p:20:14 served = <Next>(served);
          Event eResponse (sent)
            server.p:22:26 send request.client, <eResponse>, (id = request.id, status = status);
    "#]],
    );
}

#[test]
fn machines_and_their_creators() {
    check(
        Direction::Incoming,
        &program_at("Server {", 0),
        &expect![[r#"
        Machine Server
          Handler Driver.Init entry (creates)
            test.p:2:63 start state Init { entry { var server: Server; server = new <Server>(); new Client(server); } }
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("Driver {", 0),
        &expect![[r#"
        Machine Driver
          Test tcAll (starts)
            test.p:6:75 test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = <Driver>]: assert Answers in (union system, { Driver });
          Test tcOne (starts)
            test.p:7:20 test tcOne [main = <Driver>]: union system, { Driver };
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("Client {", 0),
        &expect![[r#"
        Machine Client
          Handler Driver.Init entry (creates)
            test.p:2:77 start state Init { entry { var server: Server; server = new Server(); new <Client>(server); } }
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("Client {", 0),
        &expect![[r#"
        Machine Client
          Function Next (called)
            client.p:8:16 number = <Next>(0);
          Event eRequest (sent)
            client.p:9:20 send server, <eRequest>, (client = this, id = number);
          Event eTick (announced)
            client.p:13:16 announce <eTick>;
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("tcOne", 0),
        &expect![[r#"
        Test tcOne
          Machine Driver (started)
            test.p:7:20 test tcOne [main = <Driver>]: union system, { Driver };
    "#]],
    );
}

#[test]
fn entries_states_and_handlers() {
    check(
        Direction::Incoming,
        &program_at("entry {", 0),
        &expect![[r#"
        Handler Server.Busy entry
          Handler Server.Idle on eTick goto Busy (enters)
            server.p:7:19 on eTick goto <Busy> with { served = 0; }
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("entry (to_ask", 0),
        &expect![[r#"
        Handler Client.Start entry
          Handler Driver.Init entry (creates)
            test.p:2:77 start state Init { entry { var server: Server; server = new Server(); new <Client>(server); } }
    "#]],
    );
    check(
        Direction::Outgoing,
        &program_at("entry (to_ask", 0),
        &expect![[r#"
        Handler Client.Start entry
          Function Next (called)
            client.p:8:16 number = <Next>(0);
          Event eRequest (sent)
            client.p:9:20 send server, <eRequest>, (client = this, id = number);
          Event eTick (announced)
            client.p:13:16 announce <eTick>;
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("on eTick", 0),
        &expect![[r#"
        Handler Server.Idle on eTick goto Busy
          Event eTick (is handled here)
            types.p:8:7 event <eTick>;
    "#]],
    );
    check(
        Direction::Incoming,
        &program_at("Idle;", 0),
        &expect![[r#"
        State Server.Idle
          Handler Server.Busy entry (enters)
            server.p:14:12 goto <Idle>;
          Handler Driver.Init entry (creates)
            test.p:2:63 start state Init { entry { var server: Server; server = new <Server>(); new Client(server); } }
    "#]],
    );
}

/// Events that are sent as something else.
const INDIRECT: &str = "\
event eA: event;
event eB: int;
event eC;
event eD;
event eNever;
fun Forward(whom: machine, what: event) { send whom, what; }
fun Pick(first: bool): event { if (first) { return eC; } return eD; }
fun Outside(): event;
machine M {
  var kept: seq[event];
  var pair: (id: int, what: event);
  var other: event;
  start state S {
    entry {
      Forward(this, eB);
      Forward(this, Pick(true));
      kept += (0, eD);
      pair.what = eC;
      send this, kept[0];
      raise pair.what;
    }
    on eA do (carried: event) { announce carried; }
    on eB do { send this, eA, eB; send this, (eC); }
    on eC do { other = Outside(); send this, other; }
  }
}
";

#[test]
fn the_program_can_be_read() {
    let fixture = Fixture::new(INDIRECT);
    assert_eq!(fixture.file.parse(&fixture.db).errors(), []);
}

fn indirect_at(text: &str) -> String {
    assert_eq!(INDIRECT.matches(text).count(), 1, "{text}");
    INDIRECT.replace(text, &format!("$0{text}"))
}

#[test]
fn events_in_variables() {
    check(
        Direction::Incoming,
        &indirect_at("eB: int"),
        &expect![[r#"
            Event eB
              Function Forward (sends `what`, which may be this event)
                6:54 fun Forward(whom: machine, what: event) { send whom, <what>; }
              Handler M.S on eA (announces `carried`, which may be this event)
                22:42 on eA do (carried: event) { announce <carried>; }
              Handler M.S on eC (sends `other`, of which it is not known which event it is)
                24:46 on eC do { other = Outside(); send this, <other>; }
        "#]],
    );
    check(
        Direction::Incoming,
        &indirect_at("eC;\nevent"),
        &expect![[r#"
            Event eC
              Function Forward (sends `what`, which may be this event)
                6:54 fun Forward(whom: machine, what: event) { send whom, <what>; }
              Handler M.S entry (raises `pair.what`, which may be this event)
                20:13 raise <pair.what>;
              Handler M.S on eB (sends)
                23:46 on eB do { send this, eA, eB; send this, <(eC)>; }
              Handler M.S on eC (sends `other`, of which it is not known which event it is)
                24:46 on eC do { other = Outside(); send this, <other>; }
        "#]],
    );
    check(
        Direction::Incoming,
        &indirect_at("eNever"),
        &expect![[r#"
        Event eNever
          Handler M.S on eC (sends `other`, of which it is not known which event it is)
            24:46 on eC do { other = Outside(); send this, <other>; }
    "#]],
    );
    check(
        Direction::Outgoing,
        &indirect_at("Forward(whom"),
        &expect![[r#"
            Function Forward
              Event eB (may be sent as `what`)
                6:54 fun Forward(whom: machine, what: event) { send whom, <what>; }
              Event eC (may be sent as `what`)
                6:54 fun Forward(whom: machine, what: event) { send whom, <what>; }
              Event eD (may be sent as `what`)
                6:54 fun Forward(whom: machine, what: event) { send whom, <what>; }
        "#]],
    );
    check(
        Direction::Outgoing,
        &indirect_at("on eC do"),
        &expect![[r#"
        Handler M.S on eC
          Function Outside (called)
            24:24 on eC do { other = <Outside>(); send this, other; }
    "#]],
    );
}

#[test]
fn a_variable_stands_for_what_may_be_in_it() {
    check(
        Direction::Outgoing,
        &indirect_at("what; }"),
        &expect![[r#"
        Event eB (may be in this variable)
          Handler M.S on eB (handles)
            2:7 event <eB>: int;
        Event eC (may be in this variable)
          Handler M.S on eC (handles)
            3:7 event <eC>;
        Event eD (may be in this variable)
    "#]],
    );
    check(Direction::Outgoing, &indirect_at("other = Outside"), &expect![[""]]);
    check(
        Direction::Outgoing,
        &indirect_at("carried; }"),
        &expect![[r#"
        Event eB (may be in this variable)
          Handler M.S on eB (handles)
            2:7 event <eB>: int;
    "#]],
    );
}

/// Payloads of events that are in variables themselves, and what is given to machines and states.
#[test]
fn events_go_with_messages_and_to_machines() {
    let source = "\
event eCarry: event;
event eHidden;
event eAlso;
interface I (event) receives eHidden;
module m = { M -> I };
machine M {
  start state S { entry (given: event) { goto T, given; } }
  state T { entry (again: event) { Give(again); } on eCarry goto T; }
  fun Give(it: event) { send this, it; }
}
machine N {
  var carrier: event;
  start state S {
    entry { carrier = eCarry; new I(eAlso); send this, carrier, $0eHidden; }
    on eCarry do Take;
  }
  fun Take(taken: event) { foreach (e in keys(all)) { send this, e; } all[taken] = 1; }
  var all: map[event, int];
}
";
    check(
        Direction::Incoming,
        source,
        &expect![[r#"
        Event eHidden
          Function M.Give (sends `it`, which may be this event)
            9:36 fun Give(it: event) { send this, <it>; }
    "#]],
    );
    check(
        Direction::Incoming,
        &source.replace("$0", "").replace("eAlso;\ninter", "$0eAlso;\ninter"),
        &expect![[r#"
        Event eAlso
          Function M.Give (sends `it`, which may be this event)
            9:36 fun Give(it: event) { send this, <it>; }
    "#]],
    );
}

#[test]
fn machines_behind_interfaces() {
    let source = "\
event e;
interface I () receives e;
machine $0M { start state S { } }
machine N { start state S { } }
module m = { M -> I };
module n = { N -> I };
machine Driver { start state S { entry { new I(); new N(); } } }
";
    check(
        Direction::Incoming,
        source,
        &expect![[r#"
            Machine M
              Handler Driver.S entry (creates `I`, which a module can bind to this machine)
                7:46 machine Driver { start state S { entry { new <I>(); new N(); } } }
        "#]],
    );
    check(
        Direction::Outgoing,
        &source.replace("$0", "").replace("Driver", "$0Driver"),
        &expect![[r#"
            Machine Driver
              Machine M (may be created as `I`, to which a module binds it)
                7:46 machine Driver { start state S { entry { new <I>(); new N(); } } }
              Machine N (created; may be created as `I`, to which a module binds it)
                7:46 machine Driver { start state S { entry { new <I>(); new N(); } } }
                7:55 machine Driver { start state S { entry { new I(); new <N>(); } } }
        "#]],
    );
}

#[test]
fn half_written_code() {
    check(
        Direction::Incoming,
        "event $0e;\nmachine M {\n  start state S {\n    entry { send this, e\n    on e do {\n}\nfun f() { raise e; send this, ; }\n",
        &expect![[r#"
            Event e
              Function f (raises)
                7:17 fun f() { raise <e>; send this, ; }
        "#]],
    );
    check(
        Direction::Outgoing,
        "event e;\nmachine M { start state S { on$0 e do { F(; } on do } }\nfun F(a: int, { }\n",
        &expect![[r#"
        Handler M.S on e
    "#]],
    );
}

#[test]
fn something_else_stands_there_now() {
    let fixture = Fixture::new("fun $0f() { }\n");
    assert!(incoming_calls(&fixture.db, fixture.here(), fixture.offset, "f").is_some());
    assert_eq!(incoming_calls(&fixture.db, fixture.here(), fixture.offset, "g"), None);
    assert_eq!(outgoing_calls(&fixture.db, fixture.here(), 0.into(), "f"), None);
}

/// Files of a project in any order give the same.
#[test]
fn the_order_of_files_does_not_matter() {
    let files = super::split(PROGRAM);
    let joined =
        |files: &[(String, String)]| -> String { files.iter().map(|(name, text)| format!("// file: {name}\n{text}")).collect() };
    let mut shown = Vec::new();
    for turn in 0..files.len() {
        let mut files = files.clone();
        files.rotate_left(turn);
        let fixture = Fixture::new(&joined(&files).replacen("event eRequest", "event $0eRequest", 1));
        let item = prepare_calls(&fixture.db, fixture.here(), fixture.offset).remove(0);
        let all = [Direction::Incoming, Direction::Outgoing].map(|direction| calls(&fixture, &item, direction));
        let words: Vec<String> = all.iter().flatten().map(|call| shown_item(&call.item)).collect();
        shown.push(words.join("\n"));
    }
    assert!(shown[0].contains("Client"), "{}", shown[0]);
    shown.iter().for_each(|other| assert_eq!(*other, shown[0]));
}
