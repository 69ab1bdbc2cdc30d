// Safety: nothing is answered that was not asked.
spec OnlyAnswers observes eRequest, eResponse {
  var open: int;

  start state Counting {
    on eRequest do {
      open = open + 1;
    }

    on eResponse do (answered: int) {
      assert open > 0, format("{0} was answered, and nobody had asked", answered);
      open = open - 1;
    }
  }
}

// Liveness: a request does not stay without an answer for ever.
spec EveryRequestIsAnswered observes eRequest, eResponse {
  var open: int;

  start cold state Quiet {
    on eRequest do {
      open = open + 1;
      goto Waiting;
    }
  }

  hot state Waiting {
    on eRequest do {
      open = open + 1;
    }

    on eResponse do {
      open = open - 1;
      if (open == 0) {
        goto Quiet;
      }
    }
  }
}
