// Arguments of the wrong type: of functions, events, machines and entries.
type tPair = (a: int, b: string);
event eNone;
event eInt: int;
event ePair: tPair;
event eTuple: (int, string);
event eAny: any;
event eMachine: machine;
interface Service(int) receives eInt;
fun Global(n: int, s: string) { }
fun Foreign(m: machine): int;

machine Server {
    var m: machine; var n: int; var e: event; var b: bool;
    start state Init {
        entry (first: tPair) {
            Own(1); Global(1, "x"); n = Foreign(this) + Foreign(null);
            Own("x"); //! LS0317
            Global("x", 1); //! LS0317 LS0317
            n = Foreign(1); //! LS0317
            send m, eNone; send m, eNone, null; send m, eInt, 1; send m, ePair, (a = 1, b = "x");
            send m, eNone, 1; //! LS0317
            send m, eInt; //! LS0317
            send m, eInt, "x"; //! LS0317
            send m, eInt, null; //! LS0317
            send m, ePair, (1, "x"); //! LS0317
            send m, ePair, (b = "x", a = 1); //! LS0317
            send m, eTuple, (1, "x"); send m, eTuple, 1, "x";
            send m, eTuple, 1, 2; //! LS0317
            send m, eAny, 1; send m, eAny, null; send m, eMachine, this; send m, eMachine, null;
            send m, eAny; //! LS0317
            send m, eMachine, 1; //! LS0317
            send m, (eInt), true; //! LS0317
            send m, halt; send m, halt, null;
            send m, halt, 1; //! LS0317
            send m, e, 1; e = eInt; send m, e; // the value of an event in a variable is not looked at
            announce eInt, 1;
            announce eInt; //! LS0317
            m = new Server((a = 1, b = "x")); m = new Service(1); new Plain(); new Plain(null);
            m = new Server(); //! LS0317
            m = new Server(1); //! LS0317
            new Service("x"); //! LS0317
            new Plain(1); //! LS0317
            new Tupled(1, 2); new Tupled((1, 2));
            new Tupled(1, "x"); //! LS0317
            if (b) { goto Run, 1; }
            if (b) { goto Run, "x"; } //! LS0317
            if (b) { raise eInt, 1; }
            if (b) { raise eInt; } //! LS0317
            raise ePair, 1; //! LS0317
        }
    }
    state Run { entry (n: int) { } }
    fun Own(n: int) { }
}
machine Plain { start state Init { } }
machine Tupled { start state Init { entry (pair: (int, int)) { } } }
