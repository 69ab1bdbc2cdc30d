// Paxos with proposers that do not take over the value that acceptors tell them of.
// fault: missing assignment
// expect: assertion
// says: two values are chosen

// The ballot 0 is for none.
type tVote = (ballot: int, value: int);

event ePrepare: (ballot: int, proposer: Proposer);
event ePromise: tVote;
event eAccept: (vote: tVote, proposer: Proposer);
event eAccepted;
event eChosen: int;

param proposers: int;
param acceptors: int;
param options: int;

fun Distinguished(): int {
    return 0;
}

machine Main {
    start state Init {
        entry {
            var all: seq[Acceptor];
            var ballot: int;
            while (sizeof(all) < acceptors) { all += (sizeof(all), new Acceptor()); }
            while (ballot < proposers) {
                ballot = ballot + 1;
                new Proposer((ballot = ballot, acceptors = all));
            }
        }
    }
}

machine Acceptor {
    var promised: int;
    var accepted: tVote;

    start state Serving {
        on ePrepare do (ask: (ballot: int, proposer: Proposer)) {
            if (ask.ballot > promised) {
                promised = ask.ballot;
                send ask.proposer, ePromise, accepted;
            }
        }
        on eAccept do (ask: (vote: tVote, proposer: Proposer)) {
            if (ask.vote.ballot >= promised) {
                promised = ask.vote.ballot;
                accepted = ask.vote;
                send ask.proposer, eAccepted;
            }
        }
    }
}

machine Proposer {
    var own: tVote;
    // The last vote that it was told of.
    var last: tVote;
    var answers: int;
    var everybody: seq[Acceptor];

    start state Preparing {
        entry (task: (ballot: int, acceptors: seq[Acceptor])) {
            var acceptor: Acceptor;
            everybody = task.acceptors;
            // lockstep: abstract(value = 0) because nobody looks at other values
            own = (ballot = task.ballot, value = choose(options));
            foreach (acceptor in everybody) { send acceptor, ePrepare, (ballot = own.ballot, proposer = this); }
        }
        on ePromise do (vote: tVote) {
            answers = answers + 1;
            if (vote.ballot > last.ballot) { last = vote; }
            if (2 * answers > acceptors) { goto Asking; }
        }
    }

    state Asking {
        entry {
            var acceptor: Acceptor;
            answers = 0;
            foreach (acceptor in everybody) { send acceptor, eAccept, (vote = own, proposer = this); }
        }
        ignore ePromise;
        on eAccepted do {
            answers = answers + 1;
            if (2 * answers > acceptors) {
                announce eChosen, own.value;
                goto Done;
            }
        }
    }

    state Done {
        ignore ePromise, eAccepted;
    }
}

spec OneKind observes eChosen {
    var is_chosen: bool;
    var is_distinguished: bool;
    start state Watching {
        on eChosen do (value: int) {
            assert !is_chosen || is_distinguished == (value == Distinguished()), "two values are chosen";
            is_chosen = true;
            is_distinguished = value == Distinguished();
        }
    }
}

test param (proposers in [2], acceptors in [1], options in [2]) tcPaxosValues [main=Main]: assert OneKind in { Main, Acceptor, Proposer };
