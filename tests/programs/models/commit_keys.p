// Two-phase commit of writes to a store with many keys: a coordinator writes one value after the other, each larger than the one before, to keys
// that are chosen. Whoever writes again and again has infinitely many states, since the values never end. What is checked is about one key.
//
// Sizes: 2, 4 or 6 participants; 2 or 3 keys and one or two writes, or 1000 keys and writes without an end (9999).
// Checked: nobody commits what it has voted against, and after each decision every participant has what was last written to the distinguished key.
//
// Abstraction: `tWrite.key`, and whatever it is copied to, only matters as far as it is equal to `Distinguished()`, and `tWrite.value` as far as it
// is equal to `Watched()`. With the others taken together there is an end to the states, and what is checked is proved for all of them.

type tWrite = (key: int, value: int);

event ePrepare: (coordinator: Coordinator, write: tWrite);
event eVote: bool;
event eDecide: bool;
// What a participant has under the distinguished key after a decision.
event eHolds: (who: Participant, value: int);
event eDecided: (write: tWrite, commits: bool);

param participants: int;
param key_count: int;
param writes: int;

machine Coordinator {
    var all: seq[Participant];
    var votes: int;
    var commits: bool;
    var write: tWrite;
    // How many writes are left, if they have an end.
    var left: int;

    start state Init {
        entry {
            while (sizeof(all) < participants) { all += (sizeof(all), new Participant()); }
            left = writes;
            goto Asking;
        }
    }

    state Asking {
        entry {
            var participant: Participant;
            if (left == 0) { goto Done; }
            if (left < 9999) { left = left - 1; }
            // lockstep: abstract(key = 0, value = 1) because only these are looked at
            write = (key = choose(key_count), value = write.value + 1);
            votes = 0;
            commits = true;
            foreach (participant in all) { send participant, ePrepare, (coordinator = this, write = write); }
        }
        on eVote do (yes: bool) {
            votes = votes + 1;
            commits = commits && yes;
            if (votes == participants) { goto Deciding; }
        }
    }

    state Deciding {
        entry {
            var participant: Participant;
            announce eDecided, (write = write, commits = commits);
            foreach (participant in all) { send participant, eDecide, commits; }
            goto Asking;
        }
    }

    state Done { }
}

machine Participant {
    var write: tWrite;
    var voted: bool;
    // What is stored under the distinguished key; other keys are somebody else's business.
    var held: int;

    start state Serving {
        on ePrepare do (prepare: (coordinator: Coordinator, write: tWrite)) {
            write = prepare.write;
            voted = $;
            send prepare.coordinator, eVote, voted;
        }
        on eDecide do (commits: bool) {
            assert voted || !commits, "commits against its own vote";
            if (commits && write.key == Distinguished()) { held = write.value; }
            announce eHolds, (who = this, value = held);
        }
    }
}

fun Distinguished(): int {
    return 0;
}

// A value that is watched; it stands for any.
fun Watched(): int {
    return 1;
}

// After each decision everybody has the value of the last write to the distinguished key that was committed. Nobody votes before it has done what was
// decided before, so the next decision comes after all have told what they have.
spec SameValue observes eDecided, eHolds {
    var value: int;
    start state Watching {
        on eDecided do (decided: (write: tWrite, commits: bool)) {
            if (decided.commits && decided.write.key == Distinguished()) { value = decided.write.value; }
        }
        on eHolds do (holds: (who: Participant, value: int)) {
            assert (holds.value == Watched()) == (value == Watched()), "a participant has another value";
        }
    }
}

test param (participants in [2, 4, 6], key_count in [2, 3, 1000], writes in [1, 2, 9999]) tcCommitKeys [main=Coordinator]:
    assert SameValue in { Coordinator, Participant };
