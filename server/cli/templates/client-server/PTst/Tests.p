// What the tests start with.

machine OneClient {
  start state Init {
    entry {
      new Client((server = new Server(), requests = 3));
    }
  }
}

machine TwoClients {
  start state Init {
    entry {
      var server: Server;
      server = new Server();
      new Client((server = server, requests = 2));
      new Client((server = server, requests = 2));
    }
  }
}

test tcOneClient [main=OneClient]:
  assert OnlyAnswers, EveryRequestIsAnswered in (union System, { OneClient });

test tcTwoClients [main=TwoClients]:
  assert OnlyAnswers, EveryRequestIsAnswered in (union System, { TwoClients });
