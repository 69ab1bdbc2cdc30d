// A directory that grants access after the first answer of those who had it.
// fault: wrong comparison
// expect: unhandled event
// says: eInvalidated

event eAskShared: Client;
event eAskExclusive: Client;
event eInvalidate;
event eInvalidated: Client;
event eGrantShared;
event eGrantExclusive;
event eTick;
event eWant: tMode;

enum tMode { NONE, SHARED, EXCLUSIVE }

param clients: int;
// None if clients ask of their own accord.
param requests: int;

machine Home {
    var sharers: set[Client];
    var exclusive: bool;
    var asking: Client;
    var wanted: tMode;
    var missing: int;

    start state Init {
        entry {
            var all: seq[Client];
            while (sizeof(all) < clients) { all += (sizeof(all), new Client(this)); }
            if (requests > 0) { new Processor(all); }
            goto Free;
        }
    }

    state Free {
        on eAskShared do (client: Client) {
            asking = client;
            wanted = SHARED;
            if (exclusive) { goto Collecting; }
            Grant();
        }
        on eAskExclusive do (client: Client) {
            asking = client;
            wanted = EXCLUSIVE;
            if (sizeof(sharers) > 0) { goto Collecting; }
            Grant();
        }
    }

    state Collecting {
        defer eAskShared, eAskExclusive;
        entry {
            var client: Client;
            missing = sizeof(sharers);
            foreach (client in sharers) { send client, eInvalidate; }
        }
        on eInvalidated do (client: Client) {
            sharers -= (client);
            missing = missing - 1;
            if (missing >= 0) {
                exclusive = false;
                Grant();
                goto Free;
            }
        }
    }

    fun Grant() {
        sharers += (asking);
        if (wanted == SHARED) {
            send asking, eGrantShared;
        } else {
            exclusive = true;
            send asking, eGrantExclusive;
        }
        asking = default(Client);
    }
}

machine Client {
    var home: Home;
    var mode: tMode;
    // Whether a tick is on its way; they must not pile up where messages can be late.
    var ticks: bool;

    start state Init {
        entry (h: Home) {
            home = h;
            MayAsk();
            goto Idle;
        }
    }

    state Idle {
        on eTick do {
            ticks = false;
            if (mode == NONE) {
                if ($) { send home, eAskShared, this; } else { send home, eAskExclusive, this; }
                goto Asking;
            }
            if (mode == SHARED && $) {
                send home, eAskExclusive, this;
                goto Asking;
            }
        }
        on eWant do (wanted: tMode) {
            if (mode == NONE && wanted == SHARED) {
                send home, eAskShared, this;
                goto Asking;
            }
            if (mode != EXCLUSIVE && wanted == EXCLUSIVE) {
                send home, eAskExclusive, this;
                goto Asking;
            }
        }
        on eInvalidate do {
            mode = NONE;
            send home, eInvalidated, this;
            MayAsk();
        }
    }

    state Asking {
        defer eWant;
        on eInvalidate do {
            mode = NONE;
            send home, eInvalidated, this;
        }
        on eGrantShared do { mode = SHARED; MayAsk(); goto Idle; }
        on eGrantExclusive do { mode = EXCLUSIVE; goto Idle; }
        on eTick do { ticks = false; }
    }

    fun MayAsk() {
        if (requests == 0 && !ticks) {
            ticks = true;
            send this, eTick;
        }
    }
}

machine Processor {
    start state Init {
        entry (all: seq[Client]) {
            var i: int;
            while (i < requests) {
                if ($) { send choose(all), eWant, SHARED; } else { send choose(all), eWant, EXCLUSIVE; }
                i = i + 1;
            }
        }
    }
}

test param (clients in [3], requests in [0]) tcGerman [main=Home]: { Home, Client, Processor };
