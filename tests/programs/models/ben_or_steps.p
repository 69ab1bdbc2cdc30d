// Consensus by tossing coins after Ben-Or, as one machine that knows what everybody has said and chooses who goes on, the way in which protocols
// are written in TLA+. In each round a node reports its value; once enough have reported it proposes the value of a majority, or none; and
// once enough have proposed it decides, takes over what somebody has proposed, or tosses a coin. A node looks at all that was said
// until then, so what it sees depends on when it looks. Who fails is never chosen again. Never do two nodes decide for different values.

event eGo;

enum tTask { REPORT, PROPOSE, CONCLUDE, REST }
// NOTHING is proposed by who has seen no majority; UNSAID stands for who has not said anything.
enum tSaid { ZERO, ONE, NOTHING, UNSAID }

type tNode = (task: tTask, round: int, value: tSaid, decision: tSaid);

param nodes: int;
param failing: int;
param rounds: int;

machine Main {
    var node: seq[tNode];
    // By round, and there by node.
    var reported: seq[seq[tSaid]];
    var proposed: seq[seq[tSaid]];

    start state Running {
        entry {
            var nobody: seq[tSaid];
            while (sizeof(node) < nodes) {
                // All but one begin with the same value.
                if (sizeof(node) < nodes - 1) { Join(ONE); } else { Join(ZERO); }
                nobody += (0, UNSAID);
            }
            while (sizeof(reported) < rounds) {
                reported += (0, nobody);
                proposed += (0, nobody);
            }
            send this, eGo;
        }
        on eGo do {
            GoOn(choose(nodes));
            if (!AllRest()) { send this, eGo; }
        }
    }

    fun Join(value: tSaid) {
        node += (0, (task = REPORT, round = 0, value = value, decision = UNSAID));
    }

    fun GoOn(who: int) {
        var round: int;
        round = node[who].round;
        if (node[who].task == REPORT) {
            reported[round][who] = node[who].value;
            node[who].task = PROPOSE;
        } else if (node[who].task == PROPOSE) {
            if (AreEnough(reported[round])) {
                proposed[round][who] = Majority(reported[round]);
                assert !(ZERO in proposed[round] && ONE in proposed[round]), "two majorities";
                node[who].task = CONCLUDE;
            }
        } else if (node[who].task == CONCLUDE) {
            if (AreEnough(proposed[round])) { Conclude(who, proposed[round]); }
        }
    }

    fun Conclude(who: int, said: seq[tSaid]) {
        var value: tSaid;
        value = NOTHING;
        if (ZERO in said) { value = ZERO; }
        if (ONE in said) { value = ONE; }
        if (value != NOTHING && Count(said, value) > failing) {
            assert !IsDecidedOtherwise(value), "two values are decided";
            node[who].decision = value;
        }
        if (value == NOTHING) {
            if ($) { value = ZERO; } else { value = ONE; }
        }
        node[who].value = value;
        node[who].round = node[who].round + 1;
        node[who].task = REPORT;
        if (node[who].round == rounds) { node[who].task = REST; }
    }

    fun IsDecidedOtherwise(value: tSaid): bool {
        var one: tNode;
        foreach (one in node) {
            if (one.decision != UNSAID && one.decision != value) { return true; }
        }
        return false;
    }

    fun Majority(said: seq[tSaid]): tSaid {
        if (2 * Count(said, ZERO) > nodes) { return ZERO; }
        if (2 * Count(said, ONE) > nodes) { return ONE; }
        return NOTHING;
    }

    fun AreEnough(said: seq[tSaid]): bool {
        return nodes - Count(said, UNSAID) >= nodes - failing;
    }

    fun Count(said: seq[tSaid], wanted: tSaid): int {
        var count: int;
        var one: tSaid;
        foreach (one in said) {
            if (one == wanted) { count = count + 1; }
        }
        return count;
    }

    fun AllRest(): bool {
        var one: tNode;
        foreach (one in node) {
            if (one.task != REST) { return false; }
        }
        return true;
    }
}

test param (nodes in [3, 4], failing in [1], rounds in [1, 2, 3]) tcBenOrSteps [main=Main]: { Main };
