// Everything but the test drivers.
module LeaseSystem = { LeaseServer, Client, Store, Timer };
