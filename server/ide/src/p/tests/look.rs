//! What a file looks like: symbols, folds, selections, colours, lenses.

use expect_test::{Expect, expect};
use lockstep_base::TextRange;
use lockstep_syntax::{Language, Parse};

use super::{Fixture, PROGRAM};
use crate::p::{lenses, project_symbols, tokens};
use crate::{Symbol, TOKEN_TYPES, document_symbols, folds, selection_ranges};

fn parse(source: &str) -> Parse {
    Parse::new(Language::P, source)
}

/// The lines of a range, from 1, and its first line.
fn lines(parse: &Parse, range: TextRange) -> String {
    let (first, last) = (parse.text().line_of(range.start()) + 1, parse.text().line_of(range.end()) + 1);
    let text = parse.text().slice(range).into_owned();
    format!("{first}-{last} {}", text.lines().next().unwrap_or_default())
}

fn add_symbol(symbol: &Symbol, depth: usize, shown: &mut String) {
    let detail = symbol.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
    assert!(symbol.range.contains_range(symbol.name_range), "{symbol:?}");
    *shown += &format!("{}{:?} {}{detail}\n", "  ".repeat(depth), symbol.kind, symbol.name);
    symbol.children.iter().for_each(|child| add_symbol(child, depth + 1, shown));
}

fn check_symbols(source: &str, expected: &Expect) {
    let mut shown = String::new();
    document_symbols(&parse(source)).iter().for_each(|symbol| add_symbol(symbol, 0, &mut shown));
    expected.assert_eq(&shown);
}

#[test]
fn symbols_of_every_kind() {
    check_symbols(
        "type T = int;\nenum E { A, B = 2 }\nevent e: T;\neventset s = { e };\ninterface I () receives e;\nfun f() { }\nparam p, q: int;\nmodule m = { M };\nimplementation i [main = M]: m;\ntest t [main = M]: m;\npure g(): int;\ninvariant n: true;\nLemma l { invariant k: true; }\nTheorem h { }\nProof r { }\nProof { }\naxiom true;\ninit-condition true;",
        &expect![[r#"
            Type T (type)
            Enum E (enum)
              EnumElement A
              EnumElement B
            Event e (event)
            Event s (event set)
            Interface I (interface)
            Function f (function)
            Constant p (test parameter)
            Constant q (test parameter)
            Module m (module)
            Module i (implementation)
            Test t (test)
            Function g (pure function)
            Proof n (invariant)
            Proof l (lemma)
              Proof k (invariant)
            Proof h (theorem)
            Proof r (proof)
        "#]],
    );
}

#[test]
fn symbols_of_a_machine_are_in_the_order_of_the_text() {
    check_symbols(
        "machine M {\n  fun g() { }\n  start state S { entry { } exit f; on e, halt do { } on null goto T; defer d; ignore i; }\n  var x, y: int;\n  hot state T { }\n  fun f() { }\n}\nspec P observes e { start state S { } }\nscenario C observes e { start state S { } }",
        &expect![[r#"
            Machine M (machine)
              Function g (function)
              State S (start state)
                Handler entry
                Handler exit
                Handler on e, halt
                Handler on null goto T
              Variable x (variable)
              Variable y (variable)
              State T (state)
              Function f (function)
            Spec P (spec)
              State S (start state)
            Spec C (scenario)
              State S (start state)
        "#]],
    );
}

#[test]
fn symbols_of_broken_text() {
    check_symbols(
        "machine M {\n  var x: int\n  start state S { entry { x = ; }\nevent e;\nevent ;\n",
        &expect![[r#"
        Machine M (machine)
          Variable x (variable)
        Event e (event)
    "#]],
    );
}

fn check_project(query: &str, expected: &Expect) {
    let fixture = Fixture::new(PROGRAM);
    let found = project_symbols(&fixture.db, fixture.project, query);
    let shown = found.iter().map(|symbol| {
        let container = symbol.container.as_ref().map_or_else(String::new, |container| format!(" in {container}"));
        format!("{:?} {}{container} {}\n", symbol.kind, symbol.name, symbol.place.file.path(&fixture.db))
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn symbols_of_the_project() {
    check_project(
        "req",
        &expect![[r#"
        Event eRequest types.p
        Type tRequest types.p
        Constant nRequests types.p
    "#]],
    );
    check_project(
        "serv",
        &expect![[r#"
        Machine Server server.p
        Variable served in Server server.p
        Variable server in Client client.p
    "#]],
    );
    check_project(
        "eRs",
        &expect![[r#"
        Spec Answers client.p
        Event eResponse types.p
        Event eRequest types.p
    "#]],
    );
    check_project("zzz", &expect![[""]]);
    let fixture = Fixture::new(PROGRAM);
    let all = project_symbols(&fixture.db, fixture.project, "").len();
    assert!(all > 30, "everything is found by nothing: {all}");
}

#[test]
fn folds_of_braces_and_comments() {
    let source = "// One\n// two.\n\n// Alone.\nmachine M {\n  start state S {\n    entry { }\n    on e do {\n      x = 1;\n    }\n  }\n  /* Long\n     one. */\n}\nenum E {\n  A\n}\n";
    let parse = parse(source);
    let shown: String = folds(&parse).iter().map(|fold| format!("{:?} {}\n", fold.kind, lines(&parse, fold.range))).collect();
    expect![[r#"
        Comment 1-2 // One
        Code 5-14 {
        Code 6-11 {
        Code 8-10 {
        Comment 12-13 /* Long
        Code 15-17 {
    "#]]
    .assert_eq(&shown);
}

#[test]
fn folds_of_broken_text() {
    let parse =
        parse("machine M {\n  start state S {\n    entry {\n      x = ;\n    }\n\nmachine N {\n  start state S {\n  }\n}\n");
    let shown: String = folds(&parse).iter().map(|fold| format!("{:?} {}\n", fold.kind, lines(&parse, fold.range))).collect();
    expect![[r#"
        Code 3-5 {
        Code 7-10 {
        Code 8-9 {
    "#]]
    .assert_eq(&shown);
}

#[test]
fn selections_grow() {
    let source = "machine M {\n  start state S { entry { x = a.b + 1; } }\n}\n";
    let parse = parse(source);
    let grown = |text: &str| -> Vec<String> {
        let at = source.find(text).expect("it is there");
        let ranges = selection_ranges(&parse, at.try_into().expect("a short text"));
        ranges.iter().map(|range| parse.text().slice(*range).replace('\n', " ")).collect()
    };
    assert_eq!(grown(".b + 1")[..2], ["a", "a.b"], "the word before a dot");
    assert_eq!(grown("+ 1")[..2], ["+", "a.b + 1"]);
    assert_eq!(grown("\n  start")[0], "{");
    let shown = grown("b + 1").join("\n") + "\n";
    expect![[r#"
        b
        a.b
        a.b + 1
        x = a.b + 1;
        { x = a.b + 1; }
        entry { x = a.b + 1; }
        { entry { x = a.b + 1; } }
        start state S { entry { x = a.b + 1; } }
        {   start state S { entry { x = a.b + 1; } } }
        machine M {   start state S { entry { x = a.b + 1; } } }
        machine M {   start state S { entry { x = a.b + 1; } } } 
    "#]]
    .assert_eq(&shown);
}

#[test]
fn colours() {
    let fixture = Fixture::new(
        "event e: T;\ntype T = int;\nenum E { A }\nparam p: int;\nmachine M {\n  var x: E;\n  start state S { on e do f; entry (m: M) { var y: int; x = A; y = p; goto S; } }\n  fun f() { g(); }\n}\nfun g() { }\ninterface I () receives e;\nspec P observes e { start state S { } }\nmodule m = { M };\ntest t [main = M]: assert P in m;\n",
    );
    let text = fixture.file.parse(&fixture.db).text();
    let shown = tokens(&fixture.db, fixture.here()).into_iter().map(|token| {
        let flag = |is: bool, name: &str| if is { format!(" {name}") } else { String::new() };
        let flags =
            flag(token.is_declaration, "declaration") + &flag(token.is_constant, "constant") + &flag(token.is_write, "write");
        format!("{} {}{flags}\n", text.slice(token.range), TOKEN_TYPES[token.kind as usize])
    });
    expect![[r#"
        e event declaration
        T type
        T type declaration
        E enum declaration
        A enumMember declaration constant
        p variable declaration constant
        M class declaration
        x property declaration
        E enum
        S label declaration
        e event
        f function
        m parameter declaration
        M class
        y variable declaration
        x property write
        A enumMember constant
        y variable write
        p variable constant
        S label
        f function declaration
        g function
        g function declaration
        I interface declaration
        e event
        P class declaration
        e event
        S label declaration
        m namespace declaration
        M class
        t function declaration
        M class
        P class
        m namespace
    "#]]
    .assert_eq(&shown.collect::<String>());
}

fn check_lenses(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let text = fixture.file.parse(&fixture.db).text();
    let shown = lenses(&fixture.db, fixture.here(), &|_, _| None)
        .into_iter()
        .map(|lens| format!("{}: {}\n{}", text.slice(lens.range), lens.title, fixture.shown_all(lens.places)));
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn lenses_of_machines_and_events() {
    check_lenses(
        &PROGRAM.replacen("event eTick", "event $0eTick", 1),
        &expect![[r#"
        eRequest: sent in 1 place
        client.p:9:20 send server, <eRequest>, (client = this, id = number);
        eRequest: handled in 2 places
        server.p:6:8 on <eRequest> do Answer;
        client.p:20:31 start cold state Quiet { on <eRequest> goto Waiting; ignore eResponse; }
        eResponse: sent in 1 place
        server.p:22:26 send request.client, <eResponse>, (id = request.id, status = status);
        eResponse: handled in 2 places
        client.p:11:14 case <eResponse>: (response: (id: int, status: tStatus)) { assert response.id == number; }
        client.p:21:26 hot state Waiting { on <eResponse> do { open = open - 1; goto Quiet; } ignore eRequest; }
        eTick: sent in 2 places
        server.p:13:39 if (served > nRequests) { raise <eTick>; }
        client.p:13:16 announce <eTick>;
        eTick: handled in 1 place
        server.p:7:8 on <eTick> goto Busy with { served = 0; }
        eUnused: never sent
        eUnused: never handled
    "#]],
    );
    check_lenses(
        &PROGRAM.replacen("machine Server", "machine $0Server", 1),
        &expect![[r#"
        Server: created in 1 place
        test.p:2:63 start state Init { entry { var server: Server; server = new <Server>(); new Client(server); } }
    "#]],
    );
}

#[test]
fn lenses_of_tests() {
    check_lenses(
        &PROGRAM.replacen("machine Driver", "machine $0Driver", 1),
        &expect![[r#"
            Driver: created in 2 places
            test.p:6:75 test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = <Driver>]: assert Answers in (union system, { Driver });
            test.p:7:20 test tcOne [main = <Driver>]: union system, { Driver };
            tcAll: 6 test cases · not checked yet
            tcAll: Run
            tcAll: Explore
            tcOne: 1 test case · not checked yet
            tcOne: Run
            tcOne: Explore
        "#]],
    );
    check_lenses(
        "param a, b, c: int;\nmachine M { start state S { } }\ntest param (a in [1, 2], b in [1, 2, 3]) assume (a < b) few [main = M]: { M };\ntest param (a in [1, 2], b in [1, 2], c in [1, 2]) pairwise pairs [main = M]: { M };\ntest param (a in [true]) wrong [main = M]: { M };\n",
        &expect![[r#"
            M: created in 3 places
            3:69 test param (a in [1, 2], b in [1, 2, 3]) assume (a < b) few [main = <M>]: { M };
            4:75 test param (a in [1, 2], b in [1, 2], c in [1, 2]) pairwise pairs [main = <M>]: { M };
            5:40 test param (a in [true]) wrong [main = <M>]: { M };
            few: 3 test cases · 1 error must be mended first
            pairs: 4 test cases · 1 error must be mended first
            wrong: 1 error must be mended first
        "#]],
    );
}
