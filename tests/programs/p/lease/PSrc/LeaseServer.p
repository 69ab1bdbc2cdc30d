/* Grants the lease to one client at a time, in the order of the requests. */

machine LeaseServer {
    var timer: Timer;
    var waiting: seq[Client];
    var current: tLease;

    start state Init {
        entry {
            timer = CreateTimer(this);
            goto Free;
        }
    }

    // Nobody holds the lease.
    state Free {
        entry {
            var next: Client;

            if (sizeof(waiting) > 0) {
                next = waiting[0];
                waiting -= (0);
                goto Leased, next;
            }
        }

        on eLeaseRequest do (request: tLeaseRequest) {
            goto Leased, request.client;
        }

        // Both were on their way when the lease ended.
        ignore eLeaseReleased, eTimeOut;
    }

    // `current.holder` holds the lease until it gives it back or the timer fires.
    state Leased {
        entry (client: Client) {
            current = (holder = client, epoch = current.epoch + 1);
            send client, eLeaseGranted, current;
            StartTimer(timer, current.epoch);
        }

        on eLeaseRequest do (request: tLeaseRequest) {
            waiting += (sizeof(waiting), request.client);
        }

        on eLeaseReleased do (lease: tLease) {
            if (lease.epoch == current.epoch) {
                CancelTimer(timer);
                goto Free;
            }
        }

        on eTimeOut do (epoch: int) {
            if (epoch == current.epoch) {
                send current.holder, eLeaseExpired, current;
                goto Free;
            }
        }
    }
}
