//! What is said about names and words.

use expect_test::{Expect, expect};

use super::{Fixture, program_at};
use crate::p::hover;

fn check(source: &str, expected: &Expect) {
    let fixture = Fixture::new(source);
    let found = hover(&fixture.db, fixture.here(), fixture.offset);
    expected.assert_eq(&found.map_or_else(|| "nothing".to_owned(), |hover| hover.markdown));
}

fn check_at(text: &str, expected: &Expect) {
    check(&program_at(text, 0), expected);
}

#[test]
fn types() {
    check_at(
        "tRequest;",
        &expect![[r#"
        ```p
        type tRequest = (client: Client, id: int);
        ```

        What a client asks for."#]],
    );
    check_at(
        "tStatus;",
        &expect![[r#"
        ```p
        enum tStatus { OK, BUSY }
        ```"#]],
    );
    check(
        "type tForeign;\nevent e: tForeign$0;",
        &expect![[r#"
        ```p
        type tForeign;
        ```"#]],
    );
    check_at(
        "OK;",
        &expect![[r#"
        ```p
        OK = 0
        ```

        of enum `tStatus`"#]],
    );
    check(
        "enum E { A = 5, B$0 = 7 }",
        &expect![[r#"
        ```p
        B = 7
        ```

        of enum `E`"#]],
    );
}

#[test]
fn events() {
    check_at(
        "eRequest, (client",
        &expect![[r#"
        ```p
        event eRequest: tRequest;
        ```

        Asks the server
        for something.

        Sent by `Client`  
        Handled by `Answers`, `Server`  
        Deferred by `Server`  
        Ignored by `Answers`  
        Observed by `Answers`"#]],
    );
    check_at(
        "eResponse, (id",
        &expect![[r#"
        ```p
        event eResponse: (id: int, status: tStatus);
        ```

        Sent by `Server`  
        Handled by `Answers`, `Client`  
        Ignored by `Answers`  
        Observed by `Answers`"#]],
    );
    check_at(
        "eTick;",
        &expect![[r#"
        ```p
        event eTick;
        ```

        Announced by `Client`  
        Raised by `Server`  
        Handled by `Server`  
        Ignored by `Server`"#]],
    );
    check_at(
        "eUnused",
        &expect![[r#"
        ```p
        event eUnused;
        ```

        Nobody sends or handles this event."#]],
    );
    check_at(
        "sAll",
        &expect![[r#"
        ```p
        eventset sAll = { eRequest, eResponse };
        ```"#]],
    );
    check(
        "event e;\nmachine M { start state S { entry { send this, e; send this, $0e; } } }",
        &expect![[r#"
        ```p
        event e;
        ```

        Sent by `M` (2×)"#]],
    );
}

#[test]
fn machines_and_specs() {
    check_at(
        "Server {",
        &expect![[r#"
        ```p
        machine Server
        ```

        Answers requests.

        Created by `Driver`"#]],
    );
    check_at(
        "Client(server)",
        &expect![[r#"
        ```p
        machine Client
        ```

        Takes a value of type `Server` when it is created.  
        Created by `Driver`"#]],
    );
    check_at(
        "Driver {",
        &expect![[r#"
        ```p
        machine Driver
        ```

        Started by `tcAll`, `tcOne`"#]],
    );
    check_at(
        "Answers in",
        &expect![[r#"
        ```p
        spec Answers observes eRequest, eResponse
        ```

        Nobody waits for ever.

        Checked in `tcAll`"#]],
    );
    check_at(
        "Asker }",
        &expect![[r#"
        ```p
        interface Asker (Server) receives eResponse;
        ```

        Bound to `Client`"#]],
    );
    check(
        "scenario S$0 observes halt { start state A { } cold state B { } }",
        &expect![[r#"
        ```p
        scenario S observes halt
        ```"#]],
    );
    check(
        "machine M$0 receives halt; sends; {\n  start state S { }\n}",
        &expect![[r#"
        ```p
        machine M receives halt; sends;
        ```"#]],
    );
}

#[test]
fn states() {
    check_at(
        "Idle;",
        &expect![[r#"
        ```p
        start state Idle
        ```

        of `Server`"#]],
    );
    check_at(
        "Waiting;",
        &expect![[r#"
        ```p
        hot state Waiting
        ```

        of `Answers`

        Hot: something good is still owed. A run that ends here, or stays here for ever, violates the spec."#]],
    );
    check_at(
        "Quiet;",
        &expect![[r#"
        ```p
        start cold state Quiet
        ```

        of `Answers`

        Cold: nothing is owed here; a run may stay for ever."#]],
    );
    check(
        "machine M { start state A { } hot state B$0 { } }",
        &expect![[r#"
        ```p
        hot state B
        ```

        of `M`

        Only specs and scenarios give a meaning to hot and cold states."#]],
    );
    check(
        "scenario S observes halt { start state A { on halt goto B$0; } cold state B { } }",
        &expect![[r#"
        ```p
        cold state B
        ```

        of `S`

        Cold: the scenario has happened."#]],
    );
    check(
        "machine M {\n  start state A { }\n  // Waits.\n  state $0B { }\n}",
        &expect![[r#"
        ```p
        state B
        ```

        of `M`

        Waits."#]],
    );
}

#[test]
fn functions() {
    check_at(
        "Next(0)",
        &expect![[r#"
        ```p
        fun Next(n: int): int
        ```

        One more."#]],
    );
    check_at(
        "Answer;",
        &expect![[r#"
        ```p
        fun Answer(request: tRequest)
        ```

        of `Server`"#]],
    );
    check(
        "fun f(a: int,\n      b: int): bool;\nfun g() { f$0(1, 2); }",
        &expect![[r#"
            ```p
            fun f(a: int,
                  b: int): bool;
            ```

            Written in another language."#]],
    );
}

#[test]
fn variables_and_parameters() {
    check_at(
        "served == ",
        &expect![[r#"
        ```p
        var served: int
        ```

        of `Server`"#]],
    );
    check_at(
        "request.id",
        &expect![[r#"
        ```p
        request: tRequest
        ```"#]],
    );
    check_at(
        "status = BUSY",
        &expect![[r#"
        ```p
        status: tStatus
        ```"#]],
    );
    check_at(
        "nClients in",
        &expect![[r#"
        ```p
        param nClients: int
        ```

        Given by `tcAll`"#]],
    );
    check_at(
        "isFast: ",
        &expect![[r#"
        ```p
        param isFast: bool
        ```

        Given by `tcAll`"#]],
    );
    check(
        "machine M {\n  // How many.\n  var n$0: int;\n  start state S { }\n}",
        &expect![[r#"
        ```p
        var n: int
        ```

        of `M`

        How many."#]],
    );
}

#[test]
fn modules_and_tests() {
    check_at(
        "system, { Driver });",
        &expect![[r#"
        ```p
        module system = { Server, Client };
        ```"#]],
    );
    check_at(
        "tcAll",
        &expect![[r#"
        ```p
        test param (nClients in [1, 2, 3], isFast in [true, false]) tcAll [main = Driver]: assert Answers in (union system, { Driver });
        ```

        6 test cases."#]],
    );
    check_at(
        "tcOne",
        &expect![[r#"
        ```p
        test tcOne [main = Driver]: union system, { Driver };
        ```

        1 test case."#]],
    );
    check(
        "machine M { start state S { } }\nimplementation all$0 [main = M]: { M };",
        &expect![[r#"
        ```p
        implementation all [main = M]: { M };
        ```"#]],
    );
}

#[test]
fn proofs() {
    let source = "machine M { var x: int; start state S { } }\n// Small.\nLemma small {\n  // Not below nought.\n  invariant low: forall (m: M) :: m.x >= 0;\n}\nProof { prove small_low; }";
    let check = |text: &str, expected: &Expect| {
        let fixture = Fixture::verifying(&source.replacen(text, &format!("$0{text}"), 1));
        let found = hover(&fixture.db, fixture.here(), fixture.offset);
        expected.assert_eq(&found.map_or_else(|| "nothing".to_owned(), |hover| hover.markdown));
    };
    check(
        "small_low",
        &expect![[r#"
        ```p
        Lemma small {
          // Not below nought.
          invariant low: forall (m: M) :: m.x >= 0;
        }
        ```

        Small."#]],
    );
    check(
        "low; }",
        &expect![[r#"
        ```p
        invariant low: forall (m: M) :: m.x >= 0;
        ```

        of lemma `small`

        Not below nought."#]],
    );
    check(
        "x >= 0",
        &expect![[r#"
        ```p
        var x: int
        ```

        of `M`"#]],
    );
    check(
        "m: M",
        &expect![[r#"
        ```p
        m: M
        ```"#]],
    );
    check("prove", &expect!["What is to be proved: that it holds before and after every step."]);
}

#[test]
fn long_declarations_are_cut() {
    let elements: Vec<String> = (0..30).map(|number| format!("  E{number}")).collect();
    check(
        &format!("enum Long$0 {{\n{}\n}}", elements.join(",\n")),
        &expect![[r#"
        ```p
        enum Long {
          E0,
          E1,
          E2,
          E3,
          E4,
          E5,
          E6,
          E7,
          E8,
          E9,
          E10,
        ...
        ```"#]],
    );
}

#[test]
fn comments_belong_to_what_follows_directly() {
    check(
        "// Far away.\n\nevent e$0;",
        &expect![[r#"
        ```p
        event e;
        ```

        Nobody sends or handles this event."#]],
    );
    check(
        "event first; // Of the first.\nevent e$0;",
        &expect![[r#"
        ```p
        event e;
        ```

        Nobody sends or handles this event."#]],
    );
    check(
        "/**\n * Of many\n * lines.\n */\nevent e$0;",
        &expect![[r#"
        ```p
        event e;
        ```

        Of many
        lines.

        Nobody sends or handles this event."#]],
    );
    check(
        "// Of the first.\nevent first; event e$0;",
        &expect![[r#"
        ```p
        event e;
        ```

        Nobody sends or handles this event."#]],
    );
}

#[test]
fn words_of_p() {
    check(
        "machine M { start state S { $0defer halt; } }",
        &expect!["Leaves these events in the queue: they are handled in a later state."],
    );
    check("fun f() { if ($0$) { } }", &expect!["True or false: the checker tries both."]);
    check("fun f() { if ($$0$) { } }", &expect!["True or false: the checker tries both."]);
    check("machine M { start state S { entry { send this$0, halt; } } }", &expect!["The machine in which this code runs."]);
    check(
        "machine M { start state S { entry { send this, ha$0lt; } } }",
        &expect!["The event that ends a machine which does not handle it. What is sent to it later is thrown away."],
    );
    check("init-$0condition true;", &expect!["What proofs may take for true at the beginning."]);
    check(
        "event e$0vent;",
        &expect!["An event is sent from machine to machine and may carry a value; as a type, any event without its value."],
    );
    check("// defer$0 it", &expect!["nothing"]);
    check("fun f() { print \"defer$0\"; }", &expect!["nothing"]);
    check("fun f() { unknown$0 = 1; }", &expect!["nothing"]);
    check("fun f() { ($0) }", &expect!["nothing"]);
}
