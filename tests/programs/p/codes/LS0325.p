// Fields that a named tuple does not have.
type tPair = (a: int, b: (c: int, d: int));
event eGo: tPair;

machine Server {
    var pair: tPair; var pairs: seq[tPair]; var table: map[string, (x: int, y: int)]; var n: int;
    start state Init {
        entry {
            n = pair.a + pair.b.c + pairs[0].b.d + table["x"].x;
            n = pair.c; //! LS0325
            n = pair.A; //! LS0325
            n = pair.b.a; //! LS0325
            n = pairs[0].x; //! LS0325
            n = table["x"].z; //! LS0325
            n = Make().none; //! LS0325
            n = (x = 1, y = 2).z; //! LS0325
            pair.a = 1;
            pair.b.d = 2;
            pair.d = 2; //! LS0325
            pair.b.e = 2; //! LS0325
            pairs[0].c = 1; //! LS0325
            table["x"].z = 1; //! LS0325
        }
        on eGo do (request: tPair) { n = request.a; n = request.id; } //! LS0325
    }
    fun Make(): tPair { return (a = 1, b = (c = 2, d = 3)); }
}
