//! `lockstep diagram`.

use expect_test::expect;

use super::Sandbox;

const PAIR: &str = "//- pair.p
event ePing;
event ePong;
machine Client {
    var server: Server;
    start state Asking {
        entry { server = new Server(this); send server, ePing; }
        on ePong goto Done;
    }
    state Done { ignore ePong; }
}
machine Server {
    var client: Client;
    start state Serving {
        entry (given: Client) { client = given; }
        on ePing do { send client, ePong; }
    }
}
spec Answers observes ePing, ePong {
    start cold state Calm { on ePing goto Open; ignore ePong; }
    hot state Open { on ePong goto Calm; ignore ePing; }
}
test tcPair [main=Client]: assert Answers in { Client, Server };
";

#[test]
fn the_flow_is_the_default_and_text() {
    Sandbox::new(PAIR).check(
        "diagram pair.p",
        expect![[r#"
            event flow of sandbox (2 machines, 1 spec)

            ○ Client
            ├── ePing ──▶ Server
            ├┈┈ seen ePing ┈┈▸ Answers
            └══ new Server ══▶ Server

            ○ Server
            ├── ePong ──▶ Client
            └┈┈ seen ePong ┈┈▸ Answers

            ○ Answers  [spec]
            │   observes  ePing, ePong
            --- exit code 0
        "#]],
    );
}

#[test]
fn a_machine_and_a_test() {
    let sandbox = Sandbox::new(PAIR);
    sandbox.check(
        "diagram pair.p --machine Answers",
        expect![[r#"
            spec Answers (2 states)

            ● Calm  [cold]  (start)
            │   ignore  ePong
            └── ePing ──▶ Open

            ○ Open  [hot]
            │   ignore  ePing
            └── ePong ──▶ Calm
            --- exit code 0
        "#]],
    );
    let of_test = sandbox.run(&["diagram", "pair.p", "--test", "tcPair", "--mermaid"]);
    assert!(of_test.stdout.contains("flowchart TD\n  n0[[\"Client\"]]"), "{}", of_test.stdout);
}

#[test]
fn a_picture_is_written() {
    let sandbox = Sandbox::new(PAIR);
    let run = sandbox.run(&["diagram", "pair.p", "--machine", "Client", "-o", "client.svg"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", "note: written to `client.svg`\n"));
    let written = std::fs::read_to_string(sandbox.path().join("client.svg")).unwrap();
    assert!(written.starts_with("<svg xmlns") && written.ends_with("</svg>\n"), "{written}");
    let shown = sandbox.run(&["diagram", "pair.p", "--machine", "Client", "--svg"]);
    assert_eq!(shown.stdout, written);
    let dot = sandbox.run(&["diagram", "pair.p", "--dot"]).stdout;
    assert!(dot.starts_with("digraph \"event flow of sandbox\" {\n") && dot.ends_with("}\n"), "{dot}");
}

#[test]
fn wrong_names_are_told_with_the_right_ones() {
    let sandbox = Sandbox::new(PAIR);
    sandbox.check(
        "diagram pair.p --machine client",
        expect![[r#"
            --- stderr
            error: there is no machine or spec `client`: did you mean `Client`?
            there are
              Client
              Server
              Answers
            --- exit code 2
        "#]],
    );
    sandbox.check(
        "diagram pair.p --test tcPear",
        expect![[r#"
            --- stderr
            error: there is no test `tcPear`: did you mean `tcPair`?
            there are
              tcPair
            --- exit code 2
        "#]],
    );
    let both = sandbox.run(&["diagram", "pair.p", "--svg", "--dot"]);
    assert_eq!(both.code, Some(2));
}

#[test]
fn what_is_broken_is_drawn_as_far_as_it_can_be_read() {
    let sandbox = Sandbox::new("");
    sandbox.write("half.p", "event eGo; machine M { start state A { on eGo goto B; } state B { entry { x = ; } } }\n");
    let run = sandbox.run(&["diagram", "half.p", "--machine", "M"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("eGo ──▶ B"), "{}", run.stdout);
    assert!(run.stderr.contains("syntax errors"), "{}", run.stderr);
}
