// Hybrid logical clocks in which a count begins again with whatever was heard of.
// fault: wrong value
// expect: assertion
// says: the stamps of a node do not grow

event eGo;

type tStamp = (time: int, count: int);

param nodes: int;
param max_time: int;
param drift: int;

machine Clocks {
    var physical: seq[int];
    var stamp: seq[tStamp];
    var told: seq[tStamp];

    start state Running {
        entry {
            while (sizeof(physical) < nodes) {
                physical += (0, 0);
                stamp += (0, default(tStamp));
                told += (0, default(tStamp));
            }
            send this, eGo;
        }
        on eGo do {
            var node: int;
            node = choose(nodes);
            // A clock that is far ahead waits for the others.
            if (physical[node] < max_time && physical[node] < Slowest() + drift) {
                physical[node] = physical[node] + 1;
                if ($) { Send(node); } else { Receive(node, choose(nodes)); }
                Check(node);
            }
            if (Slowest() < max_time) { send this, eGo; }
        }
    }

    fun Send(node: int) {
        Advance(node, (time = physical[node], count = 0 - 1));
        told[node] = stamp[node];
    }

    fun Receive(node: int, from: int) {
        Advance(node, told[from]);
        assert IsLess(told[from], stamp[node]), "a message has no smaller stamp than what it brings about";
    }

    // Gives a new stamp after the own last one, and after another that was heard of.
    fun Advance(node: int, heard: tStamp) {
        var next: tStamp;
        next.time = physical[node];
        next.count = 0;
        if (stamp[node].time > next.time) { next.time = stamp[node].time; }
        next = After(next, heard);
        assert IsLess(stamp[node], next), "the stamps of a node do not grow";
        stamp[node] = next;
    }

    // The least stamp that is not before one stamp and after another.
    fun After(least: tStamp, other: tStamp): tStamp {
        if (other.time > least.time || (other.time == least.time && other.count >= least.count)) {
            return (time = other.time, count = other.count + 1);
        }
        return least;
    }

    fun IsLess(first: tStamp, second: tStamp): bool {
        return first.time < second.time || (first.time == second.time && first.count < second.count);
    }

    fun Slowest(): int {
        var slowest: int;
        var time: int;
        slowest = max_time;
        foreach (time in physical) {
            if (time < slowest) { slowest = time; }
        }
        return slowest;
    }

    fun Check(node: int) {
        assert stamp[node].time >= physical[node], "a stamp is behind the clock";
        assert stamp[node].time <= physical[node] + drift, "a stamp is further ahead than clocks drift";
        assert stamp[node].count <= nodes * (drift + 1), "a count is too large";
    }
}

test param (nodes in [2], max_time in [3], drift in [2]) tcHybridClock [main=Clocks]: { Clocks };
