// Safety: there is never a second leader, and it is the node with the greatest rank.
spec OneLeader observes eElected {
  start state Open {
    on eElected do (rank: int) {
      assert rank == 3, format("{0} was elected, and 3 is greater", rank);
      goto Decided;
    }
  }

  state Decided {
    on eElected do (rank: int) {
      assert false, format("{0} was elected too", rank);
    }
  }
}

// Liveness: somebody is elected in the end.
spec SomebodyIsElected observes eElected {
  start hot state Open {
    on eElected goto Decided;
  }

  cold state Decided {
    ignore eElected;
  }
}
