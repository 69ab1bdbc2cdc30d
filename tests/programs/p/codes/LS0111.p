// Numbers beyond the largest one, wherever numbers are written.
enum tLevel { LOW = 0, HIGH = 2147483647 }
enum tBig { ONE = 1, TWO = 2147483648 } //! LS0111
enum tHuge { THREE = 99999999999999999999 } //! LS0111
param limit: int;

machine Main {
    var n: int;
    var f: float;
    var pair: (int, int);
    start state Init {
        entry {
            n = 2147483647;
            n = -2147483647;
            n = 2147483648; //! LS0111
            n = -2147483648; //! LS0111
            n = 2147483647 + 4294967296; //! LS0111
            n = 0000000000000000000001;
            f = 99999999999.5;
            f = 0.99999999999;
            pair.1 = pair.0;
            pair.4294967296 = 1; //! LS0111
            n = pair.99999999999; //! LS0111
            n = choose(3000000000); //! LS0111
            print format("{0}", 99999999999); //! LS0111
            print "99999999999";
        }
    }
}

test param (limit in [1, -2147483647, 2147483647]) tcFits [main=Main]: { Main };
test param (limit in [1, 2147483648]) tcBig [main=Main]: { Main }; //! LS0111
test param (limit in [-99999999999]) tcSmall [main=Main]: { Main }; //! LS0111
test param (limit in [1, 2]) (99999999999 wise) tcWise [main=Main]: { Main }; //! LS0111
