// References to machines that would allow more than before.
event ePing;
event ePong;
event eStop;
eventset sPing = { ePing };
eventset sBoth = { ePing, ePong };
eventset sAll = { ePing, ePong, eStop, halt };
interface Service() receives ePing, eStop;
machine Small receives ePing; { start state Init { } }
machine Server { start state Init { } }

machine Client {
    var ping: sPing; var both: sBoth; var all: sAll; var service: Service; var small: Small; var server: Server; var m: machine;
    start state Init {
        entry {
            ping = both to sPing;
            ping = server to sPing;
            ping = service to sPing;
            small = both to Small;
            server = all to Server;
            server = m to Server; // of a machine in general nothing is known, so P looks when it runs
            both = ping to sBoth; //! LS0324
            all = both to sAll; //! LS0324
            server = both to Server; //! LS0324
            service = both to Service; //! LS0324
            both = service to sBoth; //! LS0324
            server = small to Server; //! LS0324
            both = small to sBoth; //! LS0324
            server = this to Server;
            ping = small to sPing;
        }
    }
}
