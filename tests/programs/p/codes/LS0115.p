// Two start states.
event eGo;

machine Server {
    start state Init { on eGo goto Run; }
    start state Run { on eGo goto Stop; } //! LS0115
    start hot state Stop { } //! LS0115
    state Idle { }
}

machine Client {
    state Idle { on eGo goto Begin; }
    start state Begin { } // need not be the first
    cold state Done { }
}

spec Watch observes eGo {
    start state Off { on eGo goto On; }
    start hot state On { on eGo goto Off; } //! LS0115
}

scenario Covered observes eGo {
    start state Off { on eGo goto On; }
    start cold state On { ignore eGo; } //! LS0115
}

spec Fine observes eGo {
    hot state Off { on eGo goto On; }
    start state On { on eGo goto Off; }
}
