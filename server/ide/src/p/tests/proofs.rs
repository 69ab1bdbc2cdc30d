//! Names in proofs, some of which only types give a meaning.

use expect_test::{Expect, expect};

use super::Fixture;
use crate::p::references;

const PROOF: &str = "\
// file: model.p
event eVote: (voter: Node);
machine Node {
  var leads: bool;
  start state Waiting { on eVote do { leads = true; goto Leading; } }
  state Leading { ignore eVote; }
}
spec Watch observes eVote { var count: int; start state S { on eVote do { count = count + 1; } } }
// file: proof.p
pure chosen(n: Node): bool = n.leads;
invariant counting: Watch.count >= 0;
Lemma leaders {
  invariant only: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> a.leads && e.voter.leads;
  invariant there: forall (a: Node) :: a is Leading ==> a is Node;
}
Proof all {
  prove leaders using counting;
  prove counting using leaders_only, leaders_there;
}
";

fn check_proof(text: &str, expected: &Expect) {
    let at = PROOF.find(text).expect("the program has this text");
    let fixture = Fixture::verifying(&format!("{}$0{}", &PROOF[..at], &PROOF[at..]));
    let found = references(&fixture.db, fixture.here(), fixture.offset, true);
    expected.assert_eq(&fixture.shown_all(found));
}

#[test]
fn references_in_proofs() {
    check_proof(
        "leads: bool",
        &expect![[r#"
        model.p:3:7 var <leads>: bool;
        model.p:4:39 start state Waiting { on eVote do { <leads> = true; goto Leading; } }
        proof.p:1:32 pure chosen(n: Node): bool = n.<leads>;
        proof.p:4:75 invariant only: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> a.<leads> && e.voter.leads;
        proof.p:4:92 invariant only: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> a.leads && e.voter.<leads>;
    "#]],
    );
    check_proof(
        "count: int",
        &expect![[r#"
        model.p:7:33 spec Watch observes eVote { var <count>: int; start state S { on eVote do { count = count + 1; } } }
        model.p:7:75 spec Watch observes eVote { var count: int; start state S { on eVote do { <count> = count + 1; } } }
        model.p:7:83 spec Watch observes eVote { var count: int; start state S { on eVote do { count = <count> + 1; } } }
        proof.p:2:27 invariant counting: Watch.<count> >= 0;
    "#]],
    );
    check_proof(
        "Leading {",
        &expect![[r#"
        model.p:5:9 state <Leading> { ignore eVote; }
        model.p:4:58 start state Waiting { on eVote do { leads = true; goto <Leading>; } }
        proof.p:5:45 invariant there: forall (a: Node) :: a is <Leading> ==> a is Node;
    "#]],
    );
    check_proof(
        "eVote: (",
        &expect![[r#"
        model.p:1:7 event <eVote>: (voter: Node);
        model.p:4:28 start state Waiting { on <eVote> do { leads = true; goto Leading; } }
        model.p:5:26 state Leading { ignore <eVote>; }
        model.p:7:21 spec Watch observes <eVote> { var count: int; start state S { on eVote do { count = count + 1; } } }
        model.p:7:64 spec Watch observes eVote { var count: int; start state S { on <eVote> do { count = count + 1; } } }
        proof.p:4:39 invariant only: forall (a: Node, e: <eVote>) :: sent e && chosen(a) ==> a.leads && e.voter.leads;
    "#]],
    );
    check_proof(
        "chosen(n",
        &expect![[r#"
        proof.p:1:6 pure <chosen>(n: Node): bool = n.leads;
        proof.p:4:59 invariant only: forall (a: Node, e: eVote) :: sent e && <chosen>(a) ==> a.leads && e.voter.leads;
    "#]],
    );
    check_proof(
        "n: Node): bool",
        &expect![[r#"
        proof.p:1:13 pure chosen(<n>: Node): bool = n.leads;
        proof.p:1:30 pure chosen(n: Node): bool = <n>.leads;
    "#]],
    );
    check_proof(
        "a: Node, e",
        &expect![[r#"
        proof.p:4:27 invariant only: forall (<a>: Node, e: eVote) :: sent e && chosen(a) ==> a.leads && e.voter.leads;
        proof.p:4:66 invariant only: forall (a: Node, e: eVote) :: sent e && chosen(<a>) ==> a.leads && e.voter.leads;
        proof.p:4:73 invariant only: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> <a>.leads && e.voter.leads;
    "#]],
    );
    check_proof(
        "counting:",
        &expect![[r#"
        proof.p:2:11 invariant <counting>: Watch.count >= 0;
        proof.p:8:23 prove leaders using <counting>;
        proof.p:9:9 prove <counting> using leaders_only, leaders_there;
    "#]],
    );
    check_proof(
        "all {",
        &expect![[r#"
        proof.p:7:7 Proof <all> {
    "#]],
    );
}

#[test]
fn an_invariant_of_a_lemma_has_a_name_of_two_parts() {
    check_proof(
        "leaders {",
        &expect![[r#"
        proof.p:3:7 Lemma <leaders> {
        proof.p:8:9 prove <leaders> using counting;
        proof.p:9:24 prove counting using <leaders>_only, leaders_there;
        proof.p:9:38 prove counting using leaders_only, <leaders>_there;
    "#]],
    );
    check_proof(
        "only:",
        &expect![[r#"
        proof.p:4:13 invariant <only>: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> a.leads && e.voter.leads;
        proof.p:9:32 prove counting using leaders_<only>, leaders_there;
    "#]],
    );
    check_proof(
        "only, leaders_there",
        &expect![[r#"
        proof.p:4:13 invariant <only>: forall (a: Node, e: eVote) :: sent e && chosen(a) ==> a.leads && e.voter.leads;
        proof.p:9:32 prove counting using leaders_<only>, leaders_there;
    "#]],
    );
}
