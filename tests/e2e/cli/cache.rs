//! `lockstep cache`, and what the worker does with what is no job.

use std::process::{Command, Stdio};

use super::Sandbox;

fn lockstep(sandbox: &Sandbox, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let output = command.args(args).env("LOCKSTEP_CACHE", sandbox.path().join("cache")).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn results_are_shown_and_removed() {
    let sandbox = Sandbox::new(
        "//- cache/results/ab-12.json\nsomething\n//- cache/traces/tc-1-2.trace.json\n{}\n//- cache/mine.txt\nkept\n",
    );
    let shown = lockstep(&sandbox, &["cache"]);
    assert!(shown.starts_with("1 result, 1 trace, 1 KB in ") && shown.trim_end().ends_with("/cache"), "{shown}");
    assert_eq!(lockstep(&sandbox, &["cache", "clear"]), format!("removed {shown}"));
    assert!(lockstep(&sandbox, &["cache", "show"]).starts_with("0 results, 0 traces, 0 KB in "));
    assert!(sandbox.path().join("cache/mine.txt").exists(), "what is not ours stays");
}

#[test]
fn a_worker_without_a_job_ends() {
    let sandbox = Sandbox::new("");
    assert_eq!(lockstep(&sandbox, &["worker"]), "");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lockstep"));
    let mut child = child.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"not a job\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the first line is no job"));
}
