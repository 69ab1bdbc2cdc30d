//! What a name stands for, in words.

use expect_test::{Expect, expect};

use super::{PROGRAM, at_cursor, shown};
use crate::icet::hover;

fn check(source: &str, expected: &Expect) {
    let (parse, offset) = at_cursor(source);
    let shown =
        hover(&parse, offset).map_or_else(String::new, |hover| format!("{}\n{}\n", shown(&parse, hover.range), hover.markdown));
    expected.assert_eq(&shown);
}

/// The hover of the first occurrence of a piece of `PROGRAM`, at the `$0` in it.
fn check_in_program(piece: &str, expected: &Expect) {
    check(&PROGRAM.replacen(&piece.replace("$0", ""), piece, 1), expected);
}

#[test]
fn messages_say_who_sends_and_receives_them() {
    check_in_program(
        "send A$0sk",
        &expect![[r#"
        23:12 Ask
        ```icet
        message Ask(from_whom: pid, round: int);
        ```

        A question.

        Sent by `process server`.\
        Received by `process node in Nodes`.
    "#]],
    );
    check(
        "message M$0;\nprocess p { send M to p; send M to q; }\nprocess q { send M to p; }\n",
        &expect![[r#"
        1:9 M
        ```icet
        message M;
        ```

        Sent by `process p`, `process q`.\
        Received by nobody.
    "#]],
    );
}

#[test]
fn sets_and_processes_say_how_many_they_are() {
    check_in_program(
        "n in N$0odes",
        &expect![[r#"
        20:14 Nodes
        ```icet
        set Nodes;
        ```

        whom the server asks

        Any number of processes, zero included. Each member runs `process node in Nodes`.
    "#]],
    );
    check_in_program(
        "node in T$0rusted",
        &expect![[r#"
        44:17 Trusted
        ```icet
        set Trusted subset Nodes;
        ```

        Some members of `Nodes`, possibly none or all. Each member runs `process node in Nodes`.
    "#]],
    );
    check_in_program(
        "send Ask(s$0erver",
        &expect![[r#"
        23:16 server
        ```icet
        process server
        ```

        One process. `server` is its pid.
    "#]],
    );
    check_in_program(
        "process n$0ode",
        &expect![[r#"
        38:9 node
        ```icet
        process node in Nodes
        ```

        One process for each member of `Nodes`. `node` is its own pid, known only in its body.
    "#]],
    );
    check(
        "set S$0;",
        &expect![[r#"
        1:5 S
        ```icet
        set S;
        ```

        Any number of processes, zero included. No process is declared for them.
    "#]],
    );
}

#[test]
fn types_and_elements() {
    check_in_program(
        "reply: R$0eply",
        &expect![[r#"
        9:20 Reply
        ```icet
        enum Reply { Busy, Ready(load: Load, since: int) }
        ```

        What a node may say.
    "#]],
    );
    check_in_program(
        "Say(R$0eady",
        &expect![[r#"
        45:16 Ready
        ```icet
        Ready(load: Load, since: int)
        ```

        Element of `enum Reply`.
    "#]],
    );
    check_in_program(
        "best: L$0oad",
        &expect![[r#"
        15:13 Load
        ```icet
        type Load = (free: int, used: int);
        ```
    "#]],
    );
    check_in_program(
        "best.f$0ree",
        &expect![[r#"
        28:16 free
        ```icet
        free: int
        ```

        Field of a record.
    "#]],
    );
    check_in_program(
        "r$0ound: int",
        &expect![[r#"
        8:29 round
        ```icet
        round: int
        ```

        Part of what `Ask` carries. Its name is documentation.
    "#]],
    );
    check(
        "/* Opaque:\n * nobody looks inside.\n */\ntype V$0;",
        &expect![[r#"
            4:6 V
            ```icet
            type V;
            ```

            Opaque:
            nobody looks inside.

            Its values can only be compared, with `==` and `!=`.
        "#]],
    );
}

#[test]
fn variables_and_what_loops_declare() {
    check_in_program(
        "h$0eard = ",
        &expect![[r#"
        27:11 heard
        ```icet
        ghost var heard: set[Nodes]
        ```

        Variable of `process server`. Ghost: it exists for proofs only. It can be assigned, but nothing that is not ghost may depend on it.
    "#]],
    );
    check_in_program(
        "s$0erved",
        &expect![[r#"
        11:11 served
        ```icet
        ghost var served: set[Nodes]
        ```

        Ghost: it exists for proofs only. It can be assigned, but nothing that is not ghost may depend on it. Shared by all processes.
    "#]],
    );
    check_in_program(
        "m.a$0sked",
        &expect![[r#"
        21:62 asked
        ```icet
        var asked: int = 0
        ```

        Variable of `process node in Nodes`.
    "#]],
    );
    check_in_program(
        "l$0imit as i",
        &expect![[r#"
        19:10 limit
        ```icet
        const limit: int = 3;
        ```
    "#]],
    );
    check_in_program(
        "limit as i$0",
        &expect![[r#"
        19:19 i
        ```icet
        i: int
        ```

        The number of the turn: 0, 1, ..., `limit` - 1.
    "#]],
    );
    check_in_program(
        "for n$0 in",
        &expect![[r#"
            20:9 n
            ```icet
            n in Nodes
            ```

            Stands for one member of `Nodes` in each turn of the loop.
        "#]],
    );
    check_in_program(
        "in A$0sked",
        &expect![[r#"
        21:50 Asked
        ```icet
        done Asked
        ```

        The members of `Nodes` whose turn is over. Ghost: for the loop's invariants.
    "#]],
    );
    check_in_program(
        "m$0 in Asked",
        &expect![[r#"
        21:45 m
        ```icet
        m: Nodes
        ```
    "#]],
    );
    check_in_program(
        "k$0nown",
        &expect![[r#"
        21:17 known
        ```icet
        invariant known: forall (m: Nodes) :: m in Asked ==> m.asked > i
        ```
    "#]],
    );
    check_in_program(
        "ensures a$0ll",
        &expect![[r#"
        52:9 all
        ```icet
        ensures all: card(server.heard) == card(Nodes) || server.best.free > 0
        ```
    "#]],
    );
    check_in_program(
        "c$0ard",
        &expect![[r#"
        52:14 card
        ```icet
        card(S)
        ```

        The number of elements of the set `S`.
    "#]],
    );
    check(
        "sequential {\n  // Counts.\n  var x$0: int;\n}\n",
        &expect![[r#"
        3:7 x
        ```icet
        var x: int
        ```

        Counts.

        Variable of the sequential part.
    "#]],
    );
    check(
        "process p { rounds as r$0 { skip; } }\n",
        &expect![[r#"
        1:23 r
        ```icet
        r: int
        ```

        The number of the round: 0, 1, and so on without end.
    "#]],
    );
}

#[test]
fn a_comment_belongs_to_what_it_stands_at() {
    check(
        "enum E {\n  // The first.\n  A$0,\n  B // the second\n}",
        &expect![[r#"
        3:3 A
        ```icet
        A
        ```

        The first.

        Element of `enum E`.
    "#]],
    );
    check(
        "enum E {\n  // The first.\n  A,\n  B$0, // the second\n}",
        &expect![[r#"
        4:3 B
        ```icet
        B
        ```

        the second

        Element of `enum E`.
    "#]],
    );
    check(
        "// Of the enum.\nenum E { A$0, B }",
        &expect![[r#"
        2:10 A
        ```icet
        A
        ```

        Element of `enum E`.
    "#]],
    );
    check(
        "// Far away.\n\nset S$0;\nset T; // Of T.\n",
        &expect![[r#"
        3:5 S
        ```icet
        set S;
        ```

        Any number of processes, zero included. No process is declared for them.
    "#]],
    );
}

#[test]
fn nothing_without_a_name() {
    check("process p { skip$0; }", &expect![[""]]);
    check("process p { unknown$0 = 1; }", &expect![[""]]);
    check("$0", &expect![[""]]);
}
