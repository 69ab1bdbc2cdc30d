// Paxos with proposers that do not take over the value that acceptors tell them of.
// fault: missing assignment
// expect: assertion
// says: two values are chosen

event ePrepare: (ballot: int, proposer: Proposer);
event ePromise: (ballot: int, accepted_ballot: int, accepted_value: int);
event eAccept: (ballot: int, value: int, proposer: Proposer);
event eAccepted: int;
event eChosen: int;

param proposers: int;
param acceptors: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Acceptor];
            var i: int;
            while (i < acceptors) {
                all += (i, new Acceptor());
                i = i + 1;
            }
            i = 1;
            while (i <= proposers) {
                new Proposer((ballot = i, acceptors = all));
                i = i + 1;
            }
        }
    }
}

machine Acceptor {
    var promised: int;
    var accepted_ballot: int;
    var accepted_value: int;

    start state Serving {
        on ePrepare do (ask: (ballot: int, proposer: Proposer)) {
            if (ask.ballot > promised) {
                promised = ask.ballot;
                send ask.proposer, ePromise, (ballot = ask.ballot, accepted_ballot = accepted_ballot, accepted_value = accepted_value);
            }
        }
        on eAccept do (ask: (ballot: int, value: int, proposer: Proposer)) {
            if (ask.ballot >= promised) {
                promised = ask.ballot;
                accepted_ballot = ask.ballot;
                accepted_value = ask.value;
                send ask.proposer, eAccepted, ask.ballot;
            }
        }
    }
}

machine Proposer {
    var ballot: int;
    var value: int;
    var highest: int;
    var answers: int;
    var everybody: seq[Acceptor];

    start state Preparing {
        entry (task: (ballot: int, acceptors: seq[Acceptor])) {
            var acceptor: Acceptor;
            ballot = task.ballot;
            value = ballot;
            everybody = task.acceptors;
            foreach (acceptor in everybody) { send acceptor, ePrepare, (ballot = ballot, proposer = this); }
        }
        on ePromise do (promise: (ballot: int, accepted_ballot: int, accepted_value: int)) {
            answers = answers + 1;
            if (promise.accepted_ballot > highest) {
                highest = promise.accepted_ballot;
            }
            if (2 * answers > acceptors) { goto Asking; }
        }
    }

    state Asking {
        entry {
            var acceptor: Acceptor;
            answers = 0;
            foreach (acceptor in everybody) { send acceptor, eAccept, (ballot = ballot, value = value, proposer = this); }
        }
        ignore ePromise;
        on eAccepted do {
            answers = answers + 1;
            if (2 * answers > acceptors) {
                announce eChosen, value;
                goto Done;
            }
        }
    }

    state Done {
        ignore ePromise, eAccepted;
    }
}

spec OneValue observes eChosen {
    var chosen: int;
    start state Watching {
        on eChosen do (value: int) {
            assert chosen == 0 || chosen == value, "two values are chosen";
            chosen = value;
        }
    }
}

test param (proposers in [2], acceptors in [3]) tcPaxos [main=Main]: assert OneValue in { Main, Acceptor, Proposer };
