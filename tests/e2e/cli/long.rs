//! P programs that take long, grow or never end: whatever they do, there is an answer, and Ctrl-C gives one at once.

use expect_test::expect;

use super::{Run, Sandbox};

/// A test whose main machine has this in it, and perhaps other machines.
fn sandbox(main: &str, others: &str) -> Sandbox {
    let names = if others.is_empty() { "Main" } else { "Main, Other" };
    Sandbox::new(&format!("//- a.p\nevent e;\nmachine Main {{ {main} }}\n{others}\ntest tc [main=Main]: {{ {names} }};\n"))
}

/// A main machine with this in the entry of its start state.
fn entry(code: &str) -> Sandbox {
    sandbox(&format!("var n: int; start state S {{ entry {{ {code} }} }}"), "")
}

/// The line with the verdict, and the exit code.
fn verdict(run: &Run) -> (String, Option<i32>) {
    let line = run.stdout.lines().find(|line| line.starts_with("tc: "));
    (line.unwrap_or_else(|| panic!("{}", run.shown())).to_owned(), run.code)
}

/// Both commands say the same about a program, apart from how much they looked at.
fn both(sandbox: &Sandbox, said: &str, code: i32) {
    for command in ["run", "explore"] {
        let run = sandbox.run(&[command]);
        let (line, exit) = verdict(&run);
        assert!(line.starts_with(&format!("tc: {said}")), "{command}: {}", run.shown());
        assert_eq!(exit, Some(code), "{command}: {}", run.shown());
    }
}

#[test]
fn a_handler_that_comes_back_to_where_it_was() {
    entry("while (true) { }").check("run", expect![[r#"
        error[LS3009]: this never ends: it comes back to the same place again and again, with everything as it was
         --> a.p:2:52
          |
        2 | machine Main { var n: int; start state S { entry { while (true) { } } } }
          |                                                    ^^^^^^^^^^^^^^^^
          |
          = help: `Main(1)` in state `S`, test `tc`: `lockstep trace view target/lockstep/tc.trace.json` shows how it comes to that

        tc: refuted: this never ends: it comes back to the same place again and again, with everything as it was
          trace: target/lockstep/tc.trace.json (1 decision; schedule 1, seed 1)
          next:  lockstep trace view target/lockstep/tc.trace.json
                 lockstep trace view --html --out chart.html target/lockstep/tc.trace.json
                 lockstep replay target/lockstep/tc.trace.json    after a change of the program
        --- exit code 1
    "#]]);
    both(&entry("while (true) { print \"again\"; }"), "refuted: this never ends", 1);
    both(&sandbox("start state S { entry { raise e; } on e goto S; }", ""), "refuted: this never ends", 1);
}

#[test]
fn a_handler_without_an_end_in_sight() {
    let said = "unknown: a handler ran for 20000000 instructions without an end in sight, in a step of `Main(1)` in state `S`";
    both(&entry("while (true) { n = n + 1; }"), said, 3);
    both(&sandbox("var n: int; start state S { entry { raise e; } on e do { n = n + 1; raise e; } }", ""), said, 3);
}

#[test]
fn functions_that_call_each_other_without_end() {
    let text = "start state S { entry { f(0); } } fun f(n: int): int { return f(n + 1) + 1; }";
    both(&sandbox(text, ""), "unknown: functions called each other 10000 levels deep, in a step of `Main(1)` in state `S`", 3);
}

#[test]
fn values_and_texts_without_end() {
    let said = "unknown: a value became too large or too deeply nested";
    both(&entry("var s: string; s = \"12345678\"; while (true) { s = s + s; }"), said, 3);
    let printing =
        "var s: string; s = \"12345678\"; while (n < 17) { s = s + s; n = n + 1; } while (true) { n = n + 1; print s; }";
    both(&entry(printing), "unknown: a handler printed more than 64 MB", 3);
}

#[test]
fn numbers_go_round() {
    let code = "n = 1; while (n > 0) { n = n * 2; } n = n - 1; assert n < 0, format(\"{0}\", n);";
    both(&entry(code), "refuted: this assertion does not hold: 9223372036854775807", 1);
}

#[test]
fn a_million_elements() {
    let code = "var s: seq[int]; while (n < 1000000) { s += (n, n); n = n + 1; } assert sizeof(s) == 1000000;";
    let run = entry(code).run(&["run", "--schedules", "1"]);
    assert_eq!(verdict(&run), ("tc: sampled: 1 schedule, no bug (inbox delivery)".to_owned(), Some(0)));
    let run = entry(code).run(&["explore"]);
    assert_eq!(run.code, Some(0), "{}", run.shown());
}

#[test]
fn very_many_choices() {
    let run = entry("n = choose(10000) + choose(10000) + choose(10000);").run(&["explore", "--max-mem", "40"]);
    let (line, code) = verdict(&run);
    assert_eq!((line.as_str(), code), ("tc: unknown: the budget of 40 MB of memory is spent; no bug was met", Some(3)));
    assert!(run.stdout.contains(" outcomes: choices among 10000, 10000, 10000\n"), "{}", run.stdout);
}

#[test]
fn what_grows_is_told() {
    let other = "machine Other { start state S { defer e; } }";
    let main = "var n: int; var o: machine; start state S { entry { o = new Other(); send this, e; }
  on e do { n = n + 1; send o, e; send this, e; } }";
    let sandbox = sandbox(main, other);
    sandbox.check(
        "explore --max-states 500",
        expect![[r#"
            tc: unknown: the budget of 500 states is spent; 500 states were looked at, no bug in them
              grows: the queue of `Other`: 665 messages in a run of 2000 steps
                     `Main.n`: a number of up to 666 in a run of 2000 steps
              next:  if that has no bound, the search has no end: bound it in the test, or make the test smaller
            --- exit code 3
        "#]],
    );
    let json = sandbox.run(&["explore", "--max-states", "500", "--format", "json"]).json();
    let hints = &json["tests"][0]["hints"];
    assert_eq!(hints["growing"][0]["what"], "queue", "{hints}");
    assert_eq!(hints["growing"][0]["name"], "Other", "{hints}");
    assert_eq!(hints["growing"][1]["what"], "number", "{hints}");
    assert_eq!(hints["widest"], serde_json::Value::Null, "{hints}");
    let sampled = sandbox.run(&["run", "--schedules", "2", "--format", "json"]).json();
    assert_eq!(sampled["tests"][0]["hints"], serde_json::Value::Null);
}

#[test]
fn schedules_have_a_budget_of_time() {
    let creating = sandbox("start state S { entry { new Main(); new Main(); } }", "");
    let (line, code) = verdict(&creating.run(&["run", "--max-time", "1", "--max-steps", "1000000000"]));
    assert_eq!((line.as_str(), code), ("tc: unknown: not even one schedule ended within 1 second", Some(3)));
    let looping = sandbox("start state S { entry { send this, e; } on e do { send this, e; } }", "");
    let (line, code) = verdict(&looping.run(&["run", "--max-time", "1", "--schedules", "4000000000", "--max-steps", "1"]));
    assert!(
        line.starts_with("tc: sampled: ")
            && line.ends_with("; 4,000,000,000 would have taken longer than 1 second (inbox delivery)"),
        "{line}"
    );
    assert_eq!(code, Some(0));
}

/// Presses Ctrl-C while something takes long.
#[cfg(unix)]
#[test]
fn an_interrupt_is_heard_in_the_middle_of_a_handler_and_of_a_search() {
    // One handler takes long, and there are very many of them.
    let slow = sandbox(
        "var n: int; start state S { entry { send this, e; } on e do { n = 0; while (n < 3000000) { n = n + 1; } send this, e; } }",
        "",
    );
    let creating = sandbox("start state S { entry { new Main(); new Main(); } }", "");
    let run = interrupted(&slow, &["run", "--progress", "--schedules", "4000000000"]);
    assert_eq!(run.code, Some(3), "{}", run.shown());
    assert!(run.stdout.starts_with("tc: unknown: interrupted after "), "{}", run.shown());
    let looping = sandbox("start state S { entry { send this, e; } on e do { send this, e; } }", "");
    let run = interrupted(&looping, &["run", "--progress", "--schedules", "4000000000", "--max-steps", "1000"]);
    assert!(run.stdout.contains("schedules of 4,000,000,000, no bug in them"), "{}", run.shown());
    let run = interrupted(&creating, &["explore", "--progress"]);
    assert_eq!(run.code, Some(3), "{}", run.shown());
    assert!(run.stdout.starts_with("tc: unknown: interrupted; "), "{}", run.shown());
    assert!(run.stdout.contains("  grows: the number of machines `Main`: "), "{}", run.shown());
}

/// Starts a command, waits until it tells how far it is, and interrupts it.
#[cfg(unix)]
fn interrupted(sandbox: &Sandbox, args: &[&str]) -> Run {
    use std::io::{BufRead, BufReader};
    use std::process::Command;

    let mut child = sandbox.command(args).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut String::new()).unwrap();
    std::thread::spawn(move || stderr.lines().count());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap().into()
}
