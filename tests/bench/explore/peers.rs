//! Other model checkers, side by side with ours on models of the same protocols and sizes.
//!
//! The models are written in the other languages in the way that suits these, so states and steps are not the same; in particular neither
//! Spin nor Stateright knows machines that are created on the way. What can be compared is the work for one protocol of one size.

use lockstep_tests::{Report, Row};

use crate::measure::{NETWORK, WAYS};
use crate::spin::{self, Steps};
use crate::stateright;
use crate::table::Searched;

#[derive(Clone, Copy)]
pub(crate) struct Figures {
    pub(crate) states: u64,
    /// Of CPU time.
    pub(crate) seconds: f64,
}

/// A model that a peer has too.
struct Pair {
    /// The name of its file.
    model: &'static str,
    /// The beginning of our test's name, up to the size.
    test: &'static str,
    /// Which the peer searches with its reduction, and which without.
    reduced: &'static [u32],
    all: &'static [u32],
    /// Our way that compares with all steps.
    ours: &'static str,
}

const REDUCED: &str = WAYS[0].name;
const ALL: &str = WAYS[1].name;

const SPIN: [Pair; 6] = [
    Pair { model: "two_phase_commit", test: "tcTwoPhase___participants_", reduced: &[6, 7, 8], all: &[5], ours: ALL },
    Pair { model: "counter", test: "tcCounter___writers_", reduced: &[5, 6], all: &[5], ours: ALL },
    Pair { model: "tank", test: "tcTank___pumps_", reduced: &[9, 14], all: &[4], ours: ALL },
    Pair { model: "registry", test: "tcRegistry___workers_", reduced: &[7, 8], all: &[6], ours: ALL },
    Pair { model: "lastzero_cells", test: "tcLastZeroCells___cells_", reduced: &[5, 7], all: &[3], ours: ALL },
    Pair { model: "chang_roberts", test: "tcRing___nodes_", reduced: &[6, 8], all: &[6, 7], ours: ALL },
];

/// It has no partial-order reduction. Its actors send over a network.
const STATERIGHT: [Pair; 2] = [
    Pair { model: "two_phase_commit", test: "tcTwoPhase___participants_", reduced: &[], all: &[5, 6], ours: ALL },
    Pair { model: "chang_roberts", test: "tcRing___nodes_", reduced: &[], all: &[6, 8, 10], ours: NETWORK.name },
];

/// Searches with the peers that are there and prints what they and we take.
pub(crate) fn compare(searched: &[Searched], only: &str, with_stateright: bool, report: &mut Report) {
    println!("\n{:<40} {:<22} {:>10} {:>8} {:>6}", "side by side", "tool", "states", "CPU s", "k/s");
    let is_wanted = |pair: &&Pair| pair.test.starts_with(only) || only.starts_with(pair.test);
    match spin::missing() {
        Some(reason) => println!("without Spin: {reason}"),
        None => {
            for pair in SPIN.iter().filter(is_wanted) {
                let mut show = |tool, steps, ours, sizes: &[u32]| {
                    for size in sizes {
                        let peer = Peer { tool, pair, size: *size, ours };
                        peer.show(spin::search(pair.model, *size, steps), searched, report);
                    }
                };
                show("Spin, reduced", Steps::Reduced, REDUCED, pair.reduced);
                show("Spin, all steps", Steps::All, pair.ours, pair.all);
            }
        }
    }
    if !with_stateright {
        println!("without Stateright, which is built and run with --peers");
    } else if let Some(program) = stateright::build() {
        for pair in STATERIGHT.iter().filter(is_wanted) {
            for size in pair.all {
                let peer = Peer { tool: "Stateright", pair, size: *size, ours: pair.ours };
                peer.show(stateright::search(&program, pair.model, *size), searched, report);
            }
        }
    }
}

/// Whether a test is searched with network delivery because of a peer.
pub(crate) fn wants_network(test: &str) -> bool {
    STATERIGHT.iter().any(|pair| pair.ours == NETWORK.name && test.starts_with(pair.test))
}

/// A search of a peer.
struct Peer {
    tool: &'static str,
    pair: &'static Pair,
    size: u32,
    /// Our way to search that compares with it.
    ours: &'static str,
}

impl Peer {
    /// Prints what it found, and what we found there.
    fn show(&self, found: Result<Figures, String>, searched: &[Searched], report: &mut Report) {
        let test = format!("{}{}", self.pair.test, self.size);
        let name = format!("{} {}", self.pair.model, self.size);
        let line = |tool: &str, figures: Figures| {
            let rate = if figures.seconds < 0.05 {
                "-".to_owned()
            } else {
                format!("{:.0}", figures.states as f64 / figures.seconds / 1e3)
            };
            println!("{name:<40} {tool:<22} {:>10} {:>8.3} {rate:>6}", figures.states, figures.seconds);
        };
        match found {
            Ok(figures) => {
                line(self.tool, figures);
                report.keep(Row::new(format!("{name}, {}", self.tool), "states", figures.states as f64));
                report.keep(Row::new(format!("{name}, {}", self.tool), "CPU milliseconds", figures.seconds * 1e3));
            }
            Err(reason) => println!("{name:<40} {:<22} {reason}", self.tool),
        }
        let is_same =
            |row: &&Searched| row.way.name == self.ours && (row.test == test || row.test.starts_with(&format!("{test}__")));
        match searched.iter().find(is_same) {
            Some(row) if row.measured.exact.is_complete => {
                let ours = row.measured.exact;
                line(&format!("  ours, {}", self.ours), Figures { states: ours.states, seconds: ours.seconds });
            }
            Some(_) => println!("{name:<40}   ours, {:<14} not done", self.ours),
            None => println!("{name:<40}   ours, {:<14} not tried", self.ours),
        }
    }
}
