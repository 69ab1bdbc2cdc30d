// One client alone: the lease comes and goes.
test tcOneClient [main=OneClient]:
    assert OneLeaseAtATime, WritesAreFenced, EveryRequestIsGranted in
    (union LeaseSystem, { OneClient });

// Two clients that may crash with the lease in their hands.
test tcCrashingClients [main=CrashingClients]:
    assert OneLeaseAtATime, WritesAreFenced, EveryRequestIsGranted in
    (union LeaseSystem, { CrashingClients });

// A matrix of sizes: every two settings meet in at least one test.
test param (nClients in [1, 2, 3], nRounds in [1, 2], clientsCrash in [false, true])
    assume (nClients + nRounds < 5) pairwise tcMatrix [main=ConfiguredClients]:
    assert OneLeaseAtATime, WritesAreFenced, EveryRequestIsGranted in
    (union LeaseSystem, { ConfiguredClients });
