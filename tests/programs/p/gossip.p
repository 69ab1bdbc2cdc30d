// Gossip averaging: nodes hold temperatures, push half of the difference to a random peer,
// and the mean must stay the same. The arithmetic is done in floats and in tenths.

type tReading = (celsius: float, weight: int);
type Peers = set[GossipNode];

event ePeers: Peers;
event ePush: tReading;
event eReport: float;
event eRound;

machine GossipNode {
   var peers: Peers;
   var reading: tReading;
   var heard: map[int, float];
   var rounds: int;

   start state Waiting {
      entry (celsius: float) {
         reading.celsius = celsius;
         reading.weight = 1;
      }
      on ePeers do (all: Peers) {
         peers = all;
         peers -= (this);
         goto Gossiping;
      }
      defer ePush;
   }

   state Gossiping {
      entry { send this, eRound; }

      on eRound do {
         if (rounds >= 3) {
            announce eReport, Rounded(reading.celsius);
            return;
         }
         rounds = rounds + 1;
         send choose(peers), ePush, (celsius = reading.celsius, weight = rounds);
         send this, eRound;
      }

      on ePush do (other: tReading) {
         var mean: float;
         var t: float;

         mean = (reading.celsius + other.celsius) / 2.0;
         heard[other.weight] = mean;
         reading.celsius = mean;
         foreach (t in values(heard)) {
            assert t > -50.0 && t < 60.0 && !(t == 0.0 - 99.9);
         }
      }
   }

   fun Rounded(x: float): float {
      var tenths: int;
      var rest: float;

      tenths = (x * 10.0 + .5) to int;
      rest = x - (tenths to float);
      if (rest <= 0.05 || rest >= .95)
         return tenths to float / 10.0;
      return (tenths % 1000) to float * 0.1;
   }
}

spec StaysSane observes eReport {
   var lowest, highest: float;
   start state Init {
      entry { lowest = 100.0; highest = -100.0; }
      on eReport do (celsius: float) {
         if (celsius < lowest) { lowest = celsius; }
         if (celsius > highest) { highest = celsius; }
         assert highest - lowest < 50.5, format("spread from {0} to {1}", lowest, highest);
      }
   }
}

machine Town {
   start state Init {
      entry {
         var all: Peers;
         var node: GossipNode;
         var chosen: int;

         all += (new GossipNode(20.5));
         all += (new GossipNode(-3.25));
         all += (new GossipNode(choose(30) to float));
         chosen = choose(sizeof(all));
         foreach (node in all) {
            send node, ePeers, all;
         }
         print format("the {0}th of {1} starts", chosen, sizeof(all));
      }
   }
}

test tcGossip [main=Town]: assert StaysSane in { Town, GossipNode };
