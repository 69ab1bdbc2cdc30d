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
    // The leader of the largest ballot so far: who has promised it something, the last votes that it knows of, and what it proposes.
    var ballot: int;
    var promises: int;
    var told: seq[tVote];
    var proposed: seq[int];
    // How many have accepted that.
    var votes: seq[int];
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
            if ($) { NewLeader(); } else if (promises < promising) { Promise(choose(acceptors)); } else { Accept(choose(acceptors), choose(slots)); }
            send this, eGo;
        }
    }

    // Another leader, with any larger ballot.
    fun NewLeader() {
        if (ballot < ballots) { Lead(ballot + 1 + choose(ballots - ballot)); }
    }

    fun Lead(next: int) {
        ballot = next;
        promises = 0;
        told = Nothing();
        proposed = default(seq[int]);
        votes = default(seq[int]);
        while (sizeof(proposed) < slots) {
            proposed += (0, 0);
            votes += (0, 0);
        }
    }

    // An acceptor promises to take no smaller ballot, and tells what it has accepted.
    fun Promise(acceptor: int) {
        var slot: int;
        if (promised[acceptor] >= ballot) { return; }
        promised[acceptor] = ballot;
        while (slot < slots) {
            if (accepted[acceptor][slot].ballot > told[slot].ballot) { told[slot] = accepted[acceptor][slot]; }
            slot = slot + 1;
        }
        promises = promises + 1;
        if (promises == promising) { Propose(); }
    }

    fun Propose() {
        var slot: int;
        while (slot < slots) {
            proposed[slot] = told[slot].value;
            if (told[slot].ballot == 0) { proposed[slot] = 1 + choose(options); }
            slot = slot + 1;
        }
    }

    // An acceptor that has promised nothing to a later leader takes a value.
    fun Accept(acceptor: int, slot: int) {
        if (promised[acceptor] > ballot || accepted[acceptor][slot].ballot == ballot) { return; }
        promised[acceptor] = ballot;
        accepted[acceptor][slot] = (ballot = ballot, value = proposed[slot]);
        votes[slot] = votes[slot] + 1;
        if (votes[slot] == accepting) {
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
