/* Last zero, as in `lastzero_cells.p`: N writers fill N + 1 cells from the left, each from the one before, while a reader looks for the
   last zero from the right. */

#ifndef N
#define N 3
#endif

mtype = { get, set };

/* A cell is asked by at most one writer and the reader, and set by one writer. */
chan cell[N + 1] = [3] of { mtype, byte };
chan answer[N + 1] = [1] of { byte };

proctype Cell(byte own) {
    byte number;
    byte what;
    chan mine = cell[own];
    xr mine;

    do
    :: mine ? get, what -> answer[what] ! number; what = 0
    :: mine ? set, what -> d_step { number = what; what = 0 }
    od
}

proctype Writer(byte own) {
    byte number;
    chan got = answer[own];
    xr got;

    cell[own - 1] ! get, own;
    got ? number;
    cell[own] ! set, number + 1
}

proctype Reader() {
    byte index = N;
    byte number;
    chan found = answer[0];
    xr found;

    do
    ::  cell[index] ! get, 0;
        found ? number;
        if
        :: number == 0 -> break
        :: else -> d_step { number = 0; assert(index > 0); index-- }
        fi
    od
}

init {
    byte i;
    atomic {
        do
        :: i <= N -> run Cell(i); i++
        :: else -> break
        od;
        run Reader();
        i = 1;
        do
        :: i <= N -> run Writer(i); i++
        :: else -> break
        od
    }
}
