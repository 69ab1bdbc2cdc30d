// Handlers that are not functions of the machine, written in P.
event eGo: int;
fun Global() { }
fun GlobalInt(n: int) { }
fun Foreign();

machine Server {
    start state Init {
        entry Global; //! LS0205
        exit Global; //! LS0205
        on eGo do GlobalInt; //! LS0205
        on halt goto Run with Global; //! LS0205
    }
    state Run {
        entry Own;
        exit Own;
        on eGo do OwnInt;
        on halt goto Init with Own;
    }
    state Abroad {
        entry Foreign; //! LS0205
        exit OwnForeign; //! LS0205
        on eGo do OwnForeign; //! LS0205
        on halt do { Foreign(); OwnForeign(); Global(); }
    }
    fun Own() { Global(); }
    fun OwnInt(n: int) { GlobalInt(n); }
    fun OwnForeign();
}

machine Hides {
    start state Init { entry Global; on eGo do GlobalInt; }
    fun Global() { }
    fun GlobalInt(n: int) { }
}
