//! What is drawn of small programs, as text.

use expect_test::{Expect, expect};
use lockstep_program::{Database, Member, Project, Purpose, SourceFile};
use lockstep_syntax::{Language, Parse};

use crate::{Diagram, Subject, dot, draw, machines, mermaid, svg, tests_of, text};

fn with_project(program: &str, look: impl FnOnce(&Database, Project)) {
    let db = Database::default();
    let file = SourceFile::open(&db, "a.p", Parse::new(Language::P, program));
    let project = Project::open(&db, "test", vec![Member::from(file)], Purpose::Checking);
    look(&db, project);
}

fn states(program: &str, show: impl Fn(&Diagram) -> String, expected: &Expect) {
    with_project(program, |db, project| {
        let machine = machines(db, project)[0];
        expected.assert_eq(&show(&draw(db, Subject::States(machine), "test").expect("it is a machine")));
    });
}

fn flow(program: &str, show: impl Fn(&Diagram) -> String, expected: &Expect) {
    with_project(program, |db, project| {
        expected.assert_eq(&show(&draw(db, Subject::Project(project), "test").expect("there is always a flow")));
    });
}

const DOOR: &str = "
event eOpen; event eClose; event eLock; event eNext; event eStop;
machine Door {
    start state Closed {
        entry Begin;
        on eOpen goto Opened;
        on eLock do { if ($) { goto Locked; } }
        ignore eClose;
    }
    state Opened {
        entry { raise eNext; }
        exit { print \"left\"; }
        on eClose, eNext goto Closed;
        defer eLock;
        on eStop do End;
    }
    state Locked {
        entry {
            receive {
                case eOpen: { leave(); }
                case eStop: { raise halt; }
            }
        }
    }
    fun Begin() { }
    fun End() { raise halt; }
    fun leave() { goto Opened; }
}";

#[test]
fn gotos_are_found_through_calls_and_in_receive() {
    states(
        DOOR,
        text,
        &expect![[r#"
            machine Door (3 states)

            ● Closed  (start)
            │   entry   Begin
            │   on      eLock
            │   ignore  eClose
            ├── eOpen ──▶ Opened
            └── eLock ──▶ Locked

            ○ Opened
            │   entry  raises eNext
            │   exit
            │   defer  eLock
            ├── eClose, eNext ──▶ Closed
            └── eStop ──▶ halt

            ○ Locked
            │   entry  waits for eOpen, eStop
            ├── entry ▸ eStop ──▶ halt
            └── entry ▸ eOpen ──▶ Opened

            ○ halt
        "#]],
    );
}

#[test]
fn specs_are_hot_and_cold() {
    states(
        "event eA; event eB;
         spec Progress observes eA, eB {
             start cold state Calm { on eA goto Waiting; }
             hot state Waiting { on eB goto Between; }
             state Between { on eA, eB goto Calm; }
         }",
        text,
        &expect![[r#"
            spec Progress (3 states)

            ● Calm  [cold]  (start)
            └── eA ──▶ Waiting

            ○ Waiting  [hot]
            └── eB ──▶ Between

            ○ Between  [warm]
            └── eA, eB ──▶ Calm
        "#]],
    );
}

const PAIR: &str = "
event ePing: machine; event ePong; event eDone;
machine Client {
    var server: Server;
    start state S {
        entry { server = new Server(); send server, ePing, this; announce eDone; }
        on ePong do { send this, eDone; }
        ignore eDone;
    }
}
machine Server { start state S { on ePing do (client: machine) { answer(client); } } }
machine Other { start state S { on ePong do { } } }
fun answer(client: machine) { send client, ePong; }
spec Watch observes eDone, ePong { start state S { on eDone, ePong do { } } }
test tcPair [main=Client]: assert Watch in { Client, Server };
";

#[test]
fn who_sends_what_to_whom() {
    flow(
        PAIR,
        text,
        &expect![[r#"
            event flow of test (3 machines, 1 spec)

            ○ Client
            ├── ePing ──▶ Server
            ├┈┈ announces eDone ┈┈▸ Watch
            ├══ new Server ══▶ Server
            ├── eDone ──▶ Client
            └┈┈ seen eDone ┈┈▸ Watch

            ○ Server
            ├┄┄ ePong ┄┄▷ Client
            ├┄┄ ePong ┄┄▷ Other
            └┈┈ seen ePong ┈┈▸ Watch

            ○ Other

            ○ Watch  [spec]
            │   observes  eDone, ePong
        "#]],
    );
}

#[test]
fn a_test_has_its_own_machines_only() {
    with_project(PAIR, |db, project| {
        let test = tests_of(db, project)[0];
        let drawn = draw(db, Subject::Test(test), "test").expect("its module is right");
        let names: Vec<&str> = drawn.boxes.iter().map(|shown| shown.name.as_str()).collect();
        assert_eq!(names, ["Client", "Server", "Watch"]);
        assert!(drawn.boxes[0].is_start);
        assert!(drawn.arrows.iter().all(|arrow| drawn.boxes[arrow.to].name != "Other"));
    });
}

#[test]
fn other_languages() {
    let show = |diagram: &Diagram| mermaid(diagram) + &dot(diagram);
    states(
        DOOR,
        show,
        &expect![[r#"
        ---
        title: "machine Door"
        ---
        stateDiagram-v2
          state "Closed" as n0
          n0 : entry Begin
          n0 : on eLock
          n0 : ignore eClose
          [*] --> n0
          state "Opened" as n1
          n1 : entry raises eNext
          n1 : exit
          n1 : defer eLock
          state "Locked" as n2
          n2 : entry waits for eOpen, eStop
          n0 --> n1 : eOpen
          n0 --> n2 : eLock
          n1 --> n0 : eClose, eNext
          n1 --> [*] : eStop
          n2 --> [*] : entry then eStop
          n2 --> n1 : entry then eOpen
          classDef hot stroke:#cf222e,stroke-width:2px
          classDef cold stroke:#0969da,stroke-width:2px
        digraph "machine Door" {
          graph [rankdir=TB];
          node [shape=box, fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=10];
          n0 [label="Closed\nentry Begin\lon eLock\lignore eClose\l", style=rounded];
          start0 [shape=point, label=""];
          start0 -> n0;
          n1 [label="Opened\nentry raises eNext\lexit\ldefer eLock\l", style=rounded];
          n2 [label="Locked\nentry waits for eOpen, eStop\l", style=rounded];
          n3 [label="halt", shape=oval];
          n0 -> n1 [label="eOpen"];
          n0 -> n2 [label="eLock"];
          n1 -> n0 [label="eClose\neNext"];
          n1 -> n3 [label="eStop"];
          n2 -> n3 [label="entry ▸ eStop"];
          n2 -> n1 [label="entry ▸ eOpen"];
        }
    "#]],
    );
    flow(
        PAIR,
        show,
        &expect![[r#"
        ---
        title: "event flow of test"
        ---
        flowchart TD
          n0["Client"]
          n1["Server"]
          n2["Other"]
          n3(["Watch<br/>observes eDone, ePong"])
          n0 -->|"ePing"| n1
          n0 --o|"eDone"| n3
          n0 ==>|"new"| n1
          n0 -->|"eDone"| n0
          n0 -.-o|"eDone"| n3
          n1 -.->|"ePong"| n0
          n1 -.->|"ePong"| n2
          n1 -.-o|"ePong"| n3
        digraph "event flow of test" {
          graph [rankdir=TB];
          node [shape=box, fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=10];
          n0 [label="Client"];
          n1 [label="Server"];
          n2 [label="Other"];
          n3 [label="Watch\nobserves eDone, ePong\l", style=dashed, color=purple];
          n0 -> n1 [label="ePing"];
          n0 -> n3 [label="eDone", color=purple];
          n0 -> n1 [label="new", style=dotted, color=darkgreen];
          n0 -> n0 [label="eDone"];
          n0 -> n3 [label="eDone", style=dotted, color=purple];
          n1 -> n0 [label="ePong", style=dashed];
          n1 -> n2 [label="ePong", style=dashed];
          n1 -> n3 [label="ePong", style=dotted, color=purple];
        }
    "#]],
    );
}

#[test]
fn what_is_written_is_escaped() {
    with_project("machine M { start state S { } }", |db, project| {
        let mut drawn = draw(db, Subject::Project(project), "test").expect("there is always a flow");
        drawn.boxes[0].name = "a\"b\\<c>&\n]".to_owned();
        assert!(svg(&drawn).contains("a&quot;b\\&lt;c&gt;&amp;\u{25a1}]</text>"));
        assert!(dot(&drawn).contains(r#"label="a\"b\\<c>&\n]""#));
        assert!(mermaid(&drawn).contains("a#34;b#92;#60;c#62;#38;#10;#93;"));
    });
}

/// The picture of a small machine, to the letter.
#[test]
fn a_small_picture() {
    let without_style = |diagram: &Diagram| {
        let drawn = svg(diagram);
        let (before, rest) = drawn.split_once("<style>").expect("there is a style sheet");
        let (_, after) = rest.split_once("</style>").expect("it ends");
        format!("{before}{after}")
    };
    states(
        "event eGo; machine M { start state A { on eGo goto B; } state B { ignore eGo; } }",
        without_style,
        &expect![[r#"
            <svg xmlns="http://www.w3.org/2000/svg" class="lockstep-diagram" width="118" height="193" viewBox="0 0 118 193">
            <title>machine M</title>

            <rect class="paper" width="100%" height="100%"/>
            <text class="title" x="16" y="30">machine M</text>
            <g transform="translate(16 46)">
            <g class="arrow goto" data-arrow="0" data-from="0" data-to="1"><title>A goes to B: eGo</title>
            <path class="line" d="M43.0 30.0 C43.0 39.0 43.0 39.0 43.0 48.0 C43.0 53.0 43.0 58.0 43.0 63.0 C43.0 72.0 43.0 72.0 43.0 81.0"/>
            <path class="tip" transform="translate(43.0 81.0) rotate(90.0)" d="M0 0 l-9 -4 v8 z"/>
            <text class="label" x="49.0" y="59.5">eGo</text>
            </g>
            <g class="box state start" data-box="0"><title>state A, the start</title>
            <rect x="15.0" y="0.0" width="56.0" height="30.0" rx="9"/>
            <circle class="begin" cx="28.0" cy="15.0" r="4"/>
            <path class="begin-line" d="M33.0 15.0 h6 m-3 -3 l3 3 l-3 3"/>
            <text class="name" x="47.0" y="19.5" text-anchor="start">A</text>
            </g>
            <g class="box state" data-box="1"><title>state B</title>
            <rect x="0.0" y="81.0" width="86.0" height="50.0" rx="9"/>
            <text class="name" x="10.0" y="99.0" text-anchor="start">B</text>
            <path class="rule" d="M0.0 107.0 h86.0"/>
            <g class="row ignore"><text class="word" x="10.0" y="122.0">ignore</text><text class="said" x="54.0" y="122.0">eGo</text></g>
            </g>
            <g class="legend" transform="translate(0 145.0)">
            </g>
            </g>
            </svg>
        "#]],
    );
}
