//! `cargo xtask conformance`: agreement with P's own regression suite, read from a checkout of p-org/P.

#![allow(clippy::print_stdout)]

mod check;
mod engines;
mod expansion;
mod faults;
mod figures;
mod format;
mod judge;
mod kinds;
mod parse;
mod run;
mod tutorial;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, repository] = arguments.as_slice() else {
        println!("usage: conformance parse|check|run|engines|format P-REPO");
        return ExitCode::from(2);
    };
    let repository = Path::new(repository);
    if !repository.join("Tst/RegressionTests").is_dir() {
        println!("{} is not a checkout of p-org/P: it has no Tst/RegressionTests", repository.display());
        return ExitCode::from(2);
    }
    match name.as_str() {
        "parse" => parse::run(repository),
        "check" => check::run(repository),
        "run" => run::run(repository),
        "engines" => engines::run(repository),
        "format" => format::run(repository),
        other => {
            println!("there is no conformance run `{other}`");
            ExitCode::from(2)
        }
    }
}
