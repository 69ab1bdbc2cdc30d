// Types that are too large: wide by doubling, deep by nesting.
type tTen = (int, int, int, int, int, int, int, int, int, int);
type tHundred = (tTen, tTen, tTen, tTen, tTen, tTen, tTen, tTen, tTen, tTen);
type tThousand = (tHundred, tHundred, tHundred, tHundred, tHundred, tHundred, tHundred, tHundred, tHundred, tHundred);
type tMany = (tThousand, tThousand, tThousand, tThousand, tThousand, tThousand, tThousand, tThousand, tThousand, tThousand);
type tFits = (many: tMany, more: seq[tThousand]);
type tTooMany = (tMany, tMany, tMany); //! LS0118
type tUses = seq[tTooMany]; // reported where it is declared
event eMany: (a: tMany, b: tMany, c: tMany); //! LS0118
type tDeep = seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]; //! LS0118
type tNotSoDeep = seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[seq[int]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]];

machine Server {
    var fits: tFits;
    var large: map[tMany, (tMany, tMany)]; //! LS0118
    var deep: tNotSoDeep;
    start state Init {
        entry (value: tUses) {
            var local: (tMany, tMany, tMany); //! LS0118
            deep = default(tNotSoDeep);
        }
    }
}
