//! Running other programs.

use std::env;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Cargo, in the repository's top folder.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::root());
    command
}

/// Runs `command` with its output going to the terminal.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    let status = command.status().with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    Ok(status.success())
}

/// Whether a program can be started at all.
pub(crate) fn is_installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
