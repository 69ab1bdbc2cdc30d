/* A timer that fires after a few ticks, unless it is cancelled before.
   Each start carries a ticket, which comes back with the time-out. */

event eStartTimer: int;
event eCancelTimer;
event eTick: int;
event eTimeOut: int;

machine Timer {
    var owner: machine;
    var ticket: int;
    var ticksLeft: int;

    start state Init {
        entry (creator: machine) {
            owner = creator;
            goto Idle;
        }
    }

    state Idle {
        on eStartTimer goto Running;
        ignore eCancelTimer, eTick;
    }

    state Running {
        entry (started: int) {
            ticket = started;
            ticksLeft = choose(3);
            send this, eTick, ticket;
        }

        on eTick do (tick: int) {
            if (tick != ticket) {
                return;
            }
            if (ticksLeft == 0) {
                send owner, eTimeOut, ticket;
                goto Idle;
            }
            ticksLeft = ticksLeft - 1;
            send this, eTick, ticket;
        }

        on eCancelTimer goto Idle;
    }
}

fun CreateTimer(owner: machine): Timer {
    return new Timer(owner);
}

fun StartTimer(timer: Timer, ticket: int) {
    send timer, eStartTimer, ticket;
}

fun CancelTimer(timer: Timer) {
    send timer, eCancelTimer;
}
