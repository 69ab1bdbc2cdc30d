// Three nodes in a ring, their ranks in one order and in the other.

machine Rising {
  start state Init {
    entry {
      Close((1, 2, 3));
    }
  }
}

machine Falling {
  start state Init {
    entry {
      Close((3, 2, 1));
    }
  }
}

// Makes a ring of nodes with these ranks.
fun Close(ranks: (int, int, int)) {
  var first: Node;
  var second: Node;
  var third: Node;
  first = new Node(ranks.0);
  second = new Node(ranks.1);
  third = new Node(ranks.2);
  send first, eNeighbour, second;
  send second, eNeighbour, third;
  send third, eNeighbour, first;
}

test tcRising [main=Rising]:
  assert OneLeader, SomebodyIsElected in (union Ring, { Rising });

test tcFalling [main=Falling]:
  assert OneLeader, SomebodyIsElected in (union Ring, { Falling });
