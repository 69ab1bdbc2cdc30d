//! `cargo xtask`: everything one does with this repository besides building it.
//!
//! Runs other programs and says what it is doing; the work itself is in them. Heavier helpers (benchmarks, the conformance run,
//! the fuzz driver) are binaries of the `tests` crate, built when they are first asked for.

// This program talks to a person at a terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod demo;
mod generate;
mod install;
mod nvim;
mod run;
mod test;
mod zed;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};

use crate::run::cargo;

const FUZZ_TARGETS: [&str; 5] = ["p", "icet", "incremental", "static", "format"];

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Commands for working on Lockstep", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the tool and show its main job on the sample project
    Demo,
    /// Run every check and test; installs what they need if it is missing
    #[command(after_help = test::HELP)]
    Test {
        /// Fuzz for ten minutes per target instead of some seconds
        #[arg(long)]
        long: bool,
    },
    /// Measure speed and print a table
    Bench {
        #[arg(value_parser = ["parse", "errors", "format", "check", "ide", "lsp", "icet", "explore", "symbolic"])]
        name: String,
        /// Also write the figures to this file
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
        /// With `explore`: also build and measure Stateright; with `symbolic`: other decision diagrams
        #[arg(long)]
        peers: bool,
        /// With `explore` and `symbolic`: only tests whose names begin with this
        #[arg(long, value_name = "NAME")]
        only: Option<String>,
    },
    /// Compare with P's own regression suite
    Conformance {
        #[arg(value_parser = ["parse", "check", "run", "engines", "format"])]
        name: String,
        /// A checkout of github.com/p-org/P
        #[arg(long, value_name = "PATH")]
        p_repo: PathBuf,
    },
    /// Feed random texts to a part of the tool until time is up
    Fuzz {
        /// Which part; all of them if none is named
        #[arg(value_parser = FUZZ_TARGETS)]
        target: Option<String>,
        /// How long for each
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
    /// Make the parsers from the grammars
    Generate {
        /// Change nothing; fail if what is committed is out of date
        #[arg(long)]
        check: bool,
    },
    /// Install `lockstep`, or an editor integration with it
    Install {
        /// The extension for VS Code, with the server in it (needs Node and npm)
        #[arg(long)]
        vscode: bool,
        /// The plugin for Neovim, with its parsers, and the program
        #[arg(long)]
        nvim: bool,
    },
    /// Build the parsers and copy the queries for Helix (needs a C compiler)
    Helix {
        /// The runtime folder, if it is not the user's
        #[arg(long, value_name = "FOLDER")]
        into: Option<PathBuf>,
    },
    /// Make the extension for Zed from this checkout
    Zed {
        /// The folder to make it in
        into: PathBuf,
    },
    /// Build the parsers and copy the queries that the Neovim plugin needs (needs a C compiler)
    Nvim {
        /// The plugin's folder, if it is not the one in this repository
        #[arg(long, value_name = "FOLDER")]
        into: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<bool> {
    match command {
        Command::Demo => demo::demo(),
        Command::Test { long } => test::test(long),
        Command::Bench { name, json, peers, only } => {
            ensure!(name == "explore" || name == "symbolic" || !peers, "`--peers` is for `explore` and `symbolic`");
            ensure!(name == "explore" || name == "symbolic" || only.is_none(), "`--only` is for `explore` and `symbolic`");
            let json = json.map(std::path::absolute).transpose()?;
            let mut command = helper(&format!("bench-{name}"));
            if let Some(json) = &json {
                command.arg("--json").arg(json);
            }
            if peers {
                command.arg("--peers");
            }
            if let Some(only) = &only {
                command.arg("--only").arg(only);
            }
            run::succeeds(&mut command)
        }
        Command::Conformance { name, p_repo } => run::succeeds(helper("conformance").arg(name).arg(std::path::absolute(p_repo)?)),
        Command::Fuzz { target, seconds, seed } => {
            let targets = target.map_or_else(|| FUZZ_TARGETS.map(str::to_owned).to_vec(), |target| vec![target]);
            for target in targets {
                if !run::succeeds(helper("fuzz").args([target, seconds.to_string(), seed.to_string()]))? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Command::Generate { check: false } => generate::generate().map(|()| true),
        Command::Generate { check: true } => generate::is_fresh(),
        Command::Install { vscode, nvim } => install::install(vscode, nvim),
        Command::Helix { into } => nvim::build_for_helix(into.as_deref()).map(|()| true),
        Command::Zed { into } => zed::build(&into).map(|()| true),
        Command::Nvim { into } => nvim::build(&into.unwrap_or_else(|| root().join("editors/nvim"))).map(|()| true),
    }
}

/// A helper program of the `tests` crate, built with optimisation.
fn helper(name: &str) -> std::process::Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "lockstep-tests", "--bin", name, "--"]);
    command
}

/// The repository's top folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies two folders deep")
}
