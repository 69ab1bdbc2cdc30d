// Specs that handle null.
event eGo;

spec Watch observes eGo {
    start state Off {
        on eGo goto On;
        on null do { } //! LS0116
    }
    state On {
        on null goto Off; //! LS0116
        ignore eGo;
    }
    state Both {
        on eGo, null do Handle; //! LS0116
        on halt do Handle;
    }
    fun Handle() { }
}

scenario Covered observes eGo {
    start cold state Off {
        on null goto Off with { } //! LS0116
        on eGo do { }
    }
}

machine Server {
    start state Idle {
        on null do { } // a machine may
        on eGo goto Busy;
    }
    state Busy { on null goto Idle; }
}
