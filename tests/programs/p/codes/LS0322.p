// Comparisons, casts and conversions between types that have nothing in common.
enum tColour { RED, GREEN }
enum tLight { ON }
type tId = int;
event eGo;
machine Peer { start state Init { } }

machine Server {
    var i: int; var f: float; var s: string; var b: bool; var c: tColour; var id: tId; var a: any; var m: machine; var e: event;
    var numbers: seq[int]; var things: seq[any]; var pair: (a: int, b: int); var tuple: (int, int); var d: data; var p: Peer;
    start state Init {
        entry {
            b = i == id && a == i && i == a && m == null && null == e && m == this && e == eGo && d == i && numbers == things;
            b = i == f; //! LS0322
            b = i == s; //! LS0322
            b = c == 0; //! LS0322
            b = RED == ON; //! LS0322
            b = i == null; //! LS0322
            b = s != null; //! LS0322
            b = m == e; //! LS0322
            b = pair == tuple; //! LS0322
            b = pair == (b = 1, a = 2); //! LS0322
            b = numbers == default(set[int]); //! LS0322
            b = d == m; //! LS0322
            i = i % 2; f = f % 0.5;
            i = i % f; //! LS0322
            s = s % s; //! LS0322
            b = b % b; //! LS0322
            i = a as int; a = i as any; i = i as tId; p = m as Peer; numbers = things as seq[int];
            i = f as int; //! LS0322
            c = i as tColour; //! LS0322
            s = i as string; //! LS0322
            p = i as Peer; //! LS0322
            e = m as event; //! LS0322
            i = f to int; f = i to float; i = c to int; i = i to int; p = m to Peer;
            i = s to int; //! LS0322
            i = b to int; //! LS0322
            i = a to int; //! LS0322
            f = c to float; //! LS0322
            p = i to Peer; //! LS0322
            p = null to Peer; //! LS0322
        }
    }
}
