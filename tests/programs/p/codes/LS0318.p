// The number of arguments.
type tPair = (a: int, b: string);
event eNone;
event eInt: int;
event ePair: tPair;
event eTuple: (int, string);
event eAny: any;
fun Global(n: int, s: string): int { return n; }

machine Server {
    var m: machine; var n: int; var b: bool; var e: event; var s: string;
    start state Init {
        entry {
            None(); One(1); n = Global(1, "x");
            None(1); //! LS0318
            One(); //! LS0318
            One(1, 2); //! LS0318
            n = Global(1); //! LS0318
            n = Global(1, "x", 2) + Global(); //! LS0318 LS0318
            send m, eTuple, 1, "x"; send m, eTuple, (1, "x");
            send m, eTuple, 1, "x", 2; //! LS0318
            send m, ePair, 1, "x"; //! LS0318
            send m, eInt, 1, 2; //! LS0318
            send m, eNone, 1, 2; //! LS0318
            send m, eAny, 1, 2; //! LS0318
            send m, e, 1, 2; // the values of an event in a variable are not looked at
            m = new Taker(1);
            m = new Taker(1, 2); //! LS0318
            new Server(1, 2); //! LS0318
            if (b) { goto Plain; }
            if (b) { goto Plain, 1; } //! LS0318
            if (b) { goto Taking, 1; }
            if (b) { goto Taking; } //! LS0318
            if (b) { goto Taking, 1, 2; } //! LS0318
            if (b) { goto Tupled, (1, 2); }
            if (b) { goto Tupled, 1, 2; } //! LS0318
            s = format("{0} {1} {0}", 1, 2); s = format("none"); s = format("{{0}}"); s = "{{0}}";
            s = format("{0}"); //! LS0318
            s = format("{1}", 1); //! LS0318
            s = format("none", 1); //! LS0318
            s = "{0}"; //! LS0318
            print "{1}"; //! LS0318
            assert b, "{0}"; //! LS0318
        }
    }
    state Plain { }
    state Taking { entry (n: int) { } }
    state Tupled { entry (pair: (int, int)) { } }
    fun None() { }
    fun One(n: int) { }
}
machine Taker { start state Init { entry (n: int) { } } }
