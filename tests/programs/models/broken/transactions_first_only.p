// Two-phase commit of transactions with a coordinator that tells only one participant what was decided.
// fault: missing message
// expect: assertion
// says: an old value is read

event eWrite: (client: Client, key: int, value: int);
event eWritten: (key: int, value: int, is_done: bool);
event eRead: (client: Client, key: int);
event eValue: (key: int, value: int);
event ePrepare: (coordinator: Coordinator, key: int, value: int);
event eVote: bool;
event eDecide: bool;
event eLook: (client: Client, key: int);

param clients: int;
param participants: int;
param writes: int;
param reads: int;

machine Coordinator {
    var all: seq[Participant];
    var pending: (client: Client, key: int, value: int);
    var votes: int;
    var commits: bool;

    start state Init {
        entry {
            var i: int;
            while (sizeof(all) < participants) { all += (sizeof(all), new Participant()); }
            while (i < clients) {
                new Client(this);
                i = i + 1;
            }
            goto Serving;
        }
    }

    state Serving {
        on eWrite do (write: (client: Client, key: int, value: int)) {
            var participant: Participant;
            pending = write;
            votes = 0;
            commits = true;
            foreach (participant in all) {
                send participant, ePrepare, (coordinator = this, key = write.key, value = write.value);
            }
            goto Collecting;
        }
        on eRead do (read: (client: Client, key: int)) { send choose(all), eLook, read; }
    }

    state Collecting {
        defer eWrite, eRead;
        on eVote do (yes: bool) {
            votes = votes + 1;
            commits = commits && yes;
            if (votes == participants) {
                send all[0], eDecide, commits;
                send pending.client, eWritten, (key = pending.key, value = pending.value, is_done = commits);
                pending = default((client: Client, key: int, value: int));
                goto Serving;
            }
        }
    }
}

machine Participant {
    var stored: map[int, int];
    var prepared: (key: int, value: int);
    var voted: bool;

    start state Serving {
        on ePrepare do (prepare: (coordinator: Coordinator, key: int, value: int)) {
            prepared = (key = prepare.key, value = prepare.value);
            voted = $;
            send prepare.coordinator, eVote, voted;
        }
        on eDecide do (commits: bool) {
            assert voted || !commits, "commits against its own vote";
            if (commits) { stored[prepared.key] = prepared.value; }
            prepared = default((key: int, value: int));
            voted = false;
        }
        on eLook do (look: (client: Client, key: int)) {
            // 0 stands for nothing.
            if (look.key in stored) {
                send look.client, eValue, (key = look.key, value = stored[look.key]);
            } else {
                send look.client, eValue, (key = look.key, value = 0);
            }
        }
    }
}

machine Client {
    var coordinator: Coordinator;
    var written: int;
    var read: int;

    start state Working {
        entry (c: Coordinator) {
            coordinator = c;
            Next();
        }
        on eWritten do { Next(); }
        on eValue do { Next(); }
    }

    // Writes or reads, and waits for the answer.
    fun Next() {
        if (written < writes && (read == reads || $)) {
            written = written + 1;
            send coordinator, eWrite, (client = this, key = choose(2), value = 1 + choose(2));
        } else if (read < reads) {
            read = read + 1;
            send coordinator, eRead, (client = this, key = choose(2));
        }
    }
}

// A participant answers before it votes on what comes later, so nothing can have been written in between.
spec ReadsLastWritten observes eWritten, eValue {
    var written: map[int, int];
    start state Watching {
        on eWritten do (answer: (key: int, value: int, is_done: bool)) {
            if (answer.is_done) { written[answer.key] = answer.value; }
        }
        on eValue do (answer: (key: int, value: int)) {
            if (answer.key in written) {
                assert answer.value == written[answer.key], "an old value is read";
            } else {
                assert answer.value == 0, "a value is read that nobody has written";
            }
        }
    }
}

test param (clients in [1], participants in [2], writes in [1], reads in [1]) tcTransactions [main=Coordinator]:
    assert ReadsLastWritten in { Coordinator, Participant, Client };
