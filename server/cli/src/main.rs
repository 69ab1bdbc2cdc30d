//! The command line of Lockstep: reads arguments, runs one command, turns its end into an exit code.

mod args;
mod begin;
mod cache;
mod certify;
mod check;
mod codes;
mod diagram;
mod doctor;
mod excerpt;
mod explain;
mod fix;
mod fmt;
mod github;
mod highlight;
mod human;
mod icet;
mod icet_args;
mod icet_run;
mod json;
mod output;
mod p;
mod parse;
mod report;
mod sarif;
mod sequentialize;
mod tests;
mod tree;

use std::process::ExitCode;

use clap::Parser;
use lockstep_workspace::guard;

use crate::args::{Args, Command};
use crate::output::Terminal;

/// How a command ended. What a command could not do at all outweighs what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Clean,
    Findings,
    Failed,
    /// Neither: a limit was reached, or something cannot be dealt with.
    Unknown,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => Self::from(0),
            Outcome::Findings => Self::from(1),
            Outcome::Failed => Self::from(2),
            Outcome::Unknown => Self::from(3),
        }
    }
}

fn main() -> ExitCode {
    guard::remember_panics();
    let args = Args::parse();
    let terminal = Terminal::new(args.color.into());
    let outcome = match guard::guarded(|| run(&args.command, terminal)) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => {
            terminal.error(&format!("{error:#}"));
            Outcome::Failed
        }
        Err(panic) => {
            terminal.error(&panic.to_string());
            Outcome::Failed
        }
    };
    outcome.into()
}

fn run(command: &Command, terminal: Terminal) -> anyhow::Result<Outcome> {
    match command {
        Command::New(args) => begin::new(args, terminal),
        Command::Samples(args) => begin::samples(args, terminal),
        Command::Check(args) => check::run(args, terminal),
        Command::Explain(args) => explain::run(args, terminal),
        Command::Tests(args) => tests::run(args, terminal),
        Command::Sequentialize(args) => sequentialize::run(args, terminal),
        Command::Certify(args) => certify::run(args, terminal),
        Command::Run(args) if icet_run::is_for(args) => icet_run::run(args, terminal),
        Command::Run(args) => p::run(args, terminal),
        Command::Explore(args) => p::explore(args, terminal),
        Command::Replay(args) => p::replay(args, terminal),
        Command::Trace(args) => p::trace(args, terminal),
        Command::Diagram(args) => diagram::run(args, terminal),
        Command::Fmt(args) => fmt::run(args, terminal),
        Command::Parse(args) => parse::run(args, terminal),
        Command::Highlight(args) => highlight::run(args, terminal),
        Command::Lsp => lsp(),
        Command::Dap => p::debug(),
        Command::Worker => {
            lockstep_worker::serve()?;
            Ok(Outcome::Clean)
        }
        Command::Cache(args) => cache::run(args, terminal),
        Command::Doctor => doctor::run(terminal),
    }
}

/// Ends well if the client said goodbye before it left.
fn lsp() -> anyhow::Result<Outcome> {
    let was_goodbye = lockstep_lsp::serve(env!("CARGO_PKG_VERSION"))?;
    Ok(if was_goodbye { Outcome::Clean } else { Outcome::Findings })
}
