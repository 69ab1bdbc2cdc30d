// A counter spread over shards behind one front end, written with the module system:
// interfaces, event sets as types, explicit sends and receives, and every sound way to put
// modules together.

event eAdd: (key: int, amount: int);
event eReadAll: TotalReader;
event eTotal: int;

event eShardAdd: int;
event eShardRead: (reader: ValueReader);
event eValue: (index: int, value: int);

eventset TotalReader = { eTotal };
eventset ValueReader = { eValue };
eventset FrontendEvents = { eAdd, eReadAll, eValue, halt }; // lockstep: allow(LS1108) because it shows how a set with `halt` is written

interface ICounter(int) receives eAdd, eReadAll;
interface IShard(int) receives eShardAdd, eShardRead;
interface ISlowShard(int) receives eShardAdd, eShardRead;
interface IMarker() receives; // lockstep: allow(LS1109) because it shows how an interface without events is written

machine Client
  receives eTotal;
  sends eAdd, eReadAll;
{
  var counter: ICounter;

  start state Init {
    entry {
      counter = new ICounter(3);
      send counter, eAdd, (key = 4, amount = 10);
      send counter, eAdd, (key = 5, amount = 1);
      send counter, eReadAll, this;
    }

    on eTotal do (total: int) {
      assert total == 11, format("lost {0}", 11 - total);
    }
  }
}

machine Frontend
  receives eAdd, eReadAll;
  receives eValue, halt;
  sends eShardAdd, eShardRead;
  sends eTotal;
{
  var shards: seq[IShard];

  start state Init {
    entry (size: int) {
      while (sizeof(shards) < size) {
        shards += (sizeof(shards), new IShard(sizeof(shards)));
      }
    }

    on eAdd do (change: (key: int, amount: int)) {
      send shards[change.key % sizeof(shards)], eShardAdd, change.amount;
    }

    on eReadAll do (reader: TotalReader) {
      send reader, eTotal, Sum();
    }
  }

  fun Sum(): int {
    var total: int;
    var shard: IShard;

    foreach (shard in shards) {
      send shard, eShardRead, (reader = this to ValueReader,);
      receive {
        case eValue: (answer: (index: int, value: int)) {
          assert answer.index < sizeof(shards);
          total = total + answer.value;
        }
      }
    }
    return total;
  }
}

machine Shard
  receives eShardAdd, eShardRead;
  sends eValue;
{
  var index, value: int;

  start state Init {
    entry (i: int) { index = i; }
    on eShardAdd do (amount: int) { value = value + amount; }
    on eShardRead do (request: (reader: ValueReader)) {
      send request.reader, eValue, (index = index, value = value);
    }
  }
}

// Collects the amounts and adds them up only when somebody asks.
machine SlowShard
  receives eShardAdd, eShardRead;
  sends eValue;
{
  var index: int;
  var amounts: seq[int];

  start state Init {
    entry (i: int) { index = i; }
    on eShardAdd do (amount: int) { amounts += (0, amount); }
    on eShardRead do (request: (reader: ValueReader)) {
      var value, amount: int;
      foreach (amount in amounts) value = value + amount;
      send request.reader, eValue, (index = index, value = value);
    }
  }
}

spec NothingInvented observes eAdd, eTotal {
  var added: int;
  start state Watching {
    on eAdd do (change: (key: int, amount: int)) { added = added + change.amount; }
    on eTotal do (total: int) { assert total <= added; }
  }
}

module FrontOnly = { Frontend -> ICounter };
module FastShards = { Shard -> IShard };
module SlowShards = rename ISlowShard to IShard in { SlowShard -> ISlowShard };

module FastCounter = hidei IShard in (compose FrontOnly, FastShards);
module SlowCounter = compose FrontOnly, SlowShards;

test tcFast [main=Client]: assert NothingInvented in (compose { Client }, FastCounter);
test tcSlow [main=Client]: assert NothingInvented in (main Client in (union { Client }, (SlowCounter)));

implementation counterApp [main=Client]: compose { Client }, FastCounter;
