// Raising events and changing the state while a state is left.
event eGo;
event eStop;

machine Server {
    start state Init {
        entry { if ($) { raise eGo; } goto Run; } // an entry may
        exit {
            raise eGo; //! LS0401
        }
        on eGo goto Run with { goto Stop; } //! LS0401
        on eStop do { goto Stop; }
    }
    state Run {
        exit Leave; //! LS0401
        on eGo goto Init with Moves; //! LS0401
        on eStop goto Stop with Harmless;
    }
    state Stop {
        exit {
            Harmless();
            Leave(); //! LS0401
            if (Asks()) { Global(); } //! LS0401 LS0401
            receive { case eGo: { raise eStop; } } //! LS0401
        }
        entry Leave;
        on eGo goto Run with { Harmless(); }
    }
    state Far {
        exit Circle; //! LS0401
        on eGo do Circle;
    }
    fun Leave() { raise eStop; }
    fun Moves() { Leave(); }
    fun Harmless() { print "left"; }
    fun Asks(): bool { Leave(); return true; }
    fun Circle() { Around(); }
    fun Around() { if ($) { Circle(); } goto Stop; }
}
fun Global() { GlobalToo(); }
fun GlobalToo() { raise eGo; }
spec Watch observes eGo {
    start state Off { exit { goto On; } on eGo goto On with { raise eGo; } } //! LS0401 LS0401
    state On { ignore eGo; }
}
