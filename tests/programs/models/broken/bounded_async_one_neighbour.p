// Rounds that end when one of two neighbours has told that it is there.
// fault: wrong constant
// expect: assertion
// says: neighbours are more than one round apart

event eMeet: (left: Node, right: Node);
event eRound: int;

param nodes: int;
param rounds: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Node];
            var i: int;
            while (sizeof(all) < nodes) { all += (sizeof(all), new Node()); }
            while (i < nodes) {
                send all[i], eMeet, (left = all[(i + nodes - 1) % nodes], right = all[(i + 1) % nodes]);
                i = i + 1;
            }
        }
    }
}

machine Node {
    var left: Node;
    var right: Node;
    var round: int;
    // How many neighbours have told this round and the next.
    var now: int;
    var soon: int;

    start state Waiting {
        defer eRound;
        on eMeet do (seats: (left: Node, right: Node)) {
            left = seats.left;
            right = seats.right;
            Enter();
            goto Running;
        }
    }

    state Running {
        on eRound do (told: int) {
            assert told == round || told == round + 1, "neighbours are more than one round apart";
            if (told == round) { now = now + 1; } else { soon = soon + 1; }
            if (now > 0) {
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
        send left, eRound, round;
        send right, eRound, round;
    }
}

test param (nodes in [3], rounds in [3]) tcBoundedAsync [main=Main]: { Main, Node };
