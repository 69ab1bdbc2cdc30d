//! Other programs: whether they are there, and what they take.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ticks of the system's count of CPU time in a second; the same on all of Linux.
const TICKS: f64 = 100.0;

/// Whether a program is on the path.
pub(crate) fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

/// What a program printed, and the CPU seconds it took. Nothing if it took longer than it may, by the clock.
pub(crate) fn measured(command: &mut Command, most: Duration) -> Option<(String, f64)> {
    let before = cpu_seconds_of_children();
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    // What these programs print fits into a pipe.
    if !ends_within(&mut child, most) {
        child.kill().ok()?;
        child.wait().ok()?;
        return None;
    }
    let output = child.wait_with_output().ok()?;
    let wall = begun.elapsed().as_secs_f64();
    let spent = before.and_then(|before| Some(cpu_seconds_of_children()? - before));
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), spent.unwrap_or(wall)))
}

/// Runs a program that makes something; what it says is shown only if it fails.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            false
        }
        Err(error) => {
            println!("{}: {error}", Path::new(command.get_program()).display());
            false
        }
    }
}

fn ends_within(child: &mut Child, most: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < most {
        if child.try_wait().is_ok_and(|status| status.is_some()) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// CPU time of all children that have ended.
fn cpu_seconds_of_children() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, which may have blanks in it, ends with the last parenthesis; its state is the third field.
    let fields: Vec<&str> = told.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|ticks| ticks.parse::<f64>().ok());
    Some((ticks(16)? + ticks(17)?) / TICKS)
}
