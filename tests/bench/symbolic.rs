//! `cargo xtask bench symbolic`: sets of states beside single states, on models under `tests/programs/models`, and beside PSYM.
//!
//! Each row is a test, searched by single states (all reductions, and none) and by sets of states, with the delivery that PSYM has (`network`) and
//! with P's own. The figures of PSYM were measured once, on its own models of the same protocols, on 2 cores under load: CPU seconds, of which the
//! start of its virtual machine takes 1 to 1.5. A + stands for a search that was given up.

#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lockstep_explore::{Budgets, Engine, Observer, Options, Outcome, Reduction, explore};
use lockstep_program::{Database, project_tests};
use lockstep_runtime::{Delivery, Program, Settings, lower};
use lockstep_tests::{Report, Row, p_project, p_projects};

/// Seconds after which a search is given up.
const MOST: u64 = 60;

/// How the name of a test begins, and CPU seconds of PSYM on its model, if it was measured.
const TESTS: [(&str, Option<f64>); 13] = [
    ("tcGermanAsked___clients_2__requests_2", None),
    ("tcGermanAsked___clients_3__requests_4", Some(60.0)),
    ("tcBackupSteps___participants_5", Some(90.0)),
    ("tcRingAny___nodes_5__", Some(17.6)),
    ("tcRingAny___nodes_6__", Some(507.0)),
    ("tcLastZeroCells___cells_3", None),
    ("tcLastZeroCells___cells_5", Some(173.0)),
    ("tcRegistry___workers_5", Some(1.9)),
    ("tcRegistry___workers_8", Some(7.3)),
    ("tcTank___pumps_4", Some(1.6)),
    ("tcTank___pumps_9", Some(6.8)),
    ("tcTokenRing___nodes_4__hops_1", Some(3.5)),
    ("tcSettings___features_6", None),
];

fn main() {
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1).unwrap_or_default();
    let mut report = Report::new("symbolic");
    println!(
        "{:<42} {:<8} {:>12} {:>10} {:>10} {:>10} {:>8} {:>8} {:>9} {:>6}",
        "test", "delivery", "states", "reduced ms", "single ms", "sets ms", "runs", "nodes", "PSYM s", "ratio"
    );
    for project in p_projects().into_iter().filter(|project| project.name.starts_with("models/")) {
        let db = Database::default();
        let (opened, _) = p_project(&db, project.files);
        for case in project_tests(&db, opened).iter().filter(|case| case.name.starts_with(&only)) {
            let Some((_, psym)) = TESTS.iter().find(|(name, _)| case.name.starts_with(name)) else { continue };
            let program = lower(&db, opened, case, &lockstep_runtime::Options::default())
                .unwrap_or_else(|reason| panic!("{}: {reason}", case.name));
            for delivery in [Delivery::Network, Delivery::Inbox] {
                row(&program, delivery, *psym, &mut report);
            }
        }
    }
    report.finish();
}

fn row(program: &Program, delivery: Delivery, psym: Option<f64>, report: &mut Report) {
    let reduced = measured(program, delivery, Engine::Explicit, Reduction::All);
    let single = measured(program, delivery, Engine::Explicit, Reduction::None);
    let sets = measured(program, delivery, Engine::Symbolic, Reduction::None);
    if single.is_complete && sets.is_complete {
        assert_eq!(single.states, sets.states, "{}: sets and single states are not the same", program.name);
    }
    let figure = |found: &Measured| format!("{:.1}{}", found.seconds * 1e3, if found.is_complete { " " } else { "+" });
    let psym = psym.filter(|_| delivery == Delivery::Network);
    let ratio = psym.filter(|_| sets.is_complete).map_or_else(String::new, |psym| format!("{:.0}", psym / sets.seconds));
    println!(
        "{:<42} {:<8} {:>12} {:>10} {:>10} {:>10} {:>8} {:>8} {:>9} {ratio:>6}",
        program.name,
        format!("{delivery:?}").to_lowercase(),
        sets.states.max(single.states),
        figure(&reduced),
        figure(&single),
        figure(&sets),
        sets.runs,
        sets.nodes,
        psym.map_or_else(String::new, |psym| format!("{psym:.1}")),
    );
    for (way, found) in [("single states, reduced", &reduced), ("single states", &single), ("sets of states", &sets)] {
        let what = format!("{}, {delivery:?}, {way}", program.name);
        let unit = if found.is_complete { "CPU milliseconds" } else { "CPU milliseconds, given up" };
        report.keep(Row::new(what, unit, found.seconds * 1e3));
    }
}

struct Measured {
    states: u64,
    is_complete: bool,
    seconds: f64,
    runs: u64,
    nodes: u64,
}

fn measured(program: &Program, delivery: Delivery, engine: Engine, reduction: Reduction) -> Measured {
    let budgets = Budgets { time: Some(Duration::from_secs(MOST)), memory: Some(2 << 30), ..Budgets::default() };
    let settings = Settings { delivery, ..Settings::default() };
    let options = Options { settings, engine, reduction, budgets, ..Options::default() };
    let before = cpu_seconds();
    let found = explore(program, &options, &mut Observer { cancel: &AtomicBool::new(false), progress: &mut |_| {} });
    let seconds = cpu_seconds() - before;
    let is_complete = match &found.outcome {
        Outcome::Exhausted(_) => true,
        Outcome::Unknown { .. } => false,
        other => panic!("{}: {other:?}", program.name),
    };
    let symbolic = found.stats.symbolic.unwrap_or_default();
    Measured { states: found.stats.states, is_complete, seconds, runs: symbolic.runs, nodes: symbolic.nodes }
}

/// CPU time of this thread so far; wall time where the system does not tell.
fn cpu_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()));
    match nanoseconds {
        Some(nanoseconds) => nanoseconds as f64 / 1e9,
        None => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
    }
}
