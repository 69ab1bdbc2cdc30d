// Test parameters are read, never changed.
param limit: int;
param names: seq[string];
param table: map[int, (a: int, b: (int, int))];
event eGo: int;

machine Server {
    var count: int;
    var copy: seq[string];
    start state Init {
        entry {
            limit = 1; //! LS0301
            limit = limit + 1; //! LS0301
            count = limit;
            names += (0, "x"); //! LS0301
            names -= (0); //! LS0301
            names[0] = "y"; //! LS0301
            copy = names;
            copy += (0, names[0]);
            table[0].a = 1; //! LS0301
            table[limit].b.0 = 1; //! LS0301
            count = table[limit].b.1;
            table -= (1); //! LS0301
        }
        on eGo do (limited: int) {
            limited = limit; // a parameter of a handler may be changed
            count = limited;
        }
    }
}

fun Global() {
    var i: int;
    limit = 2; //! LS0301
    i = limit;
    while (i < limit) { limit = i; } //! LS0301
    foreach (limit in Numbers()) { } // P does not mind this one
}
fun Numbers(): seq[int];
