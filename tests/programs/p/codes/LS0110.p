// Names that mean nothing where they stand.
event ePing: int;
enum tColour { RED, GREEN }
param limit: int;
fun Global(n: int): int { return n + m; } //! LS0110

machine Server {
    var count: int;
    var table: map[int, (a: int, b: int)];
    start state Init {
        entry (first: int) {
            var local: int;
            local = first + count + limit;
            locl = first; //! LS0110
            local = frist; //! LS0110
            table[kount].a = 1; //! LS0110
            tabel[0].a = 1; //! LS0110
            table[0] = (a = ann, b = ben); //! LS0110 LS0110
            if (RED == GREEN || Green == RED) { } //! LS0110
            send someone, ePing, value; //! LS0110 LS0110
            send this, ePing, local;
            raise eUnknown; //! LS0110
        }
        on ePing do (value: int) {
            count = value;
            local = 1; //! LS0110
            RED = 1; //! LS0110
            ePing = 1; //! LS0110
            Global(Global); //! LS0110
            Server += (0, 1); //! LS0110
            unknown -= (0); //! LS0110
            foreach (x in keys(table)) { count = x; } //! LS0110 LS0110
            foreach (count in keys(table)) { }
            assert missing, "text"; //! LS0110
        }
    }
    fun Waits() {
        receive { case ePing: (value: int) { count = value; } }
        count = value; //! LS0110
    }
}
machine Peer {
    start state Init { entry { count = 1; } } //! LS0110
}
