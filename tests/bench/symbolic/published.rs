//! The rows of the table, and what others took on models of the same protocols.
//!
//! `psym` and `other` are what the papers say: PSYM on a laptop (tables 2 and 6) or a server (tables 3 and 5), TLC and ODPOR beside it. `again` and
//! `pex` were measured once on 2 cores under load, on the models that come with these tools: CPU seconds, of which the start of their virtual
//! machine takes 1 to 1.5. The models are not ours, and sizes that papers do not give are guessed; `differs` says what is known about that.

pub(crate) struct Published {
    /// As the papers call it.
    pub(crate) name: &'static str,
    /// How the name of our test begins.
    pub(crate) test: &'static str,
    /// Seconds of PSYM as published, and measured again.
    pub(crate) psym: Seconds,
    pub(crate) again: Seconds,
    /// TLC, or ODPOR for `lastzero` and `counter`, as published.
    pub(crate) other: Seconds,
    /// PEx, measured again.
    pub(crate) pex: Seconds,
    /// Handler runs of PSYM, and how many they would be if messages to the same handler were not taken together.
    pub(crate) runs: Option<(u32, u32)>,
    pub(crate) differs: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum Seconds {
    Unknown,
    Of(f64),
    /// Given up after so many.
    Over(f64),
}

impl Seconds {
    /// At least so many, if anything is known.
    pub(crate) fn least(self) -> Option<f64> {
        match self {
            Self::Unknown => None,
            Self::Of(seconds) | Self::Over(seconds) => Some(seconds),
        }
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown => f.pad("-"),
            Self::Of(seconds) => f.pad(&format!("{seconds:.1}")),
            Self::Over(seconds) => f.pad(&format!(">{seconds:.0}")),
        }
    }
}

use Seconds::{Of, Over, Unknown};

const NONE: Published = Published {
    name: "",
    test: "",
    psym: Unknown,
    again: Unknown,
    other: Unknown,
    pex: Unknown,
    runs: None,
    differs: "written from the description",
};

pub(crate) const ALL: [Published; 43] = [
    Published {
        name: "Chang-Roberts N=5",
        test: "tcRingAny___nodes_5__",
        psym: Of(1.0),
        again: Of(17.6),
        other: Of(7.0),
        pex: Of(2.0),
        differs: "theirs is one machine that chooses among enabled actions",
        ..NONE
    },
    Published {
        name: "Chang-Roberts N=6",
        test: "tcRingAny___nodes_6__",
        again: Of(507.0),
        pex: Of(5.0),
        differs: "as with 5 nodes",
        ..NONE
    },
    Published {
        name: "HLC MaxT=3",
        test: "tcHybridClock___nodes_3__max_time_3",
        psym: Of(3.0),
        other: Of(18.0),
        differs: "3 nodes and a drift of 2, which the paper does not give",
        ..NONE
    },
    Published {
        name: "HLC MaxT=4",
        test: "tcHybridClock___nodes_3__max_time_4",
        psym: Of(8.0),
        other: Of(24.0),
        differs: "as with 3",
        ..NONE
    },
    Published {
        name: "HLC MaxT=5",
        test: "tcHybridClock___nodes_3__max_time_5",
        psym: Of(24.0),
        other: Of(42.0),
        differs: "as with 3",
        ..NONE
    },
    Published {
        name: "Streamlet, 3 epochs",
        test: "tcStreamlet___epochs_3",
        psym: Of(5.0),
        again: Of(5.7),
        other: Over(900.0),
        pex: Of(15.2),
        differs: "ours has a faulty leader, and nodes that learn late; the paper does not give the epochs",
        ..NONE
    },
    Published { name: "Streamlet, 4 epochs", test: "tcStreamlet___epochs_4", differs: "larger than what was published", ..NONE },
    Published {
        name: "2PC with backup TM",
        test: "tcBackupSteps___participants_5",
        psym: Of(10.0),
        again: Of(90.0),
        other: Of(17.0),
        pex: Of(4.2),
        differs: "their manager fails at once if it fails",
        ..NONE
    },
    Published {
        name: "Ben-Or, 2 rounds",
        test: "tcBenOrSteps___nodes_3__failing_1__rounds_2",
        psym: Of(7.0),
        other: Of(24.0),
        differs: "one machine as theirs; 3 nodes of which one begins with another value, the paper gives neither",
        ..NONE
    },
    Published {
        name: "Ben-Or, 3 rounds",
        test: "tcBenOrSteps___nodes_3__failing_1__rounds_3",
        psym: Of(71.0),
        other: Of(80.0),
        differs: "as with 2 rounds",
        ..NONE
    },
    Published {
        name: "Ben-Or, 2 rounds, messages",
        test: "tcBenOr___nodes_3__failing_1__rounds_2",
        differs: "larger than what was published: each message is a step of its own",
        ..NONE
    },
    Published {
        name: "Ben-Or, 3 rounds, messages",
        test: "tcBenOr___nodes_3__failing_1__rounds_3",
        differs: "as with 2 rounds",
        ..NONE
    },
    Published {
        name: "flexible Paxos, 1 slot",
        test: "tcFlexiblePaxos___acceptors_3__promising_2__accepting_2__slots_1__options_2__ballots_3",
        differs: "smaller than what was published",
        ..NONE
    },
    Published {
        name: "flexible Paxos, 2 slots",
        test: "tcFlexiblePaxos___acceptors_3__promising_2__accepting_2__slots_2__options_2__ballots_3",
        differs: "smaller than what was published",
        ..NONE
    },
    Published {
        name: "flexible Paxos, simple",
        test: "tcFlexiblePaxos___acceptors_3__promising_2__accepting_2__slots_3__options_2__ballots_3",
        psym: Of(201.0),
        other: Of(200.0),
        differs: "only one leader at a time is remembered",
        ..NONE
    },
    Published {
        name: "flexible Paxos, full",
        test: "tcFlexiblePaxosFull___acceptors_3__promising_2__accepting_2__slots_1__options_9__ballots_10",
        psym: Of(414.0),
        other: Over(900.0),
        differs: "only one leader at a time is remembered",
        ..NONE
    },
    Published {
        name: "token ring",
        test: "tcTokenRing___nodes_4__hops_1",
        psym: Of(2.0),
        again: Of(3.5),
        pex: Of(1.8),
        runs: Some((143, 243)),
        differs: "in theirs two messages go round to a chosen node, and nothing finds out that they are done",
        ..NONE
    },
    Published {
        name: "bounded async",
        test: "tcBoundedAsync___nodes_3__rounds_3",
        psym: Of(11.0),
        pex: Of(1.8),
        runs: Some((534, 534)),
        ..NONE
    },
    Published {
        name: "German",
        test: "tcGermanAsked___clients_3__requests_4",
        psym: Of(44.0),
        again: Of(60.0),
        pex: Of(5.6),
        runs: Some((244, 300)),
        differs: "their clients know more states",
        ..NONE
    },
    Published {
        name: "German, 2 clients",
        test: "tcGermanAsked___clients_2__requests_2",
        differs: "smaller than what was published",
        ..NONE
    },
    Published {
        name: "failure detector",
        test: "tcFailureDetector___nodes_3__rounds_2",
        psym: Of(38.0),
        runs: Some((277, 435)),
        differs: "7 machines as theirs; the paper does not give the rounds",
        ..NONE
    },
    Published { name: "failure detector, 3 rounds", test: "tcFailureDetector___nodes_3__rounds_3", ..NONE },
    Published {
        name: "transactions, 1 client",
        test: "tcTransactions___clients_1__participants_2__writes_2__reads_2",
        differs: "smaller than what was published",
        ..NONE
    },
    Published {
        name: "two-phase commit, 2+2",
        test: "tcTransactions___clients_2__participants_2__writes_2__reads_2",
        psym: Of(3442.0),
        runs: Some((27, 2643)),
        differs: "2 writes and 2 reads of each client; theirs has timers, and may share them out",
        ..NONE
    },
    Published {
        name: "two-phase commit, 1+1",
        test: "tcTransactions___clients_2__participants_2__writes_1__reads_1",
        psym: Of(3442.0),
        runs: Some((27, 2643)),
        differs: "2 writes and 2 reads in all",
        ..NONE
    },
    Published {
        name: "Paxos, 2 proposers",
        test: "tcPaxos___proposers_2__acceptors_3",
        psym: Of(7207.0),
        runs: Some((931, 2143)),
        differs: "no machines for learners and clients",
        ..NONE
    },
    Published {
        name: "2PC(2), 1000 keys, endless",
        test: "tcCommitKeys___participants_2__key_count_1000__writes_9999",
        psym: Of(1.0),
        runs: Some((48, 48)),
        differs: "has infinitely many states, so it cannot end without an abstraction",
        ..NONE
    },
    Published {
        name: "2PC(4), 1000 keys, endless",
        test: "tcCommitKeys___participants_4__key_count_1000__writes_9999",
        psym: Of(1.0),
        runs: Some((80, 80)),
        differs: "has infinitely many states, so it cannot end without an abstraction",
        ..NONE
    },
    Published {
        name: "2PC(6), 1000 keys, endless",
        test: "tcCommitKeys___participants_6__key_count_1000__writes_9999",
        psym: Of(1.0),
        runs: Some((112, 112)),
        differs: "has infinitely many states, so it cannot end without an abstraction",
        ..NONE
    },
    Published { name: "2PC(2), 1000 keys, 1 write", test: "tcCommitKeys___participants_2__key_count_1000__writes_1", ..NONE },
    Published {
        name: "Paxos(3), 1000 values",
        test: "tcPaxosValues___proposers_2__acceptors_3__options_1000",
        psym: Of(12.0),
        runs: Some((142, 142)),
        differs: "theirs is abstracted",
        ..NONE
    },
    Published {
        name: "Paxos(5), 1000 values",
        test: "tcPaxosValues___proposers_2__acceptors_5__options_1000",
        psym: Of(10_818.0),
        runs: Some((145, 145)),
        differs: "theirs is abstracted",
        ..NONE
    },
    Published { name: "Paxos(3), 2 values", test: "tcPaxosValues___proposers_2__acceptors_3__options_2", ..NONE },
    Published {
        name: "lastzero(5)",
        test: "tcLastZeroCells___cells_5",
        psym: Of(93.0),
        again: Of(173.0),
        other: Of(32.0),
        pex: Of(5.0),
        differs: "nothing that matters",
        ..NONE
    },
    Published {
        name: "lastzero(10)",
        test: "tcLastZeroCells___cells_10",
        psym: Over(3600.0),
        other: Of(27.6),
        pex: Over(124.0),
        differs: "nothing that matters",
        ..NONE
    },
    Published {
        name: "lastzero(15)",
        test: "tcLastZeroCells___cells_15",
        psym: Over(3600.0),
        other: Of(1813.0),
        differs: "nothing that matters",
        ..NONE
    },
    Published {
        name: "counter(5)",
        test: "tcTank___pumps_4",
        psym: Of(1.0),
        again: Of(1.6),
        other: Of(47.0),
        pex: Of(1.4),
        differs: "nothing that matters",
        ..NONE
    },
    Published {
        name: "counter(10)",
        test: "tcTank___pumps_9",
        psym: Of(7.6),
        again: Of(6.8),
        other: Of(2055.0),
        pex: Of(2.4),
        differs: "nothing that matters",
        ..NONE
    },
    Published {
        name: "counter(15)",
        test: "tcTank___pumps_14",
        psym: Of(317.0),
        again: Over(556.0),
        other: Over(3600.0),
        pex: Of(12.5),
        differs: "nothing that matters",
        ..NONE
    },
    Published { name: "registry(5)", test: "tcRegistry___workers_5", again: Of(1.9), pex: Of(2.0), ..NONE },
    Published { name: "registry(8)", test: "tcRegistry___workers_8", again: Of(7.3), pex: Of(7.8), ..NONE },
    Published { name: "registry(10)", test: "tcRegistry___workers_10", again: Of(45.0), pex: Over(35.0), ..NONE },
    Published { name: "settings", test: "tcSettings___features_6", differs: "only ours: choices alone", ..NONE },
];
