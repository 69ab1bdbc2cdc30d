//! Spin on the models of `tests/bench/peers/spin`.
//!
//! Channels are promised to have one reader (`xr`) where they have, without which its reduction does little.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::child;
use crate::peers::Figures;

/// Wall time for one search.
const MOST: Duration = Duration::from_secs(20);

/// Why it cannot be run, if it cannot.
pub(crate) fn missing() -> Option<&'static str> {
    if !child::is_there("spin") {
        Some("`spin` is not on the path")
    } else if !child::is_there("cc") {
        Some("there is no C compiler (`cc`)")
    } else {
        None
    }
}

/// Whether it leaves out orders of steps.
#[derive(Clone, Copy)]
pub(crate) enum Steps {
    Reduced,
    All,
}

/// Makes a verifier for a model of this size and runs it.
pub(crate) fn search(model: &str, size: u32, steps: Steps) -> Result<Figures, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let verifier = verifier(folder.path(), model, size, steps)?;
    // The table grows when it has to. Ends in which a process still waits for a message are none of our business.
    let mut command = Command::new(verifier);
    command.args(["-m100000", "-w20", "-E"]).current_dir(folder.path());
    let Some((printed, seconds)) = child::measured(&mut command, MOST) else {
        return Err(format!("not done after {} seconds", MOST.as_secs()));
    };
    let stored = printed.lines().find_map(|line| line.trim().strip_suffix(" states, stored")?.trim().parse().ok());
    let is_done = printed.contains("errors: 0") && !printed.contains("Search not completed");
    match stored {
        Some(states) if is_done => Ok(Figures { states, seconds }),
        _ if printed.contains("out of memory") || printed.contains("memory limit") => Err("out of memory".to_owned()),
        _ => Err(format!("it did not work:\n{printed}")),
    }
}

fn verifier(folder: &Path, model: &str, size: u32, steps: Steps) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench/peers/spin").join(format!("{model}.pml"));
    let makes = Command::new("spin").arg(format!("-DN={size}")).arg("-a").arg(source).current_dir(folder).output();
    if !makes.is_ok_and(|output| output.status.success()) || !folder.join("pan.c").exists() {
        return Err("Spin rejects the model".to_owned());
    }
    let mut compile = Command::new("cc");
    compile.args(["-O2", "-w", "-DSAFETY", "-DMEMLIM=2500", "-o", "pan", "pan.c"]).current_dir(folder);
    if let Steps::All = steps {
        compile.arg("-DNOREDUCE");
    }
    if child::succeeds(&mut compile) { Ok(folder.join("pan")) } else { Err("its verifier cannot be compiled".to_owned()) }
}
