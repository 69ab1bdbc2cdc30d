//! `lockstep run` for P tests.

use std::fs;

use expect_test::expect;

use super::{Run, Sandbox, schema};

/// Two clients and a counter that is read and written in two steps: an update can get lost.
pub(super) const COUNTER: &str = r#"
//- counter.p
event eRead: machine;
event eValue: int;
event eWrite: int;
event eDone;

machine Main {
    var counter: Counter;
    var done: int;
    start state Init {
        entry {
            counter = new Counter();
            new Client((counter = counter, owner = this));
            new Client((counter = counter, owner = this));
        }
        on eDone do {
            done = done + 1;
            if (done == 2) send counter, eRead, this;
        }
        on eValue do (value: int) { assert value == 2, format("an update got lost: {0}", value); }
    }
}

machine Counter {
    var value: int;
    start state Serving {
        on eRead do (client: machine) { send client, eValue, value; }
        on eWrite do (written: int) { value = written; }
    }
}

machine Client {
    var config: (counter: Counter, owner: machine);
    start state Reading {
        entry (given: (counter: Counter, owner: machine)) {
            config = given;
            send config.counter, eRead, this;
        }
        on eValue do (value: int) {
            send config.counter, eWrite, value + 1;
            send config.owner, eDone;
        }
    }
}

machine Alone {
    var counter: Counter;
    start state Init {
        entry {
            counter = new Counter();
            new Client((counter = counter, owner = this));
        }
        ignore eDone;
    }
}

test tcTwo [main=Main]: { Main, Counter, Client };
test tcOne [main=Alone]: { Alone, Counter, Client };
"#;

#[test]
fn a_bug_with_its_place_its_trace_and_what_to_do_next() {
    Sandbox::new(COUNTER).check("run counter.p tcTwo", expect![[r#"
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
fn no_bug_is_said_with_its_scope() {
    Sandbox::new(COUNTER).check(
        "run counter.p tcOne",
        expect![[r#"
            tcOne: sampled: 1,000 schedules, no bug (inbox delivery)
            --- exit code 0
        "#]],
    );
    Sandbox::new(COUNTER).check(
        "run --schedules 1 --delivery network --strategy pct counter.p tcOne",
        expect![[r#"
            tcOne: sampled: 1 schedule, no bug (network delivery)
            --- exit code 0
        "#]],
    );
}

#[test]
fn which_test_is_meant() {
    let sandbox = Sandbox::new(COUNTER);
    sandbox.check(
        "run counter.p",
        expect![[r#"
        --- stderr
        error: there are 2 tests: name the one to run, or say --all
          tcTwo
          tcOne
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "run counter.p tcTow",
        expect![[r#"
        --- stderr
        error: there is no test `tcTow`: did you mean `tcTwo`?
        the tests are
          tcTwo
          tcOne
        --- exit code 2
    "#]],
    );
    let begun = sandbox.run(&["run", "counter.p", "tct"]);
    assert!(begun.stderr.contains("there is no test `tct`: did you mean `tcTwo`?"), "{}", begun.shown());
    sandbox.check(
        "run --all counter.p tcOne",
        expect![[r#"
        --- stderr
        error: --all runs every test, so no test can be named with it
        --- exit code 2
    "#]],
    );
    let all = sandbox.run(&["run", "--all", "--trace-out", "traces", "counter.p"]);
    assert_eq!(all.code, Some(1), "{}", all.shown());
    assert!(all.stdout.contains("tcOne: sampled: 1,000 schedules, no bug (inbox delivery)\n"), "{}", all.stdout);
    assert!(sandbox.path().join("traces/tcTwo.trace.json").is_file());
}

#[test]
fn the_only_test_needs_no_name_and_no_path() {
    let sandbox = Sandbox::new("//- a.p\nmachine Main { start state S { } }\ntest tcOnly [main=Main]: { Main };\n");
    sandbox.check(
        "run",
        expect![[r#"
            tcOnly: sampled: 1,000 schedules, no bug (inbox delivery)
            --- exit code 0
        "#]],
    );
}

#[test]
fn a_test_with_parameters_is_all_its_cases() {
    let text = "
//- a.p
param n: int;
machine Main { start state S { entry { assert n < 3; } } }
test param (n in [1, 2]) tcSmall [main=Main]: { Main };
";
    Sandbox::new(text).check(
        "run tcSmall",
        expect![[r#"
            tcSmall___n_1: sampled: 1,000 schedules, no bug (inbox delivery)
            tcSmall___n_2: sampled: 1,000 schedules, no bug (inbox delivery)
            --- exit code 0
        "#]],
    );
}

#[test]
fn without_a_test_there_is_nothing_to_run() {
    let sandbox = Sandbox::new("//- a.p\nevent e;\n");
    sandbox.check(
        "run a.p",
        expect![[r#"
        --- stderr
        error: there is no P test here: declare one, such as `test tcMain [main=Main]: { Main };` (an IceT program is run by naming its file)
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "run missing.p",
        expect![[r#"
        --- stderr
        error: there is no file or folder `missing.p`
        --- exit code 2
    "#]],
    );
}

#[test]
fn errors_come_first() {
    let text = "
//- a.p
machine Main { start state S { entry { assert 1; } } }
test tc [main=Main]: { Main };
//- b/b.p
event e;
";
    let sandbox = Sandbox::new(text);
    sandbox.check(
        "run a.p",
        expect![[r#"
        error[LS0302]: a condition is of type `bool`, and this is of type `int`
         --> a.p:1:47
          |
        1 | machine Main { start state S { entry { assert 1; } } }
          |                                               ^

        --- stderr
        error: nothing was run: there is 1 error in the program
        --- exit code 1
    "#]],
    );
    let run = sandbox.run(&["run", "--format", "json", "a.p"]);
    assert_eq!(run.code, Some(1));
    let json = run.json();
    assert_eq!(json["tests"], serde_json::json!([]));
    assert_eq!(json["diagnostics"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let sandbox = Sandbox::new(COUNTER);
    let traces: Vec<String> = ["a.json", "b.json"]
        .iter()
        .map(|name| {
            let run = sandbox.run(&["run", "--seed", "7", "--trace-out", name, "counter.p", "tcTwo"]);
            assert_eq!(run.code, Some(1), "{}", run.shown());
            fs::read_to_string(sandbox.path().join(name)).unwrap()
        })
        .collect();
    assert_eq!(traces[0], traces[1]);
}

#[test]
fn schedules_that_do_not_end_are_cut_off() {
    let text = "
//- a.p
event e;
machine Main { start state S { entry { send this, e; } on e do { send this, e; } } }
test tc [main=Main]: { Main };
";
    Sandbox::new(text).check(
        "run --schedules 20 --max-steps 100",
        expect![[r#"
            tc: sampled: 20 schedules, no bug; 20 cut off after 100 steps (inbox delivery)
            --- exit code 0
        "#]],
    );
}

#[test]
fn a_spec_that_stays_hot() {
    let text = "
//- a.p
event e;
machine Main { start state S { entry { announce e; send this, e; } on e do { send this, e; } } }
spec Liveness observes e { start state S { on e goto Hot; } hot state Hot { ignore e; } }
test tc [main=Main]: assert Liveness in { Main };
";
    let sandbox = Sandbox::new(text);
    // A guess is no bug, and nobody guesses unasked.
    assert_eq!(sandbox.run(&["run", "--max-steps", "100"]).code, Some(0));
    let run = sandbox.run(&["run", "--max-steps", "100", "--max-hot-steps", "50"]);
    assert_eq!(run.code, Some(3), "{}", run.shown());
    assert!(run.stdout.contains("warning[LS3004]: the state has been hot for"), "{}", run.stdout);
    assert!(run.stdout.contains("tc: unknown: the state has been hot for"), "{}", run.stdout);
    assert!(run.stdout.contains("that is a guess, and `lockstep explore` can tell"), "{}", run.stdout);
    assert_eq!(sandbox.run(&["run", "--max-steps", "100", "--max-hot-steps", "1000"]).code, Some(0));
    // The run goes round for ever, and that is certain.
    let run = sandbox.run(&["explore"]);
    assert_eq!(run.code, Some(1), "{}", run.shown());
}

#[test]
fn a_bug_is_told_also_if_its_trace_cannot_be_written() {
    let sandbox = Sandbox::new(COUNTER);
    sandbox.write("target", "a file where a folder should be");
    let run = sandbox.run(&["run", "counter.p", "tcTwo"]);
    assert_eq!(run.code, Some(1), "{}", run.shown());
    assert!(run.stdout.contains("tcTwo: refuted: this assertion does not hold: an update got lost"), "{}", run.shown());
    assert!(
        run.stderr.contains("error: the trace of `tcTwo` is lost: cannot make the folder `target/lockstep`"),
        "{}",
        run.shown()
    );
    let run = sandbox.run(&["run", "--format", "json", "counter.p", "tcTwo"]);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["tests"][0]["bug"]["code"], "LS3001");
    assert_eq!(json["tests"][0]["bug"]["trace"], serde_json::Value::Null);
    assert_eq!(json["failures"][0]["path"], "target/lockstep/tcTwo.trace.json");
}

const FOREIGN: &str = "
//- PSrc/a.p
fun Now(): int;
fun Hash(text: string): int;
fun Length(text: string): int { return 4; }
fun Wrong(number: int): int { return 4; }
machine Main { start state S { entry { assert Now() < 2, \"late\"; assert Hash(\"a\") == 4, \"hash\"; } } }
test tc [main=Main]: { Main };
";

#[test]
fn functions_in_other_languages_need_something_that_stands_for_them() {
    let sandbox = Sandbox::new(FOREIGN);
    sandbox.check("run", expect![[r#"
        tc: unsupported: the function `Now` is written in another language: say in `lockstep.toml` beside the project what stands for it: below `[foreign]`, `Now = "any"` for any value, or `Now = { function = "NAME" }` for a P function
        --- exit code 3
    "#]]);
    let verdict = |config: &str| {
        sandbox.write("lockstep.toml", config);
        let run = sandbox.run(&["run"]);
        let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
        let said = if run.stderr.is_empty() {
            run.stdout.lines().find(|line| line.starts_with("tc:")).unwrap().to_owned()
        } else {
            last(&run.stderr)
        };
        format!("{} {said}\n", run.code.unwrap())
    };
    let all = [
        "[foreign]\nNow = \"any\"\nHash = { function = \"Length\" }",
        "[foreign]\nNow = \"any\"\nHash = { function = \"Wrong\" }",
        "[foreign]\nNow = \"any\"\nHash = { function = \"Missing\" }",
        "[foreign]\nNow = \"some\"",
        "[foreign]\nLater = \"any\"",
        "[foreign]\nLength = \"any\"",
        "[foregin]\nNow = \"any\"",
        "[foreign",
    ];
    expect![[r#"
        1 tc: refuted: this assertion does not hold: late
        2 error: in `lockstep.toml`: `Wrong` must have parameters and a result of the same types as `Hash`, for which it stands
        2 error: in `lockstep.toml`: the project has no global function `Missing`, which should stand for `Hash`: write one
        2 error: in `lockstep.toml`: `Now = "some"` is not understood: write "any", or { function = "some" } for a P function
        2 error: in `lockstep.toml`: the project has no function `Later`
        2 error: in `lockstep.toml`: `Length` has a body in P, so nothing needs to stand for it: take the line out
        2 unknown field `foregin`, expected `foreign` or `format`
        2 unclosed table, expected `]`
    "#]]
    .assert_eq(&all.map(verdict).concat());
}

fn found(format: &str) -> Run {
    Sandbox::new(COUNTER).run(&["run", "--format", format, "counter.p", "tcTwo"])
}

#[test]
fn results_as_json() {
    let run = found("json");
    assert_eq!(run.code, Some(1));
    let json = run.json();
    let test = &json["tests"][0];
    assert_eq!(test["verdict"], "refuted");
    assert_eq!(test["bug"]["code"], "LS3001");
    assert_eq!(test["bug"]["who"], "Main(1)");
    assert_eq!(test["bug"]["trace"], "target/lockstep/tcTwo.trace.json");
    assert_eq!(json["diagnostics"][0]["range"]["start"]["line"], 19);
    let clean = Sandbox::new(COUNTER).run(&["run", "--format", "json", "counter.p", "tcOne"]).json();
    assert_eq!(clean["tests"][0]["scope"], serde_json::json!({"kind": "schedules", "count": 1000}));
}

#[test]
fn results_as_sarif_have_a_thread_flow_for_each_machine() {
    let log = found("sarif").json();
    assert_eq!(schema::problems(&log), [""; 0]);
    let flows = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].as_array().unwrap();
    let names: Vec<&str> = flows.iter().map(|flow| flow["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["Main(1)", "Counter(1.1)", "Client(1.2)", "Client(1.3)"]);
}

#[test]
fn results_for_github() {
    let run = found("github");
    assert!(run.stdout.starts_with("::error file=counter.p,line=19,"), "{}", run.stdout);
    assert!(run.stdout.contains("title=LS3001"), "{}", run.stdout);
}

#[test]
fn options_of_one_language_mean_nothing_in_the_other() {
    let sandbox = Sandbox::new(COUNTER);
    sandbox.write("a.icet", "process a { }\n");
    sandbox.check(
        "run --size A=2 counter.p",
        expect![[r#"
        --- stderr
        error: --size, --const and --language are for IceT programs (.icet), and this is P
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "run --format sarif a.icet",
        expect![[r#"
        --- stderr
        error: the runs of an IceT program are written as human or json; `lockstep check` knows more formats
        --- exit code 2
    "#]],
    );
    sandbox.check(
        "run a.icet counter.p",
        expect![[r#"
        --- stderr
        error: an IceT program is run on its own: name one file
        --- exit code 2
    "#]],
    );
}

#[test]
fn all_behaviours() {
    let sandbox = Sandbox::new(COUNTER);
    sandbox.check(
        "explore counter.p tcOne",
        expect![[r#"
            tcOne: exhausted: every behaviour; 2 states and 12 steps stand for all of them, no bug (inbox delivery, reduced by order, exact)
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "explore --engine symbolic counter.p tcOne",
        expect![[r#"
            tcOne: exhausted: every behaviour; 13 states as sets of states stand for all of them, no bug (inbox delivery, reduced by order, exact)
            --- exit code 0
        "#]],
    );
    sandbox.check(
        "explore --strategy bfs --max-states 10 counter.p tcTwo",
        expect![[r#"
            tcTwo: unknown: the budget of 10 states is spent; 10 states were looked at, no bug in them
            --- exit code 3
        "#]],
    );
    sandbox.check(
        "explore counter.p tcThree",
        expect![[r#"
        --- stderr
        error: there is no test `tcThree`
        the tests are
          tcTwo
          tcOne
        --- exit code 2
    "#]],
    );
    for options in [
        &[][..],
        &["--strategy", "dfs"],
        &["--reduction", "none", "--delivery", "network"],
        &["--keep", "fingerprints"],
        &["--strategy", "bfs", "--engine", "symbolic"],
    ] {
        let run = sandbox.run(&[&["explore", "counter.p", "tcTwo"], options].concat());
        assert_eq!(run.code, Some(1), "{}", run.shown());
        assert!(run.stdout.contains("tcTwo: refuted: this assertion does not hold: an update got lost: "), "{}", run.stdout);
        assert_eq!(sandbox.run(&["replay", "target/lockstep/tcTwo.trace.json"]).code, Some(1));
    }
    let stats = sandbox.run(&["explore", "--stats", "json", "counter.p", "tcOne"]).stderr;
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["machines"], 3);
}

/// The budget that is spent is the one that was given.
#[test]
fn a_budget_of_time() {
    let text = "
//- a.p
event eNext;
machine Main { var count: int; start state S { entry { send this, eNext; } on eNext do { count = count + 1; send this, eNext; } } }
test tc [main=Main]: { Main };
";
    let sandbox = Sandbox::new(text);
    for engine in ["explicit", "symbolic", "auto"] {
        for (time, said) in [("1", "1 second"), ("0.25", "0.25 seconds")] {
            let run = sandbox.run(&["explore", "--strategy", "bfs", "--max-time", time, "--engine", engine, "a.p"]);
            assert!(run.stdout.contains(&format!("tc: unknown: the budget of {said} is spent; ")), "{}", run.shown());
        }
    }
    for wrong in ["-1", "soon", "NaN"] {
        let told = sandbox.run(&["explore", "a.p", &format!("--max-time={wrong}")]).stderr;
        assert!(told.contains("a number of seconds, such as 60 or 0.5"), "{told}");
    }
}

/// What was left out because machines are the same is not said to have been looked at.
#[test]
fn machines_that_are_the_same() {
    let text = "
//- a.p
event eDone: machine;
machine Main {
  start state S {
    entry { var i: int; while (i < 3) { i = i + 1; new Worker(this); } goto Waiting; }
    defer eDone;
  }
  state Waiting { on eDone do { } }
}
machine Worker { start state S { entry (boss: machine) { send boss, eDone, this; } } }
test tc [main=Main]: { Main, Worker };
";
    let sandbox = Sandbox::new(text);
    sandbox.check(
        "explore --engine symbolic --reduction none a.p",
        expect![[r#"
        tc: exhausted: all 93 states as sets of states, none further than 13 steps away, no bug (inbox delivery, exact)
        --- exit code 0
    "#]],
    );
    sandbox.check("explore --engine symbolic --reduction symmetry a.p", expect![[r#"
        tc: exhausted: every behaviour; 31 states as sets of states stand for all of them, no bug (inbox delivery, reduced by symmetry, exact)
        --- exit code 0
    "#]]);
}

#[test]
fn a_run_that_stays_hot_for_ever_can_be_replayed() {
    let text = "
//- a.p
event e;
machine Main { start state S { entry { announce e; send this, e; } on e do { send this, e; } } }
spec Liveness observes e { start state S { on e goto Hot; } hot state Hot { ignore e; } }
test tc [main=Main]: assert Liveness in { Main };
";
    let sandbox = Sandbox::new(text);
    assert_eq!(sandbox.run(&["explore"]).code, Some(1));
    let replayed = sandbox.run(&["replay", "target/lockstep/tc.trace.json"]);
    assert_eq!(replayed.code, Some(1), "{}", replayed.shown());
    assert!(replayed.stdout.contains("on it all happens again"), "{}", replayed.stdout);
    assert_eq!(sandbox.run(&["trace", "minimize", "target/lockstep/tc.trace.json"]).code, Some(2));
}

/// A run that answers `$$` in the same way for ever is not fair, also if it was when the question was still `$`.
#[test]
fn a_run_that_is_no_longer_fair_is_no_bug_any_more() {
    let text = "
//- a.p
event e;
event eDone;
machine Main { start state S { entry { announce e; send this, e; } on e do { if ($) { announce eDone; } else { send this, e; } } } }
spec Liveness observes e, eDone { start state S { on e goto Hot; } hot state Hot { ignore e; on eDone goto Done; } state Done {} }
test tc [main=Main]: assert Liveness in { Main };
";
    let sandbox = Sandbox::new(text);
    assert_eq!(sandbox.run(&["explore"]).code, Some(1));
    assert_eq!(sandbox.run(&["replay", "target/lockstep/tc.trace.json"]).code, Some(1));
    sandbox.write("a.p", text.replace("if ($)", "if ($$)").replace("\n//- a.p\n", ""));
    assert_eq!(sandbox.run(&["explore"]).code, Some(0));
    let replayed = sandbox.run(&["replay", "target/lockstep/tc.trace.json"]);
    assert_eq!(replayed.code, Some(0), "{}", replayed.shown());
    assert!(!replayed.stdout.contains("refuted"), "{}", replayed.stdout);
}

/// A comment about a field that does not exist takes nothing together, so nothing more than this test is known.
#[test]
fn an_abstraction_of_nothing_proves_nothing() {
    let text = |comment: &str| {
        format!(
            "
//- a.p
machine Main {{
  var t: (k: int, v: int);
  var u: (other: int);
  start state S {{
    entry {{
      u = (other = 7,);
      assert u.other == 7;
      // lockstep: {comment} because the others do not matter
      t = (k = choose(9), v = 1);
      assert t.v == 1;
    }}
  }}
}}
test tc [main=Main]: {{ Main }};
"
        )
    };
    let verdict = |comment: &str| Sandbox::new(&text(comment)).run(&["explore", "a.p"]).stdout;
    assert!(verdict("abstract(k = 0)").contains("tc: proved"), "{}", verdict("abstract(k = 0)"));
    // There is no such field; it is a field of something else; all there are is told apart.
    for nothing in ["abstract(kei = 0)", "abstract(other = 0)", "abstract(v = 1)"] {
        let told = verdict(nothing);
        assert!(told.contains("tc: exhausted"), "{nothing}: {told}");
        assert!(told.contains("not proved with values taken together: there was nothing to take together"), "{told}");
    }
    let both = verdict("abstract(k = 0, other = 3)");
    assert!(both.contains("tc: proved") && both.contains("(`k` but 0)"), "only what was taken together is named: {both}");
}

#[test]
fn what_fails_with_values_taken_together_is_said() {
    let text = "
//- a.p
machine Main {
  var x: int;
  var y: int;
  start state S {
    entry {
      x = choose(9); // lockstep: abstract(0) because the others do not matter
      y = x + 1;
      assert y != x;
    }
  }
}
test tc [main=Main]: { Main };
";
    let told = Sandbox::new(text).run(&["explore", "a.p"]).stdout;
    assert!(told.contains("tc: exhausted") && told.contains("not proved with values taken together: something fails"), "{told}");
}

#[test]
fn what_is_not_known_does_not_look_like_success() {
    let text = "
//- a.p
event e;
machine Main { var n: int; start state S { entry { send this, e; } on e do { n = n + 1; send this, e; } } }
test tc [main=Main]: { Main };
";
    let sandbox = Sandbox::new(text);
    let explore = |format: &str| sandbox.run(&["explore", "a.p", "--max-states", "9", "--format", format]);
    let sarif = explore("sarif");
    assert_eq!(sarif.code, Some(3));
    assert!(sarif.stdout.contains(r#""executionSuccessful":false"#) && sarif.stdout.contains("tc: unknown"), "{}", sarif.shown());
    assert!(explore("github").stdout.starts_with("::warning::tc: unknown: "), "{}", explore("github").shown());
    assert!(explore("json").stdout.contains(r#""verdict":"unknown""#));
}

#[test]
fn a_word_that_may_have_been_a_path() {
    let sandbox = Sandbox::new("//- a.p\nmachine M { start state S { entry { x = 1; } } }\ntest tc [main=M]: { M };\n");
    let told = sandbox.run(&["explore", "leese", "tc"]).stderr;
    assert!(
        told.contains("no file or folder is called `leese` or `tc`, so tests of the project in this folder are meant"),
        "{told}"
    );
    assert!(!sandbox.run(&["explore", "a.p", "tc"]).stderr.contains("is called"));
}

#[test]
fn which_engine_did_what_is_said() {
    let text = "
//- a.p
event e;
spec Done observes e { start hot state Open { on e goto Closed; } cold state Closed { ignore e; } }
machine Main { start state S { entry { send this, e; } on e do { } } }
test tc [main=Main]: assert Done in { Main };
";
    let told = Sandbox::new(text).run(&["explore", "a.p", "--engine", "symbolic"]).stdout;
    assert!(told.contains("engine: sets of states, then single states for runs without an end"), "{told}");
}
