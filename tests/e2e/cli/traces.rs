//! `lockstep replay` and `lockstep trace`: what is done with traces.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use super::run::COUNTER;
use super::{Sandbox, schema};

const TRACE: &str = "target/lockstep/tcTwo.trace.json";

/// A folder with a program and the trace of its bug.
fn with_trace(options: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new(COUNTER);
    let args = [&["run", "counter.p", "tcTwo"], options].concat();
    assert_eq!(sandbox.run(&args).code, Some(1));
    sandbox
}

fn read(sandbox: &Sandbox, path: &str) -> String {
    fs::read_to_string(sandbox.path().join(path)).unwrap()
}

fn change(sandbox: &Sandbox, from: &str, to: &str) {
    let text = read(sandbox, "counter.p");
    assert!(text.contains(from));
    sandbox.write("counter.p", text.replace(from, to));
}

#[test]
fn traces_fit_their_schema() {
    let schema: Value = serde_json::from_str(lockstep_trace::SCHEMA).unwrap();
    let network = ["--no-minimize", "--delivery", "network"];
    for sandbox in [with_trace(&[]), with_trace(&network), with_long_trace(&[])] {
        let trace: Value = serde_json::from_str(&read(&sandbox, TRACE)).unwrap();
        assert_eq!(schema::problems_with(&schema, &trace), [""; 0]);
        let mut wrong = trace.clone();
        wrong["decisions"][0]["action"] = "dance".into();
        assert_ne!(schema::problems_with(&schema, &wrong), [""; 0]);
    }
}

#[test]
fn a_trace_is_run_again() {
    with_trace(&[]).check(&format!("replay {TRACE}"), expect![[r#"
          1  Main(1) starts                                                            counter.p:10
          2  Main(1) creates Counter(1.1)                                              counter.p:11
               counter: null -> Counter(1.1)
          3  Main(1) creates Client(1.2)                                               counter.p:12
          4  Main(1) creates Client(1.3)                                               counter.p:13
          5  Counter(1.1) starts                                                       counter.p:25
          6  Client(1.3) starts with (counter = Counter(1.1), owner = Main(1))         counter.p:34
               config: (counter = null, owner = null) -> (counter = Counter(1.1), owner = Main(1))
          7  Client(1.3) sends eRead(Client(1.3)) to Counter(1.1)                      counter.p:36
          8  Client(1.2) starts with (counter = Counter(1.1), owner = Main(1))         counter.p:34
               config: (counter = null, owner = null) -> (counter = Counter(1.1), owner = Main(1))
          9  Client(1.2) sends eRead(Client(1.2)) to Counter(1.1)                      counter.p:36
         10  Counter(1.1) takes eRead(Client(1.3)) from Client(1.3)                    counter.p:26
         11  Counter(1.1) sends eValue(0) to Client(1.3)                               counter.p:26
         12  Counter(1.1) takes eRead(Client(1.2)) from Client(1.2)                    counter.p:26
         13  Client(1.3) takes eValue(0) from Counter(1.1)                             counter.p:38
         14  Client(1.3) sends eWrite(1) to Counter(1.1)                               counter.p:39
         15  Client(1.3) sends eDone to Main(1)                                        counter.p:40
         16  Counter(1.1) sends eValue(0) to Client(1.2)                               counter.p:26
         17  Counter(1.1) takes eWrite(1) from Client(1.3)                             counter.p:27
               value: 0 -> 1
         18  Client(1.2) takes eValue(0) from Counter(1.1)                             counter.p:38
         19  Client(1.2) sends eWrite(1) to Counter(1.1)                               counter.p:39
         20  Client(1.2) sends eDone to Main(1)                                        counter.p:40
         21  Main(1) takes eDone from Client(1.3)                                      counter.p:15
               done: 0 -> 1
         22  Main(1) takes eDone from Client(1.2)                                      counter.p:15
               done: 1 -> 2
         23  Main(1) sends eRead(Main(1)) to Counter(1.1)                              counter.p:17
         24  Counter(1.1) takes eWrite(1) from Client(1.2)                             counter.p:27
         25  Counter(1.1) takes eRead(Main(1)) from Main(1)                            counter.p:26
         26  Counter(1.1) sends eValue(1) to Main(1)                                   counter.p:26
         27  Main(1) takes eValue(1) from Counter(1.1)                                 counter.p:19
        bug at counter.p:19 [LS3001]
             Main(1) in Init: this assertion does not hold: an update got lost: 1

        error[LS3001]: this assertion does not hold: an update got lost: 1
          --> counter.p:19:37
           |
        19 |         on eValue do (value: int) { assert value == 2, format("an update got lost: {0}", value); }
           |                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: `Main(1)` in state `Init`, test `tcTwo`: `lockstep trace view target/lockstep/tcTwo.trace.json` shows how it comes to that

        tcTwo: refuted: this assertion does not hold: an update got lost: 1
          trace: target/lockstep/tcTwo.trace.json (27 decisions; schedule 1, seed 1)
          next:  lockstep trace view target/lockstep/tcTwo.trace.json
                 lockstep trace view --html --out chart.html target/lockstep/tcTwo.trace.json
                 lockstep replay target/lockstep/tcTwo.trace.json    after a change of the program
        --- exit code 1
    "#]]);
}

#[test]
fn a_comment_is_no_change_but_code_is() {
    let sandbox = with_trace(&[]);
    change(&sandbox, "machine Counter {", "// A comment.\nmachine Counter {");
    let run = sandbox.run(&["replay", TRACE]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    change(&sandbox, "value == 2", "value > 0");
    sandbox.check(
        &format!("replay {TRACE}"),
        expect![[r#"
          1  Main(1) starts                                                            counter.p:10
          2  Main(1) creates Counter(1.1)                                              counter.p:11
               counter: null -> Counter(1.1)
          3  Main(1) creates Client(1.2)                                               counter.p:12
          4  Main(1) creates Client(1.3)                                               counter.p:13
          5  Counter(1.1) starts                                                       counter.p:26
          6  Client(1.3) starts with (counter = Counter(1.1), owner = Main(1))         counter.p:35
               config: (counter = null, owner = null) -> (counter = Counter(1.1), owner = Main(1))
          7  Client(1.3) sends eRead(Client(1.3)) to Counter(1.1)                      counter.p:37
          8  Client(1.2) starts with (counter = Counter(1.1), owner = Main(1))         counter.p:35
               config: (counter = null, owner = null) -> (counter = Counter(1.1), owner = Main(1))
          9  Client(1.2) sends eRead(Client(1.2)) to Counter(1.1)                      counter.p:37
         10  Counter(1.1) takes eRead(Client(1.3)) from Client(1.3)                    counter.p:27
         11  Counter(1.1) sends eValue(0) to Client(1.3)                               counter.p:27
         12  Counter(1.1) takes eRead(Client(1.2)) from Client(1.2)                    counter.p:27
         13  Client(1.3) takes eValue(0) from Counter(1.1)                             counter.p:39
         14  Client(1.3) sends eWrite(1) to Counter(1.1)                               counter.p:40
         15  Client(1.3) sends eDone to Main(1)                                        counter.p:41
         16  Counter(1.1) sends eValue(0) to Client(1.2)                               counter.p:27
         17  Counter(1.1) takes eWrite(1) from Client(1.3)                             counter.p:28
               value: 0 -> 1
         18  Client(1.2) takes eValue(0) from Counter(1.1)                             counter.p:39
         19  Client(1.2) sends eWrite(1) to Counter(1.1)                               counter.p:40
         20  Client(1.2) sends eDone to Main(1)                                        counter.p:41
         21  Main(1) takes eDone from Client(1.3)                                      counter.p:15
               done: 0 -> 1
         22  Main(1) takes eDone from Client(1.2)                                      counter.p:15
               done: 1 -> 2
         23  Main(1) sends eRead(Main(1)) to Counter(1.1)                              counter.p:17
         24  Counter(1.1) takes eWrite(1) from Client(1.2)                             counter.p:28
         25  Counter(1.1) takes eRead(Main(1)) from Main(1)                            counter.p:27
         26  Counter(1.1) sends eValue(1) to Main(1)                                   counter.p:27
         27  Main(1) takes eValue(1) from Counter(1.1)                                 counter.p:19

        tcTwo: sampled: the recorded decisions were followed to their end, no bug: it is gone from this run, and `lockstep run` looks for it in others
        --- stderr
        note: the program has changed since the trace was made
        --- exit code 0
    "#]],
    );
    change(&sandbox, "send config.owner, eDone;", "goto Reading, config;");
    let run = sandbox.run(&["replay", TRACE]);
    assert_eq!(run.code, Some(3), "{}", run.shown());
    assert!(run.stderr.contains("the program has changed since"), "{}", run.stderr);
    assert!(run.stdout.contains("does not do any more what the trace says"), "{}", run.stdout);
    let minimized = sandbox.run(&["trace", "minimize", TRACE]);
    assert_eq!(minimized.code, Some(3), "{}", minimized.shown());
    let viewed = sandbox.run(&["trace", "view", TRACE]);
    assert_eq!(viewed.code, Some(0));
    assert!(viewed.stderr.contains("the program has changed since"), "{}", viewed.stderr);
}

#[test]
fn what_is_no_trace_is_told() {
    let sandbox = with_trace(&[]);
    sandbox.write("broken.json", "{\"format\": ");
    sandbox.write("other.json", "{}");
    sandbox.write("newer.json", read(&sandbox, TRACE).replace("\"version\": 1", "\"version\": 9"));
    sandbox.write("binary.json", [0xff, 0xfe]);
    sandbox.check(
        "replay missing.json",
        expect![[r#"
        --- stderr
        error: there is no file `missing.json`
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "replay broken.json",
        expect![[r#"
        --- stderr
        error: cannot read `broken.json`: it is not JSON: EOF while parsing a value at line 1 column 11
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "trace view other.json",
        expect![[r#"
        --- stderr
        error: cannot read `other.json`: it is no trace: the field `format` should be "lockstep-trace"
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "trace minimize newer.json",
        expect![[r#"
        --- stderr
        error: cannot read `newer.json`: it is a trace of version 9, and this Lockstep reads version 1: find the bug again
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "trace view binary.json",
        expect![[r#"
        --- stderr
        error: cannot read `binary.json`: it is not UTF-8
        --- exit code 2
    "#]],
    );
    // The right program, and decisions that it cannot follow.
    let damaged = TRACE.replace("tcTwo", "damaged");
    sandbox.write(&damaged, read(&sandbox, TRACE).replacen("\"action\": \"start\"", "\"action\": \"take\"", 1));
    sandbox.check(
        &format!("replay {damaged}"),
        expect![[r#"

            --- stderr
            error: `target/lockstep/damaged.trace.json` is damaged: its program does not do what it says
            --- exit code 2
        "#]],
    );
}

/// A trace names its program by the way from where it lies.
#[test]
fn a_trace_is_of_use_in_any_folder() {
    let sandbox = with_trace(&[]);
    fs::create_dir(sandbox.path().join("elsewhere")).unwrap();
    let trace = format!("../{TRACE}");
    let run = sandbox.run_in("elsewhere", &["replay", &trace]);
    assert_eq!(run.code, Some(1), "{}", run.shown());
    let run = sandbox.run_in("elsewhere", &["trace", "view", &trace]);
    assert!(run.code == Some(0) && run.stderr.is_empty(), "{}", run.shown());
    let run = sandbox.run_in("elsewhere", &["trace", "minimize", "--out", "short.json", &trace]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    assert_eq!(sandbox.run(&["replay", "elsewhere/short.json"]).code, Some(1));
}

#[test]
fn a_program_that_has_moved_can_be_named() {
    let sandbox = with_trace(&[]);
    fs::rename(sandbox.path().join("counter.p"), sandbox.path().join("moved.p")).unwrap();
    sandbox.check(
        &format!("replay {TRACE}"),
        expect![[r#"
        --- stderr
        error: the program of the trace is not at `counter.p` any more: say where it is with --project PATH
        --- exit code 2
    "#]],
    );
    let run = sandbox.run(&["replay", "--project", "moved.p", TRACE]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{}", run.stdout);
    fs::rename(sandbox.path().join("moved.p"), sandbox.path().join("counter.p")).unwrap();
    change(&sandbox, "test tcTwo", "test tcRenamed");
    let run = sandbox.run(&["replay", TRACE]);
    assert!(run.stderr.contains("there is no test `tcTwo`"), "{}", run.stderr);
    assert_eq!(run.code, Some(2));
}

#[test]
fn pictures() {
    let sandbox = with_trace(&[]);
    let text = sandbox.run(&["trace", "view", "--text", TRACE]);
    assert_eq!(text.stdout, sandbox.run(&["trace", "view", TRACE]).stdout);
    let svg = sandbox.run(&["trace", "view", "--svg", TRACE]).stdout;
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    let html = sandbox.run(&["trace", "view", "--html", "--out", "out/chart.html", TRACE]);
    assert_eq!((html.code, html.stdout.as_str()), (Some(0), ""));
    assert!(read(&sandbox, "out/chart.html").contains("Client(1.3) sends eWrite(1) to Counter(1.1)"));
    let sarif = sandbox.run(&["trace", "view", "--sarif", TRACE]).json();
    assert_eq!(schema::problems(&sarif), [""; 0]);
    assert_eq!(sandbox.run(&["trace", "view", "--svg", "--html", TRACE]).code, Some(2));
}

/// As `with_trace`, of a program in which a machine does something that the bug does not need.
fn with_long_trace(options: &[&str]) -> Sandbox {
    let idler = "machine Idler { start state S { entry { send this, eDone; } on eDone do { if ($$) send this, eDone; } } }";
    let program = COUNTER
        .replacen("counter = new Counter();", "new Idler(); counter = new Counter();", 1)
        .replace("Main, Counter, Client }", "Main, Counter, Client, Idler }")
        .replace("machine Counter {", &format!("{idler}\nmachine Counter {{"));
    let sandbox = Sandbox::new(&program);
    let args = [&["run", "counter.p", "tcTwo"], options].concat();
    let run = sandbox.run(&args);
    assert_eq!(run.code, Some(1), "{}", run.shown());
    sandbox
}

#[test]
fn the_whole_run_can_be_shown() {
    let sandbox = with_long_trace(&[]);
    let trace: Value = serde_json::from_str(&read(&sandbox, TRACE)).unwrap();
    let lines = |options: &[&str]| {
        let run = sandbox.run(&[&["trace", "view"], options, &[TRACE]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        run.stdout
    };
    let moments = |run: &Value| run["story"]["moments"].as_array().unwrap().len();
    let (few, many) = (moments(&trace), moments(&trace["original"]));
    assert!(many > few, "{many} and {few}");
    let (short, all) = (lines(&[]), lines(&["--all"]));
    assert!(short.contains(&format!("\n{few:>3}  ")) && !short.contains(&format!("\n{:>3}  ", few + 1)), "{short}");
    assert!(all.contains(&format!("\n{many:>3}  ")), "{all}");
    // Both end in the bug.
    let bug = |text: &str| text.split_once("\nbug at").map(|(_, bug)| bug.to_owned()).expect("there is a bug");
    assert_eq!(bug(&short), bug(&all));
    assert!(lines(&["--html"]).contains("show all"));
    assert_eq!(lines(&["--svg", "--all"]).matches("data-moment").count(), many);

    // Making it short once more loses nothing, and a file without the whole run says so.
    assert_eq!(sandbox.run(&["trace", "minimize", TRACE]).code, Some(0));
    assert_eq!(lines(&["--all"]), all);
    let mut without = trace.clone();
    without.as_object_mut().unwrap().remove("original");
    sandbox.write("without.json", without.to_string());
    assert_eq!(sandbox.run(&["trace", "view", "without.json"]).code, Some(0));
    let run = sandbox.run(&["trace", "view", "--all", "without.json"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the others were not kept; `lockstep run --no-minimize --seed"), "{}", run.stderr);
}

#[test]
fn a_run_that_was_not_made_short_is_whole() {
    let sandbox = with_long_trace(&["--no-minimize"]);
    assert_eq!(sandbox.run(&["trace", "view", "--all", TRACE]).stdout, sandbox.run(&["trace", "view", TRACE]).stdout);
    assert_eq!(sandbox.run(&["trace", "minimize", "--out", "short.json", TRACE]).code, Some(0));
    let all = sandbox.run(&["trace", "view", "--all", "short.json"]).stdout;
    assert_eq!(all, sandbox.run(&["trace", "view", TRACE]).stdout);
    assert_ne!(all, sandbox.run(&["trace", "view", "short.json"]).stdout);
}

#[test]
fn a_long_trace_is_made_short() {
    let sandbox = with_trace(&["--no-minimize", "--seed", "3"]);
    let decisions = |path: &str| {
        let trace: Value = serde_json::from_str(&read(&sandbox, path)).unwrap();
        trace["decisions"].as_array().unwrap().len()
    };
    let run = sandbox.run(&["trace", "minimize", "--out", "short.json", TRACE]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
    assert!(decisions("short.json") <= decisions(TRACE));
    assert_eq!(sandbox.run(&["replay", "short.json"]).code, Some(1));
}
