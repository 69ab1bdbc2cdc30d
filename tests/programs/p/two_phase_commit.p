// Two-phase commit with a coordinator that gives up waiting: the votes are gathered with
// `receive`, and a time-out counts as a "no" of everybody who has not answered yet.

type tTransaction = (id: int, amount: int);
type tPrepare = (coordinator: Coordinator, transaction: tTransaction);
type tVote = (participant: Participant, id: int, vote: Vote);
type tOutcome = (id: int, outcome: Outcome);

enum Vote { YES, NO }
enum Outcome { COMMITTED, ABORTED }

event ePrepare: tPrepare;
event eVote: tVote;
event eDecide: tOutcome;
event eDecided: tOutcome;
event eClientRequest: (client: Client, transaction: tTransaction);
event eClientReply: tOutcome;
event eTimerStart: int;
event eTimerFired: int;

param nParticipants: int;
param nTransactions: int;
param slowNetwork: bool;

machine Coordinator {
  var participants: set[Participant];
  var alarm: Alarm;
  var served: int;

  start state Init {
    entry (members: set[Participant]) {
      participants = members;
      alarm = new Alarm(this);
      goto Ready;
    }
  }

  state Ready {
    on eClientRequest do (request: (client: Client, transaction: tTransaction)) {
      var outcome: Outcome;
      outcome = GatherVotes(request.transaction);
      TellAll(eDecide, (id = request.transaction.id, outcome = outcome));
      announce eDecided, (id = request.transaction.id, outcome = outcome);
      send request.client, eClientReply, (id = request.transaction.id, outcome = outcome);
      served = served + 1;
    }
    // both belong to a transaction that has been decided
    ignore eVote, eTimerFired;
  }

  // Asks everyone and waits until all said yes, one said no, or the alarm went off.
  fun GatherVotes(transaction: tTransaction): Outcome {
    var member: Participant;
    var missing: set[Participant];
    var outcome: Outcome;

    missing = participants;
    foreach (member in participants) {
      send member, ePrepare, (coordinator = this, transaction = transaction);
    }
    send alarm, eTimerStart, transaction.id;

    outcome = COMMITTED;
    while (sizeof(missing) > 0 && outcome == COMMITTED) {
      receive {
        case eVote: (answer: tVote) {
          if (answer.id == transaction.id) {
            missing -= (answer.participant);
            if (answer.vote == NO) {
              outcome = ABORTED;
            }
          }
        }
        case eTimerFired: (id: int) {
          if (id == transaction.id) {
            outcome = ABORTED;
          }
        }
      }
    }
    return outcome;
  }

  fun TellAll(message: event, payload: any) {
    var member: Participant;
    foreach (member in participants) {
      send member, message, payload;
    }
  }
}

machine Participant {
  var prepared: map[int, Vote];

  start state Serving {
    on ePrepare do (request: tPrepare) {
      prepared[request.transaction.id] = NO;
      if (request.transaction.amount >= 0 && $) {
        prepared[request.transaction.id] = YES;
      }
      send request.coordinator, eVote,
        (participant = this, id = request.transaction.id, vote = prepared[request.transaction.id]);
    }

    on eDecide do (decision: tOutcome) {
      if (decision.outcome == COMMITTED) {
        assert decision.id in prepared, "commit of a transaction nobody prepared";
        assert prepared[decision.id] == YES, format("{0} committed against its vote", this);
      }
      prepared -= (decision.id);
    }
  }
}

machine Alarm {
  var owner: Coordinator;

  start state Init {
    entry (coordinator: Coordinator) {
      owner = coordinator;
    }
    on eTimerStart do (id: int) {
      if (slowNetwork || choose(4) == 0) {
        send owner, eTimerFired, id;
      }
    }
  }
}

machine Client {
  start state Init {
    entry (setup: (coordinator: Coordinator, count: int)) {
      var i: int;
      while (i < setup.count) {
        send setup.coordinator, eClientRequest, (client = this, transaction = (id = i, amount = choose(100) - 10));
        receive {
          case eClientReply: (reply: tOutcome) {
            assert reply.id == i;
          }
        }
        i = i + 1;
      }
    }
  }
}

spec Atomicity observes eVote, eDecided {
  var refused: set[int];
  start state Watching {
    on eVote do (answer: tVote) {
      if (answer.vote == NO) {
        refused += (answer.id);
      }
    }
    on eDecided do (decision: tOutcome) {
      assert decision.outcome == ABORTED || !(decision.id in refused);
    }
  }
}

spec Progress observes eClientRequest, eClientReply {
  start cold state Quiet {
    on eClientRequest goto Busy;
  }
  hot state Busy {
    on eClientReply goto Quiet;
  }
}

machine Driver {
  start state Init {
    entry {
      var members: set[Participant];
      var coordinator: Coordinator;
      while (sizeof(members) < nParticipants) {
        members += (new Participant());
      }
      coordinator = new Coordinator(members);
      new Client((coordinator = coordinator, count = nTransactions));
    }
  }
}

module TwoPhaseCommit = union { Coordinator, Participant }, { Alarm, Client };

test param (nParticipants in [1, 2, 3], nTransactions in [1, 2], slowNetwork in [true, false]) (2 wise) tcSome [main=Driver]:
  assert Atomicity, Progress in (union TwoPhaseCommit, { Driver });

test param (nParticipants in [2]) tcTwo [main=Driver]:
  assert Atomicity in (union TwoPhaseCommit, { Driver });
