// Exits with parameters.
event eStop: int;

machine Server {
    start state Init {
        exit One; //! LS0203
        on eStop goto Run;
    }
    state Run {
        exit Two; //! LS0203
        entry One;
        on eStop goto Idle with One;
    }
    state Idle {
        exit None;
        on eStop do One;
    }
    state Done {
        exit { One(1); }
        on eStop goto Init;
    }
    fun One(reason: any) { }
    fun Two(a: int, b: int) { }
    fun None() { One(0); }
}

spec Watch observes eStop {
    start state Off { exit Leave; on eStop goto On; } //! LS0203
    state On { exit { Leave(1); } ignore eStop; }
    fun Leave(reason: int) { }
}
