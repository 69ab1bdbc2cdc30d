//! `lockstep certify`: whether a certificate proves what it should, found out without what made it.

use std::io::{self, Write};

use anyhow::anyhow;
use lockstep_icet::certificate;
use lockstep_icet::certify::{self, Claims};
use lockstep_icet::program::Program;
use lockstep_workspace::{name as shown, read_disk, why_unreadable};
use serde::Serialize;

use crate::Outcome;
use crate::icet;
use crate::icet_args::{CertifyArgs, PlainFormat};
use crate::json::VERSION;
use crate::output::{Output, Terminal, write_all};
use crate::sequentialize::name;

#[derive(Serialize)]
struct Whole<'a> {
    version: u32,
    path: &'a str,
    certificate: &'a str,
    accepted: bool,
    message: &'a str,
    /// Where the step is that was rejected, a number for each level, from 1.
    step: Option<Vec<usize>>,
}

pub(crate) fn run(args: &CertifyArgs, terminal: Terminal) -> anyhow::Result<Outcome> {
    let Some((source, program)) = icet::load(&args.input, terminal)? else { return Ok(Outcome::Findings) };
    let certificate = shown(&args.certificate);
    let bytes = read_disk(&args.certificate).map_err(|error| anyhow!(why_unreadable(&certificate, &error)))?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("`{certificate}` is not UTF-8"))?;
    let (accepted, message, step) = judged(&program, &text);
    write_all(terminal.stdout(), |output| match args.format {
        PlainFormat::Human => write_human(output, &certificate, accepted, &message, step.as_deref()),
        PlainFormat::Json => {
            let whole = Whole {
                version: VERSION,
                path: &source.name,
                certificate: &certificate,
                accepted,
                message: &message,
                step: step.clone(),
            };
            serde_json::to_writer(&mut *output, &whole)?;
            writeln!(output)
        }
    })?;
    Ok(if accepted { Outcome::Clean } else { Outcome::Findings })
}

/// Whether it is accepted, what is to be said, and which step is at fault.
fn judged(program: &Program, text: &str) -> (bool, String, Option<Vec<usize>>) {
    let steps = match certificate::from_json(program, text) {
        Ok(steps) => steps,
        Err(error) => return (false, error.to_string(), None),
    };
    match icet::patiently("checking", || certify::certify(program, &steps)) {
        Ok(claims) => (true, words(program, &claims), None),
        Err(rejection) => {
            let step = rejection.path.iter().map(|at| at + 1).collect();
            (false, rejection.reason, Some(step))
        }
    }
}

fn words(program: &Program, claims: &Claims) -> String {
    let remaining: Vec<String> = claims.remaining.iter().map(|who| name(program, *who)).collect();
    if claims.matched == 0 && !remaining.is_empty() {
        return format!("nothing is claimed: no message is received outside of the endless loops of {}", remaining.join(", "));
    }
    let mut said = "no deadlock and no orphan message, for every size".to_owned();
    if !remaining.is_empty() {
        said += &format!("; endless loops of {} remain, and nothing is said of what happens in them", remaining.join(", "));
    }
    match claims.asserts.len() {
        0 => {}
        1 => said += "; 1 assertion holds",
        more => said += &format!("; {more} assertions hold"),
    }
    said
}

fn write_human(output: &mut Output, certificate: &str, accepted: bool, message: &str, step: Option<&[usize]>) -> io::Result<()> {
    if accepted {
        return writeln!(output, "{certificate}: accepted: {message}");
    }
    match step {
        Some([]) => writeln!(output, "{certificate}: rejected at its end: {message}"),
        Some(step) => {
            let numbers: Vec<String> = step.iter().map(usize::to_string).collect();
            writeln!(output, "{certificate}: rejected at step {}: {message}", numbers.join("."))
        }
        None => writeln!(output, "{certificate}: rejected: {message}"),
    }
}
