// What specs and scenarios cannot do themselves.
event ePing: machine;
event ePong;
machine Server { start state Init { } }

spec Watch observes ePing, ePong {
    var count: int;
    var last: machine;
    start state Init {
        entry { announce ePong; } //! LS0330
        on ePing do (who: machine) {
            send who, ePong; //! LS0330
            last = who;
            last = this; //! LS0330
            last = new Server(); //! LS0330
            if ($) { count = 1; } //! LS0330
            if ($$) { count = 2; } //! LS0330
            receive { case ePong: { } } //! LS0330
            assert count < 3, "too many";
            if (count == 2) { raise ePong; }
            goto Done;
        }
        on ePong goto Done;
        exit { Own(); }
    }
    state Done { ignore ePing, ePong; }
    fun Own() { send last, ePong; } //! LS0330
}

scenario Covered observes ePong {
    start cold state Init { on ePong do { announce ePong; } } //! LS0330
}

machine Client {
    start state Init {
        entry {
            send new Server(), ePing, this; // machines may
            announce ePong;
            if ($) { receive { case ePong: { } } }
        }
    }
}
