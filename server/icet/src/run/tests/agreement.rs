//! The reduced search finds what the naive one finds: the same ends, deadlocks, orphans and failures.

use std::collections::BTreeSet;

use super::generate;
use crate::program::{Program, StmtId};
use crate::run::domain::Domains;
use crate::run::instance::{Instance, instances};
use crate::run::search::{Limits, Mode, Outcome, explore};
use crate::run::state::{Channel, Failure, Who};
use crate::run::trace::replay;
use crate::run::value::Pid;

const SEEDS: u64 = 300;

#[test]
fn both_searches_find_the_same_in_random_programs() {
    let mut compared = 0;
    let mut found = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let program = generate::program(seed);
        for instance in instances(&program, 2, &Domains::of(&program)).list {
            let Some(reduced) = agree(&program, &instance, 1500, &format!("seed {seed}")) else { continue };
            compared += 1;
            found.0 += usize::from(!reduced.finals.is_empty());
            found.1 += usize::from(!reduced.deadlocks.is_empty());
            found.2 += usize::from(!reduced.orphans.is_empty());
            found.3 += usize::from(!reduced.failures.is_empty());
        }
    }
    // The comparison means something only if everything occurs, and often.
    let (finals, deadlocks, orphans, failures) = found;
    let often = compared / 10;
    assert!(compared > SEEDS as usize, "{compared}");
    assert!(finals > often && deadlocks > often && orphans > often && failures > often, "{found:?} of {compared}");
}

/// Compares the two searches, and replays what the reduced one tells. `None` if there are too many states to compare.
pub(super) fn agree(program: &Program, instance: &Instance, states: usize, what: &str) -> Option<Outcome> {
    let limits = Limits { states, reports: usize::MAX, ..Limits::default() };
    let reduced = explore(program, instance, Mode::Reduced, &limits);
    if !reduced.limits.is_empty() {
        return None;
    }
    let naive = explore(program, instance, Mode::Naive, &limits);
    if !naive.limits.is_empty() {
        return None;
    }
    let sizes = instance.members.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(naive.finals, reduced.finals, "final states of {what}, sizes {sizes:?}");
    assert_eq!(summary(&naive), summary(&reduced), "findings in {what}, sizes {sizes:?}");
    assert!(reduced.states <= naive.states, "{what}");
    let traces = reduced.deadlocks.iter().map(|found| &found.trace);
    let traces = traces.chain(reduced.orphans.iter().map(|found| &found.trace));
    for trace in traces.chain(reduced.failures.iter().map(|found| &found.trace)) {
        replay(program, instance, trace).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    Some(reduced)
}

type Summary = (BTreeSet<Vec<(Pid, StmtId)>>, BTreeSet<Vec<Channel>>, BTreeSet<(Option<Who>, Option<StmtId>, Failure)>);

fn summary(outcome: &Outcome) -> Summary {
    let failures = outcome.failures.iter().map(|found| (found.who.clone(), found.stmt, found.failure.clone()));
    (
        outcome.deadlocks.iter().map(|found| found.waiting.clone()).collect(),
        outcome.orphans.iter().map(|found| found.channels.clone()).collect(),
        failures.collect(),
    )
}
