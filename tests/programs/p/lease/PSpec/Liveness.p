/* Everyone who asks for the lease gets it in the end, even when holders crash. */

spec EveryRequestIsGranted observes eLeaseRequest, eLeaseGranted {
    var pending: set[machine];

    start cold state NobodyWaits {
        on eLeaseRequest do (request: tLeaseRequest) {
            pending += (request.client);
            goto SomeoneWaits;
        }
    }

    hot state SomeoneWaits {
        on eLeaseRequest do (request: tLeaseRequest) {
            pending += (request.client);
        }

        on eLeaseGranted do (lease: tLease) {
            pending -= (lease.holder);
            if (sizeof(pending) == 0) {
                goto NobodyWaits;
            }
        }
    }
}
