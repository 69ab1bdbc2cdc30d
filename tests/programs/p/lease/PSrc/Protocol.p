/* The vocabulary of the lease protocol.

   A client asks the lease server for the one lease there is, works on the store while it holds
   the lease, and gives it back. A lease also ends by itself when its time is up, and the client
   may learn of that late. Every lease therefore has a number, its epoch: the store refuses work
   that carries an older epoch than one it has already seen. */

type tLeaseRequest = (client: Client);
type tLease = (holder: Client, epoch: int);
type tWrite = (lease: tLease, text: string);
type tWriteReply = (lease: tLease, status: tWriteStatus);

enum tWriteStatus { ACCEPTED, REFUSED }

// Between clients and the lease server.
event eLeaseRequest: tLeaseRequest;
event eLeaseGranted: tLease;
event eLeaseReleased: tLease;
event eLeaseExpired: tLease;

// Between clients and the store.
event eWrite: tWrite;
event eWriteReply: tWriteReply;
