//! What guards cost with other decision diagrams: the operations of a few searches, recorded, and made again by the program of
//! `tests/bench/peers/diagrams`, a package of its own that is built here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use lockstep_explore::{Observer, Options, recorded};
use lockstep_runtime::{Delivery, Settings};

use crate::measure;

/// Searches that are short enough to be kept whole, and unlike each other.
const LOADS: [&str; 5] = [
    "tcStreamlet___epochs_3",
    "tcHybridClock___nodes_3__max_time_4",
    "tcFlexiblePaxos___acceptors_3__promising_2__accepting_2__slots_1__options_2__ballots_3",
    "tcTank___pumps_9",
    "tcGermanAsked___clients_2__requests_2",
];

pub(crate) fn compare() {
    println!("\nDecision diagrams on recorded loads: seconds, and the most nodes that live at one time");
    let Some(program) = build() else { return };
    let Ok(folder) = tempfile::tempdir() else { return };
    for test in LOADS {
        let Some(model) = measure::program(test) else { continue };
        let settings = Settings { delivery: Delivery::Network, ..Settings::default() };
        let options = Options { settings, ..Options::default() };
        let text = recorded(&model, &options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} });
        let file = folder.path().join("operations");
        if std::fs::write(&file, text).is_err() {
            println!("{test}: its operations cannot be written down");
            continue;
        }
        println!("\n{test}");
        // One process for each, so that nobody finds the memory of another.
        for engine in ["shared", "unlimited", "without shortcuts", "interned", "hash-consed", "oxidd"] {
            let _ = Command::new(&program).arg(&file).arg(engine).status();
        }
    }
}

/// Builds the program. `None` if that does not work; the reason was printed.
fn build() -> Option<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = tests.join("../target/peers");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--release", "--locked", "--target-dir"]).arg(&target);
    command.arg("--manifest-path").arg(tests.join("bench/peers/diagrams/Cargo.toml"));
    command.status().is_ok_and(|status| status.success()).then(|| target.join("release/peers-diagrams"))
}
