// States that do not exist, in goto and in transitions.
event eGo;
event eBack;

machine Server {
    start state Init {
        on eGo goto Run;
        on eBack goto Stop; //! LS0108
        on halt goto init with { } //! LS0108
        entry {
            if ($) { goto Run; }
            goto Missing; //! LS0108
        }
    }
    state Run {
        on eGo do { goto Init; }
        on eBack goto Idle; //! LS0108
        entry Helper;
    }
    fun Helper() {
        goto Run;
        goto Idle; //! LS0108
    }
}

machine Peer {
    start state Idle {
        on eGo goto Idle;
        entry { Global(); }
    }
}

fun Global() {
    goto Idle; //! LS0108
}

spec Watch observes eGo {
    start state Off { on eGo goto On; }
    state On { on eGo goto Onn; } //! LS0108
}
