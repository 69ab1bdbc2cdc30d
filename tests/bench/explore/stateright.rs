//! Stateright on the models of `tests/bench/peers/stateright`, a package of its own that is built here.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::child;
use crate::peers::Figures;

/// Wall time for one search.
const MOST: Duration = Duration::from_secs(30);

/// Builds the models. `None` if that does not work; the reason was printed.
pub(crate) fn build() -> Option<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = tests.join("../target/peers");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--release", "--locked", "--target-dir"]).arg(&target);
    command.arg("--manifest-path").arg(tests.join("bench/peers/stateright/Cargo.toml"));
    child::succeeds(&mut command).then(|| target.join("release/peers-stateright"))
}

pub(crate) fn search(program: &Path, model: &str, size: u32) -> Result<Figures, String> {
    let Some((printed, seconds)) = child::measured(Command::new(program).arg(model).arg(size.to_string()), MOST) else {
        return Err(format!("not done after {} seconds", MOST.as_secs()));
    };
    let states = printed.split_once(" states").and_then(|(states, _)| states.trim().parse().ok());
    states.map(|states| Figures { states, seconds }).ok_or_else(|| format!("it did not work: {printed}"))
}
