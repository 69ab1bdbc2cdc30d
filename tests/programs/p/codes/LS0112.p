// Two answers of one state to one event.
event ePing;
event ePong;
event eStop;

machine Server {
    start state Init {
        on ePing do { }
        on ePing do Handle; //! LS0112
        on ePong goto Run;
        on ePong do { } //! LS0112
        defer eStop;
        ignore eStop; //! LS0112
        on null do { }
        on null goto Run; //! LS0112
        on halt do { }
        on ePing, halt goto Run; //! LS0112 LS0112
    }
    state Run {
        on ePing, ePong do Handle; // another state, other answers
        defer eStop, eStop; //! LS0112
        on ePong goto Init with Handle; //! LS0112
        ignore halt;
        on null do { }
    }
    state Stop {
        on ePing goto Init;
        on ePong goto Init;
        on eStop goto Stop;
        on ePing goto Run; //! LS0112
    }
    fun Handle() { }
}

spec Watch observes ePing {
    start state Off { on ePing goto On; }
    state On { on ePing goto Off; ignore ePing; } //! LS0112
}
