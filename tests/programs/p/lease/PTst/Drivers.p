/* The main machines of the tests: each sets up one system and leaves it to run. */

param nClients: int;
param nRounds: int;
param clientsCrash: bool;

fun SetUp(clients: int, rounds: int, mayCrash: bool) {
    var server: LeaseServer;
    var store: Store;
    var i: int;

    server = new LeaseServer();
    store = new Store();
    while (i < clients) {
        new Client((server = server, store = store, rounds = rounds, mayCrash = mayCrash));
        i = i + 1;
    }
}

machine OneClient {
    start state Init {
        entry {
            SetUp(1, 2, false);
        }
    }
}

machine CrashingClients {
    start state Init {
        entry {
            SetUp(2, 1, true);
        }
    }
}

machine ConfiguredClients {
    start state Init {
        entry {
            SetUp(nClients, nRounds, clientsCrash);
        }
    }
}
