// Termination detection in which who is at work passes the token on as if it were done.
// fault: missing defer
// expect: assertion
// says: work is left at the end
// delivery: network

event eMeet: (all: seq[Node], own: int);
// Carries how often it may still be handed on.
event eWork: int;
event eTired;
event eWorkDone;
event eToken: (count: int, stained: bool);
event eFinish;
event eFinished;

param nodes: int;
param hops: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Node];
            var i: int;
            while (i < nodes) {
                all += (i, new Node());
                i = i + 1;
            }
            i = 0;
            while (i < nodes) {
                send all[i], eMeet, (all = all, own = i);
                i = i + 1;
            }
        }
    }
}

machine Node {
    var all: seq[Node];
    var own: int;
    var count: int;
    var is_stained: bool;
    var left: int;

    start state Waiting {
        defer eWork, eToken;
        on eMeet do (ring: (all: seq[Node], own: int)) {
            all = ring.all;
            own = ring.own;
            if (own == 0) {
                HandOn(hops);
                HandOn(hops);
                send all[1], eToken, (count = 0, stained = true);
            }
            goto Idle;
        }
    }

    state Idle {
        on eWork do (may_go: int) {
            count = count - 1;
            is_stained = true;
            left = may_go;
            send this, eTired;
            goto Working;
        }
        on eToken do TakeToken;
        on eFinish do {
            send Next(), eFinish;
            goto Done;
        }
    }

    state Working {
        defer eWork;
        on eToken do TakeToken;
        on eTired do {
            if (left > 0 && $) { HandOn(left - 1); }
            announce eWorkDone;
            goto Idle;
        }
    }

    state Done {
        ignore eFinish;
    }

    fun TakeToken(token: (count: int, stained: bool)) {
        var stained: bool;
        stained = is_stained || token.stained;
        is_stained = false;
        if (own > 0) {
            send Next(), eToken, (count = token.count + count, stained = stained);
        } else if (stained || token.count + count != 0) {
            send Next(), eToken, (count = 0, stained = false);
        } else {
            announce eFinished;
            send Next(), eFinish;
            goto Done;
        }
    }

    fun Next(): Node {
        return all[(own + 1) % nodes];
    }

    // Gives work to any of the others.
    fun HandOn(may_go: int) {
        count = count + 1;
        send all[(own + 1 + choose(nodes - 1)) % nodes], eWork, may_go;
    }
}

// The end is announced once all work is done.
spec NothingLeft observes eWork, eWorkDone, eFinished {
    var open: int;
    start state Working {
        on eWork do { open = open + 1; }
        on eWorkDone do { open = open - 1; }
        on eFinished do {
            assert open == 0, "work is left at the end";
            goto Finished;
        }
    }
    state Finished { }
}

test param (nodes in [2], hops in [1]) tcTokenRing [main=Main]: assert NothingLeft in { Main, Node };
