// Leader election on a ring after Chang and Roberts: those who want to lead send their numbers round, and who sees its own number again has
// won. In one test everybody wants to, in the other any of them.

event eNext: tPlace;
event eElect: int;
event eElected: int;

// `largest` is who should win.
type tPlace = (next: Node, runs: bool, largest: int);

param nodes: int;
param all_run: bool;

machine Main {
    start state Init {
        entry {
            var all: seq[Node];
            var run: seq[bool];
            var largest: int;
            var i: int;
            while (i < nodes) {
                // Numbers fall along the ring, which makes many messages.
                all += (i, new Node(nodes - i));
                run += (i, all_run || $);
                if (run[i] && nodes - i > largest) { largest = nodes - i; }
                i = i + 1;
            }
            i = 0;
            while (i < nodes) {
                send all[i], eNext, (next = all[(i + 1) % nodes], runs = run[i], largest = largest);
                i = i + 1;
            }
        }
    }
}

machine Node {
    var number: int;
    var place: tPlace;

    start state Waiting {
        entry (own: int) { number = own; }
        defer eElect, eElected;
        on eNext do (own: tPlace) {
            place = own;
            if (place.runs) { send place.next, eElect, number; }
            goto Running;
        }
    }

    state Running {
        on eElect do (other: int) {
            if (other > number || !place.runs) {
                send place.next, eElect, other;
            } else if (other == number) {
                assert number == place.largest, "a node that is not the largest has won";
                send place.next, eElected, number;
            }
        }
        on eElected do (leader: int) {
            assert leader == place.largest;
            if (leader != number) { send place.next, eElected, leader; }
            goto Done;
        }
    }

    state Done {
        ignore eElect, eElected;
    }
}

test param (nodes in [3, 4, 5, 6, 7, 8, 10], all_run in [true]) tcRing [main=Main]: { Main, Node };
test param (nodes in [3, 4, 5, 6, 7], all_run in [false]) tcRingAny [main=Main]: { Main, Node };
