//! The programs in `tests/programs/icet`: what happens in all their small instances, and both searches agree on it.

use expect_test::expect;

use super::agreement::agree;
use crate::check::tests::{check_text, programs};
use crate::program::Program;
use crate::run::domain::Domains;
use crate::run::instance::instances;
use crate::run::search::{Limits, Mode, Outcome, explore};

/// Instances of a program that are tried; of more, as many spread over all.
const MOST: usize = 24;

#[test]
fn what_happens_in_small_instances() {
    let mut report = String::new();
    for (name, text) in programs() {
        let program = check_text(&text).program.unwrap();
        report.push_str(&line(name.trim_end_matches(".icet"), &program));
    }
    expect![[r#"
        2pcommit: 9 instances, 9 compared, 0 cut, 25 ends
        broadcast: 9 instances, 8 compared, 0 cut, 13 ends
        choice: 2 instances, 0 compared, 2 cut, 0 ends
        conc_db: 3 instances, 1 compared, 1 cut, 1 ends
        conc_db_once: 3 instances, 2 compared, 1 cut, 290 ends
        dist_db: 6 instances, 2 compared, 4 cut, 2 ends
        dist_db_once: 6 instances, 4 compared, 2 cut, 388 ends
        endless_rounds: 3 instances, 0 compared, 3 cut, 0 ends
        ex2: 3 instances, 3 compared, 0 cut, 4 ends
        ex3: 3 instances, 3 compared, 0 cut, 4 ends
        firewall: 3 instances, 3 compared, 0 cut, 4 ends
        foreach: 3 instances, 3 compared, 0 cut, 11 ends
        lock_server: 3 instances, 3 compared, 0 cut, 4 ends
        map_reduce: 6 instances, 5 compared, 0 cut, 12 ends
        multi_paxos: 24 instances, 14 compared, 5 cut, 132 ends
        parikh: 1 instances, 1 compared, 0 cut, 1 ends
        paxos: 20 instances, 16 compared, 4 cut, 101 ends
        ping_det: 3 instances, 3 compared, 0 cut, 4 ends
        ping_iter: 3 instances, 3 compared, 0 cut, 4 ends
        ping_sym: 3 instances, 3 compared, 0 cut, 4 ends
        ping_sym2: 3 instances, 3 compared, 0 cut, 6 ends
        raft_election: 21 instances, 17 compared, 0 cut, 45 ends
        reactive_server: 3 instances, 3 compared, 0 cut, 4 ends
        records: 4 instances, 4 compared, 0 cut, 20 ends
        registry: 3 instances, 3 compared, 0 cut, 4 ends
        residual: 3 instances, 3 compared, 0 cut, 3 ends
        rounds: 23 instances, 20 compared, 2 cut, 305 ends
        sequential_map_reduce: 6 instances, 6 compared, 0 cut, 8 ends
        sequential_two_phase_commit: 6 instances, 6 compared, 0 cut, 17 ends
        sequential_with_remainder: 3 instances, 3 compared, 0 cut, 4 ends
        set_to_set: 9 instances, 9 compared, 0 cut, 13 ends
        theque: 14 instances, 9 compared, 4 cut, 524 ends
        timeout: 3 instances, 3 compared, 0 cut, 24 ends
        two_buyers: 1 instances, 1 compared, 0 cut, 12 ends
        two_phase_commit: 6 instances, 6 compared, 0 cut, 17 ends
        unrolled_while: 2 instances, 2 compared, 0 cut, 2 ends
        work_steal: 6 instances, 6 compared, 0 cut, 17 ends
    "#]]
    .assert_eq(&report);
}

fn line(name: &str, program: &Program) -> String {
    let domains = Domains { ints: 0..=2, ..Domains::of(program) };
    let list = instances(program, 2, &domains).list;
    let limits = Limits { states: 2000, ..Limits::default() };
    let (mut tried, mut compared, mut cut) = (0, 0, 0);
    let mut seen = Outcome::default();
    let spread = list.len().div_ceil(MOST).max(1);
    for instance in list.iter().rev().step_by(spread) {
        let agreed = agree(program, instance, 2000, name);
        tried += 1;
        compared += usize::from(agreed.is_some());
        let outcome = agreed.unwrap_or_else(|| explore(program, instance, Mode::Reduced, &limits));
        cut += usize::from(!outcome.limits.is_empty());
        seen.finals.extend(outcome.finals);
        seen.deadlocks.extend(outcome.deadlocks);
        seen.orphans.extend(outcome.orphans);
        seen.failures.extend(outcome.failures);
    }
    let yes = |what: &str, is: bool| if is { format!(", {what}") } else { String::new() };
    format!(
        "{name}: {tried} instances, {compared} compared, {cut} cut, {} ends{}{}{}\n",
        seen.finals.len(),
        yes("deadlock", !seen.deadlocks.is_empty()),
        yes("orphan", !seen.orphans.is_empty()),
        yes("failure", !seen.failures.is_empty()),
    )
}
