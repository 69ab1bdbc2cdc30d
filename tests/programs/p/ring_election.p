// Leader election on a one-way ring: every node sends its rank round, ranks smaller than the
// node's own are swallowed, and the node whose rank comes home is the leader.

event eNeighbour : Node;
event eRank : int;
event eElected : (leader : machine, rank : int);

machine Node
{
    var next : Node;
    var rank : int;

    start state Unlinked
    {
        entry (given : (machine, int))
        {
            rank = given.1;
            print format("{0} was made by {1} with rank {2}", this, given.0, rank);
        }

        defer eRank, eElected;
        on eNeighbour goto Candidate with Link;
    }

    state Candidate
    {
        entry
        {
            send next, eRank, rank;
        }

        on eRank do Compare;
        on eElected goto Follower;
    }

    state Leader
    {
        entry
        {
            announce eElected, (leader = this, rank = rank);
            send next, eElected, (leader = this, rank = rank);
        }

        on eRank do (other : int)
        {
            assert other < rank, "a bigger rank is still on its way";
        }

        on eElected do (news : (leader : machine, rank : int))
        {
            assert news.leader == this;
            raise halt;
        }
    }

    state Follower
    {
        entry (news : (leader : machine, rank : int))
        {
            send next, eElected, news;
        }

        ignore eRank;
        on eElected do { ; }
    }

    fun Link(node : Node)
    {
        next = node;
    }

    fun Compare(other : int)
    {
        if (other == rank)
        {
            goto Leader;
        }
        else if (other > rank)
            send next, eRank, other;
    }
}

machine Ring
{
    var nodes : seq[Node];

    start state Build
    {
        entry
        {
            var i, size : int;
            var ranks : seq[int];

            ranks = Shuffle(4);
            size = sizeof(ranks);
            while (i < size)
            {
                nodes += (i, new Node(this, ranks[i]));
                i = i + 1;
            }
            i = 0;
            while (i < size)
            {
                send nodes[i], eNeighbour, nodes[(i + 1) % size];
                i = i + 1;
            }
        }
    }
}

// The numbers 1 to n in some order.
fun Shuffle(n : int) : seq[int]
{
    var left : set[int];
    var result : seq[int];
    var pick, i : int;

    while (i < n)
    {
        i = i + 1;
        left += (i);
    }
    while (sizeof(left) > 0)
    {
        pick = choose(left);
        left -= pick;
        result += (0, pick);
    }
    return result;
}

spec OneLeader observes eElected
{
    var leaders : set[machine];

    start hot state NoLeader
    {
        on eElected goto HasLeader with (news : (leader : machine, rank : int))
        {
            leaders += (news.leader);
        }
    }

    cold state HasLeader
    {
        on eElected do (news : (leader : machine, rank : int))
        {
            leaders += (news.leader);
            assert sizeof(leaders) == 1, format("{0} leaders", sizeof(leaders));
        }
    }
}

test tcRing [main = Ring] : assert OneLeader in { Ring, Node };
