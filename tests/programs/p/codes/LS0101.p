// Names that are declared twice among the names of their kind, and names that only look so.
event eStart;
event eStart: int; //! LS0101
enum tColour { RED, GREEN }
enum tLight { AMBER, RED } //! LS0101
enum eStart { START } // an enum may have the name of an event, for it is a type
event GREEN; //! LS0101
type tId = int;
type tColour = int; //! LS0101
machine tId { //! LS0101
    start state Init { }
}
interface Server() receives eStart;
machine Server { //! LS0101
    start state Init { }
}
spec Server observes eStart { //! LS0101
    start state Init { ignore eStart; }
}
scenario Client observes eStart {
    start cold state Init { ignore eStart; }
}
machine Client { //! LS0101
    start state Init { }
}
fun Client() { } // functions are names of another kind
fun Client(n: int) { } //! LS0101
eventset sAll = { eStart };
eventset sAll = { eStart, halt }; //! LS0101
eventset Server = { eStart }; //! LS0101
eventset Later = { eStart }; // before the machine, P allows it
machine Later {
    var served, served: int; //! LS0101
    var count: int;
    var count: bool; //! LS0101
    start state Init {
        entry (count: int) { } // inside, a name may hide one outside
    }
    state Init { } //! LS0101
    state Run { }
    fun Run() { } //! LS0101
    fun Walk() { } // a state that follows may have a function's name
    state Walk { }
    fun Walk(n: int) { } //! LS0101
    fun Client() { } // hides the global one
    fun Twice(n: int, n: bool) { } //! LS0101
    fun Local(n: int) {
        var n: int; //! LS0101
        var m, k: int;
        var k: bool; //! LS0101
        receive {
            case eStart: {
                var m: int; // a receive case is a scope of its own
                var m: bool; //! LS0101
                m = 1;
            }
        }
    }
}
param nClients, nServers: int;
param nClients: bool; //! LS0101
fun Uses(nClients: int) { } //! LS0101
fun Foreign(nClients: int): int; // there is no code that could mean either
fun Declares() {
    var nServers: int; //! LS0101
}
machine Handles {
    start state Init {
        entry (nServers: int) { } //! LS0101
        on eStart do (nClients: any) { } //! LS0101
        exit { receive { case halt: (nServers: any) { } } } //! LS0101
    }
}
module mAll = { Later };
module mAll = { Handles }; //! LS0101
machine Starts { start state Init { } }
test tcOne [main=Starts]: { Starts };
implementation tcOne [main=Starts]: { Starts }; //! LS0101
