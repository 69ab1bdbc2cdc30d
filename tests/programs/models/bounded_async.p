// Rounds without a common clock: nodes on a ring tell both neighbours in which round they are, and go on to the next one when both have told
// them the same round. So neighbours are never more than one round apart, however the messages are late, and all come to the last round.
//
// Sizes: 3, 4 or 5 nodes; 2, 3 or 4 rounds.
// Checked: who hears of a round is in that round or the one before it (or has just left it for the other neighbour), and over the whole ring nobody is
// further ahead than nodes are away from each other.

event eMeet: (left: Node, right: Node, place: int);
event eRound: int;
event eEntered: (place: int, round: int);

param nodes: int;
param rounds: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Node];
            var i: int;
            while (sizeof(all) < nodes) { all += (sizeof(all), new Node()); }
            while (i < nodes) {
                send all[i], eMeet, (left = all[(i + nodes - 1) % nodes], right = all[(i + 1) % nodes], place = i);
                i = i + 1;
            }
        }
    }
}

machine Node {
    var left: Node;
    var right: Node;
    var place: int;
    var round: int;
    // How many neighbours have told this round and the next.
    var now: int;
    var soon: int;

    start state Waiting {
        defer eRound;
        on eMeet do (seats: (left: Node, right: Node, place: int)) {
            left = seats.left;
            right = seats.right;
            place = seats.place;
            Enter();
            goto Running;
        }
    }

    state Running {
        on eRound do (told: int) {
            assert told == round || told == round + 1, "neighbours are more than one round apart";
            if (told == round) { now = now + 1; } else { soon = soon + 1; }
            if (now == 2) {
                now = soon;
                soon = 0;
                if (round == rounds) { goto Done; }
                Enter();
            }
        }
    }

    state Done { }

    fun Enter() {
        round = round + 1;
        announce eEntered, (place = place, round = round);
        send left, eRound, round;
        send right, eRound, round;
    }
}

// Nobody is further ahead of another than they are away from each other.
spec Drift observes eEntered {
    var round: map[int, int];
    start state Watching {
        on eEntered do (entered: (place: int, round: int)) {
            var other: int;
            var away: int;
            round[entered.place] = entered.round;
            while (other < nodes) {
                away = entered.place - other;
                if (away < 0) { away = 0 - away; }
                if (nodes - away < away) { away = nodes - away; }
                if (other in round) {
                    assert round[entered.place] - round[other] <= away, "too far ahead";
                } else {
                    assert entered.round <= away, "far ahead of one that has not begun";
                }
                other = other + 1;
            }
        }
    }
}

test param (nodes in [3, 4, 5], rounds in [2, 3, 4]) tcBoundedAsync [main=Main]: { Main, Node };
test param (nodes in [3, 4], rounds in [2, 3]) tcBoundedAsyncDrift [main=Main]: assert Drift in { Main, Node };
