/* A registry of N workers, as in `registry.p`. It remembers in which order they came, as a set of P does. */

#ifndef N
#define N 3
#endif

chan inbox = [N] of { byte };

active proctype Registry() {
    byte known[N];
    byte count;
    byte worker;
    xr inbox;

    do
    :: inbox ? worker ->
        d_step {
            assert(count < N);
            known[count] = worker;
            count++;
            worker = 0
        }
    od
}

proctype Worker(byte own) {
    inbox ! own
}

init {
    byte i = 1;
    atomic {
        do
        :: i <= N -> run Worker(i); i++
        :: else -> break
        od
    }
}
