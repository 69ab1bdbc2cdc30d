// Specs that defer.
event eGo;
event eStop;

spec Watch observes eGo, eStop {
    start state Off {
        on eGo goto On;
        defer eStop; //! LS0117
    }
    state On {
        defer eGo, eStop; //! LS0117
    }
    state Done {
        defer halt; //! LS0117
        ignore eGo, eStop;
    }
}

scenario Covered observes eGo {
    start cold state Off {
        defer eGo; //! LS0117
    }
}

machine Server {
    start state Idle {
        defer eGo; // a machine may
        on eStop goto Busy;
    }
    state Busy { on eGo goto Idle; defer eStop, halt; }
}
