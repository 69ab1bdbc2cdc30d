//! `cargo xtask demo`: what the tool does, shown on the sample project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::root;
use crate::run::cargo;

/// A change of the sample: file, what is right, what is written instead.
type Slip = (&'static str, &'static str, &'static str);

const SLIPS: [Slip; 3] = [
    ("PSrc/LeaseServer.p", "goto Free;\n        }\n    }", "goto Free\n        }\n    }"),
    (
        "PSrc/LeaseServer.p",
        "waiting += (sizeof(waiting), request.client);\n        }",
        "waiting += (sizeof(waiting), request.client);",
    ),
    ("PSrc/Protocol.p", "event eLeaseExpired:", "event sent:"),
];

/// Mistakes in what the program means: its syntax is right.
const MISTAKES: [Slip; 2] = [
    ("PSrc/LeaseServer.p", "send client, eLeaseGranted, current;", "send client, eLeaseGranted, current.epoch;"),
    ("PSrc/Client.p", "roundsLeft = given.rounds;", "roundsLeft = given.round;"),
];

/// A mistake that only shows when messages overtake each other: the store forgets to look at the age of a lease.
const BUG: [Slip; 1] = [("PSrc/Store.p", "write.lease.epoch >= newestEpoch", "write.lease.epoch > 0")];

const GOODBYE: &str = "
That was the demo. All of this also shows while you type:

  cargo xtask install --vscode   puts it into VS Code (needs Node)
  cargo xtask install --nvim     puts it into Neovim 0.10 or newer
  cargo xtask install            installs only the program `lockstep`

The README says what else it can do.";

pub(crate) fn demo() -> Result<bool> {
    println!("Building lockstep ... (the first time this takes a minute or two)");
    let lockstep = build()?;
    let sample = root().join("tests/programs/p/lease");
    let scratch = tempfile::tempdir()?;

    heading("A P project without mistakes", "lockstep check lease.pproj");
    show(&lockstep, &sample, &["check", "lease.pproj"])?;

    heading("The same project after three slips of the keyboard", "lockstep check lease.pproj");
    let slips = scratch.path().join("slips");
    copy_with(&SLIPS, &sample, &slips)?;
    show(&lockstep, &slips, &["check", "lease.pproj"])?;

    heading("The same project with names and types mixed up", "lockstep check lease.pproj");
    let mistakes = scratch.path().join("mistakes");
    copy_with(&MISTAKES, &sample, &mistakes)?;
    show(&lockstep, &mistakes, &["check", "lease.pproj"])?;

    heading("What one of these codes means", "lockstep explain LS0317");
    show(&lockstep, scratch.path(), &["explain", "LS0317"])?;

    heading("All behaviours of a test", "lockstep explore lease.pproj tcOneClient");
    show(&lockstep, &sample, &["explore", "lease.pproj", "tcOneClient"])?;

    heading("The same project after a slip in the protocol", "lockstep run lease.pproj tcCrashingClients");
    let bug = scratch.path().join("bug");
    copy_with(&BUG, &sample, &bug)?;
    for (file, right, wrong) in BUG {
        println!("   {file}: `{wrong}` instead of `{right}`\n");
    }
    show(&lockstep, &bug, &["run", "--trace-out", "bug.json", "lease.pproj", "tcCrashingClients"])?;

    heading("How it comes to that", "lockstep trace view bug.json");
    show(&lockstep, &bug, &["trace", "view", "bug.json"])?;
    chart(&lockstep, &bug)?;

    heading("The same run after the slip was mended", "lockstep replay bug.json");
    let (file, _, _) = BUG[0];
    fs::copy(sample.join(file), bug.join(file))?;
    show(&lockstep, &bug, &["replay", "bug.json"])?;

    let icet = root().join("tests/programs/icet");
    heading("An IceT program: two-phase commit, proved for every number of participants", "lockstep check two_phase_commit.icet");
    show(&lockstep, &icet, &["check", "two_phase_commit.icet"])?;

    heading("The sequential program that does the same", "lockstep sequentialize two_phase_commit.icet");
    show(&lockstep, &icet, &["sequentialize", "two_phase_commit.icet"])?;

    println!("{GOODBYE}");
    Ok(true)
}

/// Draws the run of the bug and shows it, if there is something that can.
fn chart(lockstep: &Path, folder: &Path) -> Result<()> {
    let page = root().join("target").join("lockstep-demo.html");
    fs::create_dir_all(root().join("target"))?;
    let shown = page.to_string_lossy().into_owned();
    heading("The same as a chart", &format!("lockstep trace view --html --out {shown} bug.json"));
    show(lockstep, folder, &["trace", "view", "--html", "--out", &shown, "bug.json"])?;
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        // Without a display nobody could look at it.
        _ if std::env::var_os("DISPLAY").or_else(|| std::env::var_os("WAYLAND_DISPLAY")).is_none() => return Ok(()),
        _ => "xdg-open",
    };
    // Whoever has no browser can still read the file.
    let _ = Command::new(opener).arg(&page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    Ok(())
}

fn heading(title: &str, command: &str) {
    println!("\n-- {title}\n   $ {command}\n");
}

/// Runs the tool; findings (exit code 1) are part of the show.
fn show(lockstep: &Path, folder: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new(lockstep).current_dir(folder).args(arguments).status().context("cannot start lockstep")?;
    match status.code() {
        // A replay that the mended program does not follow to its end is told with 3.
        Some(0 | 1 | 3) => Ok(()),
        _ => bail!("lockstep {} did not run: {status}", arguments.join(" ")),
    }
}

fn copy_with(slips: &[Slip], from: &Path, to: &Path) -> Result<()> {
    copy(from, to)?;
    for (file, right, wrong) in slips {
        let path = to.join(file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?.replace("\r\n", "\n");
        if !text.contains(*right) {
            bail!("the sample has changed: {file} no longer contains {right:?}");
        }
        fs::write(&path, text.replacen(right, wrong, 1))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Builds the tool; where it lies is what Cargo says.
pub(crate) fn build() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--package", "lockstep", "--bin", "lockstep"]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = command.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the build failed");
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    messages.lines().find_map(executable).context("Cargo did not say where it built lockstep")
}

/// The program that one of Cargo's messages tells of.
fn executable(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    (message["target"]["name"] == "lockstep").then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
}
