// A failure detector: pings every node each round, suspects the silent ones, and tells its
// listeners. A saboteur halts nodes. Shows halt, choose on every kind of value, and sets.

event ePing: (from: Detector, round: int);
event ePong: (node: Node, round: int);
event eRoundOver: int;
event eSuspect: set[Node];
event eCrashed: Node;

machine Node {
  start state Alive {
    on ePing do (ping: (from: Detector, round: int)) {
      send ping.from, ePong, (node = this, round = ping.round);
    }
  }
}

machine Detector {
  var nodes, alive: set[Node];
  var listeners: seq[Listener];
  var missed: map[Node, int];
  var round: int;

  start state Init {
    entry (setup: (nodes: set[Node], listeners: seq[Listener])) {
      nodes = setup.nodes;
      listeners = setup.listeners;
      goto Asking;
    }
  }

  state Asking {
    entry {
      var node: Node;

      round = round + 1;
      alive = default(set[Node]);
      foreach (node in nodes) {
        send node, ePing, (from = this, round = round);
      }
      send this, eRoundOver, round;
    }

    on ePong do (pong: (node: Node, round: int)) {
      if (pong.round == round) {
        alive += (pong.node);
      }
    }

    on eRoundOver goto Counting;
  }

  state Counting {
    entry (over: int) {
      var node: Node;
      var suspects: set[Node];

      assert over == round;
      foreach (node in nodes) {
        if (node in alive) {
          missed[node] = 0;
          continue;
        }
        if (!(node in missed)) {
          missed += (node, 0);
        }
        missed[node] = missed[node] + 1;
        if (missed[node] >= 2) {
          suspects += (node);
        }
      }
      if (sizeof(suspects) > 0) {
        Tell(suspects);
      }
      if (round < 5) {
        goto Asking;
      }
    }
    ignore ePong;
  }

  fun Tell(suspects: set[Node]) {
    var i: int;
    while (true) {
      if (i == sizeof(listeners)) {
        break;
      }
      send listeners[i], eSuspect, suspects;
      i = i + 1;
    }
  }
}

machine Listener {
  start state Listening {
    on eSuspect do (suspects: set[Node]) {
      print format("{0} suspects, the first is {1}", sizeof(suspects), suspects[0]);
    }
  }
}

machine Saboteur {
  start state Init {
    entry (nodes: set[Node]) {
      var victims: map[Node, bool];
      var order: seq[Node];
      var node: Node;

      foreach (node in nodes) {
        victims += (node, choose());
      }
      if (choose()) {
        node = choose(victims);
      } else {
        node = choose(nodes);
      }
      order = keys(victims);
      if (!(true in values(victims))) {
        node = choose(order);
      }
      announce eCrashed, node;
      send node, halt;
      raise halt;
    }
  }
}

spec SuspectsCrash observes eCrashed, eSuspect, halt {
  var crashed: set[Node];
  start state Watching {
    on eCrashed do (node: Node) { crashed += (node); }
    on eSuspect do (suspects: set[Node]) {
      var node: Node;
      foreach (node in suspects) {
        if (!(node in crashed)) {
          print format("{0} is only slow", node);
        }
      }
    }
    ignore halt;
  }
}

machine World {
  start state Init {
    entry {
      var nodes: set[Node];
      var listeners: seq[Listener];

      while (sizeof(nodes) < 3) {
        nodes += (new Node());
      }
      listeners += (0, new Listener());
      listeners += (0, new Listener());
      new Saboteur(nodes);
      new Detector((nodes = nodes, listeners = listeners));
    }
  }
}

test tcFailures [main=World]:
  assert SuspectsCrash in { World, Node, Detector, Listener, Saboteur };
