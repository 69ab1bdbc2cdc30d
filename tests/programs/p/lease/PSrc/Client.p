/* Wants the lease a number of times and writes to the store whenever it has it.
   A client that may crash can stop at its work without giving the lease back. */

type tClientConfig = (server: LeaseServer, store: Store, rounds: int, mayCrash: bool);

machine Client {
    var config: tClientConfig;
    var roundsLeft: int;
    var lease: tLease;

    start state Init {
        entry (given: tClientConfig) {
            config = given;
            roundsLeft = given.rounds;
            goto Waiting;
        }
    }

    state Waiting {
        entry {
            if (roundsLeft == 0) {
                goto Done;
            }
            roundsLeft = roundsLeft - 1;
            send config.server, eLeaseRequest, (client = this,);
        }

        on eLeaseGranted goto Holding;

        // Late news of the lease before.
        ignore eLeaseExpired, eWriteReply;
    }

    state Holding {
        entry (granted: tLease) {
            lease = granted;
            send config.store, eWrite, (lease = lease, text = format("round {0}", roundsLeft));
            if (config.mayCrash && $) {
                goto Crashed;
            }
        }

        on eWriteReply do (reply: tWriteReply) {
            if (reply.lease == lease) {
                send config.server, eLeaseReleased, lease;
                goto Waiting;
            }
        }

        on eLeaseExpired do (expired: tLease) {
            if (expired == lease) {
                goto Waiting;
            }
        }
    }

    state Done {
        ignore eLeaseExpired, eWriteReply;
    }

    state Crashed {
        ignore eLeaseExpired, eWriteReply;
    }
}
