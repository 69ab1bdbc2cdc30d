//! The samples. They are the programs that the tests of this repository use, so they say what they are meant to.

use anyhow::{Context, ensure};

use super::folder::File;

pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    files: &'static [(&'static str, &'static str)],
    /// What is written instead: the path of a file, what is right there, and what is wrong.
    slip: Option<(&'static str, &'static str, &'static str)>,
    /// What to do with it.
    pub(super) steps: &'static [&'static str],
}

macro_rules! programs {
    ($($path:literal = $from:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../tests/programs/", $from)))),*]
    };
}

const LEASE: &[(&str, &str)] = programs!(
    "lease.pproj" = "p/lease/lease.pproj",
    "PSrc/Protocol.p" = "p/lease/PSrc/Protocol.p",
    "PSrc/Client.p" = "p/lease/PSrc/Client.p",
    "PSrc/LeaseServer.p" = "p/lease/PSrc/LeaseServer.p",
    "PSrc/Store.p" = "p/lease/PSrc/Store.p",
    "PSrc/Timer.p" = "p/lease/PSrc/Timer.p",
    "PSrc/Modules.p" = "p/lease/PSrc/Modules.p",
    "PSpec/Safety.p" = "p/lease/PSpec/Safety.p",
    "PSpec/Liveness.p" = "p/lease/PSpec/Liveness.p",
    "PTst/Drivers.p" = "p/lease/PTst/Drivers.p",
    "PTst/Tests.p" = "p/lease/PTst/Tests.p",
);

pub(super) const SAMPLES: [Sample; 9] = [
    Sample {
        name: "lease",
        title: "P: a server that hands out one lease at a time, with fencing; a whole project",
        files: LEASE,
        slip: None,
        steps: &["lockstep check", "lockstep explore lease.pproj tcOneClient"],
    },
    Sample {
        name: "lease-bug",
        title: "P: the same with a bug that shows when messages overtake each other",
        files: LEASE,
        slip: Some(("PSrc/Store.p", "write.lease.epoch >= newestEpoch", "write.lease.epoch > 0")),
        steps: &[
            "lockstep run lease.pproj tcCrashingClients",
            "lockstep trace view target/lockstep/tcCrashingClients.trace.json",
        ],
    },
    Sample {
        name: "election",
        title: "P: leader election on a one-way ring",
        files: programs!("ring_election.p" = "p/ring_election.p"),
        slip: None,
        steps: &["lockstep explore ring_election.p tcRing"],
    },
    Sample {
        name: "philosophers",
        title: "P: dining philosophers who do not starve",
        files: programs!("dining_philosophers.p" = "p/dining_philosophers.p"),
        slip: None,
        steps: &["lockstep run dining_philosophers.p tcDinner"],
    },
    Sample {
        name: "failure-detector",
        title: "P: a failure detector, and nodes that stop",
        files: programs!("failure_detector.p" = "p/failure_detector.p"),
        slip: None,
        steps: &["lockstep run failure_detector.p tcFailures"],
    },
    Sample {
        name: "paxos",
        title: "P: Paxos for one value, with numbers of machines to choose",
        files: programs!("paxos.p" = "models/paxos.p"),
        slip: None,
        steps: &["lockstep tests", "lockstep explore paxos.p tcPaxos___proposers_1__acceptors_3"],
    },
    Sample {
        name: "icet-commit",
        title: "IceT: two-phase commit, proved free of deadlocks for every number of participants",
        files: programs!("two_phase_commit.icet" = "icet/two_phase_commit.icet"),
        slip: None,
        steps: &["lockstep check", "lockstep sequentialize two_phase_commit.icet"],
    },
    Sample {
        name: "icet-map-reduce",
        title: "IceT: MapReduce with a queue of work",
        files: programs!("map_reduce.icet" = "icet/map_reduce.icet"),
        slip: None,
        steps: &["lockstep check", "lockstep sequentialize --steps map_reduce.icet"],
    },
    Sample {
        name: "icet-deadlock",
        title: "IceT: somebody waits for a message that nobody sends",
        files: programs!("ping.icet" = "icet/ping_det.icet"),
        slip: Some(("ping.icet", "  send Pong(b) to a;\n", "")),
        steps: &["lockstep check"],
    },
];

impl Sample {
    pub(super) fn files(&self) -> anyhow::Result<Vec<File>> {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let mut files: Vec<File> = self.files.iter().map(file).collect();
        if let Some((path, right, wrong)) = self.slip {
            let file = files.iter_mut().find(|file| file.path == path).context("a slip is in a file of its sample")?;
            ensure!(file.text.contains(right), "the sample `{}` has changed: there is no place for its bug", self.name);
            file.text = file.text.replacen(right, wrong, 1);
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_has_its_files_and_its_bug() {
        for sample in &SAMPLES {
            let files = sample.files().unwrap();
            assert!(files.iter().all(|file| !file.text.is_empty()), "{}", sample.name);
            let right: Vec<&str> = sample.files.iter().map(|(_, text)| *text).collect();
            let is_changed = files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>() != right;
            assert_eq!(is_changed, sample.slip.is_some(), "{}", sample.name);
        }
    }
}
