/* Two-phase commit, as in `two_phase_commit.p`: a coordinator asks N participants to vote and tells all of them what was decided. */

#ifndef N
#define N 3
#endif

mtype = { prepare, decide };

chan inbox[N] = [2] of { mtype, bit };
chan votes = [N] of { bit };

active proctype Coordinator() {
    byte i;
    byte count;
    bit yes;
    bit commits = 1;
    xr votes;

    do
    :: i < N -> inbox[i] ! prepare, 0; i++
    :: else -> break
    od;
    do
    :: count < N -> votes ? yes; d_step { count++; commits = commits && yes; yes = 0 }
    :: else -> break
    od;
    i = 0;
    do
    :: i < N -> inbox[i] ! decide, commits; i++
    :: else -> break
    od
}

proctype Participant(byte own) {
    bit voted;
    bit commits;
    chan mine = inbox[own];
    xr mine;

    mine ? prepare, _;
    if
    :: voted = 1
    :: voted = 0
    fi;
    votes ! voted;
    mine ? decide, commits;
    assert(voted || !commits)
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run Participant(i); i++
        :: else -> break
        od
    }
}
