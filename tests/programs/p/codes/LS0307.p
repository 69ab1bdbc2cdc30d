// What is removed from collections.
type tNumbers = seq[string];

machine Server {
    var names: tNumbers;
    var members: set[string];
    var table: map[string, int];
    var nested: map[int, set[int]];
    var n: int;
    var s: string;
    start state Init {
        entry {
            names -= (0);
            names -= 0;
            names -= (sizeof(names) - 1);
            names -= ("x"); //! LS0307
            names -= (s); //! LS0307
            members -= ("x");
            members -= (0); //! LS0307
            members -= (null); //! LS0307
            table -= ("x");
            table -= (1); //! LS0307
            table -= (("x", 1)); //! LS0307
            nested[0] -= (1);
            nested[0] -= ("x"); //! LS0307
            n -= (1); //! LS0307
            s -= ("x"); //! LS0307
        }
    }
}
