//! New names.

use expect_test::{Expect, expect};
use lockstep_base::Edit;
use lockstep_program::project_files;

use super::{Fixture, program_at};
use crate::p::{prepare_rename, rename};

/// All files after the rename, or why it cannot be done.
fn renamed(fixture: &Fixture, new: &str) -> Result<String, String> {
    let places = rename(&fixture.db, fixture.here(), fixture.offset, new).map_err(|why| why.0)?;
    let mut all = String::new();
    let files: Vec<_> = project_files(&fixture.db, fixture.project).map(|file| file.file(&fixture.db)).collect();
    for file in &files {
        let mut text = file.parse(&fixture.db).text().clone();
        let mut here: Vec<_> = places.iter().filter(|place| place.file == *file).collect();
        here.sort_by_key(|place| std::cmp::Reverse(place.range.start()));
        for place in here {
            text.edit(&Edit { range: place.range, insert: new.to_owned() });
        }
        if files.len() > 1 {
            all += &format!("// file: {}\n", file.path(&fixture.db));
        }
        all += &text.to_string();
    }
    Ok(all)
}

/// The lines that a rename changes, as they are afterwards.
fn check_in(fixture: &Fixture, source: &str, new: &str, expected: &Expect) {
    let before = source.replacen("$0", "", 1);
    let shown = match renamed(fixture, new) {
        Ok(after) => {
            let changed = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
            changed.map(|(_, after)| format!("{}\n", after.trim())).collect()
        }
        Err(why) => format!("cannot: {why}"),
    };
    expected.assert_eq(&shown);
}

fn check(source: &str, new: &str, expected: &Expect) {
    check_in(&Fixture::new(source), source, new, expected);
}

fn check_at(text: &str, new: &str, expected: &Expect) {
    check(&program_at(text, 0), new, expected);
}

#[test]
fn globals_in_all_files() {
    check_at(
        "eRequest, (client",
        "eAsk",
        &expect![[r#"
        event eAsk: tRequest;
        eventset sAll = { eAsk, eResponse };
        on eAsk do Answer;
        defer eAsk;
        send server, eAsk, (client = this, id = number);
        spec Answers observes eAsk, eResponse {
        start cold state Quiet { on eAsk goto Waiting; ignore eResponse; }
        hot state Waiting { on eResponse do { open = open - 1; goto Quiet; } ignore eAsk; }
    "#]],
    );
    check_at(
        "Server;",
        "Store",
        &expect![[r#"
        machine Store {
        interface Asker (Store) receives eResponse;
        var server: Store;
        entry (to_ask: Store) {
        start state Init { entry { var server: Store; server = new Store(); new Client(server); } }
        module system = { Store, Client };
    "#]],
    );
    check_at(
        "tStatus {",
        "tResult",
        &expect![[r#"
        enum tResult { OK, BUSY }
        event eResponse: (id: int, status: tResult);
        var status: tResult;
        case eResponse: (response: (id: int, status: tResult)) { assert response.id == number; }
    "#]],
    );
    check_at(
        "BUSY }",
        "LATER",
        &expect![[r#"
        enum tStatus { OK, LATER }
        if (served == nRequests) { status = LATER; } else { status = OK; }
    "#]],
    );
    check_at(
        "nRequests)",
        "nAll",
        &expect![[r#"
        param nClients, nAll: int;
        if (served > nAll) { raise eTick; }
        if (served == nAll) { status = BUSY; } else { status = OK; }
    "#]],
    );
    check_at(
        "Next(0)",
        "After",
        &expect![[r#"
        served = After(served);
        fun After(n: int): int { return n + 1; }
        number = After(0);
    "#]],
    );
    check_at(
        "Answers in",
        "Live",
        &expect![[r#"
        spec Live observes eRequest, eResponse {
        test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Live in (union system, { Driver });
    "#]],
    );
    check_at(
        "system =",
        "both",
        &expect![[r#"
        module both = { Server, Client };
        test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Answers in (union both, { Driver });
        test tcOne [main = Driver]: union both, { Driver };
    "#]],
    );
    check_at(
        "Asker }",
        "Face",
        &expect![[r#"
        interface Face (Server) receives eResponse;
        module asking = { Client -> Face };
    "#]],
    );
    check_at(
        "tcOne",
        "tcOnly",
        &expect![[r#"
        test tcOnly [main = Driver]: union system, { Driver };
    "#]],
    );
    check_at(
        "sAll",
        "sEvery",
        &expect![[r#"
        eventset sEvery = { eRequest, eResponse };
    "#]],
    );
}

#[test]
fn members_and_locals() {
    check_at(
        "served == ",
        "done",
        &expect![[r#"
        var done: int;
        on eTick goto Busy with { done = 0; }
        if (done > nRequests) { raise eTick; }
        done = Next(done);
        if (done == nRequests) { status = BUSY; } else { status = OK; }
    "#]],
    );
    check_at(
        "Answer;",
        "Reply",
        &expect![[r#"
        on eRequest do Reply;
        fun Reply(request: tRequest) {
    "#]],
    );
    check_at(
        "Busy with",
        "Working",
        &expect![[r#"
        on eTick goto Working with { served = 0; }
        state Working {
    "#]],
    );
    check_at(
        "request.id",
        "wish",
        &expect![[r#"
        fun Answer(wish: tRequest) {
        last = wish;
        send wish.client, eResponse, (id = wish.id, status = status);
    "#]],
    );
    check_at(
        "status = BUSY",
        "result",
        &expect![[r#"
        var result: tStatus;
        if (served == nRequests) { result = BUSY; } else { result = OK; }
        send request.client, eResponse, (id = request.id, status = result);
    "#]],
    );
    check_at(
        "response.id",
        "answer",
        &expect![[r#"
        case eResponse: (answer: (id: int, status: tStatus)) { assert answer.id == number; }
    "#]],
    );
}

#[test]
fn names_that_are_no_names() {
    check_at(
        "eTick;",
        "",
        &expect!["cannot: `` is not a name: names are letters, digits and `_`, and do not begin with a digit"],
    );
    check_at(
        "eTick;",
        "a b",
        &expect!["cannot: `a b` is not a name: names are letters, digits and `_`, and do not begin with a digit"],
    );
    check_at(
        "eTick;",
        "1st",
        &expect!["cannot: `1st` is not a name: names are letters, digits and `_`, and do not begin with a digit"],
    );
    check_at(
        "eTick;",
        "é",
        &expect!["cannot: `é` is not a name: names are letters, digits and `_`, and do not begin with a digit"],
    );
    for word in ["machine", "halt", "null", "this", "true", "invariant", "init-condition", "sent"] {
        assert!(renamed(&Fixture::new(&program_at("eTick;", 0)), word).is_err(), "{word}");
    }
}

#[test]
fn names_that_are_taken() {
    check_at("eTick;", "eRequest", &expect!["cannot: there is an event `eRequest` already"]);
    check_at("eTick;", "OK", &expect!["cannot: there is an enum element `OK` already"]);
    check_at("eTick;", "Server", &expect!["cannot: there is a machine `Server` already"]);
    check_at("eTick;", "tcAll", &expect!["cannot: there is a test `tcAll` already"]);
    check_at("served == ", "last", &expect!["cannot: `Server` uses the name `last` already"]);
    check_at("Answer;", "Next", &expect!["cannot: `Server` uses the name `Next` already"]);
    check_at("Busy with", "Idle", &expect!["cannot: `Server` uses the name `Idle` already"]);
    check_at("status = BUSY", "request", &expect!["cannot: `Server` uses the name `request` already"]);
    check_at("served == ", "nClients", &expect!["cannot: there is a test parameter `nClients` already"]);
}

#[test]
fn names_that_would_be_hidden_or_hide() {
    // A parameter would take over what is meant to be the variable of the machine.
    check_at("served = Next", "request", &expect!["cannot: `Server` uses the name `request` already"]);
    // The variable of the machine could not be used any more.
    check_at("request.id", "last", &expect!["cannot: `Server` uses the name `last` already"]);
    // A local name would take over the event.
    check_at("eResponse, (id", "status", &expect!["cannot: `Server` uses the name `status` already"]);
    // The variable would take over an event.
    check_at("served == ", "eTick", &expect!["cannot: `Server` uses the name `eTick` already"]);
    check("event e;\nfun f(x$0: int) { raise e; }", "e", &expect!["cannot: `f` uses the name `e` already"]);
    check(
        "machine M { start state S { entry { f(); } } fun g$0() { } }\nfun f() { }",
        "f",
        &expect!["cannot: `M` uses the name `f` already"],
    );
}

#[test]
fn names_of_fields_and_of_other_code_are_free() {
    check_at(
        "served == ",
        "id",
        &expect![[r#"
        var id: int;
        on eTick goto Busy with { id = 0; }
        if (id > nRequests) { raise eTick; }
        id = Next(id);
        if (id == nRequests) { status = BUSY; } else { status = OK; }
    "#]],
    );
    check_at(
        "request.id",
        "number",
        &expect![[r#"
        fun Answer(number: tRequest) {
        last = number;
        send number.client, eResponse, (id = number.id, status = status);
    "#]],
    );
    check(
        "machine M { start state S { entry { var a$0: int; a = 1; } exit { var b: int; b = 1; } } }",
        "b",
        &expect![[r#"
        machine M { start state S { entry { var b: int; b = 1; } exit { var b: int; b = 1; } } }
    "#]],
    );
    check(
        "machine M { start state S { entry { goto T$0; } } state T { } }\nmachine N { start state U { } }",
        "U",
        &expect![[r#"
            machine M { start state S { entry { goto U; } } state U { } }
        "#]],
    );
}

#[test]
fn nothing_to_rename() {
    check_at("machine Server", "x", &expect!["cannot: there is no name here that can be changed"]);
    check("fun f() { unknown$0 = 1; }", "x", &expect!["cannot: there is no name here that can be changed"]);
    let fixture = Fixture::new(&program_at("Answers requests", 0));
    expect!["there is no name here that can be changed"]
        .assert_eq(&prepare_rename(&fixture.db, fixture.here(), fixture.offset).unwrap_err().0);
}

#[test]
fn what_is_renamed_is_shown() {
    let fixture = Fixture::new(&program_at("uest, (client", 0));
    let (range, text) = prepare_rename(&fixture.db, fixture.here(), fixture.offset).unwrap();
    assert_eq!((text.as_str(), usize::from(range.len())), ("eRequest", 8));
}

#[test]
fn the_same_name_changes_nothing() {
    let source = program_at("eTick;", 0);
    assert_eq!(renamed(&Fixture::new(&source), "eTick").unwrap(), source.replace("$0", ""));
}

#[test]
fn proofs() {
    let check = |text: &str, new: &str, expected: &Expect| {
        let source = "machine Node {\n  var leads: bool;\n  start state Waiting { entry { leads = true; goto Leading; } }\n  state Leading { }\n}\nLemma leaders {\n  invariant only: forall (a: Node) :: a is Leading ==> a.leads;\n}\ninvariant leaders_other: true;\nProof {\n  prove leaders;\n  prove leaders_other using leaders_only;\n}\n";
        let source = source.replacen(text, &format!("$0{text}"), 1);
        check_in(&Fixture::verifying(&source), &source, new, expected);
    };
    check(
        "leads: ",
        "first",
        &expect![[r#"
        var first: bool;
        start state Waiting { entry { first = true; goto Leading; } }
        invariant only: forall (a: Node) :: a is Leading ==> a.first;
    "#]],
    );
    check(
        "leads;",
        "first",
        &expect![[r#"
        var first: bool;
        start state Waiting { entry { first = true; goto Leading; } }
        invariant only: forall (a: Node) :: a is Leading ==> a.first;
    "#]],
    );
    check(
        "Leading { }",
        "Ahead",
        &expect![[r#"
        start state Waiting { entry { leads = true; goto Ahead; } }
        state Ahead { }
        invariant only: forall (a: Node) :: a is Ahead ==> a.leads;
    "#]],
    );
    check("Leading { }", "Node", &expect!["cannot: there is a machine `Node` already"]);
    check(
        "leaders {",
        "chiefs",
        &expect![[r#"
        Lemma chiefs {
        prove chiefs;
        prove leaders_other using chiefs_only;
    "#]],
    );
    check(
        "leaders_only",
        "chiefs",
        &expect![[r#"
        Lemma chiefs {
        prove chiefs;
        prove leaders_other using chiefs_only;
    "#]],
    );
    check(
        "only;",
        "one",
        &expect![[r#"
        invariant one: forall (a: Node) :: a is Leading ==> a.leads;
        prove leaders_other using leaders_one;
    "#]],
    );
    check("only:", "other", &expect!["cannot: there is an invariant `leaders_other` already"]);
    check(
        "a: Node",
        "node",
        &expect![[r#"
        invariant only: forall (node: Node) :: node is Leading ==> node.leads;
    "#]],
    );
    check(
        "leaders_other:",
        "rest",
        &expect![[r#"
        invariant rest: true;
        prove rest using leaders_only;
    "#]],
    );
}
