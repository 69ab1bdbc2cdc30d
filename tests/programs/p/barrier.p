// A reusable barrier: workers wait until all have arrived, then everyone goes on to the next
// phase. Positions are kept in plain tuples, of which some have a single element.

event eArrive: (Worker, int);
event eGo: (int);
event eSwitchOff;
event ePhase: (worker: machine, at: (int));

machine Barrier {
  var expected: int;
  var arrived: seq[(Worker, int)];
  var phase: (int);
  var tally: (count: int, last: (Worker, int));

  start state Closed {
    entry (workers: int) {
      expected = workers;
      phase = (0,);
    }

    on eArrive do (who: (Worker, int)) {
      assert who.1 == phase.0, "arrived at the wrong phase";
      arrived += (sizeof(arrived), who);
      tally.count = tally.count + 1;
      tally.last = who;
      tally.last.1 = phase.0;
      if (sizeof(arrived) == expected) {
        goto Open;
      }
    }
    on eSwitchOff goto Off;
  }

  state Open {
    entry {
      var i: int;
      phase.0 = phase.0 + 1;
      while (i < sizeof(arrived)) {
        send arrived[i].0, eGo, (phase.0,);
        i = i + 1;
      }
      arrived = default(seq[(Worker, int)]);
      send this, eGo, phase;
    }
    on eGo do (opened: (int)) {
      assert opened == phase;
      goto Shut;
    }
    defer eArrive, eSwitchOff;
  }

  state Shut {
    on null goto Waiting;
    defer eArrive, eSwitchOff;
  }

  state Waiting {
    on eArrive do (who: (Worker, int)) {
      arrived += (0, who);
      if (sizeof(arrived) == expected) goto Open;
    }
    on eSwitchOff goto Off;
  }

  state Off {
    entry { print format("{0} arrivals", tally.count); raise halt; }
  }
}

machine Worker {
  start state Working {
    entry (setup: (barrier: Barrier, phases: int)) {
      var phase: int;
      while (phase < setup.phases) {
        announce ePhase, (worker = this, at = (phase,));
        send setup.barrier, eArrive, (this, phase);
        receive {
          case eGo: (go: (int)) {
            phase = go.0;
          }
          case eSwitchOff: {
            phase = setup.phases;
          }
        }
      }
    }
    ignore eGo, eSwitchOff;
  }
}

spec TogetherOnly observes ePhase {
  var at: map[machine, (int)];
  start state Watching {
    on ePhase do (news: (worker: machine, at: (int))) {
      var w: machine;
      at[news.worker] = news.at;
      foreach (w in keys(at)) {
        assert at[w].0 - news.at.0 <= 1 && news.at.0 - at[w].0 <= 1, "somebody ran ahead";
      }
    }
  }
}

machine Boss {
  start state Init {
    entry {
      var barrier: Barrier;
      var workers: seq[Worker];
      barrier = new Barrier(2);
      workers += (0, new Worker((barrier = barrier, phases = 2)));
      workers += (1, new Worker((barrier = barrier, phases = 2)));
      if (choose(3) == 2) {
        send workers[0], eSwitchOff;
        send workers[1], eSwitchOff;
      }
    }
  }
}

test tcBarrier [main=Boss]: assert TogetherOnly in { Boss, Worker, Barrier };
