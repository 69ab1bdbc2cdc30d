// What is sent, raised and announced.
event eGo;
event eCount: int;
enum tColour { RED }
eventset sGo = { eGo };

machine Server {
    var m: machine; var e: event; var n: int; var a: any; var events: seq[event]; var b: bool;
    start state Init {
        entry {
            send m, eGo;
            send m, e;
            send m, events[0];
            send m, halt;
            send m, choose(events), n;
            send m, a as event;
            send m, n; //! LS0310
            send m, 1; //! LS0310
            send m, "eGo"; //! LS0310
            send m, RED; //! LS0310
            send m, a; //! LS0310
            send m, events; //! LS0310
            send m, this; //! LS0310
            announce eCount, 1;
            announce e;
            announce n; //! LS0310
            announce m; //! LS0310
            if (b) { raise eGo; }
            if (b) { raise e, 1; }
            if (b) { raise n; } //! LS0310
            raise (e, 1); //! LS0310
        }
    }
}
