// Sends its rank round the ring. Smaller ranks than its own are not passed on, so only the greatest comes home.
machine Node {
  var rank: int;
  var next: Node;

  start state Alone {
    defer eRank;

    entry (given: int) {
      rank = given;
    }

    on eNeighbour do (neighbour: Node) {
      next = neighbour;
      goto Candidate;
    }
  }

  state Candidate {
    entry {
      send next, eRank, rank;
    }

    on eRank do (other: int) {
      if (other > rank) {
        send next, eRank, other;
      } else if (other == rank) {
        announce eElected, rank;
        goto Leader;
      }
    }
  }

  state Leader {
    ignore eRank;
  }
}

module Ring = { Node };
