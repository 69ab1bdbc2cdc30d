// Elements that a tuple does not have.
type tPair = (int, (string, bool));

machine Server {
    var pair: tPair; var pairs: seq[tPair]; var single: (int); var n: int; var s: string;
    start state Init {
        entry {
            n = pair.0;
            s = pair.1.0;
            n = single.0;
            n = (1, 2, 3).2;
            n = pair.2; //! LS0326
            s = pair.1.2; //! LS0326
            n = single.1; //! LS0326
            n = pairs[0].7; //! LS0326
            n = (1, 2, 3).3; //! LS0326
            n = (1,).1; //! LS0326
            n = pair.00;
            pair.0 = 1;
            pair.1.1 = true;
            pair.2 = 1; //! LS0326
            pair.1.2 = true; //! LS0326
            pairs[0].3 = 1; //! LS0326
        }
    }
}
