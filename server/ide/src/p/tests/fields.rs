//! Fields of named tuples.

use expect_test::{Expect, expect};
use lockstep_base::Edit;
use lockstep_program::project_files;

use super::{Fixture, program_at};
use crate::HighlightKind;
use crate::p::{definitions, highlights, hover, prepare_rename, references, rename};

/// Where a field leads, what is said about it, and where it is mentioned.
fn check(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let (db, here, offset) = (&fixture.db, fixture.here(), fixture.offset);
    let said = hover(db, here, offset).map_or("nothing".to_owned(), |hover| hover.markdown);
    let declared = fixture.shown_all(definitions(db, here, offset));
    let all = references(db, here, offset, true);
    let uses = references(db, here, offset, false);
    assert!(uses.iter().all(|place| all.contains(place)));
    assert_eq!(all.len() - uses.len(), all.iter().filter(|place| !uses.contains(place)).count());
    expected.assert_eq(&format!("{said}\n-- declared\n{declared}-- mentioned\n{}", fixture.shown_all(all)));
}

/// The lines that a rename changes, as they are afterwards, or why it cannot be done.
fn check_rename_in(fixture: &Fixture, new: &str, expected: &Expect) {
    let db = &fixture.db;
    let places = match rename(db, fixture.here(), fixture.offset, new) {
        Ok(places) => places,
        Err(why) => return expected.assert_eq(&why.0),
    };
    assert!(prepare_rename(db, fixture.here(), fixture.offset).is_ok());
    let mut shown = String::new();
    for file in project_files(db, fixture.project).map(|file| file.file(db)) {
        let before = file.parse(db).text().clone();
        let mut after = before.clone();
        for place in places.iter().rev().filter(|place| place.file == file) {
            after.edit(&Edit { range: place.range, insert: new.to_owned() });
        }
        let (before, after) = (before.to_string(), after.to_string());
        let changed = before.lines().zip(after.lines()).filter(|(before, after)| before != after);
        changed.for_each(|(_, after)| shown += &format!("{}\n", after.trim()));
    }
    expected.assert_eq(&shown);
}

fn check_rename(source: &str, new: &str, expected: &Expect) {
    check_rename_in(&Fixture::new(source), new, expected);
}

#[test]
fn of_a_declared_type() {
    check(
        &program_at("client, eResponse", 0),
        &expect![[r#"
        ```p
        client: Client
        ```

        field of `tRequest`
        -- declared
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        -- mentioned
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        server.p:22:18 send request.<client>, eResponse, (id = request.id, status = status);
        client.p:9:31 send server, eRequest, (<client> = this, id = number);
    "#]],
    );
    check(
        &program_at("client = this", 0),
        &expect![[r#"
        ```p
        client: Client
        ```

        field of `tRequest`
        -- declared
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        -- mentioned
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        server.p:22:18 send request.<client>, eResponse, (id = request.id, status = status);
        client.p:9:31 send server, eRequest, (<client> = this, id = number);
    "#]],
    );
    check(
        &program_at("client: Client", 0),
        &expect![[r#"
        ```p
        client: Client
        ```

        field of `tRequest`
        -- declared
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        -- mentioned
        types.p:2:18 type tRequest = (<client>: Client, id: int);
        server.p:22:18 send request.<client>, eResponse, (id = request.id, status = status);
        client.p:9:31 send server, eRequest, (<client> = this, id = number);
    "#]],
    );
}

#[test]
fn of_an_events_payload() {
    check(
        &program_at("id == number", 0),
        &expect![[r#"
        ```p
        id: int
        ```

        field of `eResponse`
        -- declared
        types.p:7:19 event eResponse: (<id>: int, status: tStatus);
        -- mentioned
        types.p:7:19 event eResponse: (<id>: int, status: tStatus);
        client.p:11:37 case eResponse: (response: (<id>: int, status: tStatus)) { assert response.id == number; }
        server.p:22:38 send request.client, eResponse, (<id> = request.id, status = status);
        client.p:11:82 case eResponse: (response: (id: int, status: tStatus)) { assert response.<id> == number; }
    "#]],
    );
}

#[test]
fn of_a_type_that_is_written_where_it_is_used() {
    check(
        "fun f(a: (x: int, y: int)) { var b: (x: int, y: int); b = a; b.x$0 = a.y; }",
        &expect![[r#"
        ```p
        x: int
        ```

        field of `(x: int, y: int)`
        -- declared
        1:11 fun f(a: (<x>: int, y: int)) { var b: (x: int, y: int); b = a; b.x = a.y; }
        1:38 fun f(a: (x: int, y: int)) { var b: (<x>: int, y: int); b = a; b.x = a.y; }
        -- mentioned
        1:11 fun f(a: (<x>: int, y: int)) { var b: (x: int, y: int); b = a; b.x = a.y; }
        1:38 fun f(a: (x: int, y: int)) { var b: (<x>: int, y: int); b = a; b.x = a.y; }
        1:64 fun f(a: (x: int, y: int)) { var b: (x: int, y: int); b = a; b.<x> = a.y; }
    "#]],
    );
    check(
        "fun f() { print format(\"{0}\", (x = 1, y = 2).y$0); }",
        &expect![[r#"
        ```p
        y: int
        ```

        field of `(x: int, y: int)`
        -- declared
        -- mentioned
        1:39 fun f() { print format("{0}", (x = 1, <y> = 2).y); }
        1:46 fun f() { print format("{0}", (x = 1, y = 2).<y>); }
    "#]],
    );
}

/// Values of two types are the same thing to P if their fields are; a type in between can link two that are not.
#[test]
fn types_are_linked_by_their_values() {
    let source = "\
type tA = (id: int, v: int);
type tB = (id: int, v: int);
type tOrder = (v: int, id: int);
type tString = (id: string, v: int);
fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.id + b.id + c.id; }
";
    check(
        &source.replacen("a.id", "a.$0id", 1),
        &expect![[r#"
        ```p
        id: int
        ```

        field of `tA`, `tB`
        -- declared
        1:12 type tA = (<id>: int, v: int);
        2:12 type tB = (<id>: int, v: int);
        -- mentioned
        1:12 type tA = (<id>: int, v: int);
        2:12 type tB = (<id>: int, v: int);
        5:60 fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.<id> + b.id + c.id; }
        5:67 fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.id + b.<id> + c.id; }
    "#]],
    );
    check(
        &source.replacen("c.id", "c.$0id", 1),
        &expect![[r#"
        ```p
        id: int
        ```

        field of `tOrder`
        -- declared
        3:24 type tOrder = (v: int, <id>: int);
        -- mentioned
        3:24 type tOrder = (v: int, <id>: int);
        5:74 fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.id + b.id + c.<id>; }
    "#]],
    );
    let between = format!("{source}fun g(e: (id: any, v: int)) {{ print \"\"; }}\n");
    check(
        &between.replacen("a.id", "a.$0id", 1),
        &expect![[r#"
        ```p
        id: int
        ```

        field of `tA`, `tB`
        -- declared
        1:12 type tA = (<id>: int, v: int);
        2:12 type tB = (<id>: int, v: int);
        -- mentioned
        1:12 type tA = (<id>: int, v: int);
        2:12 type tB = (<id>: int, v: int);
        4:17 type tString = (<id>: string, v: int);
        6:11 fun g(e: (<id>: any, v: int)) { print ""; }
        5:60 fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.<id> + b.id + c.id; }
        5:67 fun f(a: tA, b: tB, c: tOrder, d: tString): int { return a.id + b.<id> + c.id; }
    "#]],
    );
}

#[test]
fn highlights_tell_giving_from_reading() {
    let fixture = Fixture::new(
        "type t = (x: int);\nfun f(a: t) { var b: t; b = (x = 1,); b.x = a.x$0; a = (y = 1,); }\ntype u = (x: string);\n",
    );
    let found = highlights(&fixture.db, fixture.here(), fixture.offset);
    let kinds: Vec<HighlightKind> = found.iter().map(|highlight| highlight.kind).collect();
    let (declaration, read, write) = (HighlightKind::Declaration, HighlightKind::Read, HighlightKind::Write);
    assert_eq!(kinds, [declaration, write, write, read]);
}

#[test]
fn fields_that_are_not_there() {
    let nothing = expect![[r"
        nothing
        -- declared
        -- mentioned
    "]];
    check("fun f(a: (x: int)) { a.y$0 = 1; }", &nothing);
    check("fun f() { unknown.y$0 = 1; }", &nothing);
    check("fun f(a: (int, int)) { a.1$0 = 1; }", &nothing);
}

#[test]
fn renaming_takes_all_that_is_linked() {
    check_rename(
        &program_at("client, eResponse", 0),
        "asker",
        &expect![[r#"
        type tRequest = (asker: Client, id: int);
        send request.asker, eResponse, (id = request.id, status = status);
        send server, eRequest, (asker = this, id = number);
    "#]],
    );
    check_rename(
        &program_at("id == number", 0),
        "number",
        &expect![[r#"
        event eResponse: (number: int, status: tStatus);
        send request.client, eResponse, (number = request.id, status = status);
        case eResponse: (response: (number: int, status: tStatus)) { assert response.number == number; }
    "#]],
    );
    let linked = "\
type tA = (id: int);
type tB = (id: int);
type tC = (id: string);
type tNested = (first: tA, rest: seq[(id: int)]);
fun f(a: tA, c: tC, n: tNested) { f((id = 1,), (id = \"\",), n); a = n.first; n.rest[0].id$0 = a.id; c.id = \"\"; }
";
    check_rename(
        linked,
        "key",
        &expect![[r#"
        type tA = (key: int);
        type tB = (key: int);
        type tNested = (first: tA, rest: seq[(key: int)]);
        fun f(a: tA, c: tC, n: tNested) { f((key = 1,), (id = "",), n); a = n.first; n.rest[0].key = a.key; c.id = ""; }
    "#]],
    );
}

#[test]
fn renaming_refuses_what_it_cannot_see() {
    check_rename(
        "fun f(a: (x: int)) { a.x$0 = 1; unknown.x = 2; }",
        "y",
        &expect!["in `f` there is a field `x` of a value whose type is not known: mend the errors there first"],
    );
    check_rename(
        "fun f() { unknown.x$0 = 1; }",
        "y",
        &expect!["it is not known what `x` is a field of: mend the errors here first"],
    );
    check_rename(
        "fun f(a: (x: int)) { a.y$0 = 1; }",
        "z",
        &expect!["it is not known what `y` is a field of: mend the errors here first"],
    );
}

#[test]
fn renaming_keeps_types_apart() {
    check_rename("fun f(a: (x: int, y: int)) { a.x$0 = 1; }", "y", &expect!["`(x: int, y: int)` has a field `y` already"]);
    check_rename(
        "type t = (y: int);\nfun f(a: (x: int)) { a.x$0 = 1; }",
        "y",
        &expect!["there is a type `(y: int)` already: the two would become one"],
    );
    check_rename("fun f(a: (x: int)) { a.x$0 = 1; }", "while", &expect!["`while` is a word of P"]);
    check_rename(
        "type t = (y: string);\ntype u = (y: int, z: int);\nfun f(a: (x: int)) { a.x$0 = 1; }",
        "y",
        &expect![[r#"
        fun f(a: (y: int)) { a.y = 1; }
    "#]],
    );
}

#[test]
fn renaming_refuses_what_other_languages_know() {
    let source = "type t = (x: int);\nfun Hash(all: seq[t]): int;\nfun f(a: t) { a.x$0 = 1; }";
    check_rename(source, "y", &expect!["`Hash` is written in another language, which knows `x` by its name"]);
    check_rename(
        &source.replace("seq[t]", "seq[int]"),
        "y",
        &expect![[r#"
        type t = (y: int);
        fun f(a: t) { a.y = 1; }
    "#]],
    );
    let own = "type t = (x: int);\nmachine M { fun Hash(one: t): int; start state S { entry (a: t) { a.x$0 = 1; } } }";
    check_rename(own, "y", &expect!["`Hash` is written in another language, which knows `x` by its name"]);
}

#[test]
fn fields_in_proofs() {
    let source = "\
event eOne: (x: int, y: int);
event eTwo: (x: int);
eventset sBoth = { eOne, eTwo };
machine M { var v: (x: int, y: int); start state S { } }
invariant one: forall (e: eOne) :: e.x > 0;
invariant own: forall (m: M) :: m.v.x > 0;
";
    let at = |text: &str, source: &str| Fixture::verifying(&source.replacen(text, &format!("$0{text}"), 1));
    check_rename_in(
        &at("x > 0;", source),
        "z",
        &expect![[r#"
        event eOne: (z: int, y: int);
        machine M { var v: (z: int, y: int); start state S { } }
        invariant one: forall (e: eOne) :: e.z > 0;
        invariant own: forall (m: M) :: m.v.z > 0;
    "#]],
    );
    check_rename_in(
        &at("v.x", source),
        "z",
        &expect![[r#"
        machine M { var z: (x: int, y: int); start state S { } }
        invariant own: forall (m: M) :: m.z.x > 0;
    "#]],
    );
    let several = format!("{source}invariant both: forall (e: sBoth) :: e.x > 0;\n");
    check_rename_in(&at("x > 0;", &several), "z", &expect!["in `both`, `x` may be the field of several events"]);
}
