// Names of events that do not exist, in every list of events.
event ePing;
event ePong: int;
enum tColour { RED, GREEN }
eventset sBoth = { ePing, ePong, halt };
eventset sWrong = { ePing, ePung }; //! LS0106
eventset sNested = { sBoth }; //! LS0106
eventset sEnum = { RED }; //! LS0106
interface Service() receives ePing, eService; //! LS0106
machine Server
    receives ePing, eReceived; //! LS0106
    sends eSent, ePong, halt; //! LS0106
{
    start state Init {
        on ePing, ePong do { }
        on ePnig do { } //! LS0106
        on eGone, ePung goto Run; //! LS0106 LS0106
        on null do { }
        on halt goto Run;
    }
    state Run {
        defer ePing, eDeferred; //! LS0106
        ignore ePong, eIgnored; //! LS0106
        entry {
            receive {
                case ePing: { }
                case eWaited: { } //! LS0106
                case RED: { } //! LS0106
                case halt: { }
            }
        }
    }
}
spec Safety observes ePing, eWatched { //! LS0106
    start state Watch { ignore ePing; }
}
scenario Covered observes eSeen { //! LS0106
    start cold state Watch { ignore ePing; }
}
