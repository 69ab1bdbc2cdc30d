//! What is said of small programs.

mod faulty;
mod once_proved;
mod reasons;

use expect_test::expect;
use lockstep_base::Severity;
use lockstep_base::verdict::{Scope, Verdict};

use super::{Analysis, Budget, BugKind, analyse};
use crate::check::tests::check_text;

fn analysed(text: &str) -> Analysis {
    let checked = check_text(text);
    let program = checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    analyse(&program, &Budget { claims: 5_000, ..Budget::default() })
}

/// The findings, a line each: severity, code, the text they are at, what they say; indented, what belongs to them.
fn told(text: &str) -> String {
    let at = |range: lockstep_base::TextRange| text[range].lines().next().unwrap_or_default().to_owned();
    let mut out = String::new();
    for finding in &analysed(text).findings {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        out += &format!("{severity} {} `{}`: {}\n", finding.code, at(finding.range), finding.message);
        for related in &finding.related {
            out += &format!("    at `{}`: {}\n", at(related.range), related.message);
        }
        out += &finding.help.as_ref().map(|help| format!("    help: {help}\n")).unwrap_or_default();
    }
    out
}

const PING: &str = "
    set Nodes;
    message Ping; message Pong;
    process a { for b in Nodes { send Ping to b; recv Pong from b; } }
    process b in Nodes { recv Ping from a; send Pong to a; }";

const CIRCLE: &str = "
    message Ping; message Pong;
    process a { recv Pong from b; send Ping to b; }
    process b { recv Ping from a; send Pong to a; }";

const TWO_CLAIMS: &str = "
    message Claim(rank: int);
    process judge { var leader: int; var loser: int; recv Claim(leader) from any; recv Claim(loser) from any; }
    process p { send Claim(1) to judge; }
    process q { send Claim(2) to judge; }";

#[test]
fn a_program_in_order_is_proved_without_a_search() {
    let program = check_text(PING).program.unwrap();
    let analysis = analyse(&program, &Budget { states: 0, steps: 0, ..Budget::default() });
    assert_eq!((analysis.verdict, analysis.scope), (Verdict::Proved, Some(Scope::AllSizes)));
    assert_eq!(analysis.summary, "no deadlock and no orphan message, for every size");
    assert!(analysis.findings.is_empty() && analysis.bug.is_none());
}

#[test]
fn partners_of_sends_and_receives() {
    let program = check_text(PING).program.unwrap();
    let analysis = analyse(&program, &Budget::default());
    let head = |stmt: &crate::program::StmtId| crate::print::stmt_head(&program, *stmt);
    let pairs: Vec<(String, Vec<String>)> =
        analysis.partners.receives.iter().map(|(send, receives)| (head(send), receives.iter().map(head).collect())).collect();
    assert_eq!(pairs.len(), 2);
    assert!(pairs[0].0.starts_with("send Ping to b") && pairs[0].1 == ["recv Ping from a"], "{pairs:?}");
    let back: Vec<(String, Vec<String>)> =
        analysis.partners.sends.iter().map(|(receive, sends)| (head(receive), sends.iter().map(head).collect())).collect();
    assert!(back.contains(&("recv Pong from b".to_owned(), vec!["send Pong to a".to_owned()])), "{back:?}");
}

#[test]
fn a_circle_of_waits() {
    let analysis = analysed(CIRCLE);
    assert_eq!((analysis.verdict, analysis.scope), (Verdict::Refuted, None));
    let bug = analysis.bug.unwrap();
    assert_eq!(bug.kind, BugKind::Deadlock);
    assert_eq!(bug.end, "`a` waits for `Pong` from `b`, which waits for `Ping` from `a`");
    expect![[r#"
        error LS2201 `recv Pong from b;`: deadlock: `a` waits for `Pong` from `b`, which waits for `Ping` from `a`
            at `recv Ping from a;`: and `b` waits for `Ping` from `a` here
            help: one of them has to send before it waits
    "#]]
    .assert_eq(&told(CIRCLE));
}

#[test]
fn a_sender_that_has_ended() {
    expect![[r#"
        error LS2201 `recv Ping from b;`: deadlock: `a` waits for `Ping` from `b[0]`
            help: when `Nodes` has 1 member: `b[0]` has come to its end without sending it
    "#]]
    .assert_eq(&told(
        "set Nodes; message Ping;
         process a { for b in Nodes { recv Ping from b; } for b in Nodes { recv Ping from b; } }
         process b in Nodes { send Ping to a; }",
    ));
}

#[test]
fn a_wait_for_members_of_an_empty_set() {
    expect![[r#"
        error LS2201 `recv Kept from Stores;`: deadlock: `w` waits for `Kept` from `Stores`, which is empty
            help: when `Stores` is empty: say `assume card(Stores) > 0;` if it never is, or do not wait then
    "#]]
    .assert_eq(&told(
        "set Stores; message Put; message Kept;
         process w {
            var kept: int;
            for s in Stores { send Put to s; }
            while (kept <= card(Stores)) { recv Kept from Stores; kept = kept + 1; }
         }
         process s in Stores { recv Put from w; send Kept to w; }",
    ));
}

#[test]
fn a_wait_for_oneself() {
    expect![[r#"
        error LS2201 `recv M from a;`: deadlock: `a` waits for `M` from `a`
            help: it waits for itself
    "#]]
    .assert_eq(&told("message M; process a { recv M from a; }"));
}

#[test]
fn who_holds_nobody_is_named() {
    expect![[r#"
        error LS2203 `send M to who;`: `who` holds nobody: no process was stored in it before
    "#]]
    .assert_eq(&told("message M; process a { var who: pid; send M to who; } process b { skip; }"));
}

#[test]
fn a_broken_claim_shows_its_values() {
    expect![[r#"
        error LS2203 `assert n > k && m[n] < most;`: the assertion is false (n = 2, k = 2, m = [2: 7, others: 0])
            help: this happens when `k` is 2
    "#]]
    .assert_eq(&told(
        "const most: int = 3; const k: int; assume k == 2;
         process a { var n: int; var m: map[int, int]; n = k; m[n] = 7; assert n > k && m[n] < most; }
         ensures total: a.n > 5;",
    ));
    expect![[r#"
        error LS2203 `a.n > 5`: `ensures total` does not hold (a.n = 2)
    "#]]
    .assert_eq(&told("process a { var n: int; n = 2; } ensures total: a.n > 5;"));
}

#[test]
fn messages_of_two_types_need_no_other_types() {
    expect![[r#"
        warning LS2204 `recv { case A from p`: the order of messages matters: `first` of `j` is 1 if `A` from `p` comes first, and 2 if `B` from `q` does
            at `send A to j;`: this message can come first or later
            at `send B to j;`: this message can come first or later
            help: receive one of the messages before the other, or make the result independent of the order
        info LS2204 `send A to j;`: this message can come before or after another one, which makes a difference
            at `recv { case A from p`: where it is received
            at `send B to j;`: the other message
        info LS2204 `send B to j;`: this message can come before or after another one, which makes a difference
            at `recv { case A from p`: where it is received
            at `send A to j;`: the other message
    "#]].assert_eq(&told(
        "message A; message B;
         process j { var first: int;
            recv { case A from p: { if (first == 0) { first = 1; } recv B from q; } case B from q: { if (first == 0) { first = 2; } recv A from p; } } }
         process p { send A to j; }
         process q { send B to j; }",
    ));
}

#[test]
fn how_to_get_the_run_of_a_bug() {
    let arguments = |text: &str| analysed(text).bug.unwrap().arguments;
    assert_eq!(arguments(CIRCLE).as_deref(), Some(""));
    let text = "set S; const k: int; assume k == 1; assume card(S) > 0; message M; process a { recv M from b; } process b { skip; } process s in S { skip; }";
    assert_eq!(arguments(text).as_deref(), Some("--size S=1 --const k=1"));
    // Two subsets that share no member: sizes do not say that.
    let text = "set S; set A subset S; set B subset S; assume card(A) == 1 && card(B) == 1 && A * B == {};
        message M; process a { recv M from b; } process b { skip; } process s in S { skip; }";
    assert_eq!(arguments(text), None);
}

#[test]
fn a_message_that_nobody_receives() {
    let text = "
        message Ping;
        process a { send Ping to b; send Ping to b; }
        process b { recv Ping from a; }";
    assert_eq!(analysed(text).bug.map(|bug| bug.kind), Some(BugKind::Orphan));
    expect![[r#"
        error LS2202 `send Ping to b;`: `Ping` from `a` to `b` is never received
            help: `b` has come to its end
    "#]]
    .assert_eq(&told(text));
}

#[test]
fn a_claim_that_a_run_breaks() {
    let text = "
        message Claim(rank: int);
        process judge {
            var leader: int; var loser: int;
            recv Claim(leader) from any;
            recv Claim(loser) from any;
            assert leader < loser, \"the first to come leads\";
        }
        process p { send Claim(1) to judge; }
        process q { send Claim(2) to judge; }";
    let bug = analysed(text).bug.unwrap();
    assert_eq!(bug.kind, BugKind::Failure);
    assert_eq!(bug.end, "`judge` fails: the assertion is false: the first to come leads (leader = 2, loser = 1)");
    let steps: Vec<&str> = bug.trace.iter().map(|line| &*line.text).collect();
    assert_eq!(steps.last(), Some(&"judge fails: the assertion is false: the first to come leads"), "{steps:?}");
    expect![[r#"
        warning LS2204 `recv Claim(leader) from any;`: the order of messages matters: a process can fail if `Claim` from `q` comes first, and not if `Claim` from `p` does
            at `send Claim(1) to judge;`: this message can come first or later
            at `send Claim(2) to judge;`: this message can come first or later
            help: receive from one process by name, give the messages different types, or make the result independent of the order
        error LS2203 `assert leader < loser, "the first to come leads";`: the assertion is false: the first to come leads (leader = 2, loser = 1)
        info LS2204 `send Claim(1) to judge;`: this message can come before or after another one, which makes a difference
            at `recv Claim(leader) from any;`: where it is received
            at `send Claim(2) to judge;`: the other message
        info LS2204 `send Claim(2) to judge;`: this message can come before or after another one, which makes a difference
            at `recv Claim(leader) from any;`: where it is received
            at `send Claim(1) to judge;`: the other message
    "#]].assert_eq(&told(text));
}

#[test]
fn an_order_that_matters() {
    let analysis = analysed(TWO_CLAIMS);
    assert_eq!((analysis.verdict, analysis.bug.map(|bug| bug.kind)), (Verdict::Unknown, Some(BugKind::Race)));
    expect![[r#"
        warning LS2204 `recv Claim(leader) from any;`: the order of messages matters: `leader` of `judge` is 1 if `Claim` from `p` comes first, and 2 if `Claim` from `q` does
            at `send Claim(1) to judge;`: this message can come first or later
            at `send Claim(2) to judge;`: this message can come first or later
            help: receive from one process by name, give the messages different types, or make the result independent of the order
        info LS2204 `send Claim(1) to judge;`: this message can come before or after another one, which makes a difference
            at `recv Claim(leader) from any;`: where it is received
            at `send Claim(2) to judge;`: the other message
        info LS2204 `send Claim(2) to judge;`: this message can come before or after another one, which makes a difference
            at `recv Claim(leader) from any;`: where it is received
            at `send Claim(1) to judge;`: the other message
    "#]].assert_eq(&told(TWO_CLAIMS));
}

/// The deadlock needs two members, the race none.
#[test]
fn an_order_that_matters_on_the_smallest_instance() {
    let text = "
        set Nodes; message Claim(rank: int); message Never;
        process judge {
            var leader: int; var loser: int;
            recv Claim(leader) from any; recv Claim(loser) from any;
            if (card(Nodes) == 2) { recv Never from p; }
        }
        process p { send Claim(1) to judge; }
        process q { send Claim(2) to judge; }
        process n in Nodes { skip; }";
    assert_eq!(analysed(text).bug.map(|bug| bug.kind), Some(BugKind::Deadlock));
    let told = told(text);
    assert!(told.contains("help: when `Nodes` is empty: receive from one process by name"), "{told}");
}

/// One who sends without end does not take the search away from the others.
#[test]
fn a_failure_beside_an_endless_sender() {
    let text = "
        message Tick; message Go(rank: int);
        process s { while (true) { send Tick to a; } }
        process a { var x: int; recv Go(x) from any; recv Go(x) from any; assert x == 2; }
        process p { send Go(1) to a; }
        process q { send Go(2) to a; }";
    assert_eq!(analysed(text).bug.map(|bug| bug.kind), Some(BugKind::Failure));
}

#[test]
fn an_order_that_does_not_matter() {
    let text = "
        message Done;
        process a { recv Done from any; recv Done from any; }
        process p { send Done to a; }
        process q { send Done to a; }";
    let analysis = analysed(text);
    assert!(analysis.bug.is_none());
    assert_eq!(analysis.verdict, Verdict::Unknown);
    let end = "no run goes wrong, and the order of messages makes no difference";
    assert!(analysis.summary.ends_with(end), "{}", analysis.summary);
    expect![[r#"
        info LS2205 `recv Done from any;`: not sequentializable: asymmetric race: another message could be received here first, which made no difference in all that was tried
            at `send Done to a;`: this message could be received first
            at `send Done to a;`: this message could be received first
            help: receive from one process by name, or give the messages different types
    "#]]
    .assert_eq(&told(text));
}

#[test]
fn nothing_is_claimed_of_endless_loops_alone() {
    let text = "
        set Clients; message Ask(c: Clients); message Answer;
        process server { var who: Clients; while (true) { recv Ask(who) from Clients; send Answer to who; } }
        process c in Clients { while (true) { recv Answer from server; } }";
    let analysis = analysed(text);
    assert_eq!(analysis.verdict, Verdict::Unknown);
    expect!["not sequentializable: not decided: no message is received outside of the endless loops of `server` and `c`, so there is nothing to prove; no run with sets of up to 3 members goes wrong"].assert_eq(&analysis.summary);
}

#[test]
fn without_processes_there_is_nothing_to_prove() {
    let analysis = analysed("set Nodes; message M;");
    assert_eq!((analysis.verdict, analysis.reason), (Verdict::Unknown, Some(super::ReasonKind::NotDecided)));
    assert_eq!(analysis.summary, "there are no processes, so there is nothing to prove");
    assert!(analysis.findings.is_empty());
}

#[test]
fn a_budget_that_is_spent_says_nothing() {
    let program = check_text(TWO_CLAIMS).program.unwrap();
    let analysis = analyse(&program, &Budget { states: 1, ..Budget::default() });
    assert_eq!(analysis.verdict, Verdict::Unknown, "{}", analysis.summary);
    let cancel = Some(std::sync::Arc::new(true.into()));
    let analysis = analyse(&program, &Budget { cancel, ..Budget::default() });
    assert_eq!(analysis.verdict, Verdict::Unknown, "{}", analysis.summary);
    assert!(analysis.summary.ends_with("the search for bugs was given up (the search was stopped)"), "{}", analysis.summary);
}

#[test]
fn the_programs_of_the_suite() {
    let mut out = String::new();
    for (name, text) in crate::check::tests::programs() {
        let analysis = analysed(&text);
        assert_eq!(analysis.verdict == Verdict::Refuted, analysis.bug.is_some());
        assert_eq!(analysis.verdict == Verdict::Proved, analysis.scope.is_some());
        out += &format!("{name}: {}, {}\n", analysis.verdict.word(), analysis.summary);
    }
    expect![[r#"
        2pcommit.icet: proved, no deadlock and no orphan message, for every size
        broadcast.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        choice.icet: proved, no deadlock and no orphan message, for every size; it is not known if the assertion holds
        conc_db.icet: proved, no deadlock and no orphan message, for every size; `c` goes on for ever, and each of its turns ends; the endless loop of `db` remains, and nothing is said of what else happens in it
        conc_db_once.icet: proved, no deadlock and no orphan message, for every size; the endless loop of `db` remains, and nothing is said of what else happens in it
        dist_db.icet: proved, no deadlock and no orphan message, for every size; `c` goes on for ever, and each of its turns ends; the endless loops of `db` and `w` remain, and nothing is said of what else happens in them
        dist_db_once.icet: proved, no deadlock and no orphan message, for every size; the endless loops of `db` and `w` remain, and nothing is said of what else happens in them
        endless_rounds.icet: proved, no deadlock and no orphan message, for every size; `leader` and `f` go on for ever, and each of their turns ends; the assertion holds
        ex2.icet: proved, no deadlock and no orphan message, for every size; the assertion holds
        ex3.icet: proved, no deadlock and no orphan message, for every size
        firewall.icet: proved, no deadlock and no orphan message, for every size; the endless loops of `firewall` and `server` remain, and nothing is said of what else happens in them
        foreach.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        lock_server.icet: proved, no deadlock and no orphan message, for every size
        map_reduce.icet: proved, no deadlock and no orphan message, for every size
        multi_paxos.icet: proved, no deadlock and no orphan message, for every size; the endless loop of `a` remains, and nothing is said of what else happens in it; 0 of 2 assertions are known to hold; `ensures` and `invariant` are not proved
        parikh.icet: proved, no deadlock and no orphan message, for every size
        paxos.icet: proved, no deadlock and no orphan message, for every size; the endless loop of `a` remains, and nothing is said of what else happens in it; `ensures` and `invariant` are not proved
        ping_det.icet: proved, no deadlock and no orphan message, for every size; all 2 assertions hold
        ping_iter.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        ping_sym.icet: proved, no deadlock and no orphan message, for every size
        ping_sym2.icet: proved, no deadlock and no orphan message, for every size
        raft_election.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        reactive_server.icet: proved, no deadlock and no orphan message, for every size; the endless loop of `bank` remains, and nothing is said of what else happens in it; it is not known if the assertion holds
        records.icet: proved, no deadlock and no orphan message, for every size; the assertion holds; `ensures` and `invariant` are not proved
        registry.icet: proved, no deadlock and no orphan message, for every size
        residual.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        rounds.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        sequential_map_reduce.icet: unsupported, not sequentializable: unsupported construct: the program has a `sequential` block; only programs without one are put in order; no run with sets of up to 3 members goes wrong
        sequential_two_phase_commit.icet: unsupported, not sequentializable: unsupported construct: the program has a `sequential` block; only programs without one are put in order; no run with sets of up to 3 members goes wrong
        sequential_with_remainder.icet: unsupported, not sequentializable: unsupported construct: the program has a `sequential` block; only programs without one are put in order; no run with sets of up to 3 members goes wrong
        set_to_set.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        theque.icet: proved, no deadlock and no orphan message, for every size; the endless loops of `master`, `t` and `d` remain, and nothing is said of what else happens in them; all 2 assertions hold
        timeout.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        two_buyers.icet: proved, no deadlock and no orphan message, for every size
        two_phase_commit.icet: proved, no deadlock and no orphan message, for every size; `ensures` and `invariant` are not proved
        unrolled_while.icet: unknown, not sequentializable: loop-carried exit: how often this loop runs is decided inside of it; no run goes wrong
        work_steal.icet: proved, no deadlock and no orphan message, for every size
    "#]].assert_eq(&out);
}
