// Answers every request.
machine Server {
  start state Serving {
    on eRequest do (request: tRequest) {
      send request.client, eResponse, request.number;
    }
  }
}

module System = { Client, Server };
