// Go-back-N over a channel that loses, delays and repeats packets.
type tPacket = (number: int, body: string);
type tAck = (upTo: int);

event ePacket: tPacket;
event eAck: tAck;
event eResend;
event eConnect: machine;
event eDelivered: tPacket;

fun Unreliable(target: machine, message: event, payload: any) {
  var copies: int;
  copies = choose(3);
  while (copies > 0) {
    send target, message, payload;
    copies = copies - 1;
  }
}

// Adds a line for every packet of a seq, skipping empty ones, up to the first "end".
fun Render(packets: seq[tPacket]): string {
  var text: string;
  var packet: tPacket;

  foreach (packet in packets) {
    if (packet.body == "") continue;
    if (packet.body == "end") break;
    text = text + format("{0}={1}\n", packet.number, packet.body);
  }
  return text;
}

machine Sender {
  var receiver: machine;
  var packets: seq[tPacket];
  var acked, next, budget: int;

  start state Init {
    entry (bodies: seq[string]) {
      var body: string;
      foreach (body in bodies) {
        packets += (sizeof(packets), (number = sizeof(packets), body = body));
      }
      budget = 20;
      print Render(packets);
    }
    on eConnect do (peer: machine) { receiver = peer; goto Sending; }
  }

  state Sending {
    entry {
      Fill(3);
      if (budget > 0) { send this, eResend; }
    }
    on eAck do (ack: tAck) {
      if (ack.upTo > acked) {
        acked = ack.upTo;
        if (acked == sizeof(packets)) goto Finished;
        Fill(3);
      }
    }
    on eResend goto Sending with GoBack;
  }

  state Finished {
    entry { print "all acknowledged"; }
    ignore eAck, eResend;
  }

  fun Fill(window: int) {
    while (next < acked + window && next < sizeof(packets)) {
      Unreliable(receiver, ePacket, packets[next]);
      next = next + 1;
    }
  }

  fun GoBack() {
    next = acked;
    budget = budget - 1;
  }
}

machine Receiver {
  var peer: machine;
  var expected: int;
  var window: (int, int);
  var log: map[int, seq[string]];

  start state Receiving {
    entry (sender: machine) {
      peer = sender;
      window = (0, 3);
      log[0] = default(seq[string]);
      send peer, eConnect, this;
    }
    on ePacket do (packet: tPacket) {
      if (packet.number == expected) {
        expected = expected + 1;
        window.0 = expected;
        window.1 = expected + 3;
        log[0] += (sizeof(log[0]), packet.body);
        announce eDelivered, packet;
      } else {
        assert packet.number < window.1, "the sender overran the window";
      }
      Unreliable(peer, eAck, (upTo = expected,));
    }
  }
}

spec InOrder observes eDelivered {
  var last: int;
  start state Watching {
    entry { last = -1; }
    on eDelivered do (packet: tPacket) {
      assert packet.number == last + 1, format("{0} came after {1}", packet.number, last);
      last = packet.number;
    }
  }
}

machine Main {
  start state Init {
    entry {
      var bodies: seq[string];
      var sender: Sender;
      bodies += (0, "end"); bodies += (0, "two"); bodies += (0, ""); bodies += (0, "one");
      sender = new Sender(bodies);
      new Receiver(sender);
    }
  }
}

test tcLossy [main=Main]: assert InOrder in (main Main in { Main, Sender, Receiver });
