// Functions that do not exist, called or as handlers.
event ePing: int;
fun Global(n: int): int { return Globel(n); } //! LS0107
fun Foreign(): int;

machine Server {
    var n: int;
    start state Init {
        entry Enter; //! LS0107
        exit Leave; //! LS0107
        on ePing do Pign; //! LS0107
        on halt goto Run with Move; //! LS0107
    }
    state Run {
        entry Own;
        exit Own;
        on ePing do Handle;
        on halt do {
            Own();
            own(); //! LS0107
            n = Global(1) + Foreign();
            n = global(2); //! LS0107
            Other(); //! LS0107
            Handle(Unknown(n)); //! LS0107
            n(); //! LS0107
            Server(); //! LS0107
            Run(); //! LS0107
        }
    }
    fun Own() { }
    fun Handle(n: int) { }
}

machine Peer {
    start state Init { entry { Global(3); Own(); } } //! LS0107
    fun Other() { Other(); }
}
