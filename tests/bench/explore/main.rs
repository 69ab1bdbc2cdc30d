//! `cargo xtask bench explore`: how fast the models under `tests/programs/models` are searched, and how much memory a state takes.
//!
//! Every test of every model is searched in the ways of `measure.rs`, from small to large, until one takes long. Beside that stand figures
//! of other tools: of PEx as they were measured once (`pex.rs`), of Spin if it is there, and of Stateright with `--peers` (`peers.rs`),
//! on models of their own. At the end each search is held against what we aim at (`aims.rs`). `--only PREFIX` leaves out other tests.

#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

mod aims;
mod child;
mod measure;
mod peers;
mod pex;
mod spin;
mod stateright;
mod table;

use lockstep_program::{Database, project_errors, project_tests};
use lockstep_runtime::lower;
use lockstep_tests::{Report, p_project, p_projects};

use crate::measure::{Gauge, NETWORK, WAYS};
use crate::table::Searched;

fn main() {
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1).unwrap_or_default();
    let with_peers = std::env::args().any(|argument| argument == "--peers");
    let mut report = Report::new("explore");
    println!("{}", table::HEADING);
    let mut searched: Vec<Searched> = Vec::new();
    for project in p_projects().into_iter().filter(|project| project.name.starts_with("models/")) {
        let db = Database::default();
        let (opened, _) = p_project(&db, project.files);
        assert_eq!(project_errors(&db, opened), 0, "{} has errors", project.name);
        let mut gauge = Gauge::default();
        for case in project_tests(&db, opened).iter().filter(|case| case.name.starts_with(&only)) {
            let program = lower(&db, opened, case, &lockstep_runtime::Options::default())
                .unwrap_or_else(|reason| panic!("{}: {reason}", case.name));
            for way in WAYS.iter().chain(peers::wants_network(&case.name).then_some(&NETWORK)) {
                if let Some(measured) = gauge.measure(&program, way) {
                    let row = Searched { test: case.name.clone(), way, measured, pex: pex::of(&case.name) };
                    println!("{row}");
                    row.keep(&mut report);
                    searched.push(row);
                }
            }
        }
    }
    pex::explain();
    peers::compare(&searched, &only, with_peers, &mut report);
    aims::judge(&searched);
    report.finish();
}
