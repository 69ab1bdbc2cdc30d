/* At most one lease is in force: a new one is granted only after the one before it was
   released by its holder or has expired. */

spec OneLeaseAtATime observes eLeaseGranted, eLeaseReleased, eLeaseExpired {
    var inForce: bool;
    var newest: int;

    start state Watching {
        on eLeaseGranted do (lease: tLease) {
            assert !inForce, format("lease {0} granted while {1} is in force", lease.epoch, newest);
            assert lease.epoch == newest + 1, "epochs must be handed out one by one";
            inForce = true;
            newest = lease.epoch;
        }

        on eLeaseReleased, eLeaseExpired do (lease: tLease) {
            if (lease.epoch == newest) {
                inForce = false;
            }
        }
    }
}

/* The store never goes back in time: once it has accepted a write of one lease, it accepts
   none of an older lease. And it serves only those who were granted the lease they show. */

spec WritesAreFenced observes eLeaseGranted, eWriteReply {
    var holders: map[int, machine];
    var newestWrite: int;

    start state Watching {
        on eLeaseGranted do (lease: tLease) {
            holders[lease.epoch] = lease.holder;
        }

        on eWriteReply do (reply: tWriteReply) {
            if (reply.status == ACCEPTED) {
                assert reply.lease.epoch in holders, "a write was accepted without a lease";
                assert holders[reply.lease.epoch] == reply.lease.holder, "a write was accepted with the lease of another";
                assert reply.lease.epoch >= newestWrite, "a write was accepted after a newer one";
                newestWrite = reply.lease.epoch;
            }
        }
    }
}
