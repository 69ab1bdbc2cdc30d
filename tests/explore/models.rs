//! The models of `tests/programs/models`: small instances have no bug, and each broken variant has the bug that its header names.

use std::fmt::Write as _;

use lockstep_explore::{Budgets, Options, Outcome, Reduction, Report};
use lockstep_program::Purpose;
use lockstep_runtime::{Delivery, Program, Settings};
use lockstep_tests::{faulty_p_programs, p_projects, static_findings_for};

use crate::{lowered_if, search};

/// The smallest instance of each test. How many states it has is part of what P programs mean, so another number has to be explained.
#[test]
fn the_smallest_instances_have_no_bug() {
    let mut counts = String::new();
    for project in p_projects().into_iter().filter(|project| project.name.starts_with("models/")) {
        let mut programs = lowered_if(project.files, |_, _| true);
        assert!(!programs.is_empty(), "{} has no test", project.name);
        // What stands before the values of the parameters; the first have the smallest.
        programs.dedup_by_key(|program| program.name.split("___").next().unwrap_or_default().to_owned());
        for program in programs {
            writeln!(counts, "{}: {} states", program.name, states(&program)).expect("writing to a string");
        }
    }
    expect_test::expect![[r#"
        tcBackupCommit___participants_1__failing_0: 71 states
        tcBackupCommitEnds___participants_1__failing_0: 71 states
        tcBackupCommitAllFail___participants_2__failing_5: 1774 states
        tcBackupSteps___participants_2: 85 states
        tcBenOr___nodes_3__failing_1__rounds_1: 4782 states
        tcBenOrSteps___nodes_3__failing_1__rounds_1: 213 states
        tcBoundedAsync___nodes_3__rounds_2: 778 states
        tcBoundedAsyncDrift___nodes_3__rounds_2: 3404 states
        tcRing___nodes_3__all_run_true: 208 states
        tcRingAny___nodes_3__all_run_false: 1026 states
        tcCommitKeys___participants_2__key_count_2__writes_1: 212 states
        tcCounter___writers_2: 76 states
        tcFailureDetector___nodes_1__rounds_2: 606 states
        tcFlexiblePaxos___acceptors_3__promising_2__accepting_2__slots_1__options_2__ballots_2: 444 states
        tcFlexiblePaxosReadAll___acceptors_3__promising_3__accepting_1__slots_1__options_2__ballots_3: 1023 states
        tcFlexiblePaxosFull___acceptors_3__promising_2__accepting_2__slots_1__options_2__ballots_2: 444 states
        tcGerman___clients_2: 842 states
        tcGermanSpec___clients_2: 842 states
        tcGermanAsked___clients_2__requests_2: 636 states
        tcGermanAskedSpec___clients_2__requests_2: 636 states
        tcHybridClock___nodes_2__max_time_2__drift_2: 53 states
        tcLastZero___cells_2: 533 states
        tcLastZeroCells___cells_2: 1428 states
        tcPaxos___proposers_1__acceptors_3: 497 states
        tcPaxosValues___proposers_1__acceptors_3__options_2: 970 states
        tcRegistry___workers_3: 107 states
        tcSettings___features_2: 129 states
        tcStreamlet___epochs_2__quorum_3: 4874 states
        tcTank___pumps_2: 23 states
        tcTokenRing___nodes_2__hops_1: 166 states
        tcTokenRingEnds___nodes_2__hops_1: 166 states
        tcTransactions___clients_1__participants_2__writes_1__reads_1: 1717 states
        tcTwoPhase___participants_2: 112 states
        tcTwoPhaseAtomic___participants_2: 112 states
    "#]]
    .assert_eq(&counts);
}

/// How many states there are with inboxes. Nothing goes wrong in any of them, however they are searched and whatever the delivery.
fn states(program: &Program) -> u64 {
    let exhausted = |delivery, reduction| {
        let report = search(program, &options(delivery, reduction));
        assert!(matches!(report.outcome, Outcome::Exhausted(_)), "{} {delivery:?}: {:?}", program.name, report.outcome);
        report
    };
    let [inbox, _] = [Delivery::Inbox, Delivery::Network].map(|delivery| {
        let (all, reduced) = (exhausted(delivery, Reduction::NONE), exhausted(delivery, Reduction::PARTIAL_ORDER));
        assert_eq!(all.stats.ends, reduced.stats.ends, "{} {delivery:?}", program.name);
        let monotonic = exhausted(delivery, Reduction::MONOTONIC);
        assert_eq!((all.stats.ends, all.stats.states), (monotonic.stats.ends, monotonic.stats.states), "{}", program.name);
        assert_eq!(all.stats.ends, exhausted(delivery, Reduction::ORDER).stats.ends, "{} {delivery:?}", program.name);
        // Symmetry is used as soon as it is known to pay, so it can save less than where it is used from the first state on.
        let both = exhausted(delivery, Reduction::ALL).stats.states;
        let symmetric = exhausted(delivery, Reduction::SYMMETRY).stats.states;
        assert!(both <= reduced.stats.states.max(symmetric), "{} {delivery:?}", program.name);
        all.stats.states
    });
    inbox
}

fn options(delivery: Delivery, reduction: Reduction) -> Options {
    let budgets = Budgets { states: Some(100_000), ..Budgets::default() };
    Options { settings: Settings { delivery, ..Settings::default() }, reduction, budgets, ..Options::default() }
}

#[test]
fn every_model_is_broken_in_some_way() {
    let broken: Vec<String> = faulty_p_programs().into_iter().map(|program| program.name).collect();
    for project in p_projects().into_iter().filter(|project| project.name.starts_with("models/")) {
        let name = project.name.trim_start_matches("models/").trim_end_matches(".p");
        assert!(broken.iter().any(|other| other.starts_with(&format!("models/broken/{name}_"))), "{name}");
    }
}

#[test]
fn broken_models_go_wrong_as_they_say() {
    let programs = faulty_p_programs();
    assert!(programs.len() >= 12, "the programs were not found");
    for file in programs {
        let texts = vec![(file.name.clone(), file.text.clone())];
        let findings = static_findings_for(Purpose::Checking, texts.clone());
        assert!(findings.is_empty(), "{}: {findings:#?}", file.name);
        let [program] = &lowered_if(texts, |_, _| true)[..] else { panic!("{}: one test is expected", file.name) };
        let header = Header::of(&file.text);
        for reduction in [
            Reduction::NONE,
            Reduction::PARTIAL_ORDER,
            Reduction::MONOTONIC,
            Reduction::ORDER,
            Reduction::SYMMETRY,
            Reduction::ALL,
        ] {
            let report = search(program, &options(header.delivery, reduction));
            header.agrees(&report).unwrap_or_else(|problem| panic!("{} {reduction:?}: {problem}", file.name));
        }
        if header.delivery == Delivery::Network {
            let report = search(program, &options(Delivery::Inbox, Reduction::NONE));
            let outcome = &report.outcome;
            assert!(matches!(outcome, Outcome::Exhausted(_)), "{} needs no network: {outcome:?}", file.name);
        }
    }
}

/// What the comments at the beginning say.
struct Header<'a> {
    /// `Fault::kind`.
    expect: &'a str,
    /// A part of the message.
    says: &'a str,
    /// The network only if the bug needs it.
    delivery: Delivery,
}

impl<'a> Header<'a> {
    fn of(text: &'a str) -> Self {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "));
        let delivery = match field("delivery") {
            None => Delivery::Inbox,
            Some("network") => Delivery::Network,
            Some(other) => panic!("there is no delivery `{other}`"),
        };
        Self { expect: field("expect").unwrap_or_default(), says: field("says").unwrap_or_default(), delivery }
    }

    fn agrees(&self, report: &Report) -> Result<(), String> {
        let Outcome::Bug(bug) = &report.outcome else { return Err(format!("{:?}", report.outcome)) };
        let (kind, message) = (bug.failure.fault.kind(), bug.failure.fault.to_string());
        if kind == self.expect && message.contains(self.says) { Ok(()) } else { Err(format!("{kind}: {message}")) }
    }
}
