//! `cargo xtask test`: all checks, one after another, with a summary at the end.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::run::{cargo, is_installed, succeeds};
use crate::{generate, helper};

/// Seconds each fuzz target gets, in the short and in the long form.
const SHORT_FUZZ: u64 = 15;
const LONG_FUZZ: u64 = 600;

struct Step {
    name: String,
    outcome: Outcome,
    took: Duration,
}

enum Outcome {
    Passed,
    Failed,
    /// With the reason.
    Skipped(String),
}

/// What a step needs on the machine: the program it calls, and how the command installs it.
struct Need {
    program: &'static str,
    install: &'static [&'static str],
}

const NODE: Need = Need { program: "node", install: &["apt-get", "install", "--yes", "nodejs"] };

pub(crate) fn test(long: bool) -> Result<bool> {
    let mut steps = Vec::new();
    step(&mut steps, "formatting", format_check);
    step(&mut steps, "lints", lints);
    step(&mut steps, "grammars", grammars);
    step(&mut steps, "tests", || passed(cargo().args(["test", "--workspace", "--no-fail-fast"])));
    let seconds = if long { LONG_FUZZ } else { SHORT_FUZZ };
    for target in ["p", "icet", "incremental"] {
        step(&mut steps, &format!("fuzz {target}"), || {
            passed(helper("fuzz").args([target.to_owned(), seconds.to_string(), "0".to_owned()]))
        });
    }
    Ok(summary(&steps))
}

fn step(steps: &mut Vec<Step>, name: &str, run: impl FnOnce() -> Result<Outcome>) {
    println!("\n==> {name}");
    let start = Instant::now();
    let outcome = run().unwrap_or_else(|error| {
        println!("{error:#}");
        Outcome::Failed
    });
    steps.push(Step { name: name.to_owned(), outcome, took: start.elapsed() });
}

fn passed(command: &mut Command) -> Result<Outcome> {
    Ok(if succeeds(command)? { Outcome::Passed } else { Outcome::Failed })
}

fn format_check() -> Result<Outcome> {
    if !is_installed("rustfmt") {
        return Ok(Outcome::Skipped("rustfmt is not installed (rustup component add rustfmt)".into()));
    }
    passed(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<Outcome> {
    if !is_installed("cargo-clippy") {
        return Ok(Outcome::Skipped("clippy is not installed (rustup component add clippy)".into()));
    }
    passed(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn grammars() -> Result<Outcome> {
    if let Some(reason) = missing(&NODE) {
        return Ok(Outcome::Skipped(reason));
    }
    Ok(if generate::is_fresh()? { Outcome::Passed } else { Outcome::Failed })
}

/// Installs a program that is not there; the reason if that fails.
fn missing(need: &Need) -> Option<String> {
    if is_installed(need.program) {
        return None;
    }
    let [program, arguments @ ..] = need.install else { return Some(format!("{} is not installed", need.program)) };
    println!("{} is missing: {}", need.program, need.install.join(" "));
    match succeeds(Command::new(program).args(arguments)) {
        Ok(true) if is_installed(need.program) => None,
        _ => Some(format!("{} is not installed and could not be", need.program)),
    }
}

fn summary(steps: &[Step]) -> bool {
    println!("\n==> summary");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for Step { name, outcome, took } in steps {
        let took = took.as_secs_f64();
        match outcome {
            Outcome::Passed => {
                passed += 1;
                println!("  ok       {name:<20} {took:>7.1} s");
            }
            Outcome::Failed => {
                failed += 1;
                println!("  FAILED   {name:<20} {took:>7.1} s");
            }
            Outcome::Skipped(reason) => {
                skipped += 1;
                println!("  skipped  {name:<20}           {reason}");
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    failed == 0
}
