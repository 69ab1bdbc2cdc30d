// What the machines say to each other.

type tRequest = (client: Client, number: int);

event eRequest: tRequest;
event eResponse: int;
