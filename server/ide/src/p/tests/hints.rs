//! Notes between the words.

use expect_test::{Expect, expect};
use lockstep_base::{TextRange, TextSize};
use lockstep_program::project_files;

use super::{Fixture, PROGRAM};
use crate::p::{Hint, WantedHints, hints};

const ALL: WantedHints = WantedHints { payload_types: true, handlers: true, handlers_at_events: true, creates: true };
const NONE: WantedHints = WantedHints { payload_types: false, handlers: false, handlers_at_events: false, creates: false };

/// The lines of all files that have hints, with the hints in brackets.
fn shown(source: &str, wanted: WantedHints) -> String {
    let fixture = Fixture::new(source);
    let db = &fixture.db;
    let mut shown = String::new();
    for file in project_files(db, fixture.project) {
        let parse = file.file(db).parse(db);
        let mut text = parse.text().to_string();
        for hint in hints(db, file, TextRange::up_to(parse.text().len()), wanted).into_iter().rev() {
            text.insert_str(usize::from(hint.offset), &format!("[{}]", hint.label));
        }
        let has_hint = |line: &&str| ["[: ", "[\u{2190}", "[\u{2192}", "[creates"].iter().any(|mark| line.contains(mark));
        shown += &text.lines().filter(has_hint).map(|line| format!("{}\n", line.trim())).collect::<String>();
    }
    shown
}

fn check(source: &str, wanted: WantedHints, expected: &Expect) {
    expected.assert_eq(&shown(source, wanted));
}

#[test]
fn all_of_a_program() {
    check(
        PROGRAM,
        ALL,
        &expect![[r#"
        event eRequest: tRequest;[→ 1 handler]
        event eResponse: (id: int, status: tStatus);[→ 1 handler]
        event eTick;[→ 1 handler]
        event eUnused;[→ no handler]
        on eRequest[: tRequest] do Answer;
        if (served > nRequests) { raise eTick;[→ 1 handler] }
        send request.client, eResponse[: (id: int, status: tStatus)], (id = request.id, status = status);[→ 1 handler]
        send server, eRequest[: tRequest], (client = this, id = number);[→ 1 handler]
        case eResponse[← 1 sender]: (response: (id: int, status: tStatus)) { assert response.id == number; }
        announce eTick;[→ no handler]
        start cold state Quiet { on eRequest[: tRequest] goto Waiting; ignore eResponse; }
        hot state Waiting { on eResponse[: (id: int, status: tStatus)] do { open = open - 1; goto Quiet; } ignore eRequest; }
        machine Driver[creates Client, Server] {
    "#]],
    );
}

#[test]
fn each_kind_can_be_switched_off() {
    check(PROGRAM, NONE, &expect![[""]]);
    check(
        PROGRAM,
        WantedHints { payload_types: true, ..NONE },
        &expect![[r#"
        on eRequest[: tRequest] do Answer;
        send request.client, eResponse[: (id: int, status: tStatus)], (id = request.id, status = status);
        send server, eRequest[: tRequest], (client = this, id = number);
        start cold state Quiet { on eRequest[: tRequest] goto Waiting; ignore eResponse; }
        hot state Waiting { on eResponse[: (id: int, status: tStatus)] do { open = open - 1; goto Quiet; } ignore eRequest; }
    "#]],
    );
    check(
        PROGRAM,
        WantedHints { handlers: true, ..NONE },
        &expect![[r#"
        if (served > nRequests) { raise eTick;[→ 1 handler] }
        send request.client, eResponse, (id = request.id, status = status);[→ 1 handler]
        send server, eRequest, (client = this, id = number);[→ 1 handler]
        case eResponse[← 1 sender]: (response: (id: int, status: tStatus)) { assert response.id == number; }
        announce eTick;[→ no handler]
    "#]],
    );
    check(
        PROGRAM,
        WantedHints { creates: true, ..NONE },
        &expect![[r#"
        machine Driver[creates Client, Server] {
    "#]],
    );
}

#[test]
fn what_is_written_is_not_said_again() {
    let source = "\
event e: (id: int, text: string);
event n: int;
event none;
machine M {
  var pair: (id: int, text: string);
  start state S {
    entry { send this, e, pair; send this, n, 3; send this, none; send this, e, 1, \"a\"; send this, e, (id = 1, text = \"a\"); }
    on e do (given: (id: int, text: string)) { }
    on n goto S with { }
    on none do { receive { case e: { } case n: (number: int) { } } }
  }
}
";
    check(
        source,
        WantedHints { payload_types: true, ..NONE },
        &expect![[r#"
        entry { send this, e, pair; send this, n, 3; send this, none; send this, e[: (id: int, text: string)], 1, "a"; send this, e[: (id: int, text: string)], (id = 1, text = "a"); }
        on n[: int] goto S with { }
        on none do { receive { case e[: (id: int, text: string)]: { } case n: (number: int) { } } }
    "#]],
    );
}

#[test]
fn long_types_are_cut_in_the_text_and_whole_in_the_tooltip() {
    let source =
        "event e: (first: int, second: map[int, string], third: seq[int]);\nmachine M { start state S { on e do { } } }\n";
    let fixture = Fixture::new(source);
    let wanted = WantedHints { payload_types: true, ..NONE };
    let found = hints(&fixture.db, fixture.here(), TextRange::up_to(TextSize::of(source)), wanted);
    let Hint { label, tooltip, .. } = &found[0];
    assert_eq!(label, ": (first: int, second: map[int, \u{2026}");
    assert!(tooltip.contains("(first: int, second: map[int, string], third: seq[int])"), "{tooltip}");
}

#[test]
fn who_can_handle_a_raised_or_announced_event() {
    let source = "\
event e;
machine A { start state S { entry { raise e; } on e do { announce e; } } }
machine B { start state S { entry { send this, e; f(); } defer e; } }
machine C { start state S { ignore e; } state T { on e goto S; } }
spec P observes e { start state S { on e do { } } }
fun f() { raise e; }
fun g() { receive { case e: { } } }
";
    check(
        source,
        WantedHints { handlers: true, ..NONE },
        &expect![[r#"
        machine A { start state S { entry { raise e;[→ 1 handler] } on e do { announce e;[→ 1 handler] } } }
        machine B { start state S { entry { send this, e;[→ 3 handlers] f(); } defer e; } }
        fun f() { raise e;[→ 4 handlers] }
        fun g() { receive { case e[← 1 sender]: { } } }
    "#]],
    );
    let fixture = Fixture::new(source);
    let wanted = WantedHints { handlers: true, ..NONE };
    let found = hints(&fixture.db, fixture.here(), TextRange::up_to(TextSize::of(source)), wanted);
    let send = found.iter().find(|hint| source[..usize::from(hint.offset)].ends_with("send this, e;")).unwrap();
    expect![[r#"
        `e` is handled by

        - `A.S on e`
        - `C.T on e goto S`
        - `g`

        It is deferred by

        - `B.S defer e`

        It is ignored by

        - `C.S ignore e`"#]]
    .assert_eq(&send.tooltip);
}

#[test]
fn senders_that_name_no_event_are_not_counted() {
    let source = "\
event e;
event x: event;
machine A { start state S { entry { send this, e; receive { case e: { } } } on x do (y: event) { send this, y; } } }
";
    check(
        source,
        WantedHints { handlers: true, ..NONE },
        &expect![[r#"
        machine A { start state S { entry { send this, e;[→ 1 handler] receive { case e[← 1+ senders]: { } } } on x do (y: event) { send this, y; } } }
    "#]],
    );
}

#[test]
fn only_what_was_asked_for() {
    let fixture = Fixture::new(PROGRAM);
    let db = &fixture.db;
    for file in project_files(db, fixture.project) {
        let len = file.file(db).parse(db).text().len();
        let all = hints(db, file, TextRange::up_to(len), ALL);
        let step = TextSize::from(37);
        let mut start = TextSize::from(0);
        while start < len {
            let within = TextRange::new(start, (start + step).min(len));
            let there: Vec<&Hint> = all.iter().filter(|hint| within.contains_inclusive(hint.offset)).collect();
            assert_eq!(hints(db, file, within, ALL).iter().collect::<Vec<_>>(), there, "{within:?}");
            start += step;
        }
    }
}

#[test]
fn half_written_code() {
    let source = "event e: int\nmachine M { start state S { entry { send this, e, (1, ; new M( } on e do on e goto } }\n";
    check(
        source,
        ALL,
        &expect![[r#"
        event e: int[→ no handler]
    "#]],
    );
}
