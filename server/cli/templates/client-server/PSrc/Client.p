// Sends requests one after the other, each when the one before it was answered.
machine Client {
  var server: Server;
  var number: int;
  var last: int;

  start state Init {
    entry (setup: (server: Server, requests: int)) {
      server = setup.server;
      last = setup.requests;
      goto Asking;
    }
  }

  state Asking {
    entry {
      if (number == last) {
        goto Done;
      }
      number = number + 1;
      send server, eRequest, (client = this, number = number);
    }

    on eResponse do (answered: int) {
      assert answered == number, format("asked {0}, and {1} was answered", number, answered);
      goto Asking;
    }
  }

  state Done { }
}
