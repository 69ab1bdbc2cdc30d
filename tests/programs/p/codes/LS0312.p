// Numbered elements of what has none.
type tPair = (int, (string, bool));

machine Server {
    var pair: tPair; var named: (a: int, b: (int, int)); var n: int; var s: string; var numbers: seq[int];
    var pairs: map[int, tPair]; var m: machine;
    start state Init {
        entry {
            n = pair.0;
            s = pair.1.0;
            n = pairs[0].0;
            n = (1, 2).1;
            n = named.b.0;
            n = named.0; //! LS0312
            n = named.b.0.0; //! LS0312
            n = n.0; //! LS0312
            n = numbers.0; //! LS0312
            n = numbers[0].0; //! LS0312
            n = m.0; //! LS0312
            s = s.0; //! LS0312
            pair.0 = 1;
            pair.1.0 = "x";
            named.b.1 = 2;
            named.1 = (1, 2); //! LS0312
            numbers.0 = 1; //! LS0312
            pairs.0 = pair; //! LS0312
        }
    }
}
