// Machines without a start state.
event eGo;

machine Nothing { } //! LS0201
machine Server { //! LS0201
    state Idle { on eGo goto Busy; }
    hot state Busy { on eGo goto Idle; }
}
machine Only { //! LS0201
    var start_state: int;
    fun Start() { }
}
machine Fine {
    state Idle { }
    start state Busy { on eGo goto Idle; }
}
machine Smallest { start state Init { } }

// P does not look for the start state of specs.
spec Watch observes eGo {
    state Off { on eGo goto Off; }
}
scenario Covered observes eGo {
    cold state Off { on eGo goto Off; }
}
interface Service() receives eGo;
