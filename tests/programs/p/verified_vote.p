// For PVerifier: voters vote at most once, a leader needs every vote of one quorum, and so two
// leaders cannot be elected. A spec watches the elections.

event eAskVote: (candidate: Voter);
event eVote: (voter: Voter);
event eWon: (winner: Voter);
event eCampaign;

pure quorum(q: int, m: machine): bool;
pure all_yes(v: Voter, q: int): bool =
    forall (m: Voter) :: quorum(q, m) ==> m in v.votes;

axiom forall (p: int, q: int) :: exists (m: machine) :: quorum(p, m) && quorum(q, m);

init-condition forall (v: Voter) :: !v.voted && !v.leads && v.votes == default(set[machine]);
init-condition Elections.count == 0;

machine Voter {
    var voted: bool;
    var choice: machine;
    var votes: set[machine];
    var leads: bool;

    start state Voting {
        on eCampaign do {
            var enough: bool;

            enough = Counted(votes);
            if (enough) {
                leads = true;
                send this, eWon, (winner = this,);
                goto Leading;
            }
        }

        on eAskVote do (request: (candidate: Voter)) {
            if (!voted) {
                voted = true;
                choice = request.candidate;
                send request.candidate, eVote, (voter = this,);
            }
        }

        on eVote do (vote: (voter: Voter)) {
            votes += (vote.voter);
        }

        ignore eWon;
    }

    state Leading {
        entry {
            assert leads;
        }
        ignore eCampaign, eAskVote, eVote, eWon;
    }
}

fun Counted(votes: set[machine])
    return (enough: bool);
    ensures enough ==> (exists (q: int) :: forall (m: machine) :: quorum(q, m) ==> m in votes);

spec Elections observes eWon {
    var count: int;
    start state Watching {
        on eWon do (_news: (winner: Voter)) {
            count = count + 1;
        }
    }
}

invariant voted_before: forall (e: eVote) :: sent e ==> e.voter.voted;
invariant vote_for_one: forall (e: eVote, m: machine) :: sent e && e targets m ==> e.voter.choice == m;
invariant counted_votes: forall (v: Voter, m: Voter) :: m in v.votes ==> m.voted && m.choice == v;
invariant counting: Elections.count >= 0;

Lemma quorums {
    invariant needs_quorum: forall (v: Voter) :: v.leads ==> exists (q: int) :: all_yes(v, q);
    invariant leads_in_state: forall (v: Voter) :: v is Leading ==> v.leads;
}

Theorem safety {
    invariant one_leader: forall (a: Voter, b: Voter) :: a.leads && b.leads ==> a == b;
}

Theorem nothing { }

Proof {
    prove voted_before, vote_for_one, counted_votes;
    prove quorums using counted_votes;
    prove safety using quorums, counted_votes, forall (v: Voter) :: v.leads ==> v is Voter;
    prove counting;
    prove default using * except counting, safety;
}

Proof empty_one { }
