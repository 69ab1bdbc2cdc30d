// A failure detector: round by round it pings all nodes and sets a timer. When the timer goes off, before or after the answers, nodes that have
// not answered have missed the round. Who has missed two rounds in a row is reported and not pinged any more. One node fails at some moment.
// The timer can be early, so a node that is reported need not have failed.
//
// Sizes: 1, 2 or 3 nodes beside the detector, its timer, its client and whoever makes a node fail; 2 or 3 rounds.
// Checked: whoever is reported has missed the last two rounds, which a spec counts on its own, and is reported once.

event ePing: (round: int, detector: Detector);
event ePong: (round: int, node: Node);
event eStart;
event eTimeout;
event eFail;
event eReport: Node;
// The spec is told which node was heard of in time, and when a round has ended.
event eHeard: Node;
event eRoundOver;

param nodes: int;
param rounds: int;

machine Client {
    start state Watching {
        entry {
            var all: set[Node];
            while (sizeof(all) < nodes) { all += (new Node()); }
            new Detector((client = this, nodes = all));
            new Saboteur(all);
        }
        ignore eReport;
    }
}

machine Saboteur {
    start state Choosing {
        entry (all: set[Node]) { send choose(all), eFail; }
    }
}

machine Timer {
    var detector: Detector;

    start state Serving {
        entry (owner: Detector) { detector = owner; }
        on eStart do { send detector, eTimeout; }
    }
}

machine Detector {
    var client: Client;
    var timer: Timer;
    // Who is pinged, who has missed the last round, and who has answered in this one.
    var watched: set[Node];
    var late: set[Node];
    var heard: set[Node];
    var round: int;

    start state Watching {
        entry (task: (client: Client, nodes: set[Node])) {
            client = task.client;
            watched = task.nodes;
            timer = new Timer(this);
            Begin();
        }
        on ePong do (answer: (round: int, node: Node)) {
            // What comes after the end of its round does not count.
            if (answer.round == round) {
                heard += (answer.node);
                announce eHeard, answer.node;
            }
        }
        on eTimeout do {
            End();
            if (round < rounds) { Begin(); } else { goto Done; }
        }
    }

    state Done {
        ignore ePong;
    }

    fun Begin() {
        var node: Node;
        round = round + 1;
        foreach (node in watched) { send node, ePing, (round = round, detector = this); }
        send timer, eStart;
    }

    fun End() {
        var missing: set[Node];
        var node: Node;
        announce eRoundOver;
        foreach (node in watched) {
            if (!(node in heard)) {
                if (node in late) { send client, eReport, node; } else { missing += (node); }
            }
        }
        foreach (node in late) {
            if (!(node in heard)) { watched -= (node); }
        }
        late = missing;
        heard = default(set[Node]);
    }
}

machine Node {
    start state Up {
        on ePing do (ping: (round: int, detector: Detector)) { send ping.detector, ePong, (round = ping.round, node = this); }
        on eFail goto Down;
    }

    state Down {
        ignore ePing;
    }
}

// Nobody is reported whom the detector has heard of in one of the last two rounds, or twice.
spec TwiceMissed observes eHeard, eRoundOver, eReport {
    // Who was heard of in this round, in the one before, and in the one before that.
    var now: set[Node];
    var before: set[Node];
    var last: set[Node];
    var reported: set[Node];
    var over: int;
    start state Watching {
        on eHeard do (node: Node) { now += (node); }
        on eRoundOver do {
            over = over + 1;
            last = before;
            before = now;
            now = default(set[Node]);
        }
        on eReport do (node: Node) {
            assert over >= 2 && !(node in before) && !(node in last), "a node is reported that was heard of";
            assert !(node in reported), "a node is reported twice";
            reported += (node);
        }
    }
}

test param (nodes in [1, 2, 3], rounds in [2, 3]) tcFailureDetector [main=Client]:
    assert TwiceMissed in { Client, Saboteur, Timer, Detector, Node };
