// Fields of what has none.
type tPair = (a: int, b: (c: int, d: (int, int)));
event eGo: tPair;

machine Server {
    var pair: tPair; var tuple: (int, int); var n: int; var m: machine; var peer: Server; var x: any;
    var pairs: seq[tPair]; var table: map[int, tPair]; var s: string;
    start state Init {
        entry {
            n = pair.a + pair.b.c + pair.b.d.0;
            n = pairs[0].a + table[1].b.c;
            n = Make().a;
            n = (a = 1, b = 2).b;
            n = tuple.a; //! LS0311
            n = n.a; //! LS0311
            n = pair.a.b; //! LS0311
            n = pair.b.d.c; //! LS0311
            n = pairs.a; //! LS0311
            n = table.a; //! LS0311
            n = m.n; //! LS0311
            n = peer.n; //! LS0311
            n = this.n; //! LS0311
            n = x.a; //! LS0311
            n = (x as tPair).a;
            n = s.length; //! LS0311
            n = eGo.a; //! LS0311
            pair.a = 1;
            pairs[0].b.c = 1;
            tuple.a = 1; //! LS0311
            n.a = 1; //! LS0311
            peer.n = 1; //! LS0311
            pair.b.d.x = 1; //! LS0311
            table.a += (1, pair); //! LS0311
        }
    }
    fun Make(): tPair { return pair; }
}
