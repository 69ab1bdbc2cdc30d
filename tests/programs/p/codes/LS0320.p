// The null event is never sent.
event eGo;

machine Server {
    var m: machine; var e: event; var b: bool;
    start state Init {
        entry {
            send m, null; //! LS0320
            send m, (null); //! LS0320
            send m, null, 1; //! LS0320
            announce null; //! LS0320
            e = null; // a variable may hold it, and P looks no further
            send m, e;
            announce e;
            send m, eGo, null;
            if (e != null) { raise e; }
            if (b) { raise null; } //! LS0320
            raise ((null)), 1; //! LS0320
        }
        on null do { }
    }
}

fun Global(m: machine) {
    send m, null; //! LS0320
    send m, default(event);
}
