/* The store that the lease protects. It remembers the newest epoch it has seen and refuses
   writes of older ones: their lease has ended, though the writer may not know it yet. */

machine Store {
    var newestEpoch: int;
    var lines: seq[string];

    start state Serving {
        on eWrite do (write: tWrite) {
            var status: tWriteStatus;

            if (write.lease.epoch >= newestEpoch) {
                newestEpoch = write.lease.epoch;
                lines += (sizeof(lines), write.text);
                status = ACCEPTED;
            } else {
                status = REFUSED;
            }
            send write.lease.holder, eWriteReply, (lease = write.lease, status = status);
        }
    }
}
