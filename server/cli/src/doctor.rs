//! `lockstep doctor`: what Lockstep finds here, and how its language server has been doing.

use std::io::{self, Write};
use std::path::PathBuf;

use lockstep_program::Database;
use lockstep_workspace::{Layout, Workspace, read_disk};

use crate::Outcome;
use crate::human::count;
use crate::output::{Output, Terminal, write_all};

pub(crate) fn run(terminal: Terminal) -> anyhow::Result<Outcome> {
    let mut db = Database::default();
    let mut workspace = Workspace::default();
    workspace.update(&mut db, Layout::of(&[PathBuf::from(".")], &read_disk), &read_disk);
    write_all(terminal.stdout(), |output| write(output, &workspace))?;
    Ok(Outcome::Clean)
}

fn write(output: &mut Output, workspace: &Workspace) -> io::Result<()> {
    writeln!(output, "lockstep {}", env!("CARGO_PKG_VERSION"))?;
    if let Ok(path) = std::env::current_exe() {
        writeln!(output, "program    {}", path.display())?;
    }
    writeln!(output, "system     {} {}", std::env::consts::OS, std::env::consts::ARCH)?;
    writeln!(output, "encodings  utf-8, utf-16, utf-32 (as the editor wishes)")?;
    writeln!(output, "\nprojects below this folder")?;
    for program in workspace.programs() {
        writeln!(output, "  {:<30} {}", program.name, count(program.files.len(), "file"))?;
    }
    if workspace.programs().is_empty() {
        writeln!(output, "  none")?;
    }
    for failure in workspace.failures() {
        writeln!(output, "  {}", failure.message)?;
    }
    writeln!(output, "\nlast session of the language server (milliseconds)")?;
    match lockstep_lsp::last_session() {
        Some(serde_json::Value::Object(methods)) if !methods.is_empty() => {
            writeln!(output, "  {:<36} {:>7} {:>7} {:>8} {:>8} {:>8}", "method", "count", "failed", "p50", "p95", "max")?;
            for (method, figures) in &methods {
                let number = |name: &str| figures[name].as_f64().unwrap_or_default();
                writeln!(
                    output,
                    "  {method:<36} {:>7} {:>7} {:>8.2} {:>8.2} {:>8.2}",
                    number("count"),
                    number("failed"),
                    number("p50"),
                    number("p95"),
                    number("max")
                )?;
            }
        }
        _ => writeln!(output, "  none is known")?,
    }
    match lockstep_lsp::last_panic() {
        Some(panic) => writeln!(output, "\nlast mistake of Lockstep itself\n  {}", panic.trim()),
        None => writeln!(output, "\nno mistake of Lockstep itself is known"),
    }
}
