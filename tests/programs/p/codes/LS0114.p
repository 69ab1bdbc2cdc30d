// States with two exits.
event eGo;

machine Server {
    var n: int;
    start state Init {
        exit { n = 1; }
        on eGo goto Run;
        exit { n = 2; } //! LS0114
    }
    state Run {
        exit Leave;
        exit Leave; //! LS0114
        exit { } //! LS0114
        entry Leave;
    }
    state Stop {
        exit Leave; // another state
        entry { n = 0; }
        on eGo goto Init;
    }
    fun Leave() { }
}

spec Watch observes eGo {
    start state Off {
        exit { }
        exit { } //! LS0114
        on eGo goto On;
    }
    state On {
        exit { }
        ignore eGo;
    }
}
