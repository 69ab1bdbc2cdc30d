// Handlers with more than one parameter.
event eMove: (int, int);
event eStop;

machine Robot {
    start state Init {
        entry Begin; //! LS0202
        on eMove do Move; //! LS0202
        on eStop goto Idle with Halt; //! LS0202
    }
    state Idle {
        entry None;
        exit None;
        on eMove do One;
        on eStop do None;
        on null goto Init with None;
    }
    state Both {
        on eMove, eStop do Move; //! LS0202
        on halt do { Move(1, 2); } // calling it is another matter
    }
    fun Begin(a: int, b: int, c: int) { }
    fun Move(x: int, y: int) { }
    fun Halt(a: any, b: any) { }
    fun One(pair: (int, int)) { }
    fun None() { }
}

spec Watch observes eMove {
    start state Off { on eMove do Seen; } //! LS0202
    fun Seen(x: int, y: int) { }
}
