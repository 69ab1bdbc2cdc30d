// Which values may be stored where.
enum tColour { RED, GREEN }
type tPair = (a: int, b: int);
type tForeign;
type tOther;
event eGo;
machine Peer { start state Init { } }
machine Narrow receives eGo; { start state Init { } }
machine All receives eGo, halt; { start state Init { } }

machine Server {
    var i: int; var f: float; var b: bool; var s: string; var c: tColour;
    var e: event; var m: machine; var a: any; var d: data; var p: Peer; var n: Narrow; var l: All;
    var pair: tPair; var tuple: (int, int); var x: tForeign; var y: tOther;
    var seqInt: seq[int]; var seqAny: seq[any]; var setInt: set[int]; var table: map[int, machine];
    start state Init {
        entry {
            i = 1; i = f to int; i = c to int; i = a as int;
            i = 1.0; //! LS0305
            f = 1; //! LS0305
            i = RED; //! LS0305
            c = 1; //! LS0305
            b = null; //! LS0305
            s = null; //! LS0305
            s = i; //! LS0305
            e = eGo; e = null; e = halt;
            e = i; //! LS0305
            m = null; m = this; m = p; m = n;
            m = a; //! LS0305
            p = null; //! LS0305
            p = m; //! LS0305
            p = m as Peer; p = this; p = new All(); // all of them receive every event there is
            p = n; //! LS0305
            n = p; //! LS0305
            n = new Narrow(); l = p;
            a = i; a = m; a = null; a = pair; a = x;
            d = i; d = e; d = null; d = pair; d = seqInt;
            d = m; //! LS0305
            d = a; //! LS0305
            d = table; //! LS0305
            d = x; //! LS0305
            pair = (a = 1, b = 2);
            pair = (b = 1, a = 2); //! LS0305
            pair = (a = 1, b = true); //! LS0305
            pair = tuple; //! LS0305
            tuple = (1, 2);
            tuple = (1, 2, 3); //! LS0305
            tuple.0 = true; //! LS0305
            pair.a = "x"; //! LS0305
            seqAny = seqInt;
            seqInt = seqAny; //! LS0305
            seqInt = setInt; //! LS0305
            seqInt[0] = "x"; //! LS0305
            table[0] = i; //! LS0305
            x = y; //! LS0305
            x = default(tForeign);
            i = Nothing(); //! LS0305
            i = Number();
        }
    }
    fun Nothing() { }
    fun Number(): int { return 1; }
}
