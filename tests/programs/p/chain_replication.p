/* Chain replication: writes enter at the head and travel down the chain, reads are answered
   by the tail. The client checks that it reads its own writes. */

enum Role
{
    HEAD,
    MIDDLE,
    TAIL
}

type tWrite = (client : Client, key : string, value : int, version : int);
type tRead = (client : Client, key : string);
type tReadReply = (known : bool, value : int, version : int);

event eWrite : tWrite;
event eWriteDone : (key : string, version : int);
event eRead : tRead;
event eReadDone : tReadReply;
event eBecome : (role : Role, next : Replica);
event eChain : (head : Replica, tail : Replica);

machine Replica
{
    var role : Role;
    var next : Replica;
    var store : map[string, (value : int, version : int)];

    start state Unplaced
    {
        defer eWrite, eRead;

        on eBecome do (place : (role : Role, next : Replica))
        {
            role = place.role;
            next = place.next;
            if (role == TAIL)
            {
                goto AtTail;
            }
            goto InChain;
        }
    }

    state InChain
    {
        on eWrite do (w : tWrite)
        {
            if (role == HEAD)
            {
                w.version = NewVersion(w.key);
            }
            store[w.key] = (value = w.value, version = w.version);
            send next, eWrite, w;
        }

        on eRead do
        {
            assert false, "reads belong to the tail";
        }
    }

    state AtTail
    {
        on eWrite do (w : tWrite)
        {
            if (w.key in store)
            {
                assert store[w.key].version < w.version, format("{0} went back", w.key);
            }
            store[w.key] = (value = w.value, version = w.version);
            send w.client, eWriteDone, (key = w.key, version = w.version);
        }

        on eRead do (r : tRead)
        {
            var reply : tReadReply;

            reply = default(tReadReply);
            if (r.key in store)
            {
                reply = (known = true, value = store[r.key].value, version = store[r.key].version);
            }
            send r.client, eReadDone, reply;
        }
    }

    fun NewVersion(key : string) : int
    {
        if (key in store)
        {
            return store[key].version + 1;
        }
        else
        {
            return 1;
        }
    }
}

machine Client
{
    var head, tail : Replica;
    var mine : map[string, int];
    var todo : int;

    start state Waiting
    {
        entry
        {
            todo = 4;
        }

        on eChain do (chain : (head : Replica, tail : Replica))
        {
            head = chain.head;
            tail = chain.tail;
            goto Working;
        }
    }

    state Working
    {
        entry
        {
            var key : string;

            if (todo == 0)
            {
                goto Finished;
            }
            todo = todo - 1;
            key = "x";
            if (choose())
            {
                key = "y";
            }
            mine[key] = todo;
            send head, eWrite, (client = this, key = key, value = todo, version = 0);
            receive
            {
                case eWriteDone : (done : (key : string, version : int))
                {
                    assert done.key == key;
                }
            }
            send tail, eRead, (client = this, key = key);
            receive
            {
                case eReadDone : (reply : tReadReply)
                {
                    assert reply.known && reply.value == mine[key], "my write is gone";
                }
            }
            goto Working;
        }
    }

    state Finished
    {
    }
}

machine Operator
{
    start state Build
    {
        entry
        {
            var replicas : seq[Replica];
            var client : Client;
            var i, last : int;

            last = 2;
            while (i <= last)
            {
                replicas += (i, new Replica());
                i = i + 1;
            }
            send replicas[0], eBecome, (role = HEAD, next = replicas[1]);
            send replicas[1], eBecome, (role = MIDDLE, next = replicas[2]);
            send replicas[last], eBecome, (role = TAIL, next = default(Replica));
            client = new Client();
            send client, eChain, (head = replicas[0], tail = replicas[last]);
        }
    }
}

spec VersionsGrow observes eWriteDone
{
    var newest : map[string, int];

    start state Watching
    {
        on eWriteDone do (done : (key : string, version : int))
        {
            if (done.key in newest && newest[done.key] >= done.version)
            {
                assert false, format("{0} was written twice as version {1}", done.key, done.version);
            }
            newest[done.key] = done.version;
        }
    }
}

test tcChain [main = Operator] :
    assert VersionsGrow in { Operator, Client, Replica };
