// Flexible Paxos with quorums that need not share an acceptor.
// fault: wrong constant
// expect: assertion
// says: two values are chosen

event eGo;

type tVote = (ballot: int, value: int);

param acceptors: int;
// How many promise, and how many accept.
param promising: int;
param accepting: int;
param slots: int;
param options: int;
param ballots: int;

machine Consensus {
    // Of each acceptor, and in each slot of each acceptor; ballots and values count from 1.
    var promised: seq[int];
    var accepted: seq[seq[tVote]];
    // The leader of the largest ballot so far, and what it proposes in each slot, 0 for nothing yet.
    var ballot: int;
    var proposed: seq[int];
    // The value that is chosen in each slot.
    var chosen: seq[int];

    start state Running {
        entry {
            while (sizeof(promised) < acceptors) {
                promised += (0, 0);
                accepted += (0, Nothing());
            }
            while (sizeof(chosen) < slots) { chosen += (0, 0); }
            Lead(1);
            send this, eGo;
        }
        on eGo do {
            if ($) { NewLeader(); } else if (proposed[0] == 0) { Promise(choose(acceptors)); } else { Accept(choose(acceptors), choose(slots)); }
            send this, eGo;
        }
    }

    // Another leader, with any larger ballot.
    fun NewLeader() {
        if (ballot < ballots) { Lead(ballot + 1 + choose(ballots - ballot)); }
    }

    fun Lead(next: int) {
        ballot = next;
        proposed = default(seq[int]);
        while (sizeof(proposed) < slots) { proposed += (0, 0); }
    }

    // An acceptor promises to take no smaller ballot. With enough promises the leader proposes.
    fun Promise(acceptor: int) {
        var one: int;
        var promises: int;
        if (promised[acceptor] < ballot) { promised[acceptor] = ballot; }
        foreach (one in promised) {
            if (one == ballot) { promises = promises + 1; }
        }
        if (promises == promising) { Propose(); }
    }

    // In each slot the last value of those that have promised; they have accepted nothing since. Any, where there is none.
    fun Propose() {
        var slot: int;
        var acceptor: int;
        var last: tVote;
        while (slot < slots) {
            last = default(tVote);
            acceptor = 0;
            while (acceptor < acceptors) {
                if (promised[acceptor] == ballot && accepted[acceptor][slot].ballot > last.ballot) { last = accepted[acceptor][slot]; }
                acceptor = acceptor + 1;
            }
            proposed[slot] = last.value;
            if (last.ballot == 0) { proposed[slot] = 1 + choose(options); }
            slot = slot + 1;
        }
    }

    // An acceptor that has promised nothing to a later leader takes a value.
    fun Accept(acceptor: int, slot: int) {
        var one: seq[tVote];
        var votes: int;
        if (promised[acceptor] > ballot) { return; }
        promised[acceptor] = ballot;
        accepted[acceptor][slot] = (ballot = ballot, value = proposed[slot]);
        foreach (one in accepted) {
            if (one[slot].ballot == ballot) { votes = votes + 1; }
        }
        if (votes >= accepting) {
            assert chosen[slot] == 0 || chosen[slot] == proposed[slot], "two values are chosen";
            chosen[slot] = proposed[slot];
        }
    }

    fun Nothing(): seq[tVote] {
        var nothing: seq[tVote];
        while (sizeof(nothing) < slots) { nothing += (0, default(tVote)); }
        return nothing;
    }
}

test param (acceptors in [3], promising in [2], accepting in [1], slots in [1], options in [2], ballots in [2]) tcFlexiblePaxos [main=Consensus]:
    { Consensus };
