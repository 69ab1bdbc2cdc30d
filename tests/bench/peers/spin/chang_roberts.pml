/* Leader election on a ring of N nodes after Chang and Roberts, as in `chang_roberts.p`: everybody wants to lead, and numbers fall along
   the ring. */

#ifndef N
#define N 3
#endif

mtype = { elect, elected };

chan inbox[N] = [N + 1] of { mtype, byte };

proctype Node(byte own) {
    byte number = N - own;
    byte other;
    chan mine = inbox[own];
    chan next = inbox[(own + 1) % N];
    xr mine;
    xs next;

    next ! elect, number;
    do
    :: mine ? elect, other ->
        if
        :: other > number -> next ! elect, other
        :: other == number -> assert(number == N); next ! elected, number
        :: else
        fi;
        other = 0
    :: mine ? elected, other ->
        assert(other == N);
        if
        :: other != number -> next ! elected, other
        :: else
        fi;
        other = 0;
        break
    od
}

init {
    byte i;
    atomic {
        do
        :: i < N -> run Node(i); i++
        :: else -> break
        od
    }
}
