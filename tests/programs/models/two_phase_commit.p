// Two-phase commit: a coordinator asks its participants to vote and tells all of them what was decided.

event ePrepare: Coordinator;
event eVote: (who: Participant, yes: bool);
event eDecide: bool;
event eOutcome: bool;

param participants: int;

machine Coordinator {
    var all: seq[Participant];
    var votes: int;
    var commits: bool;

    start state Asking {
        entry {
            var i: int;
            while (i < participants) {
                all += (i, new Participant());
                i = i + 1;
            }
            commits = true;
            i = 0;
            while (i < participants) {
                send all[i], ePrepare, this;
                i = i + 1;
            }
        }
        on eVote do (vote: (who: Participant, yes: bool)) {
            votes = votes + 1;
            commits = commits && vote.yes;
            if (votes == participants) {
                goto Deciding;
            }
        }
    }

    state Deciding {
        entry {
            var i: int;
            while (i < participants) {
                send all[i], eDecide, commits;
                i = i + 1;
            }
        }
    }
}

machine Participant {
    var voted: bool;

    start state Working {
        on ePrepare do (coordinator: Coordinator) {
            voted = $;
            send coordinator, eVote, (who = this, yes = voted);
            goto Voted;
        }
    }

    state Voted {
        on eDecide do (commits: bool) {
            assert voted || !commits, "commits against its own vote";
            announce eOutcome, commits;
            goto Done;
        }
    }

    state Done { }
}

// All participants end the same way.
spec Atomicity observes eOutcome {
    var committed: bool;
    var aborted: bool;
    start state Watching {
        on eOutcome do (commits: bool) {
            if (commits) { committed = true; } else { aborted = true; }
            assert !(committed && aborted), "some commit and some abort";
        }
    }
}

test param (participants in [2, 3, 4, 5, 6, 7, 8]) tcTwoPhase [main=Coordinator]: { Coordinator, Participant };
test param (participants in [2, 3, 4, 5, 6, 7]) tcTwoPhaseAtomic [main=Coordinator]: assert Atomicity in { Coordinator, Participant };
