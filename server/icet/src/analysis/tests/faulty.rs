//! What is said of the faulty programs of the suite, compared with what their first lines say.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use expect_test::expect;
use lockstep_base::Severity;
use lockstep_base::verdict::Verdict;

use super::analysed;
use crate::analysis::{BugKind, codes};

/// One line for each program where something else is said than its first lines expect; and how many there are in all.
#[test]
fn faults_are_found_where_they_are() {
    let mut out = String::new();
    let (mut count, mut right) = (0, 0);
    for (name, text) in faulty_programs() {
        let analysis = analysed(&text);
        let expected = header(&text, "expect").into_iter().next().unwrap_or_default();
        let said = match (analysis.verdict, analysis.bug.as_ref().map(|bug| bug.kind)) {
            (_, Some(BugKind::Deadlock)) => "deadlock",
            (_, Some(BugKind::Orphan)) => "orphan",
            (_, Some(BugKind::Failure)) => "failure",
            (_, Some(BugKind::Race)) => "race",
            (verdict, None) => verdict.word(),
        };
        // A certificate excludes deadlocks and orphans; what it says of claims is in its summary.
        let is_claim = |at: &String| ["assert", "ensures", "fail", "invariant"].iter().any(|claim| at.starts_with(claim));
        let is_about_claims = header(&text, "at").iter().all(is_claim);
        assert!(analysis.verdict != Verdict::Proved || is_about_claims, "{name} is not right");
        // A deadlock is one finding, at one of the places where somebody waits.
        let others =
            analysis.findings.iter().filter(|finding| finding.code == codes::DEADLOCK).flat_map(|finding| &finding.related);
        let ranges = analysis.findings.iter().map(|finding| finding.range).chain(others.map(|other| other.range));
        let lines: BTreeSet<String> = ranges.map(|range| line(&text, range.start().into())).collect();
        let missing: Vec<String> = header(&text, "at").into_iter().filter(|at| !lines.contains(at)).collect();
        count += 1;
        if said == expected && missing.is_empty() || expected == "ok" && said == "proved" {
            right += 1;
            continue;
        }
        out += &format!("{name}: {expected}, and {said} is said");
        out += &if missing.is_empty() { "\n".to_owned() } else { format!("; not at {}\n", missing.join(" ")) };
        assert!(analysis.findings.iter().all(|finding| finding.severity != Severity::Error) || analysis.bug.is_some());
    }
    out += &format!("{right} of {count} as expected\n");
    expect![[r#"
        conc_db_missing_value: deadlock, and deadlock is said; not at recv Value(value) from db;
        lock_server_three_grants: none-at-small-sizes, and unknown is said; not at recv Granted from server;
        map_reduce_race: race, and orphan is said; not at recv Result(piece) from any; send Result(piece) to master;
        multi_paxos_missing_send: deadlock, and unknown is said
        multi_paxos_no_promise: failure, and proved is said; not at ensures agreement: forall (i: int, p: Proposers, q: Proposers) ::
        raft_election_two_votes: none-at-small-sizes, and proved is said; not at ensures one_leader_per_term: forall (a: Candidates, b: Candidates) ::
        theque_missing_receive: orphan, and orphan is said; not at send TagResponse(t, TagNotFound) to caller;
        two_phase_commit_few_refusals: none-at-small-sizes, and proved is said; not at ensures validity: forall (p: Participants, q: Participants) :: p.decision == Commit ==> q.vote && q.value == proposal;
        105 of 113 as expected
    "#]].assert_eq(&out);
}

fn faulty_programs() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/icet");
    let mut files = Vec::new();
    for kind in ["broken", "unsound"] {
        files.extend(fs::read_dir(folder.join(kind)).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.sort();
    assert!(files.len() > 50);
    let named = |file: &PathBuf| (file.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(file).unwrap());
    files.iter().map(named).collect()
}

/// The values of a key in the first lines.
fn header(text: &str, key: &str) -> Vec<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("// "));
    lines.filter_map(|line| line.split_once(": ")).filter(|(found, _)| *found == key).map(|(_, value)| value.to_owned()).collect()
}

/// The line of a place, without the space around it.
fn line(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..].lines().next().unwrap_or_default().trim().to_owned()
}
