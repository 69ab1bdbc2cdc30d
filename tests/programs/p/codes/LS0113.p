// States with two entries.
event eGo;

machine Server {
    var n: int;
    start state Init {
        entry { n = 1; }
        on eGo goto Run;
        entry { n = 2; } //! LS0113
    }
    state Run {
        entry Enter;
        entry (value: int) { n = value; } //! LS0113
        entry Enter; //! LS0113
    }
    state Stop {
        entry Enter; // another state
        exit { n = 0; }
        on eGo goto Init;
    }
    fun Enter() { }
}

spec Watch observes eGo {
    start state Off {
        entry { }
        entry { } //! LS0113
        on eGo goto On;
    }
    state On {
        entry { }
        ignore eGo;
    }
}
