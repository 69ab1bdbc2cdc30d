//! `cargo xtask bench symbolic`: sets of states beside single states, on models under `tests/programs/models`, and beside PSYM, TLC, ODPOR and PEx.
//!
//! Each row is a test of `published.rs`, searched by single states (with all reductions), by sets of states and with `auto`, with the delivery that
//! PSYM has (`network`), each in a process of its own with a limit on time and memory. A + stands for a search that was given up. All of them
//! leave out steps and states that others stand for. `auto` goes by abstractions where the model has some, as `lockstep explore` does. At the end
//! each row is held against what we aim at. `--only PREFIX` leaves out tests whose names begin in another way. `--peers` adds a table of libraries
//! for decision diagrams (`diagrams.rs`).

#![allow(clippy::print_stdout, clippy::cast_precision_loss)]

mod aims;
mod diagrams;
mod measure;
mod published;

use lockstep_tests::{Report, Row};

use crate::measure::Measured;
use crate::published::{ALL, Published};

/// Seconds after which a search is given up; of one that cannot end, the second; and of sets of states and `auto` that would still meet the aim,
/// the last two.
const MOST: u64 = 12;
const MOST_ENDLESS: u64 = 3;
const MOST_SETS: f64 = 30.0;
const MOST_AUTO: f64 = 75.0;

const ENGINES: [&str; 3] = ["explicit", "symbolic", "auto"];

/// A row of the table, with what was measured for each of the engines.
pub(crate) struct Searched {
    pub(crate) published: &'static Published,
    pub(crate) engines: [Option<Measured>; 3],
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--search")
        && let [test, engine, seconds] = &arguments[place + 1..]
    {
        return measure::answer(test, engine, seconds.parse().unwrap_or(MOST));
    }
    let only = arguments.iter().skip_while(|argument| *argument != "--only").nth(1).cloned().unwrap_or_default();
    let mut report = Report::new("symbolic");
    heading();
    let mut searched = Vec::new();
    for published in ALL.iter().filter(|row| row.test.starts_with(&only)) {
        let engines = ENGINES.map(|engine| measure::search(published.test, engine, published.most(engine)));
        let row = Searched { published, engines };
        row.print();
        row.keep(&mut report);
        searched.push(row);
    }
    println!("\nHow the models that others were measured on differ from ours");
    for Searched { published, .. } in &searched {
        println!("{:<28} {}", published.name, published.differs);
    }
    aims::judge(&searched);
    if arguments.iter().any(|argument| argument == "--peers") {
        diagrams::compare();
    } else {
        println!("\nwithout the table of decision diagrams, which is made with --peers");
    }
    report.finish();
}

fn heading() {
    println!("CPU seconds, states and megabytes, after reductions; s after `auto` is for sets of states, a for an abstraction");
    println!(
        "{:<28} | {:>8} {:>9} {:>5} | {:>8} {:>10} {:>5} {:>5} {:>6} | {:>9} {:>5} | {:>7} {:>7} {:>7} {:>7} {:>10} | {:>8} {:>8}",
        "row",
        "explicit",
        "states",
        "MB",
        "sets",
        "states",
        "MB",
        "runs",
        "apart",
        "auto",
        "MB",
        "PSYM",
        "again",
        "TLC/OD",
        "PEx",
        "PSYM runs",
        "/ auto",
        "/ sets"
    );
}

impl Published {
    /// Seconds after which a search is given up.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn most(&self, engine: &str) -> u64 {
        let psym = self.again.least().or(self.psym.least()).unwrap_or(0.0);
        match engine {
            "explicit" | "symbolic" if self.is_endless() => MOST_ENDLESS,
            "symbolic" => MOST.max((psym / aims::SETS).min(MOST_SETS) as u64),
            "auto" => MOST.max((psym / aims::AUTO).min(MOST_AUTO) as u64),
            _ => MOST,
        }
    }

    fn is_endless(&self) -> bool {
        self.test.ends_with("_9999")
    }
}

impl Searched {
    /// What PSYM took: measured again if it was.
    pub(crate) fn psym(&self) -> Option<f64> {
        self.published.again.least().or(self.published.psym.least())
    }

    /// How many times as long PSYM takes as an engine that has come to an end.
    pub(crate) fn ratio(&self, engine: usize) -> Option<f64> {
        let ours = self.engines[engine].filter(|measured| measured.is_complete)?;
        Some(self.psym()? / ours.seconds)
    }

    fn print(&self) {
        let [explicit, sets, auto] = self.engines;
        let ratio = |engine| self.ratio(engine).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.0}"));
        let by = match auto {
            Some(auto) if auto.is_abstract => 'a',
            Some(auto) if auto.is_by_sets => 's',
            _ => ' ',
        };
        let Published { name, psym, again, other, pex, runs, .. } = self.published;
        let runs = runs.map_or_else(|| "-".to_owned(), |(runs, apart)| format!("{runs} ({apart})"));
        println!(
            "{name:<28} | {:>8} {:>9} {:>5} | {:>8} {:>10} {:>5} {:>5} {:>6} | {:>8}{by} {:>5} | {psym:>7} {again:>7} {other:>7} {pex:>7} {runs:>10} | {:>8} {:>8}",
            seconds(explicit),
            number(explicit, |measured| measured.states),
            number(explicit, |measured| measured.bytes >> 20),
            seconds(sets),
            number(sets, |measured| measured.states),
            number(sets, |measured| measured.bytes >> 20),
            number(sets, |measured| measured.runs),
            number(sets, |measured| measured.apart),
            seconds(auto),
            number(auto, |measured| measured.bytes >> 20),
            ratio(2),
            ratio(1),
        );
    }

    /// Notes the figures for the JSON.
    fn keep(&self, report: &mut Report) {
        for (engine, measured) in ENGINES.iter().zip(self.engines) {
            let Some(measured) = measured else { continue };
            let what = format!("{}, {engine}", self.published.name);
            let unit = if measured.is_complete { "CPU seconds" } else { "CPU seconds, given up" };
            report.keep(Row::new(what.clone(), unit, measured.seconds));
            report.keep(Row::new(what.clone(), "states", measured.states as f64));
            report.keep(Row::new(what, "bytes", measured.bytes as f64));
        }
    }
}

fn seconds(measured: Option<Measured>) -> String {
    let Some(Measured { seconds, is_complete, .. }) = measured else { return "ended".to_owned() };
    format!("{seconds:.3}{}", if is_complete { ' ' } else { '+' })
}

fn number(measured: Option<Measured>, of: impl Fn(&Measured) -> u64) -> String {
    measured.as_ref().map_or_else(|| "-".to_owned(), |measured| of(measured).to_string())
}
