// Streamlet that takes a block for notarized with half of the votes, of which one is that of the faulty node.
// fault: wrong constant
// expect: assertion
// says: two blocks of one height are final

event eLearn: int;
event ePropose;
event eVote: int;

param epochs: int;
// Votes that it takes; there are three honest nodes and a faulty one.
param quorum: int;

machine Network {
    // Of each block, by its number: the root is 0, and epoch e has the blocks 2e-1 and 2e.
    var parent: seq[int];
    var height: seq[int];
    var votes: seq[int];
    // What each honest node knows to be notarized.
    var known: seq[seq[bool]];
    // The final block of each height, 0 for none.
    var final: seq[int];
    var epoch: int;
    // Whether the second block of the epoch exists.
    var has_two: bool;

    start state Running {
        entry {
            while (sizeof(known) < 3) { known += (0, default(seq[bool])); }
            while (sizeof(final) <= epochs) { final += (0, 0); }
            AddBlock(0);
            votes[0] = quorum;
            known[0][0] = true;
            known[1][0] = true;
            known[2][0] = true;
            send this, ePropose;
        }
        // A node learns of any of the notarized blocks, unless the epochs are over.
        on eLearn do (node: int) {
            var block: int;
            while (block < sizeof(parent)) {
                if (votes[block] >= quorum && !known[node][block]) { known[node][block] = true; }
                block = block + 1;
            }
            if (node < 2) { send this, eLearn, node + 1; } else { send this, ePropose; }
        }
        on ePropose do {
            var leader: int;
            epoch = epoch + 1;
            leader = 3;
            has_two = leader == 3;
            if (has_two) {
                AddBlock(choose(2 * epoch - 1));
                AddBlock(choose(2 * epoch - 1));
            } else {
                AddBlock(LongestOf(leader, choose(2 * epoch - 1)));
                // Nobody hears of it.
                AddBlock(0);
            }
            send this, eVote, 0;
        }
        on eVote do (node: int) {
            var block: int;
            block = 2 * epoch - 1;
            if (has_two && $) { block = block + 1; }
            if (known[node][parent[block]] && height[block] > Longest(node)) {
                votes[block] = votes[block] + 1;
                if (votes[block] == quorum) { Finalize(block); }
            }
            if (node < 2) {
                send this, eVote, node + 1;
            } else if (epoch < epochs) {
                send this, eLearn, 0;
            }
        }
    }

    // A block has the vote of the faulty node from the beginning.
    fun AddBlock(behind: int) {
        var node: int;
        var block: int;
        block = sizeof(parent);
        parent += (block, behind);
        height += (block, 0);
        if (block > 0) { height[block] = height[behind] + 1; }
        votes += (block, 1);
        while (node < 3) {
            known[node] += (block, false);
            node = node + 1;
        }
    }

    // The height of the longest chains that a node knows.
    fun Longest(node: int): int {
        var block: int;
        var longest: int;
        while (block < sizeof(parent)) {
            if (known[node][block] && height[block] > longest) { longest = height[block]; }
            block = block + 1;
        }
        return longest;
    }

    // A wish, if it ends one of the longest chains that a node knows, and otherwise the first that does.
    fun LongestOf(node: int, wish: int): int {
        var block: int;
        var longest: int;
        longest = Longest(node);
        if (known[node][wish] && height[wish] == longest) { return wish; }
        while (!known[node][block] || height[block] != longest) { block = block + 1; }
        return block;
    }

    // A block was notarized: with two blocks before it, the one between may be final.
    fun Finalize(last: int) {
        var middle: int;
        middle = parent[last];
        if (middle > 0 && parent[middle] > 0 && EpochOf(middle) + 1 == epoch && EpochOf(parent[middle]) + 2 == epoch) {
            while (middle > 0) {
                assert final[height[middle]] == 0 || final[height[middle]] == middle, "two blocks of one height are final";
                final[height[middle]] = middle;
                middle = parent[middle];
            }
        }
    }

    fun EpochOf(block: int): int {
        return (block + 1) / 2;
    }
}

test param (epochs in [3], quorum in [2]) tcStreamlet [main=Network]: { Network };
