//! `cargo xtask test`: all checks, one after another, with a summary at the end.

use std::env;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;

use crate::run::{cargo, is_installed, succeeds};
use crate::{FUZZ_TARGETS, demo, generate, helper, root};

pub(crate) const HELP: &str = "\
Steps, one after another; all run even if one fails:
  formatting   cargo fmt --check         needs rustfmt (installed with rustup if missing)
  lints        cargo clippy              needs clippy (installed with rustup if missing)
  grammars     the committed parsers are what the grammars give
                                         needs Node (installed with apt-get if missing, sudo if needed)
  tests        cargo test
  neovim       the plugin in real Neovims against the server and against a silent one
                                         needs Node; fetches Neovim 0.10 and the newest from Debian
  emacs        the package in a real Emacs, likewise
                                         needs Node; uses Emacs 29 or newer, or fetches it from Debian
  helix        the configuration in a real Helix, likewise
                                         needs Node and `script`; fetches Helix from Debian if it is not there
  vs code      the extension in real VS Code, in a browser, against the server and a silent one
                                         needs Node; fetches code-server, Chromium (apt-get)
  fuzz p, fuzz icet, fuzz incremental, fuzz static, fuzz format
                                         15 seconds each, with other texts every day

This takes about 25 minutes on 2 cores, most of it for building. A step whose needs cannot be
installed is skipped; where the environment variable CI is set, that counts as a failure.";

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

/// What a step needs on the machine: the program it calls, and where that comes from.
struct Need {
    program: &'static str,
    install: Install,
}

enum Install {
    /// A package of the system.
    Apt(&'static str),
    /// A component of the Rust toolchain.
    Rustup(&'static str),
}

const NODE: Need = Need { program: "node", install: Install::Apt("nodejs") };
const RUSTFMT: Need = Need { program: "rustfmt", install: Install::Rustup("rustfmt") };
const CLIPPY: Need = Need { program: "cargo-clippy", install: Install::Rustup("clippy") };

pub(crate) fn test(long: bool) -> Result<bool> {
    let mut steps = Vec::new();
    step(&mut steps, "formatting", format_check);
    step(&mut steps, "lints", lints);
    step(&mut steps, "grammars", grammars);
    step(&mut steps, "tests", || passed(cargo().args(["test", "--workspace", "--no-fail-fast"])));
    step(&mut steps, "neovim", || editor("editors/nvim/test/run.mjs", 3, "there is no Neovim here and none could be fetched"));
    step(&mut steps, "emacs", || editor("editors/emacs/test/run.mjs", 3, "there is no Emacs here and none could be fetched"));
    step(&mut steps, "helix", || editor("editors/helix/test/run.mjs", 3, "there is no Helix here and none could be fetched"));
    step(&mut steps, "vs code", || editor("editors/vscode/test/run.mjs", 2, "VS Code cannot run here; the reason is above"));
    let seconds = if long { LONG_FUZZ } else { SHORT_FUZZ };
    let seed = seed_of_today();
    for target in FUZZ_TARGETS {
        step(&mut steps, &format!("fuzz {target}"), || {
            println!("first seed: {seed}");
            passed(helper("fuzz").args([target.to_owned(), seconds.to_string(), seed.to_string()]))
        });
    }
    let skipping_fails = env::var_os("CI").is_some_and(|value| !value.is_empty());
    Ok(summary(&steps, skipping_fails))
}

/// Other texts every day, the same ones all day long; each run uses far less than a million seeds.
fn seed_of_today() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() / (24 * 60 * 60) * 1_000_000
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
    if let Some(reason) = missing(&RUSTFMT) {
        return Ok(Outcome::Skipped(reason));
    }
    passed(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<Outcome> {
    if let Some(reason) = missing(&CLIPPY) {
        return Ok(Outcome::Skipped(reason));
    }
    passed(cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn grammars() -> Result<Outcome> {
    if let Some(reason) = missing(&NODE) {
        return Ok(Outcome::Skipped(reason));
    }
    Ok(if generate::is_fresh()? { Outcome::Passed } else { Outcome::Failed })
}

/// Runs the tests of an editor integration. `cannot` is the code with which they say that the editor cannot be had.
fn editor(script: &str, cannot: i32, why: &str) -> Result<Outcome> {
    if let Some(reason) = missing(&NODE) {
        return Ok(Outcome::Skipped(reason));
    }
    let lockstep = demo::build()?;
    let mut command = Command::new("node");
    command.current_dir(root()).arg(script).arg("--server").arg(lockstep);
    Ok(match command.status()?.code() {
        Some(0) => Outcome::Passed,
        Some(code) if code == cannot => Outcome::Skipped(why.to_owned()),
        _ => Outcome::Failed,
    })
}

/// Installs a program that is not there; the reason if that fails.
fn missing(need: &Need) -> Option<String> {
    if is_installed(need.program) {
        return None;
    }
    println!("{} is missing: trying to install it", need.program);
    match need.install {
        Install::Apt(package) => {
            // Without the update a fresh machine knows no packages; with an old list the installation may still work.
            install(&as_root(&["apt-get", "update"]));
            install(&as_root(&["apt-get", "install", "--yes", package]));
        }
        Install::Rustup(component) => install(&["rustup", "component", "add", component]),
    }
    (!is_installed(need.program)).then(|| format!("{} is not installed and could not be", need.program))
}

/// Tries; whether it worked shows in whether the program is there then.
fn install(command: &[&str]) {
    println!("$ {}", command.join(" "));
    if let Err(error) = succeeds(Command::new(command[0]).args(&command[1..])) {
        println!("{error:#}");
    }
}

/// `command` as it must be called to have the rights of the superuser, if there is a way.
fn as_root<'c>(command: &[&'c str]) -> Vec<&'c str> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let sudo = (!is_root && is_installed("sudo")).then_some("sudo");
    sudo.into_iter().chain(command.iter().copied()).collect()
}

/// Whether all is well.
fn summary(steps: &[Step], skipping_fails: bool) -> bool {
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
    if skipping_fails && skipped > 0 {
        println!("CI is set: a skipped step counts as failed");
        return false;
    }
    failed == 0
}
