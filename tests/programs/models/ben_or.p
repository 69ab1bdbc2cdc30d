// Consensus by tossing coins after Ben-Or. In each round everybody reports its value; who has seen a majority for one value proposes it. Who
// has seen more proposals of a value than nodes may fail decides for it, who has seen one takes it over, and who has seen none
// tosses a coin. Nobody waits for more messages than come if the others have failed. Never do two nodes decide for different values.

event eMeet: seq[Node];
// A value is 0 or 1, or 2 for none. In even phases it is reported, in odd ones proposed.
event eSay: (phase: int, value: int);
event eDecided: int;

param nodes: int;
param failing: int;
param rounds: int;

machine Main {
    start state Init {
        entry {
            var all: seq[Node];
            var i: int;
            while (i < nodes) {
                // All but one begin with the same value.
                if (i == 0) { all += (i, new Node(0)); } else { all += (i, new Node(1)); }
                i = i + 1;
            }
            i = 0;
            while (i < nodes) {
                send all[i], eMeet, all;
                i = i + 1;
            }
        }
    }
}

machine Node {
    var all: seq[Node];
    var value: int;
    var phase: int;
    // How many messages of each value have come, from this phase on.
    var seen: seq[seq[int]];

    start state Waiting {
        defer eSay;
        entry (first: int) {
            value = first;
            while (sizeof(seen) < 2 * rounds) { seen += (sizeof(seen), Nobody()); }
        }
        on eMeet do (everybody: seq[Node]) {
            all = everybody;
            Say(value);
            goto Running;
        }
    }

    state Running {
        on eSay do (message: (phase: int, value: int)) {
            // What is late does not count.
            if (message.phase < phase) { return; }
            Count(message.phase - phase, message.value);
            while (sizeof(seen) > 0 && Enough()) { Next(); }
            if (sizeof(seen) == 0) { goto Done; }
        }
    }

    state Done {
        ignore eSay;
    }

    fun Count(later: int, said: int) {
        seen[later][said] = seen[later][said] + 1;
    }

    fun Enough(): bool {
        return seen[0][0] + seen[0][1] + seen[0][2] >= nodes - failing;
    }

    // Goes on to the next phase.
    fun Next() {
        var now: seq[int];
        var says: int;
        now = seen[0];
        seen -= (0);
        phase = phase + 1;
        if (phase % 2 == 1) {
            says = 2;
            if (2 * now[0] > nodes) { says = 0; }
            if (2 * now[1] > nodes) { says = 1; }
        } else {
            assert now[0] == 0 || now[1] == 0, "two majorities";
            if (now[0] > 0) { value = 0; } else if (now[1] > 0) { value = 1; } else { value = choose(2); }
            if (now[0] > failing || now[1] > failing) { announce eDecided, value; }
            says = value;
        }
        if (sizeof(seen) > 0) { Say(says); }
    }

    // Tells all others.
    fun Say(says: int) {
        var node: Node;
        Count(0, says);
        foreach (node in all) {
            if (node != this) { send node, eSay, (phase = phase, value = says); }
        }
    }

    fun Nobody(): seq[int] {
        var none: seq[int];
        none += (0, 0);
        none += (1, 0);
        none += (2, 0);
        return none;
    }
}

spec Agreement observes eDecided {
    var decided: set[int];
    start state Watching {
        on eDecided do (value: int) {
            decided += (value);
            assert sizeof(decided) == 1, "two values are decided";
        }
    }
}

test param (nodes in [3, 4], failing in [1], rounds in [1, 2, 3]) tcBenOr [main=Main]: assert Agreement in { Main, Node };
