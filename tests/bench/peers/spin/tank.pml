/* The tank of `tank.p`: N pumps send their own numbers once, and the order of arrival decides about the level. */

#ifndef N
#define N 3
#endif

chan inbox = [N] of { byte };

active proctype Tank() {
    short level;
    byte number;
    xr inbox;

    do
    :: inbox ? number ->
        d_step {
            if
            :: number / 2 > level -> level = level - number / 2
            :: else -> level = level + number
            fi;
            number = 0;
            assert(level <= N * (N + 1) / 2 && level >= -(N * (N + 1) / 2))
        }
    od
}

proctype Pump(byte number) {
    inbox ! number
}

init {
    byte i = 1;
    atomic {
        do
        :: i <= N -> run Pump(i); i++
        :: else -> break
        od
    }
}
