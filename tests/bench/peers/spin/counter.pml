/* A counter without a lock, as in `counter.p`: N writers read it and then write what they have read and one more. */

#ifndef N
#define N 3
#endif

mtype = { read, write };

chan inbox = [N] of { mtype, byte };
chan answer[N] = [1] of { byte };

active proctype Counter() {
    byte value;
    byte what;
    xr inbox;

    do
    :: inbox ? read, what -> answer[what] ! value; what = 0
    :: inbox ? write, what -> d_step { value = what; what = 0; assert(value >= 1 && value <= N) }
    od
}

proctype Writer(byte own) {
    byte value;
    chan mine = answer[own];
    xr mine;

    inbox ! read, own;
    mine ? value;
    inbox ! write, value + 1
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run Writer(i); i++
        :: else -> break
        od
    }
}
