/* A token bucket: callers spend tokens, a clock refills the bucket. Dense formatting. */
event eCall: (caller: machine, cost: int); event eAllowed: int; event eRefused; event eRefill;
enum Policy { STRICT = 1, LENIENT = 2 }
param capacity, refills: int;
param lenient: bool;

machine Bucket {
    var tokens: int; var policy: Policy;
    start state Init { entry (p: Policy) { tokens = capacity; policy = p; goto Open; } }
    state Open {
        on eCall do (c: (caller: machine, cost: int)) {
            if (c.cost <= tokens || (policy == LENIENT && tokens > 0)) { tokens = tokens - c.cost; send c.caller, eAllowed, tokens; }
            else send c.caller, eRefused;
            if (tokens <= 0) goto Empty;
        }
        on eRefill do { Refill(); }
    }
    state Empty {
        on eCall do (c: (caller: machine, cost: int)) { send c.caller, eRefused; }
        on eRefill goto Refilled with Refill;
    }
    state Refilled {
        entry { assert !(tokens > capacity), "too many tokens"; if (tokens > 0) { goto Open; } goto Empty; }
    }
    fun Refill() { if (tokens < capacity) { tokens = -(0 - tokens) + -1 * -1; } }
}
machine Clock {
    start state Ticking {
        entry (bucket: Bucket) { var i: int; while (i < refills) { i = i + 1; send bucket, eRefill; } }
    }
}
machine Caller {
    var allowed: int;
    start state Calling {
        entry (bucket: Bucket) {
            var cost: int;
            foreach (cost in Costs()) { send bucket, eCall, (caller = this, cost = cost); }
        }
        on eAllowed do { allowed = allowed + 1; }
        on eRefused do { { } }
    }
    fun Costs(): seq[int] { var s: seq[int]; s += (0, 1); s += (1, 2); s += (2, 1 + choose(2)); return s; }
}
machine Start {
    start state Init {
        entry {
            var bucket: Bucket; var policy: Policy;
            policy = STRICT;
            if (lenient == true) policy = LENIENT;
            bucket = new Bucket(policy); new Clock(bucket); new Caller(bucket); new Caller(bucket);
        }
    }
}
module Limiter = { Start, Bucket, Clock, Caller };
test param (capacity in [1, 2], refills in [-1, 3]) tcAll [main=Start]: Limiter;
test param (capacity in [2, 3], refills in [0, 1], lenient in [true, false]) assume (capacity > refills && (lenient || refills > 0)) (2 wise) tcPairs [main=Start]: Limiter;
test param (capacity in [1, 2], lenient in [false, true]) pairwise tcAllPairs [main=Start]: Limiter;
test param (refills in [1, 2]) assume refills >= 1 tcOne [main=Start]: Limiter;
